//! Reads what a file expects.

use super::{Claim, Count, Expectation, Expectations, GroupClaim, SinkCount};
use crate::scenario::condition;
use crate::scenario::fields::*;
use crate::scenario::mistake::{Contradiction, Problem};
use crate::scenario::names::Names;
use crate::scenario::reader::{Place, Reader};
use crate::sim::event::ErrorCode;
use crate::sim::order;
use crate::sim::setup::bounds;
use crate::sim::{Condition, Offset, Span};
use jsonc_parser::ast::Value;
use std::rc::Rc;

pub(in crate::scenario) const MOST_CHECKS: u32 = 1_000;

/// The fields of an expected group that are plain numbers.
const COUNTS: [(&str, Count); 8] = [
    ("processed", Count::Processed),
    ("records_duplicated", Count::RecordsDuplicated),
    ("lost", Count::Lost),
    ("out_of_order", Count::OutOfOrder),
    ("swaps", Count::Swaps),
    ("overlaps", Count::Overlaps),
    ("rebalances", Count::Rebalances),
    ("generation", Count::Generation),
];

pub(in crate::scenario) fn read<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    names: &Names<'t>,
) -> Option<Expectations> {
    let fields = r.object(place, &EXPECT)?;
    let mut out = Claims { claims: Vec::new() };
    for (name, place) in r.entries(fields.get("groups")) {
        if names.group_named(r, &place, name).is_some() {
            out.read_group(r, name.into(), place, names);
        }
    }
    for (name, place) in r.entries(fields.get("sinks")) {
        if names.sink_named(r, &place, name).is_some() {
            out.read_sink(r, &name.into(), place);
        }
    }
    if let Some(place) = fields.get("no_owner_change_between") {
        let ends = r.list(Some(place.clone()), 2, 2);
        let ends: Vec<Option<Condition>> =
            ends.into_iter().map(|place| condition::read(r, Some(place), names)).collect();
        if let [Some(from), Some(to)] = ends[..] {
            out.add(&place, Claim::NoOwnerChange([from, to]));
        }
    }
    for place in r.list(fields.get("takes"), 0, MOST_CHECKS) {
        if let Some(claim) = read_takes(r, &place, names) {
            out.add(&place, claim);
        }
    }
    Some(Expectations(out.claims))
}

fn read_takes<'t>(r: &mut Reader<'t>, place: &Place<'t>, names: &Names<'t>) -> Option<Claim> {
    let fields = r.object(Some(place.clone()), &TAKES)?;
    let from = condition::read(r, fields.get("from"), names);
    let to = condition::read(r, fields.get("to"), names);
    let mut bound =
        |name, default| r.or(fields.get(name), default, |r, place| r.duration(place, Span::ZERO..=bounds::DURATION));
    let at_least = bound("at_least", Span::ZERO);
    let at_most = bound("at_most", bounds::DURATION);
    let (at_least, at_most) = (at_least?, at_most?);
    if at_least > at_most {
        r.report(place, Problem::Contradiction(Contradiction::Bounds { least: at_least, most: at_most }));
    }
    Some(Claim::Takes { from: from?, to: to?, at_least, at_most })
}

struct Claims {
    claims: Vec<Expectation>,
}

impl Claims {
    fn add(&mut self, place: &Place<'_>, claim: Claim) {
        self.claims.push(Expectation { path: place.path.clone(), claim });
    }

    fn read_sink<'t>(&mut self, r: &mut Reader<'t>, name: &Rc<str>, place: Place<'t>) {
        let fields = r.object(Some(place), &EXPECT_SINK);
        for (field, count) in [("rows", SinkCount::Rows), ("absorbed", SinkCount::Absorbed)] {
            let place = fields.as_ref().and_then(|fields| fields.get(field));
            if let (Some(place), Some(expected)) = (place.clone(), r.count(place, 0..=bounds::STEPS)) {
                self.add(&place, Claim::Sink(name.clone(), count, expected));
            }
        }
    }

    fn read_group<'t>(&mut self, r: &mut Reader<'t>, group: Rc<str>, place: Place<'t>, names: &Names<'t>) {
        let Some(fields) = r.object(Some(place), &EXPECT_GROUP) else {
            return;
        };
        for (field, count) in COUNTS {
            self.read_count(r, &group, fields.get(field), count);
        }
        match fields.get("duplicates") {
            Some(place) if matches!(place.value, Value::Object(_)) => {
                if let Some(fields) = r.object(Some(place), &EXPECT_DUPLICATES) {
                    self.read_count(r, &group, fields.get("of_stopped"), Count::DuplicatesOfStopped);
                    self.read_count(r, &group, fields.get("of_survivors"), Count::DuplicatesOfSurvivors);
                }
            }
            place => self.read_count(r, &group, place, Count::Duplicates),
        }
        for field in ["owner", "committed", "end", "processed_twice"] {
            for (name, place) in r.entries(fields.get(field)) {
                if names.partition_named(r, &place, name).is_some()
                    && let Some(claim) = read_of_partition(r, field, name, place.clone(), names)
                {
                    self.add(&place, Claim::Group(group.clone(), claim));
                }
            }
        }
        if let Some(place) = fields.get("errors") {
            let errors = read_errors(r, place.clone());
            self.add(&place, Claim::Group(group, GroupClaim::Errors(errors)));
        }
    }

    fn read_count<'t>(&mut self, r: &mut Reader<'t>, group: &Rc<str>, place: Option<Place<'t>>, count: Count) {
        if let (Some(place), Some(expected)) = (place.clone(), r.count(place, 0..=bounds::STEPS)) {
            self.add(&place, Claim::Group(group.clone(), GroupClaim::Count(count, expected)));
        }
    }
}

fn read_of_partition<'t>(
    r: &mut Reader<'t>,
    field: &str,
    partition: &str,
    place: Place<'t>,
    names: &Names<'t>,
) -> Option<GroupClaim> {
    let partition = partition.to_owned();
    let is_null = matches!(place.value, Value::NullKeyword(_));
    let offsets = 0..=bounds::RECORDS;
    match field {
        "owner" if is_null => Some(GroupClaim::Owner(partition, None)),
        "owner" => {
            let name = r.string(Some(place.clone()))?;
            names.member(r, Some(place))?;
            Some(GroupClaim::Owner(partition, Some(name.into())))
        }
        "committed" if is_null => Some(GroupClaim::Committed(partition, None)),
        "committed" => Some(GroupClaim::Committed(partition, Some(r.count(Some(place), offsets)?))),
        "end" => Some(GroupClaim::End(partition, r.count(Some(place), offsets)?)),
        _ => {
            let places = r.list(Some(place), 0, bounds::RECORDS);
            let found: Vec<Option<Offset>> =
                places.into_iter().map(|place| r.count(Some(place), offsets.clone())).collect();
            let mut found: Vec<Offset> = found.into_iter().collect::<Option<_>>()?;
            order::by_number(&mut found, |&offset| u64::from(offset));
            Some(GroupClaim::ProcessedTwice(partition, found))
        }
    }
}

/// Error names and how often each is expected; an empty object expects none at all.
fn read_errors<'t>(r: &mut Reader<'t>, place: Place<'t>) -> Vec<(String, u32)> {
    let codes = [ErrorCode::IllegalGeneration, ErrorCode::UnknownMemberId, ErrorCode::RebalanceInProgress];
    let mut errors = Vec::new();
    for (name, place) in r.entries(Some(place)) {
        if !codes.iter().any(|code| code.name() == name) {
            let allowed: Vec<String> = codes.iter().map(|code| code.name().to_owned()).collect();
            let suggestion = r.nearest(name, codes.iter().map(|code| code.name()));
            r.report(&place, Problem::NotOneOf { found: name.to_owned(), allowed, suggestion });
        }
        if let Some(count) = r.count(Some(place), 0..=bounds::STEPS)
            && count > 0
        {
            errors.push((name, count));
        }
    }
    order::by_text(&mut errors, |&(name, _)| name);
    errors.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}
