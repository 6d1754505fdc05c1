//! What a lag over time looks like, and what such a shape comes from: named by the model's own facts, not guessed.

use super::{Chart, LagHistory, before};
use crate::sim::coordinator::GroupState;
use crate::sim::{ConsumerId, GroupId, PartitionId, RecordId, Simulation, SinkId, StepNo, Time};

/// A lag of fewer records has no shape.
const LEAST: u32 = 3;
/// So many peaks make a line that goes up and down.
const LEAST_PEAKS: usize = 3;
/// So many rebalances go along with it if they are its cause.
const LEAST_REBALANCES: usize = 3;
/// So many failures of one record make it one that fails always.
const LEAST_FAILURES: usize = 2;

/// What a lag over time looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LagShape {
    /// Nothing has been written.
    Empty,
    /// Nothing to speak of.
    KeepsUp,
    /// It rises, suddenly and without end, in some partitions: nothing is done there any more.
    Stands(Stands),
    /// It rises in one partition, which gets more than its share.
    OnePartition {
        /// Which.
        partition: PartitionId,
        /// Its part of the lag, in percent.
        percent: u32,
        /// Its part of what was written meanwhile, in percent.
        written: u32,
    },
    /// It goes up and down, as the group is rebalancing again and again.
    Rebalancing {
        /// How often.
        rebalances: usize,
    },
    /// It goes up and down with the commits: what is done and not committed counts, too.
    Commits {
        /// How many peaks.
        peaks: usize,
    },
    /// It rises slowly everywhere: more is written than is done.
    Rises,
    /// It falls: what had piled up is done.
    Falls {
        /// The most that it was.
        from: u32,
        /// What it is.
        to: u32,
    },
}

/// Partitions that stand still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stands {
    /// Which.
    pub partitions: Vec<PartitionId>,
    /// Since when nothing has been committed there.
    pub since: Time,
    /// Why.
    pub because: Because,
}

/// Why a partition stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// The group is rebalancing.
    Rebalancing,
    /// No living member works on it.
    Nobody,
    /// The process of its owner stands still.
    Frozen(ConsumerId),
    /// The table that its owner writes to is down.
    SinkDown(SinkId),
    /// The handling of a record fails again and again.
    Failing(RecordId),
}

/// What the lag of a group looks like over a chart's time.
pub fn shape(history: &LagHistory, run: &Simulation, group: GroupId, chart: &Chart) -> LagShape {
    let end = chart.total.last().copied().unwrap_or_default().records;
    let peak = chart.peak().map_or(0, |(.., peak)| peak);
    if run.partitions_of_group(group).all(|partition| run.partition(partition).end == 0) {
        return LagShape::Empty;
    }
    if let Some(stands) = stands(history, run, group, chart) {
        return LagShape::Stands(stands);
    }
    let peaks = peaks(chart, peak);
    if peak >= LEAST && chart.rebalances.len() >= LEAST_REBALANCES && peaks >= 2 {
        return LagShape::Rebalancing { rebalances: chart.rebalances.len() };
    }
    let [first, middle, last] = thirds(chart);
    let rises = end >= LEAST && first < middle && middle < last && end * 3 >= peak * 2;
    match () {
        () if end >= LEAST && rises => one_partition(history, chart, run, group).unwrap_or(LagShape::Rises),
        () if peak >= LEAST && peaks >= LEAST_PEAKS => LagShape::Commits { peaks },
        () if end >= LEAST && middle > last && end * 3 <= peak * 2 => LagShape::Falls { from: peak, to: end },
        () => LagShape::KeepsUp,
    }
}

/// The sum of the samples of each third of the time.
fn thirds(chart: &Chart) -> [u64; 3] {
    let third = chart.total.len() / 3;
    [0, 1, 2].map(|nth| chart.total.iter().skip(nth * third).take(third).map(|behind| u64::from(behind.records)).sum())
}

/// How often the lag of all partitions has risen and fallen again, by at least a third of its peak.
fn peaks(chart: &Chart, peak: u32) -> usize {
    let step = (peak / 3).max(2);
    let (mut low, mut high, mut rising, mut peaks) = (u32::MAX, 0, true, 0);
    for records in chart.total.iter().map(|behind| behind.records) {
        (low, high) = (low.min(records), high.max(records));
        if rising && high >= step && records + step <= high {
            (peaks, rising, low) = (peaks + 1, false, records);
        } else if !rising && records >= low + step {
            (rising, high) = (true, records);
        }
    }
    peaks
}

/// The partition that has nearly all of the lag, and goes on.
fn one_partition(history: &LagHistory, chart: &Chart, run: &Simulation, group: GroupId) -> Option<LagShape> {
    run.partitions_of_group(group).nth(1)?;
    let total = chart.total.last()?.records.max(1);
    let most = chart
        .series
        .iter()
        .filter(|series| series.partition.is_some())
        .max_by_key(|series| series.behind.last().map(|behind| behind.records))?;
    let (partition, records) = (most.partition?, most.behind.last()?.records);
    let percent = records * 100 / total;
    let [begin, end] = [chart.samples.first()?.1, chart.samples.last()?.1];
    let written = history.end(partition, end) - history.end(partition, begin);
    (percent >= 80).then_some(LagShape::OnePartition {
        partition,
        percent,
        written: written * 100 / chart.appended.max(1),
    })
}

/// Partitions with records behind what is committed in which nothing is done at this moment, with the commonest reason.
fn stands(history: &LagHistory, run: &Simulation, group: GroupId, chart: &Chart) -> Option<Stands> {
    let now = chart.samples.last()?;
    let mut found: Vec<(PartitionId, Time, Because)> = Vec::new();
    for partition in run.partitions_of_group(group) {
        let behind = history.behind(run, group, partition, *now).unwrap_or_default();
        if behind.records < LEAST {
            continue;
        }
        if let Some(because) = because(history, run, group, partition, now.1) {
            found.push((partition, since(history, run, group, partition, now.1), because));
        }
    }
    let &(_, since, because) = found.first()?;
    let partitions = found.iter().filter(|(.., of)| *of == because).map(|(partition, ..)| *partition).collect();
    Some(Stands { partitions, since, because })
}

/// Since when nothing has been committed in a partition, or since it has had records.
fn since(history: &LagHistory, run: &Simulation, group: GroupId, partition: PartitionId, end: StepNo) -> Time {
    let of_group = history.groups.get(group.index());
    let commits = of_group.and_then(|group| group.committed.get(partition.index()));
    let last = commits.and_then(|commits| before(commits, end, |commit| commit.0).last()).map(|&(step, _)| step);
    let first = || history.appended.get(partition.index())?.first().copied();
    last.or_else(first).and_then(|step| run.step_at(step)).map_or(Time::ZERO, |step| step.at)
}

fn because(
    history: &LagHistory,
    run: &Simulation,
    group: GroupId,
    partition: PartitionId,
    end: StepNo,
) -> Option<Because> {
    let Some(owner) = run.ledger(group).partitions[partition.index()].workers().next() else {
        let is_settled = matches!(run.group(group).state, GroupState::Empty | GroupState::Stable);
        return Some(if is_settled { Because::Nobody } else { Because::Rebalancing });
    };
    let consumer = run.consumer(owner.consumer);
    let client = consumer.client()?;
    if client.freeze.is_some() {
        return Some(Because::Frozen(consumer.id));
    }
    if let Some(sink) = consumer.config().handling.writes_to.filter(|&sink| run.sink(sink).down.is_some()) {
        return Some(Because::SinkDown(sink));
    }
    let failures = history.groups.get(group.index())?.failed.get(partition.index())?;
    let failures = before(failures, end, |failure| failure.0);
    let &(_, record) = failures.last()?;
    let again = failures.iter().rev().take_while(|(_, of)| *of == record).count();
    let is_undone = run.ledger(group).delivery(record).times == 0;
    let committed = history.committed(run, group, partition, end).unwrap_or(0);
    let blocks = run.offset_of(record).is_some_and(|offset| offset >= committed);
    (again >= LEAST_FAILURES && is_undone && blocks).then_some(Because::Failing(record))
}
