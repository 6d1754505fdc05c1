//! Client libraries of consumers: the few things that each does in its own way, which the one client asks for.
//!
//! Source: librdkafka, `rdkafka_cgrp.c`, `rdkafka_assignment.c`, `CONFIGURATION.md`; kafkajs, `src/consumer/runner.js`,
//! `src/consumer/offsetManager`; kafka-python, `kafka/coordinator/consumer.py`; aiokafka,
//! `aiokafka/consumer/group_coordinator.py`.

use super::OffsetReset;
use crate::sim::assignor::{Assignor, ServerAssignor};
use crate::sim::time::Span;
use borsh::{BorshDeserialize, BorshSerialize};

/// A client library, with the settings that only it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Library {
    /// Apache Kafka's own Java client.
    Java,
    /// librdkafka, and all clients that are built on it.
    Librdkafka {
        /// `enable.auto.offset.store`: the offset behind a record is stored when the record is handed over; without it,
        /// the application stores it when it has handled the record.
        auto_offset_store: bool,
        /// `group.remote.assignor` beside `group.protocol=classic`, where nobody looks at it.
        #[borsh(deserialize_with = "crate::sim::apart::option")]
        unused_assignor: Option<ServerAssignor>,
    },
    /// kafkajs, with `eachMessage`.
    KafkaJs {
        /// `autoCommitInterval`, if it is set.
        auto_commit_interval: Option<Span>,
        /// `autoCommitThreshold`, if it is set.
        auto_commit_threshold: Option<u32>,
        /// `maxWaitTimeInMs`: how long a Fetch waits at the broker.
        max_wait: Span,
    },
    /// kafka-python.
    KafkaPython,
    /// aiokafka, with `getmany()`.
    AioKafka {
        /// `rebalance_timeout_ms`: how long a rebalance waits for the member; of the others that is
        /// [`ConsumerSettings::max_poll_interval`](super::ConsumerSettings::max_poll_interval).
        rebalance_timeout: Span,
    },
}

/// Which part of a client makes the commits of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitsIn {
    /// `poll()`: what earlier calls of it have returned.
    Poll,
    /// A timer beside the application, whatever the application does meanwhile.
    Background,
    /// The loop that calls the application's handler, between two records.
    Loop,
}

impl Library {
    /// librdkafka as it is by default.
    pub const LIBRDKAFKA: Library = Library::Librdkafka { auto_offset_store: true, unused_assignor: None };
    /// kafkajs as it is by default.
    pub const KAFKAJS: Library =
        Library::KafkaJs { auto_commit_interval: None, auto_commit_threshold: None, max_wait: Span::from_secs(5) };
    /// aiokafka as it is by default: a rebalance waits as long as a session lasts.
    pub const AIOKAFKA: Library = Library::AioKafka { rebalance_timeout: Span::from_secs(10) };

    /// The assignors that are modelled of it, with its names for them.
    pub const fn assignors(self) -> &'static [(&'static str, Assignor)] {
        const JAVA: [(&str, Assignor); Assignor::ALL.len()] = [
            (Assignor::Range.name(), Assignor::Range),
            (Assignor::RoundRobin.name(), Assignor::RoundRobin),
            (Assignor::Sticky.name(), Assignor::Sticky),
            (Assignor::CooperativeSticky.name(), Assignor::CooperativeSticky),
        ];
        match self {
            Library::Java => &JAVA,
            Library::Librdkafka { .. } => &[
                ("range", Assignor::Range),
                ("roundrobin", Assignor::RoundRobin),
                ("cooperative-sticky", Assignor::CooperativeSticky),
            ],
            Library::KafkaJs { .. } => &[("RoundRobinAssigner", Assignor::RoundRobinAssigner)],
            Library::KafkaPython | Library::AioKafka { .. } => {
                &[("RangePartitionAssignor", Assignor::Range), ("RoundRobinPartitionAssignor", Assignor::RoundRobin)]
            }
        }
    }

    /// An assignor, as it calls it.
    pub fn assignor_name(self, assignor: Assignor) -> &'static str {
        self.assignors().iter().find(|&&(_, known)| known == assignor).map_or(assignor.name(), |&(name, _)| name)
    }

    /// Where it can be told to begin without a committed offset, apart from Java's lengths of time.
    pub const fn resets(self) -> &'static [OffsetReset] {
        match self {
            Library::Java => &[OffsetReset::Earliest, OffsetReset::Latest, OffsetReset::None],
            _ => &[OffsetReset::Earliest, OffsetReset::Latest],
        }
    }

    /// Which part of it commits by itself, if it does so.
    pub const fn commits_in(self) -> CommitsIn {
        match self {
            Library::Java | Library::KafkaPython => CommitsIn::Poll,
            Library::Librdkafka { .. } | Library::AioKafka { .. } => CommitsIn::Background,
            Library::KafkaJs { .. } => CommitsIn::Loop,
        }
    }

    /// Whether it commits by itself what it has handed over; otherwise what has been handled.
    pub const fn commits_what_is_handed_over(self) -> bool {
        match self {
            Library::Librdkafka { auto_offset_store, .. } => auto_offset_store,
            Library::KafkaJs { .. } => false,
            Library::Java | Library::KafkaPython | Library::AioKafka { .. } => true,
        }
    }

    /// Whether it commits by itself only offsets beyond those that it has committed; otherwise all of them again.
    pub const fn commits_only_progress(self) -> bool {
        matches!(self, Library::Librdkafka { .. } | Library::KafkaJs { .. })
    }

    /// Whether it asks the coordinator for a commit also where it knows that it is no member. Otherwise it then throws at
    /// once.
    pub const fn always_asks(self) -> bool {
        !matches!(self, Library::Java | Library::KafkaPython)
    }

    /// Whether it calls the rebalance callback before it makes the last commit of its own; otherwise after that.
    pub const fn calls_back_first(self) -> bool {
        matches!(self, Library::Librdkafka { .. })
    }

    /// Whether it goes on at its own position in a partition that an eager rebalance leaves it; otherwise it begins anew at
    /// the committed offset (`subscription_state.py`, `_apply_assignment`).
    pub const fn retains_positions(self) -> bool {
        matches!(self, Library::KafkaPython)
    }

    /// Whether it tries a record again by itself when the application's handler throws, and commits the offset of a
    /// `seek()`; otherwise both are the application's own business.
    pub const fn runs_the_handler(self) -> bool {
        matches!(self, Library::KafkaJs { .. })
    }

    /// Whether a Fetch names its partitions in any order; otherwise it is that of the assignment.
    pub const fn shuffles_fetches(self) -> bool {
        matches!(self, Library::KafkaJs { .. })
    }

    /// How long a rebalance waits for the member, if not as long as `poll()` may take.
    pub const fn rebalance_timeout(self) -> Option<Span> {
        match self {
            Library::AioKafka { rebalance_timeout } => Some(rebalance_timeout),
            _ => None,
        }
    }

    /// Whether it sends heartbeats while the application handles a record, and looks whether that takes too long.
    pub const fn has_heartbeat_thread(self) -> bool {
        !matches!(self, Library::KafkaJs { .. })
    }
}
