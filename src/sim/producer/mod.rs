//! The producer client: batches for each partition, `linger.ms`, Produce requests.
//!
//! Source: `org.apache.kafka.clients.producer.internals.RecordAccumulator`, `Sender`. [`Producer`] is what runs at
//! present: no batch of a scenario comes near `batch.size`, and nothing fails. [`sender`] is the whole client for one
//! topic, with its [`partitioner`](super::partitioner) and [`accumulator`].

pub mod accumulator;
pub mod batching;
pub mod sender;
mod set;
pub mod size;
pub mod workload;

use super::effect::{Context, Out};
use super::event::Event;
use super::ids::*;
use super::network::{Message, Node};
use super::queue::Due;
use super::setup::{Source, Workload};
use super::step::{Causes, Role};
use super::time::Time;
use rand::rngs::Xoshiro256PlusPlus;

/// A producer process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer {
    id: ProducerId,
    /// Records handed to `send()` so far.
    pub sent: u32,
    /// One accumulator queue for each partition of its topic.
    queues: Vec<Accumulator>,
}

/// The records of one partition: first those on their way or answered, then the open batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Accumulator {
    /// Where the open batch begins in the queue of this partition.
    open_from: u32,
    /// The end of the queue.
    end: u32,
    /// Where the last record joined.
    last_sent: StepNo,
}

/// The key and value of the record that is sent next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Its key, if it has one.
    pub key: Option<KeyId>,
    /// Its value.
    pub value: ValueId,
}

impl Producer {
    /// A producer of a topic with this many partitions.
    pub fn new(id: ProducerId, partitions: usize) -> Self {
        Producer { id, sent: 0, queues: vec![Accumulator::default(); partitions] }
    }

    /// When the `index`-th record is handed to `send()`, if there is one.
    pub fn send_time(source: &Source, index: u32) -> Option<Time> {
        match source {
            Source::Records(records) => records.get(index as usize).map(|record| record.at),
            Source::Workload(workload) => (index < workload.records)
                .then(|| workload::Arrivals::PerSecond(workload.per_second).at(workload.from, index)),
        }
    }

    /// The application's next record.
    pub fn next_record(&self, source: &Source, rng: &mut Xoshiro256PlusPlus) -> Draft {
        match source {
            Source::Records(records) => {
                let record = &records[self.sent as usize];
                Draft { key: record.key, value: record.value }
            }
            Source::Workload(workload) => Draft { key: Some(draw_key(workload, rng)), value: workload.value },
        }
    }

    /// `send()`: the record joins the open batch of its partition.
    pub fn send(&mut self, ctx: Context<'_>, record: RecordId, partition: PartitionId, out: &mut Out) {
        let number = usize::from(ctx.topics.place(partition).number);
        let setup = &ctx.setup.producers[self.id.index()];
        self.sent += 1;
        let queue = &mut self.queues[number];
        let opens_batch = queue.open_from == queue.end;
        queue.end += 1;
        queue.last_sent = ctx.step;
        out.event(Event::RecordSent { record, partition }, Causes::NONE);
        if opens_batch {
            out.wake(ctx.now + setup.linger, Due::Linger(self.id, partition));
        }
        if let Some(at) = Producer::send_time(&setup.source, self.sent) {
            out.wake(at, Due::Send(self.id));
        }
    }

    /// The open batch has waited long enough: it is sent.
    pub fn handle_linger(&mut self, ctx: Context<'_>, partition: PartitionId, out: &mut Out) {
        let number = usize::from(ctx.topics.place(partition).number);
        let queue = &mut self.queues[number];
        let (from, to) = (queue.open_from, queue.end);
        queue.open_from = to;
        let records = to - from;
        out.event(
            Event::ProduceSent { producer: self.id, partition, records },
            Causes::NONE.and(Role::WaitedFor, queue.last_sent),
        );
        let message = Message::Produce { producer: self.id, partition, from, to };
        out.send(Node::Producer(self.id), Node::Broker(ctx.leader(partition)), message);
    }

    /// The broker has answered.
    pub fn handle_answer(
        &mut self,
        sent_by: StepNo,
        partition: PartitionId,
        records: u32,
        base_offset: Offset,
        out: &mut Out,
    ) {
        out.event(
            Event::ProduceAcknowledged { producer: self.id, partition, records, base_offset },
            Causes::triggered_by(sent_by),
        );
    }

    /// Records of this partition that were ever queued.
    pub fn queued(&self, number: usize) -> u32 {
        self.queues[number].end
    }

    /// Records of this partition that still wait in the open batch.
    pub fn waiting(&self, number: usize) -> u32 {
        self.queues[number].end - self.queues[number].open_from
    }
}

fn draw_key(workload: &Workload, rng: &mut Xoshiro256PlusPlus) -> KeyId {
    let number = workload::draw_key(&workload.cumulative_weights, 0, rng).expect("a workload has keys and no null key");
    KeyId(workload.first_key.0 + number)
}
