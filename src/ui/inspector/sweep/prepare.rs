//! From a sweep to the words of its view.

use super::grid::{CellView, GridView, LineView, class_of, sign_of};
use super::{ChoiceView, DetailView, ProgressView, ResultView, SettingChoice, SweepView, TableView};
use crate::explain::{Owner, Part, configuration};
use crate::sim::{ConsumerId, Simulation};
use crate::sweep::grid::{Cell, Counts, Outcome, consumers};
use crate::sweep::{Case, Row};
use crate::text::sweep::{head, line, page as words, stopped};
use crate::text::{self, Lang, names};
use crate::ui::state::{MOST_MEMBERS, MOST_SEEDS, Over, State, Work, sweep_settings};
use std::rc::Rc;
use yew::AttrValue;

/// How many runs the table shows at once.
const MOST_ROWS: usize = 100;
/// How many columns have one head, with a time.
const COLUMNS_OF_HEAD: usize = 5;

/// The view at this moment.
#[inline(never)]
pub fn prepare(state: &State) -> SweepView {
    let (lang, sweeping) = (state.lang, &state.sweeping);
    let settings = if sweeping.over == Over::Values { settings(state) } else { Vec::new() };
    let impossible = match sweeping.over {
        Over::Crashes if state.playback.run().consumers().is_empty() => Some(words::nobody(lang).into()),
        Over::Seeds if sweeping.seeds_asked().is_none() => Some(words::bad_seeds(lang, MOST_SEEDS).into()),
        Over::Values if settings.is_empty() => Some(words::no_setting(lang).into()),
        _ => None,
    };
    let setting = sweeping.setting.or(settings.first().map(|choice| (choice.setting, choice.owner)));
    let choice = ChoiceView { over: sweeping.over, seeds: sweeping.seeds.clone(), setting, settings, impossible };
    SweepView { choice, result: sweeping.work.as_deref().map(|work| result(state, work)) }
}

fn settings(state: &State) -> Vec<SettingChoice> {
    let (lang, run) = (state.lang, state.playback.run());
    let parts = configuration(run);
    let whose = |owner: Owner| {
        let part = parts.iter().find(|part| part.settings.iter().any(|configured| configured.used.owner == owner));
        part.map_or_else(String::new, |part| match &part.part {
            Part::Members(group, _) => names::group(run, *group).to_owned(),
            other => text::settings::part(lang, run, other),
        })
    };
    let choice = |(setting, owner)| {
        let name = crate::explain::setting_name(run, setting, owner);
        SettingChoice { setting, owner, name: format!("{name} ({})", whose(owner)).into() }
    };
    sweep_settings(state).into_iter().map(choice).collect()
}

fn result(state: &State, work: &Work) -> ResultView {
    let (lang, rows) = (state.lang, work.sweep.rows());
    let is_running = work.is_running();
    let is_whole = !is_running && !work.is_stopped;
    let mut notes: Vec<AttrValue> = Vec::new();
    if work.is_stopped {
        notes.push(words::stopped(lang).into());
    }
    notes.extend(work.sweep.ending().and_then(|ending| stopped(lang, ending)).map(AttrValue::from));
    if work.over == Over::Crashes && work.base.without_crashes() != work.base {
        notes.push(words::left_out(lang).into());
    }
    if let Some(expected) = work.sweep.expected()
        && Outcome::of(&expected.unchanged) != Outcome::Harmless
    {
        notes.push(words::unchanged(lang, &expected.unchanged).into());
    }
    let counts = Counts::of(rows);
    let legend = |outcome: Outcome| {
        let count = text::format::number(u64::from(counts.count(outcome)));
        (outcome, count.into(), words::outcome(lang, outcome))
    };
    let is_grid = work.over == Over::Crashes && !work.as_table;
    ResultView {
        over: work.over,
        progress: is_running.then(|| ProgressView {
            done: rows.len() as u32,
            all: work.sweep.expected_runs(),
            words: words::progress(lang, rows.len() as u32, work.sweep.expected_runs()).into(),
        }),
        summary: words::summary(lang, rows, is_whole).into(),
        legend: Outcome::ALL.into_iter().rev().map(legend).collect(),
        elsewhere: work.is_elsewhere(state).then(|| words::elsewhere(lang)),
        notes,
        as_table: work.as_table,
        grid: is_grid.then(|| Rc::new(grid(state, work))),
        detail: if is_grid { detail(state, work) } else { None },
        table: (!is_grid).then(|| table(state, work)),
        is_opened: work.is_opened(state),
    }
}

fn grid(state: &State, work: &Work) -> GridView {
    let (lang, run, rows) = (state.lang, state.playback.run(), work.sweep.rows());
    let all = consumers(rows).max(work.base.setup.consumers.len());
    let members = work.first_member.min(all)..all.min(work.first_member + MOST_MEMBERS);
    let grid = work.grid(state.shape, members.clone());
    let present = work.present(state);
    let lines = members.clone().zip(&grid.cells).map(|(member, cells)| {
        let name = names::consumer_if_there(run, ConsumerId::at(member));
        let cell = |(column, cell): (usize, &Cell)| {
            let worst = cell.worst.and_then(|row| rows.get(row)).map(|row| &row.totals);
            CellView {
                class: class_of(worst.map(Outcome::of)),
                sign: worst.map_or_else(AttrValue::default, |worst| sign_of(worst).into()),
                label: words::cell(lang, &name, &grid.columns[column], &cell.counts, worst).into(),
                worst: cell.worst,
            }
        };
        LineView { member, cells: cells.iter().enumerate().map(cell).collect(), name: name.clone().into() }
    });
    let lines = lines.collect();
    let heads = grid.columns.chunks(COLUMNS_OF_HEAD).map(|some| {
        (some.len(), some.first().map_or_else(String::new, |steps| first_of(lang, rows, steps.start)).into())
    });
    GridView {
        lines,
        heads: heads.collect(),
        is_single: grid.columns.iter().all(|steps| steps.len() == 1),
        present: present.and_then(|shown| grid.columns.iter().position(|steps| steps.contains(&shown))),
        chosen: work.chosen,
        steps: words::steps(lang, &work.window()).into(),
        is_narrowed: !work.windows.is_empty(),
        members: (all > MOST_MEMBERS).then(|| {
            let words = words::members(lang, members.start + 1, members.end, all).into();
            let before = members.start.checked_sub(MOST_MEMBERS);
            (words, before, (members.end < all).then_some(members.end))
        }),
    }
}

/// The first step of a column, with its time.
fn first_of(lang: Lang, rows: &[Row], step: u32) -> String {
    let number = text::format::number(u64::from(step));
    let is_before = |row: &Row| matches!(row.case, Case::Crash { after, .. } if after < step);
    match rows.get(rows.partition_point(is_before)).map(|row| &row.case) {
        Some(Case::Crash { at, after, .. }) if *after == step => {
            format!("{number} · {}", text::format::clock(lang, *at))
        }
        _ => number,
    }
}

fn detail(state: &State, work: &Work) -> Option<DetailView> {
    let (lang, run) = (state.lang, state.playback.run());
    let (member, _) = work.chosen?;
    let (steps, cell) = work.chosen_cell(state.shape)?;
    let Some((index, row)) = cell.worst.and_then(|index| Some((index, work.sweep.rows().get(index)?))) else {
        let name = names::consumer_if_there(run, ConsumerId::at(member));
        return Some(DetailView {
            title: words::no_run(lang, &name, !work.is_running()).into(),
            ..DetailView::default()
        });
    };
    let runs = cell.counts.runs();
    let decisive = row.decided_by.map(|decisive| {
        let probe = work.probe.as_ref().filter(|probe| probe.row == index && probe.is_there());
        let sentence = probe.map_or_else(String::new, |probe| text::sentence(lang, &probe.run, decisive.step));
        (words::decisive(lang, decisive.number, decisive.at).into(), sentence.into())
    });
    Some(DetailView {
        lead: (runs > 1).then(|| words::worst_of(lang, runs).into()),
        title: case(lang, run, &row.case).into(),
        outcome: Some((sign(row), words::worst(lang, &row.totals).into())),
        totals: words::totals(lang, row).into(),
        standstill: (row.standstill.span.as_micros() > 0).then(|| words::standstill(lang, row).into()),
        decisive,
        row: Some(index),
        widen: (steps.len() > 1).then(|| words::widen(lang, &steps).into()),
    })
}

fn sign(row: &Row) -> (&'static str, AttrValue) {
    (class_of(Some(Outcome::of(&row.totals))), sign_of(&row.totals).into())
}

/// What makes a run differ, in words.
fn case(lang: Lang, run: &Simulation, case: &Case) -> String {
    match case {
        Case::Crash { consumer, after, at } => words::crash(lang, run, *consumer, *after, *at),
        Case::Seed(seed) => words::seed(lang, *seed),
        Case::Change(change) => {
            let (name, value) = text::acting::assigned(lang, run, *change);
            format!("{name}={value}")
        }
        Case::Value(value) => value.clone(),
    }
}

fn table(state: &State, work: &Work) -> TableView {
    let (lang, run, rows) = (state.lang, state.playback.run(), work.sweep.rows());
    let pages = rows.len().div_ceil(MOST_ROWS).max(1);
    let page = work.page.min(pages - 1);
    let from = page * MOST_ROWS;
    let until = rows.len().min(from + MOST_ROWS);
    let line = |(index, row): (usize, &Row)| {
        let cells = line(lang, run, row).into_iter().map(AttrValue::from).collect();
        (index, sign(row), case(lang, run, &row.case).into(), cells)
    };
    TableView {
        head: heads(state, work).into_iter().map(AttrValue::from).collect(),
        rows: rows.iter().enumerate().take(until).skip(from).map(line).collect(),
        page,
        last: pages - 1,
        shown: text::format::part((from + 1).min(until), until).into(),
        total: text::format::of_all(lang, rows.len()).into(),
    }
}

/// The heads of the table: values stand under the name of what has them.
fn heads(state: &State, work: &Work) -> Vec<String> {
    let mut heads = head(state.lang, work.sweep.rows().first().map(|row| &row.case));
    if let (Some((setting, owner)), Some(first)) = (work.swept, heads.first_mut()) {
        *first = crate::explain::setting_name(state.playback.run(), setting, owner).to_owned();
    }
    heads
}

/// All runs as a table with tabs between the columns.
#[inline(never)]
pub fn copied(state: &State) -> String {
    let Some(work) = &state.sweeping.work else { return String::new() };
    let (lang, run, rows) = (state.lang, state.playback.run(), work.sweep.rows());
    let mut lines = vec![heads(state, work).join("\t")];
    lines.extend(rows.iter().map(|row| line(lang, run, row).join("\t")));
    lines.push(words::summary(lang, rows, !work.is_running() && !work.is_stopped));
    lines.join("\n")
}
