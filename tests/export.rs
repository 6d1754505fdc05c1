//! A run as text to be taken along: the same whether it is made at once or in slices, with what was done by hand; and a ledger that
//! agrees with the outcome, read by another program's CSV reader.

use logstep::export::{HEADER, Job, Wanted, ledger, transcript};
use logstep::history::History;
use logstep::link::{Beginning, Deed};
use logstep::scenario::{Outcome, Scenario, library::BUILT_IN, read};
use logstep::sim::{Action, Change, ClientId, ConsumerId, HandlingOf, Simulation, Span};
use logstep::text::Lang;
use std::collections::BTreeMap;

fn built_in() -> impl Iterator<Item = Scenario> {
    BUILT_IN.iter().map(|built_in| built_in.read().expect("it has no mistakes"))
}

fn cases() -> impl Iterator<Item = Scenario> {
    let files = std::fs::read_dir("tests/cases").expect("the folder of cases");
    files.map(|file| {
        let source = std::fs::read_to_string(file.expect("an entry of the folder").path()).expect("a case is readable");
        read(&source).expect("it has no mistakes")
    })
}

fn made(wanted: Wanted, scenario: &Scenario, done: Vec<Deed>) -> Option<String> {
    let mut job = Job::new(wanted, scenario, Beginning::default(), done);
    let mut percent = 0;
    loop {
        job.go_on()?;
        assert!(percent <= job.percent() && job.percent() <= 100, "{percent} {}", job.percent());
        percent = job.percent();
        if let Some(text) = job.take_text() {
            return Some(text);
        }
    }
}

#[test]
fn a_text_made_in_slices_is_that_of_the_whole_run() {
    for scenario in built_in() {
        let run = scenario.run();
        for lang in Lang::ALL {
            assert_eq!(made(Wanted::Transcript(lang), &scenario, vec![]), Some(transcript(lang, &run, false)));
        }
        assert_eq!(made(Wanted::Outcome, &scenario, vec![]), Some(Outcome::of(&run).to_json() + "\n"));
        assert_eq!(made(Wanted::Ledger, &scenario, vec![]), Some(ledger(&run)));
    }
}

#[test]
fn what_was_done_by_hand_is_done_again() {
    // Where the second consumer can crash in the middle and be started again.
    for scenario in built_in().take(2) {
        let mut history = History::new(Simulation::new(scenario.setup.clone()));
        while !history.advance(100_000).complete {}
        let story = history.known().steps;
        // In the middle of an instant, too, and before the first step.
        let slow =
            Change::HandlingTime { consumer: ConsumerId(1), of: HandlingOf::Every, time: Span::from_millis(900) };
        for (position, action) in [
            (0, Action::Set(slow)),
            (story / 3, Action::Crash(ClientId::Consumer(ConsumerId(1)))),
            (story / 2, Action::Restart(ConsumerId(1))),
        ] {
            history.seek(position);
            history.act(action).expect("it is possible");
            while !history.advance(100_000).complete {}
        }
        history.seek(u32::MAX);
        let run = history.now();
        let done: Vec<Deed> = (history.actions(history.current()).iter())
            .map(|&(position, action)| Deed::of(run, position, action))
            .collect();
        assert_eq!(done.len(), 3);
        assert_eq!(made(Wanted::Outcome, &scenario, done.clone()), Some(Outcome::of(run).to_json() + "\n"));
        assert_eq!(made(Wanted::Ledger, &scenario, done), Some(ledger(run)));
    }
}

#[test]
fn what_cannot_be_done_again_is_no_text() {
    let scenario = built_in().next().expect("there is one");
    let run = scenario.run();
    let deed = |consumer| Deed::of(&run, 50, Action::Crash(ClientId::Consumer(ConsumerId(consumer))));
    assert!(made(Wanted::Outcome, &scenario, vec![deed(0)]).is_some());
    assert_eq!(made(Wanted::Outcome, &scenario, vec![deed(0), deed(0)]), None, "it has crashed already");
    assert_eq!(made(Wanted::Outcome, &scenario, vec![deed(99)]), None, "there is no such member");
}

/// The lines of a ledger, each as its fields by the names of the columns.
fn lines(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.trim_start_matches('\u{feff}').as_bytes());
    assert_eq!(reader.headers().expect("a header"), HEADER.as_slice());
    reader.deserialize().map(|line| line.expect("a line")).collect()
}

#[test]
fn the_ledger_agrees_with_the_outcome() {
    for scenario in built_in().chain(cases()) {
        let run = scenario.run();
        let (outcome, lines) = (Outcome::of(&run), lines(&ledger(&run)));
        let count = |is_meant: &dyn Fn(&BTreeMap<String, String>) -> bool| {
            lines.iter().filter(|line| is_meant(line)).count() as u32
        };
        for (name, group) in &outcome.groups.0 {
            let of_group = |line: &BTreeMap<String, String>| line["group"] == *name;
            let of_kind = |kind: &'static str| count(&move |line| of_group(line) && line["duplicate"] == kind);
            assert_eq!(count(&|line| of_group(line) && line["nth"] == "1"), group.processed);
            assert_eq!(count(&|line| of_group(line) && line["nth"] != "1"), group.duplicates.total);
            assert_eq!(of_kind(""), group.processed);
            assert_eq!(of_kind("of_stopped"), group.duplicates.of_stopped);
            assert_eq!(of_kind("of_survivors"), group.duplicates.of_survivors);
            assert_eq!(of_kind("of_rewinds"), group.duplicates.of_rewinds);
            assert_eq!(of_kind("of_sharing"), group.duplicates.of_sharing);
            for (member, found) in &group.members.0 {
                assert_eq!(count(&|line| of_group(line) && line["member"] == *member), found.processed);
            }
            for (partition, found) in &group.partitions.0 {
                for line in &lines {
                    let offset: u32 = line["offset"].parse().expect("a number");
                    if of_group(line) && format!("{}-{}", line["topic"], line["partition"]) == *partition {
                        let is_behind = found.committed.is_some_and(|committed| committed > offset);
                        assert_eq!(line["committed"], is_behind.to_string());
                        assert!(line["nth"] != "2" || found.processed_twice.contains(&offset));
                    }
                }
            }
        }
        for (name, sink) in &outcome.sinks.0 {
            let rows: Vec<u32> = (lines.iter())
                .filter(|line| line["sink"] == *name && !line["row"].is_empty())
                .map(|line| line["row"].parse().expect("a number"))
                .collect();
            assert_eq!(rows, (1..=sink.rows).collect::<Vec<u32>>());
            assert_eq!(count(&|line| line["sink"] == *name && line["row"].is_empty()), sink.absorbed);
        }
    }
}

#[test]
fn a_ledger_of_more_than_ascii_says_that_it_is_utf_8_and_keeps_every_letter() {
    let source = r#"{
  "format": "logstep/1", "title": "t", "ends_at": "10s", "cluster": { "kafka": "4.0" },
  "topics": [{ "name": "t", "partitions": 1 }],
  "producers": [{ "name": "p", "topic": "t", "records": [
    { "at": "1s", "key": "注文,1", "value": "\"=1\"" }, { "at": "2s", "key": "", "value": "x" }
  ] }],
  "groups": [{ "name": "g", "settings": { "enable.auto.commit": false, "auto.offset.reset": "earliest" }, "handling": { "time": "50ms", "commit": { "when": "after_batch" } }, "members": [{ "name": "c1" }] }]
}"#;
    let csv = ledger(&read(source).expect("no mistakes").run());
    assert!(csv.starts_with('\u{feff}'));
    let read = lines(&csv);
    let fields = |name: &str| read.iter().map(|line| line[name].clone()).collect::<Vec<String>>();
    assert_eq!(
        (fields("key"), fields("value")),
        (vec!["注文,1".into(), String::new()], vec!["\"=1\"".into(), "x".into()])
    );
    assert!(!ledger(&built_in().next().expect("there is one").run()).starts_with('\u{feff}'));
}
