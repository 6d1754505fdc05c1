//! Which partition a producer sends a record to: the rule of each client, by its name and version.
//!
//! A rule has two halves: what it does with a key and what it does without one. A record whose partition the
//! application has set is never shown to a partitioner. Java's rules need to hear what became of the record: see
//! [`Chooser::on_new_batch`] and [`Chooser::update`]; [`Sender::send`](super::producer::sender::Sender::send) does so.
//!
//! Not modelled: `partitioner.availability.timeout.ms` and `partitioner.rack.aware` (since 4.4), both off by default.

mod choice;
mod chooser;
pub mod hash;

pub use choice::{Choice, KeyHash};
pub use chooser::{Chooser, TopicView};

use super::time::Span;
use borsh::{BorshDeserialize, BorshSerialize};

/// The rule by which a producer picks partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Partitioner {
    /// Java from 3.3 without `partitioner.class` (KIP-794): murmur2 for keys, sticky by bytes without one.
    BuiltIn(BuiltIn),
    /// Java 2.4 to 3.2, `DefaultPartitioner` (KIP-480): murmur2 for keys; without one the same partition until a batch
    /// is opened for it.
    DefaultSticky,
    /// Java 2.4 to 3.9, `UniformStickyPartitioner`: like the one above, but keys are ignored.
    UniformSticky,
    /// Java up to 2.3, `DefaultPartitioner`: murmur2 for keys, without one in turn.
    DefaultInTurn,
    /// Java 2.4 to 3.9.0, `RoundRobinPartitioner`: in turn, keys are ignored. A record that opens a batch takes two
    /// turns and goes to the second (KAFKA-9965).
    RoundRobinTwice,
    /// Java from 3.9.1, `RoundRobinPartitioner`: in turn, one turn a record (KAFKA-17632; since 4.0 there is no second
    /// call).
    RoundRobin,
    /// librdkafka: its `partitioner` and `sticky.partitioning.linger.ms` (default 10).
    Librdkafka(Librdkafka, Span),
    /// kafkajs 2 `DefaultPartitioner`, kafkajs 1 `JavaCompatiblePartitioner`: murmur2; without a key in turn from a
    /// random start.
    KafkaJs,
    /// kafkajs 1 `DefaultPartitioner`, kafkajs 2 `LegacyPartitioner`: as above with a hash of its own.
    KafkaJsLegacy,
    /// kafka-python 3 `DefaultPartitioner`: murmur2; without a key at random, record by record. A keyless record that
    /// needs a new batch is drawn again, so that partitions with an open batch get more. Source:
    /// `kafka/producer/kafka.py` of 3.0.12.
    KafkaPython,
    /// aiokafka and kafka-python up to 2, `DefaultPartitioner`: as above, but a record is drawn once.
    AioKafka,
    /// Old kafka-python, `HashedPartitioner`: Python's own hash of the key, which is salted when the process
    /// starts.
    SaltedHash,
    /// A faulty port of murmur2: the hash is taken as unsigned and its top bit is kept, so that about half of the keys
    /// go elsewhere unless the number of partitions is a power of two. Without a key at random.
    UnmaskedMurmur2,
}

/// How Java's built-in partitioner (KIP-794) is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct BuiltIn {
    /// `partitioner.ignore.keys`, off by default.
    pub ignore_keys: bool,
    /// `partitioner.adaptive.partitioning.enable`, on by default: a partition is the less likely the more batches wait
    /// for it.
    pub adaptive: bool,
    /// When the partition is left. Not a setting: every release has [`Leaves::WithTheBatch`].
    pub leaves: Leaves,
}

/// When Java's built-in partitioner leaves its partition, after `batch.size` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Leaves {
    /// At once, as KIP-794 first had it; the rest of a batch stays behind and waits for its own linger (KAFKA-14156).
    AtOnce,
    /// When its last batch is full or sent, at the latest after twice `batch.size` bytes (KAFKA-14156, in 3.3.0).
    WithTheBatch,
}

impl BuiltIn {
    /// Kafka's defaults.
    pub const DEFAULT: BuiltIn = BuiltIn { ignore_keys: false, adaptive: true, leaves: Leaves::WithTheBatch };
}

/// librdkafka's `partitioner`. The ones with `random` in their name treat a missing key as
/// [`Random`](Librdkafka::Random) does.
///
/// Source: librdkafka, `rdkafka_msg.c#rd_kafka_msg_partitioner`, `rdkafka_topic.c#rd_kafka_topic_new0`,
/// `CONFIGURATION.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Librdkafka {
    /// `random`: at random record by record, but one partition for `sticky.partitioning.linger.ms` where there is no
    /// key.
    Random,
    /// `consistent`: CRC-32; a missing key is an empty one.
    Consistent,
    /// `consistent_random`, the default: CRC-32; an empty key is no key.
    ConsistentRandom,
    /// `murmur2`: as Java; a missing key is an empty one.
    Murmur2,
    /// `murmur2_random`: as Java.
    Murmur2Random,
    /// `fnv1a`: FNV-1a; a missing key is an empty one.
    Fnv1a,
    /// `fnv1a_random`: FNV-1a.
    Fnv1aRandom,
}

impl Librdkafka {
    /// All of them, with their names.
    pub const ALL: [(&str, Librdkafka); 7] = [
        ("random", Librdkafka::Random),
        ("consistent", Librdkafka::Consistent),
        ("consistent_random", Librdkafka::ConsistentRandom),
        ("murmur2", Librdkafka::Murmur2),
        ("murmur2_random", Librdkafka::Murmur2Random),
        ("fnv1a", Librdkafka::Fnv1a),
        ("fnv1a_random", Librdkafka::Fnv1aRandom),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Librdkafka::ALL.iter().find(|&&(_, known)| known == self).map_or("", |&(name, _)| name)
    }
}

/// What a partitioner does with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keyed {
    Ignored,
    Hashed(KeyHash),
    Salted,
    Random,
}

/// What a partitioner does without a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keyless {
    /// One partition until it has got its share of bytes.
    StickyByBytes,
    /// One partition until a batch is opened for it.
    StickyByBatch,
    /// One partition for this long.
    StickyByTime(Span),
    /// The next one for each record.
    InTurn,
    /// Any for each record.
    Random,
    /// As if the key were empty.
    AsEmpty,
    /// By the salt alone.
    Salt,
}

const MURMUR2: Keyed = Keyed::Hashed(KeyHash::Murmur2);

impl Partitioner {
    /// The default of Java clients since 3.3.
    pub const JAVA: Partitioner = Partitioner::BuiltIn(BuiltIn::DEFAULT);

    /// The default of librdkafka.
    pub const LIBRDKAFKA: Partitioner = Partitioner::Librdkafka(Librdkafka::ConsistentRandom, Span::from_millis(10));

    /// Whether the partitioner is asked a second time for a record that needs a new batch.
    ///
    /// Source: `KafkaProducer#doSend` of 2.4 to 3.9, `abortOnNewBatch`; kafka-python 3 does the same.
    pub const fn hears_of_new_batches(self) -> bool {
        matches!(
            self,
            Partitioner::DefaultSticky
                | Partitioner::UniformSticky
                | Partitioner::RoundRobinTwice
                | Partitioner::KafkaPython
        )
    }

    /// Whether all records of a key go to one partition, as long as the producer knows of as many.
    pub fn keeps_keys_together(self) -> bool {
        matches!(self.rules().0, Keyed::Hashed(_) | Keyed::Salted)
    }

    fn rules(self) -> (Keyed, Keyless) {
        match self {
            Partitioner::BuiltIn(BuiltIn { ignore_keys: true, .. }) => (Keyed::Ignored, Keyless::StickyByBytes),
            Partitioner::BuiltIn(_) => (MURMUR2, Keyless::StickyByBytes),
            Partitioner::DefaultSticky => (MURMUR2, Keyless::StickyByBatch),
            Partitioner::UniformSticky => (Keyed::Ignored, Keyless::StickyByBatch),
            Partitioner::DefaultInTurn | Partitioner::KafkaJs => (MURMUR2, Keyless::InTurn),
            Partitioner::RoundRobin | Partitioner::RoundRobinTwice => (Keyed::Ignored, Keyless::InTurn),
            Partitioner::Librdkafka(name, linger) => librdkafka_rules(name, linger),
            Partitioner::KafkaJsLegacy => (Keyed::Hashed(KeyHash::KafkaJsLegacy), Keyless::InTurn),
            Partitioner::KafkaPython | Partitioner::AioKafka => (MURMUR2, Keyless::Random),
            Partitioner::SaltedHash => (Keyed::Salted, Keyless::Salt),
            Partitioner::UnmaskedMurmur2 => (Keyed::Hashed(KeyHash::UnmaskedMurmur2), Keyless::Random),
        }
    }
}

fn librdkafka_rules(name: Librdkafka, linger: Span) -> (Keyed, Keyless) {
    let random = if linger == Span::ZERO { Keyless::Random } else { Keyless::StickyByTime(linger) };
    match name {
        Librdkafka::Random => (Keyed::Random, random),
        Librdkafka::Consistent => (Keyed::Hashed(KeyHash::Crc32), Keyless::AsEmpty),
        Librdkafka::ConsistentRandom => (Keyed::Hashed(KeyHash::Crc32), random),
        Librdkafka::Murmur2 => (MURMUR2, Keyless::AsEmpty),
        Librdkafka::Murmur2Random => (MURMUR2, random),
        Librdkafka::Fnv1a => (Keyed::Hashed(KeyHash::Fnv1a), Keyless::AsEmpty),
        Librdkafka::Fnv1aRandom => (Keyed::Hashed(KeyHash::Fnv1a), random),
    }
}
