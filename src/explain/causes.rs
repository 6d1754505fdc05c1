//! Following causes all the way back.

use crate::sim::order;
use crate::sim::{Event, Simulation, StepNo};
use std::collections::BTreeSet;

/// Every step at which following causes ends: what a person, the script or the setup did. In order of time.
pub fn roots(run: &Simulation, step: StepNo) -> Vec<StepNo> {
    let mut seen = BTreeSet::from([step]);
    let mut open = vec![step];
    let mut roots = Vec::new();
    while let Some(number) = open.pop() {
        let Some(found) = run.step_at(number) else { continue };
        // An action of the script names the step that it waited for, yet it is where a story begins.
        let is_start = number != step && is_beginning(&found.event);
        let before = open.len();
        if !is_start {
            open.extend(found.causes.iter().map(|cause| cause.step).filter(|&cause| seen.insert(cause)));
        }
        if is_start || (before == open.len() && found.causes.iter().next().is_none()) {
            roots.push(number);
        }
    }
    order::by_number(&mut roots, |root| u64::from(root.0));
    roots
}

/// True if following causes back from a step reaches something that somebody did to a consumer, or a fault.
pub fn leads_back_to_action_or_fault(run: &Simulation, step: StepNo) -> bool {
    roots(run, step).into_iter().any(|root| match run.step_at(root).map(|found| found.event) {
        Some(Event::ConsumerStarted { incarnation, .. }) => incarnation > 1,
        Some(event) => is_beginning(&event),
        None => false,
    })
}

/// An action, or the fault of an application that is too slow.
fn is_beginning(event: &Event) -> bool {
    matches!(
        event,
        Event::ConsumerCrashed { .. }
            | Event::CloseRequested { .. }
            | Event::ConsumerStarted { .. }
            | Event::PollTimedOut { .. }
            | Event::MetadataRefreshed { .. }
    )
}
