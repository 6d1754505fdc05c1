//! The few elements that the stage is drawn with.
//!
//! One function each, not one piece of markup at each place: what `html!` makes of an element is large, and there are
//! many of them.

use super::looks;
use super::{px, subject_id, translate};
use crate::scene::Subject;
use crate::scene::geometry::{Point, Rect};
use yew::prelude::*;

/// Words at a point; the class says whether they begin, end or centre there.
pub fn put(class: &'static str, x: i32, y: i32, content: impl ToString) -> Html {
    put_text(class, x, y, content.to_string().into())
}

#[inline(never)]
fn put_text(class: &'static str, x: i32, y: i32, content: AttrValue) -> Html {
    put_html(class, x, y, html! { { content } })
}

/// Words of the page, shortened to the room that there is, in Latin letters. The room stands in the drawing, too, so that a
/// test can try words that are longer than ours.
#[inline(never)]
pub fn put_short(class: &'static str, x: i32, y: i32, words: &str, room: i32) -> Html {
    html! { <text {class} x={px(x)} y={px(y)} data-room={px(room)}>{ looks::clip(words, room as usize) }</text> }
}

/// The same with parts that look different.
#[inline(never)]
pub fn put_html(class: &'static str, x: i32, y: i32, content: Html) -> Html {
    html! { <text {class} x={px(x)} y={px(y)}>{ content }</text> }
}

/// A part of words that looks different.
#[inline(never)]
pub fn part(class: &'static str, content: String) -> Html {
    html! { <tspan {class}>{ content }</tspan> }
}

/// The same for words of the page.
#[inline(never)]
pub fn part_short(class: &'static str, words: &str, room: i32) -> Html {
    html! { <tspan {class} data-room={px(room)}>{ looks::clip(words, room as usize) }</tspan> }
}

/// A box with round corners.
#[inline(never)]
pub fn plate(class: &'static str, rect: Rect, radius: i32) -> Html {
    html! { <rect {class} x={px(rect.x)} y={px(rect.y)} width={px(rect.w)} height={px(rect.h)} rx={px(radius)} /> }
}

/// A line or a shape.
#[inline(never)]
pub fn line(class: &'static str, d: String) -> Html {
    html! { <path {class} {d} /> }
}

/// Two lines from corner to corner.
#[inline(never)]
pub fn cross(Rect { x, y, w, h }: Rect) -> Html {
    line("cross is-over", format!("M{x} {y}l{w} {h}m0 -{h}l-{w} {h}"))
}

/// An arrow out of a tile, around a corner of it: a copy has gone elsewhere.
#[inline(never)]
pub fn aside(Point { x, y }: Point) -> Html {
    html! {
        <g class="aside" transform={translate(x, y)}>
            <circle r="6.5" />
            { line("aside-arrow", "M-2.6 2.6L2.6 -2.6M-1.4 -2.6H2.6V1.4".to_owned()) }
        </g>
    }
}

/// Four corners around something that a verdict is about.
#[inline(never)]
pub fn corners(Rect { x, y, w, h }: Rect) -> Html {
    let (across, down) = (w - 12, h - 12);
    line("corners", format!("M{x} {}v-6h6m{across} 0h6v6m0 {down}v6h-6m-{across} 0h-6v-6", y + 6))
}

/// The shape of a key's look around a point.
#[inline(never)]
pub fn mark(class: &'static str, at: Point, look: u8) -> Html {
    html! { <path {class} transform={translate(at.x, at.y)} d={looks::shape(look)} /> }
}

/// Something that opens a menu; only drawn where nothing can be chosen.
#[inline(never)]
pub fn button(
    subject: Subject,
    label: String,
    is_selected: bool,
    on_subject: &Option<Callback<Subject>>,
    content: Html,
) -> Html {
    let Some(on_subject) = on_subject else { return html! { <g>{ content }</g> } };
    let onclick = on_subject.reform(move |_: MouseEvent| subject);
    let onkeydown = {
        let on_subject = on_subject.clone();
        Callback::from(move |event: KeyboardEvent| {
            if matches!(event.key().as_str(), "Enter" | " ") {
                event.prevent_default();
                event.stop_propagation();
                on_subject.emit(subject);
            }
        })
    };
    let class = if matches!(subject, Subject::Member(_)) { "member" } else { "subject" };
    html! {
        <g {class} id={subject_id(subject)} tabindex="0" role="button" aria-haspopup="menu"
            aria-expanded={is_selected.to_string()} aria-label={label} {onclick} {onkeydown}>{ content }</g>
    }
}
