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

    /// Of these the consumers were looked at: the newest.
    const fn versions_of_consumers(self) -> &'static [Version] {
        match self.versions() {
            [] => &[],
            [.., newest] => std::slice::from_ref(newest),
        }
    }

    fn version(self, text: &str, versions: Versions) -> Option<Version> {
        match self {
            Family::Java => Version::parse(text),
            _ => versions(self).iter().copied().find(|version| version.to_string() == text),
        }
    }

    fn allowed(self, versions: Versions) -> Vec<String> {
        match self {
            Family::Java => Version::allowed(),
            _ => versions(self).iter().map(Version::to_string).collect(),
        }
    }
}

/// The release lines of a family other than Java.
type Versions = fn(Family) -> &'static [Version];

/// The client of a group's members; without one, it is the Java client of the cluster's version.
pub(super) fn read_client<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    cluster: Option<&Cluster>,
) -> Option<Client> {
    read_one_of(r, place, cluster, (&CLIENT, Family::versions_of_consumers))
}

/// The client of a producer; without one, it is the Java client of the cluster's version.
pub(super) fn read_producer_client<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    cluster: Option<&Cluster>,
) -> Option<Client> {
    read_one_of(r, place, cluster, (&PRODUCER_CLIENT, Family::versions))
}

fn read_one_of<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    cluster: Option<&Cluster>,
    (table, versions): (&Table, Versions),
) -> Option<Client> {
    let Some(place) = place else {
        return cluster.map(|cluster| Client { family: Family::Java, version: cluster.kafka });
    };
    let fields = r.object(Some(place.clone()), table)?;
    let family = r.word(fields.get("family"), &FAMILIES, |word| NOT_MODELLED.contains(&word));
    let version = read_version_of(r, fields.get("version"), (family.unwrap_or(Family::Java), versions));
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
    read_version_of(r, place, (family, Family::versions))
}

fn read_version_of<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    (family, versions): (Family, Versions),
) -> Option<Version> {
    let place = place?;
    let found = r.string(Some(place.clone()))?;
    let version = family.version(found, versions);
    if version.is_none() {
        let allowed = family.allowed(versions);
        let problem = Problem::NotOneOf { found: found.to_owned(), allowed, suggestion: None };
        r.report(&place, problem);
    }
    version
}
