//! Who said what to whom, as a sequence diagram or as a list. No geometry is decided here.
//!
//! To the keyboard and to a screen reader the lifelines' names are buttons, and the list has what is drawn.

mod drawing;
mod prepare;

use crate::scene::sequence::{Drawing, Lifeline};
use crate::sim::StepNo;
use crate::text::{Lang, labels};
use crate::ui::state::{Action, Inspect, Selected, SequenceShown};
use std::rc::Rc;
use yew::prelude::*;

pub use prepare::prepare;

/// What is drawn, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceView {
    /// What of it is shown.
    pub shown: SequenceShown,
    /// Where everything stands.
    pub drawing: Drawing,
    /// The lifelines.
    pub heads: Vec<Head>,
    /// What has words, in order.
    pub items: Vec<ItemView>,
    /// The words at the breaks.
    pub breaks: Vec<AttrValue>,
    /// The times at the edge.
    pub times: Vec<AttrValue>,
    /// The present, at the edge.
    pub now: AttrValue,
    /// Who takes no part.
    pub idle: Option<AttrValue>,
    /// The whole in a sentence.
    pub summary: AttrValue,
    /// The step to go to for what was before.
    pub earlier: Option<StepNo>,
}

/// The head of a lifeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// Whose.
    pub on: Lifeline,
    /// The name.
    pub name: AttrValue,
    /// What it is.
    pub role: AttrValue,
    /// True for a broker that coordinates a group.
    pub coordinates: bool,
    /// What is selected with it, if anything can be.
    pub select: Option<Selected>,
    /// True if that is selected.
    pub is_selected: bool,
}

/// Something that is drawn with words.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemView {
    /// Beside the drawing.
    pub label: AttrValue,
    /// In the list; empty where that is not shown.
    pub line: AttrValue,
    /// When it is first seen.
    pub at: AttrValue,
    /// How it is drawn.
    pub class: &'static str,
    /// The step in which it has happened; nothing while it goes on.
    pub step: Option<StepNo>,
    /// What is selected with it.
    pub select: Option<Selected>,
    /// True if that is selected.
    pub is_selected: bool,
    /// True if it belongs to the step that is shown.
    pub is_present: bool,
}

/// Goes to something and selects it.
fn choose(dispatch: &Callback<Action>, step: Option<StepNo>, select: Option<Selected>) -> Callback<MouseEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |_| {
        if let Some(step) = step {
            dispatch.emit(Action::JumpToStep(step));
        }
        if select.is_some() {
            dispatch.emit(Action::Inspect(Inspect::Select(select)));
        }
    })
}

/// The view.
#[inline(never)]
pub fn sequence(lang: Lang, view: &Rc<SequenceView>, dispatch: &Callback<Action>) -> Html {
    let SequenceShown { chatter, as_list } = view.shown;
    let switch = |name: &'static str, is_on: bool, shown: SequenceShown| {
        let onclick = dispatch.reform(move |_| Action::Inspect(Inspect::Sequence(shown)));
        html! { <button type="button" class="button small" aria-pressed={is_on.to_string()} {onclick}>{ name }</button> }
    };
    html! {
        <div class="pane sequence" id="sequence">
            <div class="sequence-switches">
                { switch(labels::chatter(lang), chatter, SequenceShown { chatter: !chatter, as_list }) }
                { switch(labels::sequence_as_list(lang), as_list, SequenceShown { chatter, as_list: !as_list }) }
                if let Some(step) = view.earlier {
                    <button type="button" class="button small" onclick={choose(dispatch, Some(step), None)}>{ labels::sequence_earlier(lang) }</button>
                }
            </div>
            if view.items.is_empty() {
                <p class="muted">{ labels::sequence_empty(lang) }</p>
            } else if as_list {
                { list(lang, view, dispatch) }
            } else {
                <drawing::Paper {lang} view={view.clone()} dispatch={dispatch.clone()} />
            }
            if let Some(idle) = &view.idle { <p class="muted sequence-idle">{ idle }</p> }
        </div>
    }
}

/// The same as a list.
#[inline(never)]
fn list(lang: Lang, view: &SequenceView, dispatch: &Callback<Action>) -> Html {
    let line = |(index, item): (usize, &ItemView)| {
        let go = format!("{} – {}", item.at, labels::go_to_step(lang));
        let is_present = item.is_present.then_some("step");
        html! {
            <li key={index} class={classes!("reason", item.is_selected.then_some("is-selected"))} aria-current={is_present}>
                if item.step.is_some() {
                    <button type="button" class="when mono" aria-label={go} onclick={choose(dispatch, item.step, item.select)}>{ &item.at }</button>
                } else {
                    <span class="when mono">{ &item.at }</span>
                }
                { " " }{ &item.line }
            </li>
        }
    };
    html! {
        <div class="sequence-view" tabindex="0" role="region" aria-label={labels::sequence(lang)}>
            <ol class="reasons sequence-list">{ for view.items.iter().enumerate().map(line) }</ol>
        </div>
    }
}
