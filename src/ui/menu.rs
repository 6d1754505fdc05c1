//! A menu beside what it is about. What is not possible stays in the list, with the reason.

use super::browser;
use super::sometimes;
use super::state::Action;
use gloo_events::EventListener;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct MenuProps {
    /// The id of the element that it is about.
    pub anchor: AttrValue,
    pub name: AttrValue,
    /// The entries in groups.
    pub items: Vec<Vec<Item>>,
    pub dispatch: Callback<Action>,
}

/// What in a menu can have the focus.
const ITEM: &str = "[role^=menuitem]";

/// Something that a menu offers.
#[derive(Clone, PartialEq)]
pub struct Item {
    pub action: Action,
    pub label: AttrValue,
    /// What is said under it: more about it, or why it is not possible.
    pub note: Option<AttrValue>,
    pub is_possible: bool,
    /// For what is on or off: which of both it is.
    pub is_on: Option<bool>,
}

#[component]
pub fn Menu(props: &MenuProps) -> Html {
    let MenuProps { anchor, name, items, dispatch } = props;
    let node = use_node_ref();
    use_effect_with((anchor.clone(), node.clone()), |(anchor, node)| {
        let anchor = anchor.clone();
        if let Some(menu) = node.cast::<HtmlElement>() {
            place(&menu, &anchor);
            let first = menu.query_selector(ITEM).ok().flatten();
            if let Some(first) = first {
                browser::focus_element(&first);
            }
        }
        // The focus goes back to where it came from.
        move || browser::focus(&anchor)
    });
    use_effect_with((dispatch.clone(), node.clone()), |(dispatch, node)| {
        let (dispatch, node) = (dispatch.clone(), node.clone());
        let listener = EventListener::new(&gloo_utils::document(), "pointerdown", move |event| {
            let target = event.target().and_then(|target| target.dyn_into::<web_sys::Node>().ok());
            let inside = node.get().is_some_and(|menu| menu.contains(target.as_ref()));
            let on_subject = target
                .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
                .is_some_and(|element| element.closest("[aria-haspopup]").ok().flatten().is_some());
            if !inside && !on_subject {
                dispatch.emit(Action::Escape);
            }
        });
        move || drop(listener)
    });
    let onkeydown = {
        let (dispatch, node) = (dispatch.clone(), node.clone());
        Callback::from(move |event: KeyboardEvent| on_key(&event, &node, &dispatch))
    };
    html! {
        <div class="menu" role="menu" ref={node} aria-label={name.clone()} {onkeydown}>
            <p class="menu-title" role="presentation">{ name }</p>
            for (group, items) in items.iter().enumerate() {
                <div key={group} role="group" class="menu-group">
                    for (index, item) in items.iter().enumerate() {
                        { item_view(index, item, dispatch) }
                    }
                </div>
            }
        </div>
    }
}

fn item_view(index: usize, item: &Item, dispatch: &Callback<Action>) -> Html {
    let (what, is_possible) = (item.action.clone(), item.is_possible);
    let onclick = sometimes(dispatch, move |_: MouseEvent| is_possible.then(|| what.clone()));
    let role = if item.is_on.is_some() { "menuitemcheckbox" } else { "menuitem" };
    html! {
        <button key={index} type="button" {role} tabindex="-1" class="menu-item" aria-checked={item.is_on.map(|on| on.to_string())}
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

/// Puts the menu beside what it is about, inside the window. A property set from code is allowed by the content policy.
fn place(menu: &HtmlElement, anchor: &str) {
    let Some(at) = browser::place_of(anchor) else { return };
    let (window_width, window_height) = browser::window_size();
    let (width, height) = (menu.offset_width(), menu.offset_height());
    // Beside it where there is room, so that it stays in sight; else below.
    let right = at.left + at.width + 8;
    let (x, y) = if right + width + 8 <= window_width { (right, at.top) } else { (at.left, at.top + at.height + 6) };
    let style = menu.style();
    let _ = style.set_property("left", &format!("{}px", x.clamp(8, (window_width - width - 8).max(8))));
    let _ = style.set_property("top", &format!("{}px", y.clamp(8, (window_height - height - 8).max(8))));
}
