//! How a member goes: by itself, unheard, or too slow to give up what it has to.

use super::super::Group;
use super::MemberState;
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{EpochReason, Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::{Causes, Role};

impl Group {
    /// A heartbeat with a negative epoch: the member is removed at once.
    pub(super) fn handle_consumer_leave(&mut self, ctx: Context<'_>, sent_by: StepNo, key: MemberKey, out: &mut Out) {
        let Some(place) = self.members.iter().position(|member| member.key == key) else {
            return;
        };
        let member = self.remove_at(place);
        out.effects.push(Effect::Concerns(member.assigned));
        out.event(
            Event::MemberLeft { group: self.id, consumer: key.consumer, members: self.members.len() as u32 },
            Causes::triggered_by(sent_by),
        );
        self.lose(ctx, EpochReason::MemberLeft, key.consumer, out);
    }

    /// The coordinator looks whether a member has given up what it has to within its rebalance timeout, which is its
    /// `max.poll.interval.ms` (`scheduleConsumerGroupRebalanceTimeout`).
    pub fn handle_revocation_check(&mut self, ctx: Context<'_>, key: MemberKey, out: &mut Out) {
        let is_late = |current: &super::Current| {
            current.state == MemberState::UnrevokedPartitions && current.revoke_by == Some(ctx.now)
        };
        let Some(place) = self.members.iter().position(|member| member.key == key && is_late(&member.current)) else {
            return;
        };
        let member = self.remove_at(place);
        let current = &member.current;
        out.effects.push(Effect::Concerns(current.revoking().collect()));
        out.event(
            Event::RevocationTimedOut {
                group: self.id,
                consumer: key.consumer,
                partitions: current.revoking.len() as u32,
                members: self.members.len() as u32,
                waited: member.rebalance_timeout,
            },
            Causes::NONE.and_maybe(Role::WaitedFor, current.told),
        );
        self.lose(ctx, EpochReason::RevocationTimedOut, key.consumer, out);
    }

    /// A member's session has expired.
    pub(in super::super) fn modern_member_gone(
        &mut self,
        ctx: Context<'_>,
        reason: RebalanceReason,
        consumer: ConsumerId,
        out: &mut Out,
    ) {
        let reason = match reason {
            RebalanceReason::SessionExpired => EpochReason::SessionExpired,
            _ => EpochReason::MemberLeft,
        };
        self.lose(ctx, reason, consumer, out);
    }

    /// A member is gone: its partitions are free, and the group epoch rises in a step of its own at the same moment.
    fn lose(&mut self, ctx: Context<'_>, reason: EpochReason, consumer: ConsumerId, out: &mut Out) {
        let Some(target) = &mut self.target else { return };
        target.released = Some(ctx.step);
        if target.bump.is_none() {
            target.bump = Some((reason, consumer, ctx.step));
            out.wake(ctx.now, Due::BeginRebalance(self.id));
        }
    }

    /// The group epoch rises as decided a moment ago.
    pub(in super::super) fn bump_after_loss(&mut self, ctx: Context<'_>, out: &mut Out) {
        let bump = self.target.as_mut().and_then(|target| target.bump.take());
        if let Some((reason, consumer, because)) = bump {
            self.bump_epoch(ctx, (reason, consumer), because, out);
        }
    }

    /// True if the group epoch is about to rise; a heartbeat of this moment waits for that.
    pub(in super::super) fn has_lost_a_member(&self) -> bool {
        self.target.as_ref().is_some_and(|target| target.bump.is_some())
    }
}
