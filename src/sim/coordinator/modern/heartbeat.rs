//! The heartbeat, which is everything that a member sends: it joins, says what it has given up, learns what it gets.

use super::super::{Group, Member};
use super::{Current, Heartbeat, member_id};
use crate::sim::effect::{Context, Out};
use crate::sim::event::{EpochReason, ErrorCode, Event};
use crate::sim::ids::*;
use crate::sim::network::{JOIN_EPOCH, MemberEpoch, Message, Node};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::setup::{ConsumerConfig, GroupProtocol};
use crate::sim::step::Causes;
use std::rc::Rc;

/// What a heartbeat says.
pub struct HeartbeatRequest {
    /// Which attempt of the process to be a member it belongs to; the answer says it too.
    pub attempt: u32,
    /// The member epoch: 0 of a member that joins, negative of one that leaves.
    pub epoch: MemberEpoch,
    /// What the member owns; it says so when that has changed.
    pub owned: Option<Rc<[PartitionId]>>,
    /// How the member was started, if it joins.
    pub full: Option<Rc<ConsumerConfig>>,
}

impl Group {
    /// ConsumerGroupHeartbeat. The session starts anew; then the coordinator does what there is to do, one thing a step:
    /// the group epoch rises, the target assignment is computed, the member is reconciled and answered.
    pub fn handle_consumer_heartbeat(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        key: MemberKey,
        request: HeartbeatRequest,
        out: &mut Out,
    ) {
        if request.epoch < JOIN_EPOCH {
            return self.handle_consumer_leave(ctx, sent_by, key, out);
        }
        let is_new = self.member(key).is_none() && request.epoch == JOIN_EPOCH;
        if let (true, Some(config)) = (is_new, &request.full) {
            self.add_modern(ctx, key, config);
        }
        let error = self.epoch_error(key, &request);
        if error != ErrorCode::None {
            return self.refuse_heartbeat(sent_by, key, (request.attempt, error), out);
        }
        let id = self.id;
        if let Some(member) = self.members.iter_mut().find(|member| member.key == key) {
            member.hear(ctx, id, out);
        }
        let mut heartbeat = Heartbeat {
            member: key,
            owned: request.owned,
            is_full: request.full.is_some(),
            attempt: request.attempt,
            because: sent_by,
        };
        let sees_other_partitions = self.sees_other_partitions(ctx);
        let is_busy = self.target.as_ref().is_some_and(|target| !target.in_hand.is_empty());
        if is_new || sees_other_partitions {
            let reason = match is_new {
                true if self.generation_step.is_none() => EpochReason::GroupCreated,
                true => EpochReason::MemberJoins,
                false => EpochReason::PartitionsAdded,
            };
            self.bump_epoch(ctx, (reason, key.consumer), sent_by, out);
            heartbeat.because = ctx.step;
        } else if is_busy || self.has_lost_a_member() {
            let event = Event::HeartbeatReceived { group: id, consumer: key.consumer, error };
            out.event(event, Causes::triggered_by(sent_by));
        } else if self.needs_target(ctx) {
            self.compute_target(ctx, sent_by, out);
            heartbeat.because = ctx.step;
        } else {
            return self.reconcile(ctx, &heartbeat, out);
        }
        if let Some(target) = &mut self.target {
            target.in_hand.push_back(heartbeat);
        }
        if !is_busy {
            out.wake(ctx.now, Due::HeartbeatInHand(id));
        }
    }

    /// Goes on with the first heartbeat in hand.
    pub fn go_on_with_heartbeats(&mut self, ctx: Context<'_>, out: &mut Out) {
        while out.event.is_none() {
            let needs_target = self.needs_target(ctx);
            let Some(target) = &mut self.target else { return };
            let Some(first) = target.in_hand.front_mut() else { return };
            if needs_target {
                let because = std::mem::replace(&mut first.because, ctx.step);
                self.compute_target(ctx, because, out);
            } else if let Some(heartbeat) = target.in_hand.pop_front() {
                self.reconcile(ctx, &heartbeat, out);
            }
        }
        if self.target.as_ref().is_some_and(|target| !target.in_hand.is_empty()) {
            out.wake(ctx.now, Due::HeartbeatInHand(self.id));
        }
    }

    fn add_modern(&mut self, ctx: Context<'_>, key: MemberKey, config: &ConsumerConfig) {
        let settings = &config.settings;
        let assignor = match settings.group_protocol {
            GroupProtocol::Classic => None,
            GroupProtocol::Consumer { remote_assignor } => remote_assignor,
        };
        self.members.push(Member {
            key,
            id: member_id(ctx.setup.seed, key),
            joined: false,
            is_new: false,
            syncing: false,
            synced: true,
            check_at: None,
            session_timeout: ctx.setup.cluster.consumer_groups.session_timeout,
            rebalance_timeout: settings.max_poll_interval,
            session_ends: ctx.now,
            heard_at: ctx.now,
            heard: ctx.step,
            assigned: Rc::new([]),
            current: Current { topics: config.reads.topics().into(), assignor, ..Current::default() },
        });
        // The new member may bring topics of its own.
        if let Some(target) = &mut self.target {
            target.seen.0 = 0;
        }
    }

    /// `throwIfConsumerGroupMemberEpochIsInvalid`. The epoch before the present one counts where the answer that brought
    /// the present one may be lost: that is so if the member owns nothing that is not its own.
    fn epoch_error(&self, key: MemberKey, request: &HeartbeatRequest) -> ErrorCode {
        let Some(member) = self.member(key) else {
            return ErrorCode::UnknownMemberId;
        };
        let current = &member.current;
        let owns_its_own = || {
            let owned = request.owned.as_deref();
            owned.is_some_and(|owned| owned.iter().all(|partition| member.assigned.contains(partition)))
        };
        match request.epoch {
            JOIN_EPOCH => ErrorCode::None,
            epoch if epoch == current.epoch => ErrorCode::None,
            epoch if epoch == current.previous_epoch && owns_its_own() => ErrorCode::None,
            _ => ErrorCode::FencedMemberEpoch,
        }
    }

    fn refuse_heartbeat(&self, sent_by: StepNo, key: MemberKey, (attempt, error): (u32, ErrorCode), out: &mut Out) {
        let event = Event::HeartbeatReceived { group: self.id, consumer: key.consumer, error };
        out.event(event, Causes::triggered_by(sent_by));
        let answer = Message::ConsumerGroupHeartbeatAnswer {
            attempt,
            error,
            epoch: JOIN_EPOCH,
            assignment: None,
            decided: sent_by,
        };
        out.send(Node::Broker(self.broker), Node::Consumer(key), answer);
    }
}
