//! Whether an action names only what a world has. The page and a file cannot name anything else; a link can.

use crate::sim::setup::TopicPartition;
use crate::sim::{Action, Change, ClientId, ConsumerId, GroupId, HandlingOf, ProducerId, Simulation, TopicId};

/// True if everything that `action` names is there.
pub fn names_what_exists(run: &Simulation, action: Action) -> bool {
    let setup = run.setup();
    let producer = |id: ProducerId| id.index() < setup.producers.len();
    let consumer = |id: ConsumerId| id.index() < run.consumers().len();
    let group = |id: GroupId| id.index() < setup.groups.len();
    let topic = |id: TopicId| id.index() < setup.topics.len();
    let place = |place: TopicPartition| topic(place.topic) && run.topics().find(place).is_some();
    let client = |id: ClientId| match id {
        ClientId::Producer(id) => producer(id),
        ClientId::Consumer(id) => consumer(id),
    };
    match action {
        Action::Crash(id) | Action::Close(id) | Action::Start(id) => client(id),
        Action::Restart(id) | Action::Freeze(id) | Action::Thaw(id) => consumer(id),
        Action::Join(id) => group(id),
        Action::Pause(id, at) | Action::Resume(id, at) => consumer(id) && place(at),
        Action::Seek { consumer: id, partition, .. } => consumer(id) && place(partition),
        Action::ResetOffsets { group: id, partition, .. } => group(id) && partition.is_none_or(place),
        Action::AddPartitions { topic: id, .. } => topic(id),
        Action::Produce { producer: id, key, value, .. } => {
            producer(id) && key.is_none_or(|key| key.index() < setup.keys.len()) && value.index() < setup.values.len()
        }
        Action::Delay { message, .. } | Action::Drop(message) => client(message.client),
        Action::Set(Change::HandlingTime { consumer: id, of, .. }) => {
            consumer(id)
                && match of {
                    HandlingOf::Every => true,
                    HandlingOf::Key(key) => key.index() < setup.keys.len(),
                    HandlingOf::Partition(at) | HandlingOf::Record(at, _) => place(at),
                }
        }
        Action::Set(Change::Latency { broker, .. }) => broker.index() < setup.brokers.len(),
        Action::Set(Change::Rate { producer: id, .. } | Change::ProducerSetting { producer: id, .. })
        | Action::RestartProducer(id) => producer(id),
        Action::Set(Change::Setting { consumer: id, .. } | Change::Commit { consumer: id, .. }) => consumer(id),
        Action::Set(Change::UniqueKey { sink, .. } | Change::SinkDown { sink, .. }) => sink.index() < setup.sinks.len(),
        Action::Set(Change::BrokerSetting(_)) => true,
    }
}
