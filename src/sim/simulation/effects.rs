//! The one place where effects change the world, and the accounts that follow from a step.

use super::{Fact, Simulation};
use crate::sim::effect::Effect;
use crate::sim::event::{Event, PositionSource};
use crate::sim::ids::*;
use crate::sim::network::{InFlight, Node};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::Step;
use crate::sim::time::Span;

/// How long a message is on its way: each broker has its own latency.
fn latency(latencies: &[Span], from: Node, to: Node) -> Span {
    match (from, to) {
        (Node::Broker(broker), _) | (_, Node::Broker(broker)) => latencies[broker.index()],
        _ => unreachable!("clients talk to brokers only"),
    }
}

impl Simulation {
    /// The one place where effects change the world. Returns the step, if something happened.
    #[inline]
    pub(super) fn carry_out(&mut self) -> Option<Step> {
        let Simulation { state, logs, out, .. } = self;
        let mut sends = false;
        let unreachable = out.unreachable.take();
        let step_no = StepNo(state.steps);
        for effect in out.effects.drain(..) {
            match effect {
                Effect::Send { to, .. } if unreachable == Some(to) => {}
                Effect::Send { from, to, message } => {
                    let due_at = state.now + latency(&state.latencies, from, to);
                    let sent = InFlight {
                        from,
                        to,
                        sent_at: state.now,
                        due_at,
                        sent_by: step_no,
                        delayed: Span::ZERO,
                        is_orphan: false,
                        is_held: false,
                        message,
                    };
                    let (slot, due_at) = state.network.send(sent);
                    state.queue.push(due_at, Due::Deliver(slot));
                    sends = true;
                }
                Effect::Wake { at, due } => state.queue.push(at, due),
                Effect::Concerns(partitions) => logs.concerns.write(&mut state.concerns, (step_no, partitions)),
                Effect::Position { member, partition, offset } => {
                    let consumer = &state.consumers[member.consumer.index()];
                    let reset = matches!(
                        out.event,
                        Some((
                            Event::PositionSet {
                                source: PositionSource::Earliest | PositionSource::Latest | PositionSource::ByDuration,
                                ..
                            } | Event::PositionSought { .. },
                            _
                        ))
                    );
                    let shared = consumer.config().reads.is_by_hand();
                    state.ledgers[consumer.group.index()].note_position(
                        (state.now, step_no),
                        member,
                        (partition, offset),
                        (reset, shared),
                    );
                }
                Effect::GivenUp { member, partition } => {
                    let group = state.consumers[member.consumer.index()].group.index();
                    state.ledgers[group].note_given_up(state.now, member, partition);
                }
                Effect::Released { member } => {
                    let group = state.consumers[member.consumer.index()].group.index();
                    state.ledgers[group].note_released(state.now, member);
                }
                Effect::Stands { member, still } => {
                    let group = state.consumers[member.consumer.index()].group.index();
                    state.ledgers[group].note_stands(state.now, member, still);
                }
                Effect::Dealt { dealt } => logs.assignments.write(&mut state.assignments, (step_no, dealt)),
                Effect::Assigns(target) => logs.targets.write(&mut state.targets, (step_no, target)),
                Effect::RebalanceBegins { group } => {
                    let generation = state.groups[group.index()].generation;
                    state.ledgers[group.index()].note_rebalance_begins(state.now, generation);
                }
                Effect::RebalanceEnds { group } => state.ledgers[group.index()].note_rebalance_ends(state.now),
            }
        }
        let (event, causes) = out.event.take()?;
        let step = Step { at: state.now, event, causes };
        logs.steps.write(&mut state.steps, step);
        if event.is_visible() {
            logs.visible.write(&mut state.visible, step_no);
        }
        self.note(step_no, &event);
        if sends && !self.state.script.in_wait.is_empty() {
            self.look_for_messages(step_no);
        }
        Some(step)
    }

    /// Keeps the accounts that follow from the event itself, and looks whether the script waits for it.
    #[inline]
    fn note(&mut self, step_no: StepNo, event: &Event) {
        let Simulation { state, logs, .. } = self;
        match *event {
            Event::RecordAppended { record, partition, offset } => {
                let mut len = offset;
                logs.partitions[partition.index()].write(&mut len, record);
                *state.offset_of.get_mut(record.0) = offset + 1;
            }
            Event::HandlingStarted { consumer, partition, offset, .. } => {
                let consumer = &state.consumers[consumer.index()];
                let member = MemberKey { consumer: consumer.id, incarnation: consumer.incarnation };
                state.ledgers[consumer.group.index()].note_in_hand(member, partition, offset);
            }
            _ => {}
        }
        if let Event::RecordSent { record, .. }
        | Event::RecordAppended { record, .. }
        | Event::RecordProcessed { record, .. } = *event
        {
            let last = state.last_fact.get_mut(record.0);
            logs.facts.write(&mut state.facts, Fact { step: step_no, previous: *last });
            *last = state.facts;
        }
        if !self.state.script.open.is_empty() {
            self.look_for_conditions(step_no, event);
        }
    }
}
