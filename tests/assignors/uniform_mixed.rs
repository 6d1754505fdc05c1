//! `uniform` with unequal subscriptions: the inputs and outcomes of Kafka's `UniformHeterogeneousAssignmentBuilderTest`
//! (4.x), whose members walk in the order of their names.

use logstep::sim::assignor::{Extras, ServerAssignor};

use crate::group::{Group, lines, parsed};

/// Each member: id, subscribed topics, what it owns, what it has to get.
fn check(topics: &[(&str, u16)], members: &[(&str, &str, &str, &str)]) {
    let mut group = Group::new(topics);
    let mut expected = Vec::new();
    for &(id, subscribed, owned, gets) in members {
        group.join(id, &subscribed.split_whitespace().collect::<Vec<_>>());
        group.members.last_mut().expect("it has joined").owned = parsed(owned);
        expected.push(format!("{id} {gets}"));
    }
    for extras in [Extras::ToFirst, Extras::ToOwnersThenLast] {
        assert_eq!(lines(&group.deal_by_server(ServerAssignor::Uniform, extras)), expected);
    }
}

#[test]
fn a_first_assignment_evens_out_what_only_some_may_have() {
    check(&[("t1", 3), ("t3", 6)], &[("A", "t1 t3", "", "t1: 0 1 2, t3: 4"), ("B", "t3", "", "t3: 0 1 2 3 5")]);
}

#[test]
fn with_more_members_than_partitions_some_stay_idle() {
    check(&[("t1", 2), ("t3", 1)], &[("A", "t3", "", "t3: 0"), ("B", "t3", "", ""), ("C", "t1", "", "t1: 0 1")]);
    check(&[("t1", 3)], &[("A", "t1", "", "t1: 0 1 2"), ("B", "", "", "")]);
}

#[test]
fn the_fullest_members_give_up_their_highest_numbered_partitions() {
    check(
        &[("t1", 6), ("t2", 4), ("t3", 4)],
        &[
            ("A", "t1", "t1: 0 1 2", "t1: 0 1 2 5"),
            ("B", "t1 t2", "t1: 3, t2: 0", "t1: 3, t2: 0 1 2 3"),
            ("C", "t1 t2 t3", "t1: 4 5, t2: 1 2 3, t3: 0 1 2 3", "t1: 4, t3: 0 1 2 3"),
        ],
    );
}

#[test]
fn added_partitions_go_to_the_emptiest_subscribers() {
    check(
        &[("t1", 6), ("t2", 5), ("t3", 3), ("t4", 3)],
        &[
            ("A", "t1 t3", "t1: 0 1 2 3, t3: 0 1", "t1: 0 1 2 3 4 5, t3: 0 1 2"),
            ("B", "t1 t2 t3 t4", "t2: 0 1 2, t4: 0 1 2", "t2: 0 1 2 3 4, t4: 0 1 2"),
        ],
    );
    check(
        &[("t1", 6), ("t2", 7)],
        &[
            ("A", "t1", "t1: 0 2, t2: 0", "t1: 0 2 3 4 5"),
            ("B", "t1 t2", "t1: 1, t2: 1 2", "t1: 1, t2: 1 2 6"),
            ("C", "t1 t2", "", "t2: 0 3 4 5"),
        ],
    );
}

#[test]
fn what_a_member_left_or_no_longer_wants_goes_to_subscribers() {
    check(
        &[("t1", 3), ("t2", 8), ("t3", 3)],
        &[
            ("A", "t1 t3", "t1: 0 1 2, t3: 0 1", "t1: 0 1 2, t3: 0 1 2"),
            ("B", "t2", "t2: 3 4 5 6", "t2: 0 1 2 3 4 5 6 7"),
        ],
    );
    check(
        &[("t1", 3), ("t2", 5)],
        &[("A", "t1", "t1: 0 2, t2: 1 3", "t1: 0 1 2"), ("B", "t1 t2", "t1: 1, t2: 0 2 4", "t2: 0 1 2 3 4")],
    );
}
