//! What a person, or the scenario's script, does to the world.

use super::event::{EpochReason, Event};
use super::ids::*;
use super::setup::TopicPartition;
use super::time::{Span, Time};
use borsh::{BorshDeserialize, BorshSerialize};

/// One thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Action {
    /// Kill a consumer process, as `kill -9` does: it says nothing to anybody.
    Crash(ConsumerId),
    /// Stop a consumer in order: it finishes the record in hand, then calls `close()` and leaves the group.
    Close(ConsumerId),
    /// Start a consumer process that is not running. It joins as a new member.
    Start(ConsumerId),
}

impl Action {
    /// The consumer that it is done to.
    pub const fn consumer(self) -> ConsumerId {
        match self {
            Action::Crash(consumer) | Action::Close(consumer) | Action::Start(consumer) => consumer,
        }
    }
}

/// Why an action is not possible here and now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The process is not running, so it cannot be stopped.
    NotRunning,
    /// The process is running, so it cannot be started.
    AlreadyRunning,
    /// It has been asked to stop already and does so after the record in hand.
    AlreadyClosing,
    /// The run has come to its end.
    RunEnded,
    /// The run has as many steps, or the process as many starts, as it may have.
    StepLimit,
}

/// An action of the script and when it is due.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct PlannedAction {
    /// When it is due.
    pub when: When,
    /// What is done. If it is not possible then, nothing happens.
    pub action: Action,
}

/// When something of a scenario is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum When {
    /// At a moment.
    At(Time),
    /// A while after a condition has come true for the first time; at once if the while is zero: then it is the very
    /// next step.
    After(Condition, Span),
}

/// Something that a step can make true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Condition {
    /// A consumer has processed this many records, repetitions included.
    Processed {
        /// Whose work is counted.
        consumer: ConsumerId,
        /// How many; at least 1.
        records: u32,
    },
    /// A consumer crashed.
    Crashed(ConsumerId),
    /// A consumer closed.
    Closed(ConsumerId),
    /// A consumer started again.
    Restarted(ConsumerId),
    /// A member's session expired.
    SessionExpired(ConsumerId),
    /// A rebalance of the group began.
    RebalanceStarted(GroupId),
    /// The group came to this generation.
    Generation(GroupId, Generation),
    /// A member got its assignment.
    Assigned(ConsumerId),
    /// Some member of a group set its position in the partition.
    PositionSet(GroupId, TopicPartition),
    /// A group processed a record that it had processed before.
    Duplicate(GroupId),
    /// The group committed an offset.
    Committed(GroupId),
    /// The group processed a record.
    AnyProcessed(GroupId),
    /// A record was appended.
    RecordAppended,
    /// The run is over.
    Ended,
}

impl Condition {
    /// True if this event makes it true. `processed_by` says how many records a consumer has processed up to and
    /// including this step; `group_of` tells a consumer's group, `place` where a partition is.
    pub fn is_met_by(
        self,
        event: &Event,
        processed_by: impl Fn(ConsumerId) -> u32,
        group_of: impl Fn(ConsumerId) -> GroupId,
        place: impl Fn(PartitionId) -> TopicPartition,
    ) -> bool {
        match (self, *event) {
            (Condition::Processed { consumer, records }, Event::RecordProcessed { consumer: by, .. }) => {
                consumer == by && processed_by(by) == records
            }
            (Condition::Crashed(consumer), Event::ConsumerCrashed { consumer: which, .. })
            | (Condition::Closed(consumer), Event::ConsumerClosed { consumer: which, .. })
            | (Condition::SessionExpired(consumer), Event::SessionExpired { consumer: which, .. })
            | (
                Condition::Assigned(consumer),
                Event::PartitionsAssigned { consumer: which, .. }
                | Event::ReconciliationAssigned { consumer: which, partitions: 1.., .. }
                | Event::MorePartitionsAssigned { consumer: which, .. },
            ) => consumer == which,
            (Condition::Restarted(consumer), Event::ConsumerStarted { consumer: which, incarnation }) => {
                consumer == which && incarnation > 1
            }
            (Condition::RebalanceStarted(group), Event::RebalanceStarted { group: which, generation, .. }) => {
                group == which && generation > 0
            }
            (Condition::RebalanceStarted(group), Event::GroupEpochBumped { group: which, reason, .. }) => {
                group == which && reason != EpochReason::GroupCreated
            }
            (Condition::Generation(group, number), Event::GroupEpochBumped { group: which, epoch, .. }) => {
                group == which && number == epoch
            }
            (Condition::Generation(group, number), Event::GenerationStarted { group: which, generation, .. }) => {
                group == which && number == generation
            }
            (Condition::PositionSet(group, partition), Event::PositionSet { consumer, partition: which, .. }) => {
                partition == place(which) && group_of(consumer) == group
            }
            (Condition::Duplicate(group), Event::RecordProcessed { consumer, times, .. }) => {
                times > 1 && group_of(consumer) == group
            }
            (Condition::AnyProcessed(group), Event::RecordProcessed { consumer, .. }) => group_of(consumer) == group,
            (Condition::Committed(group), Event::OffsetCommitted { group: which, .. }) => group == which,
            (Condition::RecordAppended, Event::RecordAppended { .. }) | (Condition::Ended, Event::RunEnded {}) => true,
            _ => false,
        }
    }
}
