//! Settings that a client takes without a complaint and does not heed: a warning, and a run without them.

use logstep::scenario::{Scenario, read};
use logstep::sim::partitioner::{Librdkafka, Partitioner};
use logstep::text::{Lang, mistake::mistake};
use std::process::Command;

fn with_producer(producer: &str) -> String {
    format!(
        r#"{{
  "format": "logstep/1", "title": "warned", "ends_at": "10s",
  "cluster": {{ "kafka": "4.0" }},
  "topics": [{{ "name": "orders", "partitions": 32 }}],
  "producers": [{{ "name": "shop", "topic": "orders", {producer}, "records": [] }}],
  "groups": []
}}"#
    )
}

#[track_caller]
fn warned(producer: &str) -> (Scenario, Vec<String>) {
    let scenario = read(&with_producer(producer)).expect("a warning is no mistake");
    let warnings = scenario.warnings.iter().map(|warning| mistake(Lang::En, warning)).collect();
    (scenario, warnings)
}

fn partitioner(scenario: &Scenario) -> Partitioner {
    scenario.setup.producers[0].settings.picks_by()
}

const OF_LIBRDKAFKA: &str = r#""client": { "family": "librdkafka", "version": "2.16" }"#;

#[test]
fn librdkafkas_partitioner_has_no_effect_beside_a_topics_own_settings() {
    let at_the_client = format!(r#"{OF_LIBRDKAFKA}, "settings": {{ "partitioner": "murmur2_random" }}"#);
    let (scenario, warnings) = warned(&at_the_client);
    assert!(warnings.is_empty());
    assert!(matches!(partitioner(&scenario), Partitioner::Librdkafka(Librdkafka::Murmur2Random, _)));

    let (scenario, warnings) = warned(&format!(r#"{at_the_client}, "topic_settings": {{}}"#));
    let text = "producers[0].settings.partitioner: partitioner has no effect: with topic_settings, the topic takes nothing over from settings.";
    assert_eq!(warnings, [text]);
    assert!(matches!(partitioner(&scenario), Partitioner::Librdkafka(Librdkafka::ConsistentRandom, _)));

    let at_the_topic = format!(r#"{OF_LIBRDKAFKA}, "topic_settings": {{ "partitioner": "murmur2" }}"#);
    let (scenario, warnings) = warned(&at_the_topic);
    assert!(warnings.is_empty());
    assert!(matches!(partitioner(&scenario), Partitioner::Librdkafka(Librdkafka::Murmur2, _)));
}

#[test]
fn settings_of_the_built_in_partitioner_have_no_effect_without_it() {
    let (scenario, warnings) =
        warned(r#""client": { "family": "java", "version": "3.2" }, "settings": { "partitioner.ignore.keys": true }"#);
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("a client 3.2 does not know it"), "{warnings:?}");
    assert_eq!(partitioner(&scenario), Partitioner::DefaultSticky);

    let (scenario, warnings) = warned(
        r#""settings": { "partitioner.class": "RoundRobinPartitioner", "partitioner.ignore.keys": true, "partitioner.adaptive.partitioning.enable": false }"#,
    );
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].contains("partitioner.class names another partitioner"), "{warnings:?}");
    assert_eq!(partitioner(&scenario), Partitioner::RoundRobin);
}

#[test]
fn the_size_of_classic_groups_has_no_effect_where_there_are_none() {
    let with = |protocol: &str| {
        let groups = format!(
            r#""groups": [{{ "name": "g", "settings": {{ "group.protocol": "{protocol}" }}, "handling": {{ "time": "1s", "commit": {{ "when": "never" }} }}, "members": [{{ "name": "c1" }}] }}]"#
        );
        let source = with_producer(r#""settings": {}"#)
            .replace(r#""groups": []"#, &groups)
            .replace(r#""kafka": "4.0""#, r#""kafka": "4.0", "settings": { "group.max.size": 2 }"#);
        let warnings = read(&source).expect("a warning is no mistake").warnings;
        warnings.iter().map(|warning| mistake(Lang::En, warning)).collect::<Vec<_>>()
    };
    let text = "cluster.settings.group.max.size: group.max.size has no effect: it is for groups of the classic protocol, and all groups use the consumer protocol.";
    assert_eq!(with("consumer"), [text]);
    assert!(with("classic").is_empty());
}

#[test]
fn the_program_prints_warnings_and_goes_on() {
    let file = "tests/cases/K003-a-setting-that-does-not-take-effect.json";
    let output = Command::new(env!("CARGO_BIN_EXE_logstep-run")).args(["check", file]).output().expect("it starts");
    assert!(output.status.success());
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(errors.starts_with(file) && errors.contains("warning: producers[1].settings.partitioner"), "{errors}");
}

fn warned_of_handling(on_error: &str) -> Vec<String> {
    let source = format!(
        r#"{{
  "format": "logstep/1", "title": "warned", "ends_at": "10s", "cluster": {{ "kafka": "4.0" }},
  "topics": [{{ "name": "orders", "partitions": 2 }}],
  "producers": [{{ "name": "dlt", "topic": "orders", "records": [] }}],
  "groups": [{{
    "name": "g", "settings": {{}}, "handling": {{ "time": "1ms", "on_error": {on_error} }},
    "members": [{{ "name": "a" }}, {{ "name": "b", "handling": {{ "time": "2ms" }} }}]
  }}]
}}"#
    );
    let scenario = read(&source).expect("a warning is no mistake");
    scenario.warnings.iter().map(|warning| mistake(Lang::En, warning)).collect()
}

/// A field that says something of tries which there are not is told, once.
#[test]
fn what_is_said_of_tries_that_are_not_made_has_no_effect() {
    let told = |on_error: &str| -> Vec<String> {
        let cut = |text: String| {
            text.split(" has no effect").next().unwrap_or_default().rsplit(' ').next().unwrap_or_default().to_owned()
        };
        warned_of_handling(on_error).into_iter().map(cut).collect()
    };
    assert_eq!(told(r#"{ "retry": "in_place", "then": "skip" }"#), ["then"]);
    assert_eq!(told(r#"{ "retry": "in_place", "send_by": "dlt" }"#), ["send_by"]);
    assert_eq!(told(r#"{ "retry": "in_place", "tries": 1, "back_off": "1s", "then": "skip" }"#), ["retry", "back_off"]);
    assert_eq!(told(r#"{ "retry": "in_place", "tries": 2, "counts": "one_record" }"#), ["counts"]);
    for meant in [
        r#"{ "retry": "seek_back", "tries": 1, "send_by": "dlt" }"#,
        r#"{ "retry": "seek_back", "tries": 3, "counts": "one_record", "back_off": "1s", "then": "skip" }"#,
        r#"{ "then": "skip" }"#,
    ] {
        assert_eq!(told(meant), [""; 0], "{meant}");
    }
}
