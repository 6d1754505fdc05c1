//! The accumulator: what makes a batch ready, what goes along, and that nothing is lost on the way.

use crate::world::{ALL_OF_4, at, keyless};
use logstep::sim::partitioner::{Partitioner, TopicView};
use logstep::sim::producer::accumulator::{Accumulator, ProduceRequest};
use logstep::sim::producer::batching::{Batching, RequestOf};
use logstep::sim::producer::sender::{Outgoing, Sender};
use logstep::sim::producer::size::RecordSize;
use logstep::sim::producer::workload::{Arrivals, draw_key, draw_size};
use logstep::sim::{BrokerId, Span, Time};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// Partitions 0 and 2 on one broker, 1 and 3 on another.
fn leader(partition: u16) -> Option<BrokerId> {
    Some(BrokerId(partition % 2))
}

fn drain(accumulator: &mut Accumulator, settings: &Batching, now: Time) -> Vec<(u16, Vec<u16>)> {
    let requests = accumulator.drain(settings, now, leader, |_| true);
    let partitions = |request: &ProduceRequest| request.batches.iter().map(|batch| batch.partition).collect();
    requests.iter().map(|request| (request.broker.0, partitions(request))).collect()
}

fn append(accumulator: &mut Accumulator, settings: &Batching, now: Time, partition: u16, value: u32) -> bool {
    let record = RecordSize { key: None, value: Some(value) };
    let appended = accumulator
        .try_append(settings, now, partition, record)
        .unwrap_or_else(|| accumulator.append_to_new_batch(settings, now, partition, record));
    appended.new_batch
}

/// Format version 2: with one byte each for attributes, time, offset, key, value's length, headers and the record's
/// length.
#[test]
fn sizes_are_those_of_the_record_format() {
    let record = RecordSize { key: None, value: Some(25) };
    assert_eq!(record.within_batch(0, 0), 32);
    assert_eq!(record.within_batch(63, 63), 32);
    assert_eq!(record.within_batch(64, 64), 34);
    assert_eq!(RecordSize { key: Some(0), value: None }.within_batch(0, 0), 7);
    assert_eq!(RecordSize { key: Some(64), value: Some(8192) }.within_batch(0, 0), 3 + 3 + 2 + 64 + 3 + 8192 + 1);
    assert_eq!(record.alone_at_most(), 61 + 21 + 28);
}

#[test]
fn a_batch_is_ready_when_its_linger_is_over_or_it_is_full() {
    let settings = Batching { batch_size: 200, ..Batching::JAVA };
    let mut accumulator = Accumulator::new(4);
    let ready = |accumulator: &Accumulator, now| accumulator.next_ready(&settings, now, leader, |_| true);
    assert_eq!(ready(&accumulator, at(0)), None);
    assert!(append(&mut accumulator, &settings, at(1_000), 0, 25));
    assert_eq!(ready(&accumulator, at(1_000)), Some(at(6_000)));
    assert!(drain(&mut accumulator, &settings, at(5_999)).is_empty());
    for _ in 0..3 {
        assert!(!append(&mut accumulator, &settings, at(1_000), 0, 25));
    }
    assert_eq!(ready(&accumulator, at(1_000)), Some(at(6_000)), "61 + 4 * 32 of 200 bytes are not full");
    assert!(append(&mut accumulator, &settings, at(2_000), 0, 25), "the fifth does not fit");
    assert_eq!(ready(&accumulator, at(2_000)), Some(at(2_000)), "another batch waits behind");
    assert_eq!(drain(&mut accumulator, &settings, at(2_000)), [(0, vec![0])]);
    assert_eq!(ready(&accumulator, at(2_000)), Some(at(7_000)));
}

#[test]
fn records_that_fill_a_batch_exactly_fit() {
    let settings = Batching { batch_size: 61 + 2 * 32, ..Batching::JAVA };
    let mut accumulator = Accumulator::new(1);
    assert!(append(&mut accumulator, &settings, at(0), 0, 25));
    assert!(!append(&mut accumulator, &settings, at(0), 0, 25));
    assert!(accumulator.all_full(&settings, 0));
    assert_eq!(accumulator.next_ready(&settings, at(0), leader, |_| true), Some(at(0)));
}

/// `RecordAccumulator#drainBatchesForOneNode` looks at the broker, not at the batch.
#[test]
fn what_is_not_ready_goes_along_to_a_broker_that_is() {
    let settings = Batching::JAVA;
    let mut accumulator = Accumulator::new(4);
    append(&mut accumulator, &settings, at(0), 0, 25);
    append(&mut accumulator, &settings, at(4_000), 1, 25);
    append(&mut accumulator, &settings, at(4_000), 2, 25);
    assert_eq!(drain(&mut accumulator, &settings, at(5_000)), [(0, vec![0, 2])]);
    assert_eq!(drain(&mut accumulator, &settings, at(9_000)), [(1, vec![1])]);
}

#[test]
fn librdkafka_sends_one_partition_a_request_and_only_what_is_ready() {
    let settings = Batching { batch_records: 2, ..Batching::LIBRDKAFKA };
    let mut accumulator = Accumulator::new(4);
    append(&mut accumulator, &settings, at(0), 0, 25);
    append(&mut accumulator, &settings, at(0), 2, 25);
    append(&mut accumulator, &settings, at(1), 0, 25);
    assert_eq!(drain(&mut accumulator, &settings, at(1)), [(0, vec![0])], "two records are a full batch");
    assert_eq!(drain(&mut accumulator, &settings, at(4_999)), []);
    append(&mut accumulator, &settings, at(4_999), 0, 25);
    assert_eq!(drain(&mut accumulator, &settings, at(5_000)), [(0, vec![2])]);
}

#[test]
fn a_partition_with_one_request_in_flight_is_muted_and_so_is_its_broker() {
    let settings = Batching { max_in_flight: 1, linger: Span::ZERO, ..Batching::JAVA };
    let mut accumulator = Accumulator::new(4);
    append(&mut accumulator, &settings, at(0), 0, 25);
    assert_eq!(drain(&mut accumulator, &settings, at(0)), [(0, vec![0])]);
    append(&mut accumulator, &settings, at(1), 0, 25);
    append(&mut accumulator, &settings, at(1), 2, 25);
    assert_eq!(drain(&mut accumulator, &settings, at(1)), []);
    assert_eq!(accumulator.next_ready(&settings, at(1), leader, |_| true), None, "only an answer helps");
    accumulator.handle_answer(BrokerId(0), [0].into_iter());
    assert_eq!(drain(&mut accumulator, &settings, at(2)), [(0, vec![2, 0])], "from the last one looked at");
}

/// The next request begins where the last one had no room, else one partition earlier.
#[test]
fn a_request_has_a_greatest_size_and_no_partition_is_always_last() {
    let settings = Batching { linger: Span::ZERO, max_request_size: 250, ..Batching::JAVA };
    let mut accumulator = Accumulator::new(6);
    let mut request = || {
        for partition in [0, 2, 4] {
            append(&mut accumulator, &settings, at(0), partition, 25);
        }
        let sent = drain(&mut accumulator, &settings, at(0)).remove(0).1;
        accumulator.handle_answer(BrokerId(0), sent.iter().copied());
        sent
    };
    assert_eq!(request(), [0, 2]);
    assert_eq!(request(), [4, 0]);
    assert_eq!(request(), [2, 4]);
    assert_eq!(request(), [0, 2]);
}

#[test]
fn a_partition_without_a_leader_waits() {
    let settings = Batching::JAVA_BEFORE_4;
    let mut accumulator = Accumulator::new(1);
    append(&mut accumulator, &settings, at(0), 0, 25);
    assert!(accumulator.drain(&settings, at(0), |_| None, |_| true).is_empty());
    assert!(accumulator.drain(&settings, at(0), leader, |_| false).is_empty());
    assert_eq!(drain(&mut accumulator, &settings, at(0)), [(0, vec![0])]);
}

#[test]
fn a_partition_set_by_the_application_is_not_chosen_again() {
    for rule in [Partitioner::JAVA, Partitioner::DefaultSticky, Partitioner::RoundRobinTwice, Partitioner::LIBRDKAFKA] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut sender = Sender::new(rule, 4, &mut rng);
        for partition in [3, 0, 3, 1, 2] {
            let record = Outgoing { partition: Some(partition), key: Some(b"a"), value_bytes: None };
            let (appended, _) = sender.send(&Batching::JAVA, ALL_OF_4, at(0), record, &mut rng);
            assert_eq!(appended.partition, partition);
        }
    }
}

#[test]
fn arrivals_are_even_or_in_bursts() {
    let times =
        |arrivals: Arrivals| -> Vec<u64> { (0..7).map(|index| arrivals.at(at(100), index).as_micros()).collect() };
    assert_eq!(times(Arrivals::PerSecond(3)), [100, 333_433, 666_766, 1_000_100, 1_333_433, 1_666_766, 2_000_100]);
    let bursts = Arrivals::Bursts { records: 3, every: Span::from_millis(1) };
    assert_eq!(times(bursts), [100, 100, 100, 1_100, 1_100, 1_100, 2_100]);
}

#[test]
fn keys_come_by_their_weight_and_null_keys_by_theirs() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let drawn: Vec<Option<u32>> = (0..10_000).map(|_| draw_key(&[1, 4], 6, &mut rng)).collect();
    let count = |key| drawn.iter().filter(|&&drawn| drawn == key).count();
    assert!(count(Some(0)).abs_diff(1_000) < 150 && count(Some(1)).abs_diff(3_000) < 200);
    assert_eq!(count(None) + count(Some(0)) + count(Some(1)), 10_000);
    assert!((0..100).all(|_| draw_key(&[], 1, &mut rng).is_none()));
    assert!((0..1_000).all(|_| (5..=9).contains(&draw_size(5, 9, &mut rng))));
    assert_eq!(draw_size(7, 7, &mut rng), 7);
}

proptest! {
    /// Whatever is sent when: each record goes out once, in order within its partition, within the bounds.
    #[test]
    fn every_record_is_sent_once_and_in_order(
        records in proptest::collection::vec((0..4u16, 0..400u32, 0..3_000u64), 1..200),
        batch_size in 1..2_000u32,
        max_in_flight in 1..4u32,
        linger in 0..10u64,
        by_partition in any::<bool>(),
    ) {
        let request = if by_partition { RequestOf::Partition } else { RequestOf::Broker };
        let settings =
            Batching { batch_size, max_in_flight, linger: Span::from_millis(linger), request, max_request_size: 1_000, ..Batching::JAVA };
        let mut accumulator = Accumulator::new(4);
        let (mut now, mut sent, mut unanswered) = (0, [0u32; 4], Vec::new());
        let mut values: [Vec<u32>; 4] = Default::default();
        let mut answer_all = false;
        for (partition, value, pause) in records {
            now += pause;
            append(&mut accumulator, &settings, at(now), partition, value);
            values[usize::from(partition)].push(value);
            for request in accumulator.drain(&settings, at(now), leader, |_| true) {
                let size: u32 = request.batches.iter().map(|batch| batch.bytes).sum();
                prop_assert!(size <= settings.max_request_size || request.batches.len() == 1);
                prop_assert!(accumulator.in_flight(request.broker) <= max_in_flight);
                for batch in request.batches.iter() {
                    prop_assert_eq!(batch.from, std::mem::replace(&mut sent[usize::from(batch.partition)], batch.to));
                    let first = values[usize::from(batch.partition)][batch.from as usize];
                    let room = RecordSize { key: None, value: Some(first) }.alone_at_most();
                    prop_assert!(batch.bytes <= batch_size.max(room));
                }
                unanswered.push(request);
            }
            answer_all ^= value % 3 == 0;
            if answer_all {
                for request in unanswered.drain(..) {
                    accumulator.handle_answer(request.broker, request.batches.iter().map(|batch| batch.partition));
                }
            }
        }
        for partition in 0..4 {
            prop_assert_eq!(accumulator.queued(partition) - accumulator.waiting(partition), sent[usize::from(partition)]);
        }
    }

    /// However records come, the built-in partitioner leaves after `batch.size` bytes, at the latest with the record
    /// that makes them twice as many.
    #[test]
    fn a_stay_of_the_built_in_partitioner_is_one_to_two_batches(
        values in proptest::collection::vec(0..3_000u32, 50..300), looks in 1..20usize,
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut sender = Sender::new(Partitioner::JAVA, 2, &mut rng);
        let settings = Batching::JAVA_BEFORE_4;
        let (mut stays, mut last): (Vec<u32>, u16) = (Vec::new(), 0);
        for (index, value) in values.iter().enumerate() {
            // Only the other partition can be chosen next, so that each stay is seen to end.
            let topic = TopicView { partitions: 2, available: &[1 - last] };
            let (appended, _) = sender.send(&settings, topic, at(0), keyless(*value), &mut rng);
            if appended.partition == last && !stays.is_empty() {
                *stays.last_mut().expect("a stay has begun") += appended.bytes;
            } else {
                stays.push(appended.bytes);
            }
            last = appended.partition;
            if index % looks == 0 {
                for request in sender.drain(&settings, topic, at(0), |_| Some(BrokerId(0)), |_| true) {
                    sender.accumulator.handle_answer(request.broker, request.batches.iter().map(|batch| batch.partition));
                }
            }
        }
        stays.pop();
        prop_assert!(stays.iter().all(|bytes| (16_384..2 * 16_384 + 3_100).contains(bytes)), "{:?}", stays);
    }
}
