//! JoinGroup: who may join, and what is answered at once.

use super::modern::Current;
use super::{Group, GroupState, Member, Pending};
use crate::sim::effect::{Context, Out};
use crate::sim::event::{ErrorCode, Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::network::{JoinRequest, Joined, Members, Message, Node};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::{Causes, Role};
use crate::sim::time::Span;
use std::rc::Rc;

/// How long the JoinGroup of a new member may wait: it cannot send heartbeats yet.
/// `GroupCoordinatorConfig#CLASSIC_GROUP_NEW_MEMBER_JOIN_TIMEOUT_MS`.
pub(super) const NEW_MEMBER_JOIN_TIMEOUT: Span = Span::from_secs(5 * 60);

impl Group {
    /// JoinGroup of a process that has no member id yet.
    ///
    /// A static member takes its place at once. A dynamic one gets an id and has to join again with it (KIP-394; not where
    /// client or broker is older); if it does not do so within its session timeout, the coordinator forgets it.
    pub fn handle_first_join(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (key, id): (MemberKey, Rc<str>),
        request: &Rc<JoinRequest>,
        out: &mut Out,
    ) {
        if let Some(error) = self.join_error(ctx, None, request) {
            return self.refuse_join(sent_by, key, error, out);
        }
        match &request.instance_id {
            None if request.joins_twice => {
                let until = ctx.now + request.session_timeout;
                self.pending.push(Pending { key, id, until });
                out.wake(until, Due::PendingCheck(self.id, key));
                out.event(
                    Event::MemberIdGiven { group: self.id, consumer: key.consumer },
                    Causes::triggered_by(sent_by),
                );
                self.answer_join(key, Err(ErrorCode::MemberIdRequired), out);
            }
            instance => match instance.as_ref().and_then(|instance| self.static_member(instance)) {
                Some(place) => self.replace_static(ctx, sent_by, place, (key, id), request, out),
                None => {
                    self.add_member(ctx, key, id, request, out);
                    self.note_joined(ctx, sent_by, key, RebalanceReason::MemberJoins, out);
                }
            },
        }
    }

    /// JoinGroup with a member id.
    ///
    /// In Stable a rebalance begins if the member is the leader, which may know of new partitions, or says something
    /// else than before; in CompletingRebalance if it says something else. Otherwise the answer has got lost, and it is
    /// given once more (`classicGroupJoinExistingMember`).
    pub fn handle_join(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        key: MemberKey,
        request: &Rc<JoinRequest>,
        out: &mut Out,
    ) {
        if let Some(error) = self.join_error(ctx, Some(key), request) {
            self.take_pending(key);
            return self.refuse_join(sent_by, key, error, out);
        }
        if let Some(id) = self.take_pending(key) {
            self.add_member(ctx, key, id, request, out);
            return self.note_joined(ctx, sent_by, key, RebalanceReason::MemberJoins, out);
        }
        let state = self.state_met();
        let is_leader = self.leader == Some(key);
        let Some(member) = self.member_mut(key) else {
            let error = self.error_of_stranger(ctx, key);
            return self.refuse_join(sent_by, key, error, out);
        };
        let says_the_same = member.request.says_the_same(request);
        member.request = request.clone();
        let is_repeated = match state {
            GroupState::CompletingRebalance => says_the_same,
            GroupState::Stable => says_the_same && !is_leader,
            _ => false,
        };
        if is_repeated {
            let joined = self.joined(is_leader, false);
            out.event(
                Event::MemberJoined { group: self.id, consumer: key.consumer, missing: 0 },
                Causes::triggered_by(sent_by),
            );
            return self.answer_join(key, joined, out);
        }
        self.note_joined(ctx, sent_by, key, request.reason, out);
    }

    /// The member has joined; the answer waits for the others.
    fn note_joined(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        key: MemberKey,
        reason: RebalanceReason,
        out: &mut Out,
    ) {
        if let Some(member) = self.member_mut(key) {
            member.joined = true;
            member.heard = ctx.step;
            member.heard_at = ctx.now;
        }
        self.rebalance.last_join = Some(ctx.step);
        let missing = self.missing();
        out.event(
            Event::MemberJoined { group: self.id, consumer: key.consumer, missing },
            Causes::triggered_by(sent_by).and_maybe(Role::WaitedFor, self.rebalance.started),
        );
        match self.state {
            GroupState::PreparingRebalance => self.maybe_complete_join(ctx, out),
            _ => self.need_rebalance(ctx, reason, key.consumer, out),
        }
    }

    fn add_member(&mut self, ctx: Context<'_>, key: MemberKey, id: Rc<str>, request: &Rc<JoinRequest>, out: &mut Out) {
        if self.state == GroupState::PreparingRebalance
            && self.prolongs_initial_delay(ctx)
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
            request: request.clone(),
            session_ends: ctx.now,
            heard_at: ctx.now,
            heard: ctx.step,
            assigned: Rc::new([]),
            current: Current::default(),
        };
        member.restart_session(ctx, NEW_MEMBER_JOIN_TIMEOUT, self.id, out);
        self.members.push(member);
        self.leader.get_or_insert(key);
    }

    /// Why a JoinGroup is refused whatever else it says: the group is full (`acceptJoiningMember`), or the member has no
    /// assignor in common with all the others (`ClassicGroup#supportsProtocols`).
    fn join_error(&self, ctx: Context<'_>, key: Option<MemberKey>, request: &JoinRequest) -> Option<ErrorCode> {
        let member = key.and_then(|key| self.member(key));
        let most = ctx.setup.cluster.group_max_size as usize;
        let state = self.state_met();
        let is_accepted = match state {
            GroupState::Empty => true,
            GroupState::PreparingRebalance => {
                member.is_some_and(|member| member.joined)
                    || self.members.iter().filter(|member| member.joined).count() < most
            }
            _ => member.is_some() || self.members.len() < most,
        };
        if !is_accepted {
            return Some(ErrorCode::GroupMaxSizeReached);
        }
        let is_common = request.assignors.iter().any(|&assignor| self.all_support(assignor));
        (state != GroupState::Empty && !is_common).then_some(ErrorCode::InconsistentGroupProtocol)
    }

    #[inline(never)]
    fn refuse_join(&mut self, sent_by: StepNo, key: MemberKey, error: ErrorCode, out: &mut Out) {
        let because = self.made_a_stranger(key, error);
        out.event(
            Event::JoinRejected { group: self.id, consumer: key.consumer, error },
            Causes::triggered_by(sent_by).and_maybe(Role::DecidedValue, because),
        );
        self.answer_join(key, Err(error), out);
    }

    /// The answer to a JoinGroup in the present generation.
    pub(super) fn joined(&self, is_leader: bool, skips_assignment: bool) -> Result<Joined, ErrorCode> {
        let assignor = self.assignor.ok_or(ErrorCode::UnknownMemberId)?;
        let members: Option<Members> = is_leader.then(|| self.members.iter().map(Member::metadata).collect());
        Ok(Joined { generation: self.generation, assignor, members, skips_assignment })
    }

    pub(super) fn answer_join(&self, key: MemberKey, answer: Result<Joined, ErrorCode>, out: &mut Out) {
        out.send(Node::Broker(self.broker), Node::Consumer(key), Message::JoinGroupAnswer(answer));
    }
}
