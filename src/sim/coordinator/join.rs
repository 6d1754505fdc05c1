//! From the first JoinGroup to a new generation.

use super::{Group, GroupState, InitialDelay, Member};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{ErrorCode, Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::network::{JoinRequest, MemberIds, Message, Node};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::{Causes, Role};
use crate::sim::time::Span;
use std::rc::Rc;

/// How long the JoinGroup of a new member may wait: it cannot send heartbeats yet.
/// `GroupCoordinatorConfig#CLASSIC_GROUP_NEW_MEMBER_JOIN_TIMEOUT_MS`.
pub(super) const NEW_MEMBER_JOIN_TIMEOUT: Span = Span::from_secs(5 * 60);

impl Group {
    /// JoinGroup of a process that has no member id yet: it gets one and has to join again with it.
    /// If it does not do so within its session timeout, the coordinator forgets it.
    pub fn handle_first_join(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (key, id): (MemberKey, Rc<str>),
        request: &JoinRequest,
        out: &mut Out,
    ) {
        self.pending.push((key, id));
        out.wake(ctx.now + request.session_timeout, Due::PendingCheck(self.id, key));
        out.event(Event::MemberIdGiven { group: self.id, consumer: key.consumer }, Causes::triggered_by(sent_by));
        let answer = Message::JoinGroupAnswer { error: ErrorCode::MemberIdRequired, generation: 0, members: None };
        out.send(Node::Broker(self.broker), Node::Consumer(key), answer);
    }

    /// JoinGroup with a member id.
    ///
    /// A known member that joins again makes a rebalance necessary, whatever the state: its subscription carries its
    /// generation (KIP-792) and so differs from the one that the group has.
    pub fn handle_join(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        key: MemberKey,
        request: &JoinRequest,
        out: &mut Out,
    ) {
        if let Some(id) = self.take_pending(key) {
            self.add_member(ctx, key, id, request, out);
        }
        let Some(member) = self.member_mut(key) else {
            return self.refuse_join(sent_by, key, out);
        };
        member.joined = true;
        member.heard = ctx.step;
        member.heard_at = ctx.now;
        self.rebalance.last_join = Some(ctx.step);
        let missing = self.missing();
        out.event(
            Event::MemberJoined { group: self.id, consumer: key.consumer, missing },
            Causes::triggered_by(sent_by).and_maybe(Role::WaitedFor, self.rebalance.started),
        );
        match self.state {
            GroupState::PreparingRebalance => self.maybe_complete_join(ctx, out),
            _ => self.need_rebalance(ctx, RebalanceReason::MemberJoins, key.consumer, out),
        }
    }

    fn add_member(&mut self, ctx: Context<'_>, key: MemberKey, id: Rc<str>, request: &JoinRequest, out: &mut Out) {
        if self.state == GroupState::PreparingRebalance
            && self.generation == 0
            && let Some(initial) = &mut self.rebalance.initial
        {
            initial.new_member_added = true;
        }
        let mut member = Member {
            key,
            id,
            joined: false,
            is_new: true,
            syncing: false,
            synced: false,
            check_at: None,
            session_timeout: request.session_timeout,
            rebalance_timeout: request.rebalance_timeout,
            session_ends: ctx.now,
            heard_at: ctx.now,
            heard: ctx.step,
            assigned: Rc::new([]),
        };
        member.restart_session(ctx, NEW_MEMBER_JOIN_TIMEOUT, self.id, out);
        self.members.push(member);
        self.leader.get_or_insert(key);
    }

    fn refuse_join(&mut self, sent_by: StepNo, key: MemberKey, out: &mut Out) {
        let error = ErrorCode::UnknownMemberId;
        out.event(Event::JoinRejected { group: self.id, consumer: key.consumer, error }, Causes::triggered_by(sent_by));
        out.send(
            Node::Broker(self.broker),
            Node::Consumer(key),
            Message::JoinGroupAnswer { error, generation: 0, members: None },
        );
    }

    /// A rebalance is necessary: it begins in a step of its own at the same moment.
    pub(super) fn need_rebalance(
        &mut self,
        ctx: Context<'_>,
        reason: RebalanceReason,
        consumer: ConsumerId,
        out: &mut Out,
    ) {
        if self.rebalance.reason.is_none() {
            self.rebalance.reason = Some((reason, consumer, ctx.step));
            out.wake(ctx.now, Due::BeginRebalance(self.id));
        }
    }

    /// `prepareRebalance`: every member has to join again.
    pub fn begin_rebalance(&mut self, ctx: Context<'_>, out: &mut Out) {
        let Some((reason, consumer, because)) = self.rebalance.reason.take() else {
            return;
        };
        if self.members.is_empty() || self.state == GroupState::PreparingRebalance {
            return self.maybe_complete_join(ctx, out);
        }
        out.event(
            Event::RebalanceStarted { group: self.id, generation: self.generation, reason, consumer },
            Causes::triggered_by(because),
        );
        if self.state == GroupState::CompletingRebalance {
            self.refuse_waiting_syncs(ctx, out);
        }
        let longest_timeout = self.rebalance_timeout();
        let delay = ctx.setup.cluster.group_initial_rebalance_delay;
        let is_initial = self.state == GroupState::Empty;
        self.state = GroupState::PreparingRebalance;
        self.rebalance.round += 1;
        self.rebalance.started = Some(ctx.step);
        self.rebalance.completing = false;
        self.rebalance.initial = is_initial.then_some(InitialDelay {
            delay,
            remaining: longest_timeout.saturating_sub(delay),
            new_member_added: false,
        });
        self.rebalance.deadline = ctx.now + if is_initial { delay } else { longest_timeout };
        out.wake(self.rebalance.deadline, Due::JoinPhase(self.id, self.rebalance.round));
        out.effects.push(Effect::RebalanceBegins { group: self.id });
        self.maybe_complete_join(ctx, out);
    }

    /// The time of a join phase is up. An initial delay is prolonged while members keep coming; otherwise members
    /// that have not joined again are removed, one a step.
    pub fn handle_join_phase(&mut self, ctx: Context<'_>, round: u32, out: &mut Out) {
        if self.state != GroupState::PreparingRebalance || round != self.rebalance.round {
            return;
        }
        if let Some(initial) = &mut self.rebalance.initial {
            if initial.new_member_added && initial.remaining > Span::ZERO {
                let base = ctx.setup.cluster.group_initial_rebalance_delay;
                let next = base.min(initial.remaining);
                initial.remaining = initial.remaining.saturating_sub(initial.delay);
                initial.delay = next;
                initial.new_member_added = false;
                self.rebalance.deadline = ctx.now + next;
                out.wake(self.rebalance.deadline, Due::JoinPhase(self.id, round));
                return;
            }
            return self.complete_join(ctx, out);
        }
        match self.members.iter().position(|member| !member.joined) {
            Some(place) => {
                let member = self.remove_at(place);
                out.event(
                    Event::RebalanceTimedOut {
                        group: self.id,
                        consumer: member.key.consumer,
                        members: self.members.len() as u32,
                    },
                    Causes::NONE
                        .and_maybe(Role::WaitedFor, self.rebalance.started)
                        .and(Role::DecidedValue, member.heard),
                );
                out.wake(ctx.now, Due::JoinPhase(self.id, round));
            }
            None => self.complete_join(ctx, out),
        }
    }

    /// The join phase ends as decided a moment ago, unless it has ended meanwhile.
    pub fn handle_all_joined(&mut self, ctx: Context<'_>, out: &mut Out) {
        if self.state == GroupState::PreparingRebalance && self.rebalance.completing {
            self.complete_join(ctx, out);
        }
    }

    /// `completeClassicGroupJoin`: a new generation begins, and every JoinGroup is answered.
    fn complete_join(&mut self, ctx: Context<'_>, out: &mut Out) {
        self.rebalance.completing = false;
        self.rebalance.initial = None;
        self.generation += 1;
        if self.members.is_empty() {
            self.state = GroupState::Empty;
            self.empty_since = Some((ctx.now, ctx.step));
            self.plan_offsets_check(ctx, out);
            out.event(
                Event::GroupEmptied { group: self.id, generation: self.generation },
                Causes::NONE.and_maybe(Role::Triggered, self.rebalance.started),
            );
            out.effects.push(Effect::RebalanceEnds { group: self.id });
            return;
        }
        self.state = GroupState::CompletingRebalance;
        self.generation_step = Some(ctx.step);
        let leader = self.choose_leader();
        out.event(
            Event::GenerationStarted {
                group: self.id,
                generation: self.generation,
                leader: leader.consumer,
                members: self.members.len() as u32,
            },
            Causes::NONE
                .and_maybe(Role::Triggered, self.rebalance.started)
                .and_maybe(Role::WaitedFor, self.rebalance.last_join),
        );
        let members: MemberIds = self.members.iter().map(|member| (member.key, member.id.clone())).collect();
        let longest_timeout = self.rebalance_timeout();
        for member in &mut self.members {
            member.joined = false;
            member.is_new = false;
            member.synced = false;
            let answer = Message::JoinGroupAnswer {
                error: ErrorCode::None,
                generation: self.generation,
                members: (member.key == leader).then(|| members.clone()),
            };
            out.send(Node::Broker(self.broker), Node::Consumer(member.key), answer);
            member.hear(ctx, self.id, out);
        }
        out.wake(ctx.now + longest_timeout, Due::SyncCheck(self.id, self.generation));
    }

    /// The leader stays if it has joined; otherwise the first member that has.
    fn choose_leader(&mut self) -> MemberKey {
        let stays = self.leader.filter(|&leader| self.member(leader).is_some());
        let leader = stays.unwrap_or(self.members[0].key);
        self.leader = Some(leader);
        leader
    }

    /// Ends the join phase in a step of its own, if all members have joined and it is no initial delay.
    pub(super) fn maybe_complete_join(&mut self, ctx: Context<'_>, out: &mut Out) {
        let all_joined = self.missing() == 0;
        if self.state == GroupState::PreparingRebalance
            && self.rebalance.initial.is_none()
            && all_joined
            && !self.rebalance.completing
        {
            self.rebalance.completing = true;
            out.wake(ctx.now, Due::CompleteJoin(self.id));
        }
    }

    /// The longest that a member may need to join again.
    fn rebalance_timeout(&self) -> Span {
        self.members.iter().map(|member| member.rebalance_timeout).max().unwrap_or(Span::ZERO)
    }

    fn refuse_waiting_syncs(&mut self, ctx: Context<'_>, out: &mut Out) {
        for member in &mut self.members {
            let error = ErrorCode::RebalanceInProgress;
            member.answer_sync(ctx, error, Rc::new([]), ctx.step, (self.id, self.broker), out);
        }
    }
}
