//! What a file expects of a group.

use super::bounds::Bounds;
use super::{Differs, Found, value};
use crate::scenario::outcome::{GroupOutcome, MemberOutcome, PartitionOutcome};
use crate::sim::{Offset, Span};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GroupClaim {
    Count(Count, Bounds),
    Owner(String, Option<String>),
    Committed(String, Option<Offset>),
    Stored(String, Option<Offset>),
    End(String, Bounds),
    Lag(String, Option<Bounds>),
    Unread(String, Option<Bounds>),
    Age(String, Age, Option<Bounds>),
    Unowned(String, Bounds),
    ProcessedTwice(String, Vec<Offset>),
    Errors(Vec<(String, u32)>),
    Member(String, MemberClaim),
}

/// Which record's age is the lag as a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// The one at the committed offset.
    Uncommitted,
    /// The one at the position.
    Unread,
    /// The oldest one that has not been processed.
    Unprocessed,
}

impl Age {
    /// In microseconds, as all times of expectations.
    fn of(self, partition: &PartitionOutcome) -> Option<u64> {
        let millis = match self {
            Age::Uncommitted => partition.uncommitted_age_ms,
            Age::Unread => partition.unread_age_ms,
            Age::Unprocessed => partition.unprocessed_age_ms,
        };
        millis.map(|millis| millis * 1_000)
    }
}

/// What a file expects of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MemberClaim {
    /// The partitions that it works on, in any order.
    Owns(Vec<String>),
    /// How many partitions it works on.
    OwnsCount(Bounds),
    /// Records that it has processed, repetitions included.
    Processed(Bounds),
    /// The calls of its rebalance listener.
    Callbacks(Vec<String>),
}

/// A number of a group's outcome; times in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Processed,
    Pending,
    SetAside,
    Duplicates,
    DuplicatesOfStopped,
    DuplicatesOfSurvivors,
    DuplicatesOfRewinds,
    DuplicatesOfSharing,
    RecordsDuplicated,
    Lost,
    OutOfOrder,
    Swaps,
    Overlaps,
    Rebalances,
    Rebalancing,
    Stopped,
    Generation,
    Busy,
}

impl Count {
    fn of(self, group: &GroupOutcome) -> u64 {
        let number = match self {
            Count::Processed => group.processed,
            Count::Pending => group.pending,
            Count::SetAside => group.set_aside,
            Count::Duplicates => group.duplicates.total,
            Count::DuplicatesOfStopped => group.duplicates.of_stopped,
            Count::DuplicatesOfSurvivors => group.duplicates.of_survivors,
            Count::DuplicatesOfRewinds => group.duplicates.of_rewinds,
            Count::DuplicatesOfSharing => group.duplicates.of_sharing,
            Count::RecordsDuplicated => group.duplicates.records,
            Count::Lost => group.lost.total,
            Count::OutOfOrder => group.out_of_order,
            Count::Swaps => group.swaps,
            Count::Overlaps => group.overlaps,
            Count::Rebalances => group.rebalances,
            Count::Generation => group.generation,
            Count::Busy => group.members.0.iter().filter(|(_, member)| !member.partitions.is_empty()).count() as u32,
            Count::Rebalancing => return group.rebalancing_ms * 1_000,
            Count::Stopped => return group.stopped_ms * 1_000,
        };
        u64::from(number)
    }
}

impl GroupClaim {
    pub fn differs(&self, group: &GroupOutcome) -> Option<Differs> {
        let partition = |name: &str| -> Option<&PartitionOutcome> { group.partitions.get(name) };
        let maybe = |number: Option<u32>| number.map_or(Found::Nothing, |number| Found::Number(u64::from(number)));
        match self {
            GroupClaim::Count(count, expected) => expected.differs(count.of(group)),
            GroupClaim::Owner(name, expected) => {
                let member = |member: Option<String>| member.map_or(Found::Nothing, |name| Found::Names(vec![name]));
                let found = partition(name).and_then(|partition| partition.owner.clone());
                value(member(expected.clone()), member(found))
            }
            GroupClaim::Committed(name, expected) => value(maybe(*expected), maybe(partition(name)?.committed)),
            GroupClaim::Stored(name, expected) => value(maybe(*expected), maybe(partition(name)?.stored)),
            GroupClaim::End(name, expected) => expected.differs(u64::from(partition(name)?.end)),
            GroupClaim::Lag(name, expected) => {
                maybe_differs(*expected, partition(name)?.lag.map(u64::from), Found::Number)
            }
            GroupClaim::Unread(name, expected) => {
                maybe_differs(*expected, partition(name)?.unread.map(u64::from), Found::Number)
            }
            GroupClaim::Age(name, age, expected) => {
                let time = |micros| Found::Time(Span::from_micros(micros));
                maybe_differs(*expected, age.of(partition(name)?), time)
            }
            GroupClaim::Unowned(name, expected) => expected.differs(partition(name)?.unowned_ms * 1_000),
            GroupClaim::ProcessedTwice(name, expected) => {
                value(Found::Numbers(expected.clone()), Found::Numbers(partition(name)?.processed_twice.clone()))
            }
            GroupClaim::Errors(expected) => {
                let mut found = std::collections::BTreeMap::new();
                for refused in &group.errors {
                    *found.entry(refused.error.to_owned()).or_insert(0) += 1;
                }
                value(Found::Errors(expected.clone()), Found::Errors(found.into_iter().collect()))
            }
            GroupClaim::Member(name, claim) => claim.differs(group.members.get(name)?),
        }
    }
}

fn maybe_differs(expected: Option<Bounds>, found: Option<u64>, written: impl Fn(u64) -> Found) -> Option<Differs> {
    match (expected, found) {
        (Some(expected), Some(found)) => expected.differs(found),
        (None, None) => None,
        (None, Some(found)) => value(Found::Nothing, written(found)),
        (Some(expected), None) => expected.differs_from_nothing(),
    }
}

impl MemberClaim {
    fn differs(&self, member: &MemberOutcome) -> Option<Differs> {
        match self {
            MemberClaim::Owns(expected) => {
                let sorted = |names: &[String]| {
                    let mut names = names.to_vec();
                    names.sort();
                    Found::Names(names)
                };
                value(sorted(expected), sorted(&member.partitions))
            }
            MemberClaim::OwnsCount(expected) => expected.differs(member.partitions.len() as u64),
            MemberClaim::Processed(expected) => expected.differs(u64::from(member.processed)),
            MemberClaim::Callbacks(expected) => {
                value(Found::Names(expected.clone()), Found::Names(member.callbacks.clone()))
            }
        }
    }
}
