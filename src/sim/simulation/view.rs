//! Looking at the world: at the present moment, or at steps of the past and the known future.

use super::{Lag, Record, Simulation};
use crate::sim::assignor::ServerAssignor;
use crate::sim::broker::Partition;
use crate::sim::consumer::Consumer;
use crate::sim::coordinator::Group;
use crate::sim::digest;
use crate::sim::effect::Context;
use crate::sim::event::Event;
use crate::sim::ids::*;
use crate::sim::ledger::{GroupLedger, Lost};
use crate::sim::network::{Assignment, Dealt, InFlight};
use crate::sim::order;
use crate::sim::producer::Producer;
use crate::sim::queue::MemberKey;
use crate::sim::setup::{OffsetReset, Reads, Setup, TopicPartition};
use crate::sim::sink::{Row, Sink, Stored};
use crate::sim::step::Step;
use crate::sim::target::MessageRef;
use crate::sim::time::{Span, Time};
use crate::sim::topics::Topics;
use std::rc::Rc;

impl Simulation {
    /// What the run started from.
    pub fn setup(&self) -> &Rc<Setup> {
        &self.setup
    }

    /// The present moment.
    pub fn now(&self) -> Time {
        self.state.now
    }

    /// How many steps have been made up to the present moment.
    pub fn steps(&self) -> u32 {
        self.state.steps
    }

    /// How many of them are visible.
    pub fn visible_steps(&self) -> u32 {
        self.state.visible
    }

    /// How many steps of this branch are known, the future included.
    pub fn known_steps(&self) -> u32 {
        self.logs.steps.len()
    }

    /// How many visible steps of this branch are known, the future included.
    pub fn known_visible_steps(&self) -> u32 {
        self.logs.visible.len()
    }

    /// True after the last step of the run.
    pub fn has_ended(&self) -> bool {
        self.state.ended
    }

    /// A known step, past or future.
    pub fn step_at(&self, step: StepNo) -> Option<&Step> {
        self.logs.steps.get(step.0)
    }

    /// The step that has this number among the visible ones, from 0.
    pub fn visible_step(&self, number: u32) -> Option<StepNo> {
        self.logs.visible.get(number).copied()
    }

    /// How many known steps have happened by a time.
    pub fn steps_by(&self, at: Time) -> u32 {
        self.logs.steps.partition_point(|step| step.at <= at)
    }

    /// How many visible steps there are before `step`.
    pub fn visible_steps_before(&self, step: StepNo) -> u32 {
        self.logs.visible.partition_point(|&at| at < step)
    }

    /// Who got what in a step that computed it (`AssignmentComputed`, `TargetAssignmentComputed`), past or future.
    pub fn assignment_at(&self, step: StepNo) -> Option<&Assignment> {
        let target = self.logs.targets.get(self.logs.targets.partition_point(|&(at, _)| at < step));
        let target = target.filter(|(at, _)| *at == step).map(|(_, target)| target);
        target.or_else(|| self.dealt_at(step).map(|dealt| &dealt.assignment))
    }

    /// What was dealt in a step that did so (`AssignmentComputed`), among whom and how; past or future.
    pub fn dealt_at(&self, step: StepNo) -> Option<&Dealt> {
        let &(computed, ref dealt) = self.logs.assignments.get(self.assignments_before(step))?;
        (computed == step).then_some(dealt)
    }

    /// Who got what when it was last computed for a group before `step`.
    pub fn assignment_before(&self, group: GroupId, step: StepNo) -> Option<&Assignment> {
        (0..self.assignments_before(step)).rev().find_map(|number| {
            let &(computed, ref dealt) = self.logs.assignments.get(number)?;
            let event = self.step_at(computed)?.event;
            matches!(event, Event::AssignmentComputed { group: of, .. } if of == group).then_some(&dealt.assignment)
        })
    }

    fn assignments_before(&self, step: StepNo) -> u32 {
        self.logs.assignments.partition_point(|&(at, _)| at < step)
    }

    /// The partitions that were assigned, revoked, lost or given up in a step, past or future; with several brokers also those
    /// that one of them was asked for.
    pub fn partitions_at(&self, step: StepNo) -> &[PartitionId] {
        let place = self.logs.concerns.partition_point(|&(at, _)| at < step);
        match self.logs.concerns.get(place) {
            Some((at, partitions)) if *at == step => partitions,
            _ => &[],
        }
    }

    /// How many records were lost in a step, past or future.
    pub fn lost_at(&self, step: StepNo) -> u32 {
        let place = self.logs.losses.partition_point(|&(at, _)| at < step);
        self.logs.losses.get(place).map_or(0, |&(at, lost)| if at == step { lost } else { 0 })
    }

    /// The digest of the steps made up to the present moment; see [`mod@digest`].
    pub fn digest(&self) -> String {
        self.digest_of(self.state.steps)
    }

    /// The digest of the first `steps` steps, past or future.
    pub fn digest_of(&self, steps: u32) -> String {
        digest::digest(&self.logs.steps, steps)
    }

    /// Messages on their way.
    pub fn in_flight(&self) -> impl Iterator<Item = (u32, &InFlight)> {
        self.state.network.iter()
    }

    /// The name of a message on its way.
    pub fn message_name(&self, slot: u32) -> Option<MessageRef> {
        self.state.network.name_of(slot)
    }

    /// A producer.
    pub fn producer(&self, producer: ProducerId) -> &Producer {
        &self.state.producers[producer.index()]
    }

    /// A record, past or future.
    pub fn record(&self, record: RecordId) -> &Record {
        self.logs.records.get(record.0).expect("record ids come from this run")
    }

    /// The record at `index` of a producer's queue for partition `number` of its topic.
    pub fn queued(&self, producer: ProducerId, number: u16, index: u32) -> Option<RecordId> {
        self.logs.queues[producer.index()].get(usize::from(number))?.get(index).copied()
    }

    /// How many records have been sent.
    pub fn records(&self) -> u32 {
        self.state.records
    }

    /// The record that a producer sends next, as far as that is known.
    pub fn next_record_of(&self, producer: ProducerId) -> Option<RecordId> {
        (self.state.records..self.logs.records.len())
            .take(1_000)
            .map(RecordId)
            .find(|record| self.record(*record).producer == producer)
    }

    /// The offset of a record, once it is in the log.
    pub fn offset_of(&self, record: RecordId) -> Option<Offset> {
        self.state.offset_of.get(record.0).checked_sub(1)
    }

    /// The record at an offset, if the log goes that far.
    pub fn record_at(&self, partition: PartitionId, offset: Offset) -> Option<RecordId> {
        if offset >= self.partition(partition).end {
            return None;
        }
        self.logs.partitions[partition.index()].get(offset).copied()
    }

    /// The record at an offset, past or future, as far as that is known.
    pub fn known_record_at(&self, partition: PartitionId, offset: Offset) -> Option<RecordId> {
        self.logs.partitions[partition.index()].get(offset).copied()
    }

    /// The steps that tell what happened to a record, the latest first: sent, appended, processed.
    pub fn history_of(&self, record: RecordId) -> impl Iterator<Item = StepNo> + '_ {
        let mut next = self.state.last_fact.get(record.0);
        std::iter::from_fn(move || {
            let fact = self.logs.facts.get(next.checked_sub(1)?)?;
            next = fact.previous;
            Some(fact.step)
        })
    }

    /// A partition.
    pub fn partition(&self, partition: PartitionId) -> &Partition {
        &self.state.brokers.partitions[partition.index()]
    }

    /// How many partitions there are over all topics.
    pub fn partition_count(&self) -> usize {
        self.state.topics.partition_count()
    }

    /// The topic of a partition and its number there; of any partition of a known step.
    pub fn place(&self, partition: PartitionId) -> TopicPartition {
        *self.logs.places.get(u32::from(partition.0)).expect("a partition id comes from a step of this run")
    }

    /// Which partitions there are at the present moment.
    pub fn topics(&self) -> &Topics {
        &self.state.topics
    }

    /// A group, as its coordinator sees it.
    pub fn group(&self, group: GroupId) -> &Group {
        &self.state.groups[group.index()]
    }

    /// A consumer; one of the known future is not started yet.
    pub fn consumer(&self, consumer: ConsumerId) -> &Consumer {
        let known = || self.logs.consumers.get(u32::from(consumer.0));
        let found = self.state.consumers.get(consumer.index()).or_else(known);
        found.expect("a consumer id comes from a step of this run")
    }

    /// The broker that leads the partition with this number of any topic.
    pub fn leader(&self, number: u16) -> BrokerId {
        BrokerId::at(usize::from(number) % self.setup.brokers.len())
    }

    /// The delay between clients and a broker, one way.
    pub fn latency(&self, broker: BrokerId) -> Span {
        self.state.latencies[broker.index()]
    }

    /// `group.initial.rebalance.delay.ms` of the brokers.
    pub fn group_initial_rebalance_delay(&self) -> Span {
        let of_group = self.state.groups.first().map(|group| group.initial_rebalance_delay);
        of_group.unwrap_or(self.setup.cluster.group_initial_rebalance_delay)
    }

    /// All consumers.
    pub fn consumers(&self) -> &[Consumer] {
        &self.state.consumers
    }

    /// The member id that the coordinator gave to a start of a process, as long as it knows it.
    pub fn member_id(&self, key: MemberKey) -> Option<&str> {
        self.group(self.consumer(key.consumer).group).member_id(key)
    }

    /// Silence after which the coordinator removes a member: the client's setting or, in the consumer protocol, the
    /// broker's.
    pub fn session_timeout(&self, consumer: ConsumerId) -> Span {
        match self.setup.is_modern(self.consumer(consumer).group) {
            true => self.setup.cluster.consumer_groups.session_timeout,
            false => self.consumer(consumer).config().settings.session_timeout,
        }
    }

    /// The assignor that the broker uses for a group of the consumer protocol.
    pub fn server_assignor(&self, group: GroupId) -> ServerAssignor {
        let Simulation { setup, state, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        self.group(group).preferred_assignor(ctx)
    }

    /// A group's account.
    pub fn ledger(&self, group: GroupId) -> &GroupLedger {
        &self.state.ledgers[group.index()]
    }

    /// A table.
    pub fn sink(&self, sink: SinkId) -> &Sink {
        &self.state.sinks[sink.index()]
    }

    /// The column of a table's unique key, if it has one.
    pub fn unique_key(&self, sink: SinkId) -> Option<&Rc<str>> {
        self.sink(sink).is_unique.then(|| &self.setup.sinks[sink.index()].column)
    }

    /// A row of a table, in the order in which they came to be.
    pub fn row(&self, sink: SinkId, number: u32) -> Option<&Row> {
        if number >= self.sink(sink).rows {
            return None;
        }
        self.logs.rows[sink.index()].get(self.sink(sink).entry_of(number))
    }

    /// How many rows of a table hold what the handling of a record has written.
    #[inline(never)]
    pub fn rows_of(&self, sink: SinkId, record: RecordId) -> u32 {
        let key = self.record(record).key;
        let row = key.and_then(|key| self.sink(sink).row_of_key(key));
        let is_of_record = row.and_then(|row| self.row(sink, row)).is_some_and(|row| row.record == record);
        u32::from(self.sink(sink).rows_of(record)) + u32::from(is_of_record)
    }

    /// The offset that a group keeps for a partition in the database of its table, instead of committing it.
    #[inline(never)]
    pub fn stored(&self, group: GroupId, partition: PartitionId) -> Option<&Stored> {
        self.sinks_of(group).into_iter().find_map(|sink| self.sink(sink).stored(group, partition))
    }

    /// Where a member that is given a partition would begin because of an offset that its group keeps in a table.
    #[inline(never)]
    pub fn start_from_store(&self, group: GroupId, partition: PartitionId) -> Option<Offset> {
        let store = self.consumers_of(group).find_map(|consumer| consumer.config().handling.offset_store)?;
        Some(store.start(self.stored(group, partition)?.offset))
    }

    /// The lowest offset that a group can still come to: what it has committed or, where a living member has not
    /// come that far, that member's next record; with nothing committed and `earliest`, the start of the log. Nothing while
    /// none of these is decided.
    pub fn reach(&self, group: GroupId, partition: PartitionId) -> Option<Offset> {
        let committed = self.group(group).committed(partition).map(|committed| committed.offset);
        let committed = match self.state.sinks.iter().any(Sink::has_stored) {
            true => self.start_from_store(group, partition).or(committed),
            false => committed,
        };
        let workers = self.ledger(group).partitions[partition.index()].workers();
        let next = workers.filter_map(|key| {
            let owned = self.consumer(key.consumer).client()?.owned(partition)?;
            owned.position.map(|_| owned.next)
        });
        let next = next.min();
        match (committed, next) {
            (Some(committed), Some(next)) => Some(committed.min(next)),
            // Without a commit whoever takes over begins at the start of the log.
            (None, Some(_)) if self.begins_at_the_start(group) => Some(0),
            (committed, next) => committed.or(next),
        }
    }

    /// True if the members of a group begin with the first record where nothing is committed.
    pub fn begins_at_the_start(&self, group: GroupId) -> bool {
        self.consumers_of(group).all(|consumer| consumer.config().settings.auto_offset_reset == OffsetReset::Earliest)
    }

    /// What a group has lost, over all partitions of its topics, or never got from their producers.
    pub fn lost(&self, group: GroupId) -> Lost {
        let mut lost = Lost::default();
        for partition in self.partitions_of_group(group) {
            let part = self.ledger(group).lost_in(partition, self.reach(group, partition));
            lost.skipped_by_commit += part.skipped_by_commit;
            lost.skipped_by_reset += part.skipped_by_reset;
            lost.skipped_by_error += part.skipped_by_error;
        }
        let topics = self.topics_of(group);
        let producers = self.setup.producers.iter().zip(&self.state.producers);
        let concerned = producers.filter(|(setup, _)| topics.contains(&setup.topic));
        lost.never_sent = concerned.map(|(_, producer)| producer.never_sent).sum();
        lost
    }

    /// How many records in the logs of its topics a group has neither processed nor lost, nor set aside.
    pub fn pending(&self, group: GroupId) -> u32 {
        let (ledger, lost) = (self.ledger(group), self.lost(group));
        let counted = |of: PartitionId| ledger.partitions[of.index()].counted(self.partition(of).end);
        let records: u32 = self.partitions_of_group(group).map(counted).sum();
        records.saturating_sub(ledger.processed + ledger.set_aside + lost.total() - lost.never_sent)
    }

    /// True for a record in a log that a group has not processed and can no longer come to.
    pub fn is_lost(&self, group: GroupId, record: RecordId) -> bool {
        let (partition, ledger) = (self.record(record).partition, self.ledger(group));
        let (Some(offset), Some(reach)) = (self.offset_of(record), self.reach(group, partition)) else { return false };
        let ledger = &ledger.partitions[partition.index()];
        ledger.is_counted(offset) && offset < reach && !ledger.is_done(offset)
    }

    /// The partitions of a group's topics, in order.
    pub fn partitions_of_group(&self, group: GroupId) -> impl Iterator<Item = PartitionId> + '_ {
        self.topics_of(group).into_iter().flat_map(|topic| self.state.topics.partitions_of(topic).iter().copied())
    }

    /// The topics that some consumer of a group reads, in order.
    pub fn topics_of(&self, group: GroupId) -> Vec<TopicId> {
        let mut topics = Vec::new();
        for consumer in self.consumers_of(group) {
            match &consumer.config().reads {
                Reads::Subscribed(subscribed) => topics.extend(subscribed.iter().copied()),
                Reads::Assigned(partitions) => topics.extend(partitions.iter().map(|place| place.topic)),
            }
        }
        order::by_number(&mut topics, |topic| u64::from(topic.0));
        topics.dedup();
        topics
    }

    /// The tables that some consumer of a group writes to, in order.
    pub fn sinks_of(&self, group: GroupId) -> Vec<SinkId> {
        let mut sinks: Vec<SinkId> =
            self.consumers_of(group).filter_map(|consumer| consumer.config().handling.writes_to).collect();
        order::by_number(&mut sinks, |sink| u64::from(sink.0));
        sinks.dedup();
        sinks
    }

    /// The consumers of a group, in order.
    pub fn consumers_of(&self, group: GroupId) -> impl Iterator<Item = &Consumer> + '_ {
        self.state.consumers.iter().filter(move |consumer| consumer.group == group)
    }

    /// The lag of a group in a partition: records behind the committed offset, and the age of the oldest one that the
    /// group can still come to and has not processed.
    pub fn lag(&self, group: GroupId, partition: PartitionId) -> Lag {
        let end = self.partition(partition).end;
        let committed = self.group(group).committed(partition).map(|committed| committed.offset);
        let ledger = &self.ledger(group).partitions[partition.index()];
        let oldest = self.reach(group, partition).map(|reach| ledger.first_undone(reach));
        let position = ledger.workers().filter_map(|key| {
            let owned = self.consumer(key.consumer).client()?.owned(partition)?;
            owned.position
        });
        let position = position.min();
        let age = |offset: Option<Offset>| {
            let record = self.record_at(partition, offset?)?;
            Some(self.now().since(self.record(record).at))
        };
        Lag {
            records: committed.map(|committed| end.saturating_sub(committed)),
            uncommitted: age(committed),
            unread: position.map(|position| end.saturating_sub(position)),
            unread_age: age(position),
            oldest: age(oldest),
        }
    }
}
