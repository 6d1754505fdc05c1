//! What the cooperative protocol makes of an assignment: nobody gets what another member has still to give up.

use super::Subscription;
use crate::sim::ids::PartitionId;

/// The partitions that a member owns and does not keep: it revokes them, and a rebalance follows at once.
pub fn revoked(owned: &[PartitionId], assigned: &[PartitionId]) -> Vec<PartitionId> {
    owned.iter().copied().filter(|partition| !assigned.contains(partition)).collect()
}

/// The partitions that one member gets and another one has to revoke.
///
/// Source: `org.apache.kafka.clients.consumer.CooperativeStickyAssignor#computePartitionsTransferringOwnership`; librdkafka,
/// `rd_kafka_cooperative_protocol_adjust_assignment`.
pub(super) fn moving(dealt: &[Vec<PartitionId>], members: &[Subscription<'_>]) -> Vec<PartitionId> {
    let mut leaving = Vec::new();
    let mut coming = Vec::new();
    for (member, assigned) in members.iter().zip(dealt) {
        leaving.append(&mut revoked(member.owned, assigned));
        coming.append(&mut revoked(assigned, member.owned));
    }
    coming.retain(|partition| leaving.contains(partition));
    coming
}

/// Takes the moving partitions out of an assignment.
pub(super) fn withhold(dealt: &mut [Vec<PartitionId>], moving: &[PartitionId]) {
    for assigned in dealt {
        assigned.retain(|partition| !moving.contains(partition));
    }
}
