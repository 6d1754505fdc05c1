//! How far groups were behind, over time: what a monitoring system would have drawn.
//!
//! [`LagHistory`] keeps of each known step of a branch what changes a lag, so that the lag of any moment is found without
//! walking to it. [`chart`] samples a stretch of time, and [`shape`] names what it looks like, with the numbers that say so.

mod chart;
mod shape;

pub use chart::{Chart, MOST_LINES, SAMPLES, Series, chart};
pub use shape::{Because, LagShape, Stands, shape};

use crate::sim::{Event, GroupId, Offset, PartitionId, RecordId, Simulation, Span, StepNo, Time};

/// How far a group is behind in a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Behind {
    /// Log end offset minus committed offset. Where nothing is committed, a group that would begin at the start of the log has
    /// everything before it.
    pub records: u32,
    /// The age of the first record that no commit covers; zero where there is none.
    pub age: Span,
}

/// What a group did, step by step.
#[derive(Clone, Debug, Default)]
struct OfGroup {
    /// For each partition each change of what is committed.
    committed: Vec<Vec<(StepNo, Option<Offset>)>>,
    /// For each partition each failure of the handling of a record.
    failed: Vec<Vec<(StepNo, RecordId)>>,
    /// Records processed for the first time.
    processed: Vec<StepNo>,
    /// Rebalances begun.
    rebalances: Vec<StepNo>,
}

/// What changes lags, of all known steps of a branch.
#[derive(Clone, Debug, Default)]
pub struct LagHistory {
    /// Visible steps taken in.
    taken_in: u32,
    /// For each partition the step that appended each offset.
    appended: Vec<Vec<StepNo>>,
    groups: Vec<OfGroup>,
}

/// The end of a list that is in order of steps, before a step.
fn before<T>(list: &[T], end: StepNo, step: impl Fn(&T) -> StepNo) -> &[T] {
    &list[..list.partition_point(|entry| step(entry) < end)]
}

/// The place of a partition in a list of all, which grows with them.
fn of<T: Default>(list: &mut Vec<T>, partition: PartitionId) -> &mut T {
    if partition.index() >= list.len() {
        list.resize_with(partition.index() + 1, T::default);
    }
    &mut list[partition.index()]
}

impl LagHistory {
    /// Takes in the steps of the branch that have become known.
    pub fn advance(&mut self, run: &Simulation) {
        self.groups.resize_with(run.setup().groups.len(), OfGroup::default);
        for number in self.taken_in..run.known_visible_steps() {
            let found = run.visible_step(number).and_then(|step| Some((step, run.step_at(step)?.event)));
            if let Some((step, event)) = found {
                self.take_in(run, step, event);
            }
        }
        self.taken_in = run.known_visible_steps();
    }

    fn take_in(&mut self, run: &Simulation, step: StepNo, event: Event) {
        let group_of = |consumer| run.consumer(consumer).group.index();
        match event {
            Event::RecordAppended { partition, .. } => of(&mut self.appended, partition).push(step),
            Event::OffsetCommitted { group, partition, offset, .. }
            | Event::OffsetReset { group, partition, offset, .. } => {
                of(&mut self.groups[group.index()].committed, partition).push((step, Some(offset)));
            }
            Event::OffsetExpired { group, partition, .. } => {
                of(&mut self.groups[group.index()].committed, partition).push((step, None));
            }
            Event::HandlingFailed { consumer, record, partition, .. } => {
                of(&mut self.groups[group_of(consumer)].failed, partition).push((step, record));
            }
            Event::RecordProcessed { consumer, times: 1, .. } => self.groups[group_of(consumer)].processed.push(step),
            Event::RebalanceStarted { group, .. } | Event::GroupEpochBumped { group, .. } => {
                self.groups[group.index()].rebalances.push(step);
            }
            _ => {}
        }
    }

    /// What a group had committed in a partition before a step; zero where it would begin with the first record.
    fn committed(&self, run: &Simulation, group: GroupId, partition: PartitionId, end: StepNo) -> Option<Offset> {
        let changes = self.groups.get(group.index()).and_then(|group| group.committed.get(partition.index()));
        let last = changes.and_then(|changes| before(changes, end, |change| change.0).last());
        let committed = match last {
            Some(&(_, committed)) => committed,
            None => {
                let place = run.place(partition);
                let set_up = &run.setup().groups[group.index()].committed;
                set_up.iter().find(|(of, _)| *of == place).map(|&(_, offset)| offset)
            }
        };
        committed.or_else(|| run.begins_at_the_start(group).then_some(0))
    }

    /// How many records a partition had before a step.
    fn end(&self, partition: PartitionId, end: StepNo) -> u32 {
        let appended = self.appended.get(partition.index());
        appended.map_or(0, |appended| before(appended, end, |&step| step).len() as u32)
    }

    /// How far a group was behind in a partition at a moment before a step. Nothing where it is not decided where it begins.
    fn behind(
        &self,
        run: &Simulation,
        group: GroupId,
        partition: PartitionId,
        (at, step): (Time, StepNo),
    ) -> Option<Behind> {
        let end = self.end(partition, step);
        let committed = self.committed(run, group, partition, step)?;
        let first = (committed < end).then(|| run.known_record_at(partition, committed)).flatten();
        let age = first.map_or(Span::ZERO, |record| at.since(run.record(record).at));
        Some(Behind { records: end.saturating_sub(committed), age })
    }
}
