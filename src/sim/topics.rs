//! Which partitions there are: they are numbered through over all topics, in the order in which they came to be.

use super::ids::*;
use super::setup::{Setup, TopicPartition};

/// The topics and their partitions at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topics {
    /// The partitions of each topic, in the order of their numbers.
    partitions: Vec<Vec<PartitionId>>,
    /// The place of each partition.
    places: Vec<TopicPartition>,
}

impl Topics {
    /// The topics at the start of a run.
    pub fn new(setup: &Setup) -> Self {
        let mut topics = Topics { partitions: vec![Vec::new(); setup.topics.len()], places: Vec::new() };
        for (index, topic) in setup.topics.iter().enumerate() {
            for _ in 0..topic.partitions {
                topics.add_to(TopicId::at(index));
            }
        }
        topics
    }

    /// Adds a partition to a topic.
    pub fn add_to(&mut self, topic: TopicId) -> PartitionId {
        let partition = PartitionId::at(self.places.len());
        let partitions = &mut self.partitions[topic.index()];
        self.places.push(TopicPartition { topic, number: partitions.len() as u16 });
        partitions.push(partition);
        partition
    }

    /// The partitions of a topic, in the order of their numbers.
    pub fn partitions_of(&self, topic: TopicId) -> &[PartitionId] {
        &self.partitions[topic.index()]
    }

    /// The partition at this place, if it is there already.
    pub fn find(&self, place: TopicPartition) -> Option<PartitionId> {
        self.partitions_of(place.topic).get(usize::from(place.number)).copied()
    }

    /// The topic of a partition and its number there.
    pub fn place(&self, partition: PartitionId) -> TopicPartition {
        self.places[partition.index()]
    }

    /// How many partitions there are over all topics.
    pub fn partition_count(&self) -> usize {
        self.places.len()
    }
}
