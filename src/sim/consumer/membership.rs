//! Joining the group, again and again.

use super::revocation::{Then, is_fatal_for_generation};
use super::{Client, Fatal, Membership};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{ErrorCode, Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::network::{JoinRequest, Joined, Message};
use crate::sim::queue::Due;
use crate::sim::setup::Release;
use crate::sim::step::Causes;
use std::rc::Rc;

/// Since this release of client and broker a static leader that comes back learns that it leads, and leaves the
/// assignment as it is (KIP-814).
const SKIPPED_ASSIGNMENTS: Release = (3, 2);

/// Since this release of client and broker a new member is first given a member id (KIP-394, JoinGroup version 4).
const REQUIRED_MEMBER_ID: Release = (2, 2);

impl Client {
    /// The answer to JoinGroup. The leader deals the partitions, unless it is told to leave them as they are.
    pub(super) fn join_answered(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        answer: Result<Joined, ErrorCode>,
        out: &mut Out,
    ) {
        let joined = match answer {
            Ok(joined) => joined,
            Err(ErrorCode::MemberIdRequired) => {
                self.has_member_id = true;
                self.join_because = sent_by;
                return self.send_join(ctx, out);
            }
            Err(error) if error.is_fatal() => return self.throw(ctx, sent_by, error, out),
            Err(error) => return self.start_over(ctx, sent_by, error, out),
        };
        let generation = joined.generation;
        self.generation = generation;
        self.has_member_id = true;
        self.standing.generation = Some(generation);
        self.standing.assignor = Some(joined.assignor);
        self.membership = Membership::Syncing;
        self.awaited.group = Some(ctx.step);
        self.heartbeats += 1;
        let interval = self.config.settings.heartbeat_pause() + self.standing.phase;
        if !self.has_heartbeat_thread() {
            self.restart_between_records(ctx);
        }
        out.wake(ctx.now + interval, Due::Heartbeat(self.consumer(), self.key.incarnation, self.heartbeats));
        let (consumer, key) = (self.consumer(), self.key);
        let assignment = match &joined.members {
            Some(members) if !joined.skips_assignment => {
                let dealt = self.deal(ctx, &joined, members);
                out.event(
                    Event::AssignmentComputed {
                        group: self.standing.group,
                        leader: consumer,
                        generation,
                        members: dealt.assignment.len() as u32,
                        partitions: dealt.assignment.iter().map(|(_, part)| part.len() as u32).sum(),
                    },
                    Causes::triggered_by(sent_by),
                );
                let assignment = dealt.assignment.clone();
                out.effects.push(Effect::Dealt { dealt });
                Some(assignment)
            }
            members => {
                if let Some(members) = members {
                    self.lead(ctx, members);
                }
                out.event(Event::SyncGroupSent { consumer, generation }, Causes::triggered_by(sent_by));
                None
            }
        };
        self.send_to_coordinator(Message::SyncGroup { member: key, generation, assignment }, out);
    }

    /// `onJoinPrepare`: who is eager gives up all partitions, who is cooperative none, unless its membership is lost.
    pub(super) fn prepare_join(&mut self, ctx: Context<'_>, because: StepNo, out: &mut Out) {
        self.begin_revocation(ctx, (self.partitions(), Then::Join, because), out);
    }

    pub(super) fn send_join(&mut self, ctx: Context<'_>, out: &mut Out) {
        if self.is_modern() {
            return self.send_joining_heartbeat(ctx, out);
        }
        self.membership = Membership::Joining;
        self.awaited.group = Some(ctx.step);
        self.heartbeats += 1;
        out.event(
            Event::JoinGroupSent { consumer: self.consumer(), generation: self.generation },
            Causes::triggered_by(self.join_because),
        );
        self.follow();
        let request = Rc::new(self.join_request(ctx));
        self.standing.reason = RebalanceReason::MemberRejoins;
        let message = Message::JoinGroup { member: self.key, has_member_id: self.has_member_id, request };
        self.send_to_coordinator(message, out);
        self.join_because = ctx.step;
        if !self.owned.is_empty() {
            self.again(ctx, out);
        }
    }

    fn join_request(&self, ctx: Context<'_>) -> JoinRequest {
        let settings = &self.config.settings;
        JoinRequest {
            session_timeout: settings.session_timeout,
            rebalance_timeout: settings.rebalance_timeout(),
            instance_id: self.standing.instance_id.clone(),
            assignors: settings.assignors.clone(),
            topics: self.config.reads.topics().into(),
            owned: self.owned.iter().map(|owned| owned.partition).collect(),
            generation: self.standing.generation,
            user_data: self.standing.user_data.clone(),
            reason: self.standing.reason,
            may_skip_assignment: settings.release.min(ctx.setup.cluster.release) >= SKIPPED_ASSIGNMENTS,
            joins_twice: settings.release.min(ctx.setup.cluster.release) >= REQUIRED_MEMBER_ID,
        }
    }

    /// `poll()` throws, as no new attempt can help.
    pub(super) fn throw(&mut self, ctx: Context<'_>, because: StepNo, error: ErrorCode, out: &mut Out) {
        self.heartbeats += 1;
        self.fatal.get_or_insert(Fatal { error, because, is_thrown: !self.coordinates_beside() });
        self.again(ctx, out);
    }

    /// Something went wrong on the way into the group: it begins anew at once.
    pub(super) fn start_over(&mut self, ctx: Context<'_>, because: StepNo, error: ErrorCode, out: &mut Out) {
        out.event(Event::RejoinNeeded { consumer: self.consumer(), error }, Causes::triggered_by(because));
        self.membership = Membership::Unjoined;
        self.heartbeats += 1;
        self.note_group_error(ctx.step, error);
        self.again(ctx, out);
    }

    /// The next `poll()` has to join again. An error that means that the membership is lost
    /// (`resetStateOnResponseError`) outweighs the news that the group rebalances.
    pub(super) fn note_group_error(&mut self, step: StepNo, error: ErrorCode) {
        // No answer in time says nothing of the membership.
        let says_nothing = matches!(error, ErrorCode::None | ErrorCode::RequestTimedOut);
        if says_nothing || self.is_assigned_by_hand() {
            return;
        }
        if error.is_fatal() {
            self.heartbeats += 1;
            self.fatal.get_or_insert(Fatal { error, because: step, is_thrown: false });
            return;
        }
        self.has_member_id &= error != ErrorCode::UnknownMemberId;
        if is_fatal_for_generation(error) {
            self.standing.generation = None;
        }
        if self.rejoin.is_none() || (is_fatal_for_generation(error) && !is_fatal_for_generation(self.rejoin_error)) {
            self.rejoin = Some(step);
            self.rejoin_error = error;
        }
    }
}
