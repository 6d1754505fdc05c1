//! Who is still there: heartbeats, sessions, member ids that are never used, leaving.

use super::{Group, GroupState, Member};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{ErrorCode, Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::network::{Message, Node};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::{Causes, Role};
use crate::sim::time::{Span, Time};
use std::rc::Rc;

impl Group {
    /// Heartbeat: the session starts anew, and the member learns whether it has to join again.
    pub fn handle_heartbeat(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        key: MemberKey,
        generation: Generation,
        out: &mut Out,
    ) {
        let error = match self.state_met() {
            _ if self.member(key).is_none() => self.error_of_stranger(ctx, key),
            _ if generation != self.generation => ErrorCode::IllegalGeneration,
            GroupState::PreparingRebalance => ErrorCode::RebalanceInProgress,
            _ => ErrorCode::None,
        };
        let because = match error {
            ErrorCode::RebalanceInProgress => self.rebalance_step(),
            ErrorCode::IllegalGeneration => self.generation_step,
            _ => self.made_a_stranger(key, error),
        };
        out.event(
            Event::HeartbeatReceived { group: self.id, consumer: key.consumer, error },
            Causes::triggered_by(sent_by).and_maybe(Role::DecidedValue, because),
        );
        let id = self.id;
        if matches!(error, ErrorCode::None | ErrorCode::RebalanceInProgress)
            && let Some(member) = self.member_mut(key)
        {
            member.hear(ctx, id, out);
        }
        out.send(Node::Broker(self.broker), Node::Consumer(key), Message::HeartbeatAnswer { error });
    }

    /// LeaveGroup: the member is removed at once.
    pub fn handle_leave(&mut self, ctx: Context<'_>, sent_by: StepNo, key: MemberKey, out: &mut Out) {
        let was_pending = self.take_pending(key).is_some();
        let place = self.members.iter().position(|member| member.key == key);
        if let Some(place) = place {
            self.remove_at(ctx, place);
        } else if !was_pending {
            return;
        }
        out.event(
            Event::MemberLeft { group: self.id, consumer: key.consumer, members: self.members.len() as u32 },
            Causes::triggered_by(sent_by),
        );
        if place.is_some() {
            self.member_gone(ctx, RebalanceReason::MemberLeft, key.consumer, out);
        } else {
            self.maybe_complete_join(ctx, out);
        }
    }

    /// Looks whether a member's session has expired. A member that waits for an answer of the coordinator counts as
    /// alive (`ClassicGroupMember#hasSatisfiedHeartbeat`), a new one for five minutes at most.
    /// `stopped` is the step that ended the process, if one did. Returns when to look again, if the session goes on.
    pub fn handle_session_check(
        &mut self,
        ctx: Context<'_>,
        key: MemberKey,
        stopped: Option<StepNo>,
        out: &mut Out,
    ) -> Option<Time> {
        let place = self.members.iter().position(|member| member.key == key)?;
        let member = &mut self.members[place];
        if member.check_at != Some(ctx.now) {
            return None;
        }
        if (member.joined && !member.is_new) || member.syncing {
            member.check_at = None;
            return None;
        }
        if ctx.now < member.session_ends {
            member.check_at = Some(member.session_ends);
            return member.check_at;
        }
        let member = self.remove_at(ctx, place);
        out.effects.push(Effect::Concerns(member.assigned.clone()));
        out.event(
            Event::SessionExpired {
                group: self.id,
                consumer: key.consumer,
                members: self.members.len() as u32,
                silent: ctx.now.since(member.heard_at),
            },
            Causes::NONE.and_maybe(Role::Silenced, stopped).and(Role::DecidedValue, member.heard),
        );
        if member.joined {
            self.answer_join(key, Err(ErrorCode::UnknownMemberId), out);
        }
        self.member_gone(ctx, RebalanceReason::SessionExpired, key.consumer, out);
        None
    }

    /// A member id was given and has not been used for a session timeout.
    #[inline(never)]
    pub fn handle_pending_check(&mut self, ctx: Context<'_>, key: MemberKey, out: &mut Out) {
        let place = self.pending.iter().position(|pending| pending.key == key && pending.until == ctx.now);
        if let Some(place) = place {
            self.pending.remove(place);
            out.event(Event::MemberIdExpired { group: self.id, consumer: key.consumer }, Causes::NONE);
            self.maybe_complete_join(ctx, out);
        }
    }

    /// The process uses the member id that it has been given last. It may have been given one before: then that answer has
    /// got lost, and nobody will ever use that id.
    pub(super) fn take_pending(&mut self, key: MemberKey) -> Option<Rc<str>> {
        let place = self.pending.iter().rposition(|pending| pending.key == key)?;
        Some(self.pending.remove(place).id)
    }

    pub(super) fn member_gone(
        &mut self,
        ctx: Context<'_>,
        reason: RebalanceReason,
        consumer: ConsumerId,
        out: &mut Out,
    ) {
        match self.state {
            _ if self.is_modern() => self.modern_member_gone(ctx, reason, consumer, out),
            GroupState::PreparingRebalance => self.maybe_complete_join(ctx, out),
            GroupState::Empty => {}
            // Nobody is left to join: the rebalance ends at once with a generation that nobody is in.
            _ if self.members.is_empty() => {
                self.state = GroupState::PreparingRebalance;
                self.rebalance.initial = None;
                self.rebalance.completing = true;
                out.wake(ctx.now, Due::CompleteJoin(self.id));
            }
            _ => self.need_rebalance(ctx, reason, consumer, out),
        }
    }

    pub(super) fn remove_at(&mut self, ctx: Context<'_>, place: usize) -> Member {
        let member = self.members.remove(place);
        self.note_removed(ctx, member.key);
        if self.leader == Some(member.key) {
            let joined = self.members.iter().find(|member| member.joined);
            self.leader = joined.or(self.members.first()).map(|member| member.key);
        }
        member
    }
}

impl Member {
    /// When the coordinator last heard it, if its session runs from then on and is longer than `interval`.
    pub fn heard_within(&self, interval: Span) -> Option<Time> {
        let timeout = self.request.session_timeout;
        let runs = self.session_ends == self.heard_at + timeout && interval < timeout;
        runs.then_some(self.heard_at)
    }

    /// It is heard again and again for `span` within `step`.
    pub fn skip_heartbeats(&mut self, span: Span, step: StepNo) {
        self.heard = step;
        self.heard_at += span;
        self.session_ends += span;
        if let Some(check_at) = &mut self.check_at {
            *check_at += span;
        }
    }

    /// The coordinator has heard the member: its session starts anew.
    pub(super) fn hear(&mut self, ctx: Context<'_>, group: GroupId, out: &mut Out) {
        self.heard = ctx.step;
        self.heard_at = ctx.now;
        self.restart_session(ctx, self.request.session_timeout, group, out);
    }

    /// One check is under way for each session; it puts itself off when it comes too early, so that hearing a member
    /// costs nothing.
    pub(super) fn restart_session(&mut self, ctx: Context<'_>, timeout: Span, group: GroupId, out: &mut Out) {
        self.session_ends = ctx.now + timeout;
        if self.check_at.is_none_or(|check_at| check_at > self.session_ends) {
            self.check_at = Some(self.session_ends);
            out.wake(self.session_ends, Due::SessionCheck(group, self.key));
        }
    }
}
