//! What a verdict is about: records, each with the step where it came to be so, or members that do not work.

use super::lookup;
use super::verdict::{Verdict, busy};
use crate::sim::consumer::Process;
use crate::sim::order;
use crate::sim::simulation::Record;
use crate::sim::{ConsumerId, Event, GroupId, RecordId, Simulation, StepNo};

/// A member that has no work, and since which step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Idle {
    /// The member.
    pub consumer: ConsumerId,
    /// Why it has none.
    pub because: IdleBecause,
    /// Where that began.
    pub step: StepNo,
}

/// Why a member has no work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleBecause {
    /// It crashed.
    Crashed,
    /// It called `close()`.
    Closed,
    /// An error ended it.
    Failed,
    /// Its process stands still.
    Frozen,
    /// It got no partition.
    NoPartition,
    /// It has to wait for its partitions.
    Waiting,
}

/// The records that a verdict is about, up to the present moment, in the order of sending.
pub fn concerned(run: &Simulation, group: GroupId, verdict: &Verdict) -> Vec<RecordId> {
    let ledger = run.ledger(group);
    let records = (0..run.records()).map(RecordId);
    let mut concerned: Vec<RecordId> = match verdict {
        Verdict::Duplicates { .. } => records.filter(|&record| ledger.delivery(record).times > 1).collect(),
        Verdict::Lag { .. } => run
            .partitions_of_group(group)
            .flat_map(|partition| {
                let end = run.partition(partition).end;
                let committed = run.group(group).committed(partition).map_or(end, |committed| committed.offset);
                (committed..end).filter_map(move |offset| run.record_at(partition, offset))
            })
            .collect(),
        Verdict::Lost(lost) => records.filter(|&record| is_lost(run, group, record, lost.never_sent > 0)).collect(),
        Verdict::OrderInPartition { .. } => late_records(run, group, |record| record.key.map(|key| key.0)),
        Verdict::OrderAcrossTopic { .. } => late_records(run, group, |_| Some(0)),
        Verdict::Parallelism { .. } => Vec::new(),
    };
    order::by_number(&mut concerned, |record| u64::from(record.0));
    concerned
}

fn is_lost(run: &Simulation, group: GroupId, record: RecordId, some_never_sent: bool) -> bool {
    match run.offset_of(record) {
        Some(_) => run.is_lost(group, record),
        // What is on its way as its producer crashes still arrives.
        None => some_never_sent && never_sent(run, record).is_some() && lookup::appended(run, record).is_none(),
    }
}

/// Records first processed after a later one of the topic for which `of` gives the same number, in order. One without a
/// number has no order.
fn late_records(run: &Simulation, group: GroupId, of: fn(&Record) -> Option<u32>) -> Vec<RecordId> {
    let keys = run.setup().keys.len().max(1);
    // For each topic and number the newest record, plus one.
    let mut newest = vec![0; keys * run.setup().topics.len()];
    let mut late = Vec::new();
    for step in (0..run.steps()).filter_map(|number| run.step_at(StepNo(number))) {
        let Event::RecordProcessed { record, times: 1, consumer, .. } = step.event else { continue };
        if run.consumer(consumer).group != group {
            continue;
        }
        let topic = run.place(run.record(record).partition).topic;
        let Some(number) = of(run.record(record)) else { continue };
        let newest = &mut newest[topic.index() * keys + number as usize % keys];
        if record.0 < *newest {
            late.push(record);
        }
        *newest = (record.0 + 1).max(*newest);
    }
    late
}

/// The step in which what a verdict says of a record came to be so: its second processing, its processing out of order,
/// what lost it, or where it was appended.
pub fn decisive_step(run: &Simulation, group: GroupId, verdict: &Verdict, record: RecordId) -> StepNo {
    let sent = run.record(record).sent;
    let found = match verdict {
        Verdict::Duplicates { .. } => processed(run, group, record, 2),
        Verdict::OrderInPartition { .. } | Verdict::OrderAcrossTopic { .. } => processed(run, group, record, 1),
        Verdict::Lost(_) => lost_by(run, group, record),
        Verdict::Lag { .. } | Verdict::Parallelism { .. } => lookup::appended(run, record),
    };
    found.unwrap_or(sent)
}

fn processed(run: &Simulation, group: GroupId, record: RecordId, nth: u16) -> Option<StepNo> {
    run.history_of(record).find(|&number| {
        run.step_at(number).is_some_and(|step| match step.event {
            Event::RecordProcessed { consumer, times, .. } => times == nth && lookup::group_of(run, consumer) == group,
            _ => false,
        })
    })
}

fn never_sent(run: &Simulation, record: RecordId) -> Option<StepNo> {
    let (of, sent) = (run.record(record).producer, run.record(record).sent);
    steps(run, sent, run.steps())
        .find(|(_, event)| matches!(event, Event::ProducerCrashed { producer, .. } if *producer == of))
        .map(|(number, _)| number)
}

/// What lost a record: the crash after a commit that had gone past it, else that commit, else the jump over it.
fn lost_by(run: &Simulation, group: GroupId, record: RecordId) -> Option<StepNo> {
    let (partition, sent) = (run.record(record).partition, run.record(record).sent);
    let Some(offset) = run.offset_of(record) else { return never_sent(run, record) };
    let skips = |event: &Event| match *event {
        Event::OffsetCommitted { group: by, partition: at, offset: to, .. }
        | Event::OffsetReset { group: by, partition: at, offset: to, .. } => {
            by == group && at == partition && to > offset
        }
        Event::OffsetsStored { consumer, partition: at, offset: to, .. }
        | Event::PositionSet { consumer, partition: at, offset: to, .. }
        | Event::PositionSought { consumer, partition: at, offset: to, .. } => {
            at == partition && to > offset && lookup::group_of(run, consumer) == group
        }
        _ => false,
    };
    let (skipped, event) = steps(run, sent, run.steps()).find(|(_, event)| skips(event))?;
    let Event::OffsetCommitted { consumer: committer, .. } = event else { return Some(skipped) };
    let ended = steps(run, skipped, run.steps()).find(|(_, event)| match *event {
        Event::ConsumerCrashed { consumer, .. }
        | Event::ConsumerFailed { consumer, .. }
        | Event::PartitionsLost { consumer, .. } => consumer == committer,
        _ => false,
    });
    Some(ended.map_or(skipped, |(number, _)| number))
}

/// The steps behind `after`, before the `end`.
fn steps(run: &Simulation, after: StepNo, end: u32) -> impl Iterator<Item = (StepNo, Event)> + '_ {
    (after.0 + 1..end).map(StepNo).filter_map(|number| Some((number, run.step_at(number)?.event)))
}

/// The members of a group that have been started and do not work.
pub fn idle(run: &Simulation, group: GroupId) -> Vec<Idle> {
    let busy = busy(run, group);
    let idle = |consumer: &crate::sim::consumer::Consumer| {
        let is_busy = busy.iter().any(|key| key.consumer == consumer.id);
        let (because, step) = match &consumer.process {
            Process::NotStarted => return None,
            Process::Crashed(ended) => (IdleBecause::Crashed, ended.step),
            Process::Closed(ended) => (IdleBecause::Closed, ended.step),
            Process::Failed(ended, _) => (IdleBecause::Failed, ended.step),
            Process::Running(_) if is_busy => return None,
            Process::Running(client) if client.freeze.is_some() => (IdleBecause::Frozen, last(run, consumer.id, true)?),
            Process::Running(_) => {
                let step = last(run, consumer.id, false)?;
                let got_none = run.step_at(step).is_some_and(|step| {
                    matches!(
                        step.event,
                        Event::PartitionsAssigned { .. }
                            | Event::ReconciliationAssigned { .. }
                            | Event::MorePartitionsAssigned { .. }
                    )
                });
                (if got_none { IdleBecause::NoPartition } else { IdleBecause::Waiting }, step)
            }
        };
        Some(Idle { consumer: consumer.id, because, step })
    };
    run.consumers_of(group).filter_map(idle).collect()
}

/// The last step that stopped a member's process, or that gave it partitions or took them.
fn last(run: &Simulation, member: ConsumerId, froze: bool) -> Option<StepNo> {
    (0..run.steps()).rev().map(StepNo).find(|&number| {
        run.step_at(number).is_some_and(|step| match step.event {
            Event::ConsumerFrozen { consumer } => froze && consumer == member,
            Event::PartitionsAssigned { consumer, .. }
            | Event::ReconciliationAssigned { consumer, .. }
            | Event::MorePartitionsAssigned { consumer, .. }
            | Event::PartitionsRevoked { consumer, .. }
            | Event::PartitionsLost { consumer, .. }
            | Event::SomePartitionsRevoked { consumer, .. }
            | Event::ReconciliationRevoked { consumer, .. }
            | Event::ConsumerStarted { consumer, .. } => !froze && consumer == member,
            _ => false,
        })
    })
}
