//! Looking things up in the steps of a run, so that a step of the past can be told without going there.

use crate::sim::event::{CommitCall, PositionSource};
use crate::sim::network::Assignment;
use crate::sim::order;
use crate::sim::setup::ProducerSettings;
use crate::sim::{
    ConsumerId, Event, GroupId, Incarnation, Offset, PartitionId, ProducerId, RecordId, Role, Simulation, StepNo,
};

/// A consumer's group.
pub fn group_of(run: &Simulation, consumer: ConsumerId) -> GroupId {
    run.consumer(consumer).group
}

/// The steps before `step`, the latest first.
fn before(run: &Simulation, step: StepNo) -> impl Iterator<Item = (StepNo, Event)> + '_ {
    (0..step.0).rev().filter_map(|number| Some((StepNo(number), run.step_at(StepNo(number))?.event)))
}

/// The process of a consumer that runs at `step`, or ran last before it.
fn process_at(run: &Simulation, of: ConsumerId, step: StepNo) -> Option<Incarnation> {
    before(run, step).find_map(|(_, event)| match event {
        Event::ConsumerStarted { consumer, incarnation } if consumer == of => Some(incarnation),
        _ => None,
    })
}

/// A consumer's part of an assignment. Where two of its processes are members, the one that runs at `step` counts.
fn part_of(run: &Simulation, assignment: &Assignment, consumer: ConsumerId, step: StepNo) -> Vec<PartitionId> {
    let parts: Vec<_> = assignment.iter().filter(|(key, _)| key.consumer == consumer).collect();
    let incarnation = if parts.len() > 1 { process_at(run, consumer, step) } else { None };
    let part = parts.iter().find(|(key, _)| incarnation.is_none_or(|incarnation| key.incarnation == incarnation));
    part.map_or_else(Vec::new, |(_, partitions)| partitions.to_vec())
}

/// What the coordinator takes away from a member whose session expires in this step.
pub fn owned_until_expiry(run: &Simulation, consumer: ConsumerId, step: StepNo) -> Vec<PartitionId> {
    if run.setup().is_modern(group_of(run, consumer)) {
        return run.partitions_at(step).to_vec();
    }
    let silenced = run.step_at(step).and_then(|step| step.causes.with_role(Role::Silenced));
    let assignment = run.assignment_before(group_of(run, consumer), step);
    assignment.map_or_else(Vec::new, |assignment| part_of(run, assignment, consumer, silenced.unwrap_or(step)))
}

/// What a consumer owns just before `step`, as itself knows it: the assignment that last arrived, with what came to it and
/// went from it since.
pub fn owned_before(run: &Simulation, of: ConsumerId, step: StepNo) -> Vec<PartitionId> {
    let (mut owned, mut gone) = (Vec::new(), Vec::new());
    for (number, event) in before(run, step).filter(|(_, event)| event.consumer() == Some(of)) {
        match event {
            Event::SomePartitionsRevoked { .. } | Event::ReconciliationRevoked { .. } => {
                gone.extend_from_slice(run.partitions_at(number));
            }
            Event::PartitionsAssigned { .. }
            | Event::PartitionsChosen { .. }
            | Event::ReconciliationAssigned { .. }
            | Event::MorePartitionsAssigned { .. } => {
                let came = run.partitions_at(number).iter().filter(|partition| !gone.contains(*partition));
                owned.extend(came.copied());
                // What went before it came has come again.
                gone.retain(|partition| !run.partitions_at(number).contains(partition));
                if matches!(event, Event::PartitionsAssigned { .. } | Event::PartitionsChosen { .. }) {
                    break;
                }
            }
            Event::PartitionsRevoked { .. } | Event::PartitionsLost { .. } | Event::ConsumerStarted { .. } => break,
            _ => {}
        }
    }
    owned
}

/// The step in which the coordinator removed a member, the last one before `step`.
pub fn removed_before(run: &Simulation, member: ConsumerId, step: StepNo) -> Option<StepNo> {
    let removed = before(run, step).find(|(_, event)| match event {
        Event::SessionExpired { consumer, .. }
        | Event::RebalanceTimedOut { consumer, .. }
        | Event::RevocationTimedOut { consumer, .. }
        | Event::MemberLeft { consumer, .. } => *consumer == member,
        _ => false,
    });
    removed.map(|(number, _)| number)
}

/// Who processed a record the time before, if this step processes it again.
pub fn processed_before_by(run: &Simulation, step: StepNo) -> Option<ConsumerId> {
    run.step_at(run.step_at(step)?.causes.with_role(Role::Repeated)?)?.event.consumer()
}

/// The step in which a consumer processed a record, the last one before `step`.
pub fn processed_by_before(run: &Simulation, record: RecordId, by: ConsumerId, step: StepNo) -> Option<StepNo> {
    let processed = before(run, step).find(|(_, event)| {
        matches!(*event, Event::RecordProcessed { record: of, consumer, .. } if of == record && consumer == by)
    });
    processed.map(|(number, _)| number)
}

/// The step in which the member that processed a record in step `first` gave its partition up, before `until`.
pub fn given_up_after(run: &Simulation, first: StepNo, until: StepNo) -> Option<StepNo> {
    let processed = run.step_at(first)?.event;
    let (member, partition) = (processed.consumer()?, processed.partition());
    (first.0 + 1..until.0).map(StepNo).find(|&number| {
        run.step_at(number).is_some_and(|step| match step.event {
            Event::PartitionsRevoked { consumer, .. }
            | Event::PartitionsLost { consumer, .. }
            | Event::PollTimedOut { consumer, .. } => consumer == member,
            Event::SomePartitionsRevoked { consumer, .. } | Event::ReconciliationRevoked { consumer, .. }
                if consumer == member =>
            {
                partition.is_some_and(|partition| run.partitions_at(number).contains(&partition))
            }
            _ => false,
        })
    })
}

/// The step in which a consumer left its group because `poll()` was overdue, or in which the coordinator removed it, if it
/// has not noticed before `step`.
pub fn out_before(run: &Simulation, member: ConsumerId, step: StepNo) -> Option<StepNo> {
    let last = before(run, step).find(|(_, event)| match event {
        Event::PollTimedOut { consumer, .. }
        | Event::SessionExpired { consumer, .. }
        | Event::RebalanceTimedOut { consumer, .. }
        | Event::PartitionsLost { consumer, .. }
        | Event::PartitionsAssigned { consumer, .. }
        | Event::ReconciliationAssigned { consumer, .. }
        | Event::MorePartitionsAssigned { consumer, .. }
        | Event::ConsumerStarted { consumer, .. } => *consumer == member,
        _ => false,
    });
    let is_out = |event: &Event| {
        matches!(event, Event::PollTimedOut { .. } | Event::SessionExpired { .. } | Event::RebalanceTimedOut { .. })
    };
    last.filter(|(_, event)| is_out(event)).map(|(number, _)| number)
}

/// The records of a consumer that are processed and not committed just before `step`, as offsets in each partition:
/// the lowest, and the one behind the highest.
pub fn uncommitted_before(run: &Simulation, member: ConsumerId, step: StepNo) -> Vec<(PartitionId, Offset, Offset)> {
    let mut parts: Vec<(PartitionId, Offset, Offset)> = Vec::new();
    // A commit that was refused has committed nothing: going back, the refusal comes before the sending.
    let mut was_refused = false;
    let mut given_up = Vec::new();
    for (number, event) in before(run, step) {
        match event {
            Event::CommitRejected { consumer, .. } if consumer == member => was_refused = true,
            Event::OffsetCommitSent { consumer, .. } if consumer == member && was_refused => was_refused = false,
            Event::SomePartitionsRevoked { consumer, .. } | Event::ReconciliationRevoked { consumer, .. }
                if consumer == member =>
            {
                given_up.extend_from_slice(run.partitions_at(number));
            }
            Event::RecordProcessed { consumer, partition, offset, .. }
                if consumer == member && !given_up.contains(&partition) =>
            {
                match parts.iter_mut().find(|(found, ..)| *found == partition) {
                    Some((_, from, _)) => *from = offset.min(*from),
                    None => parts.push((partition, offset, offset + 1)),
                }
            }
            // What is committed before it is processed is never uncommitted.
            Event::OffsetCommitSent { consumer, call: CommitCall::SyncBefore | CommitCall::AsyncBefore, .. }
                if consumer == member =>
            {
                parts.clear();
                break;
            }
            Event::OffsetCommitSent { consumer, .. }
            | Event::OffsetsStored { consumer, .. }
            | Event::PartitionsRevoked { consumer, .. }
            | Event::PartitionsLost { consumer, .. }
            | Event::ConsumerStarted { consumer, .. }
                if consumer == member =>
            {
                break;
            }
            _ => {}
        }
    }
    order::by_number(&mut parts, |&(partition, ..)| u64::from(partition.0));
    parts
}

/// The call whose commit is stored or refused in a step.
pub fn commit_call(run: &Simulation, step: StepNo) -> Option<CommitCall> {
    match run.step_at(run.step_at(step)?.causes.with_role(Role::Triggered)?)?.event {
        Event::OffsetCommitSent { call, .. } => Some(call),
        _ => None,
    }
}

/// What a consumer had done with the last record in front of the offset that it commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommittedWork {
    /// Nothing since its position was set: a commit names every partition that has a position.
    None,
    /// `poll()` has returned it.
    Polled,
    /// It has processed it.
    Processed,
}

/// What stands behind the offset that is stored in a step.
pub fn committed_work(run: &Simulation, step: StepNo) -> CommittedWork {
    let Some(Event::OffsetCommitted { consumer, partition, offset, .. }) = run.step_at(step).map(|step| step.event)
    else {
        return CommittedWork::None;
    };
    let found = before(run, step).find_map(|(_, event)| match event {
        Event::RecordProcessed { consumer: by, partition: of, offset: done, .. }
            if (by, of, done + 1) == (consumer, partition, offset) =>
        {
            Some(CommittedWork::Processed)
        }
        Event::RecordsPolled { consumer: by, partition: of, position, .. }
            if (by, of, position) == (consumer, partition, offset) =>
        {
            Some(CommittedWork::Polled)
        }
        Event::PositionSet { consumer: by, partition: of, .. }
        | Event::PositionSought { consumer: by, partition: of, .. }
            if (by, of) == (consumer, partition) =>
        {
            Some(CommittedWork::None)
        }
        Event::ConsumerStarted { consumer: by, .. } if by == consumer => Some(CommittedWork::None),
        _ => None,
    });
    found.unwrap_or(CommittedWork::None)
}

/// The last step of a consumer before `step` that is as wanted.
pub fn last_before(run: &Simulation, of: ConsumerId, step: StepNo, wanted: impl Fn(&Event) -> bool) -> Option<StepNo> {
    let found = before(run, step).find(|(_, event)| event.consumer() == Some(of) && wanted(event));
    found.map(|(number, _)| number)
}

/// How many records the `poll()` that returns records in a step has returned up to it. It returns those of each partition
/// in a step of its own, in one moment.
pub fn polled_with(run: &Simulation, of: ConsumerId, step: StepNo) -> u32 {
    let own = (0..=step.0).rev().filter_map(|number| run.step_at(StepNo(number)));
    own.filter(|step| step.event.consumer() == Some(of))
        .map_while(|step| match step.event {
            Event::RecordsPolled { from, position, .. } => Some(position - from),
            _ => None,
        })
        .sum()
}

/// The settings that a producer's process had in a step.
pub fn producer_settings(run: &Simulation, of: ProducerId, step: StepNo) -> ProducerSettings {
    let (first, found) = (run.setup().producers[of.index()].settings, run.producer(of));
    let (mut running, mut next) = (first, first);
    // Mostly nothing has been changed, and nothing has to be looked for.
    let is_changed = *found.settings != first || found.incarnation > 1;
    for number in (0..step.0).filter(|_| is_changed) {
        match run.step_at(StepNo(number)).map(|step| step.event) {
            Some(Event::ProducerSettingChanged { producer, setting, at_once }) if producer == of => {
                next.set(setting);
                running = if at_once { next } else { running };
            }
            Some(Event::ProducerStarted { producer, .. }) if producer == of => running = next,
            _ => {}
        }
    }
    running
}

/// True if a classic group has no generation to go on from: its next rebalance waits for more members.
pub fn is_empty_before(run: &Simulation, group: GroupId, step: StepNo) -> bool {
    before(run, step)
        .find_map(|(_, event)| match event {
            Event::GroupEmptied { group: of, .. } if of == group => Some(true),
            Event::GenerationStarted { group: of, .. } if of == group => Some(false),
            _ => None,
        })
        .unwrap_or(true)
}

/// What a group has committed in a partition just before `step`.
pub fn committed_before(run: &Simulation, group: GroupId, partition: PartitionId, step: StepNo) -> Option<Offset> {
    before(run, step).find_map(|(_, event)| match event {
        Event::OffsetCommitted { group: of, partition: at, offset, .. }
        | Event::OffsetReset { group: of, partition: at, offset, .. }
            if of == group && at == partition =>
        {
            Some(offset)
        }
        _ => None,
    })
}

/// Who had taken the committed offset back behind the record that is processed once more in a step, by the commit from which
/// it is read this time.
#[inline(never)]
pub fn taken_back_by(run: &Simulation, step: StepNo) -> Option<ConsumerId> {
    let decided = |step: StepNo| run.step_at(step)?.causes.with_role(Role::DecidedValue);
    let Event::RecordProcessed { offset: processed, .. } = run.step_at(step)?.event else { return None };
    let began = decided(step)?;
    let Event::PositionSet { source: PositionSource::Committed, .. } = run.step_at(began)?.event else { return None };
    let commit = decided(began)?;
    let Event::OffsetCommitted { group, consumer, partition, .. } = run.step_at(commit)?.event else { return None };
    committed_before(run, group, partition, commit).filter(|&before| before > processed).map(|_| consumer)
}

/// The step that appended a record to its partition.
pub fn appended(run: &Simulation, record: RecordId) -> Option<StepNo> {
    let sent = run.record(record).sent;
    (sent.0 + 1..run.known_steps()).map(StepNo).find(|&number| {
        run.step_at(number)
            .is_some_and(|step| matches!(step.event, Event::RecordAppended { record: of, .. } if of == record))
    })
}

/// The log end offset of a partition just before `step`.
pub fn end_before(run: &Simulation, partition: PartitionId, step: StepNo) -> Offset {
    before(run, step)
        .find_map(|(_, event)| match event {
            Event::RecordAppended { partition: at, offset, .. } if at == partition => Some(offset + 1),
            _ => None,
        })
        .unwrap_or(0)
}
