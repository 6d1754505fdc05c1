//! Settings that Kafka has and this simulator does not model: a file that asks for one is told so.
//!
//! Those of `tests/reference/config-defaults.json`, which was printed from Kafka's own configuration classes. What a file says
//! in another way, such as `client.id`, is not among them.

use super::mistake::Kind;

/// A producer's.
const PRODUCER: [&str; 17] = [
    "acks",
    "enable.idempotence",
    "retries",
    "delivery.timeout.ms",
    "request.timeout.ms",
    "retry.backoff.ms",
    "retry.backoff.max.ms",
    "buffer.memory",
    "max.block.ms",
    "compression.type",
    "partitioner.availability.timeout.ms",
    "partitioner.rack.aware",
    "transactional.id",
    "transaction.timeout.ms",
    "transaction.two.phase.commit.enable",
    "metadata.max.idle.ms",
    "metadata.recovery.strategy",
];

/// A consumer's.
const CONSUMER: [&str; 15] = [
    "isolation.level",
    "fetch.min.bytes",
    "fetch.max.wait.ms",
    "fetch.max.bytes",
    "max.partition.fetch.bytes",
    "allow.auto.create.topics",
    "exclude.internal.topics",
    "client.rack",
    "default.api.timeout.ms",
    "request.timeout.ms",
    "check.crcs",
    "retry.backoff.ms",
    "share.acknowledgement.mode",
    "share.acquire.mode",
    "retry.backoff.max.ms",
];

/// A consumer's of librdkafka (`CONFIGURATION.md`).
const LIBRDKAFKA_CONSUMER: [&str; 12] = [
    "group.protocol",
    "group.remote.assignor",
    "isolation.level",
    "queued.min.messages",
    "queued.max.messages.kbytes",
    "fetch.wait.max.ms",
    "fetch.message.max.bytes",
    "max.partition.fetch.bytes",
    "fetch.max.bytes",
    "fetch.min.bytes",
    "enable.partition.eof",
    "allow.auto.create.topics",
];

/// A consumer's of kafkajs (`src/consumer/index.js`).
const KAFKAJS_CONSUMER: [&str; 11] = [
    "partitionAssigners",
    "partitionsConsumedConcurrently",
    "eachBatchAutoResolve",
    "maxBytesPerPartition",
    "minBytes",
    "maxBytes",
    "maxInFlightRequests",
    "allowAutoTopicCreation",
    "readUncommitted",
    "rackId",
    "retry",
];

/// A consumer's of the Python clients (`kafka/consumer/group.py`, `aiokafka/consumer/consumer.py`).
const PYTHON_CONSUMER: [&str; 9] = [
    "fetch_max_wait_ms",
    "fetch_min_bytes",
    "fetch_max_bytes",
    "max_partition_fetch_bytes",
    "request_timeout_ms",
    "retry_backoff_ms",
    "check_crcs",
    "consumer_timeout_ms",
    "isolation_level",
];

/// A broker's.
const BROKER: [&str; 67] = [
    "broker.heartbeat.interval.ms",
    "broker.session.timeout.ms",
    "leader.imbalance.check.interval.seconds",
    "auto.leader.rebalance.enable",
    "auto.create.topics.enable",
    "num.partitions",
    "default.replication.factor",
    "num.replica.fetchers",
    "replica.fetch.wait.max.ms",
    "replica.fetch.min.bytes",
    "replica.fetch.max.bytes",
    "replica.fetch.backoff.ms",
    "message.max.bytes",
    "controlled.shutdown.enable",
    "num.io.threads",
    "num.network.threads",
    "compression.type",
    "replica.lag.time.max.ms",
    "min.insync.replicas",
    "unclean.leader.election.enable",
    "num.recovery.threads.per.data.dir",
    "log.retention.hours",
    "log.retention.minutes",
    "log.retention.ms",
    "log.retention.bytes",
    "log.retention.check.interval.ms",
    "log.segment.bytes",
    "log.roll.hours",
    "log.roll.ms",
    "log.segment.delete.delay.ms",
    "log.cleanup.policy",
    "log.cleaner.enable",
    "log.cleaner.backoff.ms",
    "log.cleaner.min.cleanable.ratio",
    "log.cleaner.delete.retention.ms",
    "log.cleaner.min.compaction.lag.ms",
    "log.cleaner.max.compaction.lag.ms",
    "log.cleaner.threads",
    "log.message.timestamp.type",
    "log.index.interval.bytes",
    "log.message.timestamp.after.max.ms",
    "log.message.timestamp.before.max.ms",
    "group.coordinator.rebalance.protocols",
    "group.coordinator.append.linger.ms",
    "group.consumer.max.size",
    "group.consumer.regex.refresh.interval.ms",
    "group.consumer.migration.policy",
    "group.share.session.timeout.ms",
    "group.share.heartbeat.interval.ms",
    "group.share.record.lock.duration.ms",
    "group.share.delivery.count.limit",
    "group.share.max.size",
    "group.share.assignors",
    "group.share.partition.max.record.locks",
    "offsets.topic.num.partitions",
    "offsets.topic.replication.factor",
    "offsets.topic.segment.bytes",
    "offsets.commit.timeout.ms",
    "offset.metadata.max.bytes",
    "transaction.max.timeout.ms",
    "transaction.state.log.num.partitions",
    "transaction.state.log.replication.factor",
    "transaction.state.log.min.isr",
    "transactional.id.expiration.ms",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms",
    "producer.id.expiration.ms",
    "transaction.partition.verification.enable",
];

/// A topic's, and how many copies of it there are.
const TOPIC: [&str; 21] = [
    "cleanup.policy",
    "retention.ms",
    "retention.bytes",
    "segment.bytes",
    "segment.ms",
    "segment.jitter.ms",
    "delete.retention.ms",
    "min.cleanable.dirty.ratio",
    "min.compaction.lag.ms",
    "max.compaction.lag.ms",
    "file.delete.delay.ms",
    "min.insync.replicas",
    "unclean.leader.election.enable",
    "max.message.bytes",
    "message.timestamp.type",
    "message.timestamp.after.max.ms",
    "message.timestamp.before.max.ms",
    "flush.messages",
    "flush.ms",
    "index.interval.bytes",
    "replication.factor",
];

/// Whose name a setting is that the fields of a kind of object lack.
pub fn named(table: &str, name: &str) -> Option<Kind> {
    match (table, name) {
        ("producer_settings" | "librdkafka_producer_settings", "client.id") => Some(Kind::Producer),
        ("consumer_settings" | "librdkafka_consumer_settings", "client.id")
        | ("kafkajs_consumer_settings", "clientId")
        | ("kafka_python_consumer_settings" | "aiokafka_consumer_settings", "client_id") => Some(Kind::Member),
        ("consumer_settings" | "librdkafka_consumer_settings", "group.id")
        | ("kafkajs_consumer_settings", "groupId")
        | ("kafka_python_consumer_settings" | "aiokafka_consumer_settings", "group_id") => Some(Kind::Group),
        _ => None,
    }
}

/// Whether Kafka has a setting that the fields of a kind of object lack.
pub fn has_kafka(table: &str, name: &str) -> bool {
    let known: &[&str] = match table {
        // What is modelled of librdkafka has the names of Java's producer.
        "producer_settings" | "librdkafka_producer_settings" => &PRODUCER,
        "consumer_settings" => &CONSUMER,
        "librdkafka_consumer_settings" => &LIBRDKAFKA_CONSUMER,
        "kafkajs_consumer_settings" => &KAFKAJS_CONSUMER,
        "kafka_python_consumer_settings" | "aiokafka_consumer_settings" => &PYTHON_CONSUMER,
        "broker_settings" => &BROKER,
        "topic" => &TOPIC,
        _ => return false,
    };
    known.contains(&name)
}
