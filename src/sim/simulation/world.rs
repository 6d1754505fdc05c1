//! The world before its first step.

use super::script::Script;
use super::{Logs, Simulation, State};
use crate::sim::broker::Broker;
use crate::sim::consumer::Consumer;
use crate::sim::coordinator::Group;
use crate::sim::effect::Out;
use crate::sim::ids::*;
use crate::sim::ledger::GroupLedger;
use crate::sim::log::{Log, Paged};
use crate::sim::network::Network;
use crate::sim::producer::Producer;
use crate::sim::queue::{Due, Queue};
use crate::sim::setup::Setup;
use crate::sim::sink::Sink;
use crate::sim::time::{Span, Time};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
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
        let mut queue = first_due(&setup);
        let (script, timed) = Script::new(&setup, &mut queue);
        let state = state(&setup, (rng, consumers, queue, script));
        let logs = logs(&setup);
        let mut run = Simulation { setup, state, logs, out: Out::default(), timed, skips_heartbeats: true };
        run.schedule_next_timed();
        run
    }
}

fn consumers(setup: &Setup, rng: &mut Xoshiro256PlusPlus) -> Vec<Consumer> {
    setup
        .consumers
        .iter()
        .enumerate()
        .map(|(index, consumer)| {
            let phase = Span::from_micros(u64::from(rng.random_range(0..=MAX_HEARTBEAT_PHASE)));
            Consumer::new(ConsumerId::at(index), consumer.group, phase)
        })
        .collect()
}

/// What is due whatever happens: the processes start, the producers send their first records.
fn first_due(setup: &Setup) -> Queue {
    let mut queue = Queue::default();
    for (index, consumer) in setup.consumers.iter().enumerate() {
        queue.push(consumer.starts_at, Due::StartConsumer(ConsumerId::at(index)));
    }
    for (index, producer) in setup.producers.iter().enumerate() {
        if let Some(at) = Producer::send_time(&producer.source, 0) {
            queue.push(at, Due::Send(ProducerId::at(index)));
        }
    }
    queue
}

/// How many partitions a producer writes to.
fn partitions_of(setup: &Setup, producer: usize) -> usize {
    usize::from(setup.topics[setup.producers[producer].topic.index()].partitions)
}

fn logs(setup: &Setup) -> Logs {
    let producers = 0..setup.producers.len();
    Logs {
        partitions: vec![Log::default(); setup.partition_count()],
        queues: producers.map(|producer| vec![Log::default(); partitions_of(setup, producer)]).collect(),
        rows: vec![Log::default(); setup.sinks.len()],
        ..Logs::default()
    }
}

fn state(setup: &Setup, (rng, consumers, queue, script): (Xoshiro256PlusPlus, Vec<Consumer>, Queue, Script)) -> State {
    let partition_count = setup.partition_count();
    let topic_partitions: Vec<(TopicId, u16)> = (0..setup.topics.len())
        .flat_map(|topic| (0..setup.topics[topic].partitions).map(move |number| (TopicId::at(topic), number)))
        .collect();
    State {
        now: Time::ZERO,
        steps: 0,
        visible: 0,
        records: 0,
        facts: 0,
        assignments: 0,
        ended: false,
        not_quiet_before: Time::ZERO,
        rng,
        queue,
        network: Network::default(),
        producers: (0..setup.producers.len())
            .map(|producer| Producer::new(ProducerId::at(producer), partitions_of(setup, producer)))
            .collect(),
        broker: Broker::new(topic_partitions, setup.consumers.len()),
        groups: (0..setup.groups.len()).map(|group| Group::new(GroupId::at(group), partition_count)).collect(),
        consumers,
        sinks: vec![Sink::default(); setup.sinks.len()],
        ledgers: vec![GroupLedger::new(setup.topics.len(), partition_count); setup.groups.len()],
        script,
        last_fact: Paged::default(),
        offset_of: Paged::default(),
        sent_of_key: Paged::default(),
    }
}
