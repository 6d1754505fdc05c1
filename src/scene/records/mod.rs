//! What became of each record up to the present moment, as a group sees it: the lines of a table, which of them are wanted, and in
//! which order; and for one record its way step by step.

mod query;
mod way;

pub use query::{Column, Direction, Found, Kind, Of, Query, find};
pub use way::{Fact, Happened, Trail};

use super::compose::look;
use super::density::Density;
use super::geometry::Point;
use super::names::record_name;
use super::stage::{Chip, Tile, TileState};
use crate::sim::ledger::LostBy;
use crate::sim::network::{Message, Range};
use crate::sim::order;
use crate::sim::{
    ConsumerId, Event, GroupId, Offset, PartitionId, ProducerId, RecordId, Simulation, SinkId, StepNo, TopicId,
};

/// What has become of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is in a batch of its producer or on its way to the log.
    Unsent,
    /// It is in the log, and the group does not read its topic.
    Unread,
    /// It lies before what the group had committed before the run.
    Before,
    /// The group has not processed it and can come to it.
    Waiting,
    /// `poll()` has handed it to a member, which has not processed it.
    InHand(ConsumerId),
    /// The group has processed it.
    Processed,
    /// Its handling failed, and a copy was sent to another topic.
    SetAside,
    /// The group has not processed it and can no longer come to it.
    Lost(LostBy),
}

impl Fate {
    /// How the stage draws it.
    pub const fn tile(self) -> TileState {
        match self {
            Fate::Unsent | Fate::Unread | Fate::Before | Fate::Waiting => TileState::Waiting,
            Fate::InHand(_) => TileState::InHand,
            Fate::Processed => TileState::Processed,
            Fate::SetAside => TileState::SetAside,
            Fate::Lost(_) => TileState::Lost,
        }
    }
}

/// A time that a group has processed a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processing {
    /// In which step.
    pub step: StepNo,
    /// Who.
    pub by: ConsumerId,
}

/// A record and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The record.
    pub record: RecordId,
    /// Where it lies, once it is in the log.
    pub offset: Option<Offset>,
    /// The step that sent it.
    pub sent: StepNo,
    /// The step that appended it.
    pub appended: Option<StepNo>,
    /// What has become of it.
    pub fate: Fate,
    /// What lost it, if it is lost to the group: a member that is out of the group may have it in hand all the same.
    pub lost: Option<LostBy>,
    /// How often the group has processed it.
    pub times: u16,
    /// The first time.
    pub first: Option<Processing>,
    /// The last time.
    pub last: Option<Processing>,
    /// True if the group would not begin with it again: a commit, or what it keeps in a table, lies behind it.
    pub is_committed: bool,
    /// How many rows hold what its handling has written, in the tables of the group.
    pub rows: u32,
}

/// A record as the stage draws it where rows are close.
#[inline(never)]
pub fn tile(run: &Simulation, line: &Line, at: Point) -> Tile {
    let found = run.record(line.record);
    Tile {
        chip: Chip {
            record: line.record,
            at,
            name: record_name(run, line.record),
            value: run.setup().values[found.value.index()].clone(),
            look: look(found),
            density: Density::Dense,
        },
        offset: line.offset.unwrap_or_default(),
        shows_offset: false,
        state: line.fate.tile(),
        times: line.times,
    }
}

/// What there is to know for all records of a moment, so that each costs little.
pub struct Account<'a> {
    run: &'a Simulation,
    group: Option<GroupId>,
    sinks: Vec<SinkId>,
    partitions: Vec<Part>,
    /// Records that are not in the log yet and still come there, in order; nothing if that is all of them.
    coming: Option<Vec<RecordId>>,
}

/// A partition as a group sees it.
#[derive(Clone, Debug, Default)]
struct Part {
    is_read: bool,
    /// The lowest offset that the group can still come to.
    reach: Option<Offset>,
    /// What lies before it is committed.
    committed: Offset,
    /// What its members have in hand.
    held: Vec<(ConsumerId, Range)>,
}

impl<'a> Account<'a> {
    /// The account of a group; without one, of what the producers have sent.
    #[inline(never)]
    pub fn new(run: &'a Simulation, group: Option<GroupId>) -> Self {
        let mut partitions = vec![Part::default(); run.partition_count()];
        if let Some(group) = group {
            for partition in run.partitions_of_group(group) {
                let committed = run.group(group).committed(partition).map(|committed| committed.offset);
                partitions[partition.index()] = Part {
                    is_read: true,
                    reach: run.reach(group, partition),
                    committed: run.start_from_store(group, partition).or(committed).unwrap_or(0),
                    held: Vec::new(),
                };
            }
            for consumer in run.consumers_of(group) {
                for range in consumer.client().iter().flat_map(|client| client.held()) {
                    partitions[range.partition.index()].held.push((consumer.id, range));
                }
            }
        }
        let sinks = group.map_or_else(Vec::new, |group| run.sinks_of(group));
        Account { run, group, sinks, partitions, coming: coming(run) }
    }

    /// What has become of a record.
    pub fn fate(&self, record: RecordId) -> Fate {
        let found = self.run.record(record);
        let Some(offset) = self.run.offset_of(record) else {
            return self.lost(record).map_or(Fate::Unsent, Fate::Lost);
        };
        let part = &self.partitions[found.partition.index()];
        let Some(group) = self.group.filter(|_| part.is_read) else { return Fate::Unread };
        if let Some(&(by, _)) = part.held.iter().find(|(_, held)| held.from <= offset && offset < held.to) {
            return Fate::InHand(by);
        }
        if self.run.ledger(group).delivery(record).times > 0 {
            return Fate::Processed;
        }
        let ledger = &self.run.ledger(group).partitions[found.partition.index()];
        match () {
            () if ledger.is_done(offset) => Fate::SetAside,
            () if !ledger.is_counted(offset) => Fate::Before,
            () => self.lost(record).map_or(Fate::Waiting, Fate::Lost),
        }
    }

    /// What lost a record, if it is lost to the group; a member that is out of the group may still have it in hand.
    fn lost(&self, record: RecordId) -> Option<LostBy> {
        let Some(offset) = self.run.offset_of(record) else {
            let comes = self.coming.as_ref().is_none_or(|coming| coming.binary_search(&record).is_ok());
            return (!comes).then_some(LostBy::NeverSent);
        };
        let partition = self.run.record(record).partition.index();
        let ledger = &self.run.ledger(self.group?).partitions[partition];
        let is_out_of_reach = self.partitions[partition].reach.is_some_and(|reach| offset < reach);
        (is_out_of_reach && ledger.is_counted(offset) && !ledger.is_done(offset)).then(|| ledger.lost_by(offset))
    }

    /// How often the group has processed a record, and when last.
    fn last(&self, record: RecordId) -> (u16, Option<Processing>) {
        let Some(group) = self.group else { return (0, None) };
        let delivery = self.run.ledger(group).delivery(record);
        let last = Processing { step: delivery.step, by: delivery.by.consumer };
        (delivery.times, (delivery.times > 0).then_some(last))
    }

    fn is_committed(&self, record: RecordId) -> bool {
        let part = &self.partitions[self.run.record(record).partition.index()];
        self.run.offset_of(record).is_some_and(|offset| offset < part.committed)
    }

    fn rows(&self, record: RecordId) -> u32 {
        self.sinks.iter().map(|&sink| self.run.rows_of(sink, record)).sum()
    }

    /// The times that the group has processed a record, the last one first.
    fn processings(&self, record: RecordId) -> impl Iterator<Item = Processing> {
        let run = self.run;
        run.history_of(record).filter_map(move |step| match run.step_at(step)?.event {
            Event::RecordProcessed { consumer: by, .. } if Some(run.consumer(by).group) == self.group => {
                Some(Processing { step, by })
            }
            _ => None,
        })
    }

    fn appended(&self, record: RecordId) -> Option<StepNo> {
        let is_appending = |step: &StepNo| {
            self.run.step_at(*step).is_some_and(|step| matches!(step.event, Event::RecordAppended { .. }))
        };
        self.run.history_of(record).find(is_appending)
    }

    /// A record and what became of it.
    pub fn line(&self, record: RecordId) -> Line {
        let (times, last) = self.last(record);
        Line {
            record,
            offset: self.run.offset_of(record),
            sent: self.run.record(record).sent,
            appended: self.appended(record),
            fate: self.fate(record),
            lost: self.lost(record),
            times,
            first: self.processings(record).last(),
            last,
            is_committed: self.is_committed(record),
            rows: self.rows(record),
        }
    }
}

/// The records that are not in the log and still come there. To look is needed only where a producer has lost some.
fn coming(run: &Simulation) -> Option<Vec<RecordId>> {
    let producers = (0..run.setup().producers.len()).map(ProducerId::at);
    let losing: Vec<ProducerId> = producers.filter(|&producer| run.producer(producer).never_sent > 0).collect();
    if losing.is_empty() {
        return None;
    }
    let mut coming = Vec::new();
    let mut add = |producer: ProducerId, number: u16, from: u32, to: u32| {
        coming.extend((from..to).filter_map(|index| run.queued(producer, number, index)));
    };
    for producer in (0..run.setup().producers.len()).map(ProducerId::at) {
        let client = run.producer(producer);
        let partitions = run.topics().partitions_of(run.setup().producers[producer.index()].topic);
        for number in 0..partitions.len() {
            let end = client.queued(number);
            add(producer, number as u16, end - client.waiting(number), end);
        }
    }
    for (_, sent) in run.in_flight() {
        if let Message::Produce(produce) = &sent.message {
            for batch in produce.batches.iter() {
                add(produce.producer, batch.partition, batch.from, batch.to);
            }
        }
    }
    order::by_number(&mut coming, |record| u64::from(record.0));
    Some(coming)
}

/// The partitions of all topics, in the order in which they are named.
pub fn partitions_in_order(run: &Simulation) -> Vec<PartitionId> {
    let topics = (0..run.setup().topics.len()).map(TopicId::at);
    topics.flat_map(|topic| run.topics().partitions_of(topic).iter().copied()).collect()
}
