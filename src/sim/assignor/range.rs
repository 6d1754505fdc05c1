//! Ranges, topic by topic.

use super::{Subscription, Topics};
use crate::sim::ids::PartitionId;

/// For each topic on its own, its partitions in order are cut into one range for each subscribed member, the members taken
/// in `order`; the first ones get one more where it does not divide evenly.
///
/// Source: `org.apache.kafka.clients.consumer.RangeAssignor`, and
/// `org.apache.kafka.coordinator.group.assignor.RangeAssignor`, which comes to the same.
pub fn range(topics: &Topics, members: &[Subscription<'_>], order: &[usize]) -> Vec<Vec<PartitionId>> {
    let mut dealt = vec![Vec::new(); members.len()];
    for (topic, partitions) in topics {
        let subscribed: Vec<usize> =
            order.iter().copied().filter(|&member| members[member].topics.contains(topic)).collect();
        if subscribed.is_empty() {
            continue;
        }
        let share = partitions.len() / subscribed.len();
        let with_one_more = partitions.len() % subscribed.len();
        let mut rest = partitions.as_slice();
        for (place, &member) in subscribed.iter().enumerate() {
            let (own, later) = rest.split_at(share + usize::from(place < with_one_more));
            dealt[member].extend_from_slice(own);
            rest = later;
        }
    }
    dealt
}
