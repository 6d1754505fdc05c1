//! The arithmetic behind a step's numbers.

use super::lookup;
use crate::sim::assignor::Assignor;
use crate::sim::event::ErrorCode;
use crate::sim::murmur2::to_positive;
use crate::sim::network::{Dealt, MemberMetadata};
use crate::sim::order;
use crate::sim::{ConsumerId, Event, KeyId, Offset, PartitionId, Role, Simulation, Span, StepNo, Time, TopicId};

/// A calculation, with every number that it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Calculation {
    /// A record's partition from its key.
    Hash {
        /// The key.
        key: KeyId,
        /// `murmur2` of its bytes, signed as Java shows it.
        hash: i32,
        /// The same without the sign bit.
        positive: u32,
        /// Partitions of the topic.
        partitions: u32,
        /// The number of the partition.
        result: u32,
    },
    /// Who gets which partitions from the group's assignor.
    Dealt {
        /// The assignor.
        assignor: Assignor,
        /// Each topic with its number of partitions and of the members that subscribe to it.
        topics: Vec<(TopicId, u32, u32)>,
        /// What each member had and gets, in the order in which the assignor goes through them.
        shares: Vec<Share>,
        /// Partitions that nobody gets yet: who has them now has to give them up first.
        waiting: Vec<PartitionId>,
    },
    /// What is committed against what is in the log.
    Lag {
        /// The partition.
        partition: PartitionId,
        /// Its log end offset.
        end: Offset,
        /// The committed offset.
        committed: Offset,
    },
    /// How long a member was not heard.
    Silence {
        /// When the coordinator last heard it.
        heard_at: Time,
        /// How long it waits.
        timeout: Span,
        /// When it stopped waiting.
        now: Time,
    },
    /// Work that is processed and not committed, and is therefore done again by whoever goes on.
    Uncommitted(Vec<Uncommitted>),
}

/// A member's part of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The member.
    pub consumer: ConsumerId,
    /// What it said that it had, where that plays a part.
    pub had: Vec<PartitionId>,
    /// What it gets.
    pub partitions: Vec<PartitionId>,
}

/// Uncommitted work in one partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uncommitted {
    /// The partition.
    pub partition: PartitionId,
    /// Who did it.
    pub consumer: ConsumerId,
    /// The offset behind the last record processed.
    pub processed_to: Offset,
    /// The lowest offset that is processed and not covered by a commit.
    pub from: Offset,
    /// What the group had committed, if anything.
    pub committed: Option<Offset>,
}

pub(super) fn calculation(run: &Simulation, number: StepNo) -> Option<Calculation> {
    let step = run.step_at(number)?;
    match step.event {
        Event::RecordSent { record, .. } => {
            let record = run.record(record);
            let key = record.key?;
            let hash = run.setup().keys[key.index()].hash;
            let partitions = u32::from(record.known_partitions);
            let result = u32::from(run.place(record.partition).number);
            Some(Calculation::Hash { key, hash, positive: to_positive(hash), partitions, result })
        }
        Event::AssignmentComputed { .. } => dealt(run, number),
        Event::PartitionsAssigned { .. } | Event::MorePartitionsAssigned { .. } => {
            dealt(run, step.causes.with_role(Role::DecidedValue)?)
        }
        Event::OffsetCommitted { partition, offset, .. } => {
            Some(Calculation::Lag { partition, end: lookup::end_before(run, partition, number), committed: offset })
        }
        Event::SessionExpired { consumer, silent, .. } => {
            let timeout = run.consumer(consumer).config().settings.session_timeout;
            Some(Calculation::Silence { heard_at: step.at - silent, timeout, now: step.at })
        }
        Event::ConsumerCrashed { consumer, .. }
        | Event::ConsumerClosed { consumer, .. }
        | Event::ConsumerFailed { consumer, .. }
        | Event::PartitionsRevoked { consumer, .. }
        | Event::PartitionsLost {
            consumer, error: ErrorCode::IllegalGeneration | ErrorCode::UnknownMemberId, ..
        } => uncommitted(run, consumer, number, None),
        Event::RecordProcessed { partition, times, .. } if times > 1 => {
            let first = step.causes.with_role(Role::Repeated)?;
            let by = run.step_at(first)?.event.consumer()?;
            let stopped = step.causes.with_role(Role::Silenced).or_else(|| lookup::given_up_after(run, first, number));
            uncommitted(run, by, stopped?, Some(partition))
        }
        _ => None,
    }
}

fn uncommitted(
    run: &Simulation,
    consumer: ConsumerId,
    number: StepNo,
    only: Option<PartitionId>,
) -> Option<Calculation> {
    let group = lookup::group_of(run, consumer);
    let parts: Vec<Uncommitted> = lookup::uncommitted_before(run, consumer, number)
        .into_iter()
        .filter(|&(partition, ..)| only.is_none_or(|only| only == partition))
        .map(|(partition, from, processed_to)| {
            let committed = lookup::committed_before(run, group, partition, number);
            Uncommitted { partition, consumer, processed_to, from, committed }
        })
        .collect();
    (!parts.is_empty()).then_some(Calculation::Uncommitted(parts))
}

fn dealt(run: &Simulation, computed: StepNo) -> Option<Calculation> {
    let Dealt { assignor, members, assignment } = run.dealt_at(computed)?;
    let mut places: Vec<usize> = (0..members.len()).collect();
    order::by_text(&mut places, |&place| &members[place].id);
    // Static members come first, by their instance ids.
    order::by_text(&mut places, |&place| members[place].request.instance_id.as_deref().unwrap_or("\u{10ffff}"));
    let shares: Vec<Share> = places
        .into_iter()
        .map(|place| Share {
            consumer: members[place].key.consumer,
            had: had(*assignor, &members[place]),
            partitions: assignment[place].1.to_vec(),
        })
        .collect();
    let known = |partition: &PartitionId| shares.iter().any(|share| share.partitions.contains(partition));
    let mut waiting: Vec<PartitionId> = shares.iter().flat_map(|share| share.had.iter().copied()).collect();
    waiting.retain(|partition| !known(partition));
    order::by_number(&mut waiting, |partition| u64::from(partition.0));
    waiting.dedup();
    let count = |topic: TopicId| {
        let all = shares.iter().flat_map(|share| &share.partitions).chain(&waiting);
        all.filter(|&&partition| run.place(partition).topic == topic).count() as u32
    };
    let subscribed = |topic: TopicId| members.iter().filter(|member| member.request.topics.contains(&topic)).count();
    let mut topics: Vec<TopicId> = members.iter().flat_map(|member| member.request.topics.iter().copied()).collect();
    order::by_number(&mut topics, |topic| u64::from(topic.0));
    topics.dedup();
    let topics = topics.into_iter().map(|topic| (topic, count(topic), subscribed(topic) as u32)).collect();
    Some(Calculation::Dealt { assignor: *assignor, topics, shares, waiting })
}

/// What a member says that it has had, as far as the assignor goes by it.
fn had(assignor: Assignor, member: &MemberMetadata) -> Vec<PartitionId> {
    match assignor {
        Assignor::Range | Assignor::RoundRobin => Vec::new(),
        Assignor::Sticky => member.request.user_data.as_ref().map_or_else(Vec::new, |(had, _)| had.to_vec()),
        Assignor::CooperativeSticky => member.request.owned.to_vec(),
    }
}
