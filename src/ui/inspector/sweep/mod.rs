//! Many runs that differ from the one that is looked at in one thing each: what they are to differ in, how far that is, what it
//! has shown, and each run to be opened.

mod grid;
mod prepare;

use crate::explain::{Owner, Setting};
use crate::sweep::grid::Outcome;
use crate::text::sweep::page as words;
use crate::text::{Lang, labels, records};
use crate::ui::icons::{self, icon};
use crate::ui::sometimes;
use crate::ui::state::{Action, AskedOfSweep, Format, Inspect, Over};
use grid::{GridView, SweepGrid};
use std::rc::Rc;
use wasm_bindgen::JsCast as _;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

pub use prepare::{copied, prepare};

/// A sweep in words.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepView {
    choice: ChoiceView,
    /// The one that was started last.
    result: Option<ResultView>,
}

/// What is to be run.
#[derive(Clone, Debug, PartialEq)]
struct ChoiceView {
    over: Over,
    seeds: [Rc<str>; 2],
    setting: Option<(Setting, Owner)>,
    settings: Vec<SettingChoice>,
    /// Why that cannot be run.
    impossible: Option<AttrValue>,
}

#[derive(Clone, Debug, PartialEq)]
struct SettingChoice {
    setting: Setting,
    owner: Owner,
    name: AttrValue,
}

#[derive(Clone, Debug, PartialEq)]
struct ResultView {
    over: Over,
    /// How far it is, as long as it runs.
    progress: Option<ProgressView>,
    summary: AttrValue,
    /// How many runs came out how.
    legend: Vec<(Outcome, AttrValue, &'static str)>,
    /// Said if another run is looked at.
    elsewhere: Option<&'static str>,
    notes: Vec<AttrValue>,
    as_table: bool,
    grid: Option<Rc<GridView>>,
    /// What is behind the chosen cell.
    detail: Option<DetailView>,
    table: Option<TableView>,
    /// True if one of the runs is looked at.
    is_opened: bool,
}

/// How a run came out: what the style sheet calls it, and its sign.
type Sign = (&'static str, AttrValue);

fn sign_view((class, sign): &Sign) -> Html {
    html! { <span class={*class} aria-hidden="true">{ sign }</span> }
}

#[derive(Clone, Debug, PartialEq)]
struct ProgressView {
    done: u32,
    all: Option<u32>,
    words: AttrValue,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct DetailView {
    lead: Option<AttrValue>,
    title: AttrValue,
    outcome: Option<(Sign, AttrValue)>,
    totals: AttrValue,
    standstill: Option<AttrValue>,
    /// The step that decided how it came out, and its sentence, once that is known.
    decisive: Option<(AttrValue, AttrValue)>,
    /// Its place among the rows.
    row: Option<usize>,
    /// What shows its column step by step.
    widen: Option<AttrValue>,
}

#[derive(Clone, Debug, PartialEq)]
struct TableView {
    head: Vec<AttrValue>,
    /// Each with its place among the rows, how it came out and what makes it differ.
    rows: Vec<(usize, Sign, AttrValue, Vec<AttrValue>)>,
    page: usize,
    last: usize,
    shown: AttrValue,
    total: AttrValue,
}

/// The id of the button that starts it.
const START: &str = "sweep-start";
/// The id of the button that stops it.
const STOP: &str = "sweep-stop";

fn asking(asked: AskedOfSweep, dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    dispatch.reform(move |_| Action::Inspect(Inspect::Sweep(asked.clone())))
}

fn button(label: &AttrValue, asked: AskedOfSweep, dispatch: &Callback<Action>) -> Html {
    html! { <button type="button" class="button small" onclick={asking(asked, dispatch)}>{ label }</button> }
}

/// The view.
#[inline(never)]
pub fn sweep(lang: Lang, view: &SweepView, dispatch: &Callback<Action>) -> Html {
    let progress = view.result.as_ref().and_then(|result| result.progress.as_ref());
    html! {
        <section class="pane sweep" id="sweep" aria-label={words::title(lang)} data-home={if progress.is_some() { STOP } else { START }}>
            if view.result.is_none() { <p class="muted">{ words::about(lang) }</p> }
            { choice(lang, &view.choice, dispatch) }
            <div class="sweep-run">
                if let Some(progress) = progress {
                    <button type="button" class="button" id={STOP} data-home={START} onclick={asking(AskedOfSweep::Stop, dispatch)}>{ labels::cancel(lang) }</button>
                    <progress aria-label={words::progress_name(lang)} max={progress.all.map(|all| all.max(1).to_string())} value={progress.all.map(|_| progress.done.to_string())} />
                    <span class="muted">{ &progress.words }</span>
                } else {
                    <button type="button" class="button primary" id={START} data-home={STOP} aria-disabled={view.choice.impossible.is_some().to_string()}
                        onclick={if view.choice.impossible.is_none() { asking(AskedOfSweep::Start, dispatch) } else { Callback::noop() }}>
                        { if view.result.is_some() { words::start_again(lang) } else { words::start(lang) } }
                    </button>
                }
            </div>
            if let Some(impossible) = &view.choice.impossible { <p class="muted" role="status">{ impossible }</p> }
            if let Some(result) = &view.result { { result_view(lang, result, dispatch) } }
        </section>
    }
}

fn choice(lang: Lang, view: &ChoiceView, dispatch: &Callback<Action>) -> Html {
    let about = match view.over {
        Over::Crashes => words::about_crashes(lang),
        Over::Seeds => words::about_seeds(lang),
        Over::Values => words::about_values(lang),
    };
    html! {
        <>
            <div class="sweep-over" role="group" aria-label={words::over(lang)}>
                for (index, over) in Over::ALL.into_iter().enumerate() {
                    <button key={index} type="button" class="button small" aria-pressed={(over == view.over).to_string()} onclick={asking(AskedOfSweep::Over(over), dispatch)}>
                        { match over {
                            Over::Crashes => words::over_crashes(lang),
                            Over::Seeds => words::over_seeds(lang),
                            Over::Values => words::over_values(lang),
                        } }
                    </button>
                }
            </div>
            <p class="muted">{ about }</p>
            {
                match view.over {
                    Over::Crashes => html! {},
                    Over::Seeds => seeds(lang, view, dispatch),
                    Over::Values => settings(lang, view, dispatch),
                }
            }
        </>
    }
}

fn seeds(lang: Lang, view: &ChoiceView, dispatch: &Callback<Action>) -> Html {
    let field = |which: usize, label: &'static str| {
        let seeds = view.seeds.clone();
        let oninput = sometimes(dispatch, move |event: InputEvent| {
            let field: HtmlInputElement = event.target()?.dyn_into().ok()?;
            let mut seeds = seeds.clone();
            seeds[which] = field.value().into();
            Some(Action::Inspect(Inspect::Sweep(AskedOfSweep::Seeds(seeds))))
        });
        html! {
            <label key={which}>{ label }<input type="text" inputmode="numeric" autocomplete="off" maxlength="20"
                aria-invalid={view.impossible.is_some().to_string()} value={view.seeds[which].to_string()} {oninput} /></label>
        }
    };
    html! { <div class="sweep-fields">{ field(0, words::first_seed(lang)) }{ field(1, words::last_seed(lang)) }</div> }
}

fn settings(lang: Lang, view: &ChoiceView, dispatch: &Callback<Action>) -> Html {
    let choices: Vec<(Setting, Owner)> = view.settings.iter().map(|choice| (choice.setting, choice.owner)).collect();
    let onchange = sometimes(dispatch, move |event: Event| {
        let select: HtmlSelectElement = event.target()?.dyn_into().ok()?;
        let &(setting, owner) = choices.get(usize::try_from(select.selected_index()).ok()?)?;
        Some(Action::Inspect(Inspect::Sweep(AskedOfSweep::Setting(setting, owner))))
    });
    html! {
        <div class="sweep-fields"><label>{ words::setting(lang) }
            <select {onchange}>
                for choice in &view.settings {
                    <option key={choice.name.to_string()} selected={view.setting == Some((choice.setting, choice.owner))}>{ &choice.name }</option>
                }
            </select>
        </label></div>
    }
}

fn result_view(lang: Lang, view: &ResultView, dispatch: &Callback<Action>) -> Html {
    html! {
        <>
            <p class="sweep-summary" role="status" aria-live={if view.progress.is_some() { "off" } else { "polite" }}>{ &view.summary }</p>
            if let Some(elsewhere) = view.elsewhere { <p class="sweep-elsewhere">{ elsewhere }</p> }
            if view.is_opened {
                <p class="sweep-tools"><button type="button" class="button" id="sweep-return" data-home={START} onclick={asking(AskedOfSweep::Return, dispatch)}>{ words::go_back(lang) }</button></p>
            }
            if !view.summary.is_empty() {
                { legend(view) }
                <div class="sweep-tools">
                    if let Some(grid) = &view.grid { { place(lang, grid, dispatch) } }
                    <span class="spring" />
                    if view.over == Over::Crashes {
                        <button type="button" class="button small" aria-pressed={view.as_table.to_string()} onclick={asking(AskedOfSweep::AsTable(!view.as_table), dispatch)}>{ words::as_table(lang) }</button>
                    }
                    <button type="button" class="button small" title={words::copy_more(lang)} aria-label={format!("{}: {}", records::copy(lang), words::copy_more(lang))}
                        onclick={dispatch.reform(|_| Action::Export(Format::Sweep))}>{ records::copy(lang) }</button>
                </div>
                if let Some(grid) = &view.grid {
                    <SweepGrid {lang} view={grid.clone()} dispatch={dispatch.clone()} />
                    if grid.chosen.is_none() { <p class="muted">{ words::grid_keys(lang) }</p> }
                }
                if let Some(detail) = &view.detail { { detail_view(lang, detail, dispatch) } }
                if let Some(table) = &view.table { { table_view(lang, table, dispatch) } }
            }
            for (index, note) in view.notes.iter().enumerate() { <p key={index} class="muted">{ note }</p> }
        </>
    }
}

fn legend(view: &ResultView) -> Html {
    html! {
        <ul class="sweep-legend">
            for (index, (outcome, count, name)) in view.legend.iter().enumerate() {
                <li key={index}><span class={grid::class_of(Some(*outcome))} aria-hidden="true">{ grid::sign(*outcome) }</span><b>{ count }</b>{ " " }{ *name }</li>
            }
        </ul>
    }
}

/// Which steps and members are shown.
fn place(lang: Lang, view: &GridView, dispatch: &Callback<Action>) -> Html {
    html! {
        <>
            <span class="muted">{ &view.steps }</span>
            if view.is_narrowed { { button(&words::narrow(lang).into(), AskedOfSweep::Narrow, dispatch) } }
            if let Some((shown, before, behind)) = &view.members {
                if let Some(before) = before { { button(&words::members_before(lang).into(), AskedOfSweep::Members(*before), dispatch) } }
                <span class="muted">{ shown }</span>
                if let Some(behind) = behind { { button(&words::members_behind(lang).into(), AskedOfSweep::Members(*behind), dispatch) } }
            }
        </>
    }
}

fn detail_view(lang: Lang, view: &DetailView, dispatch: &Callback<Action>) -> Html {
    html! {
        <section class="sweep-detail" id="sweep-detail" aria-label={words::detail(lang)}>
            if let Some(lead) = &view.lead { <p class="muted">{ lead }</p> }
            <h3>{ &view.title }</h3>
            if let Some((sign, words)) = &view.outcome {
                <p class="sweep-outcome">{ sign_view(sign) }<b>{ words }</b></p>
            }
            if let Some((lead, sentence)) = &view.decisive { <p><span class="muted">{ lead }</span><br />{ sentence }</p> }
            if !view.totals.is_empty() { <p class="muted">{ &view.totals }</p> }
            if let Some(standstill) = &view.standstill { <p class="muted">{ standstill }</p> }
            <div class="sweep-tools">
                if let Some(row) = view.row {
                    <button type="button" class="button primary small" id="sweep-open" onclick={asking(AskedOfSweep::Open(row), dispatch)}>{ words::open(lang) }</button>
                }
                if let Some(widen) = &view.widen { { button(widen, AskedOfSweep::Widen, dispatch) } }
            </div>
        </section>
    }
}

fn table_view(lang: Lang, view: &TableView, dispatch: &Callback<Action>) -> Html {
    html! {
        <>
            <div class="sweep-table" tabindex="0" role="region" aria-label={words::as_table(lang)}>
                <table>
                    <thead><tr>
                        for (index, name) in view.head.iter().enumerate() { <th key={index} scope="col">{ name }</th> }
                    </tr></thead>
                    <tbody>
                        for (row, sign, name, cells) in &view.rows {
                            <tr key={*row}>
                                for (index, cell) in cells.iter().enumerate() {
                                    if index == 0 {
                                        <th key={index} scope="row"><div class="sweep-row">
                                            { sign_view(sign) }
                                            <button type="button" aria-label={words::open_run(lang, name)} title={words::open(lang)} onclick={asking(AskedOfSweep::Open(*row), dispatch)}>{ cell }</button>
                                        </div></th>
                                    } else {
                                        <td key={index}>{ cell }</td>
                                    }
                                }
                            </tr>
                        }
                    </tbody>
                </table>
            </div>
            if view.last > 0 { { pages(lang, view, dispatch) } }
        </>
    }
}

fn pages(lang: Lang, view: &TableView, dispatch: &Callback<Action>) -> Html {
    let turn = |label: &'static str, sign: &'static str, to: usize| {
        let onclick = asking(AskedOfSweep::Page(to), dispatch);
        let is_here = to == view.page;
        html! { <button type="button" class="button small" aria-label={label} title={label} aria-disabled={is_here.then_some("true")} {onclick}>{ icon(sign) }</button> }
    };
    html! {
        <nav class="record-pages" aria-label={records::pages(lang)}>
            { turn(records::first_page(lang), icons::FIRST, 0) }
            { turn(records::previous_page(lang), icons::BACK, view.page.saturating_sub(1)) }
            <span>{ &view.shown }{ " " }{ &view.total }</span>
            { turn(records::next_page(lang), icons::PLAY, view.last.min(view.page + 1)) }
            { turn(records::last_page(lang), icons::LAST, view.last) }
        </nav>
    }
}
