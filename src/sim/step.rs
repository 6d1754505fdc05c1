//! A step: an event, when it happened, and the earlier steps that brought it about.

use super::digest::Canonical;
use super::event::Event;
use super::ids::StepNo;
use super::time::Time;

/// What part an earlier step has in a later one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Role {
    /// It set the later step off.
    #[default]
    Triggered = 1,
    /// It decided a number of the later step.
    DecidedValue = 2,
    /// It had silenced somebody, whose silence the later step is about.
    Silenced = 3,
    /// The later step had to wait for it.
    WaitedFor = 4,
    /// The later step does once more what it did.
    Repeated = 5,
}

/// An earlier step and its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What part it has.
    pub role: Role,
    /// Which step it is.
    pub step: StepNo,
}

/// The most causes that a step names.
pub const MAX_CAUSES: usize = 4;

/// Up to [`MAX_CAUSES`] causes, the most telling first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Causes {
    steps: [StepNo; MAX_CAUSES],
    roles: [Role; MAX_CAUSES],
    len: u8,
}

impl Causes {
    /// No cause: the scenario itself.
    pub const NONE: Causes = Causes { steps: [StepNo(0); MAX_CAUSES], roles: [Role::Triggered; MAX_CAUSES], len: 0 };

    /// Also names `step`. A fifth cause is not kept.
    #[must_use]
    #[inline(always)]
    pub fn and(mut self, role: Role, step: StepNo) -> Self {
        if (self.len as usize) < MAX_CAUSES {
            self.steps[self.len as usize] = step;
            self.roles[self.len as usize] = role;
            self.len += 1;
        }
        self
    }

    /// Also names `step`, if there is one.
    #[must_use]
    #[inline]
    pub fn and_maybe(self, role: Role, step: Option<StepNo>) -> Self {
        match step {
            Some(step) => self.and(role, step),
            None => self,
        }
    }

    /// The one step that set it off.
    #[inline(always)]
    pub const fn triggered_by(step: StepNo) -> Self {
        let none = StepNo(0);
        Causes { steps: [step, none, none, none], roles: [Role::Triggered; MAX_CAUSES], len: 1 }
    }

    /// The causes in order.
    pub fn iter(&self) -> impl Iterator<Item = Cause> + '_ {
        (0..self.len as usize).map(|place| Cause { role: self.roles[place], step: self.steps[place] })
    }

    /// The first cause with this role.
    pub fn with_role(&self, role: Role) -> Option<StepNo> {
        self.iter().find(|cause| cause.role == role).map(|cause| cause.step)
    }
}

/// One step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// When it happened.
    pub at: Time,
    /// What happened.
    pub event: Event,
    /// What brought it about.
    pub causes: Causes,
}

impl Canonical for Step {
    fn encode(&self, out: &mut Vec<u8>) {
        self.at.as_micros().encode(out);
        self.event.encode(out);
        self.causes.len.encode(out);
        for cause in self.causes.iter() {
            (cause.role as u8).encode(out);
            cause.step.0.encode(out);
        }
    }
}
