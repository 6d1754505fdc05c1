//! Conditions on the events of the model, as a file writes them, and the first step of a run that meets one.

use super::fields::*;
use super::mistake::{Problem, Type};
use super::names::Names;
use super::reader::{Fields, Place, Reader, strings};
use crate::sim::setup::bounds;
use crate::sim::{Condition, ConsumerId, Event, Generation, GroupId, Simulation, StepNo};
use jsonc_parser::ast::Value;

/// Conditions that name nothing are plain words.
const WORDS: [(&str, Condition); 2] = [("record_appended", Condition::RecordAppended), ("ended", Condition::Ended)];

/// The first step that meets a condition; with `after`, the first one behind the first that meets that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// What has to happen.
    pub condition: Condition,
    /// What has to have happened before.
    pub after: Option<Condition>,
}

impl Moment {
    /// The step, if it is among the known steps of the run.
    pub fn find(&self, run: &Simulation) -> Option<StepNo> {
        let after = match self.after {
            None => None,
            Some(after) => Some(first(run, after, None)?),
        };
        first(run, self.condition, after)
    }
}

/// The first known step behind `after` that meets a condition. Records are counted from the start of the run.
pub fn first(run: &Simulation, condition: Condition, after: Option<StepNo>) -> Option<StepNo> {
    let setup = run.setup();
    let mut processed = vec![0u32; setup.consumers.len()];
    (0..run.known_steps()).map(StepNo).find(|&number| {
        let Some(step) = run.step_at(number) else {
            return false;
        };
        if let Event::RecordProcessed { consumer, .. } = step.event {
            processed[consumer.index()] += 1;
        }
        after.is_none_or(|after| number > after)
            && condition.is_met_by(
                &step.event,
                |consumer: ConsumerId| processed[consumer.index()],
                |consumer| setup.consumers[consumer.index()].group,
            )
    })
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
