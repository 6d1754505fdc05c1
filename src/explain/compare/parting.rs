//! In what runs of one setup part: settings with which they began, and what was done by hand.

use crate::explain::settings::{Owner, Setting, SettingUse, setting_use};
use crate::sim::setup::{CommitPolicy, CommitWhen, Setup};
use crate::sim::{Action, BrokerSetting, Change, ConsumerSetting, ProducerSetting, Simulation, Time, TopicId};
use std::rc::Rc;

/// One thing in which runs part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parting {
    /// A setting that is not the same in all of them when they begin.
    Begun {
        /// What sets it in one of them; a group's members are configured alike.
        action: Action,
        /// Its value in each run.
        values: Vec<Value>,
    },
    /// Something that was done in some of them only.
    Done {
        /// When.
        at: Time,
        /// What.
        action: Action,
        /// Whether it was, in each run.
        done: Vec<bool>,
    },
}

impl Parting {
    /// Whether it says something of a run: its value of a setting, or what was done in it.
    pub fn is_in(&self, run: usize) -> bool {
        match self {
            Parting::Begun { values, .. } => run < values.len(),
            Parting::Done { done, .. } => done.get(run) == Some(&true),
        }
    }
}

/// What a run begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// When an application commits.
    Commit(CommitPolicy),
    /// How a group's members deal partitions.
    Strategy {
        /// The list of assignors.
        used: SettingUse,
        /// Whether its members keep their partitions while they join.
        is_cooperative: bool,
    },
    /// How many partitions a topic has.
    Partitions(u32),
    /// Records in a second.
    Rate(u32),
    /// Any other setting.
    Setting(SettingUse),
}

impl Value {
    pub(super) fn commits(&self) -> Option<CommitWhen> {
        match self {
            Value::Commit(policy) => Some(policy.when),
            _ => None,
        }
    }
}

/// In what runs of a setup part that differ in what was done by hand: for each run that, with its times, in order.
pub fn partings(setup: &Rc<Setup>, done: &[Vec<(Time, Action)>]) -> Vec<Parting> {
    let starts: Vec<(Simulation, usize)> = done.iter().map(|done| begin(setup, done)).collect();
    let mut partings: Vec<Parting> = Vec::new();
    for (deeds, (_, begun)) in done.iter().zip(&starts) {
        for &(_, action) in &deeds[..*begun] {
            let Some(values) = starts.iter().map(|(run, _)| value(run, action)).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let is_told = |parting: &Parting| matches!(parting, Parting::Begun { action: told, values: other } if is_alike(&starts[0].0, *told, action) && is_same(other, &values));
            let differs = values.iter().any(|value| !is_same(std::slice::from_ref(value), &values[..1]));
            if differs && !partings.iter().any(is_told) {
                partings.push(Parting::Begun { action, values });
            }
        }
    }
    for (deeds, (_, begun)) in done.iter().zip(&starts) {
        for &(at, action) in &deeds[*begun..] {
            let is_told = |parting: &Parting| matches!(parting, Parting::Done { at: known, action: told, .. } if (*known, *told) == (at, action));
            let has = |(deeds, (_, begun)): (&Vec<(Time, Action)>, &(Simulation, usize))| {
                deeds[*begun..].contains(&(at, action))
            };
            let found: Vec<bool> = done.iter().zip(&starts).map(has).collect();
            if found.contains(&false) && !partings.iter().any(is_told) {
                partings.push(Parting::Done { at, action, done: found });
            }
        }
    }
    partings
}

/// The run with what it begins with, and how many deeds that is.
fn begin(setup: &Rc<Setup>, done: &[(Time, Action)]) -> (Simulation, usize) {
    let mut run = Simulation::new(setup.clone());
    let is_of_the_beginning = |&&(at, action): &&(Time, Action)| {
        at == Time::ZERO && matches!(action, Action::Set(_) | Action::AddPartitions { .. })
    };
    let begun = done.iter().take_while(is_of_the_beginning).count();
    for &(_, action) in &done[..begun] {
        // One that is refused has changed nothing in the run itself, either.
        let _ = run.apply(action);
    }
    (run, begun)
}

/// True for one setting of one owner, or of two members of one group.
fn is_alike(run: &Simulation, a: Action, b: Action) -> bool {
    match (a, b) {
        (Action::Set(a), Action::Set(b)) => match (a.consumer(), b.consumer()) {
            (Some(one), Some(other)) if run.consumer(one).group == run.consumer(other).group => {
                a.of_consumer(other).is_of_the_same(b)
            }
            _ => a.is_of_the_same(b),
        },
        (Action::AddPartitions { topic: a, .. }, Action::AddPartitions { topic: b, .. }) => a == b,
        _ => false,
    }
}

/// The same values, whoever's they are.
fn is_same(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|pair| match pair {
            (Value::Setting(a), Value::Setting(b)) => a.value == b.value,
            (Value::Strategy { used: a, .. }, Value::Strategy { used: b, .. }) => a.value == b.value,
            (a, b) => a == b,
        })
}

/// What a run has for what an action sets.
fn value(run: &Simulation, action: Action) -> Option<Value> {
    let change = match action {
        Action::Set(change) => change,
        Action::AddPartitions { topic, .. } => return Some(Value::Partitions(partitions(run, topic))),
        _ => return None,
    };
    if change.consumer().is_some_and(|consumer| consumer.index() >= run.consumers().len()) {
        return None;
    }
    let (setting, owner) = match change {
        Change::Commit { consumer, .. } => return Some(Value::Commit(run.consumer(consumer).config().handling.commit)),
        Change::Rate { producer, .. } => {
            let source = &run.setup().producers[producer.index()].source;
            return run.producer(producer).rate(source).map(Value::Rate);
        }
        Change::HandlingTime { consumer, of, .. } => (Setting::HandlingTime, Owner::Handling(consumer, of)),
        Change::Latency { broker, .. } => (Setting::NetworkLatency, Owner::Network(broker)),
        Change::Setting { consumer, setting } => (of_consumer(setting), Owner::Consumer(consumer)),
        Change::ProducerSetting { producer, setting } => {
            let setting = match setting {
                ProducerSetting::Linger(_) => Setting::Linger,
                ProducerSetting::BatchSize(_) => Setting::BatchSize,
            };
            (setting, Owner::Producer(producer))
        }
        Change::UniqueKey { sink, .. } => (Setting::UniqueKey, Owner::Sink(sink)),
        Change::SinkDown { sink, .. } => (Setting::SinkDown, Owner::Sink(sink)),
        Change::BrokerSetting(BrokerSetting::GroupInitialRebalanceDelay(_)) => {
            (Setting::GroupInitialRebalanceDelay, Owner::Brokers)
        }
    };
    let used = setting_use(run, setting, owner);
    Some(match owner {
        Owner::Consumer(consumer) if setting == Setting::PartitionAssignmentStrategy => {
            Value::Strategy { used, is_cooperative: run.consumer(consumer).config().settings.is_cooperative() }
        }
        _ => Value::Setting(used),
    })
}

fn partitions(run: &Simulation, topic: TopicId) -> u32 {
    run.topics().partitions_of(topic).len() as u32
}

const fn of_consumer(setting: ConsumerSetting) -> Setting {
    match setting {
        ConsumerSetting::SessionTimeout(_) => Setting::SessionTimeout,
        ConsumerSetting::HeartbeatInterval(_) => Setting::HeartbeatInterval,
        ConsumerSetting::MaxPollInterval(_) => Setting::MaxPollInterval,
        ConsumerSetting::MaxPollRecords(_) => Setting::MaxPollRecords,
        ConsumerSetting::AutoOffsetReset(_) => Setting::AutoOffsetReset,
        ConsumerSetting::AutoCommitInterval(_) | ConsumerSetting::LoopCommitInterval(_) => Setting::AutoCommitInterval,
        ConsumerSetting::MetadataMaxAge(_) => Setting::MetadataMaxAge,
        ConsumerSetting::EnableAutoCommit(_) => Setting::EnableAutoCommit,
        ConsumerSetting::PartitionAssignmentStrategy(_) => Setting::PartitionAssignmentStrategy,
        ConsumerSetting::EnableAutoOffsetStore(_) => Setting::EnableAutoOffsetStore,
        ConsumerSetting::AutoCommitThreshold(_) => Setting::AutoCommitThreshold,
    }
}
