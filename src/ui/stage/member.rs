//! A consumer: its box, which is a button, what it does, and how long ago its coordinator heard it.

use super::looks::{clip, pressed};
use super::primitives::{button, line, mark, plate, put, put_short};
use super::{px, translate};
use crate::scene::Subject;
use crate::scene::density::Density;
use crate::scene::geometry::{PerMille, Point, Rect};
use crate::scene::rebalance::Turn;
use crate::scene::stage::{Hand, MemberBox, Silence, Status};
use crate::text::{Lang, labels, stage as words};
use yew::prelude::*;

/// A member.
pub fn member_view(member: &MemberBox, lang: Lang, is_selected: bool, on_subject: &Option<Callback<Subject>>) -> Html {
    let consumer = member.consumer;
    let rect = member.rect;
    // On a phone, where the box is narrower, the words of a status are smaller.
    let room = rect.w / 7 - if member.turn.is_some() { 3 } else { 0 };
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
        | Status::Resting { .. } => "",
    };
    // Where there is room, it says what it is: a name of a consumer may differ from that of a record by no more than a capital.
    let is_roomy = member.density == Density::Roomy && rect.w >= 120;
    let status_room = match member.status {
        // The record in hand stands behind it.
        Status::Handling { .. } if is_roomy => 11,
        _ if rect.w < 120 => 15,
        _ => 17,
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
                if let Some(turn) = member.turn { { turn_view(turn, rect) } }
                if is_roomy {
                    { role(&member.name, ring.x - radius - 6, lang) }
                    if matches!(member.status, Status::Handling { .. }) { { in_hand(rect.w - 11, 40, &member.status) } }
                    if matches!(member.status, Status::Resting { .. }) { { in_hand(rect.w - 11, 57, &member.status) } }
                } else {
                    { in_hand(ring.x - radius - 6, name_y, &member.status) }
                }
                if member.density == Density::Roomy {
                    { put_short("hint status", 11, 40, &words::drawn_status(lang, &member.status), status_room) }
                    { detail(lang, member) }
                    { put_short("hint owned", 11, 75, &words::owned(lang, member), room) }
                } else {
                    { put_short("hint status", 11, name_y + if member.density == Density::Dense { 14 } else { 17 }, &words::brief(lang, member), room) }
                }
            </g>
        </g>
    }
}

/// What it is, up to `x`, if the name leaves room for it.
#[inline(never)]
fn role(name: &str, x: i32, lang: Lang) -> Html {
    let role = labels::consumer(lang);
    // Its Japanese letters are all of one width; Latin ones may be a little larger than usual.
    let room = (x - 15 - 9 * name.chars().count() as i32).max(0) * 10 / lang.pick(58, 71);
    if clip(role, room as usize) != role {
        return html! { <g /> };
    }
    put_short("hint role at-end", x, 21, role, room)
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
        Status::Handling { done, .. } => dial(at, radius, *done, "dial is-inner", "dial-on"),
        Status::Crashed { silence: Some(_), .. } => line("cross", format!("M{} {}l6 6m0 -6l-6 6", x - 3, y - 3)),
        Status::Crashed { .. } => line("cross", format!("M{} {}l12 12m0 -12l-12 12", x - 6, y - 6)),
        Status::Working { .. } | Status::Resting { .. } | Status::Frozen { .. } => doing_otherwise(at, radius, status),
        _ => html! { <g /> },
    }
}

/// The same of a pool, of who waits for the next try, and of who stands still.
#[inline(never)]
fn doing_otherwise(at: Point, radius: i32, status: &Status) -> Html {
    let Point { x, y } = at;
    match status {
        Status::Working { done, .. } => dial(at, radius, *done, "dial is-inner", "dial-on"),
        Status::Resting { done, .. } => dial(at, radius, *done, "dial is-inner", "dial-on is-resting"),
        _ => line("bars", format!("M{} {}v8m5 -8v8", x - 2, y - 4)),
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
    | Status::Resting { record, look, .. }
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
        _ if let Some(kind) = member.message => {
            // Of the longest name a phone has room for the beginning.
            let (letters, most, room) = if member.rect.w < 120 { (16, 14, 90) } else { (24, 18, 118) };
            pressed("hint message", 11, 57, clip(&words::message(kind), letters), most, room)
        }
        _ if member.exchange.is_some() => exchange(lang, member),
        Status::Working { hands, waiting, .. } => workers(hands, *waiting),
        _ if member.uncommitted > 0 => put_short("hint", 11, 57, &words::uncommitted(lang, member.uncommitted), 14),
        _ => html! { <g /> },
    }
}

/// What it is still to give up, or to get.
#[inline(never)]
fn exchange(lang: Lang, member: &MemberBox) -> Html {
    put_short("hint exchange", 11, 57, &words::exchange(lang, member).unwrap_or_default(), 15)
}

/// What its workers have in hand, each in the colour of its key, and the queue in front of them.
#[inline(never)]
fn workers(hands: &[Hand], waiting: u32) -> Html {
    const PITCH: i32 = 13;
    let hand = |(place, hand): (i32, &Hand)| {
        let on = if hand.is_resting { "dial-on is-resting" } else { "dial-on" };
        html! { <g class={format!("look-{}", hand.look)}>{ dial(Point { x: 16 + place * PITCH, y: 53 }, 4, hand.done, "dial", on) }</g> }
    };
    // Records that wait, one behind the other; a handful stands for more.
    let queue_x = 16 + hands.len() as i32 * PITCH;
    let queue: String = (0..waiting.min(5) as i32).map(|place| format!("M{} 49v8", queue_x + place * 4)).collect();
    html! { <g class="workers">for each in (0..).zip(hands).map(hand) { { each } }{ line("queue", queue) }</g> }
}

/// In the lower right corner: what is to come from the member in a rebalance.
#[inline(never)]
fn turn_view(turn: Turn, rect: Rect) -> Html {
    html! { <path class={turn_class(turn)} d={turn_shape(turn)} transform={translate(rect.w - 14, rect.h - if rect.h < 40 { 9 } else { 13 })} /> }
}

fn turn_class(turn: Turn) -> &'static str {
    match turn {
        Turn::Missing => "turn is-missing",
        Turn::Asked => "turn is-asked",
        Turn::Assigns | Turn::GivesUp | Turn::Awaits => "turn is-busy",
        Turn::Done => "turn is-done",
    }
}

/// Empty, half full, with a tick; a minus and a plus for who gives and who takes.
fn turn_shape(turn: Turn) -> &'static str {
    match turn {
        Turn::Missing => "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0",
        Turn::Asked => "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0zm2.6 0a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0 -4.8 0",
        Turn::Assigns => "M0 -5.5L5.5 0L0 5.5L-5.5 0z",
        Turn::GivesUp => "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0zm2.2 -.9v1.8h5.6v-1.8z",
        Turn::Awaits => {
            "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0zm2.2 -.9v1.8h1.9v1.9h1.8v-1.9h1.9v-1.8h-1.9v-1.9h-1.8v1.9z"
        }
        Turn::Done => "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0zm2 .2l2.3 2.3l3.9 -4.2l-1 -1l-2.9 3.1l-1.3 -1.3z",
    }
}
