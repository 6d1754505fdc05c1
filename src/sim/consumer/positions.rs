//! Where to begin reading a partition.

use super::requests::Request;
use super::{Client, Membership, Owned};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{Event, Exception, PositionSource};
use crate::sim::ids::*;
use crate::sim::network::{Committed, Message};
use crate::sim::queue::Due;
use crate::sim::setup::{OffsetReset, Reads};
use crate::sim::step::{Causes, Role};
use crate::sim::target::Api;
use crate::sim::time::{Span, Time};
use std::rc::Rc;

/// How long a client waits before it asks once more where to begin: `request.timeout.ms`, as it is by default
/// (`OffsetFetcher#resetPositionsAsync`).
const RESET_RETRY: Span = Span::from_secs(30);

impl Client {
    /// The answer to OffsetFetch.
    pub fn handle_committed(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (request, committed): (StepNo, &[(PartitionId, Option<Committed>)]),
        out: &mut Out,
    ) {
        self.forget_offsets_request(Request { api: Api::OffsetFetch, broker: self.coordinator, step: request });
        if !committed.iter().any(|&(partition, _)| self.waits_for_position(partition)) {
            return;
        }
        self.because = sent_by;
        for &(partition, committed) in committed {
            match committed {
                _ if !self.waits_for_position(partition) => {}
                Some(committed) => self.positions_due.push_back((
                    partition,
                    committed.offset,
                    PositionSource::Committed,
                    committed.step,
                )),
                None => self.resets_due.push(partition),
            }
        }
        self.again(ctx, out);
    }

    /// The answer to ListOffsets.
    pub fn handle_offsets(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (broker, request): (BrokerId, StepNo),
        (offsets, source): (&[(PartitionId, Option<Offset>)], PositionSource),
        out: &mut Out,
    ) {
        self.forget_offsets_request(Request { api: Api::ListOffsets, broker, step: request });
        if !offsets.iter().any(|&(partition, _)| self.waits_for_position(partition)) {
            return;
        }
        self.because = sent_by;
        for &(partition, offset) in offsets {
            match offset {
                _ if !self.waits_for_position(partition) => {}
                Some(offset) => self.positions_due.push_back((partition, offset, source, None)),
                // No record is that young. It is asked again later, when there may be one.
                None => {
                    self.resets_due.push(partition);
                    self.resets_from = ctx.now + RESET_RETRY;
                    out.wake(self.resets_from, Due::Application(self.consumer(), self.key.incarnation));
                }
            }
        }
        self.again(ctx, out);
    }

    /// `assign()`, in front of the first `poll()`.
    #[inline(never)]
    pub(super) fn choose_partitions(&mut self, ctx: Context<'_>, out: &mut Out) {
        let Reads::Assigned(places) = &self.config.reads else {
            return;
        };
        let partitions: Rc<[PartitionId]> = places.iter().filter_map(|&place| ctx.topics.find(place)).collect();
        self.owned = partitions.iter().map(|&partition| Owned::new(partition, ctx.step)).collect();
        self.membership = Membership::Stable;
        self.assigned_step = ctx.step;
        let (consumer, count) = (self.consumer(), partitions.len() as u32);
        out.effects.push(Effect::Concerns(partitions.clone()));
        out.event(Event::PartitionsChosen { consumer, partitions: count }, Causes::triggered_by(self.because));
        self.fetch_committed(ctx, partitions, out);
    }

    /// True if an answer that tells where to begin in a partition is still of use.
    pub(super) fn waits_for_position(&self, partition: PartitionId) -> bool {
        let is_due =
            self.positions_due.iter().any(|&(due, ..)| due == partition) || self.resets_due.contains(&partition);
        !is_due && self.owned(partition).is_some_and(|owned| owned.position.is_none())
    }

    /// The log has no such offset: `auto.offset.reset` decides, as if nothing were committed.
    pub(super) fn lose_position(&mut self, partition: PartitionId, because: StepNo) {
        if let Some(owned) = self.owned_mut(partition) {
            owned.position = None;
            owned.is_out_of_range = true;
            self.because = because;
            self.resets_due.push(partition);
        }
    }

    /// `poll()` throws, and nobody catches it: the consumer is closed on the way out.
    #[inline(never)]
    fn poll_throws(&mut self, ctx: Context<'_>, out: &mut Out) {
        let partitions: Rc<[PartitionId]> = std::mem::take(&mut self.resets_due).into();
        let is_out_of_range = partitions
            .first()
            .is_some_and(|&partition| self.owned(partition).is_some_and(|owned| owned.is_out_of_range));
        let exception = if is_out_of_range { Exception::OffsetOutOfRange } else { Exception::NoOffsetForPartition };
        let count = partitions.len() as u32;
        out.event(
            Event::PollThrew { consumer: self.consumer(), exception, partitions: count },
            Causes::triggered_by(self.because),
        );
        out.effects.push(Effect::Concerns(partitions));
        self.closing = Some(ctx.step);
        self.again(ctx, out);
    }

    /// Sets the next first position, or asks for what it needs. False if there is nothing to do.
    pub(super) fn next_position(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        if !self.reads.is_empty() && self.reads_store(ctx, out) {
            return true;
        }
        if let Some((partition, offset, source, committed_by)) = self.positions_due.pop_front() {
            let was_out_of_range = self.owned(partition).is_some_and(|owned| owned.is_out_of_range);
            self.set_position(
                ctx,
                partition,
                offset,
                matches!(source, PositionSource::Committed | PositionSource::Stored),
            );
            let step = committed_by.unwrap_or(self.because);
            let consumer = self.consumer();
            out.event(
                Event::PositionSet { consumer, partition, offset, source, was_out_of_range },
                Causes::NONE.and(Role::DecidedValue, step).and(Role::Triggered, self.assigned_step),
            );
            out.effects.push(Effect::Position { member: self.key, partition, offset });
            self.again(ctx, out);
            return true;
        }
        if self.resets_due.is_empty() || ctx.now < self.resets_from {
            return false;
        }
        let (source, since) = match self.config.settings.auto_offset_reset {
            OffsetReset::Earliest => (PositionSource::Earliest, ctx.now),
            OffsetReset::Latest => (PositionSource::Latest, ctx.now),
            OffsetReset::ByDuration(span) => {
                (PositionSource::ByDuration, Time::from_micros(ctx.now.as_micros().saturating_sub(span.as_micros())))
            }
            OffsetReset::None => {
                self.poll_throws(ctx, out);
                return true;
            }
        };
        let partitions = std::mem::take(&mut self.resets_due);
        let consumer = self.consumer();
        out.event(
            Event::ListOffsetsSent { consumer, partitions: partitions.len() as u32 },
            Causes::triggered_by(self.because),
        );
        for broker in (0..ctx.setup.brokers.len()).map(BrokerId::at) {
            let led: Rc<[PartitionId]> =
                partitions.iter().copied().filter(|&partition| ctx.leader(partition) == broker).collect();
            if !led.is_empty() {
                let message = Message::ListOffsets { consumer, partitions: led.clone(), source, since };
                self.ask_for_offsets(ctx, broker, (message, led), out);
            }
        }
        self.again(ctx, out);
        true
    }

    pub(super) fn set_position(
        &mut self,
        ctx: Context<'_>,
        partition: PartitionId,
        offset: Offset,
        is_committed: bool,
    ) {
        // A Fetch that is under way does not ask for it. The Java client waits for its answer, a moment at most.
        let leader = ctx.leader(partition);
        self.fetches.retain(|&(broker, _)| broker != leader);
        if let Some(owned) = self.owned_mut(partition) {
            owned.is_out_of_range = false;
            owned.position = Some(offset);
            owned.position_step = ctx.step;
            owned.started_at = ctx.step;
            owned.fetched_to = offset;
            owned.next = offset;
            owned.commit_sent = offset;
            owned.committed = offset;
            owned.is_committed = is_committed;
            owned.began_at = offset;
            owned.stored_late = None;
        }
    }
}
