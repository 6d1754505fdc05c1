//! A consumer: its box, which is a button, what it does, and how long ago its coordinator heard it.

use super::looks::clip;
use super::primitives::{button, line, mark, plate, put};
use super::{px, translate};
use crate::scene::Subject;
use crate::scene::density::Density;
use crate::scene::geometry::{PerMille, Point, Rect};
use crate::scene::stage::{MemberBox, Silence, Status};
use crate::text::{Lang, stage as words};
use yew::prelude::*;

/// A member.
pub fn member_view(member: &MemberBox, lang: Lang, is_selected: bool, on_subject: &Callback<Subject>) -> Html {
    let consumer = member.consumer;
    let rect = member.rect;
    // Letters of 11 px, of which Latin ones are half as wide as they are high.
    let room = (rect.w - 12) as usize * 2 / 11;
    // Whole sentences have wider letters than names.
    let brief_room = (rect.w - 20) as usize / 6;
    let class = match member.status {
        Status::Frozen { .. } => "is-frozen",
        _ if member.is_zombie => "is-stopped",
        Status::Crashed { .. } => "is-crashed",
        Status::Closed | Status::NotStarted => "is-absent",
        Status::Joining(_) if member.partitions.is_empty() => "is-stopped",
        Status::Idle => "is-idle",
        Status::Joining(_)
        | Status::Polling
        | Status::Holding { .. }
        | Status::Handling { .. }
        | Status::Working { .. }
        | Status::Committing
        | Status::Resting => "",
    };
    let (name_y, ring, radius) = match member.density {
        Density::Dense => (15, Point { x: rect.w - 15, y: 12 }, 8),
        Density::Roomy | Density::Close => (21, Point { x: rect.w - 19, y: 18 }, 10),
    };
    html! {
        <g key={consumer.0} class={classes!("seat", class, is_selected.then_some("is-selected"))} transform={translate(rect.x, rect.y)}>
            { button(Subject::Member(consumer), words::member_label(lang, member), is_selected, on_subject, html! { <>
                { plate("card", Rect { x: 0, y: 0, w: rect.w, h: rect.h }, if member.density == Density::Dense { 9 } else { 12 }) }
                { put("card-name", 11, name_y, clip(&member.name, 12)) }
            </> }) }
            // Beside the button, not in it: the button is called by its name, and what it does is in its label.
            <g aria-hidden="true" pointer-events="none">
                { session(ring, radius, member) }
                { doing(ring, radius - 4, &member.status) }
                { in_hand(ring.x - radius - 6, name_y, &member.status) }
                if member.density == Density::Roomy {
                    { put("hint status", 11, 40, words::status(lang, &member.status)) }
                    { detail(lang, member) }
                    { put("hint owned", 11, 75, clip(&words::owned(lang, member), room)) }
                } else {
                    { put("hint status", 11, name_y + if member.density == Density::Dense { 14 } else { 17 }, clip(&words::brief(lang, member), brief_room)) }
                }
            </g>
        </g>
    }
}

/// What is left of the session: full when the coordinator hears the member, empty when it counts it as gone.
fn session(at: Point, radius: i32, member: &MemberBox) -> Html {
    /// Healthy members are heard every three seconds or so of tens; this much is no longer usual.
    const LATE: PerMille = 334;
    let Some(Silence { passed, .. }) = member.session else { return html! { <g /> } };
    let class = match member.status {
        Status::Crashed { .. } | Status::Frozen { .. } => "session is-lost",
        _ if passed >= LATE => "session is-late",
        _ => "session",
    };
    dial(at, radius, 1000 - passed, "dial", class)
}

/// Progress of the record in hand, or why there is none.
fn doing(at: Point, radius: i32, status: &Status) -> Html {
    let Point { x, y } = at;
    match status {
        Status::Handling { done, .. } | Status::Working { done, .. } => {
            dial(at, radius, *done, "dial is-inner", "dial-on")
        }
        Status::Crashed { silence: Some(_), .. } => line("cross", format!("M{} {}l6 6m0 -6l-6 6", x - 3, y - 3)),
        Status::Frozen { .. } => line("bars", format!("M{} {}v8m5 -8v8", x - 2, y - 4)),
        Status::Crashed { .. } => line("cross", format!("M{} {}l12 12m0 -12l-12 12", x - 6, y - 6)),
        _ => html! { <g /> },
    }
}

/// A ring of which a part is drawn strongly.
fn dial(at: Point, radius: i32, part: PerMille, class: &'static str, on: &'static str) -> Html {
    let Point { x, y } = at;
    // pathLength makes the circumference 1000.
    html! {
        <g>
            <circle {class} cx={px(x)} cy={px(y)} r={px(radius)} />
            <circle class={on} cx={px(x)} cy={px(y)} r={px(radius)} pathLength="1000" stroke-dasharray={format!("{part} 1000")}
                transform={format!("rotate(-90 {x} {y})")} />
        </g>
    }
}

/// The record in hand, or to be taken in hand next, up to `x`.
fn in_hand(x: i32, y: i32, status: &Status) -> Html {
    let (Status::Handling { record, look, .. }
    | Status::Holding { record, look, .. }
    | Status::Working { record, look, .. }) = status
    else {
        return html! { <g /> };
    };
    let shape_x = x - 8 * record.len() as i32 - 7;
    html! {
        <g class={format!("look-{look}")}>
            { mark("row-shape", Point { x: shape_x, y: y - 4 }, *look) }
            { put("mono small at-end", x, y, record) }
        </g>
    }
}

fn detail(lang: Lang, member: &MemberBox) -> Html {
    match &member.status {
        Status::Crashed { silence: Some(Silence { silent, timeout, .. }), .. }
        | Status::Frozen { silence: Some(Silence { silent, timeout, .. }), .. } => put(
            "hint silence",
            11,
            57,
            format!("{} / {}", words::seconds(lang, *silent), words::seconds(lang, *timeout)),
        ),
        _ if let Some(exchange) = words::exchange(lang, member) => put("hint exchange", 11, 57, exchange),
        _ if member.uncommitted > 0 => put("hint", 11, 57, words::uncommitted(lang, member.uncommitted)),
        _ => html! { <g /> },
    }
}
