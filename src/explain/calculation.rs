//! The arithmetic behind a step's numbers.

use super::lookup;
use crate::sim::event::ErrorCode;
use crate::sim::order;
use crate::sim::partitioner::{Choice, KeyHash};
use crate::sim::{ConsumerId, Event, KeyId, Offset, PartitionId, Role, Simulation, Span, StepNo, Time, TopicId};

/// A calculation, with every number that it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Calculation {
    /// A record's partition from the hash of its key.
    Hash {
        /// The key; a missing one counts as empty.
        key: Option<KeyId>,
        /// The hash function.
        hash: KeyHash,
        /// Partitions of the topic that the producer knows of.
        partitions: u32,
        /// The number of the partition.
        result: u32,
    },
    /// A record's partition from whose turn it is.
    Turn {
        /// The number of the turn.
        turn: u32,
        /// Partitions of the topic that the producer knows of.
        partitions: u32,
        /// The number of the partition.
        result: u32,
    },
    /// How long records stay on a partition.
    Sticky {
        /// The partition.
        partition: PartitionId,
        /// Bytes that have gone there since it was chosen.
        bytes: u32,
        /// `batch.size`.
        batch_size: u32,
    },
    /// Who gets which partitions from the range assignor.
    Range {
        /// Each topic with its number of partitions.
        topics: Vec<(TopicId, u32)>,
        /// Members among whom each topic is cut.
        members: u32,
        /// What each gets, in the order of member ids.
        shares: Vec<Share>,
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
            let partitions = u32::from(record.known_partitions);
            let result = u32::from(run.place(record.partition).number);
            match record.choice {
                Choice::Hash(hash) => Some(Calculation::Hash { key: record.key, hash, partitions, result }),
                Choice::InTurn(turn) => Some(Calculation::Turn { turn, partitions, result }),
                Choice::StickyByBytes { bytes, .. } => {
                    let batch_size = run.setup().producers[record.producer.index()].settings.batching.batch_size;
                    Some(Calculation::Sticky { partition: record.partition, bytes, batch_size })
                }
                _ => None,
            }
        }
        Event::AssignmentComputed { .. } => range(run, number),
        Event::PartitionsAssigned { .. } => range(run, step.causes.with_role(Role::DecidedValue)?),
        Event::OffsetCommitted { partition, offset, .. } => {
            Some(Calculation::Lag { partition, end: lookup::end_before(run, partition, number), committed: offset })
        }
        Event::SessionExpired { consumer, silent, .. } => {
            let timeout = run.consumer(consumer).config().settings.session_timeout;
            Some(Calculation::Silence { heard_at: step.at - silent, timeout, now: step.at })
        }
        Event::ConsumerCrashed { consumer, .. }
        | Event::ConsumerClosed { consumer, .. }
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

fn range(run: &Simulation, computed: StepNo) -> Option<Calculation> {
    let Event::AssignmentComputed { group, members, .. } = run.step_at(computed)?.event else {
        return None;
    };
    let mut shares: Vec<Share> = run
        .assignment_at(computed)?
        .iter()
        .map(|(key, partitions)| Share { consumer: key.consumer, partitions: partitions.to_vec() })
        .collect();
    // Range deals in the order of member ids, so that order can be read from what each got; who got nothing came last.
    order::by_number(&mut shares, |share| share.partitions.first().map_or(u64::MAX, |first| u64::from(first.0)));
    let dealt = |topic: TopicId| {
        shares.iter().flat_map(|share| &share.partitions).filter(|&&of| run.place(of).topic == topic).count()
    };
    let topics = run.topics_of(group).into_iter().map(|topic| (topic, dealt(topic) as u32)).collect();
    Some(Calculation::Range { topics, members, shares })
}
