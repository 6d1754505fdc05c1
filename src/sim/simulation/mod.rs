//! The run: takes the next thing that is due, lets the component that it concerns handle it, carries out what that
//! asks for, and returns the step.
//!
//! # The one contract
//!
//! 1. [`Simulation::new`] with a [`Setup`] whose references have been checked (the scenario does that).
//! 2. [`Simulation::step`] until it says that the run has ended; between any two steps, [`Simulation::apply`].
//! 3. Nothing else changes the world.

mod actions;
mod deliver;
mod effects;
mod idle;
mod messages;
mod metadata;
mod partitions;
mod records;
mod script;
mod travel;
mod view;
mod world;

use super::broker::{Brokers, ProducerQueues};
use super::consumer::{Consumer, RecordLookup};
use super::coordinator::Group;
use super::effect::Out;
use super::event::Event;
use super::ids::*;
use super::ledger::GroupLedger;
use super::log::{Log, Paged};
use super::network::{Assignment, Dealt, Network};
use super::partitioner::Choice;
use super::producer::Producer;
use super::queue::Queue;
use super::setup::{Setup, TopicPartition, bounds};
use super::sink::{Row, Sink};
use super::step::{Causes, Step};
use super::time::{Span, Time};
use super::topics::Topics;
use rand::rngs::Xoshiro256PlusPlus;
use script::Script;
use std::collections::VecDeque;
use std::rc::Rc;

/// What is written once and never changes, for all moments of a branch; see [`Log`].
#[derive(Clone, Debug, Default)]
struct Logs {
    steps: Log<Step>,
    visible: Log<StepNo>,
    records: Log<Record>,
    facts: Log<Fact>,
    /// All consumers as they were before they were started.
    consumers: Log<Consumer>,
    /// The place of each partition in its topic.
    places: Log<TopicPartition>,
    /// The log of each partition.
    partitions: Vec<Log<RecordId>>,
    /// Who got what, with the step that computed it.
    assignments: Log<(StepNo, Dealt)>,
    /// The target assignments of groups of the consumer protocol, each with the step that computed it.
    targets: Log<(StepNo, Assignment)>,
    /// The partitions that a step is about, where it is about several.
    concerns: Log<(StepNo, Rc<[PartitionId]>)>,
    /// How many records were lost in a step that lost some.
    losses: Log<(StepNo, u32)>,
    /// The queue of each producer for each partition of its topic, as far as it has written there.
    queues: Vec<Vec<Log<RecordId>>>,
    rows: Vec<Log<Row>>,
}

/// A record, as it was handed to `send()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Who sent it.
    pub producer: ProducerId,
    /// Its key, if it has one.
    pub key: Option<KeyId>,
    /// Its value.
    pub value: ValueId,
    /// The partition that it goes to.
    pub partition: PartitionId,
    /// How many partitions of the topic the producer knew of then.
    pub known_partitions: u16,
    /// Which record of its key it is, or of those without a key, from 1.
    pub number_of_key: u32,
    /// When it was sent.
    pub at: Time,
    /// In which step.
    pub sent: StepNo,
    /// How its partition was chosen.
    pub choice: Choice,
}

/// One thing that happened to a record; the step tells what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fact {
    step: StepNo,
    /// The fact before it about the same record, plus one.
    previous: u32,
}

/// Everything that changes: one moment of the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    now: Time,
    steps: u32,
    visible: u32,
    records: u32,
    facts: u32,
    assignments: u32,
    targets: u32,
    concerns: u32,
    losses: u32,
    ended: bool,
    /// No heartbeats are skipped before; see [`idle`].
    not_quiet_before: Time,
    rng: Xoshiro256PlusPlus,
    queue: Queue,
    network: Network,
    producers: Vec<Producer>,
    topics: Topics,
    /// The delay between clients and each broker.
    latencies: Vec<Span>,
    /// How many processes stand still.
    frozen: u16,
    /// Offsets that a tool is setting.
    resets: VecDeque<(GroupId, PartitionId, Offset)>,
    brokers: Brokers,
    groups: Vec<Group>,
    consumers: Vec<Consumer>,
    sinks: Vec<Sink>,
    ledgers: Vec<GroupLedger>,
    script: Script,
    /// For each record its latest fact, plus one.
    last_fact: Paged<u32>,
    /// For each record its offset, plus one.
    offset_of: Paged<u32>,
    /// For each key how many records were sent; first those without one.
    sent_of_key: Paged<u32>,
}

/// How far a group is behind in a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lag {
    /// Log end offset minus committed offset, as Kafka's tool shows it: nothing (`-`) where nothing is committed.
    pub records: Option<u32>,
    /// The age of the first record that no commit covers.
    pub uncommitted: Option<Span>,
    /// Log end offset minus position, as the client's metric `records-lag` shows it: nothing where nobody reads.
    pub unread: Option<u32>,
    /// The age of the first record that `poll()` has not returned.
    pub unread_age: Option<Span>,
    /// The age of the oldest record that the group can still come to and has not processed.
    pub oldest: Option<Span>,
}

/// What [`Simulation::step`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It made a step.
    Step(Step),
    /// The run has ended before.
    Ended,
    /// The run has as many steps as a run may have ([`bounds::STEPS`]).
    StepLimit,
}

/// A run of a setup.
#[derive(Clone, Debug)]
pub struct Simulation {
    setup: Rc<Setup>,
    state: State,
    logs: Logs,
    out: Out,
    /// The timed actions of the script, in the order in which they are due.
    timed: Rc<[u32]>,
    skips_heartbeats: bool,
}

impl ProducerQueues for Logs {
    fn queued(&self, producer: ProducerId, number: u16, index: u32) -> RecordId {
        let queue = &self.queues[producer.index()][usize::from(number)];
        *queue.get(index).expect("a batch holds queued records")
    }

    fn sent_by(&self, record: RecordId) -> StepNo {
        self.records.get(record.0).expect("a queued record exists").sent
    }
}

impl RecordLookup for Logs {
    fn record_at(&self, partition: PartitionId, offset: Offset) -> RecordId {
        *self.partitions[partition.index()].get(offset).expect("a polled offset exists")
    }

    fn key_of(&self, record: RecordId) -> Option<KeyId> {
        self.records.get(record.0).expect("a polled record exists").key
    }
}

impl Simulation {
    /// The same run with each heartbeat as a step of its own, however long nothing else happens. Its visible steps are
    /// the same; it is for tests of just that.
    #[must_use]
    pub fn with_every_heartbeat(mut self) -> Self {
        self.skips_heartbeats = false;
        self
    }

    /// Takes the next thing that is due and makes the step that it brings.
    pub fn step(&mut self) -> Progress {
        if self.state.steps >= bounds::STEPS {
            return Progress::StepLimit;
        }
        loop {
            if let Some((index, because)) = self.state.script.ready.pop_front() {
                self.run_script(index, Causes::triggered_by(because));
            } else if self.state.ended {
                return Progress::Ended;
            } else if self.state.queue.peek().is_none_or(|next| next.at > self.setup.ends_at) {
                self.state.now = self.setup.ends_at;
                if !self.refuse_next_in_wait() {
                    self.state.ended = true;
                    self.out.event(Event::RunEnded {}, Causes::NONE);
                }
            } else if let Some(quiet) = self.quiet_while() {
                self.skip_heartbeats(quiet);
            } else if let Some(next) = self.state.queue.pop() {
                self.state.now = next.at;
                self.dispatch(next);
            }
            if let Some(step) = self.carry_out() {
                return Progress::Step(step);
            }
        }
    }
}
