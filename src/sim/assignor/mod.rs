//! How a group's partitions are dealt to its members: every assignor of Kafka's clients and brokers, as pure functions.
//!
//! Racks (KIP-881) are not modelled. Where Kafka walks a Java hash map of members, these walk the members in the order of
//! their ids: that changes nothing but which of several equal members gives up or gets a partition.

mod constrained;
pub mod cooperative;
mod general;
mod range;
mod round_robin;
mod sticky;
mod table;
mod uniform;
mod uniform_mixed;

use super::ids::{Generation, PartitionId, TopicId};
use super::order;
use borsh::{BorshDeserialize, BorshSerialize};

/// Topics with their partitions: the topics in the order of their names, the partitions in the order of their numbers.
/// That place is the only order among partitions; their ids say nothing about it.
pub type Topics = [(TopicId, Vec<PartitionId>)];

/// What an assignor is told about one member.
#[derive(Clone, Copy, Debug)]
pub struct Subscription<'a> {
    /// The member id: `client.id`, a hyphen and a UUID.
    pub member_id: &'a str,
    /// `group.instance.id` of a static member (KIP-345).
    pub instance_id: Option<&'a str>,
    /// The topics that the member subscribes to; they need not exist.
    pub topics: &'a [TopicId],
    /// What the member owns: as its JoinGroup reports it, or, for a [`ServerAssignor`], its target assignment so far.
    /// Without effect on range and round robin.
    pub owned: &'a [PartitionId],
    /// The generation in which it got them (KIP-341, KIP-792); none when it does not say.
    pub generation: Option<Generation>,
}

/// The assignors of the classic protocol, run by the group's leader (`partition.assignment.strategy`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Assignor {
    /// Each topic on its own, cut into ranges.
    Range,
    /// All partitions in turn.
    RoundRobin,
    /// Balanced, and partitions stay with their owners (KIP-54).
    Sticky,
    /// The same in two rebalances, so that members keep what does not move (KIP-429).
    CooperativeSticky,
    /// All partitions in turn, as kafkajs does it. Its name is another one than that of the other clients' round robin, so
    /// that they have no assignor in common.
    RoundRobinAssigner,
}

/// Some of them, the one liked best first; [`ConsumerSettings::assignors`](super::setup::ConsumerSettings::assignors) as a
/// small value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct AssignorList([Option<Assignor>; Assignor::ALL.len()]);

impl AssignorList {
    /// The first of these, as many as there are kinds.
    pub fn new(assignors: &[Assignor]) -> Self {
        let mut list = [None; Assignor::ALL.len()];
        for (place, &assignor) in list.iter_mut().zip(assignors) {
            *place = Some(assignor);
        }
        AssignorList(list)
    }

    /// They, in order.
    pub fn iter(&self) -> impl Iterator<Item = Assignor> + '_ {
        self.0.iter().flatten().copied()
    }

    /// True for what a client starts with: there is one, and none is there twice.
    pub fn is_valid(&self) -> bool {
        let count = |wanted: Assignor| self.iter().filter(|&assignor| assignor == wanted).count();
        self.iter().next().is_some() && Assignor::ALL.into_iter().all(|assignor| count(assignor) <= 1)
    }
}

/// Whose code the leader of the group runs. They differ in member order, in round robin and in the sticky assignors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Implementation<'a> {
    /// The Java client; the sticky assignors as of 3.5 and later.
    Java,
    /// The Java client before 2.3: the user data of `sticky` has no generation (KIP-341), so every claim is believed and
    /// a partition that two members claim stays with both. The others are as in [`Java`](Self::Java).
    JavaBefore23,
    /// librdkafka: range and round robin as in Java, except that it orders a static and a dynamic member by member id
    /// (not modelled). Its `cooperative-sticky` moves the lowest-numbered partitions; it has no `sticky`.
    Librdkafka,
    /// aiokafka: as in Java, but static members have no place of their own. (Its `sticky` is an older form of Java's general
    /// algorithm, which is not modelled.)
    Aiokafka,
    /// kafkajs, whose round robin deals what the leader subscribes to, in the order of its metadata, to all members in
    /// turn, whatever they subscribe to. It has no other assignor.
    Kafkajs(&'a [PartitionId]),
}

impl Assignor {
    /// All of Kafka's own, in the order in which its documentation names them.
    pub const ALL: [Self; 4] = [Self::Range, Self::RoundRobin, Self::Sticky, Self::CooperativeSticky];

    /// The name that members send in JoinGroup and that `librdkafka` takes as setting.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Range => "range",
            Self::RoundRobin => "roundrobin",
            Self::Sticky => "sticky",
            Self::CooperativeSticky => "cooperative-sticky",
            Self::RoundRobinAssigner => "RoundRobinAssigner",
        }
    }

    /// The class that the Java client takes as setting; the name of one that it does not have.
    pub const fn java_class(self) -> &'static str {
        match self {
            Self::RoundRobinAssigner => self.name(),
            Self::Range => "org.apache.kafka.clients.consumer.RangeAssignor",
            Self::RoundRobin => "org.apache.kafka.clients.consumer.RoundRobinAssignor",
            Self::Sticky => "org.apache.kafka.clients.consumer.StickyAssignor",
            Self::CooperativeSticky => "org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
        }
    }

    /// Whether a member with this assignor alone keeps its partitions while it joins. A list of assignors is as eager as
    /// its most eager one.
    pub const fn supports_cooperative(self) -> bool {
        matches!(self, Self::CooperativeSticky)
    }

    /// What the leader sends in SyncGroup: one list for each member, in the order of `members`. For
    /// [`CooperativeSticky`](Self::CooperativeSticky) a partition that another member has to revoke first is in no list.
    ///
    /// Range and round robin list by topic and number; the sticky assignors what a member keeps first, then what it gets.
    pub fn deal(self, by: Implementation<'_>, topics: &Topics, members: &[Subscription<'_>]) -> Vec<Vec<PartitionId>> {
        let has_static = !matches!(by, Implementation::Aiokafka);
        match (self, by) {
            (Self::RoundRobinAssigner, Implementation::Kafkajs(partitions)) => {
                round_robin::regardless(partitions, members)
            }
            (Self::Range, _) => range::range(topics, members, &in_order(members, has_static)),
            (Self::RoundRobin | Self::RoundRobinAssigner, _) => {
                round_robin::round_robin(topics, members, &in_order(members, has_static))
            }
            (Self::Sticky, _) => sticky::deal(by, topics, members).0,
            (Self::CooperativeSticky, _) => {
                let (mut dealt, moving) = match by {
                    Implementation::Librdkafka => sticky::deal(by, topics, members),
                    _ => sticky::deal(Implementation::Java, topics, members),
                };
                let moving = moving.unwrap_or_else(|| cooperative::moving(&dealt, members));
                cooperative::withhold(&mut dealt, &moving);
                dealt
            }
        }
    }
}

/// The assignors of the newer consumer protocol, run by the group coordinator (`group.consumer.assignors`, KIP-848).
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum ServerAssignor {
    /// Balanced over all topics, and partitions stay with their owners.
    Uniform,
    /// Each topic on its own, cut into ranges.
    Range,
}

/// Which members the `uniform` assignor gives one partition more where it does not divide evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extras {
    /// The first ones, even if others own more: Kafka 4.0.0.
    ToFirst,
    /// Those that own as many, then the last ones: Kafka 4.0.1 and later (KAFKA-18688).
    ToOwnersThenLast,
}

impl ServerAssignor {
    /// All, the default one first.
    pub const ALL: [Self; 2] = [Self::Uniform, Self::Range];

    /// The name that a member may ask for with `group.remote.assignor`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Range => "range",
        }
    }

    /// The class in the broker.
    pub const fn java_class(self) -> &'static str {
        match self {
            Self::Uniform => "org.apache.kafka.coordinator.group.assignor.UniformAssignor",
            Self::Range => "org.apache.kafka.coordinator.group.assignor.RangeAssignor",
        }
    }

    /// The target assignment: one list for each member, in the order of `members`, by topic and number.
    ///
    /// `uniform` walks topics and members in the order given; a broker walks them in the order of hashes of random ids.
    /// `extras` matters to `uniform` with equal subscriptions only.
    pub fn deal(self, extras: Extras, topics: &Topics, members: &[Subscription<'_>]) -> Vec<Vec<PartitionId>> {
        match self {
            Self::Uniform => uniform::uniform(extras, topics, members),
            Self::Range => range::range(topics, members, &in_order(members, true)),
        }
    }
}

/// The members as range and round robin walk them: static ones by instance id, then dynamic ones by member id
/// (`AbstractPartitionAssignor.MemberInfo`); all by member id where instance ids play no part.
fn in_order(members: &[Subscription<'_>], has_static: bool) -> Vec<usize> {
    let instance = |member: usize| if has_static { members[member].instance_id } else { None };
    let mut all = table::chosen(members.len(), &|_| true);
    order::by_text(&mut all, |&member| instance(member).unwrap_or(members[member].member_id));
    table::sort(&mut all, &|member| u64::from(instance(member).is_none()));
    all
}

/// Whether all members subscribe to the same topics, counting those that do not exist.
fn is_homogeneous(members: &[Subscription<'_>]) -> bool {
    let Some((first, others)) = members.split_first() else { return true };
    others.iter().all(|other| {
        other.topics.len() == first.topics.len() && other.topics.iter().all(|topic| first.topics.contains(topic))
    })
}
