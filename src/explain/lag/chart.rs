//! A stretch of time, sampled.

use super::{Behind, LagHistory, before};
use crate::sim::{GroupId, PartitionId, Simulation, Span, StepNo, Time, order};

/// How often a stretch of time is looked at: evenly, both ends included.
pub const SAMPLES: usize = 121;

/// So many partitions have a line of their own; of more, those that were furthest behind.
pub const MOST_LINES: usize = 8;

/// The lag of some partitions over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Whose it is; nothing for all that have no line of their own together.
    pub partition: Option<PartitionId>,
    /// At each sample. Of several partitions the sum of the records and the greatest age.
    pub behind: Vec<Behind>,
}

/// How far a group was behind over a stretch of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// When each sample was taken, with the number of steps made by then.
    pub samples: Vec<(Time, StepNo)>,
    /// Each partition, or the sum of several, in order of their numbers; the sum last.
    pub series: Vec<Series>,
    /// All partitions together.
    pub total: Vec<Behind>,
    /// How many partitions are summed up in the last series; none if each has its own.
    pub summed: usize,
    /// Records appended in this time.
    pub appended: u32,
    /// Records processed for the first time in this time.
    pub processed: u32,
    /// The rebalances begun in it, with their times.
    pub rebalances: Vec<(Time, StepNo)>,
}

impl Chart {
    /// How long it is.
    pub fn length(&self) -> Span {
        match (self.samples.first(), self.samples.last()) {
            (Some(first), Some(last)) => last.0.since(first.0),
            _ => Span::ZERO,
        }
    }

    /// The most records that the group was behind, and when.
    pub fn peak(&self) -> Option<(Time, StepNo, u32)> {
        let peak = self.total.iter().map(|behind| behind.records).max().filter(|&peak| peak > 0)?;
        let place = self.total.iter().position(|behind| behind.records == peak)?;
        let (at, step) = self.samples[place];
        Some((at, step, peak))
    }
}

/// Samples the lag of a group from `from` to the present moment.
pub fn chart(history: &LagHistory, run: &Simulation, group: GroupId, from: Time) -> Chart {
    let to = run.now();
    let length = to.since(from).as_micros();
    let last = SAMPLES as u64 - 1;
    let mut samples: Vec<(Time, StepNo)> = (0..last)
        .map(|index| from + Span::from_micros(length * index / last))
        .map(|at| (at, StepNo(run.steps_by(at).min(run.steps()))))
        .collect();
    // Of what happens at the present moment only what has happened so far.
    samples.push((to, StepNo(run.steps())));
    let partitions: Vec<PartitionId> = run.partitions_of_group(group).collect();
    let (drawn, summed) = drawn(history, run, group, &partitions, &samples);
    let of_one = |partition: PartitionId| -> Vec<Behind> {
        samples.iter().map(|&sample| history.behind(run, group, partition, sample).unwrap_or_default()).collect()
    };
    let mut series: Vec<Series> =
        drawn.iter().map(|&partition| Series { partition: Some(partition), behind: of_one(partition) }).collect();
    if !summed.is_empty() {
        let mut behind = vec![Behind::default(); samples.len()];
        for &partition in &summed {
            add(&mut behind, &of_one(partition));
        }
        series.push(Series { partition: None, behind });
    }
    let mut total = vec![Behind::default(); samples.len()];
    for one in &series {
        add(&mut total, &one.behind);
    }
    let (begin, end) = (samples[0].1, samples[SAMPLES - 1].1);
    let appended =
        partitions.iter().map(|&partition| history.end(partition, end) - history.end(partition, begin)).sum();
    let of_group = &history.groups[group.index()];
    let within = |list: &[StepNo]| {
        let until = before(list, end, |&step| step);
        until[until.partition_point(|&step| step < begin)..].to_vec()
    };
    let time_of = |step: StepNo| run.step_at(step).map(|found| (found.at, step));
    Chart {
        series,
        total,
        summed: summed.len(),
        appended,
        processed: within(&of_group.processed).len() as u32,
        rebalances: within(&of_group.rebalances).into_iter().filter_map(time_of).collect(),
        samples,
    }
}

fn add(sum: &mut [Behind], one: &[Behind]) {
    for (sum, one) in sum.iter_mut().zip(one) {
        *sum = Behind { records: sum.records + one.records, age: sum.age.max(one.age) };
    }
}

/// Every so many samples are looked at to find out which partitions were furthest behind.
const SCAN_EVERY: usize = 15;

/// The partitions that have a line of their own, and the others.
fn drawn(
    history: &LagHistory,
    run: &Simulation,
    group: GroupId,
    partitions: &[PartitionId],
    samples: &[(Time, StepNo)],
) -> (Vec<PartitionId>, Vec<PartitionId>) {
    if partitions.len() <= MOST_LINES {
        return (partitions.to_vec(), Vec::new());
    }
    let peak = |partition| {
        let looked_at = samples.iter().step_by(SCAN_EVERY);
        looked_at.filter_map(|&sample| history.behind(run, group, partition, sample)).map(|behind| behind.records).max()
    };
    let mut by_peak: Vec<(PartitionId, u32)> =
        partitions.iter().map(|&partition| (partition, peak(partition).unwrap_or(0))).collect();
    order::by_number(&mut by_peak, |&(partition, peak)| order::pair(u32::MAX - peak, u32::from(partition.0)));
    let others = by_peak.split_off(MOST_LINES - 1);
    let in_order = |list: Vec<(PartitionId, u32)>| {
        let mut list: Vec<PartitionId> = list.into_iter().map(|(partition, _)| partition).collect();
        order::by_number(&mut list, |partition| u64::from(partition.0));
        list
    };
    (in_order(by_peak), in_order(others))
}
