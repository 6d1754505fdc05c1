//! What is written down of one run of a sweep.

use super::Case;
use super::plan::Course;
use crate::sim::event::Event;
use crate::sim::{GroupId, PartitionId, Simulation, Span, Step, StepNo, Time};

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What makes it differ from the others.
    pub case: Case,
    /// What it has come to.
    pub totals: Totals,
    /// How long the partition that waited longest had nobody at work, from where the run leaves the shared one.
    pub standstill: Standstill,
    /// The step that decided the outcome: the first by which a record was lost; where none is, the first that repeated a
    /// processing; where there is none, the first that came out of order.
    pub decided_by: Option<Decisive>,
    /// True if the run has come to its end, not only to the limit of steps.
    pub ended: bool,
}

/// A step that decided an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decisive {
    /// Its number among all steps of its run.
    pub step: StepNo,
    /// Its number among the visible steps, from 1, as in a transcript; that of the next one, if it is not visible.
    pub number: u32,
    /// When it happened.
    pub at: Time,
}

/// Sums over all groups of a run, from its start to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Records that are lost, once for each group that lost them.
    pub lost: u32,
    /// Repeated processings.
    pub duplicates: u32,
    /// Records that can still be processed and have not been.
    pub pending: u32,
    /// Records that were never processed and of which a copy was sent to another topic.
    pub set_aside: u32,
    /// Records first processed after a later one with the same key.
    pub out_of_order: u32,
    /// Rows in all sinks.
    pub rows: u32,
}

/// How long the partition that waited longest had nobody at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standstill {
    /// How long; of one that is not over, up to the end of the run.
    pub span: Span,
    /// False if some partition that had been worked on has nobody at work at the end.
    pub is_over: bool,
}

impl Totals {
    /// Those of a run up to its present moment.
    pub fn of(run: &Simulation) -> Self {
        let mut totals = Totals { out_of_order: out_of_order(run), ..Totals::default() };
        for group in groups(run) {
            let ledger = run.ledger(group);
            totals.lost += run.lost(group).total();
            totals.pending += run.pending(group);
            totals.set_aside += ledger.set_aside;
            totals.duplicates += ledger.duplicates();
        }
        let sinks = (0..run.setup().sinks.len()).map(crate::sim::SinkId::at);
        totals.rows = sinks.map(|sink| run.sink(sink).rows).sum();
        totals
    }
}

fn out_of_order(run: &Simulation) -> u32 {
    groups(run).map(|group| run.ledger(group).out_of_order).sum()
}

fn groups(run: &Simulation) -> impl Iterator<Item = GroupId> + use<> {
    (0..run.setup().groups.len()).map(GroupId::at)
}

/// A run that is watched from the moment where it leaves the shared one.
pub(super) struct Watched {
    run: Simulation,
    /// What is still to be done in it by hand.
    course: Course,
    case: Case,
    /// How long each partition had had nobody at work when the run left the shared one.
    unowned_before: Vec<(GroupId, PartitionId, Span)>,
    out_of_order: u32,
    first_lost: Option<StepNo>,
    first_repeated: Option<StepNo>,
    first_out_of_order: Option<StepNo>,
}

impl Watched {
    pub(super) fn new(run: Simulation, course: Course, case: Case) -> Self {
        let unowned = |(group, partition): (GroupId, PartitionId)| {
            let waited = run.ledger(group).partitions[partition.index()].unowned(run.now());
            (group, partition, waited)
        };
        let all =
            groups(&run).flat_map(|group| run.partitions_of_group(group).map(move |partition| (group, partition)));
        let unowned_before = all.map(unowned).collect();
        Watched {
            out_of_order: out_of_order(&run),
            run,
            course,
            case,
            unowned_before,
            first_lost: None,
            first_repeated: None,
            first_out_of_order: None,
        }
    }

    /// Makes a step; false at the end.
    pub(super) fn step(&mut self) -> bool {
        let Some(step) = self.course.step(&mut self.run) else { return false };
        self.note(&step);
        true
    }

    /// Takes note of a step that has been made.
    pub(super) fn note(&mut self, step: &Step) {
        let number = StepNo(self.run.steps() - 1);
        if self.first_lost.is_none() && self.run.lost_at(number) > 0 {
            self.first_lost = Some(number);
        }
        if let Event::RecordProcessed { times, .. } = step.event {
            if times > 1 {
                self.first_repeated.get_or_insert(number);
            }
            if self.first_out_of_order.is_none() && out_of_order(&self.run) > self.out_of_order {
                self.first_out_of_order = Some(number);
            }
        }
    }

    pub(super) fn finish(self) -> Row {
        let Watched { run, case, unowned_before, first_lost, first_repeated, first_out_of_order, .. } = self;
        let totals = Totals::of(&run);
        let mut standstill = Standstill { span: Span::ZERO, is_over: true };
        for group in groups(&run) {
            for partition in run.partitions_of_group(group) {
                let ledger = &run.ledger(group).partitions[partition.index()];
                let before = unowned_before.iter().find(|&&(of, which, _)| (of, which) == (group, partition));
                let before = before.map_or(Span::ZERO, |&(_, _, span)| span);
                let waited = ledger.unowned(run.now()).as_micros() - before.as_micros();
                standstill.span = standstill.span.max(Span::from_micros(waited));
                standstill.is_over &= ledger.unowned_since.is_none();
            }
        }
        let decided_by = first_lost
            .filter(|_| totals.lost > 0)
            .or(first_repeated.filter(|_| totals.duplicates > 0))
            .or(first_out_of_order);
        Row {
            case,
            totals,
            standstill,
            decided_by: decided_by.map(|step| Decisive {
                step,
                number: run.visible_steps_before(step) + 1,
                at: run.step_at(step).map_or(Time::ZERO, |step| step.at),
            }),
            ended: run.has_ended(),
        }
    }
}
