//! Other branches beside the one that is looked at: they follow it by simulated time.

use super::{Playback, SLICE};
use crate::history::{BranchId, Known};
use crate::sim::{self, Simulation, StepNo, Time};

impl Playback {
    /// The world of any branch, where it was looked at last.
    pub fn beside(&self, branch: BranchId) -> &Simulation {
        self.history.branch(branch)
    }

    /// Lets other branches show the moment that is drawn.
    pub fn follow_with(&mut self, others: &[BranchId]) {
        let (position, time) = (self.history.position(), self.drawn_time());
        let last = position.checked_sub(1).map(StepNo);
        let here = last.and_then(|last| self.run().step_at(last)).copied();
        for &branch in others {
            if !self.is_known_by(branch, time) {
                self.history.advance_on(branch, SLICE);
            }
            let run = self.beside(branch);
            // As long as they are one run they are at one step, whatever else happens at its time.
            let is_shared = last.is_some_and(|last| run.step_at(last).copied() == here);
            let target = match (last, is_shared) {
                (None, _) => 0,
                (_, true) => position,
                (_, false) => run.steps_by(time),
            };
            let target = target.min(self.history.known_of(branch).steps);
            if target != self.beside(branch).steps() {
                self.history.seek_on(branch, target);
            }
        }
    }

    fn is_known_by(&self, branch: BranchId, time: Time) -> bool {
        let Known { steps, complete } = self.history.known_of(branch);
        let last = steps.checked_sub(1).and_then(|last| self.beside(branch).step_at(StepNo(last)));
        complete || last.is_some_and(|last| last.at > time)
    }

    /// Makes more of these branches known, a slice of the first that is not known to its end; true once all are.
    pub fn work_out(&mut self, branches: &[BranchId]) -> bool {
        match branches.iter().find(|&&branch| !self.history.known_of(branch).complete) {
            Some(&branch) => {
                self.history.advance_on(branch, SLICE);
                false
            }
            None => true,
        }
    }

    /// What was done by hand on a branch, each thing with its time.
    pub fn done_on(&self, branch: BranchId) -> Vec<(Time, sim::Action)> {
        let run = self.beside(branch);
        let at = |position: u32| run.step_at(StepNo(position)).map_or(Time::ZERO, |step| step.at);
        self.history.actions(branch).iter().map(|&(position, action)| (at(position), action)).collect()
    }

    /// What can be read at the end of what is known of a branch.
    pub fn at_frontier<R>(&mut self, branch: BranchId, read: impl FnOnce(&Simulation) -> R) -> R {
        self.history.at_frontier(branch, read)
    }

    /// Looks at another branch at the same time.
    pub fn switch_in_time(&mut self, branch: BranchId) {
        let time = self.drawn_time();
        self.switch(branch);
        self.jump_to_time(time);
    }
}
