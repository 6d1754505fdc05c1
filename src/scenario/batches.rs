//! The batches of producers, from the steps of a run.

use crate::sim::{Event, PartitionId, ProducerId, Role, Simulation, StepNo};
use std::collections::BTreeMap;

/// How many records each appended batch holds, for each producer; in no particular order.
pub(super) fn batch_records(run: &Simulation) -> Vec<Vec<u32>> {
    let mut batches: BTreeMap<(ProducerId, StepNo, PartitionId), u32> = BTreeMap::new();
    for step in (0..run.steps()).filter_map(|number| run.step_at(StepNo(number))) {
        // A batch is what one request holds for one partition.
        if let Event::RecordAppended { record, partition, .. } = step.event
            && let Some(request) = step.causes.with_role(Role::WaitedFor)
        {
            *batches.entry((run.record(record).producer, request, partition)).or_default() += 1;
        }
    }
    let mut of_producers = vec![Vec::new(); run.setup().producers.len()];
    for ((producer, ..), records) in batches {
        of_producers[producer.index()].push(records);
    }
    of_producers
}
