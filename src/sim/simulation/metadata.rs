//! How clients come to know partitions that are added while they run.

use super::Simulation;
use crate::sim::effect::Context;
use crate::sim::ids::*;
use crate::sim::queue::Due;

impl Simulation {
    /// Partitions have been added: each running consumer that they concern learns of them when it next asks, at most
    /// `metadata.max.age.ms` from now. Where nothing is added nobody asks, as that would bring nothing new.
    pub(super) fn schedule_metadata_refreshes(&mut self) {
        let Simulation { setup, state, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics };
        for consumer in &state.consumers {
            if let Some(at) = consumer.client().and_then(|client| client.asks_again_at(ctx)) {
                state.queue.push(at, Due::MetadataRefresh(consumer.id, consumer.incarnation));
            }
        }
    }
}
