//! Which batches go into the next requests.
//!
//! Source: `RecordAccumulator#ready`, `#drain`, `Sender#sendProducerData`.

use super::{Accumulator, Batch, Connection, DrainedBatch, ProduceRequest};
use crate::sim::ids::BrokerId;
use crate::sim::producer::batching::{Batching, RequestOf};
use crate::sim::time::Time;
use std::rc::Rc;

impl Accumulator {
    /// When [`drain`](Accumulator::drain) has something to send, `now` at the earliest; nothing if only a new record or
    /// an answer can bring that about.
    ///
    /// Source: `RecordAccumulator#ready`. The closures are those of `drain`.
    pub fn next_ready(
        &self,
        settings: &Batching,
        now: Time,
        leader_of: impl Fn(u16) -> Option<BrokerId>,
        can_send: impl Fn(BrokerId) -> bool,
    ) -> Option<Time> {
        let sendable = |partition: &u16| {
            leader_of(*partition).is_some_and(|leader| can_send(leader) && self.has_room_for_request(settings, leader))
        };
        let ready = self.waiting.iter().filter(sendable);
        ready.filter_map(|partition| self.queues[usize::from(partition)].ready_at(settings, now)).min()
    }

    /// Takes the batches of the next requests, at most one request a broker (with [`RequestOf::Partition`]: a
    /// partition). The sender calls it again until it returns nothing.
    ///
    /// `leader_of` says which broker leads a partition, as far as the producer knows; `can_send` whether it is
    /// connected. A broker is ready if one of its partitions is; then the first batch of *each* of its partitions goes
    /// along, however short it has waited. Source: `Sender#sendProducerData`,
    /// `RecordAccumulator#drainBatchesForOneNode`.
    pub fn drain(
        &mut self,
        settings: &Batching,
        now: Time,
        leader_of: impl Fn(u16) -> Option<BrokerId>,
        can_send: impl Fn(BrokerId) -> bool,
    ) -> Vec<ProduceRequest> {
        let mut requests = Vec::new();
        // Brokers that have got their request, one bit each.
        let mut served = 0u32;
        let mut next = self.waiting.next_from(0);
        while let Some(partition) = next {
            next = self.waiting.next_from(partition + 1);
            let queue = &self.queues[usize::from(partition)];
            let Some(broker) = leader_of(partition) else { continue };
            let is_served = settings.request == RequestOf::Broker && served >> broker.0 & 1 == 1;
            let is_ready = !is_served && queue.ready_at(settings, now) == Some(now);
            if !is_ready || !can_send(broker) || !self.has_room_for_request(settings, broker) {
                continue;
            }
            served |= 1 << broker.0;
            let batches = match settings.request {
                RequestOf::Broker => self.drain_broker(settings, broker, &leader_of),
                RequestOf::Partition => Rc::new([self.take_first(partition)]),
            };
            self.connection(broker).in_flight += 1;
            requests.push(ProduceRequest { broker, batches });
        }
        requests
    }

    fn has_room_for_request(&self, settings: &Batching, broker: BrokerId) -> bool {
        self.in_flight(broker) < settings.max_in_flight
    }

    pub(super) fn connection(&mut self, broker: BrokerId) -> &mut Connection {
        if self.connections.len() <= broker.index() {
            self.connections.resize(broker.index() + 1, Connection::default());
        }
        &mut self.connections[broker.index()]
    }

    /// The first batches of the broker's partitions, as many as fit. The next request begins at the one that did not
    /// fit, else at the one before, so that no partition is always last.
    fn drain_broker(
        &mut self,
        settings: &Batching,
        broker: BrokerId,
        leader_of: &impl Fn(u16) -> Option<BrokerId>,
    ) -> Rc<[DrainedBatch]> {
        let start = self.connection(broker).start;
        let leads = |partition: &u16| leader_of(*partition) == Some(broker);
        let count = self.queues.len() as u16;
        let next_start = (0..start).rev().chain((start..count).rev()).find(leads).unwrap_or(start);
        let (mut size, mut first, mut others) = (0u32, None, Vec::new());
        // From the start to the end, then from the beginning to the start.
        for (from, to) in [(start, count), (0, start)] {
            let mut next = self.waiting.next_from(from);
            while let Some(partition) = next.filter(|&partition| partition < to) {
                next = self.waiting.next_from(partition + 1);
                let queue = &self.queues[usize::from(partition)];
                let batch = queue.batches.front().filter(|_| leads(&partition) && !queue.is_muted(settings));
                let Some(bytes) = batch.map(|batch| batch.bytes) else { continue };
                size = size.saturating_add(bytes);
                if size > settings.max_request_size && first.is_some() {
                    self.connection(broker).start = partition;
                    return gathered(first, others);
                }
                let batch = self.take_first(partition);
                match first {
                    None => first = Some(batch),
                    Some(_) => others.push(batch),
                }
            }
        }
        self.connection(broker).start = next_start;
        gathered(first, others)
    }

    fn take_first(&mut self, partition: u16) -> DrainedBatch {
        let queue = &mut self.queues[usize::from(partition)];
        let batch = queue.batches.pop_front().expect("a batch waits for a partition that is drained");
        queue.in_flight += 1;
        if queue.batches.is_empty() {
            self.waiting.remove(partition);
        }
        let Batch { from, to, bytes, opened_at, .. } = batch;
        DrainedBatch { partition, from, to, bytes, opened_at }
    }
}

/// Mostly there is one batch, which needs no list besides.
fn gathered(first: Option<DrainedBatch>, others: Vec<DrainedBatch>) -> Rc<[DrainedBatch]> {
    match first {
        Some(only) if others.is_empty() => Rc::new([only]),
        _ => first.into_iter().chain(others).collect(),
    }
}
