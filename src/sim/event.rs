//! Everything that can happen, each with the numbers that a sentence about it needs.
//!
//! An event's number is part of the digest and never changes its meaning; a new event takes a new number.

mod codes;

pub use codes::*;

use super::action::Refusal;
use super::assignor::ServerAssignor;
use super::digest::Canonical;
use super::ids::*;
use super::setup::CommitPolicy;
use super::target::{Api, BrokerSetting, ClientId, ConsumerSetting, HandlingOf, MessageKind, ProducerSetting};
use super::time::Span;

macro_rules! events {
    ($( $(#[$doc:meta])* $number:literal $visibility:ident $name:ident { $( $(#[$field_doc:meta])* $field:ident: $ty:ty ),* $(,)? } )*) => {
        /// One thing that happened.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Event { $( $(#[$doc])* $name { $( $(#[$field_doc])* $field: $ty ),* } ),* }

        impl Event {
            /// The name of the kind of event, as in this source.
            pub const fn name(&self) -> &'static str {
                match self { $( Event::$name { .. } => stringify!($name) ),* }
            }

            /// True for the kinds of event that people step through; the others are counted inside only.
            pub const fn is_visible(&self) -> bool {
                match self { $( Event::$name { .. } => events!(@ $visibility) ),* }
            }
        }

        impl Canonical for Event {
            fn encode(&self, out: &mut Vec<u8>) {
                match self { $( Event::$name { $( $field ),* } => {
                    (($number) as u16).encode(out);
                    $( $field.encode(out); )*
                } ),* }
            }
        }
    };
    (@ visible) => { true };
    (@ hidden) => { false };
}

events! {
    /// A consumer process starts.
    1 visible ConsumerStarted { consumer: ConsumerId, incarnation: Incarnation }
    /// `send()`: the partition is chosen, the record joins a batch there.
    2 visible RecordSent { record: RecordId, partition: PartitionId }
    /// Batches leave the producer in a Produce request to one broker.
    3 hidden ProduceSent {
        producer: ProducerId,
        /// The partition of the first batch.
        partition: PartitionId,
        /// How many batches, each of another partition.
        batches: u16,
        records: u32,
        /// The size of the batches.
        bytes: u32,
        because: SentBecause,
    }
    /// The leader appends a record at the end of the partition's log.
    4 visible RecordAppended { record: RecordId, partition: PartitionId, offset: Offset }
    /// The producer gets the answer to a request: its records are in the logs.
    5 hidden ProduceAcknowledged {
        producer: ProducerId,
        /// The partition of the first batch.
        partition: PartitionId,
        batches: u16,
        records: u32,
        /// The offset of the first record of the first batch.
        base_offset: Offset,
    }
    /// A member asks to join its group.
    6 hidden JoinGroupSent { consumer: ConsumerId, generation: Generation }
    /// The coordinator answers a first JoinGroup with `MEMBER_ID_REQUIRED` and a new member id (KIP-394).
    7 hidden MemberIdGiven { group: GroupId, consumer: ConsumerId }
    /// The coordinator has the JoinGroup of a member and holds the answer back until all have joined.
    8 visible MemberJoined {
        group: GroupId,
        consumer: ConsumerId,
        /// Members that the coordinator still waits for.
        missing: u32,
    }
    /// The group goes to PreparingRebalance: every member has to join again.
    9 visible RebalanceStarted {
        group: GroupId,
        /// The generation that ends.
        generation: Generation,
        reason: RebalanceReason,
        /// The member that made it necessary.
        consumer: ConsumerId,
    }
    /// The join phase is over: the generation id rises and the leader is chosen.
    10 visible GenerationStarted { group: GroupId, generation: Generation, leader: ConsumerId, members: u32 }
    // 11 is reserved: a member's answer to JoinGroup shows in what it does next, 12 or 13.
    /// The group's leader has computed who gets which partition; SyncGroup takes it to the coordinator.
    12 visible AssignmentComputed { group: GroupId, leader: ConsumerId, generation: Generation, members: u32, partitions: u32 }
    /// A member asks for its part of the assignment.
    13 hidden SyncGroupSent { consumer: ConsumerId, generation: Generation }
    /// The coordinator has a SyncGroup; with the leader's the group is Stable.
    14 hidden SyncGroupReceived { group: GroupId, consumer: ConsumerId, generation: Generation, stable: bool }
    /// A member has its assignment (`onPartitionsAssigned`).
    15 visible PartitionsAssigned { consumer: ConsumerId, generation: Generation, partitions: u32 }
    /// A member gives up all of its partitions before it joins again (eager, `onPartitionsRevoked`).
    16 visible PartitionsRevoked { consumer: ConsumerId, generation: Generation, partitions: u32 }
    /// A member learns that it is no longer in the group and drops its partitions (`onPartitionsLost`).
    17 visible PartitionsLost { consumer: ConsumerId, generation: Generation, partitions: u32, error: ErrorCode }
    // 18 is reserved: OffsetFetch is sent in the step that brings the assignment, 15.
    /// The coordinator answers with committed offsets.
    19 hidden OffsetFetchAnswered { group: GroupId, consumer: ConsumerId, partitions: u32 }
    /// A member asks for the first or last offset of partitions without a committed offset.
    20 hidden ListOffsetsSent { consumer: ConsumerId, partitions: u32 }
    /// The broker answers with the first or last offset.
    21 hidden ListOffsetsAnswered { consumer: ConsumerId, partitions: u32 }
    /// A member knows where it starts reading a partition.
    22 visible PositionSet {
        consumer: ConsumerId,
        partition: PartitionId,
        offset: Offset,
        source: PositionSource,
        /// True if it had a position, which was outside of the log.
        was_out_of_range: bool,
    }
    /// A consumer asks for records.
    23 hidden FetchSent { consumer: ConsumerId, partitions: u32 }
    /// The broker has a Fetch; without new records it keeps it until there are some.
    24 hidden FetchReceived { consumer: ConsumerId, waits: bool }
    /// The broker answers a Fetch.
    25 hidden FetchAnswered { consumer: ConsumerId, records: u32 }
    /// Fetched records are in the consumer's buffer.
    26 hidden RecordsFetched { consumer: ConsumerId, records: u32 }
    /// `poll()` hands records to the application; the position moves behind the last of them, before any is processed.
    27 visible RecordsPolled { consumer: ConsumerId, partition: PartitionId, from: Offset, position: Offset }
    /// The application takes a record in hand.
    28 hidden HandlingStarted { consumer: ConsumerId, record: RecordId, partition: PartitionId, offset: Offset }
    /// The handling has finished and its effect is there: the record counts as processed.
    29 visible RecordProcessed {
        consumer: ConsumerId,
        record: RecordId,
        partition: PartitionId,
        offset: Offset,
        /// How often this group has now processed the record.
        times: u16,
        /// What happened in the table.
        row: RowOutcome,
        /// Who caused the repetition, if it is one.
        fault: Fault,
    }
    /// A consumer sends offsets to be committed.
    30 hidden OffsetCommitSent { consumer: ConsumerId, generation: Generation, partitions: u32, call: CommitCall }
    /// The coordinator stores a committed offset: the next one to read.
    31 visible OffsetCommitted { group: GroupId, consumer: ConsumerId, partition: PartitionId, offset: Offset }
    /// The coordinator refuses a commit.
    32 visible CommitRejected { group: GroupId, consumer: ConsumerId, generation: Generation, error: ErrorCode }
    /// The answer to a commit has come: a call that waited for it returns or throws, a callback is called.
    33 hidden CommitAnswered { consumer: ConsumerId, call: CommitCall, error: ErrorCode }
    /// The heartbeat thread tells the coordinator that the process is alive.
    34 hidden HeartbeatSent { consumer: ConsumerId, generation: Generation }
    /// The coordinator has a heartbeat and starts the member's session anew.
    35 hidden HeartbeatReceived { group: GroupId, consumer: ConsumerId, error: ErrorCode }
    /// The member has the answer to its heartbeat.
    36 hidden HeartbeatAnswered { consumer: ConsumerId, error: ErrorCode }
    /// A consumer process dies. It tells nobody.
    37 visible ConsumerCrashed {
        consumer: ConsumerId,
        generation: Generation,
        /// Records that it had processed and not committed.
        uncommitted: u32,
    }
    /// Somebody asks a consumer to stop; it will, as soon as the record in hand is done.
    38 visible CloseRequested { consumer: ConsumerId }
    /// `close()`: the consumer gives up its partitions, leaves the group and ends. It commits nothing by itself.
    39 visible ConsumerClosed { consumer: ConsumerId, generation: Generation, partitions: u32, uncommitted: u32 }
    /// The coordinator removes a member that has left.
    40 visible MemberLeft { group: GroupId, consumer: ConsumerId, members: u32 }
    /// The coordinator has not heard a member for `session.timeout.ms` and removes it.
    41 visible SessionExpired { group: GroupId, consumer: ConsumerId, members: u32, silent: Span }
    /// The rebalance timeout has passed: the coordinator removes a member that did not join again.
    42 visible RebalanceTimedOut { group: GroupId, consumer: ConsumerId, members: u32 }
    /// The last moment of the scenario.
    43 visible RunEnded { }
    /// A JoinGroup names a member id that the coordinator does not know (any more).
    44 visible JoinRejected { group: GroupId, consumer: ConsumerId, error: ErrorCode }
    /// A SyncGroup comes from an old generation, or while the group has to join again.
    45 hidden SyncRejected { group: GroupId, consumer: ConsumerId, error: ErrorCode }
    /// A member has to begin joining anew.
    46 hidden RejoinNeeded { consumer: ConsumerId, error: ErrorCode }
    /// Nothing but heartbeats would happen for a long while: the world goes on to the end of that while in one step.
    47 hidden HeartbeatsSkipped {
        /// Heartbeats that are not steps of their own.
        heartbeats: u32,
        /// How much time passes.
        span: Span,
    }
    /// A process that got a member id never joined with it: the coordinator no longer waits for it.
    48 hidden MemberIdExpired { group: GroupId, consumer: ConsumerId }
    /// A join phase ends and nobody has joined: the group is Empty.
    49 hidden GroupEmptied {
        group: GroupId,
        /// The generation without members.
        generation: Generation,
    }
    /// The application has not called `poll()` for `max.poll.interval.ms`: the heartbeat thread leaves the group for it.
    /// The application does not notice and goes on with what it has polled.
    50 visible PollTimedOut {
        consumer: ConsumerId,
        /// The generation that it leaves.
        generation: Generation,
        /// How long ago the last `poll()` was.
        unpolled: Span,
    }
    /// A producer learns that its topic has more partitions, as its metadata are `metadata.max.age.ms` old.
    100 visible ProducerMetadataRefreshed {
        producer: ProducerId,
        /// How many it knew.
        from: u16,
        /// How many it knows.
        partitions: u16,
    }
    /// A producer process starts again.
    101 visible ProducerStarted { producer: ProducerId, incarnation: Incarnation }
    /// A producer process dies. Requests that it has sent still arrive.
    102 visible ProducerCrashed {
        producer: ProducerId,
        /// Records that waited in its batches: they are gone.
        unsent: u32,
    }
    /// `close()` of a producer: it sends the batches that wait, and ends.
    103 visible ProducerClosed {
        producer: ProducerId,
        /// Records in those batches.
        waiting: u32,
    }
    /// `poll()` or `commitSync()` throws an error that no new attempt can mend: the application ends.
    120 visible ConsumerFailed {
        consumer: ConsumerId,
        generation: Generation,
        error: ErrorCode,
        /// Records that it had processed and not committed.
        uncommitted: u32,
    }
    /// A static member is back with a new member id: it takes the place that its instance id holds in the group.
    121 visible MemberReplaced {
        group: GroupId,
        consumer: ConsumerId,
        /// Who had the place before: mostly an earlier process of the same consumer.
        previous: ConsumerId,
        generation: Generation,
        /// True if the group goes on as it is.
        keeps_assignment: bool,
    }
    /// A client that asks every `metadata.max.age.ms` which partitions there are learns of new ones.
    122 visible MetadataRefreshed {
        consumer: ConsumerId,
        /// Partitions of topics of its group that it did not know.
        partitions: u32,
        /// True for the group's leader, which asks for a rebalance.
        rejoins: bool,
    }
    /// A member gives up what it has to and keeps the rest (cooperative, `onPartitionsRevoked`).
    123 visible SomePartitionsRevoked { consumer: ConsumerId, generation: Generation, partitions: u32, kept: u32 }
    /// A member gets partitions in addition to what it kept (cooperative, `onPartitionsAssigned`).
    124 visible MorePartitionsAssigned { consumer: ConsumerId, generation: Generation, partitions: u32, kept: u32 }
    /// A commit fails in the client, which asks nobody: it is about to join (`REBALANCE_IN_PROGRESS`), or it knows that it
    /// is no member (`UNKNOWN_MEMBER_ID`). Source: `ConsumerCoordinator#sendOffsetCommitRequest`.
    140 visible CommitFailed { consumer: ConsumerId, call: CommitCall, error: ErrorCode }
    /// `assign()`: the application chooses its partitions itself and joins no group.
    141 visible PartitionsChosen { consumer: ConsumerId, partitions: u32 }
    /// `poll()` throws, and the application, which does not expect it, closes its consumer.
    142 visible PollThrew { consumer: ConsumerId, exception: Exception, partitions: u32 }
    /// The coordinator forgets a committed offset: `offsets.retention.minutes` have passed.
    143 visible OffsetExpired {
        group: GroupId,
        partition: PartitionId,
        offset: Offset,
        /// How long ago the group lost its last member or, where that does not count, the commit was.
        unused: Span,
    }
    /// The broker answers a Fetch with `OFFSET_OUT_OF_RANGE`: there is no such offset in the log.
    144 visible OffsetOutOfRange {
        consumer: ConsumerId,
        partition: PartitionId,
        offset: Offset,
        /// The log end offset.
        end: Offset,
    }
    /// The coordinator stores a commit of offsets that are committed already.
    145 hidden CommitRepeated { group: GroupId, consumer: ConsumerId, partitions: u32 }
    // 170 to 199: the consumer group protocol (KIP-848).
    /// A member sends a heartbeat with member epoch 0: it asks to join.
    170 hidden JoiningHeartbeatSent { consumer: ConsumerId }
    /// The group epoch rises: the target assignment is out of date.
    171 visible GroupEpochBumped {
        group: GroupId,
        /// The new group epoch.
        epoch: Generation,
        reason: EpochReason,
        /// The member that made it rise, or whose heartbeat let the coordinator look.
        consumer: ConsumerId,
        members: u32,
    }
    /// The coordinator has computed who is to have which partition.
    172 visible TargetAssignmentComputed {
        group: GroupId,
        epoch: Generation,
        assignor: ServerAssignor,
        members: u32,
        partitions: u32,
    }
    /// The answer to a heartbeat asks a member to give up partitions; until it says that it did, it stays in its epoch.
    173 visible RevocationRequested { group: GroupId, consumer: ConsumerId, epoch: Generation, partitions: u32 }
    /// The coordinator learns by a heartbeat that a member has given up what it had to: the partitions are free, and the
    /// member comes to a new epoch.
    174 visible RevocationAcknowledged { group: GroupId, consumer: ConsumerId, epoch: Generation, partitions: u32 }
    /// A member comes to the epoch of the target, and the answer to its heartbeat gives it partitions.
    175 visible AssignmentGiven {
        group: GroupId,
        consumer: ConsumerId,
        epoch: Generation,
        /// How many it gets besides those that it has.
        partitions: u32,
        /// How many of its target other members have still to give up.
        waiting: u32,
    }
    /// A member comes to the epoch of the target, and nothing else changes for it.
    176 hidden MemberEpochRaised {
        group: GroupId,
        consumer: ConsumerId,
        epoch: Generation,
        /// How many partitions of its target other members have still to give up.
        waiting: u32,
    }
    /// Inside `poll()` a member gives up some of its partitions (`onPartitionsRevoked`) and goes on with the others.
    177 visible ReconciliationRevoked {
        consumer: ConsumerId,
        epoch: Generation,
        partitions: u32,
        /// How many it keeps.
        kept: u32,
        /// How many it gets next. If none, `onPartitionsAssigned` is called with nothing at once.
        gains: u32,
        /// Records of the revoked partitions that it had processed and not committed.
        uncommitted: u32,
    }
    /// Inside `poll()` a member takes over partitions (`onPartitionsAssigned`) and goes on with those that it has.
    178 visible ReconciliationAssigned {
        consumer: ConsumerId,
        epoch: Generation,
        /// How many are new.
        partitions: u32,
        /// How many it had and keeps.
        kept: u32,
    }
    /// A member has not given up what it had to within its rebalance timeout: the coordinator removes it.
    179 visible RevocationTimedOut { group: GroupId, consumer: ConsumerId, partitions: u32, members: u32, waited: Span }
    /// A static member leaves for a while: it keeps its partitions until its session ends.
    180 visible StaticMemberLeft { group: GroupId, consumer: ConsumerId, partitions: u32 }
    /// A consumer's whole process stands still: no timer, no heartbeat, no record.
    200 visible ConsumerFrozen { consumer: ConsumerId }
    /// It goes on; what came or became due meanwhile happens now.
    201 visible ConsumerThawed {
        consumer: ConsumerId,
        /// How long it stood still.
        frozen: Span,
    }
    /// `pause()`: no more records of the partition until `resume()`.
    202 visible PartitionPaused { consumer: ConsumerId, partition: PartitionId }
    /// `resume()`.
    203 visible PartitionResumed { consumer: ConsumerId, partition: PartitionId }
    /// `seek()`: the position is set by the application.
    204 visible PositionSought {
        consumer: ConsumerId,
        partition: PartitionId,
        /// The position before.
        from: Offset,
        /// The new position.
        offset: Offset,
    }
    /// Somebody sets what an inactive group has committed in a partition.
    205 visible OffsetReset {
        group: GroupId,
        partition: PartitionId,
        /// False if nothing was committed before.
        was_committed: bool,
        /// What was committed before.
        from: Offset,
        /// What is committed now.
        offset: Offset,
    }
    /// A topic has more partitions.
    206 visible PartitionsAdded {
        topic: TopicId,
        /// How many it had.
        from: u32,
        /// How many it has.
        partitions: u32,
    }
    /// A message will arrive later than it would have.
    210 visible MessageDelayed { client: ClientId, kind: MessageKind, by: Span }
    /// A message will never arrive.
    211 visible MessageDropped { client: ClientId, kind: MessageKind }
    /// A client has waited in vain for an answer for `request.timeout.ms`, breaks off the connection and asks again.
    212 visible RequestTimedOut {
        consumer: ConsumerId,
        api: Api,
        /// How long it waited.
        waited: Span,
    }
    /// A consumer's application takes another time for its records.
    213 visible HandlingTimeChanged { consumer: ConsumerId, of: HandlingOf, from: Span, time: Span }
    /// A broker is nearer or farther.
    214 visible LatencyChanged { broker: BrokerId, from: Span, latency: Span }
    /// A workload has another rate.
    215 visible RateChanged { producer: ProducerId, from: u32, per_second: u32 }
    /// A consumer's client will have another setting when it starts next.
    216 visible SettingChanged { consumer: ConsumerId, setting: ConsumerSetting }
    /// What the script was to do is not possible here and now, so nothing happens.
    217 visible ActionRefused {
        /// Which of the script's actions.
        action: u16,
        /// Why. That no such message is on its way is said at the end only: until then the action waits for one.
        refusal: Refusal,
    }
    /// A producer's client will have another setting when it starts next.
    218 visible ProducerSettingChanged {
        producer: ProducerId,
        setting: ProducerSetting,
        /// True if its process has it already, as the run begins and it has sent nothing yet.
        at_once: bool,
    }
    /// A consumer's application commits at another time, or in another way.
    219 visible CommitPolicyChanged { consumer: ConsumerId, policy: CommitPolicy }
    /// A table gets its unique key, or loses it.
    220 visible UniqueKeyChanged { sink: SinkId, is_unique: bool }
    /// The brokers have another setting.
    221 visible BrokerSettingChanged { setting: BrokerSetting }
    /// A table does not answer any more, or does so again.
    222 visible SinkDownChanged { sink: SinkId, is_down: bool }
    // 230 to 249: what the application does around the client.
    /// The handling of a record ends with an exception.
    230 visible HandlingFailed {
        consumer: ConsumerId,
        record: RecordId,
        partition: PartitionId,
        offset: Offset,
        /// How often it has failed, as far as the application counts.
        tries: u32,
        /// What the application does now.
        after: AfterFailure,
        /// Records that it gives up: it does not come to them again by itself.
        given_up: u32,
    }
    /// The application stores offsets in the database of its table, instead of committing them.
    231 visible OffsetsStored {
        consumer: ConsumerId,
        /// The first partition.
        partition: PartitionId,
        /// The number that is stored for it.
        offset: Offset,
        /// How many partitions.
        partitions: u32,
        /// What it would have called otherwise.
        call: CommitCall,
    }
    /// The application reads in the database of its table where to begin, which it could not when it got the partitions.
    232 visible StoredOffsetsRead {
        consumer: ConsumerId,
        /// For how many partitions it asks.
        partitions: u32,
        /// For how many an offset is stored.
        found: u32,
    }
}

impl Event {
    /// The consumer that the event is about, if it is about one.
    pub const fn consumer(&self) -> Option<ConsumerId> {
        match *self {
            Event::ConsumerStarted { consumer, .. }
            | Event::JoinGroupSent { consumer, .. }
            | Event::MemberIdGiven { consumer, .. }
            | Event::MemberJoined { consumer, .. }
            | Event::RebalanceStarted { consumer, .. }
            | Event::SyncGroupSent { consumer, .. }
            | Event::SyncGroupReceived { consumer, .. }
            | Event::PartitionsAssigned { consumer, .. }
            | Event::PartitionsRevoked { consumer, .. }
            | Event::PartitionsLost { consumer, .. }
            | Event::OffsetFetchAnswered { consumer, .. }
            | Event::ListOffsetsSent { consumer, .. }
            | Event::ListOffsetsAnswered { consumer, .. }
            | Event::PositionSet { consumer, .. }
            | Event::FetchSent { consumer, .. }
            | Event::FetchReceived { consumer, .. }
            | Event::FetchAnswered { consumer, .. }
            | Event::RecordsFetched { consumer, .. }
            | Event::RecordsPolled { consumer, .. }
            | Event::HandlingStarted { consumer, .. }
            | Event::RecordProcessed { consumer, .. }
            | Event::OffsetCommitSent { consumer, .. }
            | Event::OffsetCommitted { consumer, .. }
            | Event::CommitRepeated { consumer, .. }
            | Event::CommitRejected { consumer, .. }
            | Event::CommitAnswered { consumer, .. }
            | Event::CommitFailed { consumer, .. }
            | Event::PartitionsChosen { consumer, .. }
            | Event::PollThrew { consumer, .. }
            | Event::OffsetOutOfRange { consumer, .. }
            | Event::HeartbeatSent { consumer, .. }
            | Event::HeartbeatReceived { consumer, .. }
            | Event::HeartbeatAnswered { consumer, .. }
            | Event::ConsumerCrashed { consumer, .. }
            | Event::CloseRequested { consumer }
            | Event::ConsumerClosed { consumer, .. }
            | Event::MemberLeft { consumer, .. }
            | Event::SessionExpired { consumer, .. }
            | Event::RebalanceTimedOut { consumer, .. }
            | Event::JoinRejected { consumer, .. }
            | Event::SyncRejected { consumer, .. }
            | Event::RejoinNeeded { consumer, .. }
            | Event::MemberIdExpired { consumer, .. }
            | Event::PollTimedOut { consumer, .. }
            | Event::ConsumerFailed { consumer, .. }
            | Event::MemberReplaced { consumer, .. }
            | Event::MetadataRefreshed { consumer, .. }
            | Event::SomePartitionsRevoked { consumer, .. }
            | Event::MorePartitionsAssigned { consumer, .. }
            | Event::JoiningHeartbeatSent { consumer }
            | Event::GroupEpochBumped { consumer, .. }
            | Event::RevocationRequested { consumer, .. }
            | Event::RevocationAcknowledged { consumer, .. }
            | Event::AssignmentGiven { consumer, .. }
            | Event::MemberEpochRaised { consumer, .. }
            | Event::ReconciliationRevoked { consumer, .. }
            | Event::ReconciliationAssigned { consumer, .. }
            | Event::StaticMemberLeft { consumer, .. }
            | Event::RevocationTimedOut { consumer, .. }
            | Event::ConsumerFrozen { consumer }
            | Event::ConsumerThawed { consumer, .. }
            | Event::PartitionPaused { consumer, .. }
            | Event::PartitionResumed { consumer, .. }
            | Event::PositionSought { consumer, .. }
            | Event::RequestTimedOut { consumer, .. }
            | Event::HandlingTimeChanged { consumer, .. }
            | Event::HandlingFailed { consumer, .. }
            | Event::OffsetsStored { consumer, .. }
            | Event::StoredOffsetsRead { consumer, .. }
            | Event::CommitPolicyChanged { consumer, .. }
            | Event::SettingChanged { consumer, .. } => Some(consumer),
            Event::MessageDelayed { client, .. } | Event::MessageDropped { client, .. } => client.consumer(),
            Event::GenerationStarted { leader, .. } | Event::AssignmentComputed { leader, .. } => Some(leader),
            Event::RecordSent { .. }
            | Event::ProduceSent { .. }
            | Event::RecordAppended { .. }
            | Event::ProduceAcknowledged { .. }
            | Event::HeartbeatsSkipped { .. }
            | Event::ProducerMetadataRefreshed { .. }
            | Event::ProducerStarted { .. }
            | Event::ProducerCrashed { .. }
            | Event::ProducerClosed { .. }
            | Event::GroupEmptied { .. }
            | Event::TargetAssignmentComputed { .. }
            | Event::OffsetExpired { .. }
            | Event::OffsetReset { .. }
            | Event::PartitionsAdded { .. }
            | Event::LatencyChanged { .. }
            | Event::RateChanged { .. }
            | Event::ProducerSettingChanged { .. }
            | Event::UniqueKeyChanged { .. }
            | Event::SinkDownChanged { .. }
            | Event::BrokerSettingChanged { .. }
            | Event::ActionRefused { .. }
            | Event::RunEnded {} => None,
        }
    }

    /// The partition that the event is about, if it is about one.
    pub const fn partition(&self) -> Option<PartitionId> {
        match *self {
            Event::RecordSent { partition, .. }
            | Event::ProduceSent { partition, .. }
            | Event::RecordAppended { partition, .. }
            | Event::ProduceAcknowledged { partition, .. }
            | Event::PositionSet { partition, .. }
            | Event::RecordsPolled { partition, .. }
            | Event::HandlingStarted { partition, .. }
            | Event::RecordProcessed { partition, .. }
            | Event::OffsetCommitted { partition, .. }
            | Event::OffsetExpired { partition, .. }
            | Event::OffsetOutOfRange { partition, .. }
            | Event::HandlingFailed { partition, .. }
            | Event::PartitionPaused { partition, .. }
            | Event::PartitionResumed { partition, .. }
            | Event::PositionSought { partition, .. }
            | Event::OffsetReset { partition, .. } => Some(partition),
            _ => None,
        }
    }

    /// The record that the event is about, if it is about one.
    pub const fn record(&self) -> Option<RecordId> {
        match *self {
            Event::RecordSent { record, .. }
            | Event::HandlingFailed { record, .. }
            | Event::RecordAppended { record, .. }
            | Event::HandlingStarted { record, .. }
            | Event::RecordProcessed { record, .. } => Some(record),
            _ => None,
        }
    }
}
