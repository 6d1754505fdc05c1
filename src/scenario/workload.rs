//! Workloads: records at a rate or in bursts, with keys drawn at random.

use super::fields::*;
use super::mistake::{Contradiction, Problem, Unit};
use super::producers::{DEFAULT_KEY_PREFIX, DEFAULT_VALUE, MOST_PER_SECOND, MOST_WEIGHT, Producing, read_moment};
use super::reader::{Fields, Place, Reader};
use super::vocabulary::Block;
use crate::sim::KeyId;
use crate::sim::producer::workload::Arrivals;
use crate::sim::setup::{Workload, bounds};
use crate::sim::time::{Span, Time};
use jsonc_parser::ast::Value;

/// The longest time between two bursts.
pub(super) const LONGEST_PAUSE: Span = Span::from_secs(24 * 60 * 60);
/// As much as all keys together may have.
pub(super) const MOST_NULL_WEIGHT: u32 = bounds::KEYS * MOST_WEIGHT;

pub(super) fn read<'t>(r: &mut Reader<'t>, place: Place<'t>, producing: &mut Producing<'_>) -> Option<Workload> {
    let fields = r.object(Some(place.clone()), &WORKLOAD)?;
    let from = r.or(fields.get("from"), Time::ZERO, |r, place| read_moment(r, place, producing.ends_at));
    let arrivals = read_arrivals(r, &place, &fields);
    let records = read_records(r, &place, &fields, (from, arrivals, producing.ends_at));
    let keys = r.count(fields.get("keys"), 0..=bounds::KEYS);
    let null_weight = r.or(fields.get("null_keys"), 0, |r, place| r.count(place, 0..=MOST_NULL_WEIGHT));
    let prefix = r.or(fields.get("key_prefix"), DEFAULT_KEY_PREFIX, Reader::string);
    let value = r.or(fields.get("value"), DEFAULT_VALUE, Reader::string);
    let length = value.map_or(0, |value| value.len() as u32);
    let value_bytes = r.or(fields.get("value_bytes"), (length, length), read_sizes);
    let weights = read_weights(r, fields.get("weights"), keys);
    if keys == Some(0) && null_weight == Some(0) {
        r.report(&place, Problem::Contradiction(Contradiction::NothingToDraw));
        return None;
    }
    let (from, arrivals, records) = (from?, arrivals?, records?);
    let last = arrivals.at(from, records.saturating_sub(1));
    if let Some(ends_at) = producing.ends_at
        && last > ends_at
    {
        r.report(&place, Problem::Contradiction(Contradiction::AfterTheEnd { at: last, ends_at }));
    }
    let first_key = first_key(r, &place, prefix?, producing)?;
    let mut sum = 0;
    let mut cumulative_weights = weights?;
    for weight in &mut cumulative_weights {
        sum += *weight;
        *weight = sum;
    }
    Some(Workload {
        from,
        arrivals,
        records,
        first_key,
        cumulative_weights,
        null_weight: null_weight?,
        value: producing.vocabulary.value(value?),
        value_bytes: value_bytes?,
    })
}

fn read_arrivals<'t>(r: &mut Reader<'t>, place: &Place<'t>, fields: &Fields<'t>) -> Option<Arrivals> {
    r.exactly_one(place, fields, &["per_second", "bursts"]);
    if let Some(bursts) = fields.get("bursts") {
        let fields = r.object(Some(bursts), &BURSTS)?;
        let records = r.count(fields.get("records"), 1..=bounds::RECORDS);
        let every = r.duration(fields.get("every"), Span::from_micros(1)..=LONGEST_PAUSE);
        return Some(Arrivals::Bursts { records: records?, every: every? });
    }
    r.count(fields.get("per_second"), 1..=MOST_PER_SECOND).map(Arrivals::PerSecond)
}

/// How many records there are: so many, or as many as come until a moment.
fn read_records<'t>(
    r: &mut Reader<'t>,
    place: &Place<'t>,
    fields: &Fields<'t>,
    (from, arrivals, ends_at): (Option<Time>, Option<Arrivals>, Option<Time>),
) -> Option<u32> {
    r.exactly_one(place, fields, &["records", "until"]);
    let Some(until) = fields.get("until") else {
        return r.count(fields.get("records"), 1..=bounds::RECORDS);
    };
    let at = read_moment(r, Some(until.clone()), ends_at);
    let (at, from, arrivals) = (at?, from?, arrivals?);
    let micros = at.since(from).as_micros();
    let records = match arrivals {
        _ if at < from => 0,
        Arrivals::PerSecond(records) => micros * u64::from(records) / 1_000_000 + 1,
        Arrivals::Bursts { records, every } => (micros / every.as_micros() + 1) * u64::from(records),
    };
    if !(1..=u64::from(bounds::RECORDS)).contains(&records) {
        let (found, most) = (records.to_string(), u64::from(bounds::RECORDS));
        r.report(&until, Problem::OutOfRange { found, least: 1, most, unit: Unit::Entries });
        return None;
    }
    Some(records as u32)
}

/// A number of bytes, or the least and the most.
fn read_sizes<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<(u32, u32)> {
    let place = place?;
    if !matches!(place.value, Value::Object(_)) {
        let bytes = r.count(Some(place), 0..=bounds::VALUE_BYTES)?;
        return Some((bytes, bytes));
    }
    let fields = r.object(Some(place.clone()), &SIZES)?;
    let least = r.count(fields.get("at_least"), 0..=bounds::VALUE_BYTES);
    let most = r.count(fields.get("at_most"), 0..=bounds::VALUE_BYTES);
    let (least, most) = (least?, most?);
    if least > most {
        let contradiction = Contradiction::Bounds { least: least.into(), most: most.into(), unit: Unit::Plain };
        r.report(&place, Problem::Contradiction(contradiction));
        return None;
    }
    Some((least, most))
}

fn first_key<'t>(
    r: &mut Reader<'t>,
    place: &Place<'t>,
    prefix: &'t str,
    producing: &mut Producing<'_>,
) -> Option<KeyId> {
    let contradiction = match producing.vocabulary.block(prefix)? {
        Block::From(first_key) => return Some(first_key),
        Block::Overlaps(key) => Contradiction::KeysOverlap { key },
        Block::TooMany => Contradiction::TooManyKeys { most: bounds::KEYS },
    };
    r.report(place, Problem::Contradiction(contradiction));
    None
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
