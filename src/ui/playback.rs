//! The viewer's hand on time: which visible step is shown, and the movement to the next.

mod beside;

use crate::history::{BranchId, History, Known, Next};
use crate::link::{Beginning, CHECK, Deed, deeds, names_what_exists};
use crate::scene::pace::{self, Beat};
use crate::sim::setup::Setup;
use crate::sim::{self, ConsumerId, Refusal, Simulation, Step, StepNo, Time};
use crate::sweep::{self, Base, Plan};
use std::rc::Rc;

/// A speed, as a factor in thousandths.
pub type Speed = u32;

/// As fast as possible: without movement, a long run in a few seconds.
pub const FASTEST: Speed = 1_000_000;

/// The speeds offered.
pub const SPEEDS: &[Speed] = &[100, 250, 500, 1000, 2000, 4000, 8000, FASTEST];

/// In how many frames the fastest speed passes a long run.
const FASTEST_FRAMES: u32 = 300;

/// Steps made known in one slice of running ahead; a few milliseconds of work.
const SLICE: u32 = 20_000;

/// The most steps whose digest is made for a link.
const MOST_CHECKED: u32 = 20_000;

/// The most steps that are kept for all branches of one run. Each thing done by hand begins one, so their number has no bound but
/// that of a link.
const MOST_KEPT: u64 = 2_000_000;

/// A run, where it is looked at, and how it moves.
pub struct Playback {
    history: History<Simulation>,
    /// For each branch how it begins, where it was left, on the branch before, and where it opens.
    made: Vec<Made>,
    /// Branches whose beginning was taken back, the last one last.
    undone: Vec<BranchId>,
    motion: Option<Motion>,
    playing: bool,
    /// True while something on the stage is held: nothing moves.
    grabbed: bool,
    /// True if it plays only as long as a key is held.
    held: bool,
    /// How fast it plays.
    pub speed: Speed,
    /// True if the steps that are not shown to everybody are steps, too: heartbeats, empty polls and the like.
    pub every_event: bool,
    /// True if nothing may move: steps are jumps.
    pub still: bool,
}

/// How a branch begins and where it was made, as positions.
#[derive(Clone, Copy, Debug)]
struct Made {
    beginning: Beginning,
    /// On the branch before it.
    at: u32,
    /// On itself.
    opens: u32,
}

/// Why something was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is not possible here and now.
    Here(Refusal),
    /// There are as many branches as there may be.
    TooManyBranches,
}

/// The way from one step that is shown to the next.
#[derive(Clone, Copy, Debug)]
struct Motion {
    /// The position in the run when it is over: the number of steps made.
    target: u32,
    /// The position at which it began.
    from: u32,
    beat: Beat,
    /// Milliseconds at speed 1.
    elapsed: u32,
}

impl Playback {
    /// A run at its beginning. A short run is known to its end at once.
    pub fn new(run: Simulation) -> Self {
        let mut history = History::new(run);
        history.advance(SLICE);
        Playback {
            history,
            made: vec![Made { beginning: Beginning::default(), at: 0, opens: 0 }],
            undone: Vec::new(),
            motion: None,
            playing: false,
            grabbed: false,
            held: false,
            speed: 1000,
            every_event: false,
            still: false,
        }
    }

    /// The world at the moment that is looked at.
    pub fn run(&self) -> &Simulation {
        self.history.now()
    }

    /// The moment that is looked at; between two steps while moving.
    pub fn time(&self) -> Time {
        self.motion.map_or(self.run().now(), |motion| motion.beat.time_at(motion.elapsed))
    }

    /// The moment that is drawn: where nothing may move, that of the last step.
    pub fn drawn_time(&self) -> Time {
        if self.still { self.run().now() } else { self.time() }
    }

    /// How many visible steps have happened.
    pub fn shown(&self) -> u32 {
        self.run().visible_steps()
    }

    /// The step that was shown last or, while moving, that is shown next.
    pub fn step_at_hand(&self) -> Option<(StepNo, &Step)> {
        match self.motion {
            Some(motion) => self.step_before(motion.target),
            None => self.last_step(),
        }
    }

    /// How many visible steps are known.
    pub fn count(&self) -> u32 {
        self.run().known_visible_steps()
    }

    /// How far the branch is known.
    pub fn known(&self) -> Known {
        self.history.known()
    }

    /// The step that was shown last.
    pub fn last_step(&self) -> Option<(StepNo, &Step)> {
        match self.every_event {
            true => self.step_before(self.history.position()),
            false => self.step_before(self.position_of(self.shown())),
        }
    }

    /// How many steps of all kinds have been made.
    pub fn events(&self) -> u32 {
        self.history.position()
    }

    fn step_before(&self, position: u32) -> Option<(StepNo, &Step)> {
        let number = StepNo(position.checked_sub(1)?);
        Some((number, self.run().step_at(number)?))
    }

    /// The position right after so many visible steps.
    fn position_of(&self, shown: u32) -> u32 {
        shown.checked_sub(1).and_then(|last| self.run().visible_step(last)).map_or(0, |step| step.0 + 1)
    }

    /// True while it plays.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// True while frames are needed: it moves, or the future is still being worked out.
    pub fn needs_frames(&self) -> bool {
        self.motion.is_some() || !self.known().complete
    }

    /// True if the movement passes a long wait of simulated time.
    pub fn is_waiting(&self) -> bool {
        self.motion.is_some_and(|motion| motion.beat.is_wait())
    }

    /// The branches, by their parents.
    pub fn history(&self) -> &History<Simulation> {
        &self.history
    }

    /// Shows the moment after `shown` visible steps.
    pub fn go_to(&mut self, shown: u32) {
        let position = self.position_of(shown.min(self.count()));
        self.go_to_position(position);
    }

    fn go_to_position(&mut self, position: u32) {
        self.motion = None;
        self.history.seek(position);
    }

    /// Stops and shows a moment.
    pub fn jump(&mut self, shown: u32) {
        self.stop();
        self.go_to(shown);
    }

    /// Shows the moment right after a step or, where only visible steps are shown, after the visible one that it follows.
    pub fn jump_to_step(&mut self, step: StepNo) {
        match self.every_event {
            true => {
                self.stop();
                self.go_to_position(step.0 + 1);
            }
            false => self.jump(self.run().visible_steps_before(StepNo(step.0 + 1))),
        }
    }

    /// Stops and shows the moment of a time: what had happened by then has happened.
    #[inline(never)]
    pub fn jump_to_time(&mut self, time: Time) {
        let shown = self.shown_at(time);
        self.jump(shown);
    }

    /// Sets whether every event is a step. Where no longer, the moment is that after the last visible step.
    #[inline(never)]
    pub fn show_every_event(&mut self, every_event: bool) {
        self.jump_to_rest();
        self.every_event = every_event;
        if !every_event {
            self.go_to(self.shown());
        }
    }

    /// One step on. A movement under way is completed at once.
    pub fn forward(&mut self) {
        self.stop();
        self.start_next();
    }

    /// One step back, at once.
    pub fn back(&mut self) {
        self.stop();
        match self.motion {
            Some(motion) => self.go_to_position(motion.from),
            None if self.every_event => self.go_to_position(self.history.position().saturating_sub(1)),
            None => self.go_to(self.shown().saturating_sub(1)),
        }
    }

    /// Completes the movement under way.
    fn jump_to_rest(&mut self) {
        self.stop();
        if let Some(motion) = self.motion {
            self.go_to_position(motion.target);
        }
    }

    /// Plays from here; from the start if the end is shown.
    pub fn play(&mut self) {
        if self.shown() == self.count() && self.known().complete {
            self.go_to(0);
        }
        self.playing = true;
        self.start_next();
    }

    /// Stops playing; the movement under way is finished.
    pub fn pause(&mut self) {
        self.stop();
    }

    /// Something on the stage is taken hold of, or let go: it stops where it is, between two steps too.
    pub fn grab(&mut self, grabbed: bool) {
        self.grabbed = grabbed;
        if grabbed {
            self.stop();
        }
    }

    /// A key is held: plays from here until it is released or the run ends.
    pub fn hold(&mut self) {
        if !self.playing {
            (self.playing, self.held) = (true, true);
            self.start_next();
        }
    }

    /// The key that was held is released.
    pub fn release(&mut self) {
        if self.held {
            self.stop();
        }
    }

    fn stop(&mut self) {
        (self.playing, self.held) = (false, false);
    }

    /// The position of the next step that is shown, if one is known.
    fn next_position(&self) -> Option<u32> {
        match self.every_event {
            true => Some(self.history.position() + 1).filter(|&next| next <= self.known().steps),
            false => Some(self.run().visible_step(self.shown())?.0 + 1),
        }
    }

    fn start_next(&mut self) {
        if let Some(motion) = self.motion {
            self.go_to_position(motion.target);
        }
        let from = self.history.position();
        let next = self.next_position().and_then(|target| Some((target, self.beat(target)?)));
        match next {
            Some((target, _)) if self.still && !self.playing => self.go_to_position(target),
            Some((target, beat)) => self.motion = Some(Motion { target, from, beat, elapsed: 0 }),
            None => self.playing &= !self.known().complete,
        }
    }

    /// How the step before a position is played.
    fn beat(&self, target: u32) -> Option<Beat> {
        let step = StepNo(target - 1);
        match self.every_event {
            true => pace::beat_of_event(self.run(), step),
            false => pace::beat(self.run(), self.run().visible_steps_before(step)),
        }
    }

    /// Plays one frame as fast as possible, up to the first moment that may not be passed.
    fn leap(&mut self, may_pass: impl Fn(u32) -> bool) {
        let steps = self.count() / FASTEST_FRAMES + 1;
        let from = self.shown();
        let stop = (from + 1..from + steps).find(|&shown| !may_pass(shown)).unwrap_or(from + steps);
        self.go_to(stop);
        self.playing &= may_pass(stop) && (self.shown() < self.count() || !self.known().complete);
    }

    /// Real time passes: moves on, and works out more of the future. `may_pass` says whether playing may go past the
    /// moment after that many visible steps.
    pub fn frame(&mut self, millis: u32, may_pass: impl Fn(u32) -> bool) {
        if !self.known().complete {
            self.history.advance(SLICE);
        }
        if self.grabbed {
            return;
        }
        if self.playing && self.speed == FASTEST {
            return self.leap(may_pass);
        }
        if self.playing && self.motion.is_none() {
            self.start_next();
        }
        let mut left = u64::from(millis) * u64::from(self.speed) / 1000;
        while let Some(motion) = &mut self.motion {
            let rest = u64::from(motion.beat.millis - motion.elapsed);
            if left < rest {
                motion.elapsed += left as u32;
                let time = motion.beat.time_at(motion.elapsed);
                let target = motion.target;
                if !self.still {
                    self.follow(time, target);
                }
                return;
            }
            left -= rest;
            let target = motion.target;
            self.go_to_position(target);
            self.playing &= may_pass(self.shown());
            if self.playing {
                self.start_next();
            }
        }
    }

    /// Makes the hidden steps that have happened by `time`, up to the step that ends the movement.
    fn follow(&mut self, time: Time, target: u32) {
        let end = target - 1;
        let mut position = self.history.position();
        while position < end && self.run().step_at(StepNo(position)).is_some_and(|step| step.at <= time) {
            position += 1;
        }
        self.history.seek(position);
    }

    /// On a branch made by hand: the number of visible steps after which it left the story.
    pub fn forked_at(&self) -> Option<u32> {
        let mut parting = None::<u32>;
        let mut branch = self.history.current();
        while let Some((parent, position)) = self.history.parent(branch) {
            // What was done on a branch may have been done before that branch left the story.
            parting = Some(parting.map_or(position, |after| after.min(position)));
            branch = parent;
        }
        parting.map(|position| self.run().visible_steps_before(StepNo(position)))
    }

    /// Does something here and now, or several things one right after the other; in the past that starts a branch.
    #[inline(never)]
    pub fn act(&mut self, actions: &[sim::Action]) -> Result<(), Refused> {
        let at = self.history.position();
        self.branch_off(|history| history.act_all(actions))?;
        self.note_branch(at);
        self.history.advance(SLICE);
        Ok(())
    }

    /// Begins again with other settings, does what was done by hand at the same moments as before, and shows the same
    /// moment.
    #[inline(never)]
    pub fn begin_with(&mut self, changes: &[sim::Action]) -> Result<(), Refused> {
        let (at, time) = (self.history.position(), self.run().now());
        let (mut first, later) = sweep::begun_with(&self.deeds(), changes);
        // What the run begins with need not be set.
        let start = Simulation::new(self.run().setup().clone());
        first.retain(|&action| start.can_apply(action) != Err(Refusal::NoChange));
        if first.is_empty() && later.is_empty() && self.beginning() == Beginning::default() {
            self.switch(0);
            let shown = self.shown_at(time);
            self.go_to(shown);
            return Ok(());
        }
        let mut later = later.into_iter().peekable();
        self.branch_off(|history| {
            history.begin_anew(&first, |run| match later.next_if(|deed| deed.is_due(run)) {
                Some(deed) => Next::Act(deed.action),
                None if later.peek().is_none() && run.now() > time => Next::Enough,
                None => Next::Step,
            })
        })?;
        let shown = self.shown_at(time);
        self.go_to(shown);
        self.note_branch(at);
        self.history.advance(SLICE);
        Ok(())
    }

    fn branch_off(
        &mut self,
        make: impl FnOnce(&mut History<Simulation>) -> Result<(), Refusal>,
    ) -> Result<(), Refused> {
        if self.history.branch_count() > deeds::MOST || self.history.kept() > MOST_KEPT {
            return Err(Refused::TooManyBranches);
        }
        make(&mut self.history).map_err(Refused::Here)?;
        self.motion = None;
        self.stop();
        self.undone.clear();
        Ok(())
    }

    /// Remembers where a branch opens, if one was made.
    fn note_branch(&mut self, at: u32) {
        if self.made.len() < self.history.branch_count() {
            let beginning = self.beginning();
            self.made.push(Made { beginning, at, opens: self.history.position() });
        }
    }

    /// How the branch that is looked at begins.
    pub fn beginning(&self) -> Beginning {
        self.beginning_of(self.history.current())
    }

    /// How a branch begins.
    pub fn beginning_of(&self, branch: BranchId) -> Beginning {
        // One that is just being made begins as the one before it.
        let made = self.made.get(branch).or(self.history.parent(branch).and_then(|(parent, _)| self.made.get(parent)));
        made.map_or_else(Beginning::default, |made| made.beginning)
    }

    /// The run that is looked at, for a sweep over runs that differ from it; `setup` is the scenario's.
    #[inline(never)]
    pub fn base(&self, setup: &Rc<Setup>) -> Base {
        Base { setup: setup.clone(), beginning: self.beginning(), deeds: self.deeds().into() }
    }

    /// Makes a run of a sweep as a branch, and shows the moment after a step or, if none is given, the one after what is done
    /// last; where nothing is done, the time that is looked at.
    #[inline(never)]
    pub fn begin_plan(&mut self, plan: &Plan, until: Option<StepNo>) -> Result<(), Refused> {
        let (at, time) = (self.history.position(), self.run().now());
        let run = plan.begin();
        let mut course = plan.course.clone();
        let is_plain = course.is_over();
        let first: Vec<sim::Action> =
            plan.first.iter().copied().filter(|&action| run.can_apply(action).is_ok()).collect();
        if first.is_empty() && course.is_over() && plan.beginning == Beginning::default() {
            self.switch(0);
        } else {
            self.branch_off(|history| {
                history.begin_other(run, &first, |run| match course.next_due(run) {
                    Some(action) => Next::Act(action),
                    None if course.is_over() && until.is_none_or(|until| run.steps() > until.0) => Next::Enough,
                    None => Next::Step,
                })
            })?;
            let opens = self.history.position();
            self.made.push(Made { beginning: plan.beginning, at, opens });
        }
        match until {
            None if is_plain => self.jump_to_time(time),
            until => self.show_step(until),
        }
        Ok(())
    }

    /// Makes a consumer crash right after a visible step of a branch, which is the same as a run of a sweep if nothing is done
    /// later there; and shows the moment after a step or, if none is given, the one after the crash.
    #[inline(never)]
    pub fn crash_on(
        &mut self,
        branch: BranchId,
        (consumer, after): (ConsumerId, u32),
        until: Option<StepNo>,
    ) -> Result<(), Refused> {
        let before = (self.history.current(), self.shown());
        self.switch(branch);
        self.make_known(after);
        self.jump(after);
        if let Err(refused) = self.act(&[sim::Action::Crash(consumer.into())]) {
            self.switch(before.0);
            self.jump(before.1);
            return Err(refused);
        }
        self.show_step(until);
        Ok(())
    }

    /// Looks at a branch, at the moment after a step.
    #[inline(never)]
    pub fn show_on(&mut self, branch: BranchId, step: Option<StepNo>) {
        self.look_at(branch, self.made[branch].opens);
        self.show_step(step);
    }

    fn show_step(&mut self, step: Option<StepNo>) {
        let Some(step) = step else { return self.go_to(self.shown()) };
        while !self.known().complete && self.known().steps <= step.0 {
            self.history.advance(SLICE);
        }
        self.jump_to_step(step);
    }

    /// Begins as a link says.
    #[inline(never)]
    pub fn begin_as(&mut self, setup: &Rc<Setup>, beginning: Beginning) {
        if beginning != Beginning::default() {
            let base = Base { beginning, ..Base::new(setup.clone()) };
            let _ = self.begin_plan(&base.plan(), None);
        }
    }

    /// The branch that the last thing done by hand began, if that can be taken back.
    pub fn can_undo(&self) -> Option<BranchId> {
        self.history.parent(self.history.current()).map(|_| self.history.current())
    }

    /// The branch on which what was taken back last is done, if any.
    pub fn can_redo(&self) -> Option<BranchId> {
        self.undone.last().copied()
    }

    /// Takes back the last thing done by hand: looks at the branch before it, where it was done.
    #[inline(never)]
    pub fn undo(&mut self) {
        let current = self.history.current();
        if let Some((parent, _)) = self.history.parent(current) {
            self.undone.push(current);
            self.look_at(parent, self.made[current].at);
        }
    }

    /// Does again what was taken back last.
    #[inline(never)]
    pub fn redo(&mut self) {
        if let Some(branch) = self.undone.pop() {
            self.look_at(branch, self.made[branch].opens);
        }
    }

    fn look_at(&mut self, branch: BranchId, position: u32) {
        self.motion = None;
        self.stop();
        self.history.switch(branch);
        self.history.seek(position);
    }

    /// The position right after `nth` events of the instant `at`, which is made known if the run comes that far.
    fn position_at(&mut self, at: Time, nth: u32) -> u32 {
        while !self.known().complete && self.time_of_last_known() <= at {
            self.history.advance(SLICE);
        }
        let known = self.known().steps;
        let (mut low, mut high) = (0, known);
        while low < high {
            let middle = low.midpoint(high);
            match self.run().step_at(StepNo(middle)) {
                Some(step) if step.at < at => low = middle + 1,
                _ => high = middle,
            }
        }
        let is_same = |position: u32| self.run().step_at(StepNo(position)).is_some_and(|step| step.at == at);
        (low..known).take(nth as usize).take_while(|&position| is_same(position)).last().map_or(low, |last| last + 1)
    }

    fn time_of_last_known(&self) -> Time {
        let last = self.known().steps.checked_sub(1);
        last.and_then(|last| self.run().step_at(StepNo(last))).map_or(Time::ZERO, |step| step.at)
    }

    /// Does again what was done by hand on a branch that is not here; says whether all of it was possible.
    pub fn repeat(&mut self, deeds: &[Deed]) -> bool {
        deeds.iter().all(|deed| {
            let position = self.position_at(deed.at, deed.nth);
            self.go_to_position(position);
            names_what_exists(self.run(), deed.action) && self.act(&[deed.action]).is_ok()
        })
    }

    /// What was done by hand on the branch that is looked at, in order.
    pub fn deeds(&self) -> Vec<Deed> {
        let deed = |&(position, action): &(u32, sim::Action)| Deed::of(self.run(), position, action);
        self.history.actions(self.history.current()).iter().map(deed).collect()
    }

    /// The last moment whose time is at most `at`, as the number of visible steps.
    pub fn shown_at(&mut self, at: Time) -> u32 {
        let position = self.position_at(at, u32::MAX);
        self.run().visible_steps_before(StepNo(position))
    }

    /// When the last visible step happened.
    pub fn last_visible_time(&self) -> Option<Time> {
        let (_, step) = self.step_before(self.position_of(self.shown()))?;
        Some(step.at)
    }

    /// The beginning of the digest of the run up to the last visible step, unless that is much work.
    pub fn check(&self) -> Option<String> {
        let position = self.position_of(self.shown());
        (position <= MOST_CHECKED).then(|| self.run().digest_of(position)[..CHECK].to_owned())
    }

    /// Makes at least so many visible steps known, if the run has so many.
    pub fn make_known(&mut self, shown: u32) {
        while self.count() < shown && !self.known().complete {
            self.history.advance(SLICE);
        }
    }

    /// Looks at another branch at about the same place.
    #[inline(never)]
    pub fn switch(&mut self, branch: BranchId) {
        let shown = self.shown();
        self.undone.clear();
        self.stop();
        self.history.switch(branch);
        self.go_to(shown);
    }
}
