//! The simulator as a timeline.

use super::Timeline;
use crate::sim::{Action, Progress, Refusal, Simulation, State};

impl Timeline for Simulation {
    type Mark = State;
    type Action = Action;
    type Refusal = Refusal;

    fn position(&self) -> u32 {
        self.steps()
    }

    fn mark(&self) -> State {
        Simulation::mark(self)
    }

    fn restore(&mut self, mark: &State) {
        Simulation::restore(self, mark);
    }

    fn step(&mut self) -> bool {
        matches!(Simulation::step(self), Progress::Step(_))
    }

    fn act(&mut self, action: Action) -> Result<(), Refusal> {
        self.apply(action).map(|_| ())
    }

    fn fork(&self) -> Self {
        Simulation::fork(self)
    }
}
