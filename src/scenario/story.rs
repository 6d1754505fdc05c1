//! The story: what is said when something happens, and what is asked before it does.

use super::condition::{self, Moment};
use super::fields::*;
use super::localized::{self, Localized};
use super::names::Names;
use super::quantity::{self, Quantity};
use super::reader::{Place, Reader};
use crate::sim::order;
use crate::sim::{Simulation, StepNo};
use borsh::{BorshDeserialize, BorshSerialize};

pub(super) const MOST_BEATS: u32 = 1_000;
pub(super) const MOST_TEMPTING: u32 = 8;

/// A beat of the story, bound to an event of the model. In a run in which that never happens it stays silent.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Beat {
    /// Something to say when it has happened.
    Say {
        /// When.
        when: Moment,
        /// What.
        text: Localized,
    },
    /// Something to ask before it happens.
    Ask(Question),
}

/// A question whose answers come from the run.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Question {
    /// The decisive step: it is asked before this one.
    pub before: Moment,
    /// What is asked.
    pub text: Localized,
    /// The right answer.
    pub answer: Quantity,
    /// Wrong answers that seem right.
    pub tempting: Vec<Quantity>,
}

/// A question's answers as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// The step that the question is asked before.
    pub decisive: StepNo,
    /// The right answer.
    pub answer: u32,
    /// All answers to choose from, each once, in order.
    pub choices: Vec<u32>,
}

impl Beat {
    /// The moment that the beat belongs to: it is said at it, or asked before it.
    pub fn moment(&self) -> &Moment {
        match self {
            Beat::Say { when, .. } => when,
            Beat::Ask(question) => &question.before,
        }
    }
}

impl Question {
    /// The answers of this run; nothing if it does not come to the question, or not to two different answers.
    pub fn choices(&self, run: &Simulation) -> Option<Choices> {
        let decisive = self.before.find(run)?;
        let answer = self.answer.value(run, decisive)?;
        let tempting = self.tempting.iter().filter_map(|quantity| quantity.value(run, decisive));
        let mut choices: Vec<u32> = tempting.chain([answer]).collect();
        order::by_number(&mut choices, |&choice| u64::from(choice));
        choices.dedup();
        (choices.len() > 1).then_some(Choices { decisive, answer, choices })
    }
}

pub(super) fn read<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>, names: &Names<'t>) -> Option<Vec<Beat>> {
    let places = r.list(place, 0, MOST_BEATS);
    let beats: Vec<Option<Beat>> = places.into_iter().map(|place| read_beat(r, place, names)).collect();
    beats.into_iter().collect()
}

fn read_beat<'t>(r: &mut Reader<'t>, place: Place<'t>, names: &Names<'t>) -> Option<Beat> {
    let fields = r.object(Some(place.clone()), &BEAT)?;
    let has_one_place = r.exactly_one(&place, &fields, &["when", "before"]);
    let has_one_part = r.exactly_one(&place, &fields, &["say", "ask"]);
    if !has_one_place || !has_one_part {
        return None;
    }
    if fields.get("say").is_some() {
        r.required(&place, &fields, "when");
        let when = condition::read_moment(r, &fields, "when", names);
        let text = localized::read(r, fields.get("say"));
        return Some(Beat::Say { when: when?, text: text? });
    }
    r.required(&place, &fields, "before");
    let before = condition::read_moment(r, &fields, "before", names);
    let ask = r.object(fields.get("ask"), &ASK)?;
    let text = localized::read(r, ask.get("text"));
    let answer = quantity::read(r, ask.get("answer"), names);
    let tempting: Vec<Option<Quantity>> = r
        .list(ask.get("tempting"), 1, MOST_TEMPTING)
        .into_iter()
        .map(|place| quantity::read(r, Some(place), names))
        .collect();
    let tempting = tempting.into_iter().collect::<Option<_>>();
    Some(Beat::Ask(Question { before: before?, text: text?, answer: answer?, tempting: tempting? }))
}
