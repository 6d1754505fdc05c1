//! The side column: the story, and under it the inspector.

mod story;

use super::inspector::{Inspected, PaneView, inspector};
use super::state::{Action, MenuOf, Pane};
use crate::text::{Lang, labels};
use std::rc::Rc;
use yew::prelude::*;

pub use story::{QUESTION, QuestionView, StoryView};

#[derive(Properties, PartialEq)]
pub struct SideProps {
    pub lang: Lang,
    pub story: Rc<StoryView>,
    /// The view of the inspector that is open.
    pub pane: Pane,
    /// The same in words; nothing until the rest of the program is there, which explains.
    pub view: Option<PaneView>,
    /// True if all causes are shown.
    pub is_whole_chain: bool,
    /// The menu that is open.
    pub menu: Option<MenuOf>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Side(props: &SideProps) -> Html {
    let SideProps { lang, story, pane, view, is_whole_chain, menu, dispatch } = props;
    html! {
        <aside class="side" id="side" aria-label={labels::side(*lang)}>
            { story::story(*lang, story, *menu, dispatch) }
            if let Some(view) = view {
                { inspector(Inspected { lang: *lang, pane: *pane, view, is_whole_chain: *is_whole_chain, menu: *menu, dispatch }) }
            } else {
                <section class="why" id="why" />
            }
        </aside>
    }
}
