//! The join phase of a rebalance, from its cause to a new generation.

use super::{Group, GroupState, InitialDelay, Member};
use crate::sim::assignor::Assignor;
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{ErrorCode, Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::network::MemberMetadata;
use crate::sim::queue::Due;
use crate::sim::setup::Release;
use crate::sim::step::{Causes, Role};
use crate::sim::time::Span;
use std::rc::Rc;

/// The assignors in the order in which a Java hash map of their names is walked: of those with equally many votes the
/// first one wins.
///
/// Nobody who has that of kafkajs has another one.
const IN_ORDER_OF_HASH: [Assignor; 5] = [
    Assignor::Sticky,
    Assignor::Range,
    Assignor::RoundRobin,
    Assignor::CooperativeSticky,
    Assignor::RoundRobinAssigner,
];

/// Since this release, where the new group coordinator is the only one.
const PROLONGED_WHEN_EMPTIED: Release = (4, 0);

impl Group {
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

    /// The state that a request meets. A rebalance that has become necessary and begins in a step of its own is under way
    /// already: Kafka changes the state at once, and two requests can come in one moment.
    pub(super) fn state_met(&self) -> GroupState {
        match self.rebalance.reason {
            Some(_) => GroupState::PreparingRebalance,
            None => self.state,
        }
    }

    /// The step that began the rebalance under way, or made it necessary if it begins only now.
    pub(super) fn rebalance_step(&self) -> Option<StepNo> {
        self.rebalance.reason.map(|(_, _, because)| because).or(self.rebalance.started)
    }

    /// `prepareRebalance`: every member has to join again.
    pub fn begin_rebalance(&mut self, ctx: Context<'_>, out: &mut Out) {
        if self.is_modern() {
            return self.go_on_in_order(ctx, out);
        }
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
        let delay = self.initial_rebalance_delay;
        let is_initial = self.state == GroupState::Empty;
        self.state = GroupState::PreparingRebalance;
        self.rebalance.round += 1;
        self.rebalance.started = Some(ctx.step);
        self.rebalance.completing = false;
        self.rebalance.initial = is_initial.then_some(InitialDelay {
            delay,
            remaining: longest_timeout.saturating_sub(delay),
            // Of those that joined in this moment, only the first found the group empty.
            new_member_added: self.members.len() > 1 && self.prolongs_initial_delay(ctx),
        });
        self.rebalance.deadline = ctx.now + if is_initial { delay } else { longest_timeout };
        out.wake(self.rebalance.deadline, Due::JoinPhase(self.id, self.rebalance.round));
        out.effects.push(Effect::RebalanceBegins { group: self.id });
        self.maybe_complete_join(ctx, out);
    }

    /// True if whoever joins during an initial delay prolongs it: in a new group, since 4.0 in one that has become empty
    /// too (`GroupMetadata.generationId` in `GroupCoordinator#addMemberAndRebalance`, `ClassicGroup#previousState` in
    /// `GroupMetadataManager#addMemberThenRebalanceOrCompleteJoin`).
    pub(super) fn prolongs_initial_delay(&self, ctx: Context<'_>) -> bool {
        self.generation == 0 || ctx.setup.cluster.release >= PROLONGED_WHEN_EMPTIED
    }

    /// The time of a join phase is up. An initial delay is prolonged while members keep coming; otherwise members
    /// that have not joined again are removed, one a step. Static ones stay until their sessions end.
    pub fn handle_join_phase(&mut self, ctx: Context<'_>, round: u32, out: &mut Out) {
        if self.state != GroupState::PreparingRebalance || round != self.rebalance.round {
            return;
        }
        if let Some(initial) = &mut self.rebalance.initial {
            if initial.new_member_added && initial.remaining > Span::ZERO {
                let next = self.initial_rebalance_delay.min(initial.remaining);
                initial.remaining = initial.remaining.saturating_sub(initial.delay);
                initial.delay = next;
                initial.new_member_added = false;
                self.rebalance.deadline = ctx.now + next;
                out.wake(self.rebalance.deadline, Due::JoinPhase(self.id, round));
                return;
            }
            return self.complete_join(ctx, out);
        }
        match self.members.iter().position(|member| !member.joined && !member.is_static()) {
            Some(place) => {
                self.time_out(ctx, place, self.rebalance.started, out);
                out.wake(ctx.now, Due::JoinPhase(self.id, round));
            }
            None => self.complete_join(ctx, out),
        }
    }

    /// Removes a member that has not done in time what the step `since` asked it to.
    pub(super) fn time_out(
        &mut self,
        ctx: Context<'_>,
        place: usize,
        since: Option<StepNo>,
        out: &mut Out,
    ) -> ConsumerId {
        let member = self.remove_at(ctx, place);
        let consumer = member.key.consumer;
        out.event(
            Event::RebalanceTimedOut { group: self.id, consumer, members: self.members.len() as u32 },
            Causes::NONE.and_maybe(Role::WaitedFor, since).and(Role::DecidedValue, member.heard),
        );
        consumer
    }

    /// The join phase ends as decided a moment ago, unless it has ended meanwhile.
    pub fn handle_all_joined(&mut self, ctx: Context<'_>, out: &mut Out) {
        if self.state == GroupState::PreparingRebalance && self.rebalance.completing {
            self.complete_join(ctx, out);
        }
    }

    /// `completeClassicGroupJoin`: a new generation begins, and every JoinGroup is answered.
    ///
    /// Where only static members are left and none has come, the group waits for as long again.
    fn complete_join(&mut self, ctx: Context<'_>, out: &mut Out) {
        self.rebalance.completing = false;
        let Some(leader) = self.choose_leader() else {
            if !self.members.is_empty() {
                self.rebalance.deadline = ctx.now + self.rebalance_timeout();
                return out.wake(self.rebalance.deadline, Due::JoinPhase(self.id, self.rebalance.round));
            }
            self.rebalance.initial = None;
            self.generation += 1;
            self.assignor = None;
            self.state = GroupState::Empty;
            self.empty_since = Some((ctx.now, ctx.step));
            self.plan_offsets_check(ctx, out);
            out.event(
                Event::GroupEmptied { group: self.id, generation: self.generation },
                Causes::NONE.and_maybe(Role::Triggered, self.rebalance.started),
            );
            return out.effects.push(Effect::RebalanceEnds { group: self.id });
        };
        self.rebalance.initial = None;
        self.generation += 1;
        self.state = GroupState::CompletingRebalance;
        if self.offsets_check.is_none() {
            self.plan_offsets_check_early(ctx, out);
        }
        self.generation_step = Some(ctx.step);
        self.assignor = self.choose_assignor();
        debug_assert!(self.assignor.is_some(), "only who has an assignor in common with the others is let in");
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
        let (for_leader, for_others) = (self.joined(true, false), self.joined(false, false));
        for place in 0..self.members.len() {
            let (id, key) = (self.id, self.members[place].key);
            let answer = if key == leader { for_leader.clone() } else { for_others.clone() };
            if self.members[place].joined {
                self.answer_join(key, answer, out);
                self.members[place].hear(ctx, id, out);
            } else {
                let timeout = self.members[place].request.session_timeout;
                self.members[place].restart_session(ctx, timeout, id, out);
            }
            let member = &mut self.members[place];
            (member.joined, member.is_new, member.synced) = (false, false, false);
        }
        out.wake(ctx.now + self.rebalance_timeout(), Due::SyncCheck(self.id, self.generation));
    }

    /// The leader stays if it has joined; otherwise the first member that has. Nothing if none has.
    fn choose_leader(&mut self) -> Option<crate::sim::MemberKey> {
        let has_joined = |&leader: &_| self.member(leader).is_some_and(|member| member.joined);
        let stays = self.leader.filter(has_joined);
        let leader = stays.or_else(|| self.members.iter().find(|member| member.joined).map(|member| member.key))?;
        self.leader = Some(leader);
        Some(leader)
    }

    /// `ClassicGroup#selectProtocol`: each member votes for the first of its assignors that all members support.
    pub(super) fn choose_assignor(&self) -> Option<Assignor> {
        let vote =
            |member: &Member| member.request.assignors.iter().copied().find(|&assignor| self.all_support(assignor));
        let votes = |assignor| self.members.iter().filter(|member| vote(member) == Some(assignor)).count();
        let mut chosen = None;
        for assignor in IN_ORDER_OF_HASH {
            let count = votes(assignor);
            if chosen.is_none_or(|(_, most)| count > most) && count > 0 {
                chosen = Some((assignor, count));
            }
        }
        chosen.map(|(assignor, _)| assignor)
    }

    /// True if every member can work with this assignor.
    pub(super) fn all_support(&self, assignor: Assignor) -> bool {
        self.members.iter().all(|member| member.request.assignors.contains(&assignor))
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
        self.members.iter().map(|member| member.request.rebalance_timeout).max().unwrap_or(Span::ZERO)
    }

    fn refuse_waiting_syncs(&mut self, ctx: Context<'_>, out: &mut Out) {
        for member in &mut self.members {
            let error = ErrorCode::RebalanceInProgress;
            member.answer_sync(ctx, error, Rc::new([]), ctx.step, (self.id, self.broker), out);
        }
    }
}

impl Member {
    /// True for a static member.
    pub fn is_static(&self) -> bool {
        self.request.instance_id.is_some()
    }

    /// What the group's leader is told of it.
    pub(super) fn metadata(&self) -> MemberMetadata {
        MemberMetadata { key: self.key, id: self.id.clone(), request: self.request.clone() }
    }
}
