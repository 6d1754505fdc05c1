//! The timeline: even in visible steps, with marks for what matters and breaks for long waits.

use super::pace;
use crate::sim::{Event, RecordId, Role, Simulation, Step, StepNo, Time};

/// What a mark of the timeline stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A consumer or a producer crashed.
    Crash,
    /// A consumer or a producer closed or was started again.
    Process,
    /// A session expired, or a poll came too late.
    Timeout,
    /// A member left as its `poll()` was overdue.
    LatePoll,
    /// A rebalance begins: the group takes new members in, or a new target assignment is computed.
    Rebalance,
    /// A commit.
    Commit,
    /// Records were lost.
    Loss,
    /// A record was processed once more.
    Duplicate(RecordId),
    /// A commit was refused.
    Rejected,
    /// Something else was done by hand or by the script.
    Action,
    /// A client waited in vain for an answer.
    NoAnswer,
    /// The handling of a record failed.
    Failure,
}

/// A mark of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The number of visible steps after which it has happened.
    pub position: u32,
    /// The step.
    pub step: StepNo,
    /// What it stands for.
    pub kind: MarkKind,
}

/// The most marks that a timeline shows.
const MOST_MARKS: usize = 400;

/// How many marks find room side by side.
const MARKS_SIDE_BY_SIDE: u32 = 80;

/// The marks of all known steps of the branch. Where they are too many, commits are left out, and of repetitions all but
/// every so many: what they come from is never left out, and of its marks [`spans`] makes few.
pub fn marks(run: &Simulation) -> Vec<Mark> {
    let mut marks: Vec<Mark> = (0..run.known_visible_steps())
        .flat_map(|number| {
            let kinds = kinds_at(run, number);
            kinds
                .into_iter()
                .flatten()
                .filter_map(move |kind| Some(Mark { position: number + 1, step: run.visible_step(number)?, kind }))
        })
        .collect();
    if marks.len() > MOST_MARKS {
        marks.retain(|mark| mark.kind != MarkKind::Commit);
    }
    let is_duplicate = |mark: &Mark| matches!(mark.kind, MarkKind::Duplicate(_));
    let duplicates = marks.iter().filter(|mark| is_duplicate(mark)).count();
    let room = MOST_MARKS.saturating_sub(marks.len() - duplicates).max(MARKS_SIDE_BY_SIDE as usize);
    let every = duplicates.div_ceil(room).max(1);
    let mut numbers = 0..;
    marks
        .retain(|mark| !is_duplicate(mark) || numbers.next().is_some_and(|number: usize| number.is_multiple_of(every)));
    marks
}

/// Marks of one kind that would lie upon each other on a timeline of `count` steps are one, up to the position beside it.
pub fn spans(marks: Vec<Mark>, count: u32) -> Vec<(Mark, u32)> {
    let mut spans: Vec<(Mark, u32)> = Vec::new();
    for mark in marks {
        let is_near = |until: u32| (mark.position - until) * MARKS_SIDE_BY_SIDE < count;
        match spans.iter_mut().rev().find(|(other, _)| other.kind == mark.kind) {
            Some((_, until)) if mark.kind != MarkKind::Commit && is_near(*until) => *until = mark.position,
            _ => spans.push((mark, mark.position)),
        }
    }
    spans
}

/// What a visible step has marks for: what happened, and what was lost by it.
fn kinds_at(run: &Simulation, number: u32) -> [Option<MarkKind>; 2] {
    let step = run.visible_step(number);
    let happened = step.and_then(|step| run.step_at(step)).filter(|step| !follows_a_failure(run, step));
    let happened = happened.and_then(|step| kind_of(&step.event));
    let loses = step.is_some_and(|step| run.lost_at(step) > 0);
    [happened, loses.then_some(MarkKind::Loss)]
}

/// True for the `seek()` of an application after a failure, which has a mark itself.
fn follows_a_failure(run: &Simulation, step: &Step) -> bool {
    let by = step.causes.with_role(Role::Triggered).and_then(|by| run.step_at(by));
    matches!(step.event, Event::PositionSought { .. })
        && by.is_some_and(|by| matches!(by.event, Event::HandlingFailed { .. }))
}

fn kind_of(event: &Event) -> Option<MarkKind> {
    Some(match *event {
        Event::ConsumerCrashed { .. } | Event::ConsumerFailed { .. } | Event::ProducerCrashed { .. } => MarkKind::Crash,
        Event::ConsumerClosed { .. }
        | Event::ProducerClosed { .. }
        | Event::ProducerStarted { .. }
        | Event::PollThrew { .. } => MarkKind::Process,
        Event::ConsumerFrozen { .. }
        | Event::ConsumerThawed { .. }
        | Event::PartitionPaused { .. }
        | Event::PartitionResumed { .. }
        | Event::PositionSought { .. }
        | Event::OffsetReset { .. }
        | Event::PartitionsAdded { .. }
        | Event::MessageDelayed { .. }
        | Event::MessageDropped { .. }
        | Event::HandlingTimeChanged { .. }
        | Event::LatencyChanged { .. }
        | Event::RateChanged { .. }
        | Event::SettingChanged { .. }
        | Event::ProducerSettingChanged { .. }
        | Event::CommitPolicyChanged { .. }
        | Event::UniqueKeyChanged { .. }
        | Event::SinkDownChanged { .. }
        | Event::BrokerSettingChanged { .. }
        | Event::ActionRefused { .. } => MarkKind::Action,
        Event::RequestTimedOut { .. } => MarkKind::NoAnswer,
        Event::HandlingFailed { .. } => MarkKind::Failure,
        Event::ConsumerStarted { incarnation, .. } if incarnation > 1 => MarkKind::Process,
        Event::SessionExpired { .. } | Event::OffsetExpired { .. } => MarkKind::Timeout,
        Event::PollTimedOut { .. } => MarkKind::LatePoll,
        Event::RevocationTimedOut { .. } => MarkKind::Timeout,
        Event::RebalanceStarted { .. } | Event::TargetAssignmentComputed { .. } => MarkKind::Rebalance,
        Event::OffsetCommitted { .. } | Event::OffsetsStored { .. } => MarkKind::Commit,
        Event::CommitRejected { .. } | Event::CommitFailed { .. } => MarkKind::Rejected,
        Event::RecordProcessed { record, times, .. } if times > 1 => MarkKind::Duplicate(record),
        _ => return None,
    })
}

/// What a viewer can go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A crash.
    Crash,
    /// A rebalance.
    Rebalance,
    /// A commit.
    Commit,
    /// A second processing.
    Duplicate,
    /// A loss of records.
    Loss,
    /// Whatever has a mark, but for a commit.
    Any,
}

impl Wanted {
    /// All that have an entry in the menu.
    pub const LISTED: [Wanted; 5] = [Wanted::Crash, Wanted::Rebalance, Wanted::Commit, Wanted::Duplicate, Wanted::Loss];

    const fn is(self, kind: MarkKind) -> bool {
        match self {
            Wanted::Crash => matches!(kind, MarkKind::Crash),
            Wanted::Rebalance => matches!(kind, MarkKind::Rebalance),
            Wanted::Commit => matches!(kind, MarkKind::Commit),
            Wanted::Duplicate => matches!(kind, MarkKind::Duplicate(_)),
            Wanted::Loss => matches!(kind, MarkKind::Loss),
            Wanted::Any => !matches!(kind, MarkKind::Commit),
        }
    }
}

/// Which way a viewer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Towards the end.
    Ahead,
    /// Towards the beginning.
    Back,
}

/// The nearest moment of a kind, as the number of visible steps after which it has happened; `shown` have happened.
pub fn nearest(run: &Simulation, shown: u32, wanted: Wanted, way: Way) -> Option<u32> {
    let is_wanted = |&number: &u32| kinds_at(run, number).into_iter().flatten().any(|kind| wanted.is(kind));
    let found = match way {
        Way::Ahead => (shown..run.known_visible_steps()).find(is_wanted),
        Way::Back => (0..shown.saturating_sub(1)).rev().find(is_wanted),
    };
    Some(found? + 1)
}

/// The positions before which much simulated time passes.
pub fn breaks(run: &Simulation) -> Vec<u32> {
    (0..run.known_visible_steps())
        .filter(|&number| pace::beat(run, number).is_some_and(pace::Beat::is_wait))
        .take(MOST_MARKS)
        .collect()
}

/// A tick of time on the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// The number of visible steps before which the time is reached.
    pub position: u32,
    /// The time.
    pub at: Time,
}

/// Between two ticks lies one of these times, in seconds.
const TICKS: [u64; 10] = [1, 2, 5, 10, 30, 60, 300, 1_800, 7_200, 86_400];
/// The most ticks on a timeline.
const MOST_TICKS: u64 = 24;

/// Ticks at round times. Where time jumps over several, there is one at the end of the jump.
pub fn ticks(run: &Simulation) -> Vec<Tick> {
    let whole = run.setup().ends_at.as_micros() / 1_000_000;
    let every =
        TICKS.into_iter().find(|every| whole / every <= MOST_TICKS).unwrap_or(TICKS[TICKS.len() - 1]) * 1_000_000;
    let mut ticks: Vec<Tick> = Vec::new();
    let mut reached = 0;
    for number in 0..run.known_visible_steps() {
        let Some(step) = run.visible_step(number).and_then(|step| run.step_at(step)) else { break };
        let now = step.at.as_micros() / every;
        if now > reached {
            reached = now;
            ticks.push(Tick { position: number, at: Time::from_micros(now * every) });
        }
    }
    ticks
}
