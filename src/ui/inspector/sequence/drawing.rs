//! The drawing. Places across are shares of the width, so that it takes the room that there is.

use super::{Head, ItemView, SequenceView, choose};
use crate::scene::sequence::{Arrow, BarKind, Label, Lifeline, Mark, Sign, Spot, Stretch, Tip};
use crate::text::{Lang, labels};
use crate::ui::stage::clip;
use crate::ui::state::{Action, Inspect};
use std::rc::Rc;
use yew::prelude::*;

/// The height of the heads.
const HEADS: &str = "44";
/// The width of the times.
const TIMES: i32 = 46;
/// Room beside a place for some of its words.
const BESIDE: i32 = 60;
/// How far a bar of several is from the next.
const APART: i32 = 5;

/// A share of the width.
fn across(thousandths: i32) -> AttrValue {
    AttrValue::from(format!("{}.{}%", thousandths / 10, thousandths % 10))
}

fn px(value: i32) -> AttrValue {
    AttrValue::from(value.to_string())
}

#[derive(Properties)]
pub struct PaperProps {
    pub lang: Lang,
    pub view: Rc<SequenceView>,
    pub dispatch: Callback<Action>,
}

impl PartialEq for PaperProps {
    fn eq(&self, other: &Self) -> bool {
        self.lang == other.lang && Rc::ptr_eq(&self.view, &other.view)
    }
}

/// The drawing, under the names of the lifelines, beside the times. Where it is wider than its room, it is moved so that what
/// belongs to the step that is shown is in sight.
#[component]
pub fn Paper(props: &PaperProps) -> Html {
    let PaperProps { lang, view, dispatch } = props;
    let (lang, drawing) = (*lang, &view.drawing);
    let scroller = use_node_ref();
    use_effect_with((scroller.clone(), present_place(view)), |(scroller, place)| {
        if let (Some(scroller), Some(place)) = (scroller.cast::<web_sys::Element>(), *place) {
            bring_into_sight(&scroller, place);
        }
    });
    html! {
        <div ref={scroller} class="sequence-view" tabindex="0" role="region" aria-label={labels::sequence(lang)}>
            <div class="sequence-paper">
                // As wide as the drawing has to be at least.
                <svg class="sequence-room" width={px(drawing.least_width)} height="0" aria-hidden="true" />
                <svg class="sequence-drawing sequence-heads" height={HEADS} role="group" aria-label={labels::lifelines(lang)}>
                    for (head, lane) in view.heads.iter().zip(&drawing.lanes) { { head_view(head, lane.x, lang, dispatch) } }
                </svg>
                <svg class="sequence-drawing sequence-times" height={px(drawing.height)} aria-hidden="true">
                    for (index, (&(y, _), time)) in drawing.times.iter().zip(&view.times).enumerate() {
                        <text key={index} class="at-end" x="40" y={px(y - 2)}>{ time }</text>
                    }
                    <text class="at-end sequence-now" x="40" y={px(drawing.present + 4)}>{ &view.now }</text>
                    <text class="at-end sequence-now" x="40" y={px(drawing.present + 16)}>{ labels::now(lang) }</text>
                </svg>
                <svg class="sequence-drawing sequence-body" height={px(drawing.height)} role="img" aria-label={&view.summary}>
                    { tips() }
                    for item in present_rows(view) { { item } }
                    for (index, stretch) in drawing.stretches.iter().enumerate() { { stretch_view(index, stretch, view) } }
                    for (index, (found, span)) in drawing.breaks.iter().zip(&view.breaks).enumerate() {
                        <g key={format!("break-{index}")} class="sequence-break">
                            <rect x="0" y={px(found.y - 6)} width="100%" height="12" />
                            <text x="50%" y={px(found.y + 4)} class="at-middle">{ "// " }{ span }{ " //" }</text>
                        </g>
                    }
                    for arrow in &drawing.arrows { { arrow_view(arrow, &view.items[arrow.item], dispatch) } }
                    for mark in &drawing.marks { { mark_view(mark, &view.items[mark.item], dispatch) } }
                    <line class="sequence-present" x1="0" x2="100%" y1={px(drawing.present)} y2={px(drawing.present)} />
                </svg>
            </div>
        </div>
    }
}

/// Where the step that is shown has its place, across.
fn present_place(view: &SequenceView) -> Option<i32> {
    let drawing = &view.drawing;
    let of_arrows = drawing.arrows.iter().map(|arrow| (arrow.item, arrow.from.x));
    let of_marks = drawing.marks.iter().map(|mark| (mark.item, mark.at.x));
    of_arrows.chain(of_marks).filter(|&(item, _)| view.items[item].is_present).map(|(_, x)| x).next_back()
}

/// Scrolls sideways only, and only as far as it is needed.
#[inline(never)]
fn bring_into_sight(scroller: &web_sys::Element, place: i32) {
    let (seen, whole) = (scroller.client_width(), scroller.scroll_width());
    let x = TIMES + (whole - TIMES) * place / 1000 - scroller.scroll_left();
    if x < TIMES + BESIDE || x > seen - BESIDE {
        scroller.set_scroll_left(scroller.scroll_left() + x - seen / 2);
    }
}

/// What lines end with.
#[inline(never)]
fn tips() -> Html {
    let tip = |id: &'static str, class: &'static str, d: &'static str| {
        html! {
            <marker {id} key={id} viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto" markerUnits="userSpaceOnUse">
                <path {class} {d} />
            </marker>
        }
    };
    html! {
        <defs>
            { tip("tip-request", "tip", "M1 1L9 5L1 9Z") }
            { tip("tip-answer", "tip is-answer", "M1 1L9 5L1 9") }
            { tip("tip-bad", "tip is-bad", "M1 1L9 5L1 9") }
            { tip("tip-way", "tip is-under-way", "M1 1L9 5L1 9") }
        </defs>
    }
}

/// The rows of the step that is shown.
fn present_rows(view: &SequenceView) -> Vec<Html> {
    let drawing = &view.drawing;
    let of_arrows = drawing.arrows.iter().filter_map(|arrow| Some((arrow.item, arrow.label?.at.y)));
    let of_marks = drawing.marks.iter().map(|mark| (mark.item, mark.label.at.y));
    let present = of_arrows.chain(of_marks).filter(|&(item, _)| view.items[item].is_present);
    present
        .map(|(item, y)| html! { <rect key={format!("row-{item}")} class="sequence-row" x="0" y={px(y - 13)} width="100%" height="18" rx="4" /> })
        .collect()
}

#[inline(never)]
fn head_view(head: &Head, x: i32, lang: Lang, dispatch: &Callback<Action>) -> Html {
    let is_broker = matches!(head.on, Lifeline::Broker(_));
    let half = if is_broker { 37 } else { 22 };
    let name = clip(&head.name, if is_broker { 11 } else { 6 });
    let content = html! {
        <>
            <title>{ &head.name }{ " · " }{ &head.role }</title>
            <rect class="card" x={px(-half)} y="4" width={px(2 * half)} height="22" rx={if is_broker { "3" } else { "11" }} />
            <text class="at-middle" y="19">{ name }</text>
            if head.coordinates { <text class="at-middle hint" y="38">{ labels::coordinator(lang) }</text> }
        </>
    };
    let class = classes!("sequence-head", is_broker.then_some("is-broker"), head.is_selected.then_some("is-selected"));
    let key = format!("{:?}", head.on);
    let Some(select) = head.select else {
        return html! { <svg {key} {class} x={across(x)} overflow="visible" role="img" aria-label={format!("{} · {}", head.name, head.role)}>{ content }</svg> };
    };
    let select = if head.is_selected { None } else { Some(select) };
    let onclick = dispatch.reform(move |_: MouseEvent| Action::Inspect(Inspect::Select(select)));
    let onkeydown = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: KeyboardEvent| {
            if matches!(event.key().as_str(), "Enter" | " ") {
                event.prevent_default();
                event.stop_propagation();
                dispatch.emit(Action::Inspect(Inspect::Select(select)));
            }
        })
    };
    html! {
        <svg {key} x={across(x)} overflow="visible">
            <g {class} tabindex="0" role="button" aria-pressed={head.is_selected.to_string()} aria-label={format!("{} · {}", head.name, head.role)} {onclick} {onkeydown}>{ content }</g>
        </svg>
    }
}

#[inline(never)]
fn stretch_view(index: usize, stretch: &Stretch, view: &SequenceView) -> Html {
    let Stretch { kind, on, from: Spot { x, y }, until, place } = *stretch;
    let is_selected = view.heads.iter().any(|head| head.on == on && head.is_selected);
    let key = format!("stretch-{index}");
    let class = match kind {
        BarKind::Lives => "lifeline",
        BarKind::Frozen => "lifeline is-frozen",
        BarKind::Handling(_) => "activation",
        BarKind::Waits => "activation is-waiting",
    };
    let class = classes!(class, is_selected.then_some("is-selected"));
    match kind {
        BarKind::Lives | BarKind::Frozen => {
            html! { <line {key} {class} x1={across(x)} x2={across(x)} y1={px(y)} y2={px(until)} /> }
        }
        BarKind::Handling(_) | BarKind::Waits => {
            let height = px(until - y);
            html! {
                <svg {key} x={across(x)} y={px(y)} overflow="visible">
                    <rect {class} x={px(place * APART - 4)} y="0" width="8" {height} />
                </svg>
            }
        }
    }
}

fn words(label: Label, words: &AttrValue) -> Html {
    html! {
        <text class={label.ends.then_some("at-end")} x={across(label.at.x)} dx={px(label.beside)} y={px(label.at.y)}>{ words }</text>
    }
}

#[inline(never)]
fn arrow_view(arrow: &Arrow, item: &ItemView, dispatch: &Callback<Action>) -> Html {
    let Arrow { from, to, tip, label, .. } = *arrow;
    let (x1, y1, x2, y2) = (across(from.x), px(from.y), across(to.x), px(to.y));
    let marker = match (tip, item.class) {
        (Tip::Lost, _) => None,
        (Tip::OnItsWay, _) => Some("url(#tip-way)"),
        (Tip::Arrives, "is-bad") => Some("url(#tip-bad)"),
        (Tip::Arrives, "is-answer") => Some("url(#tip-answer)"),
        (Tip::Arrives, _) => Some("url(#tip-request)"),
    };
    let class = classes!("sequence-item", item.class, item.is_selected.then_some("is-selected"));
    html! {
        <g key={format!("item-{}", arrow.item)} {class} onclick={choose(dispatch, item.step, item.select)}>
            <line class="grip" x1={x1.clone()} y1={y1.clone()} x2={x2.clone()} y2={y2.clone()} />
            <line class={classes!("arrow", (tip == Tip::OnItsWay).then_some("is-dashed"))} {x1} {y1} {x2} {y2} marker-end={marker} />
            if tip == Tip::Lost { { sign_at(to, "M-4 -4L4 4M4 -4L-4 4") } }
            if let Some(label) = label { { words(label, &item.label) } }
        </g>
    }
}

fn sign_at(at: Spot, d: &'static str) -> Html {
    html! { <svg x={across(at.x)} y={px(at.y)} overflow="visible"><path class="sign" {d} /></svg> }
}

#[inline(never)]
fn mark_view(mark: &Mark, item: &ItemView, dispatch: &Callback<Action>) -> Html {
    let d = match mark.sign {
        Sign::Dot => Some("M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0"),
        Sign::Cross => Some("M-6 -6L6 6M6 -6L-6 6"),
        Sign::Begin => Some("M-4 -5L5 0L-4 5Z"),
        Sign::End => Some("M-4 -4H4V4H-4Z"),
        Sign::Clock => Some("M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0M0 -3V0L2.5 1.5"),
        Sign::None => None,
    };
    let class = classes!("sequence-item", item.class, item.is_selected.then_some("is-selected"));
    html! {
        <g key={format!("item-{}", mark.item)} {class} onclick={choose(dispatch, item.step, item.select)}>
            if let Some(d) = d { { sign_at(mark.at, d) } }
            { words(mark.label, &item.label) }
        </g>
    }
}
