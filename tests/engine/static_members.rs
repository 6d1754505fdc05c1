//! Static membership (KIP-345, KIP-814), step by step.

use crate::harness::{World, steps};
use crate::world::plain;
use logstep::sim::assignor::Assignor;
use logstep::sim::consumer::Process;
use logstep::sim::event::ErrorCode;
use logstep::sim::setup::Setup;
use logstep::sim::*;
use std::rc::Rc;

const GROUP: GroupId = GroupId(0);
const C1: ConsumerId = ConsumerId(0);
const C3: ConsumerId = ConsumerId(2);

/// Three static members with three partitions, a session of 6 s and a heartbeat each second.
fn three() -> Setup {
    let mut setup = plain(3, 3);
    setup.configure(GROUP, |config| {
        config.settings.session_timeout = Span::from_secs(6);
        config.settings.heartbeat_interval = Span::from_secs(1);
    });
    for (n, consumer) in setup.consumers.iter_mut().enumerate() {
        consumer.instance_id = Some(format!("instance-{n}").into());
    }
    setup
}

fn seconds(seconds: u64) -> Time {
    Time::from_micros(seconds * 1_000_000)
}

fn rebalances(run: &Simulation) -> u32 {
    run.ledger(GROUP).rebalances
}

/// Stops c3 at 15 s and starts it again after so many seconds.
fn restarted(setup: Setup, stop: Action, after: u64) -> World {
    let mut world = World::new(setup);
    world.until_time(seconds(15));
    world.act(stop);
    world.until_time(seconds(15 + after));
    world.act(Action::Start(C3.into()));
    world.finish();
    world
}

#[test]
fn a_quick_restart_gets_the_same_partition_without_a_rebalance() {
    for stop in [Action::Close(C3.into()), Action::Crash(C3.into())] {
        let world = restarted(three(), stop, 2);
        assert_eq!(rebalances(&world.run), 0, "{stop:?}");
        assert_eq!(world.count(|event| matches!(event, Event::MemberReplaced { keeps_assignment: true, .. })), 1);
        assert_eq!(world.count(|event| matches!(event, Event::MemberLeft { .. })), 0);
        assert_eq!(world.run.group(GROUP).generation, 1);
        let owned = &world.run.consumer(C3).client().expect("it runs").owned;
        assert_eq!(owned.iter().map(|owned| owned.partition).collect::<Vec<_>>(), [PartitionId(2)]);
        // Nobody else's listener was called.
        let others = steps(&world.run).filter(|step| step.at > seconds(15) && step.event.consumer() != Some(C3));
        assert_eq!(others.filter(|step| matches!(step.event, Event::PartitionsRevoked { .. })).count(), 0);
    }
}

#[test]
fn a_late_restart_is_a_rebalance_at_the_session_and_another_at_the_return() {
    let world = restarted(three(), Action::Close(C3.into()), 9);
    assert_eq!(rebalances(&world.run), 2);
    assert_eq!(world.count(|event| matches!(event, Event::SessionExpired { consumer: C3, .. })), 1);
}

#[test]
fn what_was_not_committed_is_processed_again_by_the_same_member() {
    let mut setup = three();
    setup.configure(GROUP, |config| config.handling.commit = setup::CommitPolicy::after_records(100));
    let world = restarted(setup, Action::Crash(C3.into()), 2);
    assert!(world.run.ledger(GROUP).duplicates_of_stopped > 0);
    assert_eq!(world.run.ledger(GROUP).duplicates_of_survivors, 0);
}

/// A poll time-out sends no LeaveGroup: the place stays until the session has ended.
#[test]
fn a_late_poll_leaves_the_place_to_the_session() {
    let mut setup = three();
    setup.configure(GROUP, |config| {
        config.settings.max_poll_interval = Span::from_secs(8);
        config.handling.time = Span::from_secs(16);
    });
    let mut world = World::new(setup);
    let left = world.until("a late poll", |event| matches!(event, Event::PollTimedOut { .. }));
    let expired = world.until("the end of a session", |event| matches!(event, Event::SessionExpired { .. }));
    let silence = expired.since(left);
    assert!((Span::from_secs(5)..=Span::from_secs(6)).contains(&silence), "{silence:?}");
    assert_eq!(world.count(|event| matches!(event, Event::MemberLeft { .. })), 0);
}

/// Of two processes with one instance id the older one is fenced, and its application ends.
#[test]
fn the_older_of_two_with_one_instance_id_is_fenced() {
    let mut setup = three();
    let mut twin = setup.consumers[2].clone();
    (twin.name, twin.starts_at) = ("c4".into(), seconds(15));
    setup.consumers.push(twin);
    let mut world = World::new(setup);
    let replaced = world.until("a replacement", |event| {
        matches!(event, Event::MemberReplaced { consumer: ConsumerId(3), previous: C3, keeps_assignment: true, .. })
    });
    let failed = world.until("an end", |event| {
        matches!(event, Event::ConsumerFailed { consumer: C3, error: ErrorCode::FencedInstanceId, .. })
    });
    assert!(failed.since(replaced) <= Span::from_millis(1_500), "by its next heartbeat or commit");
    world.finish();
    assert!(matches!(world.run.consumer(C3).process, Process::Failed(_, ErrorCode::FencedInstanceId)));
    assert_eq!(rebalances(&world.run), 0);
    assert_eq!(world.run.lost(GROUP).total(), 0);
}

/// The leader that comes back is told to leave the assignment as it is, and goes on watching for new partitions. Older
/// ones do not know that they lead.
#[test]
fn a_leader_that_comes_back_knows_that_it_leads_since_3_2() {
    for (release, leads) in [((3, 1), false), ((3, 2), true)] {
        let mut setup = three();
        setup.configure(GROUP, |config| config.settings.release = release);
        let mut world = World::new(setup);
        world.until_time(seconds(15));
        assert_eq!(world.run.group(GROUP).leader.map(|key| key.consumer), Some(C1));
        world.act(Action::Crash(C1.into()));
        world.act(Action::Start(C1.into()));
        world.finish();
        let run = &world.run;
        assert_eq!(rebalances(run), 0);
        assert_eq!(world.count(|event| matches!(event, Event::AssignmentComputed { .. })), 1);
        assert_eq!(run.consumer(C1).client().expect("it runs").is_leader(), leads);
    }
}

/// A static member that comes back so that the members choose another assignor.
#[test]
fn another_assignor_is_a_rebalance() {
    let mut setup = three();
    setup.configure(GROUP, |config| {
        config.settings.assignors = [Assignor::Range, Assignor::RoundRobin].into();
    });
    // c4 takes the place of c3, and cannot work with range.
    let mut twin = setup.consumers[2].clone();
    Rc::make_mut(&mut twin.config).settings.assignors = [Assignor::RoundRobin].into();
    (twin.name, twin.starts_at) = ("c4".into(), seconds(15));
    setup.consumers.push(twin);
    let mut world = World::new(setup);
    world.finish();
    assert_eq!(world.count(|event| matches!(event, Event::MemberReplaced { keeps_assignment: false, .. })), 1);
    assert_eq!((rebalances(&world.run), world.run.group(GROUP).assignor), (1, Some(Assignor::RoundRobin)));
}

#[test]
fn a_member_without_a_common_assignor_is_refused_and_ends() {
    let mut setup = plain(3, 2);
    Rc::make_mut(&mut setup.consumers[1].config).settings.assignors = [Assignor::RoundRobin].into();
    setup.consumers[1].starts_at = seconds(10);
    let mut world = World::new(setup);
    world.finish();
    let error = ErrorCode::InconsistentGroupProtocol;
    assert!(matches!(world.run.consumer(ConsumerId(1)).process, Process::Failed(_, found) if found == error));
    assert_eq!(world.count(|event| matches!(event, Event::JoinRejected { .. })), 1);
    assert_eq!((rebalances(&world.run), world.run.group(GROUP).members.len()), (0, 1));
}

#[test]
fn a_full_group_takes_nobody_in() {
    let mut setup = plain(3, 3);
    setup.cluster.group_max_size = 2;
    setup.consumers[2].starts_at = seconds(10);
    let mut world = World::new(setup);
    world.finish();
    let error = ErrorCode::GroupMaxSizeReached;
    assert!(matches!(world.run.consumer(C3).process, Process::Failed(_, found) if found == error));
    assert_eq!(world.run.group(GROUP).members.len(), 2);
}
