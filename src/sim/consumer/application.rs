//! The application thread: `poll()`, handle, commit.

use super::{Application, Client, Consumer, Membership, RecordLookup};
use crate::sim::effect::{Context, Out};
use crate::sim::event::Event;
use crate::sim::ids::*;
use crate::sim::network::Range;
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::{Causes, Role};

impl Consumer {
    /// The application thread goes on: it commits if it is time to, takes the next record, or calls `poll()`.
    pub fn go_on(&mut self, ctx: Context<'_>, incarnation: Incarnation, records: &impl RecordLookup, out: &mut Out) {
        let Some(client) = self.client_mut(incarnation) else {
            return;
        };
        if let Application::Resting { until, .. } = client.application
            && until <= ctx.now
        {
            client.application = Application::Polling;
        }
        client.set_commit_timer(ctx, out);
        if client.coordinates_beside() && client.coordinates(ctx, out) {
            return client.again(ctx, out);
        }
        if client.application != Application::Polling {
            return;
        }
        if client.fatal.is_some_and(|fatal| fatal.is_thrown || client.batch.is_empty()) {
            return self.fail(ctx, out);
        }
        if client.is_revoking() && !client.coordinates_beside() {
            return client.go_on_revoking(ctx, out);
        }
        if client.go_on_after_failure(ctx, out) {
            return;
        }
        let poll_goes_on = !client.batch.is_empty() && client.batch_room > 0;
        if !poll_goes_on && client.loop_commits(ctx, out) {
            return;
        }
        if !client.has_heartbeat_thread() && client.goes_between_records(ctx, out) {
            return;
        }
        if client.has_pool() && !poll_goes_on {
            client.hand_over(ctx, out);
        }
        if client.closing.is_some() && client.may_stop_here() {
            return self.close(ctx, out);
        }
        if poll_goes_on {
            if client.poll_returns_more(ctx, out) {
                return;
            }
            client.batch_room = 0;
            if client.loop_commits(ctx, out) {
                return;
            }
        }
        match client.batch.front() {
            Some(_) if client.has_pool() => client.again(ctx, out),
            Some(&range) => client.take_in_hand(ctx, range, records, out),
            None => client.poll(ctx, out),
        }
    }

    /// The handling of the record in hand is done. Returns it; the caller writes it to the sink and tells what happened.
    pub fn finish_handling(&mut self, ctx: Context<'_>, incarnation: Incarnation) -> Option<Finished> {
        let client = self.client_mut(incarnation)?;
        let Application::Handling { record, partition, offset, step, .. } = client.application else {
            return None;
        };
        client.application = Application::Polling;
        client.since_commit += 1;
        client.last_processed = ctx.step;
        let range = client.batch.front_mut().expect("the record in hand is of the batch");
        range.from += 1;
        let ends_range = range.is_empty();
        if ends_range {
            client.batch.pop_front();
        }
        if !client.has_heartbeat_thread() {
            client.come_between_records(ends_range);
        }
        let key = client.key;
        let now = ctx.step;
        let started_at = client.at_hand_mut(partition).map(|owned| {
            // After a `seek()` meanwhile it goes on from there.
            if owned.started_at <= step {
                owned.next = offset + 1;
            }
            owned.last_processed = now;
            owned.started_at
        });
        self.processed += 1;
        Some(Finished { member: key, record, partition, offset, handling: step, started_at })
    }
}

/// A record whose handling has finished.
#[derive(Clone, Copy, Debug)]
pub struct Finished {
    /// Who handled it.
    pub member: MemberKey,
    /// The record.
    pub record: RecordId,
    /// Its partition.
    pub partition: PartitionId,
    /// Its offset.
    pub offset: Offset,
    /// The step in which the handling began.
    pub handling: StepNo,
    /// The step that set the position from which this member began to read the partition.
    pub started_at: Option<StepNo>,
}

impl Client {
    /// Whether the application's loop may end here.
    pub(super) fn may_stop_here(&self) -> bool {
        match self.has_pool() {
            true => !self.waits_for_workers(),
            false => self.batch.is_empty() || self.config.stops_between_records(),
        }
    }

    /// `poll()`: callbacks and the group first, then the periodic commit, positions, records.
    fn poll(&mut self, ctx: Context<'_>, out: &mut Out) {
        if self.call_back(ctx, out) || self.commits_again(ctx, out) {
            return;
        }
        self.leftover.clear();
        if self.take_answer(ctx, out) {
            return;
        }
        let is_joining = matches!(self.membership, Membership::Joining | Membership::Syncing);
        if self.coordinates_beside() && (is_joining || self.is_revoking()) {
            return;
        }
        if let Some(because) = self.rejoin.filter(|_| !is_joining) {
            return self.prepare_join(ctx, because, out);
        }
        match self.membership {
            Membership::Unjoined if self.is_assigned_by_hand() => self.choose_partitions(ctx, out),
            Membership::Unjoined => self.send_join(ctx, out),
            Membership::Joining | Membership::Syncing if self.owned.is_empty() => {}
            _ => {
                if self.reconcile(ctx, out) || self.auto_commits(ctx, out) || self.next_position(ctx, out) {
                    return;
                }
                if !self.sought.is_empty() && self.commits_sought(ctx, out) {
                    return;
                }
                if ctx.now < self.records_from || self.resolves_offsets() {
                    return;
                }
                if self.closing.is_some() {
                    return;
                }
                self.batch_room = self.poll_room();
                if self.batch_room > 0 && !self.poll_returns_more(ctx, out) {
                    self.fetch(ctx, out);
                }
            }
        }
    }

    fn take_in_hand(&mut self, ctx: Context<'_>, range: Range, records: &impl RecordLookup, out: &mut Out) {
        let (partition, offset) = (range.partition, range.from);
        let record = records.record_at(partition, offset);
        let place = ctx.topics.place(partition);
        let until = ctx.now + self.config.handling.time_of(records.key_of(record), place, offset);
        let polled = self.at_hand_mut(partition).map(|owned| owned.position_step);
        self.leave_poll();
        self.application = Application::Handling { record, partition, offset, since: ctx.now, until, step: ctx.step };
        out.event(
            Event::HandlingStarted { consumer: self.consumer(), record, partition, offset },
            Causes::NONE.and_maybe(Role::Triggered, polled),
        );
        out.wake(until, Due::HandlingDone(self.consumer(), self.key.incarnation));
    }
}
