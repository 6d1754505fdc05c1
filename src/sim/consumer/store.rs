//! Offsets that an application keeps in the database of its table, beside its rows: it stores them with each row or where
//! it would commit otherwise, and calls `seek()` in `onPartitionsAssigned()`.
//!
//! The database knows nothing of the group: nobody is asked for a generation, and the partitions for which it holds
//! nothing begin where Kafka says.

use super::{Client, Consumer, Finished};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{CommitCall, Event, PositionSource};
use crate::sim::ids::*;
use crate::sim::network::PartitionOffset;
use crate::sim::queue::Due;
use crate::sim::setup::{OffsetStore, StoreWhen};
use crate::sim::sink::Sink;
use crate::sim::step::{Causes, Role};
use crate::sim::time::{Span, Time};
use std::rc::Rc;

/// How long an application waits whose table does not answer.
const TABLE_RETRY: Span = Span::from_secs(1);

/// Partitions that it has got and of which it could not read yet where to begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reads {
    partitions: Vec<PartitionId>,
    /// When it tries again.
    from: Time,
}

impl Reads {
    /// True if it has read all.
    pub(super) const fn is_empty(&self) -> bool {
        self.partitions.is_empty()
    }

    /// These partitions are given up.
    pub(super) fn forget(&mut self, gone: &[PartitionId]) {
        self.partitions.retain(|partition| !gone.contains(partition));
    }
}

impl Consumer {
    /// The offset that goes into one transaction with the row of a record, if its application works so. A worker that has
    /// not been told that its partition is gone knows its own record only.
    #[inline(never)]
    pub fn store_with_row(&mut self, done: Finished, out: &mut Out) {
        let Some(client) = self.client_mut(done.member.incarnation) else {
            return;
        };
        let Some(store) = client.config.handling.offset_store.filter(|store| store.when == StoreWhen::WithRow) else {
            return;
        };
        let owned = client.owned_mut(done.partition).filter(|owned| Some(owned.started_at) == done.started_at);
        let next = match owned {
            None => done.offset + 1,
            Some(owned) if owned.next <= owned.commit_sent => return,
            Some(owned) => {
                owned.note_stored(owned.next);
                owned.next
            }
        };
        if let Some(value) = store.value_of(next) {
            out.effects.push(Effect::StoreOffsets { member: done.member, offsets: [(done.partition, value)].into() });
        }
    }
}

impl super::Owned {
    fn note_stored(&mut self, next: Offset) {
        self.commit_sent = next;
        self.committed = next;
        self.is_committed = true;
    }
}

impl Client {
    fn table<'a>(&self, ctx: Context<'a>) -> Option<&'a Sink> {
        ctx.sinks.get(self.config.handling.writes_to?.index())
    }

    /// What would be a commit otherwise. False if there is nothing to store. While the table is down the loop waits for it;
    /// who gives up partitions or ends does not.
    #[inline(never)]
    pub(super) fn store_offsets(
        &mut self,
        ctx: Context<'_>,
        (store, call, because): (OffsetStore, CommitCall, StepNo),
        out: &mut Out,
    ) -> bool {
        let which = self.config.handling.commit.offset;
        let changed = |owned: &&mut super::Owned| match call.is_of_positions() {
            true => owned.has_moved(),
            false => owned.has_progress(false, which),
        };
        if self.owned.iter_mut().filter(changed).count() == 0 {
            self.since_commit = 0;
            return false;
        }
        if let Some(down) = self.table(ctx).and_then(|table| table.down) {
            let waits = !matches!(call, CommitCall::OnRevoke | CommitCall::OnClose) && self.closing.is_none();
            if waits {
                self.batch_is_new |= call.is_of_positions();
                self.rest(ctx, TABLE_RETRY, down, out);
            }
            return waits;
        }
        if !call.is_of_positions() {
            self.since_commit = 0;
        }
        let take = |owned: &mut super::Owned| -> Option<PartitionOffset> {
            let next = owned.offset_for(call.is_of_positions(), which)?;
            owned.note_stored(next);
            Some((owned.partition, store.value_of(next)?))
        };
        let offsets: Rc<[PartitionOffset]> = self.owned.iter_mut().filter(changed).filter_map(take).collect();
        let Some(&(partition, offset)) = offsets.first() else {
            return false;
        };
        let (consumer, partitions) = (self.consumer(), offsets.len() as u32);
        out.event(
            Event::OffsetsStored { consumer, partition, offset, partitions, call },
            Causes::triggered_by(because).and_maybe(
                Role::DecidedValue,
                Some(self.last_processed).filter(|&last| last != because && !call.is_of_positions()),
            ),
        );
        out.effects.push(Effect::Concerns(offsets.iter().map(|&(partition, _)| partition).collect()));
        out.effects.push(Effect::StoreOffsets { member: self.key, offsets });
        self.again(ctx, out);
        true
    }

    /// In `onPartitionsAssigned()`: partitions for which an offset is stored begin there. Returns the others.
    #[inline(never)]
    pub(super) fn seek_to_stored(
        &mut self,
        ctx: Context<'_>,
        store: OffsetStore,
        partitions: Rc<[PartitionId]>,
        out: &mut Out,
    ) -> Rc<[PartitionId]> {
        let Some(table) = self.table(ctx) else {
            return partitions;
        };
        if table.down.is_some() {
            self.reads.partitions.extend(partitions.iter().copied());
            self.wait_for_table(ctx, out);
            return Rc::new([]);
        }
        let group = self.standing.group;
        let mut others = Vec::new();
        for &partition in partitions.iter() {
            match table.stored(group, partition) {
                None => others.push(partition),
                Some(stored) => self.positions_due.push_back((
                    partition,
                    store.start(stored.offset),
                    PositionSource::Stored,
                    Some(stored.step),
                )),
            }
        }
        self.again(ctx, out);
        others.into()
    }

    fn wait_for_table(&mut self, ctx: Context<'_>, out: &mut Out) {
        self.reads.from = ctx.now + TABLE_RETRY;
        out.wake(self.reads.from, Due::Application(self.consumer(), self.key.incarnation));
    }

    /// Reads what it could not read before, if the table answers now. False if that is still to come.
    #[inline(never)]
    pub(super) fn reads_store(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        if ctx.now < self.reads.from {
            return false;
        }
        if self.table(ctx).is_some_and(|table| table.down.is_some()) {
            self.wait_for_table(ctx, out);
            return false;
        }
        let partitions: Rc<[PartitionId]> = std::mem::take(&mut self.reads.partitions).into();
        let before = self.positions_due.len();
        self.fetch_committed(ctx, partitions.clone(), out);
        let found = (self.positions_due.len() - before) as u32;
        let (consumer, count) = (self.consumer(), partitions.len() as u32);
        out.event(
            Event::StoredOffsetsRead { consumer, partitions: count, found },
            Causes::triggered_by(self.assigned_step),
        );
        out.effects.push(Effect::Concerns(partitions));
        self.again(ctx, out);
        true
    }
}
