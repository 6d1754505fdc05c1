//! The life of a producer's process, and the age of what it knows.

use super::accumulator::DrainedBatch;
use super::{Producer, ProducerProcess};
use crate::sim::effect::{Context, Out};
use crate::sim::event::Event;
use crate::sim::partitioner::Chooser;
use crate::sim::queue::Due;
use crate::sim::step::{Causes, Role};
use crate::sim::time::{Span, Time};
use rand::rngs::Xoshiro256PlusPlus;

impl Producer {
    /// When its metadata are refreshed next, if its topic has more partitions than it knows.
    ///
    /// Source: `Metadata#timeToNextUpdate`; the first update is that of the start.
    pub fn expect_partitions(&mut self, ctx: Context<'_>) -> Option<Time> {
        if self.known == 0 || self.known == ctx.topics.partitions_of(self.setup(ctx).topic).len() as u16 {
            return None;
        }
        self.added = Some(ctx.step);
        let age = self.settings.metadata_max_age.max(Span::from_millis(1)).as_micros();
        let ages = ctx.now.since(self.started_at).as_micros() / age + 1;
        Some(self.started_at + Span::from_micros(ages * age))
    }

    /// Its metadata are refreshed. It is a step only if they bring something.
    #[inline(never)]
    pub fn handle_metadata(&mut self, ctx: Context<'_>, out: &mut Out) {
        let (from, partitions) = (self.known, ctx.topics.partitions_of(self.setup(ctx).topic).len() as u16);
        if self.process != ProducerProcess::Running || from == 0 || from == partitions {
            return;
        }
        self.know(partitions);
        self.refreshed = Some(ctx.step);
        out.event(
            Event::ProducerMetadataRefreshed { producer: self.id, from, partitions },
            Causes::NONE.and_maybe(Role::DecidedValue, self.added),
        );
    }

    /// The process is killed: what waits was never sent.
    #[inline(never)]
    pub fn crash(&mut self, causes: Causes, out: &mut Out) {
        let leaving = self.outbox.drain(..).map(|request| request.batches.iter().map(DrainedBatch::len).sum::<u32>());
        let unsent = leaving.sum::<u32>() + self.sender.accumulator.crash();
        self.never_sent += unsent;
        self.process = ProducerProcess::Crashed;
        self.restarts = None;
        self.crashes += 1;
        (self.wakes_at, self.made_room) = (None, None);
        out.event(Event::ProducerCrashed { producer: self.id, unsent }, causes);
    }

    /// `close()`: the process takes no more records, sends what waits without waiting for more, and ends once all is
    /// acknowledged. Then it starts again, if that is wanted.
    #[inline(never)]
    pub fn close(&mut self, ctx: Context<'_>, restarts: bool, causes: Causes, out: &mut Out) {
        self.process = ProducerProcess::Closed;
        self.restarts = restarts.then_some(ctx.step);
        let waiting = self.sender.accumulator.all_waiting();
        out.event(Event::ProducerClosed { producer: self.id, waiting }, causes);
        if waiting > 0 {
            self.wake(ctx, ctx.now, out);
        }
        self.start_again_when_done(ctx, out);
    }

    /// True while it has been asked to stop and something is not sent or not acknowledged yet.
    pub fn is_closing(&self) -> bool {
        let is_done = self.outbox.is_empty() && self.sender.accumulator.is_idle();
        self.process == ProducerProcess::Closed && !is_done
    }

    pub(super) fn start_again_when_done(&self, ctx: Context<'_>, out: &mut Out) {
        if self.restarts.is_some() && !self.is_closing() {
            out.wake(ctx.now, Due::StartProducer(self.id));
        }
    }

    /// The process starts because the one before has ended, if somebody has asked for that.
    #[inline(never)]
    pub fn start_in_time(&mut self, ctx: Context<'_>, rng: &mut Xoshiro256PlusPlus, out: &mut Out) {
        if let Some(closed) = self.restarts {
            self.start(ctx, rng, Causes::triggered_by(closed), out);
        }
    }

    /// The process starts again. Its application goes on with what is to be sent from now on; what it would have sent
    /// meanwhile is not sent at all.
    #[inline(never)]
    pub fn start(&mut self, ctx: Context<'_>, rng: &mut Xoshiro256PlusPlus, causes: Causes, out: &mut Out) {
        let source = &self.setup(ctx).source;
        self.process = ProducerProcess::Running;
        self.restarts = None;
        self.settings = self.next_settings.clone();
        self.incarnation += 1;
        self.started_at = ctx.now;
        (self.known, self.refreshed) = (0, None);
        self.sender.chooser = Chooser::new(self.settings.picks_by(), rng);
        out.event(Event::ProducerStarted { producer: self.id, incarnation: self.incarnation }, causes);
        // What is still scheduled for later stays so. What is due now may have come while there was no process.
        if self.next_at.is_none_or(|at| at > ctx.now) {
            return;
        }
        while self.next_time(source).is_some_and(|at| at < ctx.now) {
            self.next += 1;
        }
        if let Some((at, due)) = self.schedule(source) {
            out.wake(at, due);
        }
    }
}
