//! The described defaults are Kafka's. `tests/reference/config-defaults.json` was printed from the configuration classes
//! of Apache Kafka 4.4; its history comes from the sources of each release line since 2.0.

use logstep::scenario::Version;
use logstep::scenario::fields::{
    BROKER_SETTINGS, CONSUMER_SETTINGS, Default, Field, LIBRDKAFKA_PRODUCER_SETTINGS, MEMBER, PRODUCER_SETTINGS, Shape,
    TOPIC,
};
use logstep::scenario::mistake::Side;
use logstep::scenario::not_modelled::has_kafka;
use logstep::scenario::since::SINCE;
use serde_json::Value;

const REFERENCE: &str = include_str!("../reference/config-defaults.json");

/// What a release line has as default, as the description says it.
pub fn described(field: &Field, version: Version) -> Option<Value> {
    let value = match field.default {
        Default::Json(value) => value,
        Default::ByVersion(values) => {
            let known = |since: &str| Version::parse(since).unwrap_or_else(|| panic!("there is no version {since}"));
            values.iter().rev().find(|(since, _)| known(since) <= version).map(|(_, value)| *value)?
        }
        _ => return None,
    };
    Some(serde_json::from_str(value).unwrap_or_else(|_| panic!("{value} is not JSON")))
}

/// The same from the reference.
fn recorded(entry: &Value, version: Version) -> Value {
    let history = entry["history"].as_object().into_iter().flatten();
    let known = history.filter_map(|(since, value)| Some((Version::parse(since)?, value)));
    let newest = known.filter(|(since, _)| *since <= version).max_by_key(|(since, _)| *since);
    written_as_in_a_file(newest.map_or(&entry["default"], |(_, value)| value))
}

/// Kafka names assignors by their classes; files by their protocol names.
fn written_as_in_a_file(value: &Value) -> Value {
    match value {
        Value::Array(entries) => Value::Array(entries.iter().map(written_as_in_a_file).collect()),
        Value::String(text) => match text.as_str() {
            "RangeAssignor" => "range".into(),
            "CooperativeStickyAssignor" => "cooperative-sticky".into(),
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}

#[test]
fn settings_have_kafkas_defaults_in_every_release_line() {
    let reference: Value = serde_json::from_str(REFERENCE).expect("JSON");
    let mut compared = 0;
    let components = [("broker", &BROKER_SETTINGS), ("producer", &PRODUCER_SETTINGS), ("consumer", &CONSUMER_SETTINGS)];
    // Its own defaults; of the rest of its settings there is no reference but its documentation.
    for field in LIBRDKAFKA_PRODUCER_SETTINGS.description.fields {
        if let Value::Object(entry) = &reference[format!("librdkafka:{}", field.name)] {
            assert_eq!(described(field, Version::new(4, 0)).as_ref(), entry.get("default"), "{}", field.name);
            compared += 1;
        }
    }
    for (component, table) in components {
        for field in table.description.fields {
            assert_eq!(field.kafka, Some(field.name), "all settings of {component} are Kafka's");
            let entry = match &reference[format!("{component}:{}", field.name)] {
                Value::Null => &reference[field.name],
                own => own,
            };
            assert_eq!(entry["component"], component, "Kafka has no {} of a {component}", field.name);
            assert_eq!(entry["unit"] == "ms", matches!(field.shape, Shape::Millis(..)), "unit of {}", field.name);
            for version in Version::all() {
                let described = described(field, version).unwrap_or(Value::Null);
                assert_eq!(described, recorded(entry, version), "{} in {version}", field.name);
                compared += 1;
            }
        }
    }
    assert!(compared >= 11 * 24, "{compared}");
}

/// What the reference calls `2.3 (KIP-345)` is there since 2.3; `<=2.0` is older than any release that can be named.
#[test]
fn settings_are_there_since_kafka_has_them() {
    let reference: Value = serde_json::from_str(REFERENCE).expect("JSON");
    let components = [
        (Side::Broker, "broker", &BROKER_SETTINGS),
        (Side::Client, "producer", &PRODUCER_SETTINGS),
        (Side::Client, "consumer", &CONSUMER_SETTINGS),
        (Side::Client, "consumer", &MEMBER),
    ];
    for (side, component, table) in components {
        for field in table.description.fields.iter().filter(|field| field.kafka == Some(field.name)) {
            let entry = &reference[field.name];
            if entry["component"] != component {
                continue;
            }
            let recorded = entry["since"].as_str().and_then(|since| Version::parse(since.split(' ').next()?));
            let known = SINCE.iter().find(|known| known.what == field.name && known.side == side);
            assert_eq!(known.map(|known| known.version), recorded, "{}", field.name);
        }
    }
}

/// Each setting that the reference has is a field, or known not to be modelled, or said in another way.
#[test]
fn settings_that_are_not_modelled_are_known() {
    const SAID_IN_ANOTHER_WAY: [&str; 4] = ["client.id", "group.id", "group.instance.id", "bootstrap.servers"];
    let reference: Value = serde_json::from_str(REFERENCE).expect("JSON");
    let components = [
        ("broker", &BROKER_SETTINGS),
        ("producer", &PRODUCER_SETTINGS),
        ("consumer", &CONSUMER_SETTINGS),
        ("topic", &TOPIC),
    ];
    for (name, entry) in reference.as_object().expect("an object") {
        let name = name.rsplit(':').next().unwrap_or(name);
        for (_, table) in components.into_iter().filter(|(component, _)| entry["component"] == *component) {
            let ways = [table.fields.contains(&name), has_kafka(table.name, name), SAID_IN_ANOTHER_WAY.contains(&name)];
            assert_eq!(ways.into_iter().filter(|is| *is).count(), 1, "{}: {name}", table.name);
        }
    }
}
