//! In what the worlds of two runs differ at one moment.

use crate::sim::{ConsumerId, GroupId, Offset, Simulation, TopicPartition};

/// What is otherwise in another run at this moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differing {
    /// Partitions that somebody else works on, or nobody, or that are in one of the runs only.
    pub owners: Vec<TopicPartition>,
    /// Partitions with another committed offset.
    pub committed: Vec<TopicPartition>,
    /// Partitions that are read at another position.
    pub positions: Vec<TopicPartition>,
    /// Consumers that run here and not there, or stand still.
    pub members: Vec<ConsumerId>,
}

impl Differing {
    /// True if nothing is.
    pub fn is_empty(&self) -> bool {
        *self == Differing::default()
    }
}

/// What is known of a partition in a run.
#[derive(PartialEq, Eq)]
struct Place {
    owner: Option<ConsumerId>,
    committed: Option<Offset>,
    position: Option<Offset>,
}

/// In what the worlds of two runs differ for a group, each at its present moment.
pub fn differing(a: &Simulation, b: &Simulation, group: GroupId) -> Differing {
    let mut found = Differing::default();
    for topic in a.topics_of(group) {
        let count = a.topics().partitions_of(topic).len().max(b.topics().partitions_of(topic).len());
        for number in 0..count as u16 {
            let place = TopicPartition { topic, number };
            let (here, there) = (look(a, group, place), look(b, group, place));
            let Some((here, there)) = here.as_ref().zip(there.as_ref()) else {
                found.owners.push(place);
                continue;
            };
            for (list, differs) in [
                (&mut found.owners, here.owner != there.owner),
                (&mut found.committed, here.committed != there.committed),
                (&mut found.positions, here.position != there.position),
            ] {
                if differs {
                    list.push(place);
                }
            }
        }
    }
    let both = a.consumers_of(group).zip(b.consumers_of(group));
    let is_up = |consumer: &crate::sim::consumer::Consumer| {
        consumer.client().map(|client| (client.freeze.is_some(), client.closing.is_some()))
    };
    found.members = both.filter(|(here, there)| is_up(here) != is_up(there)).map(|(here, _)| here.id).collect();
    found
}

fn look(run: &Simulation, group: GroupId, place: TopicPartition) -> Option<Place> {
    let partition = run.topics().find(place)?;
    let owner = run.ledger(group).partitions[partition.index()].owner();
    let owned = owner.and_then(|owner| run.consumer(owner.consumer).client()?.owned(partition));
    Some(Place {
        owner: owner.map(|owner| owner.consumer),
        committed: run.group(group).committed(partition).map(|committed| committed.offset),
        position: owned.and_then(|owned| owned.position),
    })
}
