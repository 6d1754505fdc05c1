//! The two ends of a record's way, where more than one component is concerned.

use super::{Record, Simulation};
use crate::sim::effect::Context;
use crate::sim::event::{Event, RowOutcome};
use crate::sim::ids::*;
use crate::sim::ledger::Processing;
use crate::sim::murmur2;
use crate::sim::queue::Due;
use crate::sim::sink::Write;
use crate::sim::step::{Causes, Role};

impl Simulation {
    pub(super) fn send_record(&mut self, producer: ProducerId) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics };
        let producer_setup = &setup.producers[producer.index()];
        let client = &mut state.producers[producer.index()];
        let draft = client.next_record(&producer_setup.source, &mut state.rng);
        let topic = producer_setup.topic;
        let partitions = state.topics.partitions_of(topic);
        let key = draft.key.expect("a keyed record, as the scenario asks for");
        let number = murmur2::partition_for_hash(setup.keys[key.index()].hash, partitions.len() as u32) as usize;
        let partition = partitions[number];
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
                known_partitions: partitions.len() as u16,
                number_of_key: *sent_of_key,
                at: state.now,
                sent: ctx.step,
            },
        );
        let mut queued = client.queued(number);
        logs.queues[producer.index()][number].write(&mut queued, record);
        client.send(ctx, record, partition, out);
    }

    pub(super) fn finish_handling(&mut self, consumer: ConsumerId, incarnation: Incarnation) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics };
        let Some(done) = state.consumers[consumer.index()].finish_handling(ctx, incarnation) else {
            return;
        };
        let group = state.consumers[consumer.index()].group.index();
        let row = match state.consumers[consumer.index()].config().handling.writes_to {
            None => RowOutcome::NoSink,
            Some(sink) => state.sinks[sink.index()].write(
                &setup.sinks[sink.index()],
                &mut logs.rows[sink.index()],
                Write { record: done.record, by: done.member, step: ctx.step },
            ),
        };
        let record = logs.records.get(done.record.0).expect("a handled record exists");
        let consumers = &state.consumers;
        let noted = state.ledgers[group].note_processed(
            Processing {
                record: done.record,
                key: record.key,
                topic: state.topics.place(done.partition).topic,
                partition: done.partition,
                offset: done.offset,
                by: done.member,
                step: ctx.step,
                is_by_hand: consumers[consumer.index()].config().reads.is_by_hand(),
            },
            |before| {
                let consumer = &consumers[before.by.consumer.index()];
                consumer.end_with(before.by.incarnation, done.partition, before.step)
            },
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
        out.wake(ctx.now, Due::Application(consumer, incarnation));
    }
}
