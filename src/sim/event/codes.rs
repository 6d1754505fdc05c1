//! The small values in events: reasons, outcomes, calls, errors. Their numbers are part of the digest and never change their
//! meaning.

use crate::sim::assignor::ServerAssignor;
use crate::sim::digest::Canonical;

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $( $(#[$variant_doc:meta])* $number:literal $variant:ident ),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $( $(#[$variant_doc])* $variant = $number ),* }

        impl Canonical for $name {
            fn encode(&self, out: &mut Vec<u8>) {
                (*self as u8).encode(out);
            }
        }
    };
}

codes! {
    /// Why a Produce request leaves now.
    SentBecause {
        /// A batch has waited for `linger.ms`.
        1 Linger,
        /// A batch is full.
        2 Full,
        /// A batch was ready before, and the broker has answered one of as many requests as may be in flight.
        3 Answered,
        /// The producer closes.
        4 Closing,
    }
}

codes! {
    /// Why a group has to rebalance.
    RebalanceReason {
        /// A member that the group did not know joins.
        1 MemberJoins,
        /// A member left.
        2 MemberLeft,
        /// A member's session expired.
        3 SessionExpired,
        /// A member that should have sent SyncGroup did not.
        4 SyncTimedOut,
        /// A member has given up partitions that another is to get (cooperative).
        5 PartitionsRevoked,
        /// The leader has learned of new partitions.
        6 MetadataChanged,
        /// A member of the group joins again for another reason.
        7 MemberRejoins,
        /// A static member came back while an assignment was under way, or so that the group changes its assignor.
        8 StaticMemberChanged,
    }
}

codes! {
    /// Why a group epoch rises.
    EpochReason {
        /// A member joins.
        1 MemberJoins,
        /// A member left.
        2 MemberLeft,
        /// A member's session expired.
        3 SessionExpired,
        /// A member did not give up its partitions in time.
        4 RevocationTimedOut,
        /// A topic that the group subscribes to has got partitions.
        5 PartitionsAdded,
        /// The first member of a new group joins.
        6 GroupCreated,
        /// A static member is back and subscribes to other topics.
        7 SubscriptionChanged,
    }
}

codes! {
    /// Where the first position in a partition comes from.
    PositionSource {
        /// The group's committed offset.
        1 Committed,
        /// No committed offset, `auto.offset.reset=earliest`.
        2 Earliest,
        /// No committed offset, `auto.offset.reset=latest`.
        3 Latest,
        /// No committed offset, `auto.offset.reset=by_duration`.
        4 ByDuration,
        /// An offset that the application keeps in a table, by `seek()`.
        5 Stored,
    }
}

codes! {
    /// What a finished handling did in the sink's table.
    RowOutcome {
        /// The handling writes to no table.
        0 NoSink,
        /// A new row.
        1 Inserted,
        /// A row for the same event was there: the unique key absorbed the write.
        2 AlreadyThere,
        /// The row of its key was there: it has this value now.
        3 Replaced,
        /// The row of its key was there, with the value of a later record: it has this older value now.
        4 ReplacedLater,
    }
}

codes! {
    /// What `poll()` throws if the application has to know.
    Exception {
        /// Nothing is committed, and `auto.offset.reset=none`.
        1 NoOffsetForPartition,
        /// The position is outside of the log, and `auto.offset.reset=none`.
        2 OffsetOutOfRange,
    }
}

impl Exception {
    /// The name of the Java class.
    pub const fn name(self) -> &'static str {
        match self {
            Exception::NoOffsetForPartition => "NoOffsetForPartitionException",
            Exception::OffsetOutOfRange => "OffsetOutOfRangeException",
        }
    }
}

codes! {
    /// Who commits, by which call.
    CommitCall {
        /// The application, by `commitSync()`: what it has processed.
        1 Sync,
        /// The application, by `commitAsync()`: what it has processed.
        2 Async,
        /// The application, by `commitSync()` before it handles them: the records that `poll()` has returned.
        3 SyncBefore,
        /// The same by `commitAsync()`.
        4 AsyncBefore,
        /// The application in `onPartitionsRevoked()`, by `commitSync()`.
        5 OnRevoke,
        /// The application before `close()`, by `commitSync()`.
        6 OnClose,
        /// `enable.auto.commit` inside `poll()`, when `auto.commit.interval.ms` has passed.
        7 AutoInterval,
        /// `enable.auto.commit` inside `poll()`, before the client joins its group again.
        8 AutoRejoin,
        /// `enable.auto.commit` inside `close()`.
        9 AutoClose,
        /// The application, by `commitAsync()` in the callback of one that failed: the same offsets once more.
        10 AsyncAgain,
        /// `autoCommit` of kafkajs, for the offset of a `seek()`.
        11 AutoSeek,
    }
}

codes! {
    /// Whose uncommitted work a repetition repeats.
    Fault {
        /// It is no repetition.
        0 None,
        /// A process that crashed or was closed with the partition in its hands, before it committed.
        1 Stopped,
        /// A process that gave the partition up alive, in a rebalance, before it committed; whatever became of it later.
        2 Survivor,
        /// Nobody's: `seek()` or a reset of the group's offsets went back on purpose.
        3 Rewound,
        /// Nobody's: several consumers read the partition by `assign()`, each for itself.
        4 Shared,
    }
}

codes! {
    /// Kafka's protocol errors, with their wire names in [`ErrorCode::name`].
    ErrorCode {
        /// No error.
        0 None,
        /// The group has moved on to another generation.
        22 IllegalGeneration,
        /// No answer came in time.
        7 RequestTimedOut,
        /// The coordinator does not know the member (any more).
        25 UnknownMemberId,
        /// The member supports no assignor that the other members support.
        23 InconsistentGroupProtocol,
        /// The group is between two generations.
        27 RebalanceInProgress,
        /// The first JoinGroup of a process: join again with the id given (KIP-394).
        79 MemberIdRequired,
        /// The group has `group.max.size` members.
        81 GroupMaxSizeReached,
        /// Another process has come with the same `group.instance.id`.
        82 FencedInstanceId,
        /// The member is in another epoch: it has to give up everything and join again.
        110 FencedMemberEpoch,
        /// The member that has the `group.instance.id` has not left (consumer protocol).
        111 UnreleasedInstanceId,
        /// A commit names an epoch that the member is not in.
        113 StaleMemberEpoch,
        /// No code of a broker's: a client finds that a commit names a partition that it has not been assigned.
        200 PartitionNotAssigned,
    }
}

impl Canonical for ServerAssignor {
    fn encode(&self, out: &mut Vec<u8>) {
        let number: u8 = match self {
            ServerAssignor::Uniform => 1,
            ServerAssignor::Range => 2,
        };
        number.encode(out);
    }
}

impl ErrorCode {
    /// True if the Java client throws it at the application, for which no new attempt can help.
    pub const fn is_fatal(self) -> bool {
        matches!(
            self,
            ErrorCode::InconsistentGroupProtocol
                | ErrorCode::GroupMaxSizeReached
                | ErrorCode::FencedInstanceId
                | ErrorCode::UnreleasedInstanceId
        )
    }

    /// The name in `org.apache.kafka.common.protocol.Errors`.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorCode::None => "NONE",
            ErrorCode::IllegalGeneration => "ILLEGAL_GENERATION",
            ErrorCode::RequestTimedOut => "REQUEST_TIMED_OUT",
            ErrorCode::UnknownMemberId => "UNKNOWN_MEMBER_ID",
            ErrorCode::RebalanceInProgress => "REBALANCE_IN_PROGRESS",
            ErrorCode::MemberIdRequired => "MEMBER_ID_REQUIRED",
            ErrorCode::InconsistentGroupProtocol => "INCONSISTENT_GROUP_PROTOCOL",
            ErrorCode::GroupMaxSizeReached => "GROUP_MAX_SIZE_REACHED",
            ErrorCode::FencedInstanceId => "FENCED_INSTANCE_ID",
            ErrorCode::FencedMemberEpoch => "FENCED_MEMBER_EPOCH",
            ErrorCode::UnreleasedInstanceId => "UNRELEASED_INSTANCE_ID",
            ErrorCode::StaleMemberEpoch => "STALE_MEMBER_EPOCH",
            ErrorCode::PartitionNotAssigned => "IllegalStateError",
        }
    }
}

codes! {
    /// What an application does after the handling of a record has failed.
    AfterFailure {
        /// It tries again in the same place.
        1 TriesAgain,
        /// It seeks back to the record.
        2 SeeksBack,
        /// It closes its consumer.
        3 Stops,
        /// It goes on with the next record.
        4 Skips,
        /// It goes on with the next `poll()`.
        5 LeavesLoop,
        /// It sends a copy of the record elsewhere.
        6 SetsAside,
        /// It closes its consumer and starts it again.
        7 Restarts,
    }
}
