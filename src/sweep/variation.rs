//! A scenario file with another value of one of its settings, wherever that setting may stand in it.
//!
//! The file is changed as JSON and read again, so that a value is refused for the same reasons, and with the same words, as
//! in a file.

use super::Case;
use crate::scenario::fields::{
    AIOKAFKA_CONSUMER_SETTINGS, AIOKAFKA_PRODUCER_SETTINGS, BROKER_SETTINGS, CONSUMER_SETTINGS,
    KAFKA_PYTHON_CONSUMER_SETTINGS, KAFKA_PYTHON_PRODUCER_SETTINGS, KAFKAJS_CONSUMER_SETTINGS,
    KAFKAJS_PRODUCER_SETTINGS, LIBRDKAFKA_CONSUMER_SETTINGS, LIBRDKAFKA_PRODUCER_SETTINGS, PRODUCER_SETTINGS, Table,
};
use crate::scenario::{Mistake, read};
use crate::sim::setup::Setup;
use serde_json::{Map, Value};
use std::rc::Rc;

/// What is ours, not Kafka's, and may be varied.
struct Ours {
    /// Its name; what comes behind the last point is that of the field.
    name: &'static str,
    /// In each of which things of the file it is.
    list: &'static str,
    /// The way to it from there. Only what has such a thing has it.
    way: &'static [&'static str],
    /// Fields of the same object that go with another choice.
    instead_of: &'static [&'static str],
}

const fn ours(name: &'static str, list: &'static str, way: &'static [&'static str]) -> Ours {
    Ours { name, list, way, instead_of: &[] }
}

const HANDLING: &[&str] = &["handling"];
const COMMIT: &[&str] = &["handling", "commit"];
const POOL: &[&str] = &["handling", "pool"];
const ON_ERROR: &[&str] = &["handling", "on_error"];

const OURS: [Ours; 16] = [
    ours("handling.time", "groups", HANDLING),
    // A commit happens at one place of the loop.
    Ours { instead_of: &["when"], ..ours("commit.after_records", "groups", COMMIT) },
    Ours { instead_of: &["when"], ..ours("commit.every", "groups", COMMIT) },
    Ours { instead_of: &["after_records", "every"], ..ours("commit.when", "groups", COMMIT) },
    ours("commit.how", "groups", COMMIT),
    ours("commit.offset", "groups", COMMIT),
    ours("pool.workers", "groups", POOL),
    ours("pool.queue", "groups", POOL),
    ours("pool.revoked", "groups", POOL),
    ours("on_error.retry", "groups", ON_ERROR),
    ours("on_error.tries", "groups", ON_ERROR),
    ours("on_error.back_off", "groups", ON_ERROR),
    ours("on_error.then", "groups", ON_ERROR),
    ours("on_error.counts", "groups", ON_ERROR),
    ours("partitions", "topics", &[]),
    ours("unique_key", "sinks", &[]),
];

/// Why a setting cannot be varied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// There is no such setting, or nothing in this file that has it; these could be varied.
    NoSuchSetting(Vec<String>),
    /// With this value the file has these mistakes.
    Refused(String, Vec<Mistake>),
}

/// The setups of a file that reads well, with each of these values of a setting in turn.
pub fn vary(source: &str, name: &str, values: &[String]) -> Result<Vec<(Case, Rc<Setup>)>, Problem> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let file: Value = serde_json::from_str(source).map_err(|_| Problem::NoSuchSetting(Vec::new()))?;
    let one = |text: &String| {
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.as_str()));
        let mut changed = file.clone();
        if !set(&mut changed, name, &value) {
            return Err(Problem::NoSuchSetting(names(&file)));
        }
        let scenario = read(&changed.to_string()).map_err(|mistakes| Problem::Refused(text.clone(), mistakes))?;
        Ok((Case::Value(text.clone()), scenario.setup))
    };
    values.iter().map(one).collect()
}

/// Sets it wherever it may stand; false if that is nowhere.
fn set(file: &mut Value, name: &str, value: &Value) -> bool {
    if let Some(Ours { list, way, instead_of, .. }) = OURS.iter().find(|ours| ours.name == name) {
        let field = name.rsplit('.').next().unwrap_or(name);
        let mut places = 0;
        for thing in file.get_mut(*list).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(object) = way.iter().try_fold(thing, |at, step| at.get_mut(step)).and_then(Value::as_object_mut)
            {
                object.retain(|field, _| !instead_of.contains(&field.as_str()));
                object.insert(field.to_owned(), value.clone());
                places += 1;
            }
        }
        return places > 0;
    }
    let mut places = 0;
    if BROKER_SETTINGS.fields.contains(&name) {
        places += file.get_mut("cluster").map_or(0, |cluster| put(cluster, name, value));
    }
    for group in file.get_mut("groups").and_then(Value::as_array_mut).into_iter().flatten() {
        if consumer_table(group).is_some_and(|table| table.fields.contains(&name)) {
            places += put(group, name, value);
            for member in group.get_mut("members").and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(settings) = member.get_mut("settings").and_then(Value::as_object_mut) {
                    settings.remove(name);
                }
            }
        }
    }
    for producer in file.get_mut("producers").and_then(Value::as_array_mut).into_iter().flatten() {
        if producer_table(producer).is_some_and(|table| table.fields.contains(&name)) {
            places += put(producer, name, value);
        }
    }
    places > 0
}

fn family(thing: &Value) -> Option<&str> {
    thing.get("client").and_then(|client| client.get("family")).and_then(Value::as_str)
}

/// The settings of the client of a group's members.
fn consumer_table(group: &Value) -> Option<&'static Table> {
    match family(group) {
        None | Some("java") => Some(&CONSUMER_SETTINGS),
        Some("librdkafka") => Some(&LIBRDKAFKA_CONSUMER_SETTINGS),
        Some("kafkajs") => Some(&KAFKAJS_CONSUMER_SETTINGS),
        Some("kafka-python") => Some(&KAFKA_PYTHON_CONSUMER_SETTINGS),
        Some("aiokafka") => Some(&AIOKAFKA_CONSUMER_SETTINGS),
        Some(_) => None,
    }
}

/// The settings of a producer's client.
fn producer_table(producer: &Value) -> Option<&'static Table> {
    match family(producer) {
        None | Some("java") => Some(&PRODUCER_SETTINGS),
        Some("librdkafka") => Some(&LIBRDKAFKA_PRODUCER_SETTINGS),
        Some("kafkajs") => Some(&KAFKAJS_PRODUCER_SETTINGS),
        Some("kafka-python") => Some(&KAFKA_PYTHON_PRODUCER_SETTINGS),
        Some("aiokafka") => Some(&AIOKAFKA_PRODUCER_SETTINGS),
        Some(_) => None,
    }
}

fn put(thing: &mut Value, name: &str, value: &Value) -> u32 {
    let Some(thing) = thing.as_object_mut() else { return 0 };
    let settings = thing.entry("settings").or_insert_with(|| Value::Object(Map::new()));
    settings.as_object_mut().map_or(0, |settings| {
        settings.insert(name.to_owned(), value.clone());
        1
    })
}

/// What could be varied in a file.
fn names(file: &Value) -> Vec<String> {
    let has = |ours: &&Ours| {
        let things = file.get(ours.list).and_then(Value::as_array).into_iter().flatten();
        things.into_iter().any(|thing| ours.way.iter().try_fold(thing, |at, step| at.get(step)).is_some())
    };
    let mut names: Vec<&str> = OURS.iter().filter(has).map(|ours| ours.name).collect();
    for group in file.get("groups").and_then(Value::as_array).into_iter().flatten() {
        names.extend(consumer_table(group).into_iter().flat_map(|table| table.fields));
    }
    for producer in file.get("producers").and_then(Value::as_array).into_iter().flatten() {
        names.extend(producer_table(producer).into_iter().flat_map(|table| table.fields));
    }
    names.extend(BROKER_SETTINGS.fields);
    let mut unique: Vec<String> = Vec::new();
    for name in names {
        if !unique.iter().any(|known| known == name) {
            unique.push(name.to_owned());
        }
    }
    unique
}
