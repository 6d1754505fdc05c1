//! Joining the group, again and again.

use super::revocation::{Then, is_fatal_for_generation};
use super::{Client, Membership, Owned};
use crate::sim::assignor::{Assignor, Implementation, Subscription};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{ErrorCode, Event};
use crate::sim::ids::*;
use crate::sim::network::{Assignment, JoinRequest, MemberIds, Message};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::{Causes, Role};
use crate::sim::time::Span;
use std::rc::Rc;

impl Client {
    /// The answer to JoinGroup.
    pub fn handle_join_answer(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (error, generation, members): (ErrorCode, Generation, Option<MemberIds>),
        (group, phase): (GroupId, Span),
        out: &mut Out,
    ) {
        if self.membership != Membership::Joining {
            return;
        }
        match error {
            ErrorCode::None => {}
            ErrorCode::MemberIdRequired => {
                self.has_member_id = true;
                self.join_because = sent_by;
                return self.send_join(ctx, out);
            }
            _ => return self.start_over(ctx, sent_by, error, out),
        }
        self.generation = generation;
        self.membership = Membership::Syncing;
        self.heartbeats += 1;
        let interval = self.config.settings.heartbeat_interval;
        out.wake(ctx.now + interval + phase, Due::Heartbeat(self.consumer(), self.key.incarnation, self.heartbeats));
        let (consumer, key) = (self.consumer(), self.key);
        let assignment = members.map(|members| assign(ctx, self.config.reads.topics(), &members));
        if let Some(assignment) = &assignment {
            out.event(
                Event::AssignmentComputed {
                    group,
                    leader: consumer,
                    generation,
                    members: assignment.len() as u32,
                    partitions: assignment.iter().map(|(_, part)| part.len() as u32).sum(),
                },
                Causes::triggered_by(sent_by),
            );
        } else {
            out.event(Event::SyncGroupSent { consumer, generation }, Causes::triggered_by(sent_by));
        }
        self.send_to_coordinator(Message::SyncGroup { member: key, generation, assignment }, out);
    }

    /// The answer to SyncGroup: the assignment.
    pub fn handle_sync_answer(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        error: ErrorCode,
        (partitions, decided): (Rc<[PartitionId]>, StepNo),
        out: &mut Out,
    ) {
        if self.membership != Membership::Syncing {
            return;
        }
        if error != ErrorCode::None {
            return self.start_over(ctx, sent_by, error, out);
        }
        self.membership = Membership::Stable;
        self.assigned_step = ctx.step;
        self.owned = partitions.iter().map(|&partition| Owned::new(partition, ctx.step)).collect();
        self.restart_auto_commit(ctx);
        out.effects.push(Effect::Concerns(partitions.clone()));
        out.event(
            Event::PartitionsAssigned {
                consumer: self.consumer(),
                generation: self.generation,
                partitions: partitions.len() as u32,
            },
            Causes::NONE.and(Role::DecidedValue, decided).and(Role::Triggered, sent_by),
        );
        if !partitions.is_empty() {
            self.send_to_coordinator(Message::OffsetFetch { consumer: self.consumer(), partitions }, out);
        }
        if self.rejoin.is_some() || self.closing.is_some() {
            self.again(ctx, out);
        }
    }

    /// `onJoinPrepare`: eager, so all partitions are revoked.
    pub(super) fn prepare_join(&mut self, ctx: Context<'_>, because: StepNo, out: &mut Out) {
        self.begin_revocation(ctx, (self.partitions(), Then::Join, because), out);
    }

    pub(super) fn send_join(&mut self, ctx: Context<'_>, out: &mut Out) {
        self.membership = Membership::Joining;
        self.heartbeats += 1;
        out.event(
            Event::JoinGroupSent { consumer: self.consumer(), generation: self.generation },
            Causes::triggered_by(self.join_because),
        );
        let settings = &self.config.settings;
        let request = Rc::new(JoinRequest {
            session_timeout: settings.session_timeout,
            rebalance_timeout: settings.max_poll_interval,
        });
        let message = Message::JoinGroup { member: self.key, has_member_id: self.has_member_id, request };
        self.send_to_coordinator(message, out);
        self.join_because = ctx.step;
    }

    /// Something went wrong on the way into the group: it begins anew at once.
    fn start_over(&mut self, ctx: Context<'_>, because: StepNo, error: ErrorCode, out: &mut Out) {
        out.event(Event::RejoinNeeded { consumer: self.consumer(), error }, Causes::triggered_by(because));
        self.membership = Membership::Unjoined;
        self.heartbeats += 1;
        self.note_group_error(ctx.step, error);
        self.again(ctx, out);
    }

    /// The next `poll()` has to join again. An error that means that the membership is lost
    /// (`resetStateOnResponseError`) outweighs the news that the group rebalances.
    pub(super) fn note_group_error(&mut self, step: StepNo, error: ErrorCode) {
        if error == ErrorCode::None || self.is_assigned_by_hand() {
            return;
        }
        self.has_member_id &= error != ErrorCode::UnknownMemberId;
        if self.rejoin.is_none() || (is_fatal_for_generation(error) && !is_fatal_for_generation(self.rejoin_error)) {
            self.rejoin = Some(step);
            self.rejoin_error = error;
        }
    }
}

/// What the group's leader does with the answer to its JoinGroup: deals all partitions of the subscribed topics.
fn assign(ctx: Context<'_>, topics: &[TopicId], members: &[(MemberKey, Rc<str>)]) -> Assignment {
    let subscription = |id| Subscription { member_id: id, instance_id: None, topics, owned: &[], generation: None };
    let subscriptions: Vec<Subscription<'_>> = members.iter().map(|(_, id)| subscription(id)).collect();
    let mut sorted: Vec<TopicId> = topics.to_vec();
    crate::sim::order::by_text(&mut sorted, |topic| &ctx.setup.topics[topic.index()].name);
    let partitions: Vec<(TopicId, Vec<PartitionId>)> =
        sorted.iter().map(|&topic| (topic, ctx.topics.partitions_of(topic).to_vec())).collect();
    let dealt = Assignor::Range.deal(Implementation::Java, &partitions, &subscriptions);
    members.iter().zip(dealt).map(|(&(key, _), partitions)| (key, partitions.into())).collect()
}
