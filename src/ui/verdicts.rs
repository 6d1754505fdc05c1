//! What the run comes to, up to the moment that is shown. A verdict is a button that shows the records it is about.

use super::state::Action;
use crate::text::{Lang, labels, verdict::VerdictText};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct VerdictsProps {
    pub lang: Lang,
    pub verdicts: Rc<[VerdictText]>,
    pub chosen: Option<usize>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Verdicts(props: &VerdictsProps) -> Html {
    let VerdictsProps { lang, verdicts, chosen, dispatch } = props;
    html! {
        <section class="verdicts" aria-label={labels::up_to_here(*lang)}>
            <span class="muted verdicts-lead">{ labels::up_to_here(*lang) }</span>
            for (index, verdict) in verdicts.iter().enumerate() {
                <button key={index} type="button" class={classes!("verdict", verdict.tone.class())} title={verdict.meaning.clone()}
                    aria-pressed={(*chosen == Some(index)).to_string()} onclick={dispatch.reform(move |_| Action::ToggleConcern(index))}>
                    { &verdict.label }{ " " }<b>{ &verdict.value }</b>
                </button>
            }
        </section>
    }
}
