//! The heartbeat, which is everything that a member sends: it joins, says what it has given up, learns what it gets.

use super::super::{Group, Member};
use super::{Current, Heartbeat, Unread, member_id};
use crate::sim::effect::{Context, Out};
use crate::sim::event::{EpochReason, ErrorCode, Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::network::{JOIN_EPOCH, JoinRequest, LEAVE_FOR_A_WHILE_EPOCH, MemberEpoch, Message, Node};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::setup::{ConsumerConfig, GroupProtocol};
use crate::sim::step::{Causes, Role};
use std::rc::Rc;

/// What a heartbeat says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeartbeatRequest {
    /// Which attempt of the process to be a member it belongs to; the answer says it too.
    pub attempt: u32,
    /// The member epoch: 0 of a member that joins, negative of one that leaves.
    pub epoch: MemberEpoch,
    /// What the member owns; it says so when that has changed.
    pub owned: Option<Rc<[PartitionId]>>,
    /// How the member was started, if it tells everything about itself.
    pub full: Option<Rc<ConsumerConfig>>,
}

/// How a heartbeat comes.
#[derive(Clone, Copy)]
enum Arrival {
    /// From a member.
    Known,
    /// From a new member.
    New,
    /// From a static member that was away and has its place again.
    Back { previous: ConsumerId, subscribes_anew: bool },
    /// From a static member whose place is taken.
    Unreleased,
}

impl Group {
    /// ConsumerGroupHeartbeat. What an earlier request or a timer has set off comes first: Kafka does both at once.
    #[inline(never)]
    pub fn handle_consumer_heartbeat(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        member: MemberKey,
        request: HeartbeatRequest,
        out: &mut Out,
    ) {
        match &mut self.target {
            Some(target) if !target.bumps.is_empty() || !target.unread.is_empty() => {
                target.unread.push_back(Unread { member, request, sent_by });
                out.wake(ctx.now, Due::BeginRebalance(self.id));
            }
            _ => self.read_heartbeat(ctx, sent_by, member, request, out),
        }
    }

    /// Goes on with what is to be done one thing after another: the group epoch rises as decided a moment ago, then
    /// heartbeats that came meanwhile are read.
    pub(in super::super) fn go_on_in_order(&mut self, ctx: Context<'_>, out: &mut Out) {
        let Some(target) = &mut self.target else { return };
        if let Some((reason, consumer, because)) = target.bumps.pop_front() {
            self.bump_epoch(ctx, (reason, consumer), because, out);
        } else if let Some(Unread { member, request, sent_by }) = target.unread.pop_front() {
            self.read_heartbeat(ctx, sent_by, member, request, out);
        }
    }

    /// The session starts anew; then the coordinator does what there is to do, one thing a step:
    /// the group epoch rises, the target assignment is computed, the member is reconciled and answered.
    fn read_heartbeat(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        key: MemberKey,
        request: HeartbeatRequest,
        out: &mut Out,
    ) {
        if request.epoch < JOIN_EPOCH {
            return self.handle_consumer_leave(ctx, sent_by, (key, request.epoch), out);
        }
        let arrival = match &request.full {
            Some(config) if request.epoch == JOIN_EPOCH => self.let_in(ctx, key, config),
            _ => Arrival::Known,
        };
        let error = match arrival {
            Arrival::Unreleased => ErrorCode::UnreleasedInstanceId,
            _ => self.epoch_error(ctx, key, &request),
        };
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
            joins: request.epoch == JOIN_EPOCH,
            is_full: request.full.is_some(),
            attempt: request.attempt,
            because: sent_by,
        };
        let sees_other_partitions = self.sees_other_partitions(ctx);
        let is_busy = self.target.as_ref().is_some_and(|target| !target.in_hand.is_empty());
        let reason = match arrival {
            Arrival::New if self.generation_step.is_none() => Some(EpochReason::GroupCreated),
            Arrival::New => Some(EpochReason::MemberJoins),
            Arrival::Back { subscribes_anew: true, .. } => Some(EpochReason::SubscriptionChanged),
            _ if sees_other_partitions => Some(EpochReason::PartitionsAdded),
            _ => None,
        };
        if let Some(reason) = reason {
            self.bump_epoch(ctx, (reason, key.consumer), sent_by, out);
            heartbeat.because = ctx.step;
        } else if let Arrival::Back { previous, .. } = arrival {
            out.event(
                Event::MemberReplaced {
                    group: id,
                    consumer: key.consumer,
                    previous,
                    generation: self.generation,
                    keeps_assignment: true,
                },
                Causes::triggered_by(sent_by),
            );
            heartbeat.because = ctx.step;
        } else if is_busy {
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

    /// A member joins. A static one takes the place that its `group.instance.id` has, if that has been left for a while.
    ///
    /// Source: `getOrMaybeSubscribeStaticConsumerGroupMember`, `replaceMember`.
    fn let_in(&mut self, ctx: Context<'_>, key: MemberKey, config: &ConsumerConfig) -> Arrival {
        let instance_id = ctx.setup.consumers.get(key.consumer.index()).and_then(|setup| setup.instance_id.clone());
        let place = instance_id.as_deref().and_then(|instance| self.static_member(instance));
        let settings = &config.settings;
        let request = Rc::new(JoinRequest {
            session_timeout: ctx.setup.cluster.consumer_groups.session_timeout,
            rebalance_timeout: settings.max_poll_interval,
            instance_id,
            assignors: Rc::new([]),
            topics: config.reads.topics().into(),
            owned: Rc::new([]),
            generation: None,
            user_data: None,
            reason: RebalanceReason::MemberJoins,
            may_skip_assignment: false,
            joins_twice: false,
        });
        let assignor = match settings.group_protocol {
            GroupProtocol::Classic => None,
            GroupProtocol::Consumer { remote_assignor } => remote_assignor,
        };
        let Some(place) = place else {
            if self.member(key).is_some() {
                return Arrival::Known;
            }
            self.members.push(Member {
                key,
                id: member_id(ctx.setup.seed, key),
                joined: false,
                is_new: false,
                syncing: false,
                synced: true,
                check_at: None,
                request,
                session_ends: ctx.now,
                heard_at: ctx.now,
                heard: ctx.step,
                assigned: Rc::new([]),
                current: Current { assignor, ..Current::default() },
            });
            return Arrival::New;
        };
        let member = &mut self.members[place];
        if member.current.epoch != LEAVE_FOR_A_WHILE_EPOCH {
            return Arrival::Unreleased;
        }
        let previous = std::mem::replace(&mut member.key, key);
        let subscribes_anew = member.request.topics != request.topics || member.current.assignor != assignor;
        member.id = member_id(ctx.setup.seed, key);
        member.request = request;
        member.check_at = member.check_at.filter(|_| previous == key);
        member.current.assignor = assignor;
        (member.current.epoch, member.current.previous_epoch) = (JOIN_EPOCH, JOIN_EPOCH);
        if let Some(target) = &mut self.target {
            let rename =
                |(of, part): &(MemberKey, Rc<[PartitionId]>)| (if *of == previous { key } else { *of }, part.clone());
            target.parts = target.parts.iter().map(rename).collect();
        }
        Arrival::Back { previous: previous.consumer, subscribes_anew }
    }

    /// `throwIfConsumerGroupMemberEpochIsInvalid`. The epoch before the present one counts where the answer that brought
    /// the present one may be lost: that is so if the member owns nothing that is not its own.
    fn epoch_error(&self, ctx: Context<'_>, key: MemberKey, request: &HeartbeatRequest) -> ErrorCode {
        let Some(member) = self.member(key) else {
            return self.error_of_stranger(ctx, key);
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
        let because = self.made_a_stranger(key, error);
        out.event(event, Causes::triggered_by(sent_by).and_maybe(Role::DecidedValue, because));
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
