//! The broker as leader of partitions: appends batches, answers fetches.
//!
//! Source: `kafka.server.ReplicaManager`, `DelayedFetch`. One replica, so that the high watermark is the log end.
//! A Fetch without new records is kept until there are some. The empty answers that real Kafka sends each
//! `fetch.max.wait.ms`, and the Fetch that follows each, are left out where they change nothing: where the Fetch asks
//! for all partitions of the consumer.

use super::effect::{Context, Out};
use super::event::{Event, PositionSource};
use super::ids::*;
use super::network::{Message, Node, PartitionOffset, Range};
use super::queue::{Due, MemberKey};
use super::step::{Causes, Role};
use super::time::Span;
use std::collections::VecDeque;
use std::rc::Rc;

/// A partition, as its leader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Its topic.
    pub topic: TopicId,
    /// Its number in the topic.
    pub number: u16,
    /// The log end offset: the offset of the next record.
    pub end: Offset,
    /// Batches that have arrived and are being appended.
    batches: VecDeque<Batch>,
    /// The last append.
    pub last_append: Option<StepNo>,
    /// Consumers whose Fetch waits for a record here.
    waiting: Vec<ConsumerId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Batch {
    producer: ProducerId,
    from: u32,
    to: u32,
    next: u32,
    arrived_from: StepNo,
}

/// A Fetch that the broker keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KeptFetch {
    member: MemberKey,
    positions: Rc<[PartitionOffset]>,
    sent: StepNo,
    received: StepNo,
    /// True once there are records for it, or it has waited long enough.
    answer_due: bool,
}

/// The broker's partitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broker {
    /// All partitions of all topics.
    pub partitions: Vec<Partition>,
    fetches: Vec<Option<KeptFetch>>,
}

/// What the broker has to look up to append: which record is next in a producer's queue.
pub trait ProducerQueues {
    /// The record at `index` of the queue of this producer for partition `number` of its topic.
    fn queued(&self, producer: ProducerId, number: u16, index: u32) -> RecordId;
    /// The step in which the record was sent.
    fn sent_by(&self, record: RecordId) -> StepNo;
}

impl Broker {
    /// A broker with empty partitions, for this many consumers.
    pub fn new(partitions: Vec<(TopicId, u16)>, consumers: usize) -> Self {
        let partitions = partitions
            .into_iter()
            .map(|(topic, number)| Partition {
                topic,
                number,
                end: 0,
                batches: VecDeque::new(),
                last_append: None,
                waiting: Vec::new(),
            })
            .collect();
        Broker { partitions, fetches: vec![None; consumers] }
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
    ) -> Option<RecordId> {
        let batches = &mut self.partitions[partition.index()].batches;
        batches.push_back(Batch { producer, from, to, next: from, arrived_from: sent_by });
        if batches.len() == 1 { self.append_next(ctx, queues, partition, out) } else { None }
    }

    /// Appends the next record of the batch in hand and returns it.
    pub fn append_next(
        &mut self,
        ctx: Context<'_>,
        queues: &impl ProducerQueues,
        partition: PartitionId,
        out: &mut Out,
    ) -> Option<RecordId> {
        let log = &mut self.partitions[partition.index()];
        let batch = log.batches.front_mut()?;
        let record = queues.queued(batch.producer, log.number, batch.next);
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
            return Some(record);
        }
        log.batches.pop_front();
        let records = batch.to - batch.from;
        out.send_from_broker(
            Node::Producer(batch.producer),
            Message::ProduceAnswer { partition, records, base_offset: log.end - records },
        );
        for consumer in std::mem::take(&mut log.waiting) {
            if let Some(fetch) = &mut self.fetches[consumer.index()]
                && !fetch.answer_due
            {
                fetch.answer_due = true;
                out.wake(ctx.now, Due::AnswerFetch(consumer));
            }
        }
        if !self.partitions[partition.index()].batches.is_empty() {
            out.wake(ctx.now, Due::Append(partition));
        }
        Some(record)
    }

    /// A Fetch arrives; an earlier one of the same consumer is forgotten.
    pub fn handle_fetch(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        member: MemberKey,
        (positions, max_wait): (Rc<[PartitionOffset]>, Option<Span>),
        out: &mut Out,
    ) {
        let consumer = member.consumer;
        self.take_fetch(consumer);
        let has_records = positions.iter().any(|&(partition, offset)| offset < self.partitions[partition.index()].end);
        if has_records {
            out.wake(ctx.now, Due::AnswerFetch(consumer));
        } else {
            for (partition, _) in positions.iter() {
                self.partitions[partition.index()].waiting.push(consumer);
            }
            if let Some(max_wait) = max_wait {
                out.wake(ctx.now + max_wait, Due::FetchExpires(consumer, ctx.step));
            }
        }
        self.fetches[consumer.index()] =
            Some(KeptFetch { member, positions, sent: sent_by, received: ctx.step, answer_due: has_records });
        out.event(Event::FetchReceived { consumer, waits: !has_records }, Causes::triggered_by(sent_by));
    }

    /// The Fetch that was received in this step has waited for its `fetch.max.wait.ms`: it is answered as it is.
    pub fn handle_fetch_expires(&mut self, consumer: ConsumerId, received: StepNo, out: &mut Out) {
        if let Some(fetch) = self.fetches[consumer.index()].as_mut().filter(|fetch| fetch.received == received) {
            fetch.answer_due = true;
            self.answer_fetch(consumer, out);
        }
    }

    /// Takes the Fetch that is kept for a consumer; it waits no longer.
    fn take_fetch(&mut self, consumer: ConsumerId) -> Option<KeptFetch> {
        let fetch = self.fetches[consumer.index()].take()?;
        for (partition, _) in fetch.positions.iter() {
            self.partitions[partition.index()].waiting.retain(|&waiting| waiting != consumer);
        }
        Some(fetch)
    }

    /// Answers the Fetch that is kept for a consumer with all records behind its positions, once it is time to.
    pub fn answer_fetch(&mut self, consumer: ConsumerId, out: &mut Out) {
        if !self.fetches[consumer.index()].as_ref().is_some_and(|fetch| fetch.answer_due) {
            return;
        }
        let Some(fetch) = self.take_fetch(consumer) else {
            return;
        };
        let mut last_append = None;
        let ranges: Rc<[Range]> = fetch
            .positions
            .iter()
            .filter_map(|&(partition, from)| {
                let log = &self.partitions[partition.index()];
                last_append = last_append.max(log.last_append.filter(|_| from < log.end));
                (from < log.end).then_some(Range { partition, from, to: log.end })
            })
            .collect();
        let records = ranges.iter().map(|range| range.len()).sum();
        out.event(
            Event::FetchAnswered { consumer, records },
            Causes::triggered_by(fetch.received).and_maybe(Role::WaitedFor, last_append),
        );
        out.send_from_broker(Node::Consumer(fetch.member), Message::FetchAnswer { request: fetch.sent, ranges });
    }

    /// ListOffsets: where the logs of these partitions start or end.
    pub fn handle_list_offsets(
        &mut self,
        sent_by: StepNo,
        member: MemberKey,
        partitions: &[PartitionId],
        source: PositionSource,
        out: &mut Out,
    ) {
        let offsets: Rc<[PartitionOffset]> = partitions
            .iter()
            .map(|&partition| {
                let end = self.partitions[partition.index()].end;
                (partition, if source == PositionSource::Latest { end } else { 0 })
            })
            .collect();
        out.event(
            Event::ListOffsetsAnswered { consumer: member.consumer, partitions: offsets.len() as u32 },
            Causes::triggered_by(sent_by),
        );
        out.send_from_broker(Node::Consumer(member), Message::ListOffsetsAnswer { offsets, source });
    }
}
