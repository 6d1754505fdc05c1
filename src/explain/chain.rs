//! The chain of causes of a step, back to what somebody or something outside of the protocol did.

use super::lookup;
use super::reasons::{self, Reason};
use crate::sim::{Cause, Event, Role, Simulation, StepNo};

/// What lies behind the first link of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A person or the scenario's script did it to the world; or the scenario says that it happens: a process starts, a
    /// record is sent.
    Action,
    /// The application took too long.
    TooSlow,
    /// It was time.
    Clock,
}

/// One link of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The step and its part.
    pub reason: Reason,
    /// What lies behind it, if nothing of the run does.
    pub origin: Option<Origin>,
}

/// The most links of a chain.
pub const MAX_LINKS: usize = reasons::MAX_REASONS + 4;

/// The links that lead to a step, in the order in which they happened. One of them has an origin, unless the step has one
/// itself.
pub fn chain(run: &Simulation, step: StepNo) -> Vec<Link> {
    let mut reasons = way_of_a_record(run, step).unwrap_or_else(|| reasons::reasons(run, step));
    let ends = |reasons: &[Reason]| reasons.iter().any(|reason| origin(run, reason.step).is_some());
    if origin(run, step).is_none() && !ends(&reasons) {
        while let Some(before) = reasons.first().and_then(|first| named_before(run, first))
            && reasons.len() < MAX_LINKS - 1
            && !ends(&reasons)
        {
            reasons.insert(0, before);
        }
    }
    reasons.into_iter().map(|reason| Link { reason, origin: origin(run, reason.step) }).collect()
}

/// A commit, and a position that has moved, are about the last record before the offset: that it was sent, and what became
/// of it since, says more than all that the member had read before.
fn way_of_a_record(run: &Simulation, of: StepNo) -> Option<Vec<Reason>> {
    let link = |step, role, depth| Reason { role, step, of, depth };
    match run.step_at(of)?.event {
        Event::OffsetCommitted { consumer, partition, offset, .. } => {
            let last = run.known_record_at(partition, offset.checked_sub(1)?)?;
            let processed = lookup::processed_by_before(run, last, consumer, of)?;
            let sent = run.record(last).sent;
            Some(vec![link(sent, Role::Triggered, 2), link(processed, Role::DecidedValue, 1)])
        }
        Event::RecordsPolled { partition, position, .. } => {
            let last = run.known_record_at(partition, position.checked_sub(1)?)?;
            let (sent, appended) = (run.record(last).sent, lookup::appended(run, last)?);
            Some(vec![link(sent, Role::Triggered, 2), link(appended, Role::WaitedFor, 1)])
        }
        _ => None,
    }
}

/// The next visible step back from a link, or an origin. Where several led there, what set it off.
fn named_before(run: &Simulation, link: &Reason) -> Option<Reason> {
    let mut at = link.step;
    loop {
        let cause = deciding(run, at)?;
        if run.step_at(cause.step)?.event.is_visible() || origin(run, cause.step).is_some() {
            return Some(Reason { role: cause.role, step: cause.step, of: at, depth: link.depth.saturating_add(1) });
        }
        at = cause.step;
    }
}

fn deciding(run: &Simulation, step: StepNo) -> Option<Cause> {
    let causes = run.step_at(step)?.causes;
    let of = |wanted: Role| causes.iter().find(|cause| cause.role == wanted);
    of(Role::Silenced).or_else(|| of(Role::Triggered)).or_else(|| causes.iter().next())
}

/// What lies behind a step, if nothing of the run does.
pub fn origin(run: &Simulation, step: StepNo) -> Option<Origin> {
    let step = run.step_at(step)?;
    match step.event {
        Event::PollTimedOut { .. } => Some(Origin::TooSlow),
        // The end of a process that was asked to end, and its start after that, lie inside of the run.
        Event::ConsumerStarted { .. } | Event::ProducerStarted { .. }
            if step.causes.with_role(Role::Triggered).is_some_and(|by| closes(run, by)) =>
        {
            None
        }
        // So do the seek and the copy that an application makes because a record failed.
        Event::PositionSought { .. } | Event::RecordSent { .. }
            if step.causes.with_role(Role::Triggered).is_some_and(|by| failed(run, by)) =>
        {
            None
        }
        Event::ConsumerCrashed { .. }
        | Event::CloseRequested { .. }
        | Event::ConsumerStarted { .. }
        | Event::ConsumerFrozen { .. }
        | Event::ConsumerThawed { .. }
        | Event::PartitionPaused { .. }
        | Event::PartitionResumed { .. }
        | Event::PositionSought { .. }
        | Event::OffsetReset { .. }
        | Event::MessageDelayed { .. }
        | Event::MessageDropped { .. }
        | Event::ProducerCrashed { .. }
        | Event::ProducerClosed { .. }
        | Event::ProducerStarted { .. }
        | Event::PartitionsAdded { .. }
        | Event::HandlingTimeChanged { .. }
        | Event::LatencyChanged { .. }
        | Event::RateChanged { .. }
        | Event::SettingChanged { .. }
        | Event::ProducerSettingChanged { .. }
        | Event::CommitPolicyChanged { .. }
        | Event::UniqueKeyChanged { .. }
        | Event::SinkDownChanged { .. }
        | Event::BrokerSettingChanged { .. }
        | Event::RecordSent { .. } => Some(Origin::Action),
        _ if step.causes.iter().next().is_none() => Some(Origin::Clock),
        _ => None,
    }
}

fn failed(run: &Simulation, step: StepNo) -> bool {
    run.step_at(step).is_some_and(|step| matches!(step.event, Event::HandlingFailed { .. }))
}

fn closes(run: &Simulation, step: StepNo) -> bool {
    let ends = |event: &Event| matches!(event, Event::ConsumerClosed { .. } | Event::ProducerClosed { .. });
    run.step_at(step).is_some_and(|step| ends(&step.event))
}
