//! The viewer's hand on time: which visible step is shown, and the movement to the next.

use crate::history::{BranchId, History, Known};
use crate::scene::pace::{self, Beat};
use crate::sim::{self, Refusal, Simulation, Step, StepNo, Time};

/// A speed, as a factor in thousandths.
pub type Speed = u32;

/// The speeds offered.
pub const SPEEDS: &[Speed] = &[250, 500, 1000, 2000, 4000, 8000];

/// Steps made known in one slice of running ahead; a few milliseconds of work.
const SLICE: u32 = 20_000;

/// The most branches of one run.
const MOST_BRANCHES: usize = 100;

/// A run, where it is looked at, and how it moves.
pub struct Playback {
    history: History<Simulation>,
    motion: Option<Motion>,
    playing: bool,
    /// How fast it plays.
    pub speed: Speed,
    /// True if nothing may move: steps are jumps.
    pub still: bool,
}

/// Why something was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is not possible here and now.
    Here(Refusal),
    /// There are as many branches as there may be.
    TooManyBranches,
}

/// The way from one visible step to the next.
#[derive(Clone, Copy, Debug)]
struct Motion {
    /// The number of visible steps shown when it is over.
    target: u32,
    beat: Beat,
    /// Milliseconds at speed 1.
    elapsed: u32,
}

impl Playback {
    /// A run at its beginning. A short run is known to its end at once.
    pub fn new(run: Simulation) -> Self {
        let mut history = History::new(run);
        history.advance(SLICE);
        Playback { history, motion: None, playing: false, speed: 1000, still: false }
    }

    /// The world at the moment that is looked at.
    pub fn run(&self) -> &Simulation {
        self.history.now()
    }

    /// The moment that is looked at; between two steps while moving.
    pub fn time(&self) -> Time {
        self.motion.map_or(self.run().now(), |motion| motion.beat.time_at(motion.elapsed))
    }

    /// How many visible steps have happened.
    pub fn shown(&self) -> u32 {
        self.run().visible_steps()
    }

    /// The visible step that happened last or, while moving, that happens next.
    pub fn step_at_hand(&self) -> Option<(StepNo, &Step)> {
        self.step_shown_at(self.motion.map_or(self.shown(), |motion| motion.target))
    }

    /// How many visible steps are known.
    pub fn count(&self) -> u32 {
        self.run().known_visible_steps()
    }

    /// How far the branch is known.
    pub fn known(&self) -> Known {
        self.history.known()
    }

    /// The visible step that happened last.
    pub fn last_step(&self) -> Option<(StepNo, &Step)> {
        self.step_shown_at(self.shown())
    }

    /// The visible step that is the last one after `shown` visible steps.
    pub fn step_shown_at(&self, shown: u32) -> Option<(StepNo, &Step)> {
        let number = self.run().visible_step(shown.checked_sub(1)?)?;
        Some((number, self.run().step_at(number)?))
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
        self.motion = None;
        let shown = shown.min(self.count());
        let position = shown.checked_sub(1).and_then(|last| self.run().visible_step(last)).map_or(0, |step| step.0 + 1);
        self.history.seek(position);
    }

    /// Stops and shows a moment.
    pub fn jump(&mut self, shown: u32) {
        self.playing = false;
        self.go_to(shown);
    }

    /// Shows the moment right after a step, or after the visible step that it follows.
    pub fn jump_to_step(&mut self, step: StepNo) {
        let visible = self.run().visible_steps_before(StepNo(step.0 + 1));
        self.jump(visible);
    }

    /// One step on. A movement under way is completed at once.
    pub fn forward(&mut self) {
        self.playing = false;
        self.start_next();
    }

    /// One step back, at once.
    pub fn back(&mut self) {
        self.playing = false;
        let shown = if self.motion.is_some() { self.shown() } else { self.shown().saturating_sub(1) };
        self.go_to(shown);
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
        self.playing = false;
    }

    fn start_next(&mut self) {
        if let Some(motion) = self.motion {
            self.go_to(motion.target);
        }
        let shown = self.shown();
        match pace::beat(self.run(), shown) {
            Some(_) if self.still && !self.playing => self.go_to(shown + 1),
            Some(beat) => self.motion = Some(Motion { target: shown + 1, beat, elapsed: 0 }),
            None => self.playing &= !self.known().complete,
        }
    }

    /// Real time passes: moves on, and works out more of the future. `may_pass` says whether playing may go past the
    /// moment after that many visible steps.
    pub fn frame(&mut self, millis: u32, may_pass: impl Fn(u32) -> bool) {
        if !self.known().complete {
            self.history.advance(SLICE);
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
            self.go_to(target);
            self.playing &= may_pass(target);
            if self.playing {
                self.start_next();
            }
        }
    }

    /// Makes the hidden steps that have happened by `time`, up to the visible step that ends the movement.
    fn follow(&mut self, time: Time, target: u32) {
        let end = self.run().visible_step(target - 1).map_or(0, |step| step.0);
        let mut position = self.history.position();
        while position < end && self.run().step_at(StepNo(position)).is_some_and(|step| step.at <= time) {
            position += 1;
        }
        self.history.seek(position);
    }

    /// On a branch made by hand: the number of visible steps after which it left the story.
    pub fn forked_at(&self) -> Option<u32> {
        let mut parting = None;
        let mut branch = self.history.current();
        while let Some((parent, position)) = self.history.parent(branch) {
            parting = Some(position);
            branch = parent;
        }
        parting.map(|position| self.run().visible_steps_before(StepNo(position)))
    }

    /// Does something here and now; in the past that starts a branch.
    pub fn act(&mut self, action: sim::Action) -> Result<(), Refused> {
        if self.history.branch_count() >= MOST_BRANCHES {
            return Err(Refused::TooManyBranches);
        }
        self.history.act(action).map_err(Refused::Here)?;
        self.motion = None;
        self.playing = false;
        self.history.advance(SLICE);
        Ok(())
    }

    /// Looks at another branch at about the same place.
    pub fn switch(&mut self, branch: BranchId) {
        let shown = self.shown();
        self.motion = None;
        self.playing = false;
        self.history.switch(branch);
        self.go_to(shown);
    }
}
