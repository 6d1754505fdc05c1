//! The scenario `recorded-crash-takeover` against the recording of real Java clients and a real broker.

use logstep::scenario::condition::first;
use logstep::scenario::{Outcome, library};
use logstep::sim::event::PositionSource;
use logstep::sim::{Condition, ConsumerId, Event, Simulation, StepNo, TopicId, TopicPartition};
use serde_json::Value;

const ORDERS_2: TopicPartition = TopicPartition { topic: TopicId(0), number: 2 };

const ALL_RECORDINGS: &str = "../shared/reference/real-client/04-crash-takeover.json";
const OWN_COPY: &str = "tests/reference/04-crash-takeover-java.json";
const ENTRY: &str = "Java, kill, session 6000 ms, heartbeat 1000 ms";

const C2: ConsumerId = ConsumerId(1);
const C3: ConsumerId = ConsumerId(2);

fn recording() -> Value {
    let text = std::fs::read_to_string(ALL_RECORDINGS).or_else(|_| std::fs::read_to_string(OWN_COPY));
    let all: Value = serde_json::from_str(&text.expect("the copy is there")).expect("JSON");
    let entry = all["observed"][ENTRY].clone();
    assert!(entry.is_object(), "{ENTRY} is recorded");
    entry
}

fn run() -> Simulation {
    let built_in = library::find("recorded-crash-takeover").expect("it is built in");
    built_in.read().expect("it has no mistakes").run()
}

fn step_of(run: &Simulation, condition: Condition, after: Option<StepNo>) -> StepNo {
    first(run, condition, after).expect("the run comes to it")
}

#[test]
fn the_same_members_take_over_the_same_partitions() {
    let outcome = Outcome::of(&run());
    let recorded = &recording()["summary"]["assignment_after"];
    for (name, partition) in &outcome.groups.get("billing").expect("the group").partitions.0 {
        let number: u64 = name.strip_prefix("orders-").and_then(|number| number.parse().ok()).expect("a partition");
        let owns = |partitions: &Value| partitions.as_array().is_some_and(|list| list.contains(&Value::from(number)));
        let owner = recorded.as_object().expect("by member").iter().find(|(_, partitions)| owns(partitions));
        assert_eq!(partition.owner.as_ref(), owner.map(|(member, _)| member), "{name}");
    }
}

#[test]
fn the_new_owner_goes_on_at_the_same_offset() {
    let run = run();
    let crashed = step_of(&run, Condition::Crashed(C3), None);
    let set = step_of(&run, Condition::PositionSet(logstep::sim::GroupId(0), ORDERS_2), Some(crashed));
    let Event::PositionSet { consumer, offset, source, .. } = run.step_at(set).expect("known").event else {
        panic!("the condition is met by a position");
    };
    assert_eq!((consumer, source), (C2, PositionSource::Committed));
    assert_eq!(Value::from(offset), recording()["summary"]["first_offset_read_by_new_owner"]);
}

#[test]
fn the_same_offsets_are_processed_twice_and_nothing_is_lost() {
    let outcome = Outcome::of(&run());
    let group = outcome.groups.get("billing").expect("the group");
    let twice = group.partitions.0.iter().flat_map(|(name, partition)| {
        let number = name.strip_prefix("orders-").expect("a partition");
        partition.processed_twice.iter().map(move |offset| format!("{number}:{offset}"))
    });
    let twice: Vec<String> = twice.collect();
    let recorded = recording();
    for recorded_run in recorded["runs"].as_array().expect("a list") {
        assert_eq!(recorded_run["processed_twice"], serde_json::json!(twice));
    }
    assert_eq!(group.lost.total as usize, recorded["summary"]["lost"].as_array().expect("a list").len());
}

#[test]
fn c3_had_processed_as_many_records() {
    let run = run();
    assert_eq!(Value::from(run.consumer(C3).processed), recording()["summary"]["c3_processed"]);
}

/// Whatever the seed, hence the phases of the heartbeat threads.
#[test]
fn the_takeover_comes_between_session_and_session_plus_heartbeat_interval() {
    let built_in = library::find("recorded-crash-takeover").expect("it is built in");
    let setup = built_in.read().expect("it has no mistakes").setup;
    for seed in 0..200 {
        let mut run = Simulation::new(logstep::sim::Setup { seed, ..(*setup).clone() });
        while let logstep::sim::Progress::Step(_) = run.step() {}
        let crashed = step_of(&run, Condition::Crashed(C3), None);
        let assigned = step_of(&run, Condition::Assigned(C2), Some(crashed));
        let [from, to] = [crashed, assigned].map(|step| run.step_at(step).expect("known").at);
        let settings = &setup.consumers[0].config.settings;
        let (least, most) = (settings.session_timeout, settings.session_timeout + settings.heartbeat_interval);
        assert!((least..=most).contains(&to.since(from)), "seed {seed}: {:?}", to.since(from));
    }
}
