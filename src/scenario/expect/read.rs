//! Reads what a file expects.

use super::bounds::Bounds;
use super::group::{Age, Count, GroupClaim, MemberClaim};
use super::{Claim, Expectation, Expectations, SinkCount, producer, topic};
use crate::scenario::condition;
use crate::scenario::fields::*;
use crate::scenario::mistake::{Problem, Unit};
use crate::scenario::names::Names;
use crate::scenario::reader::{Place, Reader, strings};
use crate::sim::event::ErrorCode;
use crate::sim::order;
use crate::sim::setup::bounds;
use crate::sim::{Condition, Offset, Span};
use jsonc_parser::ast::Value;
use std::rc::Rc;

pub(in crate::scenario) const MOST_CHECKS: u32 = 1_000;

/// What a rebalance listener can be called for.
const CALLBACKS: [&str; 3] = ["assigned", "revoked", "lost"];

/// The fields of an expected group that are ages of records.
const AGES: [(&str, Age); 3] =
    [("uncommitted_age", Age::Uncommitted), ("unread_age", Age::Unread), ("unprocessed_age", Age::Unprocessed)];

/// The fields of an expected group that are plain numbers.
const COUNTS: [(&str, Count); 11] = [
    ("processed", Count::Processed),
    ("records_duplicated", Count::RecordsDuplicated),
    ("lost", Count::Lost),
    ("out_of_order", Count::OutOfOrder),
    ("swaps", Count::Swaps),
    ("overlaps", Count::Overlaps),
    ("rebalances", Count::Rebalances),
    ("generation", Count::Generation),
    ("pending", Count::Pending),
    ("set_aside", Count::SetAside),
    ("busy", Count::Busy),
];

pub(in crate::scenario) fn read<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    names: &Names<'t>,
) -> Option<Expectations> {
    let fields = r.object(place, &EXPECT)?;
    let mut out = Claims { claims: Vec::new() };
    for (name, place) in r.entries(fields.get("topics")) {
        if names.topic_named(r, &place, name).is_some() {
            for (place, claim) in topic::read(r, place, names) {
                out.add(&place, Claim::Topic(name.into(), claim));
            }
        }
    }
    for (name, place) in r.entries(fields.get("producers")) {
        if names.producer_named(r, &place, name).is_some() {
            for (place, claim) in producer::read(r, place) {
                out.add(&place, Claim::Producer(name.into(), claim));
            }
        }
    }
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
    Some(Expectations { claims: out.claims, script: Vec::new() })
}

fn read_takes<'t>(r: &mut Reader<'t>, place: &Place<'t>, names: &Names<'t>) -> Option<Claim> {
    let fields = r.object(Some(place.clone()), &TAKES)?;
    let from = condition::read(r, fields.get("from"), names);
    let to = condition::read(r, fields.get("to"), names);
    let mut bound =
        |name, default| r.or(fields.get(name), default, |r, place| r.duration(place, Span::ZERO..=bounds::DURATION));
    let at_least = bound("at_least", Span::ZERO);
    let at_most = bound("at_most", bounds::DURATION);
    let (at_least, at_most) = (at_least?.as_micros(), at_most?.as_micros());
    let bounds = Bounds::ordered(r, place, at_least, at_most, Unit::Duration);
    Some(Claim::Takes { from: from?, to: to?, bounds: bounds? })
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
        let counts = [
            ("rows", SinkCount::Rows),
            ("absorbed", SinkCount::Absorbed),
            ("written", SinkCount::Written),
            ("stale", SinkCount::Stale),
        ];
        for (field, count) in counts {
            let place = fields.as_ref().and_then(|fields| fields.get(field));
            if let (Some(place), Some(expected)) = (place.clone(), Bounds::count(r, place)) {
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
                    self.read_count(r, &group, fields.get("total"), Count::Duplicates);
                    self.read_count(r, &group, fields.get("of_stopped"), Count::DuplicatesOfStopped);
                    self.read_count(r, &group, fields.get("of_survivors"), Count::DuplicatesOfSurvivors);
                    self.read_count(r, &group, fields.get("of_rewinds"), Count::DuplicatesOfRewinds);
                    self.read_count(r, &group, fields.get("of_sharing"), Count::DuplicatesOfSharing);
                }
            }
            place => self.read_count(r, &group, place, Count::Duplicates),
        }
        for (field, count) in [("rebalancing", Count::Rebalancing), ("stopped", Count::Stopped)] {
            if let Some(place) = fields.get(field)
                && let Some(expected) = Bounds::time(r, Some(place.clone()))
            {
                self.add(&place, Claim::Group(group.clone(), GroupClaim::Count(count, expected)));
            }
        }
        for (name, place) in r.entries(fields.get("members")) {
            if names.member_named(r, &place, name).is_some() {
                self.read_member(r, &group, name, place, names);
            }
        }
        let plain = ["owner", "committed", "stored", "end", "lag", "unread", "unowned", "processed_twice"];
        for field in plain.into_iter().chain(AGES.map(|(name, _)| name)) {
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

    fn read_member<'t>(
        &mut self,
        r: &mut Reader<'t>,
        group: &Rc<str>,
        name: &str,
        place: Place<'t>,
        names: &Names<'t>,
    ) {
        let Some(fields) = r.object(Some(place), &EXPECT_MEMBER) else {
            return;
        };
        let mut claims = Vec::new();
        if let Some(place) = fields.get("owns") {
            let claim = match place.value {
                Value::Array(_) => read_partitions(r, place.clone(), names).map(MemberClaim::Owns),
                _ => Bounds::count(r, Some(place.clone())).map(MemberClaim::OwnsCount),
            };
            claims.push((place, claim));
        }
        if let Some(place) = fields.get("processed") {
            let claim = Bounds::count(r, Some(place.clone())).map(MemberClaim::Processed);
            claims.push((place, claim));
        }
        if let Some(place) = fields.get("callbacks") {
            let claim = read_callbacks(r, place.clone(), names).map(MemberClaim::Callbacks);
            claims.push((place, claim));
        }
        for (place, claim) in claims {
            if let Some(claim) = claim {
                self.add(&place, Claim::Group(group.clone(), GroupClaim::Member(name.to_owned(), claim)));
            }
        }
    }

    fn read_count<'t>(&mut self, r: &mut Reader<'t>, group: &Rc<str>, place: Option<Place<'t>>, count: Count) {
        if let (Some(place), Some(expected)) = (place.clone(), Bounds::count(r, place)) {
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
            Some(GroupClaim::Owner(partition, Some(name.to_owned())))
        }
        "committed" if is_null => Some(GroupClaim::Committed(partition, None)),
        "committed" => Some(GroupClaim::Committed(partition, Some(r.count(Some(place), offsets)?))),
        "stored" if is_null => Some(GroupClaim::Stored(partition, None)),
        "stored" => Some(GroupClaim::Stored(partition, Some(r.count(Some(place), offsets)?))),
        "end" => Some(GroupClaim::End(partition, Bounds::count(r, Some(place))?)),
        "lag" if is_null => Some(GroupClaim::Lag(partition, None)),
        "lag" => Some(GroupClaim::Lag(partition, Some(Bounds::count(r, Some(place))?))),
        "unread" if is_null => Some(GroupClaim::Unread(partition, None)),
        "unread" => Some(GroupClaim::Unread(partition, Some(Bounds::count(r, Some(place))?))),
        "unowned" => Some(GroupClaim::Unowned(partition, Bounds::time(r, Some(place))?)),
        "processed_twice" => {
            let places = r.list(Some(place), 0, bounds::RECORDS);
            let found: Vec<Option<Offset>> =
                places.into_iter().map(|place| r.count(Some(place), offsets.clone())).collect();
            let mut found: Vec<Offset> = found.into_iter().collect::<Option<_>>()?;
            order::by_number(&mut found, |&offset| u64::from(offset));
            Some(GroupClaim::ProcessedTwice(partition, found))
        }
        _ => {
            let age = AGES.into_iter().find(|(name, _)| *name == field)?.1;
            let expected = if is_null { None } else { Some(Bounds::time(r, Some(place))?) };
            Some(GroupClaim::Age(partition, age, expected))
        }
    }
}

fn read_partitions<'t>(r: &mut Reader<'t>, place: Place<'t>, names: &Names<'t>) -> Option<Vec<String>> {
    let places = r.list(Some(place), 0, bounds::PARTITIONS);
    let read = |r: &mut Reader<'t>, place: Place<'t>| {
        let name = r.string(Some(place.clone()))?;
        names.partition_named(r, &place, name)?;
        Some(name.to_owned())
    };
    places.into_iter().map(|place| read(r, place)).collect::<Vec<_>>().into_iter().collect()
}

/// Calls of a rebalance listener: a word and the partitions, apart by blanks.
fn read_callbacks<'t>(r: &mut Reader<'t>, place: Place<'t>, names: &Names<'t>) -> Option<Vec<String>> {
    let places = r.list(Some(place), 0, MOST_CHECKS);
    let read = |r: &mut Reader<'t>, place: Place<'t>| {
        let call = r.string(Some(place.clone()))?;
        let mut words = call.split(' ');
        let first = words.next().unwrap_or_default();
        if !CALLBACKS.contains(&first) {
            let suggestion = r.nearest(first, CALLBACKS);
            let found = first.to_owned();
            r.report(&place, Problem::NotOneOf { found, allowed: strings(&CALLBACKS), suggestion });
            return None;
        }
        words.map(|name| names.partition_named(r, &place, name)).collect::<Option<Vec<_>>>()?;
        Some(call.to_owned())
    };
    places.into_iter().map(|place| read(r, place)).collect::<Vec<_>>().into_iter().collect()
}

/// Error names and how often each is expected; an empty object expects none at all.
fn read_errors<'t>(r: &mut Reader<'t>, place: Place<'t>) -> Vec<(String, u32)> {
    let codes = [
        ErrorCode::IllegalGeneration,
        ErrorCode::UnknownMemberId,
        ErrorCode::RebalanceInProgress,
        ErrorCode::FencedInstanceId,
        ErrorCode::InconsistentGroupProtocol,
        ErrorCode::GroupMaxSizeReached,
        ErrorCode::FencedMemberEpoch,
        ErrorCode::UnreleasedInstanceId,
        ErrorCode::StaleMemberEpoch,
    ];
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
