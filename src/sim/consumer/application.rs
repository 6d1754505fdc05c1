//! The application thread: `poll()`, handle, `commitSync()`.

use super::{Application, Client, Consumer, Membership, RecordLookup};
use crate::sim::effect::{Context, Out};
use crate::sim::event::{ErrorCode, Event};
use crate::sim::ids::*;
use crate::sim::network::{Message, PartitionOffset, Range};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::{Causes, Role};
use std::rc::Rc;

impl Consumer {
    /// The application thread goes on: it commits if it is time to, takes the next record, or calls `poll()`.
    pub fn go_on(&mut self, ctx: Context<'_>, incarnation: Incarnation, records: &impl RecordLookup, out: &mut Out) {
        let Some(client) = self.client_mut(incarnation) else {
            return;
        };
        if client.application != Application::Polling {
            return;
        }
        if client.since_commit >= client.config.handling.commit_after_records.max(1) {
            return client.commit(out);
        }
        if client.closing.is_some() {
            return self.close(ctx, out);
        }
        if let Some(&range) = client.batch.front() {
            if client.batch_room > 0 && client.poll_returns_more(ctx, out) {
                return;
            }
            client.batch_room = 0;
            return client.take_in_hand(ctx, range, records, out);
        }
        client.poll(ctx, out);
    }

    /// The handling of the record in hand is done. Returns it; the caller writes it to the sink and tells what happened.
    pub fn finish_handling(&mut self, ctx: Context<'_>, incarnation: Incarnation) -> Option<Finished> {
        let client = self.client_mut(incarnation)?;
        let Application::Handling { record, partition, offset, step, .. } = client.application else {
            return None;
        };
        client.application = Application::Polling;
        client.since_commit += 1;
        client.uncommitted += 1;
        client.last_processed = ctx.step;
        let range = client.batch.front_mut().expect("the record in hand is of the batch");
        range.from += 1;
        if range.is_empty() {
            client.batch.pop_front();
        }
        let key = client.key;
        let owned = client.owned.iter_mut().find(|owned| owned.partition == partition);
        let started_at = owned.map(|owned| {
            owned.next = offset + 1;
            owned.last_processed = ctx.step;
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
    /// `poll()`: the group first, then positions, then records.
    fn poll(&mut self, ctx: Context<'_>, out: &mut Out) {
        if self.rejoin.is_some() {
            return self.prepare_join(ctx, out);
        }
        match self.membership {
            Membership::Unjoined => self.send_join(ctx, out),
            Membership::Joining | Membership::Syncing => {}
            Membership::Stable => {
                if self.reconcile(ctx, out) || self.next_position(ctx, out) {
                    return;
                }
                self.batch_room = self.config.settings.max_poll_records;
                if !self.poll_returns_more(ctx, out) {
                    self.fetch(ctx, out);
                }
            }
        }
    }

    fn take_in_hand(&mut self, ctx: Context<'_>, range: Range, records: &impl RecordLookup, out: &mut Out) {
        let (partition, offset) = (range.partition, range.from);
        let record = records.record_at(partition, offset);
        let until = ctx.now + self.config.handling.time;
        let polled = self.owned.iter().find(|owned| owned.partition == partition).map(|owned| owned.position_step);
        self.application = Application::Handling { record, partition, offset, since: ctx.now, until, step: ctx.step };
        out.event(
            Event::HandlingStarted { consumer: self.consumer(), record, partition, offset },
            Causes::NONE.and_maybe(Role::Triggered, polled),
        );
        out.wake(until, Due::HandlingDone(self.consumer(), self.key.incarnation));
    }

    /// `commitSync()` of everything processed and not committed yet.
    fn commit(&mut self, out: &mut Out) {
        self.since_commit = 0;
        self.in_commit = std::mem::take(&mut self.uncommitted);
        let offsets: Rc<[PartitionOffset]> = self
            .owned
            .iter_mut()
            .filter(|owned| owned.next > owned.commit_sent)
            .map(|owned| {
                owned.commit_sent = owned.next;
                (owned.partition, owned.next)
            })
            .collect();
        let consumer = self.consumer();
        self.application = Application::Committing;
        out.event(
            Event::OffsetCommitSent { consumer, generation: self.generation, partitions: offsets.len() as u32 },
            Causes::triggered_by(self.last_processed),
        );
        let message = Message::OffsetCommit { member: self.key, generation: self.generation, offsets };
        self.send_to_coordinator(message, out);
    }

    /// `commitSync()` returns or throws. After a `CommitFailedException` the application goes on with the rest of its batch;
    /// the next `poll()` joins the group again.
    pub fn handle_commit_answer(&mut self, ctx: Context<'_>, sent_by: StepNo, error: ErrorCode, out: &mut Out) {
        if self.application != Application::Committing {
            return;
        }
        self.application = Application::Polling;
        if error != ErrorCode::None {
            self.uncommitted += self.in_commit;
        }
        let is_modern = self.is_modern();
        for owned in &mut self.owned {
            match error {
                ErrorCode::None => owned.committed = owned.commit_sent,
                _ if is_modern => owned.commit_sent = owned.committed,
                _ => {}
            }
        }
        out.event(Event::CommitAnswered { consumer: self.consumer(), error }, Causes::triggered_by(sent_by));
        // In the consumer protocol only a heartbeat's answer can end the membership.
        if !self.is_modern() {
            self.note_group_error(ctx.step, error);
        }
        self.again(ctx, out);
    }
}
