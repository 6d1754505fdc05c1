//! The consumer group protocol (KIP-848): `group.protocol`, and what the broker decides for its groups.

use super::clients::{Client, Family};
use super::cluster::{Cluster, MOST_INT};
use super::mistake::{Contradiction, Problem, Side, Unit};
use super::reader::{Fields, Place, Reader, strings};
use super::since;
use crate::sim::assignor::ServerAssignor;
use crate::sim::setup::{ConsumerConfig, ConsumerGroupSettings, GroupProtocol};
use crate::sim::time::Span;
use jsonc_parser::ast::Value;

/// `group.consumer.max.assignment.interval.ms`, as it is by default.
pub const MOST_ASSIGNMENT_INTERVAL: u64 = 15_000;

/// The broker's assignors, as files call them.
const ASSIGNORS: [(&str, ServerAssignor); 2] = [("uniform", ServerAssignor::Uniform), ("range", ServerAssignor::Range)];

/// What the broker decides for groups of the protocol. Its own bounds are checked as the broker does when it starts
/// (`GroupCoordinatorConfig`).
pub(super) fn read_broker<'t>(
    r: &mut Reader<'t>,
    fields: &Fields<'t>,
    by_default: &ConsumerGroupSettings,
) -> Option<ConsumerGroupSettings> {
    let default = (by_default.heartbeat_interval, by_default.heartbeat_interval_bounds);
    let heartbeat = bounded(r, fields, &HEARTBEAT, default);
    let session = bounded(r, fields, &SESSION, (by_default.session_timeout, by_default.session_timeout_bounds));
    let interval = assignment_interval(r, fields, by_default.assignment_interval);
    let assignors = assignors(r, fields);
    let ((heartbeat, heartbeat_interval_bounds), (session, session_timeout_bounds)) = (heartbeat?, session?);
    let place = fields.get(HEARTBEAT.name).or_else(|| fields.get(SESSION.name));
    if let Some(place) = place.filter(|_| heartbeat >= session) {
        let (heartbeat, session) = (heartbeat.as_millis(), session.as_millis());
        let contradiction = Contradiction::GroupHeartbeatNotBelowSession { heartbeat, session };
        r.report(&place, Problem::Contradiction(contradiction));
        return None;
    }
    Some(ConsumerGroupSettings {
        heartbeat_interval: heartbeat,
        session_timeout: session,
        assignment_interval: interval?,
        assignors: assignors?,
        heartbeat_interval_bounds,
        session_timeout_bounds,
    })
}

/// A setting with bounds that are settings too: the names of the three.
struct Bounded {
    name: &'static str,
    least: &'static str,
    most: &'static str,
}

const HEARTBEAT: Bounded = Bounded {
    name: "group.consumer.heartbeat.interval.ms",
    least: "group.consumer.min.heartbeat.interval.ms",
    most: "group.consumer.max.heartbeat.interval.ms",
};

const SESSION: Bounded = Bounded {
    name: "group.consumer.session.timeout.ms",
    least: "group.consumer.min.session.timeout.ms",
    most: "group.consumer.max.session.timeout.ms",
};

/// A time and its bounds.
type WithBounds = (Span, (Span, Span));

fn bounded<'t>(
    r: &mut Reader<'t>,
    fields: &Fields<'t>,
    setting: &Bounded,
    (default, bounds): WithBounds,
) -> Option<WithBounds> {
    let mut millis = |name, default: Span| {
        r.or(fields.get(name), default.as_millis(), |r, place| r.whole(place, 1..=MOST_INT, Unit::Millis))
    };
    let value = millis(setting.name, default);
    let least = millis(setting.least, bounds.0);
    let most = millis(setting.most, bounds.1);
    let (value, least, most) = (value?, least?, most?);
    let place = [setting.name, setting.least, setting.most].into_iter().find_map(|name| fields.get(name));
    if let Some(place) = place.filter(|_| !(least..=most).contains(&value)) {
        let (name, least, most) = (setting.name, (setting.least, least), (setting.most, most));
        r.report(&place, Problem::Contradiction(Contradiction::GroupBounds { name, value, least, most }));
        return None;
    }
    Some((Span::from_millis(value), (Span::from_millis(least), Span::from_millis(most))))
}

fn assignment_interval<'t>(r: &mut Reader<'t>, fields: &Fields<'t>, default: Span) -> Option<Span> {
    r.or(fields.get(since::ASSIGNMENT_INTERVAL), default, |r, place| {
        r.whole(place, 0..=MOST_ASSIGNMENT_INTERVAL, Unit::Millis).map(Span::from_millis)
    })
}

fn assignors<'t>(r: &mut Reader<'t>, fields: &Fields<'t>) -> Option<Vec<ServerAssignor>> {
    match fields.get("group.consumer.assignors") {
        None => Some(ServerAssignor::ALL.to_vec()),
        Some(place) if matches!(place.value, Value::StringLit(_)) => {
            Some(vec![r.word(Some(place), &ASSIGNORS, |_| false)?])
        }
        place => {
            let entries = r.list(place, 1, ASSIGNORS.len() as u32);
            let read: Vec<Option<ServerAssignor>> =
                entries.iter().map(|place| r.word(Some(place.clone()), &ASSIGNORS, |_| false)).collect();
            check_repeated(r, Side::Broker, entries.iter().zip(read.iter().map(|read| Some((*read)?.name()))));
            read.into_iter().collect::<Option<Vec<_>>>().filter(|assignors| !assignors.is_empty())
        }
    }
}

/// Reports the second and every further time that a list names an assignor: a client throws a `KafkaException`
/// (`ConsumerPartitionAssignor#getAssignorInstances`), a broker a `ConfigException` (`GroupCoordinatorConfig`).
pub(super) fn check_repeated<'p, 't: 'p>(
    r: &mut Reader<'t>,
    side: Side,
    entries: impl Iterator<Item = (&'p Place<'t>, Option<&'static str>)>,
) {
    let mut seen = Vec::new();
    for (place, assignor) in entries.filter_map(|(place, assignor)| Some((place, assignor?))) {
        if seen.contains(&assignor) {
            r.report(place, Problem::Contradiction(Contradiction::RepeatedAssignor { assignor, side }));
        }
        seen.push(assignor);
    }
}

/// Settings that a client refuses with `group.protocol=consumer`: there the broker decides
/// (`ConsumerConfig#checkUnsupportedConfigsPostProcess`).
const CLASSIC_ONLY: [&str; 3] = ["session.timeout.ms", "heartbeat.interval.ms", "partition.assignment.strategy"];

/// The protocol of a group. All of its members have the same settings, so a group is of one protocol; a rolling upgrade,
/// where it is of both for a while, is not modelled. Beside it, the broker's assignor that its members would ask for, also
/// where they do not.
pub(super) fn read_protocol<'t>(
    r: &mut Reader<'t>,
    fields: &Fields<'t>,
    cluster: Option<&Cluster>,
    client: Option<Client>,
) -> Option<(GroupProtocol, Option<ServerAssignor>)> {
    let words = [("classic", false), ("consumer", true)];
    let is_modern = r.or(fields.get("group.protocol"), false, |r, place| r.word(place, &words, |_| false))?;
    let remote_assignor =
        r.or(fields.get("group.remote.assignor"), None, |r, place| r.word(place, &ASSIGNORS, |_| false).map(Some));
    let is_java = client.is_none_or(|client| client.family == Family::Java);
    check_settings(r, fields, (is_modern, is_java));
    if !is_modern {
        return Some((GroupProtocol::Classic, remote_assignor.flatten()));
    }
    let place = fields.get("group.protocol")?;
    if let Some(client) = client.filter(|client| client.family == Family::Java) {
        since::check(r, &place, since::CONSUMER_PROTOCOL, Side::Client, client.version);
    }
    if let Some(cluster) = cluster {
        since::check(r, &place, since::CONSUMER_PROTOCOL, Side::Broker, cluster.kafka);
    }
    let remote_assignor = remote_assignor?;
    let has = |assignor| cluster.is_none_or(|cluster| cluster.settings.consumer_groups.assignors.contains(&assignor));
    if let (Some(assignor), Some(place)) = (remote_assignor, fields.get("group.remote.assignor"))
        && !has(assignor)
    {
        let has: Vec<&str> =
            ASSIGNORS.into_iter().filter(|&(_, assignor)| has(assignor)).map(|(name, _)| name).collect();
        let contradiction = Contradiction::UnsupportedAssignor { assignor: assignor.name(), has: strings(&has) };
        r.report(&place, Problem::Contradiction(contradiction));
    }
    Some((GroupProtocol::Consumer { remote_assignor }, remote_assignor))
}

/// Reports settings that a client refuses beside its `group.protocol`. librdkafka does not look at `group.remote.assignor`
/// beside `classic`.
pub(super) fn check_settings<'t>(r: &mut Reader<'t>, fields: &Fields<'t>, (is_modern, is_java): (bool, bool)) {
    let protocol = if is_modern { "consumer" } else { "classic" };
    let refused: &[&'static str] = match (is_modern, is_java) {
        (true, _) => &CLASSIC_ONLY,
        (false, true) => &["group.remote.assignor"],
        (false, false) => &[],
    };
    for &setting in refused {
        if let Some(place) = fields.get(setting) {
            r.report(&place, Problem::Contradiction(Contradiction::NotWithProtocol { setting, protocol }));
        }
    }
}

/// All members of a group have to use the same protocol, except those that assign their partitions by hand.
pub(super) fn check_one_protocol<'t>(
    r: &mut Reader<'t>,
    (place, fields): (&Place<'t>, &Fields<'t>),
    config: &ConsumerConfig,
    others: &ConsumerConfig,
) {
    let is_modern = |config: &ConsumerConfig| config.settings.group_protocol != GroupProtocol::Classic;
    if is_modern(config) != is_modern(others) && !config.reads.is_by_hand() {
        let place = fields.get("settings").unwrap_or_else(|| place.clone());
        r.report(&place, Problem::Contradiction(Contradiction::MixedProtocols));
    }
}
