//! Conditions on the events of the model, as a file writes them, and the first step of a run that meets one.

use super::fields::*;
use super::mistake::{Problem, Type};
use super::names::Names;
use super::reader::{Fields, Place, Reader, strings};
use crate::sim::setup::bounds;
use crate::sim::{Condition, ConsumerId, Event, Generation, GroupId, Simulation, StepNo};
use borsh::{BorshDeserialize, BorshSerialize};
use jsonc_parser::ast::Value;

/// Conditions that name nothing are plain words.
const WORDS: [(&str, Condition); 2] = [("record_appended", Condition::RecordAppended), ("ended", Condition::Ended)];

/// The first step that meets a condition; with `after`, the first one behind the first that meets that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Moment {
    /// What has to happen.
    pub condition: Condition,
    /// What has to have happened before.
    pub after: Option<Condition>,
}

impl Moment {
    /// The step, if it is among the known steps of the run.
    pub fn find(&self, run: &Simulation) -> Option<StepNo> {
        let mut watch = Watch::new(run, [*self]);
        watch.advance(run);
        watch.step_of(0)
    }
}

/// The first known step behind `after` that meets a condition. Records are counted from the start of the run.
pub fn first(run: &Simulation, condition: Condition, after: Option<StepNo>) -> Option<StepNo> {
    let mut watch = Watch::new(run, [Moment { condition, after: None }]);
    watch.not_before[0] = after.map_or(0, |after| after.0 + 1);
    watch.advance(run);
    watch.step_of(0)
}

/// Looks for moments of one branch of a run while more and more of its steps become known. Each step is looked at once.
#[derive(Clone, Debug)]
pub struct Watch {
    moments: Vec<Moment>,
    found: Vec<Option<StepNo>>,
    /// From which step on each moment may come; nothing counts before its `after` has happened.
    not_before: Vec<u32>,
    processed: Vec<u32>,
    sent: Vec<u32>,
    next: u32,
}

impl Watch {
    /// A watch that has seen nothing yet.
    pub fn new(run: &Simulation, moments: impl IntoIterator<Item = Moment>) -> Self {
        let moments: Vec<Moment> = moments.into_iter().collect();
        let not_before = moments.iter().map(|moment| if moment.after.is_some() { u32::MAX } else { 0 }).collect();
        let processed = vec![0; run.consumers().len()];
        let sent = vec![0; run.setup().producers.len()];
        Watch { found: vec![None; moments.len()], not_before, moments, processed, sent, next: 0 }
    }

    /// Looks at the steps that have become known. True if a moment was found.
    pub fn advance(&mut self, run: &Simulation) -> bool {
        let open = self.open();
        while let (Some(step), 1..) = (run.step_at(StepNo(self.next)), self.open()) {
            self.look(run, &step.event);
            self.next += 1;
        }
        self.open() < open
    }

    /// The step of a moment, by its place in the list, if it has been found.
    pub fn step_of(&self, place: usize) -> Option<StepNo> {
        self.found.get(place).copied().flatten()
    }

    fn open(&self) -> usize {
        self.found.iter().filter(|found| found.is_none()).count()
    }

    fn look(&mut self, run: &Simulation, event: &Event) {
        if let Event::RecordProcessed { consumer, .. } = event {
            if self.processed.len() <= consumer.index() {
                self.processed.resize(consumer.index() + 1, 0);
            }
            self.processed[consumer.index()] += 1;
        }
        if let Event::RecordSent { record, .. } = event {
            self.sent[run.record(*record).producer.index()] += 1;
        }
        let (processed, sent) = (&self.processed, &self.sent);
        let is_met = |condition: Condition| {
            let group_of = |consumer: ConsumerId| run.consumer(consumer).group;
            condition.is_met_by(
                event,
                |consumer| processed.get(consumer.index()).copied().unwrap_or(0),
                |record| {
                    let producer = run.record(record).producer;
                    (producer, sent[producer.index()])
                },
                group_of,
                |partition| run.place(partition),
            )
        };
        for (place, moment) in self.moments.iter().enumerate() {
            if self.found[place].is_some() {
                continue;
            }
            if self.not_before[place] <= self.next && is_met(moment.condition) {
                self.found[place] = Some(StepNo(self.next));
            } else if self.not_before[place] == u32::MAX && moment.after.is_some_and(is_met) {
                self.not_before[place] = self.next + 1;
            }
        }
    }
}

/// A condition: a word, or an object with exactly one field.
pub(super) fn read<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>, names: &Names<'t>) -> Option<Condition> {
    let place = place?;
    match place.value {
        Value::StringLit(_) => r.word(Some(place), &WORDS, |_| false),
        Value::Object(_) => read_object(r, place, names),
        _ => {
            r.wrong_type(&place, &[Type::String, Type::Object]);
            None
        }
    }
}

fn read_object<'t>(r: &mut Reader<'t>, place: Place<'t>, names: &Names<'t>) -> Option<Condition> {
    let fields = r.object(Some(place.clone()), &CONDITION)?;
    // An unknown field has been reported, and says more than "exactly one of these".
    let known = fields.count(CONDITION.fields);
    if known == 0 && matches!(place.value, Value::Object(object) if !object.properties.is_empty()) {
        return None;
    }
    if known != 1 {
        r.report(&place, Problem::OneOfFields { fields: strings(CONDITION.fields), found: known as u32 });
        return None;
    }
    let (name, part) = CONDITION.fields.iter().find_map(|name| Some((*name, fields.get(name)?)))?;
    read_one(r, name, part, names)
}

fn read_one<'t>(r: &mut Reader<'t>, name: &str, part: Place<'t>, names: &Names<'t>) -> Option<Condition> {
    let part = Some(part);
    match name {
        "crashed" => names.member(r, part).map(Condition::Crashed),
        "closed" => names.member(r, part).map(Condition::Closed),
        "restarted" => names.member(r, part).map(Condition::Restarted),
        "session_expired" => names.member(r, part).map(Condition::SessionExpired),
        "assigned" => names.member(r, part).map(Condition::Assigned),
        "frozen" => names.member(r, part).map(Condition::Frozen),
        "thawed" => names.member(r, part).map(Condition::Thawed),
        "poll_timed_out" => names.member(r, part).map(Condition::PollTimedOut),
        "partitions_revoked" => names.member(r, part).map(Condition::Revoked),
        "partitions_lost" => names.member(r, part).map(Condition::PartitionsLost),
        "commit_rejected" => names.member(r, part).map(Condition::CommitRejected),
        "offsets_reset" => names.group(r, part).map(Condition::OffsetsReset),
        "partitions_added" => names.topic(r, part).map(Condition::PartitionsAdded),
        "rebalance_started" => names.group(r, part).map(Condition::RebalanceStarted),
        "duplicate" => names.group(r, part).map(Condition::Duplicate),
        "committed" => names.group(r, part).map(Condition::Committed),
        "processed_by" => names.group(r, part).map(Condition::AnyProcessed),
        "processed" => {
            let fields = r.object(part, &PROCESSED)?;
            let consumer = names.member(r, fields.get("member"));
            let records = r.count(fields.get("records"), 1..=bounds::STEPS);
            Some(Condition::Processed { consumer: consumer?, records: records? })
        }
        "sent" => {
            let fields = r.object(part, &SENT)?;
            let producer = names.producer(r, fields.get("producer"));
            let records = r.count(fields.get("records"), 1..=bounds::RECORDS);
            Some(Condition::Sent { producer: producer?, records: records? })
        }
        "generation" => {
            let fields = r.object(part, &GENERATION)?;
            let group = names.group(r, fields.get("group"));
            let number = r.count(fields.get("number"), 1..=Generation::from(bounds::STEPS));
            Some(Condition::Generation(group?, number?))
        }
        "position_set" => {
            let fields = r.object(part.clone(), &POSITION_SET)?;
            let group = read_group(r, &part?, &fields, names);
            let partition = names.partition(r, fields.get("partition"));
            Some(Condition::PositionSet(group?, partition?))
        }
        _ => None,
    }
}

/// The group that something is about. Where there is only one, it goes without saying.
pub(super) fn read_group<'t>(
    r: &mut Reader<'t>,
    place: &Place<'t>,
    fields: &Fields<'t>,
    names: &Names<'t>,
) -> Option<GroupId> {
    match (fields.get("group"), names.only_group()) {
        (None, None) => {
            r.required(place, fields, "group");
            None
        }
        (None, only) => only,
        (place, _) => names.group(r, place),
    }
}

/// A moment from two fields: the condition, and optionally `after`.
pub(super) fn read_moment<'t>(
    r: &mut Reader<'t>,
    fields: &Fields<'t>,
    condition: &str,
    names: &Names<'t>,
) -> Option<Moment> {
    let condition = read(r, fields.get(condition), names);
    let after = match fields.get("after") {
        None => Some(None),
        place => read(r, place, names).map(Some),
    };
    Some(Moment { condition: condition?, after: after? })
}
