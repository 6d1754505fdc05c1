//! What a person, or the scenario's script, does to the world.

use super::coordinator::GroupState;
use super::digest::Canonical;
use super::event::{EpochReason, Event};
use super::ids::*;
use super::setup::TopicPartition;
use super::target::{Change, ClientId, MessageRef, ResetTo};
use super::time::{Span, Time};
use borsh::{BorshDeserialize, BorshSerialize};

/// One thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Action {
    /// Kill a process, as `kill -9` does: it says nothing to anybody. What a producer has not sent yet is gone.
    Crash(ClientId),
    /// Stop a process in order. A consumer finishes the record in hand, then calls `close()` and leaves the group; a
    /// producer sends what it has.
    Close(ClientId),
    /// Start a process that is not running. A consumer joins as a new member.
    Start(ClientId),
    /// Stop a consumer in order and start it again as soon as it has ended; one that has ended is just started.
    Restart(ConsumerId),
    /// Make a consumer's whole process stand still, as `SIGSTOP` or a long pause of the garbage collector does.
    Freeze(ConsumerId),
    /// Let it go on: what came or became due meanwhile happens now, in its order.
    Thaw(ConsumerId),
    /// A consumer more joins a group, started as the group's first one is.
    Join(GroupId),
    /// `pause()`: `poll()` returns no more records of this partition.
    Pause(ConsumerId, TopicPartition),
    /// `resume()`.
    Resume(ConsumerId, TopicPartition),
    /// `seek()`: the next `poll()` reads the partition from here on.
    Seek {
        /// Who calls it.
        consumer: ConsumerId,
        /// The partition; the consumer has to own it.
        partition: TopicPartition,
        /// The new position.
        to: Offset,
    },
    /// Sets what a group without members has committed (`kafka-consumer-groups --reset-offsets --execute`).
    ResetOffsets {
        /// Which group.
        group: GroupId,
        /// One partition only, or all of the group's topics.
        partition: Option<TopicPartition>,
        /// Where to.
        to: ResetTo,
    },
    /// Gives a topic more partitions (`kafka-topics --alter --partitions`).
    AddPartitions {
        /// Which topic.
        topic: TopicId,
        /// How many it has afterwards.
        to: u16,
    },
    /// A producer's application sends one record more.
    Produce {
        /// Which producer.
        producer: ProducerId,
        /// The record's key, if it has one.
        key: Option<KeyId>,
        /// Its value.
        value: ValueId,
        /// Its partition, if the application names one: then no partitioner is asked.
        partition: Option<u16>,
    },
    /// A message arrives later, and those behind it on its connection not before it.
    Delay {
        /// Which one.
        message: MessageRef,
        /// By how much.
        by: Span,
    },
    /// A message never arrives.
    Drop(MessageRef),
    /// Changes a setting.
    Set(#[borsh(deserialize_with = "super::apart::value")] Change),
    /// Stop a producer in order and start it again once all that it had is sent and acknowledged; one that has ended is
    /// just started.
    RestartProducer(ProducerId),
}

impl Action {
    /// Stops a client in order and starts it again.
    pub const fn restart(client: ClientId) -> Self {
        match client {
            ClientId::Consumer(consumer) => Action::Restart(consumer),
            ClientId::Producer(producer) => Action::RestartProducer(producer),
        }
    }

    /// The consumer that it is done to, if it is done to one.
    pub const fn consumer(self) -> Option<ConsumerId> {
        match self {
            Action::Crash(client) | Action::Close(client) | Action::Start(client) => client.consumer(),
            Action::Restart(consumer)
            | Action::Freeze(consumer)
            | Action::Thaw(consumer)
            | Action::Pause(consumer, _)
            | Action::Resume(consumer, _)
            | Action::Seek { consumer, .. } => Some(consumer),
            Action::Set(change) => change.consumer(),
            _ => None,
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
    /// It has been asked to stop already and does so after the record in hand; a producer, once what it had is sent.
    AlreadyClosing,
    /// The run has come to its end.
    RunEnded,
    /// The run has as many steps, or the process as many starts, as it may have.
    StepLimit,
    /// The process stands still: it can be killed or thawed, nothing else.
    Frozen,
    /// The process does not stand still.
    NotFrozen,
    /// There are as many consumers, partitions or records as there may be.
    TooMany,
    /// The consumer has not joined yet.
    NoSuchConsumer,
    /// There is no consumer in the group yet whose settings a new one could take.
    NoModel,
    /// The consumer does not own the partition, or does not know its position yet.
    NotOwned,
    /// `pause()` has been called already.
    AlreadyPaused,
    /// It is not paused.
    NotPaused,
    /// The log has no such offset.
    NoSuchOffset,
    /// The group has members: its offsets can be reset only while it is inactive. This is the state that it is in.
    GroupActive(GroupState),
    /// Nothing is committed from which to shift.
    NothingCommitted,
    /// There is no such partition, or the client does not know of it yet.
    NoSuchPartition,
    /// A topic never gets fewer partitions, and this would be no more.
    NotMorePartitions,
    /// No such message is on its way.
    NothingInFlight,
    /// A producer does not notice that a request of its is lost: retries are not modelled yet.
    ProducerRetries,
    /// The value is outside of what Kafka allows for it, by itself or beside the others.
    BadValue,
    /// The producer sends a list of records, which has no rate.
    NoRate,
    /// It is as it is asked to be.
    NoChange,
    /// The table holds some event twice, so that no unique key can be added.
    DuplicateRows,
    /// A broker would have to be started again, which is not modelled.
    BrokerRestart,
    /// The way in which the table is written to needs its unique key, or has no column for one.
    FixedKey,
}

impl Canonical for Refusal {
    fn encode(&self, out: &mut Vec<u8>) {
        let state = match self {
            Refusal::GroupActive(state) => *state as u8,
            _ => 0,
        };
        let number: u8 = match self {
            Refusal::NotRunning => 1,
            Refusal::AlreadyRunning => 2,
            Refusal::AlreadyClosing => 3,
            Refusal::RunEnded => 4,
            Refusal::StepLimit => 5,
            Refusal::Frozen => 6,
            Refusal::NotFrozen => 7,
            Refusal::TooMany => 8,
            Refusal::NoSuchConsumer => 9,
            Refusal::NoModel => 10,
            Refusal::NotOwned => 11,
            Refusal::AlreadyPaused => 12,
            Refusal::NotPaused => 13,
            Refusal::NoSuchOffset => 14,
            Refusal::GroupActive(_) => 15,
            Refusal::NothingCommitted => 16,
            Refusal::NoSuchPartition => 17,
            Refusal::NotMorePartitions => 18,
            Refusal::NothingInFlight => 19,
            Refusal::ProducerRetries => 20,
            Refusal::BadValue => 21,
            Refusal::NoRate => 22,
            Refusal::NoChange => 23,
            Refusal::DuplicateRows => 24,
            Refusal::BrokerRestart => 25,
            Refusal::FixedKey => 26,
        };
        (number, state).encode(out);
    }
}

/// An action of the script and when it is due.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct PlannedAction {
    /// When it is due.
    pub when: When,
    /// What is done. If it is not possible then, that is all that happens.
    #[borsh(deserialize_with = "crate::sim::apart::action")]
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
    /// A producer's application has handed this many records to `send()`.
    Sent {
        /// Whose records are counted.
        producer: ProducerId,
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
    /// A consumer's process stands still.
    Frozen(ConsumerId),
    /// It goes on.
    Thawed(ConsumerId),
    /// A member left its group, as its `poll()` was overdue.
    PollTimedOut(ConsumerId),
    /// A member gave up partitions in a rebalance.
    Revoked(ConsumerId),
    /// A member learned that it had lost its partitions.
    PartitionsLost(ConsumerId),
    /// A member's commit was refused.
    CommitRejected(ConsumerId),
    /// Somebody set what the group has committed.
    OffsetsReset(GroupId),
    /// A topic got more partitions.
    PartitionsAdded(TopicId),
    /// The run is over.
    Ended,
}

impl Condition {
    /// True if this event makes it true. `processed_by` says how many records a consumer has processed up to and
    /// including this step, `sent_with` who sent a record and how many it had sent by then; `group_of` tells a consumer's
    /// group, `place` where a partition is.
    pub fn is_met_by(
        self,
        event: &Event,
        processed_by: impl Fn(ConsumerId) -> u32,
        sent_with: impl Fn(RecordId) -> (ProducerId, u32),
        group_of: impl Fn(ConsumerId) -> GroupId,
        place: impl Fn(PartitionId) -> TopicPartition,
    ) -> bool {
        match (self, *event) {
            (Condition::Processed { consumer, records }, Event::RecordProcessed { consumer: by, .. }) => {
                consumer == by && processed_by(by) == records
            }
            (Condition::Sent { producer, records }, Event::RecordSent { record, .. }) => {
                sent_with(record) == (producer, records)
            }
            (Condition::Crashed(consumer), Event::ConsumerCrashed { consumer: which, .. })
            | (Condition::Closed(consumer), Event::ConsumerClosed { consumer: which, .. })
            | (Condition::SessionExpired(consumer), Event::SessionExpired { consumer: which, .. })
            | (Condition::Frozen(consumer), Event::ConsumerFrozen { consumer: which })
            | (Condition::Thawed(consumer), Event::ConsumerThawed { consumer: which, .. })
            | (Condition::PollTimedOut(consumer), Event::PollTimedOut { consumer: which, .. })
            | (Condition::Revoked(consumer), Event::PartitionsRevoked { consumer: which, .. })
            | (Condition::PartitionsLost(consumer), Event::PartitionsLost { consumer: which, .. })
            | (Condition::CommitRejected(consumer), Event::CommitRejected { consumer: which, .. })
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
            (Condition::Committed(group), Event::OffsetCommitted { group: which, .. })
            | (Condition::OffsetsReset(group), Event::OffsetReset { group: which, .. }) => group == which,
            (Condition::PartitionsAdded(topic), Event::PartitionsAdded { topic: which, .. }) => topic == which,
            (Condition::RecordAppended, Event::RecordAppended { .. }) | (Condition::Ended, Event::RunEnded {}) => true,
            _ => false,
        }
    }
}
