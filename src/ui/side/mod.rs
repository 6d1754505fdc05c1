//! The side column: the story, and under it why the last step happened.

mod chain;
mod story;
mod why;

use super::state::{Action, MenuOf};
use crate::text::{Lang, labels};
use std::rc::Rc;
use yew::prelude::*;

pub use chain::LinkView;
pub use story::{QUESTION, QuestionView, StoryView};
pub use why::{IfStopped, SettingView, WhyView, setting_id};

#[derive(Properties, PartialEq)]
pub struct SideProps {
    pub lang: Lang,
    pub story: Rc<StoryView>,
    pub why: Option<Rc<WhyView>>,
    /// True if all causes are shown.
    pub is_whole_chain: bool,
    /// The menu that is open.
    pub menu: Option<MenuOf>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Side(props: &SideProps) -> Html {
    let SideProps { lang, story, why, is_whole_chain, menu, dispatch } = props;
    html! {
        <aside class="side" id="side" aria-label={labels::side(*lang)}>
            { story::story(*lang, story, *menu, dispatch) }
            if let Some(view) = why {
                { why::why(*lang, view, *is_whole_chain, *menu, dispatch) }
            } else {
                <section class="why" id="why" />
            }
        </aside>
    }
}
