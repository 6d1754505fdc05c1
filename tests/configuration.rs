//! All settings as the page lists them: each that a file sets is there, with its value, and what differs from its default comes
//! first.

use logstep::explain::{Configured, Part, configuration};
use logstep::scenario::fields::{
    AIOKAFKA_CONSUMER_SETTINGS, AIOKAFKA_PRODUCER_SETTINGS, BROKER_SETTINGS, CONSUMER_SETTINGS,
    KAFKA_PYTHON_CONSUMER_SETTINGS, KAFKA_PYTHON_PRODUCER_SETTINGS, KAFKAJS_CONSUMER_SETTINGS,
    KAFKAJS_PRODUCER_SETTINGS, LIBRDKAFKA_CONSUMER_SETTINGS, LIBRDKAFKA_PRODUCER_SETTINGS, PRODUCER_SETTINGS, Table,
};
use logstep::scenario::mistake::Side;
use logstep::scenario::since::SINCE;
use logstep::scenario::{self, Version};
use logstep::sim::Simulation;
use logstep::text::{self, Lang};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn files() -> Vec<PathBuf> {
    let folders = ["tests/cases", "docs/examples", "static/scenarios"];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder of scenarios"));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn read(file: &PathBuf) -> (Value, Simulation) {
    let source = fs::read_to_string(file).expect("a scenario is readable");
    let scenario = scenario::read(&source).unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", file.display()));
    (serde_json::from_str(&source).expect("a scenario is JSON"), Simulation::new(scenario.setup.clone()))
}

/// A value as a file says it, as a configuration would.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(written).collect::<Vec<_>>().join(","),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

#[test]
fn each_setting_of_a_file_is_listed_with_its_value() {
    let (mut compared, mut missing) = (0, BTreeSet::new());
    for file in files() {
        let (json, run) = read(&file);
        let parts = configuration(&run);
        let names = |list: &str| -> Vec<Value> { json[list].as_array().cloned().unwrap_or_default() };
        let mut compare = |settings: &Value, found: &[Configured]| {
            for (name, value) in settings.as_object().into_iter().flatten() {
                let Some(listed) = found.iter().find(|configured| configured.used.name == name) else {
                    missing.insert(name.clone());
                    continue;
                };
                let shown = text::value(Lang::En, &listed.used);
                if !matches!(value, Value::Null | Value::Object(_)) {
                    assert_eq!(shown, written(value), "{}: {name}", file.display());
                    compared += 1;
                }
            }
        };
        for part in &parts {
            match &part.part {
                Part::Brokers => compare(&json["cluster"]["settings"], &part.settings),
                Part::Producer(producer) => compare(&names("producers")[producer.index()]["settings"], &part.settings),
                Part::Members(group, members)
                    if parts
                        .iter()
                        .filter(|of| matches!(of.part, Part::Members(other, _) if other == *group))
                        .count()
                        == 1 =>
                {
                    assert!(!members.is_empty());
                    compare(&names("groups")[group.index()]["settings"], &part.settings);
                }
                Part::Members(..) | Part::Sink(_) => {}
            }
        }
    }
    assert_eq!(missing, BTreeSet::new(), "settings that a file can set and that are not listed");
    assert!(compared > 200, "only {compared} values were compared");
}

#[test]
fn what_differs_from_its_default_comes_first_and_nothing_else_differs() {
    for file in files() {
        let (_, run) = read(&file);
        for part in configuration(&run) {
            let differs: Vec<bool> = part.settings.iter().map(Configured::differs).collect();
            assert!(differs.is_sorted_by_key(|differs| !differs), "{}: {:?}", file.display(), part.part);
            let mut names: Vec<_> = part.settings.iter().map(|of| (of.used.name, of.used.owner)).collect();
            let count = names.len();
            names.sort_by_key(|(name, owner)| format!("{name} {owner:?}"));
            names.dedup();
            assert_eq!(names.len(), count, "{}: a setting is listed twice", file.display());
        }
    }
}

/// A file of one producer and one group: the clients are Java's of the cluster's release, or of another library.
fn small(kafka: &str, library: Option<(&str, &str)>, [brokers, producer, group]: [&str; 3]) -> Simulation {
    let client = |(family, version)| format!(r#""client": {{ "family": "{family}", "version": "{version}" }},"#);
    // Of consumers there is the newest one.
    let newest = library.map(|(family, _)| CLIENTS.into_iter().rfind(|of| of.0 == family).expect("it is there"));
    let (of_producer, of_members) = (library.map(client).unwrap_or_default(), newest.map(client).unwrap_or_default());
    let file = format!(
        r#"{{
            "format": "logstep/1", "title": "t", "ends_at": "1s",
            "cluster": {{ "kafka": "{kafka}", "settings": {{ {brokers} }} }},
            "topics": [{{ "name": "t", "partitions": 1 }}],
            "producers": [{{ "name": "p", "topic": "t", {of_producer} "settings": {{ {producer} }}, "records": [] }}],
            "groups": [{{
                "name": "g", {of_members} "settings": {{ {group} }},
                "handling": {{ "time": "1ms", "commit": {{ "when": "never" }} }}, "members": [{{ "name": "c" }}]
            }}]
        }}"#
    );
    let scenario = scenario::read(&file).unwrap_or_else(|mistakes| panic!("{kafka} {library:?}: {mistakes:?}"));
    Simulation::new(scenario.setup.clone())
}

/// All clients beside Java's.
const CLIENTS: [(&str, &str); 7] = [
    ("librdkafka", "2.16"),
    ("kafkajs", "1.16"),
    ("kafkajs", "2.2"),
    ("kafka-python", "0.9"),
    ("kafka-python", "2.0"),
    ("kafka-python", "3.0"),
    ("aiokafka", "0.14"),
];

fn all(run: &Simulation) -> Vec<Configured> {
    configuration(run).into_iter().flat_map(|part| part.settings).collect()
}

#[test]
fn a_file_without_settings_has_the_defaults_of_each_release_and_client() {
    let of_java = Version::all().map(|version| (version.to_string(), None));
    let others = CLIENTS.into_iter().flat_map(|of| ["2.8", "4.4"].map(|kafka| (kafka.to_owned(), Some(of))));
    for (kafka, library) in of_java.chain(others) {
        let run = small(&kafka, library, [""; 3]);
        let changed = all(&run).into_iter().filter(Configured::differs).map(|of| of.used.name).collect::<Vec<_>>();
        assert_eq!(changed, Vec::<&str>::new(), "{kafka} {library:?}");
    }
}

/// The names of all settings of the format that a table has.
fn fields(table: &Table) -> BTreeSet<&'static str> {
    table.description.fields.iter().filter(|field| field.kafka.is_some()).map(|field| field.name).collect()
}

fn names(run: &Simulation, of: fn(&Part) -> bool) -> BTreeSet<&'static str> {
    let parts = configuration(run).into_iter().filter(|part| of(&part.part));
    parts.flat_map(|part| part.settings).map(|of| of.used.name).collect()
}

const OF_BROKERS: fn(&Part) -> bool = |part| matches!(part, Part::Brokers);
const OF_PRODUCERS: fn(&Part) -> bool = |part| matches!(part, Part::Producer(_));
const OF_MEMBERS: fn(&Part) -> bool = |part| matches!(part, Part::Members(..));

#[test]
fn every_setting_of_the_format_is_listed() {
    let tables: [(&str, &Table, &Table); 5] = [
        ("java", &PRODUCER_SETTINGS, &CONSUMER_SETTINGS),
        ("librdkafka", &LIBRDKAFKA_PRODUCER_SETTINGS, &LIBRDKAFKA_CONSUMER_SETTINGS),
        ("kafkajs", &KAFKAJS_PRODUCER_SETTINGS, &KAFKAJS_CONSUMER_SETTINGS),
        ("kafka-python", &KAFKA_PYTHON_PRODUCER_SETTINGS, &KAFKA_PYTHON_CONSUMER_SETTINGS),
        ("aiokafka", &AIOKAFKA_PRODUCER_SETTINGS, &AIOKAFKA_CONSUMER_SETTINGS),
    ];
    for (family, of_producers, of_members) in tables {
        let of_family = CLIENTS.into_iter().filter(|of| of.0 == family).map(Some);
        for of in of_family.chain((family == "java").then_some(None)) {
            let run = small("4.4", of, [""; 3]);
            let missing = &fields(of_producers) - &names(&run, OF_PRODUCERS);
            assert_eq!(missing, BTreeSet::new(), "{of:?}");
            // Java refuses it beside the classic protocol.
            let only_modern = |name: &&str| family == "java" && *name == "group.remote.assignor";
            let mut missing = &fields(of_members) - &names(&run, OF_MEMBERS);
            missing.retain(|name| !only_modern(name));
            assert_eq!(missing, BTreeSet::new(), "{of:?}");
        }
    }
    let run = small("4.4", None, ["", "", r#""group.protocol": "consumer""#]);
    assert!(names(&run, OF_MEMBERS).contains("group.remote.assignor"));
    assert_eq!(&fields(&BROKER_SETTINGS) - &names(&run, OF_BROKERS), BTreeSet::new());
}

#[test]
fn a_release_does_not_list_what_came_later() {
    let mut looked_for = 0;
    for version in Version::all() {
        let run = small(&version.to_string(), None, [""; 3]);
        for later in SINCE.iter().filter(|entry| entry.version > version) {
            let listed = match later.side {
                Side::Broker => names(&run, OF_BROKERS),
                Side::Client => &names(&run, OF_PRODUCERS) | &names(&run, OF_MEMBERS),
            };
            assert!(!listed.contains(later.what), "{} in {version}", later.what);
            looked_for += 1;
        }
    }
    assert!(looked_for > 100, "{looked_for}");
}

/// Also where it has no effect, or where something else is at work.
#[test]
fn what_is_set_in_vain_is_listed_as_it_is_set() {
    let bounds = r#""group.consumer.min.session.timeout.ms": 1000, "group.consumer.max.session.timeout.ms": 61000,
        "group.consumer.min.heartbeat.interval.ms": 500, "group.consumer.max.heartbeat.interval.ms": 16000"#;
    let class = r#""partitioner.class": "RoundRobinPartitioner", "partitioner.ignore.keys": true,
        "partitioner.adaptive.partitioning.enable": false, "batch.size": 0"#;
    let of_topic = r#""partitioner": "fnv1a" }, "topic_settings": { "partitioner": "murmur2""#;
    let rows = [
        (
            small("4.4", None, [bounds, class, ""]),
            &[
                ("group.consumer.min.session.timeout.ms", "1000"),
                ("group.consumer.max.session.timeout.ms", "61000"),
                ("group.consumer.min.heartbeat.interval.ms", "500"),
                ("group.consumer.max.heartbeat.interval.ms", "16000"),
                ("partitioner.class", "RoundRobinPartitioner"),
                ("partitioner.ignore.keys", "true"),
                ("partitioner.adaptive.partitioning.enable", "false"),
                ("batch.size", "0"),
            ][..],
        ),
        (
            small("4.4", Some(CLIENTS[0]), ["", of_topic, r#""group.remote.assignor": "range""#]),
            &[("partitioner", "fnv1a"), ("topic_settings.partitioner", "murmur2"), ("group.remote.assignor", "range")],
        ),
    ];
    for (run, expected) in rows {
        for &(name, value) in expected {
            let all = all(&run);
            let found = all.iter().find(|of| of.used.name == name).unwrap_or_else(|| panic!("{name} is not listed"));
            assert_eq!(text::value(Lang::En, &found.used), value, "{name}");
            assert!(found.differs(), "{name}");
        }
    }
}
