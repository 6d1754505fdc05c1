//! Consumer groups: settings with Kafka's names and defaults, handling, members.

use super::clients::{Client, Family, meant, read_client};
use super::cluster::{Cluster, MOST_INT};
use super::consumer_settings;
use super::fields::*;
use super::handling::{read_auto_offset_reset, read_handling};
use super::mistake::{Contradiction, Kind, Problem, Side, Type, Unit};
use super::modern;
use super::names::Names;
use super::producers::read_moment;
use super::reader::{Fields, Place, Reader, strings};
use super::since;
use super::version::Version;
use super::vocabulary::Vocabulary;
use crate::sim::assignor::Assignor;
use crate::sim::failing::GivesUp;
use crate::sim::setup::{
    CommitWhen, ConsumerConfig, ConsumerSettings, ConsumerSetup, GroupProtocol, GroupSetup, Handling, Library, Reads,
    bounds,
};
use crate::sim::time::{Span, Time};
use crate::sim::{GroupId, Offset, TopicId, TopicPartition};
use jsonc_parser::ast::Value;
use std::rc::Rc;

/// All groups with their clients, and all of their members.
pub(super) type Groups = (Vec<(GroupSetup, Client)>, Vec<ConsumerSetup>);

pub(super) fn read<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    (names, cluster, topics, ends_at): (&Names<'t>, Option<&Cluster>, usize, Option<Time>),
    vocabulary: &mut Vocabulary,
) -> Option<Groups> {
    let mut own_names = Vec::new();
    let mut members = Members { ends_at, ..Members::default() };
    let groups: Vec<Option<(GroupSetup, Client)>> = r
        .list(place.clone(), 0, bounds::GROUPS)
        .into_iter()
        .enumerate()
        .map(|(index, place)| {
            let fields = r.object(Some(place), &GROUP)?;
            let name = r.name(fields.get("name"));
            own_names.extend(name.zip(fields.get("name")));
            let committed = read_committed(r, fields.get("committed"), names);
            let base = Base::read(r, &fields, (names, cluster, topics), vocabulary);
            members.read(r, fields.get("members"), GroupId::at(index), (&base, names, cluster, vocabulary));
            base.config.as_ref()?;
            Some((GroupSetup { name: name?.into(), committed: committed? }, base.client?))
        })
        .collect();
    r.check_unique(Kind::Group, &own_names);
    r.check_unique(Kind::Member, &members.names);
    if members.count > bounds::MEMBERS as usize {
        let (found, most) = (members.count.to_string(), u64::from(bounds::MEMBERS));
        r.report(&place?, Problem::OutOfRange { found, least: 1, most, unit: Unit::Plain });
    }
    Some((groups.into_iter().collect::<Option<_>>()?, members.consumers))
}

#[derive(Default)]
struct Members<'t> {
    ends_at: Option<Time>,
    count: usize,
    names: Vec<(&'t str, Place<'t>)>,
    consumers: Vec<ConsumerSetup>,
}

/// What a group says of all of its members; each may say something else of itself.
struct Base<'t> {
    client: Option<Client>,
    /// See [`meant`].
    meant: Option<Option<Client>>,
    settings: Option<(Place<'t>, Fields<'t>)>,
    handling: Option<(Place<'t>, Fields<'t>)>,
    config: Option<Rc<ConsumerConfig>>,
    topics: usize,
}

impl<'t> Base<'t> {
    fn read(
        r: &mut Reader<'t>,
        fields: &Fields<'t>,
        (names, cluster, topics): (&Names<'t>, Option<&Cluster>, usize),
        vocabulary: &mut Vocabulary,
    ) -> Self {
        let client = read_client(r, fields.get("client"), cluster);
        let subscribed = read_topics(r, fields.get("topics"), names, topics);
        let mut object = |field, table| {
            let place: Option<Place<'t>> = fields.get(field);
            place.clone().zip(r.object(place, table))
        };
        let meant = meant(fields.get("client").as_ref(), client);
        let family = |client: Option<Client>| client.map_or(Family::Java, |client| client.family);
        let settings = meant.and_then(|client| object("settings", consumer_settings::table(family(client))));
        let handling = object("handling", &HANDLING);
        let read = settings
            .as_ref()
            .zip(meant)
            .and_then(|((place, fields), client)| read_settings(r, (place, fields), cluster, client));
        let auto_commit = read.as_ref().is_none_or(|settings| settings.enable_auto_commit);
        let runs_the_handler = read.as_ref().is_some_and(|settings| settings.library.runs_the_handler());
        let handled = handling.as_ref().and_then(|(place, fields)| {
            read_handling(r, (place, fields), (names, vocabulary), (auto_commit, runs_the_handler))
        });
        let read = handling
            .as_ref()
            .zip(handled.as_ref())
            .zip(read)
            .and_then(|(((_, fields), handling), settings)| read_of_library(r, (fields, handling), settings));
        let config = subscribed.zip(read).zip(handled).map(|((topics, settings), handling)| {
            Rc::new(ConsumerConfig { reads: Reads::Subscribed(topics.into()), settings, handling })
        });
        Base { client, meant, settings, handling, config, topics }
    }

    /// How a member is started that says something of itself.
    fn of_member(
        &self,
        r: &mut Reader<'t>,
        (place, fields): (&Place<'t>, &Fields<'t>),
        (names, vocabulary): (&Names<'t>, &mut Vocabulary),
        cluster: Option<&Cluster>,
    ) -> Option<Rc<ConsumerConfig>> {
        if fields.count(&["topics", "assign"]) > 1 {
            r.exactly_one(place, fields, &["topics", "assign"]);
        }
        let client = match fields.get("client") {
            None => self.client,
            place => read_client(r, place, cluster),
        };
        let mut object = |field, table| {
            let place: Option<Place<'t>> = fields.get(field);
            place.clone().zip(r.object(place, table))
        };
        let family = |client: Option<Client>| client.map_or(Family::Java, |client| client.family);
        let is_of_base = family(client) == family(self.client);
        let meant = match fields.get("client") {
            None => self.meant,
            place => meant(place.as_ref(), client),
        };
        let settings = meant.and_then(|client| object("settings", consumer_settings::table(family(client))));
        let handling = object("handling", &MEMBER_HANDLING);
        let reads = match (fields.get("assign"), fields.get("topics")) {
            (None, None) => None,
            (None, topics) => read_topics(r, topics, names, self.topics).map(|topics| Reads::Subscribed(topics.into())),
            (assign, _) => read_assigned(r, assign, names),
        };
        let mut config = ConsumerConfig::clone(self.config.as_ref()?);
        config.reads = reads.unwrap_or(config.reads);
        let layered = |own: Option<(Place<'t>, Fields<'t>)>, base: &Option<(Place<'t>, Fields<'t>)>| match (own, base) {
            (Some((place, own)), Some((_, base))) => Some((place, own.over(base))),
            (None, Some(base)) => Some(base.clone()),
            _ => None,
        };
        let is_set = settings.is_some() || fields.get("client").is_some();
        let own_settings = match is_of_base {
            true => layered(settings, &self.settings),
            // The names of another library's settings mean nothing here.
            false if settings.is_none() => {
                r.required(place, fields, "settings");
                return None;
            }
            false => settings,
        };
        if let Some((place, fields)) = own_settings.filter(|_| is_set) {
            config.settings = read_settings(r, (&place, &fields), cluster, client)?;
        }
        if let Some((place, fields)) = layered(handling, &self.handling) {
            let of_client = (config.settings.enable_auto_commit, config.settings.library.runs_the_handler());
            config.handling = read_handling(r, (&place, &fields), (names, vocabulary), of_client)?;
            config.settings = read_of_library(r, (&fields, &config.handling), config.settings)?;
        }
        Some(Rc::new(config))
    }
}

impl<'t> Members<'t> {
    fn read(
        &mut self,
        r: &mut Reader<'t>,
        place: Option<Place<'t>>,
        group: GroupId,
        (base, names, cluster, vocabulary): (&Base<'t>, &Names<'t>, Option<&Cluster>, &mut Vocabulary),
    ) {
        for place in r.list(place, 1, bounds::MEMBERS) {
            self.count += 1;
            let Some(fields) = r.object(Some(place.clone()), &MEMBER) else {
                continue;
            };
            let name = r.name(fields.get("name"));
            self.names.extend(name.zip(fields.get("name")));
            let ends_at = self.ends_at;
            let starts_at = match fields.get("starts_at") {
                Some(Place { value: Value::StringLit(text), .. }) if text.value == "never" => Some(Time::NEVER),
                starts_at => r.or(starts_at, Time::ZERO, |r, place| read_moment(r, place, ends_at)),
            };
            let instance_id = match fields.get("group.instance.id") {
                None => Some(None),
                place => r.name(place).map(|name| Some(Rc::from(name))),
            };
            if let Some(cluster) = cluster {
                since::check_fields(r, &fields, Side::Broker, cluster.kafka);
            }
            let is_plain = fields.count(&["topics", "assign", "client", "settings", "handling"]) == 0;
            let config = match is_plain {
                true => base.config.clone(),
                false => base.of_member(r, (&place, &fields), (names, vocabulary), cluster),
            };
            if let Some(config) = &config {
                let (major, minor) = config.settings.release;
                since::check_fields(r, &fields, Side::Client, Version::new(major, minor));
            }
            if let Some(config) = &config
                && matches!(config.settings.library, Library::KafkaJs { .. })
            {
                for what in ["assign", "group.instance.id"] {
                    if let Some(place) = fields.get(what) {
                        r.report(&place, Problem::Contradiction(Contradiction::NotInKafkaJs { what }));
                    }
                }
            }
            if let (Some(config), Some(others)) = (&config, &base.config) {
                modern::check_one_protocol(r, (&place, &fields), config, others);
            }
            if let (Some(name), Some(starts_at), Some(instance_id), Some(config)) =
                (name, starts_at, instance_id, config)
            {
                self.consumers.push(ConsumerSetup { name: name.into(), group, instance_id, starts_at, config });
            }
        }
    }
}

/// What a group has committed before the run.
fn read_committed<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    names: &Names<'t>,
) -> Option<Vec<(TopicPartition, Offset)>> {
    let entries = r.entries(place).into_iter().map(|(name, place)| {
        let partition = names.partition_named(r, &place, name);
        let offset = r.count(Some(place), 0..=bounds::RECORDS);
        partition.zip(offset)
    });
    let entries: Vec<Option<_>> = entries.collect();
    entries.into_iter().collect()
}

/// The partitions that a member gives to `assign()`.
fn read_assigned<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>, names: &Names<'t>) -> Option<Reads> {
    let mut seen = Vec::new();
    let mut partitions = Vec::new();
    for place in r.list(place, 1, bounds::PARTITIONS) {
        let partition = names.partition(r, Some(place.clone()));
        if let (Some(partition), Value::StringLit(name)) = (partition, place.value) {
            seen.push((&*name.value, place.clone()));
            partitions.push(partition);
        }
    }
    r.check_unique(Kind::Partition, &seen);
    Some(Reads::Assigned(partitions.into()))
}

/// The topics that a group subscribes to; all of them if nothing is said.
fn read_topics<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    names: &Names<'t>,
    topics: usize,
) -> Option<Vec<TopicId>> {
    if place.is_none() {
        return Some((0..topics).map(TopicId::at).collect());
    }
    let mut seen = Vec::new();
    let mut subscribed = Vec::new();
    for place in r.list(place, 1, bounds::TOPICS) {
        let topic = names.topic(r, Some(place.clone()));
        if let (Some(topic), Value::StringLit(name)) = (topic, place.value) {
            seen.push((&*name.value, place.clone()));
            subscribed.push(topic);
        }
    }
    r.check_unique(Kind::Topic, &seen);
    Some(subscribed)
}

/// What of a handling depends on the client library: how many records the application asks for in one call, and whether
/// there is a listener in which it could commit.
fn read_of_library<'t>(
    r: &mut Reader<'t>,
    (fields, handling): (&Fields<'t>, &Handling),
    mut settings: ConsumerSettings,
) -> Option<ConsumerSettings> {
    if let Some(place) = fields.get("max_records") {
        let records = r.count(Some(place.clone()), 1..=bounds::RECORDS)?;
        match settings.library {
            Library::Librdkafka { .. } => settings.max_poll_records = records,
            _ => r.report(&place, Problem::Contradiction(Contradiction::OnlyLibrdkafkaRecords)),
        }
    }
    if matches!(settings.library, Library::KafkaJs { .. }) && !check_kafkajs(r, fields, handling) {
        return None;
    }
    Some(settings)
}

/// What an application around kafkajs cannot do. True if nothing of it is asked for.
fn check_kafkajs<'t>(r: &mut Reader<'t>, fields: &Fields<'t>, handling: &Handling) -> bool {
    let cannot = |what| Contradiction::NotInKafkaJs { what };
    let by_the_batch = match handling.commit.when {
        CommitWhen::BeforeBatch => Some(cannot("before_batch")),
        CommitWhen::AfterBatch => Some(cannot("after_batch")),
        _ => None,
    };
    let checks = [
        ("pool", handling.pool.map(|_| Contradiction::PoolBehindKafkaJs)),
        ("commit", handling.commit.on_revoke.then_some(Contradiction::NoRebalanceListener)),
        ("commit", by_the_batch),
        ("on_error", (handling.on_error.then == GivesUp::LeaveLoop).then(|| cannot("leave_loop"))),
    ];
    let mut is_possible = true;
    for (field, contradiction) in checks {
        if let Some((place, contradiction)) = fields.get(field).zip(contradiction) {
            r.report(&place, Problem::Contradiction(contradiction));
            is_possible = false;
        }
    }
    is_possible
}

/// `fields` are those of settings at `place`.
fn read_settings<'t>(
    r: &mut Reader<'t>,
    (place, fields): (&Place<'t>, &Fields<'t>),
    cluster: Option<&Cluster>,
    client: Option<Client>,
) -> Option<ConsumerSettings> {
    if let Some(client) = client.filter(|client| client.family != Family::Java) {
        return consumer_settings::read(r, (place, fields), cluster, client);
    }
    if let Some(client) = client {
        since::check_fields(r, fields, Side::Client, client.version);
    }
    let default =
        client.map_or_else(ConsumerSettings::default, |client| ConsumerSettings::of_release(client.version.release()));
    let auto_commit = r.or(fields.get("enable.auto.commit"), default.enable_auto_commit, Reader::boolean);
    let group_protocol = modern::read_protocol(r, fields, cluster, client).map(|(protocol, _)| protocol);
    let assignors = r.or(fields.get("partition.assignment.strategy"), default.assignors.clone(), |r, place| {
        read_assignors(r, place, client)
    });
    let auto_offset_reset = r.or(fields.get("auto.offset.reset"), default.auto_offset_reset, |r, place| {
        read_auto_offset_reset(r, place, client)
    });
    let mut millis = |name, default, least| {
        r.or(fields.get(name), default, |r, place| {
            r.whole(place, least..=MOST_INT, Unit::Millis).map(Span::from_millis)
        })
    };
    let session = millis("session.timeout.ms", default.session_timeout, 1);
    let heartbeat = millis("heartbeat.interval.ms", default.heartbeat_interval, 1);
    let max_poll_interval = millis("max.poll.interval.ms", default.max_poll_interval, 1);
    let metadata_max_age = millis("metadata.max.age.ms", default.metadata_max_age, 1);
    let auto_commit_interval = millis("auto.commit.interval.ms", default.auto_commit_interval, 0);
    let max_poll_records =
        r.or(fields.get("max.poll.records"), default.max_poll_records, |r, place| r.count(place, 1..=MOST_INT as u32));
    let (session_timeout, heartbeat_interval) = (session?, heartbeat?);
    let session_place = fields.get("session.timeout.ms").unwrap_or_else(|| place.clone());
    let heartbeat_place = fields.get("heartbeat.interval.ms").unwrap_or_else(|| session_place.clone());
    let timeouts = ConsumerSettings { session_timeout, heartbeat_interval, ..default };
    if group_protocol == Some(GroupProtocol::Classic) {
        check_timeouts(r, &timeouts, cluster, (&session_place, &heartbeat_place));
    }
    Some(ConsumerSettings {
        max_poll_interval: max_poll_interval?,
        max_poll_records: max_poll_records?,
        auto_offset_reset: auto_offset_reset?,
        group_protocol: group_protocol?,
        assignors: assignors?,
        metadata_max_age: metadata_max_age?,
        enable_auto_commit: auto_commit?,
        auto_commit_interval: auto_commit_interval?,
        ..timeouts
    })
}

/// What the client and the broker say to the timeouts of a member of the classic protocol, at the places of
/// `session.timeout.ms` and `heartbeat.interval.ms`.
pub(super) fn check_timeouts<'t>(
    r: &mut Reader<'t>,
    settings: &ConsumerSettings,
    cluster: Option<&Cluster>,
    (session_place, heartbeat_place): (&Place<'t>, &Place<'t>),
) {
    let (session, heartbeat) = (settings.session_timeout.as_millis(), settings.heartbeat_interval.as_millis());
    let names = match settings.library {
        Library::Java | Library::Librdkafka { .. } => ["heartbeat.interval.ms", "session.timeout.ms"],
        Library::KafkaJs { .. } => ["heartbeatInterval", "sessionTimeout"],
        Library::KafkaPython | Library::AioKafka { .. } => ["heartbeat_interval_ms", "session_timeout_ms"],
    };
    if heartbeat >= session {
        let contradiction = Contradiction::HeartbeatNotBelowSession { names, heartbeat, session };
        r.report(heartbeat_place, Problem::Contradiction(contradiction));
    }
    let Some(cluster) = cluster else {
        return;
    };
    let (least, most) = cluster.settings.session_timeout_bounds;
    let (least, most) = (least.as_millis(), most.as_millis());
    if !(least..=most).contains(&session) {
        let contradiction = Contradiction::SessionOutsideOfBroker { name: names[1], session, least, most };
        r.report(session_place, Problem::Contradiction(contradiction));
    }
}

/// `partition.assignment.strategy`: one assignor, or a list with the first choice first.
pub(super) fn read_assignors<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    client: Option<Client>,
) -> Option<Rc<[Assignor]>> {
    let place = place?;
    match place.value {
        Value::StringLit(_) => Some([read_assignor(r, &place, client)?].into()),
        Value::Array(_) => {
            let places = r.list(Some(place), 1, Assignor::ALL.len() as u32);
            let assignors: Vec<Option<Assignor>> = places.iter().map(|place| read_assignor(r, place, client)).collect();
            let named = assignors.iter().map(|assignor| Some((*assignor)?.name()));
            modern::check_repeated(r, Side::Client, places.iter().zip(named));
            assignors.into_iter().collect()
        }
        _ => {
            r.wrong_type(&place, &[Type::String, Type::List]);
            None
        }
    }
}

fn read_assignor<'t>(r: &mut Reader<'t>, place: &Place<'t>, client: Option<Client>) -> Option<Assignor> {
    let found = r.string(Some(place.clone()))?;
    let known = Assignor::ALL.into_iter().find(|known| found == known.name() || found == known.java_class());
    if known.is_none() {
        let names = Assignor::ALL.map(Assignor::name);
        let suggestion = r.nearest(found, names);
        let problem = Problem::NotOneOf { found: found.to_owned(), allowed: strings(&names), suggestion };
        r.report(place, problem);
    }
    if let (Some(assignor), Some(client)) = (known, client) {
        since::check(r, place, assignor.name(), Side::Client, client.version);
    }
    known
}
