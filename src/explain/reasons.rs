//! The steps that a teacher would name to explain a step.

use super::lookup;
use crate::sim::event::{EpochReason, ErrorCode, Fault};
use crate::sim::order;
use crate::sim::{Event, Role, Simulation, Step, StepNo};

/// One earlier step and its part in the step that is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What part it has in the step that it is a cause of.
    pub role: Role,
    /// Which step.
    pub step: StepNo,
    /// The step that it is a cause of.
    pub of: StepNo,
    /// How many named steps lie between: 1 for what led directly to the step that is explained.
    pub depth: u8,
}

/// The most reasons that an explanation names.
pub const MAX_REASONS: usize = 8;

/// The most steps that are looked at; explanations of this model stay far below.
const MAX_VISITS: usize = 500;

/// The reasons of a step in the order in which they happened, each once.
///
/// Direct causes are named; of those further back only turning points, as the rest says nothing new. Hidden steps are
/// walked through, except where one decided a number (the last heartbeat that the coordinator heard).
pub(super) fn reasons(run: &Simulation, step: StepNo) -> Vec<Reason> {
    let mut walk = Walk { run, subject: step, found: Vec::new(), visited: Vec::new() };
    walk.back_from(step, 1, None);
    walk.name_how_the_record_came(step);
    walk.name_what_removed_the_member(step);
    walk.name_what_a_survivor_gave_up(step);
    let mut found = walk.found;
    if found.len() > MAX_REASONS {
        let is_late = |reason: &Reason| u32::from(!is_start(run, reason.step)) << 8;
        order::by_number(&mut found, |reason| order::pair(is_late(reason) + u32::from(reason.depth), reason.step.0));
        found.truncate(MAX_REASONS);
    }
    order::by_number(&mut found, |reason| u64::from(reason.step.0));
    found
}

struct Walk<'a> {
    run: &'a Simulation,
    subject: StepNo,
    found: Vec<Reason>,
    visited: Vec<StepNo>,
}

impl Walk<'_> {
    /// Follows the causes of a step. `via` is the role of what is named next if only unnamed steps lie between.
    fn back_from(&mut self, number: StepNo, depth: u8, via: Option<Role>) {
        let Some(&child) = self.run.step_at(number) else { return };
        if self.visited.contains(&number) || self.visited.len() >= MAX_VISITS {
            return;
        }
        self.visited.push(number);
        let is_subject = number == self.subject;
        for cause in child.causes.iter().filter(|cause| is_followed(&child.event, cause.role, is_subject)) {
            let Some(&step) = self.run.step_at(cause.step) else { continue };
            if is_named(&step, cause.role, &child, depth) {
                let role = via.unwrap_or(cause.role);
                self.name(Reason { role, step: cause.step, of: number, depth });
                if leads_on(&step.event, cause.role, &child.event) {
                    self.back_from(cause.step, depth.saturating_add(1), None);
                }
            } else {
                self.back_from(cause.step, depth, Some(Role::Triggered));
            }
        }
    }

    fn name(&mut self, reason: Reason) {
        match self.found.iter_mut().find(|found| found.step == reason.step) {
            Some(found) if found.depth > reason.depth => *found = reason,
            Some(_) => {}
            None => self.found.push(reason),
        }
    }

    /// A record that is handed over or processed for the first time had been sent and appended.
    fn name_how_the_record_came(&mut self, number: StepNo) {
        let record = match self.run.step_at(number).map(|step| step.event) {
            Some(Event::RecordProcessed { record, times: 1, .. } | Event::HandlingStarted { record, .. }) => record,
            Some(Event::RecordsPolled { partition, from, position, .. }) if position == from + 1 => {
                let Some(record) = self.run.known_record_at(partition, from) else { return };
                record
            }
            _ => return,
        };
        let sent = self.run.record(record).sent;
        self.name(Reason { role: Role::Triggered, step: sent, of: number, depth: 2 });
        if let Some(appended) = lookup::appended(self.run, record) {
            self.name(Reason { role: Role::WaitedFor, step: appended, of: number, depth: 1 });
        }
    }

    /// Who is refused as unknown had been removed before. No cause leads there: the coordinator has forgotten it.
    fn name_what_removed_the_member(&mut self, number: StepNo) {
        let Some(step) = self.run.step_at(number) else { return };
        let (Event::CommitRejected { consumer, error: ErrorCode::UnknownMemberId, .. }
        | Event::CommitFailed { consumer, .. }
        | Event::JoinRejected { consumer, error: ErrorCode::UnknownMemberId, .. }
        | Event::PartitionsLost { consumer, error: ErrorCode::UnknownMemberId, .. }) = step.event
        else {
            return;
        };
        if let Some(removed) = lookup::removed_before(self.run, consumer, number) {
            self.name(Reason { role: Role::DecidedValue, step: removed, of: number, depth: 1 });
        }
    }

    /// A living member's work is repeated because it gave its partitions up before it committed; or what the owner does
    /// is repeated by a former one that has not noticed. No cause leads there: the group would have rebalanced without.
    fn name_what_a_survivor_gave_up(&mut self, number: StepNo) {
        let Some(step) = self.run.step_at(number) else { return };
        if let Event::RecordProcessed { consumer, fault: Fault::Survivor, .. } = step.event
            && let Some(first) = step.causes.with_role(Role::Repeated)
            && let Some(given_up) = lookup::given_up_after(self.run, first, number)
                .or_else(|| lookup::timed_out_before(self.run, consumer, number))
        {
            self.name(Reason { role: Role::Triggered, step: given_up, of: number, depth: 1 });
        }
    }
}

/// Whether a teacher follows this cause of an event.
fn is_followed(child: &Event, role: Role, is_subject: bool) -> bool {
    match (child, role) {
        // That the record was handed over again says less than where the reading began again.
        (Event::RecordProcessed { times, .. }, Role::Triggered) => *times == 1,
        // A Fetch brings what there is: it names the last record of many. See `name_how_the_record_came`.
        (Event::FetchAnswered { .. }, _) => is_subject,
        // Each poll begins where the one before ended, back to the very first.
        (Event::RecordsPolled { .. }, Role::DecidedValue) => is_subject,
        // How a group came together for the first time explains nothing of what it did later.
        (Event::RebalanceStarted { generation: 0, .. }, _)
        | (Event::GroupEpochBumped { reason: EpochReason::GroupCreated, .. }, _) => is_subject,
        // The last sign of life explains the moment of the time-out, and nothing behind it.
        (Event::SessionExpired { .. } | Event::RebalanceTimedOut { .. }, Role::DecidedValue) => is_subject,
        // See `name_what_removed_the_member`.
        (Event::CommitRejected { error: ErrorCode::UnknownMemberId, .. }, Role::DecidedValue) => false,
        (_, Role::WaitedFor) => is_subject,
        _ => true,
    }
}

fn is_named(step: &Step, role: Role, child: &Step, depth: u8) -> bool {
    let is_last_sign = role == Role::DecidedValue
        && matches!(child.event, Event::SessionExpired { .. } | Event::RebalanceTimedOut { .. });
    is_last_sign || (step.event.is_visible() && (depth == 1 || is_turning_point(&step.event)))
}

fn is_turning_point(event: &Event) -> bool {
    matches!(
        event,
        Event::ConsumerStarted { .. }
            | Event::ConsumerCrashed { .. }
            | Event::CloseRequested { .. }
            | Event::ConsumerClosed { .. }
            | Event::MemberLeft { .. }
            | Event::SessionExpired { .. }
            | Event::PollTimedOut { .. }
            | Event::RebalanceTimedOut { .. }
            | Event::RevocationTimedOut { .. }
            | Event::PartitionsAssigned { .. }
            | Event::ReconciliationAssigned { .. }
            | Event::ReconciliationRevoked { .. }
            | Event::MorePartitionsAssigned { .. }
            | Event::SomePartitionsRevoked { .. }
            | Event::MemberReplaced { .. }
            | Event::MetadataRefreshed { .. }
            | Event::ConsumerFailed { .. }
            | Event::PartitionsLost { .. }
            | Event::PositionSet { .. }
            | Event::OffsetCommitted { .. }
            | Event::CommitRejected { .. }
            | Event::CommitFailed { .. }
            | Event::PartitionsChosen { .. }
            | Event::PollThrew { .. }
            | Event::OffsetExpired { .. }
            | Event::OffsetOutOfRange { .. }
            | Event::RecordProcessed { .. }
            | Event::RecordAppended { .. }
            | Event::RecordSent { .. }
    )
}

/// Whether the reasons of a reason belong to the story. What ends here has an explanation of its own.
fn leads_on(event: &Event, role: Role, child: &Event) -> bool {
    match event {
        Event::PositionSet { .. } => !matches!(child, Event::RecordsPolled { .. }),
        Event::MemberJoined { .. } => role == Role::Triggered,
        Event::RecordProcessed { .. }
        | Event::OffsetCommitted { .. }
        | Event::ConsumerCrashed { .. }
        | Event::CloseRequested { .. }
        | Event::HeartbeatReceived { .. }
        | Event::RecordsPolled { .. } => false,
        _ => !matches!(child, Event::SessionExpired { .. } | Event::RebalanceTimedOut { .. }) || role == Role::Silenced,
    }
}

fn is_start(run: &Simulation, step: StepNo) -> bool {
    run.step_at(step).is_some_and(|step| {
        matches!(step.event, Event::ConsumerCrashed { .. } | Event::CloseRequested { .. } | Event::RecordSent { .. })
    })
}
