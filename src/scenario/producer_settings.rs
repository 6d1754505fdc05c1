//! The settings of a producer: those of its client, with that client's names, bounds and defaults.
//!
//! Source: `ProducerConfig` of Kafka; librdkafka, `CONFIGURATION.md`; kafkajs, `src/index.js`,
//! `src/producer/partitioners`; kafka-python, `kafka/producer/kafka.py`; aiokafka, `aiokafka/producer/producer.py`.

use super::clients::{Client, Family};
use super::cluster::MOST_INT;
use super::fields::*;
use super::mistake::{Contradiction, NoEffect, Problem, Side, Unit};
use super::reader::{Fields, Reader};
use super::since;
use super::version::Version;
use crate::sim::partitioner::{BuiltIn, Leaves, Librdkafka, Partitioner};
use crate::sim::producer::batching::Batching;
use crate::sim::setup::{ProducerClient, ProducerSettings, default_partitioner};
use crate::sim::time::Span;
use jsonc_parser::ast::Value;

/// `linger.ms` and `sticky.partitioning.linger.ms` of librdkafka.
pub(super) const MOST_LIBRDKAFKA_LINGER: u64 = 900_000;
/// `topic.metadata.refresh.interval.ms` of librdkafka.
pub(super) const MOST_LIBRDKAFKA_REFRESH: u64 = 3_600_000;
/// `message.max.bytes` of librdkafka.
pub(super) const MOST_LIBRDKAFKA_MESSAGE: u64 = 1_000_000_000;

/// The settings of a producer: `settings`, `topic_settings`, `defect`.
pub(super) fn read<'t>(r: &mut Reader<'t>, producer: &Fields<'t>, client: Option<Client>) -> Option<ProducerSettings> {
    let client = client.unwrap_or(Client { family: Family::Java, version: Version::new(4, 0) });
    let own_topic_settings = producer.get("topic_settings");
    if let Some(place) = own_topic_settings.as_ref().filter(|_| client.family != Family::Librdkafka) {
        r.report(place, Problem::Contradiction(Contradiction::OnlyLibrdkafka));
    }
    let defect = r.or(producer.get("defect"), None, |r, place| r.word(place, &DEFECTS, |_| false).map(Some));
    let table = match client.family {
        Family::Java => &PRODUCER_SETTINGS,
        Family::Librdkafka => &LIBRDKAFKA_PRODUCER_SETTINGS,
        Family::KafkaJs => &KAFKAJS_PRODUCER_SETTINGS,
        Family::KafkaPython => &KAFKA_PYTHON_PRODUCER_SETTINGS,
        Family::AioKafka => &AIOKAFKA_PRODUCER_SETTINGS,
    };
    let fields = match producer.get("settings") {
        None => None,
        place => Some(r.object(place, table)?),
    };
    let mut settings = Settings { r, fields };
    let read = match client.family {
        Family::Java => settings.java(client.version),
        Family::Librdkafka => {
            let topic_fields = match own_topic_settings {
                None => None,
                place => Some(settings.r.object(place, &LIBRDKAFKA_TOPIC_SETTINGS)?),
            };
            settings.librdkafka(topic_fields)
        }
        Family::KafkaJs => settings.kafkajs(client.version),
        Family::KafkaPython => settings.kafka_python(client.version),
        Family::AioKafka => settings.aiokafka(),
    };
    let read = read?;
    Some(ProducerSettings { defect: defect?, ..read })
}

struct Settings<'r, 't> {
    r: &'r mut Reader<'t>,
    fields: Option<Fields<'t>>,
}

impl<'t> Settings<'_, 't> {
    fn get(&self, name: &str) -> Option<super::reader::Place<'t>> {
        self.fields.as_ref()?.get(name)
    }

    fn count(&mut self, name: &str, least: u64, most: u64, default: u32) -> Option<u32> {
        let place = self.get(name);
        self.r.or(place, default, |r, place| r.whole(place, least..=most, Unit::Plain).map(|count| count as u32))
    }

    fn millis(&mut self, name: &str, least: u64, most: u64, default: Span) -> Option<Span> {
        let place = self.get(name);
        self.r.or(place, default, |r, place| r.whole(place, least..=most, Unit::Millis).map(Span::from_millis))
    }

    fn switch(&mut self, name: &str, default: bool) -> Option<bool> {
        let place = self.get(name);
        self.r.or(place, default, Reader::boolean)
    }

    fn no_effect(&mut self, name: &str, why: NoEffect) {
        if let Some(place) = self.get(name) {
            self.r.warn(&place, Problem::Contradiction(Contradiction::NoEffect { setting: name.to_owned(), why }));
        }
    }

    fn java(&mut self, version: Version) -> Option<ProducerSettings> {
        let base = Batching::of_java(version.release());
        let batch_size = self.count("batch.size", 0, MOST_INT, base.batch_size);
        let linger = self.millis("linger.ms", 0, MOST_INT, base.linger);
        let max_in_flight = self.count("max.in.flight.requests.per.connection", 1, MOST_INT, base.max_in_flight);
        let max_request_size = self.count("max.request.size", 0, MOST_INT, base.max_request_size);
        let metadata_max_age = self.millis("metadata.max.age.ms", 0, MOST_INT, ProducerSettings::JAVA.metadata_max_age);
        let partitioner = self.java_partitioner(version);
        let (batch_size, linger) = (batch_size?, linger?);
        let (max_request_size, max_in_flight) = (max_request_size?, max_in_flight?);
        let (partitioner, built_in) = partitioner?;
        Some(ProducerSettings {
            partitioner,
            defect: None,
            batching: Batching { batch_size, linger, max_request_size, max_in_flight, ..base },
            metadata_max_age: metadata_max_age?,
            client: ProducerClient::Java { release: version.release(), built_in },
        })
    }

    /// The partitioner, and what the built-in one is told.
    fn java_partitioner(&mut self, version: Version) -> Option<(Partitioner, BuiltIn)> {
        let has_built_in = since::is_there(since::IGNORE_KEYS, Side::Client, version);
        let ignore_keys = self.switch(since::IGNORE_KEYS, false);
        let adaptive = self.switch("partitioner.adaptive.partitioning.enable", true);
        let class = match self.get("partitioner.class") {
            Some(place) if !matches!(place.value, Value::NullKeyword(_)) => Some(self.java_class(version, place)?),
            _ => None,
        };
        if !has_built_in || class.is_some() {
            let why = if has_built_in { NoEffect::PartitionerClass } else { NoEffect::UnknownToVersion { version } };
            self.no_effect(since::IGNORE_KEYS, why);
            self.no_effect("partitioner.adaptive.partitioning.enable", why);
        }
        let built_in = BuiltIn { ignore_keys: ignore_keys?, adaptive: adaptive?, ..BuiltIn::DEFAULT };
        let partitioner = class.unwrap_or(match has_built_in {
            true => Partitioner::BuiltIn(built_in),
            false => default_partitioner(version.release()),
        });
        Some((partitioner, built_in))
    }

    fn java_class(&mut self, version: Version, place: super::reader::Place<'t>) -> Option<Partitioner> {
        let round_robin = match version >= Version::new(3, 9) {
            true => Partitioner::RoundRobin,
            false => Partitioner::RoundRobinTwice,
        };
        let (oldest, newest) = (Version::new(2, 0), Version::new(4, 4));
        let sticky = Version::new(2, 4);
        let classes = [
            ("DefaultPartitioner", (default_partitioner(version.release()), oldest, Version::new(3, 9))),
            ("UniformStickyPartitioner", (Partitioner::UniformSticky, sticky, Version::new(3, 9))),
            ("RoundRobinPartitioner", (round_robin, sticky, newest)),
        ];
        let (partitioner, since, until) = self.r.word(Some(place.clone()), &classes, |_| false)?;
        if !(since..=until).contains(&version) {
            let contradiction = Contradiction::NotInVersion { version, since, until };
            self.r.report(&place, Problem::Contradiction(contradiction));
        }
        Some(partitioner)
    }

    /// A topic configuration of its own, which a topic is created with, replaces the default one, and with it what is set
    /// at the level of the client. Source: `rd_kafka_topic_new0`.
    fn librdkafka(&mut self, own_topic_settings: Option<Fields<'t>>) -> Option<ProducerSettings> {
        let base = Batching::LIBRDKAFKA;
        let linger = self.millis("linger.ms", 0, MOST_LIBRDKAFKA_LINGER, base.linger);
        let batch_size = self.count("batch.size", 1, MOST_INT, base.batch_size);
        let batch_records = self.count("batch.num.messages", 1, 1_000_000, base.batch_records);
        let max_request_size = self.count("message.max.bytes", 1_000, MOST_LIBRDKAFKA_MESSAGE, base.max_request_size);
        let max_in_flight = self.count("max.in.flight.requests.per.connection", 1, 1_000_000, base.max_in_flight);
        let sticky = self.millis("sticky.partitioning.linger.ms", 0, MOST_LIBRDKAFKA_LINGER, Span::from_millis(10));
        let refresh = self.millis(
            "topic.metadata.refresh.interval.ms",
            1,
            MOST_LIBRDKAFKA_REFRESH,
            ProducerSettings::JAVA.metadata_max_age,
        );
        let place = self.get("partitioner");
        let of_client =
            self.r.or(place, Librdkafka::ConsistentRandom, |r, place| r.word(place, &Librdkafka::ALL, |_| false));
        let of_topic = match own_topic_settings {
            None => Some(None),
            Some(fields) => {
                self.no_effect("partitioner", NoEffect::OwnTopicSettings);
                let (place, default) = (fields.get("partitioner"), Librdkafka::ConsistentRandom);
                self.r.or(place, default, |r, place| r.word(place, &Librdkafka::ALL, |_| false)).map(Some)
            }
        };
        let (batch_size, batch_records, max_request_size) = (batch_size?, batch_records?, max_request_size?);
        let (linger, max_in_flight) = (linger?, max_in_flight?);
        let (of_client, of_topic) = (of_client?, of_topic?);
        Some(ProducerSettings {
            partitioner: Partitioner::Librdkafka(of_topic.unwrap_or(of_client), sticky?),
            defect: None,
            batching: Batching { batch_size, batch_records, linger, max_request_size, max_in_flight, ..base },
            metadata_max_age: refresh?,
            client: ProducerClient::Librdkafka { of_client: of_topic.map(|_| of_client) },
        })
    }

    fn kafkajs(&mut self, version: Version) -> Option<ProducerSettings> {
        let ProducerSettings { batching: base, partitioner: default, client, .. } =
            ProducerClient::KafkaJs { major: version.major }.defaults();
        let max_in_flight = self.count("maxInFlightRequests", 1, MOST_INT, base.max_in_flight);
        let metadata_max_age = self.millis("metadataMaxAge", 1, MOST_INT, ProducerSettings::JAVA.metadata_max_age);
        let (first, second) = (Version::new(1, 16), Version::new(2, 2));
        let words = [
            ("DefaultPartitioner", (default, first, second)),
            ("JavaCompatiblePartitioner", (Partitioner::KafkaJs, first, first)),
            ("LegacyPartitioner", (Partitioner::KafkaJsLegacy, second, second)),
        ];
        let place = self.get("createPartitioner");
        let partitioner = self.r.or(place.clone(), words[0].1, |r, place| r.word(place, &words, |_| false));
        let (partitioner, since, until) = partitioner?;
        if let Some(place) = place.filter(|_| !(since..=until).contains(&version)) {
            let contradiction = Contradiction::NotInVersion { version, since, until };
            self.r.report(&place, Problem::Contradiction(contradiction));
        }
        Some(ProducerSettings {
            partitioner,
            defect: None,
            batching: Batching { max_in_flight: max_in_flight?, ..base },
            metadata_max_age: metadata_max_age?,
            client,
        })
    }

    fn kafka_python(&mut self, version: Version) -> Option<ProducerSettings> {
        let murmur2 = if version.major < 3 { Partitioner::AioKafka } else { Partitioner::KafkaPython };
        let (old, is_old) = (Version::new(0, 9), version.major == 0);
        let words = [("DefaultPartitioner", murmur2), ("HashedPartitioner", Partitioner::SaltedHash)];
        let ProducerSettings { batching: base, partitioner: default, client, .. } =
            ProducerClient::KafkaPython { major: version.major }.defaults();
        let place = self.get("partitioner");
        let partitioner = self.r.or(place.clone(), default, |r, place| r.word(place, &words, |_| false))?;
        if let Some(place) = place.filter(|_| partitioner == Partitioner::SaltedHash && !is_old) {
            let contradiction = Contradiction::NotInVersion { version, since: old, until: old };
            self.r.report(&place, Problem::Contradiction(contradiction));
        }
        let linger = self.millis("linger_ms", 0, MOST_INT, base.linger);
        let max_in_flight = self.count("max_in_flight_requests_per_connection", 1, MOST_INT, base.max_in_flight);
        let base = Batching { linger: linger?, max_in_flight: max_in_flight?, ..base };
        self.python("batch_size", (client, partitioner), base)
    }

    /// One request a broker at a time. Its `linger_ms` is left out: it sends at once and waits afterwards. Source:
    /// `aiokafka/producer/sender.py`.
    fn aiokafka(&mut self) -> Option<ProducerSettings> {
        let ProducerSettings { batching, partitioner, client, .. } = ProducerClient::AioKafka.defaults();
        self.python("max_batch_size", (client, partitioner), batching)
    }

    fn python(
        &mut self,
        batch_size: &str,
        (client, partitioner): (ProducerClient, Partitioner),
        base: Batching,
    ) -> Option<ProducerSettings> {
        let batch_size = self.count(batch_size, 0, MOST_INT, base.batch_size);
        let max_request_size = self.count("max_request_size", 1, MOST_INT, base.max_request_size);
        let age = self.millis("metadata_max_age_ms", 1, MOST_INT, ProducerSettings::JAVA.metadata_max_age);
        let (batch_size, max_request_size) = (batch_size?, max_request_size?);
        Some(ProducerSettings {
            partitioner,
            defect: None,
            batching: Batching { batch_size, max_request_size, ..base },
            metadata_max_age: age?,
            client,
        })
    }
}

/// Known defects of partitioners.
const DEFECTS: [(&str, Partitioner); 2] = [
    ("murmur2-keeps-top-bit", Partitioner::UnmaskedMurmur2),
    ("sticky-leaves-in-mid-batch", Partitioner::BuiltIn(BuiltIn { leaves: Leaves::AtOnce, ..BuiltIn::DEFAULT })),
];
