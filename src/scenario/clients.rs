//! Client libraries and their versions.

use super::cluster::Cluster;
use super::fields::*;
use super::mistake::{Contradiction, Problem};
use super::reader::{Place, Reader};
use super::version::Version;
use borsh::{BorshDeserialize, BorshSerialize};

/// A client: which program, and which version of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Client {
    /// Which program.
    pub family: Family,
    /// Its version.
    pub version: Version,
}

/// A client library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Family {
    /// Apache Kafka's own Java client.
    Java,
    /// librdkafka, and all clients that are built on it.
    Librdkafka,
    /// kafkajs.
    KafkaJs,
    /// kafka-python.
    KafkaPython,
    /// aiokafka.
    AioKafka,
}

const FAMILIES: [(&str, Family); 5] = [
    ("java", Family::Java),
    ("librdkafka", Family::Librdkafka),
    ("kafkajs", Family::KafkaJs),
    ("kafka-python", Family::KafkaPython),
    ("aiokafka", Family::AioKafka),
];

/// Real clients that are not modelled.
const NOT_MODELLED: [&str; 2] = ["franz-go", "sarama"];

impl Family {
    /// The release lines that were looked at; of Java there are all of [`Version::all`].
    const fn versions(self) -> &'static [Version] {
        const OF_LIBRDKAFKA: [Version; 1] = [Version::new(2, 16)];
        const OF_KAFKAJS: [Version; 2] = [Version::new(1, 16), Version::new(2, 2)];
        const OF_KAFKA_PYTHON: [Version; 3] = [Version::new(0, 9), Version::new(2, 0), Version::new(3, 0)];
        const OF_AIOKAFKA: [Version; 1] = [Version::new(0, 14)];
        match self {
            Family::Java => &[],
            Family::Librdkafka => &OF_LIBRDKAFKA,
            Family::KafkaJs => &OF_KAFKAJS,
            Family::KafkaPython => &OF_KAFKA_PYTHON,
            Family::AioKafka => &OF_AIOKAFKA,
        }
    }

    fn version(self, text: &str) -> Option<Version> {
        match self {
            Family::Java => Version::parse(text),
            _ => self.versions().iter().copied().find(|version| version.to_string() == text),
        }
    }

    fn allowed(self) -> Vec<String> {
        match self {
            Family::Java => Version::allowed(),
            _ => self.versions().iter().map(Version::to_string).collect(),
        }
    }
}

/// The client of a group's members; without one, it is the Java client of the cluster's version.
pub(super) fn read_client<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    cluster: Option<&Cluster>,
) -> Option<Client> {
    read_one_of(r, place, cluster, (&CLIENT, &FAMILIES[..1]))
}

/// The client of a producer; without one, it is the Java client of the cluster's version.
pub(super) fn read_producer_client<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    cluster: Option<&Cluster>,
) -> Option<Client> {
    read_one_of(r, place, cluster, (&PRODUCER_CLIENT, &FAMILIES))
}

fn read_one_of<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    cluster: Option<&Cluster>,
    (table, families): (&Table, &[(&str, Family)]),
) -> Option<Client> {
    let Some(place) = place else {
        return cluster.map(|cluster| Client { family: Family::Java, version: cluster.kafka });
    };
    let fields = r.object(Some(place.clone()), table)?;
    let family = r.word(fields.get("family"), families, |word| {
        NOT_MODELLED.contains(&word) || FAMILIES.iter().any(|(family, _)| *family == word)
    });
    let version = read_version(r, fields.get("version"), family.unwrap_or(Family::Java));
    let (family, version) = (family?, version?);
    if let Some(kafka) = cluster.map(|cluster| cluster.kafka)
        && family == Family::Java
        && !version.speaks_with(kafka)
    {
        r.report(&place, Problem::Contradiction(Contradiction::Versions { client: version, kafka }));
    }
    Some(Client { family, version })
}

/// A release line of a client family.
pub(super) fn read_version<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>, family: Family) -> Option<Version> {
    let place = place?;
    let found = r.string(Some(place.clone()))?;
    let version = family.version(found);
    if version.is_none() {
        let problem = Problem::NotOneOf { found: found.to_owned(), allowed: family.allowed(), suggestion: None };
        r.report(&place, problem);
    }
    version
}
