//! Runs of one setup beside each other: in what they part, how they differ, and which difference follows from what was changed.

mod here;
mod outcome;
mod parting;

pub use here::{Differing, differing};
pub use outcome::Outcome;
pub use parting::{Parting, Value, partings};

use crate::sim::setup::CommitWhen;
use crate::sim::{GroupId, Span};

/// Times that differ by less are those of messages, and no consequence of anything.
const LEAST: Span = Span::from_millis(500);
/// The most quantities that are summed up.
const MOST_TOLD: usize = 3;

/// Something that can differ from run to run. The order is that of importance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Records that are never processed.
    Lost,
    /// Processings beyond the first of each record.
    Repeated,
    /// Records that came after a later one of their key.
    OutOfOrder,
    /// Members that own a partition.
    Busy,
    /// How long partitions had nobody at work, over all of them.
    Unowned,
    /// Partitions that members gave up and got back.
    Returned,
    /// How long nobody worked on any partition.
    Stopped,
    /// Records that are neither processed nor lost.
    Pending,
    /// When the last record was processed.
    Done,
    /// Rows of the group's tables.
    Rows,
    /// Rebalances after the first generation.
    Rebalances,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Quantity; 11] = [
        Quantity::Lost,
        Quantity::Repeated,
        Quantity::OutOfOrder,
        Quantity::Busy,
        Quantity::Unowned,
        Quantity::Returned,
        Quantity::Stopped,
        Quantity::Pending,
        Quantity::Done,
        Quantity::Rows,
        Quantity::Rebalances,
    ];

    /// Whether two runs differ in it so much that it is worth a word.
    pub fn differs(self, a: &Outcome, b: &Outcome) -> bool {
        let apart = |a: Span, b: Span| a.as_micros().abs_diff(b.as_micros()) >= LEAST.as_micros();
        match self {
            Quantity::Lost => a.lost != b.lost,
            Quantity::Repeated => (a.repeated, a.repeated_records) != (b.repeated, b.repeated_records),
            Quantity::OutOfOrder => a.out_of_order != b.out_of_order,
            // Where members are gone, those that are left work; that is not what a partition limits.
            Quantity::Busy => {
                let are_limited = a.busy < a.members || b.busy < b.members;
                a.busy != b.busy && (are_limited || a.members == b.members)
            }
            Quantity::Stopped => apart(a.stopped, b.stopped),
            Quantity::Unowned => apart(a.unowned, b.unowned),
            Quantity::Returned => a.returned != b.returned,
            Quantity::Pending => a.pending != b.pending,
            Quantity::Done => a.done_at.zip(b.done_at).is_some_and(|(a, b)| {
                let (early, late) = (a.min(b), a.max(b));
                late.since(early) >= LEAST
            }),
            Quantity::Rows => a.rows != b.rows,
            Quantity::Rebalances => a.rebalances != b.rebalances,
        }
    }

    /// True for what only says how long something took.
    pub const fn is_timing(self) -> bool {
        matches!(self, Quantity::Done)
    }
}

/// Why a difference follows from what was changed, where the model knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// A commit before processing covers records that a crash leaves undone; one after it leaves some uncommitted.
    CommitsBefore,
    /// A commit less often leaves more to repeat.
    CommitsLessOften,
    /// Eager members give up everything and wait for the slowest of them; cooperative ones keep what stays theirs.
    Eager,
    /// A partition has one owner at a time.
    Parallelism {
        /// Keys that are in another partition.
        moved: u32,
        /// Keys of the records that both runs have.
        keys: u32,
    },
}

/// What becomes of runs that part somewhere. The first is the one that the others are measured by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The group whose account it is.
    pub group: GroupId,
    /// In what they part.
    pub partings: Vec<Parting>,
    /// What each has come to.
    pub outcomes: Vec<Outcome>,
    /// In what that differs, the most important first; what is told of it.
    pub told: Vec<Quantity>,
    /// Why.
    pub because: Option<Because>,
}

impl Comparison {
    /// Compares what runs have come to that part in this.
    pub fn new(group: GroupId, partings: Vec<Parting>, outcomes: Vec<Outcome>) -> Self {
        let differs = |quantity: &Quantity| {
            let (first, others) = outcomes.split_first()?;
            others.iter().any(|other| quantity.differs(first, other)).then_some(*quantity)
        };
        let mut told: Vec<Quantity> = Quantity::ALL.iter().filter_map(differs).collect();
        // Less of one may be more of the other: they are told together.
        if told.iter().any(|quantity| matches!(quantity, Quantity::Lost | Quantity::Repeated)) {
            told.retain(|quantity| !matches!(quantity, Quantity::Lost | Quantity::Repeated));
            told.splice(0..0, [Quantity::Lost, Quantity::Repeated]);
        }
        // What follows from another quantity that is told says nothing new.
        if told.contains(&Quantity::Lost) || told.contains(&Quantity::Pending) {
            told.retain(|&quantity| quantity != Quantity::Rows);
        }
        told.truncate(MOST_TOLD);
        let because = because(&partings, &outcomes, &told);
        Comparison { group, partings, outcomes, told, because }
    }

    /// True if nothing differs that counts; the times may.
    pub fn is_same(&self) -> bool {
        self.told.iter().all(|quantity| quantity.is_timing())
    }

    /// True once all of them have come to their end.
    pub fn has_ended(&self) -> bool {
        self.outcomes.iter().all(|outcome| outcome.has_ended)
    }
}

fn because(partings: &[Parting], outcomes: &[Outcome], told: &[Quantity]) -> Option<Because> {
    let tells = |wanted: Quantity| told.contains(&wanted);
    let counts = tells(Quantity::Lost) || tells(Quantity::Repeated);
    // Where several things are otherwise, none of them alone explains what differs.
    let [Parting::Begun { values, .. }] = partings else { return None };
    let first = values.first()?;
    match first {
        Value::Commit(_) if counts => {
            let whens: Vec<CommitWhen> = values.iter().filter_map(Value::commits).collect();
            let before = whens.iter().filter(|&&when| when == CommitWhen::BeforeBatch).count();
            let is_after = |when: &CommitWhen| when.is_by_the_record() || *when == CommitWhen::AfterBatch;
            match (before, whens.iter().all(|when| when.is_by_the_record())) {
                (1.., _) if before < whens.len() && whens.iter().any(is_after) => Some(Because::CommitsBefore),
                (0, true) => Some(Because::CommitsLessOften),
                _ => None,
            }
        }
        Value::Strategy { .. } if tells(Quantity::Unowned) || tells(Quantity::Stopped) || tells(Quantity::Returned) => {
            let is_cooperative = |value: &Value| matches!(value, Value::Strategy { is_cooperative: true, .. });
            let cooperative = values.iter().filter(|value| is_cooperative(value)).count();
            (cooperative > 0 && cooperative < values.len()).then_some(Because::Eager)
        }
        Value::Partitions(_) if tells(Quantity::Busy) => {
            let last = outcomes.last()?;
            let (moved, keys) = outcomes.first()?.moved_keys(last);
            Some(Because::Parallelism { moved, keys })
        }
        _ => None,
    }
}
