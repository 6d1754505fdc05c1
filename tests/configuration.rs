//! All settings as the page lists them: each that a file sets is there, with its value, and what differs from its default comes
//! first.

use logstep::explain::{Configured, Part, configuration};
use logstep::scenario;
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
    let plain = r#"{ "format": "logstep/1", "title": "t", "ends_at": "1s", "cluster": { "kafka": "4.0" }, "topics": [{ "name": "t", "partitions": 1 }],
        "producers": [{ "name": "p", "topic": "t", "records": [] }], "groups": [{ "name": "g", "topics": ["t"], "settings": {}, "handling": { "time": "1ms", "commit": { "when": "never" } }, "members": [{ "name": "c" }] }] }"#;
    let scenario = scenario::read(plain).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let run = Simulation::new(scenario.setup.clone());
    let changed: Vec<String> = configuration(&run)
        .iter()
        .flat_map(|part| &part.settings)
        .filter(|configured| configured.differs())
        .map(|configured| configured.used.name.to_owned())
        .collect();
    assert_eq!(changed, Vec::<String>::new(), "a file without settings has Kafka's defaults");
}
