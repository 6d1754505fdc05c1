//! Commits, positions and partitions assigned by hand, as the Java client does it.

use crate::harness::{World, check, steps};
use crate::random::cases;
use crate::world::{Kind, plain, worlds};
use logstep::sim::event::{CommitCall, ErrorCode, Exception, PositionSource};
use logstep::sim::property::{EARLIEST, SETTLED};
use logstep::sim::setup::*;
use logstep::sim::*;
use proptest::prelude::*;
use std::rc::Rc;

const GROUP: GroupId = GroupId(0);
const C1: ConsumerId = ConsumerId(0);
const C2: ConsumerId = ConsumerId(1);
const P0: PartitionId = PartitionId(0);
const ORDERS_0: TopicPartition = TopicPartition { topic: TopicId(0), number: 0 };

fn secs(secs: u64) -> Span {
    Span::from_secs(secs)
}

fn at(millis: u64) -> Time {
    Time::from_micros(millis * 1000)
}

fn planned(millis: u64, action: Action) -> PlannedAction {
    PlannedAction { when: action::When::At(at(millis)), action }
}

fn finished(setup: &Setup) -> Simulation {
    let mut run = Simulation::new(setup.clone());
    while let Progress::Step(_) = run.step() {}
    run
}

/// What `plain` sets up, with another policy; auto commit every 5 s, or off.
fn committing(members: usize, policy: CommitPolicy, auto_commit: bool) -> Setup {
    let mut setup = plain(2, members);
    setup.configure(GROUP, |config| {
        config.handling.commit = policy;
        config.settings.enable_auto_commit = auto_commit;
    });
    setup
}

const NEVER: CommitPolicy = CommitPolicy { when: CommitWhen::Never, ..CommitPolicy::after_records(1) };

fn calls(run: &Simulation) -> Vec<(Time, CommitCall)> {
    let call = |step: &Step| match step.event {
        Event::OffsetCommitSent { call, .. } => Some((step.at, call)),
        _ => None,
    };
    steps(run).filter_map(call).collect()
}

#[test]
fn auto_commit_waits_for_its_interval_and_is_silent_where_nothing_changes() {
    let run = finished(&committing(1, NEVER, true));
    let calls = calls(&run);
    assert!(calls.iter().all(|&(_, call)| call == CommitCall::AutoInterval));
    assert!(calls.windows(2).all(|pair| pair[1].0.since(pair[0].0) >= secs(5)), "{calls:?}");
    // The first one commits where it begins; then one each 5 s for the half minute in which records come.
    assert!((7..=8).contains(&calls.len()), "{calls:?}");
    assert_eq!(run.group(GROUP).committed(P0).map(|committed| committed.offset), Some(30));
}

#[test]
fn auto_commit_before_joining_again_leaves_nothing_to_repeat() {
    for (policy, auto) in [(NEVER, true), (CommitPolicy { on_revoke: true, ..CommitPolicy::after_records(7) }, false)] {
        let mut setup = committing(2, policy, auto);
        setup.consumers[1].starts_at = at(20_000);
        let run = finished(&setup);
        let ledger = run.ledger(GROUP);
        assert_eq!((ledger.rebalances, ledger.duplicates(), ledger.processed), (1, 0, 60));
        let call = if auto { CommitCall::AutoRejoin } else { CommitCall::OnRevoke };
        assert!(calls(&run).iter().any(|&(_, of)| of == call));
        // The commit is answered before the partitions are given up, and that comes before the JoinGroup.
        let order: Vec<&str> = steps(&run)
            .skip_while(|step| !matches!(step.event, Event::OffsetCommitSent { call: of, .. } if of == call))
            .filter(|step| step.event.consumer() == Some(C1))
            .map(|step| step.event.name())
            .filter(|name| ["OffsetCommitSent", "CommitAnswered", "PartitionsRevoked", "JoinGroupSent"].contains(name))
            .take(4)
            .collect();
        assert_eq!(order, ["OffsetCommitSent", "CommitAnswered", "PartitionsRevoked", "JoinGroupSent"]);
    }
}

#[test]
fn close_commits_only_if_it_is_told_to() {
    let duplicates = |policy: CommitPolicy, auto: bool| {
        let mut setup = committing(1, policy, auto);
        setup.actions = vec![planned(22_250, Action::Close(C1.into())), planned(30_000, Action::Start(C1.into()))];
        let run = finished(&setup);
        assert_eq!(run.lost(GROUP).total(), 0);
        assert_eq!(run.ledger(GROUP).processed, 60);
        run.ledger(GROUP).duplicates()
    };
    let plain = CommitPolicy::after_records(50);
    assert!(duplicates(plain, false) > 0);
    assert_eq!(duplicates(CommitPolicy { on_close: true, ..plain }, false), 0);
    assert_eq!(duplicates(CommitPolicy { on_revoke: true, ..plain }, false), 0, "close() calls the listener");
    assert_eq!(duplicates(NEVER, true), 0);
}

#[test]
fn commit_async_does_not_hold_the_application_up() {
    let busy = |how: CommitHow| {
        let mut setup = committing(1, CommitPolicy { how, ..CommitPolicy::after_records(1) }, false);
        setup.brokers[0].latency = Span::from_millis(400);
        let run = finished(&setup);
        assert_eq!(run.ledger(GROUP).processed, 60);
        let last = steps(&run).rfind(|step| matches!(step.event, Event::RecordProcessed { .. })).expect("a record").at;
        (last, steps(&run).filter(|step| matches!(step.event, Event::CommitAnswered { .. })).count())
    };
    let ((sync, _), (without_waiting, answers)) = (busy(CommitHow::Sync), busy(CommitHow::Async));
    assert!(without_waiting + secs(10) < sync, "{without_waiting:?} {sync:?}");
    assert!(answers > 20, "{answers} callbacks are called, each in a later poll()");
}

#[test]
fn a_commit_that_failed_is_not_repeated_by_itself_and_its_offsets_count_as_uncommitted() {
    let mut setup = committing(2, CommitPolicy { how: CommitHow::Async, ..CommitPolicy::after_records(1) }, false);
    setup.configure(GROUP, |config| config.settings.max_poll_interval = secs(2));
    setup.configure(GROUP, |config| config.handling.time = Span::from_millis(1_200));
    let run = finished(&setup);
    let failed: Vec<CommitCall> = steps(&run)
        .filter_map(|step| match step.event {
            Event::CommitFailed { call, .. } => Some(call),
            _ => None,
        })
        .collect();
    assert!(!failed.is_empty() && failed.iter().all(|&call| call == CommitCall::Async), "{failed:?}");
}

#[test]
fn a_call_without_arguments_names_every_partition_and_is_stored_though_nothing_changes() {
    let mut setup = plain(2, 2);
    setup.consumers[1].starts_at = Time::ZERO + secs(60);
    setup.configure(GROUP, |config| {
        config.handling.commit =
            CommitPolicy { when: CommitWhen::AfterBatch, on_revoke: true, ..config.handling.commit };
    });
    let run = finished(&setup);
    let sent = steps(&run).filter_map(|step| match step.event {
        Event::OffsetCommitSent { partitions, call, .. } => Some((step.at, call, partitions)),
        _ => None,
    });
    let sent: Vec<_> = sent.collect();
    // While it is alone, each batch is of one partition, and each commit names both.
    let alone = sent.iter().filter(|&&(at, call, _)| call == CommitCall::Sync && at < Time::ZERO + secs(60));
    assert!(alone.clone().count() > 10 && alone.clone().all(|&(_, _, named)| named == 2), "{sent:?}");
    // All records are long since committed when the second member comes.
    let revoked: Vec<_> = sent.iter().filter(|(_, call, _)| *call == CommitCall::OnRevoke).collect();
    assert!(!revoked.is_empty() && revoked.iter().all(|&&(at, _, _)| at > Time::ZERO + secs(60)), "{sent:?}");
    let repeated = steps(&run).find(|step| matches!(step.event, Event::CommitRepeated { partitions: 2, .. }));
    assert!(repeated.is_some_and(|step| step.at >= revoked[0].0), "{repeated:?}");
}

#[test]
fn a_commit_takes_back_what_somebody_else_has_set_where_its_own_position_is_as_before() {
    let mut setup = committing(1, CommitPolicy { when: CommitWhen::AfterBatch, ..NEVER }, false);
    let all: Rc<[TopicPartition]> = (0..2).map(|number| TopicPartition { number, ..ORDERS_0 }).collect();
    // Who assigns by hand is no member, so that the tool does its work.
    setup.configure(GROUP, |config| config.reads = Reads::Assigned(all.clone()));
    let reset = Action::ResetOffsets { group: GROUP, partition: Some(ORDERS_0), to: ResetTo::Earliest };
    let produce = Action::Produce { producer: ProducerId(0), key: None, value: ValueId(0), partition: Some(1) };
    setup.actions = vec![planned(60_000, reset), planned(70_000, produce)];
    let run = finished(&setup);
    let late = steps(&run).filter(|step| step.at >= at(60_000));
    let committed: Vec<Offset> = late
        .filter_map(|step| match step.event {
            Event::OffsetReset { partition: P0, offset, .. } | Event::OffsetCommitted { partition: P0, offset, .. } => {
                Some(offset)
            }
            _ => None,
        })
        .collect();
    assert_eq!(committed, [0, 30]);
}

proptest! {
    #![proptest_config(cases(module_path!(), 2))]

    /// Whatever is done to the consumers, and however late they are.
    #[test]
    fn who_commits_before_processing_processes_nothing_twice(mut setup in worlds(Kind::Any)) {
        // Who asks for a record again gets it again, and who is told to commit afterwards does so.
        let goes_back = |action| matches!(action, Action::Seek { .. } | Action::ResetOffsets { .. });
        let commits_late = |action| matches!(action, Action::Set(Change::Commit { .. }));
        setup.actions.retain(|planned| !goes_back(planned.action) && !commits_late(planned.action));
        for group in 0..setup.groups.len() {
            setup.configure(GroupId::at(group), |config| {
                config.handling.commit.when = CommitWhen::BeforeBatch;
                config.handling.commit.how = CommitHow::Sync;
                config.settings.enable_auto_commit = false;
                config.settings.auto_offset_reset = OffsetReset::Earliest;
            });
        }
        let run = finished(&setup);
        for group in 0..setup.groups.len() {
            prop_assert_eq!(run.ledger(GroupId::at(group)).duplicates(), 0);
        }
    }

    /// Partitions by hand: nothing of the group's doing is in the way, and each reads all.
    #[test]
    fn who_assigns_by_hand_reads_everything(mut setup in worlds(Kind::Sane)) {
        setup.actions.clear();
        let all: Rc<[TopicPartition]> = setup.topics.iter().enumerate().flat_map(|(topic, of)| {
            (0..of.partitions).map(move |number| TopicPartition { topic: TopicId::at(topic), number })
        }).collect();
        for group in 0..setup.groups.len() {
            setup.configure(GroupId::at(group), |config| config.reads = Reads::Assigned(all.clone()));
        }
        let run = check(&setup, EARLIEST).unwrap();
        for consumer in run.consumers() {
            let ledger = run.ledger(consumer.group);
            prop_assert_eq!(ledger.duplicates(), ledger.duplicates_of_sharing);
            // Who starts late begins where the others have committed.
            prop_assert_eq!(ledger.processed, run.records());
        }
    }
}

#[test]
fn random_worlds_settle_with_auto_commit_too() {
    let mut setup = committing(3, NEVER, true);
    setup.actions = vec![planned(12_000, Action::Crash(C2.into())), planned(25_000, Action::Start(C2.into()))];
    check(&setup, EARLIEST.iter().chain(SETTLED)).unwrap();
}

fn by_hand(setup: &mut Setup, consumer: usize) {
    Rc::make_mut(&mut setup.consumers[consumer].config).reads = Reads::Assigned([ORDERS_0].into());
}

#[test]
fn a_commit_by_hand_is_accepted_only_while_the_group_has_no_members() {
    let mut setup = committing(2, CommitPolicy::after_records(1), false);
    by_hand(&mut setup, 0);
    setup.consumers[1].starts_at = at(14_500);
    setup.actions = vec![planned(25_500, Action::Close(C2.into()))];
    let run = finished(&setup);
    let refused: Vec<Time> = steps(&run)
        .filter(|step| matches!(step.event, Event::CommitRejected { error: ErrorCode::UnknownMemberId, .. }))
        .map(|step| step.at)
        .collect();
    assert!(refused.iter().all(|&at_| at_ > at(14_500) && at_ < at(26_000)), "{refused:?}");
    assert!(refused.len() >= 10);
    // As soon as the group is empty again, the last commit wins.
    assert_eq!(run.group(GROUP).committed(P0).map(|committed| committed.offset), Some(30));
    assert_eq!(run.ledger(GROUP).partitions[P0.index()].first_undone(0), 30);
}

#[test]
fn without_a_reset_policy_poll_throws_and_the_consumer_closes() {
    let mut setup = committing(1, CommitPolicy::after_records(1), false);
    setup.configure(GROUP, |config| config.settings.auto_offset_reset = OffsetReset::None);
    let run = finished(&setup);
    let threw = |exception: Exception| move |step: &&Step| matches!(step.event, Event::PollThrew { exception: of, partitions: 2, .. } if of == exception);
    assert_eq!(steps(&run).filter(threw(Exception::NoOffsetForPartition)).count(), 1);
    assert!(steps(&run).any(|step| matches!(step.event, Event::MemberLeft { .. })), "close() leaves the group");
    assert_eq!(run.ledger(GROUP).processed, 0);
    // With an offset to go on from there is nothing to throw.
    setup.groups[0].committed = vec![(ORDERS_0, 0), (TopicPartition { number: 1, ..ORDERS_0 }, 0)];
    assert_eq!(finished(&setup).ledger(GROUP).processed, 60);
}

#[test]
fn a_committed_offset_behind_the_end_is_out_of_range_and_the_policy_decides() {
    let begin = |reset: OffsetReset| {
        let mut setup = committing(1, CommitPolicy::after_records(1), false);
        setup.configure(GROUP, |config| config.settings.auto_offset_reset = reset);
        setup.consumers[0].starts_at = at(20_000);
        setup.groups[0].committed = vec![(ORDERS_0, 25), (TopicPartition { number: 1, ..ORDERS_0 }, 0)];
        let run = finished(&setup);
        assert!(steps(&run).any(|step| {
            matches!(step.event, Event::OffsetOutOfRange { partition: P0, offset: 25, end: 15..=24, .. })
        }));
        let position = steps(&run).find_map(|step| match step.event {
            Event::PositionSet { partition: P0, offset, source, was_out_of_range: true, .. } => Some((offset, source)),
            _ => None,
        });
        (position, run.ledger(GROUP).processed)
    };
    assert_eq!(begin(OffsetReset::Earliest), (Some((0, PositionSource::Earliest)), 60));
    let (latest, processed) = begin(OffsetReset::Latest);
    assert!(matches!(latest, Some((15..=24, PositionSource::Latest))), "{latest:?}");
    assert!(processed < 60);
    assert_eq!(begin(OffsetReset::None), (None, 0));
}

#[test]
fn by_duration_begins_at_the_first_record_that_is_young_enough() {
    let mut setup = committing(1, CommitPolicy::after_records(1), false);
    setup.configure(GROUP, |config| config.settings.auto_offset_reset = OffsetReset::ByDuration(secs(10)));
    setup.consumers[0].starts_at = at(20_000);
    let run = finished(&setup);
    // Records come each second from 5 s on; at about 23 s it asks for the first one since 13 s.
    assert!(steps(&run).any(|step| {
        matches!(step.event, Event::PositionSet { partition: P0, offset: 9, source: PositionSource::ByDuration, .. })
    }));
    assert_eq!(run.lost(GROUP).skipped_by_reset, 18);
    // Where no record is young enough, it asks again after a while.
    setup.consumers[0].starts_at = at(60_000);
    let run = finished(&setup);
    assert!(steps(&run).filter(|step| matches!(step.event, Event::ListOffsetsSent { .. })).count() >= 3);
    assert_eq!(run.ledger(GROUP).processed, 0);
}

/// One hour of retention, looked at every ten minutes.
fn expiring(from: RetentionFrom) -> Setup {
    let mut setup = committing(1, CommitPolicy::after_records(1), false);
    setup.cluster.offsets = OffsetsSettings { retention: secs(3_600), check_interval: secs(600), from };
    setup.ends_at = at(4 * 3_600_000);
    setup
}

fn expired(run: &Simulation) -> Vec<(Time, Offset)> {
    let expired = |step: &Step| match step.event {
        Event::OffsetExpired { offset, .. } => Some((step.at, offset)),
        _ => None,
    };
    steps(run).filter_map(expired).collect()
}

#[test]
fn commits_of_an_empty_group_expire_and_the_policy_decides_afterwards() {
    let mut setup = expiring(RetentionFrom::Empty);
    assert_eq!(expired(&finished(&setup)), [], "the group has a member all the time");
    setup.actions = vec![planned(3_000_000, Action::Close(C1.into())), planned(9_000_000, Action::Start(C1.into()))];
    let run = finished(&setup);
    // It is empty from shortly after 3,000 s on. The check at 6,600 s comes a moment too early.
    assert_eq!(expired(&run), [(at(7_200_000), 30); 2]);
    assert_eq!(run.ledger(GROUP).duplicates(), 60, "earliest begins anew");
    // Up to Kafka 2.0 the commits themselves grow old, members or not.
    let old = finished(&expiring(RetentionFrom::Commit));
    assert!(expired(&old).iter().all(|&(expired_at, _)| expired_at == at(4_200_000)), "{:?}", expired(&old));
    assert_eq!(expired(&old).len(), 2);
}

#[test]
fn commits_of_a_topic_that_nobody_reads_expire_though_the_group_has_members() {
    let mut setup = expiring(RetentionFrom::Empty);
    setup.topics.push(TopicSetup { name: "old".into(), partitions: 1 });
    setup.groups[0].committed = vec![(TopicPartition { topic: TopicId(1), number: 0 }, 7)];
    let run = finished(&setup);
    assert_eq!(expired(&run), [(at(3_600_000), 7)]);
    assert!(run.group(GROUP).committed(P0).is_some());
}

#[test]
fn records_before_the_commits_that_a_run_begins_with_are_nobodys_loss() {
    let mut setup = committing(1, CommitPolicy::after_records(1), false);
    setup.consumers[0].starts_at = at(20_000);
    setup.groups[0].committed = vec![(ORDERS_0, 10)];
    let run = finished(&setup);
    assert_eq!((run.ledger(GROUP).processed, run.lost(GROUP).total()), (50, 0));
    assert!(steps(&run).any(|step| {
        matches!(step.event, Event::PositionSet { partition: P0, offset: 10, source: PositionSource::Committed, .. })
    }));
}

#[test]
fn the_whole_group_stands_still_while_an_eager_rebalance_waits() {
    let mut setup = committing(2, CommitPolicy::after_records(1), false);
    setup.actions = vec![planned(20_000, Action::Crash(C1.into())), planned(20_100, Action::Start(C1.into()))];
    let mut world = World::new(setup);
    world.until("a revocation", |event| matches!(event, Event::PartitionsRevoked { consumer: C2, .. }));
    let ledger = world.run.ledger(GROUP);
    assert_eq!(ledger.stopped(world.run.now()), Span::ZERO);
    let since = world.run.now();
    world.until("a position", |event| matches!(event, Event::PositionSet { .. }));
    // The ghost of the first c1 is waited for until its session expires.
    let stopped = world.run.ledger(GROUP).stopped(world.run.now());
    assert_eq!(stopped, world.run.now().since(since));
    assert!(stopped > secs(30), "{stopped:?}");
}

#[test]
fn lag_is_told_from_the_commit_and_from_the_position() {
    let mut setup = committing(1, CommitPolicy::after_records(100), false);
    setup.configure(GROUP, |config| config.handling.time = secs(1));
    let mut world = World::new(setup);
    world.until_time(at(30_000));
    let lag = world.run.lag(GROUP, P0);
    assert_eq!((lag.records, lag.uncommitted), (None, None), "nothing is committed");
    let (unread, end) = (lag.unread.expect("somebody reads"), world.run.partition(P0).end);
    assert!(unread < end);
    assert!(lag.unread_age.expect("something is unread") <= lag.oldest.expect("something is undone"));
}

#[test]
fn a_commit_that_is_old_enough_expires_as_soon_as_nobody_subscribes() {
    let mut setup = expiring(RetentionFrom::Empty);
    setup.configure(GROUP, |config| {
        config.settings.group_protocol = GroupProtocol::Consumer { remote_assignor: None };
    });
    // The last commit is of 35 s. At 4,200 s the coordinator looks, and there is a member that subscribes.
    setup.actions = vec![planned(5_000_000, Action::Close(C1.into()))];
    assert_eq!(expired(&finished(&setup)), [(at(5_400_000), 30); 2], "not an hour after the group is empty");
    // So it is in the classic protocol, for a topic that goes with its last member.
    let mut setup = expiring(RetentionFrom::Empty);
    setup.topics.push(TopicSetup { name: "old".into(), partitions: 1 });
    setup.groups[0].committed = vec![(TopicPartition { topic: TopicId(1), number: 0 }, 7)];
    let mut second = setup.consumers[0].clone();
    second.name = "c2".into();
    Rc::make_mut(&mut second.config).reads = Reads::Subscribed([TopicId(1)].into());
    setup.consumers.push(second);
    setup.actions = vec![planned(5_000_000, Action::Close(C2.into()))];
    assert_eq!(expired(&finished(&setup)), [(at(5_400_000), 7)]);
}

#[test]
fn what_a_member_reads_behind_a_consumer_that_assigns_by_hand_is_shared_too() {
    let mut setup = committing(2, CommitPolicy::after_records(1), false);
    by_hand(&mut setup, 0);
    let run = finished(&setup);
    let ledger = run.ledger(GROUP);
    let second = |step: &&Step| matches!(step.event, Event::RecordProcessed { consumer: C2, times: 2, .. });
    assert!(steps(&run).any(|step| second(&step)), "sometimes the member is the second");
    assert_eq!(ledger.duplicates(), ledger.duplicates_of_sharing);
}

/// One partition, ten records that arrive together and take so long each.
fn by_time(records: u32, time: Span, handling: Span) -> Setup {
    let mut setup = crate::world::at_once(10);
    setup.configure(GROUP, |config| {
        config.handling.time = handling;
        config.handling.commit.when = CommitWhen::RecordsOrTime { records, time };
    });
    setup
}

fn committed_offsets(run: &Simulation) -> Vec<Offset> {
    let stored = |step: &Step| match step.event {
        Event::OffsetCommitted { offset, .. } => Some(offset),
        _ => None,
    };
    steps(run).filter_map(stored).collect()
}

#[test]
fn who_commits_by_the_clock_commits_what_is_processed_once_the_time_is_over() {
    let run = finished(&by_time(CommitWhen::NO_COUNT, secs(3), secs(1)));
    let calls: Vec<Time> = calls(&run).into_iter().map(|(at, _)| at).collect();
    // Nothing has been committed since its start, so the first record makes the first commit.
    assert_eq!(committed_offsets(&run), [1, 4, 7, 10]);
    assert!(calls.windows(2).all(|two| (3_000..3_200).contains(&two[1].since(two[0]).as_millis())), "{calls:?}");
}

#[test]
fn what_is_left_is_committed_while_poll_waits() {
    let run = finished(&by_time(CommitWhen::NO_COUNT, secs(30), secs(1)));
    let calls = calls(&run);
    assert_eq!(committed_offsets(&run), [10]);
    assert_eq!(calls, [(at(30_000), CommitCall::Sync)], "it is woken for it, so long after its start");
}

#[test]
fn of_count_and_time_the_first_decides() {
    assert_eq!(committed_offsets(&finished(&by_time(4, secs(60), secs(1)))), [4, 8, 10]);
    assert_eq!(committed_offsets(&finished(&by_time(4, secs(2), secs(1)))), [1, 3, 5, 7, 9, 10]);
}

#[test]
fn a_member_that_joins_again_commits_by_the_clock_only_once_it_is_back() {
    let mut setup = by_time(CommitWhen::NO_COUNT, secs(4), secs(1));
    setup.consumers.push(ConsumerSetup { name: "c2".into(), starts_at: at(19_500), ..setup.consumers[0].clone() });
    setup.configure(GROUP, |config| config.settings.max_poll_records = 1);
    let run = finished(&setup);
    assert!(steps(&run).all(|step| !matches!(step.event, Event::CommitFailed { .. })));
    assert_eq!(run.lost(GROUP).total(), 0);
}

#[test]
fn a_commit_that_is_sent_again_late_takes_the_committed_offset_back() {
    let with = |how| {
        let mut setup = crate::world::at_once(20);
        setup.configure(GROUP, |config| {
            config.handling.time = secs(1);
            config.handling.commit = CommitPolicy { how, ..CommitPolicy::after_records(1) };
        });
        let kind = MessageKind { api: Api::OffsetCommit, is_answer: false };
        setup.actions = vec![
            planned(11_000, Action::Drop(MessageRef { kind, client: C1.into(), nth: 0 })),
            planned(50_000, Action::Restart(C1)),
        ];
        finished(&setup)
    };
    let (plain, retries) = (with(CommitHow::Async), with(CommitHow::AsyncRetry));
    let in_order: Vec<Offset> = (2..=20).collect();
    assert_eq!((committed_offsets(&plain), plain.ledger(GROUP).duplicates()), (in_order.clone(), 0));
    assert_eq!(committed_offsets(&retries)[..20], [in_order, vec![1]].concat());
    assert_eq!(retries.ledger(GROUP).duplicates(), 19, "all behind the old offset come again");
    let is_known = |step: &Step| matches!(step.event, Event::ConsumerClosed { uncommitted: 19, .. });
    assert!(steps(&retries).any(is_known), "the client knows what it has committed last");
    let again = calls(&retries).into_iter().filter(|&(_, call)| call == CommitCall::AsyncAgain);
    assert_eq!(again.count(), 1);
}
