//! The consumer group protocol (KIP-848) on the client's side: one request, the heartbeat, and the reconciliation with
//! what its answers bring, inside `poll()`.
//!
//! The background thread sends heartbeats and takes in their answers. A new assignment is only noted there. The next
//! `poll()` gives up what is not in it (`onPartitionsRevoked`), takes over what is new (`onPartitionsAssigned`), and lets a
//! heartbeat say so at once; partitions that stay are read on all the while.
//!
//! Source: `org.apache.kafka.clients.consumer.internals.{AbstractMembershipManager, ConsumerMembershipManager,
//! AbstractHeartbeatRequestManager, ConsumerHeartbeatRequestManager}`. librdkafka goes the same way in a thread of its own: it
//! calls back, commits what is stored of the partitions that go, and acknowledges.

use super::revocation::Then;
use super::{Application, Client, Membership, Owned};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{ErrorCode, Event};
use crate::sim::ids::*;
use crate::sim::network::{JOIN_EPOCH, LEAVE_EPOCH, LEAVE_FOR_A_WHILE_EPOCH, MemberEpoch, Message};
use crate::sim::queue::Due;
use crate::sim::setup::{ConsumerConfig, GroupProtocol};
use crate::sim::step::{Causes, Role};
use crate::sim::time::Span;
use std::rc::Rc;

/// What a client of the consumer protocol knows besides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modern {
    /// An assignment that it has been told and has not come to yet.
    target: Option<Told>,
    /// How often it has joined: what is said to an earlier attempt counts no longer.
    attempt: u32,
    /// True while a heartbeat waits for its answer: one is under way at most.
    awaits_answer: bool,
    /// What is to be sent as soon as that answer is there.
    owes: Owes,
}

/// An assignment that the client has been told.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    partitions: Rc<[PartitionId]>,
    /// The step that computed it.
    decided: StepNo,
    /// The step that brought it.
    received: StepNo,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Owes {
    #[default]
    Nothing,
    Heartbeat,
    /// A heartbeat that tells what it owns.
    Acknowledgement,
}

/// The answer to a heartbeat.
pub struct HeartbeatAnswer {
    /// The attempt to join that the heartbeat belonged to.
    pub attempt: u32,
    /// What went wrong, if anything did.
    pub error: ErrorCode,
    /// The epoch that the member is in.
    pub epoch: MemberEpoch,
    /// Its partitions, if they have changed.
    pub assignment: Option<Rc<[PartitionId]>>,
    /// The step that computed the target assignment.
    pub decided: StepNo,
}

impl Client {
    /// True if it is, or wants to be, a member of a group of the consumer protocol.
    pub fn is_modern(&self) -> bool {
        self.config.settings.group_protocol != GroupProtocol::Classic && !self.is_assigned_by_hand()
    }

    /// True if it has been told an assignment that it has not come to yet.
    pub fn is_reconciling(&self) -> bool {
        self.modern.target.is_some()
    }

    /// The first heartbeat: the member joins.
    #[inline(never)]
    pub(super) fn send_joining_heartbeat(&mut self, ctx: Context<'_>, out: &mut Out) {
        self.membership = Membership::Joining;
        self.heartbeats += 1;
        self.generation = 0;
        self.modern = Modern { attempt: self.modern.attempt + 1, ..Modern::default() };
        out.event(Event::JoiningHeartbeatSent { consumer: self.consumer() }, Causes::triggered_by(self.join_because));
        self.join_because = ctx.step;
        self.send_consumer_heartbeat(ctx, JOIN_EPOCH, Some(Rc::new([])), out);
    }

    /// The last heartbeat: the member leaves. There is no answer to wait for.
    #[inline(never)]
    pub(super) fn send_leaving_heartbeat(&mut self, out: &mut Out) {
        self.stop_heartbeats();
        let epoch = if self.is_static() { LEAVE_FOR_A_WHILE_EPOCH } else { LEAVE_EPOCH };
        let (member, attempt) = (self.key, self.modern.attempt);
        let message = Message::ConsumerGroupHeartbeat { member, attempt, epoch, owned: None, full: None };
        self.send_to_coordinator(message, out);
    }

    fn send_consumer_heartbeat(
        &mut self,
        ctx: Context<'_>,
        epoch: MemberEpoch,
        owned: Option<Rc<[PartitionId]>>,
        out: &mut Out,
    ) {
        let full = (epoch == JOIN_EPOCH).then(|| self.config.clone());
        self.send_heartbeat_with(ctx, epoch, (owned, full), out);
    }

    fn send_heartbeat_with(
        &mut self,
        ctx: Context<'_>,
        epoch: MemberEpoch,
        (owned, full): (Option<Rc<[PartitionId]>>, Option<Rc<ConsumerConfig>>),
        out: &mut Out,
    ) {
        self.modern.awaits_answer = true;
        self.modern.owes = Owes::Nothing;
        self.heartbeat_sent = Some((ctx.now, ctx.step));
        let (member, attempt) = (self.key, self.modern.attempt);
        let message = Message::ConsumerGroupHeartbeat { member, attempt, epoch, owned, full };
        self.send_to_coordinator(message, out);
    }

    /// The step that sent the heartbeat whose answer it waits for.
    pub(super) fn awaited_heartbeat(&self) -> Option<StepNo> {
        self.heartbeat_sent.filter(|_| self.modern.awaits_answer).map(|(_, step)| step)
    }

    /// The answer to a heartbeat has not come: the next one says everything again (`HeartbeatState#reset`), so that it is
    /// answered with the assignment, which may have been in the answer that has got lost.
    #[inline(never)]
    pub(super) fn send_heartbeat_again(&mut self, ctx: Context<'_>, out: &mut Out) {
        match self.membership {
            Membership::Joining => self.send_consumer_heartbeat(ctx, JOIN_EPOCH, Some(Rc::new([])), out),
            _ => {
                let everything = (Some(self.partitions()), Some(self.config.clone()));
                self.send_heartbeat_with(ctx, self.generation as MemberEpoch, everything, out);
                self.restart_heartbeats(ctx, Span::ZERO, out);
            }
        }
    }

    /// The next regular heartbeat is due an interval from now, whatever was scheduled before.
    fn restart_heartbeats(&mut self, ctx: Context<'_>, extra: Span, out: &mut Out) {
        self.heartbeats += 1;
        let at = ctx.now + ctx.setup.cluster.consumer_groups.heartbeat_interval + extra;
        out.wake(at, Due::Heartbeat(self.consumer(), self.key.incarnation, self.heartbeats));
    }

    /// A regular heartbeat is due.
    #[inline(never)]
    pub(super) fn handle_consumer_heartbeat_due(&mut self, ctx: Context<'_>, thread: u32, out: &mut Out) {
        if self.modern.awaits_answer {
            if self.modern.owes == Owes::Nothing {
                self.modern.owes = Owes::Heartbeat;
            }
            return;
        }
        out.event(Event::HeartbeatSent { consumer: self.consumer(), generation: self.generation }, Causes::NONE);
        self.send_consumer_heartbeat(ctx, self.generation as MemberEpoch, None, out);
        let at = ctx.now + ctx.setup.cluster.consumer_groups.heartbeat_interval;
        out.wake(at, Due::Heartbeat(self.consumer(), self.key.incarnation, thread));
    }

    /// The answer to a heartbeat.
    #[inline(never)]
    pub fn handle_consumer_heartbeat_answer(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        answer: HeartbeatAnswer,
        out: &mut Out,
    ) {
        let HeartbeatAnswer { attempt, error, epoch, assignment, decided } = answer;
        out.event(Event::HeartbeatAnswered { consumer: self.consumer(), error }, Causes::triggered_by(sent_by));
        if self.modern.attempt != attempt || !self.modern.awaits_answer {
            return;
        }
        self.modern.awaits_answer = false;
        if error != ErrorCode::None {
            return self.fence(ctx, error, out);
        }
        let joins = self.membership == Membership::Joining;
        self.generation = epoch as Generation;
        if joins {
            self.membership = Membership::Stable;
            self.has_member_id = true;
            self.restart_heartbeats(ctx, self.standing.phase, out);
        }
        if let Some(partitions) = assignment {
            // To librdkafka a first assignment without partitions is nothing new (`rd_kafka_cgrp_consumer_handle_next_assignment`).
            let compares = !joins || self.library().calls_back_first();
            let is_known = compares && self.owns_just(&partitions);
            self.modern.target = (!is_known).then_some(Told { partitions, decided, received: ctx.step });
        }
        match self.modern.owes {
            Owes::Nothing => {}
            Owes::Heartbeat => {
                self.send_consumer_heartbeat(ctx, self.generation as MemberEpoch, None, out);
                self.restart_heartbeats(ctx, Span::ZERO, out);
            }
            Owes::Acknowledgement => self.acknowledge(ctx, out),
        }
        if self.application == Application::Polling && self.batch.is_empty() {
            self.again(ctx, out);
        }
    }

    /// The coordinator no longer knows the member, or not in this epoch: the next `poll()` gives up everything and joins
    /// again (`transitionToFenced`).
    fn fence(&mut self, ctx: Context<'_>, error: ErrorCode, out: &mut Out) {
        self.stop_heartbeats();
        self.membership = Membership::Unjoined;
        self.note_group_error(ctx.step, error);
        if self.application == Application::Polling && self.batch.is_empty() {
            self.again(ctx, out);
        }
    }

    /// It is no longer a member, or about not to be: nothing is sent any more, and no answer is taken in.
    fn stop_heartbeats(&mut self) {
        self.modern = Modern { attempt: self.modern.attempt, ..Modern::default() };
        self.heartbeats += 1;
    }

    fn owns(&self, partition: PartitionId) -> bool {
        self.owned.iter().any(|owned| owned.partition == partition)
    }

    fn owns_just(&self, partitions: &[PartitionId]) -> bool {
        partitions.len() == self.owned.len() && partitions.iter().all(|&partition| self.owns(partition))
    }

    /// Inside `poll()`: begins to come to the assignment that it has been told. False if there is none.
    ///
    /// Source: `AbstractMembershipManager#maybeReconcile`, `#revokeAndAssign`. There the client's own commit and the
    /// callbacks do not keep `poll()` from returning records of the other partitions; here it waits for the commits.
    pub(super) fn reconcile(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        let Some(told) = &self.modern.target else {
            return false;
        };
        let is_revoked = |partition: &PartitionId| !told.partitions.contains(partition);
        let revoked: Rc<[PartitionId]> = self.owned.iter().map(|owned| owned.partition).filter(is_revoked).collect();
        let because = told.received;
        self.begin_revocation(ctx, (revoked, Then::Reconcile, because), out);
        true
    }

    /// What had to be committed before is: the partitions go, if there are any, and new ones come.
    #[inline(never)]
    pub(super) fn go_on_reconciling(
        &mut self,
        ctx: Context<'_>,
        (revoked, waited_for): (Rc<[PartitionId]>, Option<StepNo>),
        out: &mut Out,
    ) {
        let Some(told) = self.modern.target.clone().filter(|_| self.membership == Membership::Stable) else {
            // It has lost its membership, or has been told to stay as it is.
            return self.again(ctx, out);
        };
        let is_new = |partition: &PartitionId| !self.owns(*partition);
        let added: Rc<[PartitionId]> = told.partitions.iter().copied().filter(is_new).collect();
        if revoked.is_empty() {
            return self.take_over(ctx, &told, added, out);
        }
        self.tell_revoked(ctx, (&told, waited_for), (revoked, added.len() as u32), out);
        if added.is_empty() && self.owns_just(&told.partitions) {
            self.finish_reconciliation(ctx, out);
        }
        self.again(ctx, out);
    }

    /// `onPartitionsRevoked` returns. What was fetched of these partitions is dropped.
    fn tell_revoked(
        &mut self,
        ctx: Context<'_>,
        (told, waited_for): (&Told, Option<StepNo>),
        (revoked, gains): (Rc<[PartitionId]>, u32),
        out: &mut Out,
    ) {
        let is_revoked = |owned: &&Owned| revoked.contains(&owned.partition);
        let uncommitted = self.owned.iter().filter(is_revoked).map(Owned::uncommitted).sum();
        self.drop_partitions(&revoked, out);
        self.gave_up_some.retain(|(partition, _)| !revoked.contains(partition));
        self.gave_up_some.extend(revoked.iter().map(|&partition| (partition, ctx.step)));
        out.event(
            Event::ReconciliationRevoked {
                consumer: self.consumer(),
                epoch: self.generation,
                partitions: revoked.len() as u32,
                kept: self.owned.len() as u32,
                gains,
                uncommitted,
            },
            Causes::NONE
                .and(Role::DecidedValue, told.decided)
                .and(Role::Triggered, told.received)
                .and_maybe(Role::WaitedFor, waited_for),
        );
        let given_up = revoked.iter().map(|&partition| Effect::GivenUp { member: self.key, partition });
        out.effects.extend(given_up);
        out.effects.push(Effect::Concerns(revoked));
    }

    /// `onPartitionsAssigned`, which is called with nothing new too.
    fn take_over(&mut self, ctx: Context<'_>, told: &Told, added: Rc<[PartitionId]>, out: &mut Out) {
        let kept = self.owned.len() as u32;
        self.assigned_step = ctx.step;
        self.owned.extend(added.iter().map(|&partition| Owned::new(partition, ctx.step)));
        out.event(
            Event::ReconciliationAssigned {
                consumer: self.consumer(),
                epoch: self.generation,
                partitions: added.len() as u32,
                kept,
            },
            Causes::NONE.and(Role::DecidedValue, told.decided).and(Role::Triggered, told.received),
        );
        out.effects.push(Effect::Concerns(added.clone()));
        if !added.is_empty() {
            self.fetch_committed(ctx, added, out);
        }
        self.finish_reconciliation(ctx, out);
        self.again(ctx, out);
    }

    /// The client is where it was told to be: it says so at once, or as soon as the heartbeat under way is answered.
    fn finish_reconciliation(&mut self, ctx: Context<'_>, out: &mut Out) {
        self.modern.target = None;
        self.restart_auto_commit(ctx);
        match self.modern.awaits_answer {
            false => self.acknowledge(ctx, out),
            true => self.modern.owes = Owes::Acknowledgement,
        }
    }

    fn acknowledge(&mut self, ctx: Context<'_>, out: &mut Out) {
        let owned = self.owned.iter().map(|owned| owned.partition).collect();
        self.send_consumer_heartbeat(ctx, self.generation as MemberEpoch, Some(owned), out);
        self.restart_heartbeats(ctx, Span::ZERO, out);
    }
}
