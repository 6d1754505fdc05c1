//! Every step as a sentence, then what the run came to.

use crate::sim::{Simulation, StepNo};
use crate::text::{self, Lang};
use std::fmt::Write as _;

/// The visible steps of a run, or all of them, and its outcome.
pub fn transcript(lang: Lang, run: &Simulation, all: bool) -> String {
    let mut lines = String::new();
    for step in (0..run.steps()).map(StepNo) {
        if all || run.step_at(step).is_some_and(|step| step.event.is_visible()) {
            let _ = writeln!(lines, "{}", line(lang, run, step));
        }
    }
    lines + &ending(lang, run)
}

/// The number among the visible steps, from 1 as on the page, the time, what happened.
pub fn line(lang: Lang, run: &Simulation, step: StepNo) -> String {
    let number = run.visible_steps_before(step) + 1;
    let Some(found) = run.step_at(step) else {
        return String::new();
    };
    let micros = found.at.as_micros();
    let time = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    let number = if found.event.is_visible() { number.to_string() } else { String::new() };
    format!("{number:>5} {time:>13}  {}", text::sentence(lang, run, step))
}

/// What stands under the steps.
pub(super) fn ending(lang: Lang, run: &Simulation) -> String {
    let lines = text::stopped_early(lang, run).into_iter().chain(text::outcome(lang, run));
    lines.map(|line| format!("\n{line}")).collect::<String>() + "\n"
}
