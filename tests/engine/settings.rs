//! Settings that are changed while the world runs: what is ours at once, a client's at its next start, a broker's never.

use crate::harness::{World, steps};
use crate::world::plain;
use logstep::sim::assignor::{Assignor, AssignorList};
use logstep::sim::event::{CommitCall, ErrorCode, RowOutcome, SentBecause};
use logstep::sim::setup::{CommitPolicy, CommitWhen, PlannedRecord, ProducerSetup, Setup, Source};
use logstep::sim::*;

const C1: ConsumerId = ConsumerId(0);
const C2: ConsumerId = ConsumerId(1);
const SHOP: ProducerId = ProducerId(0);
const GROUP: GroupId = GroupId(0);
const TABLE: SinkId = SinkId(0);

fn at(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

/// At a moment when the members are at work.
fn busy(setup: Setup) -> World {
    let mut world = World::new(setup);
    world.until_time(at(20));
    world
}

fn refused(world: &World, change: Change) -> Refusal {
    world.run.can_apply(Action::Set(change)).expect_err("it is not possible")
}

fn commit(consumer: ConsumerId, when: CommitWhen) -> Change {
    Change::Commit { consumer, policy: CommitPolicy { when, ..CommitPolicy::after_records(1) } }
}

fn setting(setting: ConsumerSetting) -> Change {
    Change::Setting { consumer: C1, setting }
}

fn assignors(consumer: ConsumerId, assignors: &[Assignor]) -> Change {
    let list = AssignorList::new(assignors);
    Change::Setting { consumer, setting: ConsumerSetting::PartitionAssignmentStrategy(list) }
}

fn of_producer(setting: ProducerSetting) -> Change {
    Change::ProducerSetting { producer: SHOP, setting }
}

/// The kinds of event since a step that are wanted, in order.
fn since(world: &World, from: u32, wanted: &[&'static str]) -> Vec<&'static str> {
    let names = steps(&world.run).skip(from as usize).map(|step| step.event.name());
    names.filter(|name| wanted.contains(name)).collect()
}

#[test]
fn an_application_commits_in_its_new_way_from_its_next_record_on_and_after_a_restart() {
    let mut world = busy(plain(1, 1));
    let from = world.run.steps();
    world.act(Action::Set(commit(C1, CommitWhen::AfterRecords(1))));
    world.until_time(at(25));
    let said = since(&world, from, &["RecordProcessed", "OffsetCommitSent"]);
    assert!(said.len() >= 8, "{said:?}");
    assert!(said.chunks(2).all(|pair| pair == ["RecordProcessed", "OffsetCommitSent"]), "{said:?}");
    world.act(Action::Restart(C1));
    world.until("the start", |event| matches!(event, Event::ConsumerStarted { .. }));
    assert_eq!(world.run.consumer(C1).config().handling.commit.when, CommitWhen::AfterRecords(1));
    assert_eq!(refused(&world, commit(C1, CommitWhen::AfterRecords(1))), Refusal::NoChange);
    assert_eq!(refused(&world, commit(C1, CommitWhen::AfterRecords(0))), Refusal::BadValue);
}

/// An application thread that waits in `poll()` makes no call besides.
#[test]
fn another_way_to_commit_makes_no_commit_by_itself() {
    for when in [CommitWhen::AfterRecords(1), CommitWhen::AfterBatch, CommitWhen::BeforeBatch] {
        let mut setup = plain(1, 1);
        setup.configure(GROUP, |config| config.handling.commit = CommitPolicy::after_records(1_000));
        let mut world = busy(setup);
        assert!(world.run.consumer(C1).client().expect("it runs").uncommitted() > 3);
        world.act(Action::Set(commit(C1, when)));
        let next = world.until("its first commit", |event| matches!(event, Event::OffsetCommitSent { .. }));
        let before = steps(&world.run).rev().nth(1).expect("a step").event;
        match when {
            CommitWhen::BeforeBatch => assert!(matches!(before, Event::RecordsPolled { .. }), "{before:?}"),
            _ => assert!(matches!(before, Event::RecordProcessed { .. }), "{when:?} {before:?}"),
        }
        assert!(next.since(at(20)) < Span::from_secs(2));
    }
}

#[test]
fn a_batch_in_hand_is_not_taken_for_a_new_one() {
    let mut setup = plain(1, 1);
    setup.configure(GROUP, |config| {
        config.handling.time = Span::from_millis(3_000);
        config.handling.commit = CommitPolicy::after_records(1_000);
    });
    let mut world = busy(setup);
    world.until("a record of a batch", |event| matches!(event, Event::RecordProcessed { .. }));
    assert!(!world.run.consumer(C1).client().expect("it runs").batch.is_empty());
    world.act(Action::Set(commit(C1, CommitWhen::BeforeBatch)));
    world.until("a commit", |event| matches!(event, Event::OffsetCommitSent { .. }));
    assert!(matches!(steps(&world.run).rev().nth(1).expect("a step").event, Event::RecordsPolled { .. }));
}

#[test]
fn a_client_commits_by_itself_from_its_next_start_on_as_often_as_it_was_told() {
    let mut world = busy(plain(1, 1));
    // Kafka takes the interval, too, and looks at it only if it commits at all.
    world.act(Action::Set(setting(ConsumerSetting::AutoCommitInterval(Span::from_secs(2)))));
    world.act(Action::Set(setting(ConsumerSetting::EnableAutoCommit(true))));
    assert!(!world.run.consumer(C1).config().settings.enable_auto_commit);
    world.act(Action::Restart(C1));
    world.until("the start", |event| matches!(event, Event::ConsumerStarted { .. }));
    let from = world.run.steps();
    world.finish();
    let own: Vec<Time> = steps(&world.run)
        .skip(from as usize)
        .filter(|step| matches!(step.event, Event::OffsetCommitSent { call: CommitCall::AutoInterval, .. }))
        .map(|step| step.at)
        .collect();
    assert!(own.len() >= 2, "{own:?}");
    let between: Vec<Span> = own.windows(2).map(|pair| pair[1].since(pair[0])).collect();
    assert!(between.iter().all(|&span| span >= Span::from_secs(2) && span < Span::from_secs(4)), "{between:?}");
    assert!(world.run.consumer(C1).config().settings.enable_auto_commit);
}

#[test]
fn a_group_lets_nobody_in_who_has_no_assignor_in_common_with_the_others() {
    let mut world = busy(plain(2, 2));
    world.act(Action::Set(assignors(C1, &[Assignor::Sticky])));
    // Nothing happens to who runs.
    assert_eq!(world.run.group(GROUP).assignor, Some(Assignor::Range));
    world.act(Action::Restart(C1));
    world.until("its end", |event| {
        matches!(event, Event::ConsumerFailed { consumer: C1, error: ErrorCode::InconsistentGroupProtocol, .. })
    });
    // One that they all have does.
    world.act(Action::Set(assignors(C1, &[Assignor::RoundRobin, Assignor::Range])));
    world.act(Action::Restart(C1));
    world.until("its partitions", |event| matches!(event, Event::PartitionsAssigned { consumer: C1, .. }));
    assert_eq!(world.run.group(GROUP).assignor, Some(Assignor::Range));
    for list in [&[][..], &[Assignor::Range, Assignor::Range]] {
        assert_eq!(refused(&world, assignors(C1, list)), Refusal::BadValue);
    }
}

#[test]
fn a_group_uses_another_assignor_once_all_have_started_with_it() {
    let mut world = World::new(plain(2, 2));
    for consumer in [C1, C2] {
        world.act(Action::Set(assignors(consumer, &[Assignor::CooperativeSticky])));
    }
    world.until_time(at(20));
    assert_eq!(world.run.group(GROUP).assignor, Some(Assignor::CooperativeSticky));
    world.act(Action::Close(C2.into()));
    world.until("what is new", |event| matches!(event, Event::MorePartitionsAssigned { consumer: C1, .. }));
    assert_eq!(world.count(|event| matches!(event, Event::PartitionsRevoked { .. })), 0);
}

/// C1 dies with records that it has processed and not committed, and starts again.
fn repeats(world: &mut World) {
    world.until("work to be repeated", |event| matches!(event, Event::RecordProcessed { .. }));
    world.act(Action::Crash(C1.into()));
    world.act(Action::Start(C1.into()));
    world.until("a repetition", |event| matches!(event, Event::RecordProcessed { times: 2.., .. }));
}

fn last_row(world: &World) -> RowOutcome {
    match steps(&world.run).next_back().expect("a step").event {
        Event::RecordProcessed { row, .. } => row,
        event => panic!("{event:?}"),
    }
}

#[test]
fn a_unique_key_holds_for_what_is_written_from_now_on_and_is_refused_where_an_event_is_there_twice() {
    let mut setup = plain(1, 1);
    setup.configure(GROUP, |config| config.handling.commit = CommitPolicy::after_records(3));
    let key = |is_unique| Change::UniqueKey { sink: TABLE, is_unique };
    let mut world = busy(setup);
    assert_eq!(refused(&world, key(false)), Refusal::NoChange);
    world.act(Action::Set(key(true)));
    repeats(&mut world);
    assert_eq!((last_row(&world), world.run.sink(TABLE).absorbed), (RowOutcome::AlreadyThere, 1));
    // All rows are there once, so it could be dropped and added again.
    world.act(Action::Set(key(false)));
    assert_eq!(world.run.can_apply(Action::Set(key(true))), Ok(()));
    repeats(&mut world);
    assert_eq!(last_row(&world), RowOutcome::Inserted);
    assert_eq!(refused(&world, key(true)), Refusal::DuplicateRows);
}

fn sent(run: &Simulation) -> Vec<(Time, u32, SentBecause)> {
    let sent = |step: &Step| match step.event {
        Event::ProduceSent { records, because, .. } => Some((step.at, records, because)),
        _ => None,
    };
    steps(run).filter_map(sent).collect()
}

#[test]
fn a_producer_has_a_setting_from_the_beginning_or_from_its_next_start_on() {
    let linger = of_producer(ProducerSetting::Linger(Span::from_millis(200)));
    let mut world = World::new(plain(1, 1));
    let step = world.act(Action::Set(linger));
    assert!(matches!(step.event, Event::ProducerSettingChanged { at_once: true, .. }));
    world.until_time(at(6));
    assert_eq!(sent(&world.run), [(at(5) + Span::from_millis(200), 1, SentBecause::Linger)]);

    let mut world = World::new(plain(1, 1));
    world.until_time(at(6));
    let step = world.act(Action::Set(linger));
    assert!(matches!(step.event, Event::ProducerSettingChanged { at_once: false, .. }));
    world.until_time(at(8));
    let five = Span::from_millis(5);
    let linger = SentBecause::Linger;
    assert_eq!(sent(&world.run), [(at(5) + five, 1, linger), (at(6) + five, 1, linger), (at(7) + five, 1, linger)]);
    world.act(Action::RestartProducer(SHOP));
    world.until("the next request", |event| matches!(event, Event::ProduceSent { .. }));
    assert_eq!(sent(&world.run)[3], (at(8) + Span::from_millis(200), 1, linger));
}

#[test]
fn with_a_small_batch_size_each_record_makes_a_batch_of_its_own() {
    let mut setup = plain(1, 1);
    let Source::Records(records) = &mut setup.producers[0].source else { panic!("a list of records") };
    let three: Vec<PlannedRecord> =
        records.iter().take(3).map(|record| PlannedRecord { at: at(5), ..*record }).collect();
    *records = three;
    for (bytes, batches) in [(16_384, vec![3]), (0, vec![1, 1, 1]), (1, vec![1, 1, 1])] {
        let mut world = World::new(setup.clone());
        world.act(Action::Set(of_producer(ProducerSetting::BatchSize(bytes))));
        world.finish();
        let records: Vec<u32> = sent(&world.run).iter().map(|&(_, records, _)| records).collect();
        assert_eq!(records, batches, "{bytes}");
    }
    let world = World::new(setup);
    assert_eq!(refused(&world, of_producer(ProducerSetting::BatchSize(u32::MAX))), Refusal::BadValue);
}

/// `close()` returns when all is acknowledged; only then is there another process, with an empty accumulator.
#[test]
fn a_producer_that_is_started_again_loses_nothing_that_it_had_taken() {
    let mut setup = plain(1, 1);
    setup.producers[0].settings.batching.linger = Span::from_millis(500);
    let mut world = World::new(setup);
    world.until("a record in the accumulator", |event| matches!(event, Event::RecordSent { .. }));
    world.act(Action::Set(of_producer(ProducerSetting::Linger(Span::ZERO))));
    world.act(Action::RestartProducer(SHOP));
    assert!(world.run.producer(SHOP).is_closing());
    for action in [Action::Start(SHOP.into()), Action::RestartProducer(SHOP)] {
        assert_eq!(world.run.can_apply(action), Err(Refusal::AlreadyClosing));
    }
    world.until("another process", |event| matches!(event, Event::ProducerStarted { .. }));
    assert_eq!(sent(&world.run), [(at(5), 1, SentBecause::Closing)]);
    assert_eq!(world.run.now(), at(5) + Span::from_millis(8));
    assert_eq!((world.run.producer(SHOP).all_waiting(), world.run.producer(SHOP).in_flight(BrokerId(0))), (0, 0));
    world.finish();
    assert_eq!((world.run.lost(GROUP).total(), world.run.ledger(GROUP).processed), (0, 30));
    // The new process does not wait.
    assert!(sent(&world.run)[1..].iter().all(|&(sent, ..)| sent.as_micros() % 1_000_000 == 0));
}

/// What its application sends in the moment of the start comes while there is no process, and is sent by the next one.
#[test]
fn a_producer_that_is_started_again_goes_on_with_what_is_due_in_that_moment() {
    let mut setup = plain(1, 1);
    let other = ProducerSetup { name: "other".into(), ..setup.producers[0].clone() };
    setup.producers.push(other);
    let mut world = World::new(setup);
    world.until("a record of the first one", |event| matches!(event, Event::RecordSent { .. }));
    world.act(Action::RestartProducer(ProducerId(1)));
    world.finish();
    assert_eq!(world.run.records(), 60);
}

#[test]
fn brokers_have_a_setting_from_the_beginning_or_not_at_all() {
    let delay = |millis| Change::BrokerSetting(BrokerSetting::GroupInitialRebalanceDelay(Span::from_millis(millis)));
    for millis in [0, 10_000] {
        let mut world = World::new(plain(1, 1));
        world.act(Action::Set(delay(millis)));
        let began = world.until("a rebalance", |event| matches!(event, Event::RebalanceStarted { .. }));
        let ended = world.until("its end", |event| matches!(event, Event::GenerationStarted { .. }));
        assert_eq!(ended.since(began), Span::from_millis(millis));
    }
    assert_eq!(refused(&busy(plain(1, 1)), delay(0)), Refusal::BrokerRestart);
}
