//! What a run comes to, up to the present moment.

use crate::sim::ledger::Lost;
use crate::sim::order;
use crate::sim::{GroupId, MemberKey, Simulation, Span};

/// One account of a group, as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Whether records of a key were first processed in the order of sending.
    OrderInPartition {
        /// Records that came after a later one of the same key.
        broken: u32,
    },
    /// The same over the whole topic.
    OrderAcrossTopic {
        /// Records that came after a later one.
        swaps: u32,
    },
    /// Processings beyond the first of each record.
    Duplicates {
        /// Of what a process had not committed that is gone.
        of_stopped: u32,
        /// Of what a living member had not committed.
        of_survivors: u32,
        /// Of what `seek()` or a reset of the group's offsets wanted again.
        of_rewinds: u32,
        /// Of what another consumer reads by `assign()` too.
        of_sharing: u32,
        /// Writes that a unique key turned into nothing.
        absorbed: u32,
    },
    /// Records that are never processed.
    Lost(Lost),
    /// What is committed against what is in the log.
    Lag {
        /// Over all partitions with a committed offset; nothing if there is none.
        records: Option<u32>,
        /// The age of the oldest record that the group can still come to and has not processed.
        oldest: Option<Span>,
    },
    /// Members at work.
    Parallelism {
        /// Living members that own a partition.
        busy: u32,
        /// Partitions: the most members that can work.
        partitions: u32,
    },
}

/// The account of a group up to the present moment, in the order in which it is shown.
pub fn verdicts(run: &Simulation, group: GroupId) -> [Verdict; 6] {
    let ledger = run.ledger(group);
    let lags = run.partitions_of_group(group).map(|partition| run.lag(group, partition));
    let (records, oldest) =
        lags.fold((None, None), |(records, oldest), lag| (add(records, lag.records), oldest.max(lag.oldest)));
    [
        Verdict::OrderInPartition { broken: ledger.out_of_order },
        Verdict::OrderAcrossTopic { swaps: ledger.swaps },
        Verdict::Duplicates {
            of_stopped: ledger.duplicates_of_stopped,
            of_survivors: ledger.duplicates_of_survivors,
            of_rewinds: ledger.duplicates_of_rewinds,
            of_sharing: ledger.duplicates_of_sharing,
            absorbed: run.sinks_of(group).into_iter().map(|sink| run.sink(sink).absorbed).sum(),
        },
        Verdict::Lost(run.lost(group)),
        Verdict::Lag { records, oldest },
        Verdict::Parallelism {
            busy: busy(run, group).len() as u32,
            partitions: run.partitions_of_group(group).count() as u32,
        },
    ]
}

/// The members of a group that work on a partition.
pub(super) fn busy(run: &Simulation, group: GroupId) -> Vec<MemberKey> {
    let ledger = run.ledger(group);
    let mut owners: Vec<MemberKey> =
        run.partitions_of_group(group).flat_map(|partition| ledger.partitions[partition.index()].workers()).collect();
    // Who stands still is not at work.
    owners.retain(|key| run.consumer(key.consumer).client().is_none_or(|client| client.freeze.is_none()));
    order::by_number(&mut owners, |owner| order::pair(u32::from(owner.consumer.0), u32::from(owner.incarnation)));
    owners.dedup();
    owners
}

fn add(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    }
}
