//! The broker as leader of partitions: appends batches, answers fetches.
//!
//! Source: `kafka.server.ReplicaManager`, `DelayedFetch`. One replica, so that the high watermark is the log end.
//! A Fetch without new records is kept until there are some. The empty answers that real Kafka sends each
//! `fetch.max.wait.ms`, and the Fetch that follows each, are left out where they change nothing: where the Fetch asks
//! for all partitions of the consumer.

mod fetches;

use super::effect::{Context, Out};
use super::event::{Event, PositionSource};
use super::ids::*;
use super::network::{Message, Node, Produce};
use super::queue::{Due, MemberKey};
use super::step::{Causes, Role};
use fetches::Fetches;
use std::collections::VecDeque;
use std::rc::Rc;

/// A partition, as its leader sees it: what has been appended, and what is being appended. Durable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    /// The log end offset: the offset of the next record.
    pub end: Offset,
    /// Batches that have arrived and are being appended.
    batches: VecDeque<Batch>,
    /// The last append.
    pub last_append: Option<StepNo>,
}

/// A batch that is being appended.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Batch {
    request: Produce,
    /// Its place among the batches of the request.
    place: u16,
    /// The next record of the producer's queue, and where the batch ends there.
    next: u32,
    to: u32,
    sent_by: StepNo,
}

/// A request of several batches, of which some are still being appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unanswered {
    /// The step that sent it.
    sent_by: StepNo,
    /// Batches to be appended.
    batches: u16,
    /// Where its first batch begins, once it is appended.
    base_offset: Offset,
}

/// The brokers of the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brokers {
    /// All partitions of all topics; each is led by one broker.
    pub partitions: Vec<Partition>,
    /// What each broker keeps.
    fetches: Vec<Fetches>,
    /// Requests that wait for the last of their batches.
    unanswered: Vec<Unanswered>,
}

/// What the broker has to look up to append: which record is next in a producer's queue.
pub trait ProducerQueues {
    /// The record at `index` of the queue of this producer for partition `number` of its topic.
    fn queued(&self, producer: ProducerId, number: u16, index: u32) -> RecordId;
    /// The step in which the record was sent.
    fn sent_by(&self, record: RecordId) -> StepNo;
}

impl Brokers {
    /// This many brokers with empty partitions.
    pub fn new(brokers: usize, partitions: usize) -> Self {
        Brokers {
            partitions: vec![Partition::default(); partitions],
            fetches: vec![Fetches::default(); brokers],
            unanswered: Vec::new(),
        }
    }

    /// Batches arrive. The first record of the first one is appended now, each further one in a step of its own at the
    /// same moment.
    pub fn handle_produce(
        &mut self,
        ctx: Context<'_>,
        queues: &impl ProducerQueues,
        (broker, sent_by): (BrokerId, StepNo),
        request: Produce,
        out: &mut Out,
    ) {
        if request.batches.len() > 1 {
            let batches = request.batches.len() as u16;
            self.unanswered.push(Unanswered { sent_by, batches, base_offset: 0 });
        }
        let partitions = ctx.topics.partitions_of(ctx.setup.producers[request.producer.index()].topic);
        let mut is_in_hand = false;
        for (place, batch) in request.batches.iter().enumerate() {
            let partition = partitions[usize::from(batch.partition)];
            debug_assert_eq!(ctx.leader(partition), broker);
            let batches = &mut self.partitions[partition.index()].batches;
            let request = request.clone();
            batches.push_back(Batch { request, place: place as u16, next: batch.from, to: batch.to, sent_by });
            if batches.len() > 1 {
                continue;
            }
            if is_in_hand {
                out.wake(ctx.now, Due::Append(partition));
            } else {
                is_in_hand = true;
                self.append_next(ctx, queues, partition, out);
            }
        }
    }

    /// Appends the next record of the batch in hand.
    pub fn append_next(
        &mut self,
        ctx: Context<'_>,
        queues: &impl ProducerQueues,
        partition: PartitionId,
        out: &mut Out,
    ) {
        let log = &mut self.partitions[partition.index()];
        let Some(batch) = log.batches.front_mut() else {
            return;
        };
        let record = queues.queued(batch.request.producer, ctx.topics.place(partition).number, batch.next);
        let offset = log.end;
        log.end += 1;
        log.last_append = Some(ctx.step);
        batch.next += 1;
        out.event(
            Event::RecordAppended { record, partition, offset },
            Causes::triggered_by(queues.sent_by(record)).and(Role::WaitedFor, batch.sent_by),
        );
        if batch.next < batch.to {
            out.wake(ctx.now, Due::Append(partition));
            return;
        }
        let batch = log.batches.pop_front().expect("it was just looked at");
        let broker = ctx.leader(partition);
        self.finish_batch(ctx, broker, batch, offset, out);
        if !self.partitions[partition.index()].batches.is_empty() {
            out.wake(ctx.now, Due::Append(partition));
        }
    }

    /// A batch is in the log, its last record at this offset. With the last batch of its request, the request is answered
    /// and all Fetches are looked at that wait for its records.
    fn finish_batch(&mut self, ctx: Context<'_>, broker: BrokerId, batch: Batch, last: Offset, out: &mut Out) {
        let Batch { request, place, sent_by, .. } = batch;
        let mut base_offset = last + 1 - request.batches[usize::from(place)].len();
        if let Some(index) = self.unanswered.iter().position(|unanswered| unanswered.sent_by == sent_by) {
            let unanswered = &mut self.unanswered[index];
            unanswered.batches -= 1;
            if place == 0 {
                unanswered.base_offset = base_offset;
            }
            if unanswered.batches > 0 {
                return;
            }
            base_offset = self.unanswered.remove(index).base_offset;
        }
        let Produce { producer, crashes, batches } = request;
        let partitions = ctx.topics.partitions_of(ctx.setup.producers[producer.index()].topic);
        let fetches = &mut self.fetches[broker.index()];
        for batch in batches.iter() {
            let partition = partitions[usize::from(batch.partition)];
            fetches.wake_those_waiting_for(partition, |consumer| out.wake(ctx.now, Due::AnswerFetch(broker, consumer)));
        }
        let answer = Message::ProduceAnswer { crashes, batches, base_offset };
        out.send(Node::Broker(broker), Node::Producer(producer), answer);
    }

    /// ListOffsets: where the logs of these partitions start or end, or what `first_since` says: the first offset of a
    /// partition's records that fits, of so many.
    pub fn handle_list_offsets(
        &mut self,
        sent_by: StepNo,
        (broker, member): (BrokerId, MemberKey),
        (partitions, source): (&[PartitionId], PositionSource),
        first_since: impl Fn(PartitionId, Offset) -> Option<Offset>,
        out: &mut Out,
    ) {
        let offset = |partition: PartitionId| match source {
            PositionSource::Latest => Some(self.partitions[partition.index()].end),
            PositionSource::ByDuration => first_since(partition, self.partitions[partition.index()].end),
            PositionSource::Earliest | PositionSource::Committed | PositionSource::Stored => Some(0),
        };
        let offsets: Rc<[_]> = partitions.iter().map(|&partition| (partition, offset(partition))).collect();
        self.name_partitions(|| partitions.into(), out);
        out.event(
            Event::ListOffsetsAnswered { consumer: member.consumer, partitions: offsets.len() as u32 },
            Causes::triggered_by(sent_by),
        );
        let answer = Message::ListOffsetsAnswer { request: sent_by, offsets, source };
        out.send(Node::Broker(broker), Node::Consumer(member), answer);
    }
}
