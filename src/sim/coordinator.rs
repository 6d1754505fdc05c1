//! The group coordinator: the classic group protocol and committed offsets.
//!
//! Source: `org.apache.kafka.coordinator.group.GroupMetadataManager` (the `classicGroup...` methods),
//! `classic.ClassicGroup`, `OffsetMetadataManager#validateOffsetCommit`. What the coordinator stores in
//! `__consumer_offsets` is durable and outlives every member; in this world the broker itself does not fail.

use super::effect::{Context, Effect, Out};
use super::event::{ErrorCode, Event, RebalanceReason};
use super::ids::*;
use super::network::{Assignment, Committed, Message, Node, PartitionOffset};
use super::queue::{Due, MemberKey};
use super::step::{Causes, Role};
use super::time::{Span, Time};
use std::collections::VecDeque;
use std::rc::Rc;

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
    /// Members that have been given an id and have not used it yet.
    pending: Vec<MemberKey>,
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
    /// True while its SyncGroup waits for an answer.
    syncing: bool,
    /// True once it has sent SyncGroup for this generation.
    synced: bool,
    /// True while a look at its session is scheduled.
    checked: bool,
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

    /// How many members a join phase still waits for.
    pub fn missing(&self) -> u32 {
        (self.members.iter().filter(|member| !member.joined).count() + self.pending.len()) as u32
    }

    /// When the join phase under way ends at the latest.
    pub fn join_phase_ends(&self) -> Option<Time> {
        (self.state == GroupState::PreparingRebalance).then_some(self.rebalance.deadline)
    }

    fn member_mut(&mut self, key: MemberKey) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.key == key)
    }

    /// JoinGroup of a process that has no member id yet: it gets one and has to join again with it.
    pub fn handle_first_join(&mut self, sent_by: StepNo, key: MemberKey, out: &mut Out) {
        self.pending.push(key);
        out.event(Event::MemberIdGiven { group: self.id, consumer: key.consumer }, Causes::triggered_by(sent_by));
        let answer = Message::JoinGroupAnswer { error: ErrorCode::MemberIdRequired, generation: 0, members: None };
        out.send_from_broker(Node::Consumer(key), answer);
    }

    /// JoinGroup with a member id. `id` is the id that was given to this process.
    pub fn handle_join(&mut self, ctx: Context<'_>, sent_by: StepNo, key: MemberKey, id: Rc<str>, out: &mut Out) {
        if let Some(place) = self.pending.iter().position(|&pending| pending == key) {
            self.pending.remove(place);
            self.add_member(ctx, key, id);
        } else if self.member(key).is_none() {
            return self.refuse_join(sent_by, key, out);
        }
        let step = ctx.step;
        let is_leader = self.leader == Some(key);
        let member = self.member_mut(key).expect("it was found or added just now");
        let was_known = member.heard != step;
        member.joined = true;
        member.heard = step;
        member.heard_at = ctx.now;
        self.rebalance.last_join = Some(step);
        let missing = self.missing();
        out.event(
            Event::MemberJoined { group: self.id, consumer: key.consumer, missing },
            Causes::triggered_by(sent_by).and_maybe(Role::WaitedFor, self.rebalance.started),
        );
        match self.state {
            GroupState::PreparingRebalance => self.maybe_complete_join(ctx, out),
            GroupState::Stable if was_known && !is_leader => self.answer_join_again(key, None, out),
            GroupState::CompletingRebalance if was_known => {
                let keys = is_leader.then(|| self.members.iter().map(|member| member.key).collect());
                self.answer_join_again(key, keys, out);
            }
            _ => self.need_rebalance(ctx, RebalanceReason::MemberJoins, key.consumer, out),
        }
    }

    /// A known member joins again and nothing has changed: it only gets its answer once more.
    fn answer_join_again(&mut self, key: MemberKey, members: Option<Rc<[MemberKey]>>, out: &mut Out) {
        if let Some(member) = self.member_mut(key) {
            member.joined = false;
        }
        let answer = Message::JoinGroupAnswer { error: ErrorCode::None, generation: self.generation, members };
        out.send_from_broker(Node::Consumer(key), answer);
    }

    fn add_member(&mut self, ctx: Context<'_>, key: MemberKey, id: Rc<str>) {
        if self.state == GroupState::PreparingRebalance
            && let Some(initial) = &mut self.rebalance.initial
        {
            initial.new_member_added = true;
        }
        let settings = &ctx.setup.groups[self.id.index()].settings;
        self.members.push(Member {
            key,
            id,
            joined: false,
            syncing: false,
            synced: false,
            checked: false,
            session_timeout: settings.session_timeout,
            rebalance_timeout: settings.max_poll_interval,
            session_ends: ctx.now + settings.session_timeout,
            heard_at: ctx.now,
            heard: ctx.step,
            assigned: Rc::new([]),
        });
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
            self.refuse_waiting_syncs(ctx.step, out);
        }
        let longest_timeout = self.members.iter().map(|member| member.rebalance_timeout).max().unwrap_or(Span::ZERO);
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

    fn refuse_waiting_syncs(&mut self, step: StepNo, out: &mut Out) {
        for member in &mut self.members {
            if std::mem::take(&mut member.syncing) {
                let error = ErrorCode::RebalanceInProgress;
                let answer = Message::SyncGroupAnswer { error, partitions: Rc::new([]), decided: step };
                out.send_from_broker(Node::Consumer(member.key), answer);
            }
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
        self.pending.clear();
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

    /// `completeClassicGroupJoin`: a new generation begins, and every JoinGroup is answered.
    pub fn complete_join(&mut self, ctx: Context<'_>, out: &mut Out) {
        if self.state != GroupState::PreparingRebalance {
            return;
        }
        self.rebalance.completing = false;
        if self.rebalance.initial.is_none() && self.missing() > 0 {
            return;
        }
        self.rebalance.initial = None;
        self.generation += 1;
        if self.members.is_empty() {
            self.state = GroupState::Empty;
            self.leader = None;
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
        let keys: Rc<[MemberKey]> = self.members.iter().map(|member| member.key).collect();
        let longest_timeout = self.members.iter().map(|member| member.rebalance_timeout).max().unwrap_or(Span::ZERO);
        for member in &mut self.members {
            member.joined = false;
            member.synced = false;
            member.syncing = false;
            let answer = Message::JoinGroupAnswer {
                error: ErrorCode::None,
                generation: self.generation,
                members: (member.key == leader).then(|| keys.clone()),
            };
            out.send_from_broker(Node::Consumer(member.key), answer);
            hear(member, ctx, self.id, out);
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
        hear(member, ctx, id, out);
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
                if std::mem::take(&mut member.syncing) {
                    let answer = Message::SyncGroupAnswer {
                        error: ErrorCode::None,
                        partitions: member.assigned.clone(),
                        decided,
                    };
                    out.send_from_broker(Node::Consumer(member.key), answer);
                }
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
        self.need_rebalance(ctx, RebalanceReason::SyncTimedOut, member.key.consumer, out);
        out.wake(ctx.now, Due::SyncCheck(self.id, generation));
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
            hear(member, ctx, id, out);
        }
        out.send_from_broker(Node::Consumer(key), Message::HeartbeatAnswer { error });
    }

    /// LeaveGroup: the member is removed at once.
    pub fn handle_leave(&mut self, ctx: Context<'_>, sent_by: StepNo, key: MemberKey, out: &mut Out) {
        self.pending.retain(|&pending| pending != key);
        let Some(place) = self.members.iter().position(|member| member.key == key) else {
            return;
        };
        self.remove_at(place);
        out.event(
            Event::MemberLeft { group: self.id, consumer: key.consumer, members: self.members.len() as u32 },
            Causes::triggered_by(sent_by),
        );
        self.member_gone(ctx, RebalanceReason::MemberLeft, key.consumer, out);
    }

    /// Looks whether a member's session has expired. A member whose JoinGroup waits is alive by definition.
    /// `stopped` is the step that ended the process, if one did.
    pub fn handle_session_check(&mut self, ctx: Context<'_>, key: MemberKey, stopped: Option<StepNo>, out: &mut Out) {
        let Some(place) = self.members.iter().position(|member| member.key == key) else {
            return;
        };
        let member = &mut self.members[place];
        if member.joined {
            member.checked = false;
            return;
        }
        if ctx.now < member.session_ends {
            return out.wake(member.session_ends, Due::SessionCheck(self.id, key));
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
        self.member_gone(ctx, RebalanceReason::SessionExpired, key.consumer, out);
    }

    fn member_gone(&mut self, ctx: Context<'_>, reason: RebalanceReason, consumer: ConsumerId, out: &mut Out) {
        match self.state {
            GroupState::PreparingRebalance => self.maybe_complete_join(ctx, out),
            GroupState::Empty => {}
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
        hear(member, ctx, id, out);
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

/// The coordinator has heard a member: its session starts anew. One check is under way for each session; it moves
/// itself when it comes too early, so that hearing a member costs nothing.
fn hear(member: &mut Member, ctx: Context<'_>, group: GroupId, out: &mut Out) {
    member.heard = ctx.step;
    member.heard_at = ctx.now;
    member.session_ends = ctx.now + member.session_timeout;
    if !std::mem::replace(&mut member.checked, true) {
        out.wake(member.session_ends, Due::SessionCheck(group, member.key));
    }
}
