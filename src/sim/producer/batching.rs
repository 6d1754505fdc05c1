//! How a producer batches: the settings of its accumulator and of the sender behind it, with each client's defaults.

use crate::sim::setup::Release;
use crate::sim::time::Span;
use borsh::{BorshDeserialize, BorshSerialize};

/// Settings of the accumulator and of the sender behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Batching {
    /// `batch.size` in bytes, up to 2^30. A record that is larger makes a batch of its own; 0 is taken for 1.
    pub batch_size: u32,
    /// The most records of a batch: librdkafka's `batch.num.messages`; Java has no such bound.
    pub batch_records: u32,
    /// `linger.ms`: how long a batch waits for more records from the moment that it was opened.
    pub linger: Span,
    /// `max.request.size` in bytes; a single batch that is larger is sent all the same.
    pub max_request_size: u32,
    /// `max.in.flight.requests.per.connection`, at least 1. With 1 a partition is muted while its batch is unanswered.
    pub max_in_flight: u32,
    /// What a request holds.
    pub request: RequestOf,
}

/// What one Produce request holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum RequestOf {
    /// The first batch of each partition of a broker, also of those that are not ready, once one of them is: Java,
    /// kafkajs.
    Broker,
    /// One batch of one partition that is ready: librdkafka.
    Partition,
}

impl Batching {
    /// Defaults of a Java client (KIP-1030).
    pub fn of_java(release: Release) -> Self {
        if release >= (4, 0) { Batching::JAVA } else { Batching::JAVA_BEFORE_4 }
    }

    /// Defaults of Java clients since 4.0.
    pub const JAVA: Batching = Batching {
        batch_size: 16_384,
        batch_records: u32::MAX,
        linger: Span::from_millis(5),
        max_request_size: 1_048_576,
        max_in_flight: 5,
        request: RequestOf::Broker,
    };

    /// Defaults of Java clients before 4.0 (KIP-1030), and of kafka-python: no linger.
    pub const JAVA_BEFORE_4: Batching = Batching { linger: Span::ZERO, ..Batching::JAVA };

    /// Defaults of librdkafka: `linger.ms`, `batch.num.messages`, `batch.size`, `message.max.bytes`, `max.in.flight`.
    /// It cuts a partition's queue into batches only when it sends; here as in Java while they are filled, which comes
    /// to the same.
    pub const LIBRDKAFKA: Batching = Batching {
        batch_size: 1_000_000,
        batch_records: 10_000,
        linger: Span::from_millis(5),
        max_request_size: 1_000_000,
        max_in_flight: 1_000_000,
        request: RequestOf::Partition,
    };

    /// kafkajs: what one `send()` is given goes out at once, one request a broker. No bounds by default.
    pub const KAFKAJS: Batching = Batching {
        batch_size: 1 << 30,
        batch_records: u32::MAX,
        linger: Span::ZERO,
        max_request_size: u32::MAX,
        max_in_flight: u32::MAX,
        request: RequestOf::Broker,
    };
}
