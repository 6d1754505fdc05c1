//! What grows while the world runs: partitions of a topic, consumers of a group, and offsets that a tool sets.

use super::Simulation;
use super::world::heartbeat_phase;
use crate::sim::action::Refusal;
use crate::sim::consumer::Consumer;
use crate::sim::coordinator::GroupState;
use crate::sim::effect::Context;
use crate::sim::event::Event;
use crate::sim::ids::*;
use crate::sim::log::Log;
use crate::sim::queue::Due;
use crate::sim::setup::{ConsumerSetup, TopicPartition, bounds};
use crate::sim::step::Causes;
use crate::sim::target::ResetTo;
use std::rc::Rc;

impl Simulation {
    pub(super) fn can_add_partitions(&self, topic: TopicId, to: u16) -> Result<(), Refusal> {
        let has = self.state.topics.partitions_of(topic).len();
        let all = self.state.topics.partition_count() - has + usize::from(to);
        match usize::from(to) {
            to if to <= has => Err(Refusal::NotMorePartitions),
            to if to > bounds::PARTITIONS_PER_TOPIC as usize || all > bounds::PARTITIONS as usize => {
                Err(Refusal::TooMany)
            }
            _ => Ok(()),
        }
    }

    /// The topic has `to` partitions from now on; the new ones are empty. Clients learn of them with their metadata.
    #[inline(never)]
    pub(super) fn add_partitions(&mut self, topic: TopicId, to: u16, causes: Causes) {
        let from = self.state.topics.partitions_of(topic).len() as u32;
        for _ in from..u32::from(to) {
            self.add_partition(topic);
        }
        self.state.topics.note_growth(topic, StepNo(self.state.steps));
        self.out.event(Event::PartitionsAdded { topic, from, partitions: u32::from(to) }, causes);
        self.schedule_metadata_refreshes();
    }

    fn add_partition(&mut self, topic: TopicId) {
        let Simulation { state, logs, .. } = self;
        let mut count = state.topics.partition_count() as u32;
        let partition = state.topics.add_to(topic);
        logs.places.write(&mut count, state.topics.place(partition));
        // A moment that lies in the past of this branch comes to the same partitions once more.
        if logs.partitions.len() < count as usize {
            logs.partitions.push(Log::default());
        }
        state.brokers.partitions.push(Default::default());
        for group in &mut state.groups {
            group.add_partition();
        }
        for ledger in &mut state.ledgers {
            ledger.partitions.push(Default::default());
        }
    }

    /// A consumer more joins a group: started as the group's first one would be, its name numbered on.
    pub(super) fn join_new(&mut self, group: GroupId, causes: Causes) {
        let name = self.name_of_next(group);
        let Simulation { setup, state, logs, out, .. } = self;
        let Some(model) = state.consumers.iter().find(|consumer| consumer.group == group) else {
            return;
        };
        let config = model.config.clone();
        let id = ConsumerId::at(state.consumers.len());
        let consumer = ConsumerSetup { name, group, instance_id: None, starts_at: state.now, config };
        let consumer = Consumer::new(id, &consumer, heartbeat_phase(&mut state.rng));
        logs.consumers.write(&mut (state.consumers.len() as u32), consumer.clone());
        state.consumers.push(consumer);
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        state.consumers[id.index()].start(ctx, state.groups[group.index()].broker, causes, out);
    }

    /// The name of the group's last consumer, with the next free number at its end: `c4` after `c3`.
    fn name_of_next(&self, group: GroupId) -> Rc<str> {
        let last = self.consumers_of(group).last().map_or("c", |consumer| &*consumer.name);
        let stem = last.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: u64 = last[stem.len()..].parse().unwrap_or(1);
        let names = (number + 1..).map(|number| format!("{stem}{number}"));
        let is_free = |name: &String| self.state.consumers.iter().all(|consumer| *consumer.name != **name);
        names.into_iter().find(is_free).unwrap_or_default().into()
    }

    /// What a reset of a group's offsets comes to, partition by partition.
    ///
    /// Source: `ConsumerGroupCommand.ConsumerGroupService#resetOffsets` (only a group that is Empty or Dead),
    /// `prepareOffsetsToReset`, `checkOffsetsRange`.
    pub(super) fn new_offsets(
        &self,
        group: GroupId,
        only: Option<TopicPartition>,
        to: ResetTo,
    ) -> Result<Vec<(GroupId, PartitionId, Offset)>, Refusal> {
        let found = self.group(group);
        if found.state != GroupState::Empty {
            return Err(Refusal::GroupActive(found.state));
        }
        let partitions: Vec<PartitionId> = match only {
            Some(place) => vec![self.state.topics.find(place).ok_or(Refusal::NoSuchPartition)?],
            None => self.partitions_of_group(group).collect(),
        };
        if partitions.is_empty() {
            return Err(Refusal::NoSuchPartition);
        }
        let new_offset = |partition: PartitionId| {
            let end = self.partition(partition).end;
            let offset = match to {
                ResetTo::Earliest => 0,
                ResetTo::Latest => end,
                ResetTo::Offset(offset) => offset.min(end),
                ResetTo::ShiftBy(by) => {
                    let committed = found.committed(partition).ok_or(Refusal::NothingCommitted)?.offset;
                    committed.saturating_add_signed(by).min(end)
                }
            };
            Ok((group, partition, offset))
        };
        partitions.into_iter().map(new_offset).collect()
    }

    /// Stores the next offset of a reset of this group, one partition a step.
    pub(super) fn reset_next_offset(&mut self, group: GroupId, causes: Causes) {
        let Simulation { setup, state, out, .. } = self;
        let Some(place) = state.resets.iter().position(|&(of, ..)| of == group) else {
            return;
        };
        let Some((_, partition, offset)) = state.resets.remove(place) else {
            return;
        };
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        let before = state.groups[group.index()].reset_offset(ctx, (partition, offset), out);
        let (was_committed, from) = (before.is_some(), before.map_or(0, |before| before.offset));
        out.event(Event::OffsetReset { group, partition, was_committed, from, offset }, causes);
        state.ledgers[group.index()].note_reset(ctx.step, partition, offset);
        if state.resets.iter().any(|&(of, ..)| of == group) {
            out.wake(state.now, Due::ResetOffset(group));
        }
    }
}
