//! The assignors' common view of a group: members by rank, partitions by place.

use super::{Subscription, Topics};
use crate::sim::ids::PartitionId;

/// No rank, no place.
pub const NONE: usize = usize::MAX;

/// The subscribed topics' partitions, numbered by their place in the order of topic, then number; the members, numbered by
/// their rank in the order that an assignor walks them.
pub struct Table<'a> {
    pub members: Vec<Subscription<'a>>,
    /// The place of each topic's first partition, and the number of places after the last topic.
    pub first_places: Vec<usize>,
    /// The topic of each place: its place among the subscribed topics.
    pub topic_of: Vec<usize>,
    /// For each topic, the ranks that subscribe to it, ascending.
    pub subscribers: Vec<Vec<usize>>,
    ids: Vec<PartitionId>,
    /// By partition id; [`NONE`] for a partition of no subscribed topic.
    places: Vec<usize>,
    /// The place in the caller's list of the member at each rank.
    order: Vec<usize>,
}

impl<'a> Table<'a> {
    /// `order` lists the members' places in `members` by rank.
    pub fn new(topics: &Topics, members: &[Subscription<'a>], order: Vec<usize>) -> Self {
        let members: Vec<Subscription<'a>> = order.iter().map(|&member| members[member]).collect();
        let mut table = Self {
            members,
            first_places: vec![0],
            topic_of: Vec::new(),
            subscribers: Vec::new(),
            ids: Vec::new(),
            places: Vec::new(),
            order,
        };
        for (topic, partitions) in topics {
            let subscribers: Vec<usize> =
                (0..table.members.len()).filter(|&rank| table.members[rank].topics.contains(topic)).collect();
            if subscribers.is_empty() {
                continue;
            }
            table.topic_of.resize(table.ids.len() + partitions.len(), table.subscribers.len());
            table.subscribers.push(subscribers);
            for &id in partitions {
                if table.places.len() <= id.index() {
                    table.places.resize(id.index() + 1, NONE);
                }
                table.places[id.index()] = table.ids.len();
                table.ids.push(id);
            }
            table.first_places.push(table.ids.len());
        }
        table
    }

    pub fn partition_count(&self) -> usize {
        self.ids.len()
    }

    pub fn places_of(&self, topic: usize) -> std::ops::Range<usize> {
        self.first_places[topic]..self.first_places[topic + 1]
    }

    pub fn subscribes(&self, rank: usize, topic: usize) -> bool {
        self.subscribers[topic].binary_search(&rank).is_ok()
    }

    /// The places of what a member owns, in its own order, without partitions of topics that nobody subscribes to.
    pub fn owned(&self, rank: usize) -> impl Iterator<Item = usize> {
        let place = |id: &PartitionId| self.places.get(id.index()).copied().filter(|&place| place != NONE);
        self.members[rank].owned.iter().filter_map(place)
    }

    pub fn id(&self, place: usize) -> PartitionId {
        self.ids[place]
    }

    /// Lists of places by rank as lists of partitions in the caller's order of members.
    pub fn named(&self, lists: &[Vec<usize>]) -> Vec<Vec<PartitionId>> {
        let mut dealt = vec![Vec::new(); lists.len()];
        for (list, &member) in lists.iter().zip(&self.order) {
            dealt[member] = list.iter().map(|&place| self.ids[place]).collect();
        }
        dealt
    }
}
