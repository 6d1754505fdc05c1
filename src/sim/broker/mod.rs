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
use super::network::{Message, Node};
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Batch {
    producer: ProducerId,
    from: u32,
    to: u32,
    next: u32,
    arrived_from: StepNo,
}

/// The brokers of the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brokers {
    /// All partitions of all topics; each is led by one broker.
    pub partitions: Vec<Partition>,
    /// What each broker keeps.
    fetches: Vec<Fetches>,
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
        Brokers { partitions: vec![Partition::default(); partitions], fetches: vec![Fetches::default(); brokers] }
    }

    /// A batch arrives. Its first record is appended now, each further one in a step of its own at the same moment.
    #[expect(clippy::too_many_arguments, reason = "the fields of the request")]
    pub fn handle_produce(
        &mut self,
        ctx: Context<'_>,
        queues: &impl ProducerQueues,
        sent_by: StepNo,
        producer: ProducerId,
        partition: PartitionId,
        (from, to): (u32, u32),
        out: &mut Out,
    ) {
        let batches = &mut self.partitions[partition.index()].batches;
        batches.push_back(Batch { producer, from, to, next: from, arrived_from: sent_by });
        if batches.len() == 1 {
            self.append_next(ctx, queues, partition, out);
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
        let record = queues.queued(batch.producer, ctx.topics.place(partition).number, batch.next);
        let offset = log.end;
        log.end += 1;
        log.last_append = Some(ctx.step);
        batch.next += 1;
        let batch = *batch;
        out.event(
            Event::RecordAppended { record, partition, offset },
            Causes::triggered_by(queues.sent_by(record)).and(Role::WaitedFor, batch.arrived_from),
        );
        if batch.next < batch.to {
            out.wake(ctx.now, Due::Append(partition));
            return;
        }
        log.batches.pop_front();
        let records = batch.to - batch.from;
        let broker = ctx.leader(partition);
        out.send(
            Node::Broker(broker),
            Node::Producer(batch.producer),
            Message::ProduceAnswer { partition, records, base_offset: log.end - records },
        );
        let fetches = &mut self.fetches[broker.index()];
        fetches.wake_those_waiting_for(partition, |consumer| out.wake(ctx.now, Due::AnswerFetch(broker, consumer)));
        if !self.partitions[partition.index()].batches.is_empty() {
            out.wake(ctx.now, Due::Append(partition));
        }
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
            PositionSource::Earliest | PositionSource::Committed => Some(0),
        };
        let offsets: Rc<[_]> = partitions.iter().map(|&partition| (partition, offset(partition))).collect();
        out.event(
            Event::ListOffsetsAnswered { consumer: member.consumer, partitions: offsets.len() as u32 },
            Causes::triggered_by(sent_by),
        );
        let answer = Message::ListOffsetsAnswer { offsets, source };
        out.send(Node::Broker(broker), Node::Consumer(member), answer);
    }
}
