//! Which batches go into the next requests.
//!
//! Source: `RecordAccumulator#ready`, `#drain`, `Sender#sendProducerData`.

use super::{Accumulator, Batch, Connection, DrainedBatch, ProduceRequest};
use crate::sim::ids::BrokerId;
use crate::sim::producer::batching::{Batching, RequestOf};
use crate::sim::time::Time;

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
        let mut ready: Vec<(BrokerId, u16)> = Vec::new();
        for partition in self.waiting.iter() {
            let queue = &self.queues[usize::from(partition)];
            let Some(leader) = leader_of(partition) else { continue };
            let joins = settings.request == RequestOf::Broker && ready.iter().any(|&(broker, _)| broker == leader);
            if !joins && queue.ready_at(settings, now) == Some(now) && can_send(leader) {
                ready.push((leader, partition));
            }
        }
        let mut requests = Vec::new();
        for (broker, partition) in ready {
            if !self.has_room_for_request(settings, broker) {
                continue;
            }
            let batches = match settings.request {
                RequestOf::Broker => self.drain_broker(settings, broker, &leader_of),
                RequestOf::Partition => vec![self.take_first(partition)],
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
    ) -> Vec<DrainedBatch> {
        let start = self.connection(broker).start;
        let leads = |partition: &u16| leader_of(*partition) == Some(broker);
        let partitions: Vec<u16> = self.waiting.iter_from(start).filter(leads).collect();
        let count = self.queues.len() as u16;
        let mut next_start = (0..start).rev().chain((start..count).rev()).find(leads).unwrap_or(start);
        let (mut size, mut batches) = (0u32, Vec::new());
        for partition in partitions {
            let queue = &self.queues[usize::from(partition)];
            let Some(first) = queue.batches.front().filter(|_| !queue.is_muted(settings)) else { continue };
            size = size.saturating_add(first.bytes);
            if size > settings.max_request_size && !batches.is_empty() {
                next_start = partition;
                break;
            }
            batches.push(self.take_first(partition));
        }
        self.connection(broker).start = next_start;
        batches
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
