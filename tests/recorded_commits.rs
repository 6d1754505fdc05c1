//! Commits against recordings of real Java clients and a real broker: when they are made, what a crash leaves, what a
//! commit in `onPartitionsRevoked()` saves, and two services that share a `group.id`.

#[path = "common/recorded.rs"]
mod recorded;

use logstep::scenario::{self, Outcome};
use logstep::sim::{Setup, Simulation};
use recorded::summary;
use serde_json::{Value, json};

const CRASHES: &str = include_str!("reference/05-commit-and-crash-java.json");
const ON_REVOKE: &str = include_str!("reference/07c-commit-on-revoke-java.json");
const SHARED: &str = include_str!("reference/09-shared-group-id.json");

fn recording(file: &str, entry: &str) -> Value {
    let all: Value = serde_json::from_str(file).expect("JSON");
    let found = all["observed"][entry].clone();
    assert!(!found.is_null(), "{entry} is recorded");
    found
}

fn setup(file: &Value) -> Setup {
    let scenario = scenario::read(&file.to_string()).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    (*scenario.setup).clone()
}

fn finished(setup: Setup) -> Simulation {
    let mut run = Simulation::new(setup);
    while let logstep::sim::Progress::Step(_) = run.step() {}
    run
}

/// One partition with offsets 0 to 29, written before `a` starts; `a` dies with `crash_in` records done, and `b` starts.
fn crash(settings: Value, handling: Value, crash_at: Value) -> Value {
    let records: Vec<Value> = (0..30).map(|n| json!({ "at": "1s", "key": "k", "value": n.to_string() })).collect();
    let mut all_settings =
        json!({ "auto.offset.reset": "earliest", "session.timeout.ms": 6000, "heartbeat.interval.ms": 1000 });
    all_settings.as_object_mut().expect("an object").append(&mut settings.as_object().expect("an object").clone());
    json!({
        "format": "logstep/1", "title": "A crash", "ends_at": "60s",
        "cluster": { "kafka": "3.6", "settings": { "group.initial.rebalance.delay.ms": 500 } },
        "topics": [{ "name": "t", "partitions": 1 }],
        "producers": [{ "name": "p", "topic": "t", "records": records }],
        "groups": [{
            "name": "g", "settings": all_settings, "handling": handling,
            "members": [{ "name": "a", "starts_at": "3s" }, { "name": "b", "starts_at": "never" }]
        }],
        "actions": [
            { "crash": "a", "after": { "processed": { "member": "a", "records": crash_at } }, "wait": "20ms" },
            { "start": "b", "after": { "crashed": "a" } }
        ]
    })
}

#[test]
fn a_crash_leaves_what_a_java_client_leaves() {
    let manual = |commit: Value| json!({ "time": "50ms", "commit": commit });
    let slow = json!({ "time": "150ms" });
    let off = json!({ "enable.auto.commit": false });
    let off_by_five = json!({ "enable.auto.commit": false, "max.poll.records": 5 });
    let on = |records: u32| json!({ "auto.commit.interval.ms": 1000, "max.poll.records": records });
    let cases = [
        ("Java: commit after every 5 processed, crash after 8", off, manual(json!({ "after_records": 5 })), 8),
        (
            "Java: commit before processing, batches of 5, crash while processing record 7 (index 7)",
            off_by_five,
            manual(json!({ "when": "before_batch" })),
            7,
        ),
        (
            "Java: auto-commit every 1 s, max.poll.records 500, 150 ms per record, crash while processing index 15",
            on(500),
            slow.clone(),
            15,
        ),
        (
            "Java: auto-commit every 1 s, record at index 4 is still in processing after 2.4 s when the process dies",
            on(500),
            slow.clone(),
            4,
        ),
    ];
    for (entry, settings, handling, records) in cases {
        let run = finished(setup(&crash(settings, handling, records.into())));
        assert_eq!(summary(&run), recording(CRASHES, entry)["summary"], "{entry}");
    }
}

/// Whether two or three batches had been committed depends on when the records come after the timer has started: the
/// recording has both.
#[test]
fn auto_commit_commits_what_earlier_polls_returned() {
    let entry = "Java: auto-commit every 1 s, max.poll.records 5, 150 ms per record, crash while processing index 17";
    let recorded = recording(CRASHES, entry)["summary"].as_array().expect("one for each run").clone();
    let written_at = |millis: u32| {
        let settings = json!({ "auto.commit.interval.ms": 1000, "max.poll.records": 5 });
        let mut file = crash(settings, json!({ "time": "150ms" }), 17.into());
        for record in file["producers"][0]["records"].as_array_mut().expect("a list") {
            record["at"] = format!("{millis}ms").into();
        }
        summary(&finished(setup(&file)))
    };
    let found: Vec<Value> = (0..10).map(|tenth| written_at(5_000 + tenth * 100)).collect();
    assert!(found.iter().all(|found| recorded.contains(found)), "{found:#?}");
    assert!(recorded.iter().all(|recorded| found.contains(recorded)), "{found:#?}");
}

/// c1 and c2 own three partitions each, c3 joins while a record comes to each partition every 50 ms.
#[test]
fn a_commit_in_on_partitions_revoked_leaves_no_duplicates() {
    let records: Vec<Value> = (0..400)
        .flat_map(|n| {
            let at = format!("{}ms", 5_000 + n * 50);
            ["order-0", "order-1", "order-2", "order-3", "order-4", "order-5", "order-7", "order-8", "order-11"]
                .map(|key| json!({ "at": at, "key": key, "value": "v" }))
        })
        .collect();
    let file = |commit: Value| {
        json!({
            "format": "logstep/1", "title": "A third consumer joins", "ends_at": "45s",
            "cluster": { "kafka": "3.6", "settings": { "group.initial.rebalance.delay.ms": 500 } },
            "topics": [{ "name": "t", "partitions": 6 }],
            "producers": [{ "name": "p", "topic": "t", "records": records }],
            "groups": [{
                "name": "g",
                "settings": {
                    "enable.auto.commit": false, "auto.offset.reset": "earliest", "session.timeout.ms": 6000,
                    "heartbeat.interval.ms": 1000
                },
                "handling": { "time": "2ms", "commit": commit },
                "members": [{ "name": "c1" }, { "name": "c2" }, { "name": "c3", "starts_at": "15s" }]
            }]
        })
    };
    let duplicates = |commit: Value| {
        let outcome = Outcome::of(&finished(setup(&file(commit))));
        let group = outcome.groups.get("g").expect("the group");
        assert_eq!((group.lost.total, group.pending, group.generation), (0, 0, 2));
        assert!(group.errors.is_empty(), "{:?}", group.errors);
        group.duplicates.total
    };
    let recorded = recording(ON_REVOKE, "Java: range (eager), commit in on_revoke");
    assert_eq!(recorded["read_twice_per_partition"], json!([{}, {}, {}]));
    assert_eq!(duplicates(json!({ "after_records": 25, "on_revoke": true })), 0);
    assert!(duplicates(json!({ "after_records": 25 })) > 0, "without it there are some");
}

#[test]
fn two_services_with_one_group_id_share_the_events() {
    let records: Vec<Value> = (0..300)
        .map(|n| json!({ "at": format!("{}ms", 10_000 + n * 20), "key": format!("order-{}", n % 30), "value": "v" }))
        .collect();
    let member = |name: &str| json!({ "name": name });
    let group = |name: &str, members: Vec<Value>| {
        json!({
            "name": name, "settings": { "auto.offset.reset": "earliest" }, "handling": { "time": "1ms" }, "members": members
        })
    };
    let cases = [
        ("same group.id, one instance each", vec![group("g", vec![member("billing-1"), member("email-1")])]),
        (
            "same group.id, billing 2 instances, email 1",
            vec![group("g", vec![member("billing-1"), member("billing-2"), member("email-1")])],
        ),
        (
            "same group.id, billing 3 instances, email 1",
            vec![group("g", vec![member("billing-1"), member("billing-2"), member("billing-3"), member("email-1")])],
        ),
        (
            "own group.id each",
            vec![group("billing", vec![member("billing-1")]), group("email", vec![member("email-1")])],
        ),
    ];
    for (entry, groups) in cases {
        let file = json!({
            "format": "logstep/1", "title": "Two services", "ends_at": "40s", "cluster": { "kafka": "3.6" },
            "topics": [{ "name": "t", "partitions": 3 }],
            "producers": [{ "name": "p", "topic": "t", "records": records }],
            "groups": groups
        });
        let recorded = recording(SHARED, entry);
        let outcome = Outcome::of(&finished(setup(&file)));
        let mut seen = [0, 0];
        for (name, member) in outcome.groups.0.iter().flat_map(|(_, group)| &group.members.0) {
            let owns: Vec<u64> =
                member.partitions.iter().map(|name| name[2..].parse().expect("a partition's number")).collect();
            assert_eq!(recorded["assignment"][name], json!(owns), "{entry}: {name}");
            seen[usize::from(name.starts_with("email"))] += member.processed;
        }
        assert_eq!(recorded["seen_by_service"], json!({ "billing": seen[0], "email": seen[1] }), "{entry}");
    }
}
