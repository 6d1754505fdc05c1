//! A crash of each consumer after each visible step.

use super::measure::Watched;
use super::plan::{Base, Course};
use super::{Case, Made, Totals};
use crate::sim::{Action, ConsumerId, Simulation};

/// The run that all share, and the one that is forked from it at present.
pub(super) struct Crashes {
    /// The shared run once in advance, so that it is known how many crashes there will be; gone once it is.
    counted: Option<(Shared, u32)>,
    pub(super) expected: Option<Expected>,
    shared: Shared,
    fork: Option<Watched>,
    /// The next consumer to crash at the present moment of the shared run.
    next: usize,
}

/// What is known of a sweep of crashes in advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// How many crashes there will be.
    pub runs: u32,
    /// How many visible steps the run without a crash has.
    pub steps: u32,
    /// What that comes to.
    pub unchanged: Totals,
}

/// The run without a crash.
struct Shared {
    run: Simulation,
    course: Course,
}

impl Shared {
    fn new(base: &Base) -> Self {
        let plan = base.without_crashes().plan();
        Shared { run: plan.start(), course: plan.course }
    }

    /// Makes a step, after which there may be crashes or not; nothing at the end.
    fn step(&mut self) -> Option<bool> {
        let step = self.course.step(&mut self.run)?;
        Some(step.event.is_visible() && !self.run.has_ended())
    }

    fn can_crash(&self, consumer: ConsumerId) -> bool {
        self.run.can_apply(Action::Crash(consumer.into())).is_ok()
    }

    fn consumers(&self) -> impl Iterator<Item = ConsumerId> {
        (0..self.run.consumers().len()).map(ConsumerId::at)
    }
}

impl Crashes {
    pub(super) fn new(base: &Base) -> Self {
        Crashes {
            counted: Some((Shared::new(base), 0)),
            expected: None,
            shared: Shared::new(base),
            fork: None,
            // Nobody runs in front of the first step.
            next: usize::MAX,
        }
    }

    pub(super) fn advance(&mut self) -> Made {
        if let Some((shared, runs)) = &mut self.counted {
            match shared.step() {
                Some(true) => *runs += shared.consumers().filter(|&consumer| shared.can_crash(consumer)).count() as u32,
                Some(false) => {}
                None => {
                    let (steps, unchanged) = (shared.run.visible_steps(), Totals::of(&shared.run));
                    self.expected = Some(Expected { runs: *runs, steps, unchanged });
                    self.counted = None;
                }
            }
            return Made::Steps(1);
        }
        if let Some(fork) = &mut self.fork {
            if fork.step() {
                return Made::Steps(1);
            }
            return self.fork.take().map_or(Made::Nothing, |fork| Made::Row(Box::new(fork.finish())));
        }
        while self.next < self.shared.run.consumers().len() {
            let consumer = ConsumerId::at(self.next);
            self.next += 1;
            if self.shared.can_crash(consumer) {
                self.fork(consumer);
                return Made::Steps(1);
            }
        }
        match self.shared.step() {
            Some(may_crash) => {
                if may_crash {
                    self.next = 0;
                }
                Made::Steps(1)
            }
            None => Made::Nothing,
        }
    }

    fn fork(&mut self, consumer: ConsumerId) {
        let mut run = self.shared.run.fork();
        let case = Case::Crash { consumer, after: run.visible_steps(), at: run.now() };
        if let Ok(crash) = run.apply(Action::Crash(consumer.into())) {
            let mut fork = Watched::new(run, self.shared.course.clone(), case);
            fork.note(&crash);
            self.fork = Some(fork);
        }
    }
}
