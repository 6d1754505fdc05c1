//! What a person or the script does: whether it is possible, and doing it.

use super::Simulation;
use crate::sim::action::{Action, Refusal};
use crate::sim::consumer::Client;
use crate::sim::effect::Context;
use crate::sim::event::Event;
use crate::sim::ids::*;
use crate::sim::producer::{Draft, ProducerProcess};
use crate::sim::setup::{CommitWhen, Source, TopicPartition, bounds};
use crate::sim::step::{Causes, Step};
use crate::sim::target::{BrokerSetting, Change, ClientId, ProducerSetting};
use crate::sim::time::{Span, Time};
use std::rc::Rc;

/// The longest time that somebody may set: longer than any run.
const LONGEST: Span = bounds::DURATION;

/// The largest `batch.size`: what an `int` of Java holds.
const LARGEST_BATCH: u32 = i32::MAX as u32;

impl Simulation {
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
        if action.consumer().is_some_and(|consumer| consumer.index() >= self.state.consumers.len()) {
            return Err(Refusal::NoSuchConsumer);
        }
        match action {
            Action::Crash(client) => self.running(client),
            Action::Close(ClientId::Producer(_)) => self.running_producer(action),
            Action::Close(ClientId::Consumer(consumer)) => self.can_close(consumer),
            Action::Start(client) => self.can_start(client),
            Action::Restart(consumer) => match self.consumer(consumer).client() {
                Some(_) => self.can_close(consumer),
                None => self.can_start(consumer.into()),
            },
            Action::RestartProducer(producer) => match self.producer(producer).process {
                ProducerProcess::Running => Ok(()),
                _ => self.can_start(producer.into()),
            },
            Action::Freeze(consumer) => self.awake(consumer).map(drop),
            Action::Thaw(consumer) => match self.consumer(consumer).client() {
                None => Err(Refusal::NotRunning),
                Some(client) if client.freeze.is_none() => Err(Refusal::NotFrozen),
                Some(_) => Ok(()),
            },
            Action::Join(group) => self.can_join(group),
            Action::Pause(consumer, place) => match self.owned(consumer, place)?.1 {
                true => Err(Refusal::AlreadyPaused),
                false => Ok(()),
            },
            Action::Resume(consumer, place) => match self.owned(consumer, place)?.1 {
                true => Ok(()),
                false => Err(Refusal::NotPaused),
            },
            Action::Seek { consumer, partition, to } => {
                let (partition, _) = self.owned(consumer, partition)?;
                if to > self.partition(partition).end { Err(Refusal::NoSuchOffset) } else { Ok(()) }
            }
            Action::ResetOffsets { group, partition, to } => self.new_offsets(group, partition, to).map(drop),
            Action::AddPartitions { topic, to } => self.can_add_partitions(topic, to),
            Action::Produce { producer, partition, .. } => self.can_produce(action, producer, partition),
            Action::Delay { message, by } if by == Span::ZERO || by > LONGEST => {
                self.find_message(message).and(Err(Refusal::BadValue))
            }
            Action::Delay { message, .. } => self.find_message(message).map(drop),
            Action::Drop(message) => self.can_drop(message),
            Action::Set(change) => self.can_change(change),
        }
    }

    fn running(&self, client: ClientId) -> Result<(), Refusal> {
        let runs = match client {
            ClientId::Producer(producer) => self.producer(producer).process == ProducerProcess::Running,
            ClientId::Consumer(consumer) => self.consumer(consumer).client().is_some(),
        };
        if runs { Ok(()) } else { Err(Refusal::NotRunning) }
    }

    fn running_producer(&self, action: Action) -> Result<(), Refusal> {
        match action {
            Action::Close(client) => self.running(client),
            Action::Produce { producer, .. } => self.running(producer.into()),
            _ => Ok(()),
        }
    }

    fn can_close(&self, consumer: ConsumerId) -> Result<(), Refusal> {
        match self.consumer(consumer).client() {
            None => Err(Refusal::NotRunning),
            Some(client) if client.closing.is_some() => Err(Refusal::AlreadyClosing),
            Some(_) => Ok(()),
        }
    }

    fn can_start(&self, client: ClientId) -> Result<(), Refusal> {
        if self.running(client).is_ok() {
            return Err(Refusal::AlreadyRunning);
        }
        match client {
            ClientId::Consumer(consumer) if self.consumer(consumer).incarnation == Incarnation::MAX => {
                Err(Refusal::StepLimit)
            }
            ClientId::Producer(producer) if self.producer(producer).is_closing() => Err(Refusal::AlreadyClosing),
            _ => Ok(()),
        }
    }

    fn can_join(&self, group: GroupId) -> Result<(), Refusal> {
        if self.state.consumers.len() >= bounds::MEMBERS as usize {
            return Err(Refusal::TooMany);
        }
        self.consumers_of(group).next().map(drop).ok_or(Refusal::NoModel)
    }

    /// The process of a consumer, if it runs and does not stand still.
    fn awake(&self, consumer: ConsumerId) -> Result<&Client, Refusal> {
        match self.consumer(consumer).client() {
            None => Err(Refusal::NotRunning),
            Some(client) if client.freeze.is_some() => Err(Refusal::Frozen),
            Some(client) => Ok(client),
        }
    }

    /// A partition that a consumer reads, and whether it is paused.
    fn owned(&self, consumer: ConsumerId, place: TopicPartition) -> Result<(PartitionId, bool), Refusal> {
        let client = self.awake(consumer)?;
        let partition = self.state.topics.find(place).ok_or(Refusal::NoSuchPartition)?;
        let owned = client.owned.iter().find(|owned| owned.partition == partition && owned.position.is_some());
        owned.map(|owned| (partition, owned.paused)).ok_or(Refusal::NotOwned)
    }

    fn can_produce(&self, action: Action, producer: ProducerId, partition: Option<u16>) -> Result<(), Refusal> {
        self.running_producer(action)?;
        let topic = self.setup.producers[producer.index()].topic;
        let there = self.state.topics.partitions_of(topic).len();
        let known = match self.producer(producer).known_partitions() {
            0 => there,
            known => usize::from(known),
        };
        if self.state.records >= bounds::RECORDS {
            return Err(Refusal::TooMany);
        }
        match partition {
            Some(number) if usize::from(number) >= known => Err(Refusal::NoSuchPartition),
            _ => Ok(()),
        }
    }

    fn can_change(&self, change: Change) -> Result<(), Refusal> {
        let check = |is_allowed: bool| if is_allowed { Ok(()) } else { Err(Refusal::BadValue) };
        match change {
            Change::HandlingTime { time, .. } => check(time <= LONGEST),
            Change::Latency { broker, latency } => {
                let changes = if latency == self.latency(broker) { Err(Refusal::NoChange) } else { Ok(()) };
                check(latency <= LONGEST).and(changes)
            }
            Change::Rate { producer, per_second } => {
                let source = &self.setup.producers[producer.index()].source;
                if matches!(source, Source::Records(_)) {
                    Err(Refusal::NoRate)
                } else {
                    check((1..=bounds::PER_SECOND).contains(&per_second))
                }
            }
            Change::Setting { consumer, setting } => check(self.consumer(consumer).config.settings.takes(setting)),
            Change::ProducerSetting { setting, .. } => check(match setting {
                ProducerSetting::Linger(span) => span <= LONGEST,
                ProducerSetting::BatchSize(bytes) => bytes <= LARGEST_BATCH,
            }),
            Change::Commit { consumer, policy } => {
                let changes = policy != self.consumer(consumer).config.handling.commit;
                let is_whole = match policy.when {
                    CommitWhen::AfterRecords(records) => records > 0,
                    CommitWhen::RecordsOrTime { records, time } => records > 0 && time > Span::ZERO && time <= LONGEST,
                    CommitWhen::Never | CommitWhen::BeforeBatch | CommitWhen::AfterBatch => true,
                };
                check(is_whole).and(if changes { Ok(()) } else { Err(Refusal::NoChange) })
            }
            Change::SinkDown { sink, is_down } => match self.sink(sink).down.is_some() == is_down {
                true => Err(Refusal::NoChange),
                false => Ok(()),
            },
            Change::UniqueKey { sink, is_unique } => match self.sink(sink) {
                sink if sink.has_fixed_key() => Err(Refusal::FixedKey),
                sink if sink.is_unique == is_unique => Err(Refusal::NoChange),
                sink if sink.has_duplicates() => Err(Refusal::DuplicateRows),
                _ => Ok(()),
            },
            Change::BrokerSetting(_) if self.state.now > Time::ZERO => Err(Refusal::BrokerRestart),
            Change::BrokerSetting(BrokerSetting::GroupInitialRebalanceDelay(span)) => check(span <= LONGEST),
        }
    }

    /// Does what [`can_apply`](Self::can_apply) has found possible.
    pub(super) fn act(&mut self, action: Action, causes: Causes) {
        match action {
            Action::Crash(ClientId::Consumer(consumer)) => self.crash(consumer, causes),
            Action::Crash(_)
            | Action::Close(_)
            | Action::Start(_)
            | Action::Restart(_)
            | Action::RestartProducer(_)
            | Action::Freeze(_)
            | Action::Thaw(_)
            | Action::Join(_) => self.act_on_process(action, causes),
            _ => self.act_on_what_is_there(action, causes),
        }
    }

    #[inline(never)]
    fn act_on_what_is_there(&mut self, action: Action, causes: Causes) {
        match action {
            Action::Pause(consumer, place) | Action::Resume(consumer, place) => {
                let pauses = matches!(action, Action::Pause(..));
                self.act_on_position(consumer, place, |client, ctx, partition, out| match pauses {
                    true => client.pause(partition, causes, out),
                    false => client.resume(ctx, partition, causes, out),
                });
            }
            Action::Seek { consumer, partition, to } => {
                self.act_on_position(consumer, partition, |client, ctx, partition, out| {
                    client.seek(ctx, partition, to, causes, out);
                });
            }
            Action::ResetOffsets { group, partition, to } => {
                let offsets = self.new_offsets(group, partition, to).unwrap_or_default();
                self.state.resets.extend(offsets);
                self.reset_next_offset(group, causes);
            }
            Action::AddPartitions { topic, to } => self.add_partitions(topic, to, causes),
            Action::Produce { producer, key, value, partition } => {
                let value_bytes = self.setup.values[value.index()].len() as u32;
                self.send_draft(producer, Draft { key, value, value_bytes, partition }, causes);
            }
            Action::Delay { message, by } => self.delay_message(message, by, causes),
            Action::Drop(message) => self.drop_message(message, causes),
            Action::Set(change) => self.change(change, causes),
            _ => unreachable!("about a process"),
        }
    }

    fn crash(&mut self, consumer: ConsumerId, causes: Causes) {
        let Simulation { setup, state, out, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        let consumer = &mut state.consumers[consumer.index()];
        state.frozen -= u16::from(consumer.client().is_some_and(|client| client.freeze.is_some()));
        consumer.crash(ctx, causes, out);
    }

    /// Whatever is done to a process but to crash a consumer.
    #[inline(never)]
    fn act_on_process(&mut self, action: Action, causes: Causes) {
        let Simulation { setup, state, out, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        match action {
            Action::Crash(ClientId::Producer(producer)) => state.producers[producer.index()].crash(causes, out),
            Action::Close(ClientId::Producer(producer)) => {
                state.producers[producer.index()].close(ctx, false, causes, out);
            }
            Action::RestartProducer(producer)
                if state.producers[producer.index()].process == ProducerProcess::Running =>
            {
                state.producers[producer.index()].close(ctx, true, causes, out);
            }
            Action::Start(ClientId::Producer(producer)) | Action::RestartProducer(producer) => {
                state.producers[producer.index()].start(ctx, &mut state.rng, causes, out);
            }
            Action::Close(ClientId::Consumer(consumer)) => {
                state.consumers[consumer.index()].request_close(ctx, false, causes, out);
            }
            Action::Restart(consumer) if state.consumers[consumer.index()].client().is_some() => {
                state.consumers[consumer.index()].request_close(ctx, true, causes, out);
            }
            Action::Start(ClientId::Consumer(consumer)) | Action::Restart(consumer) => {
                let consumer = &mut state.consumers[consumer.index()];
                consumer.start(ctx, state.groups[consumer.group.index()].broker, causes, out);
            }
            Action::Freeze(consumer) => {
                let consumer = &mut state.consumers[consumer.index()];
                if let Some(client) = consumer.client_mut(consumer.incarnation) {
                    client.freeze(ctx, causes, out);
                    state.frozen += 1;
                }
            }
            Action::Thaw(consumer) => {
                let consumer = &mut state.consumers[consumer.index()];
                if let Some(client) = consumer.client_mut(consumer.incarnation) {
                    client.thaw(ctx, causes, out);
                    state.frozen -= 1;
                }
            }
            Action::Join(group) => self.join_new(group, causes),
            _ => unreachable!("not about a process"),
        }
    }

    #[inline(never)]
    fn act_on_position(
        &mut self,
        consumer: ConsumerId,
        place: TopicPartition,
        act: impl FnOnce(&mut Client, Context<'_>, PartitionId, &mut crate::sim::effect::Out),
    ) {
        let Simulation { setup, state, out, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        let consumer = &mut state.consumers[consumer.index()];
        if let (Some(client), Some(partition)) = (consumer.client_mut(consumer.incarnation), state.topics.find(place)) {
            act(client, ctx, partition, out);
        }
    }

    #[inline(never)]
    fn change(&mut self, change: Change, causes: Causes) {
        let Simulation { setup, state, out, .. } = self;
        let event = match change {
            Change::HandlingTime { consumer, of, time } => {
                let found = &mut state.consumers[consumer.index()];
                let from = found.config().handling.time_for(of);
                if let Some(client) = found.client_mut(found.incarnation) {
                    Rc::make_mut(&mut client.config).handling.set_time(of, time);
                }
                Rc::make_mut(&mut found.config).handling.set_time(of, time);
                Event::HandlingTimeChanged { consumer, of, from, time }
            }
            Change::Latency { broker, latency } => {
                let from = std::mem::replace(&mut state.latencies[broker.index()], latency);
                state.network.keep_order();
                state.not_quiet_before = state.not_quiet_before.max(state.now + from + latency);
                Event::LatencyChanged { broker, from, latency }
            }
            Change::Rate { producer, per_second } => {
                let client = &mut state.producers[producer.index()];
                let from = client.rate(&setup.producers[producer.index()].source).unwrap_or(per_second);
                client.set_rate(per_second);
                Event::RateChanged { producer, from, per_second }
            }
            Change::Setting { consumer, setting } => {
                Rc::make_mut(&mut state.consumers[consumer.index()].config).settings.set(setting);
                Event::SettingChanged { consumer, setting }
            }
            Change::ProducerSetting { producer, setting } => {
                let at_once = state.producers[producer.index()].set(state.now, setting);
                Event::ProducerSettingChanged { producer, setting, at_once }
            }
            Change::Commit { consumer, policy } => {
                let found = &mut state.consumers[consumer.index()];
                if let Some(client) = found.client_mut(found.incarnation) {
                    client.set_commit_policy(policy);
                }
                Rc::make_mut(&mut found.config).handling.commit = policy;
                Event::CommitPolicyChanged { consumer, policy }
            }
            Change::UniqueKey { sink, is_unique } => {
                state.sinks[sink.index()].is_unique = is_unique;
                Event::UniqueKeyChanged { sink, is_unique }
            }
            Change::SinkDown { sink, is_down } => {
                state.sinks[sink.index()].down = is_down.then_some(StepNo(state.steps));
                Event::SinkDownChanged { sink, is_down }
            }
            Change::BrokerSetting(setting) => {
                let BrokerSetting::GroupInitialRebalanceDelay(delay) = setting;
                for group in &mut state.groups {
                    group.initial_rebalance_delay = delay;
                }
                Event::BrokerSettingChanged { setting }
            }
        };
        out.event(event, causes);
    }
}
