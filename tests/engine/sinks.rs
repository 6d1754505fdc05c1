//! Tables: how they are written to, and what happens while one is down.

use crate::common::{finished, steps};
use crate::world::at_once;
use logstep::sim::event::RowOutcome;
use logstep::sim::failing::OnError;
use logstep::sim::setup::*;
use logstep::sim::*;

const GROUP: GroupId = GroupId(0);
const TABLE: SinkId = SinkId(0);
const C1: ConsumerId = ConsumerId(0);

/// One partition, ten records of two keys that arrive together, one consumer that commits after five.
fn world(writes: Writes) -> Setup {
    let mut setup = at_once(10);
    setup.sinks[0].writes = writes;
    setup.sinks[0].is_unique = writes == Writes::Upsert;
    if let Source::Records(records) = &mut setup.producers[0].source {
        for (number, record) in (0..).zip(records) {
            record.key = Some(KeyId(number % 2));
        }
    }
    setup.configure(GROUP, |config| {
        config.handling.time = Span::from_millis(100);
        config.handling.writes_to = Some(TABLE);
        config.handling.commit = CommitPolicy::after_records(5);
    });
    setup
}

/// It crashes after eight records, of which five are committed, and starts again.
fn with_a_crash(mut setup: Setup) -> Setup {
    setup.actions = vec![
        PlannedAction {
            when: When::After(Condition::Processed { consumer: C1, records: 8 }, Span::ZERO),
            action: Action::Crash(C1.into()),
        },
        PlannedAction {
            when: When::After(Condition::Crashed(C1), Span::from_secs(1)),
            action: Action::Start(C1.into()),
        },
    ];
    setup
}

fn rows(run: &Simulation) -> Vec<RowOutcome> {
    let row = |(_, step): (StepNo, Step)| match step.event {
        Event::RecordProcessed { row, .. } => Some(row),
        _ => None,
    };
    steps(run).filter_map(row).collect()
}

fn offsets_in_table(run: &Simulation) -> Vec<Offset> {
    let row = |number| run.offset_of(run.row(TABLE, number).expect("a row").record).expect("it is in the log");
    (0..run.sink(TABLE).rows).map(row).collect()
}

#[test]
fn an_upsert_has_one_row_for_each_key_and_the_last_write_stays() {
    let run = finished(world(Writes::Upsert));
    assert_eq!((run.sink(TABLE).rows, run.sink(TABLE).written(), run.sink(TABLE).stale), (2, 10, 0));
    assert_eq!(offsets_in_table(&run), [8, 9]);
}

#[test]
fn a_redelivery_puts_an_older_value_over_a_newer_one_until_the_later_records_come_again() {
    let mut run = Simulation::new(with_a_crash(world(Writes::Upsert)));
    let mut seen = Vec::new();
    while let Progress::Step(step) = run.step() {
        if let Event::RecordProcessed { offset, times: 2, row, .. } = step.event {
            seen.push((offset, row, offsets_in_table(&run)));
        }
    }
    // 5 comes again over 7, 6 over 6, 7 over 5.
    let expected = [
        (5, RowOutcome::ReplacedLater, vec![6, 5]),
        (6, RowOutcome::Replaced, vec![6, 5]),
        (7, RowOutcome::Replaced, vec![6, 7]),
    ];
    assert_eq!(seen, expected);
    assert_eq!((run.sink(TABLE).rows, run.sink(TABLE).written(), run.sink(TABLE).stale), (2, 13, 1));
    assert_eq!(offsets_in_table(&run), [8, 9]);
}

#[test]
fn the_rows_of_an_upsert_are_those_of_the_moment_that_is_looked_at() {
    let mut run = Simulation::new(world(Writes::Upsert));
    let mut told = Vec::new();
    let mut marks = Vec::new();
    loop {
        marks.push(run.mark());
        told.push(offsets_in_table(&run));
        if !matches!(run.step(), Progress::Step(_)) {
            break;
        }
    }
    for (mark, table) in marks.iter().zip(&told).rev() {
        run.restore(mark);
        assert_eq!(offsets_in_table(&run), *table);
    }
}

#[test]
fn without_an_id_a_repetition_is_a_row_like_any_other_and_no_key_can_be_added() {
    let run = finished(with_a_crash(world(Writes::InsertWithoutId)));
    assert_eq!((run.sink(TABLE).rows, run.ledger(GROUP).duplicates()), (13, 3));
    assert!(rows(&run).iter().all(|&row| row == RowOutcome::Inserted));
    for writes in [Writes::InsertWithoutId, Writes::Upsert] {
        let run = Simulation::new(world(writes));
        let change = Change::UniqueKey { sink: TABLE, is_unique: writes != Writes::Upsert };
        assert_eq!(run.can_apply(Action::Set(change)), Err(Refusal::FixedKey));
    }
}

/// The table is down from 10 s, when the second half is still to be handled, for `seconds`.
fn down_for(seconds: u64, on_error: OnError) -> Setup {
    let mut setup = world(Writes::Insert);
    setup.configure(GROUP, |config| config.handling.on_error = on_error);
    let down = PlannedAction {
        when: When::After(Condition::Processed { consumer: C1, records: 5 }, Span::ZERO),
        action: Action::Set(Change::SinkDown { sink: TABLE, is_down: true }),
    };
    let up = PlannedAction {
        when: When::After(Condition::Processed { consumer: C1, records: 5 }, Span::from_secs(seconds)),
        action: Action::Set(Change::SinkDown { sink: TABLE, is_down: false }),
    };
    setup.actions = vec![down, up];
    setup
}

#[test]
fn while_a_table_is_down_who_tries_again_waits_and_loses_nothing() {
    let on_error = OnError { tries: OnError::FOR_EVER, back_off: Span::from_secs(1), ..OnError::STOP };
    let run = finished(down_for(8, on_error));
    let failed = steps(&run).filter(|(_, step)| matches!(step.event, Event::HandlingFailed { .. }));
    assert_eq!(failed.count(), 8, "each 1.1 s");
    assert_eq!((run.sink(TABLE).rows, run.ledger(GROUP).processed, run.lost(GROUP).total()), (10, 10, 0));
}

#[test]
fn who_expects_no_exception_stops_at_the_first_write_that_fails() {
    let run = finished(down_for(8, OnError::STOP));
    assert!(matches!(run.consumer(C1).process, consumer::Process::Closed(_)));
    assert_eq!((run.sink(TABLE).rows, run.ledger(GROUP).processed), (5, 5));
}

#[test]
fn a_failure_names_the_step_that_took_the_table_down() {
    let run = finished(down_for(8, OnError::STOP));
    let (_, failed) =
        steps(&run).find(|(_, step)| matches!(step.event, Event::HandlingFailed { .. })).expect("it fails");
    let down = failed.causes.with_role(Role::DecidedValue).expect("there is a reason");
    assert!(matches!(run.step_at(down).expect("a step").event, Event::SinkDownChanged { is_down: true, .. }));
}

#[test]
fn a_table_that_is_down_is_not_taken_down_once_more() {
    let run = Simulation::new(world(Writes::Insert));
    let change = |is_down| Action::Set(Change::SinkDown { sink: TABLE, is_down });
    assert_eq!(run.can_apply(change(false)), Err(Refusal::NoChange));
    assert_eq!(run.can_apply(change(true)), Ok(()));
}
