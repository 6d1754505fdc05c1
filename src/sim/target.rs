//! What an action is done to, as small values: a process, a message on its way, an offset, a setting.

use super::assignor::AssignorList;
use super::digest::Canonical;
use super::ids::*;
use super::setup::{CommitPolicy, OffsetReset, TopicPartition};
use super::time::Span;
use borsh::{BorshDeserialize, BorshSerialize};
use std::mem::discriminant;

/// A client process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, BorshSerialize, BorshDeserialize)]
pub enum ClientId {
    /// A producer.
    Producer(ProducerId),
    /// A consumer.
    Consumer(ConsumerId),
}

impl ClientId {
    /// The consumer, if it is one.
    pub const fn consumer(self) -> Option<ConsumerId> {
        match self {
            ClientId::Consumer(consumer) => Some(consumer),
            ClientId::Producer(_) => None,
        }
    }
}

impl From<ConsumerId> for ClientId {
    fn from(consumer: ConsumerId) -> Self {
        ClientId::Consumer(consumer)
    }
}

impl From<ProducerId> for ClientId {
    fn from(producer: ProducerId) -> Self {
        ClientId::Producer(producer)
    }
}

impl Canonical for ClientId {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            ClientId::Producer(producer) => (0u8, producer.0),
            ClientId::Consumer(consumer) => (1u8, consumer.0),
        }
        .encode(out);
    }
}

/// A kind of request, with its key in Kafka's protocol (`org.apache.kafka.common.protocol.ApiKeys`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
#[borsh(use_discriminant = true)]
#[repr(u16)]
pub enum Api {
    /// Append a batch.
    Produce = 0,
    /// Read records.
    Fetch = 1,
    /// The first or last offset.
    ListOffsets = 2,
    /// Store offsets.
    OffsetCommit = 8,
    /// Read stored offsets.
    OffsetFetch = 9,
    /// Join a group.
    JoinGroup = 11,
    /// Show that a member lives.
    Heartbeat = 12,
    /// Leave a group.
    LeaveGroup = 13,
    /// Get the assignment.
    SyncGroup = 14,
    /// The one request of the consumer group protocol.
    ConsumerGroupHeartbeat = 68,
}

impl Api {
    /// All of them.
    pub const ALL: [Api; 10] = [
        Api::Produce,
        Api::Fetch,
        Api::ListOffsets,
        Api::OffsetCommit,
        Api::OffsetFetch,
        Api::JoinGroup,
        Api::Heartbeat,
        Api::LeaveGroup,
        Api::SyncGroup,
        Api::ConsumerGroupHeartbeat,
    ];

    /// Its name in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Api::Produce => "Produce",
            Api::Fetch => "Fetch",
            Api::ListOffsets => "ListOffsets",
            Api::OffsetCommit => "OffsetCommit",
            Api::OffsetFetch => "OffsetFetch",
            Api::JoinGroup => "JoinGroup",
            Api::Heartbeat => "Heartbeat",
            Api::LeaveGroup => "LeaveGroup",
            Api::SyncGroup => "SyncGroup",
            Api::ConsumerGroupHeartbeat => "ConsumerGroupHeartbeat",
        }
    }

    /// True if a Java client sends it over its connection to the coordinator. That is a connection of its own, beside
    /// the one to the same broker for data (`AbstractCoordinator.FindCoordinatorResponseHandler`).
    pub const fn goes_to_coordinator(self) -> bool {
        !matches!(self, Api::Produce | Api::Fetch | Api::ListOffsets)
    }
}

impl Canonical for Api {
    fn encode(&self, out: &mut Vec<u8>) {
        (*self as u16).encode(out);
    }
}

/// A kind of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct MessageKind {
    /// What is asked.
    pub api: Api,
    /// True for the answer, false for the request.
    pub is_answer: bool,
}

impl Canonical for MessageKind {
    fn encode(&self, out: &mut Vec<u8>) {
        (self.api, self.is_answer).encode(out);
    }
}

/// A message on its way, named so that it means the same in every run: the `nth` of its kind from or to a client, in
/// the order of sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct MessageRef {
    /// What it is.
    pub kind: MessageKind,
    /// The client that sends or gets it.
    pub client: ClientId,
    /// Which of them, from 0.
    pub nth: u16,
}

/// Where a tool sets a group's committed offsets, as `kafka-consumer-groups --reset-offsets` can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum ResetTo {
    /// The start of the log.
    Earliest,
    /// Its end.
    Latest,
    /// This offset; beyond the log, its nearest end.
    Offset(Offset),
    /// So many records on from what is committed, or back; never beyond the log.
    ShiftBy(i32),
}

/// Which records a handling time is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum HandlingOf {
    /// All that have no time of their own.
    Every,
    /// Those with this key.
    Key(KeyId),
    /// Those of this partition.
    Partition(TopicPartition),
    /// The one at this offset.
    Record(TopicPartition, Offset),
}

impl HandlingOf {
    /// True for a record with this key at this place.
    pub fn fits(self, key: Option<KeyId>, place: TopicPartition, offset: Offset) -> bool {
        match self {
            HandlingOf::Every => true,
            HandlingOf::Key(of) => key == Some(of),
            HandlingOf::Partition(of) => place == of,
            HandlingOf::Record(of, at) => place == of && offset == at,
        }
    }

    /// Of two that fit a record, the one with the lower rank says more about it. All records of a key are usually in one
    /// partition, so a key says more than a partition.
    pub const fn rank(self) -> u8 {
        match self {
            HandlingOf::Record(..) => 0,
            HandlingOf::Key(_) => 1,
            HandlingOf::Partition(_) => 2,
            HandlingOf::Every => 3,
        }
    }
}

impl Canonical for HandlingOf {
    fn encode(&self, out: &mut Vec<u8>) {
        match *self {
            HandlingOf::Every => 0u8.encode(out),
            HandlingOf::Key(key) => (1u8, key.0).encode(out),
            HandlingOf::Partition(place) => {
                (2u8, place.topic.0).encode(out);
                place.number.encode(out);
            }
            HandlingOf::Record(place, offset) => {
                (3u8, place.topic.0).encode(out);
                (place.number, offset).encode(out);
            }
        }
    }
}

/// A setting of a consumer and a value for it. A client reads its settings when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum ConsumerSetting {
    /// `session.timeout.ms`.
    SessionTimeout(Span),
    /// `heartbeat.interval.ms`.
    HeartbeatInterval(Span),
    /// `max.poll.interval.ms`.
    MaxPollInterval(Span),
    /// `max.poll.records`.
    MaxPollRecords(u32),
    /// `auto.offset.reset`.
    AutoOffsetReset(OffsetReset),
    /// `auto.commit.interval.ms`; without `enable.auto.commit` it is not looked at.
    AutoCommitInterval(Span),
    /// `metadata.max.age.ms`.
    MetadataMaxAge(Span),
    /// `enable.auto.commit`.
    EnableAutoCommit(bool),
    /// `partition.assignment.strategy`.
    PartitionAssignmentStrategy(AssignorList),
    /// `enable.auto.offset.store` of librdkafka.
    EnableAutoOffsetStore(bool),
    /// `autoCommitThreshold` of kafkajs, or none.
    AutoCommitThreshold(Option<u32>),
    /// `autoCommitInterval` of kafkajs, or none.
    LoopCommitInterval(Option<Span>),
}

impl Canonical for ConsumerSetting {
    fn encode(&self, out: &mut Vec<u8>) {
        match *self {
            ConsumerSetting::SessionTimeout(span) => (0u8, span.as_micros()),
            ConsumerSetting::HeartbeatInterval(span) => (1u8, span.as_micros()),
            ConsumerSetting::MaxPollInterval(span) => (2u8, span.as_micros()),
            ConsumerSetting::MaxPollRecords(records) => (3u8, u64::from(records)),
            ConsumerSetting::AutoOffsetReset(OffsetReset::Earliest) => (4u8, 0),
            ConsumerSetting::AutoOffsetReset(OffsetReset::Latest) => (4u8, 1),
            ConsumerSetting::AutoOffsetReset(OffsetReset::None) => (4u8, 2),
            ConsumerSetting::AutoOffsetReset(OffsetReset::ByDuration(span)) => (5u8, span.as_micros()),
            ConsumerSetting::AutoCommitInterval(span) => (6u8, span.as_micros()),
            ConsumerSetting::MetadataMaxAge(span) => (7u8, span.as_micros()),
            ConsumerSetting::EnableAutoCommit(on) => (8u8, u64::from(on)),
            // One digit for each, the first choice first.
            ConsumerSetting::PartitionAssignmentStrategy(list) => {
                (9u8, list.iter().fold(0, |digits, assignor| digits * 10 + assignor as u64 + 1))
            }
            ConsumerSetting::EnableAutoOffsetStore(on) => (10u8, u64::from(on)),
            // Neither can be 0 where it is set.
            ConsumerSetting::AutoCommitThreshold(records) => (11u8, u64::from(records.unwrap_or(0))),
            ConsumerSetting::LoopCommitInterval(span) => (12u8, span.map_or(0, Span::as_micros)),
        }
        .encode(out);
    }
}

/// A setting of a producer and a value for it. A client reads its settings when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum ProducerSetting {
    /// `linger.ms`.
    Linger(Span),
    /// `batch.size`.
    BatchSize(u32),
}

impl Canonical for ProducerSetting {
    fn encode(&self, out: &mut Vec<u8>) {
        match *self {
            ProducerSetting::Linger(span) => (0u8, span.as_micros()),
            ProducerSetting::BatchSize(bytes) => (1u8, u64::from(bytes)),
        }
        .encode(out);
    }
}

/// A setting of all brokers and a value for it. These are read-only while a broker runs: it reads them when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum BrokerSetting {
    /// `group.initial.rebalance.delay.ms`.
    GroupInitialRebalanceDelay(Span),
}

impl Canonical for BrokerSetting {
    fn encode(&self, out: &mut Vec<u8>) {
        match *self {
            BrokerSetting::GroupInitialRebalanceDelay(span) => (0u8, span.as_micros()),
        }
        .encode(out);
    }
}

/// Something that is changed while the world runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Change {
    /// How long a consumer's application takes for a record: from the next record on, and after a restart. Ours.
    HandlingTime {
        /// Whose.
        consumer: ConsumerId,
        /// For which records.
        of: HandlingOf,
        /// How long.
        time: Span,
    },
    /// The delay between clients and a broker: for what is sent from now on. Ours.
    Latency {
        /// Which broker.
        broker: BrokerId,
        /// How long, one way.
        latency: Span,
    },
    /// The rate of a workload: after the record that is next. Ours.
    Rate {
        /// Which producer.
        producer: ProducerId,
        /// Records in a second; at least 1.
        per_second: u32,
    },
    /// A setting of a consumer's client: from its next start on.
    Setting {
        /// Whose.
        consumer: ConsumerId,
        /// Which, and the value.
        setting: ConsumerSetting,
    },
    /// A setting of a producer's client: from its next start on. What its process starts with at the beginning of the run
    /// can be changed until it sends its first record.
    ProducerSetting {
        /// Whose.
        producer: ProducerId,
        /// Which, and the value.
        setting: ProducerSetting,
    },
    /// When a consumer's application commits: from the next record on, and after a restart. Ours.
    Commit {
        /// Whose.
        consumer: ConsumerId,
        /// When, and by which call.
        policy: CommitPolicy,
    },
    /// A table gets its unique key, or loses it: for what is written from now on. Ours.
    UniqueKey {
        /// Which table.
        sink: SinkId,
        /// Whether it has one.
        is_unique: bool,
    },
    /// A setting of all brokers: at the beginning of the run only, as restarting a broker is not modelled.
    BrokerSetting(BrokerSetting),
    /// A table does not answer from now on, or does so again: while it is down every write fails. Ours.
    SinkDown {
        /// Which table.
        sink: SinkId,
        /// Whether it is down.
        is_down: bool,
    },
}

impl Change {
    /// The consumer whose change it is, if it is one's.
    pub const fn consumer(self) -> Option<ConsumerId> {
        match self {
            Change::HandlingTime { consumer, .. }
            | Change::Setting { consumer, .. }
            | Change::Commit { consumer, .. } => Some(consumer),
            Change::Latency { .. }
            | Change::Rate { .. }
            | Change::ProducerSetting { .. }
            | Change::UniqueKey { .. }
            | Change::SinkDown { .. }
            | Change::BrokerSetting(_) => None,
        }
    }

    /// The same of another consumer; what is not of one stays as it is.
    #[must_use]
    pub const fn of_consumer(self, consumer: ConsumerId) -> Self {
        match self {
            Change::HandlingTime { of, time, .. } => Change::HandlingTime { consumer, of, time },
            Change::Setting { setting, .. } => Change::Setting { consumer, setting },
            Change::Commit { policy, .. } => Change::Commit { consumer, policy },
            other => other,
        }
    }

    /// True if both are about one thing, whatever the values.
    pub fn is_of_the_same(self, other: Change) -> bool {
        match (self, other) {
            (Change::HandlingTime { consumer, of, .. }, Change::HandlingTime { consumer: owner, of: records, .. }) => {
                (consumer, of) == (owner, records)
            }
            (Change::Setting { consumer, setting }, Change::Setting { consumer: owner, setting: known }) => {
                consumer == owner && discriminant(&setting) == discriminant(&known)
            }
            (
                Change::ProducerSetting { producer, setting },
                Change::ProducerSetting { producer: owner, setting: known },
            ) => producer == owner && discriminant(&setting) == discriminant(&known),
            (Change::Commit { consumer, .. }, Change::Commit { consumer: owner, .. }) => consumer == owner,
            (Change::Latency { broker, .. }, Change::Latency { broker: owner, .. }) => broker == owner,
            (Change::Rate { producer, .. }, Change::Rate { producer: owner, .. }) => producer == owner,
            (Change::UniqueKey { sink, .. }, Change::UniqueKey { sink: owner, .. })
            | (Change::SinkDown { sink, .. }, Change::SinkDown { sink: owner, .. }) => sink == owner,
            (Change::BrokerSetting(setting), Change::BrokerSetting(known)) => {
                discriminant(&setting) == discriminant(&known)
            }
            _ => false,
        }
    }
}
