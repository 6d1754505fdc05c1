//! The names in a file, collected before anything is read, so that a reference is judged by what the file means to
//! have, even where that has mistakes of its own.

use super::mistake::{Kind, Problem};
use super::producers::DEFAULT_KEY_PREFIX;
use super::reader::{Place, Reader};
use super::values::shortened;
use crate::sim::setup::{Setup, bounds};
use crate::sim::{ClientId, ConsumerId, GroupId, ProducerId, SinkId, TopicId, TopicPartition};
use jsonc_parser::ast::{Object, Value};
use std::collections::BTreeMap;

/// The names of all things that can be referred to.
pub(super) struct Names<'t> {
    topics: Vec<&'t str>,
    /// As Kafka writes them: `orders-2`. Nothing if the number of some topic's partitions is not known.
    partitions: Option<Partitions>,
    producers: Vec<&'t str>,
    groups: Vec<&'t str>,
    /// Each with the index of its group.
    members: Vec<(&'t str, usize)>,
    sinks: Vec<&'t str>,
    /// Prefix and number of the keys that workloads draw from, each prefix once.
    key_blocks: Vec<(&'t str, u32)>,
}

impl<'t> Names<'t> {
    /// Collects the names of a file.
    pub fn collect(file: &'t Value<'t>) -> Self {
        let groups: Vec<&Object<'_>> = objects(file, "groups").collect();
        let members = groups
            .iter()
            .enumerate()
            .flat_map(|(index, group)| objects_in(group, "members").map(move |member| (name_of(member), index)));
        Names {
            topics: objects(file, "topics").map(name_of).collect(),
            partitions: partitions(file),
            producers: objects(file, "producers").map(name_of).collect(),
            members: members.collect(),
            groups: groups.iter().map(|group| name_of(group)).collect(),
            sinks: objects(file, "sinks").map(name_of).collect(),
            key_blocks: key_blocks(file),
        }
    }

    /// The names of a run.
    pub fn of_setup(setup: &'t Setup) -> Self {
        let partitions = setup.topics.iter().map(|topic| (&*topic.name, u32::from(topic.partitions)));
        Names {
            topics: setup.topics.iter().map(|topic| &*topic.name).collect(),
            partitions: Some(Partitions::of(partitions)),
            producers: setup.producers.iter().map(|producer| &*producer.name).collect(),
            groups: setup.groups.iter().map(|group| &*group.name).collect(),
            members: setup.consumers.iter().map(|consumer| (&*consumer.name, consumer.group.index())).collect(),
            sinks: setup.sinks.iter().map(|sink| &*sink.name).collect(),
            key_blocks: Vec::new(),
        }
    }

    /// Prefix and number of the keys that workloads draw from: for each prefix the largest number.
    pub fn key_blocks(&self) -> &[(&'t str, u32)] {
        &self.key_blocks
    }

    pub fn topic(&self, r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<TopicId> {
        let place = place?;
        let name = r.string(Some(place.clone()))?;
        self.topic_named(r, &place, name)
    }

    pub fn topic_named(&self, r: &mut Reader<'t>, place: &Place<'t>, name: &str) -> Option<TopicId> {
        r.reference(place, Kind::Topic, name, self.topics.iter().copied()).map(TopicId::at)
    }

    pub fn producer_named(&self, r: &mut Reader<'t>, place: &Place<'t>, name: &str) -> Option<ProducerId> {
        r.reference(place, Kind::Producer, name, self.producers.iter().copied()).map(ProducerId::at)
    }

    pub fn group(&self, r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<GroupId> {
        let place = place?;
        let name = r.string(Some(place.clone()))?;
        self.group_named(r, &place, name)
    }

    pub fn group_named(&self, r: &mut Reader<'t>, place: &Place<'t>, name: &str) -> Option<GroupId> {
        r.reference(place, Kind::Group, name, self.groups.iter().copied()).map(GroupId::at)
    }

    /// The only group, if there is no other.
    pub fn only_group(&self) -> Option<GroupId> {
        (self.groups.len() == 1).then_some(GroupId(0))
    }

    pub fn member(&self, r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<ConsumerId> {
        let place = place?;
        let name = r.string(Some(place.clone()))?;
        self.member_named(r, &place, name)
    }

    pub fn member_named(&self, r: &mut Reader<'t>, place: &Place<'t>, name: &str) -> Option<ConsumerId> {
        r.reference(place, Kind::Member, name, self.members.iter().map(|(name, _)| *name)).map(ConsumerId::at)
    }

    pub fn producer(&self, r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<ProducerId> {
        let place = place?;
        let name = r.string(Some(place.clone()))?;
        r.reference(&place, Kind::Producer, name, self.producers.iter().copied()).map(ProducerId::at)
    }

    /// A member, or else a producer.
    pub fn client(&self, r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<ClientId> {
        let name = r.string(place.clone())?;
        let members = self.members.iter().map(|(name, _)| *name);
        let both = members.chain(self.producers.iter().copied());
        r.reference(&place?, Kind::Member, name, both).map(|index| match index.checked_sub(self.members.len()) {
            Some(producer) => ClientId::Producer(ProducerId::at(producer)),
            None => ClientId::Consumer(ConsumerId::at(index)),
        })
    }

    pub fn sink(&self, r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<SinkId> {
        let place = place?;
        let name = r.string(Some(place.clone()))?;
        self.sink_named(r, &place, name)
    }

    pub fn sink_named(&self, r: &mut Reader<'t>, place: &Place<'t>, name: &str) -> Option<SinkId> {
        r.reference(place, Kind::Sink, name, self.sinks.iter().copied()).map(SinkId::at)
    }

    pub fn partition(&self, r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<TopicPartition> {
        let place = place?;
        let name = r.string(Some(place.clone()))?;
        self.partition_named(r, &place, name)
    }

    /// A partition by its name. Where the number of a topic's partitions is wrong, that has been reported, and nothing
    /// can be said of partitions.
    pub fn partition_named(&self, r: &mut Reader<'t>, place: &Place<'t>, name: &str) -> Option<TopicPartition> {
        let partitions = self.partitions.as_ref()?;
        if let Some(&id) = partitions.ids.get(name) {
            return Some(id);
        }
        let suggestion = r.nearest(name, partitions.ids.keys().map(String::as_str));
        let exists = partitions.listed.clone();
        r.report(place, Problem::NotThere { kind: Kind::Partition, name: name.to_owned(), exists, suggestion });
        None
    }
}

fn objects<'t>(file: &'t Value<'t>, field: &'t str) -> Box<dyn Iterator<Item = &'t Object<'t>> + 't> {
    match file {
        Value::Object(file) => Box::new(objects_in(file, field)),
        _ => Box::new(std::iter::empty()),
    }
}

/// The entries of a list. One that is no object counts as an object without fields, so that indices stay right.
fn objects_in<'t>(object: &'t Object<'t>, field: &'t str) -> impl Iterator<Item = &'t Object<'t>> + 't {
    static EMPTY: Object<'static> =
        Object { range: jsonc_parser::common::Range { start: 0, end: 0 }, properties: Vec::new() };
    let entries: &[Value<'t>] = match value(object, field) {
        Some(Value::Array(array)) => &array.elements,
        _ => &[],
    };
    entries.iter().map(|entry| match entry {
        Value::Object(object) => object,
        _ => &EMPTY,
    })
}

fn value<'t>(object: &'t Object<'t>, field: &str) -> Option<&'t Value<'t>> {
    object.properties.iter().find(|property| property.name.as_str() == field).map(|property| &property.value)
}

fn name_of<'t>(object: &'t Object<'t>) -> &'t str {
    match value(object, "name") {
        Some(Value::StringLit(string)) => &string.value,
        _ => "",
    }
}

fn number_of(object: &Object<'_>, field: &str, most: u32) -> Option<u32> {
    match value(object, field) {
        Some(Value::NumberLit(number)) => number.value.parse().ok().filter(|&count| count <= most),
        _ => None,
    }
}

/// There can be thousands of partitions, and a file can name each of them, so they are looked up in a map.
struct Partitions {
    ids: BTreeMap<String, TopicPartition>,
    /// All names, as they are written out in a message.
    listed: Vec<String>,
}

fn partitions<'t>(file: &'t Value<'t>) -> Option<Partitions> {
    let count = |topic: &'t Object<'t>| {
        let count = number_of(topic, "partitions", bounds::PARTITIONS_PER_TOPIC)?;
        Some((name_of(topic), count.max(added_to(file, topic))))
    };
    let counts: Option<Vec<_>> = objects(file, "topics").take(bounds::TOPICS as usize).map(count).collect();
    Some(Partitions::of(counts?.into_iter()))
}

impl Partitions {
    /// Those of topics with these names and so many partitions each.
    fn of<'n>(topics: impl Iterator<Item = (&'n str, u32)>) -> Self {
        let mut names = Vec::new();
        for (index, (topic, count)) in topics.enumerate() {
            let place = |number| TopicPartition { topic: TopicId::at(index), number: number as u16 };
            names.extend((0..count).map(|number| (format!("{topic}-{number}"), place(number))));
        }
        let listed = shortened(names.iter().map(|(name, _)| name.as_str()));
        Partitions { ids: names.into_iter().collect(), listed }
    }
}

/// How many partitions the actions of a file give to a topic at most.
fn added_to(file: &Value<'_>, topic: &Object<'_>) -> u32 {
    let added = objects(file, "actions").filter_map(|action| match value(action, "add_partitions") {
        Some(Value::Object(added)) => Some(added),
        _ => None,
    });
    let is_meant = |added: &&Object<'_>| match value(added, "topic") {
        Some(Value::StringLit(name)) => name.value == name_of(topic),
        _ => false,
    };
    let counts = added.filter(is_meant).filter_map(|added| number_of(added, "to", bounds::PARTITIONS_PER_TOPIC));
    counts.max().unwrap_or(0)
}

fn key_blocks<'t>(file: &'t Value<'t>) -> Vec<(&'t str, u32)> {
    let mut blocks: Vec<(&str, u32)> = Vec::new();
    for producer in objects(file, "producers") {
        let Some(Value::Object(workload)) = value(producer, "workload") else {
            continue;
        };
        let prefix: &str = match value(workload, "key_prefix") {
            Some(Value::StringLit(prefix)) => &prefix.value,
            _ => DEFAULT_KEY_PREFIX,
        };
        let Some(keys) = number_of(workload, "keys", bounds::KEYS) else {
            continue;
        };
        match blocks.iter_mut().find(|(other, _)| *other == prefix) {
            Some((_, most)) => *most = keys.max(*most),
            None => blocks.push((prefix, keys)),
        }
    }
    blocks
}
