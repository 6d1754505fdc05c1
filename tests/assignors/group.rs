//! A group in words: topics by name, partitions as (topic, number).

use std::collections::BTreeMap;

use logstep::sim::assignor::{Assignor, Extras, Implementation, ServerAssignor, Subscription};
use logstep::sim::{PartitionId, TopicId};

/// (topic, number).
pub type Partition = (String, u16);

/// Member id to partitions.
pub type Assignment = BTreeMap<String, Vec<Partition>>;

#[derive(Clone, Debug, Default)]
pub struct Member {
    pub id: String,
    pub instance_id: Option<String>,
    pub topics: Vec<String>,
    pub owned: Vec<Partition>,
    pub generation: Option<u32>,
}

#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Names and partition counts of the topics that exist.
    pub topics: BTreeMap<String, u16>,
    pub members: Vec<Member>,
}

impl Group {
    pub fn new(topics: &[(&str, u16)]) -> Self {
        let topics = topics.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
        Self { topics, members: Vec::new() }
    }

    pub fn join(&mut self, id: &str, topics: &[&str]) {
        let topics = topics.iter().map(|&name| name.to_owned()).collect();
        self.members.push(Member { id: id.to_owned(), topics, ..Member::default() });
    }

    pub fn leave(&mut self, id: &str) {
        self.members.retain(|member| member.id != id);
    }

    /// Takes an assignment as what the members own from now on.
    pub fn follow(&mut self, assignment: &Assignment, generation: u32) {
        for member in &mut self.members {
            member.owned = assignment[&member.id].clone();
            member.generation = Some(generation);
        }
    }

    pub fn deal(&self, assignor: Assignor, by: Implementation<'_>) -> Assignment {
        self.with(|topics, members| assignor.deal(by, topics, members))
    }

    pub fn deal_by_server(&self, assignor: ServerAssignor, extras: Extras) -> Assignment {
        self.with(|topics, members| assignor.deal(extras, topics, members))
    }

    /// Deals with ids that descend where topic and number ascend, and have gaps: no assignor may order by them.
    pub fn with(
        &self,
        deal: impl Fn(&[(TopicId, Vec<PartitionId>)], &[Subscription<'_>]) -> Vec<Vec<PartitionId>>,
    ) -> Assignment {
        let mut next = 3 * self.topics.values().sum::<u16>();
        let mut topics = Vec::new();
        let mut names: BTreeMap<PartitionId, Partition> = BTreeMap::new();
        for (index, (name, &count)) in self.topics.iter().enumerate() {
            let ids = (0..count).map(|number| {
                next -= 3;
                names.insert(PartitionId(next), (name.clone(), number));
                PartitionId(next)
            });
            topics.push((TopicId::at(index), ids.collect()));
        }
        let place = |name: &String| self.topics.keys().position(|topic| topic == name);
        // A topic that does not exist has an id that no topic has; a partition of it, one that no partition has.
        let topic_ids =
            |member: &Member| member.topics.iter().map(|name| TopicId::at(place(name).unwrap_or(999))).collect();
        let owned_ids = |member: &Member| member.owned.iter().map(|partition| id_of(&names, partition)).collect();
        let subscribed: Vec<Vec<TopicId>> = self.members.iter().map(topic_ids).collect();
        let owned: Vec<Vec<PartitionId>> = self.members.iter().map(owned_ids).collect();
        let mut subscriptions: Vec<Subscription<'_>> = Vec::new();
        for (index, member) in self.members.iter().enumerate() {
            subscriptions.push(Subscription {
                member_id: &member.id,
                instance_id: member.instance_id.as_deref(),
                topics: &subscribed[index],
                owned: &owned[index],
                generation: member.generation,
            });
        }
        let dealt = deal(&topics, &subscriptions);
        assert_eq!(dealt.len(), self.members.len());
        let named = |ids: &Vec<PartitionId>| ids.iter().map(|id| names[id].clone()).collect();
        self.members.iter().map(|member| member.id.clone()).zip(dealt.iter().map(named)).collect()
    }
}

fn id_of(names: &BTreeMap<PartitionId, Partition>, partition: &Partition) -> PartitionId {
    names.iter().find(|(_, name)| *name == partition).map_or(PartitionId(60_001), |(&id, _)| id)
}

/// Each list by topic and number.
pub fn sorted(mut assignment: Assignment) -> Assignment {
    assignment.values_mut().for_each(|partitions| partitions.sort());
    assignment
}

/// `"t0: 0 2, t1: 1"`.
pub fn shown(partitions: &[Partition]) -> String {
    let mut topics: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
    partitions.iter().for_each(|(topic, number)| topics.entry(topic).or_default().push(*number));
    let mut texts = Vec::new();
    for (topic, numbers) in topics {
        let numbers: Vec<String> = numbers.iter().map(u16::to_string).collect();
        texts.push(format!("{topic}: {}", numbers.join(" ")));
    }
    texts.join(", ")
}

/// The partitions that [`shown`] shows so; none for an empty text.
pub fn parsed(text: &str) -> Vec<Partition> {
    let mut partitions = Vec::new();
    for part in text.split(", ").filter(|part| !part.is_empty()) {
        let (topic, numbers) = part.split_once(": ").expect("a topic and its numbers");
        partitions.extend(numbers.split(' ').map(|number| (topic.to_owned(), number.parse().expect("a number"))));
    }
    partitions
}

/// All members with what they have, one line each.
pub fn lines(assignment: &Assignment) -> Vec<String> {
    assignment.iter().map(|(member, partitions)| format!("{member} {}", shown(partitions))).collect()
}
