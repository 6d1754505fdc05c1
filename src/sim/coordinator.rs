//! The group coordinator: the classic group protocol and committed offsets.
//!
//! Source: `org.apache.kafka.coordinator.group.GroupMetadataManager` (the `classicGroup...` methods),
//! `classic.ClassicGroup`, `OffsetMetadataManager#validateOffsetCommit`. What the coordinator stores in
//! `__consumer_offsets` is durable and outlives every member; in this world the broker itself does not fail.

use super::effect::{Context, Effect, Out};
use super::event::{ErrorCode, Event, RebalanceReason};
use super::ids::*;
use super::network::{Assignment, Committed, MemberIds, Message, Node, PartitionOffset};
use super::queue::{Due, MemberKey};
use super::step::{Causes, Role};
use super::time::{Span, Time};
use std::collections::VecDeque;
use std::rc::Rc;

/// How long the JoinGroup of a new member may wait: it cannot send heartbeats yet.
/// `GroupCoordinatorConfig#CLASSIC_GROUP_NEW_MEMBER_JOIN_TIMEOUT_MS`.
const NEW_MEMBER_JOIN_TIMEOUT: Span = Span::from_secs(5 * 60);

/// The state of a group, as in `ClassicGroupState`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupState {
    /// No members.
    Empty,
    /// Waits for the JoinGroup of every member.
    PreparingRebalance,
    /// Waits for the leader's SyncGroup.
    CompletingRebalance,
    /// Running.
    Stable,
}

/// A consumer group, as its coordinator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    id: GroupId,
    /// Its state.
    pub state: GroupState,
    /// The generation id; 0 before the first.
    pub generation: Generation,
    /// The step that started the generation.
    pub generation_step: Option<StepNo>,
    /// The step that computed the assignment of the generation.
    pub assignment_step: Option<StepNo>,
    /// Its members, in the order in which they came.
    pub members: Vec<Member>,
    /// The member that computes the assignment.
    pub leader: Option<MemberKey>,
    /// Committed offsets by partition.
    committed: Vec<Option<Committed>>,
    /// Processes that have been given a member id and have not used it yet.
    pending: Vec<(MemberKey, Rc<str>)>,
    rebalance: Rebalance,
    storing: VecDeque<Commit>,
}

/// What the coordinator remembers of the rebalance under way, or of the last one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Rebalance {
    /// Counts join phases; a check that was scheduled for an earlier one does nothing.
    round: u32,
    /// Set from the moment that makes a rebalance necessary until it begins.
    reason: Option<(RebalanceReason, ConsumerId, StepNo)>,
    started: Option<StepNo>,
    /// When the join phase ends, whoever has joined.
    deadline: Time,
    /// The join phase of an empty group: how long the present delay is and how much more may be added.
    initial: Option<InitialDelay>,
    completing: bool,
    last_join: Option<StepNo>,
}

/// See `tryCompleteInitialRebalanceElseSchedule`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InitialDelay {
    delay: Span,
    remaining: Span,
    new_member_added: bool,
}

/// A commit whose offsets are being stored.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Commit {
    member: MemberKey,
    offsets: Rc<[PartitionOffset]>,
    next: usize,
    sent_by: StepNo,
}

/// A member, as the coordinator knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Which process.
    pub key: MemberKey,
    /// `client.id` and a UUID: assignors deal in the order of these.
    pub id: Rc<str>,
    /// True while its JoinGroup waits for an answer.
    pub joined: bool,
    /// True until a generation has begun with it.
    is_new: bool,
    /// True while its SyncGroup waits for an answer.
    syncing: bool,
    /// True once it has sent SyncGroup for this generation.
    synced: bool,
    /// When the coordinator looks whether its session has expired, if that is scheduled.
    check_at: Option<Time>,
    session_timeout: Span,
    rebalance_timeout: Span,
    /// When its session expires, if the coordinator does not hear it before.
    pub session_ends: Time,
    /// When the coordinator last heard it.
    pub heard_at: Time,
    /// In which step.
    pub heard: StepNo,
    /// Its partitions in the present generation.
    pub assigned: Rc<[PartitionId]>,
}

impl Group {
    /// An empty group.
    pub fn new(id: GroupId, partitions: usize) -> Self {
        Group {
            id,
            state: GroupState::Empty,
            generation: 0,
            generation_step: None,
            assignment_step: None,
            members: Vec::new(),
            leader: None,
            committed: vec![None; partitions],
            pending: Vec::new(),
            rebalance: Rebalance::default(),
            storing: VecDeque::new(),
        }
    }

    /// The committed offset of a partition.
    pub fn committed(&self, partition: PartitionId) -> Option<Committed> {
        self.committed[partition.index()]
    }

    /// A member by its key.
    pub fn member(&self, key: MemberKey) -> Option<&Member> {
        self.members.iter().find(|member| member.key == key)
    }

    /// The member id that was given to a process, as long as the coordinator knows it.
    pub fn member_id(&self, key: MemberKey) -> Option<&str> {
        let pending = || self.pending.iter().find(|(pending, _)| *pending == key).map(|(_, id)| id);
        self.member(key).map(|member| &member.id).or_else(pending).map(|id| &**id)
    }

    /// How many members a join phase still waits for.
    pub fn missing(&self) -> u32 {
        (self.members.iter().filter(|member| !member.joined).count() + self.pending.len()) as u32
    }

    /// When the join phase under way ends at the latest.
    pub fn join_phase_ends(&self) -> Option<Time> {
        (self.state == GroupState::PreparingRebalance).then_some(self.rebalance.deadline)
    }

    /// True if a generation runs and nothing is about to end it, as far as the coordinator knows.
    pub fn is_settled(&self) -> bool {
        self.state == GroupState::Stable && self.rebalance.reason.is_none()
    }

    /// True if what is due will do something; a timer is not taken back when its cause has gone.
    pub fn waits_for(&self, due: Due, at: Time) -> bool {
        match due {
            Due::PendingCheck(_, key) => self.pending.iter().any(|(pending, _)| *pending == key),
            Due::SessionCheck(_, key) => self.member(key).is_some_and(|member| member.check_at == Some(at)),
            Due::JoinPhase(_, round) => self.state == GroupState::PreparingRebalance && round == self.rebalance.round,
            Due::SyncCheck(_, generation) => {
                let running = matches!(self.state, GroupState::CompletingRebalance | GroupState::Stable);
                running && generation == self.generation && self.members.iter().any(|member| !member.synced)
            }
            _ => true,
        }
    }

    fn member_mut(&mut self, key: MemberKey) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.key == key)
    }

    /// JoinGroup of a process that has no member id yet: it gets one and has to join again with it.
    /// If it does not do so within its session timeout, the coordinator forgets it.
    pub fn handle_first_join(&mut self, ctx: Context<'_>, sent_by: StepNo, key: MemberKey, id: Rc<str>, out: &mut Out) {
        self.pending.push((key, id));
        let session_timeout = ctx.setup.groups[self.id.index()].settings.session_timeout;
        out.wake(ctx.now + session_timeout, Due::PendingCheck(self.id, key));
        out.event(Event::MemberIdGiven { group: self.id, consumer: key.consumer }, Causes::triggered_by(sent_by));
        let answer = Message::JoinGroupAnswer { error: ErrorCode::MemberIdRequired, generation: 0, members: None };
        out.send_from_broker(Node::Consumer(key), answer);
    }

    /// A member id was given and has not been used for a session timeout.
    pub fn handle_pending_check(&mut self, ctx: Context<'_>, key: MemberKey, out: &mut Out) {
        if self.take_pending(key).is_some() {
            out.event(Event::MemberIdExpired { group: self.id, consumer: key.consumer }, Causes::NONE);
            self.maybe_complete_join(ctx, out);
        }
    }

    fn take_pending(&mut self, key: MemberKey) -> Option<Rc<str>> {
        let place = self.pending.iter().position(|(pending, _)| *pending == key)?;
        Some(self.pending.remove(place).1)
    }

    /// JoinGroup with a member id.
    ///
    /// A known member that joins again makes a rebalance necessary, whatever the state: its subscription carries its
    /// generation (KIP-792) and so differs from the one that the group has.
    pub fn handle_join(&mut self, ctx: Context<'_>, sent_by: StepNo, key: MemberKey, out: &mut Out) {
        if let Some(id) = self.take_pending(key) {
            self.add_member(ctx, key, id, out);
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

    fn add_member(&mut self, ctx: Context<'_>, key: MemberKey, id: Rc<str>, out: &mut Out) {
        if self.state == GroupState::PreparingRebalance
            && self.generation == 0
            && let Some(initial) = &mut self.rebalance.initial
        {
            initial.new_member_added = true;
        }
        let settings = &ctx.setup.groups[self.id.index()].settings;
        let mut member = Member {
            key,
            id,
            joined: false,
            is_new: true,
            syncing: false,
            synced: false,
            check_at: None,
            session_timeout: settings.session_timeout,
            rebalance_timeout: settings.max_poll_interval,
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
        out.send_from_broker(Node::Consumer(key), Message::JoinGroupAnswer { error, generation: 0, members: None });
    }

    /// A rebalance is necessary: it begins in a step of its own at the same moment.
    fn need_rebalance(&mut self, ctx: Context<'_>, reason: RebalanceReason, consumer: ConsumerId, out: &mut Out) {
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
        let delay = ctx.setup.broker.group_initial_rebalance_delay;
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

    /// The longest that a member may need to join again.
    fn rebalance_timeout(&self) -> Span {
        self.members.iter().map(|member| member.rebalance_timeout).max().unwrap_or(Span::ZERO)
    }

    fn refuse_waiting_syncs(&mut self, ctx: Context<'_>, out: &mut Out) {
        for member in &mut self.members {
            let error = ErrorCode::RebalanceInProgress;
            member.answer_sync(ctx, error, Rc::new([]), ctx.step, self.id, out);
        }
    }

    /// Ends the join phase in a step of its own, if all members have joined and it is no initial delay.
    fn maybe_complete_join(&mut self, ctx: Context<'_>, out: &mut Out) {
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

    /// The time of a join phase is up. An initial delay is prolonged while members keep coming; otherwise members
    /// that have not joined again are removed, one a step.
    pub fn handle_join_phase(&mut self, ctx: Context<'_>, round: u32, out: &mut Out) {
        if self.state != GroupState::PreparingRebalance || round != self.rebalance.round {
            return;
        }
        if let Some(initial) = &mut self.rebalance.initial {
            if initial.new_member_added && initial.remaining > Span::ZERO {
                let base = ctx.setup.broker.group_initial_rebalance_delay;
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
            out.send_from_broker(Node::Consumer(member.key), answer);
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

    /// SyncGroup; the leader's brings the assignment and makes the group Stable.
    pub fn handle_sync(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        key: MemberKey,
        generation: Generation,
        assignment: Option<Assignment>,
        out: &mut Out,
    ) {
        let error = self.sync_error(key, generation);
        if error != ErrorCode::None {
            out.event(
                Event::SyncRejected { group: self.id, consumer: key.consumer, error },
                Causes::triggered_by(sent_by),
            );
            let answer = Message::SyncGroupAnswer { error, partitions: Rc::new([]), decided: ctx.step };
            return out.send_from_broker(Node::Consumer(key), answer);
        }
        let id = self.id;
        let member = self.member_mut(key).expect("sync_error looked it up");
        member.syncing = true;
        member.synced = true;
        member.hear(ctx, id, out);
        if let (GroupState::CompletingRebalance, Some(assignment)) = (self.state, &assignment) {
            self.state = GroupState::Stable;
            self.assignment_step = Some(sent_by);
            for member in &mut self.members {
                let part = assignment.iter().find(|(key, _)| *key == member.key);
                member.assigned = part.map_or_else(|| Rc::new([]) as Rc<[PartitionId]>, |(_, part)| part.clone());
            }
            out.effects.push(Effect::RebalanceEnds { group: id });
        }
        let stable = self.state == GroupState::Stable;
        out.event(
            Event::SyncGroupReceived { group: id, consumer: key.consumer, generation, stable },
            Causes::triggered_by(sent_by),
        );
        if stable {
            let decided = self.assignment_step.unwrap_or(sent_by);
            for member in &mut self.members {
                member.answer_sync(ctx, ErrorCode::None, member.assigned.clone(), decided, id, out);
            }
        }
    }

    fn sync_error(&self, key: MemberKey, generation: Generation) -> ErrorCode {
        match self.state {
            _ if self.member(key).is_none() => ErrorCode::UnknownMemberId,
            _ if generation != self.generation => ErrorCode::IllegalGeneration,
            GroupState::PreparingRebalance => ErrorCode::RebalanceInProgress,
            _ => ErrorCode::None,
        }
    }

    /// Members that did not send SyncGroup in time are removed, one a step.
    pub fn handle_sync_check(&mut self, ctx: Context<'_>, generation: Generation, out: &mut Out) {
        let running = matches!(self.state, GroupState::CompletingRebalance | GroupState::Stable);
        if !running || generation != self.generation {
            return;
        }
        let Some(place) = self.members.iter().position(|member| !member.synced) else {
            return;
        };
        let member = self.remove_at(place);
        out.event(
            Event::RebalanceTimedOut {
                group: self.id,
                consumer: member.key.consumer,
                members: self.members.len() as u32,
            },
            Causes::NONE.and_maybe(Role::WaitedFor, self.generation_step).and(Role::DecidedValue, member.heard),
        );
        if self.members.iter().any(|member| !member.synced) {
            out.wake(ctx.now, Due::SyncCheck(self.id, generation));
        } else {
            self.member_gone(ctx, RebalanceReason::SyncTimedOut, member.key.consumer, out);
        }
    }

    /// Heartbeat: the session starts anew, and the member learns whether it has to join again.
    pub fn handle_heartbeat(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        key: MemberKey,
        generation: Generation,
        out: &mut Out,
    ) {
        let error = match self.state {
            _ if self.member(key).is_none() => ErrorCode::UnknownMemberId,
            _ if generation != self.generation => ErrorCode::IllegalGeneration,
            GroupState::PreparingRebalance => ErrorCode::RebalanceInProgress,
            _ => ErrorCode::None,
        };
        let because = if error == ErrorCode::RebalanceInProgress { self.rebalance.started } else { None };
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
        out.send_from_broker(Node::Consumer(key), Message::HeartbeatAnswer { error });
    }

    /// LeaveGroup: the member is removed at once.
    pub fn handle_leave(&mut self, ctx: Context<'_>, sent_by: StepNo, key: MemberKey, out: &mut Out) {
        let was_pending = self.take_pending(key).is_some();
        let place = self.members.iter().position(|member| member.key == key);
        if let Some(place) = place {
            self.remove_at(place);
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
        let member = self.remove_at(place);
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
            let error = ErrorCode::UnknownMemberId;
            let answer = Message::JoinGroupAnswer { error, generation: 0, members: None };
            out.send_from_broker(Node::Consumer(key), answer);
        }
        self.member_gone(ctx, RebalanceReason::SessionExpired, key.consumer, out);
        None
    }

    fn member_gone(&mut self, ctx: Context<'_>, reason: RebalanceReason, consumer: ConsumerId, out: &mut Out) {
        match self.state {
            GroupState::PreparingRebalance => self.maybe_complete_join(ctx, out),
            GroupState::Empty => {}
            // The rebalance under way ends without a member: a generation that nobody is in.
            GroupState::CompletingRebalance if self.members.is_empty() => {
                self.state = GroupState::PreparingRebalance;
                self.rebalance.completing = true;
                out.wake(ctx.now, Due::CompleteJoin(self.id));
            }
            _ if self.members.is_empty() => {
                self.state = GroupState::Empty;
                self.generation += 1;
                self.leader = None;
            }
            _ => self.need_rebalance(ctx, reason, consumer, out),
        }
    }

    fn remove_at(&mut self, place: usize) -> Member {
        let member = self.members.remove(place);
        if self.leader == Some(member.key) {
            let joined = self.members.iter().find(|member| member.joined);
            self.leader = joined.or(self.members.first()).map(|member| member.key);
        }
        member
    }

    /// OffsetCommit: checked against member and generation, then stored, one partition a step.
    pub fn handle_commit(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        key: MemberKey,
        generation: Generation,
        offsets: Rc<[PartitionOffset]>,
        out: &mut Out,
    ) {
        let error = match self.state {
            _ if self.member(key).is_none() => ErrorCode::UnknownMemberId,
            _ if generation != self.generation => ErrorCode::IllegalGeneration,
            GroupState::CompletingRebalance => ErrorCode::RebalanceInProgress,
            _ => ErrorCode::None,
        };
        if error != ErrorCode::None {
            out.event(
                Event::CommitRejected { group: self.id, consumer: key.consumer, generation, error },
                Causes::triggered_by(sent_by).and_maybe(Role::DecidedValue, self.generation_step),
            );
            return out.send_from_broker(Node::Consumer(key), Message::OffsetCommitAnswer { error });
        }
        let id = self.id;
        let member = self.member_mut(key).expect("looked up just now");
        member.hear(ctx, id, out);
        self.storing.push_back(Commit { member: key, offsets, next: 0, sent_by });
        if self.storing.len() == 1 {
            self.store_offset(ctx, out);
        }
    }

    /// Stores the next offset of the commit in hand.
    pub fn store_offset(&mut self, ctx: Context<'_>, out: &mut Out) {
        let Some(commit) = self.storing.front_mut() else {
            return;
        };
        let (partition, offset) = commit.offsets[commit.next];
        commit.next += 1;
        let (member, sent_by, done) = (commit.member, commit.sent_by, commit.next == commit.offsets.len());
        self.committed[partition.index()] = Some(Committed { offset, step: ctx.step });
        out.event(
            Event::OffsetCommitted { group: self.id, consumer: member.consumer, partition, offset },
            Causes::triggered_by(sent_by),
        );
        if done {
            self.storing.pop_front();
            out.send_from_broker(Node::Consumer(member), Message::OffsetCommitAnswer { error: ErrorCode::None });
        }
        if !self.storing.is_empty() {
            out.wake(ctx.now, Due::StoreOffset(self.id));
        }
    }

    /// OffsetFetch: where the group has committed.
    pub fn handle_offset_fetch(&mut self, sent_by: StepNo, key: MemberKey, partitions: &[PartitionId], out: &mut Out) {
        let committed: Rc<[_]> =
            partitions.iter().map(|&partition| (partition, self.committed[partition.index()])).collect();
        out.event(
            Event::OffsetFetchAnswered { group: self.id, consumer: key.consumer, partitions: committed.len() as u32 },
            Causes::triggered_by(sent_by),
        );
        out.send_from_broker(Node::Consumer(key), Message::OffsetFetchAnswer { committed });
    }
}

impl Member {
    /// When the coordinator last heard it, if its session runs from then on and is longer than `interval`.
    pub fn heard_within(&self, interval: Span) -> Option<Time> {
        let runs = self.session_ends == self.heard_at + self.session_timeout && interval < self.session_timeout;
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
    fn hear(&mut self, ctx: Context<'_>, group: GroupId, out: &mut Out) {
        self.heard = ctx.step;
        self.heard_at = ctx.now;
        self.restart_session(ctx, self.session_timeout, group, out);
    }

    /// One check is under way for each session; it puts itself off when it comes too early, so that hearing a member
    /// costs nothing.
    fn restart_session(&mut self, ctx: Context<'_>, timeout: Span, group: GroupId, out: &mut Out) {
        self.session_ends = ctx.now + timeout;
        if self.check_at.is_none_or(|check_at| check_at > self.session_ends) {
            self.check_at = Some(self.session_ends);
            out.wake(self.session_ends, Due::SessionCheck(group, self.key));
        }
    }

    /// Answers the SyncGroup that waits, if one does. The session starts anew, as a check that came meanwhile was
    /// passed over (`propagateAssignment`).
    fn answer_sync(
        &mut self,
        ctx: Context<'_>,
        error: ErrorCode,
        partitions: Rc<[PartitionId]>,
        decided: StepNo,
        group: GroupId,
        out: &mut Out,
    ) {
        if std::mem::take(&mut self.syncing) {
            let answer = Message::SyncGroupAnswer { error, partitions, decided };
            out.send_from_broker(Node::Consumer(self.key), answer);
            self.restart_session(ctx, self.session_timeout, group, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::setup::{BrokerSettings, ConsumerSettings, GroupSetup, Handling, OffsetReset, Setup, TopicSetup};
    use super::*;

    const A: MemberKey = MemberKey { consumer: ConsumerId(0), incarnation: 1 };
    const B: MemberKey = MemberKey { consumer: ConsumerId(1), incarnation: 1 };

    /// A coordinator with one group, and what it has asked for since the last look.
    struct Fixture {
        group: Group,
        setup: Setup,
        step: u32,
        now: Time,
    }

    impl Fixture {
        fn new() -> Self {
            let settings = ConsumerSettings {
                session_timeout: Span::from_secs(6),
                heartbeat_interval: Span::from_secs(1),
                max_poll_interval: Span::from_secs(300),
                max_poll_records: 500,
                auto_offset_reset: OffsetReset::Earliest,
            };
            let setup = Setup {
                seed: 0,
                ends_at: Time::ZERO,
                latency: Span::ZERO,
                broker: BrokerSettings { group_initial_rebalance_delay: Span::ZERO },
                topics: vec![TopicSetup { name: "t".into(), partitions: 2 }],
                producers: Vec::new(),
                groups: vec![GroupSetup {
                    name: "g".into(),
                    topics: vec![TopicId(0)],
                    settings,
                    handling: Handling { time: Span::ZERO, commit_after_records: 1, writes_to: None },
                }],
                consumers: Vec::new(),
                sinks: Vec::new(),
                keys: Vec::new(),
                values: Vec::new(),
                actions: Vec::new(),
            };
            Fixture { group: Group::new(GroupId(0), 2), setup, step: 0, now: Time::ZERO }
        }

        /// Hands the group something to do, and then whatever it asks for at the same moment.
        fn tell(&mut self, what: impl Fn(&mut Group, Context<'_>, &mut Out)) -> (Vec<Event>, Vec<Message>) {
            let (mut events, mut messages, mut due) = (Vec::new(), Vec::new(), VecDeque::new());
            self.hand(&what, &mut events, &mut messages, &mut due);
            while let Some(next) = due.pop_front() {
                let then = |group: &mut Group, ctx: Context<'_>, out: &mut Out| match next {
                    Due::BeginRebalance(_) => group.begin_rebalance(ctx, out),
                    Due::CompleteJoin(_) => group.handle_all_joined(ctx, out),
                    Due::JoinPhase(_, round) => group.handle_join_phase(ctx, round, out),
                    Due::StoreOffset(_) => group.store_offset(ctx, out),
                    _ => {}
                };
                self.hand(&then, &mut events, &mut messages, &mut due);
            }
            (events, messages)
        }

        fn hand(
            &mut self,
            what: &dyn Fn(&mut Group, Context<'_>, &mut Out),
            events: &mut Vec<Event>,
            messages: &mut Vec<Message>,
            due: &mut VecDeque<Due>,
        ) {
            let mut out = Out::default();
            self.step += 1;
            what(&mut self.group, Context { now: self.now, step: StepNo(self.step), setup: &self.setup }, &mut out);
            events.extend(out.event.map(|(event, _)| event));
            for effect in out.effects {
                match effect {
                    Effect::Send { message, .. } => messages.push(message),
                    Effect::Wake { at, due: next } if at == self.now => due.push_back(next),
                    _ => {}
                }
            }
        }

        fn first_join(&mut self, key: MemberKey) -> (Vec<Event>, Vec<Message>) {
            self.tell(|group, ctx, out| group.handle_first_join(ctx, StepNo(0), key, "id".into(), out))
        }

        fn join(&mut self, key: MemberKey) -> (Vec<Event>, Vec<Message>) {
            self.tell(|group, ctx, out| group.handle_join(ctx, StepNo(0), key, out))
        }

        /// A group that is Stable with this one member.
        fn stable_with(key: MemberKey) -> Self {
            let mut fixture = Fixture::new();
            fixture.first_join(key);
            fixture.join(key);
            let assignment: Assignment = Rc::new([(key, Rc::new([PartitionId(0), PartitionId(1)]) as Rc<[_]>)]);
            fixture.tell(|group, ctx, out| {
                group.handle_sync(ctx, StepNo(0), key, 1, Some(assignment.clone()), out);
            });
            assert_eq!((fixture.group.state, fixture.group.generation), (GroupState::Stable, 1));
            fixture
        }
    }

    #[test]
    fn a_commit_or_heartbeat_of_another_generation_is_refused() {
        let mut fixture = Fixture::stable_with(A);
        let offsets: Rc<[PartitionOffset]> = Rc::new([(PartitionId(0), 3)]);
        let (events, messages) =
            fixture.tell(|group, ctx, out| group.handle_commit(ctx, StepNo(0), A, 0, offsets.clone(), out));
        let error = ErrorCode::IllegalGeneration;
        assert!(matches!(events[..], [Event::CommitRejected { error: ErrorCode::IllegalGeneration, .. }]));
        assert_eq!(messages, [Message::OffsetCommitAnswer { error }]);
        assert_eq!(fixture.group.committed(PartitionId(0)), None);
        let (_, messages) = fixture.tell(|group, ctx, out| group.handle_heartbeat(ctx, StepNo(0), A, 2, out));
        assert_eq!(messages, [Message::HeartbeatAnswer { error }]);
    }

    #[test]
    fn a_stranger_is_told_that_it_is_unknown() {
        let mut fixture = Fixture::stable_with(A);
        let error = ErrorCode::UnknownMemberId;
        let (_, messages) = fixture.tell(|group, ctx, out| group.handle_heartbeat(ctx, StepNo(0), B, 1, out));
        assert_eq!(messages, [Message::HeartbeatAnswer { error }]);
        let (events, messages) = fixture.join(B);
        assert!(matches!(events[..], [Event::JoinRejected { error: ErrorCode::UnknownMemberId, .. }]));
        assert_eq!(messages, [Message::JoinGroupAnswer { error, generation: 0, members: None }]);
    }

    #[test]
    fn a_join_phase_that_waits_for_an_unused_member_id_ends_when_its_owner_leaves() {
        let mut fixture = Fixture::stable_with(A);
        fixture.first_join(B);
        let (events, messages) = fixture.join(A);
        assert!(matches!(events[..], [Event::MemberJoined { missing: 1, .. }, Event::RebalanceStarted { .. }]));
        assert_eq!(messages, []);
        let (events, _) = fixture.tell(|group, ctx, out| group.handle_leave(ctx, StepNo(0), B, out));
        assert!(matches!(events[..], [Event::MemberLeft { .. }, Event::GenerationStarted { generation: 2, .. }]));
    }

    #[test]
    fn a_join_phase_whose_time_is_up_removes_members_but_not_unused_member_ids() {
        let mut fixture = Fixture::stable_with(A);
        fixture.first_join(B);
        fixture.join(B);
        let c = MemberKey { consumer: ConsumerId(2), incarnation: 1 };
        fixture.first_join(c);
        fixture.now = fixture.group.join_phase_ends().expect("it waits for A");
        let round = fixture.group.rebalance.round;
        let (events, _) = fixture.tell(|group, ctx, out| group.handle_join_phase(ctx, round, out));
        assert!(matches!(
            events[..],
            [Event::RebalanceTimedOut { consumer: ConsumerId(0), .. }, Event::GenerationStarted { members: 1, .. }]
        ));
        let (events, _) = fixture.join(c);
        assert!(matches!(events[..], [Event::MemberJoined { .. }, Event::RebalanceStarted { .. }]), "{events:?}");
    }

    #[test]
    fn a_new_member_is_not_kept_for_longer_than_its_join_may_wait() {
        let mut fixture = Fixture::stable_with(A);
        fixture.first_join(B);
        fixture.join(B);
        fixture.now += NEW_MEMBER_JOIN_TIMEOUT;
        let (events, messages) = fixture.tell(|group, ctx, out| {
            assert_eq!(group.handle_session_check(ctx, B, None, out), None);
        });
        assert!(matches!(events[..], [Event::SessionExpired { consumer: ConsumerId(1), .. }]), "{events:?}");
        let error = ErrorCode::UnknownMemberId;
        assert_eq!(messages, [Message::JoinGroupAnswer { error, generation: 0, members: None }]);
    }
}
