//! The run: takes the next thing that is due, lets the component that it concerns handle it, carries out what that
//! asks for, and returns the step.
//!
//! # The one contract
//!
//! 1. [`Simulation::new`] with a [`Setup`] whose references have been checked (the scenario does that).
//! 2. [`Simulation::step`] until it says that the run has ended; between any two steps, [`Simulation::apply`].
//! 3. Nothing else changes the world.

mod idle;
mod travel;
mod view;

use super::action::{Action, Refusal, When};
use super::broker::{Broker, ProducerQueues};
use super::consumer::{Consumer, Process, RecordLookup};
use super::coordinator::Group;
use super::effect::{Context, Effect, Out};
use super::event::{Event, PositionSource, RowOutcome};
use super::ids::*;
use super::ledger::{GroupLedger, Processing};
use super::log::{Log, Paged};
use super::network::{Assignment, InFlight, Message, Network, Node};
use super::producer::Producer;
use super::queue::{Due, Entry, MemberKey, Queue};
use super::setup::{Setup, bounds};
use super::sink::{Row, Sink, Write};
use super::step::{Causes, Role, Step};
use super::time::{Span, Time};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use std::collections::VecDeque;
use std::rc::Rc;

/// The longest time by which a client's heartbeat thread wakes up after its interval, in microseconds. Ours: recorded
/// clients differ by tens of milliseconds.
const MAX_HEARTBEAT_PHASE: u32 = 50_000;

/// What is written once and never changes, for all moments of a branch; see [`Log`].
#[derive(Clone, Debug, Default)]
struct Logs {
    steps: Log<Step>,
    visible: Log<StepNo>,
    records: Log<Record>,
    facts: Log<Fact>,
    /// The log of each partition.
    partitions: Vec<Log<RecordId>>,
    /// Who got what, with the step that computed it.
    assignments: Log<(StepNo, Assignment)>,
    /// The queue of each producer for each partition of its topic.
    queues: Vec<Vec<Log<RecordId>>>,
    rows: Vec<Log<Row>>,
}

/// A record, as it was handed to `send()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Who sent it.
    pub producer: ProducerId,
    /// Its key.
    pub key: KeyId,
    /// Its value.
    pub value: ValueId,
    /// The partition that it goes to.
    pub partition: PartitionId,
    /// Which record of its key it is, from 1.
    pub number_of_key: u32,
    /// When it was sent.
    pub at: Time,
    /// In which step.
    pub sent: StepNo,
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
    ended: bool,
    /// No heartbeats are skipped before; see [`idle`].
    not_quiet_before: Time,
    rng: Xoshiro256PlusPlus,
    queue: Queue,
    network: Network,
    producers: Vec<Producer>,
    broker: Broker,
    groups: Vec<Group>,
    consumers: Vec<Consumer>,
    sinks: Vec<Sink>,
    ledgers: Vec<GroupLedger>,
    script: Script,
    /// For each record its latest fact, plus one.
    last_fact: Paged<u32>,
    /// For each record its offset, plus one.
    offset_of: Paged<u32>,
    /// For each key how many records were sent.
    sent_of_key: Paged<u32>,
}

/// What of the script is still to come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Script {
    /// How many timed actions have been scheduled.
    timed_done: u32,
    /// The place of the first of them among what is due at one time.
    first_place: u64,
    /// Actions whose condition has not come true.
    open: Vec<u32>,
    /// Actions that are the very next steps, with the step that made their condition true.
    ready: VecDeque<(u32, StepNo)>,
    /// The same for those that wait a while.
    met: Vec<(u32, StepNo)>,
}

/// How far a group is behind in a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lag {
    /// Log end offset minus committed offset, as Kafka's tool shows it: nothing (`-`) where nothing is committed.
    pub records: Option<u32>,
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
}

impl Simulation {
    /// A run that has not begun.
    pub fn new(setup: impl Into<Rc<Setup>>) -> Self {
        let setup = setup.into();
        let partition_count = setup.partition_count();
        let topic_partitions: Vec<(TopicId, u16)> = (0..setup.topics.len())
            .flat_map(|topic| (0..setup.topics[topic].partitions).map(move |number| (TopicId::at(topic), number)))
            .collect();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(setup.seed);
        let consumers: Vec<Consumer> = setup
            .consumers
            .iter()
            .enumerate()
            .map(|(index, consumer)| {
                let phase = Span::from_micros(u64::from(rng.random_range(0..=MAX_HEARTBEAT_PHASE)));
                Consumer::new(ConsumerId::at(index), consumer.group, phase)
            })
            .collect();
        let mut queue = Queue::default();
        for (index, consumer) in setup.consumers.iter().enumerate() {
            queue.push(consumer.starts_at, Due::StartConsumer(ConsumerId::at(index)));
        }
        for (index, producer) in setup.producers.iter().enumerate() {
            if let Some(at) = Producer::send_time(&producer.source, 0) {
                queue.push(at, Due::Send(ProducerId::at(index)));
            }
        }
        let when = |index: u32| setup.actions[index as usize].when;
        let (mut timed, open): (Vec<u32>, Vec<u32>) =
            (0..setup.actions.len() as u32).partition(|&index| matches!(when(index), When::At(_)));
        timed.sort_by_key(|&index| if let When::At(at) = when(index) { at } else { Time::ZERO });
        let script = Script { first_place: queue.reserve(timed.len() as u64), open, ..Script::default() };
        let partitions_of =
            |producer: usize| usize::from(setup.topics[setup.producers[producer].topic.index()].partitions);
        let logs = Logs {
            partitions: vec![Log::default(); partition_count],
            queues: (0..setup.producers.len()).map(|producer| vec![Log::default(); partitions_of(producer)]).collect(),
            rows: vec![Log::default(); setup.sinks.len()],
            ..Logs::default()
        };
        let state = State {
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
                .map(|producer| Producer::new(ProducerId::at(producer), partitions_of(producer)))
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
        };
        let mut run =
            Simulation { setup, state, logs, out: Out::default(), timed: timed.into(), skips_heartbeats: true };
        run.schedule_next_timed();
        run
    }

    /// Only the next timed action of the script is in the queue, so that a moment is small however long the script is.
    fn schedule_next_timed(&mut self) {
        let script = &mut self.state.script;
        if let Some(&index) = self.timed.get(script.timed_done as usize)
            && let When::At(at) = self.setup.actions[index as usize].when
        {
            let place = script.first_place + u64::from(script.timed_done);
            script.timed_done += 1;
            self.state.queue.push_at_place(at, place, Due::Script(index));
        }
    }

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
                self.state.ended = true;
                self.out.event(Event::RunEnded {}, Causes::NONE);
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

    /// Does what a person does, as a step of its own at the present moment; or says why that is not possible, and
    /// changes nothing.
    pub fn apply(&mut self, action: Action) -> Result<Step, Refusal> {
        self.can_apply(action)?;
        self.act(action, Causes::NONE);
        Ok(self.carry_out().expect("a possible action is a step"))
    }

    /// Whether an action is possible here and now.
    pub fn can_apply(&self, action: Action) -> Result<(), Refusal> {
        if self.state.ended {
            return Err(Refusal::RunEnded);
        }
        if self.state.steps >= bounds::STEPS {
            return Err(Refusal::StepLimit);
        }
        let client = self.consumer(action.consumer()).client();
        match action {
            Action::Crash(_) if client.is_none() => Err(Refusal::NotRunning),
            Action::Close(_) => match client {
                None => Err(Refusal::NotRunning),
                Some(client) if client.closing.is_some() => Err(Refusal::AlreadyClosing),
                Some(_) => Ok(()),
            },
            Action::Start(_) if client.is_some() => Err(Refusal::AlreadyRunning),
            Action::Start(consumer) if self.consumer(consumer).incarnation == Incarnation::MAX => {
                Err(Refusal::StepLimit)
            }
            _ => Ok(()),
        }
    }

    fn act(&mut self, action: Action, causes: Causes) {
        let ctx = Context { now: self.state.now, step: StepNo(self.state.steps), setup: &self.setup };
        let consumer = &mut self.state.consumers[action.consumer().index()];
        match action {
            Action::Crash(_) => consumer.crash(ctx, causes, &mut self.out),
            Action::Close(_) => consumer.request_close(ctx, causes, &mut self.out),
            Action::Start(_) => consumer.start(ctx, causes, &mut self.out),
        }
    }

    fn run_script(&mut self, index: u32, causes: Causes) {
        let action = self.setup.actions[index as usize].action;
        if self.can_apply(action).is_ok() {
            self.act(action, causes);
        }
    }

    fn run_timed(&mut self, index: u32) {
        self.schedule_next_timed();
        self.run_script(index, Causes::NONE);
    }

    fn dispatch(&mut self, entry: Entry) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(state.steps), setup };
        match entry.due {
            Due::Deliver(slot) => {
                let message = state.network.take(slot);
                self.deliver(message);
            }
            Due::Send(producer) => self.send_record(producer),
            Due::Linger(producer, partition) => {
                let number = usize::from(state.broker.partitions[partition.index()].number);
                state.producers[producer.index()].handle_linger(partition, number, out);
            }
            Due::Append(partition) => {
                state.broker.append_next(ctx, logs, partition, out);
            }
            Due::AnswerFetch(consumer) => state.broker.answer_fetch(consumer, out),
            Due::FetchExpires(consumer, received) => state.broker.handle_fetch_expires(consumer, received, out),
            Due::StartConsumer(consumer) => {
                let consumer = &mut state.consumers[consumer.index()];
                if matches!(consumer.process, Process::NotStarted) {
                    consumer.start(ctx, Causes::NONE, out);
                }
            }
            Due::Application(consumer, incarnation) => {
                state.consumers[consumer.index()].go_on(ctx, incarnation, logs, out);
            }
            Due::HandlingDone(consumer, incarnation) => self.finish_handling(consumer, incarnation),
            Due::Heartbeat(consumer, incarnation, thread) => {
                let consumer = &mut state.consumers[consumer.index()];
                let interval = setup.groups[consumer.group.index()].settings.heartbeat_interval;
                if let Some(client) = consumer.client_mut(incarnation) {
                    client.handle_heartbeat_due(ctx, thread, interval, out);
                }
            }
            Due::PollCheck(consumer, incarnation) => {
                let consumer = &mut state.consumers[consumer.index()];
                let settings = &setup.groups[consumer.group.index()].settings;
                if let Some(client) = consumer.client_mut(incarnation)
                    && let Some(at) = client.handle_poll_check(ctx, settings, out)
                {
                    state.queue.put_off(entry, at);
                }
            }
            Due::PendingCheck(group, key) => state.groups[group.index()].handle_pending_check(ctx, key, out),
            Due::SessionCheck(group, key) => {
                let stopped = state.consumers[key.consumer.index()].end_of(key.incarnation);
                let again = state.groups[group.index()].handle_session_check(ctx, key, stopped, out);
                if let Some(at) = again {
                    state.queue.put_off(entry, at);
                }
            }
            Due::JoinPhase(group, round) => state.groups[group.index()].handle_join_phase(ctx, round, out),
            Due::BeginRebalance(group) => state.groups[group.index()].begin_rebalance(ctx, out),
            Due::CompleteJoin(group) => state.groups[group.index()].handle_all_joined(ctx, out),
            Due::StoreOffset(group) => state.groups[group.index()].store_offset(ctx, out),
            Due::SyncCheck(group, generation) => {
                state.groups[group.index()].handle_sync_check(ctx, generation, out);
            }
            Due::Script(index) => {
                if matches!(setup.actions[index as usize].when, When::At(_)) {
                    return self.run_timed(index);
                }
                let met = &mut state.script.met;
                let because = met.iter().position(|&(met, _)| met == index).map(|place| met.remove(place).1);
                self.run_script(index, Causes::NONE.and_maybe(Role::Triggered, because));
            }
        }
    }

    fn deliver(&mut self, sent: InFlight) {
        match sent.to {
            Node::Broker => self.deliver_to_broker(sent),
            Node::Producer(producer) => {
                if let Message::ProduceAnswer { partition, records, base_offset } = sent.message {
                    self.state.producers[producer.index()].handle_answer(
                        sent.sent_by,
                        partition,
                        records,
                        base_offset,
                        &mut self.out,
                    );
                }
            }
            Node::Consumer(key) => self.deliver_to_consumer(key, sent),
        }
    }

    fn deliver_to_broker(&mut self, sent: InFlight) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(state.steps), setup };
        let sent_by = sent.sent_by;
        let group_of = |key: MemberKey| setup.consumers[key.consumer.index()].group.index();
        let sender = match sent.from {
            Node::Consumer(key) => key,
            Node::Producer(_) | Node::Broker => MemberKey::default(),
        };
        match sent.message {
            Message::Produce { producer, partition, from, to } => {
                state.broker.handle_produce(ctx, logs, sent_by, producer, partition, (from, to), out);
            }
            Message::JoinGroup { member, has_member_id: false } => {
                let name = &setup.consumers[member.consumer.index()].name;
                let id = member_id(name, &mut state.rng);
                state.groups[group_of(member)].handle_first_join(ctx, sent_by, member, id, out);
            }
            Message::JoinGroup { member, has_member_id: true } => {
                state.groups[group_of(member)].handle_join(ctx, sent_by, member, out);
            }
            Message::SyncGroup { member, generation, assignment } => {
                state.groups[group_of(member)].handle_sync(ctx, sent_by, member, generation, assignment, out);
            }
            Message::Heartbeat { member, generation } => {
                state.groups[group_of(member)].handle_heartbeat(ctx, sent_by, member, generation, out);
            }
            Message::LeaveGroup { member } => state.groups[group_of(member)].handle_leave(ctx, sent_by, member, out),
            Message::OffsetFetch { partitions, .. } => {
                state.groups[group_of(sender)].handle_offset_fetch(sent_by, sender, &partitions, out);
            }
            Message::OffsetCommit { member, generation, offsets } => {
                state.groups[group_of(member)].handle_commit(ctx, sent_by, member, generation, offsets, out);
            }
            Message::ListOffsets { partitions, source, .. } => {
                state.broker.handle_list_offsets(sent_by, sender, &partitions, source, out);
            }
            Message::Fetch { positions, max_wait, .. } => {
                state.broker.handle_fetch(ctx, sent_by, sender, (positions, max_wait), out);
            }
            Message::ProduceAnswer { .. }
            | Message::JoinGroupAnswer { .. }
            | Message::SyncGroupAnswer { .. }
            | Message::HeartbeatAnswer { .. }
            | Message::OffsetFetchAnswer { .. }
            | Message::ListOffsetsAnswer { .. }
            | Message::FetchAnswer { .. }
            | Message::OffsetCommitAnswer { .. } => unreachable!("answers go to clients"),
        }
    }

    fn deliver_to_consumer(&mut self, key: MemberKey, sent: InFlight) {
        let Simulation { setup, state, out, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(state.steps), setup };
        let sent_by = sent.sent_by;
        let consumer = &mut state.consumers[key.consumer.index()];
        let (group, phase) = (consumer.group, consumer.phase);
        // A process that has ended hears nothing: what was on its way to it is gone.
        let Some(client) = consumer.client_mut(key.incarnation) else {
            return;
        };
        match sent.message {
            Message::JoinGroupAnswer { error, generation, members } => {
                client.handle_join_answer(ctx, sent_by, (error, generation, members), (group, phase), out);
            }
            Message::SyncGroupAnswer { error, partitions, decided } => {
                client.handle_sync_answer(ctx, sent_by, error, (partitions, decided), out);
            }
            Message::HeartbeatAnswer { error } => client.handle_heartbeat_answer(ctx, sent_by, error, out),
            Message::OffsetFetchAnswer { committed } => client.handle_committed(ctx, sent_by, &committed, out),
            Message::ListOffsetsAnswer { offsets, source } => {
                client.handle_offsets(ctx, sent_by, &offsets, source, out);
            }
            Message::FetchAnswer { request, ranges } => client.handle_fetched(ctx, sent_by, (request, &ranges), out),
            Message::OffsetCommitAnswer { error } => client.handle_commit_answer(ctx, sent_by, error, out),
            _ => unreachable!("requests go to the broker"),
        }
    }

    fn send_record(&mut self, producer: ProducerId) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(state.steps), setup };
        let producer_setup = &setup.producers[producer.index()];
        let client = &mut state.producers[producer.index()];
        let draft = client.next_record(&producer_setup.source, &mut state.rng);
        let topic = producer_setup.topic;
        let partitions = u32::from(setup.topics[topic.index()].partitions);
        let number = super::murmur2::partition_for_hash(setup.keys[draft.key.index()].hash, partitions) as usize;
        let partition = setup.partition(topic, number);
        let record = RecordId(state.records);
        let sent_of_key = state.sent_of_key.get_mut(draft.key.0);
        *sent_of_key += 1;
        logs.records.write(
            &mut state.records,
            Record {
                producer,
                key: draft.key,
                value: draft.value,
                partition,
                number_of_key: *sent_of_key,
                at: state.now,
                sent: ctx.step,
            },
        );
        let mut queued = client.queued(number);
        logs.queues[producer.index()][number].write(&mut queued, record);
        client.send(ctx, record, partition, number, out);
    }

    fn finish_handling(&mut self, consumer: ConsumerId, incarnation: Incarnation) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(state.steps), setup };
        let Some(done) = state.consumers[consumer.index()].finish_handling(ctx, incarnation) else {
            return;
        };
        let group = state.consumers[consumer.index()].group.index();
        let row = match setup.groups[group].handling.writes_to {
            None => RowOutcome::NoSink,
            Some(sink) => state.sinks[sink.index()].write(
                &setup.sinks[sink.index()],
                &mut logs.rows[sink.index()],
                Write { record: done.record, by: done.member, step: ctx.step },
            ),
        };
        let record = logs.records.get(done.record.0).expect("a handled record exists");
        let consumers = &state.consumers;
        let noted = state.ledgers[group].note_processed(
            Processing {
                record: done.record,
                key: record.key,
                topic: state.broker.partitions[done.partition.index()].topic,
                partition: done.partition,
                offset: done.offset,
                by: done.member,
                step: ctx.step,
            },
            |before| consumers[before.by.consumer.index()].end_with_partitions_of(before.by.incarnation, before.step),
        );
        let mut causes = Causes::triggered_by(done.handling);
        if let Some(before) = noted.before {
            causes = Causes::NONE
                .and(Role::Repeated, before.step)
                .and_maybe(Role::DecidedValue, done.started_at)
                .and_maybe(Role::Silenced, noted.stopped)
                .and(Role::Triggered, done.handling);
        }
        out.event(
            Event::RecordProcessed {
                consumer,
                record: done.record,
                partition: done.partition,
                offset: done.offset,
                times: noted.times,
                row,
                fault: noted.fault,
            },
            causes,
        );
        out.wake(ctx.now, Due::Application(consumer, incarnation));
    }

    /// The one place where effects change the world. Returns the step, if something happened.
    #[inline]
    fn carry_out(&mut self) -> Option<Step> {
        let Simulation { setup, state, logs, out, .. } = self;
        let step_no = StepNo(state.steps);
        for effect in out.effects.drain(..) {
            match effect {
                Effect::Send { from, to, message } => {
                    let due_at = state.now + setup.latency;
                    let sent = InFlight { from, to, sent_at: state.now, due_at, sent_by: step_no, message };
                    let slot = state.network.send(sent);
                    state.queue.push(due_at, Due::Deliver(slot));
                }
                Effect::Wake { at, due } => state.queue.push(at, due),
                Effect::Position { member, partition, offset } => {
                    let group = setup.consumers[member.consumer.index()].group.index();
                    let reset = matches!(
                        out.event,
                        Some((Event::PositionSet { source: PositionSource::Earliest | PositionSource::Latest, .. }, _))
                    );
                    state.ledgers[group].note_position(state.now, step_no, member, partition, offset, reset);
                }
                Effect::Released { member } => {
                    let group = setup.consumers[member.consumer.index()].group.index();
                    state.ledgers[group].note_released(state.now, member);
                }
                Effect::RebalanceBegins { group } => {
                    let generation = state.groups[group.index()].generation;
                    state.ledgers[group.index()].note_rebalance_begins(state.now, generation);
                }
                Effect::RebalanceEnds { group } => state.ledgers[group.index()].note_rebalance_ends(state.now),
            }
        }
        let (event, causes) = out.event.take()?;
        let step = Step { at: state.now, event, causes };
        logs.steps.write(&mut state.steps, step);
        if event.is_visible() {
            logs.visible.write(&mut state.visible, step_no);
        }
        self.note(step_no, &event);
        Some(step)
    }

    /// Keeps the accounts that follow from the event itself, and looks whether the script waits for it.
    #[inline]
    fn note(&mut self, step_no: StepNo, event: &Event) {
        let Simulation { setup, state, logs, .. } = self;
        match *event {
            Event::RecordAppended { record, partition, offset } => {
                let mut len = offset;
                logs.partitions[partition.index()].write(&mut len, record);
                *state.offset_of.get_mut(record.0) = offset + 1;
            }
            Event::HandlingStarted { consumer, partition, offset, .. } => {
                let consumer = &state.consumers[consumer.index()];
                let member = MemberKey { consumer: consumer.id, incarnation: consumer.incarnation };
                state.ledgers[consumer.group.index()].note_in_hand(member, partition, offset);
            }
            Event::AssignmentComputed { .. } => {
                let sent = state.network.iter().find_map(|(_, sent)| match &sent.message {
                    Message::SyncGroup { assignment: Some(assignment), .. } if sent.sent_by == step_no => {
                        Some(assignment)
                    }
                    _ => None,
                });
                if let Some(assignment) = sent {
                    logs.assignments.write(&mut state.assignments, (step_no, assignment.clone()));
                }
            }
            _ => {}
        }
        if let Event::RecordSent { record, .. }
        | Event::RecordAppended { record, .. }
        | Event::RecordProcessed { record, .. } = *event
        {
            let last = state.last_fact.get_mut(record.0);
            logs.facts.write(&mut state.facts, Fact { step: step_no, previous: *last });
            *last = state.facts;
        }
        if !state.script.open.is_empty() {
            let consumers = &state.consumers;
            let script = &mut state.script;
            let (queue, now) = (&mut state.queue, state.now);
            script.open.retain(|&index| {
                let When::After(condition, wait) = setup.actions[index as usize].when else {
                    return false;
                };
                let met = condition.is_met_by(
                    event,
                    |consumer| consumers[consumer.index()].processed,
                    |consumer| setup.consumers[consumer.index()].group,
                );
                if met && wait == Span::ZERO {
                    script.ready.push_back((index, step_no));
                } else if met {
                    script.met.push((index, step_no));
                    queue.push(now + wait, Due::Script(index));
                }
                !met
            });
        }
    }
}

/// A member id as the coordinator makes it: the client id and a random (version 4) UUID.
fn member_id(client_id: &str, rng: &mut Xoshiro256PlusPlus) -> Rc<str> {
    let (a, b) = (rng.next_u64(), rng.next_u64());
    format!(
        "{client_id}-{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        a >> 32,
        (a >> 16) & 0xffff,
        a & 0xfff,
        0x8000 | ((b >> 48) & 0x3fff),
        b & 0xffff_ffff_ffff
    )
    .into()
}
