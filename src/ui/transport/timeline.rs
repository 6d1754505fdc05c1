//! The timeline: a native slider, even in visible steps, over a drawing of marks and breaks. The state follows the drag.

use crate::scene::marks::MarkKind;
use crate::text::{Lang, labels};
use crate::ui::sometimes;
use crate::ui::state::Action;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The timeline of a branch, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineView {
    /// How many visible steps there are.
    pub count: u32,
    /// The marks.
    pub marks: Vec<MarkView>,
    /// Positions before which much time passes.
    pub breaks: Vec<u32>,
    /// Where this branch left its parent.
    pub forked_at: Option<u32>,
    /// Ticks of time.
    pub ticks: Vec<u32>,
    /// The first and the last moment, in words.
    pub ends: [AttrValue; 2],
}

/// A mark.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkView {
    /// The number of visible steps after which it has happened.
    pub position: u32,
    /// The last of several that are one mark; the same position if it is a single one.
    pub until: u32,
    /// What it stands for.
    pub kind: MarkKind,
    /// Its name, for the marks that have one on the drawing.
    pub label: Option<AttrValue>,
    /// True if the name stands below the line.
    pub is_below: bool,
}

/// The timeline; `sentence` is the step that is shown, in words.
pub fn timeline(lang: Lang, view: &TimelineView, shown: u32, sentence: &str, dispatch: &Callback<Action>) -> Html {
    let oninput = sometimes(dispatch, |event: InputEvent| {
        let slider: HtmlInputElement = event.target()?.dyn_into().ok()?;
        Some(Action::JumpTo(slider.value().parse().ok()?))
    });
    let value_text = format!("{} {shown} / {}: {sentence}", labels::step(lang), view.count);
    html! {
        <div class="timeline">
            { drawing(view, shown) }
            <input class="timeline-slider" id="timeline" type="range" min="0" max={view.count.to_string()} step="1" value={shown.to_string()}
                aria-label={labels::timeline(lang)} aria-valuetext={value_text} {oninput} />
        </div>
    }
}

/// The drawing, as wide as there is room: along the line everything is at a share of the width, across it at a distance
/// from the middle.
fn drawing(view: &TimelineView, shown: u32) -> Html {
    let share = |position: u32| u64::from(position) * 10_000 / u64::from(view.count.max(1));
    html! {
        <svg class="timeline-drawing" aria-hidden="true">
            <svg y="50%" overflow="visible">
                <rect class="track" y="-3" width="100%" height="6" rx="3" />
                <rect class="track is-past" y="-3" width={percent(share(shown))} height="6" rx="3" />
                for &position in &view.ticks {
                    <rect key={format!("tick-{position}")} class="tick" x={percent(share(position))} y="-10" width="1.5" height="5" />
                }
                <text class="hint" x="0" y="26">{ &view.ends[0] }</text>
                <text class="hint" text-anchor="end" x="100%" y="26">{ &view.ends[1] }</text>
                for &position in &view.breaks {
                    <svg key={format!("break-{position}")} x={percent(share(position))} overflow="visible">
                        <path class="break" d="M1 6l4 -12M5 6l4 -12" />
                    </svg>
                }
                if let Some(position) = view.forked_at { { fork_view(share(position)) } }
                // Under the marks: at the step of a crash, its mark is to be seen.
                <circle class="thumb" cx={percent(share(shown))} r="9" />
                for (index, mark) in view.marks.iter().enumerate() {
                    { mark_view(index, mark, share(mark.position), share(mark.until)) }
                }
            </svg>
        </svg>
    }
}

/// Where a branch leaves its parent.
#[inline(never)]
fn fork_view(share: u64) -> Html {
    html! { <svg x={percent(share)} overflow="visible"><path class="fork" d="M0 12V-11h7" /></svg> }
}

#[inline(never)]
fn cross_view() -> Html {
    html! { <path class="cross" d="M-3 -3L3 3M3 -3L-3 3" /> }
}

/// Hundredths of a per cent as an attribute.
fn percent(share: u64) -> String {
    format!("{}.{:02}%", share / 100, share % 100)
}

fn mark_view(index: usize, mark: &MarkView, share: u64, until: u64) -> Html {
    let (kind, is_large) = match mark.kind {
        MarkKind::Action => ("is-process", true),
        MarkKind::NoAnswer | MarkKind::Failure => ("is-timeout", true),
        MarkKind::Crash | MarkKind::Rejected | MarkKind::Loss => ("is-crash", true),
        MarkKind::Process => ("is-process", true),
        MarkKind::Timeout | MarkKind::LatePoll => ("is-timeout", true),
        MarkKind::Rebalance => ("is-rebalance", true),
        MarkKind::Duplicate(_) => ("is-duplicate", true),
        MarkKind::Commit => ("is-commit", false),
    };
    let anchor = match share {
        0..700 => "start",
        9_300.. => "end",
        _ => "middle",
    };
    html! {
        <svg key={index} x={percent(share)} overflow="visible">
            if is_large {
                if until > share {
                    <line class="span" x2={percent(until - share)} />
                    <line class={classes!("span", kind)} x2={percent(until - share)} />
                } else {
                    <circle class={classes!("mark", kind)} r="5.5" />
                }
                // Of two marks at one step it lies on top.
                if mark.kind == MarkKind::Loss { { cross_view() } }
            } else {
                <rect class={classes!("mark", kind)} x="-1" y="6" width="2" height="6" />
            }
            if let Some(label) = &mark.label {
                <text class="hint" text-anchor={anchor} y={if mark.is_below { "26" } else { "-16" }}>{ label }</text>
            }
        </svg>
    }
}
