//! The producer client: batches for each partition, `linger.ms`, Produce requests.
//!
//! Source: `org.apache.kafka.clients.producer.internals.RecordAccumulator`, `Sender`. `batch.size`, the limit of requests
//! in flight and retries are not modelled yet: no batch of a scenario comes near the former, and nothing fails.

use super::effect::{Context, Out};
use super::event::Event;
use super::ids::*;
use super::network::{Message, Node};
use super::queue::Due;
use super::setup::{Source, Workload};
use super::step::{Causes, Role};
use super::time::{Span, Time};
use rand::RngExt as _;
use rand::rngs::Xoshiro256PlusPlus;

/// The state of a producer's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProducerProcess {
    /// It runs, since the start of the run or since it was started again.
    Running,
    /// It was killed.
    Crashed,
    /// It has stopped in order.
    Closed,
}

/// A producer through all of its restarts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer {
    id: ProducerId,
    /// Its process.
    pub process: ProducerProcess,
    /// Records handed to `send()` so far.
    pub sent: u32,
    /// Records of its source that it has sent, or passed over while it did not run.
    pub next: u32,
    /// When it sends the next of them.
    next_at: Option<Time>,
    /// The workload's rate, if somebody has changed it: from this record on, which is sent then.
    rate: Option<(u32, Time, u32)>,
    /// Records that its process had in hand when it died, and had not sent.
    pub never_sent: u32,
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
    /// When the open batch is sent.
    linger_at: Time,
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
        Producer {
            id,
            process: ProducerProcess::Running,
            sent: 0,
            next: 0,
            next_at: None,
            rate: None,
            never_sent: 0,
            queues: vec![Accumulator::default(); partitions],
        }
    }

    /// When it sends the record `next` of its source, if there is one.
    fn next_time(&self, source: &Source) -> Option<Time> {
        match (source, self.rate) {
            (Source::Workload(workload), Some((from, at, per_second))) if self.next >= from => {
                let after = Span::from_micros(u64::from(self.next - from) * 1_000_000 / u64::from(per_second));
                (self.next < workload.records).then_some(at + after)
            }
            _ => Producer::send_time(source, self.next),
        }
    }

    /// Records in a second, if its source has a rate.
    pub fn rate(&self, source: &Source) -> Option<u32> {
        match source {
            Source::Records(_) => None,
            Source::Workload(workload) => Some(self.rate.map_or(workload.per_second, |(.., per_second)| per_second)),
        }
    }

    /// The workload goes on at another rate behind the record that is next.
    pub fn set_rate(&mut self, per_second: u32) {
        if let Some(at) = self.next_at {
            self.rate = Some((self.next, at, per_second));
        }
    }

    /// Schedules the next record of its source.
    pub fn schedule(&mut self, source: &Source) -> Option<(Time, Due)> {
        self.next_at = self.next_time(source);
        Some((self.next_at?, Due::Send(self.id)))
    }

    /// True if this is the time at which its application sends the next record of its source.
    pub fn sends_at(&self, now: Time) -> bool {
        self.process == ProducerProcess::Running && self.next_at == Some(now)
    }

    /// The process is killed: what waits in an open batch was never sent.
    pub fn crash(&mut self, causes: Causes, out: &mut Out) {
        let mut unsent = 0;
        for queue in &mut self.queues {
            unsent += queue.end - queue.open_from;
            queue.open_from = queue.end;
        }
        self.never_sent += unsent;
        self.process = ProducerProcess::Crashed;
        out.event(Event::ProducerCrashed { producer: self.id, unsent }, causes);
    }

    /// The process stops in order: what waits in an open batch is sent now.
    pub fn close(&mut self, ctx: Context<'_>, causes: Causes, out: &mut Out) {
        self.process = ProducerProcess::Closed;
        out.event(Event::ProducerClosed { producer: self.id }, causes);
        for &partition in ctx.topics.partitions_of(ctx.setup.producers[self.id.index()].topic) {
            let number = usize::from(ctx.topics.place(partition).number);
            if let Some(queue) = self.queues.get_mut(number)
                && queue.open_from < queue.end
            {
                queue.linger_at = ctx.now;
                out.wake(ctx.now, Due::Linger(self.id, partition));
            }
        }
    }

    /// The process starts again. Its application goes on with what is to be sent from now on; what it would have sent
    /// meanwhile is not sent at all.
    pub fn start(&mut self, ctx: Context<'_>, causes: Causes, out: &mut Out) {
        self.process = ProducerProcess::Running;
        out.event(Event::ProducerStarted { producer: self.id }, causes);
        let source = &ctx.setup.producers[self.id.index()].source;
        // What is still scheduled for later stays so.
        if self.next_at.is_none_or(|at| at >= ctx.now) {
            return;
        }
        while self.next_time(source).is_some_and(|at| at < ctx.now) {
            self.next += 1;
        }
        if let Some((at, due)) = self.schedule(source) {
            out.wake(at, due);
        }
    }

    /// Its topic has a partition more.
    pub fn add_partition(&mut self) {
        self.queues.push(Accumulator::default());
    }

    /// How many partitions of its topic it knows.
    pub fn partitions(&self) -> usize {
        self.queues.len()
    }

    /// When the `index`-th record is handed to `send()`, if there is one.
    pub fn send_time(source: &Source, index: u32) -> Option<Time> {
        match source {
            Source::Records(records) => records.get(index as usize).map(|record| record.at),
            Source::Workload(workload) => (index < workload.records).then(|| {
                workload.from + Span::from_micros(u64::from(index) * 1_000_000 / u64::from(workload.per_second))
            }),
        }
    }

    /// The application's next record.
    pub fn next_record(&self, source: &Source, rng: &mut Xoshiro256PlusPlus) -> Draft {
        match source {
            Source::Records(records) => {
                let record = &records[self.next as usize];
                Draft { key: record.key, value: record.value }
            }
            Source::Workload(workload) => Draft { key: Some(draw_key(workload, rng)), value: workload.value },
        }
    }

    /// `send()`: the record joins the open batch of its partition.
    pub fn send(&mut self, ctx: Context<'_>, record: RecordId, partition: PartitionId, causes: Causes, out: &mut Out) {
        let number = usize::from(ctx.topics.place(partition).number);
        let setup = &ctx.setup.producers[self.id.index()];
        self.sent += 1;
        let queue = &mut self.queues[number];
        let opens_batch = queue.open_from == queue.end;
        queue.end += 1;
        queue.last_sent = ctx.step;
        out.event(Event::RecordSent { record, partition }, causes);
        if opens_batch {
            queue.linger_at = ctx.now + setup.linger;
            out.wake(queue.linger_at, Due::Linger(self.id, partition));
        }
    }

    /// A record of its source has been sent: the next one is scheduled.
    pub fn go_on(&mut self, source: &Source, out: &mut Out) {
        self.next += 1;
        if let Some((at, due)) = self.schedule(source) {
            out.wake(at, due);
        }
    }

    /// The open batch has waited long enough: it is sent.
    pub fn handle_linger(&mut self, ctx: Context<'_>, partition: PartitionId, out: &mut Out) {
        let number = usize::from(ctx.topics.place(partition).number);
        let queue = &mut self.queues[number];
        let (from, to) = (queue.open_from, queue.end);
        if from == to || queue.linger_at != ctx.now {
            return;
        }
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
        // A process that has ended hears nothing.
        if self.process == ProducerProcess::Crashed {
            return;
        }
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
    let total = *workload.cumulative_weights.last().expect("a workload has a key");
    let drawn: u32 = rng.random_range(1..=total);
    let place = workload.cumulative_weights.partition_point(|&sum| sum < drawn);
    KeyId(workload.first_key.0 + place as u32)
}
