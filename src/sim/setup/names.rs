//! What other client libraries than Java's call their settings.

use super::{Library, ProducerClient};

/// The names of settings in Java, and in librdkafka where they differ.
const LIBRDKAFKA: &[(&str, &str)] = &[
    ("metadata.max.age.ms", "topic.metadata.refresh.interval.ms"),
    // Its application says it with each call.
    ("max.poll.records", "handling.max_records"),
];

/// The same in kafkajs.
const KAFKAJS: &[(&str, &str)] = &[
    ("enable.auto.commit", "autoCommit"),
    ("auto.commit.interval.ms", "autoCommitInterval"),
    ("auto.offset.reset", "fromBeginning"),
    ("session.timeout.ms", "sessionTimeout"),
    ("heartbeat.interval.ms", "heartbeatInterval"),
    ("max.poll.interval.ms", "rebalanceTimeout"),
    ("metadata.max.age.ms", "metadataMaxAge"),
    ("partition.assignment.strategy", "partitionAssigners"),
];

/// The same in both Python clients.
const PYTHON: &[(&str, &str)] = &[
    ("enable.auto.commit", "enable_auto_commit"),
    ("auto.commit.interval.ms", "auto_commit_interval_ms"),
    ("auto.offset.reset", "auto_offset_reset"),
    ("session.timeout.ms", "session_timeout_ms"),
    ("heartbeat.interval.ms", "heartbeat_interval_ms"),
    ("max.poll.interval.ms", "max_poll_interval_ms"),
    ("max.poll.records", "max_poll_records"),
    ("metadata.max.age.ms", "metadata_max_age_ms"),
    ("partition.assignment.strategy", "partition_assignment_strategy"),
    ("group.instance.id", "group_instance_id"),
];

/// The names of a producer's settings in Java, and in librdkafka where they differ.
const LIBRDKAFKA_PRODUCER: &[(&str, &str)] = &[
    ("partitioner.class", "partitioner"),
    ("max.request.size", "message.max.bytes"),
    ("metadata.max.age.ms", "topic.metadata.refresh.interval.ms"),
];

/// The same in kafkajs.
const KAFKAJS_PRODUCER: &[(&str, &str)] = &[
    ("partitioner.class", "createPartitioner"),
    ("max.in.flight.requests.per.connection", "maxInFlightRequests"),
    ("metadata.max.age.ms", "metadataMaxAge"),
];

/// The same in kafka-python.
const KAFKA_PYTHON_PRODUCER: &[(&str, &str)] = &[
    ("partitioner.class", "partitioner"),
    ("linger.ms", "linger_ms"),
    ("batch.size", "batch_size"),
    ("max.request.size", "max_request_size"),
    ("max.in.flight.requests.per.connection", "max_in_flight_requests_per_connection"),
    ("metadata.max.age.ms", "metadata_max_age_ms"),
];

/// The same in aiokafka.
const AIOKAFKA_PRODUCER: &[(&str, &str)] = &[
    ("batch.size", "max_batch_size"),
    ("max.request.size", "max_request_size"),
    ("metadata.max.age.ms", "metadata_max_age_ms"),
];

/// A setting of Java's, as the library calls it that has these names.
fn own_name(names: &[(&'static str, &'static str)], java: &'static str) -> &'static str {
    names.iter().find(|&&(name, _)| name == java).map_or(java, |&(_, own)| own)
}

impl Library {
    /// Settings with Java's name and its own, where they differ.
    pub const fn setting_names(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Library::Java => &[],
            Library::Librdkafka { .. } => LIBRDKAFKA,
            Library::KafkaJs { .. } => KAFKAJS,
            Library::KafkaPython | Library::AioKafka { .. } => PYTHON,
        }
    }

    /// A setting of Java's, as the library calls it.
    pub fn setting_name(self, java: &'static str) -> &'static str {
        own_name(self.setting_names(), java)
    }
}

impl ProducerClient {
    /// A setting of Java's, as the library calls it.
    #[inline(never)]
    pub fn setting_name(self, java: &'static str) -> &'static str {
        let names = match self {
            ProducerClient::Java { .. } => return java,
            ProducerClient::Librdkafka { .. } => LIBRDKAFKA_PRODUCER,
            ProducerClient::KafkaJs { .. } => KAFKAJS_PRODUCER,
            ProducerClient::KafkaPython { .. } => KAFKA_PYTHON_PRODUCER,
            ProducerClient::AioKafka => AIOKAFKA_PRODUCER,
        };
        own_name(names, java)
    }
}
