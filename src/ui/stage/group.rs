//! A consumer group: its generation and phase, what its coordinator waits for, and its members.

use super::looks::clip;
use super::member::member_view;
use super::primitives::{button, part, plate, put, put_html};
use super::{others_view, translate};
use crate::scene::Subject;
use crate::scene::geometry::Rect;
use crate::scene::rebalance::{TimeLeft, Turn};
use crate::scene::stage::{GroupFrame, Phase, Rebalance, Shape};
use crate::sim::GroupId;
use crate::text::{Lang, labels, stage as words};
use yew::prelude::*;

/// A group and its members. What the open menu is about is `selected`.
pub fn group_view(
    group: &GroupFrame,
    lang: Lang,
    shape: Shape,
    selected: Option<Subject>,
    on_subject: &Callback<Subject>,
    on_group: &Callback<GroupId>,
    on_all: &Callback<MouseEvent>,
) -> Html {
    let rect = group.rect;
    let id = group.group;
    let subject = Subject::Group(id);
    let rebalancing = match group.phase {
        Phase::Gathering | Phase::Joining { .. } | Phase::Assigning => group.generation > 0,
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
        Shape::Wide | Shape::Columns => (rect.x + 12, rect.y + 37, "hint phase"),
        Shape::Narrow => (rect.x + rect.w - 12, rect.y + 20, "hint phase at-end"),
    };
    html! {
        <g key={format!("group-{}", group.group.0)} {class}>
            <g aria-hidden="true" {onclick}>
                { plate("frame", rect, 14) }
                { put(phase_class, phase_x, phase_y, phase) }
                if let Some(rebalance) = &group.rebalance { { rebalance_view(rebalance, lang) } }
            </g>
            { button(subject, words::group_label(lang, &group.name), selected == Some(subject), on_subject, html! { <>
                { plate("handle", Rect { x: rect.x + 6, y: rect.y + 1, w: 150.min(rect.w - 12), h: 28 }, 7) }
                { put_html("frame-name", rect.x + 12, rect.y + 21, html! { <>{ clip(&group.name, if shape == Shape::Wide { 11 } else { 22 }) }{ " " }{ part("hint", labels::group(lang).to_owned()) }</> }) }
            </> }) }
            for member in &group.members {
                { member_view(member, lang, selected == Some(Subject::Member(member.consumer)), on_subject) }
            }
            if let Some(others) = group.others {
                <g aria-hidden="true">{ others_view(others.rect, [&words::other_members(lang, others), &words::what_others_do(lang, others)], on_all) }</g>
            }
        </g>
    }
}

/// What the coordinator waits for: a mark for each member, and the time that it gives them.
fn rebalance_view(rebalance: &Rebalance, lang: Lang) -> Html {
    /// From one mark to the next, where there is room.
    const PITCH: i32 = 15;
    let Rect { x, y, w, h } = rebalance.rect;
    let room = w - if rebalance.left.is_some() { 36 } else { 0 };
    let pitch = PITCH.min(room / (rebalance.turns.len() as i32).max(1));
    html! {
        <g class="turns">
            if pitch >= 4 {
                for (place, (consumer, turn)) in rebalance.turns.iter().enumerate() {
                    <path key={consumer.0} class={turn_class(*turn)} d={turn_shape(*turn)} transform={translate(x + 6 + pitch * place as i32, y + 5)} />
                }
            }
            if let Some(TimeLeft { left, part }) = rebalance.left {
                { put("hint at-end", x + w, y + 9, words::seconds(lang, left)) }
                { plate("limit", Rect { x, y: y + h - 1, w, h: 3 }, 1) }
                { plate("limit is-left", Rect { x, y: y + h - 1, w: w * part as i32 / 1000, h: 3 }, 1) }
            }
        </g>
    }
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
