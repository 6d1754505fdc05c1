//! The settings of consumers with other clients than Java's: names, bounds and defaults of each.
//!
//! Source: librdkafka, `CONFIGURATION.md`; kafkajs, `src/consumer/index.js`; kafka-python, `kafka/consumer/group.py`;
//! aiokafka, `aiokafka/consumer/consumer.py`.

use super::clients::{Client, Family};
use super::cluster::{Cluster, MOST_INT};
use super::fields::*;
use super::groups::check_timeouts;
use super::mistake::{Contradiction, Problem, Unit};
use super::producer_settings::MOST_LIBRDKAFKA_REFRESH;
use super::reader::{Fields, Place, Reader};
use super::version::Version;
use crate::sim::assignor::Assignor;
use crate::sim::setup::{ConsumerSettings, Library, OffsetReset, Release};
use crate::sim::time::Span;
use jsonc_parser::ast::Value;
use std::rc::Rc;

/// The largest `session.timeout.ms` and `heartbeat.interval.ms` of librdkafka.
pub(super) const MOST_LIBRDKAFKA_HOUR: u64 = 3_600_000;
/// The largest `max.poll.interval.ms` and `auto.commit.interval.ms` of librdkafka.
pub(super) const MOST_LIBRDKAFKA_DAY: u64 = 86_400_000;

/// The Java client whose requests those of the other libraries are like: they join twice (KIP-394) and know lost partitions
/// (KIP-429), but a static leader that comes back deals anew (KIP-814).
const LIKE_JAVA: Release = (3, 0);

/// Several assignors in one string, as librdkafka takes them: here they are a list.
const LIBRDKAFKA_LISTS: [&str; 2] = ["range,roundrobin", "roundrobin,range"];

/// The sticky assignors of the Python clients: forms of their own of Java's. The last one only kafka-python has.
const STICKY_IN_PYTHON: [&str; 2] = ["StickyPartitionAssignor", "CooperativeStickyAssignor"];

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

/// The settings of a client other than Java's, `fields` at `place`.
pub(super) fn read<'t>(
    r: &mut Reader<'t>,
    (place, fields): (&Place<'t>, &Fields<'t>),
    cluster: Option<&Cluster>,
    client: Client,
) -> Option<ConsumerSettings> {
    let mut settings = Settings { r, fields };
    let read = match client.family {
        Family::Librdkafka => settings.librdkafka(place),
        Family::KafkaJs => settings.kafkajs(),
        Family::KafkaPython => settings.kafka_python(cluster),
        Family::AioKafka => settings.aiokafka(),
        Family::Java => None,
    }?;
    let session = ["session.timeout.ms", "sessionTimeout", "session_timeout_ms"];
    let heartbeat = ["heartbeat.interval.ms", "heartbeatInterval", "heartbeat_interval_ms"];
    let place_of = |names: [&str; 3]| names.into_iter().find_map(|name| fields.get(name));
    let session_place = place_of(session).unwrap_or_else(|| place.clone());
    let heartbeat_place = place_of(heartbeat).unwrap_or_else(|| session_place.clone());
    check_timeouts(r, &read, cluster, (&session_place, &heartbeat_place));
    Some(read)
}

struct Settings<'r, 't> {
    r: &'r mut Reader<'t>,
    fields: &'r Fields<'t>,
}

impl<'t> Settings<'_, 't> {
    fn count(&mut self, name: &str, default: u32) -> Option<u32> {
        self.r.or(self.fields.get(name), default, |r, place| r.count(place, 1..=MOST_INT as u32))
    }

    fn millis(&mut self, name: &str, least: u64, most: u64, default: Span) -> Option<Span> {
        let place = self.fields.get(name);
        self.r.or(place, default, |r, place| r.whole(place, least..=most, Unit::Millis).map(Span::from_millis))
    }

    fn switch(&mut self, name: &str, default: bool) -> Option<bool> {
        self.r.or(self.fields.get(name), default, Reader::boolean)
    }

    /// `others` are real values that are not modelled.
    fn reset(&mut self, name: &str, words: &[(&str, OffsetReset)], others: &[&str]) -> Option<OffsetReset> {
        self.r.or(self.fields.get(name), OffsetReset::Latest, |r, place| {
            r.word(place, words, |word| others.contains(&word))
        })
    }

    /// One assignor, or a list with the first choice first. `others` are real values that are not modelled.
    fn assignors(
        &mut self,
        name: &str,
        (words, others): (&[(&str, Assignor)], &[&str]),
        default: &[Assignor],
    ) -> Option<Rc<[Assignor]>> {
        let Some(place) = self.fields.get(name) else {
            return Some(default.into());
        };
        let places = match place.value {
            Value::Array(_) => self.r.list(Some(place), 1, words.len() as u32),
            _ => vec![place],
        };
        let read: Vec<Option<Assignor>> =
            places.into_iter().map(|place| self.r.word(Some(place), words, |word| others.contains(&word))).collect();
        read.into_iter().collect::<Option<Rc<[Assignor]>>>().filter(|assignors| !assignors.is_empty())
    }

    fn librdkafka(&mut self, settings_place: &Place<'t>) -> Option<ConsumerSettings> {
        let base = ConsumerSettings::of_release(LIKE_JAVA);
        let resets = [
            ("earliest", OffsetReset::Earliest),
            ("smallest", OffsetReset::Earliest),
            ("beginning", OffsetReset::Earliest),
            ("latest", OffsetReset::Latest),
            ("largest", OffsetReset::Latest),
            ("end", OffsetReset::Latest),
        ];
        let known = [Assignor::Range, Assignor::RoundRobin, Assignor::CooperativeSticky];
        let words = known.map(|assignor| (assignor.name(), assignor));
        let auto_commit = self.switch("enable.auto.commit", true);
        let interval = self.millis("auto.commit.interval.ms", 0, MOST_LIBRDKAFKA_DAY, base.auto_commit_interval);
        let store = self.switch("enable.auto.offset.store", true);
        let reset = self.reset("auto.offset.reset", &resets, &["error"]);
        let assignors = self.assignors("partition.assignment.strategy", (&words, &LIBRDKAFKA_LISTS), &known[..2]);
        let session = self.millis("session.timeout.ms", 1, MOST_LIBRDKAFKA_HOUR, base.session_timeout);
        let heartbeat = self.millis("heartbeat.interval.ms", 1, MOST_LIBRDKAFKA_HOUR, base.heartbeat_interval);
        let poll = self.millis("max.poll.interval.ms", 1, MOST_LIBRDKAFKA_DAY, base.max_poll_interval);
        let refresh =
            self.millis("topic.metadata.refresh.interval.ms", 1, MOST_LIBRDKAFKA_REFRESH, base.metadata_max_age);
        let (session_timeout, max_poll_interval, assignors) = (session?, poll?, assignors?);
        if max_poll_interval < session_timeout {
            let place = self.fields.get("max.poll.interval.ms").unwrap_or_else(|| settings_place.clone());
            let (poll, session) = (max_poll_interval.as_millis(), session_timeout.as_millis());
            self.r.report(&place, Problem::Contradiction(Contradiction::PollBelowSession { poll, session }));
        }
        let cooperative = assignors.iter().filter(|assignor| assignor.supports_cooperative()).count();
        if let Some(place) = self.fields.get("partition.assignment.strategy")
            && (1..assignors.len()).contains(&cooperative)
        {
            self.r.report(&place, Problem::Contradiction(Contradiction::MixedRebalanceProtocols));
        }
        Some(ConsumerSettings {
            session_timeout,
            heartbeat_interval: heartbeat?,
            max_poll_interval,
            max_poll_records: 1,
            auto_offset_reset: reset?,
            assignors,
            metadata_max_age: refresh?,
            enable_auto_commit: auto_commit?,
            auto_commit_interval: interval?,
            library: Library::Librdkafka { auto_offset_store: store? },
            ..base
        })
    }

    fn kafkajs(&mut self) -> Option<ConsumerSettings> {
        let base = ConsumerSettings::of_release(LIKE_JAVA);
        let auto_commit = self.switch("autoCommit", true);
        let interval = match self.fields.get("autoCommitInterval") {
            None => Some(None),
            Some(_) => self.millis("autoCommitInterval", 1, MOST_INT, Span::ZERO).map(Some),
        };
        let threshold = match self.fields.get("autoCommitThreshold") {
            None => Some(None),
            Some(_) => self.count("autoCommitThreshold", 1).map(Some),
        };
        let from_beginning = self.switch("fromBeginning", false);
        let session = self.millis("sessionTimeout", 1, MOST_INT, Span::from_secs(30));
        let rebalance = self.millis("rebalanceTimeout", 1, MOST_INT, Span::from_secs(60));
        let heartbeat = self.millis("heartbeatInterval", 1, MOST_INT, Span::from_secs(3));
        let max_wait = self.millis("maxWaitTimeInMs", 1, MOST_INT, Span::from_secs(5));
        let metadata_max_age = self.millis("metadataMaxAge", 1, MOST_INT, base.metadata_max_age);
        Some(ConsumerSettings {
            session_timeout: session?,
            heartbeat_interval: heartbeat?,
            max_poll_interval: rebalance?,
            max_poll_records: MOST_INT as u32,
            auto_offset_reset: if from_beginning? { OffsetReset::Earliest } else { OffsetReset::Latest },
            assignors: [Assignor::RoundRobinAssigner].into(),
            metadata_max_age: metadata_max_age?,
            enable_auto_commit: auto_commit?,
            library: Library::KafkaJs {
                auto_commit_interval: interval?,
                auto_commit_threshold: threshold?,
                max_wait: max_wait?,
            },
            ..base
        })
    }

    /// What both Python clients have in common; defaults as in `base`.
    fn python(&mut self, base: ConsumerSettings, least_interval: u64) -> Option<ConsumerSettings> {
        let words =
            [("RangePartitionAssignor", Assignor::Range), ("RoundRobinPartitionAssignor", Assignor::RoundRobin)];
        let resets = [("earliest", OffsetReset::Earliest), ("latest", OffsetReset::Latest)];
        let auto_commit = self.switch("enable_auto_commit", true);
        let interval = self.millis("auto_commit_interval_ms", least_interval, MOST_INT, base.auto_commit_interval);
        let reset = self.reset("auto_offset_reset", &resets, &["none"]);
        let assignors = self.assignors("partition_assignment_strategy", (&words, &STICKY_IN_PYTHON), &base.assignors);
        let session = self.millis("session_timeout_ms", 1, MOST_INT, base.session_timeout);
        let heartbeat = self.millis("heartbeat_interval_ms", 1, MOST_INT, base.heartbeat_interval);
        let poll = self.millis("max_poll_interval_ms", 1, MOST_INT, base.max_poll_interval);
        let records = self.count("max_poll_records", base.max_poll_records);
        let metadata = self.millis("metadata_max_age_ms", 1, MOST_INT, base.metadata_max_age);
        Some(ConsumerSettings {
            session_timeout: session?,
            heartbeat_interval: heartbeat?,
            max_poll_interval: poll?,
            max_poll_records: records?,
            auto_offset_reset: reset?,
            assignors: assignors?,
            metadata_max_age: metadata?,
            enable_auto_commit: auto_commit?,
            auto_commit_interval: interval?,
            ..base
        })
    }

    fn kafka_python(&mut self, cluster: Option<&Cluster>) -> Option<ConsumerSettings> {
        let is_old = cluster.is_some_and(|cluster| cluster.kafka < Version::new(3, 0));
        let base = ConsumerSettings {
            session_timeout: Span::from_secs(if is_old { 30 } else { 45 }),
            assignors: [Assignor::Range, Assignor::RoundRobin].into(),
            library: Library::KafkaPython,
            ..ConsumerSettings::of_release(LIKE_JAVA)
        };
        self.python(base, 0)
    }

    fn aiokafka(&mut self) -> Option<ConsumerSettings> {
        let base = ConsumerSettings {
            session_timeout: Span::from_secs(10),
            max_poll_records: MOST_INT as u32,
            assignors: [Assignor::RoundRobin].into(),
            ..ConsumerSettings::of_release(LIKE_JAVA)
        };
        let read = self.python(base, 1)?;
        let rebalance_timeout = self.millis("rebalance_timeout_ms", 1, MOST_INT, read.session_timeout)?;
        Some(ConsumerSettings { library: Library::AioKafka { rebalance_timeout }, ..read })
    }
}
