//! The story: what is said at this moment, the question before a decisive step, and where the viewer left it.

use crate::text::{Lang, Segment, Term, labels};
use crate::ui::icons::{self, icon};
use crate::ui::state::{Action, MenuOf, Panel};
use crate::ui::term::words;
use crate::ui::transport::PLAY;
use std::rc::Rc;
use yew::prelude::*;

/// The story at this moment, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct StoryView {
    /// The title of the scenario.
    pub title: AttrValue,
    /// Which scene it is, from 1, of how many; nothing before the first.
    pub place: Option<(usize, usize)>,
    /// What is said or, as long as nothing is, what it is about.
    pub text: Option<Rc<[Segment]>>,
    /// What is asked.
    pub question: Option<QuestionView>,
    /// What the viewer changed, if this is a branch of their own.
    pub own_branch: Option<AttrValue>,
    /// Branches to choose from, with the one that is shown.
    pub branches: Vec<AttrValue>,
    /// The branch that is shown.
    pub branch: usize,
    /// True if another branch can be put beside it.
    pub can_compare: bool,
    /// The branches that cannot be put beside the one that is shown.
    pub compared: Vec<usize>,
}

/// A question at this moment.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionView {
    /// What is asked.
    pub text: Rc<[Segment]>,
    /// The answers.
    pub choices: Vec<u32>,
    /// The answer that was chosen.
    pub chosen: Option<u32>,
    /// The right one; shown once one is chosen.
    pub answer: u32,
}

/// The story. `menu` is the menu that is open.
pub fn story(lang: Lang, view: &StoryView, menu: Option<MenuOf>, dispatch: &Callback<Action>) -> Html {
    let open = match menu {
        Some(MenuOf::Term(Panel::Story, term)) => Some(term),
        _ => None,
    };
    html! {
        <section class="story" data-home="story-title">
            <div class="story-head">
                <h2 id="story-title" tabindex="-1">{ &view.title }</h2>
                <div class="scenes" role="group" aria-label={labels::beats(lang)}>
                    <button type="button" class="button small" aria-label={labels::previous_scene(lang)} title={labels::previous_scene(lang)}
                        onclick={dispatch.reform(|_| Action::PreviousScene)}>{ icon(icons::UP) }</button>
                    <span class="muted place">{ view.place.map(|(nth, of)| format!("{} {nth} / {of}", labels::scene(lang))) }</span>
                    <button type="button" class="button small" aria-label={labels::next_scene(lang)} title={labels::next_scene(lang)}
                        onclick={dispatch.reform(|_| Action::NextScene)}>{ icon(icons::DOWN) }</button>
                </div>
            </div>
            if let Some(own) = &view.own_branch { { own_branch(lang, own, view, dispatch) } }
            if let Some(text) = &view.text {
                <p class="say">{ words(Panel::Story, text, open, dispatch) }</p>
            }
            if let Some(question) = &view.question { { ask(lang, question, open, dispatch) } }
        </section>
    }
}

#[inline(never)]
fn own_branch(lang: Lang, text: &AttrValue, view: &StoryView, dispatch: &Callback<Action>) -> Html {
    // Not the title: in this column Home and End scroll, and whoever returns to the story may want its start.
    html! {
        <div class="own-branch" data-home={PLAY}>
            <p><b>{ text }</b></p>
            <p>{ labels::own_run(lang) }</p>
            <button type="button" class="button" id="back-to-story" onclick={dispatch.reform(|_| Action::SwitchBranch(0))}>
                { labels::back_to_story(lang) }
            </button>
            if view.can_compare && !view.compared.contains(&0) {
                <button type="button" class="button compares" id="compare-with-story" data-home={PLAY} onclick={dispatch.reform(|_| Action::Compare(0))}>
                    { labels::compare_with_story(lang) }
                </button>
            }
            if view.branches.len() > 2 { { branches(lang, view, dispatch) } }
            if view.can_compare && view.branches.len() > 2 { { comparable(lang, view, dispatch) } }
        </div>
    }
}

fn branches(lang: Lang, view: &StoryView, dispatch: &Callback<Action>) -> Html {
    html! {
        <div class="branches" role="group" aria-label={labels::branch(lang)}>
            for (index, name) in view.branches.iter().enumerate() {
                <button key={index} type="button" class="button small" aria-pressed={(index == view.branch).to_string()}
                    onclick={dispatch.reform(move |_| Action::SwitchBranch(index))}>{ name }</button>
            }
        </div>
    }
}

/// The branches that can be put beside the one that is shown; the story has a button of its own.
fn comparable(lang: Lang, view: &StoryView, dispatch: &Callback<Action>) -> Html {
    let is_other = |index: &usize| *index != view.branch && !view.compared.contains(index);
    html! {
        <div class="branches compares" role="group" aria-label={labels::compare_with(lang)}>
            <span class="muted" aria-hidden="true">{ labels::compare_with(lang) }</span>
            for index in (1..view.branches.len()).filter(is_other) {
                <button key={index} type="button" class="button small" data-home={PLAY}
                    onclick={dispatch.reform(move |_| Action::Compare(index))}>{ &view.branches[index] }</button>
            }
        </div>
    }
}

/// The id of the open question.
pub const QUESTION: &str = "question";

fn ask(lang: Lang, question: &QuestionView, open: Option<Term>, dispatch: &Callback<Action>) -> Html {
    html! {
        <fieldset class="question" id={QUESTION} tabindex="-1" data-home={PLAY}>
            <legend>{ labels::question(lang) }</legend>
            <p class="question-text">{ words(Panel::Story, &question.text, open, dispatch) }</p>
            <div class="choices">
                for &choice in &question.choices {
                    <button key={choice} type="button" class={classes!("choice", verdict(question, choice))}
                        aria-pressed={(question.chosen == Some(choice)).to_string()}
                        onclick={dispatch.reform(move |_| Action::Answer(choice))}>{ choice }</button>
                }
            </div>
            if let Some(chosen) = question.chosen {
                <p class="answer" role="status">
                    if chosen == question.answer { { labels::right(lang) } } else { { format!("{} {}", labels::wrong(lang), question.answer) } }
                </p>
                <button type="button" class="button primary" onclick={dispatch.reform(|_| Action::Toggle)}>{ labels::go_on(lang) }</button>
            }
        </fieldset>
    }
}

fn verdict(question: &QuestionView, choice: u32) -> Option<&'static str> {
    let chosen = question.chosen?;
    match () {
        () if choice == question.answer => Some("is-right"),
        () if choice == chosen => Some("is-wrong"),
        () => None,
    }
}
