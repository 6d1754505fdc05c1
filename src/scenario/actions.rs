//! What happens by script.

use super::clients::{Client, Family};
use super::cluster::{Cluster, MOST_INT, MOST_LATENCY, read_unique_key};
use super::condition;
use super::consumer_settings;
use super::expect::{ExpectRefusal, ScriptEntry};
use super::fields::*;
use super::groups::{check_timeouts, read_assignors};
use super::handling::{HANDLING_OF, LONGEST_HANDLING, read_auto_offset_reset, read_commit, read_of};
use super::mistake::{Contradiction, Problem, Type, Unit};
use super::modern;
use super::names::Names;
use super::producers::{MOST_PER_SECOND, read_moment};
use super::reader::{Fields, Place, Reader};
use super::refused;
use super::version::Version;
use super::vocabulary::Vocabulary;
use crate::sim::assignor::AssignorList;
use crate::sim::setup::{
    ConsumerSettings, ConsumerSetup, GroupProtocol, Library, ProducerSetup, SinkSetup, Writes, bounds,
};
use crate::sim::time::{Span, Time};
use crate::sim::{
    Action, Api, BrokerId, BrokerSetting, Change, ClientId, ConsumerSetting, HandlingOf, KeyId, MessageKind,
    MessageRef, PlannedAction, ProducerId, ProducerSetting, ResetTo, SinkId, When,
};
use jsonc_parser::ast::Value;
use std::rc::Rc;

/// The fields of which one says what is done.
const VERBS: [&str; 17] = [
    "crash",
    "close",
    "start",
    "restart",
    "freeze",
    "thaw",
    "join",
    "pause",
    "resume",
    "seek",
    "slow_down",
    "reset_offsets",
    "add_partitions",
    "produce",
    "delay",
    "drop",
    "set",
];

/// The fields of an action that is due now. Not published: a file has no such thing.
static DONE_BY_HAND: Table = Table {
    name: "action",
    fields: &VERBS,
    required: &[],
    description: Description { about: Text { en: "", ja: "" }, or: &[], fields: &[], rules: &[] },
};

/// What actions can refer to.
pub(super) struct Known<'a, 't> {
    pub names: &'a Names<'t>,
    pub vocabulary: &'a mut Vocabulary,
    pub ends_at: Option<Time>,
    pub cluster: Option<&'a Cluster>,
    /// The producers.
    pub producers: &'a [(ProducerSetup, Client)],
    /// The tables. An action may name the column of a unique key that the table does not have yet.
    pub sinks: &'a mut [SinkSetup],
    /// Those whose column an action has named.
    pub named: Vec<SinkId>,
    /// The members, as the actions read so far have set them: what is set later has to go with what is set before.
    pub consumers: Vec<ConsumerSetup>,
}

pub(super) fn read<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>, known: &mut Known<'_, 't>) -> Option<Script> {
    let places = r.list(place, 0, bounds::ACTIONS);
    let mut script = Some(Script::default());
    for place in places {
        let path = place.path.clone();
        let read = read_action(r, place, known);
        // The entries behind a broken one are read for their mistakes only.
        script = script.zip(read).map(|(mut script, (planned, refused))| {
            script.entries.push(ScriptEntry { path, first: script.planned.len(), planned: planned.len(), refused });
            script.planned.extend(planned);
            script
        });
    }
    script
}

/// What happens by script.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    /// The actions.
    pub planned: Vec<PlannedAction>,
    /// The entries of the file that they come from.
    pub entries: Vec<ScriptEntry>,
}

/// One entry of the list: an action, or the same one for each broker.
fn read_action<'t>(
    r: &mut Reader<'t>,
    place: Place<'t>,
    known: &mut Known<'_, 't>,
) -> Option<(Vec<PlannedAction>, Option<ExpectRefusal>)> {
    let fields = r.object(Some(place.clone()), &ACTION)?;
    let done = read_done(r, &place, &fields, known);
    let is_due_once = r.exactly_one(&place, &fields, &["at", "after"]);
    let at = fields.get("at");
    let at = at.and_then(|place| read_moment(r, Some(place), known.ends_at));
    let after = fields.get("after");
    let after = after.and_then(|place| condition::read(r, Some(place), known.names));
    let wait = r.or(fields.get("wait"), Span::ZERO, |r, place| r.duration(place, Span::ZERO..=bounds::DURATION));
    if let (Some(wait), None) = (fields.get("wait"), fields.get("after")) {
        r.report(&wait, Problem::Contradiction(Contradiction::WaitWithoutAfter));
    }
    let refused = r.or(fields.get("refused"), None, |r, place| read_refused(r, place).map(Some));
    if !is_due_once {
        return None;
    }
    let when = at.map(When::At).or(after.zip(wait).map(|(after, wait)| When::After(after, wait)))?;
    let planned = done?.into_iter().map(|action| PlannedAction { when, action }).collect();
    Some((planned, refused?))
}

/// What is done, by the field that says it; reports if that is not one.
fn read_done<'t>(
    r: &mut Reader<'t>,
    place: &Place<'t>,
    fields: &Fields<'t>,
    known: &mut Known<'_, 't>,
) -> Option<Vec<Action>> {
    let is_one = r.exactly_one(place, fields, &VERBS);
    let done: Vec<Option<Vec<Action>>> = VERBS
        .into_iter()
        .filter_map(|verb| Some((verb, fields.get(verb)?)))
        .map(|(verb, place)| match verb {
            "set" => read_set(r, place, known).map(|changes| changes.into_iter().map(Action::Set).collect()),
            _ => read_verb(r, verb, place, known).map(|action| vec![action]),
        })
        .collect();
    done.into_iter().next()?.filter(|_| is_one)
}

/// An action that is due now: it says only what is done.
pub(super) fn read_by_hand<'t>(r: &mut Reader<'t>, place: Place<'t>, known: &mut Known<'_, 't>) -> Option<Vec<Action>> {
    let fields = r.object(Some(place.clone()), &DONE_BY_HAND)?;
    read_done(r, &place, &fields, known)
}

fn read_refused<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<ExpectRefusal> {
    let place = place?;
    match place.value {
        Value::BooleanLit(boolean) if boolean.value => Some(ExpectRefusal::Any),
        Value::BooleanLit(_) => Some(ExpectRefusal::None),
        Value::StringLit(_) => {
            let words: Vec<(&str, &'static str)> = refused::WORDS.iter().map(|&word| (word, word)).collect();
            r.word(Some(place), &words, |_| false).map(ExpectRefusal::For)
        }
        _ => {
            r.wrong_type(&place, &[Type::Boolean, Type::String]);
            None
        }
    }
}

fn read_verb<'t>(r: &mut Reader<'t>, verb: &str, place: Place<'t>, known: &mut Known<'_, 't>) -> Option<Action> {
    let names = known.names;
    let what = Some(place.clone());
    match verb {
        "crash" => names.client(r, what).map(Action::Crash),
        "close" => names.client(r, what).map(Action::Close),
        "start" => names.client(r, what).map(Action::Start),
        "restart" => names.client(r, what).map(Action::restart),
        "freeze" => names.member(r, what).map(Action::Freeze),
        "thaw" => names.member(r, what).map(Action::Thaw),
        "join" => names.group(r, what).map(Action::Join),
        "pause" | "resume" => {
            let fields = r.object(what, &MEMBER_PARTITION)?;
            let (member, partition) =
                (names.member(r, fields.get("member")), names.partition(r, fields.get("partition")));
            let act = if verb == "pause" { Action::Pause } else { Action::Resume };
            Some(act(member?, partition?))
        }
        "seek" => {
            let fields = r.object(what, &SEEK)?;
            let (member, partition) =
                (names.member(r, fields.get("member")), names.partition(r, fields.get("partition")));
            let to = r.count(fields.get("to"), 0..=bounds::RECORDS);
            Some(Action::Seek { consumer: member?, partition: partition?, to: to? })
        }
        "slow_down" => read_slow_down(r, place, known),
        "reset_offsets" => read_reset(r, place, names),
        "add_partitions" => {
            let fields = r.object(what, &ADD_PARTITIONS)?;
            let topic = names.topic(r, fields.get("topic"));
            let to = r.count(fields.get("to"), 2..=bounds::PARTITIONS_PER_TOPIC);
            Some(Action::AddPartitions { topic: topic?, to: to? as u16 })
        }
        "produce" => read_produce(r, place, known),
        "delay" => {
            let fields = r.object(what, &DELAY)?;
            let message = read_message(r, &fields, names, false);
            let by = r.duration(fields.get("by"), Span::from_micros(1)..=bounds::DURATION);
            Some(Action::Delay { message: message?, by: by? })
        }
        _ => {
            let fields = r.object(what, &DROP)?;
            read_message(r, &fields, names, true).map(Action::Drop)
        }
    }
}

fn read_slow_down<'t>(r: &mut Reader<'t>, place: Place<'t>, known: &mut Known<'_, 't>) -> Option<Action> {
    let fields = r.object(Some(place.clone()), &SLOW_DOWN)?;
    let consumer = known.names.member(r, fields.get("member"));
    let time = r.duration(fields.get("time"), Span::ZERO..=LONGEST_HANDLING);
    let of = match fields.count(&HANDLING_OF) {
        0 => Some(HandlingOf::Every),
        1 => read_of(r, &fields, known.names, known.vocabulary),
        _ => {
            r.exactly_one(&place, &fields, &HANDLING_OF);
            None
        }
    };
    Some(Action::Set(Change::HandlingTime { consumer: consumer?, of: of?, time: time? }))
}

fn read_reset<'t>(r: &mut Reader<'t>, place: Place<'t>, names: &Names<'t>) -> Option<Action> {
    let fields = r.object(Some(place.clone()), &RESET_OFFSETS)?;
    let group = condition::read_group(r, &place, &fields, names);
    let partition = r.or(fields.get("partition"), None, |r, place| names.partition(r, place).map(Some));
    let to = fields.get("to");
    let to = match to.as_ref().map(|to| to.value) {
        Some(Value::Object(_)) => read_reset_to(r, to?),
        _ => r.word(to, &[("earliest", ResetTo::Earliest), ("latest", ResetTo::Latest)], |_| false),
    };
    Some(Action::ResetOffsets { group: group?, partition: partition?, to: to? })
}

fn read_reset_to<'t>(r: &mut Reader<'t>, place: Place<'t>) -> Option<ResetTo> {
    let fields = r.object(Some(place.clone()), &RESET_TO)?;
    let is_one = r.exactly_one(&place, &fields, RESET_TO.fields);
    let offset = r.count(fields.get("offset"), 0..=bounds::RECORDS).map(ResetTo::Offset);
    let shift_by = r.signed(fields.get("shift_by"), bounds::RECORDS).map(ResetTo::ShiftBy);
    offset.or(shift_by).filter(|_| is_one)
}

fn read_produce<'t>(r: &mut Reader<'t>, place: Place<'t>, known: &mut Known<'_, 't>) -> Option<Action> {
    let fields = r.object(Some(place.clone()), &PRODUCE)?;
    let producer = known.names.producer(r, fields.get("producer"));
    let topic = producer.and_then(|producer| Some(known.producers.get(producer.index())?.0.topic));
    let partition = r.or(fields.get("partition"), None, |r, place| {
        let partition = known.names.partition(r, place.clone())?;
        if topic.is_some_and(|topic| topic != partition.topic) {
            r.report(&place?, Problem::Contradiction(Contradiction::OtherTopic));
            return None;
        }
        Some(Some(partition.number))
    });
    let key: Option<Option<KeyId>> = match fields.get("key") {
        Some(Place { value: Value::NullKeyword(_), .. }) => Some(None),
        key => known.vocabulary.read_key(r, key).map(Some),
    };
    let value = known.vocabulary.read_value(r, fields.get("value"));
    Some(Action::Produce { producer: producer?, key: key?, value: value?, partition: partition? })
}

/// A message by its kind and its client; the first on its way, or the `nth`.
fn read_message<'t>(
    r: &mut Reader<'t>,
    fields: &Fields<'t>,
    names: &Names<'t>,
    of_consumer: bool,
) -> Option<MessageRef> {
    let words: Vec<String> = Api::ALL.iter().map(|api| format!("{}Response", api.name())).collect();
    let kinds = Api::ALL.iter().zip(&words).flat_map(|(&api, answer)| {
        [(api.name(), MessageKind { api, is_answer: false }), (answer.as_str(), MessageKind { api, is_answer: true })]
    });
    // The coordinator does not answer LeaveGroup here, and a producer does not notice what it loses.
    let is_modelled = |kind: MessageKind| match kind.api {
        Api::Produce => !of_consumer,
        Api::LeaveGroup => !kind.is_answer,
        _ => true,
    };
    let kinds: Vec<(&str, MessageKind)> = kinds.filter(|&(_, kind)| is_modelled(kind)).collect();
    let kind =
        r.word(fields.get("message"), &kinds, |word| word.starts_with("Produce") || word == "LeaveGroupResponse");
    let client = match of_consumer {
        true => names.member(r, fields.get("of")).map(ClientId::Consumer),
        false => names.client(r, fields.get("of")),
    };
    let nth = r.or(fields.get("nth"), 1, |r, place| r.count(place, 1..=1_000));
    Some(MessageRef { kind: kind?, client: client?, nth: nth? as u16 - 1 })
}

/// The fields of which one says what is changed, with the field that says whose it is.
const VALUES: [(&str, Option<&str>); 37] = [
    ("latency", Some("broker")),
    ("per_second", Some("producer")),
    ("linger.ms", Some("producer")),
    ("batch.size", Some("producer")),
    ("commit", Some("member")),
    ("session.timeout.ms", Some("member")),
    ("heartbeat.interval.ms", Some("member")),
    ("max.poll.interval.ms", Some("member")),
    ("max.poll.records", Some("member")),
    ("auto.offset.reset", Some("member")),
    ("auto.commit.interval.ms", Some("member")),
    ("metadata.max.age.ms", Some("member")),
    ("enable.auto.commit", Some("member")),
    ("partition.assignment.strategy", Some("member")),
    ("topic.metadata.refresh.interval.ms", Some("member")),
    ("enable.auto.offset.store", Some("member")),
    ("max_records", Some("member")),
    ("sessionTimeout", Some("member")),
    ("heartbeatInterval", Some("member")),
    ("rebalanceTimeout", Some("member")),
    ("metadataMaxAge", Some("member")),
    ("fromBeginning", Some("member")),
    ("autoCommit", Some("member")),
    ("autoCommitInterval", Some("member")),
    ("autoCommitThreshold", Some("member")),
    ("session_timeout_ms", Some("member")),
    ("heartbeat_interval_ms", Some("member")),
    ("max_poll_interval_ms", Some("member")),
    ("max_poll_records", Some("member")),
    ("metadata_max_age_ms", Some("member")),
    ("auto_offset_reset", Some("member")),
    ("enable_auto_commit", Some("member")),
    ("auto_commit_interval_ms", Some("member")),
    ("partition_assignment_strategy", Some("member")),
    ("unique_key", Some("sink")),
    ("down", Some("sink")),
    ("group.initial.rebalance.delay.ms", None),
];

/// The fields that say whose setting it is.
const OWNERS: [&str; 4] = ["broker", "producer", "member", "sink"];

/// A change, or the same one for each broker.
fn read_set<'t>(r: &mut Reader<'t>, place: Place<'t>, known: &mut Known<'_, 't>) -> Option<Vec<Change>> {
    let fields = r.object(Some(place.clone()), &SET)?;
    let is_one = r.exactly_one(&place, &fields, &VALUES.map(|(name, _)| name));
    let brokers = read_brokers(r, fields.get("broker"), known.cluster);
    let changes: Vec<Option<Vec<Change>>> = VALUES
        .into_iter()
        .filter_map(|(name, whose)| Some((name, whose, fields.get(name)?)))
        .map(|(name, whose, value)| match whose {
            Some("broker") => read_latency(r, value, brokers.as_deref()),
            Some("producer") => read_of_producer(r, &fields, (name, value), known).map(|change| vec![change]),
            Some("member") => read_of_member(r, &fields, (name, value), known).map(|change| vec![change]),
            Some(_) => read_of_sink(r, &fields, (name, value), known).map(|change| vec![change]),
            None => {
                let delay = r.whole(Some(value), 0..=MOST_INT, Unit::Millis).map(Span::from_millis);
                delay.map(|span| vec![Change::BrokerSetting(BrokerSetting::GroupInitialRebalanceDelay(span))])
            }
        })
        .collect();
    if !is_one {
        return None;
    }
    let whose = VALUES.into_iter().find_map(|(name, whose)| fields.get(name).map(|_| whose))?;
    for name in OWNERS {
        match fields.get(name) {
            Some(extra) if whose != Some(name) => r.report(&extra, Problem::Contradiction(Contradiction::SetOfNobody)),
            // Without a broker, all of them.
            None if whose == Some(name) && name != "broker" => r.required(&place, &fields, name),
            _ => {}
        }
    }
    changes.into_iter().next()?
}

fn read_latency<'t>(r: &mut Reader<'t>, value: Place<'t>, brokers: Option<&[BrokerId]>) -> Option<Vec<Change>> {
    let latency = r.duration(Some(value), Span::from_micros(1)..=MOST_LATENCY)?;
    Some(brokers?.iter().map(|&broker| Change::Latency { broker, latency }).collect())
}

fn read_of_producer<'t>(
    r: &mut Reader<'t>,
    fields: &Fields<'t>,
    (name, value): (&str, Place<'t>),
    known: &Known<'_, 't>,
) -> Option<Change> {
    let producer = known.names.producer(r, fields.get("producer"));
    if name == "per_second" {
        let per_second = r.count(Some(value), 1..=MOST_PER_SECOND);
        return Some(Change::Rate { producer: producer?, per_second: per_second? });
    }
    let client = |producer: ProducerId| known.producers.get(producer.index()).map(|(_, client)| client.family);
    if producer.and_then(client).is_some_and(|family| family != Family::Java) {
        r.report(&value, Problem::Contradiction(Contradiction::SetOfJavaOnly));
    }
    let setting = match name {
        "linger.ms" => {
            r.whole(Some(value), 0..=MOST_INT, Unit::Millis).map(Span::from_millis).map(ProducerSetting::Linger)
        }
        _ => r.count(Some(value), 0..=MOST_INT as u32).map(ProducerSetting::BatchSize),
    };
    Some(Change::ProducerSetting { producer: producer?, setting: setting? })
}

fn read_of_member<'t>(
    r: &mut Reader<'t>,
    fields: &Fields<'t>,
    (name, value): (&str, Place<'t>),
    known: &mut Known<'_, 't>,
) -> Option<Change> {
    let member = known.names.member(r, fields.get("member"));
    if name == "commit" {
        let policy = read_commit(r, Some(value));
        return Some(Change::Commit { consumer: member?, policy: policy? });
    }
    let of_member = fields.get("member").and_then(|place| known.settings_of(&place));
    // What is wrong with the value of an unknown member's setting is said, too.
    let library = of_member.map(|settings| settings.library).or_else(|| consumer_settings::library_with(name))?;
    let Some(java) = consumer_settings::setting_of(library, name) else {
        let (setting, own) = (name.to_owned(), consumer_settings::own_name(library, name));
        r.report(&value, Problem::Contradiction(Contradiction::NotInClient { setting, own }));
        return None;
    };
    let setting = match library {
        Library::Java => read_setting(r, (java, value), of_member.map(java_client)),
        _ => consumer_settings::read_one(r, (java, value), library),
    };
    let (consumer, setting) = (member?, setting?);
    known.set(r, fields, setting);
    Some(Change::Setting { consumer, setting })
}

/// A table has one column for its events, whichever action comes first.
fn read_of_sink<'t>(
    r: &mut Reader<'t>,
    fields: &Fields<'t>,
    (name, value): (&str, Place<'t>),
    known: &mut Known<'_, 't>,
) -> Option<Change> {
    let sink = known.names.sink(r, fields.get("sink"));
    if name == "down" {
        let is_down = r.boolean(Some(value));
        return Some(Change::SinkDown { sink: sink?, is_down: is_down? });
    }
    let column = read_unique_key(r, Some(value.clone()));
    let (sink, column) = (sink?, column?);
    let writes = known.sinks.get(sink.index()).map_or(Writes::Insert, |table| table.writes);
    if writes != Writes::Insert {
        r.report(&value, Problem::Contradiction(Contradiction::UniqueKeyWith { writes }));
        return None;
    }
    if let (Some(column), Some(table)) = (column, known.sinks.get_mut(sink.index())) {
        let is_named = table.is_unique || known.named.contains(&sink);
        if is_named && *table.column != *column {
            let is = table.column.to_string();
            r.report(&value, Problem::Contradiction(Contradiction::OtherColumn { is }));
        }
        table.column = column.into();
        known.named.push(sink);
    }
    Some(Change::UniqueKey { sink, is_unique: column.is_some() })
}

/// The broker that is named, or all of them.
fn read_brokers<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>, cluster: Option<&Cluster>) -> Option<Vec<BrokerId>> {
    let brokers = cluster.map_or(0, |cluster| cluster.brokers.len());
    let Some(place) = place else {
        return Some((0..brokers).map(BrokerId::at).collect());
    };
    let broker = r.count(Some(place.clone()), 0..=bounds::BROKERS - 1)?;
    if cluster.is_some() && broker as usize >= brokers {
        let contradiction = Contradiction::NoSuchBroker { broker, brokers: brokers as u32 };
        r.report(&place, Problem::Contradiction(contradiction));
        return None;
    }
    Some(vec![BrokerId::at(broker as usize)])
}

fn read_setting<'t>(
    r: &mut Reader<'t>,
    (name, place): (&str, Place<'t>),
    client: Option<Client>,
) -> Option<ConsumerSetting> {
    let place = Some(place);
    let (least, setting): (u64, fn(Span) -> ConsumerSetting) = match name {
        "auto.offset.reset" => return read_auto_offset_reset(r, place, client).map(ConsumerSetting::AutoOffsetReset),
        "max.poll.records" => return r.count(place, 1..=MOST_INT as u32).map(ConsumerSetting::MaxPollRecords),
        "enable.auto.commit" => return r.boolean(place).map(ConsumerSetting::EnableAutoCommit),
        "partition.assignment.strategy" => {
            let assignors = read_assignors(r, place, client)?;
            return Some(ConsumerSetting::PartitionAssignmentStrategy(AssignorList::new(&assignors)));
        }
        "session.timeout.ms" => (1, ConsumerSetting::SessionTimeout),
        "heartbeat.interval.ms" => (1, ConsumerSetting::HeartbeatInterval),
        "auto.commit.interval.ms" => (0, ConsumerSetting::AutoCommitInterval),
        "metadata.max.age.ms" => (1, ConsumerSetting::MetadataMaxAge),
        _ => (1, ConsumerSetting::MaxPollInterval),
    };
    r.whole(place, least..=MOST_INT, Unit::Millis).map(Span::from_millis).map(setting)
}

/// The Java client that has these.
fn java_client(settings: &ConsumerSettings) -> Client {
    let (major, minor) = settings.release;
    Client { family: Family::Java, version: Version::new(major, minor) }
}

impl<'t> Known<'_, 't> {
    /// A member of the file by its name; one with mistakes of its own is not among them.
    fn member(&self, place: &Place<'t>) -> Option<usize> {
        let Value::StringLit(name) = place.value else {
            return None;
        };
        self.consumers.iter().position(|consumer| *consumer.name == *name.value)
    }

    fn settings_of(&self, place: &Place<'t>) -> Option<&ConsumerSettings> {
        Some(&self.consumers[self.member(place)?].config.settings)
    }

    /// Sets a member's setting, as the actions above it in the file have left the others, and says what its client and its
    /// broker would say to that.
    fn set(&mut self, r: &mut Reader<'t>, fields: &Fields<'t>, setting: ConsumerSetting) {
        let Some(index) = fields.get("member").and_then(|place| self.member(&place)) else {
            return;
        };
        let settings = &mut Rc::make_mut(&mut self.consumers[index].config).settings;
        let is_modern = settings.group_protocol != GroupProtocol::Classic;
        modern::check_settings(r, fields, (is_modern, settings.library == Library::Java));
        settings.set(setting);
        if settings.library != Library::Java {
            if let Some(place) = fields.get("member").filter(|_| consumer_settings::is_bound(setting)) {
                consumer_settings::check(r, settings, self.cluster, (&place, fields));
            }
            return;
        }
        let changed = ["session.timeout.ms", "heartbeat.interval.ms"].into_iter().find_map(|name| fields.get(name));
        if let Some(place) = changed.filter(|_| !is_modern) {
            check_timeouts(r, settings, self.cluster, (&place, &place));
        }
    }
}
