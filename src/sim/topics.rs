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
    /// The step in which each topic last got partitions while the run went on.
    grew: Vec<Option<StepNo>>,
}

impl Topics {
    /// The topics at the start of a run.
    pub fn new(setup: &Setup) -> Self {
        let count = setup.topics.len();
        let mut topics = Topics { partitions: vec![Vec::new(); count], places: Vec::new(), grew: vec![None; count] };
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

    /// A topic has got partitions in this step.
    pub fn note_growth(&mut self, topic: TopicId, step: StepNo) {
        self.grew[topic.index()] = Some(step);
    }

    /// The step in which one of these topics last got partitions, if one did.
    pub fn grew(&self, topics: impl IntoIterator<Item = TopicId>) -> Option<StepNo> {
        topics.into_iter().filter_map(|topic| self.grew[topic.index()]).max()
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
