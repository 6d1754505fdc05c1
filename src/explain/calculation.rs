//! The arithmetic behind a step's numbers.

use super::lookup;
use super::settings::{Owner, Setting, setting_name};
use crate::sim::assignor::{Assignor, ServerAssignor};
use crate::sim::event::ErrorCode;
use crate::sim::network::{Dealt, MemberMetadata};
use crate::sim::order;
use crate::sim::partitioner::{Choice, KeyHash};
use crate::sim::{
    ConsumerId, Event, KeyId, MemberKey, Offset, PartitionId, Role, Simulation, Span, StepNo, Time, TopicId,
};

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
    /// Who gets which partitions from the broker's assignor.
    Target {
        /// How it deals.
        assignor: ServerAssignor,
        /// Partitions of all topics.
        partitions: u32,
        /// Members among whom they are dealt.
        members: u32,
        /// What each gets, in the order in which they joined.
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
        /// The setting that says how long the coordinator waits, by its name in the client library.
        setting: &'static str,
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
            let partitions = u32::from(record.known_partitions);
            let result = u32::from(run.place(record.partition).number);
            match record.choice {
                Choice::Hash(hash) => Some(Calculation::Hash { key: record.key, hash, partitions, result }),
                Choice::InTurn(turn) => Some(Calculation::Turn { turn, partitions, result }),
                Choice::StickyByBytes { bytes, .. } => {
                    let batch_size = lookup::producer_settings(run, record.producer, number).batching.batch_size;
                    Some(Calculation::Sticky { partition: record.partition, bytes, batch_size })
                }
                _ => None,
            }
        }
        Event::AssignmentComputed { .. } => dealt(run, number),
        Event::PartitionsAssigned { .. } | Event::MorePartitionsAssigned { .. } => {
            dealt(run, step.causes.with_role(Role::DecidedValue)?)
        }
        Event::TargetAssignmentComputed { .. } => target(run, number),
        Event::AssignmentGiven { .. } | Event::RevocationRequested { .. } | Event::ReconciliationAssigned { .. } => {
            target(run, step.causes.with_role(Role::DecidedValue)?)
        }
        Event::ReconciliationRevoked { consumer, .. } => {
            let revoked = run.partitions_at(number);
            uncommitted(run, consumer, number, |partition| revoked.contains(&partition))
        }
        Event::OffsetCommitted { partition, offset, .. } => {
            Some(Calculation::Lag { partition, end: lookup::end_before(run, partition, number), committed: offset })
        }
        Event::SessionExpired { consumer, silent, .. } => {
            let timeout = run.session_timeout(consumer);
            let setting = match run.setup().is_modern(lookup::group_of(run, consumer)) {
                true => Setting::GroupConsumerSessionTimeout,
                false => Setting::SessionTimeout,
            };
            let setting = setting_name(run, setting, Owner::Consumer(consumer));
            Some(Calculation::Silence { setting, heard_at: step.at - silent, timeout, now: step.at })
        }
        Event::ConsumerCrashed { consumer, .. }
        | Event::ConsumerClosed { consumer, .. }
        | Event::ConsumerFailed { consumer, .. }
        | Event::PartitionsRevoked { consumer, .. }
        | Event::PartitionsLost {
            consumer, error: ErrorCode::IllegalGeneration | ErrorCode::UnknownMemberId, ..
        } => uncommitted(run, consumer, number, |_| true),
        Event::RecordProcessed { partition, times, .. } if times > 1 => {
            let first = step.causes.with_role(Role::Repeated)?;
            let by = run.step_at(first)?.event.consumer()?;
            let stopped = step.causes.with_role(Role::Silenced).or_else(|| lookup::given_up_after(run, first, number));
            uncommitted(run, by, stopped?, |of| of == partition)
        }
        _ => None,
    }
}

fn uncommitted(
    run: &Simulation,
    consumer: ConsumerId,
    number: StepNo,
    concerns: impl Fn(PartitionId) -> bool,
) -> Option<Calculation> {
    let group = lookup::group_of(run, consumer);
    let parts: Vec<Uncommitted> = lookup::uncommitted_before(run, consumer, number)
        .into_iter()
        .filter(|&(partition, ..)| concerns(partition))
        .map(|(partition, from, processed_to)| {
            let committed = lookup::committed_before(run, group, partition, number);
            Uncommitted { partition, consumer, processed_to, from, committed }
        })
        .collect();
    (!parts.is_empty()).then_some(Calculation::Uncommitted(parts))
}

/// What the coordinator has computed.
fn target(run: &Simulation, computed: StepNo) -> Option<Calculation> {
    let Event::TargetAssignmentComputed { assignor, members, partitions, .. } = run.step_at(computed)?.event else {
        return None;
    };
    let share = |(key, partitions): &(MemberKey, std::rc::Rc<[PartitionId]>)| Share {
        consumer: key.consumer,
        had: Vec::new(),
        partitions: partitions.to_vec(),
    };
    let shares = run.assignment_at(computed)?.iter().map(share).collect();
    Some(Calculation::Target { assignor, partitions, members, shares })
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
        Assignor::Range | Assignor::RoundRobin | Assignor::RoundRobinAssigner => Vec::new(),
        Assignor::Sticky => member.request.user_data.as_ref().map_or_else(Vec::new, |(had, _)| had.to_vec()),
        Assignor::CooperativeSticky => member.request.owned.to_vec(),
    }
}
