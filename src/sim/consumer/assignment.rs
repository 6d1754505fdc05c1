//! What the application thread does with the answers of the group: `onJoinComplete`.
//!
//! A member that is cooperative goes on with its records while it joins, so that answers may come while the application
//! is busy. Then they wait for the next `poll()`: only that deals and calls the listener. The answer to SyncGroup is
//! different in that the heartbeat thread takes note of it at once, after which commits name the new generation.
//!
//! Source: `AbstractCoordinator#joinGroupIfNeeded`, `ConsumerCoordinator#onJoinComplete`, KIP-429.

use super::revocation::Then;
use super::{Application, Client, Membership, Owned};
use crate::sim::assignor::Assignor;
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{ErrorCode, Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::network::Joined;
use crate::sim::step::{Causes, Role};
use std::rc::Rc;

/// An answer of the group that waits for the next `poll()`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// To JoinGroup.
    Join(Result<Joined, ErrorCode>),
    /// To SyncGroup: the member's part, and the step that decided it.
    Sync(Result<(Rc<[PartitionId]>, StepNo), ErrorCode>),
}

impl Client {
    /// The answer to JoinGroup arrives.
    pub fn handle_join_answer(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        answer: Result<Joined, ErrorCode>,
        out: &mut Out,
    ) {
        if self.membership != Membership::Joining {
            return;
        }
        // `commitSync()` waits on the network as `poll()` does.
        match self.is_in_poll() || self.application == Application::Committing || self.coordinates_beside() {
            true => self.join_answered(ctx, sent_by, answer, out),
            false => self.held = Some((sent_by, Answer::Join(answer))),
        }
    }

    /// The answer to SyncGroup arrives.
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
        let answer = match error {
            ErrorCode::None => {
                self.membership = Membership::Stable;
                // News of the rebalance that is over now. That of partitions which the leader did not know is still news.
                if !self.is_lost() && self.standing.reason != RebalanceReason::MetadataChanged {
                    self.rejoin = None;
                }
                Ok((partitions, decided))
            }
            error => Err(error),
        };
        self.held = Some((sent_by, Answer::Sync(answer)));
        if self.is_in_poll() || self.coordinates_beside() {
            self.take_answer(ctx, out);
        }
    }

    /// `poll()` takes up an answer that has come. False if there is none.
    pub(super) fn take_answer(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        let Some((sent_by, answer)) = self.held.take() else {
            return false;
        };
        match answer {
            Answer::Join(answer) => self.join_answered(ctx, sent_by, answer, out),
            Answer::Sync(Ok(part)) => self.complete_join(ctx, sent_by, part, out),
            Answer::Sync(Err(error)) if error.is_fatal() => self.throw(ctx, sent_by, error, out),
            Answer::Sync(Err(error)) => self.start_over(ctx, sent_by, error, out),
        }
        true
    }

    /// `onJoinComplete`. A cooperative member first gives up what it has and is not given; after that it gets what is new,
    /// and joins again so that what it gave up finds its new owner.
    fn complete_join(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (partitions, decided): (Rc<[PartitionId]>, StepNo),
        out: &mut Out,
    ) {
        let gone: Rc<[PartitionId]> =
            self.owned.iter().map(|owned| owned.partition).filter(|owned| !partitions.contains(owned)).collect();
        if !gone.is_empty() {
            self.held = Some((sent_by, Answer::Sync(Ok((partitions, decided)))));
            return self.begin_revocation(ctx, (gone, Then::Assign { decided }, sent_by), out);
        }
        if self.standing.assignor == Some(Assignor::Sticky) {
            self.standing.user_data = Some((partitions.clone(), self.generation));
        }
        let retains_some = !self.retained.is_empty();
        if retains_some {
            self.take_retained(&partitions, out);
        }
        let added: Rc<[PartitionId]> =
            partitions.iter().copied().filter(|&partition| self.owned(partition).is_none()).collect();
        let new = |&partition: &_| self.owned(partition).cloned().unwrap_or_else(|| Owned::new(partition, ctx.step));
        self.owned = partitions.iter().map(new).collect();
        self.assigned_step = ctx.step;
        self.restart_auto_commit(ctx);
        let is_cooperative = self.config.settings.is_cooperative();
        let told = if is_cooperative { added.clone() } else { partitions.clone() };
        let (consumer, generation, count) = (self.consumer(), self.generation, told.len() as u32);
        let event = match is_cooperative {
            true => {
                let kept = partitions.len() as u32 - count;
                Event::MorePartitionsAssigned { consumer, generation, partitions: count, kept }
            }
            false => Event::PartitionsAssigned { consumer, generation, partitions: count },
        };
        out.effects.push(Effect::Concerns(told));
        out.event(event, Causes::NONE.and(Role::DecidedValue, decided).and(Role::Triggered, sent_by));
        if !added.is_empty() {
            // A Fetch that waits at a broker asks for too few partitions now. In Kafka it comes back within
            // `fetch.max.wait.ms`; here the next one takes its place.
            self.fetches.clear();
            self.fetch_committed(ctx, added, out);
        }
        if self.rejoin.is_some()
            || self.closing.is_some()
            || retains_some
            || self.coordinates_beside()
            || !self.owned.is_empty() && is_cooperative
        {
            self.again(ctx, out);
        }
    }
}
