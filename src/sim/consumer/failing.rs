//! The application after an exception in the handling of a record.

use super::{Application, Client, Consumer, RecordLookup};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{AfterFailure, CommitCall, Event};
use crate::sim::failing::{Counts, GivesUp, Retry};
use crate::sim::ids::*;
use crate::sim::network::Range;
use crate::sim::queue::Due;
use crate::sim::step::{Causes, Role};
use crate::sim::time::Span;
use std::collections::VecDeque;

/// How long an application waits whose producer does not run.
pub(super) const LETTER_RETRY: Span = Span::from_secs(1);

/// What an application has to do because a record failed, beside its loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Failures {
    /// Records that failed and are to be tried again, with the number of failed tries.
    counted: Vec<(PartitionId, Offset, u32)>,
    /// The step of the failure that the rest is because of.
    because: StepNo,
    /// `seek()` calls that are still to be made.
    seeks: VecDeque<(PartitionId, Offset)>,
    /// A copy that is still to be sent.
    letter: Option<Letter>,
    /// True if the thread sleeps after that.
    rests: bool,
    /// True if the client first commits what is handled.
    commits: bool,
    /// How often the handler has thrown since the client last joined its group, where the client counts that.
    throws: u32,
}

/// A copy of a record that its application sends elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Who sends it.
    pub producer: ProducerId,
    /// The record.
    pub record: RecordId,
    /// Its partition.
    pub partition: PartitionId,
    /// Its offset.
    pub offset: Offset,
}

impl Consumer {
    /// The handling of the record in hand ends with an exception, if it is one that fails now or its table is down. False
    /// if it does not.
    #[inline(never)]
    pub fn fail_handling(
        &mut self,
        ctx: Context<'_>,
        incarnation: Incarnation,
        (records, down): (&impl RecordLookup, Option<StepNo>),
        out: &mut Out,
    ) -> bool {
        let Some(client) = self.client_mut(incarnation) else {
            return false;
        };
        let Application::Handling { record, partition, offset, step, .. } = client.application else {
            return false;
        };
        let (key, place) = (records.key_of(record), ctx.topics.place(partition));
        if down.is_none() && !client.config.handling.fails(key, place, offset, ctx.now) {
            return false;
        }
        let on_error = client.config.handling.on_error;
        let leaves_handler = client.library().runs_the_handler() && on_error.retry == Retry::SeekBack;
        let tries = match leaves_handler {
            true => client.count_throw(),
            false => client.count_failure(partition, offset),
        };
        let after = on_error.after(tries);
        client.failures.because = ctx.step;
        client.failures.rests = matches!(after, AfterFailure::TriesAgain | AfterFailure::SeeksBack);
        client.application = Application::Polling;
        out.effects.push(Effect::PutDown { member: client.key, partition, offset });
        if !client.failures.rests {
            client.failures.counted.retain(|&(of, ..)| of != partition);
        }
        let mut given_up = 0;
        match after {
            AfterFailure::TriesAgain => {}
            AfterFailure::SeeksBack if leaves_handler => client.put_back_batch(ctx),
            AfterFailure::SeeksBack => client.plan_seeks(),
            AfterFailure::Stops | AfterFailure::Restarts => {
                client.closing = Some(ctx.step);
                client.leave_batch();
            }
            AfterFailure::SetsAside => {
                if let GivesUp::SetAside(producer) = on_error.then {
                    client.failures.letter = Some(Letter { producer, record, partition, offset });
                }
            }
            AfterFailure::Skips => {
                client.pass_over(ctx, partition, offset);
                let range = Range { partition, from: offset, to: offset + 1 };
                out.effects.push(Effect::RecordsGivenUp { member: client.key, range });
                given_up = 1;
            }
            AfterFailure::LeavesLoop => {
                for range in std::mem::take(&mut client.batch) {
                    if let Some(owned) = client.at_hand_mut(range.partition) {
                        owned.next = range.to;
                    }
                    out.effects.push(Effect::RecordsGivenUp { member: client.key, range });
                    given_up += range.len();
                }
                client.leave_batch();
            }
        }
        let (consumer, back_off) = (client.consumer(), client.back_off());
        out.event(
            Event::HandlingFailed { consumer, record, partition, offset, tries, after, given_up },
            Causes::NONE.and_maybe(Role::DecidedValue, down).and(Role::Triggered, step),
        );
        client.again(ctx, out);
        if after == AfterFailure::Restarts {
            self.restarts = true;
            self.restarts_after = back_off;
        }
        true
    }

    /// The copy that the application has to send before it goes on, if its thread is awake.
    pub fn letter(&self, incarnation: Incarnation) -> Option<Letter> {
        let client = self.client().filter(|_| self.incarnation == incarnation)?;
        client.failures.letter.filter(|_| client.application == Application::Polling)
    }
}

impl Client {
    /// The client counts what its handler throws, whichever record it is about, and commits before it does anything else.
    #[inline(never)]
    fn count_throw(&mut self) -> u32 {
        self.failures.throws += 1;
        self.failures.commits = self.config.settings.enable_auto_commit;
        self.failures.throws
    }

    /// The client joins its group: it counts anew what its handler throws.
    pub(super) fn forget_throws(&mut self) {
        self.failures.throws = 0;
    }

    /// How long it waits before the next try.
    fn back_off(&self) -> Span {
        let on_error = self.config.handling.on_error;
        match self.failures.throws {
            0 => on_error.back_off,
            throws => on_error.doubled_back_off(throws),
        }
    }

    fn count_failure(&mut self, partition: PartitionId, offset: Offset) -> u32 {
        let counted = &mut self.failures.counted;
        let failed_before = counted.iter().find(|&&(of, at, _)| (of, at) == (partition, offset));
        let tries = failed_before.map_or(0, |&(.., tries)| tries).saturating_add(1);
        match self.config.handling.on_error.counts {
            Counts::EachPartition => counted.retain(|&(of, ..)| of != partition),
            Counts::OneRecord => counted.clear(),
        }
        counted.push((partition, offset, tries));
        tries
    }

    /// The loop goes on behind a record that is not handled.
    #[inline(never)]
    fn pass_over(&mut self, ctx: Context<'_>, partition: PartitionId, offset: Offset) {
        self.since_commit += 1;
        self.last_processed = ctx.step;
        if let Some(range) = self.batch.front_mut() {
            range.from += 1;
            if range.is_empty() {
                self.batch.pop_front();
            }
        }
        if let Some(owned) = self.at_hand_mut(partition) {
            owned.next = offset + 1;
            owned.last_processed = ctx.step;
        }
        if self.config.handling.on_error.retry == Retry::SeekBack {
            self.plan_seeks();
        }
    }

    /// The loop over what `poll()` has returned is over, and its commits are not made.
    fn leave_batch(&mut self) {
        self.batch.clear();
        self.batch_is_new = false;
        self.since_commit = 0;
    }

    /// What `poll()` has returned and is not handled is to be returned once more.
    fn plan_seeks(&mut self) {
        let mut seeks: VecDeque<(PartitionId, Offset)> = VecDeque::new();
        for range in std::mem::take(&mut self.batch) {
            if !seeks.iter().any(|&(of, _)| of == range.partition) {
                seeks.push_back((range.partition, range.from));
            }
        }
        self.failures.seeks = seeks;
    }

    /// What comes before the loop goes on. True if that is all that happens now.
    #[inline(never)]
    pub(super) fn go_on_after_failure(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        while let Some((partition, offset)) = self.failures.seeks.pop_front() {
            if self.owned(partition).is_some_and(|owned| owned.position.is_some()) {
                self.seek(ctx, partition, offset, Causes::triggered_by(self.failures.because), out);
                self.again(ctx, out);
                return true;
            }
        }
        if std::mem::take(&mut self.failures.commits)
            && self.commit(ctx, CommitCall::AutoInterval, self.failures.because, out)
        {
            return true;
        }
        let back_off = self.back_off();
        if std::mem::take(&mut self.failures.rests) && back_off > Span::ZERO {
            self.rest(ctx, back_off, self.failures.because, out);
            return true;
        }
        false
    }

    /// The application thread sleeps because of a step.
    pub(super) fn rest(&mut self, ctx: Context<'_>, span: Span, step: StepNo, out: &mut Out) {
        let until = ctx.now + span;
        self.leave_poll();
        self.application = Application::Resting { since: ctx.now, until, step };
        out.wake(until, Due::Application(self.consumer(), self.key.incarnation));
    }

    /// The copy has been sent in this step: the application goes on behind the record.
    #[inline(never)]
    pub fn letter_is_sent(&mut self, ctx: Context<'_>, out: &mut Out) {
        if let Some(letter) = self.failures.letter.take() {
            self.pass_over(ctx, letter.partition, letter.offset);
            self.again(ctx, out);
        }
    }

    /// The copy cannot be sent now: the application tries to later.
    #[inline(never)]
    pub fn letter_waits(&mut self, ctx: Context<'_>, out: &mut Out) {
        self.rest(ctx, LETTER_RETRY, self.failures.because, out);
    }

    /// How often the handling of a record has failed, as far as the application counts.
    #[inline(never)]
    pub fn failed_tries(&self, partition: PartitionId, offset: Offset) -> u32 {
        let counted = self.failures.counted.iter().find(|&&(of, at, _)| (of, at) == (partition, offset));
        counted.map_or(0, |&(.., tries)| tries)
    }

    /// True if its thread is about to sleep because of a failure.
    pub fn is_about_to_rest(&self) -> bool {
        self.failures.rests && self.config.handling.on_error.back_off > Span::ZERO
    }

    /// The step in which the record failed that the application is busy with.
    pub fn failed_at(&self) -> StepNo {
        self.failures.because
    }

    /// True if something is still to be done because a record failed.
    pub(super) fn has_failures(&self) -> bool {
        let Failures { counted, seeks, letter, .. } = &self.failures;
        letter.is_some() || !seeks.is_empty() || !counted.is_empty()
    }

    /// Partitions that it gives up: what is still to be done for their records is not done.
    #[inline(never)]
    pub(super) fn forget_failures(&mut self, gone: &[PartitionId]) {
        if self.failures.letter.is_some_and(|letter| gone.contains(&letter.partition)) {
            self.failures.letter = None;
        }
        self.failures.seeks.retain(|(partition, _)| !gone.contains(partition));
        self.failures.counted.retain(|(partition, ..)| !gone.contains(partition));
    }
}
