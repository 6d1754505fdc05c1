//! A file that does everything that can be done to a world.

mod common;

use common::steps;
use logstep::scenario::{Scenario, read};
use logstep::sim::assignor::{Assignor, AssignorList};
use logstep::sim::setup::{CommitHow, CommitPolicy, OffsetReset};
use logstep::sim::*;
use std::collections::BTreeSet;

fn scenario() -> Scenario {
    read(include_str!("../docs/examples/actions.json")).expect("the file is right")
}

#[test]
fn a_file_can_do_all_that_can_be_done() {
    let run = scenario().run();
    let happened: BTreeSet<&str> = steps(&run).map(|(_, step)| step.event.name()).collect();
    let expected = [
        "ConsumerFrozen",
        "ConsumerThawed",
        "PartitionPaused",
        "PartitionResumed",
        "PositionSought",
        "OffsetReset",
        "PartitionsAdded",
        "ProducerCrashed",
        "ProducerClosed",
        "ProducerStarted",
        "MessageDelayed",
        "MessageDropped",
        "RequestTimedOut",
        "HandlingTimeChanged",
        "LatencyChanged",
        "RateChanged",
        "SettingChanged",
        "ProducerSettingChanged",
        "CommitPolicyChanged",
        "UniqueKeyChanged",
        "SinkDownChanged",
        "BrokerSettingChanged",
        "ConsumerCrashed",
        "ConsumerClosed",
    ];
    let missing: Vec<&str> = expected.into_iter().filter(|name| !happened.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?} did not happen");
}

#[test]
fn each_action_of_the_file_comes_to_a_step_of_its_own() {
    let scenario = scenario();
    let run = scenario.run();
    let count = |wanted: fn(&Event) -> bool| steps(&run).filter(|(_, step)| wanted(&step.event)).count();
    assert_eq!(count(|event| matches!(event, Event::HandlingTimeChanged { .. })), 4);
    assert_eq!(count(|event| matches!(event, Event::MessageDelayed { .. })), 2);
    assert_eq!(count(|event| matches!(event, Event::ProducerStarted { .. })), 3);
    assert_eq!(count(|event| matches!(event, Event::ProducerSettingChanged { at_once: false, .. })), 2);
    assert_eq!(count(|event| matches!(event, Event::UniqueKeyChanged { .. })), 2);
    // Two partitions to latest, two to earliest, one to an offset, two shifted.
    assert_eq!(count(|event| matches!(event, Event::OffsetReset { .. })), 7);
    let joined = run.consumers().last().expect("there are consumers");
    assert_eq!((&*joined.name, joined.incarnation), ("a2", 1));
}

#[test]
fn its_expectations_hold() {
    let scenario = scenario();
    let run = scenario.run();
    let differences = scenario.expectations.check(&run);
    assert!(differences.is_empty(), "{differences:?}");
}

/// Each setting of the file as the engine is told to change it.
#[test]
fn a_file_sets_what_it_says() {
    let scenario = scenario();
    let (c1, c2, shop) = (ConsumerId(0), ConsumerId(1), ProducerId(0));
    let set: Vec<Change> = scenario
        .setup
        .actions
        .iter()
        .filter_map(|planned| if let Action::Set(change) = planned.action { Some(change) } else { None })
        .filter(|change| !matches!(change, Change::HandlingTime { .. }))
        .collect();
    let setting = |setting| Change::Setting { consumer: c2, setting };
    let of_producer = |setting| Change::ProducerSetting { producer: shop, setting };
    let policy = CommitPolicy { how: CommitHow::Async, ..CommitPolicy::after_records(5) };
    let strategy = AssignorList::new(&[Assignor::RoundRobin, Assignor::Range]);
    let millis = Span::from_millis;
    assert_eq!(
        set,
        [
            Change::BrokerSetting(BrokerSetting::GroupInitialRebalanceDelay(millis(500))),
            Change::UniqueKey { sink: SinkId(0), is_unique: true },
            Change::Latency { broker: BrokerId(0), latency: millis(20) },
            Change::Rate { producer: shop, per_second: 8 },
            setting(ConsumerSetting::MaxPollRecords(10)),
            setting(ConsumerSetting::AutoOffsetReset(OffsetReset::Earliest)),
            setting(ConsumerSetting::EnableAutoCommit(true)),
            setting(ConsumerSetting::PartitionAssignmentStrategy(strategy)),
            Change::Commit { consumer: c1, policy },
            of_producer(ProducerSetting::Linger(millis(50))),
            of_producer(ProducerSetting::BatchSize(1_000)),
            Change::UniqueKey { sink: SinkId(0), is_unique: false },
            Change::SinkDown { sink: SinkId(0), is_down: true },
            Change::SinkDown { sink: SinkId(0), is_down: false },
        ]
    );
    let table = &scenario.setup.sinks[0];
    assert_eq!((&*table.column, table.is_unique), ("event_id", false));
}
