//! A message on its way. Pressed, it opens its menu; dragged back, it is held up: the further, the longer. The menu of the
//! message, and that of its client, do the same by keyboard.

use super::looks::chip;
use super::primitives::{line, plate, put};
use super::{subject_id, translate};
use crate::scene::Subject;
use crate::scene::density::Tiles;
use crate::scene::geometry::{Point, Rect};
use crate::scene::stage::{Chip, Flight, Load, PLAIN_LOOK};
use crate::sim::{MessageKind, MessageRef, Span};
use crate::text::{Lang, format};
use web_sys::Element;
use yew::prelude::*;

/// What is done with a message by dragging it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drag {
    /// It is taken hold of: nothing moves meanwhile.
    Begin,
    /// It is let go, so much later than it was.
    End(MessageRef, Span),
    /// It is let go where it was.
    Cancel,
}

/// From this distance on a press is a drag, in CSS pixels.
const LEAST: i32 = 8;

/// How much later a message is for each CSS pixel.
const PER_PIXEL: Span = Span::from_millis(10);

#[derive(Properties, PartialEq)]
pub struct FlightProps {
    pub flight: Flight,
    pub lang: Lang,
    pub on_subject: Option<Callback<Subject>>,
    pub on_drag: Callback<Drag>,
}

/// Where a drag began and where it is, in CSS pixels.
#[derive(Clone, Copy, PartialEq)]
struct Held {
    from: (i32, i32),
    to: (i32, i32),
}

impl Held {
    /// How far it is dragged: the longer of both ways, which is as good as the distance.
    fn distance(self) -> i32 {
        (self.to.0 - self.from.0).abs().max((self.to.1 - self.from.1).abs())
    }

    /// By how much that holds the message up, in tenths of a second.
    fn delay(self) -> Option<Span> {
        let tenths = self.distance() as u64 * PER_PIXEL.as_millis() / 100;
        (self.distance() >= LEAST && tenths > 0).then(|| Span::from_millis(tenths * 100))
    }
}

#[component]
pub fn FlightView(props: &FlightProps) -> Html {
    let FlightProps { flight, lang, on_subject, on_drag } = props;
    let held = use_state(|| None::<Held>);
    let node = use_node_ref();
    let subject = Subject::Message(flight.message);
    let at = |event: &PointerEvent| (event.client_x(), event.client_y());
    let onpointerdown = {
        let (held, on_drag, node) = (held.clone(), on_drag.clone(), node.clone());
        Callback::from(move |event: PointerEvent| {
            if event.button() == 0 {
                // The press after a tap would take the focus from the menu that the tap has opened.
                event.prevent_default();
                // The pointer stays the message's, wherever it goes; not a part's of it, which may be drawn anew.
                if let Some(element) = node.cast::<Element>() {
                    let _ = element.set_pointer_capture(event.pointer_id());
                }
                held.set(Some(Held { from: at(&event), to: at(&event) }));
                on_drag.emit(Drag::Begin);
            }
        })
    };
    let onpointermove = {
        let held = held.clone();
        Callback::from(move |event: PointerEvent| {
            if let Some(so_far) = *held {
                held.set(Some(Held { to: at(&event), ..so_far }));
            }
        })
    };
    let onpointerup = {
        let (held, on_drag, on_subject, message) = (held.clone(), on_drag.clone(), on_subject.clone(), flight.message);
        Callback::from(move |event: PointerEvent| {
            let Some(so_far) = *held else { return };
            held.set(None);
            match (Held { to: at(&event), ..so_far }).delay() {
                Some(by) => on_drag.emit(Drag::End(message, by)),
                None => {
                    on_drag.emit(Drag::Cancel);
                    if let Some(on_subject) = &on_subject {
                        on_subject.emit(subject);
                    }
                }
            }
        })
    };
    let onpointercancel = {
        let (held, on_drag) = (held.clone(), on_drag.clone());
        Callback::from(move |_: PointerEvent| {
            held.set(None);
            on_drag.emit(Drag::Cancel);
        })
    };
    let delay = held.and_then(Held::delay);
    let is_late = flight.is_delayed || delay.is_some();
    let (x, y) = (flight.at.x, flight.at.y - 34);
    // A clock, drawn: not every font has one.
    let late = is_late.then(|| line("late", format!("M{} {y}a7 7 0 1 0 14 0a7 7 0 1 0 -14 0m7 -4v4l3 2", x - 7)));
    let (class, load) = match &flight.load {
        Load::Record(record) if record.look == PLAIN_LOOK => ("flight subject", plain(record)),
        Load::Record(record) => ("flight subject", chip(record, "", false)),
        Load::Protocol { kind, is_heartbeat } => ("flight subject", protocol(flight.at, *kind, *is_heartbeat)),
        Load::Commit(offset) => (
            "flight subject commit",
            html! {
                <g transform={translate(flight.at.x, flight.at.y)}>
                    { line("flag", "M0 -12h26v14h-26z".to_owned()) }
                    { put("badge", 13, -1, *offset) }
                </g>
            },
        ),
    };
    html! {
        <g ref={node} id={on_subject.as_ref().map(|_| subject_id(subject))} class={classes!(class, is_late.then_some("is-delayed"), held.map(|_| "is-held"))} aria-haspopup="menu"
            {onpointerdown} {onpointermove} {onpointerup} {onpointercancel}>
            { load }
            { late }
            if let Some(delay) = delay {
                { put("held-up", x + 12, y + 4, format!("+{}", format::span(*lang, delay))) }
            }
        </g>
    }
}

/// A record without a key: it is one of many, and its number is not worth the words that it would cover.
#[inline(never)]
fn plain(record: &Chip) -> Html {
    let (Point { x, y }, Tiles { w, h, .. }) = (record.at, record.density.tiles());
    html! {
        <g class="chip look-8">
            // All of the place of a tile takes the pointer.
            { plate("grip", Rect { x, y, w, h }, 0) }
            { plate("chip-body", Rect { x: x + w / 2 - 6, y: y + h / 2 - 4, w: 12, h: 8 }, 3) }
        </g>
    }
}

/// What a member says to its coordinator, filled, or hears from it, hollow. What it is stands in the member's box.
#[inline(never)]
fn protocol(Point { x, y }: Point, kind: MessageKind, is_heartbeat: bool) -> Html {
    let class = match (is_heartbeat, kind.is_answer) {
        (true, _) => "protocol is-heartbeat",
        (false, false) => "protocol",
        (false, true) => "protocol is-answer",
    };
    let around = |radius| Rect { x: x - radius, y: y - radius, w: 2 * radius, h: 2 * radius };
    html! {
        <>
            { plate("grip", around(8), 0) }
            { plate(class, around(if is_heartbeat { 2 } else { 4 }), 4) }
        </>
    }
}
