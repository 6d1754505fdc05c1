//! What the run comes to, up to the moment that is shown. A verdict is a button that shows the records it is about.

use super::sometimes;
use super::state::Action;
use crate::sim::setup::{GroupSetup, Setup};
use crate::sim::{GroupId, StepNo};
use crate::text::{Lang, labels};
use std::rc::Rc;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// A verdict in words.
#[derive(Clone, Debug, PartialEq)]
pub struct VerdictView {
    /// What it is about.
    pub label: AttrValue,
    /// What it comes to.
    pub value: AttrValue,
    /// What that means, in a sentence.
    pub meaning: AttrValue,
    /// How it looks.
    pub tone: Tone,
}

/// Whether a verdict is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As it should be.
    Good,
    /// A fact.
    Plain,
    /// Something was repeated or mixed up.
    Warning,
    /// Something is lost.
    Bad,
}

impl Tone {
    /// Its class.
    const fn class(self) -> &'static str {
        match self {
            Tone::Good => "is-good",
            Tone::Plain => "",
            Tone::Warning => "is-warning",
            Tone::Bad => "is-bad",
        }
    }
}

/// What is shown of the verdict that was pressed.
#[derive(Clone, Debug, PartialEq)]
pub struct ConcernView {
    /// What it means.
    pub meaning: AttrValue,
    /// What is listed, and where each goes.
    pub lead: AttrValue,
    /// Instead of the list, if there is nothing in it.
    pub none: AttrValue,
    /// The records or members it is about, each with the step where it came to that.
    pub items: Vec<(StepNo, AttrValue)>,
    /// The pages of a list that is longer, by the numbers of what is on them.
    pub pages: Vec<AttrValue>,
    /// The page that is shown.
    pub page: usize,
    /// How many there are.
    pub total: AttrValue,
}

/// A setup, told from another by where it is: to compare what is in it would be work and code for nothing.
#[derive(Clone)]
pub struct RunSetup(pub Rc<Setup>);

impl PartialEq for RunSetup {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
pub struct VerdictsProps {
    pub lang: Lang,
    /// Holds the groups to choose from.
    pub run: RunSetup,
    /// The group that they are about.
    pub group: GroupId,
    pub verdicts: Rc<[VerdictView]>,
    pub chosen: Option<usize>,
    pub concern: Option<Rc<ConcernView>>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Verdicts(props: &VerdictsProps) -> Html {
    let VerdictsProps { lang, run: RunSetup(setup), group, verdicts, chosen, concern, dispatch } = props;
    html! {
        <section class="verdicts" aria-label={labels::up_to_here(*lang)}>
            <span class="muted verdicts-lead">{ labels::up_to_here(*lang) }</span>
            if setup.groups.len() > 1 { { choice(*lang, &setup.groups, *group, dispatch) } }
            for (index, verdict) in verdicts.iter().enumerate() {
                <button key={index} type="button" id={verdict_id(index)} class={classes!("verdict", verdict.tone.class())} title={verdict.meaning.clone()}
                    aria-pressed={(*chosen == Some(index)).to_string()} onclick={dispatch.reform(move |_| Action::ToggleConcern(index))}>
                    { &verdict.label }{ " " }<b>{ &verdict.value }</b>
                </button>
            }
            if let Some((concern, index)) = concern.as_ref().zip(*chosen) { { concern_view(*lang, index, concern, dispatch) } }
        </section>
    }
}

/// The choice of a group.
#[inline(never)]
pub fn choice(lang: Lang, groups: &[GroupSetup], chosen: GroupId, dispatch: &Callback<Action>) -> Html {
    html! {
        <div class="choose-group" role="group" aria-label={labels::group_of_verdicts(lang)}>
            for (index, group) in groups.iter().enumerate() {
                <button key={index} type="button" class="button small" aria-pressed={(chosen.index() == index).to_string()}
                    onclick={dispatch.reform(move |_| Action::ChooseGroup(GroupId::at(index)))}>{ &*group.name }</button>
            }
        </div>
    }
}

#[inline(never)]
fn concern_view(lang: Lang, verdict: usize, concern: &ConcernView, dispatch: &Callback<Action>) -> Html {
    html! {
        <div class="concern" data-home={verdict_id(verdict)}>
            <p>{ &concern.meaning }</p>
            if concern.items.is_empty() {
                <p class="muted">{ &concern.none }</p>
            } else {
                <div class="concerned" role="group" aria-label={concern.lead.clone()}>
                    <span class="muted" aria-hidden="true">{ &concern.lead }</span>
                    for (step, name) in &concern.items {
                        <button key={name.to_string()} type="button" class="button small mono" title={labels::go_to_step(lang)}
                            onclick={jump(dispatch, *step)}>{ name }</button>
                    }
                </div>
                if !concern.pages.is_empty() { { pages(lang, concern, dispatch) } }
            }
        </div>
    }
}

/// The choice of a page.
#[inline(never)]
fn pages(lang: Lang, concern: &ConcernView, dispatch: &Callback<Action>) -> Html {
    let onchange = sometimes(dispatch, |event: Event| {
        let select: HtmlSelectElement = event.target()?.dyn_into().ok()?;
        Some(Action::ShowPage(usize::try_from(select.selected_index()).ok()?))
    });
    html! {
        <label class="pages muted">
            <select aria-label={labels::shown_part(lang)} {onchange}>
                for (page, name) in concern.pages.iter().enumerate() {
                    <option key={page} selected={page == concern.page}>{ name }</option>
                }
            </select>
            { " " }{ &concern.total }
        </label>
    }
}

fn verdict_id(index: usize) -> String {
    format!("verdict-{index}")
}

fn jump(dispatch: &Callback<Action>, step: StepNo) -> Callback<MouseEvent> {
    dispatch.reform(move |_| Action::JumpToStep(step))
}
