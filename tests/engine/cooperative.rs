//! Cooperative rebalances (KIP-429), step by step.

use crate::harness::{World, steps};
use crate::world::plain;
use logstep::sim::assignor::Assignor;
use logstep::sim::setup::{CommitPolicy, CommitWhen, Setup};
use logstep::sim::*;

const GROUP: GroupId = GroupId(0);

/// Six partitions and three cooperative members; c3 starts late.
fn three_join(assignors: &[Assignor]) -> Setup {
    let mut setup = plain(6, 3);
    setup.configure(GROUP, |config| config.settings.assignors = assignors.into());
    setup.consumers[2].starts_at = Time::from_micros(20_000_000);
    setup
}

fn numbers(run: &Simulation, consumer: u16) -> Vec<u16> {
    let client = run.consumer(ConsumerId(consumer)).client();
    let mut numbers: Vec<u16> = client
        .map_or_else(Vec::new, |client| client.owned.iter().map(|owned| run.place(owned.partition).number).collect());
    numbers.sort_unstable();
    numbers
}

/// The events of one member that its listener sees, in order.
fn callbacks(run: &Simulation, of: u16) -> Vec<String> {
    steps(run)
        .filter(|step| step.event.consumer() == Some(ConsumerId(of)))
        .filter_map(|step| match step.event {
            Event::PartitionsAssigned { partitions, .. } => Some(format!("assigned all {partitions}")),
            Event::PartitionsRevoked { partitions, .. } => Some(format!("revoked all {partitions}")),
            Event::PartitionsLost { partitions, .. } => Some(format!("lost {partitions}")),
            Event::SomePartitionsRevoked { partitions, kept, .. } => {
                Some(format!("revoked {partitions} of {}", partitions + kept))
            }
            Event::MorePartitionsAssigned { partitions, kept, .. } => Some(format!("assigned {partitions} to {kept}")),
            _ => None,
        })
        .collect()
}

#[test]
fn two_of_six_partitions_move_in_two_rebalances() {
    let mut world = World::new(three_join(&[Assignor::CooperativeSticky]));
    world.finish();
    let run = &world.run;
    assert_eq!([numbers(run, 0), numbers(run, 1), numbers(run, 2)], [vec![0, 2], vec![1, 3], vec![4, 5]]);
    assert_eq!(callbacks(run, 0), ["assigned 3 to 0", "revoked 1 of 3", "assigned 0 to 2", "assigned 0 to 2"]);
    assert_eq!(callbacks(run, 2), ["assigned 0 to 0", "assigned 2 to 0"]);
    assert_eq!(run.group(GROUP).generation, 3);
}

#[test]
fn what_stays_is_never_without_an_owner() {
    let mut world = World::new(three_join(&[Assignor::CooperativeSticky]));
    world.finish();
    let run = &world.run;
    for number in 0..6 {
        let partition = run.topics().partitions_of(TopicId(0))[number];
        let unowned = run.ledger(GROUP).partitions[partition.index()].unowned(run.now());
        assert_eq!(unowned > Span::ZERO, number >= 4, "partition {number}: {unowned:?}");
        assert!(unowned <= Span::from_secs(4), "partition {number}: {unowned:?}");
    }
    assert_eq!(run.lost(GROUP).total(), 0);
}

/// A list is as eager as its most eager assignor, whichever one the group uses.
#[test]
fn a_list_with_an_eager_assignor_is_eager() {
    for list in [[Assignor::Range, Assignor::CooperativeSticky], [Assignor::CooperativeSticky, Assignor::Range]] {
        let mut world = World::new(three_join(&list));
        world.finish();
        assert_eq!(world.count(|event| matches!(event, Event::SomePartitionsRevoked { .. })), 0);
        assert!(world.count(|event| matches!(event, Event::PartitionsRevoked { .. })) > 0);
        assert_eq!(world.run.group(GROUP).assignor, Some(list[0]));
        assert_eq!(world.run.group(GROUP).generation, 2);
    }
}

#[test]
fn a_commit_in_the_listener_spares_the_new_owner_every_duplicate() {
    let duplicates = |on_revoke| {
        let mut setup = three_join(&[Assignor::CooperativeSticky]);
        setup.configure(GROUP, |config| {
            config.handling.commit = CommitPolicy { on_revoke, ..CommitPolicy::after_records(50) };
        });
        let mut world = World::new(setup);
        world.finish();
        world.run.ledger(GROUP).duplicates()
    };
    assert!(duplicates(false) > 0);
    assert_eq!(duplicates(true), 0);
}

/// While it waits for the others it goes on, and the answer to JoinGroup waits for its next `poll()`.
#[test]
fn a_member_works_on_while_it_joins() {
    let mut setup = three_join(&[Assignor::CooperativeSticky]);
    setup.configure(GROUP, |config| {
        config.handling.time = Span::from_millis(700);
        config.settings.max_poll_records = 3;
        config.handling.commit.when = CommitWhen::AfterBatch;
    });
    let mut world = World::new(setup);
    world.until("a third member", |event| matches!(event, Event::MemberJoined { consumer: ConsumerId(2), .. }));
    let begins = world.run.steps();
    world.until("the end of both rebalances", |event| {
        matches!(event, Event::MorePartitionsAssigned { consumer: ConsumerId(2), partitions: 2, .. })
    });
    let processed: Vec<bool> = (0..2)
        .map(|of| {
            let all = steps(&world.run).skip(begins as usize);
            all.filter(|step| matches!(step.event, Event::RecordProcessed { consumer, .. } if consumer.0 == of)).count()
                > 1
        })
        .collect();
    assert_eq!(processed, [true, true]);
    world.finish();
    assert_eq!(world.run.lost(GROUP).total(), 0);
}

#[test]
fn a_member_that_is_lost_loses_all() {
    let mut setup = plain(6, 2);
    setup.configure(GROUP, |config| {
        config.settings.assignors = [Assignor::CooperativeSticky].into();
        config.settings.max_poll_interval = Span::from_secs(6);
        config.handling.time = Span::from_secs(4);
    });
    let mut world = World::new(setup);
    world.finish();
    let lost = callbacks(&world.run, 0).into_iter().find(|call| call.starts_with("lost"));
    assert_eq!(lost.as_deref(), Some("lost 3"), "{}", world.tail(40));
}

/// One of three leaves: what it had is dealt in one rebalance, and nothing else moves (contrary to an old report of
/// librdkafka, confluentinc/librdkafka#3306).
#[test]
fn only_what_a_leaver_had_moves() {
    let mut setup = plain(12, 3);
    setup.configure(GROUP, |config| config.settings.assignors = [Assignor::CooperativeSticky].into());
    for (n, consumer) in (0..).zip(&mut setup.consumers) {
        consumer.starts_at = Time::from_micros(n * 20_000_000);
    }
    let mut world = World::new(setup);
    world.until_time(Time::from_micros(60_000_000));
    let before = [numbers(&world.run, 0), numbers(&world.run, 1)];
    assert_eq!(before.each_ref().map(Vec::len), [4, 4]);
    let generation = world.run.group(GROUP).generation;
    world.act(Action::Close(ConsumerId(2)));
    let acted = world.run.steps();
    world.finish();
    for (of, before) in before.iter().enumerate() {
        let now = numbers(&world.run, of as u16);
        assert!(before.iter().all(|number| now.contains(number)), "{before:?} {now:?}");
    }
    assert_eq!(world.run.group(GROUP).generation, generation + 1);
    let later = steps(&world.run).skip(acted as usize);
    assert_eq!(later.filter(|step| matches!(step.event, Event::SomePartitionsRevoked { .. })).count(), 0);
}

#[test]
fn sticky_keeps_what_it_can_though_all_is_revoked() {
    let mut setup = three_join(&[Assignor::Sticky]);
    setup.consumers.truncate(3);
    let mut world = World::new(setup);
    world.finish();
    assert_eq!(
        [numbers(&world.run, 0), numbers(&world.run, 1), numbers(&world.run, 2)],
        [vec![0, 2], vec![1, 3], vec![4, 5]]
    );
    assert_eq!(world.run.group(GROUP).generation, 2);
}
