//! How a member goes: by itself, unheard, or too slow to give up what it has to.

use super::super::Group;
use super::MemberState;
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{EpochReason, Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::network::{LEAVE_FOR_A_WHILE_EPOCH, MemberEpoch};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::{Causes, Role};
use std::rc::Rc;

impl Group {
    /// A heartbeat with a negative epoch: the member is removed at once.
    pub(super) fn handle_consumer_leave(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (key, epoch): (MemberKey, MemberEpoch),
        out: &mut Out,
    ) {
        let Some(place) = self.members.iter().position(|member| member.key == key) else {
            return;
        };
        if epoch == LEAVE_FOR_A_WHILE_EPOCH {
            return self.leave_for_a_while(ctx, (sent_by, place), out);
        }
        let member = self.remove_at(ctx, place);
        out.effects.push(Effect::Concerns(member.assigned));
        out.event(
            Event::MemberLeft { group: self.id, consumer: key.consumer, members: self.members.len() as u32 },
            Causes::triggered_by(sent_by),
        );
        self.lose(ctx, EpochReason::MemberLeft, key.consumer, out);
    }

    /// A static member stays, with what it has, until its session ends; what it had to give up is free
    /// (`consumerGroupStaticMemberGroupLeave`).
    fn leave_for_a_while(&mut self, ctx: Context<'_>, (sent_by, place): (StepNo, usize), out: &mut Out) {
        let member = &mut self.members[place];
        let (consumer, assigned) = (member.key.consumer, member.assigned.clone());
        let current = &mut member.current;
        let had_to_revoke = !std::mem::replace(&mut current.revoking, Rc::new([])).is_empty();
        current.epoch = LEAVE_FOR_A_WHILE_EPOCH;
        current.state = MemberState::Stable;
        current.revoke_by = None;
        if let Some(target) = self.target.as_mut().filter(|_| had_to_revoke) {
            target.released = Some(ctx.step);
        }
        out.event(
            Event::StaticMemberLeft { group: self.id, consumer, partitions: assigned.len() as u32 },
            Causes::triggered_by(sent_by),
        );
        out.effects.push(Effect::Concerns(assigned));
        self.update_state(out);
    }

    /// The coordinator looks whether a member has given up what it has to within its rebalance timeout, which is its
    /// `max.poll.interval.ms` (`scheduleConsumerGroupRebalanceTimeout`).
    /// `stopped` is the step that keeps it from saying anything, if one does.
    #[inline(never)]
    pub fn handle_revocation_check(
        &mut self,
        ctx: Context<'_>,
        key: MemberKey,
        stopped: Option<StepNo>,
        out: &mut Out,
    ) {
        let is_late = |current: &super::Current| {
            current.state == MemberState::UnrevokedPartitions && current.revoke_by == Some(ctx.now)
        };
        let Some(place) = self.members.iter().position(|member| member.key == key && is_late(&member.current)) else {
            return;
        };
        let member = self.remove_at(ctx, place);
        let current = &member.current;
        out.effects.push(Effect::Concerns(current.revoking().collect()));
        out.event(
            Event::RevocationTimedOut {
                group: self.id,
                consumer: key.consumer,
                partitions: current.revoking.len() as u32,
                members: self.members.len() as u32,
                waited: member.request.rebalance_timeout,
            },
            Causes::NONE.and_maybe(Role::Silenced, stopped).and_maybe(Role::WaitedFor, current.told),
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
        target.bumps.push_back((reason, consumer, ctx.step));
        out.wake(ctx.now, Due::BeginRebalance(self.id));
        self.plan_offsets_check_early(ctx, out);
    }

    /// True if the group epoch is about to rise.
    pub(in super::super) fn has_lost_a_member(&self) -> bool {
        self.target.as_ref().is_some_and(|target| !target.bumps.is_empty())
    }
}
