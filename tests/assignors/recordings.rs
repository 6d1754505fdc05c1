//! What real clients did with 3 partitions and up to 5 members, `c1` to `c5`.

use std::collections::BTreeMap;

use logstep::sim::PartitionId;
use logstep::sim::assignor::{Assignor, Implementation};
use serde_json::Value;

use crate::group::{Assignment, Group};

const NAMES: [&str; 5] = ["c1", "c2", "c3", "c4", "c5"];

fn recorded(client: &str, how: &str, count: usize) -> BTreeMap<String, Vec<u16>> {
    let text = std::fs::read_to_string("tests/reference/03-group-assignment.json").expect("the copy is there");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    let run = &all["observed"][client][how];
    assert_eq!(run["stable"], "yes", "{client} {how}");
    serde_json::from_value(run["assignment"][count.to_string()].clone()).expect("numbers by member")
}

fn numbers(assignment: Assignment) -> BTreeMap<String, Vec<u16>> {
    let numbers = |partitions: Vec<(String, u16)>| {
        let mut numbers: Vec<u16> = partitions.into_iter().map(|(_, number)| number).collect();
        numbers.sort_unstable();
        numbers
    };
    assignment.into_iter().map(|(member, partitions)| (member, numbers(partitions))).collect()
}

fn group_of(count: usize) -> Group {
    let mut group = Group::new(&[("t", 3)]);
    NAMES[..count].iter().for_each(|name| group.join(name, &["t"]));
    group
}

/// With an assignor without memory it makes no difference when the members join.
fn check_memoryless(client: &str, assignor: Assignor, by: Implementation<'_>) {
    for count in 1..=5 {
        let found = numbers(group_of(count).deal(assignor, by));
        assert_eq!(found, recorded(client, "started together", count), "{client}, {count}");
        assert_eq!(found, recorded(client, "joined one after another", count), "{client}, {count}");
    }
}

/// Members join one after another; with the cooperative assignor each join takes rebalances until nobody revokes.
fn check_one_by_one(client: &str, assignor: Assignor, by: Implementation<'_>) {
    let mut group = Group::new(&[("t", 3)]);
    let mut generation = 0;
    for count in 1..=5 {
        group.join(NAMES[count - 1], &["t"]);
        let rebalances = if assignor.supports_cooperative() { 2 } else { 1 };
        let mut assignment = Assignment::new();
        for _ in 0..rebalances {
            generation += 1;
            assignment = group.deal(assignor, by);
            group.follow(&assignment, generation);
        }
        assert_eq!(numbers(assignment), recorded(client, "joined one after another", count), "{client}, {count}");
    }
}

#[test]
fn range_is_one_in_all_clients() {
    check_memoryless("Java: range", Assignor::Range, Implementation::Java);
    check_memoryless("librdkafka: range", Assignor::Range, Implementation::Librdkafka);
    check_memoryless("kafka-python: default", Assignor::Range, Implementation::Java);
}

#[test]
fn round_robin_is_one_in_all_clients_but_kafkajs() {
    check_memoryless("Java: roundrobin", Assignor::RoundRobin, Implementation::Java);
    check_memoryless("librdkafka: roundrobin", Assignor::RoundRobin, Implementation::Librdkafka);
    check_memoryless("aiokafka: default", Assignor::RoundRobin, Implementation::Aiokafka);
}

#[test]
fn kafkajs_deals_in_the_order_of_its_metadata() {
    for count in 1..=5 {
        let group = group_of(count);
        let found = group.with(|topics, members| {
            let by_metadata: Vec<PartitionId> = topics[0].1.iter().rev().copied().collect();
            Assignor::RoundRobinAssigner.deal(Implementation::Kafkajs(&by_metadata), topics, members)
        });
        assert_eq!(numbers(found), recorded("kafkajs: default (RoundRobinAssigner)", "started together", count));
    }
}

#[test]
fn java_moves_the_highest_numbered_partitions() {
    check_one_by_one("Java: sticky (eager)", Assignor::Sticky, Implementation::Java);
    check_one_by_one("Java: cooperative-sticky", Assignor::CooperativeSticky, Implementation::Java);
}

#[test]
fn librdkafka_moves_the_lowest_numbered_partitions() {
    check_one_by_one("librdkafka: cooperative-sticky", Assignor::CooperativeSticky, Implementation::Librdkafka);
    for count in 1..=5 {
        let found = numbers(group_of(count).deal(Assignor::CooperativeSticky, Implementation::Librdkafka));
        assert_eq!(found, recorded("librdkafka: cooperative-sticky", "started together", count));
    }
}
