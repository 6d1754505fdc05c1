//! How a run begins that is not quite the scenario's own.

use crate::sim::setup::Setup;
use std::rc::Rc;

/// What is different from the scenario before anything has happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beginning {
    /// The seed, if not the scenario's.
    pub seed: Option<u64>,
    /// True without the crashes of consumers that the scenario plans.
    pub without_crashes: bool,
}

impl Beginning {
    /// What a run of a scenario starts from that begins like this.
    #[inline(never)]
    pub fn of(self, setup: &Rc<Setup>) -> Rc<Setup> {
        if self == Beginning::default() {
            return setup.clone();
        }
        let mut setup = (**setup).clone();
        if self.without_crashes {
            setup.leave_out_crashes();
        }
        setup.seed = self.seed.unwrap_or(setup.seed);
        Rc::new(setup)
    }
}
