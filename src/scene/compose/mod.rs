//! From a moment of the world to its [`Stage`].

mod flights;
mod group;
mod producer;
mod ribbons;
mod sink;
mod tape;

use super::density::Density;
use super::geometry::Point;
use super::layout::Layout;
use super::names::record_name;
use super::stage::{Chip, PLAIN_LOOK, Shape, Stage, Tape};
use crate::sim::consumer::Application;
use crate::sim::simulation::Record;
use crate::sim::{
    ConsumerId, Event, GroupId, Offset, PartitionId, ProducerId, RecordId, Simulation, SinkId, Time, TopicId,
};

/// Draws the moment `at`, which lies at or after the last step that `run` has made and before the next. A partition shows
/// the progress of the group `chosen` if that reads it, else of the first group that does.
pub fn stage(run: &Simulation, at: Time, shape: Shape, chosen: Option<GroupId>) -> Stage {
    let composer = Composer::new(run, at, shape, chosen);
    let setup = run.setup();
    let tapes: Vec<Tape> = (0..run.partition_count()).map(|index| composer.tape(PartitionId::at(index))).collect();
    Stage {
        width: composer.layout.width,
        height: composer.layout.height,
        shape,
        producers: (0..setup.producers.len()).map(|index| composer.producer(ProducerId::at(index))).collect(),
        topics: (0..setup.topics.len()).map(|index| composer.topic(TopicId::at(index))).collect(),
        groups: (0..setup.groups.len()).map(|index| composer.group(GroupId::at(index))).collect(),
        ribbons: composer.ribbons(),
        links: composer.links(),
        sinks: (0..setup.sinks.len()).map(|index| composer.sink(SinkId::at(index))).collect(),
        flights: composer.flights(),
        tapes,
    }
}

struct Composer<'a> {
    run: &'a Simulation,
    at: Time,
    layout: Layout,
    /// The groups that read each topic; the first is the one that it is seen by.
    readers: Vec<Vec<GroupId>>,
    chosen: Option<GroupId>,
    /// Records that a member of a group has in hand.
    held: Vec<(GroupId, RecordId)>,
    /// For each partition where it is read, by whom.
    positions: Vec<Vec<(ConsumerId, Offset, bool)>>,
}

impl<'a> Composer<'a> {
    fn new(run: &'a Simulation, at: Time, shape: Shape, chosen: Option<GroupId>) -> Self {
        let mut readers = vec![Vec::new(); run.setup().topics.len()];
        for group in (0..run.setup().groups.len()).map(GroupId::at) {
            for topic in run.topics_of(group) {
                let readers: &mut Vec<GroupId> = &mut readers[topic.index()];
                let place = if chosen == Some(group) { 0 } else { readers.len() };
                readers.insert(place, group);
            }
        }
        let mut held = Vec::new();
        let mut positions = vec![Vec::new(); run.partition_count()];
        for consumer in run.consumers() {
            let Some(client) = consumer.client() else { continue };
            if let Application::Handling { record, .. } = client.application {
                held.push((consumer.group, record));
            }
            for owned in &client.owned {
                if let Some(offset) = owned.position {
                    positions[owned.partition.index()].push((consumer.id, offset, owned.paused));
                }
            }
        }
        Composer { run, at, layout: Layout::new(run, shape), readers, chosen, held, positions }
    }

    fn has_several_groups(&self) -> bool {
        self.run.setup().groups.len() > 1
    }

    /// The groups that read a partition; the first is the one that it is seen by.
    fn readers(&self, partition: PartitionId) -> &[GroupId] {
        &self.readers[self.run.place(partition).topic.index()]
    }

    fn is_other(&self, partition: PartitionId, group: GroupId) -> bool {
        self.readers(partition).first() != Some(&group)
    }

    fn last_event(&self) -> Option<Event> {
        let last = self.run.visible_step(self.run.visible_steps().checked_sub(1)?)?;
        Some(self.run.step_at(last)?.event)
    }

    fn chip(&self, record: RecordId, at: Point, density: Density) -> Chip {
        let found = self.run.record(record);
        Chip {
            record,
            at,
            name: record_name(self.run, record),
            value: self.run.setup().values[found.value.index()].clone(),
            look: look(found),
            density,
        }
    }
}

/// How a record is drawn: by its key, or plainly where it has none.
fn look(record: &Record) -> u8 {
    record.key.map_or(PLAIN_LOOK, |key| (key.0 % 8) as u8)
}
