//! The stage alone, for an audience: as large as the screen, with what happens as a subtitle. Nothing can be pressed; the keys and a
//! presenter remote step.

use super::state::Presenting;
use crate::text::{Lang, labels};
use gloo_utils::document;
use wasm_bindgen::prelude::wasm_bindgen;
use yew::prelude::*;

/// The id of what lies over the stage.
pub const PRESENTING: &str = "presenting";

/// What lies over the stage: which step it is, or nothing but black.
#[inline(never)]
pub fn over(lang: Lang, presenting: Presenting, shown: u32, count: u32) -> Html {
    match presenting {
        Presenting::Stage => html! {
            // The focus has to be somewhere, and nothing of the page can have it.
            <section id={PRESENTING} tabindex="-1" aria-label={labels::present(lang)}>
                <p class="visually-hidden" role="status">{ labels::presenting(lang) }</p>
                <p class="present-step mono" aria-hidden="true">{ format!("{shown} / {count}") }</p>
            </section>
        },
        Presenting::Blank => html! { <div class="present-blank" id={PRESENTING} tabindex="-1" /> },
    }
}

#[wasm_bindgen]
extern "C" {
    /// Fills the screen with the page, or no longer. Where that is not allowed nothing happens.
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = fill)]
    fn fill(fills: bool);
}

/// Fills the screen, or no longer. In a frame that may not, the window has to do.
#[inline(never)]
pub fn show(begins: bool) {
    if begins != document().fullscreen_element().is_some() {
        fill(begins);
    }
}

/// True if the screen is not filled any more, and was until now.
#[inline(never)]
pub fn has_ended() -> bool {
    let is_presenting = document().query_selector(".is-presenting").ok().flatten().is_some();
    is_presenting && document().fullscreen_element().is_none()
}
