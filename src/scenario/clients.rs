//! Client libraries and their versions.

use super::cluster::Cluster;
use super::fields::*;
use super::mistake::{Contradiction, Problem};
use super::reader::{Place, Reader};
use super::version::Version;
use borsh::{BorshDeserialize, BorshSerialize};
use jsonc_parser::ast::Value;

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

/// Whose settings stand beside a client: those of `read`, and where something is wrong with that, of the family that is
/// named. Nothing where nobody knows; then there is nothing to be said of the settings.
pub(super) fn meant(place: Option<&Place<'_>>, read: Option<Client>) -> Option<Option<Client>> {
    let Some(Value::Object(object)) = place.map(|place| place.value).filter(|_| read.is_none()) else {
        return Some(read).filter(|_| read.is_some() || place.is_none());
    };
    let named = object.properties.iter().find(|property| property.name.as_str() == "family")?;
    let Value::StringLit(name) = &named.value else {
        return None;
    };
    let &(_, family) = FAMILIES.iter().find(|&&(family, _)| family == name.value)?;
    Some(family.versions().last().map(|&version| Client { family, version }))
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
    // Of a family that nobody knows nobody knows the versions either.
    let family = family?;
    let version = read_version_of(r, fields.get("version"), (family, versions))?;
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
