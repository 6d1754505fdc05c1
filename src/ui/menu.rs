//! A menu beside what it is about. What is not possible stays in the list, with the reason.

use super::popup::{ITEM, Popup, Side};
use super::sometimes;
use super::state::Action;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Entries that belong together.
#[derive(Clone, PartialEq)]
pub struct Section {
    /// What they have in common, if that has to be said.
    pub name: Option<AttrValue>,
    /// The entries.
    pub items: Vec<Item>,
}

impl From<Vec<Item>> for Section {
    fn from(items: Vec<Item>) -> Self {
        Section { name: None, items }
    }
}

/// Something that a menu offers.
#[derive(Clone, PartialEq)]
pub struct Item {
    pub action: Action,
    pub label: AttrValue,
    /// What is said under it: more about it, or why it is not possible.
    pub note: Option<AttrValue>,
    pub is_possible: bool,
    /// For what is on or off.
    pub state: Option<ItemState>,
}

/// Whether an entry is on.
#[derive(Clone, Copy, PartialEq)]
pub enum ItemState {
    /// A switch of its own.
    Switch(bool),
    /// One of several, of which one is on.
    Choice(bool),
}

/// A menu about the element with the id `anchor`.
pub fn menu(anchor: String, name: String, sections: &[Section], node: &NodeRef, dispatch: &Callback<Action>) -> Html {
    let onkeydown = {
        let (dispatch, node) = (dispatch.clone(), node.clone());
        Callback::from(move |event: KeyboardEvent| on_key(&event, &node, &dispatch))
    };
    html! {
        <Popup key={&*anchor} anchor={anchor.clone()} side={Side::Beside} class="menu" role="menu" name={name.clone()} node={node.clone()} {onkeydown} dispatch={dispatch.clone()}>
            <p class="menu-title" role="presentation">{ name }</p>
            for (index, section) in sections.iter().enumerate() {
                <div key={index} role="group" class="menu-group" aria-label={section.name.clone()}>
                    if let Some(name) = &section.name { <p class="menu-lead" aria-hidden="true">{ name }</p> }
                    for (index, item) in section.items.iter().enumerate() {
                        { item_view(index, item, dispatch) }
                    }
                </div>
            }
        </Popup>
    }
}

fn item_view(index: usize, item: &Item, dispatch: &Callback<Action>) -> Html {
    let (what, is_possible) = (item.action.clone(), item.is_possible);
    let onclick = sometimes(dispatch, move |_: MouseEvent| is_possible.then(|| what.clone()));
    let (role, is_on) = match item.state {
        None => ("menuitem", None),
        Some(ItemState::Switch(on)) => ("menuitemcheckbox", Some(on)),
        Some(ItemState::Choice(on)) => ("menuitemradio", Some(on)),
    };
    html! {
        <button key={index} type="button" {role} tabindex="-1" class="menu-item" aria-checked={is_on.map(|on| on.to_string())}
            aria-disabled={(!is_possible).then_some("true")} {onclick}>
            <span>{ &item.label }</span>
            if let Some(note) = &item.note {
                <small>{ note }</small>
            }
        </button>
    }
}

fn on_key(event: &KeyboardEvent, node: &NodeRef, dispatch: &Callback<Action>) {
    let step = match event.key().as_str() {
        "ArrowDown" => 1,
        "ArrowUp" => -1,
        "Home" => i32::MIN,
        "End" => i32::MAX,
        "Tab" => {
            event.prevent_default();
            return dispatch.emit(Action::Escape);
        }
        "Escape" => {
            event.stop_propagation();
            return dispatch.emit(Action::Escape);
        }
        // Enter and Space press the item; other keys are not for the page while a menu is open.
        _ => return event.stop_propagation(),
    };
    event.prevent_default();
    event.stop_propagation();
    let Some(menu) = node.cast::<HtmlElement>() else { return };
    let Ok(items) = menu.query_selector_all(ITEM) else { return };
    let count = items.length() as i32;
    let focused = gloo_utils::document().active_element();
    let present = (0..count).find(|&index| {
        let item = items.get(index as u32).and_then(|item| item.dyn_into().ok());
        item.is_some() && item == focused
    });
    let next = present.unwrap_or(0).saturating_add(step).clamp(-1, count);
    let next = match step {
        i32::MIN => 0,
        i32::MAX => count - 1,
        _ => next.rem_euclid(count.max(1)),
    };
    if let Some(item) = items.get(next as u32).and_then(|item| item.dyn_into::<HtmlElement>().ok()) {
        let _ = item.focus();
    }
}
