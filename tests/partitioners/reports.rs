//! What users of real clients have reported.

use crate::world::*;
use logstep::sim::partitioner::{BuiltIn, Leaves, Librdkafka, Partitioner, TopicView};
use logstep::sim::producer::batching::Batching;
use logstep::sim::{Span, Time};

fn murmur2_random() -> Partitioner {
    Partitioner::Librdkafka(Librdkafka::Murmur2Random, Span::from_millis(10))
}

/// node-rdkafka 616 and 817: the second client's default, or a setting that did not reach it.
#[test]
fn java_and_librdkafka_disagree_until_both_use_murmur2() {
    let known = [
        (10, "354afe16-939a-4ea8-8e17-8bb0840b6886", 4, 9),
        (10, "f562ac3b-2224-4e25-a0ab-56094e10c239", 5, 6),
        (32, "fd7af248-ce5c-46a5-93d7-1c0c9005b99d", 26, 23),
    ];
    for (partitions, key, java, librdkafka) in known {
        let key = Some(key.as_bytes());
        assert_eq!(partition_of(Partitioner::JAVA, partitions, key), java);
        assert_eq!(partition_of(Partitioner::LIBRDKAFKA, partitions, key), librdkafka);
        assert_eq!(partition_of(murmur2_random(), partitions, key), java);
    }
}

/// librdkafka pull request 1816.
#[test]
fn a_port_that_keeps_the_top_bit_sends_half_of_the_keys_elsewhere() {
    for (partitions, key, right, wrong) in [(10, "f562ac3b-2224-4e25-a0ab-56094e10c239", 5, 3), (15, "TT0124", 10, 3)] {
        let key = Some(key.as_bytes());
        assert_eq!(partition_of(Partitioner::JAVA, partitions, key), right);
        assert_eq!(partition_of(Partitioner::UnmaskedMurmur2, partitions, key), wrong);
    }
    let differ = |partitions| {
        let keys = (0..1_000).map(|number| number.to_string());
        keys.filter(|key| {
            let key = Some(key.as_bytes());
            partition_of(Partitioner::JAVA, partitions, key)
                != partition_of(Partitioner::UnmaskedMurmur2, partitions, key)
        })
        .count()
    };
    assert!((400..=600).contains(&differ(10)));
    assert_eq!(differ(8), 0);
}

/// librdkafka 4510.
#[test]
fn an_empty_key_is_no_key_for_consistent_random_only() {
    let with_empty_key = |rule, partitions: u16| {
        let available: Vec<u16> = (0..partitions).collect();
        let topic = TopicView { partitions, available: &available };
        let (mut chooser, mut rng) = chooser(rule, 1);
        let mut used: Vec<u16> =
            (0..1_000).map(|index| chooser.choose(at(index * 1_000), topic, Some(b""), &mut rng).0).collect();
        used.sort_unstable();
        used.dedup();
        used
    };
    assert_eq!(with_empty_key(Partitioner::LIBRDKAFKA, 10).len(), 10);
    for (partitions, all_in) in [(4, 1), (8, 1), (10, 1), (6, 3), (15, 6)] {
        assert_eq!(with_empty_key(murmur2_random(), partitions), [all_in]);
    }
}

/// kafka-python 374.
#[test]
fn a_salted_hash_changes_with_the_process() {
    let of_process = |seed, key: Option<&[u8]>| {
        let (mut chooser, mut rng) = chooser(Partitioner::SaltedHash, seed);
        let first = chooser.choose(at(0), ALL_OF_12, key, &mut rng).0;
        assert!((1..100).all(|later| chooser.choose(at(later), ALL_OF_12, key, &mut rng).0 == first));
        first
    };
    let mut used: Vec<u16> = (0..200).map(|seed| of_process(seed, Some(b"123"))).collect();
    used.sort_unstable();
    used.dedup();
    assert_eq!(used.len(), 12);
    assert!((0..200).all(|seed| of_process(seed, Some(b"")) == 0));
}

/// Stack Overflow 39608714.
#[test]
fn adding_partitions_moves_keys() {
    let with = |partitions| -> Vec<u16> {
        let keys = (1001..=1012).map(|number| format!("order-{number}"));
        keys.map(|key| partition_of(Partitioner::JAVA, partitions, Some(key.as_bytes()))).collect()
    };
    assert_eq!(with(4), [2, 0, 0, 3, 3, 0, 2, 3, 1, 2, 0, 0]);
    assert_eq!(with(6), [0, 0, 4, 3, 3, 4, 0, 1, 5, 4, 0, 4]);
}

/// Two of four brokers answer slowly; their batches grow while five requests are unanswered, and the sticky rule of 2.4
/// stays until the batch is full (KAFKA-10888). That of 3.3 counts bytes. Alone it still stays up to twice as long with
/// a slow broker, because it waits for the end of a batch; looking at the queues evens that out, and under load turns
/// it round.
#[test]
fn the_sticky_rule_of_2_4_favours_slow_brokers_and_that_of_3_3_far_less() {
    let answers_after = [Span::from_millis(100), Span::from_millis(2), Span::from_millis(100), Span::from_millis(2)];
    let slow_share = |rule, seed, per_second: u64| {
        let settings = Batching::JAVA_BEFORE_4;
        let world = World {
            rule,
            settings,
            topic: ALL_OF_4,
            answers_after: &answers_after,
            looks_every: Span::from_micros(50),
        };
        let records: Vec<_> = (0..20_000).map(|index| (at(index * 1_000_000 / per_second), keyless(1_000))).collect();
        let counts = shape(&world.run(seed, &records).partitions, 4).per_partition;
        100 * (counts[0] + counts[2]) / records.len()
    };
    let uniform = BuiltIn { adaptive: false, ..BuiltIn::DEFAULT };
    let at_once = BuiltIn { leaves: Leaves::AtOnce, ..uniform };
    for seed in 0..4 {
        let share = |rule| slow_share(rule, seed, 1_000);
        assert!(share(Partitioner::DefaultSticky) >= 90);
        assert!((45..=55).contains(&share(Partitioner::BuiltIn(at_once))));
        assert!((50..=70).contains(&share(Partitioner::BuiltIn(uniform))));
        assert!((45..=60).contains(&share(Partitioner::JAVA)));
        assert!(slow_share(Partitioner::DefaultSticky, seed, 4_000) >= 75);
        assert!(slow_share(Partitioner::JAVA, seed, 4_000) <= 50);
    }
}

/// KAFKA-14156: 24 kB a second, `linger.ms` 500.
#[test]
fn leaving_at_once_makes_batches_of_12_and_4_kilobytes() {
    let records: Vec<_> = (0..6_000).map(|index| (at(index * 10_000), keyless(238))).collect();
    let sizes = |rule| {
        let settings = Batching { linger: Span::from_millis(500), ..Batching::JAVA_BEFORE_4 };
        let answers_after = &[Span::from_millis(2); 4];
        let world = World { rule, settings, topic: ALL_OF_4, answers_after, looks_every: Span::ZERO };
        let mut batches = world.run(1, &records).batches;
        batches.pop();
        let kilobytes: Vec<u32> = batches.iter().map(|batch| (batch.bytes + 500) / 1_000).collect();
        assert!(batches.iter().all(|batch| batch.opened_at < Time::from_micros(60_000_000)));
        kilobytes
    };
    let at_once = sizes(Partitioner::BuiltIn(BuiltIn { leaves: Leaves::AtOnce, ..BuiltIn::DEFAULT }));
    let share =
        |kilobytes: &[u32]| at_once.iter().filter(|size| kilobytes.contains(size)).count() * 100 / at_once.len();
    assert!(share(&[12, 13]) >= 40 && share(&[4, 5]) >= 25, "{at_once:?}");
    for rule in [Partitioner::JAVA, Partitioner::DefaultSticky] {
        assert!(sizes(rule).iter().all(|size| [12, 13].contains(size)), "{rule:?} {:?}", sizes(rule));
    }
}
