//! What happens by script.

use super::cluster::{MOST_INT, MOST_LATENCY};
use super::condition;
use super::fields::*;
use super::handling::LONGEST_HANDLING;
use super::mistake::{Contradiction, Problem, Unit};
use super::names::Names;
use super::producers::{MOST_PER_SECOND, read_moment};
use super::reader::{Fields, Place, Reader};
use super::vocabulary::Vocabulary;
use crate::sim::setup::{OffsetReset, bounds};
use crate::sim::time::{Span, Time};
use crate::sim::{
    Action, Api, BrokerId, Change, ClientId, ConsumerSetting, HandlingOf, KeyId, MessageKind, MessageRef,
    PlannedAction, ResetTo, When,
};
use jsonc_parser::ast::Value;

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

/// What actions can refer to.
pub(super) struct Known<'a, 't> {
    pub names: &'a Names<'t>,
    pub vocabulary: &'a mut Vocabulary,
    pub ends_at: Option<Time>,
}

pub(super) fn read<'t>(
    r: &mut Reader<'t>,
    place: Option<Place<'t>>,
    known: &mut Known<'_, 't>,
) -> Option<Vec<PlannedAction>> {
    let places = r.list(place, 0, bounds::ACTIONS);
    let actions: Vec<Option<PlannedAction>> = places.into_iter().map(|place| read_action(r, place, known)).collect();
    actions.into_iter().collect()
}

fn read_action<'t>(r: &mut Reader<'t>, place: Place<'t>, known: &mut Known<'_, 't>) -> Option<PlannedAction> {
    let fields = r.object(Some(place.clone()), &ACTION)?;
    let is_one = r.exactly_one(&place, &fields, &VERBS);
    let done: Vec<Option<Action>> = VERBS
        .into_iter()
        .filter_map(|verb| Some((verb, fields.get(verb)?)))
        .map(|(verb, place)| read_verb(r, verb, place, known))
        .collect();
    let is_due_once = r.exactly_one(&place, &fields, &["at", "after"]);
    let at = fields.get("at");
    let at = at.and_then(|place| read_moment(r, Some(place), known.ends_at));
    let after = fields.get("after");
    let after = after.and_then(|place| condition::read(r, Some(place), known.names));
    let wait = r.or(fields.get("wait"), Span::ZERO, |r, place| r.duration(place, Span::ZERO..=bounds::DURATION));
    if let (Some(wait), None) = (fields.get("wait"), fields.get("after")) {
        r.report(&wait, Problem::Contradiction(Contradiction::WaitWithoutAfter));
    }
    if !is_one || !is_due_once {
        return None;
    }
    let when = at.map(When::At).or(after.zip(wait).map(|(after, wait)| When::After(after, wait)))?;
    Some(PlannedAction { when, action: done.into_iter().next()?? })
}

fn read_verb<'t>(r: &mut Reader<'t>, verb: &str, place: Place<'t>, known: &mut Known<'_, 't>) -> Option<Action> {
    let names = known.names;
    let what = Some(place.clone());
    match verb {
        "crash" => names.client(r, what).map(Action::Crash),
        "close" => names.client(r, what).map(Action::Close),
        "start" => names.client(r, what).map(Action::Start),
        "restart" => names.member(r, what).map(Action::Restart),
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
        "drop" => {
            let fields = r.object(what, &DROP)?;
            read_message(r, &fields, names, true).map(Action::Drop)
        }
        _ => read_set(r, place, names).map(Action::Set),
    }
}

fn read_slow_down<'t>(r: &mut Reader<'t>, place: Place<'t>, known: &mut Known<'_, 't>) -> Option<Action> {
    let fields = r.object(Some(place.clone()), &SLOW_DOWN)?;
    let consumer = known.names.member(r, fields.get("member"));
    let time = r.duration(fields.get("time"), Span::ZERO..=LONGEST_HANDLING);
    let of = match (fields.get("key"), fields.get("partition")) {
        (None, None) => Some(HandlingOf::Every),
        (key, None) => r.string(key).map(|key| HandlingOf::Key(known.vocabulary.key(key))),
        (None, partition) => known.names.partition(r, partition).map(HandlingOf::Partition),
        _ => {
            r.exactly_one(&place, &fields, &["key", "partition"]);
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
    let partition = r.or(fields.get("partition"), None, |r, place| {
        known.names.partition(r, place).map(|partition| Some(partition.number))
    });
    let key: Option<Option<KeyId>> = match fields.get("key") {
        Some(Place { value: Value::NullKeyword(_), .. }) => {
            r.required(&place, &fields, "partition");
            Some(None)
        }
        key => r.string(key).map(|key| Some(known.vocabulary.key(key))),
    };
    let value = r.string(fields.get("value")).map(|value| known.vocabulary.value(value));
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

/// Fields that are a client's settings.
const SETTINGS: [&str; 5] =
    ["session.timeout.ms", "heartbeat.interval.ms", "max.poll.interval.ms", "max.poll.records", "auto.offset.reset"];

fn read_set<'t>(r: &mut Reader<'t>, place: Place<'t>, names: &Names<'t>) -> Option<Change> {
    let fields = r.object(Some(place.clone()), &SET)?;
    let values: Vec<&str> = ["latency", "per_second"].into_iter().chain(SETTINGS).collect();
    let is_one = r.exactly_one(&place, &fields, &values);
    let consumer = names.member(r, fields.get("member"));
    let producer = names.producer(r, fields.get("producer"));
    let latency = r.duration(fields.get("latency"), Span::from_micros(1)..=MOST_LATENCY);
    let per_second = r.count(fields.get("per_second"), 1..=MOST_PER_SECOND);
    let settings = SETTINGS.into_iter().filter_map(|name| Some((name, fields.get(name)?)));
    let settings: Vec<Option<ConsumerSetting>> = settings.map(|setting| read_setting(r, setting)).collect();
    if !is_one {
        return None;
    }
    let whose = match () {
        () if fields.count(&["latency"]) > 0 => None,
        () if fields.count(&["per_second"]) > 0 => Some("producer"),
        () => Some("member"),
    };
    for name in ["member", "producer"] {
        match fields.get(name) {
            Some(extra) if whose != Some(name) => r.report(&extra, Problem::Contradiction(Contradiction::SetOfNobody)),
            None if whose == Some(name) => r.required(&place, &fields, name),
            _ => {}
        }
    }
    match whose {
        None => latency.map(|latency| Change::Latency { broker: BrokerId(0), latency }),
        Some("producer") => Some(Change::Rate { producer: producer?, per_second: per_second? }),
        Some(_) => Some(Change::Setting { consumer: consumer?, setting: settings.into_iter().next()?? }),
    }
}

fn read_setting<'t>(r: &mut Reader<'t>, (name, place): (&str, Place<'t>)) -> Option<ConsumerSetting> {
    let place = Some(place);
    if name == "auto.offset.reset" {
        let words = [("earliest", OffsetReset::Earliest), ("latest", OffsetReset::Latest)];
        return r.word(place, &words, |_| false).map(ConsumerSetting::AutoOffsetReset);
    }
    if name == "max.poll.records" {
        return r.count(place, 1..=MOST_INT as u32).map(ConsumerSetting::MaxPollRecords);
    }
    let setting = match name {
        "session.timeout.ms" => ConsumerSetting::SessionTimeout,
        "heartbeat.interval.ms" => ConsumerSetting::HeartbeatInterval,
        _ => ConsumerSetting::MaxPollInterval,
    };
    r.whole(place, 1..=MOST_INT, Unit::Millis).map(Span::from_millis).map(setting)
}
