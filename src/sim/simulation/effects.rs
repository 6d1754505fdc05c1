//! The one place where effects change the world, and the accounts that follow from a step.

use super::{Fact, Simulation, State};
use crate::sim::effect::Effect;
use crate::sim::event::{Event, PositionSource};
use crate::sim::ids::*;
use crate::sim::network::{InFlight, Node, PartitionOffset};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::setup::OffsetStore;
use crate::sim::sink::Stored;
use crate::sim::step::Step;
use crate::sim::time::Span;

/// How long a message is on its way: each broker has its own latency.
fn latency(latencies: &[Span], from: Node, to: Node) -> Span {
    match (from, to) {
        (Node::Broker(broker), _) | (_, Node::Broker(broker)) => latencies[broker.index()],
        _ => unreachable!("clients talk to brokers only"),
    }
}

/// An application that has a store writes to a table.
#[inline(never)]
fn store_offsets(state: &mut State, step: StepNo, member: MemberKey, offsets: &[PartitionOffset]) {
    let consumer = &state.consumers[member.consumer.index()];
    let group = consumer.group;
    if let Some(sink) = consumer.config().handling.writes_to {
        for &(partition, offset) in offsets {
            state.sinks[sink.index()].store(Stored { group, partition, offset, by: member, step });
        }
    }
}

impl Simulation {
    /// The one place where effects change the world. Returns the step, if something happened.
    #[inline]
    pub(super) fn carry_out(&mut self) -> Option<Step> {
        let Simulation { state, logs, out, .. } = self;
        let (mut sends, mut moves) = (false, false);
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
                    moves = true;
                    let consumer = &state.consumers[member.consumer.index()];
                    let passes_over =
                        || consumer.config().handling.offset_store.is_some_and(OffsetStore::passes_over_one);
                    let is_stored =
                        matches!(out.event, Some((Event::PositionSet { source: PositionSource::Stored, .. }, _)));
                    let reset = is_stored && passes_over()
                        || matches!(
                            out.event,
                            Some((
                                Event::PositionSet {
                                    source: PositionSource::Earliest
                                        | PositionSource::Latest
                                        | PositionSource::ByDuration,
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
                    moves = true;
                    let group = state.consumers[member.consumer.index()].group.index();
                    state.ledgers[group].note_given_up(state.now, member, partition);
                }
                Effect::PutDown { member, partition, offset } => {
                    let group = state.consumers[member.consumer.index()].group.index();
                    state.ledgers[group].note_put_down(member, partition, offset);
                }
                Effect::RecordsGivenUp { member, range } => {
                    moves = true;
                    let group = state.consumers[member.consumer.index()].group.index();
                    state.ledgers[group].note_records_given_up(range);
                }
                Effect::Released { member } => {
                    moves = true;
                    let group = state.consumers[member.consumer.index()].group.index();
                    state.ledgers[group].note_released(state.now, member);
                }
                Effect::StoreOffsets { member, offsets } => {
                    moves = true;
                    store_offsets(state, step_no, member, &offsets);
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
        if moves
            || matches!(
                event,
                Event::OffsetCommitted { .. }
                    | Event::OffsetExpired { .. }
                    | Event::OffsetReset { .. }
                    | Event::RecordProcessed { .. }
                    | Event::ProducerCrashed { .. }
            )
        {
            self.note_lost(step_no, &event);
        }
        if sends && !self.state.script.in_wait.is_empty() {
            self.look_for_messages(step_no);
        }
        Some(step)
    }

    /// Counts what is lost in a step that changes how far back a group can still come, or what it has processed.
    #[inline(never)]
    fn note_lost(&mut self, step_no: StepNo, event: &Event) {
        let group = match (event.consumer(), event) {
            (Some(consumer), _) => Some(self.consumer(consumer).group),
            (_, Event::OffsetReset { group, .. } | Event::OffsetExpired { group, .. }) => Some(*group),
            _ => None,
        };
        let mut more = if let Event::ProducerCrashed { unsent, .. } = *event { unsent } else { 0 };
        if let Some(group) = group {
            match event.partition() {
                Some(partition) => more += self.newly_lost(group, partition),
                None => {
                    for partition in (0..self.partition_count()).map(PartitionId::at) {
                        more += self.newly_lost(group, partition);
                    }
                }
            }
        }
        if more > 0 {
            self.logs.losses.write(&mut self.state.losses, (step_no, more));
        }
    }

    fn newly_lost(&mut self, group: GroupId, partition: PartitionId) -> u32 {
        let lost = self.ledger(group).lost_in(partition, self.reach(group, partition)).total();
        let ledger = &mut self.state.ledgers[group.index()].partitions[partition.index()];
        lost.saturating_sub(std::mem::replace(&mut ledger.lost, lost))
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
