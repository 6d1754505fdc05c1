//! Following causes all the way back.

use crate::sim::order;
use crate::sim::{Event, Role, Simulation, Step, StepNo};
use std::collections::BTreeSet;

/// Every step at which following causes ends: what a person, the script or the setup did. In order of time.
pub fn roots(run: &Simulation, step: StepNo) -> Vec<StepNo> {
    let mut seen = BTreeSet::from([step]);
    let mut open = vec![step];
    let mut roots = Vec::new();
    while let Some(number) = open.pop() {
        let Some(found) = run.step_at(number) else { continue };
        // An action of the script names the step that it waited for, yet it is where a story begins.
        let is_start = number != step && is_beginning(found);
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
    roots(run, step).into_iter().filter_map(|root| run.step_at(root)).any(|root| match root.event {
        Event::ConsumerStarted { incarnation, .. } => incarnation > 1,
        _ => is_beginning(root),
    })
}

/// An action, or the fault of a member that is too slow.
fn is_beginning(step: &Step) -> bool {
    let is_too_slow =
        matches!(step.event, Event::RevocationTimedOut { .. }) && step.causes.with_role(Role::Silenced).is_none();
    is_too_slow
        || matches!(
            step.event,
            Event::ConsumerCrashed { .. }
                | Event::CloseRequested { .. }
                | Event::ConsumerStarted { .. }
                | Event::PollTimedOut { .. }
                | Event::ConsumerFrozen { .. }
                | Event::PositionSought { .. }
                | Event::OffsetReset { .. }
                | Event::MessageDelayed { .. }
                | Event::MessageDropped { .. }
                | Event::ProducerCrashed { .. }
                | Event::PartitionsAdded { .. }
        )
}
