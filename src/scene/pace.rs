//! How long each visible step is shown, and how simulated time runs meanwhile.
//!
//! A pure function of the steps. Inside a step simulated time runs evenly from the step before it to this one, so that
//! records travel by it; a long wait is one short beat with a running clock.

use crate::sim::{Event, Simulation, Span, StepNo, Time};

/// A gap of simulated time from which on it is a wait and drawn as a break of the timeline.
pub const LONG_WAIT: Span = Span::from_secs(5);

/// How one visible step is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Simulated time before it.
    pub from: Time,
    /// Simulated time of the step.
    pub to: Time,
    /// How long it is shown at speed 1, in milliseconds.
    pub millis: u32,
}

impl Beat {
    /// True if much simulated time passes in it.
    pub fn is_wait(self) -> bool {
        self.to.since(self.from) >= LONG_WAIT
    }

    /// The simulated time after `elapsed` milliseconds at speed 1.
    pub fn time_at(self, elapsed: u32) -> Time {
        let whole = u64::from(self.millis.max(1));
        let passed = u64::from(elapsed).min(whole);
        self.from + Span::from_micros(self.to.since(self.from).as_micros() * passed / whole)
    }
}

/// The beat of the visible step with this number.
pub fn beat(run: &Simulation, number: u32) -> Option<Beat> {
    let step = run.step_at(run.visible_step(number)?)?;
    let from = number
        .checked_sub(1)
        .and_then(|before| run.visible_step(before))
        .map_or(Time::ZERO, |before| time_of(run, before));
    Some(Beat { from, to: step.at, millis: importance(&step.event) + waiting(step.at.since(from)) })
}

/// The beat of a step where every event is a step.
pub fn beat_of_event(run: &Simulation, number: StepNo) -> Option<Beat> {
    let step = run.step_at(number)?;
    let from = number.0.checked_sub(1).map_or(Time::ZERO, |before| time_of(run, StepNo(before)));
    let shown = if step.event.is_visible() { importance(&step.event) } else { HIDDEN };
    Some(Beat { from, to: step.at, millis: shown + waiting(step.at.since(from)) })
}

/// Milliseconds for a step that only those see who look at every event.
const HIDDEN: u32 = 250;

/// Milliseconds for the simulated time that passes before a step.
fn waiting(wait: Span) -> u32 {
    if wait >= LONG_WAIT { 900 } else { wait.as_millis().min(300) as u32 }
}

fn time_of(run: &Simulation, step: StepNo) -> Time {
    run.step_at(step).map_or(Time::ZERO, |step| step.at)
}

/// True for what a learner should not miss.
pub fn matters(event: &Event) -> bool {
    importance(event) >= 900
}

/// Milliseconds for a step by what it means to a learner.
fn importance(event: &Event) -> u32 {
    match event {
        Event::ConsumerCrashed { .. }
        | Event::ProducerCrashed { .. }
        | Event::ConsumerFailed { .. }
        | Event::MemberReplaced { .. }
        | Event::SessionExpired { .. }
        | Event::PollTimedOut { .. }
        | Event::RevocationTimedOut { .. }
        | Event::ConsumerFrozen { .. }
        | Event::MessageDropped { .. }
        | Event::CommitRejected { .. }
        | Event::CommitFailed { .. }
        | Event::PollThrew { .. }
        | Event::OffsetExpired { .. }
        | Event::OffsetOutOfRange { .. } => 1400,
        Event::RecordProcessed { times, .. } if *times > 1 => 1200,
        Event::PartitionsRevoked { .. }
        | Event::PartitionsLost { .. }
        | Event::PartitionsAssigned { .. }
        | Event::StaticMemberLeft { .. }
        | Event::GroupEpochBumped { .. }
        | Event::TargetAssignmentComputed { .. }
        | Event::RevocationRequested { .. }
        | Event::RevocationAcknowledged { .. }
        | Event::AssignmentGiven { .. }
        | Event::ReconciliationRevoked { .. }
        | Event::ReconciliationAssigned { .. }
        | Event::SomePartitionsRevoked { .. }
        | Event::MorePartitionsAssigned { .. }
        | Event::ProducerMetadataRefreshed { .. }
        | Event::GenerationStarted { .. }
        | Event::AssignmentComputed { .. }
        | Event::RebalanceStarted { .. }
        | Event::PositionSet { .. }
        | Event::MetadataRefreshed { .. }
        | Event::ProducerClosed { .. }
        | Event::PartitionsChosen { .. }
        | Event::ConsumerClosed { .. }
        | Event::ConsumerThawed { .. }
        | Event::PositionSought { .. }
        | Event::OffsetReset { .. }
        | Event::PartitionsAdded { .. }
        | Event::RequestTimedOut { .. }
        | Event::ActionRefused { .. }
        | Event::MemberLeft { .. } => 900,
        Event::OffsetCommitted { .. } => 550,
        Event::RecordSent { .. } | Event::RecordAppended { .. } | Event::RecordsPolled { .. } => 420,
        _ => 400,
    }
}
