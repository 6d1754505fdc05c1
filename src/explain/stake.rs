//! What would become of a member's records if it stopped at this moment.

use crate::sim::consumer::Owned;
use crate::sim::network::Message;
use crate::sim::setup::OffsetReset;
use crate::sim::{ConsumerId, Generation, Offset, PartitionId, RecordId, Simulation};

/// What is at stake in one partition of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stake {
    /// The partition.
    pub partition: PartitionId,
    /// The next offset to be processed.
    pub next: Offset,
    /// The record there, if `poll()` has handed it to the member.
    pub held: Option<RecordId>,
    /// True if some of what would be processed again has been processed more than once already.
    pub is_repeated: bool,
    /// Where whoever reads the partition next begins.
    pub resumes: Resumes,
}

/// Where a partition is read from by whoever gets it next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resumes {
    /// At the committed offset.
    Committed(Offset),
    /// Where an offset in the database of the group's table leads.
    Stored(Offset),
    /// Nothing is committed: where `auto.offset.reset` of the next owner says, taken to be that of this one.
    Reset(OffsetReset),
}

/// What is at stake in each partition of which a running member holds records, or has processed more or less than the group
/// has committed.
///
/// A commit of its own that is on its way counts as stored: the coordinator takes it, whatever becomes of its sender.
pub fn stakes(run: &Simulation, consumer: ConsumerId) -> Vec<Stake> {
    let found = run.consumer(consumer);
    let Some(client) = found.client() else { return Vec::new() };
    let group = run.group(found.group);
    // Refused where the coordinator does not count it as a member, or where it is none and the group has some.
    let is_accepted = |generation: Option<Generation>| match generation {
        Some(_) => group.member(found.key()).is_some(),
        None => group.members.is_empty(),
    };
    let on_its_way = |partition: PartitionId| {
        let commits = run.in_flight().filter_map(|(_, message)| match &message.message {
            Message::OffsetCommit { member, generation, offsets }
                if *member == found.key() && is_accepted(*generation) =>
            {
                Some(offsets)
            }
            _ => None,
        });
        commits.flat_map(|offsets| offsets.iter()).filter(|(of, _)| *of == partition).map(|&(_, offset)| offset).last()
    };
    let stake = |owned: &Owned| {
        let partition = owned.partition;
        owned.position?;
        // Whatever becomes of it, the member that the partition has been given to meanwhile goes on.
        let worker = run.ledger(found.group).partitions[partition.index()].owner();
        if worker.is_some_and(|worker| worker != found.key()) && !client.config.reads.is_by_hand() {
            return None;
        }
        let is_held = client.held().any(|range| range.partition == partition && range.from == owned.next);
        let held = is_held.then(|| run.record_at(partition, owned.next)).flatten();
        let committed = || on_its_way(partition).or(group.committed_soon(partition));
        let in_table = client.config.handling.offset_store.and_then(|_| run.start_from_store(found.group, partition));
        let resumes = match in_table.map(Resumes::Stored).or_else(|| committed().map(Resumes::Committed)) {
            Some(resumes) => resumes,
            None => Resumes::Reset(client.config.settings.auto_offset_reset),
        };
        let from = match resumes {
            Resumes::Committed(offset) | Resumes::Stored(offset) => offset,
            Resumes::Reset(OffsetReset::Earliest) => 0,
            Resumes::Reset(_) => owned.next,
        };
        let is_repeated = (from..owned.next)
            .filter_map(|offset| run.record_at(partition, offset))
            .any(|record| run.ledger(found.group).delivery(record).times > 1);
        let stake = Stake { partition, next: owned.next, held, is_repeated, resumes };
        let is_even =
            matches!(stake.resumes, Resumes::Committed(offset) | Resumes::Stored(offset) if offset == owned.next);
        (held.is_some() || !is_even && owned.next > 0).then_some(stake)
    };
    client.owned.iter().filter_map(stake).collect()
}
