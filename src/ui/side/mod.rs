//! The side column: the story, and under it why the last step happened.

mod story;
mod why;

use super::state::Action;
use crate::text::{Lang, labels};
use std::rc::Rc;
use yew::prelude::*;

pub use story::{QuestionView, StoryView};
pub use why::{ReasonView, SettingView, WhyView};

#[derive(Properties, PartialEq)]
pub struct SideProps {
    pub lang: Lang,
    pub story: Rc<StoryView>,
    pub why: Rc<WhyView>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Side(props: &SideProps) -> Html {
    let SideProps { lang, story, why, dispatch } = props;
    html! {
        <aside class="side" id="side" aria-label={labels::side(*lang)}>
            { story::story(*lang, story, dispatch) }
            { why::why(*lang, why, dispatch) }
        </aside>
    }
}
