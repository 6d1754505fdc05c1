//! What a run starts from: the world, the seed, the script. Made by a scenario; the simulator trusts its references.

mod handling;
mod library;
mod names;
mod producer_client;

pub use handling::*;
pub use library::*;
pub use producer_client::*;

use super::action::{Action, PlannedAction};
use super::assignor::{Assignor, ServerAssignor};
use super::ids::*;
use super::partitioner::Partitioner;
use super::producer::batching::Batching;
use super::producer::workload::Arrivals;
use super::target::{ClientId, ConsumerSetting, ProducerSetting};
use super::time::{Span, Time};
use borsh::{BorshDeserialize, BorshSerialize};
use std::rc::Rc;

/// The most that one run may hold. Reaching a bound is an answer of [`Simulation::step`](super::Simulation::step) or an
/// error of the scenario file, never a hang.
pub mod bounds {
    /// Records that a workload sends in a second.
    pub const PER_SECOND: u32 = 1_000_000;
    use crate::sim::time::Span;

    /// Records handed to `send()`.
    pub const RECORDS: u32 = 100_000;
    /// Partitions of one topic.
    pub const PARTITIONS_PER_TOPIC: u32 = 200;
    /// Partitions over all topics; more are more than a page can draw.
    pub const PARTITIONS: u32 = 1_000;
    /// Brokers.
    pub const BROKERS: u32 = 12;
    /// Bytes of a record's value.
    pub const VALUE_BYTES: u32 = 10_000_000;
    /// Topics.
    pub const TOPICS: u32 = 64;
    /// Producers.
    pub const PRODUCERS: u32 = 64;
    /// Consumers over all groups.
    pub const MEMBERS: u32 = 256;
    /// Groups.
    pub const GROUPS: u32 = 16;
    /// Sinks.
    pub const SINKS: u32 = 16;
    /// Distinct keys of a workload.
    pub const KEYS: u32 = 100_000;
    /// Planned actions.
    pub const ACTIONS: u32 = 1_000;
    /// Steps of a run, hidden ones included.
    pub const STEPS: u32 = 1_000_000;
    /// The latest end of a run.
    pub const DURATION: Span = Span::from_secs(30 * 24 * 60 * 60);
}

/// Everything that decides a run, except what a person does during it.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Setup {
    /// Seeds every random choice of the run.
    pub seed: u64,
    /// The run ends at this moment.
    pub ends_at: Time,
    /// The brokers; there is at least one.
    pub brokers: Vec<BrokerSetup>,
    /// Settings that all brokers share.
    pub cluster: ClusterSettings,
    /// The topics.
    pub topics: Vec<TopicSetup>,
    /// The producers.
    pub producers: Vec<ProducerSetup>,
    /// The consumer groups.
    pub groups: Vec<GroupSetup>,
    /// The consumers of all groups.
    pub consumers: Vec<ConsumerSetup>,
    /// The tables that consumers write to.
    pub sinks: Vec<SinkSetup>,
    /// All record keys.
    pub keys: Vec<Key>,
    /// All record values.
    pub values: Vec<Rc<str>>,
    /// What happens by script.
    pub actions: Vec<PlannedAction>,
}

/// A broker.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct BrokerSetup {
    /// One-way delay between any client and this broker. Ours, not Kafka's.
    pub latency: Span,
}

/// Settings that all brokers of the cluster share.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ClusterSettings {
    /// `group.initial.rebalance.delay.ms`: how long the first rebalance of an empty group waits for more members.
    pub group_initial_rebalance_delay: Span,
    /// Settings for groups of the consumer protocol.
    pub consumer_groups: ConsumerGroupSettings,
    /// `group.max.size`: how many members a group may have.
    pub group_max_size: u32,
    /// `group.min.session.timeout.ms` and `group.max.session.timeout.ms`: the `session.timeout.ms` with which a member may
    /// join. A scenario is checked against them before it runs.
    pub session_timeout_bounds: (Span, Span),
    /// Which Kafka the brokers run.
    pub release: Release,
    /// How long committed offsets are kept.
    pub offsets: OffsetsSettings,
}

/// What the brokers decide for groups of the consumer protocol (KIP-848).
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ConsumerGroupSettings {
    /// `group.consumer.heartbeat.interval.ms`: members are told it with each answer.
    pub heartbeat_interval: Span,
    /// `group.consumer.session.timeout.ms`: silence after which the coordinator removes a member.
    pub session_timeout: Span,
    /// `group.consumer.assignment.interval.ms`: the least time between two target assignments (KIP-1263). Zero before 4.3.
    pub assignment_interval: Span,
    /// `group.consumer.assignors`: the first is used where members ask for none.
    pub assignors: Vec<ServerAssignor>,
    /// `group.consumer.min.heartbeat.interval.ms` and `group.consumer.max.heartbeat.interval.ms`: what the interval may be.
    pub heartbeat_interval_bounds: (Span, Span),
    /// `group.consumer.min.session.timeout.ms` and `group.consumer.max.session.timeout.ms`: what the timeout may be.
    pub session_timeout_bounds: (Span, Span),
}

impl Default for ConsumerGroupSettings {
    /// Those of Kafka 4.3 and later.
    fn default() -> Self {
        ConsumerGroupSettings {
            heartbeat_interval: Span::from_secs(5),
            session_timeout: Span::from_secs(45),
            assignment_interval: Span::from_secs(1),
            assignors: ServerAssignor::ALL.to_vec(),
            heartbeat_interval_bounds: (Span::from_secs(5), Span::from_secs(15)),
            session_timeout_bounds: (Span::from_secs(45), Span::from_secs(60)),
        }
    }
}

/// How long committed offsets are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct OffsetsSettings {
    /// `offsets.retention.minutes`.
    pub retention: Span,
    /// `offsets.retention.check.interval.ms`: how often the coordinator looks.
    pub check_interval: Span,
    /// What the retention counts from.
    pub from: RetentionFrom,
}

/// What `offsets.retention.minutes` counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum RetentionFrom {
    /// Each commit, whatever the group does: up to Kafka 2.0.
    Commit,
    /// The moment from which the group has no members (KIP-211, since Kafka 2.1); in a group with members, the commit, for
    /// topics to which nobody subscribes.
    Empty,
}

impl OffsetsSettings {
    /// Kafka's defaults since 2.1: seven days, looked at every ten minutes.
    pub const DEFAULT: OffsetsSettings = OffsetsSettings {
        retention: Span::from_secs(10_080 * 60),
        check_interval: Span::from_secs(600),
        from: RetentionFrom::Empty,
    };
}

impl ClusterSettings {
    /// The defaults of this release: sessions may last longer since 2.3, committed offsets are kept as long as the group has
    /// members since 2.1 (KIP-211), and there is a pause between two target assignments since 4.3 (KIP-1263).
    #[inline(never)]
    pub fn of_release(release: Release) -> Self {
        let longest_session = Span::from_secs(if release < (2, 3) { 300 } else { 1_800 });
        let from = if release < (2, 1) { RetentionFrom::Commit } else { RetentionFrom::Empty };
        let by_default = ConsumerGroupSettings::default();
        let assignment_interval = if release < (4, 3) { Span::ZERO } else { by_default.assignment_interval };
        ClusterSettings {
            group_initial_rebalance_delay: Span::from_secs(3),
            group_max_size: i32::MAX as u32,
            session_timeout_bounds: (Span::from_secs(6), longest_session),
            release,
            offsets: OffsetsSettings { from, ..OffsetsSettings::DEFAULT },
            consumer_groups: ConsumerGroupSettings { assignment_interval, ..by_default },
        }
    }
}

impl Default for ClusterSettings {
    /// The defaults of Kafka 4.4.
    fn default() -> Self {
        ClusterSettings::of_release((4, 4))
    }
}

/// A release line of Kafka: `(3, 6)`.
pub type Release = (u8, u8);

/// A topic.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct TopicSetup {
    /// Its name.
    pub name: Rc<str>,
    /// How many partitions it has at the start of the run. Partition `n` is led by broker `n` modulo the number of brokers.
    pub partitions: u16,
}

/// A partition by its place in a topic. It may be added only during the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, BorshSerialize, BorshDeserialize)]
pub struct TopicPartition {
    /// The topic.
    pub topic: TopicId,
    /// The number in the topic.
    pub number: u16,
}

/// A producer.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ProducerSetup {
    /// Its name, the `client.id`.
    pub name: Rc<str>,
    /// Where it writes.
    pub topic: TopicId,
    /// Its client's settings.
    pub settings: ProducerSettings,
    /// What it writes.
    pub source: Source,
}

/// Settings of a producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ProducerSettings {
    /// The partitioner, as its settings say.
    #[borsh(deserialize_with = "super::apart::partitioner")]
    pub partitioner: Partitioner,
    /// A partitioner with a known defect that picks partitions in place of it. Not a setting.
    #[borsh(deserialize_with = "super::apart::option")]
    pub defect: Option<Partitioner>,
    /// How records are gathered in batches, and batches in requests.
    pub batching: Batching,
    /// `metadata.max.age.ms`: how long new partitions of its topic may go unnoticed.
    pub metadata_max_age: Span,
    /// Which client it is.
    pub client: ProducerClient,
}

impl ProducerSettings {
    /// Defaults of Java clients since 4.0.
    pub const JAVA: ProducerSettings = ProducerSettings {
        partitioner: Partitioner::JAVA,
        defect: None,
        batching: Batching::JAVA,
        metadata_max_age: Span::from_secs(300),
        client: ProducerClient::JAVA,
    };

    /// How partitions are picked.
    pub fn picks_by(&self) -> Partitioner {
        self.defect.unwrap_or(self.partitioner)
    }

    /// The same with another `linger.ms`.
    #[must_use]
    pub const fn with_linger(mut self, linger: Span) -> Self {
        self.batching.linger = linger;
        self
    }

    /// Gives one of them another value.
    pub fn set(&mut self, setting: ProducerSetting) {
        match setting {
            ProducerSetting::Linger(span) => self.batching.linger = span,
            ProducerSetting::BatchSize(bytes) => self.batching.batch_size = bytes,
        }
    }
}

/// What a producer writes.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Source {
    /// These records, in order of time.
    Records(Vec<PlannedRecord>),
    /// Records at a rate or in bursts, with keys drawn at random.
    Workload(#[borsh(deserialize_with = "super::apart::value")] Workload),
}

/// One record to write.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct PlannedRecord {
    /// When the application calls `send()`.
    pub at: Time,
    /// Its key; a record without one is not a record with an empty one.
    pub key: Option<KeyId>,
    /// Its value.
    pub value: ValueId,
    /// The bytes of its value; the text may stand for a longer one.
    pub value_bytes: u32,
    /// The number of its partition, if the application sets it: one that the topic has from the start.
    pub partition: Option<u16>,
}

/// A stream of records with random keys.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Workload {
    /// When the first record is sent.
    pub from: Time,
    /// When the others follow.
    pub arrivals: Arrivals,
    /// How many records in all.
    pub records: u32,
    /// The first of its keys.
    pub first_key: KeyId,
    /// For each key, the sum of the weights up to and including it: a key is drawn in proportion to its weight.
    pub cumulative_weights: Vec<u32>,
    /// The weight of having no key.
    pub null_weight: u32,
    /// The value of each record.
    pub value: ValueId,
    /// The least and the most bytes of a value.
    pub value_bytes: (u32, u32),
}

/// A record key.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Key {
    /// The key as text; its UTF-8 bytes are what is hashed. It may be empty, which is not the same as no key.
    pub text: Rc<str>,
}

impl Key {
    /// A key.
    pub fn new(text: &str) -> Self {
        Key { text: text.into() }
    }
}

/// A consumer group: a name under which consumers share partitions and commit offsets.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct GroupSetup {
    /// The `group.id`.
    pub name: Rc<str>,
    /// What it has committed before the run, at most once for each partition.
    #[borsh(deserialize_with = "super::apart::list")]
    pub committed: Vec<(TopicPartition, Offset)>,
}

/// How a consumer process is started: what it reads, its client's settings, and the application around it.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ConsumerConfig {
    /// What it reads.
    pub reads: Reads,
    /// The client's settings.
    pub settings: ConsumerSettings,
    /// What the application does with a record.
    pub handling: Handling,
}

impl ConsumerConfig {
    /// Whether the application's loop may end between two records: one that commits by the batch ends behind it, as what
    /// it commits is all that `poll()` has returned.
    pub fn stops_between_records(&self) -> bool {
        let when = self.handling.commit.when;
        let by_the_record = when == CommitWhen::Never || when.is_by_the_record();
        let knows_what_is_handled = !self.settings.library.commits_what_is_handed_over();
        by_the_record && (!self.settings.enable_auto_commit || knows_what_is_handled)
    }
}

/// What a consumer reads.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Reads {
    /// `subscribe()`: the group deals the partitions of these topics.
    Subscribed(Rc<[TopicId]>),
    /// `assign()`: these partitions, whoever else reads them. The process is no member of its group, which only keeps
    /// its commits.
    Assigned(#[borsh(deserialize_with = "super::apart::value")] Rc<[TopicPartition]>),
}

impl Reads {
    /// True for `assign()`.
    pub const fn is_by_hand(&self) -> bool {
        matches!(self, Reads::Assigned(_))
    }

    /// The topics that it subscribes to.
    pub fn topics(&self) -> &[TopicId] {
        match self {
            Reads::Subscribed(topics) => topics,
            Reads::Assigned(_) => &[],
        }
    }
}

/// Settings of a consumer, with Kafka's names.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ConsumerSettings {
    /// `session.timeout.ms`: silence after which the coordinator removes a member.
    pub session_timeout: Span,
    /// `heartbeat.interval.ms`.
    pub heartbeat_interval: Span,
    /// `max.poll.interval.ms`, which is also the member's rebalance timeout.
    pub max_poll_interval: Span,
    /// `max.poll.records`: the most that one `poll()` returns.
    pub max_poll_records: u32,
    /// `auto.offset.reset`: where to start without a committed offset.
    pub auto_offset_reset: OffsetReset,
    /// `partition.assignment.strategy`: the assignors that it can work with, the one that it likes best first.
    pub assignors: Rc<[Assignor]>,
    /// `metadata.max.age.ms`: after this long the client asks which partitions there are.
    pub metadata_max_age: Span,
    /// `enable.auto.commit`: whether the client commits by itself.
    pub enable_auto_commit: bool,
    /// `auto.commit.interval.ms`: looked at only if it does.
    pub auto_commit_interval: Span,
    /// `group.protocol`; the same for all members of a group.
    #[borsh(deserialize_with = "super::apart::group_protocol")]
    pub group_protocol: GroupProtocol,
    /// Which Java client it is; of another library, the Java client that its requests are like.
    pub release: Release,
    /// Which client library it is.
    #[borsh(deserialize_with = "super::apart::library")]
    pub library: Library,
}

/// The Java client whose requests those of the other libraries are like: they join twice (KIP-394) and know lost partitions
/// (KIP-429), but a static leader that comes back deals anew (KIP-814).
const LIKE_JAVA: Release = (3, 0);

/// `group.protocol`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum GroupProtocol {
    /// `classic`: JoinGroup and SyncGroup, and a member that assigns.
    Classic,
    /// `consumer` (KIP-848): heartbeats, and a broker that assigns. The broker then also decides about heartbeat interval
    /// and session timeout: see [`ConsumerGroupSettings`].
    Consumer {
        /// `group.remote.assignor`; without one, the broker chooses.
        remote_assignor: Option<ServerAssignor>,
    },
}

impl ConsumerSettings {
    /// The defaults of a Java client: the session is longer since 3.0 (KIP-735), which is also since when a client can
    /// work cooperatively without being told to.
    pub fn of_release(release: Release) -> Self {
        let is_old = release < (3, 0);
        let assignors: &[Assignor] =
            if is_old { &[Assignor::Range] } else { &[Assignor::Range, Assignor::CooperativeSticky] };
        ConsumerSettings {
            session_timeout: Span::from_secs(if is_old { 10 } else { 45 }),
            heartbeat_interval: Span::from_secs(3),
            max_poll_interval: Span::from_secs(300),
            max_poll_records: 500,
            auto_offset_reset: OffsetReset::Latest,
            assignors: assignors.into(),
            metadata_max_age: Span::from_secs(300),
            enable_auto_commit: true,
            auto_commit_interval: Span::from_secs(5),
            group_protocol: GroupProtocol::Classic,
            release,
            library: Library::Java,
        }
    }
}

impl ConsumerSettings {
    /// Of a client that hands over all that it has.
    pub const ALL_RECORDS: u32 = i32::MAX as u32;

    /// The defaults of another client than Java's, with brokers of this release.
    #[inline(never)]
    pub fn of_library(library: Library, brokers: Release) -> Self {
        let base = ConsumerSettings { library, ..ConsumerSettings::of_release(LIKE_JAVA) };
        match library {
            Library::Java => base,
            Library::Librdkafka { .. } => ConsumerSettings {
                max_poll_records: 1,
                assignors: [Assignor::Range, Assignor::RoundRobin].into(),
                ..base
            },
            Library::KafkaJs { .. } => ConsumerSettings {
                session_timeout: Span::from_secs(30),
                max_poll_interval: Span::from_secs(60),
                max_poll_records: ConsumerSettings::ALL_RECORDS,
                assignors: [Assignor::RoundRobinAssigner].into(),
                ..base
            },
            Library::KafkaPython => ConsumerSettings {
                session_timeout: Span::from_secs(if brokers < (3, 0) { 30 } else { 45 }),
                assignors: [Assignor::Range, Assignor::RoundRobin].into(),
                ..base
            },
            Library::AioKafka { .. } => ConsumerSettings {
                session_timeout: Span::from_secs(10),
                max_poll_records: ConsumerSettings::ALL_RECORDS,
                assignors: [Assignor::RoundRobin].into(),
                ..base
            },
        }
    }

    /// The defaults of the client that has these, with brokers of this release.
    pub fn defaults(&self, brokers: Release) -> Self {
        match self.library {
            Library::Java => ConsumerSettings::of_release(self.release),
            Library::Librdkafka { .. } => ConsumerSettings::of_library(Library::LIBRDKAFKA, brokers),
            Library::KafkaJs { .. } => ConsumerSettings::of_library(Library::KAFKAJS, brokers),
            Library::KafkaPython => ConsumerSettings::of_library(Library::KafkaPython, brokers),
            Library::AioKafka { .. } => ConsumerSettings::of_library(Library::AIOKAFKA, brokers),
        }
    }
}

impl Default for ConsumerSettings {
    /// The defaults of the Java client 4.4.
    fn default() -> Self {
        ConsumerSettings::of_release((4, 4))
    }
}

impl ConsumerSettings {
    /// Whether its members keep their partitions while they join (KIP-429): a list is as eager as its most eager assignor.
    pub fn is_cooperative(&self) -> bool {
        self.assignors.iter().all(|assignor| assignor.supports_cooperative())
    }

    /// How long a rebalance waits for the member.
    pub fn rebalance_timeout(&self) -> Span {
        self.library.rebalance_timeout().unwrap_or(self.max_poll_interval)
    }

    /// How often the client commits by a timer, if it does.
    pub fn auto_commit(&self) -> Option<Span> {
        self.enable_auto_commit.then_some(self.auto_commit_interval)
    }

    /// The time between two heartbeats of a client that has nothing to do. Without a thread for them they are sent when a
    /// Fetch has come back, which takes its longest wait each time.
    pub fn heartbeat_pause(&self) -> Span {
        match self.library {
            Library::KafkaJs { max_wait, .. } => self.heartbeat_interval.rounded_up(max_wait),
            _ => self.heartbeat_interval,
        }
    }

    /// Whether the client would start with this value beside the others.
    #[inline(never)]
    pub fn takes(&self, setting: ConsumerSetting) -> bool {
        let is_span = |span: Span| span > Span::ZERO && span <= bounds::DURATION;
        let is_librdkafka = matches!(self.library, Library::Librdkafka { .. });
        let polls_longer = is_librdkafka && self.group_protocol == GroupProtocol::Classic;
        let is_kafkajs = matches!(self.library, Library::KafkaJs { .. });
        match setting {
            ConsumerSetting::SessionTimeout(span) => {
                let ends_first = !polls_longer || span <= self.max_poll_interval;
                is_span(span) && span > self.heartbeat_interval && ends_first
            }
            ConsumerSetting::HeartbeatInterval(span) => span > Span::ZERO && span < self.session_timeout,
            ConsumerSetting::MaxPollInterval(span) => is_span(span) && (!polls_longer || span >= self.session_timeout),
            ConsumerSetting::MaxPollRecords(records) => records > 0 && !is_kafkajs,
            ConsumerSetting::AutoOffsetReset(OffsetReset::ByDuration(_)) => self.library == Library::Java,
            ConsumerSetting::AutoOffsetReset(reset) => self.library.resets().contains(&reset),
            ConsumerSetting::AutoCommitInterval(span) => match self.library {
                Library::KafkaJs { .. } => false,
                Library::AioKafka { .. } => is_span(span),
                _ => span <= bounds::DURATION,
            },
            ConsumerSetting::MetadataMaxAge(span) => is_span(span),
            ConsumerSetting::EnableAutoCommit(_) => true,
            ConsumerSetting::PartitionAssignmentStrategy(list) => {
                let is_known = |assignor| self.library.assignors().iter().any(|&(_, known)| known == assignor);
                let is_mixed = list.iter().any(|assignor| assignor.supports_cooperative()) && list.iter().count() > 1;
                list.is_valid() && list.iter().all(is_known) && !(is_librdkafka && is_mixed)
            }
            ConsumerSetting::EnableAutoOffsetStore(_) => is_librdkafka,
            ConsumerSetting::AutoCommitThreshold(records) => is_kafkajs && records != Some(0),
            ConsumerSetting::LoopCommitInterval(span) => is_kafkajs && span.is_none_or(is_span),
        }
    }

    /// Gives one of them another value.
    pub fn set(&mut self, setting: ConsumerSetting) {
        match setting {
            ConsumerSetting::SessionTimeout(span) => {
                // Without a value of its own it is the same.
                if let Library::AioKafka { rebalance_timeout } = &mut self.library
                    && *rebalance_timeout == self.session_timeout
                {
                    *rebalance_timeout = span;
                }
                self.session_timeout = span;
            }
            ConsumerSetting::HeartbeatInterval(span) => self.heartbeat_interval = span,
            ConsumerSetting::MaxPollInterval(span) => self.max_poll_interval = span,
            ConsumerSetting::MaxPollRecords(records) => self.max_poll_records = records,
            ConsumerSetting::AutoOffsetReset(reset) => self.auto_offset_reset = reset,
            ConsumerSetting::AutoCommitInterval(span) => self.auto_commit_interval = span,
            ConsumerSetting::MetadataMaxAge(span) => self.metadata_max_age = span,
            ConsumerSetting::EnableAutoCommit(on) => self.enable_auto_commit = on,
            ConsumerSetting::PartitionAssignmentStrategy(list) => self.assignors = list.iter().collect(),
            _ => self.set_of_library(setting),
        }
    }

    /// The same of a setting that only one library has.
    #[inline(never)]
    fn set_of_library(&mut self, setting: ConsumerSetting) {
        match (&mut self.library, setting) {
            (Library::Librdkafka { auto_offset_store, .. }, ConsumerSetting::EnableAutoOffsetStore(on)) => {
                *auto_offset_store = on;
            }
            (Library::KafkaJs { auto_commit_threshold, .. }, ConsumerSetting::AutoCommitThreshold(records)) => {
                *auto_commit_threshold = records;
            }
            (Library::KafkaJs { auto_commit_interval, .. }, ConsumerSetting::LoopCommitInterval(span)) => {
                *auto_commit_interval = span;
            }
            _ => {}
        }
    }
}

/// `auto.offset.reset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum OffsetReset {
    /// From the start of the log.
    Earliest,
    /// From its end.
    Latest,
    /// Nowhere: `poll()` throws.
    None,
    /// From the first record that is at most so old (KIP-1106, since Kafka 4.0).
    ByDuration(Span),
}

/// A consumer process.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ConsumerSetup {
    /// Its name, the `client.id`; member ids begin with it.
    pub name: Rc<str>,
    /// Its group.
    pub group: GroupId,
    /// `group.instance.id`: makes it a static member (KIP-345). The same for all of its starts.
    pub instance_id: Option<Rc<str>>,
    /// When it starts; [`Time::NEVER`] if only an action starts it.
    pub starts_at: Time,
    /// How it is started.
    pub config: Rc<ConsumerConfig>,
}

/// A table that consumers write to.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct SinkSetup {
    /// Its name.
    pub name: Rc<str>,
    /// The column that names the event.
    pub column: Rc<str>,
    /// Whether it has a unique key on that column, so that each event is there once.
    pub is_unique: bool,
    /// How it is written to.
    pub writes: Writes,
}

/// How an application writes a record to a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Writes {
    /// `INSERT` of a row with the event's id, with `ON CONFLICT DO NOTHING` where there is a unique key on that.
    #[default]
    Insert,
    /// `INSERT` of a row without it: two writes of one event cannot be told from two events.
    InsertWithoutId,
    /// `INSERT ... ON CONFLICT DO UPDATE`: one row for each key of a record, in which each write replaces the value.
    Upsert,
}

impl Setup {
    /// Leaves out the crashes of consumers that are planned.
    pub fn leave_out_crashes(&mut self) {
        self.actions.retain(|planned| !matches!(planned.action, Action::Crash(ClientId::Consumer(_))));
    }

    /// True if the members of a group use the consumer protocol.
    pub fn is_modern(&self, group: GroupId) -> bool {
        let of_group = |consumer: &&ConsumerSetup| consumer.group == group;
        let protocol = self.consumers.iter().find(of_group).map(|consumer| consumer.config.settings.group_protocol);
        matches!(protocol, Some(GroupProtocol::Consumer { .. }))
    }

    /// Changes how every consumer of a group is started.
    pub fn configure(&mut self, group: GroupId, change: impl Fn(&mut ConsumerConfig)) {
        for consumer in self.consumers.iter_mut().filter(|consumer| consumer.group == group) {
            change(Rc::make_mut(&mut consumer.config));
        }
    }
}
