//! Scripted actions that are refused: what a file may expect of that, and what it is told.

use logstep::scenario::{Scenario, read};
use logstep::text::{Lang, mistake::difference};

/// A run of a cluster with two brokers, of which the second is slower, and these actions.
#[track_caller]
fn scenario(actions: &str) -> Scenario {
    let source = format!(
        r#"{{
  "format": "logstep/1", "title": "refused", "ends_at": "10s",
  "cluster": {{ "kafka": "4.0", "brokers": [{{ "latency": "2ms" }}, {{ "latency": "9ms" }}] }},
  "topics": [{{ "name": "orders", "partitions": 2 }}],
  "producers": [{{ "name": "shop", "topic": "orders", "records": [] }}],
  "groups": [],
  "actions": [{actions}]
}}"#
    );
    read(&source).unwrap_or_else(|mistakes| panic!("{mistakes:?}"))
}

#[track_caller]
fn check(actions: &str, differences: &[&str], warnings: &[&str]) {
    let scenario = scenario(actions);
    let run = scenario.run();
    let said = |found: Vec<_>| found.iter().map(|found| difference(Lang::En, found)).collect::<Vec<_>>();
    assert_eq!(said(scenario.expectations.check(&run)), differences);
    assert_eq!(said(scenario.expectations.unexpected_refusals(&run)), warnings);
}

#[test]
fn an_action_that_is_refused_without_a_word_of_it_is_a_warning() {
    let twice = r#"{ "crash": "shop", "at": "1s" }, { "crash": "shop", "at": "2s" }"#;
    check(twice, &[], &["actions[1]: it is refused (not_running): The process is not running."]);
}

#[test]
fn a_refusal_can_be_expected_with_or_without_its_reason() {
    let crash = r#"{ "crash": "shop", "at": "1s", "refused": false }"#;
    for refused in ["true", "\"not_running\""] {
        check(&format!(r#"{crash}, {{ "close": "shop", "at": "2s", "refused": {refused} }}"#), &[], &[]);
    }
    check(
        &format!(r#"{crash}, {{ "close": "shop", "at": "2s", "refused": "already_closing" }}"#),
        &["actions[1].refused: expected already_closing, found not_running"],
        &[],
    );
    check(
        &format!(r#"{crash}, {{ "close": "shop", "at": "2s", "refused": false }}"#),
        &["actions[1].refused: it is refused (not_running): The process is not running."],
        &[],
    );
}

#[test]
fn an_action_that_is_done_or_never_due_is_not_refused() {
    let wanted = "actions[0].refused: it is not refused: it is done, or never due";
    check(r#"{ "crash": "shop", "at": "1s", "refused": true }"#, &[wanted], &[]);
    check(
        r#"{ "crash": "shop", "after": { "sent": { "producer": "shop", "records": 1 } }, "refused": "not_running" }"#,
        &[wanted],
        &[],
    );
}

#[test]
fn what_is_done_to_all_brokers_is_refused_if_it_is_for_each() {
    let same = |refused: &str| {
        format!(
            r#"{{ "set": {{ "latency": "2ms" }}, "at": "1s" }},
               {{ "set": {{ "latency": "2ms" }}, "at": "2s"{refused} }},
               {{ "start": "shop", "at": "3s", "refused": "already_running" }}"#
        )
    };
    check(&same(r#", "refused": "no_change""#), &[], &[]);
    check(&same(""), &[], &["actions[1]: it is refused (no_change): It is so already."]);
}
