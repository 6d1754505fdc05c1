//! The two ends of a record's way, where more than one component is concerned.

use super::{Logs, Record, Simulation};
use crate::sim::consumer::{Finished, Letter};
use crate::sim::effect::Context;
use crate::sim::event::{Event, PositionSource, RowOutcome};
use crate::sim::ids::*;
use crate::sim::ledger::Processing;
use crate::sim::log::Log;
use crate::sim::producer::{Draft, ProducerProcess};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::sink::Write;
use crate::sim::step::{Causes, Role};

impl Simulation {
    /// A producer's application sends the next record of its source, if its process runs.
    pub(super) fn send_record(&mut self, producer: ProducerId) {
        let Simulation { setup, state, out, .. } = self;
        let source = &setup.producers[producer.index()].source;
        let client = &mut state.producers[producer.index()];
        if !client.sends_at(state.now) {
            return;
        }
        let draft = client.next_record(source, &mut state.rng);
        client.go_on(source, out);
        self.send_draft(producer, draft, Causes::NONE);
    }

    /// A producer's application sends a record.
    pub(super) fn send_draft(&mut self, producer: ProducerId, draft: Draft, causes: Causes) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        let client = &mut state.producers[producer.index()];
        let mut placed = client.send(ctx, draft, &mut state.rng, out);
        let number = usize::from(placed.number);
        let partition = state.topics.partitions_of(setup.producers[producer.index()].topic)[number];
        let record = RecordId(state.records);
        let sent_of_key = state.sent_of_key.get_mut(draft.key.map_or(0, |key| key.0 + 1));
        *sent_of_key += 1;
        logs.records.write(
            &mut state.records,
            Record {
                producer,
                key: draft.key,
                value: draft.value,
                partition,
                known_partitions: placed.known,
                number_of_key: *sent_of_key,
                at: state.now,
                sent: ctx.step,
                choice: placed.choice,
            },
        );
        let queues = &mut logs.queues[producer.index()];
        if queues.len() <= number {
            queues.resize_with(number + 1, Log::default);
        }
        queues[number].write(&mut placed.index, record);
        out.event(Event::RecordSent { record, partition }, causes.and_maybe(Role::DecidedValue, placed.refreshed));
    }

    /// An application sends a copy of a record that it cannot handle.
    #[inline(never)]
    pub(super) fn send_letter(
        &mut self,
        (consumer, incarnation): (ConsumerId, Incarnation),
        letter: Letter,
        worker: Option<u16>,
    ) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        let Some(client) = state.consumers[consumer.index()].client_mut(incarnation) else {
            return;
        };
        if state.producers[letter.producer.index()].process != ProducerProcess::Running {
            return match worker {
                None => client.letter_waits(ctx, out),
                Some(worker) => client.letter_of_worker_waits(ctx, worker, out),
            };
        }
        let record = logs.records.get(letter.record.0).expect("a handled record exists");
        let failed_at = worker.and_then(|worker| client.failed_in_worker(worker)).unwrap_or(client.failed_at());
        match worker {
            None => client.letter_is_sent(ctx, out),
            Some(worker) => client.letter_of_worker_is_sent(ctx, worker, out),
        }
        let value_bytes = setup.values[record.value.index()].len() as u32;
        let draft = Draft { key: record.key, value: record.value, value_bytes, partition: None };
        let group = state.consumers[consumer.index()].group.index();
        state.ledgers[group].note_set_aside(letter.partition, letter.offset, letter.record);
        self.send_draft(letter.producer, draft, Causes::triggered_by(failed_at));
    }

    pub(super) fn finish_handling(&mut self, consumer: ConsumerId, incarnation: Incarnation) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        let handling = &state.consumers[consumer.index()].config().handling;
        let down = handling.writes_to.and_then(|sink| state.sinks[sink.index()].down);
        if (!handling.fails.is_empty() || down.is_some())
            && state.consumers[consumer.index()].fail_handling(ctx, incarnation, (logs, down), out)
        {
            return;
        }
        if let Some(done) = state.consumers[consumer.index()].finish_handling(ctx, incarnation) {
            self.note_finished(done);
        }
    }

    /// A worker of a pool has finished its record, or takes one.
    #[inline(never)]
    pub(super) fn worker_goes_on(&mut self, (consumer, incarnation): (ConsumerId, Incarnation), worker: u16) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        let client = &mut state.consumers[consumer.index()];
        if let Some(letter) = client.letter_of_worker(incarnation, worker) {
            return self.send_letter((consumer, incarnation), letter, Some(worker));
        }
        let handling = &client.config().handling;
        let down = handling.writes_to.and_then(|sink| state.sinks[sink.index()].down);
        if (!handling.fails.is_empty() || down.is_some())
            && client.fail_in_worker(ctx, (incarnation, worker), (logs, down), out)
        {
            return;
        }
        if let Some(done) = client.worker_goes_on(ctx, (incarnation, worker), logs, out) {
            self.note_finished(done);
        }
    }

    /// A record has been handled: its effect is there, and the accounts know.
    fn note_finished(&mut self, done: Finished) {
        let Simulation { state, logs, out, .. } = self;
        let step = StepNo(state.steps);
        let MemberKey { consumer, incarnation } = done.member;
        let group = state.consumers[consumer.index()].group.index();
        let record = logs.records.get(done.record.0).expect("a handled record exists");
        let row = match state.consumers[consumer.index()].config().handling.writes_to {
            None => RowOutcome::NoSink,
            Some(sink) => state.sinks[sink.index()].write(
                &mut logs.rows[sink.index()],
                Write { record: done.record, key: record.key, by: done.member, step },
            ),
        };
        if state.consumers[consumer.index()].config().handling.offset_store.is_some() {
            state.consumers[consumer.index()].store_with_row(done, out);
        }
        let rewound = done.started_at.is_some_and(|started| logs.is_rewound(started, done.offset));
        let consumers = &state.consumers;
        let noted = state.ledgers[group].note_processed(
            Processing {
                record: done.record,
                key: record.key,
                topic: state.topics.place(done.partition).topic,
                partition: done.partition,
                offset: done.offset,
                by: done.member,
                step,
                rewound,
            },
            |before| {
                let consumer = &consumers[before.by.consumer.index()];
                consumer.end_with(before.by.incarnation, done.partition, before.step)
            },
            |member| consumers[member.consumer.index()].config().reads.is_by_hand(),
        );
        let mut causes = Causes::triggered_by(done.handling);
        if let Some(before) = noted.before {
            causes = Causes::NONE
                .and(Role::Repeated, before.step)
                .and_maybe(Role::DecidedValue, done.started_at)
                .and_maybe(Role::Silenced, noted.stopped)
                .and(Role::Triggered, done.handling);
        }
        out.event(
            Event::RecordProcessed {
                consumer,
                record: done.record,
                partition: done.partition,
                offset: done.offset,
                times: noted.times,
                row,
                fault: noted.fault,
            },
            causes,
        );
        out.wake(state.now, Due::Application(consumer, incarnation));
    }
}

impl Logs {
    /// True if a member reads this offset again because somebody wanted it to: the position that it started from, set in
    /// step `started`, comes from a `seek()` or a reset of the group's offsets that went back behind it.
    fn is_rewound(&self, started: StepNo, offset: Offset) -> bool {
        let Some(step) = self.steps.get(started.0) else { return false };
        let went_back = match step.event {
            Event::PositionSet { source: PositionSource::Committed, .. } => {
                let committed = step.causes.with_role(Role::DecidedValue);
                committed.and_then(|committed| self.steps.get(committed.0)).map(|step| step.event)
            }
            event => Some(event),
        };
        match went_back {
            Some(Event::PositionSought { from, .. } | Event::OffsetReset { from, .. }) => offset < from,
            _ => false,
        }
    }
}
