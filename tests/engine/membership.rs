//! Membership as in Kafka's classic group protocol. Times are compared with the recordings of real clients.

use crate::harness::{World, check, steps};
use crate::world::plain;
use logstep::sim::assignor::Assignor;
use logstep::sim::event::{CommitCall, ErrorCode, PositionSource, RebalanceReason};
use logstep::sim::property::{COMMIT_AFTER_PROCESSING, EARLIEST, SETTLED};
use logstep::sim::*;
use std::rc::Rc;

const C1: ConsumerId = ConsumerId(0);
const C2: ConsumerId = ConsumerId(1);
const C3: ConsumerId = ConsumerId(2);
const GROUP: GroupId = GroupId(0);

fn secs(secs: u64) -> Span {
    Span::from_secs(secs)
}

fn at(millis: u64) -> Time {
    Time::ZERO + Span::from_millis(millis)
}

fn planned(millis: u64, action: Action) -> PlannedAction {
    PlannedAction { when: When::At(at(millis)), action }
}

/// Three members, three partitions, session 6 s and heartbeat 1 s as in the recordings.
fn three() -> setup::Setup {
    let mut setup = plain(3, 3);
    setup.configure(GroupId(0), |config| config.settings.session_timeout = secs(6));
    setup.configure(GroupId(0), |config| config.settings.heartbeat_interval = secs(1));
    setup
}

fn is_generation(number: Generation) -> impl Fn(&Event) -> bool {
    move |event| matches!(*event, Event::GenerationStarted { generation, .. } if generation == number)
}

/// Everything is processed in the end, nothing is lost, and the group is what it should be.
#[track_caller]
fn ends_well(setup: &setup::Setup) -> Simulation {
    let all = COMMIT_AFTER_PROCESSING.iter().chain(EARLIEST).chain(SETTLED);
    check(setup, all).unwrap_or_else(|broken| panic!("{broken}"))
}

/// How long it takes from a crash or a close of c3 until each partition has an owner again.
fn takeover(setup: &setup::Setup, action: Action) -> Span {
    let mut world = World::new(setup.clone());
    world.until_time(at(20_000));
    let begins = world.act(action).at;
    world.until("a new generation", is_generation(2));
    let done = world.until("an assignment to c2", |event| {
        matches!(event, Event::PartitionsAssigned { consumer: C2, generation: 2, .. })
    });
    done.since(begins)
}

#[test]
fn a_crash_is_made_up_for_within_a_heartbeat_interval_of_the_session_timeout() {
    for (session, heartbeat) in [(6, 1), (6, 2), (3, 1), (45, 3)] {
        for seed in 0..20 {
            let mut setup = plain(3, 3);
            setup.seed = seed;
            setup.configure(GroupId(0), |config| config.settings.session_timeout = secs(session));
            setup.configure(GroupId(0), |config| config.settings.heartbeat_interval = secs(heartbeat));
            let takeover = takeover(&setup, Action::Crash(C3.into()));
            // The session runs from the last heartbeat or commit, at most one interval before the crash; then each
            // survivor learns of it by its next heartbeat. Recorded, with a commit shortly before the crash: 5.9 to
            // 6.9 s for 6 s and 1 s.
            assert!(takeover >= secs(session - heartbeat), "{takeover:?} with {session} s, {heartbeat} s, seed {seed}");
            assert!(takeover <= secs(session + heartbeat) + Span::from_millis(100), "{takeover:?}");
        }
    }
}

#[test]
fn a_close_is_made_up_for_within_one_heartbeat_interval() {
    for seed in 0..20 {
        let takeover = takeover(&setup::Setup { seed, ..three() }, Action::Close(C3.into()));
        assert!(takeover <= secs(1) + Span::from_millis(200), "{takeover:?} with seed {seed}");
    }
}

#[test]
fn a_close_commits_nothing_so_that_its_uncommitted_records_are_processed_again() {
    let mut setup = three();
    setup.configure(GroupId(0), |config| config.handling.commit = setup::CommitPolicy::after_records(4));
    setup.actions = vec![PlannedAction {
        when: When::After(Condition::Processed { consumer: C3, records: 6 }, Span::ZERO),
        action: Action::Close(C3.into()),
    }];
    let run = ends_well(&setup);
    assert_eq!(run.ledger(GROUP).duplicates_of_stopped, 2);
}

#[test]
fn a_restart_before_the_session_ends_stops_the_group_until_the_ghost_has_expired() {
    let mut setup = three();
    setup.actions = vec![planned(20_000, Action::Crash(C3.into())), planned(21_500, Action::Start(C3.into()))];
    let mut world = World::new(setup.clone());
    world.until("a rebalance by the new c3", |event| {
        matches!(event, Event::RebalanceStarted { reason: RebalanceReason::MemberJoins, generation: 1, .. })
    });
    for _ in [C1, C2] {
        let revoked = world.until("a revocation", |event| matches!(event, Event::PartitionsRevoked { .. }));
        assert!(revoked <= at(22_800), "a member learns of it by its next heartbeat, not at {revoked:?}");
    }
    world.until("only the ghost to be missing", |event| matches!(event, Event::MemberJoined { missing: 1, .. }));
    assert_eq!(world.run.group(GROUP).members.len(), 4);
    let processed = world.run.ledger(GROUP).processed;
    let expired = world.until("the ghost to expire", |event| matches!(event, Event::SessionExpired { .. }));
    assert!(expired >= at(25_000) && expired <= at(26_100), "{expired:?}");
    let generation = world.until("the next generation", is_generation(2));
    assert_eq!(generation, expired);
    assert_eq!(world.run.ledger(GROUP).processed, processed, "nobody works while the group waits");
    ends_well(&setup);
}

#[test]
fn a_restart_after_the_session_has_ended_is_a_second_rebalance() {
    let mut setup = three();
    setup.actions = vec![planned(20_000, Action::Crash(C3.into())), planned(29_000, Action::Start(C3.into()))];
    let run = ends_well(&setup);
    assert_eq!((run.group(GROUP).generation, run.ledger(GROUP).rebalances), (3, 2));
}

#[test]
fn a_leader_that_dies_before_its_sync_holds_the_group_until_its_session_ends() {
    let mut world = World::new(three());
    let begins = world.until("the first generation", is_generation(1));
    let leader = world.run.group(GROUP).leader.expect("a generation has a leader").consumer;
    world.act(Action::Crash(leader.into()));
    let expired = world.until("its expiry", |event| matches!(event, Event::SessionExpired { .. }));
    assert_eq!(expired.since(begins), secs(6));
    assert_eq!(world.count(|event| matches!(event, Event::PartitionsAssigned { .. })), 0);
    world.until("a refused sync", |event| {
        matches!(event, Event::RejoinNeeded { error: ErrorCode::RebalanceInProgress, .. })
    });
    world.until("the next generation", is_generation(2));
    world.finish();
    assert_eq!(world.run.ledger(GROUP).processed, 90);
    assert_eq!(world.run.group(GROUP).members.len(), 2);
}

#[test]
fn a_follower_that_dies_before_its_sync_does_not_hold_the_others() {
    let mut world = World::new(three());
    world.until("the first generation", is_generation(1));
    let leader = world.run.group(GROUP).leader.expect("a generation has a leader").consumer;
    let follower = [C1, C2, C3].into_iter().find(|&consumer| consumer != leader).expect("there are three");
    world.act(Action::Crash(follower.into()));
    world.until(
        "the leader's assignment",
        |event| matches!(*event, Event::PartitionsAssigned { consumer, .. } if consumer == leader),
    );
    assert!(world.run.now() < at(7_000));
    world.finish();
    assert_eq!((world.run.ledger(GROUP).processed, world.run.group(GROUP).members.len()), (90, 2));
}

#[test]
fn a_member_that_dies_in_the_initial_delay_is_part_of_the_first_generation() {
    let mut setup = three();
    setup.actions = vec![planned(1_000, Action::Crash(C1.into()))];
    let run = ends_well(&setup);
    let first = steps(&run).find(|step| is_generation(1)(&step.event)).expect("there is a first generation");
    assert!(matches!(first.event, Event::GenerationStarted { members: 3, .. }), "{first:?}");
    let expired = steps(&run).find(|step| matches!(step.event, Event::SessionExpired { .. })).expect("it expires");
    assert_eq!(expired.at.since(first.at), secs(6));
}

#[test]
fn each_new_member_prolongs_the_initial_delay() {
    let mut setup = three();
    setup.consumers[1].starts_at = at(2_000);
    setup.consumers[2].starts_at = at(5_500);
    let run = ends_well(&setup);
    let first = steps(&run).find(|step| is_generation(1)(&step.event)).expect("there is a first generation");
    assert!(matches!(first.event, Event::GenerationStarted { members: 3, .. }), "{first:?}");
    assert!(first.at >= at(9_000) && first.at < at(9_100), "{first:?}");
}

#[test]
fn those_that_join_in_one_moment_prolong_the_initial_delay_once() {
    let run = ends_well(&three());
    let first = steps(&run).find(|step| is_generation(1)(&step.event)).expect("there is a first generation");
    assert!(matches!(first.event, Event::GenerationStarted { members: 3, .. }), "{first:?}");
    assert!(first.at >= at(6_000) && first.at < at(6_100), "{first:?}");
}

#[test]
fn before_4_0_the_delay_of_a_group_that_was_in_use_before_is_not_prolonged() {
    assert_eq!(delay_of_a_group_that_was_in_use_before((3, 9)), secs(3));
    assert_eq!(delay_of_a_group_that_was_in_use_before((4, 0)), secs(6));
}

/// From the first member that comes back to the next generation; another comes back 2 s after it.
fn delay_of_a_group_that_was_in_use_before(release: (u8, u8)) -> Span {
    let mut setup = three();
    setup.cluster.release = release;
    setup.actions = (0..3).map(|n| planned(10_000, Action::Close(ConsumerId(n).into()))).collect();
    setup.actions.extend([planned(15_000, Action::Start(C1.into())), planned(17_000, Action::Start(C2.into()))]);
    let run = ends_well(&setup);
    let again = steps(&run).find(|step| step.at > at(15_000) && matches!(step.event, Event::GenerationStarted { .. }));
    let again = again.expect("a generation begins after the restart");
    assert!(matches!(again.event, Event::GenerationStarted { members: 2, .. }), "{again:?}");
    let delay = again.at.since(at(15_000));
    secs(delay.as_millis() / 1000)
}

#[test]
fn a_close_while_joining_lets_the_others_go_on_at_once() {
    let mut world = World::new(three());
    world.until("c3 to join", |event| matches!(event, Event::MemberJoined { consumer: C3, .. }));
    world.act(Action::Close(C3.into()));
    world.until("it to leave", |event| matches!(event, Event::MemberLeft { consumer: C3, .. }));
    let first = world.until("the first generation", is_generation(1));
    assert!(first < at(6_100), "{first:?}");
    world.finish();
    assert_eq!((world.run.ledger(GROUP).processed, world.run.group(GROUP).members.len()), (90, 2));
}

#[test]
fn a_member_id_that_is_never_used_holds_a_rebalance_for_no_longer_than_a_session_timeout() {
    let mut setup = three();
    setup.consumers[2].starts_at = at(20_000);
    let mut world = World::new(setup);
    // The process is gone before it hears of its member id; something else makes the group rebalance.
    world.until("the id of c3", |event| matches!(event, Event::MemberIdGiven { consumer: C3, .. }));
    let given = world.run.now();
    world.act(Action::Crash(C3.into()));
    world.act(Action::Close(C2.into()));
    world.until("a rebalance", |event| matches!(event, Event::RebalanceStarted { generation: 1, .. }));
    let expired = world.until("the id to expire", |event| matches!(event, Event::MemberIdExpired { .. }));
    assert_eq!(expired.since(given), secs(6));
    assert_eq!(world.until("the next generation", is_generation(2)), expired);
    world.finish();
    assert_eq!(world.run.ledger(GROUP).processed, 90);
}

#[test]
fn a_close_before_the_member_id_is_known_leaves_nothing_behind() {
    let mut world = World::new(three());
    world.until("c3 to ask for an id", |event| matches!(event, Event::JoinGroupSent { consumer: C3, .. }));
    world.act(Action::Close(C3.into()));
    world.until("the close", |event| matches!(event, Event::ConsumerClosed { .. }));
    world.finish();
    assert_eq!(world.count(|event| matches!(event, Event::MemberLeft { .. })), 0, "there is no id to leave with");
    assert_eq!(world.count(|event| matches!(event, Event::MemberIdExpired { .. })), 1);
    assert_eq!((world.run.ledger(GROUP).processed, world.run.group(GROUP).members.len()), (90, 2));
}

#[test]
fn when_everybody_crashes_the_group_is_empty_and_a_restart_goes_on_where_it_committed() {
    let mut setup = three();
    setup.actions = (0..3).map(|n| planned(20_000, Action::Crash(ConsumerId(n).into()))).collect();
    setup.actions.push(planned(40_000, Action::Start(C2.into())));
    let mut world = World::new(setup.clone());
    world.until("c2 to start again", |event| matches!(event, Event::ConsumerStarted { incarnation: 2, .. }));
    assert_eq!(world.run.group(GROUP).state, coordinator::GroupState::Empty);
    let committed: Vec<Offset> = world
        .run
        .partitions_of_group(GROUP)
        .map(|partition| world.run.group(GROUP).committed(partition).expect("each has a commit").offset)
        .collect();
    world.until("its generation", |event| matches!(event, Event::GenerationStarted { members: 1, .. }));
    assert!(world.run.now() >= at(43_000), "an empty group waits for more members");
    let mut positions = Vec::new();
    for _ in 0..3 {
        world.until("a position", |event| matches!(event, Event::PositionSet { .. }));
        if let Some(Step { event: Event::PositionSet { offset, source, .. }, .. }) = steps(&world.run).next_back() {
            assert_eq!(*source, PositionSource::Committed);
            positions.push(*offset);
        }
    }
    assert_eq!(positions, committed);
    ends_well(&setup);
}

#[test]
fn a_group_that_everybody_leaves_during_a_rebalance_is_empty() {
    let mut setup = three();
    setup.consumers.truncate(2);
    setup.consumers[1].starts_at = at(20_000);
    setup.actions = vec![planned(20_500, Action::Close(C1.into())), planned(20_500, Action::Close(C2.into()))];
    let run = ends_well(&setup);
    assert!(run.group(GROUP).members.is_empty());
    // And when the last one goes in the initial delay.
    let mut setup = three();
    setup.actions = (0..3).map(|n| planned(1_000, Action::Close(ConsumerId(n).into()))).collect();
    setup.actions.push(planned(30_000, Action::Start(C1.into())));
    let run = ends_well(&setup);
    assert!(steps(&run).any(|step| matches!(step.event, Event::GroupEmptied { generation: 1, .. })));
}

/// Two members, two partitions with twelve records each, session 3 s and `max.poll.interval.ms` 5 s as in the recording.
/// A batch takes its member 8.4 s; who goes on from its commit after five records is done in time.
fn too_slow() -> setup::Setup {
    let mut setup = plain(2, 2);
    setup.configure(GroupId(0), |config| config.settings.session_timeout = secs(3));
    setup.configure(GroupId(0), |config| config.settings.heartbeat_interval = secs(1));
    setup.configure(GroupId(0), |config| config.settings.max_poll_interval = secs(5));
    setup.configure(GroupId(0), |config| config.handling.time = Span::from_millis(700));
    let record = |_| setup::PlannedRecord {
        at: at(10_000),
        key: Some(KeyId(0)),
        value: ValueId(0),
        value_bytes: 5,
        partition: None,
    };
    setup.producers[0].source = setup::Source::Records((0..12).map(record).collect());
    setup
}

/// Recorded with Java, which was 9 s late: it leaves after 5 s, the other member has the partition 4.6 to 5.9 s after
/// the slow record, the commit fails, every record since the last commit is done twice, and the group rebalances again.
#[test]
fn a_member_that_polls_too_late_leaves_and_goes_on_as_a_zombie_until_its_batch_is_done() {
    for seed in 0..20 {
        let mut world = World::new(setup::Setup { seed, ..too_slow() });
        let polled = world.until("a poll", |event| matches!(event, Event::RecordsPolled { .. }));
        let left = world.until("a late poll", |event| matches!(event, Event::PollTimedOut { consumer: C1, .. }));
        assert_eq!(left.since(polled), secs(5));
        let taken = world.until("the takeover", |event| {
            matches!(event, Event::PartitionsAssigned { consumer: C2, partitions: 2, .. })
        });
        let takeover = taken.since(polled);
        assert!(takeover >= secs(5) && takeover <= secs(6) + Span::from_millis(100), "{takeover:?} with seed {seed}");
        world.until("a failed commit", |event| matches!(event, Event::CommitFailed { consumer: C1, .. }));
        assert_eq!(world.run.consumer(C1).processed, 10, "the batch goes on until the commit");
        world.until("lost partitions", |event| {
            matches!(event, Event::PartitionsLost { consumer: C1, error: ErrorCode::UnknownMemberId, .. })
        });
        assert_eq!(world.run.consumer(C1).processed, 12, "and after it");
        world.until("a new member id", |event| matches!(event, Event::MemberIdGiven { consumer: C1, .. }));
        world.until("the next generation", is_generation(3));
        let ledger = world.run.ledger(GROUP);
        assert_eq!((ledger.rebalances, ledger.processed, ledger.records_duplicated), (2, 12, 7));
        assert_eq!(ledger.duplicates_of_stopped, 0, "everybody is alive");
        world.finish();
        assert_eq!(world.run.lost(GROUP).total(), 0);
        assert_eq!(world.count(|event| matches!(event, Event::PollTimedOut { .. })), 1);
    }
}

#[test]
fn a_zombie_sends_no_heartbeats() {
    let mut world = World::new(too_slow());
    let left = world.until("a late poll", |event| matches!(event, Event::PollTimedOut { .. }));
    let lost = world.until("lost partitions", |event| matches!(event, Event::PartitionsLost { consumer: C1, .. }));
    let sent = |step: &&Step| matches!(step.event, Event::HeartbeatSent { consumer: C1, .. });
    assert_eq!(steps(&world.run).filter(sent).filter(|step| step.at > left && step.at <= lost).count(), 0);
}

#[test]
fn a_member_that_waits_in_poll_is_never_too_late_for_it() {
    let mut setup = three();
    setup.configure(GroupId(0), |config| config.settings.max_poll_interval = secs(2));
    let run = ends_well(&setup);
    assert_eq!(steps(&run).filter(|step| matches!(step.event, Event::PollTimedOut { .. })).count(), 0);
}

/// It cannot be a living one: that would have left by itself before.
#[test]
fn a_crashed_member_does_not_hold_a_rebalance_for_longer_than_max_poll_interval() {
    let mut setup = plain(3, 3);
    setup.configure(GroupId(0), |config| config.settings.max_poll_interval = secs(4));
    setup.actions = vec![planned(20_000, Action::Crash(C3.into())), planned(21_000, Action::Close(C2.into()))];
    let mut world = World::new(setup);
    let begins = world.until("a rebalance", |event| matches!(event, Event::RebalanceStarted { generation: 1, .. }));
    let removed = world.until("the removal", |event| matches!(event, Event::RebalanceTimedOut { consumer: C3, .. }));
    assert_eq!(removed.since(begins), secs(4));
}

/// One record outlasts the rebalance timeout, so that a member leaves while the group waits for it.
fn slow() -> setup::Setup {
    let mut setup = three();
    setup.configure(GroupId(0), |config| config.settings.max_poll_interval = secs(4));
    setup.configure(GroupId(0), |config| config.handling.time = secs(9));
    setup.configure(GroupId(0), |config| config.handling.commit = setup::CommitPolicy::after_records(1));
    setup.actions = vec![PlannedAction {
        when: When::After(Condition::AnyProcessed(GROUP), Span::from_millis(500)),
        action: Action::Close(C3.into()),
    }];
    setup
}

#[test]
fn a_heartbeat_that_asks_to_join_again_is_outweighed_by_a_commit_that_finds_the_membership_gone() {
    let mut setup = slow();
    // The heartbeat that announces the rebalance is the last one before the commit.
    setup.configure(GroupId(0), |config| config.settings.heartbeat_interval = secs(5));
    setup.ends_at = at(120_000);
    let mut world = World::new(setup);
    world.finish();
    let revoked_after_removal = steps(&world.run).any(|step| {
        let Event::PartitionsRevoked { consumer, .. } = step.event else { return false };
        steps(&world.run)
            .filter(|earlier| {
                earlier.at < step.at && earlier.at.since(Time::ZERO) + secs(9) > step.at.since(Time::ZERO)
            })
            .any(|earlier| matches!(earlier.event, Event::CommitRejected { consumer: of, .. } if of == consumer))
    });
    assert!(!revoked_after_removal, "a membership that is gone cannot be revoked any more");
}

#[test]
fn a_commit_on_its_way_when_the_rebalance_begins_is_stored() {
    let mut stored = 0;
    for start in 0..40 {
        let mut setup = plain(2, 3);
        setup.brokers[0].latency = Span::from_millis(150);
        setup.configure(GroupId(0), |config| config.handling.commit = setup::CommitPolicy::after_records(1));
        setup.consumers[2].starts_at = at(12_000 + start * 50);
        let run = ends_well(&setup);
        let begins = steps(&run).find(|step| matches!(step.event, Event::RebalanceStarted { generation: 1, .. }));
        let generation = steps(&run).find(|step| is_generation(2)(&step.event));
        let (begins, generation) = (begins.expect("c3 joins").at, generation.expect("it ends").at);
        let within = |step: &&Step| step.at >= begins && step.at < generation;
        stored += steps(&run).filter(within).filter(|step| matches!(step.event, Event::OffsetCommitted { .. })).count();
        assert_eq!(steps(&run).filter(|step| matches!(step.event, Event::CommitRejected { .. })).count(), 0);
    }
    assert!(stored > 0);
}

#[test]
fn at_every_rebalance_survivors_begin_again_at_their_own_commit() {
    let mut setup = three();
    setup.configure(GroupId(0), |config| config.handling.commit = setup::CommitPolicy::after_records(4));
    setup.actions = vec![PlannedAction {
        when: When::After(Condition::Processed { consumer: C3, records: 6 }, Span::ZERO),
        action: Action::Close(C3.into()),
    }];
    let run = ends_well(&setup);
    assert!(run.ledger(GROUP).duplicates_of_survivors > 0);
}

#[test]
fn range_deals_anew_so_that_a_living_member_changes_its_partition() {
    let mut setup = three();
    setup.actions = vec![planned(20_000, Action::Crash(C3.into()))];
    let run = ends_well(&setup);
    let owners: Vec<ConsumerId> = run
        .partitions_of_group(GROUP)
        .map(|partition| run.ledger(GROUP).partitions[partition.index()].owner().expect("each is owned").consumer)
        .collect();
    assert_eq!(owners, [C1, C1, C2]);
}

#[test]
fn a_member_more_than_partitions_is_idle() {
    let run = ends_well(&plain(3, 4));
    let idle = steps(&run).filter(|step| matches!(step.event, Event::PartitionsAssigned { partitions: 0, .. })).count();
    assert_eq!(idle, 1);
    assert_eq!(run.consumer(ConsumerId(3)).processed, 0);
}

#[test]
fn a_crash_anywhere_loses_nothing_and_the_group_recovers() {
    let mut setup = three();
    setup.ends_at = at(90_000);
    let calm = ends_well(&setup);
    for visible in (0..calm.visible_steps() - 1).step_by(3) {
        let moment = calm.visible_step(visible).expect("it is a visible step");
        for consumer in [C1, C2, C3] {
            for restart in [false, true] {
                let mut world = World::new(setup.clone());
                while world.run.steps() <= moment.0 {
                    world.run.step();
                }
                if world.run.apply(Action::Crash(consumer.into())).is_err() {
                    continue;
                }
                if restart {
                    world.act(Action::Start(consumer.into()));
                }
                world.finish();
                for property in COMMIT_AFTER_PROCESSING.iter().chain(EARLIEST).chain(SETTLED) {
                    let holds = (property.holds)(&world.run);
                    assert!(holds, "{} after {moment:?} {consumer:?}\n{}", property.name, world.tail(30));
                }
            }
        }
    }
}

#[test]
fn a_survivor_that_crashes_later_remains_the_survivor_of_what_it_gave_up() {
    let mut setup = three();
    setup.configure(GroupId(0), |config| config.handling.commit = setup::CommitPolicy::after_records(4));
    setup.actions = vec![PlannedAction {
        when: When::After(Condition::Processed { consumer: C3, records: 6 }, Span::ZERO),
        action: Action::Close(C3.into()),
    }];
    let mut world = World::new(setup);
    world.until("c2 to give up what it has not committed", |event| {
        matches!(event, Event::PartitionsRevoked { consumer: C2, .. })
    });
    world.act(Action::Crash(C2.into()));
    world.finish();
    let ledger = world.run.ledger(GROUP);
    assert!(ledger.duplicates_of_survivors >= 3, "{ledger:?}");
    assert_eq!(ledger.duplicates_of_stopped, 2, "what c3 had processed and not committed");
}

#[test]
fn a_rebalance_that_ends_without_a_member_is_over() {
    let mut setup = three();
    setup.consumers.truncate(1);
    let mut world = World::new(setup);
    world.until("the first generation", is_generation(1));
    world.until("an assignment", |event| matches!(event, Event::PartitionsAssigned { .. }));
    world.act(Action::Crash(C1.into()));
    world.act(Action::Start(C1.into()));
    world.until("the next generation", is_generation(2));
    world.act(Action::Crash(C1.into()));
    world.until("an empty group", |event| matches!(event, Event::GroupEmptied { .. }));
    let rebalancing = world.run.ledger(GROUP).rebalancing(world.run.now());
    assert!(rebalancing > Span::ZERO);
    world.finish();
    assert_eq!(world.run.ledger(GROUP).rebalancing(world.run.now()), rebalancing);
    assert_eq!(world.run.group(GROUP).state, coordinator::GroupState::Empty);
}

#[test]
fn without_a_commit_there_is_no_lag_and_what_a_reset_skipped_is_not_behind() {
    let mut setup = plain(1, 1);
    setup.configure(GroupId(0), |config| config.settings.auto_offset_reset = setup::OffsetReset::Latest);
    setup.consumers[0].starts_at = at(20_000);
    let mut world = World::new(setup);
    let partition = PartitionId(0);
    world.until_time(at(20_000));
    let lag = world.run.lag(GROUP, partition);
    assert_eq!((lag.records, lag.oldest), (None, None));
    world.until("a position", |event| matches!(event, Event::PositionSet { .. }));
    world.finish();
    let lag = world.run.lag(GROUP, partition);
    assert!(world.run.lost(GROUP).skipped_by_reset > 0);
    assert_eq!(lag.oldest, None, "everything that can be reached is processed");
    assert!(lag.records.is_some());
}

#[test]
fn a_new_member_joins_twice_only_where_client_and_broker_both_know_kip_394() {
    for (client, broker, twice) in [((2, 2), (2, 2), true), ((2, 1), (4, 0), false), ((4, 0), (2, 1), false)] {
        let mut setup = plain(1, 2);
        setup.cluster.release = broker;
        setup.configure(GroupId(0), |config| config.settings.release = client);
        let mut world = World::new(setup);
        world.finish();
        let joins = world.count(|event| matches!(event, Event::MemberIdGiven { .. }));
        assert_eq!(joins, if twice { 2 } else { 0 }, "{client:?} {broker:?}");
        assert_eq!(world.run.ledger(GROUP).processed, 30);
    }
}

/// Two members whose JoinGroups come in one moment.
fn two_at_once(change: impl FnOnce(&mut setup::Setup)) -> World {
    let mut setup = plain(2, 2);
    change(&mut setup);
    let mut world = World::new(setup);
    world.finish();
    world
}

fn refused(run: &Simulation) -> Vec<(ConsumerId, ErrorCode)> {
    let refusal = |step: &Step| match step.event {
        Event::JoinRejected { consumer, error, .. } => Some((consumer, error)),
        _ => None,
    };
    steps(run).filter_map(refusal).collect()
}

#[test]
fn the_second_of_two_joins_in_one_moment_finds_the_assignors_of_the_first() {
    let world = two_at_once(|setup| {
        for (consumer, assignor) in [(0, Assignor::Range), (1, Assignor::RoundRobin)] {
            Rc::make_mut(&mut setup.consumers[consumer].config).settings.assignors = Rc::new([assignor]);
        }
    });
    assert_eq!(refused(&world.run), [(C2, ErrorCode::InconsistentGroupProtocol)]);
    let group = world.run.group(GROUP);
    assert_eq!((group.members.len(), group.assignor), (1, Some(Assignor::Range)));
}

#[test]
fn the_second_of_two_joins_in_one_moment_finds_the_group_full() {
    let world = two_at_once(|setup| setup.cluster.group_max_size = 1);
    assert_eq!(refused(&world.run), [(C2, ErrorCode::GroupMaxSizeReached)]);
    assert_eq!(world.run.group(GROUP).members.len(), 1);
}

#[test]
fn a_member_id_whose_answer_was_lost_expires_although_the_process_has_got_another() {
    let mut setup = three();
    setup.ends_at = at(120_000);
    setup.configure(GROUP, |config| {
        config.settings.max_poll_interval = secs(20);
        config.settings.session_timeout = secs(45);
    });
    setup.consumers[2].starts_at = at(20_000);
    let mut world = World::new(setup);
    world.until("the id of c3", |event| matches!(event, Event::MemberIdGiven { consumer: C3, .. }));
    let given = world.run.now();
    let kind = target::MessageKind { api: target::Api::JoinGroup, is_answer: true };
    world.act(Action::Drop(target::MessageRef { kind, client: target::ClientId::Consumer(C3), nth: 0 }));
    world.until("c3 to ask again", |event| matches!(event, Event::RequestTimedOut { consumer: C3, .. }));
    world.until("c3 to join", |event| matches!(event, Event::MemberJoined { consumer: C3, .. }));
    let expired = world.until("the first id to expire", |event| matches!(event, Event::MemberIdExpired { .. }));
    assert_eq!(expired.since(given), secs(45), "it is the first that nobody uses");
    assert_eq!(world.until("the generation that waited for it", is_generation(2)), expired);
    world.finish();
    assert_eq!(world.count(|event| matches!(event, Event::MemberIdExpired { .. })), 1);
}

#[test]
fn before_2_4_partitions_that_are_lost_are_told_as_revoked() {
    let lost = |event: &Event| matches!(event, Event::PartitionsLost { .. });
    let failed = |event: &Event| {
        matches!(event, Event::CommitFailed { call: CommitCall::OnRevoke, error: ErrorCode::UnknownMemberId, .. })
    };
    let of_release = |release| {
        let mut setup = too_slow();
        setup.cluster.release = release;
        setup.configure(GROUP, |config| {
            config.settings.release = release;
            config.handling.commit.on_revoke = true;
        });
        let mut world = World::new(setup);
        world.until("a late poll", |event| matches!(event, Event::PollTimedOut { .. }));
        let zombie = steps(&world.run).filter(|step| lost(&step.event)).count();
        assert_eq!(zombie, 0);
        world.finish();
        (world.count(lost) > 0, world.count(failed) > 0)
    };
    assert_eq!(of_release((2, 3)), (false, true), "the commit in onPartitionsRevoked() fails");
    assert_eq!(of_release((2, 4)), (true, false));
}

#[test]
fn before_2_4_close_calls_no_listener() {
    let commits = |release| {
        let mut setup = three();
        setup.cluster.release = release;
        setup.configure(GROUP, |config| {
            config.settings.release = release;
            config.handling.commit = setup::CommitPolicy { on_revoke: true, ..setup::CommitPolicy::after_records(100) };
        });
        setup.actions = vec![planned(20_000, Action::Close(C3.into()))];
        let mut world = World::new(setup);
        world.until("the close", |event| matches!(event, Event::ConsumerClosed { .. }));
        let of_c3 =
            |event: &Event| matches!(event, Event::OffsetCommitSent { consumer: C3, call: CommitCall::OnRevoke, .. });
        world.count(of_c3)
    };
    assert_eq!((commits((2, 3)), commits((2, 4))), (0, 1));
}
