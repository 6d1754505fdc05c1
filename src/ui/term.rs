//! Texts in which words are explained: a word is a button, and beside it opens what it means.

use super::icons::{self, icon};
use super::popup::{Popup, Side};
use super::sometimes;
use super::state::{Action, MenuOf, Panel};
use crate::text::{Lang, Segment, Term, labels};
use std::rc::Rc;
use yew::prelude::*;

/// The id of what a word means.
const MEANING: &str = "meaning";

/// The id of a word in a panel.
pub fn term_id(panel: Panel, term: Term) -> String {
    let panel = match panel {
        Panel::Stage => "stage",
        Panel::Caption => "caption",
        Panel::Story => "story",
        Panel::Why => "why",
    };
    format!("term-{panel}-{}", term.number())
}

/// A text whose words can be opened. `open` is the word that is.
pub fn words(panel: Panel, text: &[Segment], open: Option<Term>, dispatch: &Callback<Action>) -> Html {
    let piece = |(index, segment): (usize, &Segment)| match segment.term {
        None if index > 0 && text[index - 1].term.is_some() => html! { { behind(Some(segment)).1 } },
        None => html! { { &*segment.text } },
        Some(term) => html! {
            <span class="kept"><button type="button" class="term" id={term_id(panel, term)} aria-haspopup="dialog" aria-expanded={(open == Some(term)).to_string()}
                onclick={dispatch.reform(move |_| Action::ToggleMenu(MenuOf::Term(panel, term)))}>{ &*segment.text }</button>{ behind(text.get(index + 1)).0 }</span>
        },
    };
    text.iter().enumerate().map(piece).collect()
}

/// The marks that stay with the word before a piece, and the rest of it: a browser takes a button for something behind which any
/// may begin a line.
#[inline(never)]
fn behind(piece: Option<&Segment>) -> (&str, &str) {
    let Some(Segment { text, term: None }) = piece else { return ("", "") };
    text.split_at(
        text.len() - text.trim_start_matches(['.', ',', ':', ';', '?', '!', ')', '。', '、', '）', '」', '：']).len(),
    )
}

/// A text without words that can be opened.
pub fn plain(text: &str) -> Rc<[Segment]> {
    [Segment { text: text.into(), term: None }].into()
}

/// What a word means, beside it.
pub fn meaning(lang: Lang, panel: Panel, term: Term, node: &NodeRef, dispatch: &Callback<Action>) -> Html {
    let anchor = term_id(panel, term);
    let onkeydown = sometimes(dispatch, |event: KeyboardEvent| {
        // There is one thing in it, so that Tab leaves it; keys that step through time work on.
        matches!(event.key().as_str(), "Tab" | "Escape").then(|| {
            event.prevent_default();
            event.stop_propagation();
            Action::Escape
        })
    });
    let name = term.name(lang);
    html! {
        <Popup key={&*anchor} anchor={anchor.clone()} side={Side::Above} class="menu meaning" role="dialog" {name} description={MEANING} node={node.clone()} {onkeydown} dispatch={dispatch.clone()}>
            <div class="meaning-head">
                <b>{ name }</b>
                <button type="button" class="button small" aria-label={labels::close(lang)} title={labels::close(lang)}
                    onclick={dispatch.reform(|_| Action::Escape)}>{ icon(icons::CLOSE) }</button>
            </div>
            <p id={MEANING}>{ term.meaning(lang) }</p>
        </Popup>
    }
}
