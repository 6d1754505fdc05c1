//! A client without a heartbeat thread: between two records its one thread sends the heartbeat that is due, waits for the
//! answer, and commits.
//!
//! Source: kafkajs, `Runner#{processEachMessage, handleBatch, fetch}`, `ConsumerGroup#heartbeat`,
//! `OffsetManager#commitOffsetsIfNecessary`.

use super::requests::REQUEST_TIMEOUT;
use super::{Client, Membership};
use crate::sim::effect::{Context, Out};
use crate::sim::event::{CommitCall, Event};
use crate::sim::ids::PartitionId;
use crate::sim::network::{Message, PartitionOffset};
use crate::sim::queue::Due;
use crate::sim::setup::Library;
use crate::sim::step::Causes;
use crate::sim::time::Time;
use std::rc::Rc;

/// What is left to do between two records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BetweenRecords {
    /// A record has been handled since the thread was here last.
    handled: bool,
    /// It was the last of the records that were fetched of its partition.
    ends_batch: bool,
    /// The thread waits for the answer to a heartbeat.
    waits_for_heartbeat: bool,
    /// When it last committed, or had nothing to commit.
    committed_at: Time,
}

impl Client {
    pub(super) fn has_heartbeat_thread(&self) -> bool {
        self.library().has_heartbeat_thread()
    }

    /// A record has been handled: the thread comes by here before it takes the next one.
    #[inline(never)]
    pub(super) fn come_between_records(&mut self, ends_batch: bool) {
        self.between_records.handled = true;
        self.between_records.ends_batch |= ends_batch;
    }

    /// What the thread does between two records. True if it does not go on to the next one yet.
    #[inline(never)]
    pub(super) fn goes_between_records(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        if self.between_records.waits_for_heartbeat {
            return true;
        }
        if !self.between_records.handled {
            return false;
        }
        if self.rejoin.is_some() || self.membership != Membership::Stable {
            // The error ends the loop over the batch. What is left of it is fetched anew after the rebalance.
            self.batch.clear();
            self.buffer.clear();
            self.batch_room = 0;
            self.between_records = BetweenRecords { committed_at: ctx.now, ..BetweenRecords::default() };
            return false;
        }
        let interval = self.config.settings.heartbeat_interval;
        if self.heartbeat_sent.is_none_or(|(at, _)| at + interval <= ctx.now) {
            self.send_heartbeat_between_records(ctx, out);
            return true;
        }
        if self.has_to_commit(ctx) {
            self.between_records.committed_at = ctx.now;
            self.between_records.ends_batch = false;
            if self.commit(ctx, CommitCall::AutoInterval, self.last_processed, out) {
                return true;
            }
        }
        self.between_records.handled = false;
        false
    }

    /// `autoCommitOffsets()` behind a batch, `commitOffsetsIfNecessary()` behind a record.
    fn has_to_commit(&self, ctx: Context<'_>) -> bool {
        let Library::KafkaJs { auto_commit_interval, auto_commit_threshold, .. } = self.library() else {
            return false;
        };
        let BetweenRecords { ends_batch, committed_at, .. } = self.between_records;
        let interval_is_over = auto_commit_interval.is_some_and(|interval| committed_at + interval <= ctx.now);
        let threshold_is_reached = auto_commit_threshold.is_some_and(|records| self.uncommitted() >= records);
        self.config.settings.enable_auto_commit && (ends_batch || interval_is_over || threshold_is_reached)
    }

    fn send_heartbeat_between_records(&mut self, ctx: Context<'_>, out: &mut Out) {
        self.between_records.waits_for_heartbeat = true;
        self.heartbeat_sent = Some((ctx.now, ctx.step));
        out.event(Event::HeartbeatSent { consumer: self.consumer(), generation: self.generation }, Causes::NONE);
        self.send_to_coordinator(Message::Heartbeat { member: self.key, generation: self.generation }, out);
        self.wake_for_heartbeat(ctx.now + self.config.settings.heartbeat_pause(), out);
    }

    fn wake_for_heartbeat(&self, at: Time, out: &mut Out) {
        out.wake(at, Due::Heartbeat(self.consumer(), self.key.incarnation, self.heartbeats));
    }

    /// A Fetch has come back with nothing: a heartbeat, if it is time for one. While a record is handled nothing happens.
    #[inline(never)]
    pub(super) fn handle_empty_fetch_due(&mut self, ctx: Context<'_>, out: &mut Out) {
        let sent = self.heartbeat_sent.map(|(at, _)| at);
        if self.between_records.waits_for_heartbeat {
            let Some(times_out) = sent.map(|at| at + REQUEST_TIMEOUT).filter(|&at| at > ctx.now) else {
                return self.send_heartbeat_between_records(ctx, out);
            };
            return self.wake_for_heartbeat(times_out, out);
        }
        let is_too_early = sent.is_some_and(|at| at + self.config.settings.heartbeat_pause() > ctx.now);
        if self.is_in_poll() && self.membership == Membership::Stable && !is_too_early {
            self.send_heartbeat_between_records(ctx, out);
        }
    }

    /// The thread has the answer to its heartbeat and goes on.
    #[inline(never)]
    pub(super) fn note_heartbeat_answered(&mut self, ctx: Context<'_>, out: &mut Out) {
        if std::mem::take(&mut self.between_records.waits_for_heartbeat) {
            self.again(ctx, out);
        }
    }

    /// A new generation: the clocks of heartbeats and commits start anew.
    #[inline(never)]
    pub(super) fn restart_between_records(&mut self, ctx: Context<'_>) {
        self.heartbeat_sent = Some((ctx.now, ctx.step));
        self.between_records = BetweenRecords { committed_at: ctx.now, ..BetweenRecords::default() };
        self.forget_throws();
    }

    /// In front of a Fetch, `autoCommit` commits the offsets of `seek()` (`OffsetManager#seek`). False if there are none.
    #[inline(never)]
    pub(super) fn commits_sought(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        let sought = std::mem::take(&mut self.sought);
        let offsets: Rc<[PartitionOffset]> =
            sought.iter().filter_map(|&(partition, _)| Some((partition, self.owned(partition)?.position?))).collect();
        let Some(&(_, because)) = sought.last().filter(|_| !offsets.is_empty()) else {
            return false;
        };
        self.send_commit(ctx, (CommitCall::AutoSeek, Causes::triggered_by(because)), offsets, out);
        true
    }

    /// The application has called `seek()`.
    #[inline(never)]
    pub(super) fn note_sought(&mut self, ctx: Context<'_>, partition: PartitionId) {
        if self.config.settings.enable_auto_commit {
            self.sought.retain(|&(of, _)| of != partition);
            self.sought.push((partition, ctx.step));
        }
    }
}
