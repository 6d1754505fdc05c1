//! The run of a branch as a person has made it, worked out and written down in slices, so that a page can show how far it is and
//! be asked to stop.

use super::{ledger, transcript};
use crate::link::{Beginning, Deed, names_what_exists};
use crate::scenario::{Outcome, Scenario};
use crate::sim::{Progress, Simulation, StepNo, Time};
use crate::text::Lang;
use std::collections::VecDeque;

/// Steps made, or lines written, in one slice; some tens of milliseconds of work.
const SLICE: u32 = 10_000;

/// What is wanted of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The transcript.
    Transcript(Lang),
    /// The outcome as JSON.
    Outcome,
    /// The ledger as CSV.
    Ledger,
}

/// A text in the making.
pub struct Job {
    wanted: Wanted,
    run: Simulation,
    /// What was done by hand and has not been done again yet.
    left: VecDeque<Deed>,
    is_over: bool,
    lines: String,
    /// The first step that is not written yet.
    next: u32,
    text: Option<String>,
}

impl Job {
    /// What is wanted of the run of a scenario that begins like this and in which this was done by hand.
    pub fn new(wanted: Wanted, scenario: &Scenario, beginning: Beginning, done: Vec<Deed>) -> Self {
        Job {
            wanted,
            run: Simulation::new(beginning.of(&scenario.setup)),
            left: done.into(),
            is_over: false,
            lines: String::new(),
            next: 0,
            text: None,
        }
    }

    /// Works for a while. Nothing if what was done by hand is not possible in this run.
    pub fn go_on(&mut self) -> Option<()> {
        if !self.is_over {
            for _ in 0..SLICE {
                if !self.step()? {
                    self.is_over = true;
                    break;
                }
            }
            return Some(());
        }
        let run = &self.run;
        self.text = match self.wanted {
            Wanted::Outcome => Some(Outcome::of(run).to_json() + "\n"),
            Wanted::Ledger => Some(ledger(run)),
            Wanted::Transcript(lang) => {
                let to = (self.next + SLICE).min(run.steps());
                for step in (self.next..to).map(StepNo) {
                    if run.step_at(step).is_some_and(|step| step.event.is_visible()) {
                        self.lines += &transcript::line(lang, run, step);
                        self.lines.push('\n');
                    }
                }
                self.next = to;
                (to == run.steps()).then(|| std::mem::take(&mut self.lines) + &transcript::ending(lang, run))
            }
        };
        Some(())
    }

    /// One step on, or one thing done by hand; false at the end.
    fn step(&mut self) -> Option<bool> {
        match self.left.front() {
            Some(deed) if deed.is_due(&self.run) => {
                if !names_what_exists(&self.run, deed.action) {
                    return None;
                }
                self.run.apply(deed.action).ok()?;
                self.left.pop_front();
                Some(true)
            }
            _ => Some(matches!(self.run.step(), Progress::Step(_))),
        }
    }

    /// How much is done, in per cent: half of it is the run, half the writing.
    pub fn percent(&self) -> u32 {
        let share = |part: u64, whole: u64| (part * 50 / whole.max(1)) as u32;
        let since_start = |time: Time| time.since(Time::ZERO).as_micros();
        match self.is_over {
            false => share(since_start(self.run.now()), since_start(self.run.setup().ends_at)),
            true => 50 + share(u64::from(self.next), u64::from(self.run.steps())),
        }
    }

    /// The text, once it is there.
    pub fn take_text(&mut self) -> Option<String> {
        self.text.take()
    }
}
