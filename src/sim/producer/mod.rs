//! The producer client: its process, what its application sends, and what it knows of its topic.
//!
//! Source: `org.apache.kafka.clients.producer.KafkaProducer`, `internals.RecordAccumulator`, `internals.Sender`,
//! `org.apache.kafka.clients.Metadata`. What it sends goes through its [`sender`], with its
//! [`partitioner`](super::partitioner) and [`accumulator`]; [`requests`] is the thread behind it.

pub mod accumulator;
pub mod batching;
mod process;
mod requests;
pub mod sender;
mod set;
pub mod size;
pub mod workload;

#[cfg(test)]
mod tests;

use super::effect::{Context, Out};
use super::ids::*;
use super::partitioner::{Choice, TopicView};
use super::queue::Due;
use super::setup::{ProducerSettings, ProducerSetup, Source, Workload};
use super::target::ProducerSetting;
use super::time::Time;
use accumulator::{Filling, ProduceRequest};
use rand::rngs::Xoshiro256PlusPlus;
use sender::{Outgoing, Sender};
use std::collections::VecDeque;
use std::rc::Rc;
use workload::Arrivals;

/// The state of a producer's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProducerProcess {
    /// It runs, since the start of the run or since it was started again.
    Running,
    /// It was killed.
    Crashed,
    /// It has stopped in order: it takes no more records, and sends those that wait.
    Closed,
}

/// A producer through all of its restarts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer {
    id: ProducerId,
    /// Its process.
    pub process: ProducerProcess,
    /// Which start of its process.
    pub incarnation: Incarnation,
    /// The settings of its process, or of the last one.
    pub settings: Rc<ProducerSettings>,
    /// Those with which the next one starts.
    next_settings: Rc<ProducerSettings>,
    /// The step that stopped its process in order, if it is to be started again once all is sent and acknowledged.
    restarts: Option<StepNo>,
    /// Records handed to `send()` so far.
    pub sent: u32,
    /// Records of its source that it has sent, or passed over while it did not run.
    pub next: u32,
    /// When it sends the next of them.
    next_at: Option<Time>,
    /// The workload's rate, if somebody has changed it: from this record on, which is sent then.
    rate: Option<(u32, Time, u32)>,
    /// Records that its processes had in hand when they died, and had not sent.
    pub never_sent: u32,
    /// How many partitions of its topic it knows; 0 before its first `send()`.
    known: u16,
    /// When its process started: its metadata are as old as that, modulo `metadata.max.age.ms`.
    started_at: Time,
    /// The step that added the partitions that it learns of next.
    added: Option<StepNo>,
    /// The refresh of metadata that told it how many partitions there are, if not the first one.
    refreshed: Option<StepNo>,
    sender: Sender,
    /// Requests that leave at this moment, one a step.
    outbox: VecDeque<ProduceRequest>,
    /// When the sender's thread wakes up.
    wakes_at: Option<Time>,
    /// When it was told to.
    woken_at: Time,
    /// For each partition where the last record joined.
    last_sent: Vec<StepNo>,
    /// When an answer has made room for one more request, and its step.
    made_room: Option<(Time, StepNo)>,
    /// How often it has crashed: what was sent over connections from before is answered to nobody.
    crashes: Incarnation,
}

/// The record that is sent next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Its key, if it has one.
    pub key: Option<KeyId>,
    /// Its value.
    pub value: ValueId,
    /// The bytes of its value.
    pub value_bytes: u32,
    /// The number of the partition, if the application sets it.
    pub partition: Option<u16>,
}

/// Where a record has been put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The number of the partition.
    pub number: u16,
    /// The place in the producer's queue for that partition.
    pub index: u32,
    /// How many partitions the producer knew of.
    pub known: u16,
    /// How the partition was chosen.
    pub choice: Choice,
    /// The refresh of metadata since which the hash is divided by that many partitions.
    pub refreshed: Option<StepNo>,
}

impl Producer {
    /// A producer whose process runs from the start of the run on.
    pub fn new(id: ProducerId, setup: &ProducerSetup, rng: &mut Xoshiro256PlusPlus) -> Self {
        let settings = Rc::new(setup.settings);
        Producer {
            id,
            process: ProducerProcess::Running,
            incarnation: 1,
            settings: settings.clone(),
            next_settings: settings,
            restarts: None,
            sent: 0,
            next: 0,
            next_at: None,
            rate: None,
            never_sent: 0,
            known: 0,
            started_at: Time::ZERO,
            added: None,
            refreshed: None,
            sender: Sender::new(setup.settings.picks_by(), 0, rng),
            outbox: VecDeque::new(),
            wakes_at: None,
            woken_at: Time::ZERO,
            last_sent: Vec::new(),
            made_room: None,
            crashes: 0,
        }
    }

    fn setup<'a>(&self, ctx: Context<'a>) -> &'a ProducerSetup {
        &ctx.setup.producers[self.id.index()]
    }

    /// When it sends the record `next` of its source, if there is one.
    fn next_time(&self, source: &Source) -> Option<Time> {
        match (source, self.rate) {
            (Source::Records(records), _) => records.get(self.next as usize).map(|record| record.at),
            (Source::Workload(workload), _) if self.next >= workload.records => None,
            (Source::Workload(_), Some((from, at, per_second))) if self.next >= from => {
                Some(Arrivals::PerSecond(per_second).at(at, self.next - from))
            }
            (Source::Workload(workload), _) => Some(workload.arrivals.at(workload.from, self.next)),
        }
    }

    /// Records in a second, if its source has a rate.
    pub fn rate(&self, source: &Source) -> Option<u32> {
        match (source, self.rate) {
            (Source::Workload(_), Some((.., per_second))) => Some(per_second),
            (Source::Workload(Workload { arrivals: Arrivals::PerSecond(per_second), .. }), None) => Some(*per_second),
            _ => None,
        }
    }

    /// The workload goes on at another rate behind the record that is next.
    pub fn set_rate(&mut self, per_second: u32) {
        if let Some(at) = self.next_at {
            self.rate = Some((self.next, at, per_second));
        }
    }

    /// Its next process gets this setting. The process that begins with the run gets it too, until it has sent something.
    /// Returns whether that is so.
    pub fn set(&mut self, now: Time, setting: ProducerSetting) -> bool {
        Rc::make_mut(&mut self.next_settings).set(setting);
        let at_once = now == Time::ZERO && self.sent == 0 && self.incarnation == 1;
        if at_once {
            self.settings = self.next_settings.clone();
        }
        at_once
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

    /// A record of its source is sent: the next one is scheduled.
    pub fn go_on(&mut self, source: &Source, out: &mut Out) {
        self.next += 1;
        if let Some((at, due)) = self.schedule(source) {
            out.wake(at, due);
        }
    }

    /// The application's next record.
    pub fn next_record(&self, source: &Source, rng: &mut Xoshiro256PlusPlus) -> Draft {
        match source {
            Source::Records(records) => {
                let record = &records[self.next as usize];
                Draft {
                    key: record.key,
                    value: record.value,
                    value_bytes: record.value_bytes,
                    partition: record.partition,
                }
            }
            Source::Workload(workload) => {
                let number = workload::draw_key(&workload.cumulative_weights, workload.null_weight, rng);
                let (least, most) = workload.value_bytes;
                Draft {
                    key: number.map(|number| KeyId(workload.first_key.0 + number)),
                    value: workload.value,
                    value_bytes: workload::draw_size(least, most, rng),
                    partition: None,
                }
            }
        }
    }

    /// `send()`: the partition is chosen, the record joins a batch there, the sender's thread wakes up if need be.
    ///
    /// The first `send()` of a process asks for the metadata of its topic; the time that this takes is left out.
    /// Source: `KafkaProducer#doSend`, `#waitOnMetadata`.
    pub fn send(&mut self, ctx: Context<'_>, draft: Draft, rng: &mut Xoshiro256PlusPlus, out: &mut Out) -> Placed {
        if self.known == 0 {
            self.know(ctx.topics.partitions_of(self.setup(ctx).topic).len() as u16);
        }
        let record = Outgoing {
            partition: draft.partition,
            key: draft.key.map(|key| ctx.setup.keys[key.index()].text.as_bytes()),
            value_bytes: Some(draft.value_bytes),
        };
        let topic = TopicView::with_all(self.known);
        let (appended, choice) = self.sender.send(&self.settings.batching, topic, ctx.now, record, rng);
        self.sent += 1;
        self.last_sent[usize::from(appended.partition)] = ctx.step;
        if appended.full {
            if self.has_room(ctx.leader_of(appended.partition)) {
                self.wake(ctx, ctx.now, out);
            }
        } else if appended.new_batch {
            self.wake(ctx, ctx.now + self.settings.batching.linger, out);
        }
        let refreshed = self.refreshed.filter(|_| matches!(choice, Choice::Hash(_)));
        Placed { number: appended.partition, index: appended.index, known: self.known, choice, refreshed }
    }

    fn know(&mut self, partitions: u16) {
        self.known = partitions;
        self.sender.accumulator.grow(partitions);
        self.last_sent.resize(usize::from(partitions), StepNo::default());
    }

    /// How many partitions of its topic it knows; 0 before the first `send()` of its process.
    pub fn known_partitions(&self) -> u16 {
        self.known
    }

    /// Records of the partition with this number that were ever queued.
    pub fn queued(&self, number: usize) -> u32 {
        self.sender.accumulator.queued(number as u16)
    }

    /// Records of the partition with this number that wait in a batch.
    pub fn waiting(&self, number: usize) -> u32 {
        self.sender.accumulator.waiting(number as u16)
    }

    /// The batch of the partition with this number that the next record joins, if it fits.
    pub fn filling(&self, number: usize) -> Option<Filling> {
        self.sender.accumulator.filling(number as u16)
    }

    /// Records that wait in batches, for all partitions.
    pub fn all_waiting(&self) -> u32 {
        self.sender.accumulator.all_waiting()
    }

    /// Requests to a broker that are not answered.
    pub fn in_flight(&self, broker: BrokerId) -> u32 {
        self.sender.accumulator.in_flight(broker)
    }
}
