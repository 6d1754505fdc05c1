//! What makes a run of a sweep, so that it can be made again: how it begins, what is done in it by hand, and its crash.

use super::Case;
use crate::link::{Beginning, Deed, names_what_exists};
use crate::sim::setup::Setup;
use crate::sim::target::ClientId;
use crate::sim::{Action, Change, ConsumerId, Progress, Simulation, Step, Time};
use std::rc::Rc;

/// A run that is looked at; the runs of a sweep differ from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// The scenario's own setup.
    pub setup: Rc<Setup>,
    /// How it begins.
    pub beginning: Beginning,
    /// What is done in it by hand.
    pub deeds: Rc<[Deed]>,
}

/// A run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    setup: Rc<Setup>,
    /// How it begins.
    pub beginning: Beginning,
    /// What is set before anything happens. What is refused, as it is so already, is left out.
    pub first: Vec<Action>,
    /// What is done later.
    pub course: Course,
}

impl Base {
    /// The scenario's own run.
    pub fn new(setup: Rc<Setup>) -> Self {
        Base { setup, beginning: Beginning::default(), deeds: Rc::new([]) }
    }

    /// The same without a crash of a consumer.
    #[must_use]
    pub fn without_crashes(&self) -> Self {
        let is_crash = |action: Action| matches!(action, Action::Crash(ClientId::Consumer(_)));
        let is_planned = self.setup.actions.iter().any(|planned| is_crash(planned.action));
        Base {
            setup: self.setup.clone(),
            beginning: Beginning { without_crashes: self.beginning.without_crashes || is_planned, ..self.beginning },
            deeds: self.deeds.iter().copied().filter(|deed| !is_crash(deed.action)).collect(),
        }
    }

    /// The run without a change.
    pub fn plan(&self) -> Plan {
        let course = Course { deeds: self.deeds.clone(), ..Course::default() };
        Plan { setup: self.setup.clone(), beginning: self.beginning, first: Vec::new(), course }
    }

    /// The run in which this consumer crashes right after this visible step, and no other does.
    pub fn with_crash(&self, consumer: ConsumerId, after: u32) -> Plan {
        let mut plan = self.without_crashes().plan();
        plan.course.crash = Some((consumer, after));
        plan
    }

    /// The run with another seed.
    pub fn with_seed(&self, seed: u64) -> Plan {
        Plan { beginning: Beginning { seed: Some(seed), ..self.beginning }, ..self.plan() }
    }

    /// The run that begins with these changes.
    pub fn with_changes(&self, changes: &[Change]) -> Plan {
        let changes: Vec<Action> = changes.iter().map(|&change| Action::Set(change)).collect();
        let (first, later) = begun_with(&self.deeds, &changes);
        let course = Course { deeds: later.into(), ..Course::default() };
        Plan { setup: self.setup.clone(), beginning: self.beginning, first, course }
    }
}

/// What is done before anything happens, if this is and what was done by hand is done, too; and what is done later.
pub fn begun_with(deeds: &[Deed], changes: &[Action]) -> (Vec<Action>, Vec<Deed>) {
    let mut first = changes.to_vec();
    let mut later = Vec::new();
    for (&deed, index) in deeds.iter().zip(0..) {
        match deed.action {
            // What the run began with, but for what is set anew.
            Action::Set(_) | Action::AddPartitions { .. } if (deed.at, deed.nth) == (Time::ZERO, index) => {
                if !changes.iter().any(|&change| is_of_the_same(change, deed.action)) {
                    first.push(deed.action);
                }
            }
            _ => later.push(deed),
        }
    }
    (first, later)
}

/// True if both set one thing, whatever the values.
fn is_of_the_same(one: Action, other: Action) -> bool {
    match (one, other) {
        (Action::Set(one), Action::Set(other)) => one.is_of_the_same(other),
        (Action::AddPartitions { topic: one, .. }, Action::AddPartitions { topic: other, .. }) => one == other,
        _ => false,
    }
}

impl Plan {
    /// The run at its very beginning.
    pub fn begin(&self) -> Simulation {
        Simulation::new(self.beginning.of(&self.setup))
    }

    /// The same after what is set first.
    pub fn start(&self) -> Simulation {
        let mut run = self.begin();
        for &action in &self.first {
            let _ = run.apply(action);
        }
        run
    }
}

/// What is done in a run by hand, and its crash: each as soon as it is due.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    deeds: Rc<[Deed]>,
    /// The deed that comes next.
    next: usize,
    crash: Option<(ConsumerId, u32)>,
}

impl Course {
    /// What has to be done now, if anything. What it is about may not exist in this run; then it is passed over.
    pub fn next_due(&mut self, run: &Simulation) -> Option<Action> {
        if let Some((consumer, _)) = self.crash.take_if(|(_, after)| run.visible_steps() >= *after) {
            return Some(Action::Crash(consumer.into()));
        }
        while let Some(deed) = self.deeds.get(self.next).filter(|deed| deed.is_due(run)) {
            self.next += 1;
            if names_what_exists(run, deed.action) {
                return Some(deed.action);
            }
        }
        None
    }

    /// True once nothing is left to do.
    pub fn is_over(&self) -> bool {
        self.crash.is_none() && self.next == self.deeds.len()
    }

    /// The next step of a run, be it done by hand or not; nothing at the end.
    pub fn step(&mut self, run: &mut Simulation) -> Option<Step> {
        while let Some(action) = self.next_due(run) {
            if let Ok(step) = run.apply(action) {
                return Some(step);
            }
        }
        match run.step() {
            Progress::Step(step) => Some(step),
            _ => None,
        }
    }
}

impl Case {
    /// The run of this case beside a base; `all` gives all changes that go with one of them.
    pub fn plan(&self, base: &Base, all: impl Fn(Change) -> Vec<Change>) -> Plan {
        match self {
            Case::Crash { consumer, after, .. } => base.with_crash(*consumer, *after),
            Case::Seed(seed) => base.with_seed(*seed),
            Case::Change(change) => base.with_changes(&all(*change)),
            Case::Value(_) => base.plan(),
        }
    }
}
