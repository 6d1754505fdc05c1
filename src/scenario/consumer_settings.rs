//! The settings of consumers with other clients than Java's: names, bounds and defaults of each.
//!
//! Source: librdkafka, `CONFIGURATION.md`; kafkajs, `src/consumer/index.js`; kafka-python, `kafka/consumer/group.py`;
//! aiokafka, `aiokafka/consumer/consumer.py`.

use super::clients::{Client, Family};
use super::cluster::{Cluster, MOST_INT};
use super::fields::*;
use super::groups::check_timeouts;
use super::mistake::{Contradiction, Problem, Unit};
use super::modern;
use super::producer_settings::MOST_LIBRDKAFKA_REFRESH;
use super::reader::{Fields, Place, Reader};
use crate::sim::ConsumerSetting;
use crate::sim::assignor::{Assignor, AssignorList};
use crate::sim::setup::{ConsumerSettings, GroupProtocol, Library, OffsetReset, bounds};
use crate::sim::time::Span;
use jsonc_parser::ast::Value;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// The largest `session.timeout.ms` and `heartbeat.interval.ms` of librdkafka.
pub(super) const MOST_LIBRDKAFKA_HOUR: u64 = 3_600_000;
/// The largest `max.poll.interval.ms` and `auto.commit.interval.ms` of librdkafka.
pub(super) const MOST_LIBRDKAFKA_DAY: u64 = 86_400_000;

/// The names of the session timeout and of the heartbeat interval in all clients.
const SESSION: [&str; 3] = ["session.timeout.ms", "sessionTimeout", "session_timeout_ms"];
const HEARTBEAT: [&str; 3] = ["heartbeat.interval.ms", "heartbeatInterval", "heartbeat_interval_ms"];

/// Several assignors in one string, as librdkafka takes them: here they are a list.
const LIBRDKAFKA_LISTS: [&str; 2] = ["range,roundrobin", "roundrobin,range"];

/// The sticky assignors of the Python clients: forms of their own of Java's. The last one only kafka-python has.
const STICKY_IN_PYTHON: [&str; 2] = ["StickyPartitionAssignor", "CooperativeStickyAssignor"];

/// Assignors that a client has and that are not modelled.
const fn not_modelled(library: Library) -> &'static [&'static str] {
    match library {
        Library::Librdkafka { .. } => &LIBRDKAFKA_LISTS,
        Library::KafkaPython | Library::AioKafka { .. } => &STICKY_IN_PYTHON,
        Library::Java | Library::KafkaJs { .. } => &[],
    }
}

/// The table of the settings of a group's members.
pub(super) fn table(family: Family) -> &'static Table {
    match family {
        Family::Java => &CONSUMER_SETTINGS,
        Family::Librdkafka => &LIBRDKAFKA_CONSUMER_SETTINGS,
        Family::KafkaJs => &KAFKAJS_CONSUMER_SETTINGS,
        Family::KafkaPython => &KAFKA_PYTHON_CONSUMER_SETTINGS,
        Family::AioKafka => &AIOKAFKA_CONSUMER_SETTINGS,
    }
}

/// A client library as it is by default.
const fn library(family: Family) -> Library {
    match family {
        Family::Java => Library::Java,
        Family::Librdkafka => Library::LIBRDKAFKA,
        Family::KafkaJs => Library::KAFKAJS,
        Family::KafkaPython => Library::KafkaPython,
        Family::AioKafka => Library::AIOKAFKA,
    }
}

/// The setting that a client has by this name, by Java's name; nothing if it has none.
pub(super) fn setting_of(library: Library, name: &str) -> Option<&'static str> {
    let only_one_has = match library {
        Library::Java => None,
        Library::Librdkafka { .. } => {
            [("enable.auto.offset.store", "enable.auto.offset.store"), ("max_records", "max.poll.records")]
                .into_iter()
                .find(|&(own, _)| own == name)
        }
        Library::KafkaJs { .. } => Some(("autoCommitThreshold", "autoCommitThreshold")).filter(|&(own, _)| own == name),
        Library::KafkaPython | Library::AioKafka { .. } => None,
    };
    let has_javas = matches!(library, Library::Java | Library::Librdkafka { .. });
    // There is nothing to choose from in kafkajs.
    let chooses = library.assignors().len() > 1;
    let is_it = |java: &'static str| {
        library.setting_name(java) == name
            && (has_javas || java != name)
            && (chooses || java != "partition.assignment.strategy")
    };
    only_one_has.map(|(_, java)| java).or_else(|| KNOWN[..IN_ALL].iter().copied().find(|java| is_it(java)))
}

/// What a client calls the setting that some client has by this name; nothing if it has no such setting.
pub(super) fn own_name(library: Library, name: &str) -> Option<&'static str> {
    let java = LIBRARIES.into_iter().find_map(|other| setting_of(other, name))?;
    let own = if java == "max.poll.records" && matches!(library, Library::Librdkafka { .. }) {
        "max_records"
    } else {
        library.setting_name(java)
    };
    setting_of(library, own).map(|_| own)
}

/// The library of a client that has a setting by this name.
pub(super) fn library_with(name: &str) -> Option<Library> {
    LIBRARIES.into_iter().find(|&library| setting_of(library, name).is_some())
}

const LIBRARIES: [Library; 5] =
    [Library::Java, Library::LIBRDKAFKA, Library::KAFKAJS, Library::KafkaPython, Library::AIOKAFKA];

/// The settings of a client other than Java's, `fields` at `place`.
pub(super) fn read<'t>(
    r: &mut Reader<'t>,
    (place, fields): (&Place<'t>, &Fields<'t>),
    cluster: Option<&Cluster>,
    client: Client,
) -> Option<ConsumerSettings> {
    let brokers = cluster.map_or((4, 0), |cluster| cluster.kafka.release());
    let base = ConsumerSettings::of_library(library(client.family), brokers);
    let mut settings = Settings { r, fields, base };
    let mut is_sound = settings.read();
    let mut read = settings.base;
    if client.family == Family::Librdkafka {
        let protocol = modern::read_protocol(r, fields, cluster, Some(client));
        is_sound &= protocol.is_some();
        if let Some((protocol, assignor)) = protocol {
            read.group_protocol = protocol;
            if let Library::Librdkafka { unused_assignor, .. } = &mut read.library {
                *unused_assignor = assignor.filter(|_| protocol == GroupProtocol::Classic);
            }
        }
    }
    // The one that has a mistake of its own is looked at as if it were not there.
    check(r, &read, cluster, (place, fields));
    is_sound.then_some(read)
}

/// What the client and the broker say to settings beside one another: those of `fields` at `place`, and others that are there
/// already.
pub(super) fn check<'t>(
    r: &mut Reader<'t>,
    settings: &ConsumerSettings,
    cluster: Option<&Cluster>,
    (place, fields): (&Place<'t>, &Fields<'t>),
) {
    // In the consumer protocol the broker decides about them.
    if settings.group_protocol != GroupProtocol::Classic {
        return;
    }
    let place_of = |names: [&str; 3]| names.into_iter().find_map(|name| fields.get(name));
    let session_place = place_of(SESSION).unwrap_or_else(|| place.clone());
    let heartbeat_place = place_of(HEARTBEAT).unwrap_or_else(|| session_place.clone());
    check_timeouts(r, settings, cluster, (&session_place, &heartbeat_place));
    if !matches!(settings.library, Library::Librdkafka { .. }) {
        return;
    }
    let (poll, session) = (settings.max_poll_interval.as_millis(), settings.session_timeout.as_millis());
    if let Some(place) = fields.get("max.poll.interval.ms").or_else(|| fields.get("session.timeout.ms"))
        && poll < session
    {
        r.report(&place, Problem::Contradiction(Contradiction::PollBelowSession { poll, session }));
    }
    let cooperative = settings.assignors.iter().filter(|assignor| assignor.supports_cooperative()).count();
    if let Some(place) = fields.get("partition.assignment.strategy")
        && (1..settings.assignors.len()).contains(&cooperative)
    {
        r.report(&place, Problem::Contradiction(Contradiction::MixedRebalanceProtocols));
    }
}

/// True for a setting that has to go with others.
pub(super) const fn is_bound(setting: ConsumerSetting) -> bool {
    matches!(
        setting,
        ConsumerSetting::SessionTimeout(_)
            | ConsumerSetting::HeartbeatInterval(_)
            | ConsumerSetting::MaxPollInterval(_)
            | ConsumerSetting::PartitionAssignmentStrategy(_)
    )
}

/// One setting of a client other than Java's, by Java's name.
pub(super) fn read_one<'t>(
    r: &mut Reader<'t>,
    (java, place): (&'static str, Place<'t>),
    library: Library,
) -> Option<ConsumerSetting> {
    let is_none = matches!(place.value, Value::NullKeyword(_));
    let setting: fn(Span) -> ConsumerSetting = match java {
        "enable.auto.commit" => return r.boolean(Some(place)).map(ConsumerSetting::EnableAutoCommit),
        "enable.auto.offset.store" => return r.boolean(Some(place)).map(ConsumerSetting::EnableAutoOffsetStore),
        "auto.offset.reset" => return read_reset(r, place, library).map(ConsumerSetting::AutoOffsetReset),
        "partition.assignment.strategy" => {
            let assignors = read_assignors(r, place, library)?;
            return Some(ConsumerSetting::PartitionAssignmentStrategy(AssignorList::new(&assignors)));
        }
        "max.poll.records" => {
            let most = if matches!(library, Library::Librdkafka { .. }) { bounds::RECORDS } else { MOST_INT as u32 };
            return r.count(Some(place), 1..=most).map(ConsumerSetting::MaxPollRecords);
        }
        "autoCommitThreshold" if is_none => return Some(ConsumerSetting::AutoCommitThreshold(None)),
        "autoCommitThreshold" => {
            let records = r.count(Some(place), 1..=MOST_INT as u32)?;
            return Some(ConsumerSetting::AutoCommitThreshold(Some(records)));
        }
        "auto.commit.interval.ms" if matches!(library, Library::KafkaJs { .. }) => {
            let read = |r: &mut Reader<'t>| read_time(r, place, library, java).map(Some);
            let interval = if is_none { Some(None) } else { read(r) };
            return interval.map(ConsumerSetting::LoopCommitInterval);
        }
        "session.timeout.ms" => ConsumerSetting::SessionTimeout,
        "heartbeat.interval.ms" => ConsumerSetting::HeartbeatInterval,
        "auto.commit.interval.ms" => ConsumerSetting::AutoCommitInterval,
        "metadata.max.age.ms" => ConsumerSetting::MetadataMaxAge,
        _ => ConsumerSetting::MaxPollInterval,
    };
    read_time(r, place, library, java).map(setting)
}

/// How long a setting may be, by Java's name, in milliseconds.
fn bounds_of(library: Library, java: &str) -> RangeInclusive<u64> {
    match (library, java) {
        (Library::Librdkafka { .. }, "session.timeout.ms" | "heartbeat.interval.ms") => 1..=MOST_LIBRDKAFKA_HOUR,
        (Library::Librdkafka { .. }, "max.poll.interval.ms") => 1..=MOST_LIBRDKAFKA_DAY,
        (Library::Librdkafka { .. }, "auto.commit.interval.ms") => 0..=MOST_LIBRDKAFKA_DAY,
        (Library::Librdkafka { .. }, "metadata.max.age.ms") => 1..=MOST_LIBRDKAFKA_REFRESH,
        (Library::KafkaPython, "auto.commit.interval.ms") => 0..=MOST_INT,
        _ => 1..=MOST_INT,
    }
}

fn read_time<'t>(r: &mut Reader<'t>, place: Place<'t>, library: Library, java: &str) -> Option<Span> {
    r.whole(Some(place), bounds_of(library, java), Unit::Millis).map(Span::from_millis)
}

/// Where to begin without a committed offset.
fn read_reset<'t>(r: &mut Reader<'t>, place: Place<'t>, library: Library) -> Option<OffsetReset> {
    let of_librdkafka = [
        ("earliest", OffsetReset::Earliest),
        ("smallest", OffsetReset::Earliest),
        ("beginning", OffsetReset::Earliest),
        ("latest", OffsetReset::Latest),
        ("largest", OffsetReset::Latest),
        ("end", OffsetReset::Latest),
    ];
    let of_python = [("earliest", OffsetReset::Earliest), ("latest", OffsetReset::Latest)];
    match library {
        Library::KafkaJs { .. } => {
            let from_beginning = r.boolean(Some(place))?;
            Some(if from_beginning { OffsetReset::Earliest } else { OffsetReset::Latest })
        }
        Library::Librdkafka { .. } => r.word(Some(place), &of_librdkafka, |word| word == "error"),
        _ => r.word(Some(place), &of_python, |word| word == "none"),
    }
}

/// One assignor, or a list with the first choice first.
fn read_assignors<'t>(r: &mut Reader<'t>, place: Place<'t>, library: Library) -> Option<Rc<[Assignor]>> {
    let words = library.assignors();
    let places = match place.value {
        Value::Array(_) => r.list(Some(place), 1, words.len() as u32),
        _ => vec![place],
    };
    let others = not_modelled(library);
    let read = |place| r.word(Some(place), words, |word| others.contains(&word));
    let read: Vec<Option<Assignor>> = places.into_iter().map(read).collect();
    read.into_iter().collect::<Option<Rc<[Assignor]>>>().filter(|assignors| !assignors.is_empty())
}

struct Settings<'r, 't> {
    r: &'r mut Reader<'t>,
    fields: &'r Fields<'t>,
    /// The client's defaults.
    base: ConsumerSettings,
}

/// The settings that clients have in one form or another, by Java's names, and those that only one has.
const KNOWN: [&str; 11] = [
    "enable.auto.commit",
    "auto.commit.interval.ms",
    "auto.offset.reset",
    "partition.assignment.strategy",
    "session.timeout.ms",
    "heartbeat.interval.ms",
    "max.poll.interval.ms",
    "max.poll.records",
    "metadata.max.age.ms",
    "enable.auto.offset.store",
    "autoCommitThreshold",
];

/// How many of them all have.
const IN_ALL: usize = 9;

impl<'t> Settings<'_, 't> {
    /// Reads all that are there. False if one of them has a mistake.
    fn read(&mut self) -> bool {
        let library = self.base.library;
        let read: Vec<Option<ConsumerSetting>> = KNOWN
            .into_iter()
            .filter_map(|java| Some((java, self.fields.get(library.setting_name(java))?)))
            .map(|found| read_one(self.r, found, library))
            .collect();
        for &setting in read.iter().flatten() {
            self.base.set(setting);
        }
        let own = self.own_time();
        if let (
            Library::KafkaJs { max_wait: time, .. } | Library::AioKafka { rebalance_timeout: time },
            Some(Some(span)),
        ) = (&mut self.base.library, own)
        {
            *time = span;
        }
        own.is_some() && read.iter().all(Option::is_some)
    }

    /// A length of time that only this library has, if it is there.
    fn own_time(&mut self) -> Option<Option<Span>> {
        let place = match self.base.library {
            Library::KafkaJs { .. } => self.fields.get("maxWaitTimeInMs"),
            Library::AioKafka { .. } => self.fields.get("rebalance_timeout_ms"),
            _ => None,
        };
        match place {
            None => Some(None),
            place => self.r.whole(place, 1..=MOST_INT, Unit::Millis).map(|millis| Some(Span::from_millis(millis))),
        }
    }
}
