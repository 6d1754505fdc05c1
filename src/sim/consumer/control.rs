//! What is done to a running client from outside, or by its application between two polls: freezing, `pause()`,
//! `resume()`, `seek()`.

use super::{Application, Client, Consumer};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::Event;
use crate::sim::ids::*;
use crate::sim::queue::Due;
use crate::sim::step::{Causes, Role};
use crate::sim::time::Time;

/// A process that stands still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freeze {
    /// Since when.
    pub since: Time,
    /// The step that stopped it.
    pub step: StepNo,
    /// What has become due since then, in that order; a message waits in its slot of the network.
    held: Vec<Due>,
}

impl Consumer {
    /// The step that keeps, or kept, the process of this start from being heard again after `heard`: its end, a freeze,
    /// its late `poll()`, after which a static member only falls silent, or a message of its that is late or lost.
    pub fn silenced_since(&self, incarnation: Incarnation, heard: (StepNo, Time)) -> Option<StepNo> {
        let client = self.client().filter(|_| self.incarnation == incarnation);
        let froze = |client: &Client| client.froze.filter(|&froze| froze > heard.0 || client.freeze.is_some());
        let held_up = |client: &Client| {
            client.held_up.filter(|&(step, until)| step > heard.0 || until > heard.1).map(|(step, _)| step)
        };
        let left = |client: &Client| client.timed_out.filter(|&left| left > heard.0);
        let while_it_runs = client.and_then(|client| froze(client).or(left(client)).or(held_up(client)));
        self.end_of(incarnation).or(while_it_runs)
    }
}

impl Client {
    /// The whole process stands still from now on.
    #[inline(never)]
    pub fn freeze(&mut self, ctx: Context<'_>, causes: Causes, out: &mut Out) {
        self.freeze = Some(Box::new(Freeze { since: ctx.now, step: ctx.step, held: Vec::new() }));
        self.froze = Some(ctx.step);
        out.event(Event::ConsumerFrozen { consumer: self.consumer() }, causes);
        out.effects.push(Effect::Stands { member: self.key, still: true });
    }

    /// The process goes on. What came or became due meanwhile happens now.
    #[inline(never)]
    pub fn thaw(&mut self, ctx: Context<'_>, causes: Causes, out: &mut Out) {
        let Some(freeze) = self.freeze.take() else {
            return;
        };
        let frozen = ctx.now.since(freeze.since);
        out.event(
            Event::ConsumerThawed { consumer: self.consumer(), frozen },
            causes.and(Role::WaitedFor, freeze.step),
        );
        out.effects.push(Effect::Stands { member: self.key, still: false });
        for due in freeze.held {
            if matches!(due, Due::PollCheck(..)) {
                self.poll_check_at = Some(ctx.now);
            }
            out.wake(ctx.now, due);
        }
    }

    /// A message between it and its coordinator is late, until a moment, or lost.
    pub fn note_held_up(&mut self, step: StepNo, until: Time) {
        self.held_up = Some((step, until));
    }

    /// Keeps what is due for when the process goes on. False if it does not stand still.
    pub fn hold(&mut self, due: Due) -> bool {
        let held = self.freeze.as_mut().map(|freeze| freeze.held.push(due));
        held.is_some()
    }

    /// What is kept for a process that will not go on: the messages among it have to be taken from the network.
    pub(super) fn let_go(&mut self, ctx: Context<'_>, out: &mut Out) {
        for due in self.freeze.take().into_iter().flat_map(|freeze| freeze.held) {
            out.wake(ctx.now, due);
        }
    }

    /// True if `pause()` holds for a partition.
    pub fn is_paused(&self, partition: PartitionId) -> bool {
        self.owned(partition).is_some_and(|owned| owned.paused)
    }

    /// `pause()`: fetched records stay in the buffer, those that `poll()` has returned are handled.
    #[inline(never)]
    pub fn pause(&mut self, partition: PartitionId, causes: Causes, out: &mut Out) {
        self.set_paused(partition, true);
        out.event(Event::PartitionPaused { consumer: self.consumer(), partition }, causes);
    }

    /// `resume()`.
    #[inline(never)]
    pub fn resume(&mut self, ctx: Context<'_>, partition: PartitionId, causes: Causes, out: &mut Out) {
        self.set_paused(partition, false);
        out.event(Event::PartitionResumed { consumer: self.consumer(), partition }, causes);
        self.fetch_anew(ctx, partition, out);
    }

    fn set_paused(&mut self, partition: PartitionId, paused: bool) {
        if let Some(owned) = self.owned_mut(partition) {
            owned.paused = paused;
        }
    }

    /// `seek()`: what is fetched or polled of the partition is let go, but for the record in hand.
    #[inline(never)]
    pub fn seek(&mut self, ctx: Context<'_>, partition: PartitionId, to: Offset, causes: Causes, out: &mut Out) {
        let in_hand = matches!(self.application, Application::Handling { partition: of, .. } if of == partition);
        let Some((from, because)) = self.owned(partition).map(|owned| (owned.position, owned.position_step)) else {
            return;
        };
        let Some(from) = from else {
            return;
        };
        self.set_position(ctx, partition, to, false);
        self.buffer.retain(|(range, _)| range.partition != partition);
        self.workers.forget(partition);
        let mut keeps = in_hand;
        self.batch.retain_mut(|range| {
            if range.partition != partition {
                return true;
            }
            range.to = range.from + 1;
            std::mem::take(&mut keeps)
        });
        out.event(
            Event::PositionSought { consumer: self.consumer(), partition, from, offset: to },
            causes.and(Role::DecidedValue, because),
        );
        out.effects.push(Effect::Position { member: self.key, partition, offset: to });
        if self.library().runs_the_handler() {
            self.note_sought(ctx, partition);
        }
        self.fetch_anew(ctx, partition, out);
    }

    /// The Fetch under way to the partition's leader asks for something else: its answer is not waited for, so that the
    /// next `poll()` can ask anew. (The Java client waits for it, for `fetch.max.wait.ms` at most.)
    fn fetch_anew(&mut self, ctx: Context<'_>, partition: PartitionId, out: &mut Out) {
        let leader = ctx.leader(partition);
        self.fetches.retain(|&(broker, _)| broker != leader);
        if self.application == Application::Polling && self.batch.is_empty() {
            self.again(ctx, out);
        }
    }
}
