//! The settings that made a step as it is.

use super::lookup;
use crate::sim::assignor::Assignor;
use crate::sim::consumer::Consumer;
use crate::sim::event::{AfterFailure, CommitCall, ErrorCode, Fault, PositionSource, RowOutcome, SentBecause};
use crate::sim::partitioner::{Choice, Partitioner};
use crate::sim::setup::{
    ClusterSettings, CommitWhen, ConsumerConfig, ConsumerSettings, GroupProtocol, Handling, Library, OffsetReset,
    ProducerClient, ProducerSettings,
};
use crate::sim::{
    BrokerId, ConsumerId, Event, HandlingOf, PartitionId, ProducerId, RecordId, Role, Simulation, SinkId, Span, Step,
    StepNo,
};
use std::rc::Rc;

macro_rules! settings {
    ($( $(#[$doc:meta])* $variant:ident $name:literal $owner:ident ),* $(,)?) => {
        /// A setting: Kafka's own, or one of ours.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Setting { $( $(#[$doc])* $variant ),* }

        impl Setting {
            /// All of them.
            pub const ALL: &'static [Setting] = &[$( Setting::$variant ),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $( Setting::$variant => $name ),* }
            }

            /// True for a setting of Kafka; false for one of the small world around it.
            pub const fn is_of_kafka(self) -> bool {
                match self { $( Setting::$variant => settings!(@ kafka $owner) ),* }
            }

            /// True for a setting that all brokers have.
            pub const fn is_of_brokers(self) -> bool {
                match self { $( Setting::$variant => settings!(@ brokers $owner) ),* }
            }
        }
    };
    (@ kafka ours) => { false };
    (@ kafka $owner:ident) => { true };
    (@ brokers brokers) => { true };
    (@ brokers $owner:ident) => { false };
}

settings! {
    /// How long a batch waits for more records.
    Linger "linger.ms" client,
    /// How large a batch may be, and after how many bytes the built-in partitioner moves on.
    BatchSize "batch.size" client,
    /// How many requests may be unanswered.
    MaxInFlight "max.in.flight.requests.per.connection" client,
    /// How long records without a key stay on a partition, with librdkafka.
    StickyLinger "sticky.partitioning.linger.ms" client,
    /// The most bytes of a request.
    MaxRequestSize "max.request.size" client,
    /// The most records of a batch, with librdkafka.
    BatchRecords "batch.num.messages" client,
    /// How partitions are picked.
    Partitioner "partitioner.class" client,
    /// The same for one topic, with librdkafka.
    TopicPartitioner "topic_settings.partitioner" client,
    /// Whether Java's built-in partitioner takes all records for records without a key.
    IgnoreKeys "partitioner.ignore.keys" client,
    /// Whether Java's built-in partitioner prefers partitions for which fewer batches wait.
    AdaptivePartitioning "partitioner.adaptive.partitioning.enable" client,
    /// How long the first rebalance waits for more members.
    GroupInitialRebalanceDelay "group.initial.rebalance.delay.ms" brokers,
    /// How long committed offsets are kept.
    OffsetsRetention "offsets.retention.minutes" brokers,
    /// How often the coordinator looks for committed offsets that are too old.
    OffsetsRetentionCheckInterval "offsets.retention.check.interval.ms" brokers,
    /// The shortest session with which a member may join.
    GroupMinSessionTimeout "group.min.session.timeout.ms" brokers,
    /// The longest one.
    GroupMaxSessionTimeout "group.max.session.timeout.ms" brokers,
    /// Silence after which a member is removed.
    SessionTimeout "session.timeout.ms" client,
    /// Time between heartbeats.
    HeartbeatInterval "heartbeat.interval.ms" client,
    /// Longest time between polls, and the rebalance timeout.
    MaxPollInterval "max.poll.interval.ms" client,
    /// The most records that one poll returns.
    MaxPollRecords "max.poll.records" client,
    /// Where to begin without a committed offset.
    AutoOffsetReset "auto.offset.reset" client,
    /// Whether `poll()` commits.
    EnableAutoCommit "enable.auto.commit" client,
    /// The shortest time between two commits of `poll()`.
    AutoCommitInterval "auto.commit.interval.ms" client,
    /// Whether librdkafka stores an offset when it hands the record over.
    EnableAutoOffsetStore "enable.auto.offset.store" client,
    /// After how many records kafkajs commits.
    AutoCommitThreshold "autoCommitThreshold" client,
    /// How long a Fetch of kafkajs waits at the broker.
    FetchMaxWait "maxWaitTimeInMs" client,
    /// How long a rebalance waits for a member with aiokafka.
    RebalanceTimeout "rebalance_timeout_ms" client,
    /// Which assignor deals the partitions.
    PartitionAssignmentStrategy "partition.assignment.strategy" client,
    /// Classic or consumer.
    GroupProtocol "group.protocol" client,
    /// Which assignor a member asks the broker for.
    GroupRemoteAssignor "group.remote.assignor" client,
    /// Which assignors the broker has.
    GroupConsumerAssignors "group.consumer.assignors" brokers,
    /// Time between heartbeats in the consumer protocol.
    GroupConsumerHeartbeatInterval "group.consumer.heartbeat.interval.ms" brokers,
    /// Silence after which a member of the consumer protocol is removed.
    GroupConsumerSessionTimeout "group.consumer.session.timeout.ms" brokers,
    /// The shortest time between heartbeats that the brokers may be given.
    GroupConsumerMinHeartbeatInterval "group.consumer.min.heartbeat.interval.ms" brokers,
    /// The longest one.
    GroupConsumerMaxHeartbeatInterval "group.consumer.max.heartbeat.interval.ms" brokers,
    /// The shortest session that the brokers may be given.
    GroupConsumerMinSessionTimeout "group.consumer.min.session.timeout.ms" brokers,
    /// The longest one.
    GroupConsumerMaxSessionTimeout "group.consumer.max.session.timeout.ms" brokers,
    /// The least time between two target assignments.
    GroupConsumerAssignmentInterval "group.consumer.assignment.interval.ms" brokers,
    /// The name of a static member.
    GroupInstanceId "group.instance.id" client,
    /// How often a client asks which partitions there are.
    MetadataMaxAge "metadata.max.age.ms" client,
    /// How many members a group may have.
    GroupMaxSize "group.max.size" brokers,
    /// How many records lie between two commits.
    CommitAfterRecords "commit.after_records" ours,
    /// How long after its last commit the application makes the next.
    CommitEvery "commit.every" ours,
    /// The place in the loop of the application where it commits.
    CommitWhen "commit.when" ours,
    /// How long one record takes.
    HandlingTime "handling.time" ours,
    /// How often the application tries a record in all.
    OnErrorTries "on_error.tries" ours,
    /// How long the application sleeps before the next try.
    OnErrorBackOff "on_error.back_off" ours,
    /// One-way delay of a message.
    NetworkLatency "network.latency" ours,
    /// The column of the table that holds each event once.
    UniqueKey "sink.unique_key" ours,
    /// Whether the table's database is down.
    SinkDown "sink.down" ours,
}

/// A setting and the value that it has in this run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingUse {
    /// Which setting.
    pub setting: Setting,
    /// Its name in the client library whose setting it is.
    pub name: &'static str,
    /// Whose it is.
    pub owner: Owner,
    /// Its value.
    pub value: SettingValue,
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingValue {
    /// A time; Kafka's settings count it in milliseconds.
    Time(Span),
    /// A number.
    Count(u32),
    /// Yes or no.
    Switch(bool),
    /// A word.
    Text(Rc<str>),
    /// Not set.
    Absent,
}

/// Whose setting it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// All brokers.
    Brokers,
    /// The network between the clients and a broker.
    Network(BrokerId),
    /// A producer.
    Producer(ProducerId),
    /// A consumer.
    Consumer(ConsumerId),
    /// A consumer's application, for some of its records.
    Handling(ConsumerId, HandlingOf),
    /// A table.
    Sink(SinkId),
}

/// The settings behind a step, the most telling first. What would have had the same result with any other value is not
/// among them.
pub(super) fn settings(run: &Simulation, number: StepNo) -> Vec<SettingUse> {
    let Some(step) = run.step_at(number) else { return Vec::new() };
    used_by(run, number, step).into_iter().map(|(setting, owner)| setting_use(run, setting, owner)).collect()
}

/// A setting with its name and value.
pub(super) fn setting_use(run: &Simulation, setting: Setting, owner: Owner) -> SettingUse {
    SettingUse { setting, name: setting_name(run, setting, owner), owner, value: value(run, setting, owner) }
}

/// The name of a setting in the client library whose setting it is.
pub fn setting_name(run: &Simulation, setting: Setting, owner: Owner) -> &'static str {
    match owner {
        Owner::Consumer(consumer) => run.consumer(consumer).config().settings.library.setting_name(setting.name()),
        Owner::Producer(producer) => run.producer(producer).settings.client.setting_name(setting.name()),
        _ => setting.name(),
    }
}

type Used = Vec<(Setting, Owner)>;

/// What stands for a setting of the classic protocol in a group of the consumer protocol.
fn in_protocol(run: &Simulation, setting: Setting, consumer: ConsumerId) -> Setting {
    match setting {
        _ if !run.setup().is_modern(run.consumer(consumer).group) => setting,
        Setting::SessionTimeout => Setting::GroupConsumerSessionTimeout,
        Setting::HeartbeatInterval => Setting::GroupConsumerHeartbeatInterval,
        other => other,
    }
}

/// Settings of a consumer, or of the brokers where they decide for its group.
fn of(run: &Simulation, consumer: ConsumerId, settings: &[Setting]) -> Used {
    let owned = |&setting: &Setting| {
        let setting = in_protocol(run, setting, consumer);
        (setting, if setting.is_of_brokers() { Owner::Brokers } else { Owner::Consumer(consumer) })
    };
    settings.iter().map(owned).collect()
}

fn used_by(run: &Simulation, number: StepNo, step: &Step) -> Used {
    let event = &step.event;
    let all = |settings: &[Setting]| event.consumer().map_or_else(Vec::new, |consumer| of(run, consumer, settings));
    match *event {
        Event::RecordAppended { record, partition, .. } => {
            let producer = run.record(record).producer;
            let request = step.causes.with_role(Role::WaitedFor).and_then(|request| run.step_at(request));
            let waited = match request.map(|request| request.event) {
                Some(Event::ProduceSent { because, .. }) => waits_for(because, producer),
                _ => None,
            };
            waited
                .into_iter()
                .chain([(Setting::NetworkLatency, Owner::Network(run.leader(run.place(partition).number)))])
                .collect()
        }
        Event::RecordSent { record, .. } => {
            let record = run.record(record);
            let setting = match record.choice {
                Choice::StickyByBytes { .. } => Setting::BatchSize,
                Choice::StickyByBatch { .. } => Setting::Linger,
                Choice::StickyByTime { .. } => Setting::StickyLinger,
                _ => return Vec::new(),
            };
            vec![(setting, Owner::Producer(record.producer))]
        }
        Event::ProduceSent { producer, because, .. } => waits_for(because, producer).into_iter().collect(),
        Event::ProducerMetadataRefreshed { producer, .. } => vec![(Setting::MetadataMaxAge, Owner::Producer(producer))],
        Event::ProducerCrashed { producer, unsent: 1.. } => vec![(Setting::Linger, Owner::Producer(producer))],
        Event::RebalanceStarted { group, consumer, .. } | Event::GenerationStarted { group, leader: consumer, .. }
            if lookup::is_empty_before(run, group, number) =>
        {
            of(run, consumer, &[Setting::GroupInitialRebalanceDelay])
        }
        Event::RebalanceStarted { .. } => all(&[Setting::HeartbeatInterval, Setting::MaxPollInterval]),
        Event::GenerationStarted { .. } => all(&[Setting::HeartbeatInterval]),
        Event::AssignmentComputed { .. } | Event::PartitionsAssigned { .. } => {
            all(&[Setting::PartitionAssignmentStrategy])
        }
        Event::SomePartitionsRevoked { .. } | Event::MorePartitionsAssigned { .. } => {
            all(&[Setting::PartitionAssignmentStrategy, Setting::HeartbeatInterval])
        }
        Event::MemberReplaced { .. } => all(&[Setting::GroupInstanceId, Setting::SessionTimeout]),
        Event::MetadataRefreshed { .. } => all(&[Setting::MetadataMaxAge]),
        Event::ConsumerFailed { error: ErrorCode::UnreleasedInstanceId, .. } => {
            all(&[Setting::GroupInstanceId, Setting::SessionTimeout])
        }
        Event::ConsumerFailed { error: ErrorCode::FencedInstanceId, .. }
        | Event::JoinRejected { error: ErrorCode::FencedInstanceId, .. } => all(&[Setting::GroupInstanceId]),
        Event::ConsumerFailed { error: ErrorCode::GroupMaxSizeReached, .. }
        | Event::JoinRejected { error: ErrorCode::GroupMaxSizeReached, .. } => all(&[Setting::GroupMaxSize]),
        Event::ConsumerFailed { error: ErrorCode::InconsistentGroupProtocol, .. }
        | Event::JoinRejected { error: ErrorCode::InconsistentGroupProtocol, .. } => {
            all(&[Setting::PartitionAssignmentStrategy])
        }
        Event::PartitionsRevoked { .. } => all(&[Setting::PartitionAssignmentStrategy, Setting::HeartbeatInterval]),
        Event::GroupEpochBumped { .. } => all(&[Setting::GroupProtocol, Setting::GroupConsumerAssignmentInterval]),
        Event::TargetAssignmentComputed { group, .. } => {
            run.consumers_of(group).next().map_or_else(Vec::new, |member| {
                let settings = [
                    Setting::GroupConsumerAssignors,
                    Setting::GroupRemoteAssignor,
                    Setting::GroupConsumerAssignmentInterval,
                ];
                of(run, member.id, &settings)
            })
        }
        Event::RevocationRequested { .. } | Event::RevocationTimedOut { .. } => all(&[Setting::MaxPollInterval]),
        Event::AssignmentGiven { .. } | Event::RevocationAcknowledged { .. } => {
            all(&[Setting::GroupConsumerHeartbeatInterval])
        }
        Event::ReconciliationRevoked { consumer, .. } | Event::ConsumerClosed { consumer, .. } => {
            of(run, consumer, &committing(run, consumer))
        }
        Event::ListOffsetsSent { .. }
        | Event::ListOffsetsAnswered { .. }
        | Event::PollThrew { .. }
        | Event::OffsetOutOfRange { .. } => all(&[Setting::AutoOffsetReset]),
        Event::OffsetExpired { .. } => vec![(Setting::OffsetsRetention, Owner::Brokers)],
        Event::PositionSet { source, .. } if !matches!(source, PositionSource::Committed | PositionSource::Stored) => {
            all(&[Setting::AutoOffsetReset])
        }
        Event::RecordsPolled { consumer, .. } if is_bounded(run, consumer, number) => all(&[Setting::MaxPollRecords]),
        Event::HandlingStarted { consumer, record, partition, offset }
        | Event::RecordProcessed { consumer, record, partition, offset, times: 1, .. } => {
            vec![handling(run, consumer, record, (partition, offset))]
        }
        Event::SinkDownChanged { sink, .. } => vec![(Setting::SinkDown, Owner::Sink(sink))],
        Event::HandlingFailed { consumer, record, partition, offset, after, .. } => {
            let is_down = step.causes.with_role(Role::DecidedValue).is_some();
            failed(run, (consumer, record, (partition, offset)), (is_down, after))
        }
        Event::RecordProcessed { consumer, row, fault, .. } => {
            let mut used = match fault {
                Fault::Stopped | Fault::Survivor => repeated_work_of(run, consumer, number),
                Fault::None | Fault::Shared | Fault::Rewound => Vec::new(),
            };
            let sink = run.consumer(consumer).config().handling.writes_to.filter(|_| row != RowOutcome::NoSink);
            used.extend(sink.map(|sink| (Setting::UniqueKey, Owner::Sink(sink))));
            used
        }
        Event::OffsetCommitSent { consumer, call, .. } | Event::OffsetsStored { consumer, call, .. } => {
            of(run, consumer, &committed_by(run, consumer, call))
        }
        Event::OffsetCommitted { consumer, .. } => lookup::commit_call(run, number)
            .map_or_else(Vec::new, |call| of(run, consumer, &committed_by(run, consumer, call))),
        Event::HeartbeatSent { .. } => all(&[Setting::HeartbeatInterval]),
        Event::HeartbeatReceived { .. } => all(&[Setting::SessionTimeout, Setting::HeartbeatInterval]),
        Event::ConsumerCrashed { consumer, uncommitted, .. } => {
            let mut settings = if uncommitted > 0 { committing(run, consumer) } else { Vec::new() };
            let is_member = !run.consumer(consumer).config().reads.is_by_hand();
            settings.extend(is_member.then_some(Setting::SessionTimeout));
            of(run, consumer, &settings)
        }
        Event::SessionExpired { .. } => all(&[Setting::SessionTimeout, Setting::HeartbeatInterval]),
        Event::RebalanceTimedOut { consumer, .. } => {
            let has_own = run.consumer(consumer).config().settings.library.rebalance_timeout().is_some();
            if has_own { Vec::new() } else { all(&[Setting::MaxPollInterval]) }
        }
        Event::PollTimedOut { consumer, .. } => late_poll(run, consumer, number),
        _ => Vec::new(),
    }
}

/// What kept records waiting until they left.
fn waits_for(because: SentBecause, producer: ProducerId) -> Option<(Setting, Owner)> {
    let setting = match because {
        SentBecause::Linger => Setting::Linger,
        SentBecause::Full => Setting::BatchSize,
        SentBecause::Answered => Setting::MaxInFlight,
        SentBecause::Closing => return None,
    };
    Some((setting, Owner::Producer(producer)))
}

/// True if `poll()` returned as many records as it may, over all partitions.
fn is_bounded(run: &Simulation, consumer: ConsumerId, step: StepNo) -> bool {
    lookup::polled_with(run, consumer, step) >= run.consumer(consumer).config().settings.max_poll_records
}

/// What kept an application from its next `poll()`: with one record from the last one, only how long that takes.
fn late_poll(run: &Simulation, consumer: ConsumerId, step: StepNo) -> Used {
    let last = |wanted: fn(&Event) -> bool| lookup::last_before(run, consumer, step, wanted);
    let mut settings = vec![Setting::MaxPollInterval];
    let polled = last(|event| matches!(event, Event::RecordsPolled { .. }));
    let is_batch = polled.is_some_and(|step| lookup::polled_with(run, consumer, step) > 1);
    settings.extend(is_batch.then_some(Setting::MaxPollRecords));
    let mut used = of(run, consumer, &settings);
    let in_hand = last(|event| matches!(event, Event::HandlingStarted { .. })).and_then(|step| run.step_at(step));
    if let Some(Event::HandlingStarted { record, partition, offset, .. }) = in_hand.map(|step| step.event) {
        used.push(handling(run, consumer, record, (partition, offset)));
    }
    used
}

/// What a record that fails comes to: a table that is down, and how the application tries again. It does not poll meanwhile,
/// unless workers do that.
#[inline(never)]
fn failed(
    run: &Simulation,
    (consumer, record, at): (ConsumerId, RecordId, (PartitionId, u32)),
    (is_down, after): (bool, AfterFailure),
) -> Used {
    let Handling { on_error, pool, writes_to, .. } = &run.consumer(consumer).config().handling;
    let owner = Owner::Consumer(consumer);
    let down = writes_to.filter(|_| is_down).map(|sink| (Setting::SinkDown, Owner::Sink(sink)));
    let mut used: Used = down.into_iter().chain([(Setting::OnErrorTries, owner)]).collect();
    let is_in_place = after == AfterFailure::TriesAgain;
    if is_in_place || after == AfterFailure::SeeksBack {
        used.push((Setting::OnErrorBackOff, owner));
        let sleeps = is_in_place || on_error.back_off > Span::ZERO;
        used.extend((pool.is_none() && sleeps).then_some((Setting::MaxPollInterval, owner)));
    }
    used.extend(is_in_place.then(|| handling(run, consumer, record, at)));
    used
}

/// How long a record takes, and for which records that is said.
fn handling(run: &Simulation, consumer: ConsumerId, record: RecordId, at: (PartitionId, u32)) -> (Setting, Owner) {
    let handling = &run.consumer(consumer).config().handling;
    let records = handling.records_like(run.record(record).key, run.place(at.0), at.1);
    (Setting::HandlingTime, Owner::Handling(consumer, records))
}

/// The settings that say when a consumer commits.
fn committing(run: &Simulation, consumer: ConsumerId) -> Vec<Setting> {
    let config = run.consumer(consumer).config();
    if let CommitWhen::RecordsOrTime { records, .. } = config.handling.commit.when {
        let counts = (records < CommitWhen::NO_COUNT).then_some(Setting::CommitAfterRecords);
        return counts.into_iter().chain([Setting::CommitEvery, Setting::EnableAutoCommit]).collect();
    }
    let when = match config.handling.commit.when {
        CommitWhen::AfterRecords(_) => Setting::CommitAfterRecords,
        CommitWhen::Never if config.settings.enable_auto_commit => Setting::AutoCommitInterval,
        _ => Setting::CommitWhen,
    };
    vec![when, Setting::EnableAutoCommit]
}

/// What had not been committed was the work of whoever processed the record before. Where both commit alike, they are shown
/// as those of the one that is at work now.
fn repeated_work_of(run: &Simulation, consumer: ConsumerId, step: StepNo) -> Used {
    let way = |consumer| {
        let config = run.consumer(consumer).config();
        (config.handling.commit, config.settings.auto_commit())
    };
    let before = lookup::processed_before_by(run, step).filter(|&before| way(before) != way(consumer));
    let whose = before.unwrap_or(consumer);
    of(run, whose, &committing(run, whose))
}

/// Those that brought about a commit.
fn committed_by(run: &Simulation, consumer: ConsumerId, call: CommitCall) -> Vec<Setting> {
    match call {
        CommitCall::Sync
        | CommitCall::Async
        | CommitCall::AsyncAgain
        | CommitCall::SyncBefore
        | CommitCall::AsyncBefore => committing(run, consumer),
        CommitCall::AutoInterval | CommitCall::AutoRejoin | CommitCall::AutoClose | CommitCall::AutoSeek => {
            let interval = (call == CommitCall::AutoInterval).then_some(Setting::AutoCommitInterval);
            let own = match run.consumer(consumer).config().settings.library {
                Library::Librdkafka { .. } => Some(Setting::EnableAutoOffsetStore),
                Library::KafkaJs { .. } => Some(Setting::AutoCommitThreshold),
                _ => None,
            };
            interval.into_iter().chain(own).chain([Setting::EnableAutoCommit]).collect()
        }
        // The application commits there whatever it does in its loop.
        CommitCall::OnRevoke | CommitCall::OnClose => Vec::new(),
    }
}

fn value(run: &Simulation, setting: Setting, of: Owner) -> SettingValue {
    match of {
        Owner::Brokers => broker_value(run, setting),
        Owner::Network(broker) => SettingValue::Time(run.latency(broker)),
        Owner::Producer(producer) => producer_value(setting, &run.producer(producer).settings),
        Owner::Consumer(consumer) => consumer_value(setting, run.consumer(consumer)),
        Owner::Handling(consumer, of) => SettingValue::Time(run.consumer(consumer).config().handling.time_for(of)),
        Owner::Sink(sink) if setting == Setting::SinkDown => SettingValue::Switch(run.sink(sink).down.is_some()),
        Owner::Sink(sink) => run.unique_key(sink).cloned().map_or(SettingValue::Absent, SettingValue::Text),
    }
}

fn broker_value(run: &Simulation, setting: Setting) -> SettingValue {
    match setting {
        Setting::GroupInitialRebalanceDelay => SettingValue::Time(run.group_initial_rebalance_delay()),
        _ => cluster_value(setting, &run.setup().cluster),
    }
}

/// A setting of brokers that begin with these.
#[inline(never)]
pub(super) fn cluster_value(setting: Setting, cluster: &ClusterSettings) -> SettingValue {
    let groups = &cluster.consumer_groups;
    match setting {
        Setting::OffsetsRetention => SettingValue::Count((cluster.offsets.retention.as_micros() / 60_000_000) as u32),
        Setting::OffsetsRetentionCheckInterval => SettingValue::Time(cluster.offsets.check_interval),
        Setting::GroupMinSessionTimeout => SettingValue::Time(cluster.session_timeout_bounds.0),
        Setting::GroupMaxSessionTimeout => SettingValue::Time(cluster.session_timeout_bounds.1),
        Setting::GroupMaxSize => SettingValue::Count(cluster.group_max_size),
        Setting::GroupConsumerAssignors => {
            let names: Vec<&str> = groups.assignors.iter().map(|assignor| assignor.name()).collect();
            SettingValue::Text(names.join(",").into())
        }
        Setting::GroupConsumerHeartbeatInterval => SettingValue::Time(groups.heartbeat_interval),
        Setting::GroupConsumerMinHeartbeatInterval => SettingValue::Time(groups.heartbeat_interval_bounds.0),
        Setting::GroupConsumerMaxHeartbeatInterval => SettingValue::Time(groups.heartbeat_interval_bounds.1),
        Setting::GroupConsumerSessionTimeout => SettingValue::Time(groups.session_timeout),
        Setting::GroupConsumerMinSessionTimeout => SettingValue::Time(groups.session_timeout_bounds.0),
        Setting::GroupConsumerMaxSessionTimeout => SettingValue::Time(groups.session_timeout_bounds.1),
        Setting::GroupConsumerAssignmentInterval => SettingValue::Time(groups.assignment_interval),
        _ => SettingValue::Time(cluster.group_initial_rebalance_delay),
    }
}

pub(super) fn producer_value(setting: Setting, settings: &ProducerSettings) -> SettingValue {
    match setting {
        Setting::BatchSize => SettingValue::Count(settings.batching.batch_size),
        Setting::MaxInFlight => most(settings.batching.max_in_flight),
        Setting::MetadataMaxAge => SettingValue::Time(settings.metadata_max_age),
        Setting::MaxRequestSize => most(settings.batching.max_request_size),
        Setting::BatchRecords => most(settings.batching.batch_records),
        Setting::Linger => SettingValue::Time(settings.batching.linger),
        _ => partitioner_value(setting, settings),
    }
}

/// A number up to which a producer goes; nothing if it has no limit.
const fn most(number: u32) -> SettingValue {
    match number {
        u32::MAX => SettingValue::Absent,
        _ => SettingValue::Count(number),
    }
}

/// A setting that says how a producer picks partitions.
#[inline(never)]
fn partitioner_value(setting: Setting, settings: &ProducerSettings) -> SettingValue {
    let named = match (setting, settings.client, settings.partitioner) {
        (Setting::StickyLinger, _, Partitioner::Librdkafka(_, linger)) => return SettingValue::Time(linger),
        (Setting::IgnoreKeys, ProducerClient::Java { built_in, .. }, _) => {
            return SettingValue::Switch(built_in.ignore_keys);
        }
        (Setting::AdaptivePartitioning, ProducerClient::Java { built_in, .. }, _) => {
            return SettingValue::Switch(built_in.adaptive);
        }
        (Setting::Partitioner, ProducerClient::Librdkafka { of_client: Some(of_client) }, _) => Some(of_client.name()),
        (_, client, partitioner) => client.partitioner_name(partitioner),
    };
    named.map_or(SettingValue::Absent, |name| SettingValue::Text(name.into()))
}

/// A value of `auto.offset.reset` as it is written.
pub(super) fn reset_value(library: Library, reset: OffsetReset) -> SettingValue {
    let text = match reset {
        // `fromBeginning` is a switch.
        _ if matches!(library, Library::KafkaJs { .. }) => return SettingValue::Switch(reset == OffsetReset::Earliest),
        OffsetReset::Earliest => "earliest".into(),
        OffsetReset::Latest => "latest".into(),
        OffsetReset::None => "none".into(),
        OffsetReset::ByDuration(span) => format!("by_duration:PT{}S", span.as_micros() / 1_000_000).into(),
    };
    SettingValue::Text(text)
}

/// Assignors as a client's setting lists them.
pub(super) fn assignor_names(library: Library, assignors: impl Iterator<Item = Assignor>) -> SettingValue {
    let names: Vec<&str> = assignors.map(|assignor| library.assignor_name(assignor)).collect();
    SettingValue::Text(names.join(",").into())
}

/// The most records that one `poll()` returns.
pub(super) const fn records_value(records: u32) -> SettingValue {
    match records {
        ConsumerSettings::ALL_RECORDS => SettingValue::Absent,
        _ => SettingValue::Count(records),
    }
}

/// The place in the loop of an application where it commits, or how many records lie between.
pub(super) fn commit_value(when: CommitWhen) -> SettingValue {
    match when {
        CommitWhen::AfterRecords(records) | CommitWhen::RecordsOrTime { records, .. } => SettingValue::Count(records),
        CommitWhen::Never => SettingValue::Text("never".into()),
        CommitWhen::BeforeBatch => SettingValue::Text("before_batch".into()),
        CommitWhen::AfterBatch => SettingValue::Text("after_batch".into()),
    }
}

fn consumer_value(setting: Setting, consumer: &Consumer) -> SettingValue {
    let ConsumerConfig { settings, handling, .. } = consumer.config();
    if let Some(value) = consumer_setting(setting, settings) {
        return value;
    }
    match setting {
        Setting::GroupInstanceId => consumer.instance_id.clone().map_or(SettingValue::Absent, SettingValue::Text),
        Setting::CommitEvery => match handling.commit.when {
            CommitWhen::RecordsOrTime { time, .. } => SettingValue::Time(time),
            _ => SettingValue::Absent,
        },
        Setting::OnErrorTries | Setting::OnErrorBackOff => error_value(setting, handling),
        _ => commit_value(handling.commit.when),
    }
}

/// How an application tries a record again that has failed.
#[inline(never)]
fn error_value(setting: Setting, handling: &Handling) -> SettingValue {
    match setting {
        Setting::OnErrorBackOff => SettingValue::Time(handling.on_error.back_off),
        _ => handling.on_error.most_tries().map_or(SettingValue::Absent, SettingValue::Count),
    }
}

/// A setting of a client; nothing for one that the application or the member has.
pub(super) fn consumer_setting(setting: Setting, settings: &ConsumerSettings) -> Option<SettingValue> {
    Some(match setting {
        Setting::SessionTimeout => SettingValue::Time(settings.session_timeout),
        Setting::HeartbeatInterval => SettingValue::Time(settings.heartbeat_interval),
        Setting::MaxPollInterval => SettingValue::Time(settings.max_poll_interval),
        Setting::MaxPollRecords => records_value(settings.max_poll_records),
        Setting::AutoOffsetReset => reset_value(settings.library, settings.auto_offset_reset),
        Setting::PartitionAssignmentStrategy => assignor_names(settings.library, settings.assignors.iter().copied()),
        Setting::MetadataMaxAge => SettingValue::Time(settings.metadata_max_age),
        Setting::EnableAutoCommit => SettingValue::Switch(settings.enable_auto_commit),
        Setting::AutoCommitInterval => match settings.library {
            Library::KafkaJs { auto_commit_interval, .. } => {
                auto_commit_interval.map_or(SettingValue::Absent, SettingValue::Time)
            }
            _ => SettingValue::Time(settings.auto_commit_interval),
        },
        Setting::AutoCommitThreshold | Setting::EnableAutoOffsetStore => match settings.library {
            Library::Librdkafka { auto_offset_store, .. } => SettingValue::Switch(auto_offset_store),
            Library::KafkaJs { auto_commit_threshold: Some(records), .. } => SettingValue::Count(records),
            _ => SettingValue::Absent,
        },
        Setting::FetchMaxWait | Setting::RebalanceTimeout => match settings.library {
            Library::KafkaJs { max_wait: time, .. } | Library::AioKafka { rebalance_timeout: time } => {
                SettingValue::Time(time)
            }
            _ => SettingValue::Absent,
        },
        Setting::GroupProtocol => SettingValue::Text(match settings.group_protocol {
            GroupProtocol::Classic => "classic".into(),
            GroupProtocol::Consumer { .. } => "consumer".into(),
        }),
        Setting::GroupRemoteAssignor => {
            let assignor = match (settings.group_protocol, settings.library) {
                (GroupProtocol::Consumer { remote_assignor }, _) => remote_assignor,
                (GroupProtocol::Classic, Library::Librdkafka { unused_assignor, .. }) => unused_assignor,
                (GroupProtocol::Classic, _) => None,
            };
            assignor.map_or(SettingValue::Absent, |assignor| SettingValue::Text(assignor.name().into()))
        }
        _ => return None,
    })
}
