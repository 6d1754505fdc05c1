//! Offsets that an application keeps in the database of its table.

use crate::common::{finished, steps};
use crate::world::at_once;
use logstep::sim::event::PositionSource;
use logstep::sim::failing::OnError;
use logstep::sim::setup::*;
use logstep::sim::*;

const GROUP: GroupId = GroupId(0);
const TABLE: SinkId = SinkId(0);
const C1: ConsumerId = ConsumerId(0);
const P0: PartitionId = PartitionId(0);

fn store(when: StoreWhen, holds: Holds, seeks: Seeks) -> OffsetStore {
    OffsetStore { when, holds, seeks }
}

const WITH_ROW: OffsetStore = OffsetStore { when: StoreWhen::WithRow, holds: Holds::Next, seeks: Seeks::AsStored };

/// One partition, twenty records that arrive together, one consumer. It crashes after seven and starts again.
fn world(store: OffsetStore, when: CommitWhen) -> Setup {
    let mut setup = at_once(20);
    setup.configure(GROUP, |config| {
        config.handling.time = Span::from_millis(100);
        config.handling.writes_to = Some(TABLE);
        config.handling.offset_store = Some(store);
        config.handling.commit.when = when;
        config.handling.on_error = OnError { tries: OnError::FOR_EVER, back_off: Span::from_secs(1), ..OnError::STOP };
    });
    setup.actions = vec![
        PlannedAction { when: seventh(), action: Action::Crash(C1.into()) },
        PlannedAction {
            when: When::After(Condition::Crashed(C1), Span::from_secs(1)),
            action: Action::Start(C1.into()),
        },
    ];
    setup
}

fn seventh() -> When {
    When::After(Condition::Processed { consumer: C1, records: 7 }, Span::ZERO)
}

/// The run's rows, repetitions and losses, and what it has stored in the end.
fn outcome(run: &Simulation) -> (u32, u32, u32, Option<Offset>) {
    let stored = run.stored(GROUP, P0).map(|stored| stored.offset);
    (run.sink(TABLE).rows, run.ledger(GROUP).duplicates(), run.lost(GROUP).total(), stored)
}

fn starts(run: &Simulation) -> Vec<Offset> {
    let start = |(_, step): (StepNo, Step)| match step.event {
        Event::PositionSet { offset, source: PositionSource::Stored, .. } => Some(offset),
        _ => None,
    };
    steps(run).filter_map(start).collect()
}

#[test]
fn row_and_offset_in_one_transaction_are_neither_lost_nor_made_twice() {
    let run = finished(world(WITH_ROW, CommitWhen::Never));
    assert_eq!(outcome(&run), (20, 0, 0, Some(20)));
    assert_eq!(starts(&run), [7]);
    assert_eq!(run.group(GROUP).committed(P0), None, "Kafka is told nothing");
}

#[test]
fn offsets_that_are_stored_after_the_rows_repeat_what_lies_in_between() {
    let run = finished(world(store(StoreWhen::LikeCommits, Holds::Next, Seeks::AsStored), CommitWhen::AfterRecords(5)));
    assert_eq!(outcome(&run), (22, 2, 0, Some(20)));
    let stored = steps(&run).filter_map(|(_, step)| match step.event {
        Event::OffsetsStored { offset, .. } => Some(offset),
        _ => None,
    });
    assert_eq!(stored.collect::<Vec<_>>(), [5, 10, 15, 20]);
}

#[test]
fn offsets_that_are_stored_before_the_rows_lose_what_lies_in_between() {
    let mut setup = world(store(StoreWhen::LikeCommits, Holds::Next, Seeks::AsStored), CommitWhen::BeforeBatch);
    setup.configure(GROUP, |config| config.settings.max_poll_records = 10);
    let run = finished(setup);
    assert_eq!(outcome(&run), (17, 0, 3, Some(20)));
    assert_eq!(run.lost(GROUP).skipped_by_commit, 3);
}

#[test]
fn either_side_may_add_one_and_both_lose_a_record_at_each_start() {
    for (holds, seeks, expected) in [
        (Holds::Next, Seeks::AsStored, (20, 0, 0, Some(20))),
        (Holds::Last, Seeks::OneAfter, (20, 0, 0, Some(19))),
        (Holds::Next, Seeks::OneAfter, (19, 0, 1, Some(20))),
        (Holds::Last, Seeks::AsStored, (21, 1, 0, Some(19))),
    ] {
        let run = finished(world(store(StoreWhen::WithRow, holds, seeks), CommitWhen::Never));
        assert_eq!(outcome(&run), expected, "{holds:?} {seeks:?}");
    }
}

#[test]
fn who_is_caught_up_and_seeks_one_too_far_is_beyond_the_log_and_begins_anew() {
    let mut setup = world(store(StoreWhen::WithRow, Holds::Next, Seeks::OneAfter), CommitWhen::Never);
    let at = Time::from_micros(60_000_000);
    setup.actions = vec![PlannedAction { when: When::At(at), action: Action::Restart(C1) }];
    let run = finished(setup);
    assert!(steps(&run).any(|(_, step)| matches!(step.event, Event::OffsetOutOfRange { offset: 21, end: 20, .. })));
    assert_eq!(run.ledger(GROUP).duplicates(), 20, "auto.offset.reset=earliest");
}

#[test]
fn what_nobody_can_reach_any_more_is_lost_before_anybody_starts_again() {
    let mut setup = world(store(StoreWhen::WithRow, Holds::Next, Seeks::OneAfter), CommitWhen::Never);
    setup.actions.pop();
    let run = finished(setup);
    assert_eq!((run.lost(GROUP).total(), run.reach(GROUP, P0)), (1, Some(8)));
}

#[test]
fn who_gets_partitions_while_the_table_is_down_begins_once_it_answers() {
    for when in [StoreWhen::WithRow, StoreWhen::LikeCommits] {
        let mut setup = world(store(when, Holds::Next, Seeks::AsStored), CommitWhen::AfterRecords(1));
        let down = |is_down| Action::Set(Change::SinkDown { sink: TABLE, is_down });
        setup.actions.push(PlannedAction { when: seventh(), action: down(true) });
        setup.actions.push(PlannedAction {
            when: When::After(Condition::Crashed(C1), Span::from_secs(60)),
            action: down(false),
        });
        let mut run = Simulation::new(setup);
        while let Progress::Step(step) = run.step() {
            let is_down = run.sink(TABLE).down.is_some();
            assert!(!(is_down && matches!(step.event, Event::RecordsPolled { .. })), "it does not know where to begin");
        }
        assert!(
            steps(&run)
                .any(|(_, step)| { matches!(step.event, Event::StoredOffsetsRead { partitions: 1, found: 1, .. }) })
        );
        assert_eq!((run.ledger(GROUP).processed, run.lost(GROUP).total()), (20, 0));
    }
}

#[test]
fn while_the_table_is_down_the_loop_waits_with_its_offsets_and_a_revocation_does_not() {
    let mut setup = world(store(StoreWhen::LikeCommits, Holds::Next, Seeks::AsStored), CommitWhen::AfterRecords(7));
    setup.configure(GROUP, |config| config.handling.commit.on_close = true);
    let down = Action::Set(Change::SinkDown { sink: TABLE, is_down: true });
    setup.actions = vec![
        PlannedAction { when: seventh(), action: down },
        PlannedAction { when: When::At(Time::from_micros(60_000_000)), action: Action::Close(C1.into()) },
    ];
    let run = finished(setup);
    assert_eq!(run.stored(GROUP, P0), None);
    assert_eq!(run.ledger(GROUP).processed, 7, "no record is taken in hand before the offsets are stored");
    assert!(matches!(run.consumer(C1).process, consumer::Process::Closed(_)));
}

#[test]
fn partitions_for_which_nothing_is_stored_begin_where_the_group_has_committed() {
    let mut setup = world(WITH_ROW, CommitWhen::Never);
    setup.actions.clear();
    setup.consumers[0].starts_at = Time::from_micros(12_000_000);
    setup.groups[0].committed = vec![(TopicPartition { topic: TopicId(0), number: 0 }, 4)];
    let run = finished(setup);
    assert_eq!(outcome(&run), (16, 0, 0, Some(20)));
    assert_eq!(run.group(GROUP).committed(P0).map(|committed| committed.offset), Some(4));
}

#[test]
fn a_member_that_does_not_know_that_it_is_out_overwrites_the_offset_of_its_successor() {
    let mut setup = world(WITH_ROW, CommitWhen::Never);
    setup.configure(GROUP, |config| {
        config.settings.session_timeout = Span::from_secs(10);
        config.settings.max_poll_records = 500;
    });
    let second = ConsumerSetup { name: "c2".into(), starts_at: Time::NEVER, ..setup.consumers[0].clone() };
    setup.consumers.truncate(1);
    setup.consumers.push(second);
    let at = |secs: u64, action| PlannedAction { when: When::At(Time::from_micros(secs * 1_000_000)), action };
    setup.actions = vec![
        PlannedAction { when: seventh(), action: Action::Freeze(C1) },
        at(20, Action::Start(ConsumerId(1).into())),
        at(60, Action::Thaw(C1)),
    ];
    let mut run = Simulation::new(setup);
    let mut went_back = false;
    let mut before = 0;
    while let Progress::Step(_) = run.step() {
        let stored = run.stored(GROUP, P0).map_or(0, |stored| stored.offset);
        went_back |= stored < before;
        before = stored;
    }
    assert!(went_back, "nobody asks for a generation");
    assert!(run.ledger(GROUP).duplicates() > 0);
}
