//! A crash of each consumer after each visible step.

use super::measure::Watched;
use super::{Case, Made};
use crate::sim::setup::Setup;
use crate::sim::target::ClientId;
use crate::sim::{Action, ConsumerId, Progress, Simulation};
use std::rc::Rc;

/// The run that all share, and the one that is forked from it at present.
pub(super) struct Crashes {
    shared: Simulation,
    fork: Option<Watched>,
    /// The next consumer to crash at the present moment of the shared run.
    next: usize,
}

impl Crashes {
    pub(super) fn new(setup: &Setup) -> Self {
        let mut setup = setup.clone();
        setup.actions.retain(|planned| !matches!(planned.action, Action::Crash(ClientId::Consumer(_))));
        let shared = Simulation::new(Rc::new(setup));
        // Nobody runs in front of the first step.
        Crashes { next: usize::MAX, shared, fork: None }
    }

    pub(super) fn advance(&mut self) -> Made {
        if let Some(fork) = &mut self.fork {
            if fork.step() {
                return Made::Steps(1);
            }
            return self.fork.take().map_or(Made::Nothing, |fork| Made::Row(Box::new(fork.finish())));
        }
        while self.next < self.shared.consumers().len() {
            let consumer = ConsumerId::at(self.next);
            self.next += 1;
            if self.shared.consumer(consumer).client().is_none() {
                continue;
            }
            let mut run = self.shared.fork();
            let case = Case::Crash { consumer, after: run.visible_steps(), at: run.now() };
            if let Ok(crash) = run.apply(Action::Crash(consumer.into())) {
                let mut fork = Watched::new(run, case);
                fork.note(&crash);
                self.fork = Some(fork);
                return Made::Steps(1);
            }
        }
        match self.shared.step() {
            Progress::Step(step) => {
                if step.event.is_visible() && !self.shared.has_ended() {
                    self.next = 0;
                }
                Made::Steps(1)
            }
            _ => Made::Nothing,
        }
    }
}
