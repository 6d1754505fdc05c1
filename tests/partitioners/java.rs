//! What the source of Java's partitioners says and no recording shows.

use crate::world::*;
use logstep::sim::partitioner::hash::{murmur2, partition_for_hash};
use logstep::sim::partitioner::{BuiltIn, Partitioner, TopicView};
use logstep::sim::producer::batching::Batching;
use logstep::sim::producer::sender::{Outgoing, Sender};
use logstep::sim::{BrokerId, Span};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// A key that goes to this one of four partitions.
fn key_for(partition: u32) -> String {
    let mut keys = (0..).map(|number: u32| number.to_string());
    keys.find(|key| partition_for_hash(murmur2(key.as_bytes()), 4) == partition).expect("some key")
}

/// KAFKA-9965: where the number of partitions is even, each record that opens a batch skips every other one.
#[test]
fn two_turns_a_record_leave_out_half_of_an_even_number_of_partitions() {
    let run = |rule| {
        let records: Vec<_> = (0..40).map(|index| (at(index * 10_000), keyless(25))).collect();
        let answers_after = &[Span::from_millis(1); 4];
        let settings = Batching::JAVA_BEFORE_4;
        let world = World { rule, settings, topic: ALL_OF_4, answers_after, looks_every: Span::ZERO };
        shape(&world.run(1, &records).partitions, 4).per_partition
    };
    assert_eq!(run(Partitioner::RoundRobinTwice), [0, 20, 0, 20]);
    assert_eq!(run(Partitioner::RoundRobin), [10, 10, 10, 10]);
}

/// `StickyPartitionCache#nextPartition`: the partition is left only if the batch was opened there, be it by a keyed
/// record.
#[test]
fn a_keyed_record_moves_the_sticky_partition_if_it_opens_a_batch_there() {
    for seed in 0..50 {
        let (mut chooser, mut rng) = chooser(Partitioner::DefaultSticky, seed);
        let sticky = chooser.choose(at(0), ALL_OF_4, None, &mut rng).0;
        chooser.on_new_batch(ALL_OF_4, (sticky + 1) % 4, &mut rng);
        assert_eq!(chooser.choose(at(0), ALL_OF_4, None, &mut rng).0, sticky);
        chooser.on_new_batch(ALL_OF_4, sticky, &mut rng);
        assert_ne!(chooser.choose(at(0), ALL_OF_4, None, &mut rng).0, sticky);
    }
    let (mut chooser, mut rng) = chooser(Partitioner::DefaultSticky, 1);
    let one = TopicView { partitions: 4, available: &[2] };
    assert_eq!(chooser.choose(at(0), one, None, &mut rng).0, 2);
    chooser.on_new_batch(one, 2, &mut rng);
    assert_eq!(chooser.choose(at(0), one, None, &mut rng).0, 2, "there is no other");
}

#[test]
fn who_ignores_keys() {
    let ignoring = Partitioner::BuiltIn(BuiltIn { ignore_keys: true, ..BuiltIn::DEFAULT });
    for (rule, ignores) in [
        (Partitioner::JAVA, false),
        (ignoring, true),
        (Partitioner::DefaultSticky, false),
        (Partitioner::UniformSticky, true),
        (Partitioner::RoundRobin, true),
        (Partitioner::DefaultInTurn, false),
    ] {
        let key = key_for(3);
        let always_3 = (0..50).all(|seed| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut sender = Sender::new(rule, 4, &mut rng);
            let record = Outgoing { partition: None, key: Some(key.as_bytes()), value_bytes: Some(10) };
            sender.send(&Batching::JAVA, ALL_OF_4, at(0), record, &mut rng).0.partition == 3
        });
        assert_eq!(always_3, !ignores, "{rule:?}");
    }
}

/// Keyed records that need a new batch each time leave no full one for the keyless to see: the stay ends at twice
/// `batch.size`.
#[test]
fn the_built_in_partitioner_leaves_at_twice_the_batch_size_whatever_the_batches() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut sender = Sender::new(Partitioner::JAVA, 2, &mut rng);
    let here = TopicView { partitions: 2, available: &[0] };
    let there = TopicView { partitions: 2, available: &[1] };
    let settings = Batching::JAVA;
    let mut send = |topic, partition, bytes| {
        let record = Outgoing { partition, ..keyless(bytes) };
        sender.send(&settings, topic, at(0), record, &mut rng).0.partition
    };
    send(here, Some(0), 9_000);
    send(here, None, 6_000);
    for keyless_bytes in [12_000, 18_000, 24_000, 30_000, 36_000] {
        send(there, Some(0), 9_000);
        assert_eq!(send(there, None, 6_000), 0, "{keyless_bytes} bytes of {}", 2 * settings.batch_size);
    }
    send(there, Some(0), 9_000);
    assert_eq!(send(there, None, 6_000), 1);
}

/// 61 bytes of batch, 8000 and 9 of one record, 8303 and 11 of another make exactly `batch.size`.
#[test]
fn a_stay_of_exactly_the_batch_size_is_over() {
    for (bytes, goes_on_in) in [(8_303, 1), (8_302, 0)] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut sender = Sender::new(Partitioner::JAVA, 2, &mut rng);
        let mut send = |bytes, next| {
            let topic = TopicView { partitions: 2, available: &[next] };
            sender.send(&Batching::JAVA, topic, at(0), keyless(bytes), &mut rng).0
        };
        send(8_000, 0);
        assert_eq!(send(bytes, 1).full, goes_on_in == 1);
        assert_eq!(send(0, 1).partition, goes_on_in);
    }
}

/// `ProducerBatch#closeForRecordAppends`: it takes no smaller record either.
#[test]
fn a_batch_that_a_record_did_not_fit_into_is_sent_without_its_linger() {
    let settings = Batching { linger: Span::from_millis(500), ..Batching::JAVA };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut sender = Sender::new(Partitioner::DefaultSticky, 4, &mut rng);
    let (first, _) = sender.send(&settings, ALL_OF_4, at(0), keyless(10_000), &mut rng);
    let leader_of = |partition| Some(BrokerId(partition));
    assert_eq!(sender.next_ready(&settings, at(1), leader_of, |_| true), Some(at(500_000)));
    let (second, _) = sender.send(&settings, ALL_OF_4, at(1), keyless(10_000), &mut rng);
    assert_ne!(first.partition, second.partition);
    assert_eq!(sender.next_ready(&settings, at(1), leader_of, |_| true), Some(at(1)));
    let small = Outgoing { partition: Some(first.partition), ..keyless(10) };
    assert!(sender.send(&settings, ALL_OF_4, at(2), small, &mut rng).0.new_batch);
}

/// The example in the comment of `BuiltInPartitioner#updatePartitionLoadStats`.
#[test]
fn queues_of_0_3_and_1_have_4_1_and_3_chances_of_8() {
    let mut counts = [0; 3];
    for seed in 0..8_000 {
        let (mut chooser, mut rng) = chooser(Partitioner::JAVA, seed);
        chooser.note_load([(1, 3), (2, 1)].into_iter());
        counts[usize::from(chooser.choose(at(0), ALL_OF_3, None, &mut rng).0)] += 1;
    }
    for (count, expected) in counts.into_iter().zip([4_000i32, 1_000, 3_000]) {
        assert!((expected - 200..expected + 200).contains(&count), "{counts:?}");
    }
}

/// Until each partition has been written to, the load is not looked at.
#[test]
fn the_load_counts_once_all_partitions_are_used() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut sender = Sender::new(Partitioner::JAVA, 4, &mut rng);
    let untouched = sender.chooser.clone();
    let to = |partition| Outgoing { partition: Some(partition), key: None, value_bytes: Some(10) };
    for partition in 0..4 {
        sender.drain(&Batching::JAVA, ALL_OF_4, at(0), |_| Some(BrokerId(0)), |_| true);
        assert_eq!(sender.chooser, untouched);
        sender.send(&Batching::JAVA, ALL_OF_4, at(0), to(partition), &mut rng);
    }
    sender.drain(&Batching::JAVA, ALL_OF_4, at(0), |_| Some(BrokerId(0)), |_| true);
    assert_ne!(sender.chooser, untouched);
}

/// Java up to 2.3.
#[test]
fn in_turn_over_the_available_partitions_from_a_random_start() {
    let topic = TopicView { partitions: 4, available: &[0, 1, 3] };
    let mut starts: Vec<u16> = Vec::new();
    for seed in 0..50 {
        let chosen = choices(Partitioner::DefaultInTurn, seed, topic, (0..9).map(at));
        assert_eq!(chosen[..3], chosen[3..6]);
        assert_eq!(chosen[..3], chosen[6..]);
        assert_eq!(shape(&chosen, 4).per_partition, [3, 3, 0, 3]);
        starts.push(chosen[0]);
    }
    starts.sort_unstable();
    starts.dedup();
    assert_eq!(starts, [0, 1, 3]);
}
