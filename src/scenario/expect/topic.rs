//! What a file expects of a topic.

use super::bounds::Bounds;
use super::{Differs, Found, value};
use crate::scenario::fields::EXPECT_TOPIC;
use crate::scenario::names::Names;
use crate::scenario::outcome::TopicOutcome;
use crate::scenario::reader::{Place, Reader};
use crate::sim::setup::bounds;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TopicClaim {
    /// How many records a partition holds.
    Records(String, Bounds),
    /// How many partitions hold records.
    PartitionsUsed(Bounds),
    /// How many records the partition holds that has the most.
    Largest(Bounds),
    /// How many the one that has the fewest.
    Smallest(Bounds),
    /// The partitions that hold records of a key, in the order of the first one.
    Key(String, Vec<u32>),
    /// How many keys have records in more than one partition.
    KeysSplit(Bounds),
}

impl TopicClaim {
    pub fn differs(&self, topic: &TopicOutcome) -> Option<Differs> {
        match self {
            TopicClaim::Records(partition, expected) => expected.differs(u64::from(*topic.partitions.get(partition)?)),
            TopicClaim::PartitionsUsed(expected) => {
                expected.differs(records(topic).filter(|&records| records > 0).count() as u64)
            }
            TopicClaim::Largest(expected) => expected.differs(records(topic).max().unwrap_or(0)),
            TopicClaim::Smallest(expected) => expected.differs(records(topic).min().unwrap_or(0)),
            TopicClaim::Key(key, expected) => {
                let found = topic.keys.get(key).map_or_else(Vec::new, |of| of.iter().copied().map(u32::from).collect());
                value(Found::Numbers(expected.clone()), Found::Numbers(found))
            }
            TopicClaim::KeysSplit(expected) => {
                expected.differs(topic.keys.0.iter().filter(|(_, partitions)| partitions.len() > 1).count() as u64)
            }
        }
    }
}

/// How many records each partition holds.
fn records(topic: &TopicOutcome) -> impl Iterator<Item = u64> + '_ {
    topic.partitions.0.iter().map(|&(_, records)| u64::from(records))
}

/// Reads the claims about one topic, each with its place.
pub(super) fn read<'t>(r: &mut Reader<'t>, place: Place<'t>, names: &Names<'t>) -> Vec<(Place<'t>, TopicClaim)> {
    let Some(fields) = r.object(Some(place), &EXPECT_TOPIC) else {
        return Vec::new();
    };
    let mut claims = Vec::new();
    for (name, place) in r.entries(fields.get("records")) {
        if names.partition_named(r, &place, name).is_some()
            && let Some(expected) = Bounds::count(r, Some(place.clone()))
        {
            claims.push((place, TopicClaim::Records(name.to_owned(), expected)));
        }
    }
    for (key, place) in r.entries(fields.get("keys")) {
        let numbers = r.list(Some(place.clone()), 0, bounds::PARTITIONS_PER_TOPIC);
        let numbers: Vec<Option<u32>> =
            numbers.into_iter().map(|place| r.count(Some(place), 0..=bounds::PARTITIONS_PER_TOPIC - 1)).collect();
        if let Some(numbers) = numbers.into_iter().collect::<Option<_>>() {
            claims.push((place, TopicClaim::Key(key.to_owned(), numbers)));
        }
    }
    for (field, claim) in [
        ("partitions_used", TopicClaim::PartitionsUsed as fn(Bounds) -> TopicClaim),
        ("largest", TopicClaim::Largest),
        ("smallest", TopicClaim::Smallest),
        ("keys_split", TopicClaim::KeysSplit),
    ] {
        if let Some(place) = fields.get(field)
            && let Some(expected) = Bounds::count(r, Some(place.clone()))
        {
            claims.push((place, claim(expected)));
        }
    }
    claims
}
