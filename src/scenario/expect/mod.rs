//! What a file expects of its run, and where a run differs.

mod read;

#[cfg(not(target_arch = "wasm32"))]
pub(super) use read::MOST_CHECKS;
pub(super) use read::read;

use super::condition::first;
use super::outcome::{GroupOutcome, Outcome, PartitionOutcome, SinkOutcome};
use crate::sim::{Condition, Event, Offset, Simulation, Span, StepNo, Time};
use std::rc::Rc;

/// All expectations of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectations(Vec<Expectation>);

/// One expectation and its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Expectation {
    path: String,
    claim: Claim,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Claim {
    Group(Rc<str>, GroupClaim),
    Sink(Rc<str>, SinkCount, u32),
    NoOwnerChange([Condition; 2]),
    Takes { from: Condition, to: Condition, at_least: Span, at_most: Span },
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum GroupClaim {
    Count(Count, u32),
    Owner(String, Option<Rc<str>>),
    Committed(String, Option<Offset>),
    End(String, Offset),
    ProcessedTwice(String, Vec<Offset>),
    Errors(Vec<(String, u32)>),
}

/// A number of a group's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Processed,
    Duplicates,
    DuplicatesOfStopped,
    DuplicatesOfSurvivors,
    RecordsDuplicated,
    Lost,
    OutOfOrder,
    Swaps,
    Overlaps,
    Rebalances,
    Generation,
}

/// A number of a table's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SinkCount {
    Rows,
    Absorbed,
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
    /// It took less or more time.
    Took {
        /// How long it took.
        found: Span,
        /// The least expected.
        at_least: Span,
        /// The most expected.
        at_most: Span,
    },
    /// The run did not come to its end.
    NotEnded,
}

/// A value that can be expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A number.
    Number(u32),
    /// A member.
    Member(Rc<str>),
    /// Offsets.
    Offsets(Vec<Offset>),
    /// Names of errors, and how often each came.
    Errors(Vec<(String, u32)>),
    /// Nobody, or nothing.
    Nothing,
}

impl Expectations {
    /// True if the file expects nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many single expectations there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Where a finished run differs from what is expected.
    pub fn check(&self, run: &Simulation) -> Vec<Difference> {
        let outcome = Outcome::of(run);
        let mut differences: Vec<Difference> = self
            .0
            .iter()
            .filter_map(|expectation| {
                let what = expectation.claim.differs(run, &outcome)?;
                Some(Difference { path: expectation.path.clone(), what })
            })
            .collect();
        if !outcome.ended {
            differences.push(Difference { path: "ends_at".to_owned(), what: Differs::NotEnded });
        }
        differences
    }
}

impl Claim {
    fn differs(&self, run: &Simulation, outcome: &Outcome) -> Option<Differs> {
        match self {
            Claim::Group(name, claim) => claim.differs(outcome.groups.get(name)?),
            Claim::Sink(name, count, expected) => {
                value(Found::Number(*expected), Found::Number(count.of(outcome.sinks.get(name)?)))
            }
            Claim::NoOwnerChange([from, to]) => between(run, *from, *to, |from, to| owner_change(run, from, to)),
            Claim::Takes { from, to, at_least, at_most } => between(run, *from, *to, |from, to| {
                let found = run.step_at(to)?.at.since(run.step_at(from)?.at);
                let took = Differs::Took { found, at_least: *at_least, at_most: *at_most };
                (!(*at_least..=*at_most).contains(&found)).then_some(took)
            }),
        }
    }
}

impl Count {
    fn of(self, group: &GroupOutcome) -> u32 {
        match self {
            Count::Processed => group.processed,
            Count::Duplicates => group.duplicates.total,
            Count::DuplicatesOfStopped => group.duplicates.of_stopped,
            Count::DuplicatesOfSurvivors => group.duplicates.of_survivors,
            Count::RecordsDuplicated => group.duplicates.records,
            Count::Lost => group.lost.total,
            Count::OutOfOrder => group.out_of_order,
            Count::Swaps => group.swaps,
            Count::Overlaps => group.overlaps,
            Count::Rebalances => group.rebalances,
            Count::Generation => group.generation,
        }
    }
}

impl SinkCount {
    fn of(self, sink: &SinkOutcome) -> u32 {
        match self {
            SinkCount::Rows => sink.rows,
            SinkCount::Absorbed => sink.absorbed,
        }
    }
}

impl GroupClaim {
    fn differs(&self, group: &GroupOutcome) -> Option<Differs> {
        let partition = |name: &str| -> Option<&PartitionOutcome> { group.partitions.get(name) };
        let number_or_nothing = |number: Option<u32>| number.map_or(Found::Nothing, Found::Number);
        match self {
            GroupClaim::Count(count, expected) => value(Found::Number(*expected), Found::Number(count.of(group))),
            GroupClaim::Owner(name, expected) => {
                let member = |member: Option<Rc<str>>| member.map_or(Found::Nothing, Found::Member);
                value(member(expected.clone()), member(partition(name)?.owner.as_deref().map(Rc::from)))
            }
            GroupClaim::Committed(name, expected) => {
                value(number_or_nothing(*expected), number_or_nothing(partition(name)?.committed))
            }
            GroupClaim::End(name, expected) => value(Found::Number(*expected), Found::Number(partition(name)?.end)),
            GroupClaim::ProcessedTwice(name, expected) => {
                value(Found::Offsets(expected.clone()), Found::Offsets(partition(name)?.processed_twice.clone()))
            }
            GroupClaim::Errors(expected) => {
                let mut found = std::collections::BTreeMap::new();
                for refused in &group.errors {
                    *found.entry(refused.error.to_owned()).or_insert(0) += 1;
                }
                value(Found::Errors(expected.clone()), Found::Errors(found.into_iter().collect()))
            }
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
        | Event::PartitionsRevoked { consumer, .. }
        | Event::PartitionsLost { consumer, .. } => {
            let member = run.consumer(consumer).name.to_string();
            Some(Differs::OwnerChanged { at: step.at, member })
        }
        _ => None,
    })
}
