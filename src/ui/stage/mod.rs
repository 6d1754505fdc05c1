//! The stage: draws a prepared [`Stage`](crate::scene::stage::Stage). No geometry is decided here.
//!
//! To a screen reader the drawing is what can be acted on: members, producers, partitions, groups. Everything else is in the
//! text twin. A message on its way is also in the menu of its client, as it does not stay for long.

mod flight;
mod group;
mod legend;
mod looks;
mod member;
mod primitives;
mod producer;
mod sink;
mod tape;

use crate::scene::Subject;
use crate::scene::geometry::Rect;
use crate::scene::stage::{OtherPartitions, Ribbon, RibbonKind, Stage};
use crate::sim::{GroupId, PartitionId, RecordId};
use crate::text::{Lang, labels, stage as words};
pub use flight::Drag;
use flight::FlightView;
use group::group_view;
pub use legend::legend;
pub use looks::clip;
use primitives::{corners, line, part, part_short, plate, put_html, put_short};
use producer::producer_view;
use sink::sink_view;
use std::rc::Rc;
use tape::TapeView;
pub use tape::tile_view;
use yew::prelude::*;

/// A stage, told from another by where it is: each moment has one of its own, and to compare all that is drawn would be work
/// and code for nothing.
#[derive(Clone)]
pub struct Prepared(pub Rc<Stage>);

impl PartialEq for Prepared {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
pub struct StageProps {
    pub stage: Prepared,
    pub lang: Lang,
    /// Records that a verdict points at.
    pub concerned: Rc<Vec<RecordId>>,
    /// What the open menu is about.
    pub selected: Option<Subject>,
    /// What is selected that can be acted on.
    pub picked: Option<Subject>,
    /// Hears what is chosen; nothing where the stage is only looked at.
    pub on_subject: Option<Callback<Subject>>,
    pub on_record: Callback<RecordId>,
    pub on_group: Callback<GroupId>,
    /// Everything is to be drawn.
    pub on_all: Callback<MouseEvent>,
    /// What is done with a message that is dragged.
    pub on_drag: Callback<Drag>,
}

/// From this height on a drawing is not made smaller to fit: it scrolls.
const TALL: i32 = 540;

/// The element id of something that can be acted on.
pub fn subject_id(subject: Subject) -> String {
    match subject {
        Subject::Member(consumer) => format!("member-{}", consumer.0),
        Subject::Producer(producer) => format!("producer-{}", producer.0),
        Subject::Partition(partition) => format!("of-partition-{}", partition.0),
        Subject::Group(group) => format!("group-{}", group.0),
        Subject::Message(message) => format!("{}-{}", message.kind.api.name(), message.nth),
    }
}

/// The element id of a partition's tape.
pub fn partition_id(partition: PartitionId) -> String {
    format!("partition-{}", partition.0)
}

#[component]
pub fn StageView(props: &StageProps) -> Html {
    let Prepared(stage) = &props.stage;
    let lang = props.lang;
    let view_box = format!("0 0 {} {}", stage.width, stage.height);
    // Scaled to fit, unless that would make it too small to read.
    let is_tall = stage.height > TALL;
    html! {
        <svg class={classes!("stage-drawing", is_tall.then_some("is-tall"))} viewBox={view_box} role="group" aria-label={labels::stage(lang)}>
            <g aria-hidden="true">{ line("ribbon is-other", stage.links.clone()) }</g>
            <g aria-hidden="true">
                for topic in &stage.topics {
                    <g key={topic.topic.0}>
                        { plate("frame", topic.rect, 14) }
                        { put_html("frame-name", topic.rect.x + 14, topic.rect.y + 22, html! { <>{ part_short("", labels::topic(lang), 9) }{ " " }{ part("mono", clip(&topic.name, if topic.seen_by.is_empty() { 30 } else { 18 })) }</> }) }
                        if let Some(others) = topic.others {
                            { other_partitions_view(others, topic.rect, lang, &props.on_all) }
                        }
                        { put_short("hint at-end", topic.rect.x + topic.rect.w - 12, topic.rect.y + 22, &words::seen_by(lang, &clip(&topic.seen_by, 14)), (topic.rect.w - 200) / 6) }
                    </g>
                }
            </g>
            <g aria-hidden="true">
                for ribbon in &stage.ribbons { { ribbon_view(ribbon) } }
            </g>
            <g>
                for producer in &stage.producers { { producer_view(producer, lang, stage.shape, props.selected, &props.on_subject) } }
            </g>
            <g>
                for tape in &stage.tapes {
                    <TapeView key={tape.partition.0} tape={tape.clone()} {lang} concerned={props.concerned.clone()}
                        is_selected={props.selected == Some(Subject::Partition(tape.partition))} on_subject={props.on_subject.clone()} on_record={props.on_record.clone()} />
                }
            </g>
            for group in &stage.groups { { group_view(group, lang, stage.shape, props.selected, &props.on_subject, &props.on_group, &props.on_all) } }
            <g aria-hidden="true" key="sinks">
                for sink in &stage.sinks { { sink_view(sink, lang, stage.shape, &props.concerned) } }
            </g>
            if let Some(picked) = props.picked { { picked_view(stage, picked) } }
            <g aria-hidden="true" key="flights">
                for flight in &stage.flights {
                    <FlightView key={flight.key.to_string()} flight={flight.clone()} {lang} on_subject={props.on_subject.clone()} on_drag={props.on_drag.clone()} />
                }
            </g>
        </svg>
    }
}

/// Corners around what is selected, where it is drawn.
#[inline(never)]
fn picked_view(stage: &Stage, picked: Subject) -> Html {
    let mut members = stage.groups.iter().flat_map(|group| &group.members);
    let rect = match picked {
        Subject::Member(consumer) => members.find(|member| member.consumer == consumer).map(|member| member.rect),
        Subject::Producer(producer) => {
            stage.producers.iter().find(|found| found.producer == producer).map(|found| found.rect)
        }
        Subject::Partition(partition) => {
            stage.tapes.iter().find(|tape| tape.partition == partition).map(|tape| tape.rect)
        }
        Subject::Group(group) => stage.groups.iter().find(|found| found.group == group).map(|found| found.rect),
        Subject::Message(_) => None,
    };
    html! {
        if let Some(Rect { x, y, w, h }) = rect {
            <g class="picked" aria-hidden="true" key="picked">{ corners(Rect { x: x - 3, y: y - 3, w: w + 6, h: h + 6 }) }</g>
        }
    }
}

/// The partitions that are summed up, across the frame of their topic.
#[inline(never)]
fn other_partitions_view(others: OtherPartitions, topic: Rect, lang: Lang, on_all: &Callback<MouseEvent>) -> Html {
    let rect = Rect { x: topic.x + 8, w: topic.w - 16, ..others.rect };
    others_view(rect, [&words::other_partitions(lang, others), ""], on_all)
}

/// What is summed up. For the mouse only: to the keyboard and to a screen reader there is a button under the stage.
#[inline(never)]
fn others_view(rect: Rect, [first, second]: [&str; 2], on_all: &Callback<MouseEvent>) -> Html {
    html! {
        <g class="others" onclick={on_all}>
            { plate("row-body", rect, 8) }
            { put_short("hint strong", rect.x + 10, rect.y + 16, first, (rect.w - 16) * 2 / 15) }
            { put_short("hint", rect.x + 10, rect.y + 29, second, (rect.w - 16) * 2 / 15) }
        </g>
    }
}

fn ribbon_view(ribbon: &Ribbon) -> Html {
    let class = match (ribbon.kind, ribbon.is_other) {
        (RibbonKind::Owned, false) => "ribbon",
        (RibbonKind::Owned, true) => "ribbon is-other",
        (RibbonKind::Busy, false) => "ribbon is-busy",
        (RibbonKind::Busy, true) => "ribbon is-busy is-other",
        (RibbonKind::Gone, false) => "ribbon is-gone",
        (RibbonKind::Gone, true) => "ribbon is-gone is-other",
    };
    let key = (u64::from(ribbon.partition.0) << 16) | u64::from(ribbon.consumer.0);
    html! { <path {key} {class} d={ribbon.curve.path()} /> }
}

/// A whole number as an attribute.
fn px(value: i32) -> AttrValue {
    AttrValue::from(value.to_string())
}

fn translate(x: i32, y: i32) -> AttrValue {
    AttrValue::from(format!("translate({x} {y})"))
}
