//! Moments and branches of a run, for the time machine.

use super::{Logs, Simulation, State};
use crate::sim::effect::Out;

impl Simulation {
    /// The present moment, to come back to.
    pub fn mark(&self) -> State {
        self.state.clone()
    }

    /// Goes to a moment of this run. It must have been marked on this branch, or on a branch that this one came from
    /// before they parted.
    pub fn restore(&mut self, state: &State) {
        self.state = state.clone();
    }

    /// A run of its own that has the present moment as its last: the future of this one is not part of it.
    pub fn fork(&self) -> Self {
        let state = &self.state;
        let logs = Logs {
            steps: self.logs.steps.fork(state.steps),
            visible: self.logs.visible.fork(state.visible),
            records: self.logs.records.fork(state.records),
            facts: self.logs.facts.fork(state.facts),
            assignments: self.logs.assignments.fork(state.assignments),
            consumers: self.logs.consumers.fork(state.consumers.len() as u32),
            targets: self.logs.targets.fork(state.targets),
            concerns: self.logs.concerns.fork(state.concerns),
            losses: self.logs.losses.fork(state.losses),
            places: self.logs.places.fork(state.topics.partition_count() as u32),
            partitions: self
                .logs
                .partitions
                .iter()
                .zip(&state.brokers.partitions)
                .map(|(log, partition)| log.fork(partition.end))
                .collect(),
            queues: self
                .logs
                .queues
                .iter()
                .zip(&state.producers)
                .map(|(queues, producer)| {
                    queues.iter().enumerate().map(|(number, queue)| queue.fork(producer.queued(number))).collect()
                })
                .collect(),
            rows: self.logs.rows.iter().zip(&state.sinks).map(|(log, sink)| log.fork(sink.rows)).collect(),
        };
        Simulation {
            setup: self.setup.clone(),
            state: state.clone(),
            logs,
            out: Out::default(),
            timed: self.timed.clone(),
            skips_heartbeats: self.skips_heartbeats,
        }
    }
}
