//! Every recorded assignment of Kafka's own assignors.
//!
//! Two recordings of the sticky assignors depend on the order of a Java hash map, so ours is one of several right answers:
//! there the numbers of partitions without the members' names, the number of partitions that stay with their owner, and
//! that none has two owners are compared. All recordings of `uniform` are marked so too, but their ids are such that the order equals that of the names.

use std::collections::BTreeSet;

use logstep::sim::assignor::{Assignor, Extras, Implementation, ServerAssignor};
use serde_json::Value;

use crate::group::{Assignment, Group, Member, Partition, sorted};

fn partitions(list: &Value) -> Vec<Partition> {
    let pair =
        |pair: &Value| (pair[0].as_str().expect("a topic").to_owned(), pair[1].as_u64().expect("a number") as u16);
    list.as_array().map(|list| list.iter().map(pair).collect()).unwrap_or_default()
}

fn by_member(object: &Value) -> Assignment {
    let object = object.as_object().expect("an object of members");
    object.iter().map(|(member, list)| (member.clone(), partitions(list))).collect()
}

fn group(case: &Value) -> Group {
    let member = |member: &Value| Member {
        id: member["id"].as_str().expect("an id").to_owned(),
        instance_id: member["instance_id"].as_str().map(str::to_owned),
        topics: serde_json::from_value(member["subscriptions"].clone()).expect("a list of names"),
        owned: partitions(&member["owned"]),
        generation: member["generation"].as_i64().and_then(|generation| u32::try_from(generation).ok()),
    };
    Group {
        topics: serde_json::from_value(case["topics"].clone()).expect("counts by name"),
        members: case["members"].as_array().expect("members").iter().map(member).collect(),
    }
}

fn deal(case: &Value, group: &Group) -> Assignment {
    let name = case["assignor"].as_str().expect("a name");
    if case["protocol"] == "classic" {
        let assignor = Assignor::ALL.into_iter().find(|assignor| assignor.name() == name).expect("a known assignor");
        group.deal(assignor, Implementation::Java)
    } else {
        let assignor = ServerAssignor::ALL.into_iter().find(|assignor| assignor.name() == name).expect("a known one");
        group.deal_by_server(assignor, Extras::ToOwnersThenLast)
    }
}

/// What each member owns of topics that exist and does not keep.
fn revoked(group: &Group, assignment: &Assignment) -> Assignment {
    let revoked = |member: &Member| {
        let mut left = member.owned.clone();
        left.retain(|partition| !assignment[&member.id].contains(partition));
        (member.id.clone(), left)
    };
    group.members.iter().map(revoked).collect()
}

fn check_up_to_renaming(case: &Value, group: &Group, found: &Assignment, expected: &Assignment) {
    let counts = |assignment: &Assignment| {
        let mut counts: Vec<usize> = assignment.values().map(Vec::len).collect();
        counts.sort_unstable();
        counts
    };
    assert_eq!(counts(found), counts(expected), "{}", case["id"]);
    let all: BTreeSet<&Partition> = found.values().flatten().collect();
    assert_eq!(all.len(), found.values().flatten().count(), "{}", case["id"]);
    let keeps = |assignment: &Assignment| {
        let kept = |member: &Member| member.owned.iter().filter(|owned| assignment[&member.id].contains(owned)).count();
        group.members.iter().map(kept).sum::<usize>()
    };
    assert_eq!(keeps(found), keeps(expected), "{}", case["id"]);
}

#[test]
fn every_recorded_assignment_comes_out_the_same() {
    let text = std::fs::read_to_string("tests/reference/assignors.json").expect("the copy is there");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    let cases = all["cases"].as_array().expect("a list");
    let mut exact = 0;
    for case in cases {
        let group = group(case);
        let found = deal(case, &group);
        let expected = by_member(&case["expected"]);
        if case["hashmap_order_dependent"] == true && case["protocol"] == "classic" {
            check_up_to_renaming(case, &group, &found, &expected);
            continue;
        }
        exact += 1;
        if case["assignor"] == "range" {
            // Java lists the topics of a member in the order of a hash map.
            assert_eq!(sorted(found.clone()), sorted(expected), "{}", case["id"]);
        } else {
            assert_eq!(found, expected, "{}", case["id"]);
        }
        if let Some(follows) = case["triggers_followup"].as_bool() {
            let mut revoked = sorted(revoked(&group, &found));
            revoked.retain(|_, partitions| !partitions.is_empty());
            assert_eq!(revoked.is_empty(), !follows, "{}", case["id"]);
            let mut recorded = sorted(by_member(&case["revoked"]));
            recorded.retain(|_, partitions| !partitions.is_empty());
            assert_eq!(revoked, recorded, "{}", case["id"]);
        }
    }
    assert_eq!((cases.len(), exact), (297, 295));
}
