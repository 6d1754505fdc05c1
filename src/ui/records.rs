//! From the state to the words of the table of records.

use super::inspector::{FactView, OpenView, PagesView, RecordsView, RowView, WhenView};
use super::state::{Selected, State};
use crate::explain::{self, Verdict};
use crate::export;
use crate::scene::Subject;
use crate::scene::geometry::Point;
use crate::scene::names::record_name;
use crate::scene::records::{self, Account, Column, Fact, Fate, Happened, Kind, Line, Of, Processing};
use crate::sim::{ProducerId, RecordId, StepNo};
use crate::text::{format, labels, names, records as words};
use std::rc::Rc;
use yew::AttrValue;

/// So many records are on a page.
const PAGE: usize = 30;
/// Where a tile stands in a drawing of its own, which has room for a ring around it.
const TILE_AT: Point = Point { x: 4, y: 4 };

/// The table at the moment that is looked at.
#[inline(never)]
pub fn records(state: &State) -> RecordsView {
    let (lang, run, group) = (state.lang, state.playback.run(), state.group());
    let query = &state.inspector.records.query;
    let account = Account::new(run, group);
    let mut found = records::find(&account, query);
    let selected = state.inspector.record().filter(|record| record.0 < run.records());
    let place = selected.and_then(|record| found.place_of(record));
    let last = found.len().saturating_sub(1) / PAGE;
    let page = state.inspector.records.page.or(place.map(|place| place / PAGE)).unwrap_or(0).min(last);
    let (from, to) = (page * PAGE, found.len().min((page + 1) * PAGE));
    let row = |record: RecordId| row(state, &account.line(record), selected == Some(record));
    let rows: Rc<[RowView]> = found.part(from, to).map(row).collect();
    let none = match run.records() {
        0 => Some(words::none_yet(lang)),
        _ if found.is_empty() => Some(words::none_fits(lang)),
        _ => None,
    };
    RecordsView {
        has_group: group.is_some(),
        query: query.clone(),
        kinds: kinds(state),
        whose: whose(state),
        of_selected: of_selected(state),
        count: words::count(lang, found.len(), run.records(), query.is_narrow()).into(),
        // While it plays, nothing is said.
        says_count: query.is_narrow() && !state.playback.is_playing(),
        rows,
        none,
        open: selected.map(|record| Rc::new(open(state, &account.line(record)))),
        left_out: selected.filter(|_| place.is_none()).map(|record| words::left_out(lang, run, record).into()),
        pages: (last > 0).then(|| PagesView {
            page,
            last,
            shown: format::part(from + 1, to).into(),
            total: format::of_all(lang, found.len()).into(),
        }),
    }
}

/// The records that fit, as a spreadsheet takes them.
#[inline(never)]
pub fn copied(state: &State) -> String {
    let (run, group) = (state.playback.run(), state.group());
    let mut found = records::find(&Account::new(run, group), &state.inspector.records.query);
    let all = found.len();
    export::table(run, group, found.part(0, all))
}

fn row(state: &State, line: &Line, is_open: bool) -> RowView {
    let (lang, run) = (state.lang, state.playback.run());
    let number = |number: u32| AttrValue::from(format::number(u64::from(number)));
    let processed = |processing: Option<Processing>| processing.map(|found| when(state, found.step));
    RowView {
        record: line.record,
        is_open,
        tile: records::tile(run, line, TILE_AT),
        name: record_name(run, line.record).into(),
        key: names::key(run, line.record).to_owned().into(),
        value: names::value(run, line.record).to_owned().into(),
        partition: names::partition(run, run.record(line.record).partition).into(),
        offset: line.offset.map_or_else(|| "–".into(), number),
        sent: when(state, line.sent),
        appended: line.appended.map(|step| when(state, step)),
        state: words::fate(lang, line, state.group().is_some()).into(),
        is_lost: line.lost.is_some(),
        is_repeated: line.times > 1,
        by: line.by().map_or_else(|| "–".into(), |by| names::consumer(run, by).to_owned().into()),
        first: processed(line.first),
        last: processed(line.last),
        committed: words::committed(lang, line.offset.is_some() && line.fate != Fate::Unread, line.is_committed).into(),
        rows: number(line.rows),
    }
}

fn when(state: &State, step: StepNo) -> WhenView {
    let (lang, run) = (state.lang, state.playback.run());
    let at = run.step_at(step).map_or_else(String::new, |step| format::moment(lang, step.at));
    WhenView {
        step,
        label: format!("{at} – {}", labels::go_to_step(lang)).into(),
        at: at.into(),
        is_now: state.playback.last_step().is_some_and(|(number, _)| number == step),
    }
}

/// What became of the selected record.
fn open(state: &State, line: &Line) -> OpenView {
    let (lang, run) = (state.lang, state.playback.run());
    let mut way = state.way();
    if let (Some(by), Some(group)) = (line.lost, state.group()) {
        let verdict = Verdict::Lost(run.lost(group));
        let step = explain::decisive_step(run, group, &verdict, line.record);
        let place = way.partition_point(|fact| fact.step <= step);
        way.insert(place, Fact { step, what: Happened::Lost(by) });
    }
    let fact = |fact: Fact| FactView {
        when: when(state, fact.step),
        text: words::happened(lang, run, fact).into(),
        is_lost: matches!(fact.what, Happened::Lost(_)),
        is_repeated: matches!(fact.what, Happened::Processed(_, 2.., _)),
    };
    OpenView {
        record: line.record,
        name: record_name(run, line.record).into(),
        key: names::key(run, line.record).to_owned().into(),
        value: names::value(run, line.record).to_owned().into(),
        facts: way.into_iter().map(fact).collect(),
    }
}

/// What can have become of a record in this world.
fn kinds(state: &State) -> Vec<Kind> {
    let setup = &state.scenario.setup;
    let Some(group) = state.group() else { return vec![Kind::Unsent, Kind::Unread, Kind::Lost] };
    let run = state.playback.run();
    let sets_aside = || run.consumers_of(group).any(|consumer| consumer.config().handling.on_error.sets_aside());
    let is_there = |kind: &Kind| match kind {
        Kind::Unread => run.topics_of(group).len() < setup.topics.len(),
        Kind::Before => !setup.groups[group.index()].committed.is_empty(),
        Kind::SetAside => sets_aside(),
        _ => true,
    };
    Kind::ALL.into_iter().filter(is_there).collect()
}

/// Whose records can be asked for, in lists with a name. Where there is one only, there is nothing to choose.
fn whose(state: &State) -> Vec<(&'static str, Vec<(Of, AttrValue)>)> {
    let (lang, run) = (state.lang, state.playback.run());
    let partitions = records::partitions_in_order(run).into_iter().map(Of::Partition);
    let producers = (0..run.setup().producers.len()).map(ProducerId::at).map(Of::Producer);
    let members = state.group().into_iter().flat_map(|group| run.consumers_of(group));
    let members = members.map(|consumer| Of::Member(consumer.id));
    let lists: [(&str, Vec<Of>); 3] = [
        (words::partitions(lang), partitions.collect()),
        (words::producers(lang), producers.collect()),
        (words::members(lang), members.collect()),
    ];
    let named = |of: Of| (of, name_of(state, of));
    let lists = lists.into_iter().filter(|(_, list)| list.len() > 1);
    lists.map(|(label, list)| (label, list.into_iter().map(named).collect())).collect()
}

fn name_of(state: &State, of: Of) -> AttrValue {
    let run = state.playback.run();
    match of {
        Of::Partition(partition) => names::partition(run, partition).into(),
        Of::Producer(producer) => names::producer(run, producer).to_owned().into(),
        Of::Member(member) => names::consumer(run, member).to_owned().into(),
    }
}

/// The records of what is selected can be asked for with one press.
fn of_selected(state: &State) -> Option<(Of, AttrValue)> {
    let of = match state.inspector.selected? {
        Selected::Subject(Subject::Partition(partition)) => Of::Partition(partition),
        Selected::Subject(Subject::Producer(producer)) => Of::Producer(producer),
        Selected::Subject(Subject::Member(member)) => Of::Member(member),
        Selected::Subject(Subject::Group(_) | Subject::Message(_)) | Selected::Record(_) => return None,
    };
    Some((of, words::only(state.lang, &name_of(state, of)).into()))
}

/// The columns that a table has.
pub fn columns(has_group: bool) -> impl Iterator<Item = Column> {
    Column::ALL.into_iter().filter(move |column| has_group || !column.is_of_group())
}
