//! What the client asks its library: who commits and what, and whether it is still worth a commit.

use super::{Client, Membership, Owned};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::CommitCall;
use crate::sim::ids::PartitionId;
use crate::sim::queue::Due;
use crate::sim::setup::{CommitOffset, CommitsIn, Library, Revoked};
use crate::sim::time::Span;

impl Client {
    pub(super) fn library(&self) -> Library {
        self.config.settings.library
    }

    pub(super) fn commits_in(&self) -> CommitsIn {
        self.library().commits_in()
    }

    /// True if the application thread waits for the answer to a commit.
    pub(super) fn waits_for(&self, call: CommitCall) -> bool {
        call.blocks() || (call == CommitCall::AutoInterval && self.commits_in() == CommitsIn::Loop)
    }

    /// True if a call commits positions; otherwise what is processed, and of librdkafka what the application has stored.
    pub(super) fn commits_positions(&self, call: CommitCall) -> bool {
        call.is_of_positions() && (call.is_of_application() || self.library().commits_what_is_handed_over())
    }

    /// True if a call of the client's own leaves out what has not moved on.
    pub(super) fn commits_only_progress(&self, call: CommitCall) -> bool {
        !call.is_of_application() && self.library().commits_only_progress()
    }

    /// True if a call commits what is stored of the partitions that go, be it less than what is committed already: librdkafka
    /// compares the two only when its timer runs out (`rd_kafka_assignment_serve_removals`,
    /// `rd_kafka_topic_partition_list_set_offsets`).
    pub(super) fn commits_all_stored(&self, call: CommitCall) -> bool {
        let when_they_go = matches!(call, CommitCall::AutoRejoin | CommitCall::AutoClose);
        when_they_go && matches!(self.library(), Library::Librdkafka { .. })
    }

    /// True if the application stores the offset behind each record that a worker has finished, whenever that is. Its client
    /// takes any offset of a partition that is assigned, also one from before the assignment (`rd_kafka_offset_store0`).
    pub(super) fn stores_late(&self) -> bool {
        let stores = matches!(self.library(), Library::Librdkafka { auto_offset_store: false, .. });
        stores && self.config.handling.commit.offset == CommitOffset::Highest
    }

    /// True if the client would commit by itself more of a partition than before.
    #[inline(never)]
    pub(super) fn has_progress(&self, owned: &Owned) -> bool {
        owned.has_progress(self.library().commits_what_is_handed_over(), self.config.handling.commit.offset)
    }

    /// True as long as the client has a member id and a generation to name, be it an old one.
    #[inline(never)]
    pub(super) fn has_generation(&self) -> bool {
        let is_member = self.membership != Membership::Unjoined || self.is_assigned_by_hand();
        is_member && !self.is_lost() && self.timed_out.is_none()
    }

    /// An eager rebalance begins: what the library knows of the partitions stays, unless the membership is lost.
    #[inline(never)]
    pub(super) fn retain_positions(&mut self, is_lost: bool) {
        self.retained.clear();
        if !is_lost {
            self.retained.extend(self.owned.iter().filter(|owned| owned.position.is_some()).cloned());
        }
    }

    /// The assignment is known: the partitions among the retained ones that it holds go on where they were. Workers that
    /// have put down what they had in hand do not take it up again.
    #[inline(never)]
    pub(super) fn take_retained(&mut self, partitions: &[PartitionId], out: &mut Out) {
        let puts_down = self.config.handling.pool.is_some_and(|pool| pool.revoked == Revoked::Stops);
        for mut owned in std::mem::take(&mut self.retained) {
            let Some(position) = owned.position.filter(|_| partitions.contains(&owned.partition)) else {
                continue;
            };
            owned.fetched_to = position;
            if puts_down {
                owned.next = position;
                owned.beyond.clear();
            }
            out.effects.push(Effect::Position { member: self.key, partition: owned.partition, offset: position });
            self.owned.push(owned);
        }
    }

    /// True while the client looks for a start position and asks for no records before it has all
    /// (`OffsetManager#resolveOffsets`).
    pub(super) fn resolves_offsets(&self) -> bool {
        !self.has_heartbeat_thread() && self.owned.iter().any(|owned| owned.position.is_none())
    }

    /// True while it joins anyway, so that the answer to a commit is no news of its group
    /// (`rd_kafka_cgrp_revoke_all_rejoin_maybe`).
    pub(super) fn is_on_its_way_back(&self) -> bool {
        self.library().always_asks() && matches!(self.membership, Membership::Joining | Membership::Syncing)
    }

    /// Sets the timer of a client that commits beside its application, if there will be something for it to do. It runs
    /// since the start of the process, whatever happens to the group (`rd_kafka_cgrp_offset_commit_tmr_cb`,
    /// `_coordination_routine`).
    pub(super) fn set_commit_timer(&mut self, ctx: Context<'_>, out: &mut Out) {
        if self.commits_in() == CommitsIn::Background {
            self.set_background_timer(ctx, out);
        }
    }

    #[inline(never)]
    fn set_background_timer(&mut self, ctx: Context<'_>, out: &mut Out) {
        // With 0 there is no timer: offsets are committed only when partitions go.
        let Some(interval) = self.config.settings.auto_commit().filter(|&interval| interval > Span::ZERO) else {
            return;
        };
        if self.auto_commit.wake_at.is_some() || !self.has_auto_commit() {
            return;
        }
        if self.auto_commit.due <= ctx.now {
            let late = ctx.now.since(self.auto_commit.due).as_micros();
            let periods = late / interval.as_micros() + 1;
            self.auto_commit.due += Span::from_micros(periods * interval.as_micros());
        }
        self.auto_commit.wake_at = Some(self.auto_commit.due);
        out.wake(self.auto_commit.due, Due::AutoCommit(self.consumer(), self.key.incarnation));
    }

    /// The timer has run out: the client commits, whatever the application does.
    #[inline(never)]
    pub(super) fn commit_in_background(&mut self, ctx: Context<'_>, out: &mut Out) {
        if self.has_auto_commit() {
            self.commit(ctx, CommitCall::AutoInterval, self.polled.1, out);
        }
    }
}
