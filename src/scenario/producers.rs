//! Producers: an explicit list of records, or a workload.

use super::clients::{Client, meant, read_producer_client};
use super::cluster::Cluster;
use super::fields::*;
use super::mistake::{Contradiction, Kind, Problem, Unit};
use super::names::Names;
use super::producer_settings;
use super::reader::{Place, Reader};
use super::vocabulary::Vocabulary;
use super::workload;
use crate::sim::order;
use crate::sim::producer::size::RecordSize;
use crate::sim::setup::{PlannedRecord, ProducerSetup, Source, TopicSetup, bounds};
use crate::sim::time::{Span, Time};
use jsonc_parser::ast::Value;

pub(super) const DEFAULT_KEY_PREFIX: &str = "key-";
pub(super) const DEFAULT_VALUE: &str = "event";
pub(super) const MOST_PER_SECOND: u32 = bounds::PER_SECOND;
/// So that the weights of all keys together fit into 32 bits.
pub(super) const MOST_WEIGHT: u32 = 10_000;

/// What the producers read so far have in common.
pub(super) struct Producing<'s> {
    pub cluster: Option<&'s Cluster>,
    pub topics: Option<&'s [TopicSetup]>,
    pub ends_at: Option<Time>,
    pub vocabulary: Vocabulary,
}

pub(super) fn read<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    names: &Names<'t>,
    producing: &mut Producing<'_>,
) -> Option<Vec<(ProducerSetup, Client)>> {
    let mut own_names = Vec::new();
    let mut records = 0u64;
    let producers: Vec<Option<(ProducerSetup, Client)>> = r
        .list(place.clone(), 0, bounds::PRODUCERS)
        .into_iter()
        .map(|place| {
            let fields = r.object(Some(place.clone()), &PRODUCER)?;
            let name = r.name(fields.get("name"));
            own_names.extend(name.zip(fields.get("name")));
            let client = read_producer_client(r, fields.get("client"), producing.cluster);
            let topic = names.topic(r, fields.get("topic"));
            let settings = meant(fields.get("client").as_ref(), client)
                .and_then(|client| producer_settings::read(r, &fields, client));
            let limits = Limits {
                partitions: topic.and_then(|topic| Some(producing.topics?[topic.index()].partitions)),
                max_request_size: settings.map(|settings| settings.batching.max_request_size),
            };
            r.exactly_one(&place, &fields, &["records", "workload"]);
            let source = match fields.get("workload") {
                Some(place) => {
                    let workload = workload::read(r, place.clone(), producing);
                    if let Some(workload) = &workload {
                        limits.check_size(r, &place, RecordSize { key: None, value: Some(workload.value_bytes.1) });
                    }
                    workload.map(Source::Workload)
                }
                None => read_records(r, fields.get("records"), producing, &limits).map(Source::Records),
            };
            let source = source?;
            records += match &source {
                Source::Records(records) => records.len() as u64,
                Source::Workload(workload) => u64::from(workload.records),
            };
            Some((ProducerSetup { name: name?.into(), topic: topic?, settings: settings?, source }, client?))
        })
        .collect();
    r.check_unique(Kind::Producer, &own_names);
    if records > u64::from(bounds::RECORDS) {
        let (found, most) = (records.to_string(), u64::from(bounds::RECORDS));
        r.report(&place?, Problem::OutOfRange { found, least: 0, most, unit: Unit::Plain });
    }
    producers.into_iter().collect()
}

/// What a producer's records have to keep to, as far as it is known.
struct Limits {
    partitions: Option<u16>,
    max_request_size: Option<u32>,
}

impl Limits {
    /// Source: `KafkaProducer#ensureValidRecordSize`.
    fn check_size<'t>(&self, r: &mut Reader<'t>, place: &Place<'t>, size: RecordSize) {
        let bytes = size.alone_at_most();
        if let Some(most) = self.max_request_size.filter(|&most| bytes > most) {
            r.report(place, Problem::Contradiction(Contradiction::RecordTooLarge { bytes, most }));
        }
    }
}

/// A record as it stands in the file.
struct Written<'t> {
    at: Time,
    key: Option<&'t str>,
    value: &'t str,
    value_bytes: u32,
    partition: Option<u16>,
}

/// An explicit list. It may be in any order; records of one moment keep the order of the file.
fn read_records<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    producing: &mut Producing<'_>,
    limits: &Limits,
) -> Option<Vec<PlannedRecord>> {
    let mut records: Vec<Written<'t>> = Vec::new();
    for place in r.list(place, 0, bounds::RECORDS) {
        records.extend(read_record(r, place, producing.ends_at, limits));
    }
    order::by_number(&mut records, |record| record.at.as_micros());
    let vocabulary = &mut producing.vocabulary;
    let planned = |record: Written<'t>| PlannedRecord {
        at: record.at,
        key: record.key.map(|key| vocabulary.key(key)),
        value: vocabulary.value(record.value),
        value_bytes: record.value_bytes,
        partition: record.partition,
    };
    Some(records.into_iter().map(planned).collect())
}

fn read_record<'t>(
    r: &mut Reader<'t>,
    place: Place<'t>,
    ends_at: Option<Time>,
    limits: &Limits,
) -> Option<Written<'t>> {
    let fields = r.object(Some(place.clone()), &RECORD)?;
    let at = read_moment(r, fields.get("at"), ends_at);
    let key = match fields.get("key") {
        None => Some(None),
        Some(place) if matches!(place.value, Value::NullKeyword(_)) => Some(None),
        place => r.string(place).map(Some),
    };
    let value = r.string(fields.get("value"));
    let length = value.map_or(0, |value| value.len() as u32);
    let value_bytes = r.or(fields.get("value_bytes"), length, |r, place| r.count(place, 0..=bounds::VALUE_BYTES));
    let partition = r.or(fields.get("partition"), None, |r, place| {
        let partition = r.count(place.clone(), 0..=bounds::PARTITIONS_PER_TOPIC - 1)?;
        if let Some(partitions) = limits.partitions.map(u32::from).filter(|&partitions| partition >= partitions) {
            r.report(&place?, Problem::Contradiction(Contradiction::NoSuchPartition { partition, partitions }));
            return None;
        }
        Some(Some(partition as u16))
    });
    let (key, value_bytes) = (key?, value_bytes?);
    limits.check_size(r, &place, RecordSize { key: key.map(|key| key.len() as u32), value: Some(value_bytes) });
    Some(Written { at: at?, key, value: value?, value_bytes, partition: partition? })
}

/// A moment of the run, as the time since its start.
pub(super) fn read_moment<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>, ends_at: Option<Time>) -> Option<Time> {
    let at = Time::ZERO + r.duration(place.clone(), Span::ZERO..=bounds::DURATION)?;
    if let Some(ends_at) = ends_at
        && at > ends_at
    {
        r.report(&place?, Problem::Contradiction(Contradiction::AfterTheEnd { at, ends_at }));
        return None;
    }
    Some(at)
}
