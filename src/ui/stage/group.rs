//! A consumer group: its generation and phase, and its members, which are buttons.

use super::looks::{clip, shape};
use super::{member_id, px, translate};
use crate::scene::geometry::PerMille;
use crate::scene::stage::{GroupFrame, MemberBox, Phase, Shape, Silence, Status};
use crate::sim::ConsumerId;
use crate::text::{Lang, labels, stage as words};
use yew::prelude::*;

/// A group and its members. The member whose menu is open is `selected`.
pub fn group_view(
    group: &GroupFrame,
    lang: Lang,
    shape: Shape,
    selected: Option<ConsumerId>,
    on_member: &Callback<ConsumerId>,
) -> Html {
    let rect = group.rect;
    let rebalancing = matches!(group.phase, Phase::Joining(_) | Phase::Assigning) && group.generation > 0;
    let (phase_x, phase_y, anchor) = match shape {
        Shape::Wide => (rect.x + 12, rect.y + 37, "start"),
        Shape::Narrow => (rect.x + rect.w - 12, rect.y + 20, "end"),
    };
    html! {
        <g key={format!("group-{}", group.group.0)} class={classes!("group", rebalancing.then_some("is-rebalancing"))}>
            <g aria-hidden="true">
                <rect class="frame" x={px(rect.x)} y={px(rect.y)} width={px(rect.w)} height={px(rect.h)} rx="14" />
                <text class="frame-name" x={px(rect.x + 12)} y={px(rect.y + 21)}>
                    { clip(&group.name, 11) }{ " " }<tspan class="hint">{ labels::group(lang) }</tspan>
                </text>
                <text class="hint phase" text-anchor={anchor} x={px(phase_x)} y={px(phase_y)}>{ words::phase(lang, group.generation, group.phase) }</text>
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
    let class = match member.status {
        Status::Crashed { .. } => "is-crashed",
        Status::Closed | Status::NotStarted => "is-absent",
        Status::Joining => "is-stopped",
        Status::Polling | Status::Holding(_) | Status::Handling { .. } | Status::Committing => "",
    };
    html! {
        <g key={consumer.0} class={classes!("seat", class, is_selected.then_some("is-selected"))} transform={translate(rect.x, rect.y)}>
            <g class="member" id={member_id(consumer)} tabindex="0" role="button" aria-haspopup="menu"
                aria-expanded={is_selected.to_string()} aria-label={words::member_label(lang, member)} {onclick} {onkeydown}>
                <rect class="card" width={px(rect.w)} height={px(rect.h)} rx="12" />
                <text class="card-name" x="11" y="21">{ clip(&member.name, 12) }</text>
            </g>
            // Beside the button, not in it: the button is called by its name, and what it does is in its label.
            <g aria-hidden="true" pointer-events="none">
                { corner(rect.w - 19, &member.status) }
                { in_hand(rect.w - 34, &member.status) }
                <text class="hint status" x="11" y="40">{ words::status(lang, &member.status) }</text>
                { detail(lang, member) }
                <text class="hint owned" x="11" y="75">{ words::owned(lang, member) }</text>
            </g>
        </g>
    }
}

/// Progress of the record in hand, or a cross.
fn corner(x: i32, status: &Status) -> Html {
    match status {
        Status::Handling { done, .. } => dial(x, *done, "dial-on"),
        Status::Crashed { silence: Some(Silence { passed, .. }), .. } => html! {
            <g>{ dial(x, *passed, "dial-on is-lost") }<path class="cross" d={format!("M{} 15l6 6m0 -6l-6 6", x - 3)} /></g>
        },
        Status::Crashed { .. } => html! { <path class="cross" d={format!("M{} 12l12 12m0 -12l-12 12", x - 6)} /> },
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
            <path class="row-shape" transform={translate(shape_x, 17)} d={shape(*look)} />
            <text class="mono small" text-anchor="end" x={px(x)} y="21">{ record }</text>
        </g>
    }
}

fn detail(lang: Lang, member: &MemberBox) -> Html {
    match &member.status {
        Status::Crashed { silence: Some(Silence { silent, timeout, .. }), .. } => html! {
            <text class="hint silence" x="11" y="57">{ format!("{} / {}", words::seconds(lang, *silent), words::seconds(lang, *timeout)) }</text>
        },
        _ if member.uncommitted > 0 => html! {
            <text class="hint" x="11" y="57">{ words::uncommitted(lang, member.uncommitted) }</text>
        },
        _ => html! { <g /> },
    }
}
