//! The sender's thread: requests, one at a step, and their answers.
//!
//! Source: `org.apache.kafka.clients.producer.internals.Sender`.

use super::accumulator::{DrainedBatch, ProduceRequest};
use super::batching::Batching;
use super::{Producer, ProducerProcess};
use crate::sim::effect::{Context, Out};
use crate::sim::event::{Event, SentBecause};
use crate::sim::ids::*;
use crate::sim::network::{Message, Node, Produce};
use crate::sim::partitioner::TopicView;
use crate::sim::queue::Due;
use crate::sim::step::{Causes, Role};
use crate::sim::time::{Span, Time};

impl Producer {
    /// The sender's thread is to look at the batches at `at`, if it does not so before.
    pub(super) fn wake(&mut self, ctx: Context<'_>, at: Time, out: &mut Out) {
        if self.wakes_at.is_none_or(|wakes_at| at < wakes_at) {
            self.wakes_at = Some(at);
            self.woken_at = ctx.now;
            out.wake(at, Due::Sender(self.id));
        }
    }

    /// Its batching; a producer that closes does not let batches wait.
    fn batching(&self) -> Batching {
        let batching = self.settings.batching;
        match self.process {
            ProducerProcess::Closed => Batching { linger: Span::ZERO, ..batching },
            _ => batching,
        }
    }

    pub(super) fn has_room(&self, broker: BrokerId) -> bool {
        self.sender.accumulator.in_flight(broker) < self.settings.batching.max_in_flight
    }

    /// The sender's thread wakes up. If it is time to, a request leaves.
    pub fn handle_wake(&mut self, ctx: Context<'_>, out: &mut Out) {
        if self.wakes_at != Some(ctx.now) {
            return;
        }
        // What the application sends at one moment, it hands over before that makes anything leave.
        if self.woken_at == ctx.now && self.sends_at(ctx.now) {
            return out.wake(ctx.now, Due::Sender(self.id));
        }
        self.wakes_at = None;
        let batching = self.batching();
        let leader_of = |number| Some(ctx.leader_of(number));
        if self.outbox.is_empty() {
            let topic = TopicView::with_all(self.known);
            self.outbox.extend(self.sender.drain(&batching, topic, ctx.now, leader_of, |_| true));
        }
        if let Some(request) = self.outbox.pop_front() {
            self.send_request(ctx, &batching, request, out);
        }
        if !self.outbox.is_empty() {
            self.wake(ctx, ctx.now, out);
        } else if let Some(at) = self.sender.next_ready(&batching, ctx.now, leader_of, |_| true) {
            self.wake(ctx, at, out);
        }
    }

    fn send_request(&mut self, ctx: Context<'_>, batching: &Batching, request: ProduceRequest, out: &mut Out) {
        let ProduceRequest { broker, batches } = request;
        let because = self.sent_because(ctx, batching, &batches);
        let room = self.made_room.filter(|_| because == SentBecause::Answered).map(|(_, answered)| answered);
        let last_sent = batches.iter().map(|batch| self.last_sent[usize::from(batch.partition)]).max();
        let partitions = ctx.topics.partitions_of(self.setup(ctx).topic);
        let event = Event::ProduceSent {
            producer: self.id,
            partition: partitions[usize::from(batches[0].partition)],
            batches: batches.len() as u16,
            records: batches.iter().map(DrainedBatch::len).sum(),
            bytes: batches.iter().fold(0, |sum: u32, batch| sum.saturating_add(batch.bytes)),
            because,
        };
        out.event(event, Causes::NONE.and_maybe(Role::WaitedFor, last_sent).and_maybe(Role::Triggered, room));
        let produce = Produce { producer: self.id, crashes: self.crashes, batches };
        out.send(Node::Producer(self.id), Node::Broker(broker), Message::Produce(produce));
    }

    fn sent_because(&self, ctx: Context<'_>, batching: &Batching, batches: &[DrainedBatch]) -> SentBecause {
        match self.made_room {
            _ if self.process == ProducerProcess::Closed => SentBecause::Closing,
            _ if batches.iter().any(|batch| batch.opened_at + batching.linger == ctx.now) => SentBecause::Linger,
            Some((at, _)) if at == ctx.now => SentBecause::Answered,
            _ => SentBecause::Full,
        }
    }

    /// The broker has answered: the records of the request are in the logs, those of its first batch from `base_offset` on.
    pub fn handle_answer(
        &mut self,
        ctx: Context<'_>,
        (broker, sent_by): (BrokerId, StepNo),
        (crashes, batches, base_offset): (Incarnation, &[DrainedBatch], Offset),
        out: &mut Out,
    ) {
        // A process that has died hears nothing, and the next one has other connections.
        if self.process == ProducerProcess::Crashed || crashes != self.crashes {
            return;
        }
        let had_room = self.has_room(broker);
        self.sender.accumulator.handle_answer(broker, batches.iter().map(|batch| batch.partition));
        let partitions = ctx.topics.partitions_of(self.setup(ctx).topic);
        let event = Event::ProduceAcknowledged {
            producer: self.id,
            partition: partitions[usize::from(batches[0].partition)],
            batches: batches.len() as u16,
            records: batches.iter().map(DrainedBatch::len).sum(),
            base_offset,
        };
        out.event(event, Causes::triggered_by(sent_by));
        if !had_room && self.sender.accumulator.has_waiting() {
            let batching = self.batching();
            let ready = self.sender.next_ready(&batching, ctx.now, |number| Some(ctx.leader_of(number)), |_| true);
            if let Some(at) = ready {
                self.made_room = Some((at, ctx.step));
                self.wake(ctx, at, out);
            }
        }
        self.start_again_when_done(ctx, out);
    }
}
