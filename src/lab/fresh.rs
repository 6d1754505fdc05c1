//! Values to begin with: what a new field, a new entry or a new thing is made of. It is what the format asks for and no more, so
//! that it can be read at once.

use super::names::{free, kind_of, names};
use crate::scenario::duration;
use crate::scenario::fields::{
    ACTION, BEAT, Default, Field, GROUP, PRODUCER, RECORD, Rule, Shape, TEXT, TOPIC, Table, WORKLOAD,
};
use crate::scenario::mistake::Kind;
use crate::scenario::{FORMAT, Version};
use crate::sim::Span;
use serde_json::{Map, Value, json};

/// A new field: with its default, where there is one.
pub(super) fn field(file: &Value, field: &Field) -> Value {
    let default = match field.default {
        Default::Json(value) => serde_json::from_str(value).ok(),
        Default::ByVersion(values) => {
            let version = file.get("cluster").and_then(|cluster| cluster.get("kafka")?.as_str()).and_then(version);
            let holds = |since: &&(&str, &str)| version.is_none_or(|version| self::version(since.0) <= Some(version));
            values.iter().rev().find(holds).or(values.first()).and_then(|(_, value)| serde_json::from_str(value).ok())
        }
        Default::Required | Default::Nothing | Default::Words(_) => None,
    };
    // An empty list or object of its own kind would be a field with nothing in it to change.
    let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty) || value.is_null();
    default.filter(|value| !is_empty(value)).unwrap_or_else(|| value(file, &field.shape))
}

fn version(text: &str) -> Option<Version> {
    let (major, minor) = text.split_once('.')?;
    Some(Version::new(major.parse().ok()?, minor.parse().ok()?))
}

/// A new value of a shape.
pub(super) fn value(file: &Value, shape: &Shape) -> Value {
    match *shape {
        Shape::Exactly(text) => json!(text),
        Shape::Words(words) => words.first().map_or(Value::Null, |word| json!(word.word)),
        Shape::Str => json!("event"),
        Shape::Name => json!("id"),
        Shape::Ref(kind) => first_name(file, kind),
        Shape::RefClient => match first_name(file, Kind::Member) {
            Value::String(name) if name.is_empty() => first_name(file, Kind::Producer),
            name => name,
        },
        Shape::Release => file.get("cluster").and_then(|cluster| cluster.get("kafka")).cloned().unwrap_or(json!("4.0")),
        Shape::Bool => json!(true),
        Shape::Whole(least, most) => json!(1_u64.clamp(least, most)),
        Shape::Signed(_) => json!(1),
        Shape::Millis(least, most) => json!(1_000_u64.clamp(least, most)),
        Shape::Duration(least, most) => json!(duration::write(Span::from_millis(100).clamp(least, most))),
        Shape::Moment => json!(duration::write(middle(file))),
        Shape::IsoAfter(prefix) => json!(format!("{prefix}PT1H")),
        Shape::Null => Value::Null,
        Shape::Object(table) => object(file, table),
        Shape::ByFamily(tables) => tables.first().map_or(Value::Null, |(_, table)| object(file, table)),
        Shape::AnyOf(tables) => tables.first().map_or(Value::Null, |table| object(file, table)),
        Shape::List(of, least, _) => (0..least).map(|_| value(file, of)).collect(),
        Shape::OneOrList(of, _) => json!([value(file, of)]),
        Shape::MapOf(..) | Shape::MapOfKeys(_) | Shape::MapOfWords(..) => Value::Object(Map::new()),
        Shape::Either(shapes) => shapes.first().map_or(Value::Null, |shape| value(file, shape)),
    }
}

fn first_name(file: &Value, kind: Kind) -> Value {
    json!(names(file, kind).first().map_or("", String::as_str))
}

/// The middle of the run, to whole seconds where it is longer than some.
fn middle(file: &Value) -> Span {
    let ends_at = file.get("ends_at").and_then(Value::as_str).and_then(duration::parse);
    let half = ends_at.unwrap_or(Span::from_millis(60_000)).as_micros() / 2;
    Span::from_micros(if half >= 2_000_000 { half / 1_000_000 * 1_000_000 } else { half })
}

/// A new object of a table: what it has to have. What is worth looking at has more.
pub(super) fn object(file: &Value, table: &Table) -> Value {
    let is = |other: &Table| table.name == other.name;
    let named = |kind, like| json!(free(file, kind, like));
    if is(&TOPIC) {
        return json!({ "name": named(Kind::Topic, "topic1"), "partitions": 3 });
    }
    if is(&PRODUCER) {
        let workload = object(file, &WORKLOAD);
        return json!({ "name": named(Kind::Producer, "producer1"), "topic": first_name(file, Kind::Topic), "workload": workload });
    }
    if is(&WORKLOAD) {
        return json!({ "per_second": 2, "until": duration::write(middle(file)), "keys": 6 });
    }
    if is(&GROUP) {
        return json!({
            "name": named(Kind::Group, "group1"),
            "settings": { "enable.auto.commit": false, "auto.offset.reset": "earliest" },
            "handling": { "time": "200ms", "commit": { "when": "after_batch" } },
            "members": [{ "name": named(Kind::Member, "c1") }],
        });
    }
    if is(&ACTION) {
        let at = duration::write(middle(file));
        return match value(file, &Shape::RefClient) {
            Value::String(name) if !name.is_empty() => json!({ "crash": name, "at": at }),
            _ => json!({ "add_partitions": { "topic": first_name(file, Kind::Topic), "to": 2 }, "at": at }),
        };
    }
    if is(&TEXT) {
        return json!({ "ja": "", "en": "" });
    }
    if is(&BEAT) {
        return json!({ "when": "record_appended", "say": object(file, &TEXT) });
    }
    if is(&RECORD) {
        return json!({ "at": "1s", "key": "key-1", "value": "event" });
    }
    let mut fields = Map::new();
    let mut put = |name: &str| {
        if let Some(found) = table.description.fields.iter().find(|field| field.name == name) {
            fields.insert(name.to_owned(), field(file, found));
        }
    };
    table.required.iter().for_each(|name| put(name));
    for rule in table.description.rules {
        match rule {
            Rule::OneOf(sets) => sets.first().into_iter().flat_map(|set| set.iter()).for_each(|name| put(name)),
            Rule::OneField => table.description.fields.first().into_iter().for_each(|field| put(field.name)),
            Rule::Needs(..) | Rule::NotBoth(..) => {}
        }
    }
    if let (Some(kind), Some(like)) = (kind_of(table), like_of(table)) {
        fields.insert("name".to_owned(), named(kind, like));
    }
    if fields.contains_key("format") {
        fields.insert("format".to_owned(), json!(FORMAT));
    }
    Value::Object(fields)
}

/// What a new thing is called.
fn like_of(table: &Table) -> Option<&'static str> {
    Some(match kind_of(table)? {
        Kind::Topic => "topic1",
        Kind::Producer => "producer1",
        Kind::Group => "group1",
        Kind::Member => "c1",
        Kind::Sink => "table1",
        Kind::Partition => return None,
    })
}
