//! The head of the page: which story, which language, which colours, help.

use super::icons::{self, icon};
use super::keys::Command;
use super::sometimes;
use super::state::{Action, MenuOf};
use crate::text::{Lang, format, labels};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What the head shows and calls.
pub struct Head<'a> {
    /// The language.
    pub lang: Lang,
    /// The built-in story that is shown.
    pub builtin: Option<usize>,
    /// True once the rest of the program is there.
    pub is_whole: bool,
    /// True while a file is being read.
    pub is_reading: bool,
    /// The menu that is open.
    pub menu: Option<MenuOf>,
    /// The title of what is shown.
    pub title: &'a AttrValue,
    /// The titles of the built-in stories.
    pub titles: &'a [AttrValue],
    /// To the state.
    pub dispatch: &'a Callback<Action>,
    /// A file was chosen.
    pub on_file: &'a Callback<web_sys::File>,
}

/// The id of the button that opens the menu of what can be taken along.
pub const EXPORT: &str = "export";
/// The id of the button that presents.
pub const PRESENT: &str = "present";

/// The head.
pub fn header(head: Head<'_>) -> Html {
    let Head { lang, builtin, is_whole, is_reading, menu, title, titles, dispatch, on_file } = head;
    let other = lang.other();
    let on_story = sometimes(dispatch, |event: Event| {
        let select: HtmlSelectElement = event.target()?.dyn_into().ok()?;
        Some(Action::OpenBuiltin(select.value().parse().ok()?))
    });
    let on_pick = sometimes(on_file, |event: Event| {
        let input: HtmlInputElement = event.target()?.dyn_into().ok()?;
        let file = input.files()?.get(0);
        // So that choosing the same file again is a change again.
        input.set_value("");
        file
    });
    let chosen = builtin.map_or_else(String::new, |index| index.to_string());
    html! {
        <header class="head">
            <h1 class="logo">{ "log" }<span>{ "step" }</span></h1>
            <label class="choose-story">
                <span class="visually-hidden">{ labels::story(lang) }</span>
                // The property, since the attribute of an option says nothing any more once a person has chosen it.
                <select id="story" ~value={JsValue::from_str(&chosen)} onchange={on_story}>
                    if builtin.is_none() { { own_story(title) } }
                    for (index, title) in titles.iter().enumerate() {
                        <option key={index} value={index.to_string()} selected={builtin == Some(index)}>
                            { title }
                        </option>
                    }
                </select>
            </label>
            <label class="button open-file">
                { if is_reading { labels::reading_file(lang) } else { labels::open_file(lang) } }
                <input class="visually-hidden" type="file" accept=".json,application/json" onchange={on_pick} />
            </label>
            <span class="spring" />
            if is_whole { { present_button(lang, dispatch) } }
            <button class="button" type="button" id={EXPORT} aria-label={labels::take_along(lang)} title={labels::take_along(lang)} aria-haspopup="menu"
                aria-expanded={(menu == Some(MenuOf::Export)).to_string()} onclick={dispatch.reform(|_| Action::ToggleMenu(MenuOf::Export))}>
                { icon(icons::EXPORT) }
            </button>
            <button class="button" type="button" lang={other.tag()} onclick={dispatch.reform(move |_| Action::SetLang(other))}>
                { labels::other_language(lang) }
            </button>
            <button class="button theme" type="button" aria-label={labels::theme(lang)} title={labels::theme(lang)} onclick={dispatch.reform(|_| Action::SwitchTheme)}>
                { icon(icons::THEME) }
            </button>
            <button class="button" type="button" id="help-button" aria-label={labels::help(lang)} title={labels::help(lang)}
                onclick={dispatch.reform(|_| Action::ToggleHelp)}>{ "?" }</button>
        </header>
    }
}

/// What is shown that is no built-in story.
#[inline(never)]
fn own_story(title: &AttrValue) -> Html {
    html! { <option value="" selected=true>{ title }</option> }
}

#[inline(never)]
fn present_button(lang: Lang, dispatch: &Callback<Action>) -> Html {
    let name = format::with_keys(lang, labels::present(lang), Command::Present.shown());
    html! {
        <button class="button present-button" type="button" id={PRESENT} aria-label={labels::present(lang)} title={name} onclick={dispatch.reform(|_| Action::Present)}>
            { icon(icons::PRESENT) }
        </button>
    }
}
