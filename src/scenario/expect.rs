//! What a file expects of its run, and where a run differs.

use super::condition::{self, first};
use super::fields::*;
use super::mistake::{Contradiction, Problem, Unit};
use super::names::Names;
use super::outcome::{GroupOutcome, Outcome, PartitionOutcome, SinkOutcome};
use super::reader::{Place, Reader};
use crate::sim::event::ErrorCode;
use crate::sim::setup::bounds;
use crate::sim::{Condition, Event, Offset, Simulation, Span, StepNo, Time};
use jsonc_parser::ast::Value;
use std::rc::Rc;

const MOST_CHECKS: u32 = 1_000;

/// All expectations of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectations(Vec<Expectation>);

/// One expectation and its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Expectation {
    path: String,
    claim: Claim,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Claim {
    Group(Rc<str>, GroupClaim),
    Sink(Rc<str>, SinkCount, u32),
    NoOwnerChange([Condition; 2]),
    Takes { from: Condition, to: Condition, at_least: Span, at_most: Span },
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum GroupClaim {
    Count(Count, u32),
    Owner(String, Option<Rc<str>>),
    Committed(String, Option<Offset>),
    End(String, Offset),
    ProcessedTwice(String, Vec<Offset>),
    Errors(Vec<(String, u32)>),
}

/// A number of a group's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Processed,
    Duplicates,
    DuplicatesOfStopped,
    DuplicatesOfSurvivors,
    RecordsDuplicated,
    Lost,
    OutOfOrder,
    Swaps,
    Overlaps,
    Rebalances,
    Generation,
}

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

/// A number of a table's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SinkCount {
    Rows,
    Absorbed,
}

/// Where a run differs from what its file expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The expectation, as in `expect.groups.billing.lost`.
    pub path: String,
    /// How it differs.
    pub what: Differs,
}

/// How a run differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Differs {
    /// It came out otherwise.
    Value {
        /// What the file expects.
        expected: Found,
        /// What came out.
        found: Found,
    },
    /// The run never comes to one of the two conditions.
    NeverHappened {
        /// True for the first of the two.
        the_first: bool,
    },
    /// A partition changed hands in between.
    OwnerChanged {
        /// When.
        at: Time,
        /// Whose partitions.
        member: String,
    },
    /// It took less or more time.
    Took {
        /// How long it took.
        found: Span,
        /// The least expected.
        at_least: Span,
        /// The most expected.
        at_most: Span,
    },
    /// The run did not come to its end.
    NotEnded,
}

/// A value that can be expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A number.
    Number(u32),
    /// A member.
    Member(Rc<str>),
    /// Offsets.
    Offsets(Vec<Offset>),
    /// Names of errors, and how often each came.
    Errors(Vec<(String, u32)>),
    /// Nobody, or nothing.
    Nothing,
}

impl Expectations {
    /// True if the file expects nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many single expectations there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Where a finished run differs from what is expected.
    pub fn check(&self, run: &Simulation) -> Vec<Difference> {
        let outcome = Outcome::of(run);
        let mut differences: Vec<Difference> = self
            .0
            .iter()
            .filter_map(|expectation| {
                let what = expectation.claim.differs(run, &outcome)?;
                Some(Difference { path: expectation.path.clone(), what })
            })
            .collect();
        if !outcome.ended {
            differences.push(Difference { path: "ends_at".to_owned(), what: Differs::NotEnded });
        }
        differences
    }
}

impl Claim {
    fn differs(&self, run: &Simulation, outcome: &Outcome) -> Option<Differs> {
        match self {
            Claim::Group(name, claim) => claim.differs(outcome.groups.get(name)?),
            Claim::Sink(name, count, expected) => {
                value(Found::Number(*expected), Found::Number(count.of(outcome.sinks.get(name)?)))
            }
            Claim::NoOwnerChange([from, to]) => between(run, *from, *to, |from, to| owner_change(run, from, to)),
            Claim::Takes { from, to, at_least, at_most } => between(run, *from, *to, |from, to| {
                let found = run.step_at(to)?.at.since(run.step_at(from)?.at);
                let took = Differs::Took { found, at_least: *at_least, at_most: *at_most };
                (!(*at_least..=*at_most).contains(&found)).then_some(took)
            }),
        }
    }
}

impl Count {
    fn of(self, group: &GroupOutcome) -> u32 {
        match self {
            Count::Processed => group.processed,
            Count::Duplicates => group.duplicates.total,
            Count::DuplicatesOfStopped => group.duplicates.of_stopped,
            Count::DuplicatesOfSurvivors => group.duplicates.of_survivors,
            Count::RecordsDuplicated => group.duplicates.records,
            Count::Lost => group.lost.total,
            Count::OutOfOrder => group.out_of_order,
            Count::Swaps => group.swaps,
            Count::Overlaps => group.overlaps,
            Count::Rebalances => group.rebalances,
            Count::Generation => group.generation,
        }
    }
}

impl SinkCount {
    fn of(self, sink: &SinkOutcome) -> u32 {
        match self {
            SinkCount::Rows => sink.rows,
            SinkCount::Absorbed => sink.absorbed,
        }
    }
}

impl GroupClaim {
    fn differs(&self, group: &GroupOutcome) -> Option<Differs> {
        let partition = |name: &str| -> Option<&PartitionOutcome> { group.partitions.get(name) };
        let number_or_nothing = |number: Option<u32>| number.map_or(Found::Nothing, Found::Number);
        match self {
            GroupClaim::Count(count, expected) => value(Found::Number(*expected), Found::Number(count.of(group))),
            GroupClaim::Owner(name, expected) => {
                let member = |member: Option<Rc<str>>| member.map_or(Found::Nothing, Found::Member);
                value(member(expected.clone()), member(partition(name)?.owner.as_deref().map(Rc::from)))
            }
            GroupClaim::Committed(name, expected) => {
                value(number_or_nothing(*expected), number_or_nothing(partition(name)?.committed))
            }
            GroupClaim::End(name, expected) => value(Found::Number(*expected), Found::Number(partition(name)?.end)),
            GroupClaim::ProcessedTwice(name, expected) => {
                value(Found::Offsets(expected.clone()), Found::Offsets(partition(name)?.processed_twice.clone()))
            }
            GroupClaim::Errors(expected) => {
                let mut found = std::collections::BTreeMap::new();
                for refused in &group.errors {
                    *found.entry(refused.error.to_owned()).or_insert(0) += 1;
                }
                value(Found::Errors(expected.clone()), Found::Errors(found.into_iter().collect()))
            }
        }
    }
}

fn value(expected: Found, found: Found) -> Option<Differs> {
    (expected != found).then_some(Differs::Value { expected, found })
}

/// Looks at the time from one condition to the next time of another.
fn between(
    run: &Simulation,
    from: Condition,
    to: Condition,
    look: impl FnOnce(StepNo, StepNo) -> Option<Differs>,
) -> Option<Differs> {
    let Some(from) = first(run, from, None) else {
        return Some(Differs::NeverHappened { the_first: true });
    };
    let Some(to) = first(run, to, Some(from)) else {
        return Some(Differs::NeverHappened { the_first: false });
    };
    look(from, to)
}

fn owner_change(run: &Simulation, from: StepNo, to: StepNo) -> Option<Differs> {
    (from.0 + 1..to.0).filter_map(|number| run.step_at(StepNo(number))).find_map(|step| match step.event {
        Event::PartitionsAssigned { consumer, .. }
        | Event::PartitionsRevoked { consumer, .. }
        | Event::PartitionsLost { consumer, .. } => {
            let member = run.setup().consumers[consumer.index()].name.to_string();
            Some(Differs::OwnerChanged { at: step.at, member })
        }
        _ => None,
    })
}

pub(super) fn read<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>, names: &Names<'t>) -> Option<Expectations> {
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
            found.sort_unstable();
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
            let suggestion = super::nearest::nearest(name, codes.iter().map(|code| code.name()));
            r.report(&place, Problem::NotOneOf { found: name.to_owned(), allowed, suggestion });
        }
        if let Some(count) = r.whole(Some(place), 0..=u64::from(bounds::STEPS), Unit::Plain)
            && count > 0
        {
            errors.push((name.to_owned(), count as u32));
        }
    }
    errors.sort();
    errors
}
