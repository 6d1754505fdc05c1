//! Runs beside each other: what was changed and what came of it in a sentence, and the stage of each run.

use super::browser;
use super::stage::{Prepared, StageView};
use super::state::{Action, Comparing, State};
use super::transport::PLAY;
use super::verdicts::choice;
use super::view;
use crate::explain::{self, compare as model};
use crate::history::BranchId;
use crate::scene::stage::Shape;
use crate::scene::{self, Seen};
use crate::sim::{GroupId, RecordId, Simulation, Span};
use crate::text::{self, compare as words, format, labels};
use std::rc::Rc;
use yew::prelude::*;

/// Up to this width two stages have no room for two columns each. The style sheet says the same.
const SMALL: &str = "(max-width: 1120px)";

/// The element id of the sentence.
const COMPARED: &str = "compared";

/// The arrangement of a stage that has others beside it: below the width of two columns, that of a phone.
#[inline(never)]
pub fn shape(state: &State, comparing: &Comparing) -> Shape {
    let is_small = || browser::media(SMALL).is_some_and(|query| query.matches());
    match state.shape {
        Shape::Wide if state.side || comparing.branches.len() > 2 || is_small() => Shape::Narrow,
        Shape::Wide => Shape::Columns,
        shape => shape,
    }
}

/// A result of one run at the moment that is shown.
struct ResultView {
    label: AttrValue,
    value: AttrValue,
    /// True if it is not the same in all runs.
    differs: bool,
}

/// The runs. `driven` is the stage of the one that is stepped.
#[inline(never)]
pub fn compare(state: &State, comparing: &Comparing, driven: Html, dispatch: &Callback<Action>) -> Html {
    let lang = state.lang;
    let results = results(state, comparing);
    html! {
        <section class="compare" aria-label={labels::comparison(lang)} data-home={PLAY}>
            <div class="compare-head">
                <p id={COMPARED} class="compare-sum" role="status">{ sum(state, comparing) }</p>
                if let (Some(group), [_, _, ..]) = (state.group(), &state.scenario.setup.groups[..]) {
                    { choice(lang, &state.scenario.setup.groups, group, dispatch) }
                }
                <button type="button" class="button small" id="end-comparison" data-home={PLAY}
                    onclick={dispatch.reform(|_| Action::EndComparison)}>{ labels::end_comparison(lang) }</button>
            </div>
            <div class={classes!("compare-runs", (comparing.branches.len() > 2).then_some("are-three"))}>
                for (index, (&branch, results)) in comparing.branches.iter().zip(&results).enumerate() {
                    { run_view(state, comparing, (index, branch), results, &driven, dispatch) }
                }
            </div>
        </section>
    }
}

/// The worlds of the runs.
fn runs<'a>(state: &'a State, comparing: &Comparing) -> Vec<&'a Simulation> {
    comparing.branches.iter().map(|&branch| state.playback.beside(branch)).collect()
}

/// What was changed and what came of it.
fn sum(state: &State, comparing: &Comparing) -> String {
    let (lang, runs) = (state.lang, runs(state, comparing));
    let said = comparing.summary.as_ref().map(|summary| words::sentence(lang, &runs, summary)).unwrap_or_default();
    match comparing.is_known {
        true => said,
        false => format!("{said} {}", labels::working_out(lang)),
    }
}

fn run_view(
    state: &State,
    comparing: &Comparing,
    (index, branch): (usize, BranchId),
    results: &[ResultView],
    driven: &Html,
    dispatch: &Callback<Action>,
) -> Html {
    let lang = state.lang;
    let is_driven = index == comparing.driven;
    let (id, name) = (format!("compared-{index}"), title(state, comparing, index));
    html! {
        <section key={branch} class={classes!("compare-run", is_driven.then_some("is-driven"))} aria-labelledby={id.clone()}>
            <div class="compare-title">
                <h2 {id}>{ &name }</h2>
                if is_driven {
                    <span class="is-stepped">{ labels::is_stepped(lang) }</span>
                } else {
                    <button type="button" class="button small" data-home={PLAY} aria-label={format!("{}: {name}", labels::step_this(lang))}
                        onclick={dispatch.reform(move |_| Action::Drive(index))}>{ labels::step_this(lang) }</button>
                }
            </div>
            <ul class="results">
                for result in results {
                    <li key={result.label.to_string()} class={classes!("result", result.differs.then_some("is-other"))}>
                        if result.differs { <span class="sign-differs" aria-hidden="true">{ "≠" }</span> }
                        { &result.label }{ " " }<b>{ &result.value }</b>
                        if result.differs { <span class="visually-hidden">{ format!(" ({})", labels::differs(lang)) }</span> }
                    </li>
                }
            </ul>
            <p class="muted compare-here">{ (!is_driven).then(|| here(state, branch)) }</p>
            if is_driven {
                { driven.clone() }
            } else {
                <div role="img" aria-label={format!("{}: {name}", labels::stage(lang))}>
                    <div inert={true}>{ stage_beside(state, comparing, branch) }</div>
                </div>
            }
        </section>
    }
}

/// A run by what is special about it; where that is nothing, by its branch.
fn title(state: &State, comparing: &Comparing, index: usize) -> String {
    let branch = comparing.branches[index];
    match &comparing.summary {
        Some(summary)
            if !summary.partings.is_empty() && summary.partings.iter().any(|parting| parting.is_in(index)) =>
        {
            words::title(state.lang, &runs(state, comparing), &summary.partings, index)
        }
        _ => view::branch_name(state, branch).to_string(),
    }
}

/// What is otherwise in another run at this moment than in the one that is stepped.
fn here(state: &State, branch: BranchId) -> String {
    let (lang, run) = (state.lang, state.playback.run());
    let found = state.group().map(|group| model::differing(run, state.playback.beside(branch), group));
    words::here(lang, run, &found.unwrap_or_default())
}

/// The stage of a run that is only looked at.
fn stage_beside(state: &State, comparing: &Comparing, branch: BranchId) -> Html {
    let run = state.playback.beside(branch);
    let none: &[RecordId] = &[];
    let seen = Seen { chosen: state.group(), rows: state.rows, concerned: none };
    // It may not be known as far as that.
    let at = if run.has_ended() { run.now() } else { state.playback.drawn_time().max(run.now()) };
    let stage = Prepared(Rc::new(scene::stage(run, at, shape(state, comparing), seen)));
    html! {
        <StageView {stage} lang={state.lang} concerned={Rc::new(Vec::new())} selected={None} picked={None} on_subject={None}
            on_record={Callback::noop()} on_group={Callback::noop()} on_drag={Callback::noop()} on_all={Callback::noop()} />
    }
}

/// What each run has come to by the moment that is shown.
fn results(state: &State, comparing: &Comparing) -> Vec<Vec<ResultView>> {
    let Some(group) = state.group() else { return comparing.branches.iter().map(|_| Vec::new()).collect() };
    let of = |&branch: &BranchId| results_of(state, state.playback.beside(branch), group);
    let mut all: Vec<Vec<ResultView>> = comparing.branches.iter().map(of).collect();
    let count = all.iter().map(Vec::len).min().unwrap_or(0);
    let outcomes: Vec<model::Outcome> =
        comparing.branches.iter().map(|&branch| model::Outcome::now(state.playback.beside(branch), group)).collect();
    for place in 0..count {
        let differs = match place + 1 == count {
            // Two runs never stand still for the same microseconds.
            true => outcomes.iter().any(|outcome| model::Quantity::Unowned.differs(outcome, &outcomes[0])),
            false => all.iter().any(|results| results[place].value != all[0][place].value),
        };
        all.iter_mut().for_each(|results| results[place].differs = differs);
    }
    all
}

fn results_of(state: &State, run: &Simulation, group: GroupId) -> Vec<ResultView> {
    let lang = state.lang;
    let result =
        |label: &'static str, value: String| ResultView { label: label.into(), value: value.into(), differs: false };
    let verdicts = explain::verdicts(run, group);
    let verdicts =
        verdicts.iter().map(|verdict| result(text::verdict_label(lang, verdict), text::verdict_value(lang, verdict)));
    let unowned = model::Outcome::now(run, group).unowned;
    let unowned = Span::from_millis(unowned.as_millis() / 100 * 100);
    verdicts.chain([result(labels::stood_still(lang), format::span(lang, unowned))]).collect()
}
