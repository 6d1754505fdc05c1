//! Random groups, with members that join, leave, and claim what they no longer own.

use std::collections::BTreeSet;

use logstep::sim::assignor::{Assignor, Extras, Implementation, ServerAssignor};
use proptest::prelude::*;

use crate::group::{Assignment, Group, Member, Partition};
use crate::random::cases;

const BY: [Implementation<'static>; 2] = [Implementation::Java, Implementation::Librdkafka];
const EXTRAS: [Extras; 2] = [Extras::ToFirst, Extras::ToOwnersThenLast];

/// Groups of up to 6 members and 4 topics, one of which does not exist; `equal`: all members subscribe to the same.
fn groups(equal: bool) -> impl Strategy<Value = Group> {
    let counts = proptest::collection::vec(1_u16..8, 3);
    let subscriptions = proptest::collection::vec(1_u8..16, 1..=6);
    (counts, subscriptions).prop_map(move |(counts, subscriptions)| {
        let topics = counts.iter().enumerate().map(|(index, &count)| (format!("t{index}"), count)).collect();
        let member = |(index, &bits): (usize, &u8)| {
            let bits = if equal { subscriptions[0] } else { bits };
            let topics = (0..4).filter(|bit| bits & (1 << bit) != 0).map(|bit| format!("t{bit}")).collect();
            Member { id: format!("c{index}"), topics, ..Member::default() }
        };
        Group { topics, members: subscriptions.iter().enumerate().map(member).collect() }
    })
}

/// Claims for the members: each partition by a few of them, in generations 1 to 3 by member.
fn claims() -> impl Strategy<Value = Vec<(u8, u16, u8)>> {
    proptest::collection::vec((0_u8..4, 0_u16..8, 0_u8..6), 0..30)
}

fn claim(group: &mut Group, claims: &[(u8, u16, u8)]) {
    for &(topic, number, member) in claims {
        let partition = (format!("t{topic}"), number);
        let count = group.members.len();
        let member = &mut group.members[usize::from(member) % count];
        member.generation = Some(1 + u32::from(member.id.as_bytes()[1] % 3));
        if !member.owned.contains(&partition) {
            member.owned.push(partition);
        }
    }
}

/// The partitions of topics that somebody subscribes to.
fn subscribed(group: &Group) -> BTreeSet<Partition> {
    let is_subscribed = |name: &String| group.members.iter().any(|member| member.topics.contains(name));
    let all = group.topics.iter().filter(|(name, _)| is_subscribed(name));
    all.flat_map(|(name, &count)| (0..count).map(move |number| (name.clone(), number))).collect()
}

/// Nothing twice, and only to subscribers.
fn check_valid(group: &Group, assignment: &Assignment) -> BTreeSet<Partition> {
    let mut all = BTreeSet::new();
    for member in &group.members {
        for partition in &assignment[&member.id] {
            assert!(member.topics.contains(&partition.0), "{} does not subscribe to {}", member.id, partition.0);
            assert!(all.insert(partition.clone()), "{partition:?} is dealt twice");
        }
    }
    all
}

/// No member could have a partition of one with at least two more.
fn check_balanced(group: &Group, assignment: &Assignment) {
    for member in &group.members {
        for (other, partitions) in assignment {
            let could_have = partitions.iter().any(|(topic, _)| member.topics.contains(topic));
            let has = assignment[&member.id].len();
            assert!(!could_have || partitions.len() <= has + 1, "{other} has more than {}: {assignment:?}", member.id);
        }
    }
}

fn of_server(group: &Group) -> Vec<Assignment> {
    let uniform = EXTRAS.map(|extras| group.deal_by_server(ServerAssignor::Uniform, extras));
    uniform.into_iter().chain([group.deal_by_server(ServerAssignor::Range, Extras::ToOwnersThenLast)]).collect()
}

proptest! {
    #![proptest_config(cases(module_path!(), 8))]

    #[test]
    fn every_partition_has_one_owner_that_subscribes_to_it(mut group in groups(false), claims in claims()) {
        for assignment in of_server(&group) {
            prop_assert_eq!(check_valid(&group, &assignment), subscribed(&group));
        }
        claim(&mut group, &claims);
        for assignor in Assignor::ALL {
            for by in BY {
                let all = check_valid(&group, &group.deal(assignor, by));
                prop_assert!(assignor.supports_cooperative() || all == subscribed(&group));
            }
        }
    }

    #[test]
    fn sticky_is_balanced_whatever_is_claimed(mut group in groups(false), claims in claims()) {
        claim(&mut group, &claims);
        for by in BY {
            check_balanced(&group, &group.deal(Assignor::Sticky, by));
        }
    }

    #[test]
    fn equal_subscriptions_make_numbers_that_differ_by_at_most_one(mut group in groups(true), claims in claims()) {
        check_balanced(&group, &group.deal_by_server(ServerAssignor::Uniform, Extras::ToFirst));
        claim(&mut group, &claims);
        check_balanced(&group, &group.deal(Assignor::Sticky, Implementation::Java));
    }

    #[test]
    fn where_nothing_changes_nothing_moves(mut group in groups(false)) {
        for by in [Implementation::Java, Implementation::JavaBefore23, Implementation::Librdkafka] {
            group.members.iter_mut().for_each(|member| member.owned.clear());
            let first = group.deal(Assignor::Sticky, by);
            group.follow(&first, 1);
            let again = group.deal(Assignor::Sticky, by);
            prop_assert_eq!(crate::group::sorted(first), crate::group::sorted(again));
        }
        for extras in EXTRAS {
            group.members.iter_mut().for_each(|member| member.owned.clear());
            let first = group.deal_by_server(ServerAssignor::Uniform, extras);
            group.follow(&first, 1);
            prop_assert_eq!(first, group.deal_by_server(ServerAssignor::Uniform, extras));
        }
    }

    #[test]
    fn cooperative_sticky_settles_in_two_rebalances(group in groups(true), leaver in 0_usize..6) {
        for by in BY {
            let count = rebalances_until_settled(&group, leaver, by);
            prop_assert!(count <= 2, "{by:?} {count}");
        }
    }

    /// Once the moving partitions are with nobody, the general algorithm may find others to move.
    #[test]
    fn with_unequal_subscriptions_it_settles_all_the_same(group in groups(false), leaver in 0_usize..6) {
        for by in BY {
            let count = rebalances_until_settled(&group, leaver, by);
            prop_assert!(count <= 5, "{by:?} {count}");
        }
    }
}

/// One member leaves and another one joins: the rebalances until all partitions have an owner again.
fn rebalances_until_settled(group: &Group, leaver: usize, by: Implementation<'_>) -> u32 {
    let mut group = group.clone();
    let newcomer = group.members.pop().expect("a member");
    if group.members.is_empty() {
        return 0;
    }
    let first = group.deal(Assignor::Sticky, by);
    group.follow(&first, 1);
    group.members.remove(leaver % group.members.len());
    group.members.push(newcomer);
    for count in 1..20 {
        let assignment = group.deal(Assignor::CooperativeSticky, by);
        if check_valid(&group, &assignment) == subscribed(&group) {
            check_balanced(&group, &assignment);
            return count;
        }
        group.follow(&assignment, count + 1);
    }
    20
}
