//! Other values of a setting, as far as the engine can be told to take them.

use super::settings::{Owner, Setting, SettingValue, assignor_names, commit_value, records_value, reset_value};
use crate::sim::assignor::{Assignor, AssignorList};
use crate::sim::order;
use crate::sim::producer::batching::Batching;
use crate::sim::setup::{
    ClusterSettings, CommitPolicy, CommitWhen, ConsumerSettings, GroupProtocol, Library, OffsetReset, ProducerClient,
    ProducerSettings, Release,
};
use crate::sim::{
    BrokerSetting, Change, ClientId, ConsumerId, ConsumerSetting, ProducerId, ProducerSetting, Simulation, SinkId, Span,
};
use std::iter;

/// The values that are offered for a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternatives {
    /// When a change takes effect.
    pub takes_effect: TakesEffect,
    /// The values, in order: the present one and at least one other.
    pub values: Vec<Alternative>,
}

/// When a change takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakesEffect {
    /// At once: it is part of the small world around Kafka.
    FromHere,
    /// When this client starts: it is a client's setting.
    AtStartOf(ClientId),
    /// When the brokers start, which they do once only.
    AtStartOfBrokers,
}

/// A value that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The value.
    pub value: SettingValue,
    /// What sets it.
    pub change: Change,
    /// True if it is the present one.
    pub is_present: bool,
    /// True if it is Kafka's default.
    pub is_default: bool,
    /// What it has to be beside another setting, if the client refuses it as it is.
    pub contradicts: Option<Beside>,
    /// True if its group would not let the client in again that starts with it alone.
    pub is_shut_out: bool,
}

/// How a time has to be beside that of another setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beside {
    /// How.
    pub has_to_be: HasToBe,
    /// The other setting, by its name in the client library.
    pub name: &'static str,
    /// Its value.
    pub value: Span,
}

/// How one time has to be beside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HasToBe {
    /// Less.
    Shorter,
    /// More.
    Longer,
    /// Not more.
    AtMost,
    /// Not less.
    AtLeast,
}

/// What is offered for a setting; nothing if the engine cannot be told to change it.
pub fn alternatives(run: &Simulation, setting: Setting, owner: Owner) -> Option<Alternatives> {
    match owner {
        Owner::Network(broker) => {
            let change = |latency| Change::Latency { broker, latency };
            Some(from_here([1, 4, 50, 500], run.latency(broker), change))
        }
        Owner::Handling(consumer, of) => {
            let present = run.consumer(consumer).config().handling.time_for(of);
            let change = |time| Change::HandlingTime { consumer, of, time };
            Some(from_here([50, 100, 500, 1000, 5000], present, change))
        }
        Owner::Sink(sink) if setting == Setting::SinkDown => Some(down_or_up(run, sink)),
        Owner::Sink(sink) if run.sink(sink).has_fixed_key() => None,
        Owner::Sink(sink) => Some(of_table(run, sink)),
        Owner::Brokers => of_brokers(run, setting),
        Owner::Producer(producer) => of_producer(run, setting, producer),
        Owner::Consumer(consumer) => {
            let policy = run.consumer(consumer).config().handling.commit;
            match setting {
                Setting::CommitAfterRecords | Setting::CommitWhen => Some(of_application(consumer, policy)),
                Setting::CommitEvery => commits_every(consumer, policy),
                _ => of_client(run, setting, consumer),
            }
        }
    }
}

fn offered(value: SettingValue, change: Change, is_present: bool, is_default: bool) -> Alternative {
    Alternative { value, change, is_present, is_default, contradicts: None, is_shut_out: false }
}

fn from_here<const N: usize>(millis: [u64; N], present: Span, change: impl Fn(Span) -> Change) -> Alternatives {
    let value = |span| offered(SettingValue::Time(span), change(span), span == present, false);
    let values = times(millis, [present; 2]).map(value).collect();
    Alternatives { takes_effect: TakesEffect::FromHere, values }
}

fn of_table(run: &Simulation, sink: SinkId) -> Alternatives {
    let column = SettingValue::Text(run.setup().sinks[sink.index()].column.clone());
    let value = |(value, is_unique)| {
        offered(value, Change::UniqueKey { sink, is_unique }, run.sink(sink).is_unique == is_unique, false)
    };
    let values = [(SettingValue::Absent, false), (column, true)].map(value).into();
    Alternatives { takes_effect: TakesEffect::FromHere, values }
}

#[inline(never)]
fn down_or_up(run: &Simulation, sink: SinkId) -> Alternatives {
    let value = |is_down| {
        let (value, is_present) = (SettingValue::Switch(is_down), run.sink(sink).down.is_some() == is_down);
        offered(value, Change::SinkDown { sink, is_down }, is_present, false)
    };
    Alternatives { takes_effect: TakesEffect::FromHere, values: [false, true].map(value).into() }
}

/// An application that looks at the clock is offered other times.
#[inline(never)]
fn commits_every(consumer: ConsumerId, present: CommitPolicy) -> Option<Alternatives> {
    let CommitWhen::RecordsOrTime { records, time } = present.when else { return None };
    let change = |time| {
        let policy = CommitPolicy { when: CommitWhen::RecordsOrTime { records, time }, ..present };
        Change::Commit { consumer, policy }
    };
    Some(from_here([500, 1000, 5000, 30_000], time, change))
}

/// An application that counts records is offered other numbers and the commit that comes before all of them; another one other
/// places in its loop.
fn of_application(consumer: ConsumerId, present: CommitPolicy) -> Alternatives {
    let whens = match present.when {
        CommitWhen::AfterRecords(records) => {
            let counts = with(&[1, 3, 10, 100], [u64::from(records); 2]);
            let counts = counts.into_iter().map(|records| CommitWhen::AfterRecords(records as u32));
            counts.chain([CommitWhen::BeforeBatch]).collect()
        }
        CommitWhen::RecordsOrTime { records, time } => {
            let counts = with(&[1, 3, 10, 100], [u64::from(records); 2]);
            let when = |records| CommitWhen::RecordsOrTime { records: records as u32, time };
            counts.into_iter().map(when).collect()
        }
        _ => vec![CommitWhen::BeforeBatch, CommitWhen::AfterBatch, CommitWhen::Never],
    };
    let value = |when| {
        let change = Change::Commit { consumer, policy: CommitPolicy { when, ..present } };
        offered(commit_value(when), change, when == present.when, false)
    };
    Alternatives { takes_effect: TakesEffect::FromHere, values: whens.into_iter().map(value).collect() }
}

fn of_brokers(run: &Simulation, setting: Setting) -> Option<Alternatives> {
    // Without a group there is nobody who would wait.
    if setting != Setting::GroupInitialRebalanceDelay || run.setup().groups.is_empty() {
        return None;
    }
    let (present, default) =
        (run.group_initial_rebalance_delay(), ClusterSettings::default().group_initial_rebalance_delay);
    let value = |span| {
        let change = Change::BrokerSetting(BrokerSetting::GroupInitialRebalanceDelay(span));
        offered(SettingValue::Time(span), change, span == present, span == default)
    };
    let values = times([0, 1_000, 10_000], [present, default]).map(value).collect();
    Some(Alternatives { takes_effect: TakesEffect::AtStartOfBrokers, values })
}

/// Other clients than Java have these settings by other names, or not at all.
fn of_producer(run: &Simulation, setting: Setting, producer: ProducerId) -> Option<Alternatives> {
    let ProducerSettings { batching: present, client, .. } = *run.producer(producer).settings;
    let ProducerClient::Java { release, .. } = client else { return None };
    let default = Batching::of_java(release);
    let change = |setting| Change::ProducerSetting { producer, setting };
    let values = match setting {
        Setting::Linger => {
            let (present, default) = (present.linger, default.linger);
            let value = |span| {
                let change = change(ProducerSetting::Linger(span));
                offered(SettingValue::Time(span), change, span == present, span == default)
            };
            times([0, 5, 100, 1_000], [present, default]).map(value).collect()
        }
        Setting::BatchSize => {
            let (present, default) = (present.batch_size, default.batch_size);
            let value = |bytes| {
                let change = change(ProducerSetting::BatchSize(bytes));
                offered(SettingValue::Count(bytes), change, bytes == present, bytes == default)
            };
            let sizes = with(&[1, 200, 65_536], [present, default].map(u64::from));
            sizes.into_iter().map(|bytes| value(bytes as u32)).collect()
        }
        _ => return None,
    };
    Some(Alternatives { takes_effect: TakesEffect::AtStartOf(producer.into()), values })
}

fn of_client(run: &Simulation, setting: Setting, consumer: ConsumerId) -> Option<Alternatives> {
    let present = &run.consumer(consumer).config().settings;
    let default = &present.defaults(run.setup().cluster.release);
    let alternative = |value, setting, is_present, is_default| Alternative {
        contradicts: contradicts(present, setting),
        is_shut_out: is_shut_out(run, consumer, setting),
        ..offered(value, Change::Setting { consumer, setting }, is_present, is_default)
    };
    let times = |millis: [u64; 3], of: fn(&ConsumerSettings) -> Span, setting: fn(Span) -> ConsumerSetting| {
        let (present, default) = (of(present), of(default));
        let value = |span| alternative(SettingValue::Time(span), setting(span), span == present, span == default);
        times(millis, [present, default]).map(value).collect()
    };
    let switch = |of: fn(&ConsumerSettings) -> bool, setting: fn(bool) -> ConsumerSetting| {
        let (present, default) = (of(present), of(default));
        let value = |on| alternative(SettingValue::Switch(on), setting(on), on == present, on == default);
        [false, true].map(value).into()
    };
    let values: Vec<Alternative> = match setting {
        Setting::SessionTimeout => {
            times([6_000, 10_000, 30_000], |settings| settings.session_timeout, ConsumerSetting::SessionTimeout)
        }
        Setting::HeartbeatInterval => {
            times([1_000, 10_000, 60_000], |settings| settings.heartbeat_interval, ConsumerSetting::HeartbeatInterval)
        }
        Setting::MaxPollInterval => {
            times([2_000, 10_000, 60_000], |settings| settings.max_poll_interval, ConsumerSetting::MaxPollInterval)
        }
        Setting::AutoCommitInterval => match present.library {
            Library::KafkaJs { auto_commit_interval, .. } => in_loop(consumer, auto_commit_interval),
            _ => times(
                [shortest_commit(present.library), 1_000, 60_000],
                |settings| settings.auto_commit_interval,
                ConsumerSetting::AutoCommitInterval,
            ),
        },
        Setting::AutoCommitThreshold => match present.library {
            Library::KafkaJs { auto_commit_threshold, .. } => after_handled(consumer, auto_commit_threshold),
            _ => return None,
        },
        Setting::EnableAutoOffsetStore => {
            switch(|settings| settings.library.commits_what_is_handed_over(), ConsumerSetting::EnableAutoOffsetStore)
        }
        Setting::MetadataMaxAge => {
            times([1_000, 10_000, 60_000], |settings| settings.metadata_max_age, ConsumerSetting::MetadataMaxAge)
        }
        Setting::MaxPollRecords => {
            let (present, default) = (present.max_poll_records, default.max_poll_records);
            let value = |count| {
                let setting = ConsumerSetting::MaxPollRecords(count);
                alternative(records_value(count), setting, count == present, count == default)
            };
            let counts = with(&[1, 10, 100], [present, default].map(u64::from));
            counts.into_iter().map(|count| value(count as u32)).collect()
        }
        Setting::EnableAutoCommit => switch(|settings| settings.enable_auto_commit, ConsumerSetting::EnableAutoCommit),
        Setting::PartitionAssignmentStrategy => {
            let value = |list: AssignorList| {
                let setting = ConsumerSetting::PartitionAssignmentStrategy(list);
                let is = |assignors: &[Assignor]| AssignorList::new(assignors) == list;
                let names = assignor_names(present.library, list.iter());
                alternative(names, setting, is(&present.assignors), is(&default.assignors))
            };
            strategies(present, default).into_iter().map(value).collect()
        }
        Setting::AutoOffsetReset => {
            let offered = present.library.resets();
            let own = (!offered.contains(&present.auto_offset_reset)).then_some(present.auto_offset_reset);
            let value = |reset: OffsetReset| {
                let (is_present, is_default) = (reset == present.auto_offset_reset, reset == default.auto_offset_reset);
                let value = reset_value(present.library, reset);
                alternative(value, ConsumerSetting::AutoOffsetReset(reset), is_present, is_default)
            };
            offered.iter().copied().chain(own).map(value).collect()
        }
        _ => return None,
    };
    (values.len() > 1).then_some(Alternatives { takes_effect: TakesEffect::AtStartOf(consumer.into()), values })
}

/// The shortest time between two commits that is offered, in milliseconds. A task that commits all the time is refused.
const fn shortest_commit(library: Library) -> u64 {
    match library {
        Library::AioKafka { .. } => 100,
        _ => 0,
    }
}

/// When kafkajs commits between two records, or whether it does not look at the clock.
#[inline(never)]
fn in_loop(consumer: ConsumerId, present: Option<Span>) -> Vec<Alternative> {
    let offered_times = [1_000, 5_000, 60_000];
    let own = present.unwrap_or(Span::from_millis(offered_times[0]));
    let value = |interval: Option<Span>| {
        let change = Change::Setting { consumer, setting: ConsumerSetting::LoopCommitInterval(interval) };
        let value = interval.map_or(SettingValue::Absent, SettingValue::Time);
        offered(value, change, interval == present, interval.is_none())
    };
    iter::once(None).chain(times(offered_times, [own; 2]).map(Some)).map(value).collect()
}

/// After how many records kafkajs commits between two of them, or whether it does not count.
#[inline(never)]
fn after_handled(consumer: ConsumerId, present: Option<u32>) -> Vec<Alternative> {
    let value = |records: Option<u32>| {
        let change = Change::Setting { consumer, setting: ConsumerSetting::AutoCommitThreshold(records) };
        let value = records.map_or(SettingValue::Absent, SettingValue::Count);
        offered(value, change, records == present, records.is_none())
    };
    let counts = with(&[1, 10, 100], [u64::from(present.unwrap_or(1)); 2]);
    iter::once(None).chain(counts.into_iter().map(|records| Some(records as u32))).map(value).collect()
}

/// Since this release there is `cooperative-sticky` in Java (KIP-429).
const COOPERATIVE: Release = (2, 4);

/// Each assignor that a client knows alone, its default list, and the one that it has.
fn strategies(present: &ConsumerSettings, default: &ConsumerSettings) -> Vec<AssignorList> {
    let has_cooperative = present.library != Library::Java || present.release >= COOPERATIVE;
    let known = present.library.assignors().iter().map(|&(_, assignor)| assignor);
    let known = known.filter(|assignor| !assignor.supports_cooperative() || has_cooperative);
    let mut lists: Vec<AssignorList> = known.map(|assignor| AssignorList::new(&[assignor])).collect();
    for list in [&default.assignors, &present.assignors].map(|assignors| AssignorList::new(assignors)) {
        if !lists.contains(&list) {
            lists.push(list);
        }
    }
    lists
}

/// Each member has to support one assignor that all the others support too (`INCONSISTENT_GROUP_PROTOCOL`).
fn is_shut_out(run: &Simulation, consumer: ConsumerId, setting: ConsumerSetting) -> bool {
    let ConsumerSetting::PartitionAssignmentStrategy(list) = setting else { return false };
    let found = run.consumer(consumer);
    // A dynamic member leaves before it starts again; the place of one that has died, and of a static one, is kept.
    let leaves = found.client().filter(|client| !client.is_static()).map(|_| found.key());
    let all_support = |assignor: Assignor| {
        let mut others = run.group(found.group).members.iter().filter(|member| Some(member.key) != leaves);
        others.all(|member| member.request.assignors.contains(&assignor))
    };
    !list.iter().any(all_support)
}

/// A heartbeat has to come more often than the session expires (`AbstractCoordinator`); librdkafka takes no time between two
/// polls that is shorter than the session (`rd_kafka_conf_finalize`).
fn contradicts(present: &ConsumerSettings, setting: ConsumerSetting) -> Option<Beside> {
    let (interval, timeout, poll) = (present.heartbeat_interval, present.session_timeout, present.max_poll_interval);
    let is_librdkafka =
        matches!(present.library, Library::Librdkafka { .. }) && present.group_protocol == GroupProtocol::Classic;
    let (has_to_be, other, value) = match setting {
        ConsumerSetting::SessionTimeout(span) if span <= interval => {
            (HasToBe::Longer, Setting::HeartbeatInterval, interval)
        }
        ConsumerSetting::SessionTimeout(span) if is_librdkafka && span > poll => {
            (HasToBe::AtMost, Setting::MaxPollInterval, poll)
        }
        ConsumerSetting::HeartbeatInterval(span) if span >= timeout => {
            (HasToBe::Shorter, Setting::SessionTimeout, timeout)
        }
        ConsumerSetting::MaxPollInterval(span) if is_librdkafka && span < timeout => {
            (HasToBe::AtLeast, Setting::SessionTimeout, timeout)
        }
        _ => return None,
    };
    Some(Beside { has_to_be, name: present.library.setting_name(other.name()), value })
}

/// Offered times and those that must not be missing, in order, each once.
fn times<const N: usize>(millis: [u64; N], more: [Span; 2]) -> impl Iterator<Item = Span> {
    let values = with(&millis.map(|millis| millis * 1000), more.map(|span| span.as_micros()));
    values.into_iter().map(Span::from_micros)
}

/// The offered numbers and those that must not be missing, in order, each once.
fn with(offered: &[u64], more: [u64; 2]) -> Vec<u64> {
    let mut values = offered.to_vec();
    values.extend(more);
    order::by_number(&mut values, |&value| value);
    values.dedup();
    values
}
