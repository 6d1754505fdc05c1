//! Records without a key: the recorded outcomes obey our rules, and our rules come to the recorded outcomes.

use crate::world::*;
use logstep::sim::partitioner::{Librdkafka, Partitioner, TopicView};
use logstep::sim::producer::batching::Batching;
use logstep::sim::producer::sender::Sender;
use logstep::sim::{BrokerId, Span, Time};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde_json::Value;

const SEEDS: std::ops::Range<u64> = 0..400;

struct Recorded {
    shape: Shape,
    first_30: Vec<u16>,
}

fn recorded(client: &str) -> Vec<Recorded> {
    let all = reference("02-null-keys.json");
    let numbers = |value: &Value| -> Vec<u64> {
        value.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
    };
    let number = |value: &Value| value.as_u64().expect("a number") as usize;
    let runs: Vec<Recorded> = all["observed"][client]
        .as_array()
        .unwrap_or_else(|| panic!("{client} is recorded"))
        .iter()
        .map(|run| Recorded {
            shape: Shape {
                runs: number(&run["runs_of_same_partition"]),
                longest: number(&run["longest_run"]),
                per_partition: numbers(&run["per_partition"]).into_iter().map(|count| count as usize).collect(),
            },
            first_30: numbers(&run["first_30"]).into_iter().map(|partition| partition as u16).collect(),
        })
        .collect();
    assert_eq!(runs.len(), 3);
    runs
}

/// Each recorded shape lies among those of our seeds.
fn assert_reached(client: &str, ours: &[Shape]) {
    for Recorded { shape, .. } in recorded(client) {
        let most = |shape: &Shape| shape.per_partition.iter().copied().max().expect("a partition");
        for (what, of) in
            [("runs", (|shape| shape.runs) as fn(&Shape) -> usize), ("longest", |s| s.longest), ("most", most)]
        {
            let (least, greatest) = (ours.iter().map(of).min(), ours.iter().map(of).max());
            let found = Some(of(&shape));
            assert!(least <= found && found <= greatest, "{client}: {what} {found:?} of {least:?} to {greatest:?}");
        }
    }
}

fn every(micros: u64, records: u64) -> impl Iterator<Item = Time> {
    (0..records).map(move |index| at(index * micros))
}

fn shapes(rule: Partitioner, topic: TopicView<'_>, micros: u64, records: u64) -> Vec<Shape> {
    SEEDS.map(|seed| shape(&choices(rule, seed, topic, every(micros, records)), topic.partitions)).collect()
}

#[test]
fn aiokafka_draws_a_partition_for_each_record() {
    assert_reached("aiokafka default, burst", &shapes(Partitioner::AioKafka, ALL_OF_3, 10, 600));
}

/// A record that finds no open batch is drawn again: 355 changes in 600 records, as recorded, are too few for a single
/// draw.
#[test]
fn kafka_python_draws_again_for_a_record_that_opens_a_batch() {
    let ours = |rule, micros, records| -> Vec<Shape> {
        let records: Vec<_> = every(micros, records).map(|now| (now, keyless(25))).collect();
        let run = |seed| {
            let looks_every = Span::from_millis(seed % 4 * 5);
            let world = World { looks_every, ..java_3(rule, ALL_OF_3) };
            shape(&world.run(seed, &records).partitions, 3)
        };
        SEEDS.map(run).collect()
    };
    assert_reached("kafka-python default, burst", &ours(Partitioner::KafkaPython, 100, 600));
    assert_reached("kafka-python default, one record every 10 ms", &ours(Partitioner::KafkaPython, 10_000, 60));
    assert!(ours(Partitioner::AioKafka, 100, 600).iter().all(|shape| shape.runs > 360));
}

#[test]
fn librdkafka_without_sticky_linger_draws_a_partition_for_each_record() {
    let rule = Partitioner::Librdkafka(Librdkafka::ConsistentRandom, Span::ZERO);
    let ours = shapes(rule, ALL_OF_3, 10, 600);
    assert_reached("librdkafka default, burst, sticky.partitioning.linger.ms=0", &ours);
    let client = "librdkafka default, burst after metadata is known, sticky.partitioning.linger.ms=0 (600 records in about 0.2 s)";
    assert_reached(client, &ours);
}

/// While no partition has a leader yet, the sticky one is never available and so is drawn anew each time. How many of a
/// burst come before the metadata varies: in the third recorded run 45.
#[test]
fn librdkafka_spreads_what_comes_before_the_metadata() {
    let nothing_known = TopicView { partitions: 3, available: &[] };
    let ours = |seed| {
        let before = [600, 45][seed as usize % 2];
        let (mut chooser, mut rng) = chooser(Partitioner::LIBRDKAFKA, seed);
        let topic = |index| if index < before { nothing_known } else { ALL_OF_3 };
        let chosen: Vec<u16> =
            (0..600).map(|index| chooser.choose(at(index * 10), topic(index), None, &mut rng).0).collect();
        shape(&chosen, 3)
    };
    let ours: Vec<Shape> = SEEDS.map(ours).collect();
    assert!(ours.iter().all(|shape| shape.runs > 300 || shape.longest >= 555));
    assert_reached("librdkafka default, burst (sticky.partitioning.linger.ms=10)", &ours);
}

#[test]
fn librdkafka_stays_for_ten_milliseconds() {
    let ours = shapes(Partitioner::LIBRDKAFKA, ALL_OF_3, 333, 600);
    assert_reached("librdkafka default, burst after the topic's metadata is known (600 records in about 0.2 s)", &ours);
    for seed in SEEDS {
        let chosen = choices(Partitioner::LIBRDKAFKA, seed, ALL_OF_3, every(333, 600));
        assert!(chosen.chunks(31).all(|same| same.iter().all(|partition| *partition == same[0])));
    }
}

/// `rd_interval` returns more than 0 only when more than the interval is over.
#[test]
fn librdkafka_stays_for_exactly_ten_milliseconds() {
    let stays = |seed, micros| {
        let chosen = choices(Partitioner::LIBRDKAFKA, seed, ALL_OF_3, every(micros, 2));
        chosen[0] == chosen[1]
    };
    assert!(SEEDS.clone().all(|seed| stays(seed, 10_000)));
    assert!(SEEDS.clone().any(|seed| !stays(seed, 10_001)));
}

/// The recording says 30 ms, but its partitions come in pairs. The script's `poll` between two records returns with the
/// delivery report, after `linger.ms` 5 and the answer: 7 ms fit twice into the sticky linger of 10 ms, 30 ms do not.
#[test]
fn librdkafka_stays_for_two_slow_records() {
    let pairs = |chosen: &[u16]| chosen.chunks_exact(2).filter(|pair| pair[0] == pair[1]).count();
    let client = "librdkafka default, one record every 30 ms";
    for Recorded { first_30, .. } in recorded(client) {
        assert!(pairs(&first_30) == 15 || pairs(&first_30[1..]) >= 13, "{first_30:?}");
    }
    for seed in SEEDS {
        assert_eq!(pairs(&choices(Partitioner::LIBRDKAFKA, seed, ALL_OF_3, every(7_000, 60))), 30);
    }
    assert_reached(client, &shapes(Partitioner::LIBRDKAFKA, ALL_OF_3, 7_000, 60));
}

/// The order of the metadata of that broker, as kafkajs saw it: downwards.
const DOWNWARDS: [TopicView<'_>; 3] = [
    TopicView { partitions: 3, available: &[2, 1, 0] },
    TopicView { partitions: 3, available: &[1, 0, 2] },
    TopicView { partitions: 3, available: &[0, 2, 1] },
];

#[test]
fn kafkajs_goes_round_in_the_order_of_the_metadata_from_a_random_start() {
    for client in ["kafkajs default, one send() of all", "kafkajs default, one send() per record"] {
        for Recorded { first_30, .. } in recorded(client) {
            let ours = |seed| choices(Partitioner::KafkaJs, seed, DOWNWARDS[0], every(1, 30));
            assert!(SEEDS.map(ours).any(|ours| ours == first_30), "{first_30:?}");
        }
    }
}

fn java_3(rule: Partitioner, topic: TopicView<'static>) -> World<'static> {
    const ANSWERS: &[Span] = &[Span::from_millis(2); 3];
    World { rule, settings: Batching::JAVA_BEFORE_4, topic, answers_after: ANSWERS, looks_every: Span::ZERO }
}

/// Each record opens a batch and so takes two turns: in the metadata's downward order that goes upwards. The fixed
/// partitioner would go downwards.
#[test]
fn javas_round_robin_takes_two_turns_for_a_record_that_opens_a_batch() {
    let records: Vec<_> = every(10_000, 60).map(|now| (now, keyless(25))).collect();
    for Recorded { shape: recorded, first_30 } in recorded("Java RoundRobinPartitioner, one record every 10 ms") {
        let run = |rule, topic| java_3(rule, topic).run(1, &records).partitions;
        let ours: Vec<_> = DOWNWARDS
            .iter()
            .map(|&topic| run(Partitioner::RoundRobinTwice, topic))
            .filter(|ours| ours[..30] == first_30)
            .collect();
        assert_eq!(ours.len(), 1);
        assert_eq!(shape(&ours[0], 3), recorded);
        assert!(DOWNWARDS.iter().all(|&topic| run(Partitioner::RoundRobin, topic)[..30] != first_30));
    }
}

#[test]
fn java_sends_few_small_records_to_one_partition() {
    let records: Vec<_> = every(10_000, 60).map(|now| (now, keyless(25))).collect();
    let ours: Vec<Shape> =
        SEEDS.map(|seed| shape(&java_3(Partitioner::JAVA, ALL_OF_3).run(seed, &records).partitions, 3)).collect();
    assert!(ours.iter().all(|shape| shape.longest == 60));
    for Recorded { shape, .. } in recorded("Java default, one record every 10 ms") {
        assert!(ours.contains(&shape));
    }
}

/// 496 such records fill a batch, 3 bytes short of `batch.size`. If the sender takes nothing before the end of the
/// burst, the 497th opens a batch in the same partition, whose opening does not count as full. If it has taken the
/// first two in a batch of their own, `batch.size` bytes are through with the 498th, and the 499th goes elsewhere.
#[test]
fn javas_burst_of_600_small_records_comes_to_the_recorded_numbers() {
    let burst = |seed, taken_before: u64| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut sender = Sender::new(Partitioner::JAVA, 3, &mut rng);
        let mut partitions = Vec::new();
        for index in 0..600 {
            if index == taken_before {
                let now = at(index);
                sender.drain(&Batching::JAVA_BEFORE_4, ALL_OF_3, now, |_| Some(BrokerId(0)), |_| true);
            }
            let settings = &Batching::JAVA_BEFORE_4;
            partitions.push(sender.send(settings, ALL_OF_3, at(index), keyless(25), &mut rng).0.partition);
        }
        shape(&partitions, 3)
    };
    let (none_taken, two_taken): (Vec<_>, Vec<_>) = SEEDS.map(|seed| (burst(seed, 0), burst(seed, 2))).unzip();
    assert!(none_taken.iter().all(|shape| shape.longest == 600));
    assert!(two_taken.iter().all(|shape| [498, 600].contains(&shape.longest)));
    for Recorded { shape, .. } in recorded("Java default, burst of 600 x 25 bytes (batch.size=16384)") {
        assert!(none_taken.contains(&shape) || two_taken.contains(&shape), "{shape:?}");
    }
}

/// 16 to 32 records, then another choice, which may fall on the same partition.
#[test]
fn javas_burst_of_large_records_comes_in_long_runs() {
    let records: Vec<_> = every(300, 600).map(|now| (now, keyless(1_000))).collect();
    let mut ours = Vec::new();
    for seed in SEEDS {
        let looks_every = Span::from_millis([0, 5, 20, 40][seed as usize % 4]);
        let world = World { looks_every, ..java_3(Partitioner::JAVA, ALL_OF_3) };
        let partitions = world.run(seed, &records).partitions;
        let runs: Vec<usize> = partitions.chunk_by(|a, b| a == b).map(<[u16]>::len).collect();
        assert!(runs[..runs.len() - 1].iter().all(|&length| length >= 15), "{runs:?}");
        ours.push(shape(&partitions, 3));
    }
    assert_reached("Java default, burst of 600 x 1 kB (batch.size=16384)", &ours);
}
