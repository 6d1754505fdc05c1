//! The assignors' common view of a group: members by rank, partitions by place.

use super::{Subscription, Topics};
use crate::sim::ids::PartitionId;
use crate::sim::order;

/// No rank, no place.
pub const NONE: usize = usize::MAX;

/// Sorts ranks or places by a key; equal ones keep their order. Like [`chosen`], made once, so that the code stays small.
pub fn sort(list: &mut Vec<usize>, key: &dyn Fn(usize) -> u64) {
    order::by_number(list, |&item| key(item));
}

/// The ranks or places below `count` that pass.
pub fn chosen(count: usize, passes: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let mut list = Vec::new();
    for item in 0..count {
        if passes(item) {
            list.push(item);
        }
    }
    list
}

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
        let mut table = Self {
            members: order.iter().map(|&member| members[member]).collect(),
            first_places: vec![0],
            topic_of: Vec::new(),
            subscribers: Vec::new(),
            ids: Vec::new(),
            places: Vec::new(),
            order,
        };
        for (topic, partitions) in topics {
            let subscribers = chosen(table.members.len(), &|rank| table.members[rank].topics.contains(topic));
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
    pub fn owned(&self, rank: usize) -> Vec<usize> {
        let mut owned = Vec::new();
        for id in self.members[rank].owned {
            match self.places.get(id.index()) {
                Some(&place) if place != NONE => owned.push(place),
                _ => {}
            }
        }
        owned
    }

    pub fn ids(&self, places: &[usize]) -> Vec<PartitionId> {
        places.iter().map(|&place| self.ids[place]).collect()
    }

    /// Lists of places by rank as lists of partitions in the caller's order of members.
    pub fn named(&self, lists: &[Vec<usize>]) -> Vec<Vec<PartitionId>> {
        let mut dealt = vec![Vec::new(); lists.len()];
        for (list, &member) in lists.iter().zip(&self.order) {
            dealt[member] = self.ids(list);
        }
        dealt
    }
}
