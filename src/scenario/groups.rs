//! Consumer groups: settings with Kafka's names and defaults, handling, members.

use super::cluster::{Client, Cluster, MOST_INT, read_client};
use super::fields::*;
use super::mistake::{Contradiction, Kind, Problem, Type, Unit};
use super::names::Names;
use super::producers::read_moment;
use super::reader::{Fields, Place, Reader, strings};
use crate::sim::setup::{
    CommitPolicy, ConsumerConfig, ConsumerSettings, ConsumerSetup, GroupSetup, Handling, OffsetReset, Reads, bounds,
};
use crate::sim::time::{Span, Time};
use crate::sim::{GroupId, TopicId};
use jsonc_parser::ast::Value;
use std::rc::Rc;

pub(super) const LONGEST_HANDLING: Span = Span::from_secs(24 * 60 * 60);

/// The assignors that Kafka's clients know; only the first is modelled.
const ASSIGNORS: [(&str, &str); 4] = [
    ("range", "org.apache.kafka.clients.consumer.RangeAssignor"),
    ("roundrobin", "org.apache.kafka.clients.consumer.RoundRobinAssignor"),
    ("sticky", "org.apache.kafka.clients.consumer.StickyAssignor"),
    ("cooperative-sticky", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"),
];

/// All groups with their clients, and all of their members.
pub(super) type Groups = (Vec<(GroupSetup, Client)>, Vec<ConsumerSetup>);

pub(super) fn read<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    names: &Names<'t>,
    cluster: Option<&Cluster>,
    topics: usize,
    ends_at: Option<Time>,
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
            let client = read_client(r, fields.get("client"), cluster);
            let topics = read_topics(r, fields.get("topics"), names, topics);
            let settings = read_settings(r, fields.get("settings"), cluster, client);
            let handling = read_handling(r, fields.get("handling"), names);
            let config = topics.zip(settings).zip(handling).map(|((topics, settings), handling)| {
                Rc::new(ConsumerConfig { reads: Reads::Subscribed(topics.into()), settings, handling })
            });
            members.read(r, fields.get("members"), GroupId::at(index), config.as_ref());
            config?;
            Some((GroupSetup { name: name?.into(), committed: Vec::new() }, client?))
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

impl<'t> Members<'t> {
    fn read(
        &mut self,
        r: &mut Reader<'t>,
        place: Option<Place<'t>>,
        group: GroupId,
        config: Option<&Rc<ConsumerConfig>>,
    ) {
        for place in r.list(place, 1, bounds::MEMBERS) {
            self.count += 1;
            let Some(fields) = r.object(Some(place), &MEMBER) else {
                continue;
            };
            let name = r.name(fields.get("name"));
            self.names.extend(name.zip(fields.get("name")));
            let ends_at = self.ends_at;
            let starts_at = r.or(fields.get("starts_at"), Time::ZERO, |r, place| read_moment(r, place, ends_at));
            if let (Some(name), Some(starts_at), Some(config)) = (name, starts_at, config) {
                self.consumers.push(ConsumerSetup { name: name.into(), group, starts_at, config: config.clone() });
            }
        }
    }
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

fn read_settings<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    cluster: Option<&Cluster>,
    client: Option<Client>,
) -> Option<ConsumerSettings> {
    let place = place?;
    let fields = r.object(Some(place.clone()), &CONSUMER_SETTINGS)?;
    check_auto_commit(r, &place, &fields);
    check_protocol(r, &fields);
    let resets = [("earliest", OffsetReset::Earliest), ("latest", OffsetReset::Latest)];
    let auto_offset_reset = r.or(fields.get("auto.offset.reset"), OffsetReset::Latest, |r, place| {
        r.word(place, &resets, |word| word == "none" || word.starts_with("by_duration:"))
    });
    let mut millis =
        |name, default| r.or(fields.get(name), default, |r, place| r.whole(place, 1..=MOST_INT, Unit::Millis));
    let default_session = client.map_or(45_000, |client| client.version.session_timeout_ms());
    let session = millis("session.timeout.ms", default_session);
    let heartbeat = millis("heartbeat.interval.ms", 3_000);
    let max_poll_interval = millis("max.poll.interval.ms", 300_000);
    let max_poll_records = r.or(fields.get("max.poll.records"), 500, |r, place| r.count(place, 1..=MOST_INT as u32));
    let (session, heartbeat) = (session?, heartbeat?);
    let session_place = fields.get("session.timeout.ms").unwrap_or_else(|| place.clone());
    if heartbeat >= session {
        let place = fields.get("heartbeat.interval.ms").unwrap_or_else(|| session_place.clone());
        r.report(&place, Problem::Contradiction(Contradiction::HeartbeatNotBelowSession { heartbeat, session }));
    }
    if let Some(cluster) = cluster {
        let least = cluster.group_min_session_timeout.as_millis();
        let most = cluster.group_max_session_timeout.as_millis();
        if !(least..=most).contains(&session) {
            let contradiction = Contradiction::SessionOutsideOfBroker { session, least, most };
            r.report(&session_place, Problem::Contradiction(contradiction));
        }
    }
    Some(ConsumerSettings {
        session_timeout: Span::from_millis(session),
        heartbeat_interval: Span::from_millis(heartbeat),
        max_poll_interval: Span::from_millis(max_poll_interval?),
        max_poll_records: max_poll_records?,
        auto_offset_reset: auto_offset_reset?,
        auto_commit: None,
    })
}

/// Kafka's default is `true`, so a file that says nothing asks for auto commit, which is not modelled.
fn check_auto_commit<'t>(r: &mut Reader<'t>, settings: &Place<'t>, fields: &Fields<'t>) {
    match fields.get("enable.auto.commit") {
        None => r.report(settings, Problem::Contradiction(Contradiction::AutoCommit { by_default: true })),
        Some(place) => {
            if r.boolean(Some(place.clone())) == Some(true) {
                r.report(&place, Problem::Contradiction(Contradiction::AutoCommit { by_default: false }));
            }
        }
    }
}

/// The group protocol and its assignor have to come out as classic and range, hence eager.
fn check_protocol<'t>(r: &mut Reader<'t>, fields: &Fields<'t>) {
    r.word(fields.get("group.protocol"), &[("classic", ())], |word| word == "consumer");
    let Some(place) = fields.get("partition.assignment.strategy") else {
        return;
    };
    match place.value {
        Value::StringLit(_) => check_assignor(r, place, true),
        Value::Array(_) => {
            for (index, place) in r.list(Some(place), 1, ASSIGNORS.len() as u32).into_iter().enumerate() {
                check_assignor(r, place, index == 0);
            }
        }
        _ => {
            r.wrong_type(&place, &[Type::String, Type::List]);
        }
    }
}

/// All members of a group have the same list, so its first entry is what the group uses. With range in front it stays
/// eager, whatever follows.
fn check_assignor<'t>(r: &mut Reader<'t>, place: Place<'t>, is_first: bool) {
    let Some(found) = r.string(Some(place.clone())) else {
        return;
    };
    let known = ASSIGNORS.iter().position(|(name, class)| found == *name || found == *class);
    let problem = match known {
        None => {
            let names: Vec<&str> = ASSIGNORS.iter().map(|(name, _)| *name).collect();
            let suggestion = r.nearest(found, names.iter().copied());
            Problem::NotOneOf { found: found.to_owned(), allowed: strings(&names), suggestion }
        }
        Some(1..) if is_first => Problem::NotModelled { found: found.to_owned(), supported: strings(&["range"]) },
        Some(_) => return,
    };
    r.report(&place, problem);
}

fn read_handling<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>, names: &Names<'t>) -> Option<Handling> {
    let fields = r.object(place, &HANDLING)?;
    let time = r.duration(fields.get("time"), Span::from_micros(1)..=LONGEST_HANDLING);
    let commit = fields.get("commit");
    let commit = r.object(commit, &COMMIT);
    let commit_after_records = commit.and_then(|fields| r.count(fields.get("after_records"), 1..=bounds::RECORDS));
    let writes_to = match fields.get("writes_to") {
        None => Some(None),
        place => names.sink(r, place).map(Some),
    };
    let commit = CommitPolicy::after_records(commit_after_records?);
    Some(Handling { time: time?, commit, writes_to: writes_to? })
}
