//! A consumer group: its generation and phase, how long its coordinator waits, and its members.

use super::looks::clip;
use super::member::member_view;
use super::others_view;
use super::primitives::{button, part_short, plate, put_html, put_short};
use crate::scene::Subject;
use crate::scene::geometry::Rect;
use crate::scene::rebalance::TimeLeft;
use crate::scene::stage::{GroupFrame, OtherMembers, Phase, Shape, Waits};
use crate::sim::GroupId;
use crate::text::{Lang, labels, stage as words};
use yew::prelude::*;

/// A group and its members. What the open menu is about is `selected`.
pub fn group_view(
    group: &GroupFrame,
    lang: Lang,
    shape: Shape,
    selected: Option<Subject>,
    on_subject: &Option<Callback<Subject>>,
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
        (Some(false), false) if group.is_at_hand => "group can-be-chosen is-at-hand",
        (Some(false), true) if group.is_at_hand => "group can-be-chosen is-at-hand is-rebalancing",
        (Some(false), false) => "group can-be-chosen",
        (Some(false), true) => "group can-be-chosen is-rebalancing",
        (Some(true), false) => "group is-chosen",
        (Some(true), true) => "group is-chosen is-rebalancing",
    };
    let leader = group.leader.as_ref().map(|leader| clip(leader, 8));
    let phase = words::phase(lang, group.generation, group.phase, leader.as_deref());
    // For the mouse only: to the keyboard and to a screen reader the groups are beside the verdicts.
    let onclick = group.is_chosen.map(|_| on_group.reform(move |_: MouseEvent| id));
    let (phase_x, phase_y, phase_class, name_room) = match shape {
        Shape::Wide | Shape::Columns => (rect.x + 12, rect.y + 37, "hint phase", 11),
        Shape::Narrow => (rect.x + rect.w - 12, rect.y + 20, "hint phase at-end", 18),
    };
    let phase_room = match shape {
        // Beside it stands how long the coordinator waits.
        _ if group.waits.is_some_and(|waits| waits.is_brief) => 14,
        Shape::Wide | Shape::Columns => 19,
        Shape::Narrow => 24,
    };
    html! {
        <g key={format!("group-{}", group.group.0)} {class}>
            <g aria-hidden="true" {onclick}>
                { plate("frame", rect, 14) }
                { put_short(phase_class, phase_x, phase_y, &phase, phase_room) }
                if let Some(waits) = group.waits { { waits_view(waits, lang) } }
            </g>
            { button(subject, words::group_label(lang, &group.name), selected == Some(subject), on_subject, html! { <>
                { plate("handle", Rect { x: rect.x + 6, y: rect.y + 1, w: 150.min(rect.w - 12), h: 28 }, 7) }
                { put_html("frame-name", rect.x + 12, rect.y + 21, html! { <>{ clip(&group.name, name_room) }{ " " }{ part_short("hint", labels::group(lang), 7) }</> }) }
            </> }) }
            for member in &group.members {
                { member_view(member, lang, selected == Some(Subject::Member(member.consumer)), on_subject) }
            }
            if let Some(others) = group.others {
                { other_members_view(others, lang, on_all) }
            }
        </g>
    }
}

/// The members that are summed up.
#[inline(never)]
fn other_members_view(others: OtherMembers, lang: Lang, on_all: &Callback<MouseEvent>) -> Html {
    let words = [&*words::other_members(lang, others), &words::what_others_do(lang, others)];
    html! { <g aria-hidden="true">{ others_view(others.rect, words, on_all) }</g> }
}

/// How long the coordinator still waits.
#[inline(never)]
fn waits_view(Waits { left: TimeLeft { left, part }, at, is_brief, bar }: Waits, lang: Lang) -> Html {
    let (class, words) = match is_brief {
        true => ("hint at-end", format!("≤ {}", words::seconds(lang, left))),
        false => ("hint", words::waits(lang, left)),
    };
    html! {
        <>
            { put_short(class, at.x, at.y, &words, 19) }
            { plate("limit", bar, 1) }
            { plate("limit is-left", Rect { w: bar.w * part as i32 / 1000, ..bar }, 1) }
        </>
    }
}
