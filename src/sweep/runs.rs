//! A run of its own for each of several setups, or plans.

use super::measure::Watched;
use super::plan::{Course, Plan};
use super::{Case, Made};
use crate::sim::Simulation;
use crate::sim::setup::Setup;
use std::rc::Rc;

/// The next run at its start, what is done in it, and what makes it differ.
type Begun = (Case, Simulation, Course);

pub(super) struct Runs {
    runs: Box<dyn Iterator<Item = Begun>>,
    run: Option<Watched>,
    /// How many there are, if that is known.
    pub(super) expected: Option<u32>,
}

impl Runs {
    pub(super) fn of_setups(setups: impl IntoIterator<Item = (Case, Rc<Setup>)> + 'static) -> Self {
        let runs = setups.into_iter().map(|(case, setup)| (case, Simulation::new(setup), Course::default()));
        Runs { runs: Box::new(runs), run: None, expected: None }
    }

    pub(super) fn of_plans(plans: impl ExactSizeIterator<Item = (Case, Plan)> + 'static) -> Self {
        let expected = Some(plans.len() as u32);
        let runs = plans.map(|(case, plan)| (case, plan.start(), plan.course));
        Runs { runs: Box::new(runs), run: None, expected }
    }

    pub(super) fn advance(&mut self) -> Made {
        if let Some(run) = &mut self.run {
            if run.step() {
                return Made::Steps(1);
            }
            return self.run.take().map_or(Made::Nothing, |run| Made::Row(Box::new(run.finish())));
        }
        match self.runs.next() {
            Some((case, run, course)) => {
                self.run = Some(Watched::new(run, course, case));
                Made::Steps(1)
            }
            None => Made::Nothing,
        }
    }
}
