//! What opens beside something: its place, the focus, and that it closes when one looks elsewhere.

use super::browser;
use super::state::Action;
use gloo_events::EventListener;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;
use yew::prelude::*;

/// What in it can have the focus; it begins at the first.
pub const ITEM: &str = "button";

/// Where it opens.
#[derive(Clone, Copy, PartialEq)]
pub enum Side {
    /// Beside what it is about, which stays in sight.
    Beside,
    /// Above, over what has been read already.
    Above,
}

#[derive(Properties, PartialEq)]
pub struct PopupProps {
    /// The id of the element that it is about.
    pub anchor: AttrValue,
    pub side: Side,
    pub class: &'static str,
    pub role: &'static str,
    pub name: AttrValue,
    /// The id of what describes it.
    #[prop_or_default]
    pub description: Option<&'static str>,
    pub node: NodeRef,
    pub onkeydown: Callback<KeyboardEvent>,
    pub dispatch: Callback<Action>,
    pub children: Html,
}

/// Opens as soon as it is there. A press elsewhere closes it, and then the focus goes back to where it came from.
#[component]
pub fn Popup(props: &PopupProps) -> Html {
    let PopupProps { anchor, side, class, role, name, description, node, onkeydown, dispatch, children } = props;
    use_effect_with((anchor.clone(), node.clone(), *side), |(anchor, node, side)| {
        let anchor = anchor.clone();
        if let Some(popup) = node.cast::<HtmlElement>() {
            place(&popup, &anchor, *side);
            if let Some(home) = browser::home_of_id(&anchor) {
                let _ = popup.set_attribute("data-home", &home);
            }
            if let Some(first) = popup.query_selector(ITEM).ok().flatten() {
                browser::focus_element(&first);
            }
        }
        move || browser::focus(&anchor)
    });
    use_effect_with((dispatch.clone(), node.clone()), |(dispatch, node)| {
        let (dispatch, node) = (dispatch.clone(), node.clone());
        let listener = EventListener::new(&gloo_utils::document(), "pointerdown", move |event| {
            let target = event.target().and_then(|target| target.dyn_into::<web_sys::Node>().ok());
            let inside = node.get().is_some_and(|popup| popup.contains(target.as_ref()));
            let on_subject = target
                .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
                .is_some_and(|element| element.closest("[aria-haspopup]").ok().flatten().is_some());
            if !inside && !on_subject {
                dispatch.emit(Action::Escape);
            }
        });
        move || drop(listener)
    });
    html! {
        <div class={*class} role={*role} ref={node} aria-label={name} aria-describedby={*description} {onkeydown}>
            { children.clone() }
        </div>
    }
}

/// Puts it beside what it is about, inside the window. A property set from code is allowed by the content policy.
fn place(popup: &HtmlElement, anchor: &str, side: Side) {
    let Some(at) = browser::place_of(anchor) else { return };
    let (window_width, window_height) = browser::window_size();
    let (width, height) = (popup.offset_width(), popup.offset_height());
    let right = at.left + at.width + 8;
    let above = at.top - height - 6;
    let below = at.top + at.height + 6;
    let is_room_below = below + height + 8 <= window_height;
    let (x, y) = match side {
        Side::Beside if right + width + 8 <= window_width => (right, at.top),
        _ if above >= 8 && (side == Side::Above || !is_room_below) => (at.left, above),
        _ => (at.left, below),
    };
    let style = popup.style();
    let _ = style.set_property("left", &format!("{}px", x.clamp(8, (window_width - width - 8).max(8))));
    let _ = style.set_property("top", &format!("{}px", y.clamp(8, (window_height - height - 8).max(8))));
}
