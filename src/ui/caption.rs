//! What just happened, in one sentence, under the stage; and the scene as text.

use super::side::QUESTION;
use super::sometimes;
use super::stage::legend;
use super::state::{Action, MenuOf, Panel};
use super::{browser, term};
use crate::sim::GroupId;
use crate::text::{Finder, Lang, Section, Segment, labels};
use std::rc::Rc;
use wasm_bindgen::JsCast as _;
use yew::prelude::*;

/// What is said under the stage.
pub struct Words {
    /// The language.
    pub lang: Lang,
    /// True if an application sends copies of what it cannot process to another topic.
    pub sets_aside: bool,
    /// What just happened.
    pub sentence: Rc<[Segment]>,
    /// The group that it is about, if that is not the one that is shown, and the offer to show it.
    pub other: Option<(GroupId, String)>,
    /// True if a question waits for an answer out of sight.
    pub asks_below: bool,
    /// A clock that runs during a long wait.
    pub clock: Option<AttrValue>,
    /// The words of the stage that are explained.
    pub on_stage: &'static str,
    /// True if records of a verdict are marked on the stage.
    pub has_concerned: bool,
    /// The stage as text, if that is open.
    pub twin: Rc<[Section]>,
}

/// The words under the stage. `menu` is the menu that is open.
pub fn caption(words: &Words, menu: Option<MenuOf>, dispatch: &Callback<Action>) -> Html {
    let Words { lang, sets_aside, sentence, other, asks_below, clock, on_stage, has_concerned, twin } = words;
    let open_in = |wanted: Panel| match menu {
        Some(MenuOf::Term(panel, term)) if panel == wanted => Some(term),
        _ => None,
    };
    let ontoggle = sometimes(dispatch, |event: Event| {
        Some(Action::SetTwin(event.target()?.dyn_into::<web_sys::Element>().ok()?.has_attribute("open")))
    });
    html! {
        <div class="under-stage">
            { legend(*lang, *sets_aside, *has_concerned) }
            <p class="caption" id="caption" tabindex="-1" data-home="caption">
                if let Some((group, offer)) = other { { see_as(*group, offer, dispatch) } }
                { term::words(Panel::Caption, sentence, open_in(Panel::Caption), dispatch) }
                if *asks_below { { to_question(*lang) } }
                if let Some(clock) = clock {
                    <span class="clock mono" aria-hidden="true">{ clock }</span>
                }
            </p>
            <div class="below">
                <details class="twin" {ontoggle}>
                    <summary>{ labels::as_text(*lang) }</summary>
                    for (index, section) in twin.iter().enumerate() { { section_view(index, section) } }
                </details>
                <p class="words" data-home="caption">{ term::words(Panel::Stage, &Finder::new(*lang).cut(on_stage), open_in(Panel::Stage), dispatch) }</p>
            </div>
        </div>
    }
}

/// The way to the question, where the story lies below the stage.
#[inline(never)]
fn to_question(lang: Lang) -> Html {
    html! {
        <button type="button" class="button small to-question" onclick={|_| browser::focus(QUESTION)}>{ labels::to_question(lang) }</button>
    }
}

#[inline(never)]
fn section_view(index: usize, section: &Section) -> Html {
    html! {
        <section key={index}>
            <h2>{ &section.heading }</h2>
            <ul>
                for (index, line) in section.lines.iter().enumerate() { <li key={index}>{ line }</li> }
            </ul>
        </section>
    }
}

#[inline(never)]
fn see_as(group: GroupId, offer: &str, dispatch: &Callback<Action>) -> Html {
    html! {
        <button type="button" class="button small see-as" onclick={dispatch.reform(move |_| Action::ChooseGroup(group))}>{ offer }</button>
    }
}
