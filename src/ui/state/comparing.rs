//! Runs beside each other: branches of one history, one of which is stepped while the others follow it in simulated time.

use super::{Action, State};
use crate::explain::compare::{Comparison, Outcome, partings};
use crate::history::BranchId;
use crate::sim::{self, GroupId, Time};
use std::rc::Rc;

/// The most runs beside each other.
pub const MOST_COMPARED: usize = 3;

/// Runs beside each other.
pub struct Comparing {
    /// Their branches.
    pub branches: Vec<BranchId>,
    /// Which of them is stepped.
    pub driven: usize,
    /// True once all are known to their end, so that what is summed up is the whole of them.
    pub is_known: bool,
    /// In what they part, and what came of it; nothing where no group reads.
    pub summary: Option<Rc<Comparison>>,
    /// What it was made from.
    made_from: Option<Key>,
    /// Whether the side column was open before.
    side: bool,
}

/// What a summary depends on: the branches with how much has been done on each, the group, whether they are known to their end and,
/// if not, the moment.
type Key = (Vec<(BranchId, usize)>, Option<GroupId>, bool, Time);

impl Comparing {
    /// Their branches.
    #[inline(never)]
    pub fn branches(&self) -> Vec<BranchId> {
        self.branches.clone()
    }
}

impl State {
    /// Whether one run more can be put beside those that are shown.
    pub fn can_compare(&self) -> bool {
        self.comparing.as_ref().is_none_or(|comparing| comparing.branches.len() < MOST_COMPARED)
    }

    /// True for a branch that is not beside the one that is looked at and begins as that does. Of one with another seed, or
    /// without the crashes of the script, nothing that was done tells why it comes out otherwise.
    #[inline(never)]
    pub fn can_be_put_beside(&self, branch: BranchId) -> bool {
        let is_there = self.comparing.as_ref().is_some_and(|comparing| comparing.branches.contains(&branch));
        !is_there && self.playback.beginning_of(branch) == self.playback.beginning()
    }

    /// True while frames are needed.
    pub fn needs_frames(&self) -> bool {
        self.playback.needs_frames()
            || self.sweeping.is_busy()
            || self.comparing.as_ref().is_some_and(|comparing| !comparing.is_known)
    }

    #[inline(never)]
    pub(super) fn compare(&mut self, asked: &Action) {
        let current = self.playback.history().current();
        match *asked {
            Action::CompareWith(action) if self.can_compare() => {
                self.begin_with(action);
                if self.refusal.is_none() {
                    self.put_beside(current);
                }
            }
            Action::Compare(branch)
                if self.can_compare()
                    && branch < self.playback.history().branch_count()
                    && self.can_be_put_beside(branch) =>
            {
                self.put_beside(branch);
            }
            Action::Drive(index) => {
                let branch = self.comparing.as_ref().and_then(|comparing| comparing.branches.get(index)).copied();
                if let Some(branch) = branch {
                    self.playback.switch_in_time(branch);
                }
            }
            Action::EndComparison => {
                self.end_comparison();
            }
            _ => {}
        }
    }

    /// Puts a branch before the one that is looked at.
    fn put_beside(&mut self, branch: BranchId) {
        let current = self.playback.history().current();
        if self.comparing.is_none() && branch != current {
            self.comparing = Some(Box::new(Comparing {
                branches: Vec::new(),
                driven: 0,
                is_known: false,
                summary: None,
                made_from: None,
                // Two stages need its room. Whoever opens it again has it beside them.
                side: std::mem::take(&mut self.side),
            }));
        }
        let Some(comparing) = &mut self.comparing else { return };
        for beside in [branch, current] {
            if !comparing.branches.contains(&beside) && comparing.branches.len() < MOST_COMPARED {
                comparing.branches.push(beside);
            }
        }
        // What was changed is not shown in the order of making: the story comes first.
        comparing.branches.sort_unstable();
        comparing.driven = comparing.branches.iter().position(|&beside| beside == current).unwrap_or(0);
    }

    /// Shows the run alone that is stepped; says whether there was another.
    #[inline(never)]
    pub(super) fn end_comparison(&mut self) -> bool {
        let ended = self.comparing.take();
        if let Some(comparing) = &ended {
            self.side |= comparing.side;
        }
        ended.is_some()
    }

    /// Brings the others to the moment of the run that is stepped, works out what is not known, and sums up.
    #[inline(never)]
    pub(super) fn settle_comparison(&mut self) {
        let Some(mut comparing) = self.comparing.take() else { return };
        let current = self.playback.history().current();
        match comparing.branches.iter().position(|&beside| beside == current) {
            Some(place) => comparing.driven = place,
            // What is done by hand to the run that is stepped goes on in its place.
            None => comparing.branches[comparing.driven] = current,
        }
        let others: Vec<BranchId> = comparing.branches.iter().copied().filter(|&beside| beside != current).collect();
        self.playback.follow_with(&others);
        comparing.is_known = self.playback.work_out(&comparing.branches);
        let moment = if comparing.is_known { Time::ZERO } else { self.playback.run().now() };
        let done = |&branch: &BranchId| (branch, self.playback.history().actions(branch).len());
        let key = (comparing.branches.iter().map(done).collect(), self.group(), comparing.is_known, moment);
        if comparing.made_from.as_ref() != Some(&key) {
            comparing.summary = self.summary(&comparing).map(Rc::new);
            comparing.made_from = Some(key);
        }
        self.comparing = Some(comparing);
    }

    fn summary(&mut self, comparing: &Comparing) -> Option<Comparison> {
        let group = self.group()?;
        let done: Vec<Vec<(Time, sim::Action)>> =
            comparing.branches.iter().map(|&branch| self.playback.done_on(branch)).collect();
        let outcome = |&branch: &BranchId| match comparing.is_known {
            true => self.playback.at_frontier(branch, |run| Outcome::whole(run, group)),
            false => Outcome::now(self.playback.beside(branch), group),
        };
        let outcomes = comparing.branches.iter().map(outcome).collect();
        Some(Comparison::new(group, partings(&self.scenario.setup, &done), outcomes))
    }
}
