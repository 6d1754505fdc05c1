//! `logstep-run` as it is called: what it prints where, and its exit status.

use logstep::scenario::library::find;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_logstep-run")).args(arguments).output().expect("it starts")
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

const STORY: &str = "static/scenarios/crash-before-commit.json";

#[test]
fn run_prints_the_visible_steps_and_the_outcome() {
    let output = run(&["run", STORY]);
    assert_eq!((output.status.code(), err(&output)), (Some(0), ""));
    let crash = out(&output).find("c3 crashes.").expect("the crash in words");
    assert!(out(&output)[crash..].contains("its session expires"), "{}", out(&output));
    assert!(!out(&output).contains("sends a heartbeat"));
    assert!(out(&output).ends_with("payments holds 29 rows for 26 records.\n"));
    assert!(out(&run(&["run", STORY, "--all"])).contains("sends a heartbeat"));
    assert!(out(&run(&["run", STORY, "--lang", "ja"])).contains("c3 がクラッシュしました"));
}

#[test]
fn run_json_prints_the_outcome_only() {
    let output = run(&["run", STORY, "--json"]);
    let outcome: serde_json::Value = serde_json::from_str(out(&output)).expect("JSON");
    let billing = &outcome["groups"]["billing"];
    assert_eq!((&billing["processed"], &billing["lost"]["total"]), (&26.into(), &0.into()));
    assert_eq!(billing["partitions"]["orders-2"]["owner"], "c2");
    assert_eq!(outcome["sinks"]["payments"]["rows"], 29);
    assert!(outcome["steps"].as_u64() > outcome["visible_steps"].as_u64());
    assert_eq!(outcome["digest"].as_str().map(str::len), Some(64));
    assert_eq!(out(&run(&["run", "crash-before-commit", "--json"])), out(&output), "a built-in one by its name");
}

#[test]
fn run_csv_prints_the_ledger_only() {
    let output = run(&["run", STORY, "--csv"]);
    let lines: Vec<&str> = out(&output).split_terminator("\r\n").collect();
    // Three of the 26 records were processed twice.
    assert_eq!((output.status.code(), lines.len()), (Some(0), 1 + 26 + 3));
    assert!(lines[0].starts_with("record,key,value,topic,partition,offset,group,member,"));
    assert_eq!(lines[1], "A1,order-1001,created,orders,0,0,billing,c1,25,8513000,1,,true,payments,1");
}

#[test]
fn a_run_that_is_stopped_at_the_limit_of_steps_says_so_and_fails() {
    // A member that is out of the group whenever it has come to its partitions, for a month.
    let source = r#"{
  "format": "logstep/1", "title": "endless", "ends_at": "30d", "cluster": { "kafka": "4.0" },
  "topics": [{ "name": "t", "partitions": 2 }],
  "producers": [{ "name": "p", "topic": "t", "workload": { "per_second": 1, "records": 20, "keys": 4 } }],
  "groups": [{ "name": "g", "settings": { "enable.auto.commit": false, "max.poll.interval.ms": 1 }, "handling": { "time": "50ms", "commit": { "when": "after_batch" } }, "members": [{ "name": "c1" }] }]
}"#;
    let file = std::env::temp_dir().join(format!("logstep-endless-{}.json", std::process::id()));
    std::fs::write(&file, source).expect("a file");
    let output = run(&["run", file.to_str().expect("UTF-8"), "--lang", "ja"]);
    std::fs::remove_file(&file).expect("the file goes");
    assert_eq!((output.status.code(), err(&output)), (Some(3), ""));
    let end: String = out(&output).lines().rev().take(4).collect();
    assert!(end.contains("ステップ数の上限（1,000,000）に達したため、720 時間のうち"), "{end}");
}

#[test]
fn check_says_what_differs_and_fails() {
    let output = run(&["check", STORY]);
    assert_eq!(output.status.code(), Some(0));
    let source = find("crash-before-commit").expect("built in").source;
    let folder = std::env::temp_dir().join(format!("logstep-check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("differs.json");
    let changed = source.replace("\"lost\": 0", "\"lost\": 1").replace("\"at_most\": \"48s\"", "\"at_most\": \"46s\"");
    std::fs::write(&file, changed).expect("a file");
    let output = run(&["check", STORY, file.to_str().expect("UTF-8")]);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("expect.groups.billing.lost: expected 1, found 0"), "{}", out(&output));
    assert!(out(&output).contains("expect.takes[0]: expected between 45s and 46s, found 46.0"), "{}", out(&output));
    assert_eq!(out(&output).lines().count(), 3);
}

#[test]
fn a_broken_file_lists_its_mistakes_with_their_places() {
    for command in ["run", "check"] {
        let output = run(&[command, "tests/broken/not-one-of.json", "--lang", "ja"]);
        assert_eq!((output.status.code(), out(&output)), (Some(1), ""));
        let first = "tests/broken/not-one-of.json:2:13: format: 「logstep/2」は使えません。";
        assert!(err(&output).starts_with(first), "{}", err(&output));
        assert!(err(&output).lines().count() > 3);
    }
    assert_eq!(run(&["run", "no-such-file.json"]).status.code(), Some(1));
}

#[test]
fn sweep_prints_a_table_or_json_and_says_what_it_left_out() {
    let output = run(&["sweep", STORY, "--crash"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(err(&output).starts_with("Crashes of consumers that the file plans are left out"), "{}", err(&output));
    assert!(out(&output).starts_with("The file as it is: lost 0, duplicates 3, out of order 0\n"), "{}", out(&output));
    assert!(out(&output).contains("With lost records: 0. With duplicates: "), "{}", out(&output));
    let output = run(&["sweep", STORY, "--set", "commit.after_records=1,5", "--json"]);
    let table: serde_json::Value = serde_json::from_str(out(&output)).expect("JSON");
    let rows = table["rows"].as_array().expect("a list");
    assert_eq!((rows[0]["case"]["value"].as_str(), rows[0]["duplicates"].as_u64()), (Some("1"), Some(1)));
    assert!(rows[1]["duplicates"].as_u64() > Some(3));
    assert!(rows[1]["decided_by"]["visible_step"].is_u64());
    assert_eq!(table["complete"], true);
    let output = run(&["sweep", STORY, "--set", "session.timeout.ms=5", "--lang", "ja"]);
    assert_eq!((output.status.code(), out(&output)), (Some(1), ""));
    assert!(err(&output).contains("session.timeout.ms=5 とした場合: groups[0].settings.session.timeout.ms: "));
}

#[test]
fn describe_prints_a_moment_and_refuses_one_behind_the_end() {
    let output = run(&["describe", STORY, "--at", "20s"]);
    assert_eq!((output.status.code(), err(&output)), (Some(0), ""));
    let fields = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let third = fields(out(&output).lines().nth(4).expect("a line for each partition"));
    assert_eq!(third[..6], ["billing", "orders", "2", "3", "7", "4"]);
    let output = run(&["describe", STORY, "--at", "1h"]);
    assert_eq!((output.status.code(), out(&output)), (Some(1), ""));
}

#[test]
fn schema_prints_the_schema_or_the_page_and_wrong_usage_prints_the_usage() {
    assert!(out(&run(&["schema"])).starts_with("{\n  \"$schema\""));
    assert!(out(&run(&["schema", "--markdown", "ja"])).contains("# シナリオのフォーマット"));
    assert_eq!(run(&["help"]).status.code(), Some(0));
    let output = run(&["fly"]);
    assert_eq!((output.status.code(), out(&output)), (Some(2), ""));
    assert!(err(&output).contains("Usage:"));
}
