//! A producer client's way from `send()` to its requests: the partitioner and the accumulator, which talk to each
//! other.
//!
//! Plain methods over plain state. The caller keeps the time: after [`send`](Sender::send) and after an answer it calls
//! [`drain`](Sender::drain) until that returns nothing, and once more at [`next_ready`](Sender::next_ready).

use super::accumulator::{Accumulator, Appended, ProduceRequest};
use super::batching::Batching;
use super::size::RecordSize;
use crate::sim::ids::BrokerId;
use crate::sim::partitioner::{Choice, Chooser, Partitioner, TopicView};
use crate::sim::time::Time;
use rand::rngs::Xoshiro256PlusPlus;

/// A record that the application hands to `send()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing<'r> {
    /// The partition, if the application has set one.
    pub partition: Option<u16>,
    /// The serialized key; null and empty are two things.
    pub key: Option<&'r [u8]>,
    /// Bytes of the serialized value; nothing for null.
    pub value_bytes: Option<u32>,
}

impl Outgoing<'_> {
    fn size(&self) -> RecordSize {
        RecordSize { key: self.key.map(|key| key.len() as u32), value: self.value_bytes }
    }
}

/// The state of a producer process for one topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    /// Which partition is next.
    pub chooser: Chooser,
    /// What waits.
    pub accumulator: Accumulator,
}

impl Sender {
    /// A producer that starts now, for a topic with this many partitions.
    pub fn new(rule: Partitioner, partitions: u16, rng: &mut Xoshiro256PlusPlus) -> Self {
        Sender { chooser: Chooser::new(rule, rng), accumulator: Accumulator::new(partitions) }
    }

    /// `send()`: picks the partition and appends the record to its batches. Also tells how the partition was chosen.
    ///
    /// Source: `KafkaProducer#doSend`, `RecordAccumulator#append`.
    pub fn send(
        &mut self,
        settings: &Batching,
        topic: TopicView<'_>,
        now: Time,
        record: Outgoing<'_>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> (Appended, Choice) {
        let chosen = match record.partition {
            Some(partition) => (partition, Choice::Explicit),
            None if self.chooser.is_sticky_by_bytes(record.key) => {
                return self.append_sticky(settings, topic, now, record.size(), rng);
            }
            None => self.chooser.choose(now, topic, record.key, rng),
        };
        self.append(settings, topic, now, (chosen, record), rng)
    }

    /// Appends to this partition; a partitioner that hears of new batches may choose again, once.
    fn append(
        &mut self,
        settings: &Batching,
        topic: TopicView<'_>,
        now: Time,
        ((mut partition, mut chosen), record): ((u16, Choice), Outgoing<'_>),
        rng: &mut Xoshiro256PlusPlus,
    ) -> (Appended, Choice) {
        let Sender { chooser, accumulator } = self;
        let size = record.size();
        if let Some(appended) = accumulator.try_append(settings, now, partition, size) {
            return (appended, chosen);
        }
        if chooser.rule().hears_of_new_batches() {
            chooser.on_new_batch(topic, partition, rng);
            if record.partition.is_none() {
                let before = (partition, chosen);
                (partition, chosen) = chooser.choose(now, topic, record.key, rng);
                if let Choice::StickyByBatch { is_first } = &mut chosen {
                    *is_first = partition != before.0 || before.1 == Choice::StickyByBatch { is_first: true };
                }
            }
            if let Some(appended) = accumulator.try_append(settings, now, partition, size) {
                return (appended, chosen);
            }
        }
        (accumulator.append_to_new_batch(settings, now, partition, size), chosen)
    }

    /// Appends to the partition that the built-in partitioner stays on, which may be left before and after.
    #[inline(never)]
    fn append_sticky(
        &mut self,
        settings: &Batching,
        topic: TopicView<'_>,
        now: Time,
        size: RecordSize,
        rng: &mut Xoshiro256PlusPlus,
    ) -> (Appended, Choice) {
        let Sender { chooser, accumulator } = self;
        // Kafka takes 0 for one byte, so that each record makes a batch of its own.
        let batch_size = settings.batch_size.max(1);
        loop {
            let (partition, chosen) = chooser.choose(now, topic, None, rng);
            let appended = match accumulator.try_append(settings, now, partition, size) {
                Some(appended) => appended,
                // No batch takes more now: the last one is closed, full or sent.
                None if chooser.update(topic, 0, true, batch_size, rng) => continue,
                None => accumulator.append_to_new_batch(settings, now, partition, size),
            };
            let all_full = accumulator.all_full(settings, partition);
            chooser.update(topic, appended.bytes, all_full, batch_size, rng);
            let chosen = match chosen {
                Choice::StickyByBytes { bytes, is_first } => {
                    Choice::StickyByBytes { bytes: bytes + appended.bytes, is_first }
                }
                other => other,
            };
            return (appended, chosen);
        }
    }

    /// The next requests; see [`Accumulator::drain`]. An adaptive partitioner sees the queues as they are before.
    pub fn drain(
        &mut self,
        settings: &Batching,
        topic: TopicView<'_>,
        now: Time,
        leader_of: impl Fn(u16) -> Option<BrokerId>,
        can_send: impl Fn(BrokerId) -> bool,
    ) -> Vec<ProduceRequest> {
        if self.chooser.is_adaptive() {
            let is_known = self.accumulator.has_used(topic.partitions);
            self.chooser.note_load(self.accumulator.load().filter(|_| is_known));
        }
        self.accumulator.drain(settings, now, leader_of, can_send)
    }

    /// When [`drain`](Sender::drain) has something to send; see [`Accumulator::next_ready`].
    pub fn next_ready(
        &self,
        settings: &Batching,
        now: Time,
        leader_of: impl Fn(u16) -> Option<BrokerId>,
        can_send: impl Fn(BrokerId) -> bool,
    ) -> Option<Time> {
        self.accumulator.next_ready(settings, now, leader_of, can_send)
    }
}
