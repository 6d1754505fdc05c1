//! The chain of causes: each link goes to its step. Of a long one only the nearest links are shown, and what somebody did.

use crate::sim::StepNo;
use crate::text::{Lang, Segment, Term, labels};
use crate::ui::state::{Action, Panel};
use crate::ui::term::words;
use std::rc::Rc;
use yew::prelude::*;

/// A link of the chain in words.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkView {
    /// Which step it is.
    pub step: StepNo,
    /// When it was.
    pub at: AttrValue,
    /// What part it has.
    pub role: AttrValue,
    /// Who or what did it, if nothing of the run did.
    pub by: Option<AttrValue>,
    /// What happened.
    pub text: Rc<[Segment]>,
    /// True for what has to be seen at once.
    pub is_near: bool,
}

/// So many links are shown at once.
const SHOWN: usize = 4;

/// The links, or those that are near. `open` is the word that is open.
pub fn chain(lang: Lang, links: &[LinkView], is_whole: bool, open: Option<Term>, dispatch: &Callback<Action>) -> Html {
    let shown = shown(links, is_whole);
    html! {
        <>
            <ol class="reasons" id="reasons" tabindex="-1">
                for link in shown.iter() { { link_view(lang, link, open, dispatch) } }
            </ol>
            if shown.len() < links.len() {
                <button type="button" class="button small show-all" aria-controls="reasons" data-home="reasons" onclick={dispatch.reform(|_| Action::ShowWholeChain)}>
                    { labels::show_all_causes(lang) }{ format!(" ({})", links.len()) }
                </button>
            }
        </>
    }
}

/// The links that are shown. To leave out a single one would save nothing.
fn shown(links: &[LinkView], is_whole: bool) -> Vec<&LinkView> {
    if is_whole || links.len() <= SHOWN + 1 {
        return links.iter().collect();
    }
    let near = links.iter().filter(|link| link.is_near).count();
    let mut others = SHOWN.saturating_sub(near);
    let mut shown: Vec<&LinkView> = links
        .iter()
        .rev()
        .filter(|link| {
            let is_shown = link.is_near || others > 0;
            others -= usize::from(is_shown && !link.is_near);
            is_shown
        })
        .collect();
    shown.reverse();
    shown
}

fn link_view(lang: Lang, link: &LinkView, open: Option<Term>, dispatch: &Callback<Action>) -> Html {
    let step = link.step;
    let go = format!("{} – {}", link.at, labels::go_to_step(lang));
    html! {
        <li key={step.0} class={classes!("reason", link.by.is_some().then_some("is-origin"))}>
            <p class="reason-head">
                <button type="button" class="when mono" aria-label={go} title={labels::go_to_step(lang)}
                    onclick={dispatch.reform(move |_| Action::JumpToStep(step))}>{ &link.at }</button>
                <span class="role">{ &link.role }</span>
                if let Some(by) = &link.by { <span class="role by">{ by }</span> }
            </p>
            <p class="reason-text">{ words(Panel::Why, &link.text, open, dispatch) }</p>
        </li>
    }
}
