//! A pool of workers behind `poll()`: the application's thread only polls, hands records over and commits; the workers finish
//! them in any order.
//!
//! While the queue in front of the workers is full, the thread goes on calling `poll()` with its partitions paused, so that
//! it stays in the group: the usual back-pressure. What is handed over is out of the client's sight: only the
//! application can know what has been finished, and only if it keeps count.

use super::failing::LETTER_RETRY;
use super::{Client, Consumer, Finished, Letter, Owned, RecordLookup};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{AfterFailure, Event};
use crate::sim::failing::GivesUp;
use crate::sim::ids::*;
use crate::sim::network::Range;
use crate::sim::queue::Due;
use crate::sim::setup::Revoked;
use crate::sim::step::{Causes, Role};
use crate::sim::time::Time;
use std::collections::VecDeque;

/// The records that an application has handed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workers {
    /// What waits for a worker.
    queue: VecDeque<(Range, StepNo)>,
    /// What each worker has in hand.
    at_work: Vec<Option<Work>>,
}

/// A record in the hands of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Which record.
    pub record: RecordId,
    /// Its partition.
    pub partition: PartitionId,
    /// Its offset.
    pub offset: Offset,
    /// When the handling began.
    pub since: Time,
    /// When it will be done.
    pub until: Time,
    /// In which step it began, or failed.
    step: StepNo,
    /// The step that set the position from which this member began to read the partition.
    started_at: StepNo,
    /// How often it has failed.
    tries: u32,
    /// What its worker does with it until then.
    stage: Stage,
}

/// What a worker does with the record in its hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It handles it.
    Handling,
    /// It sleeps before it tries once more.
    Resting,
    /// It has given it up, and this producer is to send a copy.
    SetsAside(ProducerId),
}

impl Work {
    /// True while its worker sleeps before it tries the record once more.
    pub fn is_resting(&self) -> bool {
        self.stage == Stage::Resting
    }
}

impl Workers {
    /// The records in the hands of workers.
    pub fn at_work(&self) -> impl Iterator<Item = &Work> {
        self.at_work.iter().flatten()
    }

    /// How many records wait for a worker.
    pub fn waiting(&self) -> u32 {
        self.queue.iter().map(|(range, _)| range.len()).sum()
    }

    /// What waits for a worker.
    pub fn queue(&self) -> impl Iterator<Item = Range> + '_ {
        self.queue.iter().map(|&(range, _)| range)
    }

    /// What waits for a worker of this partition is let go.
    pub(super) fn forget(&mut self, partition: PartitionId) {
        self.queue.retain(|(range, _)| range.partition != partition);
    }

    fn is_idle(&self) -> bool {
        self.at_work().next().is_none()
    }
}

impl Consumer {
    /// A worker has finished its record. Returns it; the caller writes it to the sink and tells what happened. One that has
    /// nothing in hand takes the next record.
    #[inline(never)]
    pub fn worker_goes_on(
        &mut self,
        ctx: Context<'_>,
        (incarnation, worker): (Incarnation, u16),
        records: &impl RecordLookup,
        out: &mut Out,
    ) -> Option<Finished> {
        let client = self.client_mut(incarnation)?;
        let Some(work) = *client.workers.at_work.get(usize::from(worker))? else {
            client.worker_takes(ctx, worker, records, out);
            return None;
        };
        // It has put down the record that was to be done now.
        if work.until > ctx.now {
            return None;
        }
        if work.stage == Stage::Resting {
            client.worker_tries_again(ctx, (worker, work), records, out);
            return None;
        }
        client.worker_is_done(ctx, (worker, work), out);
        let Work { record, partition, offset, step, started_at, .. } = work;
        let key = client.key;
        self.processed += 1;
        Some(Finished { member: key, record, partition, offset, handling: step, started_at: Some(started_at) })
    }

    /// The handling of a worker's record ends with an exception, if it is one that fails now or its table is down. False if
    /// it does not.
    #[inline(never)]
    pub fn fail_in_worker(
        &mut self,
        ctx: Context<'_>,
        (incarnation, worker): (Incarnation, u16),
        (records, down): (&impl RecordLookup, Option<StepNo>),
        out: &mut Out,
    ) -> bool {
        let Some(client) = self.client_mut(incarnation) else {
            return false;
        };
        let Some(Some(work)) = client.workers.at_work.get(usize::from(worker)).copied() else {
            return false;
        };
        let Work { record, partition, offset, step, .. } = work;
        let (key, place) = (records.key_of(record), ctx.topics.place(partition));
        if work.until > ctx.now
            || work.stage != Stage::Handling
            || down.is_none() && !client.config.handling.fails(key, place, offset, ctx.now)
        {
            return false;
        }
        let on_error = client.config.handling.on_error;
        let tries = work.tries.saturating_add(1);
        let after = on_error.after(tries);
        out.effects.push(Effect::PutDown { member: client.key, partition, offset });
        let mut goes_on_at = ctx.now;
        let mut given_up = 0;
        let then = |stage, until| Some(Work { tries, stage, step: ctx.step, since: ctx.now, until, ..work });
        client.workers.at_work[usize::from(worker)] = match after {
            AfterFailure::TriesAgain => {
                goes_on_at = ctx.now + on_error.back_off;
                then(Stage::Resting, goes_on_at)
            }
            AfterFailure::SetsAside => match on_error.then {
                GivesUp::SetAside(producer) => then(Stage::SetsAside(producer), ctx.now),
                _ => None,
            },
            AfterFailure::Stops => {
                client.closing = Some(ctx.step);
                client.workers.queue.clear();
                None
            }
            // A scenario file has only what a worker can do: it cannot reach the loop around `poll()`.
            AfterFailure::Skips | AfterFailure::LeavesLoop | AfterFailure::SeeksBack | AfterFailure::Restarts => {
                let range = Range { partition, from: offset, to: offset + 1 };
                out.effects.push(Effect::RecordsGivenUp { member: client.key, range });
                given_up = 1;
                client.worker_is_done(ctx, (worker, work), out);
                None
            }
        };
        let consumer = client.consumer();
        out.event(
            Event::HandlingFailed { consumer, record, partition, offset, tries, after, given_up },
            Causes::NONE.and_maybe(Role::DecidedValue, down).and(Role::Triggered, step),
        );
        out.wake(goes_on_at, Due::Worker(consumer, incarnation, worker));
        client.again(ctx, out);
        true
    }

    /// The copy that a worker has to send before it goes on.
    #[inline(never)]
    pub fn letter_of_worker(&self, incarnation: Incarnation, worker: u16) -> Option<Letter> {
        let client = self.client().filter(|_| self.incarnation == incarnation)?;
        let work = (*client.workers.at_work.get(usize::from(worker))?)?;
        let Work { record, partition, offset, .. } = work;
        match work.stage {
            Stage::SetsAside(producer) => Some(Letter { producer, record, partition, offset }),
            Stage::Handling | Stage::Resting => None,
        }
    }
}

impl Owned {
    /// A record is finished, in whatever order.
    fn finish(&mut self, offset: Offset) {
        if offset < self.next {
            return;
        }
        let place = self.beyond.partition_point(|&other| other < offset);
        if self.beyond.get(place) != Some(&offset) {
            self.beyond.insert(place, offset);
        }
        let contiguous = self.beyond.iter().zip(self.next..).take_while(|&(&offset, next)| offset == next).count();
        self.beyond.drain(..contiguous);
        self.next += contiguous as Offset;
    }
}

impl Client {
    /// True if its records are handled by a pool.
    pub(super) fn has_pool(&self) -> bool {
        self.config.handling.pool.is_some()
    }

    /// What the application's thread does in front of `poll()`: it hands over what that has returned.
    #[inline(never)]
    pub(super) fn hand_over(&mut self, ctx: Context<'_>, out: &mut Out) {
        let Some(pool) = self.config.handling.pool else {
            return;
        };
        for range in std::mem::take(&mut self.batch) {
            let started_at = self.owned(range.partition).map_or(ctx.step, |owned| owned.started_at);
            self.workers.queue.push_back((range, started_at));
        }
        self.batch_is_new = false;
        if self.closing.is_some() {
            self.workers.queue.clear();
        }
        self.workers.at_work.resize(usize::from(pool.workers), None);
        if self.workers.queue.is_empty() {
            return;
        }
        for (worker, slot) in (0..).zip(&self.workers.at_work) {
            if slot.is_none() {
                out.wake(ctx.now, Due::Worker(self.key.consumer, self.key.incarnation, worker));
            }
        }
    }

    /// A worker is through with its record, whatever has become of that.
    fn worker_is_done(&mut self, ctx: Context<'_>, (worker, work): (u16, Work), out: &mut Out) {
        self.workers.at_work[usize::from(worker)] = None;
        out.wake(ctx.now, Due::Worker(self.consumer(), self.key.incarnation, worker));
        self.since_commit += 1;
        self.last_processed = ctx.step;
        let stores_late = self.stores_late();
        let Some(owned) = self.owned_mut(work.partition) else {
            return;
        };
        if owned.started_at == work.started_at {
            owned.finish(work.offset);
            owned.stored_late = None;
            owned.last_processed = ctx.step;
        } else if stores_late {
            owned.stored_late = Some(work.offset + 1);
            owned.last_processed = ctx.step;
        }
    }

    /// A worker that has slept takes its record in hand once more, unless its consumer is about to close.
    #[inline(never)]
    fn worker_tries_again(
        &mut self,
        ctx: Context<'_>,
        (worker, work): (u16, Work),
        records: &impl RecordLookup,
        out: &mut Out,
    ) {
        if self.closing.is_some() {
            self.workers.at_work[usize::from(worker)] = None;
            return self.again(ctx, out);
        }
        let Work { record, partition, offset, .. } = work;
        let place = ctx.topics.place(partition);
        let until = ctx.now + self.config.handling.time_of(records.key_of(record), place, offset);
        let work = Work { since: ctx.now, until, step: ctx.step, stage: Stage::Handling, ..work };
        let failed = self.workers.at_work[usize::from(worker)].replace(work).map(|work| work.step);
        let consumer = self.consumer();
        out.event(
            Event::HandlingStarted { consumer, record, partition, offset },
            Causes::NONE.and_maybe(Role::Triggered, failed),
        );
        out.wake(until, Due::Worker(consumer, self.key.incarnation, worker));
    }

    /// A worker's copy has been sent in this step.
    #[inline(never)]
    pub fn letter_of_worker_is_sent(&mut self, ctx: Context<'_>, worker: u16, out: &mut Out) {
        if let Some(work) = self.workers.at_work[usize::from(worker)] {
            self.worker_is_done(ctx, (worker, work), out);
            self.again(ctx, out);
        }
    }

    /// A worker's copy cannot be sent now: it tries to later.
    #[inline(never)]
    pub fn letter_of_worker_waits(&mut self, ctx: Context<'_>, worker: u16, out: &mut Out) {
        out.wake(ctx.now + LETTER_RETRY, Due::Worker(self.consumer(), self.key.incarnation, worker));
    }

    /// The step in which the record of a worker failed.
    pub fn failed_in_worker(&self, worker: u16) -> Option<StepNo> {
        self.workers.at_work[usize::from(worker)].map(|work| work.step)
    }

    /// A worker takes the next record.
    #[inline(never)]
    fn worker_takes(&mut self, ctx: Context<'_>, worker: u16, records: &impl RecordLookup, out: &mut Out) {
        let Some((range, started_at)) = self.workers.queue.front_mut() else {
            return;
        };
        let (partition, offset, started_at) = (range.partition, range.from, *started_at);
        range.from += 1;
        if range.is_empty() {
            self.workers.queue.pop_front();
        }
        let record = records.record_at(partition, offset);
        let place = ctx.topics.place(partition);
        let until = ctx.now + self.config.handling.time_of(records.key_of(record), place, offset);
        let work = Work {
            record,
            partition,
            offset,
            since: ctx.now,
            until,
            step: ctx.step,
            started_at,
            tries: 0,
            stage: Stage::Handling,
        };
        self.workers.at_work[usize::from(worker)] = Some(work);
        let polled = self.owned(partition).map(|owned| owned.position_step);
        out.event(
            Event::HandlingStarted { consumer: self.consumer(), record, partition, offset },
            Causes::NONE.and_maybe(Role::Triggered, polled),
        );
        out.wake(until, Due::Worker(self.consumer(), self.key.incarnation, worker));
        // There may be room for more.
        if self.is_in_poll() {
            self.again(ctx, out);
        }
    }

    /// How many records the next `poll()` may return: none while the queue is full and the partitions are paused.
    pub(super) fn poll_room(&self) -> u32 {
        match self.config.handling.pool {
            Some(pool) if self.workers.waiting() >= pool.queue => 0,
            _ => self.config.settings.max_poll_records,
        }
    }

    /// True while the queue is full and the application has paused all of its partitions because of that.
    pub fn is_held_back(&self) -> bool {
        self.poll_room() == 0
    }

    /// True if `close()` has to wait for workers.
    pub(super) fn waits_for_workers(&self) -> bool {
        !self.workers.is_idle()
    }

    /// Partitions are given up: their records leave the queue and the workers, unless nobody tells those.
    #[inline(never)]
    pub(super) fn revoke_from_pool(&mut self, gone: &[PartitionId], out: &mut Out) {
        if self.config.handling.pool.is_none_or(|pool| pool.revoked == Revoked::GoesOn) {
            return;
        }
        self.workers.queue.retain(|(range, _)| !gone.contains(&range.partition));
        for slot in &mut self.workers.at_work {
            if let Some(Work { partition, offset, .. }) = *slot
                && gone.contains(&partition)
            {
                *slot = None;
                out.effects.push(Effect::PutDown { member: self.key, partition, offset });
            }
        }
    }

    /// The records that `poll()` has handed to the application and that are not finished.
    pub fn held(&self) -> impl Iterator<Item = Range> + '_ {
        let at_work = self.workers.at_work().map(|work| Range {
            partition: work.partition,
            from: work.offset,
            to: work.offset + 1,
        });
        self.batch.iter().copied().chain(at_work).chain(self.workers.queue())
    }
}
