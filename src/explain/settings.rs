//! The settings that made a step as it is.

use crate::sim::consumer::Consumer;
use crate::sim::event::{ErrorCode, SentBecause};
use crate::sim::failing::AfterFailure;
use crate::sim::partitioner::{Choice, Partitioner};
use crate::sim::setup::{CommitWhen, ConsumerConfig, GroupProtocol, OffsetReset, ProducerSettings};
use crate::sim::{BrokerId, ConsumerId, Event, ProducerId, Simulation, Span, StepNo};
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
                match self { $( Setting::$variant => settings!(@ $owner) ),* }
            }
        }
    };
    (@ kafka) => { true };
    (@ ours) => { false };
}

settings! {
    /// How long a batch waits for more records.
    Linger "linger.ms" kafka,
    /// How large a batch may be, and after how many bytes the built-in partitioner moves on.
    BatchSize "batch.size" kafka,
    /// How many requests may be unanswered.
    MaxInFlight "max.in.flight.requests.per.connection" kafka,
    /// How long records without a key stay on a partition, with librdkafka.
    StickyLinger "sticky.partitioning.linger.ms" kafka,
    /// How long the first rebalance waits for more members.
    GroupInitialRebalanceDelay "group.initial.rebalance.delay.ms" kafka,
    /// How long committed offsets are kept.
    OffsetsRetention "offsets.retention.minutes" kafka,
    /// Silence after which a member is removed.
    SessionTimeout "session.timeout.ms" kafka,
    /// Time between heartbeats.
    HeartbeatInterval "heartbeat.interval.ms" kafka,
    /// Longest time between polls, and the rebalance timeout.
    MaxPollInterval "max.poll.interval.ms" kafka,
    /// The most records that one poll returns.
    MaxPollRecords "max.poll.records" kafka,
    /// Where to begin without a committed offset.
    AutoOffsetReset "auto.offset.reset" kafka,
    /// Whether `poll()` commits.
    EnableAutoCommit "enable.auto.commit" kafka,
    /// The shortest time between two commits of `poll()`.
    AutoCommitInterval "auto.commit.interval.ms" kafka,
    /// Which assignor deals the partitions.
    PartitionAssignmentStrategy "partition.assignment.strategy" kafka,
    /// Classic or consumer.
    GroupProtocol "group.protocol" kafka,
    /// Which assignor a member asks the broker for.
    GroupRemoteAssignor "group.remote.assignor" kafka,
    /// Which assignors the broker has.
    GroupConsumerAssignors "group.consumer.assignors" kafka,
    /// Time between heartbeats in the consumer protocol.
    GroupConsumerHeartbeatInterval "group.consumer.heartbeat.interval.ms" kafka,
    /// Silence after which a member of the consumer protocol is removed.
    GroupConsumerSessionTimeout "group.consumer.session.timeout.ms" kafka,
    /// The least time between two target assignments.
    GroupConsumerAssignmentInterval "group.consumer.assignment.interval.ms" kafka,
    /// The name of a static member.
    GroupInstanceId "group.instance.id" kafka,
    /// How often a client asks which partitions there are.
    MetadataMaxAge "metadata.max.age.ms" kafka,
    /// How many members a group may have.
    GroupMaxSize "group.max.size" kafka,
    /// How many records lie between two commits.
    CommitAfterRecords "commit.after_records" ours,
    /// The place in the loop of the application where it commits.
    CommitWhen "commit.when" ours,
    /// How long one record takes.
    HandlingTime "handling.time" ours,
    /// One-way delay of a message.
    NetworkLatency "network.latency" ours,
    /// The column of the table that holds each event once.
    UniqueKey "sink.unique_key" ours,
}

/// A setting and the value that it has in this run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingUse {
    /// Which setting.
    pub setting: Setting,
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

/// The settings behind a step, the most telling first.
pub(super) fn settings(run: &Simulation, step: StepNo) -> Vec<SettingUse> {
    let Some(step) = run.step_at(step) else { return Vec::new() };
    used_by(run, &step.event)
        .iter()
        .map(|&(setting, of)| (in_protocol(run, setting, of), of))
        .map(|(setting, owner)| SettingUse { setting, owner, value: value(run, setting, owner) })
        .collect()
}

/// Whose setting it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The world around the clients.
    World,
    /// A producer.
    Producer(ProducerId),
    /// A consumer or, where the broker decides for its group, that.
    Consumer(ConsumerId),
}

/// What stands for a setting of the classic protocol in a group of the consumer protocol.
fn in_protocol(run: &Simulation, setting: Setting, of: Owner) -> Setting {
    let Owner::Consumer(consumer) = of else { return setting };
    match setting {
        _ if !run.setup().is_modern(run.consumer(consumer).group) => setting,
        Setting::SessionTimeout => Setting::GroupConsumerSessionTimeout,
        Setting::HeartbeatInterval => Setting::GroupConsumerHeartbeatInterval,
        other => other,
    }
}

fn used_by(run: &Simulation, event: &Event) -> Vec<(Setting, Owner)> {
    let of = event.consumer().map_or(Owner::World, Owner::Consumer);
    let all = |settings: &[Setting]| settings.iter().map(|&setting| (setting, of)).collect();
    match *event {
        Event::RecordAppended { record, .. } => {
            vec![
                (Setting::Linger, Owner::Producer(run.record(record).producer)),
                (Setting::NetworkLatency, Owner::World),
            ]
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
        Event::ProduceSent { producer, because, .. } => {
            let setting = match because {
                SentBecause::Linger | SentBecause::Closing => Setting::Linger,
                SentBecause::Full => Setting::BatchSize,
                SentBecause::Answered => Setting::MaxInFlight,
            };
            vec![(setting, Owner::Producer(producer))]
        }
        Event::ProducerMetadataRefreshed { producer, .. } => vec![(Setting::MetadataMaxAge, Owner::Producer(producer))],
        Event::ProducerCrashed { producer, .. } => vec![(Setting::Linger, Owner::Producer(producer))],
        Event::RebalanceStarted { generation: 0, .. } => all(&[Setting::GroupInitialRebalanceDelay]),
        Event::RebalanceStarted { .. } => all(&[Setting::HeartbeatInterval, Setting::MaxPollInterval]),
        Event::GenerationStarted { generation: 1, .. } => all(&[Setting::GroupInitialRebalanceDelay]),
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
            let member = run.consumers_of(group).next().map_or(Owner::World, |consumer| Owner::Consumer(consumer.id));
            [Setting::GroupConsumerAssignors, Setting::GroupRemoteAssignor, Setting::GroupConsumerAssignmentInterval]
                .map(|setting| (setting, member))
                .to_vec()
        }
        Event::RevocationRequested { .. } | Event::RevocationTimedOut { .. } => all(&[Setting::MaxPollInterval]),
        Event::AssignmentGiven { .. } | Event::RevocationAcknowledged { .. } => {
            all(&[Setting::GroupConsumerHeartbeatInterval])
        }
        Event::ReconciliationRevoked { .. } => all(&[Setting::CommitAfterRecords, Setting::EnableAutoCommit]),
        Event::ListOffsetsSent { .. }
        | Event::ListOffsetsAnswered { .. }
        | Event::PollThrew { .. }
        | Event::OffsetOutOfRange { .. } => all(&[Setting::AutoOffsetReset]),
        Event::OffsetExpired { .. } => all(&[Setting::OffsetsRetention]),
        Event::PositionSet { source, .. } if source != crate::sim::event::PositionSource::Committed => {
            all(&[Setting::AutoOffsetReset])
        }
        Event::RecordsPolled { .. } => all(&[Setting::MaxPollRecords]),
        Event::HandlingStarted { .. } => all(&[Setting::HandlingTime]),
        Event::HandlingFailed { after: AfterFailure::TriesAgain, .. } => {
            all(&[Setting::MaxPollInterval, Setting::HandlingTime])
        }
        Event::RecordProcessed { times: 1, .. } => all(&[Setting::HandlingTime]),
        Event::RecordProcessed { consumer, .. } => {
            all(&[committing(run, consumer), Setting::EnableAutoCommit, Setting::UniqueKey])
        }
        Event::OffsetCommitSent { consumer, .. }
        | Event::OffsetCommitted { consumer, .. }
        | Event::ConsumerClosed { consumer, .. } => all(&[committing(run, consumer), Setting::EnableAutoCommit]),
        Event::HeartbeatSent { .. } => all(&[Setting::HeartbeatInterval]),
        Event::HeartbeatReceived { .. } => all(&[Setting::SessionTimeout, Setting::HeartbeatInterval]),
        Event::ConsumerCrashed { consumer, .. } => all(&[committing(run, consumer), Setting::SessionTimeout]),
        Event::SessionExpired { .. } => all(&[Setting::SessionTimeout, Setting::HeartbeatInterval]),
        Event::RebalanceTimedOut { .. } => all(&[Setting::MaxPollInterval]),
        Event::PollTimedOut { .. } => all(&[Setting::MaxPollInterval, Setting::MaxPollRecords, Setting::HandlingTime]),
        _ => Vec::new(),
    }
}

/// The setting that says when a consumer commits.
fn committing(run: &Simulation, consumer: ConsumerId) -> Setting {
    let config = run.consumer(consumer).config();
    match config.handling.commit.when {
        CommitWhen::AfterRecords(_) => Setting::CommitAfterRecords,
        CommitWhen::Never if config.settings.enable_auto_commit => Setting::AutoCommitInterval,
        _ => Setting::CommitWhen,
    }
}

fn value(run: &Simulation, setting: Setting, of: Owner) -> SettingValue {
    match of {
        Owner::World if setting == Setting::OffsetsRetention => {
            SettingValue::Count((run.setup().cluster.offsets.retention.as_micros() / 60_000_000) as u32)
        }
        Owner::World => SettingValue::Time(run.latency(BrokerId(0))),
        Owner::Producer(producer) => producer_value(setting, &run.setup().producers[producer.index()].settings),
        Owner::Consumer(consumer) => consumer_value(run, setting, run.consumer(consumer)),
    }
}

fn producer_value(setting: Setting, settings: &ProducerSettings) -> SettingValue {
    match (setting, settings.partitioner) {
        (Setting::BatchSize, _) => SettingValue::Count(settings.batching.batch_size),
        (Setting::MaxInFlight, _) => SettingValue::Count(settings.batching.max_in_flight),
        (Setting::MetadataMaxAge, _) => SettingValue::Time(settings.metadata_max_age),
        (Setting::StickyLinger, Partitioner::Librdkafka(_, linger)) => SettingValue::Time(linger),
        _ => SettingValue::Time(settings.batching.linger),
    }
}

/// A value of `auto.offset.reset` as it is written.
pub(super) fn reset_name(reset: OffsetReset) -> String {
    match reset {
        OffsetReset::Earliest => "earliest".to_owned(),
        OffsetReset::Latest => "latest".to_owned(),
        OffsetReset::None => "none".to_owned(),
        OffsetReset::ByDuration(span) => format!("by_duration:PT{}S", span.as_micros() / 1_000_000),
    }
}

fn consumer_value(run: &Simulation, setting: Setting, consumer: &Consumer) -> SettingValue {
    let ConsumerConfig { settings, handling, .. } = consumer.config();
    let cluster = &run.setup().cluster.consumer_groups;
    match setting {
        Setting::Linger
        | Setting::BatchSize
        | Setting::MaxInFlight
        | Setting::StickyLinger
        | Setting::OffsetsRetention
        | Setting::NetworkLatency => SettingValue::Time(run.latency(BrokerId(0))),
        Setting::GroupInitialRebalanceDelay => SettingValue::Time(run.setup().cluster.group_initial_rebalance_delay),
        Setting::SessionTimeout => SettingValue::Time(settings.session_timeout),
        Setting::HeartbeatInterval => SettingValue::Time(settings.heartbeat_interval),
        Setting::MaxPollInterval => SettingValue::Time(settings.max_poll_interval),
        Setting::MaxPollRecords => SettingValue::Count(settings.max_poll_records),
        Setting::AutoOffsetReset => SettingValue::Text(reset_name(settings.auto_offset_reset).into()),
        Setting::PartitionAssignmentStrategy => {
            let names: Vec<&str> = settings.assignors.iter().map(|assignor| assignor.name()).collect();
            SettingValue::Text(names.join(",").into())
        }
        Setting::GroupInstanceId => consumer.instance_id.clone().map_or(SettingValue::Absent, SettingValue::Text),
        Setting::MetadataMaxAge => SettingValue::Time(settings.metadata_max_age),
        Setting::GroupMaxSize => SettingValue::Count(run.setup().cluster.group_max_size),
        Setting::EnableAutoCommit => SettingValue::Switch(settings.enable_auto_commit),
        Setting::AutoCommitInterval => SettingValue::Time(settings.auto_commit_interval),
        Setting::GroupProtocol => SettingValue::Text(match settings.group_protocol {
            GroupProtocol::Classic => "classic".into(),
            GroupProtocol::Consumer { .. } => "consumer".into(),
        }),
        Setting::GroupRemoteAssignor => match settings.group_protocol {
            GroupProtocol::Consumer { remote_assignor: Some(assignor) } => SettingValue::Text(assignor.name().into()),
            _ => SettingValue::Absent,
        },
        Setting::GroupConsumerAssignors => {
            let names: Vec<&str> = cluster.assignors.iter().map(|assignor| assignor.name()).collect();
            SettingValue::Text(names.join(",").into())
        }
        Setting::GroupConsumerHeartbeatInterval => SettingValue::Time(cluster.heartbeat_interval),
        Setting::GroupConsumerSessionTimeout => SettingValue::Time(cluster.session_timeout),
        Setting::GroupConsumerAssignmentInterval => SettingValue::Time(cluster.assignment_interval),
        Setting::CommitAfterRecords => match handling.commit.when {
            CommitWhen::AfterRecords(records) => SettingValue::Count(records),
            _ => SettingValue::Absent,
        },
        Setting::CommitWhen => match handling.commit.when {
            CommitWhen::Never => SettingValue::Text("never".into()),
            CommitWhen::BeforeBatch => SettingValue::Text("before_batch".into()),
            CommitWhen::AfterBatch => SettingValue::Text("after_batch".into()),
            CommitWhen::AfterRecords(_) => SettingValue::Absent,
        },
        Setting::HandlingTime => SettingValue::Time(handling.time),
        Setting::UniqueKey => {
            let column = handling.writes_to.and_then(|sink| run.unique_key(sink));
            column.cloned().map_or(SettingValue::Absent, SettingValue::Text)
        }
    }
}
