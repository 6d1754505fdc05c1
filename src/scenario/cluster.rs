//! Cluster, topics and tables.

use super::clients::{Family, read_version};
use super::fields::*;
use super::mistake::{Contradiction, Kind, NoEffect, Problem, Side, Unit};
use super::modern;
use super::reader::{Place, Reader};
use super::since;
use super::version::Version;
use crate::sim::setup::{
    BrokerSetup, ClusterSettings, ConsumerSetup, GroupProtocol, OffsetsSettings, SinkSetup, TopicSetup, Writes, bounds,
};
use crate::sim::time::Span;
use borsh::{BorshDeserialize, BorshSerialize};
use jsonc_parser::ast::Value;

/// The highest value of Kafka's settings of type `int`.
pub(super) const MOST_INT: u64 = i32::MAX as u64;

const DEFAULT_LATENCY: Span = Span::from_millis(2);
pub(super) const MOST_LATENCY: Span = Span::from_secs(10);

/// The cluster, as far as it does not change during a run.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Cluster {
    /// Its Kafka version.
    pub kafka: Version,
    /// The brokers, each with its latency; the first has number 0.
    pub brokers: Vec<BrokerSetup>,
    /// Settings that all brokers share.
    pub settings: ClusterSettings,
}

pub(super) fn read_cluster<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<Cluster> {
    let fields = r.object(place, &CLUSTER)?;
    let kafka = read_version(r, fields.get("kafka"), Family::Java);
    let latency = r.or(fields.get("network"), DEFAULT_LATENCY, |r, place| {
        let fields = r.object(place, &NETWORK)?;
        r.duration(fields.get("latency"), Span::from_micros(1)..=MOST_LATENCY)
    });
    let brokers = read_brokers(r, fields.get("brokers"), latency.unwrap_or(DEFAULT_LATENCY));
    let known = kafka.unwrap_or(Version::new(4, 0));
    let by_default = ClusterSettings::of_release(known.release());
    let settings = r.or(fields.get("settings"), by_default.clone(), |r, place| {
        let fields = r.object(place.clone(), &BROKER_SETTINGS)?;
        since::check_fields(r, &fields, Side::Broker, known);
        let mut millis = |name, least, default: Span| {
            let read =
                |r: &mut Reader<'t>, place| r.whole(place, least..=MOST_INT, Unit::Millis).map(Span::from_millis);
            r.or(fields.get(name), default, read)
        };
        let delay = millis("group.initial.rebalance.delay.ms", 0, by_default.group_initial_rebalance_delay);
        let least = millis("group.min.session.timeout.ms", 1, by_default.session_timeout_bounds.0);
        let most = millis("group.max.session.timeout.ms", 1, by_default.session_timeout_bounds.1);
        let check_interval = millis("offsets.retention.check.interval.ms", 1, by_default.offsets.check_interval);
        let minutes =
            r.or(fields.get("offsets.retention.minutes"), 10_080, |r, place| r.count(place, 1..=MOST_INT as u32));
        let most_members = by_default.group_max_size;
        let size = r.or(fields.get("group.max.size"), most_members, |r, place| r.count(place, 1..=MOST_INT as u32));
        let consumer_groups = modern::read_broker(r, &fields, &by_default.consumer_groups);
        let (delay, size, least, most) = (delay?, size?, least?, most?);
        let offsets = OffsetsSettings {
            retention: Span::from_secs(u64::from(minutes?) * 60),
            check_interval: check_interval?,
            ..by_default.offsets
        };
        if least > most {
            let (least, most) = (least.as_millis(), most.as_millis());
            r.report(&place?, Problem::Contradiction(Contradiction::BrokerBounds { least, most }));
            return None;
        }
        Some(ClusterSettings {
            group_initial_rebalance_delay: delay,
            consumer_groups: consumer_groups?,
            group_max_size: size,
            session_timeout_bounds: (least, most),
            offsets,
            release: by_default.release,
        })
    });
    let settings = settings?;
    Some(Cluster { kafka: kafka?, brokers: latency.and(brokers)?, settings })
}

/// Tells of a setting for groups of the classic protocol where there are groups, but none of these.
pub(super) fn warn_of_classic_settings<'t>(
    r: &mut Reader<'t>,
    cluster: Option<Place<'t>>,
    groups: usize,
    consumers: &[ConsumerSetup],
) {
    let is_modern = |consumer: &ConsumerSetup| {
        let config = &consumer.config;
        config.reads.is_by_hand() || config.settings.group_protocol != GroupProtocol::Classic
    };
    if groups == 0 || consumers.is_empty() || !consumers.iter().all(is_modern) {
        return;
    }
    let settings = cluster.and_then(|cluster| cluster.field("settings"));
    if let Some(place) = settings.and_then(|settings| settings.field("group.max.size")) {
        let setting = "group.max.size".to_owned();
        let why = NoEffect::OnlyClassicGroups;
        r.warn(&place, Problem::Contradiction(Contradiction::NoEffect { setting, why }));
    }
}

/// The brokers, by their number or one by one; each with its latency.
fn read_brokers<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>, latency: Span) -> Option<Vec<BrokerSetup>> {
    let Some(place) = place else {
        return Some(vec![BrokerSetup { latency }]);
    };
    if !matches!(place.value, Value::Array(_)) {
        let brokers = r.count(Some(place), 1..=bounds::BROKERS)?;
        return Some(vec![BrokerSetup { latency }; brokers as usize]);
    }
    let brokers = r.list(Some(place), 1, bounds::BROKERS).into_iter().map(|place| {
        let fields = r.object(Some(place), &BROKER)?;
        let own =
            r.or(fields.get("latency"), latency, |r, place| r.duration(place, Span::from_micros(1)..=MOST_LATENCY));
        Some(BrokerSetup { latency: own? })
    });
    let brokers: Vec<Option<BrokerSetup>> = brokers.collect();
    brokers.into_iter().collect()
}

pub(super) fn read_topics<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<Vec<TopicSetup>> {
    let mut names = Vec::new();
    let list = place.clone();
    let topics: Vec<Option<TopicSetup>> = r
        .list(place, 1, bounds::TOPICS)
        .into_iter()
        .map(|place| {
            let fields = r.object(Some(place), &TOPIC)?;
            let name = r.name(fields.get("name"));
            names.extend(name.zip(fields.get("name")));
            let partitions = r.count(fields.get("partitions"), 1..=bounds::PARTITIONS_PER_TOPIC);
            Some(TopicSetup { name: name?.into(), partitions: partitions? as u16 })
        })
        .collect();
    r.check_unique(Kind::Topic, &names);
    let partitions = topics.iter().flatten().map(|topic| u32::from(topic.partitions)).sum();
    if let Some(list) = list.filter(|_| partitions > bounds::PARTITIONS) {
        let problem = Contradiction::TooManyPartitions { partitions, most: bounds::PARTITIONS };
        r.report(&list, Problem::Contradiction(problem));
        return None;
    }
    topics.into_iter().collect()
}

/// The column of a table whose unique key the file does not name.
const EVENT_ID: &str = "event_id";

/// The same where an upsert looks for the row of a record's key.
const RECORD_KEY: &str = "key";

/// The column of a unique key, or `null` for none.
pub(super) fn read_unique_key<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<Option<&'t str>> {
    match place {
        Some(place) if matches!(place.value, Value::NullKeyword(_)) => Some(None),
        place => r.name(place).map(Some),
    }
}

pub(super) fn read_sinks<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<Vec<SinkSetup>> {
    let mut names = Vec::new();
    let sinks: Vec<Option<SinkSetup>> = r
        .list(place, 0, bounds::SINKS)
        .into_iter()
        .map(|place| {
            let fields = r.object(Some(place), &SINK)?;
            let name = r.name(fields.get("name"));
            names.extend(name.zip(fields.get("name")));
            let unique_key = r.or(fields.get("unique_key"), None, read_unique_key);
            let ways = [
                ("insert", Writes::Insert),
                ("insert_without_id", Writes::InsertWithoutId),
                ("upsert", Writes::Upsert),
            ];
            let writes = r.or(fields.get("writes"), Writes::Insert, |r, place| r.word(place, &ways, |_| false));
            let (name, unique_key, writes) = (name?.into(), unique_key?, writes?);
            // An upsert needs the key of the record as its unique key, and without an id there is nothing to make unique.
            let is_other = match writes {
                Writes::Insert => false,
                Writes::InsertWithoutId => unique_key.is_some(),
                Writes::Upsert => fields.get("unique_key").is_some() && unique_key.is_none(),
            };
            if let Some(place) = fields.get("unique_key").filter(|_| is_other) {
                r.report(&place, Problem::Contradiction(Contradiction::UniqueKeyWith { writes }));
            }
            let column = unique_key.unwrap_or(if writes == Writes::Upsert { RECORD_KEY } else { EVENT_ID });
            let is_unique = unique_key.is_some() || writes == Writes::Upsert;
            Some(SinkSetup { name, is_unique, column: column.into(), writes })
        })
        .collect();
    r.check_unique(Kind::Sink, &names);
    sinks.into_iter().collect()
}
