//! What recordings of a crash say of a run, made from a run of ours. Each test file uses a part of it.
#![allow(dead_code, reason = "every test file compiles its own copy and uses a part")]

use logstep::scenario::Outcome;
use logstep::sim::{ConsumerId, Event, Simulation, StepNo};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What happened in each step.
pub fn events(run: &Simulation) -> impl Iterator<Item = (StepNo, Event)> + '_ {
    (0..run.steps()).map(StepNo).filter_map(|step| Some((step, run.step_at(step)?.event)))
}

/// What a recording calls a run in which a consumer crashes while 30 records of one partition are read.
pub fn summary(run: &Simulation) -> Value {
    let outcome = Outcome::of(run);
    let group = outcome.groups.get("g").expect("the group");
    let crash = events(run).find(|(_, event)| matches!(event, Event::ConsumerCrashed { .. })).expect("a crash").0;
    let committed = events(run).take_while(|&(step, _)| step < crash).filter_map(|(_, event)| match event {
        Event::OffsetCommitted { offset, .. } => Some(offset),
        _ => None,
    });
    let done: BTreeSet<u32> = events(run)
        .filter_map(|(_, event)| match event {
            Event::RecordProcessed { offset, .. } => Some(offset),
            _ => None,
        })
        .collect();
    json!({
        "a_processed": [0, run.consumer(ConsumerId(0)).processed - 1],
        "committed_after_crash": committed.last(),
        "processed_twice": group.partitions.get("t-0").expect("the partition").processed_twice,
        "lost_never_processed": (0..30).filter(|offset| !done.contains(offset)).collect::<Vec<u32>>(),
    })
}
