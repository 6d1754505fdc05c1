//! Committed offsets that are kept for long enough are forgotten.
//!
//! Source: `OffsetMetadataManager#cleanupExpiredOffsets`, `ClassicGroup#offsetExpirationCondition`,
//! `ConsumerGroup#offsetExpirationCondition`, `OffsetExpirationConditionImpl`, KIP-211. The coordinator looks every `offsets.retention.check.interval.ms`; here it
//! does so only where something may have expired.

use super::{Group, GroupState};
use crate::sim::effect::{Context, Out};
use crate::sim::event::Event;
use crate::sim::ids::*;
use crate::sim::network::Committed;
use crate::sim::queue::{Due, MemberKey};
use crate::sim::setup::RetentionFrom;
use crate::sim::step::{Causes, Role};
use crate::sim::time::{Span, Time};

/// The first check of the coordinator at or after a moment.
fn check_at(ctx: Context<'_>, moment: Time) -> Time {
    let every = ctx.setup.cluster.offsets.check_interval.as_micros().max(1);
    Time::from_micros(moment.as_micros().div_ceil(every) * every)
}

impl Group {
    /// An offset has been committed, or the group has lost its last member: from now on, it may expire.
    #[inline]
    pub(super) fn plan_offsets_check(&mut self, ctx: Context<'_>, out: &mut Out) {
        if self.offsets_check.is_none() && ctx.now + ctx.setup.cluster.offsets.retention <= ctx.setup.ends_at {
            self.plan_offsets_check_at(ctx, ctx.now + ctx.setup.cluster.offsets.retention, out);
        }
    }

    /// A member is gone, and with it perhaps the last that subscribed to a topic: what has been committed of that topic may
    /// have been kept for long enough already, or will have been before anything else is looked at.
    pub(super) fn plan_offsets_check_early(&mut self, ctx: Context<'_>, out: &mut Out) {
        let Some(oldest) = self.offsets.committed.iter().flatten().map(|committed| committed.at).min() else {
            return;
        };
        let moment = (oldest + ctx.setup.cluster.offsets.retention).max(ctx.now);
        if self.offsets_check.is_none_or(|planned| check_at(ctx, moment) < planned) {
            self.plan_offsets_check_at(ctx, moment, out);
        }
    }

    fn plan_offsets_check_at(&mut self, ctx: Context<'_>, moment: Time, out: &mut Out) {
        let at = check_at(ctx, moment);
        self.offsets_check = Some(at).filter(|&at| at <= ctx.setup.ends_at);
        if let Some(at) = self.offsets_check {
            out.wake(at, Due::OffsetsCheck(self.id));
        }
    }

    /// The offset was committed before the run.
    pub fn begin_with(&mut self, ctx: Context<'_>, (partition, offset): (PartitionId, Offset), out: &mut Out) {
        self.offsets.committed[partition.index()] = Some(Committed { offset, at: Time::ZERO, step: None });
        self.plan_offsets_check(ctx, out);
    }

    /// Forgets the next offset that has expired, or plans when to look again. `subscribes` tells whether a member reads a
    /// topic.
    #[inline(never)]
    pub fn handle_offsets_check(
        &mut self,
        ctx: Context<'_>,
        subscribes: impl Fn(MemberKey, TopicId) -> bool,
        out: &mut Out,
    ) {
        // One that was planned for an earlier moment has taken its place.
        if self.offsets_check.take_if(|at| *at == ctx.now).is_none() {
            return;
        }
        let cluster = &ctx.setup.cluster.offsets;
        let retention = cluster.retention;
        let rebalances = matches!(self.state, GroupState::PreparingRebalance | GroupState::CompletingRebalance);
        if rebalances && cluster.from == RetentionFrom::Empty {
            return self.plan_offsets_check_at(ctx, ctx.now + Span::from_micros(1), out);
        }
        let mut next: Option<Time> = None;
        for index in 0..self.offsets.committed.len() {
            let partition = PartitionId::at(index);
            let Some(committed) = self.offsets.committed[index] else { continue };
            let topic = ctx.topics.place(partition).topic;
            let is_subscribed = self.members.iter().any(|member| subscribes(member.key, topic));
            let Some(since) = self.unused_since(committed, is_subscribed, ctx) else { continue };
            if since + retention > ctx.now {
                next = Some(next.map_or(since + retention, |next| next.min(since + retention)));
                continue;
            }
            self.forget_offset(ctx, (partition, committed), ctx.now.since(since), out);
            self.offsets_check = Some(ctx.now);
            return out.wake(ctx.now, Due::OffsetsCheck(self.id));
        }
        if let Some(next) = next {
            self.plan_offsets_check_at(ctx, next, out);
        }
    }

    /// From when on the retention of a committed offset counts; nothing while it cannot expire.
    fn unused_since(&self, committed: Committed, is_subscribed: bool, ctx: Context<'_>) -> Option<Time> {
        match (ctx.setup.cluster.offsets.from, self.state) {
            (RetentionFrom::Commit, _) => Some(committed.at),
            // A group of the consumer protocol counts from the commit also while it has no members.
            (RetentionFrom::Empty, GroupState::Empty) if !self.is_modern() => {
                Some(self.empty_since.map_or(committed.at, |(since, _)| since))
            }
            (RetentionFrom::Empty, _) => Some(committed.at).filter(|_| !is_subscribed),
        }
    }

    fn forget_offset(
        &mut self,
        ctx: Context<'_>,
        (partition, committed): (PartitionId, Committed),
        unused: Span,
        out: &mut Out,
    ) {
        self.offsets.committed[partition.index()] = None;
        let is_empty = self.state == GroupState::Empty && ctx.setup.cluster.offsets.from == RetentionFrom::Empty;
        let emptied = self.empty_since.filter(|_| is_empty).map(|(_, step)| step);
        out.event(
            Event::OffsetExpired { group: self.id, partition, offset: committed.offset, unused },
            Causes::NONE.and_maybe(Role::Triggered, emptied).and_maybe(Role::DecidedValue, committed.step),
        );
        // A group without members and offsets is gone: who joins under its name founds a new one.
        if self.state == GroupState::Empty && self.offsets.committed.iter().all(Option::is_none) {
            self.generation = 0;
            self.empty_since = None;
            self.forget_epochs(ctx);
        }
    }
}
