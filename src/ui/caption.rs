//! What just happened, in one sentence, under the stage; and the scene as text.

use super::sometimes;
use super::stage::legend;
use super::state::{Action, MenuOf, Panel};
use super::term;
use crate::text::{Lang, Section, Segment, labels};
use std::rc::Rc;
use wasm_bindgen::JsCast as _;
use yew::prelude::*;

/// What is said under the stage.
pub struct Words {
    /// The language.
    pub lang: Lang,
    /// What just happened.
    pub sentence: Rc<[Segment]>,
    /// A clock that runs during a long wait.
    pub clock: Option<AttrValue>,
    /// The stage as text, if that is open.
    pub twin: Rc<[Section]>,
}

/// The words under the stage. `menu` is the menu that is open.
pub fn caption(words: &Words, menu: Option<MenuOf>, dispatch: &Callback<Action>) -> Html {
    let Words { lang, sentence, clock, twin } = words;
    let open = match menu {
        Some(MenuOf::Term(Panel::Caption, term)) => Some(term),
        _ => None,
    };
    let ontoggle = sometimes(dispatch, |event: Event| {
        Some(Action::SetTwin(event.target()?.dyn_into::<web_sys::Element>().ok()?.has_attribute("open")))
    });
    html! {
        <div class="under-stage">
            { legend(*lang) }
            <p class="caption" id="caption" tabindex="-1" data-home="caption">
                { term::words(Panel::Caption, sentence, open, dispatch) }
                if let Some(clock) = clock {
                    <span class="clock mono" aria-hidden="true">{ clock }</span>
                }
            </p>
            <details class="twin" {ontoggle}>
                <summary>{ labels::as_text(*lang) }</summary>
                for (index, section) in twin.iter().enumerate() {
                    <section key={index}>
                        <h2>{ &section.heading }</h2>
                        <ul>
                            for (index, line) in section.lines.iter().enumerate() { <li key={index}>{ line }</li> }
                        </ul>
                    </section>
                }
            </details>
        </div>
    }
}
