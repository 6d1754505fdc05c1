//! The consumer group protocol (KIP-848), step by step. What is expected is written in Kafka's sources and documentation:
//! `GroupMetadataManager#consumerGroupHeartbeat`, `CurrentAssignmentBuilder`, `AbstractMembershipManager`,
//! docs/operations/consumer-rebalance-protocol.md.

use crate::harness::{World, check, steps};
use crate::world::plain;
use logstep::sim::assignor::ServerAssignor;
use logstep::sim::coordinator::GroupState;
use logstep::sim::event::{EpochReason, ErrorCode, Fault};
use logstep::sim::property::{COMMIT_AFTER_PROCESSING, EARLIEST, SETTLED};
use logstep::sim::setup::{GroupProtocol, Setup};
use logstep::sim::*;

const A: ConsumerId = ConsumerId(0);
const B: ConsumerId = ConsumerId(1);
const C: ConsumerId = ConsumerId(2);
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

/// One topic, members that start ten seconds one after the other, Kafka's defaults.
fn modern(partitions: u16, members: usize) -> Setup {
    let mut setup = plain(partitions, members);
    setup.configure(GROUP, |config| {
        config.settings.group_protocol = GroupProtocol::Consumer { remote_assignor: None };
    });
    for (n, consumer) in setup.consumers.iter_mut().enumerate() {
        consumer.starts_at = at(10_000 * n as u64);
    }
    setup
}

/// A joins, then B, then C; then B leaves.
fn joins_and_leaves() -> Setup {
    let mut setup = modern(6, 3);
    setup.actions = vec![planned(32_000, Action::Close(B.into()))];
    setup
}

#[track_caller]
fn ends_well(setup: &Setup) -> Simulation {
    let all = COMMIT_AFTER_PROCESSING.iter().chain(EARLIEST).chain(SETTLED);
    check(setup, all).unwrap_or_else(|broken| panic!("{broken}"))
}

fn numbered(run: &Simulation) -> impl Iterator<Item = (StepNo, Step)> + '_ {
    (0..run.steps()).filter_map(|number| Some((StepNo(number), *run.step_at(StepNo(number))?)))
}

fn numbers(partitions: &[PartitionId]) -> Vec<u16> {
    partitions.iter().map(|partition| partition.0).collect()
}

/// What each member is to have.
type Parts = Vec<(ConsumerId, Vec<u16>)>;

/// The target assignments of a run, each with its epoch.
fn targets(run: &Simulation) -> Vec<(Generation, Parts)> {
    numbered(run)
        .filter_map(|(number, step)| match step.event {
            Event::TargetAssignmentComputed { epoch, .. } => {
                let parts = run.assignment_at(number)?.iter();
                Some((epoch, parts.map(|(key, part)| (key.consumer, numbers(part))).collect()))
            }
            _ => None,
        })
        .collect()
}

#[test]
fn uniform_moves_as_little_as_it_can() {
    let run = ends_well(&joins_and_leaves());
    let expected = vec![
        (2, vec![(A, vec![0, 1, 2, 3, 4, 5])]),
        (3, vec![(A, vec![0, 1, 2]), (B, vec![3, 4, 5])]),
        (4, vec![(A, vec![0, 1]), (B, vec![3, 4]), (C, vec![2, 5])]),
        (5, vec![(A, vec![0, 1, 3]), (C, vec![2, 4, 5])]),
    ];
    assert_eq!(targets(&run), expected);
}

#[test]
fn before_4_3_the_first_epoch_is_1() {
    let mut setup = joins_and_leaves();
    setup.cluster.release = (4, 2);
    let epochs: Vec<Generation> = targets(&ends_well(&setup)).into_iter().map(|(epoch, _)| epoch).collect();
    assert_eq!(epochs, [1, 2, 3, 4]);
}

/// What happens to a join, as (who, what, with which partitions).
fn story_of_a_join(run: &Simulation, from: Time, to: Time) -> Vec<(Option<ConsumerId>, &'static str, Vec<u16>)> {
    numbered(run)
        .filter(|(_, step)| step.at >= from && step.at < to)
        .filter(|(_, step)| {
            matches!(
                step.event,
                Event::GroupEpochBumped { .. }
                    | Event::TargetAssignmentComputed { .. }
                    | Event::RevocationRequested { .. }
                    | Event::RevocationAcknowledged { .. }
                    | Event::AssignmentGiven { .. }
                    | Event::MemberEpochRaised { .. }
                    | Event::ReconciliationRevoked { .. }
                    | Event::ReconciliationAssigned { .. }
            )
        })
        .map(|(number, step)| (step.event.consumer(), step.event.name(), numbers(run.partitions_at(number))))
        .collect()
}

#[test]
fn a_partition_is_revoked_and_acknowledged_before_the_next_member_gets_it() {
    let run = ends_well(&modern(6, 2));
    let expected = vec![
        (Some(B), "GroupEpochBumped", vec![]),
        (None, "TargetAssignmentComputed", vec![]),
        (Some(B), "AssignmentGiven", vec![]),
        (Some(B), "ReconciliationAssigned", vec![]),
        (Some(A), "RevocationRequested", vec![3, 4, 5]),
        (Some(A), "ReconciliationRevoked", vec![3, 4, 5]),
        (Some(A), "RevocationAcknowledged", vec![3, 4, 5]),
        (Some(B), "AssignmentGiven", vec![3, 4, 5]),
        (Some(B), "ReconciliationAssigned", vec![3, 4, 5]),
    ];
    assert_eq!(story_of_a_join(&run, at(10_000), at(30_000)), expected);
}

#[test]
fn a_member_stays_in_its_epoch_until_it_has_given_up_what_it_has_to() {
    let mut world = World::new(modern(6, 2));
    world.until("a request", |event| matches!(event, Event::RevocationRequested { consumer: A, epoch: 2, .. }));
    assert_eq!(world.run.group(GROUP).state, GroupState::Reconciling);
    world.until("an acknowledgement", |event| {
        matches!(event, Event::RevocationAcknowledged { consumer: A, epoch: 3, .. })
    });
    let held = |world: &World, place: usize| numbers(&world.run.group(GROUP).members[place].assigned);
    assert_eq!((held(&world, 0), held(&world, 1)), (vec![0, 1, 2], vec![]));
    world.until("B to get them", |event| {
        matches!(event, Event::AssignmentGiven { consumer: B, partitions: 3, waiting: 0, .. })
    });
    assert_eq!((held(&world, 0), held(&world, 1)), (vec![0, 1, 2], vec![3, 4, 5]));
    assert_eq!(world.run.group(GROUP).state, GroupState::Stable);
}

#[test]
fn a_join_takes_at_most_one_heartbeat_of_each_member() {
    for seed in 0..20 {
        let mut world = World::new(Setup { seed, ..modern(6, 2) });
        let joins = world.until("B", |event| matches!(event, Event::GroupEpochBumped { consumer: B, .. }));
        let asked = world.until("a request", |event| matches!(event, Event::RevocationRequested { consumer: A, .. }));
        assert!(asked.since(joins) <= secs(5) + Span::from_millis(60), "{:?}", asked.since(joins));
        let acknowledged = world.until("an answer", |event| matches!(event, Event::RevocationAcknowledged { .. }));
        // At once, but for the record in hand and the commit after it.
        assert!(acknowledged.since(asked) <= Span::from_millis(700), "{:?}", acknowledged.since(asked));
        let given = world
            .until("partitions", |event| matches!(event, Event::AssignmentGiven { consumer: B, partitions: 3, .. }));
        assert!(given.since(acknowledged) <= secs(5), "{:?}", given.since(acknowledged));
    }
}

/// The longest time between two records that a member processes, from its first to its last.
fn longest_pause(run: &Simulation, of: ConsumerId, partition: PartitionId) -> Span {
    let mut last = None;
    let mut longest = Span::ZERO;
    for step in steps(run) {
        if matches!(step.event, Event::RecordProcessed { consumer, partition: from, .. } if consumer == of && from == partition)
        {
            longest = last.map_or(longest, |last| step.at.since(last).max(longest));
            last = Some(step.at);
        }
    }
    longest
}

#[test]
fn who_keeps_a_partition_never_stops() {
    let run = ends_well(&joins_and_leaves());
    // One record a second comes to each partition, six at the same moment, 100 ms each, all through joins and leaves.
    for partition in [PartitionId(0), PartitionId(1)] {
        let pause = longest_pause(&run, A, partition);
        assert!(pause < Span::from_millis(1_700), "{pause:?}");
    }
    let revoked =
        |who| move |event: &Event| matches!(event, Event::ReconciliationRevoked { consumer, .. } if *consumer == who);
    let count = |who| steps(&run).filter(|step| revoked(who)(&step.event)).count();
    // A gives up something for B and for C; nobody gives up anything because B leaves.
    assert_eq!((count(A), count(B), count(C)), (2, 1, 0));
}

#[test]
fn nobody_is_told_to_revoke_when_a_member_crashes_and_its_partitions_go_to_the_others_at_its_session_end() {
    let mut setup = modern(6, 3);
    setup.ends_at = at(120_000);
    setup.actions = vec![planned(32_000, Action::Crash(B.into()))];
    let mut world = World::new(setup.clone());
    let expired = world.until("B's session to end", |event| matches!(event, Event::SessionExpired { .. }));
    // Its last heartbeat was at most an interval before; its commits do not count.
    assert!(expired >= at(72_000) && expired <= at(77_050), "{expired:?}");
    let bumped = world.until("the next epoch", |event| {
        matches!(event, Event::GroupEpochBumped { reason: EpochReason::SessionExpired, epoch: 5, .. })
    });
    assert_eq!(bumped, expired);
    assert_eq!(world.run.group(GROUP).state, GroupState::Assigning);
    let computed = world.until("a heartbeat", |event| matches!(event, Event::TargetAssignmentComputed { .. }));
    assert!(computed.since(bumped) <= secs(5));
    let run = ends_well(&setup);
    assert_eq!(targets(&run).last().unwrap().1, [(A, vec![0, 1, 3]), (C, vec![2, 4, 5])]);
}

#[test]
fn two_joins_within_the_assignment_interval_are_assigned_together() {
    let mut setup = modern(6, 3);
    for (consumer, starts) in setup.consumers.iter_mut().zip([0, 300, 600]) {
        consumer.starts_at = at(starts);
    }
    let mut world = World::new(setup.clone());
    world.until("B", |event| matches!(event, Event::GroupEpochBumped { epoch: 3, consumer: B, .. }));
    assert_eq!(world.run.group(GROUP).state, GroupState::Assigning);
    // B is in the epoch of the target that there is, with nothing.
    world.until("B's answer", |event| {
        matches!(event, Event::AssignmentGiven { consumer: B, epoch: 2, partitions: 0, .. })
    });
    let run = ends_well(&setup);
    let epochs: Vec<Generation> = targets(&run).into_iter().map(|(epoch, _)| epoch).collect();
    assert_eq!(epochs, [2, 4]);
    setup.cluster.consumer_groups.assignment_interval = Span::ZERO;
    let epochs: Vec<Generation> = targets(&ends_well(&setup)).into_iter().map(|(epoch, _)| epoch).collect();
    assert_eq!(epochs, [2, 3, 4]);
}

#[test]
fn a_member_that_dies_with_what_it_has_to_give_up_is_removed_after_the_rebalance_timeout() {
    let mut setup = modern(6, 2);
    setup.configure(GROUP, |config| config.settings.max_poll_interval = secs(20));
    let mut world = World::new(setup);
    let asked = world.until("a request", |event| matches!(event, Event::RevocationRequested { consumer: A, .. }));
    world.act(Action::Crash(A.into()));
    let removed = world.until("A to be removed", |event| {
        matches!(event, Event::RevocationTimedOut { consumer: A, partitions: 3, members: 1, .. })
    });
    assert_eq!(removed.since(asked), secs(20));
    world.until("its partitions at B", |event| {
        matches!(event, Event::AssignmentGiven { consumer: B, partitions: 6, .. })
    });
}

#[test]
fn a_slow_member_delays_nothing_but_what_it_has_to_give_up() {
    let mut setup = modern(6, 3);
    let slow = std::rc::Rc::make_mut(&mut setup.consumers[0].config);
    (slow.handling.time, slow.settings.max_poll_records) = (secs(8), 1);
    setup.ends_at = at(600_000);
    let mut world = World::new(setup.clone());
    world.until("a request to A", |event| matches!(event, Event::RevocationRequested { consumer: A, .. }));
    let processed = world.run.ledger(GROUP).processed;
    world.until("A's answer", |event| matches!(event, Event::ReconciliationRevoked { consumer: A, .. }));
    assert!(world.run.ledger(GROUP).processed <= processed + 1, "A does one record, and nobody else has any");
    world.until("C", |event| matches!(event, Event::ReconciliationAssigned { consumer: C, .. }));
    let by_b = |run: &Simulation| {
        steps(run).filter(|step| matches!(step.event, Event::RecordProcessed { consumer: B, .. })).count()
    };
    let before = by_b(&world.run);
    world.until("A's next answer", |event| matches!(event, Event::ReconciliationRevoked { consumer: A, .. }));
    assert!(by_b(&world.run) > before, "B goes on while the group waits for A");
}

#[test]
fn a_member_that_polls_too_late_leaves_loses_its_partitions_and_joins_again_with_its_next_poll() {
    let mut setup = modern(2, 2);
    setup.ends_at = at(400_000);
    let slow = std::rc::Rc::make_mut(&mut setup.consumers[0].config);
    (slow.handling.time, slow.settings.max_poll_interval) = (secs(30), secs(20));
    let mut world = World::new(setup);
    let late = world.until("A to be late", |event| matches!(event, Event::PollTimedOut { consumer: A, .. }));
    let left = world.until("A to leave", |event| matches!(event, Event::MemberLeft { consumer: A, .. }));
    assert_eq!(left.since(late), Span::from_millis(4));
    world.until("A to notice", |event| {
        matches!(event, Event::PartitionsLost { consumer: A, error: ErrorCode::UnknownMemberId, .. })
    });
    world.until("A to be back", |event| {
        matches!(event, Event::GroupEpochBumped { consumer: A, reason: EpochReason::MemberJoins, .. })
    });
    let member = |run: &Simulation| run.member_id(MemberKey { consumer: A, incarnation: 1 }).map(str::to_owned);
    assert_eq!(member(&world.run).map(|id| id.len()), Some(22), "a UUID in Kafka's base64");
}

#[test]
fn a_fenced_commit_of_a_late_member_is_refused_and_repeated_by_the_new_owner() {
    let mut setup = modern(2, 2);
    setup.ends_at = at(400_000);
    let slow = std::rc::Rc::make_mut(&mut setup.consumers[0].config);
    (slow.handling.time, slow.settings.max_poll_interval) = (secs(30), secs(20));
    slow.handling.commit = setup::CommitPolicy::after_records(1);
    let mut world = World::new(setup);
    world.until("a refused commit", |event| {
        matches!(event, Event::CommitRejected { consumer: A, error: ErrorCode::UnknownMemberId, .. })
    });
    let repeated = |event: &Event| matches!(event, Event::RecordProcessed { fault: Fault::Survivor, .. });
    assert!(
        world.count(repeated) > 0 || {
            world.until("a repetition", repeated);
            true
        }
    );
}

/// Commits of A that are on their way while its epoch rises.
fn commits_across_an_epoch(is_4_3: bool) -> Setup {
    let mut setup = modern(6, 2);
    setup.brokers[0].latency = Span::from_millis(300);
    setup.cluster.release = if is_4_3 { (4, 3) } else { (4, 2) };
    setup.cluster.consumer_groups.assignment_interval = Span::ZERO;
    // B reads nothing that A has, so that A keeps everything and its epoch rises all the same.
    setup.topics.push(setup::TopicSetup { name: "other".into(), partitions: 1 });
    std::rc::Rc::make_mut(&mut setup.consumers[1].config).reads = setup::Reads::Subscribed([TopicId(1)].into());
    setup.configure(GROUP, |config| config.handling.commit = setup::CommitPolicy::after_records(1));
    setup
}

#[test]
fn a_commit_in_an_older_epoch_is_refused_before_4_3_and_the_member_goes_on() {
    let mut refused = 0;
    for seed in 0..30 {
        let run = ends_well(&Setup { seed, ..commits_across_an_epoch(false) });
        let stale = |event: &Event| {
            matches!(event, Event::CommitRejected { consumer: A, error: ErrorCode::StaleMemberEpoch, .. })
        };
        refused += steps(&run).filter(|step| stale(&step.event)).count();
        assert!(!steps(&run).any(|step| matches!(step.event, Event::PartitionsLost { .. })));
    }
    assert!(refused > 0);
}

#[test]
fn since_4_3_a_commit_in_an_older_epoch_is_taken_for_partitions_that_stayed() {
    for seed in 0..30 {
        let run = ends_well(&Setup { seed, ..commits_across_an_epoch(true) });
        assert!(!steps(&run).any(|step| matches!(step.event, Event::CommitRejected { .. })), "seed {seed}");
    }
}

/// A member that commits rarely gives up partitions in the middle: what it had processed of them is done again, unless it
/// commits first.
fn repeated_after_a_join(change: impl Fn(&mut setup::ConsumerConfig)) -> u32 {
    let mut setup = modern(6, 2);
    setup.configure(GROUP, |config| {
        config.handling.commit = setup::CommitPolicy::after_records(1_000);
        change(config);
    });
    let run = ends_well_once(&setup);
    run.ledger(GROUP).duplicates()
}

/// The same as [`ends_well`] for consumers that commit what they have polled.
#[track_caller]
fn ends_well_once(setup: &Setup) -> Simulation {
    check(setup, EARLIEST.iter().chain(SETTLED)).unwrap_or_else(|broken| panic!("{broken}"))
}

#[test]
fn what_is_not_committed_when_partitions_move_is_processed_again() {
    assert!(repeated_after_a_join(|_| {}) > 0);
}

#[test]
fn a_commit_in_the_callback_comes_before_the_partitions_go() {
    assert_eq!(repeated_after_a_join(|config| config.handling.commit.on_revoke = true), 0);
}

#[test]
fn auto_commit_comes_before_the_partitions_go() {
    assert_eq!(repeated_after_a_join(|config| config.settings.enable_auto_commit = true), 0);
}

#[test]
fn the_automatic_commit_before_partitions_go_is_sent_again_with_the_new_epoch() {
    let mut repeated = 0;
    for seed in 0..20 {
        let mut setup = Setup { seed, ..modern(6, 4) };
        setup.brokers[0].latency = Span::from_millis(400);
        setup.cluster.release = (4, 2);
        setup.cluster.consumer_groups.assignment_interval = Span::ZERO;
        setup.configure(GROUP, |config| {
            config.handling.commit = setup::CommitPolicy::after_records(1_000);
            config.settings.enable_auto_commit = true;
        });
        let run = ends_well_once(&setup);
        assert_eq!(run.ledger(GROUP).duplicates(), 0, "seed {seed}");
        repeated += steps(&run).filter(|step| matches!(step.event, Event::CommitRejected { .. })).count();
    }
    println!("{repeated} commits were sent again");
}

#[test]
fn the_assignor_is_the_one_that_most_members_ask_for() {
    let mut setup = modern(7, 3);
    for consumer in &mut setup.consumers[1..] {
        let remote_assignor = Some(ServerAssignor::Range);
        let config = std::rc::Rc::make_mut(&mut consumer.config);
        config.settings.group_protocol = GroupProtocol::Consumer { remote_assignor };
    }
    let run = ends_well(&setup);
    let assignors: Vec<ServerAssignor> = steps(&run)
        .filter_map(|step| match step.event {
            Event::TargetAssignmentComputed { assignor, .. } => Some(assignor),
            _ => None,
        })
        .collect();
    assert_eq!(assignors, [ServerAssignor::Uniform, ServerAssignor::Range, ServerAssignor::Range]);
}

/// The same with static members.
fn standing(partitions: u16, members: usize) -> Setup {
    let mut setup = modern(partitions, members);
    for consumer in &mut setup.consumers {
        consumer.instance_id = Some(format!("{}-place", consumer.name).into());
    }
    setup
}

#[test]
fn a_static_member_that_closes_and_comes_back_takes_its_partitions_again_and_nobody_notices() {
    let mut setup = standing(6, 2);
    setup.actions = vec![planned(30_000, Action::Close(B.into())), planned(40_000, Action::Start(B.into()))];
    let mut world = World::new(setup.clone());
    world.until("B to leave for a while", |event| {
        matches!(event, Event::StaticMemberLeft { consumer: B, partitions: 3, .. })
    });
    world.until("B in its place", |event| {
        matches!(event, Event::MemberReplaced { consumer: B, previous: B, generation: 3, keeps_assignment: true, .. })
    });
    world.until("its partitions", |event| {
        matches!(event, Event::AssignmentGiven { consumer: B, epoch: 3, partitions: 3, waiting: 0, .. })
    });
    let run = ends_well(&setup);
    assert_eq!(targets(&run).len(), 2, "one for A, one for A and B");
    assert_eq!(run.group(GROUP).generation, 3);
}

#[test]
fn a_static_member_that_does_not_come_back_is_removed_when_its_session_ends() {
    let mut setup = standing(6, 2);
    setup.actions = vec![planned(30_000, Action::Close(B.into()))];
    let mut world = World::new(setup.clone());
    let expired = world.until("B's session to end", |event| matches!(event, Event::SessionExpired { consumer: B, .. }));
    assert!(expired >= at(70_000) && expired <= at(75_050), "{expired:?}");
    ends_well(&setup);
}

#[test]
fn a_static_member_is_refused_while_the_one_before_has_not_left() {
    let mut setup = standing(6, 2);
    setup.actions = vec![
        planned(30_000, Action::Crash(B.into())),
        planned(32_000, Action::Start(B.into())),
        planned(90_000, Action::Start(B.into())),
    ];
    let mut world = World::new(setup.clone());
    let failed = world.until("B to be refused", |event| {
        matches!(event, Event::ConsumerFailed { consumer: B, error: ErrorCode::UnreleasedInstanceId, .. })
    });
    assert!(failed >= at(32_000) && failed < at(33_000), "{failed:?}");
    world.until("the ghost's end", |event| matches!(event, Event::SessionExpired { consumer: B, .. }));
    world.until("B to be let in", |event| {
        matches!(event, Event::GroupEpochBumped { consumer: B, reason: EpochReason::MemberJoins, .. })
    });
    ends_well(&setup);
}

#[test]
fn the_last_member_leaves_an_empty_group_that_goes_on_where_it_committed() {
    let mut setup = modern(2, 1);
    setup.actions = vec![planned(20_000, Action::Close(A.into())), planned(30_000, Action::Start(A.into()))];
    let mut world = World::new(setup.clone());
    world.until("the end", |event| matches!(event, Event::GroupEpochBumped { members: 0, .. }));
    assert_eq!(world.run.group(GROUP).state, GroupState::Empty);
    ends_well(&setup);
}

#[test]
fn a_close_before_the_answer_to_the_first_heartbeat_leaves_nothing_behind() {
    let mut setup = modern(2, 1);
    setup.actions = vec![planned(5, Action::Close(A.into())), planned(5_000, Action::Start(A.into()))];
    ends_well(&setup);
}

#[test]
fn thirty_idle_days_are_a_few_steps() {
    let mut setup = modern(3, 3);
    setup.ends_at = Time::ZERO + setup::bounds::DURATION;
    let mut run = Simulation::new(setup);
    while let Progress::Step(_) = run.step() {}
    assert!(run.has_ended() && run.steps() < 2_500, "{} steps", run.steps());
}

fn answer_to(consumer: ConsumerId, api: target::Api) -> target::MessageRef {
    let kind = target::MessageKind { api, is_answer: true };
    target::MessageRef { kind, client: target::ClientId::Consumer(consumer), nth: 0 }
}

/// A joins and works, then B; the answer to the first heartbeat of `of` from `from` on is lost.
fn loses_an_answer(of: ConsumerId, from: u64) -> World {
    let mut setup = modern(2, 2);
    setup.ends_at = at(200_000);
    setup.actions = vec![planned(from, Action::Drop(answer_to(of, target::Api::ConsumerGroupHeartbeat)))];
    let mut world = World::new(setup);
    world.until("the loss", |event| matches!(event, Event::MessageDropped { .. }));
    world
}

#[test]
fn partitions_to_give_up_are_told_again_where_the_answer_was_lost() {
    let mut world = loses_an_answer(A, 10_004);
    assert!(steps(&world.run).any(|step| matches!(step.event, Event::RevocationRequested { consumer: A, .. })));
    world.until("A to ask again", |event| matches!(event, Event::RequestTimedOut { consumer: A, .. }));
    let asked = world.run.now();
    let revoked = world.until("A to give up", |event| matches!(event, Event::ReconciliationRevoked { .. }));
    assert!(revoked.since(asked) <= Span::from_millis(10), "{revoked:?}");
    let assigned = world
        .until("B's part", |event| matches!(event, Event::ReconciliationAssigned { consumer: B, partitions: 1, .. }));
    assert!(assigned.since(asked) <= secs(6), "with its next heartbeat, not at {assigned:?}");
    world.finish();
    assert_eq!((world.run.ledger(GROUP).processed, world.run.group(GROUP).state), (60, GroupState::Stable));
}

#[test]
fn partitions_to_take_over_are_told_again_where_the_answer_was_lost() {
    let mut world = loses_an_answer(B, 15_000);
    assert!(steps(&world.run).any(|step| matches!(step.event, Event::AssignmentGiven { consumer: B, .. })));
    world.until("B to ask again", |event| matches!(event, Event::RequestTimedOut { consumer: B, .. }));
    let asked = world.run.now();
    let assigned = world.until("B's part", |event| matches!(event, Event::ReconciliationAssigned { consumer: B, .. }));
    assert!(assigned.since(asked) <= Span::from_millis(10), "{assigned:?}");
    world.finish();
    assert_eq!((world.run.ledger(GROUP).processed, world.run.group(GROUP).state), (60, GroupState::Stable));
}

#[test]
fn added_partitions_are_dealt_although_a_static_member_comes_back_before_the_next_heartbeat() {
    let mut setup = standing(2, 2);
    setup.actions =
        vec![planned(40_000, Action::AddPartitions { topic: TopicId(0), to: 4 }), planned(40_000, Action::Restart(A))];
    let run = ends_well(&setup);
    let bumps = |event: &Event| matches!(event, Event::GroupEpochBumped { reason: EpochReason::PartitionsAdded, .. });
    assert_eq!(steps(&run).filter(|step| bumps(&step.event)).count(), 1);
}

#[test]
fn a_topic_that_goes_with_its_last_member_is_no_news_of_partitions() {
    let mut setup = modern(2, 2);
    setup.topics.push(setup::TopicSetup { name: "second".into(), partitions: 1 });
    std::rc::Rc::make_mut(&mut setup.consumers[1].config).reads = setup::Reads::Subscribed([TopicId(1)].into());
    setup.topics.push(setup::TopicSetup { name: "third".into(), partitions: 1 });
    setup.actions = vec![
        planned(30_000, Action::Close(B.into())),
        planned(40_000, Action::AddPartitions { topic: TopicId(2), to: 2 }),
    ];
    let mut world = World::new(setup);
    world.finish();
    let bumps = |event: &Event| matches!(event, Event::GroupEpochBumped { reason: EpochReason::PartitionsAdded, .. });
    assert_eq!(world.count(bumps), 0, "{}", world.tail(40));
}

/// The reasons for which the group epoch rises from a moment on, each with the epoch.
fn bumps_from(run: &Simulation, from: Time) -> Vec<(EpochReason, Generation, u32)> {
    let bump = |step: &Step| match step.event {
        Event::GroupEpochBumped { reason, epoch, members, .. } if step.at >= from => Some((reason, epoch, members)),
        _ => None,
    };
    steps(run).filter_map(bump).collect()
}

#[test]
fn who_leaves_and_joins_in_one_moment_leaves_first() {
    let mut setup = modern(2, 1);
    setup.cluster.release = (4, 0);
    setup.actions = vec![planned(40_000, Action::Restart(A))];
    let run = ends_well(&setup);
    let expected = [(EpochReason::MemberLeft, 2, 0), (EpochReason::MemberJoins, 3, 1)];
    assert_eq!(bumps_from(&run, at(40_000)), expected);
}

#[test]
fn two_that_leave_in_one_moment_raise_the_epoch_twice() {
    let mut setup = modern(3, 3);
    setup.cluster.release = (4, 0);
    setup.actions = vec![planned(60_000, Action::Close(A.into())), planned(60_000, Action::Close(B.into()))];
    let run = ends_well(&setup);
    let expected = [(EpochReason::MemberLeft, 4, 2), (EpochReason::MemberLeft, 5, 1)];
    assert_eq!(bumps_from(&run, at(60_000)), expected);
}
