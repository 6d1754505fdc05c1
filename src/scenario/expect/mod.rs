//! What a file expects of its run, and where a run differs.

mod bounds;
mod group;
mod producer;
mod read;
mod script;
mod topic;

pub(super) use read::MOST_CHECKS;
pub(super) use read::read;
pub(super) use script::{ExpectRefusal, ScriptEntry};

use super::condition::first;
use super::mistake::Unit;
use super::outcome::{Outcome, SinkOutcome};
use crate::sim::{Condition, Event, Refusal, Simulation, Span, StepNo, Time};
use bounds::Bounds;
use group::GroupClaim;
use producer::ProducerClaim;
use std::rc::Rc;
use topic::TopicClaim;

/// All expectations of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectations {
    claims: Vec<Expectation>,
    /// The script: an action may be refused.
    script: Vec<ScriptEntry>,
}

/// One expectation and its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Expectation {
    path: String,
    claim: Claim,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Claim {
    Topic(Rc<str>, TopicClaim),
    Producer(Rc<str>, ProducerClaim),
    Group(Rc<str>, GroupClaim),
    Sink(Rc<str>, SinkCount, Bounds),
    NoOwnerChange([Condition; 2]),
    Takes { from: Condition, to: Condition, bounds: Bounds },
}

/// A number of a table's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SinkCount {
    Rows,
    Absorbed,
    Written,
    Stale,
}

/// Where a run differs from what its file expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The expectation, as in `expect.groups.billing.lost`.
    pub path: String,
    /// How it differs.
    pub what: Differs,
}

/// How a run differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Differs {
    /// It came out otherwise.
    Value {
        /// What the file expects.
        expected: Found,
        /// What came out.
        found: Found,
    },
    /// The run never comes to one of the two conditions.
    NeverHappened {
        /// True for the first of the two.
        the_first: bool,
    },
    /// A partition changed hands in between.
    OwnerChanged {
        /// When.
        at: Time,
        /// Whose partitions.
        member: String,
    },
    /// The run did not come to its end.
    NotEnded,
    /// An action was to be refused and was not.
    NotRefused,
    /// An action was refused that the file does not expect to be.
    Refused(Refusal),
}

/// A value that can be expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A number.
    Number(u64),
    /// A length of time.
    Time(Span),
    /// Any number, or any length of time in microseconds, between these two.
    Between(u64, u64, Unit),
    /// A member, a partition, or a call.
    Names(Vec<String>),
    /// Offsets, numbers of partitions, or numbers of records.
    Numbers(Vec<u32>),
    /// Names of errors, and how often each came.
    Errors(Vec<(String, u32)>),
    /// Nobody, or nothing.
    Nothing,
}

impl Expectations {
    /// True if the file expects nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many single expectations there are.
    pub fn len(&self) -> usize {
        self.claims.len() + self.script.iter().filter(|entry| entry.expects_something()).count()
    }

    pub(super) fn with_script(self, script: Vec<ScriptEntry>) -> Self {
        Expectations { script, ..self }
    }

    /// Where a finished run differs from what is expected.
    pub fn check(&self, run: &Simulation) -> Vec<Difference> {
        let outcome = Outcome::of(run);
        let mut differences: Vec<Difference> = self
            .claims
            .iter()
            .filter_map(|expectation| {
                let what = expectation.claim.differs(run, &outcome)?;
                Some(Difference { path: expectation.path.clone(), what })
            })
            .collect();
        differences.extend(script::differences(&self.script, run));
        if !outcome.ended {
            differences.push(Difference { path: "ends_at".to_owned(), what: Differs::NotEnded });
        }
        differences
    }

    /// Actions that a finished run refused, of which the file says nothing.
    pub fn unexpected_refusals(&self, run: &Simulation) -> Vec<Difference> {
        script::unexpected(&self.script, run)
    }
}

impl Claim {
    fn differs(&self, run: &Simulation, outcome: &Outcome) -> Option<Differs> {
        match self {
            Claim::Topic(name, claim) => claim.differs(outcome.topics.get(name)?),
            Claim::Producer(name, claim) => claim.differs(outcome.producers.get(name)?),
            Claim::Group(name, claim) => claim.differs(outcome.groups.get(name)?),
            Claim::Sink(name, count, expected) => expected.differs(u64::from(count.of(outcome.sinks.get(name)?))),
            Claim::NoOwnerChange([from, to]) => between(run, *from, *to, |from, to| owner_change(run, from, to)),
            Claim::Takes { from, to, bounds } => between(run, *from, *to, |from, to| {
                bounds.differs(run.step_at(to)?.at.since(run.step_at(from)?.at).as_micros())
            }),
        }
    }
}

impl SinkCount {
    fn of(self, sink: &SinkOutcome) -> u32 {
        match self {
            SinkCount::Rows => sink.rows,
            SinkCount::Absorbed => sink.absorbed,
            SinkCount::Written => sink.written,
            SinkCount::Stale => sink.stale,
        }
    }
}

fn value(expected: Found, found: Found) -> Option<Differs> {
    (expected != found).then_some(Differs::Value { expected, found })
}

/// Looks at the time from one condition to the next time of another.
fn between(
    run: &Simulation,
    from: Condition,
    to: Condition,
    look: impl FnOnce(StepNo, StepNo) -> Option<Differs>,
) -> Option<Differs> {
    let Some(from) = first(run, from, None) else {
        return Some(Differs::NeverHappened { the_first: true });
    };
    let Some(to) = first(run, to, Some(from)) else {
        return Some(Differs::NeverHappened { the_first: false });
    };
    look(from, to)
}

fn owner_change(run: &Simulation, from: StepNo, to: StepNo) -> Option<Differs> {
    (from.0 + 1..to.0).filter_map(|number| run.step_at(StepNo(number))).find_map(|step| match step.event {
        Event::PartitionsAssigned { consumer, .. }
        | Event::SomePartitionsRevoked { consumer, .. }
        | Event::MorePartitionsAssigned { consumer, partitions: 1.., .. }
        | Event::PartitionsRevoked { consumer, .. }
        | Event::ReconciliationAssigned { consumer, partitions: 1.., .. }
        | Event::ReconciliationRevoked { consumer, .. }
        | Event::PartitionsLost { consumer, .. } => {
            let member = run.consumer(consumer).name.to_string();
            Some(Differs::OwnerChanged { at: step.at, member })
        }
        _ => None,
    })
}
