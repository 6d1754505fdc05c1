//! Client libraries of producers: which it is, and what each has as default.

use super::{ProducerSettings, Release};
use crate::sim::partitioner::{BuiltIn, Librdkafka, Partitioner};
use crate::sim::producer::batching::Batching;
use borsh::{BorshDeserialize, BorshSerialize};

/// The client library of a producer, with what it is told to no effect: that is only shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum ProducerClient {
    /// Apache Kafka's own Java client.
    Java {
        /// Its release line.
        release: Release,
        /// What its built-in partitioner is told, which may be another one's turn (`partitioner.class`).
        built_in: BuiltIn,
    },
    /// librdkafka, and all clients that are built on it.
    Librdkafka {
        /// `partitioner` of the client, if its topic has settings of its own, whose `partitioner` counts instead.
        #[borsh(deserialize_with = "crate::sim::apart::option")]
        of_client: Option<Librdkafka>,
    },
    /// kafkajs.
    KafkaJs {
        /// Its major version.
        major: u8,
    },
    /// kafka-python.
    KafkaPython {
        /// Its major version.
        major: u8,
    },
    /// aiokafka.
    AioKafka,
}

/// Since this release Java has its built-in partitioner (KIP-794).
pub const BUILT_IN_PARTITIONER: Release = (3, 3);

impl ProducerClient {
    /// The newest Java client.
    pub const JAVA: ProducerClient = ProducerClient::java((4, 4));

    /// A Java client as it is by default.
    pub const fn java(release: Release) -> Self {
        ProducerClient::Java { release, built_in: BuiltIn::DEFAULT }
    }

    /// Its settings as they are by default.
    #[inline(never)]
    pub fn defaults(self) -> ProducerSettings {
        let (client, batching) = match self {
            ProducerClient::Java { release, .. } => (ProducerClient::java(release), Batching::of_java(release)),
            ProducerClient::Librdkafka { .. } => (ProducerClient::Librdkafka { of_client: None }, Batching::LIBRDKAFKA),
            ProducerClient::KafkaJs { .. } => (self, Batching::KAFKAJS),
            ProducerClient::KafkaPython { .. } => (self, Batching::JAVA_BEFORE_4),
            // One request a broker at a time.
            ProducerClient::AioKafka => (self, Batching { max_in_flight: 1, ..Batching::JAVA_BEFORE_4 }),
        };
        ProducerSettings { partitioner: client.partitioner(), batching, client, ..ProducerSettings::JAVA }
    }

    /// Its default partitioner. Until 1.4 kafka-python had `KeyedProducer`, whose partitioner was `HashedPartitioner`.
    fn partitioner(self) -> Partitioner {
        match self {
            ProducerClient::Java { release, built_in } if release >= BUILT_IN_PARTITIONER => {
                Partitioner::BuiltIn(built_in)
            }
            ProducerClient::Java { release, .. } => default_partitioner(release),
            ProducerClient::Librdkafka { .. } => Partitioner::LIBRDKAFKA,
            ProducerClient::KafkaJs { major: 0 | 1 } => Partitioner::KafkaJsLegacy,
            ProducerClient::KafkaJs { .. } => Partitioner::KafkaJs,
            ProducerClient::KafkaPython { major: 0 } => Partitioner::SaltedHash,
            ProducerClient::KafkaPython { major: 1 | 2 } | ProducerClient::AioKafka => Partitioner::AioKafka,
            ProducerClient::KafkaPython { .. } => Partitioner::KafkaPython,
        }
    }

    /// What it calls a partitioner in its settings; nothing for Java's built-in one, which has no name there.
    #[inline(never)]
    pub fn partitioner_name(self, partitioner: Partitioner) -> Option<&'static str> {
        Some(match (self, partitioner) {
            (_, Partitioner::Librdkafka(partitioner, _)) => partitioner.name(),
            (ProducerClient::Java { .. }, Partitioner::DefaultSticky | Partitioner::DefaultInTurn) => {
                "DefaultPartitioner"
            }
            (_, Partitioner::UniformSticky) => "UniformStickyPartitioner",
            (_, Partitioner::RoundRobin | Partitioner::RoundRobinTwice) => "RoundRobinPartitioner",
            (_, Partitioner::SaltedHash) => "HashedPartitioner",
            (ProducerClient::Java { .. }, _) => return None,
            _ if partitioner == self.partitioner() => "DefaultPartitioner",
            (_, Partitioner::KafkaJs) => "JavaCompatiblePartitioner",
            (_, Partitioner::KafkaJsLegacy) => "LegacyPartitioner",
            _ => "DefaultPartitioner",
        })
    }
}

/// `DefaultPartitioner` of Java: sticky since 2.4 (KIP-480).
pub fn default_partitioner(release: Release) -> Partitioner {
    if release >= (2, 4) { Partitioner::DefaultSticky } else { Partitioner::DefaultInTurn }
}
