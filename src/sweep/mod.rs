//! One scenario run many times: with a crash of each member at each visible step, with other seeds, or with another value of
//! a setting. What comes out is a table with a [`Row`] for each run.
//!
//! What is looked at may already differ from the scenario by what was done by hand; the runs of a sweep differ from that.
//!
//! It is long work in slices: [`Sweep::advance`] makes some steps and returns. The runs with a crash are forked from the
//! one that they share, which is stepped once; nothing is played again from the start.

mod crash;
pub mod grid;
mod measure;
mod plan;
mod runs;
#[cfg(not(target_arch = "wasm32"))]
pub mod variation;

pub use crash::Expected;
pub use measure::{Decisive, Row, Standstill, Totals};
pub use plan::{Base, Course, Plan, begun_with};

use crate::sim::setup::Setup;
use crate::sim::{Change, ConsumerId, Time};
use crash::Crashes;
use runs::Runs;
use std::rc::Rc;

/// The most runs of one sweep.
pub const MOST_RUNS: u32 = 100_000;
/// The most steps that all runs of a sweep make together.
pub const MOST_STEPS: u64 = 1_000_000_000;

/// What makes a run differ from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Case {
    /// This consumer crashes right after the visible step with this number, as a transcript counts them.
    Crash {
        /// Who crashes.
        consumer: ConsumerId,
        /// The number of the visible step after which it does.
        after: u32,
        /// When that is.
        at: Time,
    },
    /// The seed of the run.
    Seed(u64),
    /// The value of the setting, as it stands on the command line.
    Value(String),
    /// What was set before anything happened; a setting of a consumer's is the same for its group.
    Change(Change),
}

/// Why a sweep has come to no further rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All runs are over.
    Complete,
    /// There are more than [`MOST_RUNS`] runs.
    TooManyRuns,
    /// The runs make more than [`MOST_STEPS`] steps together.
    TooManySteps,
}

/// A sweep in the making.
pub struct Sweep {
    work: Work,
    rows: Vec<Row>,
    steps: u64,
    ending: Option<Ending>,
}

enum Work {
    Crashes(Box<Crashes>),
    Runs(Box<Runs>),
}

impl Sweep {
    /// A crash of each consumer after each visible step. The crashes of consumers that the script plans are left out: those
    /// of the sweep take their place.
    pub fn of_crashes(setup: &Setup) -> Self {
        Sweep::of_crashes_beside(&Base::new(Rc::new(setup.clone())))
    }

    /// The same in a run in which something is done by hand; crashes of consumers are left out there, too.
    pub fn of_crashes_beside(base: &Base) -> Self {
        Sweep::new(Work::Crashes(Box::new(Crashes::new(base))))
    }

    /// A run for each of these plans.
    pub fn of_plans(plans: impl ExactSizeIterator<Item = (Case, Plan)> + 'static) -> Self {
        Sweep::new(Work::Runs(Box::new(Runs::of_plans(plans))))
    }

    /// A run for each of these setups.
    pub fn of_runs(setups: impl IntoIterator<Item = (Case, Rc<Setup>)> + 'static) -> Self {
        Sweep::new(Work::Runs(Box::new(Runs::of_setups(setups))))
    }

    /// A run for each seed from the first to the last.
    pub fn of_seeds(setup: &Rc<Setup>, first: u64, last: u64) -> Self {
        let setup = setup.clone();
        Sweep::of_runs((first..=last).map(move |seed| (Case::Seed(seed), Rc::new(Setup { seed, ..(*setup).clone() }))))
    }

    fn new(work: Work) -> Self {
        Sweep { work, rows: Vec::new(), steps: 0, ending: None }
    }

    /// Makes at most about this many steps; false once there is nothing more to do.
    pub fn advance(&mut self, budget: u32) -> bool {
        let until = self.steps + u64::from(budget);
        while self.ending.is_none() && self.steps < until {
            let made = match &mut self.work {
                Work::Crashes(crashes) => crashes.advance(),
                Work::Runs(runs) => runs.advance(),
            };
            match made {
                Made::Steps(steps) => self.steps += u64::from(steps),
                Made::Row(row) => self.rows.push(*row),
                Made::Nothing => self.ending = Some(Ending::Complete),
            }
            if self.ending.is_none() && self.rows.len() as u32 >= MOST_RUNS {
                self.ending = Some(Ending::TooManyRuns);
            } else if self.ending.is_none() && self.steps >= MOST_STEPS {
                self.ending = Some(Ending::TooManySteps);
            }
        }
        self.ending.is_none()
    }

    /// Does everything that is left.
    pub fn finish(&mut self) {
        while self.advance(u32::MAX) {}
    }

    /// The rows so far, in the order of the runs.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// How many runs there will be, once that is known.
    pub fn expected_runs(&self) -> Option<u32> {
        match &self.work {
            Work::Crashes(crashes) => crashes.expected.map(|expected| expected.runs),
            Work::Runs(runs) => runs.expected,
        }
    }

    /// What is known of a sweep of crashes in advance; nothing at its very beginning, and of another one.
    pub fn expected(&self) -> Option<Expected> {
        match &self.work {
            Work::Crashes(crashes) => crashes.expected,
            Work::Runs(_) => None,
        }
    }

    /// How it ended, once it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }
}

/// What a slice of a sweep has brought.
enum Made {
    /// This many steps.
    Steps(u32),
    /// A run is over.
    Row(Box<Row>),
    /// All runs are over.
    Nothing,
}
