//! Assignments that people were surprised by.

use logstep::sim::assignor::{Assignor, Extras, Implementation, ServerAssignor};

use crate::group::{Assignment, Group, lines, shown};

const JAVA: Implementation<'static> = Implementation::Java;

fn counts(assignment: &Assignment) -> Vec<usize> {
    let mut counts: Vec<usize> = assignment.values().map(Vec::len).collect();
    counts.sort_unstable_by(|one, other| other.cmp(one));
    counts
}

/// How many partitions of a topic a member has.
fn of_topic(assignment: &Assignment, member: &str, topic: &str) -> usize {
    assignment[member].iter().filter(|(name, _)| name == topic).count()
}

fn with_members(topics: &[(&str, u16)], members: &[(&str, &[&str])]) -> Group {
    let mut group = Group::new(topics);
    members.iter().for_each(|(id, topics)| group.join(id, topics));
    group
}

/// spring-projects/spring-kafka#457.
#[test]
fn range_over_two_topics_of_5_employs_5_of_128_members() {
    let mut group = Group::new(&[("a", 5), ("b", 5)]);
    (0..128).for_each(|number| group.join(&format!("c{number:03}"), &["a", "b"]));
    let range = counts(&group.deal(Assignor::Range, JAVA));
    assert_eq!((&range[..5], range[5]), (&[2; 5][..], 0));
    let round_robin = counts(&group.deal(Assignor::RoundRobin, JAVA));
    assert_eq!((&round_robin[..10], round_robin[10]), (&[1; 10][..], 0));
}

/// Blizzard/node-rdkafka#160, CAIDA/libbgpstream#209.
#[test]
fn range_gives_all_topics_of_one_partition_to_the_first_member() {
    let topics: &[&str] = &["t0", "t1", "t2", "t3"];
    let group =
        with_members(&[("t0", 1), ("t1", 1), ("t2", 1), ("t3", 1)], &[("c1", topics), ("c2", topics), ("c3", topics)]);
    let range = group.deal(Assignor::Range, Implementation::Librdkafka);
    assert_eq!(lines(&range), ["c1 t0: 0, t1: 0, t2: 0, t3: 0", "c2 ", "c3 "]);
    assert_eq!(counts(&group.deal(Assignor::RoundRobin, Implementation::Librdkafka)), [2, 1, 1]);
}

/// twmb/franz-go#795.
#[test]
fn sticky_balances_the_total_and_not_each_topic() {
    let mut group = with_members(&[("T1", 24), ("T2", 24), ("T3", 96)], &[("c1", &["T3"])]);
    let alone = group.deal(Assignor::Sticky, JAVA);
    group.follow(&alone, 1);
    group.members[0].topics = vec!["T1".to_owned(), "T2".to_owned(), "T3".to_owned()];
    group.join("c2", &["T1", "T2", "T3"]);
    let by_topic =
        |assignment: &Assignment, member| ["T1", "T2", "T3"].map(|topic| of_topic(assignment, member, topic));
    let sticky = group.deal(Assignor::Sticky, JAVA);
    assert_eq!(by_topic(&sticky, "c1"), [0, 0, 72]);
    assert_eq!(by_topic(&sticky, "c2"), [24, 24, 24]);
    for assignor in [Assignor::Range, Assignor::RoundRobin] {
        let fresh = group.deal(assignor, JAVA);
        assert_eq!((by_topic(&fresh, "c1"), by_topic(&fresh, "c2")), ([12, 12, 48], [12, 12, 48]));
    }
}

/// confluentinc/librdkafka#3159.
#[test]
fn round_robin_passes_over_members_that_do_not_subscribe() {
    let group = with_members(
        &[("A", 45), ("B", 6), ("C", 6)],
        &[("m1", &["A"]), ("m2", &["A"]), ("m3", &["B"]), ("m4", &["B", "C"])],
    );
    let dealt = group.deal(Assignor::RoundRobin, Implementation::Librdkafka);
    assert_eq!((of_topic(&dealt, "m1", "A"), of_topic(&dealt, "m2", "A")), (23, 22));
    assert_eq!((of_topic(&dealt, "m3", "B"), of_topic(&dealt, "m4", "B"), of_topic(&dealt, "m4", "C")), (3, 3, 6));
}

/// KIP-54. The class comment of `StickyAssignor` shows another split of C1's partitions than the code makes.
#[test]
fn sticky_moves_only_the_partitions_of_the_member_that_left() {
    let topics: &[&str] = &["t0", "t1", "t2", "t3"];
    let group =
        with_members(&[("t0", 2), ("t1", 2), ("t2", 2), ("t3", 2)], &[("C0", topics), ("C1", topics), ("C2", topics)]);
    for (assignor, after) in [
        (Assignor::RoundRobin, ["C0 t0: 0, t1: 0, t2: 0, t3: 0", "C2 t0: 1, t1: 1, t2: 1, t3: 1"]),
        (Assignor::Sticky, ["C0 t0: 0 1, t1: 1, t3: 0", "C2 t1: 0, t2: 1 0, t3: 1"]),
    ] {
        let mut group = group.clone();
        let before = group.deal(assignor, JAVA);
        assert_eq!(lines(&before), ["C0 t0: 0, t1: 1, t3: 0", "C1 t0: 1, t2: 0, t3: 1", "C2 t1: 0, t2: 1"]);
        group.follow(&before, 1);
        group.leave("C1");
        assert_eq!(lines(&group.deal(assignor, JAVA)), after, "{}", assignor.name());
    }
}

/// confluentinc/librdkafka#2847.
#[test]
fn members_of_one_group_get_only_what_they_subscribe_to() {
    let mut group = Group::new(&[("A", 12), ("B", 30), ("C", 12), ("D", 6)]);
    (0..10).for_each(|number| group.join(&format!("ab{number}"), &["A", "B"]));
    (0..2).for_each(|number| group.join(&format!("cd{number}"), &["C", "D"]));
    (0..3).for_each(|number| group.join(&format!("bc{number}"), &["B", "C"]));
    let mut all: Vec<Assignment> = Assignor::ALL.into_iter().map(|assignor| group.deal(assignor, JAVA)).collect();
    all.extend(ServerAssignor::ALL.map(|assignor| group.deal_by_server(assignor, Extras::ToOwnersThenLast)));
    for assignment in all {
        for (id, partitions) in &assignment {
            let subscribed = id[..2].to_uppercase();
            assert!(partitions.iter().all(|(topic, _)| subscribed.contains(topic)), "{id} {}", shown(partitions));
        }
        assert_eq!(assignment.values().map(Vec::len).sum::<usize>(), 60);
    }
}

/// KAFKA-7026, KIP-341: c1 owned the partition until its session expired, c2 owns it now.
#[test]
fn before_2_3_a_stale_claim_gave_one_partition_to_two_members() {
    let mut group = with_members(&[("t", 1)], &[("c1", &["t"])]);
    let first = group.deal(Assignor::Sticky, Implementation::JavaBefore23);
    group.follow(&first, 1);
    group.join("c2", &["t"]);
    group.members[1].owned = group.members[0].owned.clone();
    group.members[1].generation = Some(3);
    assert_eq!(lines(&group.deal(Assignor::Sticky, Implementation::JavaBefore23)), ["c1 t: 0", "c2 t: 0"]);
    assert_eq!(lines(&group.deal(Assignor::Sticky, JAVA)), ["c1 ", "c2 t: 0"]);
}

/// KAFKA-18688: `uniform` from scratch.
#[test]
fn the_extra_partition_went_to_the_first_members_in_4_0_0() {
    let group = with_members(&[("t", 7)], &[("A", &["t"]), ("B", &["t"]), ("C", &["t"])]);
    let dealt = group.deal_by_server(ServerAssignor::Uniform, Extras::ToFirst);
    assert_eq!(lines(&dealt), ["A t: 0 1 2", "B t: 3 4", "C t: 5 6"]);
    let dealt = group.deal_by_server(ServerAssignor::Uniform, Extras::ToOwnersThenLast);
    assert_eq!(lines(&dealt), ["A t: 0 1", "B t: 2 3", "C t: 4 5 6"]);
}

#[test]
fn aiokafka_gives_static_members_no_place_of_their_own() {
    let mut group = with_members(&[("t", 3)], &[("a", &["t"]), ("b", &["t"])]);
    group.members[1].instance_id = Some("i1".to_owned());
    assert_eq!(lines(&group.deal(Assignor::RoundRobin, JAVA)), ["a t: 1", "b t: 0 2"]);
    assert_eq!(lines(&group.deal(Assignor::RoundRobin, Implementation::Aiokafka)), ["a t: 0 2", "b t: 1"]);
}

#[test]
fn only_cooperative_sticky_lets_members_keep_their_partitions_while_they_join() {
    let cooperative: Vec<&str> =
        Assignor::ALL.into_iter().filter(|assignor| assignor.supports_cooperative()).map(Assignor::name).collect();
    assert_eq!(cooperative, ["cooperative-sticky"]);
}
