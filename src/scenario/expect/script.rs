//! Scripted actions that are not possible when they are due: expected or not.

use super::{Difference, Differs, Found};
use crate::scenario::refused::word_of;
use crate::sim::{Event, Refusal, Simulation, StepNo};

/// One entry of the script in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptEntry {
    /// Its place in the file.
    pub path: String,
    /// Its first action in the setup.
    pub first: usize,
    /// How many there are, one after the other: what is done to all brokers is one for each.
    pub planned: usize,
    /// What the file expects of it, if it expects something.
    pub refused: Option<ExpectRefusal>,
}

/// What is expected of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectRefusal {
    /// It is done.
    None,
    /// It is refused.
    Any,
    /// It is refused, and the reason is the one of this word.
    For(&'static str),
}

impl ScriptEntry {
    pub fn expects_something(&self) -> bool {
        self.refused.is_some()
    }

    /// Why it was refused, if none of its actions was done.
    fn refusal(&self, refusals: &[(usize, Refusal)]) -> Option<Refusal> {
        let of = self.first..self.first + self.planned;
        let mut own = refusals.iter().filter(|(action, _)| of.contains(action));
        let &(_, first) = own.next()?;
        (own.count() + 1 == self.planned).then_some(first)
    }

    fn difference(&self, what: Differs) -> Difference {
        Difference { path: format!("{}.refused", self.path), what }
    }
}

/// Where the script went otherwise than the file says.
pub(super) fn differences(script: &[ScriptEntry], run: &Simulation) -> Vec<Difference> {
    let refusals = refusals(run);
    let differs = |entry: &ScriptEntry| {
        let what = match (entry.refused?, entry.refusal(&refusals)) {
            (ExpectRefusal::None, None) | (ExpectRefusal::Any, Some(_)) => return None,
            (ExpectRefusal::None, Some(refusal)) => Differs::Refused(refusal),
            (ExpectRefusal::Any | ExpectRefusal::For(_), None) => Differs::NotRefused,
            (ExpectRefusal::For(word), Some(refusal)) => {
                let found = word_of(refusal).unwrap_or_default();
                let names = |word: &str| Found::Names(vec![word.to_owned()]);
                (word != found).then(|| Differs::Value { expected: names(word), found: names(found) })?
            }
        };
        Some(entry.difference(what))
    };
    script.iter().filter_map(differs).collect()
}

/// Refusals of which the file says nothing.
pub(super) fn unexpected(script: &[ScriptEntry], run: &Simulation) -> Vec<Difference> {
    let refusals = refusals(run);
    let silent = script.iter().filter(|entry| !entry.expects_something());
    silent
        .filter_map(|entry| {
            let refusal = entry.refusal(&refusals)?;
            Some(Difference { path: entry.path.clone(), what: Differs::Refused(refusal) })
        })
        .collect()
}

/// Each planned action that was refused.
fn refusals(run: &Simulation) -> Vec<(usize, Refusal)> {
    let events = (0..run.steps()).filter_map(|number| run.step_at(StepNo(number)));
    events
        .filter_map(|step| match step.event {
            Event::ActionRefused { action, refusal } => Some((usize::from(action), refusal)),
            _ => None,
        })
        .collect()
}
