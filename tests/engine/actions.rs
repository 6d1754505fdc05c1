//! What can be done to a world: what it leads to, and where it is refused.

use crate::harness::{World, steps};
use crate::world::plain;
use logstep::explain::roots;
use logstep::history::History;
use logstep::sim::coordinator::GroupState;
use logstep::sim::event::{ErrorCode, Fault};
use logstep::sim::setup::{ConsumerSetup, GroupProtocol};
use logstep::sim::*;

const C1: ConsumerId = ConsumerId(0);
const C2: ConsumerId = ConsumerId(1);
const SHOP: ProducerId = ProducerId(0);
const GROUP: GroupId = GroupId(0);
const ORDERS: TopicId = TopicId(0);

fn p(number: u16) -> TopicPartition {
    TopicPartition { topic: ORDERS, number }
}

fn at(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

fn world(partitions: u16, members: usize) -> World {
    let mut setup = plain(partitions, members);
    setup.configure(GROUP, |config| config.settings.session_timeout = Span::from_secs(10));
    World::new(setup)
}

/// The same, at a moment when the members are at work.
fn busy(partitions: u16, members: usize) -> World {
    let mut world = world(partitions, members);
    world.until_time(at(20));
    world
}

fn refused(world: &World, action: Action) -> Refusal {
    world.run.can_apply(action).expect_err("it is not possible")
}

fn message(api: Api, is_answer: bool, of: impl Into<ClientId>) -> MessageRef {
    MessageRef { kind: MessageKind { api, is_answer }, client: of.into(), nth: 0 }
}

fn next_offset(world: &World, consumer: ConsumerId) -> Offset {
    world.run.consumer(consumer).client().expect("it runs").owned[0].next
}

#[test]
fn a_frozen_process_says_nothing_and_goes_on_where_it_was() {
    let mut world = busy(2, 2);
    world.act(Action::Freeze(C1));
    let processed = world.run.consumer(C1).processed;
    world.until_time(at(25));
    assert_eq!(world.run.consumer(C1).processed, processed);
    assert_eq!(refused(&world, Action::Freeze(C1)), Refusal::Frozen);
    assert_eq!(refused(&world, Action::Pause(C1, p(0))), Refusal::Frozen);
    assert_eq!(refused(&world, Action::Thaw(C2)), Refusal::NotFrozen);
    world.act(Action::Thaw(C1));
    world.finish();
    assert_eq!(world.count(|event| matches!(event, Event::SessionExpired { .. })), 0);
    let ledger = world.run.ledger(GROUP);
    assert_eq!((ledger.processed, ledger.duplicates(), world.run.lost(GROUP).total()), (60, 0, 0));
}

#[test]
fn a_process_that_stands_still_for_longer_than_its_session_is_a_zombie_until_it_hears_of_it() {
    let mut world = busy(2, 2);
    world.act(Action::Freeze(C1));
    let freeze = StepNo(world.run.steps() - 1);
    world.until("an expired session", |event| matches!(event, Event::SessionExpired { consumer: C1, .. }));
    let expired = *world.run.step_at(StepNo(world.run.steps() - 1)).unwrap();
    assert_eq!(expired.causes.with_role(Role::Silenced), Some(freeze));
    world.until("a new owner", |event| matches!(event, Event::PartitionsAssigned { consumer: C2, partitions: 2, .. }));
    world.until_time(world.run.now() + Span::from_secs(5));
    world.act(Action::Thaw(C1));
    world.until("lost partitions", |event| {
        matches!(event, Event::PartitionsLost { consumer: C1, error: ErrorCode::UnknownMemberId, .. })
    });
    world.finish();
    assert!(world.count(|event| matches!(event, Event::PartitionsAssigned { consumer: C1, .. })) > 1);
    let ledger = world.run.ledger(GROUP);
    assert_eq!((ledger.processed, world.run.lost(GROUP).total()), (60, 0));
}

#[test]
fn what_a_frozen_member_repeats_leads_back_to_the_freeze() {
    let mut setup = plain(1, 2);
    setup.configure(GROUP, |config| {
        config.settings.session_timeout = Span::from_secs(6);
        config.handling.time = Span::from_millis(900);
        config.handling.commit = setup::CommitPolicy::after_records(4);
    });
    let mut world = World::new(setup);
    world.until("work", |event| matches!(event, Event::RecordProcessed { offset: 5, .. }));
    let owner = world.run.ledger(GROUP).partitions[0].owner().unwrap().consumer;
    world.act(Action::Freeze(owner));
    let freeze = StepNo(world.run.steps() - 1);
    world.until(
        "the other's work",
        |event| matches!(event, Event::RecordProcessed { offset: 8, consumer, .. } if *consumer != owner),
    );
    world.act(Action::Thaw(owner));
    world.finish();
    let mut seen = 0;
    for number in (0..world.run.steps()).map(StepNo) {
        if let Event::RecordProcessed { times: 2.., .. } = world.run.step_at(number).unwrap().event {
            assert!(roots(&world.run, number).contains(&freeze), "{number:?}");
            seen += 1;
        }
    }
    assert!(seen > 1, "{seen}");
}

#[test]
fn killing_a_frozen_process_leaves_nothing_on_the_way_to_it() {
    let mut world = busy(2, 2);
    world.act(Action::Freeze(C1));
    world.until_time(at(24));
    world.act(Action::Crash(C1.into()));
    world.act(Action::Start(C1.into()));
    world.finish();
    assert_eq!(world.run.ledger(GROUP).processed, 60);
}

#[test]
fn a_restart_closes_in_order_and_starts_at_once() {
    let mut world = busy(2, 2);
    world.act(Action::Restart(C1));
    let closed = world.until("the end", |event| matches!(event, Event::ConsumerClosed { consumer: C1, .. }));
    let started =
        world.until("the start", |event| matches!(event, Event::ConsumerStarted { consumer: C1, incarnation: 2 }));
    assert_eq!(closed, started);
    world.act(Action::Close(C2.into()));
    world.finish();
    assert!(world.run.consumer(C2).client().is_none());
    world = busy(2, 2);
    world.act(Action::Crash(C2.into()));
    world.act(Action::Restart(C2));
    assert_eq!(world.run.consumer(C2).incarnation, 2);
}

#[test]
fn a_new_consumer_is_named_on_and_takes_its_part() {
    let mut world = busy(3, 2);
    world.act(Action::Join(GROUP));
    assert_eq!(&*world.run.consumer(ConsumerId(2)).name, "c3");
    world.finish();
    let owned: Vec<usize> = world.run.consumers().iter().map(|c| c.client().map_or(0, |c| c.owned.len())).collect();
    assert_eq!(owned, [1, 1, 1]);
    assert_eq!(world.run.ledger(GROUP).processed, 90);
}

#[test]
fn a_consumer_of_the_known_future_is_known_by_name_and_cannot_be_acted_on() {
    let mut history = History::new(World::new(plain(2, 1)).run);
    history.seek(400);
    history.act(Action::Join(GROUP)).unwrap();
    history.seek(u32::MAX);
    history.seek(10);
    let run = history.now();
    assert_eq!((run.consumers().len(), &*run.consumer(C2).name), (1, "c2"));
    for action in [Action::Start(C2.into()), Action::Crash(C2.into()), Action::Freeze(C2)] {
        assert_eq!(run.can_apply(action), Err(Refusal::NoSuchConsumer));
    }
    history.seek(u32::MAX);
    assert_eq!(history.now().consumers().len(), 2);
}

#[test]
fn what_the_script_cannot_do_is_a_step_that_says_why() {
    let mut setup = plain(1, 1);
    let reset = Action::ResetOffsets { group: GROUP, partition: None, to: ResetTo::Earliest };
    let sync = MessageRef { kind: MessageKind { api: Api::SyncGroup, is_answer: false }, client: C2.into(), nth: 0 };
    let after = When::After(Condition::Assigned(C1), Span::ZERO);
    setup.actions = vec![
        PlannedAction { when: When::At(at(20)), action: Action::Drop(sync) },
        PlannedAction { when: after, action: reset },
        PlannedAction { when: When::After(Condition::Ended, Span::ZERO), action: reset },
    ];
    setup.consumers.push(ConsumerSetup { starts_at: at(1_000), ..setup.consumers[0].clone() });
    let mut world = World::new(setup);
    world.finish();
    let refusals: Vec<(Event, Option<Event>)> = steps(&world.run)
        .filter(|step| matches!(step.event, Event::ActionRefused { .. }))
        .map(|step| {
            (step.event, step.causes.with_role(Role::Triggered).and_then(|by| world.run.step_at(by)).map(|by| by.event))
        })
        .collect();
    // Nothing of the last one: the run is over.
    let [(first, Some(Event::PartitionsAssigned { consumer: C1, .. })), (second, None)] = refusals[..] else {
        panic!("{refusals:?}");
    };
    let refusal = Refusal::GroupActive(GroupState::Stable);
    assert_eq!(first, Event::ActionRefused { action: 1, refusal });
    // A message that never came is given up when the run ends.
    assert_eq!(second, Event::ActionRefused { action: 0, refusal: Refusal::NothingInFlight });
    let last: Vec<&Event> = steps(&world.run).rev().take(2).map(|step| &step.event).collect();
    assert_eq!(last, [&Event::RunEnded {}, &second]);
}

#[test]
fn a_paused_partition_is_not_read_and_goes_on_behind_the_last_record() {
    let mut world = busy(2, 1);
    world.act(Action::Pause(C1, p(1)));
    assert_eq!(refused(&world, Action::Pause(C1, p(1))), Refusal::AlreadyPaused);
    assert_eq!(refused(&world, Action::Resume(C1, p(0))), Refusal::NotPaused);
    assert_eq!(refused(&world, Action::Pause(C1, p(7))), Refusal::NoSuchPartition);
    world.until_time(at(22));
    let offsets = |world: &World| -> Vec<Offset> {
        world.run.consumer(C1).client().unwrap().owned.iter().map(|owned| owned.next).collect()
    };
    let before = offsets(&world);
    world.until_time(at(30));
    let after = offsets(&world);
    assert!(after[0] > before[0] + 5 && after[1] == before[1], "{before:?} {after:?}");
    world.act(Action::Resume(C1, p(1)));
    world.finish();
    assert_eq!(world.run.ledger(GROUP).processed, 60);
    assert_eq!(world.run.ledger(GROUP).duplicates(), 0);
}

#[test]
fn seeking_back_repeats_records_on_purpose_and_seeking_on_skips_them() {
    let mut world = world(1, 1);
    world.until_time(at(60));
    assert_eq!(next_offset(&world, C1), 30);
    assert_eq!(refused(&world, Action::Seek { consumer: C1, partition: p(0), to: 31 }), Refusal::NoSuchOffset);
    world.act(Action::Seek { consumer: C1, partition: p(0), to: 25 });
    let sought = StepNo(world.run.steps() - 1);
    world.until("a repetition", |event| matches!(event, Event::RecordProcessed { offset: 25, times: 2, .. }));
    let repetition = StepNo(world.run.steps() - 1);
    assert!(roots(&world.run, repetition).contains(&sought));
    world.finish();
    let ledger = world.run.ledger(GROUP);
    assert_eq!((ledger.duplicates_of_rewinds, ledger.duplicates()), (5, 5));

    let mut setup = plain(1, 1);
    setup.configure(GROUP, |config| config.handling.commit = setup::CommitPolicy::after_records(1));
    let mut world = World::new(setup);
    world.until_time(at(20));
    world.act(Action::Pause(C1, p(0)));
    world.until_time(at(60));
    let next = next_offset(&world, C1);
    world.act(Action::Seek { consumer: C1, partition: p(0), to: 28 });
    world.act(Action::Resume(C1, p(0)));
    world.finish();
    assert_eq!(world.run.ledger(GROUP).processed, next + 2);
    assert_eq!(world.run.lost(GROUP).skipped_by_reset, 28 - next);
}

#[test]
fn offsets_are_reset_only_without_members() {
    let mut world = busy(2, 1);
    let reset = |to| Action::ResetOffsets { group: GROUP, partition: None, to };
    assert_eq!(refused(&world, reset(ResetTo::Earliest)), Refusal::GroupActive(GroupState::Stable));
    world.act(Action::Close(C1.into()));
    world.until_time(at(60));
    let committed = |world: &World| -> Vec<Offset> {
        let partitions = world.run.partitions_of_group(GROUP);
        partitions.map(|of| world.run.group(GROUP).committed(of).map_or(99, |c| c.offset)).collect()
    };
    let before = committed(&world);
    let check = |world: &mut World, to, expected: [Offset; 2]| {
        world.act(reset(to));
        world.run.step();
        assert_eq!(committed(world), expected);
    };
    check(&mut world, ResetTo::ShiftBy(-3), [before[0] - 3, before[1] - 3]);
    check(&mut world, ResetTo::ShiftBy(-1000), [0, 0]);
    check(&mut world, ResetTo::Offset(4), [4, 4]);
    check(&mut world, ResetTo::Latest, [30, 30]);
    assert_eq!(world.run.lost(GROUP).skipped_by_reset, 60 - world.run.ledger(GROUP).processed);
    check(&mut world, ResetTo::Earliest, [0, 0]);
    assert_eq!(world.run.lost(GROUP).total(), 0);
    let processed = world.run.ledger(GROUP).processed;
    world.act(Action::Start(C1.into()));
    world.finish();
    let ledger = world.run.ledger(GROUP);
    assert_eq!((ledger.processed, ledger.duplicates()), (60, processed));
    assert_eq!(
        world.count(|event| matches!(event, Event::RecordProcessed { fault: Fault::Rewound, .. })),
        processed as usize
    );
}

#[test]
fn new_partitions_take_records_once_the_producer_knows_them_and_come_back_after_going_back_in_time() {
    let mut setup = plain(2, 1);
    setup.producers[0].settings.metadata_max_age = Span::from_secs(2);
    let mut history = History::new(World::new(setup).run);
    history.seek(400);
    assert_eq!(history.act(Action::AddPartitions { topic: ORDERS, to: 2 }), Err(Refusal::NotMorePartitions));
    assert_eq!(history.act(Action::AddPartitions { topic: ORDERS, to: 201 }), Err(Refusal::TooMany));
    history.act(Action::AddPartitions { topic: ORDERS, to: 8 }).unwrap();
    let produce = Action::Produce { producer: SHOP, key: None, value: ValueId(0), partition: Some(7) };
    // The producer does not know of them before it asks.
    assert_eq!(history.act(produce), Err(Refusal::NoSuchPartition));
    let learned = history.now().now() + Span::from_secs(2);
    while history.now().now() <= learned {
        history.seek(history.position() + 1);
    }
    history.act(produce).unwrap();
    history.seek(u32::MAX);
    let end = history.now().mark();
    assert_eq!(history.now().partition(PartitionId(7)).end, 1);
    history.seek(3);
    assert_eq!(history.now().partition_count(), 2);
    assert_eq!(history.now().can_apply(produce), Err(Refusal::NoSuchPartition));
    history.act(Action::AddPartitions { topic: ORDERS, to: 3 }).unwrap();
    history.seek(u32::MAX);
    assert_eq!(history.now().partition_count(), 3);
    history.switch(1);
    history.seek(5);
    history.seek(u32::MAX);
    assert!(history.now().mark() == end);
}

#[test]
fn a_crashed_producer_loses_its_buffer_and_sends_nothing_until_it_starts() {
    let mut setup = plain(1, 1);
    setup.producers[0].settings.batching.linger = Span::from_millis(500);
    let starts_at = Time::ZERO + Span::from_millis(18_500);
    setup.actions = vec![PlannedAction { when: When::At(starts_at), action: Action::Start(SHOP.into()) }];
    let mut world = World::new(setup);
    world.until("a record in the buffer", |event| matches!(event, Event::RecordSent { record: RecordId(9), .. }));
    let step = world.act(Action::Crash(SHOP.into()));
    assert!(matches!(step.event, Event::ProducerCrashed { unsent: 1, .. }), "{step:?}");
    assert_eq!(refused(&world, Action::Crash(SHOP.into())), Refusal::NotRunning);
    let produce = Action::Produce { producer: SHOP, key: Some(KeyId(0)), value: ValueId(0), partition: None };
    assert_eq!(refused(&world, produce), Refusal::NotRunning);
    world.until("its next start", |event| matches!(event, Event::ProducerStarted { .. }));
    assert_eq!(world.run.records(), 10);
    world.finish();
    // The four of its downtime were never handed to send(); the one in the buffer was, and is lost.
    assert_eq!((world.run.records(), world.run.partition(PartitionId(0)).end), (26, 25));
    assert_eq!(world.run.lost(GROUP).never_sent, 1);
}

#[test]
fn a_producer_that_closes_sends_what_it_has() {
    let mut setup = plain(1, 1);
    setup.producers[0].settings.batching.linger = Span::from_millis(500);
    let mut world = World::new(setup);
    world.until("a record in the buffer", |event| matches!(event, Event::RecordSent { record: RecordId(9), .. }));
    world.act(Action::Close(SHOP.into()));
    world.finish();
    assert_eq!((world.run.records(), world.run.partition(PartitionId(0)).end), (10, 10));
}

#[test]
fn a_record_by_hand_does_not_take_the_place_of_a_planned_one() {
    let mut world = busy(2, 1);
    let by_hand = |key, partition| Action::Produce { producer: SHOP, key, value: ValueId(0), partition };
    assert_eq!(refused(&world, by_hand(None, Some(2))), Refusal::NoSuchPartition);
    world.act(by_hand(Some(KeyId(0)), None));
    world.act(by_hand(Some(KeyId(0)), Some(1)));
    world.finish();
    assert_eq!((world.run.records(), world.run.ledger(GROUP).processed), (62, 62));
    assert_eq!((world.run.partition(PartitionId(0)).end, world.run.partition(PartitionId(1)).end), (31, 31));
}

#[test]
fn nothing_overtakes_on_a_connection_and_the_coordinator_has_one_of_its_own() {
    let mut setup = plain(1, 1);
    setup.configure(GROUP, |config| config.handling.commit = setup::CommitPolicy::after_records(1));
    let mut world = World::new(setup);
    world.until_time(at(20));
    world.until("a heartbeat", |event| matches!(event, Event::HeartbeatSent { .. }));
    world.act(Action::Delay { message: message(Api::Heartbeat, false, C1), by: Span::from_secs(2) });
    let heartbeat = world.run.now() + Span::from_secs(2) + Span::from_millis(4);
    world.until("a commit", |event| matches!(event, Event::OffsetCommitSent { .. }));
    assert!(world.run.now() < heartbeat);
    let fetched = world.count(|event| matches!(event, Event::RecordsFetched { .. }));
    let arrived = world.until("its arrival", |event| matches!(event, Event::HeartbeatReceived { .. }));
    assert_eq!(arrived, heartbeat);
    let committed = world.until("its commit", |event| matches!(event, Event::OffsetCommitted { .. }));
    assert_eq!(committed, heartbeat);
    assert!(world.count(|event| matches!(event, Event::RecordsFetched { .. })) > fetched);
}

#[test]
fn a_lost_commit_is_sent_again_after_the_request_timeout_and_given_up_after_two() {
    let mut world = busy(1, 1);
    world.until("a commit", |event| matches!(event, Event::OffsetCommitSent { .. }));
    let sent = world.run.now();
    world.act(Action::Drop(message(Api::OffsetCommit, false, C1)));
    assert_eq!(refused(&world, Action::Drop(message(Api::OffsetCommit, false, C1))), Refusal::NothingInFlight);
    let again = world.until("the time-out", |event| matches!(event, Event::RequestTimedOut { .. }));
    assert_eq!(again.since(sent), Span::from_secs(30));
    world.act(Action::Drop(message(Api::OffsetCommit, false, C1)));
    let gives_up = world.until("the end of commitSync()", |event| {
        matches!(event, Event::CommitAnswered { error: ErrorCode::RequestTimedOut, .. })
    });
    assert_eq!(gives_up.since(sent), Span::from_secs(60));
    world.finish();
    let ledger = world.run.ledger(GROUP);
    assert_eq!((ledger.processed, ledger.duplicates()), (30, 0));
}

#[test]
fn every_request_and_answer_of_a_consumer_may_be_lost_once() {
    for api in Api::ALL.into_iter().filter(|api| *api != Api::Produce) {
        for is_answer in [false, true] {
            let mut setup = plain(2, 2);
            setup.ends_at = at(1_000);
            setup.configure(GROUP, |config| config.settings.max_poll_interval = Span::from_secs(100));
            if api == Api::ConsumerGroupHeartbeat {
                let protocol = setup::GroupProtocol::Consumer { remote_assignor: None };
                setup.configure(GROUP, |config| config.settings.group_protocol = protocol);
            }
            let lost = Action::Drop(message(api, is_answer, C1));
            setup.actions = vec![PlannedAction { when: When::At(Time::ZERO), action: lost }];
            let mut world = World::new(setup);
            world.finish();
            let dropped = world.count(|event| matches!(event, Event::MessageDropped { .. }));
            assert_eq!(dropped, usize::from(api != Api::LeaveGroup), "{api:?} {is_answer}");
            let state = world.run.group(GROUP).state;
            let ledger = world.run.ledger(GROUP);
            assert_eq!((ledger.processed, state), (60, GroupState::Stable), "{api:?} {is_answer}\n{}", world.tail(40));
        }
    }
}

#[test]
fn a_lost_join_is_asked_for_again_five_seconds_after_the_rebalance_timeout() {
    let mut setup = plain(1, 1);
    setup.ends_at = at(400);
    setup.actions =
        vec![PlannedAction { when: When::At(Time::ZERO), action: Action::Drop(message(Api::JoinGroup, true, C1)) }];
    let mut world = World::new(setup);
    let at_last =
        world.until("the time-out", |event| matches!(event, Event::RequestTimedOut { api: Api::JoinGroup, .. }));
    assert_eq!(at_last, at(305));
}

#[test]
fn an_answer_that_comes_after_the_request_timeout_reaches_nobody() {
    let mut world = busy(1, 1);
    world.until("a commit", |event| matches!(event, Event::OffsetCommitSent { .. }));
    world.act(Action::Delay { message: message(Api::OffsetCommit, false, C1), by: Span::from_secs(40) });
    world.until("the time-out", |event| matches!(event, Event::RequestTimedOut { .. }));
    world.until("one commit", |event| matches!(event, Event::OffsetCommitted { .. }));
    world.finish();
    let sent = world.count(|event| matches!(event, Event::OffsetCommitSent { .. }));
    let timed_out = world.count(|event| matches!(event, Event::RequestTimedOut { .. }));
    let answered = world.count(|event| matches!(event, Event::CommitAnswered { .. }));
    assert_eq!((timed_out, answered), (1, sent));
    assert_eq!(world.run.ledger(GROUP).processed, 30);
}

#[test]
fn a_produce_request_may_be_late_but_not_lost() {
    let mut world = world(1, 1);
    world.until("a batch", |event| matches!(event, Event::ProduceSent { .. }));
    assert_eq!(refused(&world, Action::Drop(message(Api::Produce, false, SHOP))), Refusal::ProducerRetries);
    let by = Span::from_secs(3);
    world.act(Action::Delay { message: message(Api::Produce, false, SHOP), by });
    let sent = world.run.now();
    let appended = world.until("its record", |event| matches!(event, Event::RecordAppended { .. }));
    assert_eq!(appended.since(sent), by + Span::from_millis(4));
    world.finish();
    assert_eq!(world.run.ledger(GROUP).out_of_order, 0);
}

#[test]
fn what_is_ours_changes_at_once_and_a_clients_setting_at_its_next_start() {
    let mut world = busy(1, 1);
    let time = Span::from_millis(700);
    world.act(Action::Set(Change::HandlingTime { consumer: C1, of: HandlingOf::Every, time }));
    let started = world.until("a record in hand", |event| matches!(event, Event::HandlingStarted { .. }));
    let done = world.until("its end", |event| matches!(event, Event::RecordProcessed { .. }));
    assert_eq!(done.since(started), time);

    let setting = ConsumerSetting::SessionTimeout(Span::from_secs(6));
    world.act(Action::Set(Change::Setting { consumer: C1, setting }));
    assert_eq!(world.run.consumer(C1).config().settings.session_timeout, Span::from_secs(10));
    let too_short = ConsumerSetting::SessionTimeout(Span::from_secs(3));
    assert_eq!(refused(&world, Action::Set(Change::Setting { consumer: C1, setting: too_short })), Refusal::BadValue);
    world.act(Action::Restart(C1));
    world.until("the start", |event| matches!(event, Event::ConsumerStarted { .. }));
    let config = world.run.consumer(C1).config();
    assert_eq!((config.settings.session_timeout, config.handling.time), (Span::from_secs(6), time));
}

#[test]
fn what_has_arrived_at_a_process_that_stands_still_is_no_longer_on_its_way() {
    let mut world = busy(1, 1);
    world.until("a heartbeat", |event| matches!(event, Event::HeartbeatReceived { .. }));
    let kind = MessageKind { api: Api::Heartbeat, is_answer: true };
    let answer = MessageRef { kind, client: C1.into(), nth: 0 };
    assert_eq!(world.run.can_apply(Action::Drop(answer)), Ok(()));
    world.act(Action::Freeze(C1));
    world.until_time(world.run.now() + Span::from_secs(1));
    for action in [Action::Drop(answer), Action::Delay { message: answer, by: Span::from_secs(1) }] {
        assert_eq!(refused(&world, action), Refusal::NothingInFlight);
    }
    world.act(Action::Thaw(C1));
    world.until("the answer", |event| matches!(event, Event::HeartbeatAnswered { consumer: C1, .. }));
    world.finish();
    assert_eq!(world.run.ledger(GROUP).processed, 30);
}

#[test]
fn a_session_that_expires_behind_a_late_message_leads_back_to_it() {
    for protocol in [GroupProtocol::Classic, GroupProtocol::Consumer { remote_assignor: None }] {
        let mut setup = plain(1, 1);
        let api = match protocol {
            GroupProtocol::Classic => Api::Heartbeat,
            GroupProtocol::Consumer { .. } => Api::ConsumerGroupHeartbeat,
        };
        setup.configure(GROUP, |config| config.settings.group_protocol = protocol);
        // In the consumer protocol there is no next heartbeat before the answer; in the other one it waits behind the late one.
        let kind = MessageKind { api, is_answer: api == Api::ConsumerGroupHeartbeat };
        let message = MessageRef { kind, client: C1.into(), nth: 0 };
        let action = Action::Delay { message, by: Span::from_secs(100) };
        setup.actions = vec![PlannedAction { when: When::At(at(20)), action }];
        let mut world = World::new(setup);
        world.until("the end of a session", |event| matches!(event, Event::SessionExpired { .. }));
        let expired = world.run.step_at(StepNo(world.run.steps() - 1)).unwrap();
        let silenced =
            expired.causes.with_role(Role::Silenced).and_then(|step| world.run.step_at(step)).map(|step| step.event);
        assert!(matches!(silenced, Some(Event::MessageDelayed { .. })), "{protocol:?} {silenced:?}");
    }
}

#[test]
fn a_nearer_broker_lets_nothing_overtake() {
    let mut setup = plain(1, 1);
    setup.brokers[0].latency = Span::from_millis(400);
    let mut world = World::new(setup);
    world.until("a batch", |event| matches!(event, Event::ProduceSent { .. }));
    let latency = Span::from_millis(1);
    let near = Change::Latency { broker: BrokerId(0), latency };
    world.act(Action::Set(near));
    assert_eq!(refused(&world, Action::Set(near)), Refusal::NoChange);
    world.finish();
    let ledger = world.run.ledger(GROUP);
    assert_eq!((ledger.processed, ledger.out_of_order), (30, 0));
}

#[test]
fn a_workload_goes_on_at_its_new_rate() {
    let mut setup = plain(1, 1);
    assert_eq!(
        World::new(setup.clone()).run.can_apply(Action::Set(Change::Rate { producer: SHOP, per_second: 5 })),
        Err(Refusal::NoRate)
    );
    setup.producers[0].source = setup::Source::Workload(setup::Workload {
        from: at(5),
        arrivals: producer::workload::Arrivals::PerSecond(2),
        null_weight: 0,
        value_bytes: (4, 4),
        records: 100,
        first_key: KeyId(0),
        cumulative_weights: vec![1],
        value: ValueId(0),
    });
    let mut world = World::new(setup);
    world.until("ten records", |event| matches!(event, Event::RecordSent { record: RecordId(9), .. }));
    world.act(Action::Set(Change::Rate { producer: SHOP, per_second: 10 }));
    let next = world.until("the next one", |event| matches!(event, Event::RecordSent { .. }));
    let after = world.until("the one after it", |event| matches!(event, Event::RecordSent { .. }));
    assert_eq!((next, after.since(next)), (at(10), Span::from_millis(100)));
    world.finish();
    assert_eq!(world.run.records(), 100);
}
