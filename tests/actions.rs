//! A file that does everything that can be done to a world.

mod common;

use common::steps;
use logstep::scenario::{Scenario, read};
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
    assert_eq!(count(|event| matches!(event, Event::ProducerStarted { .. })), 2);
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
