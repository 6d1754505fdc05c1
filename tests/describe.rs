//! A moment of a run as Kafka's own tool prints it.

mod common;

use common::story;
use expect_test::{Expect, expect};
use logstep::export::{Described, describe};
use logstep::sim::*;

fn at(secs: u64) -> Simulation {
    of(story(), secs)
}

fn of(setup: Setup, secs: u64) -> Simulation {
    let mut run = Simulation::new(setup);
    while run.now() < Time::ZERO + Span::from_secs(secs) {
        run.step();
    }
    run
}

/// Member ids are random: behind the name there are only dots.
fn shown(run: &Simulation, what: Described) -> String {
    let text = describe(run, what);
    let ids: Vec<String> = run.group(GroupId(0)).members.iter().map(|member| member.id.to_string()).collect();
    ids.iter().fold(text, |text, id| {
        let name = id.split('-').next().unwrap_or_default();
        text.replace(id, &format!("{name:.<width$}", width = id.len()))
    })
}

fn check(run: &Simulation, what: Described, expected: &Expect) {
    let text = shown(run, what);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn a_stable_group() {
    check(
        &at(20),
        Described::Offsets,
        &expect![[r#"

        GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID                             HOST            CLIENT-ID
        billing         orders          0          3               3               0               c1..................................... /127.0.0.1      c1
        billing         orders          1          3               4               1               c2..................................... /127.0.0.1      c2
        billing         orders          2          3               6               3               c3..................................... /127.0.0.1      c3
    "#]],
    );
    check(
        &at(20),
        Described::Members,
        &expect![[r#"

        GROUP           CONSUMER-ID                             HOST            CLIENT-ID       #PARTITIONS
        billing         c1..................................... /127.0.0.1      c1              1
        billing         c2..................................... /127.0.0.1      c2              1
        billing         c3..................................... /127.0.0.1      c3              1
    "#]],
    );
    check(
        &at(20),
        Described::State,
        &expect![[r#"

        GROUP           COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE                #MEMBERS
        billing         localhost:9092  (0)       range                Stable               3
    "#]],
    );
}

#[test]
fn a_member_without_partitions_is_in_no_row_of_the_offsets() {
    let mut run = of(Setup { actions: Vec::new(), ..story() }, 20);
    run.apply(Action::Join(GroupId(0))).expect("there is room");
    while run.now() < Time::ZERO + Span::from_secs(70) {
        run.step();
    }
    check(
        &run,
        Described::Offsets,
        &expect![[r#"

        GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID                             HOST            CLIENT-ID
        billing         orders          0          3               3               0               c1..................................... /127.0.0.1      c1
        billing         orders          1          3               4               1               c2..................................... /127.0.0.1      c2
        billing         orders          2          6               7               1               c3..................................... /127.0.0.1      c3
    "#]],
    );
    check(
        &run,
        Described::Members,
        &expect![[r#"

        GROUP           CONSUMER-ID                             HOST            CLIENT-ID       #PARTITIONS
        billing         c1..................................... /127.0.0.1      c1              1
        billing         c2..................................... /127.0.0.1      c2              1
        billing         c3..................................... /127.0.0.1      c3              1
        billing         c4..................................... /127.0.0.1      c4              0
    "#]],
    );
}

#[test]
fn a_group_without_members_keeps_what_it_has_committed() {
    let mut run = at(20);
    for consumer in [0, 1] {
        run.apply(Action::Close(ConsumerId(consumer).into())).expect("it runs");
    }
    while run.now() < Time::ZERO + Span::from_secs(80) {
        run.step();
    }
    check(
        &run,
        Described::Offsets,
        &expect![[r#"

        Consumer group 'billing' has no active members.

        GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID     HOST            CLIENT-ID
        billing         orders          0          3               3               0               -               -               -
        billing         orders          1          3               4               1               -               -               -
        billing         orders          2          3               7               4               -               -               -
    "#]],
    );
}

#[test]
fn a_rebalancing_group_says_so() {
    let mut run = at(20);
    while run.group(GroupId(0)).state != coordinator::GroupState::PreparingRebalance {
        run.step();
    }
    assert!(
        describe(&run, Described::Offsets).starts_with("\nWarning: Consumer group 'billing' is rebalancing.\n\nGROUP")
    );
}

#[test]
fn before_anybody_has_joined_there_is_nothing_to_show() {
    let run = Simulation::new(story());
    assert_eq!(describe(&run, Described::Offsets), "\nConsumer group 'billing' has no active members.\n");
    assert!(describe(&run, Described::State).contains("Empty"));
}

#[test]
fn offsets_that_the_tool_cannot_know_stand_behind_its_table() {
    let mut setup = story();
    setup.actions.clear();
    setup.configure(GroupId(0), |config| {
        let (when, holds, seeks) = (setup::StoreWhen::WithRow, setup::Holds::Next, setup::Seeks::AsStored);
        config.handling.offset_store = Some(setup::OffsetStore { when, holds, seeks });
    });
    let text = describe(&of(setup, 20), Described::Offsets);
    let (table, stored) = text.split_once("\n# ").expect("both");
    assert!(table.lines().skip(2).all(|row| row.contains(" -  ")), "nothing is committed: {table}");
    let expected = "In the database of the table, not in Kafka:\n\
        # billing: 3 is stored for orders-0, by c1\n\
        # billing: 4 is stored for orders-1, by c2\n\
        # billing: 6 is stored for orders-2, by c3\n";
    assert_eq!(stored, expected);
}
