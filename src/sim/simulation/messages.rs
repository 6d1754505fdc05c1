//! Messages on their way that somebody delays or drops, and processes that stand still when they arrive.

use super::Simulation;
use crate::sim::action::{Action, Refusal};
use crate::sim::consumer::Request;
use crate::sim::effect::Context;
use crate::sim::event::Event;
use crate::sim::ids::*;
use crate::sim::network::{InFlight, Message, Node};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::{Causes, Role};
use crate::sim::target::{Api, MessageRef};
use crate::sim::time::{Span, Time};

impl Simulation {
    /// The slot of a message by its name, if it is on its way.
    pub fn find_message(&self, message: MessageRef) -> Result<u32, Refusal> {
        self.state.network.find(message).ok_or(Refusal::NothingInFlight)
    }

    pub(super) fn can_drop(&self, message: MessageRef) -> Result<(), Refusal> {
        match message.kind.api {
            Api::Produce => Err(Refusal::ProducerRetries),
            _ => self.find_message(message).map(drop),
        }
    }

    /// The message arrives later, and what is behind it on its connection not before it.
    #[inline(never)]
    pub(super) fn delay_message(&mut self, message: MessageRef, by: Span, causes: Causes) {
        let Some(slot) = self.state.network.find(message) else {
            return;
        };
        let late = self.state.network.delay(slot, by);
        let network = &self.state.network;
        self.state.queue.reschedule(|entry| match entry.due {
            Due::Deliver(slot) if late.contains(&slot) => network.get(slot).map(|sent| sent.due_at),
            _ => Some(entry.at),
        });
        self.out.event(
            Event::MessageDelayed { client: message.client, kind: message.kind, by },
            self.sent_before(slot, causes),
        );
        for &slot in &late {
            self.watch_for_timeout(slot, false);
        }
        self.note_held_up(slot);
        self.not_quiet_until(slot);
    }

    /// The message never arrives.
    #[inline(never)]
    pub(super) fn drop_message(&mut self, message: MessageRef, causes: Causes) {
        let Some(slot) = self.state.network.find(message) else {
            return;
        };
        self.out.event(
            Event::MessageDropped { client: message.client, kind: message.kind },
            self.sent_before(slot, causes),
        );
        self.watch_for_timeout(slot, true);
        self.note_held_up(slot);
        self.not_quiet_until(slot);
        self.take_back(slot);
    }

    /// On the connection to the coordinator, one late or lost message can be why a member is no longer heard: a later one
    /// does not overtake it, and some are only sent when the one before has been answered.
    fn note_held_up(&mut self, slot: u32) {
        let step = StepNo(self.state.steps);
        let Some(sent) = self.state.network.get(slot).filter(|sent| sent.kind().api.goes_to_coordinator()) else {
            return;
        };
        if let (Node::Consumer(key), _) | (_, Node::Consumer(key)) = (sent.from, sent.to) {
            let until = sent.due_at;
            if let Some(client) = self.state.consumers[key.consumer.index()].client_mut(key.incarnation) {
                client.note_held_up(step, until);
            }
        }
    }

    fn sent_before(&self, slot: u32, causes: Causes) -> Causes {
        causes.and_maybe(Role::WaitedFor, self.state.network.get(slot).map(|sent| sent.sent_by))
    }

    /// While a message is late, or its place is empty, heartbeats are not as even as they look.
    fn not_quiet_until(&mut self, slot: u32) {
        if let Some(sent) = self.state.network.get(slot) {
            self.state.not_quiet_before = self.state.not_quiet_before.max(sent.due_at + Span::from_micros(1));
        }
    }

    fn take_back(&mut self, slot: u32) {
        self.state.network.take(slot);
        self.state.queue.reschedule(|entry| (entry.due != Due::Deliver(slot)).then_some(entry.at));
    }

    /// Has a consumer look whether it has waited too long for an answer, if this message is or brings what it waits for
    /// and comes too late, or never.
    fn watch_for_timeout(&mut self, slot: u32, never: bool) {
        let Some(sent) = self.state.network.get(slot) else {
            return;
        };
        let Some((key, request)) = self.request_of(sent) else {
            return;
        };
        let due_at = sent.due_at;
        let Some(client) = self.consumer(key.consumer).client() else {
            return;
        };
        let Some(timeout) = client.request_timeout(request.api) else {
            return;
        };
        let at = (self.time_of(request.step) + timeout).max(self.state.now);
        if never || due_at > at {
            self.out.wake(at, Due::RequestTimeout(key.consumer, key.incarnation, request));
        }
    }

    /// The consumer that waits for an answer and its request, for the request or the answer.
    fn request_of(&self, sent: &InFlight) -> Option<(MemberKey, Request)> {
        let ((Node::Consumer(key), Node::Broker(broker)) | (Node::Broker(broker), Node::Consumer(key))) =
            (sent.from, sent.to)
        else {
            return None;
        };
        let consumer = self.consumer(key.consumer);
        let client = consumer.client().filter(|_| consumer.incarnation == key.incarnation)?;
        let api = sent.kind().api;
        let step = match sent.message {
            _ if !sent.kind().is_answer => Some(sent.sent_by),
            Message::FetchAnswer { request, .. }
            | Message::OffsetCommitAnswer { request, .. }
            | Message::OffsetFetchAnswer { request, .. }
            | Message::ListOffsetsAnswer { request, .. } => Some(request),
            _ => client.awaits(api),
        };
        Some((key, Request { api, broker, step: step? }))
    }

    fn time_of(&self, step: StepNo) -> Time {
        self.logs.steps.get(step.0).map_or(self.state.now, |step| step.at)
    }

    /// A consumer has waited long enough: the connection is closed, so what comes over it after all reaches nobody.
    #[inline(never)]
    pub(super) fn time_out_request(&mut self, key: MemberKey, request: Request) {
        let sent_at = self.time_of(request.step);
        let on_their_way: Vec<u32> = self.of_request(key, request);
        let Simulation { setup, state, out, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        let client = state.consumers[key.consumer.index()].client_mut(key.incarnation);
        let gives_up = client.is_some_and(|client| client.handle_request_timeout(ctx, request, sent_at, out));
        for slot in on_their_way.into_iter().filter(|_| gives_up) {
            match self.state.network.get(slot).is_some_and(|sent| sent.kind().is_answer) {
                true => self.take_back(slot),
                false => self.state.network.orphan(slot),
            }
        }
    }

    fn of_request(&self, key: MemberKey, request: Request) -> Vec<u32> {
        let is_of_it = |sent: &InFlight| self.request_of(sent) == Some((key, request));
        self.state.network.iter().filter(|(_, sent)| is_of_it(sent)).map(|(slot, _)| slot).collect()
    }

    /// Looks whether the script waits for a message that was sent in this step.
    #[inline(never)]
    pub(super) fn look_for_messages(&mut self, step_no: StepNo) {
        let Simulation { setup, state, .. } = self;
        let network = &state.network;
        let ready = &mut state.script.ready;
        state.script.in_wait.retain(|&index| {
            let (Action::Delay { message, .. } | Action::Drop(message)) = setup.actions[index as usize].action else {
                return false;
            };
            let is_there = network.find(message).is_some();
            if is_there {
                ready.push_back((index, step_no));
            }
            !is_there
        });
    }

    /// Keeps what happens in, or arrives at, a process that stands still. False if it does not.
    pub(super) fn hold(&mut self, due: Due) -> bool {
        let key = match due {
            Due::Deliver(slot) => match self.state.network.get(slot).map(|sent| sent.to) {
                Some(Node::Consumer(key)) => Some(key),
                _ => None,
            },
            _ => due.happens_in(),
        };
        let Some(key) = key else { return false };
        let client = self.state.consumers[key.consumer.index()].client_mut(key.incarnation);
        let is_held = client.is_some_and(|client| client.hold(due));
        if let Due::Deliver(slot) = due
            && is_held
        {
            self.state.network.hold(slot);
        }
        is_held
    }
}
