//! The world before its first step.

use super::script::Script;
use super::{Logs, Simulation, State};
use crate::sim::broker::Brokers;
use crate::sim::consumer::Consumer;
use crate::sim::coordinator::{self, Group};
use crate::sim::effect::{Context, Out};
use crate::sim::ids::*;
use crate::sim::ledger::GroupLedger;
use crate::sim::log::{Log, Paged};
use crate::sim::network::Network;
use crate::sim::producer::Producer;
use crate::sim::queue::{Due, Queue};
use crate::sim::setup::{GroupSetup, Setup};
use crate::sim::sink::Sink;
use crate::sim::time::{Span, Time};
use crate::sim::topics::Topics;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use std::collections::VecDeque;
use std::rc::Rc;

/// The longest time by which a client's heartbeat thread wakes up after its interval, in microseconds. Ours: recorded
/// clients differ by tens of milliseconds.
const MAX_HEARTBEAT_PHASE: u32 = 50_000;

impl Simulation {
    /// A run that has not begun.
    pub fn new(setup: impl Into<Rc<Setup>>) -> Self {
        let setup = setup.into();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(setup.seed);
        let consumers = consumers(&setup, &mut rng);
        let mut producers = producers(&setup, &mut rng);
        let mut queue = first_due(&setup, &mut producers);
        let (script, timed) = Script::new(&setup, &mut queue);
        let state = state(&setup, (rng, consumers, producers, queue, script));
        let logs = logs(&setup, &state);
        let mut run = Simulation { setup, state, logs, out: Out::default(), timed, skips_heartbeats: true };
        run.schedule_next_timed();
        run.begin_with_commits();
        run
    }

    /// What the groups have committed before the run.
    fn begin_with_commits(&mut self) {
        let Simulation { setup, state, out, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(0), setup, topics: &state.topics, sinks: &state.sinks };
        for (index, group) in setup.groups.iter().enumerate() {
            for &(place, offset) in &group.committed {
                if let Some(partition) = ctx.topics.find(place) {
                    state.groups[index].begin_with(ctx, (partition, offset), out);
                    state.ledgers[index].note_committed_before(partition, offset);
                }
            }
        }
        self.carry_out();
    }
}

/// How long after its interval the heartbeat thread of a client wakes up.
pub(super) fn heartbeat_phase(rng: &mut Xoshiro256PlusPlus) -> Span {
    Span::from_micros(u64::from(rng.random_range(0..=MAX_HEARTBEAT_PHASE)))
}

fn consumers(setup: &Setup, rng: &mut Xoshiro256PlusPlus) -> Vec<Consumer> {
    setup
        .consumers
        .iter()
        .enumerate()
        .map(|(index, consumer)| Consumer::new(ConsumerId::at(index), consumer, heartbeat_phase(rng)))
        .collect()
}

/// What is due whatever happens: the processes start, the producers send their first records.
fn first_due(setup: &Setup, producers: &mut [Producer]) -> Queue {
    let mut queue = Queue::default();
    for (index, consumer) in
        setup.consumers.iter().enumerate().filter(|(_, consumer)| consumer.starts_at != Time::NEVER)
    {
        queue.push(consumer.starts_at, Due::StartConsumer(ConsumerId::at(index)));
    }
    for (producer, setup) in producers.iter_mut().zip(&setup.producers) {
        if let Some((at, due)) = producer.schedule(&setup.source) {
            queue.push(at, due);
        }
    }
    queue
}

fn producers(setup: &Setup, rng: &mut Xoshiro256PlusPlus) -> Vec<Producer> {
    let producers = setup.producers.iter().enumerate();
    producers.map(|(index, setup)| Producer::new(ProducerId::at(index), setup, rng)).collect()
}

fn groups(setup: &Setup, partitions: usize) -> Vec<Group> {
    let group = |(index, group): (usize, &GroupSetup)| {
        let coordinator = coordinator::broker_of(&group.name, setup.brokers.len());
        let id = GroupId::at(index);
        match setup.is_modern(id) {
            true => Group::new_modern(id, coordinator, partitions, &setup.cluster),
            false => Group::new(id, coordinator, partitions, &setup.cluster),
        }
    };
    setup.groups.iter().enumerate().map(group).collect()
}

fn logs(setup: &Setup, state: &State) -> Logs {
    let topics = &state.topics;
    let mut places = Log::default();
    for index in 0..topics.partition_count() {
        places.write(&mut (index as u32), topics.place(PartitionId::at(index)));
    }
    let mut consumers = Log::default();
    for (index, consumer) in state.consumers.iter().enumerate() {
        consumers.write(&mut (index as u32), consumer.clone());
    }
    Logs {
        consumers,
        places,
        partitions: vec![Log::default(); topics.partition_count()],
        queues: vec![Vec::new(); setup.producers.len()],
        rows: vec![Log::default(); setup.sinks.len()],
        ..Logs::default()
    }
}

type Parts = (Xoshiro256PlusPlus, Vec<Consumer>, Vec<Producer>, Queue, Script);

fn state(setup: &Setup, (rng, consumers, producers, queue, script): Parts) -> State {
    let topics = Topics::new(setup);
    let partition_count = topics.partition_count();
    State {
        now: Time::ZERO,
        steps: 0,
        visible: 0,
        records: 0,
        facts: 0,
        assignments: 0,
        targets: 0,
        concerns: 0,
        losses: 0,
        ended: false,
        not_quiet_before: Time::ZERO,
        rng,
        queue,
        network: Network::default(),
        producers,
        latencies: setup.brokers.iter().map(|broker| broker.latency).collect(),
        frozen: 0,
        resets: VecDeque::new(),
        topics,
        brokers: Brokers::new(setup.brokers.len(), partition_count),
        groups: groups(setup, partition_count),
        consumers,
        sinks: setup.sinks.iter().map(Sink::new).collect(),
        ledgers: vec![GroupLedger::new(setup.topics.len(), partition_count); setup.groups.len()],
        script,
        last_fact: Paged::default(),
        offset_of: Paged::default(),
        sent_of_key: Paged::default(),
    }
}
