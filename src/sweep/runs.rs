//! A run of its own for each of several setups.

use super::measure::Watched;
use super::{Case, Made};
use crate::sim::Simulation;
use crate::sim::setup::Setup;
use std::rc::Rc;

pub(super) struct Runs {
    setups: Box<dyn Iterator<Item = (Case, Rc<Setup>)>>,
    run: Option<Watched>,
}

impl Runs {
    pub(super) fn new(setups: impl IntoIterator<Item = (Case, Rc<Setup>)> + 'static) -> Self {
        Runs { setups: Box::new(setups.into_iter()), run: None }
    }

    pub(super) fn advance(&mut self) -> Made {
        if let Some(run) = &mut self.run {
            if run.step() {
                return Made::Steps(1);
            }
            return self.run.take().map_or(Made::Nothing, |run| Made::Row(Box::new(run.finish())));
        }
        match self.setups.next() {
            Some((case, setup)) => {
                self.run = Some(Watched::new(Simulation::new(setup), case));
                Made::Steps(0)
            }
            None => Made::Nothing,
        }
    }
}
