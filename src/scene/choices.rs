//! What can be chosen on the stage, and what can be done to it: short lists, the usual things first.

use crate::sim::producer::ProducerProcess;
use crate::sim::setup::Source;
use crate::sim::{
    Action, Change, ClientId, ConsumerId, GroupId, HandlingOf, KeyId, MessageRef, PartitionId, ProducerId, ResetTo,
    Simulation, Span, ValueId,
};

/// Something on the stage that can be acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A consumer.
    Member(ConsumerId),
    /// A producer.
    Producer(ProducerId),
    /// A partition.
    Partition(PartitionId),
    /// A group.
    Group(GroupId),
    /// A message on its way.
    Message(MessageRef),
}

/// The most keys that a producer's list names.
const MOST_KEYS: usize = 4;
/// The most messages that a client's list names.
const MOST_MESSAGES: usize = 2;
/// By how much a message is delayed by hand.
const DELAY: Span = Span::from_secs(5);

/// True if there is such a thing at the present moment: partitions and consumers are added during a run, messages arrive.
#[inline(never)]
pub fn is_there(run: &Simulation, subject: Subject) -> bool {
    match subject {
        Subject::Member(consumer) => consumer.index() < run.consumers().len(),
        Subject::Partition(partition) => partition.index() < run.partition_count(),
        Subject::Message(message) => run.in_flight().any(|(slot, _)| run.message_name(slot) == Some(message)),
        Subject::Producer(_) | Subject::Group(_) => true,
    }
}

/// What can be done to a subject, possible or not, in groups that belong together.
pub fn choices(run: &Simulation, subject: Subject) -> Vec<Vec<Action>> {
    let mut groups = match subject {
        Subject::Member(consumer) => of_member(run, consumer),
        Subject::Producer(producer) => of_producer(run, producer),
        Subject::Partition(partition) => of_partition(run, partition),
        Subject::Group(group) => {
            let reset = |to| Action::ResetOffsets { group, partition: None, to };
            vec![vec![Action::Join(group)], vec![reset(ResetTo::Earliest), reset(ResetTo::Latest)]]
        }
        Subject::Message(message) => vec![of_message(message)],
    };
    groups.retain(|group| !group.is_empty());
    groups
}

fn of_member(run: &Simulation, consumer: ConsumerId) -> Vec<Vec<Action>> {
    let client: ClientId = consumer.into();
    let found = run.consumer(consumer);
    let is_frozen = found.client().is_some_and(|client| client.freeze.is_some());
    let freeze = if is_frozen { Action::Thaw(consumer) } else { Action::Freeze(consumer) };
    let process =
        vec![Action::Crash(client), Action::Close(client), Action::Start(client), Action::Restart(consumer), freeze];
    let now = found.config().handling.time.as_micros();
    let times = [now * 2, now * 10, now / 2].into_iter().filter(|&micros| micros > 0).map(Span::from_micros);
    let slow_down = |time| Action::Set(Change::HandlingTime { consumer, of: HandlingOf::Every, time });
    vec![process, times.map(slow_down).collect(), of_messages(run, client)]
}

/// What can be done to the messages of a client that are on their way.
fn of_messages(run: &Simulation, client: ClientId) -> Vec<Action> {
    let on_their_way = run.in_flight().filter(|(_, sent)| sent.client() == client);
    let messages = on_their_way.filter_map(|(slot, _)| run.message_name(slot)).take(MOST_MESSAGES);
    messages.flat_map(of_message).collect()
}

fn of_message(message: MessageRef) -> Vec<Action> {
    vec![Action::Delay { message, by: DELAY }, Action::Drop(message)]
}

fn of_producer(run: &Simulation, producer: ProducerId) -> Vec<Vec<Action>> {
    let (keys, value) = match &run.setup().producers[producer.index()].source {
        Source::Records(records) => {
            let mut keys: Vec<KeyId> = Vec::new();
            for key in records.iter().filter_map(|record| record.key) {
                if keys.len() < MOST_KEYS && !keys.contains(&key) {
                    keys.push(key);
                }
            }
            (keys, records.first().map_or(ValueId(0), |record| record.value))
        }
        Source::Workload(workload) => {
            let count = workload.cumulative_weights.len().min(MOST_KEYS) as u32;
            ((0..count).map(|place| KeyId(workload.first_key.0 + place)).collect(), workload.value)
        }
    };
    let produce = |key| Action::Produce { producer, key: Some(key), value, partition: None };
    let process = match run.producer(producer).process {
        ProducerProcess::Running => {
            vec![Action::Crash(producer.into()), Action::Close(producer.into()), Action::RestartProducer(producer)]
        }
        ProducerProcess::Crashed | ProducerProcess::Closed => vec![Action::Start(producer.into())],
    };
    vec![keys.into_iter().map(produce).collect(), process, of_messages(run, producer.into())]
}

fn of_partition(run: &Simulation, partition: PartitionId) -> Vec<Vec<Action>> {
    let place = run.place(partition);
    let count = run.topics().partitions_of(place.topic).len() as u16;
    let end = run.partition(partition).end;
    let owners =
        run.consumers().iter().filter_map(|consumer| Some((consumer.id, consumer.client()?.owned(partition)?)));
    let reading = |(consumer, paused): (ConsumerId, bool)| {
        let pause = if paused { Action::Resume(consumer, place) } else { Action::Pause(consumer, place) };
        let seek = |to| Action::Seek { consumer, partition: place, to };
        let ends = if end > 0 { vec![seek(0), seek(end)] } else { Vec::new() };
        [vec![pause], ends].concat()
    };
    let owners = owners.map(|(consumer, owned)| (consumer, owned.paused)).take(MOST_MESSAGES);
    let mut groups: Vec<Vec<Action>> = owners.map(reading).collect();
    groups.push(vec![Action::AddPartitions { topic: place.topic, to: count + 1 }]);
    groups
}
