//! What the group's leader does: deals the partitions, and looks for new ones.
//!
//! Source: `ConsumerCoordinator#{onLeaderElected, updateGroupSubscription, rejoinNeededOrPending}`. Every client knows the
//! partitions that there were when it last asked, `metadata.max.age.ms` ago at most. Only the leader acts when they change,
//! and it deals those that *it* knows.

use super::{Client, Membership};
use crate::sim::assignor::{Implementation, Subscription};
use crate::sim::effect::{Context, Out};
use crate::sim::event::{Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::network::{Dealt, Joined, MemberMetadata, Members};
use crate::sim::order;
use crate::sim::queue::Due;
use crate::sim::setup::{Library, Release};
use crate::sim::step::{Causes, Role};
use crate::sim::time::Time;
use std::rc::Rc;

/// Since this release `sticky` tells claims of an old generation from those of the last one (KIP-341).
const STICKY_GENERATIONS: Release = (2, 3);

/// The partition of each topic that a broker's metadata lists first, if there are as many.
const RING_BEGINS: usize = 4;

/// What a client knows of the partitions of the cluster, and what it does with that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Metadata {
    /// When it last asked.
    asked_at: Time,
    /// How many partitions there were then, over all topics: partitions are numbered as they come to be.
    known: usize,
    /// The topics of the whole group, while the client is the group's leader.
    watched: Option<Rc<[TopicId]>>,
}

impl Metadata {
    /// That of a client which starts now.
    pub(super) fn new(ctx: Context<'_>) -> Self {
        Metadata { asked_at: ctx.now, known: ctx.topics.partition_count(), watched: None }
    }

    fn ask(&mut self, ctx: Context<'_>) {
        *self = Metadata { watched: self.watched.take(), ..Metadata::new(ctx) };
    }
}

impl Client {
    /// `onLeaderElected`: all partitions that this client knows of all topics that any member subscribes to. A leader
    /// without an interest of its own in one of the topics asks for its partitions now.
    pub(super) fn deal(&mut self, ctx: Context<'_>, joined: &Joined, members: &Members) -> Dealt {
        let topics = self.lead(ctx, members);
        let (settings, known) = (&self.config.settings, self.metadata.known);
        let partitions: Vec<(TopicId, Vec<PartitionId>)> = topics
            .iter()
            .map(|&topic| {
                let all = ctx.topics.partitions_of(topic).iter().copied();
                (topic, all.filter(|partition| partition.index() < known).collect())
            })
            .collect();
        let has_user_data = joined.assignor == crate::sim::assignor::Assignor::Sticky;
        let subscriptions: Vec<Subscription<'_>> =
            members.iter().map(|member| subscription(member, has_user_data)).collect();
        let in_metadata_order;
        let by = match settings.library {
            Library::Java | Library::KafkaPython if settings.release < STICKY_GENERATIONS => {
                Implementation::JavaBefore23
            }
            Library::Java | Library::KafkaPython => Implementation::Java,
            Library::Librdkafka { .. } => Implementation::Librdkafka,
            Library::AioKafka { .. } => Implementation::Aiokafka,
            Library::KafkaJs { .. } => {
                in_metadata_order = self.in_metadata_order(&partitions);
                Implementation::Kafkajs(&in_metadata_order)
            }
        };
        let dealt = joined.assignor.deal(by, &partitions, &subscriptions);
        let assignment = members.iter().zip(dealt).map(|(member, part)| (member.key, part.into())).collect();
        Dealt { assignor: joined.assignor, members: members.clone(), assignment }
    }

    /// The partitions that this client subscribes to, as the broker's metadata lists them. The broker collects a topic's
    /// partitions in a hash set (`KRaftMetadataCache#getPartitionMetadata`), whose order goes down in a ring: where it begins
    /// depends on what else is said of them. A broker of Kafka 3.6 was seen to begin at partition 4, for 3 partitions, for 4
    /// and for 6. Nothing promises any order.
    #[inline(never)]
    fn in_metadata_order(&self, topics: &[(TopicId, Vec<PartitionId>)]) -> Vec<PartitionId> {
        let own = self.config.reads.topics();
        let all = topics.iter().filter(|(topic, _)| own.contains(topic));
        let down = |partitions: &[PartitionId]| {
            let (first, last) = partitions.split_at(partitions.len().min(RING_BEGINS + 1));
            [first, last].map(|part| part.iter().rev().copied().collect::<Vec<_>>()).concat()
        };
        all.flat_map(|(_, partitions)| down(partitions)).collect()
    }

    /// The client is the leader, and watches the topics of the whole group from now on. Returns them in the order of
    /// their names.
    pub(super) fn lead(&mut self, ctx: Context<'_>, members: &Members) -> Rc<[TopicId]> {
        let mut topics: Vec<TopicId> =
            members.iter().flat_map(|member| member.request.topics.iter().copied()).collect();
        order::by_number(&mut topics, |topic| u64::from(topic.0));
        topics.dedup();
        order::by_text(&mut topics, |topic| &ctx.setup.topics[topic.index()].name);
        if topics.iter().any(|topic| !self.config.reads.topics().contains(topic)) {
            self.metadata.ask(ctx);
        }
        let topics: Rc<[TopicId]> = topics.into();
        self.metadata.watched = Some(topics.clone());
        topics
    }

    /// True if it knows itself as the leader of its group.
    pub fn is_leader(&self) -> bool {
        self.metadata.watched.is_some()
    }

    /// The client is not the leader, or about to join again, which may make another one the leader.
    pub(super) fn follow(&mut self) {
        self.metadata.watched = None;
    }

    /// When the client next asks for metadata, if it does not know all partitions of the topics that it watches.
    pub fn asks_again_at(&self, ctx: Context<'_>) -> Option<Time> {
        let age = self.config.settings.metadata_max_age.as_micros().max(1);
        let periods = ctx.now.since(self.metadata.asked_at).as_micros() / age + 1;
        let at = Time::from_micros(self.metadata.asked_at.as_micros() + periods * age);
        (self.unknown_partitions(ctx) > 0).then_some(at)
    }

    /// It is time to ask for metadata. Nothing happens if that brings nothing new.
    pub fn handle_metadata_due(&mut self, ctx: Context<'_>, out: &mut Out) {
        let partitions = self.unknown_partitions(ctx);
        self.metadata.ask(ctx);
        // In the consumer protocol only the coordinator looks; a client knows the partitions that it is given.
        if partitions == 0 || self.is_modern() {
            return;
        }
        let rejoins = self.metadata.watched.is_some();
        let grew = ctx.topics.grew(self.watched().iter().copied());
        out.event(
            Event::MetadataRefreshed { consumer: self.consumer(), partitions, rejoins },
            Causes::NONE.and_maybe(Role::DecidedValue, grew),
        );
        if rejoins && self.rejoin.is_none() {
            self.rejoin = Some(ctx.step);
            self.standing.reason = RebalanceReason::MetadataChanged;
            if self.membership == Membership::Stable {
                out.wake(ctx.now, Due::Application(self.consumer(), self.key.incarnation));
            }
        }
    }

    /// The topics whose partitions it asks for.
    fn watched(&self) -> &[TopicId] {
        self.metadata.watched.as_deref().unwrap_or(self.config.reads.topics())
    }

    fn unknown_partitions(&self, ctx: Context<'_>) -> u32 {
        let all = self.watched().iter().flat_map(|&topic| ctx.topics.partitions_of(topic));
        all.filter(|partition| partition.index() >= self.metadata.known).count() as u32
    }
}

/// A member as the assignor sees it. `sticky` goes by what a member remembers of its last assignment, as its partitions
/// are revoked before it joins.
fn subscription(member: &MemberMetadata, has_user_data: bool) -> Subscription<'_> {
    let request = &member.request;
    let (owned, generation) = match &request.user_data {
        Some((owned, generation)) if has_user_data => (&owned[..], Some(*generation)),
        _ if has_user_data => (&[][..], None),
        _ => (&request.owned[..], request.generation),
    };
    Subscription {
        member_id: &member.id,
        instance_id: request.instance_id.as_deref(),
        topics: &request.topics,
        owned,
        generation,
    }
}
