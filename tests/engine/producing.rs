//! Producers: order, limits, several brokers.

use crate::harness::{World, steps};
use crate::random::cases;
use crate::world::{Kind, plain, worlds};
use logstep::sim::event::SentBecause;
use logstep::sim::partitioner::Partitioner;
use logstep::sim::producer::batching::Batching;
use logstep::sim::setup::*;
use logstep::sim::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A producer that dies loses what it has not sent, and hears no answer any more. And the run has to go on until all
/// answers are there: with one small request in flight at a time, on a slow connection and with a message held up again
/// and again, that takes a while.
fn until_all_is_answered(mut setup: Setup) -> Setup {
    setup.ends_at = Time::ZERO + Span::from_secs(3_600);
    setup.actions.retain(|planned| !matches!(planned.action, Action::Crash(ClientId::Producer(_))));
    setup
}

proptest! {
    #![proptest_config(cases(module_path!(), 4))]

    #[test]
    fn every_partition_keeps_the_order_of_sending_and_loses_nothing(setup in worlds(Kind::Any).prop_map(until_all_is_answered)) {
        let mut world = World::new(setup);
        world.finish();
        let run = &world.run;
        let mut sent: BTreeMap<PartitionId, Vec<RecordId>> = BTreeMap::new();
        for record in (0..run.records()).map(RecordId) {
            sent.entry(run.record(record).partition).or_default().push(record);
        }
        for (partition, sent) in sent {
            let log: Vec<_> = (0..run.partition(partition).end).filter_map(|at| run.record_at(partition, at)).collect();
            prop_assert_eq!(log, sent);
        }
    }

    #[test]
    fn no_more_requests_are_in_flight_than_allowed(setup in worlds(Kind::Any).prop_map(until_all_is_answered)) {
        let mut run = Simulation::new(setup);
        let mut unanswered: BTreeMap<(ProducerId, BrokerId), u32> = BTreeMap::new();
        let brokers = run.setup().brokers.len();
        let leader = |run: &Simulation, partition| BrokerId::at(usize::from(run.place(partition).number) % brokers);
        while let Progress::Step(step) = run.step() {
            match step.event {
                Event::ProduceSent { producer, partition, bytes, batches, .. } => {
                    let settings = run.setup().producers[producer.index()].settings.batching;
                    let broker = leader(&run, partition);
                    let now = unanswered.entry((producer, broker)).or_default();
                    *now += 1;
                    prop_assert!(*now <= settings.max_in_flight);
                    // Several requests of one moment leave in a step each.
                    prop_assert!(*now <= run.producer(producer).in_flight(broker));
                    prop_assert!(bytes <= settings.max_request_size || batches == 1);
                }
                Event::ProduceAcknowledged { producer, partition, .. } => {
                    *unanswered.get_mut(&(producer, leader(&run, partition))).expect("it was sent") -= 1;
                }
                _ => {}
            }
        }
        prop_assert!(unanswered.values().all(|&left| left == 0));
    }
}

fn batching(setup: &mut Setup, change: impl Fn(&mut Batching)) {
    change(&mut setup.producers[0].settings.batching);
}

/// Three brokers, of which the last is far away; one record for each of three partitions at one moment.
fn three_brokers() -> Setup {
    let mut setup = plain(3, 1);
    setup.brokers = [4, 4, 40].map(|millis| BrokerSetup { latency: Span::from_millis(millis) }).into();
    let Source::Records(records) = &mut setup.producers[0].source else { panic!("a list of records") };
    records.truncate(3);
    setup
}

fn requests(run: &Simulation) -> Vec<(Time, u16, u32, SentBecause)> {
    let sent = |step: &Step| match step.event {
        Event::ProduceSent { batches, records, because, .. } => Some((step.at, batches, records, because)),
        _ => None,
    };
    steps(run).filter_map(sent).collect()
}

#[test]
fn each_broker_gets_a_request_of_its_own_and_answers_in_its_own_time() {
    let mut world = World::new(three_brokers());
    world.finish();
    let sent = requests(&world.run);
    assert_eq!(sent.len(), 3);
    assert!(sent.iter().all(|&(at, batches, records, because)| {
        (at, batches, records, because) == (Time::from_micros(5_005_000), 1, 1, SentBecause::Linger)
    }));
    let answers: Vec<u64> = steps(&world.run)
        .filter(|step| matches!(step.event, Event::ProduceAcknowledged { .. }))
        .map(|step| step.at.as_micros())
        .collect();
    assert_eq!(answers, [5_013_000, 5_013_000, 5_085_000]);
}

#[test]
fn one_broker_gets_the_batches_of_all_its_partitions_in_one_request() {
    let mut setup = three_brokers();
    setup.brokers.truncate(1);
    let mut world = World::new(setup);
    world.finish();
    let sent = requests(&world.run);
    assert_eq!(sent, [(Time::from_micros(5_005_000), 3, 3, SentBecause::Linger)]);
    let acknowledged =
        |event: &Event| matches!(event, Event::ProduceAcknowledged { batches: 3, records: 3, base_offset: 0, .. });
    assert_eq!(world.count(acknowledged), 1);
    let appended = world.count(|event| matches!(event, Event::RecordAppended { offset: 0, .. }));
    assert_eq!(appended, 3);
}

/// A hundred records at once, each of which makes a batch of its own.
fn hundred_batches(max_in_flight: u32) -> Setup {
    let mut setup = plain(1, 1);
    batching(&mut setup, |batching| {
        (batching.batch_size, batching.max_in_flight, batching.linger) = (1, max_in_flight, Span::ZERO);
    });
    let Source::Records(records) = &mut setup.producers[0].source else { panic!("a list of records") };
    let first = records[0].clone();
    *records = vec![first; 100];
    setup
}

#[test]
fn what_does_not_fit_waits_for_an_answer() {
    for (max_in_flight, rounds) in [(1, 100), (5, 20), (100, 1)] {
        let mut world = World::new(hundred_batches(max_in_flight));
        world.finish();
        let sent = requests(&world.run);
        assert_eq!(sent.len(), 100);
        // There and back are 8 ms.
        let last = Time::from_micros(5_000_000 + (rounds - 1) * 8_000);
        assert_eq!(sent[99].0, last, "{max_in_flight}");
        let answered = sent.iter().filter(|request| request.3 == SentBecause::Answered).count();
        assert_eq!(answered, 100 - max_in_flight as usize);
    }
}

#[test]
fn a_full_batch_does_not_wait_for_linger() {
    let mut setup = hundred_batches(5);
    batching(&mut setup, |batching| (batching.batch_size, batching.linger) = (1, Span::from_secs(1)));
    let mut world = World::new(setup);
    world.finish();
    let sent = requests(&world.run);
    assert_eq!((sent[0].0, sent[0].3), (Time::from_micros(5_000_000), SentBecause::Full));
    // The last batch is full too, as its one record is larger than a batch may be.
    assert_eq!(sent.len(), 100);
}

#[test]
fn the_partition_that_the_application_names_is_taken_whatever_the_partitioner() {
    for partitioner in [Partitioner::JAVA, Partitioner::LIBRDKAFKA, Partitioner::RoundRobinTwice] {
        let mut setup = plain(3, 1);
        setup.producers[0].settings.partitioner = partitioner;
        let Source::Records(records) = &mut setup.producers[0].source else { panic!("a list of records") };
        for record in records.iter_mut() {
            record.partition = Some(2);
        }
        let mut world = World::new(setup);
        world.finish();
        assert_eq!(world.run.partition(PartitionId(2)).end, world.run.records());
    }
}
