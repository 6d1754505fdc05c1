//! The hand on time: buttons, timeline, speed.

mod timeline;

use super::icons::{self, icon};
use super::keys::Command;
use super::playback::{FASTEST, SPEEDS, Speed};
use super::sometimes;
use super::state::{Action, MenuOf};
use crate::scene::stage::Shape;
use crate::text::{Lang, format, labels};
use std::rc::Rc;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

pub use timeline::{MarkView, TimelineView};

#[derive(Properties, PartialEq)]
pub struct TransportProps {
    pub lang: Lang,
    pub shape: Shape,
    pub timeline: Rc<TimelineView>,
    /// Visible steps shown.
    pub shown: u32,
    /// The step in words, for the slider.
    pub sentence: AttrValue,
    pub is_playing: bool,
    pub speed: Speed,
    /// Simulated time, for the reader.
    pub clock: AttrValue,
    /// Steps of all kinds, where every event is a step.
    pub events: Option<u32>,
    /// True while the menu of places in time is open.
    pub is_menu_open: bool,
    /// True while the future is still being worked out.
    pub computing: bool,
    /// Hears which of the buttons was pressed.
    pub on_press: Callback<Command>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Transport(props: &TransportProps) -> Html {
    let TransportProps {
        lang,
        shape,
        timeline,
        shown,
        sentence,
        is_playing,
        speed,
        clock,
        computing,
        on_press,
        dispatch,
        ..
    } = props;
    let lang = *lang;
    let play = if *is_playing { labels::pause(lang) } else { labels::play(lang) };
    let at_start = *shown == 0;
    let at_end = *shown == timeline.count && !computing;
    let line = timeline::timeline(lang, timeline, *shown, sentence, dispatch);
    // Beside the buttons or, on a phone, above them.
    let (above, beside) = match shape {
        Shape::Wide => (None, Some(line)),
        Shape::Narrow | Shape::Columns => (Some(line), None),
    };
    html! {
        <footer class="transport" aria-label={labels::transport(lang)}>
            { above }
            <div class="transport-buttons">
                { button(lang, Command::First, icons::FIRST, labels::first(lang), at_start, on_press) }
                { button(lang, Command::Back, icons::BACK, labels::back(lang), at_start, on_press) }
                <button type="button" class="button primary play" id={PLAY} aria-label={play} title={format::with_keys(lang, play, Command::Toggle.shown())}
                    onclick={on_press.reform(|_| Command::Toggle)}>{ icon(if *is_playing { icons::PAUSE } else { icons::PLAY }) }</button>
                { button(lang, Command::Forward, icons::FORWARD, labels::forward(lang), at_end, on_press) }
                { button(lang, Command::Last, icons::LAST, labels::last(lang), at_end, on_press) }
            </div>
            { beside }
            <div class="readout muted">
                <span class="step-readout">
                    { labels::step(lang) }{ " " }<b>{ shown }</b>{ format!(" / {}", timeline.count) }
                    if let Some(events) = props.events { { events_readout(lang, events) } }
                </span>
                <span class="mono clock-readout">{ format::clock_readout(lang, clock) }</span>
                <div class="readout-controls">
                    <button type="button" class="button small" id={GO_TO} aria-haspopup="menu" aria-expanded={props.is_menu_open.to_string()}
                        onclick={dispatch.reform(|_| Action::ToggleMenu(MenuOf::Time))}>{ labels::go_to(lang) }</button>
                    { speeds(lang, *speed, dispatch) }
                </div>
            </div>
            if *computing {
                <p class="computing muted" role="status">{ labels::computing(lang) }</p>
            }
        </footer>
    }
}

/// The number of the event, where every one is a step.
#[inline(never)]
fn events_readout(lang: Lang, events: u32) -> Html {
    html! { <small>{ format!(" · {} {events}", labels::event(lang)) }</small> }
}

/// A button that does what a key does. At an end it stays reachable, so that its existence is known.
fn button(
    lang: Lang,
    command: Command,
    path: &'static str,
    label: &'static str,
    is_off: bool,
    on_press: &Callback<Command>,
) -> Html {
    html! {
        <button type="button" class="button" aria-label={label} title={format::with_keys(lang, label, command.shown())}
            aria-disabled={is_off.then_some("true")} onclick={on_press.reform(move |_| command)}>{ icon(path) }</button>
    }
}

fn speeds(lang: Lang, speed: Speed, dispatch: &Callback<Action>) -> Html {
    let onchange = sometimes(dispatch, |event: Event| {
        let select: HtmlSelectElement = event.target()?.dyn_into().ok()?;
        Some(Action::SetSpeed(select.value().parse().ok()?))
    });
    html! {
        <label class="speed">
            <span class="visually-hidden">{ labels::speed(lang) }</span>
            <select {onchange}>
                for &offered in SPEEDS {
                    <option key={offered} value={offered.to_string()} selected={offered == speed}>{ factor(lang, offered) }</option>
                }
            </select>
        </label>
    }
}

/// The id of the button that plays.
pub const PLAY: &str = "play";
/// The id of the button that opens the menu of places in time.
pub const GO_TO: &str = "go-to";

/// A speed as a factor: `⅒×`, `½×`, `1×`.
pub fn factor(lang: Lang, speed: Speed) -> String {
    match speed {
        FASTEST => labels::fastest(lang).to_owned(),
        100 => "⅒×".to_owned(),
        250 => "¼×".to_owned(),
        500 => "½×".to_owned(),
        _ => format!("{}×", speed / 1000),
    }
}
