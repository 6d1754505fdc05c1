//! What a run has come to for a group, as numbers.

use crate::explain::verdict::busy;
use crate::sim::{ConsumerId, Event, GroupId, PartitionId, Simulation, Span, StepNo, Time};

/// What a run has come to for a group up to a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The moment.
    pub at: Time,
    /// True at the end of the run.
    pub has_ended: bool,
    /// Records processed at least once.
    pub processed: u32,
    /// Records that can still be processed and have not been.
    pub pending: u32,
    /// Records that are lost.
    pub lost: u32,
    /// Processings beyond the first of each record.
    pub repeated: u32,
    /// The records concerned.
    pub repeated_records: u32,
    /// Records first processed after a later one of their key.
    pub out_of_order: u32,
    /// Rows of the tables that the group writes to.
    pub rows: u32,
    /// What no commit covers, where something is committed.
    pub lag: Option<u32>,
    /// Living members that own a partition.
    pub busy: u32,
    /// Living members.
    pub members: u32,
    /// Partitions.
    pub partitions: u32,
    /// How long the whole group has stood still.
    pub stopped: Span,
    /// How long partitions have had nobody at work, over all of them.
    pub unowned: Span,
    /// Rebalances after the first generation.
    pub rebalances: u32,
    /// When the last record was processed for the first time, if none is left.
    pub done_at: Option<Time>,
    /// Partitions that members gave up in a rebalance and got back at its end.
    pub returned: u32,
    /// For each key the partition of its last record, if it has one.
    keys: Vec<Option<u16>>,
}

impl Outcome {
    /// What a run has come to at its present moment, as far as its account holds it ready.
    pub fn now(run: &Simulation, group: GroupId) -> Self {
        let ledger = run.ledger(group);
        let partitions: Vec<PartitionId> = run.partitions_of_group(group).collect();
        let lags = partitions.iter().filter_map(|&partition| run.lag(group, partition).records);
        let waited = partitions.iter().map(|partition| ledger.partitions[partition.index()].unowned(run.now()));
        Outcome {
            at: run.now(),
            has_ended: run.has_ended(),
            processed: ledger.processed,
            pending: run.pending(group),
            lost: run.lost(group).total(),
            repeated: ledger.duplicates(),
            repeated_records: ledger.records_duplicated,
            out_of_order: ledger.out_of_order,
            rows: run.sinks_of(group).into_iter().map(|sink| run.sink(sink).rows).sum(),
            lag: lags.reduce(|sum, lag| sum + lag),
            busy: busy(run, group).len() as u32,
            members: run.consumers_of(group).filter(|consumer| consumer.client().is_some()).count() as u32,
            partitions: partitions.len() as u32,
            stopped: ledger.stopped(run.now()),
            unowned: Span::from_micros(waited.map(Span::as_micros).sum()),
            rebalances: ledger.rebalances,
            done_at: None,
            returned: 0,
            keys: Vec::new(),
        }
    }

    /// The same with what only the steps tell: all of them are read.
    pub fn whole(run: &Simulation, group: GroupId) -> Self {
        let mut outcome = Outcome::now(run, group);
        let mut done_at = None;
        // What each member has given up and not got back; in all few, as members are.
        let mut given_up: Vec<(ConsumerId, PartitionId)> = Vec::new();
        for number in (0..run.steps()).map(StepNo) {
            let Some(step) = run.step_at(number) else { break };
            let is_of_group = |consumer: ConsumerId| run.consumer(consumer).group == group;
            match step.event {
                Event::RecordProcessed { consumer, times: 1, .. } if is_of_group(consumer) => done_at = Some(step.at),
                Event::PartitionsRevoked { consumer, .. }
                | Event::SomePartitionsRevoked { consumer, .. }
                | Event::ReconciliationRevoked { consumer, .. }
                    if is_of_group(consumer) =>
                {
                    given_up.retain(|&(by, _)| by != consumer);
                    given_up.extend(run.partitions_at(number).iter().map(|&partition| (consumer, partition)));
                }
                Event::PartitionsAssigned { consumer, .. }
                | Event::MorePartitionsAssigned { consumer, .. }
                | Event::ReconciliationAssigned { consumer, .. } => {
                    let got = run.partitions_at(number);
                    let is_back =
                        |&&(by, partition): &&(ConsumerId, PartitionId)| by == consumer && got.contains(&partition);
                    outcome.returned += given_up.iter().filter(is_back).count() as u32;
                    given_up.retain(|&(by, partition)| by != consumer && !got.contains(&partition));
                }
                _ => {}
            }
        }
        outcome.done_at = done_at.filter(|_| outcome.pending == 0);
        outcome.keys = places_of_keys(run, group);
        outcome
    }

    /// How many keys are in another partition than in another run, of how many that both have.
    pub fn moved_keys(&self, other: &Outcome) -> (u32, u32) {
        let both: Vec<(u16, u16)> = self.keys.iter().zip(&other.keys).filter_map(|(&a, &b)| a.zip(b)).collect();
        (both.iter().filter(|(a, b)| a != b).count() as u32, both.len() as u32)
    }
}

fn places_of_keys(run: &Simulation, group: GroupId) -> Vec<Option<u16>> {
    let topics = run.topics_of(group);
    let mut places = vec![None; run.setup().keys.len()];
    for record in (0..run.records()).map(|number| run.record(crate::sim::RecordId(number))) {
        let place = run.place(record.partition);
        if let Some(key) = record.key
            && topics.contains(&place.topic)
            && let Some(known) = places.get_mut(key.index())
        {
            *known = Some(place.number);
        }
    }
    places
}
