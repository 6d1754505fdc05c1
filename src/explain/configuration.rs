//! All settings of a run as they are at this moment, part by part, beside their defaults.

use super::settings::{
    Owner, Setting, SettingUse, SettingValue, cluster_value, consumer_setting, producer_value, setting_use,
};
use crate::sim::failing::OnError;
use crate::sim::setup::{
    BUILT_IN_PARTITIONER, ClusterSettings, ConsumerSettings, GroupProtocol, Library, ProducerClient, Release,
};
use crate::sim::{BrokerId, ConsumerId, GroupId, HandlingOf, ProducerId, Simulation, SinkId};

/// A setting as it is, beside what it would be if nobody had set it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configured {
    /// The setting, with its value.
    pub used: SettingUse,
    /// Its default; nothing for what is not Kafka's, or has none.
    pub default: Option<SettingValue>,
}

impl Configured {
    /// True for one of Kafka's settings that is not what it would be by itself.
    pub fn differs(&self) -> bool {
        self.default.as_ref().is_some_and(|default| *default != self.used.value)
    }
}

/// A part of a run that has settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The brokers, and the network in front of them.
    Brokers,
    /// A producer, with its application.
    Producer(ProducerId),
    /// Members of a group that are configured alike, with their application.
    Members(GroupId, Vec<ConsumerId>),
    /// A table.
    Sink(SinkId),
}

/// The settings of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Whose they are.
    pub part: Part,
    /// First those that differ from their defaults.
    pub settings: Vec<Configured>,
}

/// The settings of everything in a run.
pub fn configuration(run: &Simulation) -> Vec<Configuration> {
    let mut all = Vec::new();
    for group in (0..run.setup().groups.len()).map(GroupId::at) {
        all.extend(of_group(run, group));
    }
    let producers = (0..run.setup().producers.len()).map(ProducerId::at);
    all.extend(
        producers
            .map(|producer| Configuration { part: Part::Producer(producer), settings: of_producer(run, producer) }),
    );
    let sinks = (0..run.setup().sinks.len()).map(SinkId::at);
    all.extend(sinks.map(|sink| {
        let ours = [Setting::UniqueKey, Setting::SinkDown].map(|setting| (setting, Owner::Sink(sink)));
        Configuration { part: Part::Sink(sink), settings: without_defaults(run, ours) }
    }));
    all.push(Configuration { part: Part::Brokers, settings: of_brokers(run) });
    for part in &mut all {
        let (first, others): (Vec<Configured>, Vec<Configured>) =
            std::mem::take(&mut part.settings).into_iter().partition(Configured::differs);
        part.settings = [first, others].concat();
    }
    all
}

fn without_defaults(run: &Simulation, settings: impl IntoIterator<Item = (Setting, Owner)>) -> Vec<Configured> {
    settings
        .into_iter()
        .map(|(setting, owner)| Configured { used: setting_use(run, setting, owner), default: None })
        .collect()
}

/// What every client has that reads in a group.
const OF_EVERY: [Setting; 7] = [
    Setting::SessionTimeout,
    Setting::HeartbeatInterval,
    Setting::AutoOffsetReset,
    Setting::EnableAutoCommit,
    Setting::AutoCommitInterval,
    Setting::PartitionAssignmentStrategy,
    Setting::MetadataMaxAge,
];

/// The settings that a member's client has.
fn known(settings: &ConsumerSettings) -> Vec<Setting> {
    let modern = matches!(settings.group_protocol, GroupProtocol::Consumer { .. });
    // The broker has these, in the consumer protocol.
    let of_broker = [Setting::SessionTimeout, Setting::HeartbeatInterval, Setting::PartitionAssignmentStrategy];
    let every = OF_EVERY.into_iter().filter(|setting| !modern || !of_broker.contains(setting));
    let own: &[Setting] = match settings.library {
        Library::Java if modern => &[
            Setting::GroupProtocol,
            Setting::GroupRemoteAssignor,
            Setting::MaxPollInterval,
            Setting::MaxPollRecords,
            Setting::GroupInstanceId,
        ],
        Library::Java => {
            &[Setting::GroupProtocol, Setting::MaxPollInterval, Setting::MaxPollRecords, Setting::GroupInstanceId]
        }
        Library::Librdkafka { .. } => &[
            Setting::GroupProtocol,
            Setting::GroupRemoteAssignor,
            Setting::EnableAutoOffsetStore,
            Setting::MaxPollInterval,
            Setting::MaxPollRecords,
            Setting::GroupInstanceId,
        ],
        Library::KafkaJs { .. } => &[Setting::AutoCommitThreshold, Setting::MaxPollInterval, Setting::FetchMaxWait],
        Library::KafkaPython => &[Setting::MaxPollInterval, Setting::MaxPollRecords, Setting::GroupInstanceId],
        Library::AioKafka { .. } => {
            &[Setting::RebalanceTimeout, Setting::MaxPollInterval, Setting::MaxPollRecords, Setting::GroupInstanceId]
        }
    };
    let is_java = settings.library == Library::Java;
    every.chain(own.iter().copied()).filter(|&of| !is_java || settings.release >= since(of)).collect()
}

/// The first release of Java's client, or of the brokers, that has a setting.
const fn since(setting: Setting) -> Release {
    match setting {
        Setting::GroupMaxSize => (2, 2),
        Setting::GroupInstanceId => (2, 3),
        Setting::IgnoreKeys | Setting::AdaptivePartitioning => BUILT_IN_PARTITIONER,
        Setting::GroupProtocol
        | Setting::GroupRemoteAssignor
        | Setting::GroupConsumerAssignors
        | Setting::GroupConsumerHeartbeatInterval
        | Setting::GroupConsumerMinHeartbeatInterval
        | Setting::GroupConsumerMaxHeartbeatInterval
        | Setting::GroupConsumerSessionTimeout
        | Setting::GroupConsumerMinSessionTimeout
        | Setting::GroupConsumerMaxSessionTimeout => (3, 7),
        Setting::GroupConsumerAssignmentInterval => (4, 3),
        _ => (0, 0),
    }
}

/// The settings that a producer's client has.
fn known_to(client: ProducerClient) -> Vec<Setting> {
    let all: &[Setting] = match client {
        ProducerClient::Java { .. } => &[
            Setting::Linger,
            Setting::BatchSize,
            Setting::MaxInFlight,
            Setting::MaxRequestSize,
            Setting::MetadataMaxAge,
            Setting::Partitioner,
            Setting::IgnoreKeys,
            Setting::AdaptivePartitioning,
        ],
        ProducerClient::Librdkafka { .. } => &[
            Setting::Linger,
            Setting::BatchSize,
            Setting::BatchRecords,
            Setting::MaxInFlight,
            Setting::MaxRequestSize,
            Setting::MetadataMaxAge,
            Setting::Partitioner,
            Setting::StickyLinger,
            Setting::TopicPartitioner,
        ],
        ProducerClient::KafkaJs { .. } => &[Setting::MaxInFlight, Setting::MetadataMaxAge, Setting::Partitioner],
        ProducerClient::KafkaPython { .. } => &[
            Setting::Linger,
            Setting::BatchSize,
            Setting::MaxInFlight,
            Setting::MaxRequestSize,
            Setting::MetadataMaxAge,
            Setting::Partitioner,
        ],
        ProducerClient::AioKafka => &[Setting::BatchSize, Setting::MaxRequestSize, Setting::MetadataMaxAge],
    };
    let is_there = |setting: &Setting| match (setting, client) {
        (Setting::TopicPartitioner, ProducerClient::Librdkafka { of_client }) => of_client.is_some(),
        (&setting, ProducerClient::Java { release, .. }) => release >= since(setting),
        _ => true,
    };
    all.iter().copied().filter(is_there).collect()
}

/// The members of a group, those together that are configured alike.
fn of_group(run: &Simulation, group: GroupId) -> Vec<Configuration> {
    let mut parts: Vec<(Vec<ConsumerId>, Vec<Configured>)> = Vec::new();
    for consumer in run.consumers_of(group).map(|consumer| consumer.id) {
        let settings = of_consumer(run, consumer);
        let is_same = |(_, of): &(Vec<ConsumerId>, Vec<Configured>)| {
            let values = |list: &[Configured]| {
                list.iter().map(|of| (of.used.setting, of.used.value.clone())).collect::<Vec<_>>()
            };
            values(of) == values(&settings)
        };
        match parts.iter_mut().find(|part| is_same(part)) {
            Some((members, _)) => members.push(consumer),
            None => parts.push((vec![consumer], settings)),
        }
    }
    let configuration = |(members, settings)| Configuration { part: Part::Members(group, members), settings };
    parts.into_iter().map(configuration).collect()
}

fn of_consumer(run: &Simulation, consumer: ConsumerId) -> Vec<Configured> {
    let config = run.consumer(consumer).config();
    let default = config.settings.defaults(run.setup().cluster.release);
    let owner = Owner::Consumer(consumer);
    let kafka = known(&config.settings).into_iter().map(|setting| {
        let default = match setting {
            Setting::GroupInstanceId => Some(SettingValue::Absent),
            Setting::RebalanceTimeout => Some(SettingValue::Time(config.settings.session_timeout)),
            _ => consumer_setting(setting, &default),
        };
        Configured { used: setting_use(run, setting, owner), default }
    });
    let ours = [
        (Setting::HandlingTime, Owner::Handling(consumer, HandlingOf::Every)),
        (Setting::CommitWhen, owner),
        (Setting::CommitEvery, owner),
    ];
    let expects_errors = config.handling.on_error != OnError::STOP;
    let of_errors = [Setting::OnErrorTries, Setting::OnErrorBackOff].map(|setting| (setting, owner));
    let ours = ours.into_iter().chain(of_errors.into_iter().filter(|_| expects_errors));
    let has = |of: &Configured| of.used.value != SettingValue::Absent;
    kafka.chain(without_defaults(run, ours).into_iter().filter(has)).collect()
}

fn of_producer(run: &Simulation, producer: ProducerId) -> Vec<Configured> {
    let client = run.producer(producer).settings.client;
    let default = client.defaults();
    let configured = |setting| Configured {
        used: setting_use(run, setting, Owner::Producer(producer)),
        default: Some(producer_value(setting, &default)),
    };
    known_to(client).into_iter().map(configured).collect()
}

fn of_brokers(run: &Simulation) -> Vec<Configured> {
    let release = run.setup().cluster.release;
    let default = ClusterSettings::of_release(release);
    let has = |setting: &Setting| setting.is_of_brokers() && release >= since(*setting);
    let kafka = Setting::ALL.iter().copied().filter(has);
    let kafka = kafka.map(|setting| Configured {
        used: setting_use(run, setting, Owner::Brokers),
        default: Some(cluster_value(setting, &default)),
    });
    let network =
        (0..run.setup().brokers.len()).map(|broker| (Setting::NetworkLatency, Owner::Network(BrokerId::at(broker))));
    kafka.chain(without_defaults(run, network)).collect()
}
