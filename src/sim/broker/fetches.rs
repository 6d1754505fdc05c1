//! Fetches that the broker keeps until there are records for them.

use super::Brokers;
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::Event;
use crate::sim::ids::*;
use crate::sim::network::{Message, Node, PartitionOffset, Range};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::{Causes, Role};
use crate::sim::time::Span;
use std::rc::Rc;

/// The Fetches that a broker keeps, one of a consumer at most. Volatile: it would be gone with the
/// broker, which does not fail here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fetches {
    /// By consumer.
    kept: Vec<Option<KeptFetch>>,
    /// For each partition the consumers whose Fetch waits for a record there.
    waiting: Vec<Vec<ConsumerId>>,
}

/// A Fetch that the broker keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KeptFetch {
    member: MemberKey,
    positions: Rc<[PartitionOffset]>,
    sent: StepNo,
    received: StepNo,
    /// True once there are records for it, or it has waited long enough.
    answer_due: bool,
}

impl Fetches {
    /// There are new records in a partition: each Fetch that waits for them is to be answered.
    pub(super) fn wake_those_waiting_for(&mut self, partition: PartitionId, mut wake: impl FnMut(ConsumerId)) {
        for consumer in self.waiting.get_mut(partition.index()).map(std::mem::take).unwrap_or_default() {
            if let Some(fetch) = &mut self.kept[consumer.index()]
                && !fetch.answer_due
            {
                fetch.answer_due = true;
                wake(consumer);
            }
        }
    }

    fn keep(&mut self, fetch: KeptFetch) {
        let consumer = fetch.member.consumer;
        if !fetch.answer_due {
            for (partition, _) in fetch.positions.iter() {
                grown(&mut self.waiting, partition.index()).push(consumer);
            }
        }
        *grown(&mut self.kept, consumer.index()) = Some(fetch);
    }

    /// Takes the Fetch that is kept for a consumer; it waits no longer.
    fn take(&mut self, consumer: ConsumerId) -> Option<KeptFetch> {
        let fetch = self.kept.get_mut(consumer.index())?.take()?;
        for (partition, _) in fetch.positions.iter() {
            grown(&mut self.waiting, partition.index()).retain(|&waiting| waiting != consumer);
        }
        Some(fetch)
    }

    /// The same, if it is time to answer it.
    fn take_due(&mut self, consumer: ConsumerId) -> Option<KeptFetch> {
        self.kept.get(consumer.index())?.as_ref().filter(|fetch| fetch.answer_due)?;
        self.take(consumer)
    }

    /// True if the Fetch that is kept for a consumer was sent after this step.
    fn keeps_later(&self, consumer: ConsumerId, sent_by: StepNo) -> bool {
        let kept = self.kept.get(consumer.index()).and_then(Option::as_ref);
        kept.is_some_and(|fetch| fetch.sent > sent_by)
    }
}

/// The place `index` of a list that is as long as it needs to be.
fn grown<T: Clone + Default>(list: &mut Vec<T>, index: usize) -> &mut T {
    if list.len() <= index {
        list.resize(index + 1, T::default());
    }
    &mut list[index]
}

impl Brokers {
    /// A Fetch arrives; an earlier one of the same consumer is forgotten. One that was long on its way may come after the
    /// first of the next process: then nobody waits for its answer.
    pub fn handle_fetch(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (broker, member): (BrokerId, MemberKey),
        (positions, max_wait): (Rc<[PartitionOffset]>, Option<Span>),
        out: &mut Out,
    ) {
        let consumer = member.consumer;
        if self.fetches[broker.index()].keeps_later(consumer, sent_by) {
            return;
        }
        self.fetches[broker.index()].take(consumer);
        let has_answer = positions.iter().any(|&(partition, offset)| offset != self.partitions[partition.index()].end);
        if has_answer {
            out.wake(ctx.now, Due::AnswerFetch(broker, consumer));
        } else if let Some(max_wait) = max_wait {
            out.wake(ctx.now + max_wait, Due::FetchExpires(broker, consumer, ctx.step));
        }
        self.name_partitions(|| positions.iter().map(|&(partition, _)| partition).collect(), out);
        let received = ctx.step;
        self.fetches[broker.index()].keep(KeptFetch {
            member,
            positions,
            sent: sent_by,
            received,
            answer_due: has_answer,
        });
        out.event(Event::FetchReceived { consumer, waits: !has_answer }, Causes::triggered_by(sent_by));
    }

    /// With several brokers, the partitions that are asked for tell which of them has been asked.
    pub(super) fn name_partitions(&self, partitions: impl FnOnce() -> Rc<[PartitionId]>, out: &mut Out) {
        if self.fetches.len() > 1 {
            out.effects.push(Effect::Concerns(partitions()));
        }
    }

    /// The Fetch that was received in this step has waited for its `fetch.max.wait.ms`: it is answered as it is.
    #[inline(never)]
    pub fn handle_fetch_expires(&mut self, broker: BrokerId, consumer: ConsumerId, received: StepNo, out: &mut Out) {
        let kept = grown(&mut self.fetches[broker.index()].kept, consumer.index());
        if let Some(fetch) = kept.as_mut().filter(|fetch| fetch.received == received) {
            fetch.answer_due = true;
            self.answer_fetch(broker, consumer, out);
        }
    }

    /// Answers the Fetch that is kept for a consumer with all records behind its positions, once it is time to.
    pub fn answer_fetch(&mut self, broker: BrokerId, consumer: ConsumerId, out: &mut Out) {
        let Some(fetch) = self.fetches[broker.index()].take_due(consumer) else {
            return;
        };
        let (mut last_append, mut out_of_range) = (None, None);
        let ranges: Rc<[Range]> = fetch
            .positions
            .iter()
            .filter_map(|&(partition, from)| {
                let log = &self.partitions[partition.index()];
                if from >= log.end {
                    out_of_range = out_of_range.or(Some((partition, log.end)).filter(|_| from > log.end));
                    return None;
                }
                last_append = last_append.max(log.last_append);
                Some(Range { partition, from, to: log.end })
            })
            .collect();
        let records = ranges.iter().map(|range| range.len()).sum();
        out.event(
            Event::FetchAnswered { consumer, records },
            Causes::triggered_by(fetch.received).and_maybe(Role::WaitedFor, last_append),
        );
        let answer = Message::FetchAnswer { request: fetch.sent, ranges, out_of_range };
        out.send(Node::Broker(broker), Node::Consumer(fetch.member), answer);
    }
}
