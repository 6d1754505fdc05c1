//! The time machine: goes to any moment of a run, runs ahead in slices, and branches where somebody acts in the past.
//!
//! It knows nothing of Kafka. What it drives is a [`Timeline`]: something that can be marked, restored and stepped, and
//! whose steps depend on nothing else. A moment is a position: the number of steps made.

mod run;

use std::rc::Rc;

/// Steps between two checkpoints. A seek repeats at most this many.
const CHECKPOINT_EVERY: u32 = 4096;

/// Something that moves in steps and can go back.
pub trait Timeline {
    /// A moment to come back to.
    type Mark;
    /// What a person can do to it.
    type Action: Copy;
    /// Why an action is not possible.
    type Refusal;

    /// How many steps have been made.
    fn position(&self) -> u32;
    /// The present moment.
    fn mark(&self) -> Self::Mark;
    /// Goes back, or forward, to a moment of this timeline.
    fn restore(&mut self, mark: &Self::Mark);
    /// Makes one step; false if there is none any more.
    fn step(&mut self) -> bool;
    /// Acts at the present moment, which is one step; or refuses and changes nothing.
    fn act(&mut self, action: Self::Action) -> Result<(), Self::Refusal>;
    /// A timeline of its own, whose past is shared and whose future is open.
    fn fork(&self) -> Self;
}

/// Names a branch; the first is 0.
pub type BranchId = usize;

/// All branches of a run, one of which is looked at.
pub struct History<T: Timeline> {
    branches: Vec<Branch<T>>,
    current: BranchId,
}

/// One branch: a timeline, and how far it is known.
struct Branch<T: Timeline> {
    /// Stands at the moment that is looked at.
    timeline: T,
    /// The last known moment, where running ahead goes on.
    frontier: Rc<T::Mark>,
    known: u32,
    complete: bool,
    /// Moments to start from, in order of position; the first is the very beginning.
    checkpoints: Vec<(u32, Rc<T::Mark>)>,
    actions: Vec<(u32, T::Action)>,
    /// Which of the actions it is known by.
    deed: usize,
    parent: Option<(BranchId, u32)>,
}

/// What comes next on a branch that begins anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<A> {
    /// A step.
    Step,
    /// An action; nothing happens if it is refused.
    Act(A),
    /// Nothing: it has come far enough.
    Enough,
}

/// How far a branch is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Steps known.
    pub steps: u32,
    /// True if there are no more.
    pub complete: bool,
}

impl<T: Timeline> History<T> {
    /// A history that begins at the present moment of `timeline`.
    pub fn new(timeline: T) -> Self {
        let frontier = Rc::new(timeline.mark());
        let position = timeline.position();
        let first = Branch {
            timeline,
            checkpoints: vec![(position, frontier.clone())],
            frontier,
            known: position,
            complete: false,
            actions: Vec::new(),
            deed: 0,
            parent: None,
        };
        History { branches: vec![first], current: 0 }
    }

    /// The timeline at the moment that is looked at.
    pub fn now(&self) -> &T {
        &self.branches[self.current].timeline
    }

    /// The moment that is looked at.
    pub fn position(&self) -> u32 {
        self.now().position()
    }

    /// The branch that is looked at.
    pub fn current(&self) -> BranchId {
        self.current
    }

    /// How many branches there are.
    pub fn branch_count(&self) -> usize {
        self.branches.len()
    }

    /// Where a branch left which other branch; nothing for the first.
    pub fn parent(&self, branch: BranchId) -> Option<(BranchId, u32)> {
        self.branches[branch].parent
    }

    /// What was done by hand on a branch, each with the position at which it was done.
    pub fn actions(&self, branch: BranchId) -> &[(u32, T::Action)] {
        &self.branches[branch].actions
    }

    /// The action that a branch is known by: the last one or, if it began with several at once, the first of those.
    pub fn deed(&self, branch: BranchId) -> Option<(u32, T::Action)> {
        let branch = &self.branches[branch];
        branch.actions.get(branch.deed).copied()
    }

    /// How far the branch that is looked at is known.
    pub fn known(&self) -> Known {
        let branch = &self.branches[self.current];
        Known { steps: branch.known, complete: branch.complete }
    }

    /// The timeline of any branch, at the moment where it was looked at last.
    pub fn branch(&self, branch: BranchId) -> &T {
        &self.branches[branch].timeline
    }

    /// How far a branch is known.
    pub fn known_of(&self, branch: BranchId) -> Known {
        let branch = &self.branches[branch];
        Known { steps: branch.known, complete: branch.complete }
    }

    /// Goes to a position of a branch that need not be the one that is looked at.
    pub fn seek_on(&mut self, branch: BranchId, position: u32) {
        self.branches[branch].seek(position);
    }

    /// Makes at most `budget` further steps of a branch known.
    pub fn advance_on(&mut self, branch: BranchId, budget: u32) -> Known {
        self.branches[branch].advance(budget);
        self.known_of(branch)
    }

    /// Reads the last known moment of a branch; where it stands does not change.
    pub fn at_frontier<R>(&mut self, branch: BranchId, read: impl FnOnce(&T) -> R) -> R {
        let branch = &mut self.branches[branch];
        let looked_at = branch.timeline.mark();
        branch.timeline.restore(&branch.frontier);
        let found = read(&branch.timeline);
        branch.timeline.restore(&looked_at);
        found
    }

    /// How many steps are kept for all branches; what they share counts once.
    pub fn kept(&self) -> u64 {
        let own = |branch: &Branch<T>| branch.known - branch.parent.map_or(0, |(_, parting)| parting);
        self.branches.iter().map(|branch| u64::from(own(branch))).sum()
    }

    /// Goes to a position; beyond what is known it makes the steps, up to the end of the run.
    pub fn seek(&mut self, position: u32) {
        self.branches[self.current].seek(position);
    }

    /// Makes at most `budget` further steps known, without moving the moment that is looked at. This is long work in
    /// slices: call it again until the branch is complete.
    pub fn advance(&mut self, budget: u32) -> Known {
        self.branches[self.current].advance(budget);
        self.known()
    }

    /// Does something at the moment that is looked at. This starts a branch and looks at it; the old one stays. Only at
    /// the end of what is known of a branch that somebody's action began, it goes on with that. A refused action changes
    /// nothing.
    pub fn act(&mut self, action: T::Action) -> Result<(), T::Refusal> {
        let branch = &mut self.branches[self.current];
        let position = branch.timeline.position();
        if position == branch.known && !branch.complete && branch.parent.is_some() {
            branch.timeline.act(action)?;
            branch.note_action(position, action);
            return Ok(());
        }
        let mut timeline = branch.timeline.fork();
        timeline.act(action)?;
        let shared = branch.checkpoints.partition_point(|&(at, _)| at <= position);
        let done_before = branch.actions.partition_point(|&(at, _)| at < position);
        let mut fork = Branch {
            frontier: Rc::new(timeline.mark()),
            timeline,
            known: position,
            complete: false,
            checkpoints: branch.checkpoints[..shared].to_vec(),
            actions: branch.actions[..done_before].to_vec(),
            deed: 0,
            parent: Some((self.current, position)),
        };
        fork.note_action(position, action);
        self.branches.push(fork);
        self.current = self.branches.len() - 1;
        Ok(())
    }

    /// Does several things, one right after the other. What is refused once the first was possible is left out.
    pub fn act_all(&mut self, actions: &[T::Action]) -> Result<(), T::Refusal> {
        let Some((&first, others)) = actions.split_first() else { return Ok(()) };
        self.act(first)?;
        let branch = &mut self.branches[self.current];
        let deed = branch.deed;
        for &action in others {
            let position = branch.timeline.position();
            if branch.timeline.act(action).is_ok() {
                branch.note_action(position, action);
            }
        }
        branch.deed = deed;
        Ok(())
    }

    /// Starts a branch at the very beginning of the one that is looked at with these actions, the first of which it is known by, and looks at it; makes
    /// as many steps and actions there as `next` says. If one of the first is refused, nothing changes.
    pub fn begin_anew(
        &mut self,
        first: &[T::Action],
        next: impl FnMut(&T) -> Next<T::Action>,
    ) -> Result<(), T::Refusal> {
        let root = &mut self.branches[self.current];
        let (looked_at, start) = (root.timeline.position(), root.checkpoints[0].0);
        root.seek(start);
        let timeline = root.timeline.fork();
        root.seek(looked_at);
        self.begin_other(timeline, first, next)
    }

    /// The same with another timeline, which is at its very beginning. Without first actions the branch is known by the last.
    pub fn begin_other(
        &mut self,
        timeline: T,
        first: &[T::Action],
        mut next: impl FnMut(&T) -> Next<T::Action>,
    ) -> Result<(), T::Refusal> {
        let (start, mark) = (timeline.position(), Rc::new(timeline.mark()));
        let mut branch = Branch {
            timeline,
            frontier: mark.clone(),
            known: start,
            complete: false,
            checkpoints: vec![(start, mark)],
            actions: Vec::new(),
            deed: 0,
            parent: Some((self.current, start)),
        };
        for &action in first {
            let position = branch.timeline.position();
            branch.timeline.act(action)?;
            branch.note_action(position, action);
        }
        loop {
            match next(&branch.timeline) {
                Next::Step if branch.timeline.step() => branch.note_step(),
                Next::Act(action) => {
                    let position = branch.timeline.position();
                    if branch.timeline.act(action).is_ok() {
                        branch.note_action(position, action);
                    }
                }
                Next::Step | Next::Enough => break,
            }
        }
        if !first.is_empty() {
            branch.deed = 0;
        }
        branch.frontier = Rc::new(branch.timeline.mark());
        self.branches.push(branch);
        self.current = self.branches.len() - 1;
        Ok(())
    }

    /// Looks at another branch, at the moment where it was looked at last.
    pub fn switch(&mut self, branch: BranchId) {
        if branch < self.branches.len() {
            self.current = branch;
        }
    }
}

impl<T: Timeline> Branch<T> {
    fn seek(&mut self, position: u32) {
        self.advance(position.saturating_sub(self.known));
        let target = position.min(self.known);
        let place = self.checkpoints.partition_point(|&(at, _)| at <= target).saturating_sub(1);
        let (at, mark) = &self.checkpoints[place];
        let present = self.timeline.position();
        if target < present || present < *at {
            self.timeline.restore(mark);
        }
        while self.timeline.position() < target && self.timeline.step() {}
    }

    fn advance(&mut self, budget: u32) {
        if self.complete || budget == 0 {
            return;
        }
        let looked_at = self.timeline.mark();
        if self.timeline.position() < self.known {
            self.timeline.restore(&self.frontier);
        }
        for _ in 0..budget {
            if !self.timeline.step() {
                self.complete = true;
                break;
            }
            self.note_step();
        }
        self.frontier = Rc::new(self.timeline.mark());
        self.timeline.restore(&looked_at);
    }

    /// A step has been made for the first time.
    fn note_step(&mut self) {
        self.known = self.timeline.position();
        if self.checkpoints.last().is_none_or(|&(at, _)| self.known >= at + CHECKPOINT_EVERY) {
            self.checkpoints.push((self.known, Rc::new(self.timeline.mark())));
        }
    }

    /// An action is not repeated by stepping, so the moment after it is always a checkpoint.
    fn note_action(&mut self, position: u32, action: T::Action) {
        self.actions.push((position, action));
        self.deed = self.actions.len() - 1;
        self.known = self.timeline.position();
        self.frontier = Rc::new(self.timeline.mark());
        self.checkpoints.push((self.known, self.frontier.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts in steps of one; an action adds a thousand.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Counter {
        steps: u32,
        sum: u32,
        end: u32,
    }

    impl Timeline for Counter {
        type Mark = Counter;
        type Action = u32;
        type Refusal = &'static str;

        fn position(&self) -> u32 {
            self.steps
        }
        fn mark(&self) -> Counter {
            self.clone()
        }
        fn restore(&mut self, mark: &Counter) {
            self.clone_from(mark);
        }
        fn step(&mut self) -> bool {
            if self.steps >= self.end {
                return false;
            }
            self.steps += 1;
            self.sum += 1;
            true
        }
        fn act(&mut self, action: u32) -> Result<(), &'static str> {
            if action == 0 {
                return Err("nothing to do");
            }
            self.steps += 1;
            self.sum += action;
            Ok(())
        }
        fn fork(&self) -> Self {
            self.clone()
        }
    }

    fn history(end: u32) -> History<Counter> {
        History::new(Counter { steps: 0, sum: 0, end })
    }

    #[test]
    fn seeking_reaches_the_same_moment_from_either_side() {
        let mut history = history(20_000);
        history.seek(20_000);
        for position in [9_000, 100, 4096, 4095, 19_999, 0] {
            history.seek(position);
            assert_eq!(history.now().sum, position);
        }
        assert_eq!(history.known(), Known { steps: 20_000, complete: false });
    }

    #[test]
    fn running_ahead_does_not_move_the_moment_that_is_looked_at() {
        let mut history = history(10_000);
        history.seek(10);
        while !history.advance(999).complete {}
        assert_eq!((history.position(), history.known().steps), (10, 10_000));
    }

    #[test]
    fn acting_in_the_past_starts_a_branch_and_keeps_the_old_one() {
        let mut history = history(100);
        while !history.advance(1000).complete {}
        history.seek(40);
        history.act(1000).unwrap();
        assert_eq!((history.current(), history.parent(1)), (1, Some((0, 40))));
        while !history.advance(7).complete {}
        for position in [41, 90, 100, 41, 40, 5] {
            history.seek(position);
            let acted = if position > 40 { 999 } else { 0 };
            assert_eq!(history.now().sum, position + acted);
        }
        history.switch(0);
        history.seek(100);
        assert_eq!(history.now().sum, 100);
    }

    #[test]
    fn a_branch_beside_moves_by_itself_and_its_end_can_be_read() {
        let mut history = history(100);
        history.seek(40);
        history.act(1000).unwrap();
        while !history.advance_on(0, 7).complete {}
        history.seek_on(0, 60);
        assert_eq!((history.branch(0).sum, history.now().sum), (60, 1040));
        assert_eq!(history.at_frontier(0, |counter| counter.sum), 100);
        assert_eq!((history.branch(0).sum, history.known_of(1).complete), (60, false));
        history.seek_on(0, 61);
        assert_eq!(history.branch(0).sum, 61);
    }

    #[test]
    fn a_refused_action_changes_nothing() {
        let mut history = history(100);
        while !history.advance(1000).complete {}
        history.seek(40);
        assert_eq!(history.act(0), Err("nothing to do"));
        assert_eq!((history.branch_count(), history.current(), history.position()), (1, 0, 40));
    }

    #[test]
    fn several_things_done_at_once_are_one_branch_known_by_the_first() {
        let mut history = history(100);
        while !history.advance(1000).complete {}
        history.seek(40);
        history.act_all(&[1000, 0, 500]).unwrap();
        assert_eq!((history.branch_count(), history.position(), history.now().sum), (2, 42, 1540));
        assert_eq!((history.deed(1), history.actions(1)), (Some((40, 1000)), &[(40, 1000), (41, 500)][..]));
        assert_eq!(history.act_all(&[0, 5]), Err("nothing to do"));
        assert_eq!(history.branch_count(), 2);
    }

    #[test]
    fn a_branch_from_the_beginning_repeats_what_it_is_told() {
        let mut history = history(10_000);
        while !history.advance(1000).complete {}
        history.seek(60);
        let mut plan = vec![(70, 50), (30, 5)];
        let next = |counter: &Counter| match plan.last() {
            Some(&(at, action)) if counter.steps >= at => {
                plan.pop();
                Next::Act(action)
            }
            _ if counter.steps < 9_000 => Next::Step,
            _ => Next::Enough,
        };
        assert_eq!(history.begin_anew(&[0], |_| Next::Enough), Err("nothing to do"));
        history.begin_anew(&[100, 200], next).unwrap();
        assert_eq!((history.parent(1), history.deed(1)), (Some((0, 0)), Some((0, 100))));
        assert_eq!(history.actions(1), &[(0, 100), (1, 200), (30, 5), (70, 50)]);
        for position in [9_000, 31, 1, 71, 10_000, 30] {
            history.seek(position);
            let acted = [(0, 99), (1, 199), (30, 4), (70, 49)].iter().filter(|&&(at, _)| at < position);
            assert_eq!(history.now().sum, position + acted.map(|&(_, sum)| sum).sum::<u32>());
        }
        history.switch(0);
        assert_eq!((history.position(), history.now().sum), (60, 60));
    }

    #[test]
    fn a_branch_of_another_timeline_begins_with_it_and_so_do_those_that_come_of_it() {
        let mut history = history(100);
        history.seek(60);
        let mut plan = Some(7);
        let next = |counter: &Counter| match counter.steps {
            20 => plan.take().map_or(Next::Enough, Next::Act),
            21.. => Next::Enough,
            _ => Next::Step,
        };
        history.begin_other(Counter { steps: 0, sum: 1_000_000, end: 50 }, &[], next).unwrap();
        assert_eq!((history.current(), history.parent(1), history.deed(1)), (1, Some((0, 0)), Some((20, 7))));
        assert_eq!(history.now().sum, 1_000_027);
        history.seek(u32::MAX);
        assert_eq!((history.position(), history.now().sum), (50, 1_000_056));
        history.begin_anew(&[5], |_| Next::Enough).unwrap();
        assert_eq!((history.position(), history.now().sum), (1, 1_000_005));
        history.switch(0);
        assert_eq!((history.position(), history.now().sum), (60, 60));
    }

    #[test]
    fn acting_where_no_future_is_known_goes_on_with_a_branch_but_never_with_the_first() {
        let mut history = history(100);
        history.seek(10);
        history.act(1000).unwrap();
        history.act(500).unwrap();
        assert_eq!((history.branch_count(), history.actions(1)), (2, &[(10, 1000), (11, 500)][..]));
        history.seek(50);
        history.seek(12);
        assert_eq!(history.now().sum, 1510);
        history.switch(0);
        history.seek(12);
        assert_eq!(history.now().sum, 12);
    }
}
