//! The timeline: a native slider, even in visible steps, over a drawing of marks and breaks. The state follows the drag.

use crate::scene::marks::MarkKind;
use crate::text::{Lang, labels};
use crate::ui::sometimes;
use crate::ui::state::Action;
use std::rc::Rc;
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
}

/// A mark.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkView {
    /// The number of visible steps after which it has happened.
    pub position: u32,
    /// What it stands for.
    pub kind: MarkKind,
    /// Its name, for the marks that have one on the drawing.
    pub label: Option<AttrValue>,
    /// True if the name stands below the line.
    pub is_below: bool,
}

#[derive(Properties, PartialEq)]
pub struct TimelineProps {
    pub lang: Lang,
    pub view: Rc<TimelineView>,
    pub shown: u32,
    pub sentence: AttrValue,
    pub dispatch: Callback<Action>,
}

/// Width of the drawing.
const WIDTH: u32 = 820;

#[component]
pub fn Timeline(props: &TimelineProps) -> Html {
    let TimelineProps { lang, view, shown, sentence, dispatch } = props;
    let lang = *lang;
    let oninput = sometimes(dispatch, |event: InputEvent| {
        let slider: HtmlInputElement = event.target()?.dyn_into().ok()?;
        Some(Action::JumpTo(slider.value().parse().ok()?))
    });
    let value_text = format!("{} {shown} / {}: {sentence}", labels::step(lang), view.count);
    html! {
        <div class="timeline">
            { drawing(view, *shown) }
            <input class="timeline-slider" id="timeline" type="range" min="0" max={view.count.to_string()} step="1" value={shown.to_string()}
                aria-label={labels::timeline(lang)} aria-valuetext={value_text} {oninput} />
        </div>
    }
}

fn drawing(view: &TimelineView, shown: u32) -> Html {
    let x = |position: u32| (u64::from(position) * u64::from(WIDTH) / u64::from(view.count.max(1))) as u32;
    html! {
        <svg class="timeline-drawing" viewBox={format!("-12 0 {} 70", WIDTH + 24)} preserveAspectRatio="none" aria-hidden="true">
            <rect class="track" x="0" y="33" width={WIDTH.to_string()} height="6" rx="3" />
            <rect class="track is-past" x="0" y="33" width={x(shown).to_string()} height="6" rx="3" />
            for &position in &view.breaks {
                <path key={format!("break-{position}")} class="break" d={format!("M{} 42l4 -12M{} 42l4 -12", x(position) + 1, x(position) + 5)} />
            }
            if let Some(position) = view.forked_at {
                <path class="fork" d={format!("M{0} 46V20h10", x(position))} />
            }
            for (index, mark) in view.marks.iter().enumerate() { { mark_view(index, mark, x(mark.position)) } }
            <circle class="thumb" cx={x(shown).to_string()} cy="36" r="9" />
        </svg>
    }
}

fn mark_view(index: usize, mark: &MarkView, x: u32) -> Html {
    let (class, is_large) = match mark.kind {
        MarkKind::Crash => ("mark is-crash", true),
        MarkKind::Process => ("mark is-process", true),
        MarkKind::Timeout => ("mark is-timeout", true),
        MarkKind::Rebalance => ("mark is-rebalance", true),
        MarkKind::Duplicate(_) => ("mark is-duplicate", true),
        MarkKind::Rejected => ("mark is-crash", true),
        MarkKind::Commit => ("mark is-commit", false),
    };
    let anchor = match x {
        0..60 => "start",
        761.. => "end",
        _ => "middle",
    };
    html! {
        <g key={index}>
            if is_large {
                <circle {class} cx={x.to_string()} cy="36" r="5.5" />
            } else {
                <rect {class} x={x.saturating_sub(1).to_string()} y="42" width="2" height="6" />
            }
            if let Some(label) = &mark.label {
                <text class="hint" text-anchor={anchor} x={x.to_string()} y={if mark.is_below { "62" } else { "20" }}>{ label }</text>
            }
        </g>
    }
}
