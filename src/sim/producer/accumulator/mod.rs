//! The producer's accumulator: for each partition the batches that wait, and which of them go into the next requests.
//!
//! Source: `org.apache.kafka.clients.producer.internals.RecordAccumulator`, `ProducerBatch`, `Sender#sendProducerData`.
//! Not modelled: retries and sequence numbers, `acks=0`, `buffer.memory`, compression.

mod drain;

use super::batching::Batching;
use super::set::NumberSet;
use super::size::{BATCH_OVERHEAD, RecordSize};
use crate::sim::ids::BrokerId;
use crate::sim::time::Time;
use std::collections::VecDeque;
use std::rc::Rc;

/// The batches of a producer for the partitions of one topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulator {
    queues: Vec<Queue>,
    /// The partitions for which a batch waits.
    waiting: NumberSet,
    /// How many partitions this process has written to.
    used: u16,
    /// By broker.
    connections: Vec<Connection>,
}

/// The records of one partition that were handed to `send()`: first those sent, then the batches that wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Queue {
    /// Records ever queued.
    end: u32,
    /// Whether this process has queued any.
    is_used: bool,
    batches: VecDeque<Batch>,
    /// Batches sent and not answered.
    in_flight: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Connection {
    /// Requests sent and not answered.
    in_flight: u32,
    /// The partition that is looked at first for the next request.
    start: u16,
}

/// A batch that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Batch {
    from: u32,
    to: u32,
    bytes: u32,
    /// The bytes at which it is full.
    limit: u32,
    /// A record did not fit, so that no other is tried.
    closed: bool,
    opened_at: Time,
}

/// A batch on its way: records `from` to `to`, the latter not included, of the partition's queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrainedBatch {
    /// The number of the partition in its topic.
    pub partition: u16,
    /// The first record.
    pub from: u32,
    /// The end.
    pub to: u32,
    /// Its size.
    pub bytes: u32,
    /// When its first record was appended.
    pub opened_at: Time,
}

impl DrainedBatch {
    /// How many records it holds.
    pub const fn len(&self) -> u32 {
        self.to - self.from
    }

    /// True if it holds none, which never happens to a batch that is sent.
    pub const fn is_empty(&self) -> bool {
        self.from == self.to
    }
}

/// A batch that still takes records, or is the last that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filling {
    /// Its first record, by the place in the partition's queue.
    pub from: u32,
    /// Behind its last record.
    pub to: u32,
    /// Its size.
    pub bytes: u32,
    /// The size at which it is full.
    pub limit: u32,
    /// When its first record was appended.
    pub opened_at: Time,
}

/// One Produce request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProduceRequest {
    /// Where it goes.
    pub broker: BrokerId,
    /// What it holds, a batch for each of some partitions.
    pub batches: Rc<[DrainedBatch]>,
}

/// What became of an appended record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The number of the partition in its topic.
    pub partition: u16,
    /// The place of the record in the queue of that partition.
    pub index: u32,
    /// By how much the waiting batches grew, in bytes.
    pub bytes: u32,
    /// Whether a batch was opened for it. Look at the queue again `linger` from now.
    pub new_batch: bool,
    /// Whether a batch of the partition can be sent at once. Look at the queue again now.
    pub full: bool,
}

impl Batch {
    fn is_full(&self, settings: &Batching) -> bool {
        self.closed || self.bytes >= self.limit || self.to - self.from >= settings.batch_records
    }

    fn size_of_next(&self, now: Time, record: RecordSize) -> u32 {
        let milliseconds = |time: Time| time.since(Time::ZERO).as_millis();
        record.within_batch(self.to - self.from, milliseconds(now) - milliseconds(self.opened_at))
    }
}

impl Queue {
    /// Full, or another batch waits behind.
    fn is_first_full(&self, settings: &Batching) -> bool {
        self.batches.len() > 1 || self.batches.front().is_some_and(|batch| batch.is_full(settings))
    }

    fn is_muted(&self, settings: &Batching) -> bool {
        settings.max_in_flight == 1 && self.in_flight > 0
    }

    /// When the first batch can be sent, as far as its own state goes.
    fn ready_at(&self, settings: &Batching, now: Time) -> Option<Time> {
        let first = self.batches.front().filter(|_| !self.is_muted(settings))?;
        Some(if self.is_first_full(settings) { now } else { now.max(first.opened_at + settings.linger) })
    }
}

impl Accumulator {
    /// For a topic with this many partitions.
    pub fn new(partitions: u16) -> Self {
        let mut accumulator =
            Accumulator { queues: Vec::new(), waiting: NumberSet::default(), used: 0, connections: Vec::new() };
        accumulator.grow(partitions);
        accumulator
    }

    /// The topic has got more partitions.
    pub fn grow(&mut self, partitions: u16) {
        self.queues.resize(usize::from(partitions).max(self.queues.len()), Queue::default());
    }

    /// Adds a record to the last batch of the partition. Nothing if it has no room or there is none: then the batch is
    /// closed, and [`append_to_new_batch`](Accumulator::append_to_new_batch) comes next.
    pub fn try_append(
        &mut self,
        settings: &Batching,
        now: Time,
        partition: u16,
        record: RecordSize,
    ) -> Option<Appended> {
        let queue = &mut self.queues[usize::from(partition)];
        let batch = queue.batches.back_mut()?;
        let bytes = batch.size_of_next(now, record);
        if batch.is_full(settings) || batch.bytes + bytes > batch.limit {
            batch.closed = true;
            return None;
        }
        batch.bytes += bytes;
        batch.to += 1;
        let index = queue.end;
        queue.end += 1;
        Some(Appended { partition, index, bytes, new_batch: false, full: queue.is_first_full(settings) })
    }

    /// Opens a batch with this record.
    pub fn append_to_new_batch(
        &mut self,
        settings: &Batching,
        now: Time,
        partition: u16,
        record: RecordSize,
    ) -> Appended {
        let queue = &mut self.queues[usize::from(partition)];
        let index = queue.end;
        let bytes = BATCH_OVERHEAD + record.within_batch(0, 0);
        let limit = settings.batch_size.max(record.alone_at_most());
        queue.end += 1;
        queue.batches.push_back(Batch { from: index, to: queue.end, bytes, limit, closed: false, opened_at: now });
        self.used += u16::from(!queue.is_used);
        queue.is_used = true;
        self.waiting.insert(partition);
        Appended { partition, index, bytes, new_batch: true, full: queue.is_first_full(settings) }
    }

    /// Whether any batch waits.
    pub fn has_waiting(&self) -> bool {
        self.waiting.iter().next().is_some()
    }

    /// True if nothing waits, and every request is answered.
    pub fn is_idle(&self) -> bool {
        !self.has_waiting() && self.connections.iter().all(|connection| connection.in_flight == 0)
    }

    /// Records that wait, for all partitions.
    pub fn all_waiting(&self) -> u32 {
        self.waiting.iter().map(|partition| self.waiting(partition)).sum()
    }

    /// Whether no batch of the partition takes more records; true also if none waits.
    pub fn all_full(&self, settings: &Batching, partition: u16) -> bool {
        self.queues[usize::from(partition)].batches.back().is_none_or(|batch| batch.is_full(settings))
    }

    /// A request has been answered, or will not be.
    pub fn handle_answer(&mut self, broker: BrokerId, partitions: impl Iterator<Item = u16>) {
        self.connection(broker).in_flight -= 1;
        for partition in partitions {
            self.queues[usize::from(partition)].in_flight -= 1;
        }
    }

    /// The process has died: what waits is gone, and so are its connections. Returns how many records waited.
    pub fn crash(&mut self) -> u32 {
        let lost = self.all_waiting();
        for queue in &mut self.queues {
            *queue = Queue { end: queue.end, ..Queue::default() };
        }
        self.waiting = NumberSet::default();
        self.connections.clear();
        self.used = 0;
        lost
    }

    /// How many batches wait, for each partition for which any does.
    pub fn load(&self) -> impl Iterator<Item = (u16, u32)> + '_ {
        let batches = |partition: u16| self.queues[usize::from(partition)].batches.len() as u32;
        self.waiting.iter().map(move |partition| (partition, batches(partition)))
    }

    /// Whether each of this many partitions has been written to.
    pub fn has_used(&self, partitions: u16) -> bool {
        self.used >= partitions
    }

    /// Records of this partition that were ever queued.
    pub fn queued(&self, partition: u16) -> u32 {
        self.queues.get(usize::from(partition)).map_or(0, |queue| queue.end)
    }

    /// Records of this partition that wait.
    pub fn waiting(&self, partition: u16) -> u32 {
        let queue = self.queues.get(usize::from(partition));
        queue.map_or(0, |queue| queue.batches.front().map_or(0, |first| queue.end - first.from))
    }

    /// The last batch of this partition that waits.
    pub fn filling(&self, partition: u16) -> Option<Filling> {
        let &Batch { from, to, bytes, limit, opened_at, .. } =
            self.queues.get(usize::from(partition))?.batches.back()?;
        Some(Filling { from, to, bytes, limit, opened_at })
    }

    /// Requests to this broker that are not answered.
    pub fn in_flight(&self, broker: BrokerId) -> u32 {
        self.connections.get(broker.index()).map_or(0, |connection| connection.in_flight)
    }
}
