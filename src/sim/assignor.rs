//! How a group's partitions are dealt to its members.

use super::ids::{PartitionId, TopicId};

/// What an assignor is told about one member.
#[derive(Clone, Debug)]
pub struct Subscription<'a> {
    /// The member id: the assignor deals in the order of these strings.
    pub member_id: &'a str,
    /// The topics that the member subscribes to.
    pub topics: &'a [TopicId],
}

/// Kafka's `RangeAssignor`: for each topic on its own, its partitions in order are cut into one range for each
/// subscribed member, in the order of member ids; the first members get one more where it does not divide evenly.
///
/// `topics` lists each topic with its partitions in order. The result has one list for each member of
/// `members`, in their order, sorted by topic and number.
///
/// Source: `org.apache.kafka.clients.consumer.RangeAssignor`. Rack awareness (KIP-881) is not modelled.
pub fn range(topics: &[(TopicId, Vec<PartitionId>)], members: &[Subscription<'_>]) -> Vec<Vec<PartitionId>> {
    let mut by_id: Vec<usize> = (0..members.len()).collect();
    super::order::by_text(&mut by_id, |&member| members[member].member_id);
    let mut dealt = vec![Vec::new(); members.len()];
    for (topic, partitions) in topics {
        let subscribed: Vec<usize> =
            by_id.iter().copied().filter(|&member| members[member].topics.contains(topic)).collect();
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
