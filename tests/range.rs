//! The recorded assignments of Kafka's RangeAssignor. Static members (`group.instance.id`) are not modelled.

use logstep::sim::assignor::{Subscription, range};
use logstep::sim::{PartitionId, TopicId};
use serde_json::Value;

const OWN_COPY: &str = "tests/reference/range.json";

/// The topics of a case in the order of their names, each with ids for its partitions.
fn topics_of(case: &Value) -> Vec<(String, TopicId, Vec<PartitionId>)> {
    let mut first = 0;
    let mut topics: Vec<(String, u16)> = case["topics"]
        .as_object()
        .expect("topics")
        .iter()
        .map(|(name, count)| (name.clone(), count.as_u64().expect("a number") as u16))
        .collect();
    topics.sort();
    topics
        .into_iter()
        .enumerate()
        .map(|(index, (name, count))| {
            let partitions = (first..first + count).map(PartitionId).collect();
            first += count;
            (name, TopicId::at(index), partitions)
        })
        .collect()
}

fn check(case: &Value) {
    let topics = topics_of(case);
    let members = case["members"].as_array().expect("members");
    // A subscription may name a topic that does not exist; nobody gets anything of it.
    let subscribed: Vec<Vec<TopicId>> = members
        .iter()
        .map(|member| {
            let names = member["subscriptions"].as_array().expect("a list");
            topics
                .iter()
                .filter(|(name, ..)| names.contains(&Value::from(name.as_str())))
                .map(|(_, id, _)| *id)
                .collect()
        })
        .collect();
    let subscriptions: Vec<Subscription<'_>> = members
        .iter()
        .zip(&subscribed)
        .map(|(member, topics)| Subscription { member_id: member["id"].as_str().expect("an id"), topics })
        .collect();
    let dealt_from: Vec<_> = topics.iter().map(|(_, id, partitions)| (*id, partitions.clone())).collect();
    let dealt = range(&dealt_from, &subscriptions);
    for (member, partitions) in subscriptions.iter().zip(&dealt) {
        let mut found: Vec<(String, u64)> = partitions
            .iter()
            .map(|partition| {
                let (name, _, all) = topics.iter().find(|(_, _, all)| all.contains(partition)).expect("of a topic");
                (name.clone(), u64::from(partition.0 - all[0].0))
            })
            .collect();
        found.sort();
        let expected = case["expected"][member.member_id].as_array().expect("of every member");
        let mut expected: Vec<(String, u64)> = expected
            .iter()
            .map(|pair| (pair[0].as_str().expect("a topic").to_owned(), pair[1].as_u64().expect("a number")))
            .collect();
        expected.sort();
        assert_eq!(found, expected, "{} in {}", member.member_id, case["id"]);
    }
}

#[test]
fn every_recorded_assignment_comes_out_the_same() {
    let text = std::fs::read_to_string(OWN_COPY).expect("the copy is there");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    let cases = all["cases"].as_array().expect("a list");
    let is_dynamic = |case: &&Value| {
        case["members"].as_array().expect("members").iter().all(|member| member["instance_id"].is_null())
    };
    let dynamic: Vec<&Value> = cases.iter().filter(is_dynamic).collect();
    assert_eq!((cases.len(), dynamic.len()), (39, 32));
    dynamic.into_iter().for_each(check);
}
