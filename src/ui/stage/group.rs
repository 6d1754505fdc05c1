//! A consumer group: its generation and phase, and its members, which are buttons.

use super::looks::clip;
use super::primitives::{line, mark, part, plate, put, put_html};
use super::{member_id, px, translate};
use crate::scene::geometry::{PerMille, Point, Rect};
use crate::scene::stage::{GroupFrame, MemberBox, Phase, Shape, Silence, Status};
use crate::sim::{ConsumerId, GroupId};
use crate::text::{Lang, labels, stage as words};
use yew::prelude::*;

/// A group and its members. The member whose menu is open is `selected`.
pub fn group_view(
    group: &GroupFrame,
    lang: Lang,
    shape: Shape,
    selected: Option<ConsumerId>,
    on_member: &Callback<ConsumerId>,
    on_group: &Callback<GroupId>,
) -> Html {
    let rect = group.rect;
    let id = group.group;
    let rebalancing = match group.phase {
        Phase::Joining(_) | Phase::Assigning => group.generation > 0,
        Phase::AssigningEpoch | Phase::Reconciling(_) => true,
        Phase::Empty | Phase::Stable | Phase::StableEpoch => false,
    };
    let class = match (group.is_chosen, rebalancing) {
        (None, false) => "group",
        (None, true) => "group is-rebalancing",
        (Some(false), false) => "group can-be-chosen",
        (Some(false), true) => "group can-be-chosen is-rebalancing",
        (Some(true), false) => "group is-chosen",
        (Some(true), true) => "group is-chosen is-rebalancing",
    };
    let leader = group.leader.as_ref().map(|leader| clip(leader, 8));
    let phase = words::phase(lang, group.generation, group.phase, leader.as_deref());
    // For the mouse only: to the keyboard and to a screen reader the groups are beside the verdicts.
    let onclick = group.is_chosen.map(|_| on_group.reform(move |_: MouseEvent| id));
    let (phase_x, phase_y, phase_class) = match shape {
        Shape::Wide => (rect.x + 12, rect.y + 37, "hint phase"),
        Shape::Narrow => (rect.x + rect.w - 12, rect.y + 20, "hint phase at-end"),
    };
    html! {
        <g key={format!("group-{}", group.group.0)} {class}>
            <g aria-hidden="true" {onclick}>
                { plate("frame", rect, 14) }
                { put_html("frame-name", rect.x + 12, rect.y + 21, html! { <>{ clip(&group.name, if shape == Shape::Wide { 11 } else { 22 }) }{ " " }{ part("hint", labels::group(lang).to_owned()) }</> }) }
                { put(phase_class, phase_x, phase_y, phase) }
            </g>
            for member in &group.members {
                { member_view(member, lang, selected == Some(member.consumer), on_member) }
            }
        </g>
    }
}

fn member_view(member: &MemberBox, lang: Lang, is_selected: bool, on_member: &Callback<ConsumerId>) -> Html {
    let consumer = member.consumer;
    let onclick = on_member.reform(move |_: MouseEvent| consumer);
    let onkeydown = {
        let on_member = on_member.clone();
        Callback::from(move |event: KeyboardEvent| {
            if matches!(event.key().as_str(), "Enter" | " ") {
                event.prevent_default();
                event.stop_propagation();
                on_member.emit(consumer);
            }
        })
    };
    let rect = member.rect;
    // Letters of 11 px, of which Latin ones are half as wide as they are high.
    let room = (rect.w - 12) as usize * 2 / 11;
    let class = match member.status {
        _ if member.is_zombie => "is-stopped",
        Status::Crashed { .. } => "is-crashed",
        Status::Closed | Status::NotStarted => "is-absent",
        Status::Joining => "is-stopped",
        Status::Idle => "is-idle",
        Status::Polling | Status::Holding(_) | Status::Handling { .. } | Status::Committing => "",
    };
    html! {
        <g key={consumer.0} class={classes!("seat", class, is_selected.then_some("is-selected"))} transform={translate(rect.x, rect.y)}>
            <g class="member" id={member_id(consumer)} tabindex="0" role="button" aria-haspopup="menu"
                aria-expanded={is_selected.to_string()} aria-label={words::member_label(lang, member)} {onclick} {onkeydown}>
                { plate("card", Rect { x: 0, y: 0, w: rect.w, h: rect.h }, 12) }
                { put("card-name", 11, 21, clip(&member.name, 12)) }
            </g>
            // Beside the button, not in it: the button is called by its name, and what it does is in its label.
            <g aria-hidden="true" pointer-events="none">
                { corner(rect.w - 19, &member.status) }
                { in_hand(rect.w - 34, &member.status) }
                if member.is_small {
                    { put("hint status", 11, 38, clip(&words::brief(lang, member), room)) }
                } else {
                    { put("hint status", 11, 40, words::status(lang, &member.status)) }
                    { detail(lang, member) }
                    { put("hint owned", 11, 75, clip(&words::owned(lang, member), room)) }
                }
            </g>
        </g>
    }
}

/// Progress of the record in hand, or a cross.
fn corner(x: i32, status: &Status) -> Html {
    match status {
        Status::Handling { done, .. } => dial(x, *done, "dial-on"),
        Status::Crashed { silence: Some(Silence { passed, .. }), .. } => html! {
            <g>{ dial(x, *passed, "dial-on is-lost") }{ line("cross", format!("M{} 15l6 6m0 -6l-6 6", x - 3)) }</g>
        },
        Status::Crashed { .. } => line("cross", format!("M{} 12l12 12m0 -12l-12 12", x - 6)),
        _ => html! { <g /> },
    }
}

/// A ring of which a part is drawn strongly.
fn dial(x: i32, part: PerMille, class: &'static str) -> Html {
    // The circumference of a radius of 8 is 50.27; pathLength makes it 1000.
    html! {
        <g>
            <circle class="dial" cx={px(x)} cy="18" r="8" />
            <circle {class} cx={px(x)} cy="18" r="8" pathLength="1000" stroke-dasharray={format!("{part} 1000")}
                transform={format!("rotate(-90 {x} 18)")} />
        </g>
    }
}

/// The record in hand, up to `x`.
fn in_hand(x: i32, status: &Status) -> Html {
    let Status::Handling { record, look, .. } = status else { return html! { <g /> } };
    let shape_x = x - 8 * record.len() as i32 - 7;
    html! {
        <g class={format!("look-{look}")}>
            { mark("row-shape", Point { x: shape_x, y: 17 }, *look) }
            { put("mono small at-end", x, 21, record) }
        </g>
    }
}

fn detail(lang: Lang, member: &MemberBox) -> Html {
    match &member.status {
        Status::Crashed { silence: Some(Silence { silent, timeout, .. }), .. } => put(
            "hint silence",
            11,
            57,
            format!("{} / {}", words::seconds(lang, *silent), words::seconds(lang, *timeout)),
        ),
        _ if member.uncommitted > 0 => put("hint", 11, 57, words::uncommitted(lang, member.uncommitted)),
        _ => html! { <g /> },
    }
}
