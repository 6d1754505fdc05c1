//! All partitions in turn.

use super::{Subscription, Topics, in_order};
use crate::sim::ids::PartitionId;

/// All partitions by topic and number are dealt in a circle over the members in `order`; a member that does not subscribe
/// to the topic is passed over, and its turn with it.
///
/// Source: `org.apache.kafka.clients.consumer.RoundRobinAssignor`.
#[inline(never)]
pub fn round_robin(topics: &Topics, members: &[Subscription<'_>], order: &[usize]) -> Vec<Vec<PartitionId>> {
    let mut dealt = vec![Vec::new(); members.len()];
    let mut turn = 0;
    for (topic, partitions) in topics {
        if !members.iter().any(|member| member.topics.contains(topic)) {
            continue;
        }
        for &partition in partitions {
            while !members[order[turn]].topics.contains(topic) {
                turn = (turn + 1) % order.len();
            }
            dealt[order[turn]].push(partition);
            turn = (turn + 1) % order.len();
        }
    }
    dealt
}

/// The given partitions are dealt in a circle over the members in the order of their ids, whatever these subscribe to.
///
/// Source: kafkajs, `src/consumer/assigners/roundRobinAssigner`.
pub fn regardless(partitions: &[PartitionId], members: &[Subscription<'_>]) -> Vec<Vec<PartitionId>> {
    let mut dealt = vec![Vec::new(); members.len()];
    let order = in_order(members, false);
    for (&partition, &member) in partitions.iter().zip(order.iter().cycle()) {
        dealt[member].push(partition);
    }
    dealt
}
