//! The target assignment.

use super::super::Group;
use crate::sim::assignor::{Extras, ServerAssignor, Subscription};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{EpochReason, Event};
use crate::sim::ids::*;
use crate::sim::network::Assignment;
use crate::sim::order;
use crate::sim::step::{Causes, Role};

impl Group {
    /// True if the group has moved on from its target and may have a new one: since 4.3 at most one in
    /// `group.consumer.assignment.interval.ms` (`canComputeNextTargetAssignment`).
    pub(super) fn needs_target(&self, ctx: Context<'_>) -> bool {
        let interval = ctx.setup.cluster.consumer_groups.assignment_interval;
        self.target.as_ref().is_some_and(|target| {
            self.generation > target.epoch && target.computed_at.is_none_or(|at| at + interval <= ctx.now)
        })
    }

    /// Computes the target assignment of the present group epoch, upon a heartbeat.
    pub(super) fn compute_target(&mut self, ctx: Context<'_>, because: StepNo, out: &mut Out) {
        let assignor = self.preferred_assignor(ctx);
        let topics = self.subscribed_by_name(ctx);
        let owned: Vec<_> = self.members.iter().map(|member| self.target_of(member.key)).collect();
        let subscriptions: Vec<Subscription<'_>> = self
            .members
            .iter()
            .zip(&owned)
            .map(|(member, owned)| Subscription {
                member_id: &member.id,
                instance_id: member.request.instance_id.as_deref(),
                topics: &member.request.topics,
                owned,
                generation: None,
            })
            .collect();
        let dealt = assignor.deal(Extras::ToOwnersThenLast, &topics, &subscriptions);
        let parts: Assignment =
            self.members.iter().zip(dealt).map(|(member, part)| (member.key, part.into())).collect();
        let (members, partitions) = (parts.len() as u32, parts.iter().map(|(_, part)| part.len() as u32).sum());
        let epoch = self.generation;
        out.effects.push(Effect::Assigns(parts.clone()));
        out.event(
            Event::TargetAssignmentComputed { group: self.id, epoch, assignor, members, partitions },
            // Where the same heartbeat raised the epoch, that is what it has to do with it.
            Causes::NONE
                .and_maybe(Role::DecidedValue, self.generation_step.filter(|&step| step != because))
                .and(Role::Triggered, because),
        );
        self.assignment_step = Some(ctx.step);
        if let Some(target) = &mut self.target {
            target.epoch = epoch;
            target.parts = parts;
            target.computed_at = Some(ctx.now);
        }
        self.update_state(out);
    }

    /// The assignor that most members ask for; of several, and without any, the first of the broker's list.
    /// (`ConsumerGroup#computePreferredServerAssignor`; among equal ones Kafka's choice depends on a hash map.)
    pub(in crate::sim) fn preferred_assignor(&self, ctx: Context<'_>) -> ServerAssignor {
        let votes = |assignor| self.members.iter().filter(|member| member.current.assignor == Some(assignor)).count();
        let list = &ctx.setup.cluster.consumer_groups.assignors;
        let mut best = (0, list.first().copied().unwrap_or(ServerAssignor::Uniform));
        for &assignor in list {
            if votes(assignor) > best.0 {
                best = (votes(assignor), assignor);
            }
        }
        best.1
    }

    /// The topics that some member subscribes to, in the order of their names, with their partitions.
    fn subscribed_by_name(&self, ctx: Context<'_>) -> Vec<(TopicId, Vec<PartitionId>)> {
        let mut topics: Vec<TopicId> = Vec::new();
        for &topic in self.members.iter().flat_map(|member| member.request.topics.iter()) {
            if !topics.contains(&topic) {
                topics.push(topic);
            }
        }
        order::by_text(&mut topics, |topic| &ctx.setup.topics[topic.index()].name);
        topics.into_iter().map(|topic| (topic, ctx.topics.partitions_of(topic).to_vec())).collect()
    }

    /// True if topics that the group subscribes to have other partitions than at the last look. The broker knows them by
    /// itself and looks with each heartbeat.
    pub(super) fn sees_other_partitions(&mut self, ctx: Context<'_>) -> bool {
        let before = match &self.target {
            Some(target) if target.seen.0 != ctx.topics.partition_count() => target.seen,
            _ => return false,
        };
        self.look_at_partitions(ctx);
        self.target.as_ref().is_some_and(|target| target.seen.1 != before.1)
    }

    /// Counts the partitions of the topics that the group subscribes to.
    fn look_at_partitions(&mut self, ctx: Context<'_>) {
        let subscribed = self.subscribed_by_name(ctx).iter().map(|(_, partitions)| partitions.len()).sum();
        if let Some(target) = &mut self.target {
            target.seen = (ctx.topics.partition_count(), subscribed);
        }
    }

    /// True if the group has looked since there are this many partitions over all topics.
    pub fn has_seen(&self, partitions: usize) -> bool {
        self.target.as_ref().is_none_or(|target| target.seen.0 == partitions)
    }

    /// Raises the group epoch: the target assignment is out of date.
    pub(super) fn bump_epoch(
        &mut self,
        ctx: Context<'_>,
        (reason, consumer): (EpochReason, ConsumerId),
        because: StepNo,
        out: &mut Out,
    ) {
        self.generation += 1;
        self.generation_step = Some(ctx.step);
        // Members may have brought or taken topics; and what is new of the partitions is part of what comes next.
        self.look_at_partitions(ctx);
        if self.members.is_empty()
            && let Some(target) = &mut self.target
        {
            target.epoch = self.generation;
            target.parts = std::rc::Rc::new([]);
        }
        let members = self.members.len() as u32;
        let subscribed = self.members.iter().flat_map(|member| member.request.topics.iter().copied());
        let grew = ctx.topics.grew(subscribed).filter(|_| reason == EpochReason::PartitionsAdded);
        out.event(
            Event::GroupEpochBumped { group: self.id, epoch: self.generation, reason, consumer, members },
            Causes::triggered_by(because).and_maybe(Role::DecidedValue, grew),
        );
        if members == 0 {
            out.effects.push(Effect::RebalanceEnds { group: self.id });
        } else if reason != EpochReason::GroupCreated {
            out.effects.push(Effect::RebalanceBegins { group: self.id });
        }
        self.update_state(out);
    }
}
