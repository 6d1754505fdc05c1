//! SyncGroup: who gets what.

use super::{Group, GroupState, Member};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{ErrorCode, Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::network::{Assignment, Message, Node};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::{Causes, Role};
use std::rc::Rc;

impl Group {
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
        let error = self.sync_error(ctx, key, generation);
        if error != ErrorCode::None {
            let because = match error {
                ErrorCode::IllegalGeneration => self.generation_step,
                _ => self.made_a_stranger(key, error),
            };
            out.event(
                Event::SyncRejected { group: self.id, consumer: key.consumer, error },
                Causes::triggered_by(sent_by).and_maybe(Role::DecidedValue, because),
            );
            let answer = Message::SyncGroupAnswer { error, partitions: Rc::new([]), decided: ctx.step };
            return out.send(Node::Broker(self.broker), Node::Consumer(key), answer);
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
                member.answer_sync(ctx, ErrorCode::None, member.assigned.clone(), decided, (id, self.broker), out);
            }
        }
    }

    fn sync_error(&self, ctx: Context<'_>, key: MemberKey, generation: Generation) -> ErrorCode {
        match self.state_met() {
            _ if self.member(key).is_none() => self.error_of_stranger(ctx, key),
            _ if generation != self.generation => ErrorCode::IllegalGeneration,
            GroupState::PreparingRebalance => ErrorCode::RebalanceInProgress,
            _ => ErrorCode::None,
        }
    }

    /// Members that did not send SyncGroup in time are removed, one a step.
    #[inline(never)]
    pub fn handle_sync_check(&mut self, ctx: Context<'_>, generation: Generation, out: &mut Out) {
        let running = matches!(self.state, GroupState::CompletingRebalance | GroupState::Stable);
        if !running || generation != self.generation {
            return;
        }
        let Some(place) = self.members.iter().position(|member| !member.synced) else {
            return;
        };
        let consumer = self.time_out(ctx, place, self.generation_step, out);
        if self.members.iter().any(|member| !member.synced) {
            out.wake(ctx.now, Due::SyncCheck(self.id, generation));
        } else {
            self.member_gone(ctx, RebalanceReason::SyncTimedOut, consumer, out);
        }
    }
}

impl Member {
    /// True once it has sent SyncGroup for the present generation.
    pub fn has_synced(&self) -> bool {
        self.synced
    }

    /// Answers the SyncGroup that waits, if one does. The session starts anew, as a check that came meanwhile was
    /// passed over (`propagateAssignment`).
    pub(super) fn answer_sync(
        &mut self,
        ctx: Context<'_>,
        error: ErrorCode,
        partitions: Rc<[PartitionId]>,
        decided: StepNo,
        (group, broker): (GroupId, BrokerId),
        out: &mut Out,
    ) {
        if std::mem::take(&mut self.syncing) {
            let answer = Message::SyncGroupAnswer { error, partitions, decided };
            out.send(Node::Broker(broker), Node::Consumer(self.key), answer);
            self.restart_session(ctx, self.request.session_timeout, group, out);
        }
    }
}
