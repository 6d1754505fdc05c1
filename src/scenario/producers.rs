//! Producers: an explicit list of records, or a workload.

use super::cluster::{Client, Cluster, MOST_INT, read_client};
use super::fields::*;
use super::mistake::{Contradiction, Kind, Problem, Unit};
use super::names::Names;
use super::reader::{Place, Reader};
use super::vocabulary::{Block, Vocabulary};
use crate::sim::order;
use crate::sim::producer::workload::Arrivals;
use crate::sim::setup::{PlannedRecord, ProducerSettings, ProducerSetup, Source, Workload, bounds};
use crate::sim::time::{Span, Time};

pub(super) const DEFAULT_KEY_PREFIX: &str = "key-";
const DEFAULT_VALUE: &str = "event";
pub(super) const MOST_PER_SECOND: u32 = 1_000_000;
/// So that the weights of all keys together fit into 32 bits.
pub(super) const MOST_WEIGHT: u32 = 10_000;

/// What the producers read so far have in common.
pub(super) struct Producing<'s> {
    pub cluster: Option<&'s Cluster>,
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
            let client = read_client(r, fields.get("client"), producing.cluster);
            let topic = names.topic(r, fields.get("topic"));
            let default = client.map_or(0, |client| client.version.linger_ms());
            let linger = r.or(fields.get("settings"), default, |r, place| {
                let settings = r.object(place, &PRODUCER_SETTINGS)?;
                let linger = settings.get("linger.ms");
                r.or(linger, default, |r, place| r.whole(place, 0..=MOST_INT, Unit::Millis))
            });
            r.exactly_one(&place, &fields, &["records", "workload"]);
            let source = match fields.get("workload") {
                Some(workload) => read_workload(r, workload, producing).map(Source::Workload),
                None => read_records(r, fields.get("records"), producing).map(Source::Records),
            };
            let source = source?;
            records += match &source {
                Source::Records(records) => records.len() as u64,
                Source::Workload(workload) => u64::from(workload.records),
            };
            let settings = ProducerSettings::JAVA.with_linger(Span::from_millis(linger?));
            Some((ProducerSetup { name: name?.into(), topic: topic?, settings, source }, client?))
        })
        .collect();
    r.check_unique(Kind::Producer, &own_names);
    if records > u64::from(bounds::RECORDS) {
        let (found, most) = (records.to_string(), u64::from(bounds::RECORDS));
        r.report(&place?, Problem::OutOfRange { found, least: 0, most, unit: Unit::Plain });
    }
    producers.into_iter().collect()
}

/// An explicit list. It may be in any order; records of one moment keep the order of the file.
fn read_records<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    producing: &mut Producing<'_>,
) -> Option<Vec<PlannedRecord>> {
    let mut records: Vec<(Time, &str, &str)> = Vec::new();
    for place in r.list(place, 0, bounds::RECORDS) {
        let Some(fields) = r.object(Some(place), &RECORD) else {
            continue;
        };
        let at = read_moment(r, fields.get("at"), producing.ends_at);
        let key = r.string(fields.get("key"));
        let value = r.string(fields.get("value"));
        if let (Some(at), Some(key), Some(value)) = (at, key, value) {
            records.push((at, key, value));
        }
    }
    order::by_number(&mut records, |(at, ..)| at.as_micros());
    let vocabulary = &mut producing.vocabulary;
    let planned = |(at, key, value): (Time, &str, &str)| PlannedRecord {
        at,
        key: Some(vocabulary.key(key)),
        value: vocabulary.value(value),
        value_bytes: value.len() as u32,
        partition: None,
    };
    Some(records.into_iter().map(planned).collect())
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

fn read_workload<'t>(r: &mut Reader<'t>, place: Place<'t>, producing: &mut Producing<'_>) -> Option<Workload> {
    let fields = r.object(Some(place.clone()), &WORKLOAD)?;
    let from = r.or(fields.get("from"), Time::ZERO, |r, place| read_moment(r, place, producing.ends_at));
    let per_second = r.count(fields.get("per_second"), 1..=MOST_PER_SECOND);
    let records = r.count(fields.get("records"), 1..=bounds::RECORDS);
    let keys = r.count(fields.get("keys"), 1..=bounds::KEYS);
    let prefix = r.or(fields.get("key_prefix"), DEFAULT_KEY_PREFIX, Reader::string);
    let value = r.or(fields.get("value"), DEFAULT_VALUE, Reader::string);
    let weights = read_weights(r, fields.get("weights"), keys);
    let (from, per_second, records) = (from?, per_second?, records?);
    let last = from + Span::from_micros(u64::from(records - 1) * 1_000_000 / u64::from(per_second));
    if let Some(ends_at) = producing.ends_at
        && last > ends_at
    {
        r.report(&place, Problem::Contradiction(Contradiction::AfterTheEnd { at: last, ends_at }));
    }
    let first_key = match producing.vocabulary.block(prefix?)? {
        Block::From(first_key) => first_key,
        Block::Overlaps(key) => {
            r.report(&place, Problem::Contradiction(Contradiction::KeysOverlap { key }));
            return None;
        }
        Block::TooMany => {
            let contradiction = Contradiction::TooManyKeys { most: bounds::KEYS };
            r.report(&place, Problem::Contradiction(contradiction));
            return None;
        }
    };
    let mut sum = 0;
    let mut cumulative_weights = weights?;
    for weight in &mut cumulative_weights {
        sum += *weight;
        *weight = sum;
    }
    Some(Workload {
        from,
        arrivals: Arrivals::PerSecond(per_second),
        records,
        first_key,
        cumulative_weights,
        null_weight: 0,
        value: producing.vocabulary.value(value?),
        value_bytes: (value?.len() as u32, value?.len() as u32),
    })
}

/// One weight a key; all the same if nothing is said.
fn read_weights<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>, keys: Option<u32>) -> Option<Vec<u32>> {
    let Some(place) = place else {
        return keys.map(|keys| vec![1; keys as usize]);
    };
    let entries = r.list(Some(place.clone()), 1, bounds::KEYS);
    let weights: Vec<Option<u32>> = entries.into_iter().map(|place| r.count(Some(place), 1..=MOST_WEIGHT)).collect();
    let weights: Vec<u32> = weights.into_iter().collect::<Option<_>>()?;
    let (found, keys) = (weights.len() as u64, u64::from(keys?));
    if found != keys {
        r.report(&place, Problem::Contradiction(Contradiction::Weights { weights: found, keys }));
        return None;
    }
    Some(weights)
}
