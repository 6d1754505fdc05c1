//! A client that keeps up with its group in a task beside the application, as aiokafka does: told of a rebalance it commits,
//! calls `on_partitions_revoked()` and joins again at once, whatever the application does meanwhile. That goes on with the
//! records that it has got, and learns nothing; its next `getmany()` waits for the new assignment.
//!
//! Source: aiokafka, `group_coordinator.py`: `__coordination_routine`, `ensure_active_group`, `_on_join_prepare`;
//! `consumer.py`: `commit`.

use super::{Client, Membership, Owned};
use crate::sim::effect::{Context, Out};
use crate::sim::event::CommitCall;
use crate::sim::ids::*;
use crate::sim::setup::Library;

impl Client {
    /// True if it joins its group again beside the application; otherwise `poll()` does that.
    pub(super) fn coordinates_beside(&self) -> bool {
        matches!(self.library(), Library::AioKafka { .. })
    }

    /// What the task does next. False if there is nothing to do.
    #[inline(never)]
    pub(super) fn coordinates(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        if self.fatal.is_some() || self.is_assigned_by_hand() {
            return false;
        }
        if self.is_revoking() {
            if !self.revocation_waits() {
                self.go_on_revoking(ctx, out);
            }
            return out.event.is_some();
        }
        if matches!(self.membership, Membership::Joining | Membership::Syncing) {
            return false;
        }
        // Who has given up its partitions does not join again before the application is back (`fetcher_idle_time`).
        let is_idle = !self.is_in_poll() && self.polled.0 + self.config.settings.max_poll_interval <= ctx.now;
        if is_idle && self.owned.is_empty() {
            return false;
        }
        if let Some(because) = self.rejoin {
            self.prepare_join(ctx, because, out);
        } else if self.membership == Membership::Unjoined {
            self.send_join(ctx, out);
        } else if self.membership == Membership::Stable {
            return self.next_position(ctx, out);
        }
        out.event.is_some()
    }

    /// True for a commit that the task waits for, and not the application.
    pub(super) fn waits_beside(&self, call: CommitCall) -> bool {
        self.coordinates_beside() && self.is_revoking() && matches!(call, CommitCall::AutoRejoin | CommitCall::OnRevoke)
    }

    /// Partitions go while the application is still busy with records of theirs: what it knows of them stays with it.
    #[inline(never)]
    pub(super) fn leave_with_application(&mut self, gone: &[PartitionId]) {
        self.batch_room = 0;
        if !self.batch.is_empty() {
            self.leftover.extend(self.owned.iter().filter(|owned| gone.contains(&owned.partition)).cloned());
        }
    }

    /// True while the application is busy with records of an earlier assignment.
    pub fn works_on_leftover(&self) -> bool {
        !self.leftover.is_empty()
    }

    /// What it knows of the partitions whose records its application is busy with.
    pub fn at_hand(&self) -> &[Owned] {
        if self.leftover.is_empty() { &self.owned } else { &self.leftover }
    }

    /// True while it is out of its group and its application goes on without knowing.
    pub fn is_out(&self) -> bool {
        self.timed_out.is_some() || (self.works_on_leftover() && self.membership == Membership::Unjoined)
    }

    /// The partition of the record in hand, as the application knows it.
    pub(super) fn at_hand_mut(&mut self, partition: PartitionId) -> Option<&mut Owned> {
        let list = if self.leftover.is_empty() { &mut self.owned } else { &mut self.leftover };
        list.iter_mut().find(|owned| owned.partition == partition)
    }

    /// True if a call commits what is left over: before the new assignment is known that is the client's own too.
    #[inline(never)]
    pub(super) fn commits_leftover(&self, call: CommitCall) -> bool {
        call.is_of_application() && (self.passes_offsets(call) || self.membership != Membership::Stable)
    }

    /// True if a call names a partition that the new assignment does not hold: then it throws, and asks nobody.
    #[inline(never)]
    pub(super) fn names_unassigned(&self, call: CommitCall) -> bool {
        let which = self.config.handling.commit.offset;
        let is_unassigned = |owned: &Owned| owned.has_progress(false, which) && self.owned(owned.partition).is_none();
        self.passes_offsets(call) && self.membership == Membership::Stable && self.leftover.iter().any(is_unassigned)
    }
}
