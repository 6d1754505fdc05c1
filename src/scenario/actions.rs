//! What happens by script.

use super::condition;
use super::fields::ACTION;
use super::mistake::{Contradiction, Problem};
use super::names::Names;
use super::producers::read_moment;
use super::reader::{Place, Reader};
use crate::sim::setup::bounds;
use crate::sim::time::{Span, Time};
use crate::sim::{Action, ClientId, PlannedAction, When};

/// How an action is written and what it is.
type Verb = (&'static str, fn(ClientId) -> Action);

const VERBS: [Verb; 3] = [("crash", Action::Crash), ("close", Action::Close), ("start", Action::Start)];

pub(super) fn read<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    names: &Names<'t>,
    ends_at: Option<Time>,
) -> Option<Vec<PlannedAction>> {
    let places = r.list(place, 0, bounds::ACTIONS);
    let actions: Vec<Option<PlannedAction>> =
        places.into_iter().map(|place| read_action(r, place, names, ends_at)).collect();
    actions.into_iter().collect()
}

fn read_action<'t>(
    r: &mut Reader<'t>,
    place: Place<'t>,
    names: &Names<'t>,
    ends_at: Option<Time>,
) -> Option<PlannedAction> {
    let fields = r.object(Some(place.clone()), &ACTION)?;
    let is_one = r.exactly_one(&place, &fields, &["crash", "close", "start"]);
    let done: Vec<Option<Action>> = VERBS
        .iter()
        .filter_map(|(verb, action)| Some((fields.get(verb)?, action)))
        .map(|(place, action)| names.member(r, Some(place)).map(|consumer| action(consumer.into())))
        .collect();
    let is_due_once = r.exactly_one(&place, &fields, &["at", "after"]);
    let at = fields.get("at");
    let at = at.and_then(|place| read_moment(r, Some(place), ends_at));
    let after = fields.get("after");
    let after = after.and_then(|place| condition::read(r, Some(place), names));
    let wait = r.or(fields.get("wait"), Span::ZERO, |r, place| r.duration(place, Span::ZERO..=bounds::DURATION));
    if let (Some(wait), None) = (fields.get("wait"), fields.get("after")) {
        r.report(&wait, Problem::Contradiction(Contradiction::WaitWithoutAfter));
    }
    if !is_one || !is_due_once {
        return None;
    }
    let when = at.map(When::At).or(after.zip(wait).map(|(after, wait)| When::After(after, wait)))?;
    Some(PlannedAction { when, action: done.into_iter().next()?? })
}
