//! From a moment of the world to its [`Stage`].

mod flights;
mod group;
mod producer;
mod ribbons;
mod sink;
mod tape;

use super::density::Density;
use super::drawn::{Drawn, Rows};
use super::geometry::Point;
use super::layout::Layout;
use super::names::record_name;
use super::stage::{Chip, PLAIN_LOOK, Shape, Stage, Tape};
use crate::sim::event::ErrorCode;
use crate::sim::network::{Message, Range};
use crate::sim::simulation::Record;
use crate::sim::{
    ClientId, ConsumerId, Event, GroupId, MessageKind, Offset, PartitionId, ProducerId, RecordId, Simulation, SinkId,
    Time, TopicId,
};
use std::rc::Rc;

/// As what the stage is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen<'a> {
    /// A partition shows the progress of this group if it reads it, else of the first group that does.
    pub chosen: Option<GroupId>,
    /// How many partitions and members are drawn.
    pub rows: Rows,
    /// Records that a viewer has asked for: a tape shows its first one.
    pub concerned: &'a [RecordId],
}

/// With everything drawn.
impl From<Option<GroupId>> for Seen<'_> {
    fn from(chosen: Option<GroupId>) -> Self {
        Seen { chosen, rows: Rows::All, concerned: &[] }
    }
}

/// Draws the moment `at`, which lies at or after the last step that `run` has made and before the next.
pub fn stage<'a>(run: &'a Simulation, at: Time, shape: Shape, seen: impl Into<Seen<'a>>) -> Stage {
    let composer = Composer::new(run, at, shape, seen.into());
    let setup = run.setup();
    let partitions = (0..run.partition_count()).map(PartitionId::at);
    let tapes: Vec<Tape> = partitions
        .filter(|&partition| composer.drawn.has_partition(partition))
        .map(|partition| composer.tape(partition))
        .collect();
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
        is_summed: composer.drawn.is_summed(),
        tapes,
    }
}

struct Composer<'a> {
    run: &'a Simulation,
    at: Time,
    layout: Layout,
    drawn: Drawn,
    /// The groups that read each topic; the first is the one that it is seen by.
    readers: Vec<Vec<GroupId>>,
    chosen: Option<GroupId>,
    /// Records that `poll()` has handed to a member of a group, and that it has not processed.
    held: Vec<(GroupId, Range)>,
    /// For each partition where it is read, by whom.
    positions: Vec<Vec<(ConsumerId, Offset, bool)>>,
    /// For each partition the first record that a viewer has asked for.
    concerned: Vec<Option<Offset>>,
    /// For each consumer what it says to its coordinator, or hears, at this moment.
    messages: Vec<Option<MessageKind>>,
    /// The group that the last visible step is about.
    group_at_hand: Option<GroupId>,
    /// The partition that it is about.
    partition_at_hand: Option<PartitionId>,
}

impl<'a> Composer<'a> {
    fn new(run: &'a Simulation, at: Time, shape: Shape, Seen { chosen, rows, concerned }: Seen) -> Self {
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
            held.extend(client.held().map(|range| (consumer.group, range)));
            for owned in &client.owned {
                if let Some(offset) = owned.position {
                    positions[owned.partition.index()].push((
                        consumer.id,
                        offset,
                        owned.paused || client.is_held_back(),
                    ));
                }
            }
        }
        let last = last_event(run);
        let drawn = Drawn::new(run, rows, shape, last);
        let layout = Layout::new(run, shape, &drawn);
        Composer {
            run,
            at,
            layout,
            drawn,
            readers,
            chosen,
            held,
            positions,
            concerned: match concerned {
                [] => vec![None; run.partition_count()],
                _ => first_concerned(run, concerned),
            },
            messages: messages(run, at),
            group_at_hand: last.and_then(|event| event.consumer()).map(|consumer| run.consumer(consumer).group),
            partition_at_hand: last.and_then(|event| event.partition()),
        }
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

    /// The name of a group, where the last visible step is about what it does in this partition and the partition is not seen
    /// by it.
    fn named(&self, partition: PartitionId, group: GroupId) -> Option<Rc<str>> {
        let is_at_hand = self.partition_at_hand == Some(partition)
            && self.group_at_hand == Some(group)
            && self.is_other(partition, group);
        is_at_hand.then(|| self.run.setup().groups[group.index()].name.clone())
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

/// For each partition the first of the records that a viewer has asked for.
#[inline(never)]
fn first_concerned(run: &Simulation, concerned: &[RecordId]) -> Vec<Option<Offset>> {
    let mut first_concerned = vec![None; run.partition_count()];
    for &record in concerned {
        let first = &mut first_concerned[run.record(record).partition.index()];
        *first = run.offset_of(record).map(|offset| first.map_or(offset, |first: Offset| first.min(offset))).or(*first);
    }
    first_concerned
}

/// What each consumer says to its coordinator, or hears, heartbeats apart.
#[inline(never)]
fn messages(run: &Simulation, at: Time) -> Vec<Option<MessageKind>> {
    let mut messages = vec![None; run.consumers().len()];
    for (_, sent) in run.in_flight() {
        let kind = sent.kind();
        if let ClientId::Consumer(consumer) = sent.client()
            && kind.api.goes_to_coordinator()
            && !is_heartbeat(&sent.message)
            && sent.due_at > at
        {
            messages[consumer.index()] = Some(kind);
        }
    }
    messages
}

/// True for what a member sends every few seconds only to show that it lives, and for the answer.
fn is_heartbeat(message: &Message) -> bool {
    match message {
        Message::Heartbeat { .. } | Message::HeartbeatAnswer { error: ErrorCode::None } => true,
        Message::ConsumerGroupHeartbeat { epoch, owned, full, .. } => *epoch > 0 && owned.is_none() && full.is_none(),
        Message::ConsumerGroupHeartbeatAnswer { error: ErrorCode::None, assignment, .. } => assignment.is_none(),
        _ => false,
    }
}

fn last_event(run: &Simulation) -> Option<Event> {
    let last = run.visible_step(run.visible_steps().checked_sub(1)?)?;
    Some(run.step_at(last)?.event)
}

/// How a record is drawn: by its key, or plainly where it has none.
pub(super) fn look(record: &Record) -> u8 {
    record.key.map_or(PLAIN_LOOK, |key| (key.0 % 8) as u8)
}
