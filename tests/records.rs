//! The table of records: what it says agrees with the ledger, with the stage and with the steps, at every moment.

use logstep::explain::{self, Verdict};
use logstep::export::{COLUMNS, table};
use logstep::history::History;
use logstep::scenario::{self, library::BUILT_IN};
use logstep::scene::drawn::Rows;
use logstep::scene::geometry::Point;
use logstep::scene::names::record_name;
use logstep::scene::records::{
    Account, Column, Direction, Fact, Fate, Happened, Kind, Line, Of, Query, Trail, find, tile,
};
use logstep::scene::stage::Shape;
use logstep::scene::{Seen, stage};
use logstep::sim::event::Event;
use logstep::sim::ledger::LostBy;
use logstep::sim::setup::Setup;
use logstep::sim::*;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Built-in stories, the examples of the documentation and recorded cases: crashes, errors, tables of all kinds, several groups.
fn worlds() -> Vec<(String, Rc<Setup>)> {
    let built_in =
        BUILT_IN.iter().map(|story| (story.name.to_owned(), story.read().expect("it has no mistakes").setup));
    let files = ["docs/examples", "tests/cases", "tests/scenes"].into_iter().flat_map(|folder| {
        std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("an entry of the folder").path())
    });
    let read = |file: std::path::PathBuf| {
        let source = std::fs::read_to_string(&file).expect("a readable file");
        (file.display().to_string(), scenario::read(&source).expect("it has no mistakes").setup)
    };
    let mut worlds: Vec<_> = built_in.chain(files.map(read)).collect();
    worlds.sort_by(|one, other| one.0.cmp(&other.0));
    worlds
}

fn groups(run: &Simulation) -> impl Iterator<Item = Option<GroupId>> + use<> {
    let groups = run.setup().groups.len();
    (0..groups.max(1)).map(move |group| (groups > 0).then(|| GroupId::at(group)))
}

/// Calls `check` at about this many moments of every world, the last one included.
fn at_moments(moments: u32, mut check: impl FnMut(&str, &Simulation)) {
    for (name, setup) in worlds() {
        let mut history = History::new(Simulation::new(setup));
        while !history.advance(100_000).complete {}
        let steps = history.known().steps;
        for moment in 0..=moments {
            history.seek((u64::from(steps) * u64::from(moment) / u64::from(moments)) as u32);
            check(&name, history.now());
        }
    }
}

fn lines(run: &Simulation, group: Option<GroupId>) -> Vec<Line> {
    let account = Account::new(run, group);
    (0..run.records()).map(|record| account.line(RecordId(record))).collect()
}

fn all(run: &Simulation, group: Option<GroupId>, query: &Query) -> Vec<RecordId> {
    let mut found = find(&Account::new(run, group), query);
    let len = found.len();
    found.part(0, len).collect()
}

#[test]
fn the_lines_add_up_to_the_ledger_and_the_tables() {
    let (mut lost, mut repeated, mut aside) = (0, 0, 0);
    at_moments(6, |name, run| {
        for group in groups(run).flatten() {
            let (ledger, lines) = (run.ledger(group), lines(run, Some(group)));
            let count = |is: &dyn Fn(&Line) -> bool| lines.iter().filter(|line| is(line)).count() as u32;
            let at = format!("{name}, {}", run.steps());
            assert_eq!(count(&|line| line.times > 0), ledger.processed, "{at}");
            assert_eq!(count(&|line| line.times > 1), ledger.records_duplicated, "{at}");
            let times: u32 = lines.iter().map(|line| u32::from(line.times.saturating_sub(1))).sum();
            assert_eq!(times, ledger.duplicates(), "{at}");
            let set_aside = count(&|line| line.fate == Fate::SetAside);
            assert!(set_aside <= ledger.set_aside, "{at}: {set_aside} set aside");
            let lost_by = |by| count(&|line| line.lost == Some(by));
            let accounts = run.lost(group);
            let found = [LostBy::Commit, LostBy::Reset, LostBy::Error].map(lost_by);
            assert_eq!(
                found,
                [accounts.skipped_by_commit, accounts.skipped_by_reset, accounts.skipped_by_error],
                "{at}"
            );
            let topics = run.topics_of(group);
            let is_read = |line: &Line| topics.contains(&run.place(run.record(line.record).partition).topic);
            assert_eq!(
                count(&|line| line.lost == Some(LostBy::NeverSent) && is_read(line)),
                accounts.never_sent,
                "{at}"
            );
            for sink in run.sinks_of(group) {
                let mut writers =
                    run.consumers().iter().filter(|found| found.config().handling.writes_to == Some(sink));
                if run.sinks_of(group).len() == 1 && writers.all(|writer| writer.group == group) {
                    assert_eq!(lines.iter().map(|line| line.rows).sum::<u32>(), run.sink(sink).rows, "{at}");
                }
            }
            lost += accounts.total();
            repeated += ledger.duplicates();
            aside += set_aside;
        }
    });
    assert!(lost > 0 && repeated > 0 && aside > 0, "nothing to add up: {lost} {repeated} {aside}");
}

#[test]
fn a_tile_of_the_table_is_that_of_the_stage() {
    let mut compared = 0;
    at_moments(6, |name, run| {
        for group in groups(run) {
            let account = Account::new(run, group);
            let seen = Seen { chosen: group, rows: Rows::All, concerned: &[] };
            let drawn = stage(run, run.now(), Shape::Wide, seen);
            let topics = group.map_or_else(Vec::new, |group| run.topics_of(group));
            let is_read = |partition| group.is_none() || topics.contains(&run.place(partition).topic);
            for on_stage in drawn.tapes.iter().filter(|tape| is_read(tape.partition)).flat_map(|tape| &tape.tiles) {
                let record = on_stage.chip.record;
                let made = tile(run, &account.line(record), Point { x: 0, y: 0 });
                let of = |tile: &logstep::scene::stage::Tile| {
                    (tile.chip.name.clone(), tile.chip.look, tile.state, tile.times, tile.offset)
                };
                assert_eq!(of(&made), of(on_stage), "{name}, {}: {}", run.steps(), record_name(run, record));
                compared += 1;
            }
        }
    });
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn lost_records_are_those_of_the_verdict() {
    at_moments(4, |name, run| {
        for group in groups(run).flatten() {
            let verdict = Verdict::Lost(run.lost(group));
            let mut said = explain::concerned(run, group, &verdict);
            let topics = run.topics_of(group);
            said.retain(|&record| topics.contains(&run.place(run.record(record).partition).topic));
            let mut found = all(run, Some(group), &Query { kind: Some(Kind::Lost), ..Query::default() });
            found.retain(|&record| topics.contains(&run.place(run.record(record).partition).topic));
            assert_eq!(found, said, "{name}, {}", run.steps());
        }
    });
}

#[test]
fn pages_put_together_are_the_whole_table_in_order() {
    at_moments(1, |name, run| {
        if run.records() > 100 {
            return;
        }
        for group in groups(run) {
            let account = Account::new(run, group);
            for column in Column::ALL {
                for direction in [Direction::Ascending, Direction::Descending] {
                    let query = Query { by: (column, direction), ..Query::default() };
                    let whole = all(run, group, &query);
                    let mut found = find(&account, &query);
                    // In any order of turning the pages.
                    let mut pages: Vec<usize> = (0..whole.len().div_ceil(7)).collect();
                    pages.reverse();
                    for page in pages {
                        let part: Vec<RecordId> = found.part(page * 7, page * 7 + 7).collect();
                        assert_eq!(
                            part,
                            whole[page * 7..whole.len().min(page * 7 + 7)],
                            "{name}, {column:?} {direction:?}"
                        );
                    }
                    for (place, &record) in whole.iter().enumerate().step_by(whole.len() / 5 + 1) {
                        assert_eq!(found.place_of(record), Some(place));
                    }
                    let mut once: Vec<RecordId> = whole.clone();
                    once.sort();
                    assert_eq!(once, (0..run.records()).map(RecordId).collect::<Vec<_>>());
                }
            }
        }
    });
}

/// What a column is ordered by, as the line says it; nothing stands last, either way.
fn shown(run: &Simulation, column: Column, line: &Line) -> Option<String> {
    let number = |number: u32| format!("{number:010}");
    let step = |step: Option<StepNo>| step.map(|step| number(step.0));
    let record = run.record(line.record);
    match column {
        Column::Key => record.key.map(|key| run.setup().keys[key.index()].text.to_string()),
        Column::Value => Some(run.setup().values[record.value.index()].to_string()),
        Column::Offset => line.offset.map(number),
        Column::Sent => step(Some(line.sent)),
        Column::Appended => step(line.appended),
        Column::First => step(line.first.map(|first| first.step)),
        Column::Last => step(line.last.map(|last| last.step)),
        Column::By => line.by().map(|by| number(u32::from(by.0))),
        Column::Committed => Some(line.is_committed.to_string()),
        Column::Rows => Some(number(line.rows)),
        Column::Record | Column::Partition | Column::State => None,
    }
}

#[test]
fn a_table_is_in_the_order_of_what_stands_in_its_column() {
    let mut compared = 0;
    at_moments(2, |name, run| {
        if run.records() > 400 {
            return;
        }
        for group in groups(run) {
            let account = Account::new(run, group);
            for column in Column::ALL {
                for direction in [Direction::Ascending, Direction::Descending] {
                    let query = Query { by: (column, direction), ..Query::default() };
                    let in_order = all(run, group, &query);
                    for pair in in_order.windows(2) {
                        let [one, other] = [0, 1].map(|place| shown(run, column, &account.line(pair[place])));
                        let is_right = match (&one, &other, direction) {
                            (None, Some(_), _) => false,
                            (Some(one), Some(other), Direction::Ascending) => one <= other,
                            (Some(one), Some(other), Direction::Descending) => one >= other,
                            (_, None, _) => true,
                        };
                        assert!(is_right, "{name}, {}, {column:?} {direction:?}: {one:?} {other:?}", run.steps());
                        assert!(
                            one != other || one.is_none() || pair[0] < pair[1],
                            "{name}, {column:?}: equal ones keep the order of sending"
                        );
                        compared += usize::from(one.is_some() && one != other);
                    }
                }
            }
        }
    });
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn a_filter_keeps_what_fits_and_only_that() {
    let mut kept = BTreeMap::new();
    at_moments(4, |name, run| {
        for group in groups(run) {
            let lines = lines(run, group);
            for kind in Kind::ALL {
                let fits = |line: &&Line| match kind {
                    Kind::Unsent => line.fate == Fate::Unsent,
                    Kind::Unread => line.fate == Fate::Unread,
                    Kind::Waiting => line.fate == Fate::Waiting,
                    Kind::InHand => matches!(line.fate, Fate::InHand(_)),
                    Kind::Processed => line.times > 0,
                    Kind::Uncommitted => line.times > 0 && !line.is_committed,
                    Kind::Repeated => line.times > 1,
                    Kind::SetAside => line.fate == Fate::SetAside,
                    Kind::Before => line.fate == Fate::Before,
                    Kind::Lost => line.lost.is_some(),
                };
                let expected: Vec<RecordId> = lines.iter().filter(fits).map(|line| line.record).collect();
                let found = all(run, group, &Query { kind: Some(kind), ..Query::default() });
                assert_eq!(found, expected, "{name}, {}, {kind:?}", run.steps());
                *kept.entry(format!("{kind:?}")).or_insert(0) += found.len();
            }
            for member in group.into_iter().flat_map(|group| run.consumers_of(group)).map(|member| member.id) {
                let has = |record: RecordId| {
                    run.history_of(record).any(|step| {
                        matches!(run.step_at(step).expect("a step").event,
                        Event::RecordProcessed { consumer, .. } if consumer == member)
                    })
                };
                let expected: Vec<RecordId> = lines
                    .iter()
                    .filter(|line| has(line.record) || line.fate == Fate::InHand(member))
                    .map(|line| line.record)
                    .collect();
                assert_eq!(
                    all(run, group, &Query { of: Some(Of::Member(member)), ..Query::default() }),
                    expected,
                    "{name}"
                );
            }
        }
    });
    assert!(kept.values().all(|&count| count > 0), "a filter that keeps nothing anywhere: {kept:?}");
}

#[test]
fn a_text_is_found_in_keys_values_and_names() {
    let run = BUILT_IN[0].read().expect("it has no mistakes").run();
    let found = |text: &str| {
        let query = Query { text: text.into(), ..Query::default() };
        all(&run, Some(GroupId(0)), &query).into_iter().map(|record| record_name(&run, record)).collect::<Vec<_>>()
    };
    let everything = found("").len();
    assert_eq!(everything as u32, run.records());
    let holds = |is: &dyn Fn(&str, &str) -> bool| {
        let all = (0..run.records()).map(RecordId);
        let (keys, values) = (&run.setup().keys, &run.setup().values);
        all.filter(|&record| {
            let record = run.record(record);
            is(record.key.map_or("", |key| &keys[key.index()].text), &values[record.value.index()])
        })
        .map(|record| record_name(&run, record))
        .collect::<Vec<_>>()
    };
    assert_eq!(found(" 1009 "), holds(&|key, _| key.contains("1009")));
    assert_eq!(found("PAID"), holds(&|_, value| value == "paid"));
    assert!(!found("paid").is_empty() && found("paid").len() < everything);
    let name = record_name(&run, RecordId(3));
    assert_eq!(found(&name.to_lowercase()), [name]);
    assert!(found("A").len() > found("A1").len());
    assert_eq!(found("no such thing"), [""; 0]);
}

#[test]
fn a_way_is_the_same_however_one_came_to_the_moment() {
    for (name, setup) in worlds() {
        let mut history = History::new(Simulation::new(setup));
        while !history.advance(100_000).complete {}
        let (steps, records) = (history.known().steps, history.now().records());
        history.seek(steps);
        let records_sent = history.now().records().max(records);
        for record in (0..records_sent).step_by(records_sent.div_ceil(3).max(1) as usize).map(RecordId) {
            for group in groups(history.now()) {
                let mut walked: Option<Trail> = None;
                // On, back, on again.
                for tenth in [2, 7, 3, 10, 1, 10] {
                    history.seek(steps * tenth / 10);
                    let run = history.now();
                    if record.0 >= run.records() {
                        continue;
                    }
                    let mut fresh = Trail::new(run, record, group);
                    fresh.follow(run);
                    let walked = walked.get_or_insert_with(|| Trail::new(run, record, group));
                    walked.follow(run);
                    assert_eq!(walked.facts(run), fresh.facts(run), "{name}, {}", run.steps());
                    agrees(&name, run, group, record, &fresh.facts(run));
                }
            }
        }
    }
}

/// A way tells what the line of the record sums up.
fn agrees(name: &str, run: &Simulation, group: Option<GroupId>, record: RecordId, facts: &[Fact]) {
    let line = Account::new(run, group).line(record);
    let at = format!("{name}, {}, {}: {facts:?}", run.steps(), record_name(run, record));
    let steps = |is: &dyn Fn(&Happened) -> bool| -> Vec<StepNo> {
        facts.iter().filter(|fact| is(&fact.what)).map(|fact| fact.step).collect()
    };
    assert!(facts.is_sorted_by_key(|fact| fact.step), "{at}");
    assert_eq!(steps(&|what| matches!(what, Happened::Sent(_))), [line.sent], "{at}");
    assert_eq!(steps(&|what| matches!(what, Happened::Appended(..))), Vec::from_iter(line.appended), "{at}");
    let processed = steps(&|what| matches!(what, Happened::Processed(..)));
    assert_eq!(processed.len(), usize::from(line.times), "{at}");
    assert_eq!(processed.first().copied(), line.first.map(|first| first.step), "{at}");
    assert_eq!(processed.last().copied(), line.last.map(|last| last.step), "{at}");
    let keeps = |group| run.consumers_of(group).any(|consumer| consumer.config().handling.offset_store.is_some());
    if let Some(group) = group.filter(|&group| !keeps(group)) {
        let covering = facts.iter().rev().find_map(|fact| match fact.what {
            Happened::Committed(..) => Some(true),
            Happened::WentBack(_) | Happened::Forgotten => Some(false),
            _ => None,
        });
        let is_reset = (0..run.steps())
            .any(|step| matches!(run.step_at(StepNo(step)).expect("a step").event, Event::OffsetReset { .. }));
        let was = line.fate == Fate::Before || run.setup().groups[group.index()].committed.iter().len() > 0;
        if line.offset.is_some() && !is_reset && !was {
            assert_eq!(covering.unwrap_or(false), line.is_committed, "{at}");
        }
    }
}

#[test]
fn a_copied_table_is_read_by_a_spreadsheet() {
    at_moments(3, |name, run| {
        for group in groups(run) {
            let lines = lines(run, group);
            let text = table(run, group, lines.iter().map(|line| line.record));
            let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_reader(text.as_bytes());
            assert_eq!(reader.headers().expect("a head"), COLUMNS.as_slice());
            let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect(name);
            assert_eq!(rows.len(), lines.len(), "{name}");
            let place = |column: &str| COLUMNS.iter().position(|name| *name == column).expect("a column");
            for (row, line) in rows.iter().zip(&lines) {
                assert_eq!(row[place("record")], record_name(run, line.record));
                assert_eq!(row[place("offset")], line.offset.map_or_else(String::new, |offset| offset.to_string()));
                let times = group.map_or_else(String::new, |_| line.times.to_string());
                assert_eq!((&row[place("times")], row[place("last_step")].is_empty()), (&*times, line.last.is_none()));
            }
        }
    });
}
