//! Consumers of other client libraries than Java's against recordings with a real broker, where what happens depends on the
//! moment: each recorded outcome is reached, and every outcome obeys the rule. What came out the same in every recording is
//! in `tests/cases`.

#[path = "common/recorded.rs"]
mod recorded;

use logstep::explain::why;
use logstep::scenario::{self, Outcome, Scenario};
use logstep::sim::event::CommitCall;
use logstep::sim::{ConsumerId, Event, Simulation, StepNo};
use logstep::text::{Lang, calculation, headline, rule, sentence};
use recorded::{events, summary};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const CRASHES: &str = include_str!("reference/05-commit-and-crash-others.json");
const SLEEPS: &str = include_str!("reference/06-max-poll-interval.json");

fn recorded(entry: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(CRASHES).expect("JSON");
    all["observed"][entry]["summary"].as_array().unwrap_or_else(|| panic!("{entry} has several outcomes")).clone()
}

fn read(file: &Value) -> Scenario {
    scenario::read(&file.to_string()).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"))
}

/// Offsets 0 to 29 come to `a` at a moment; it dies in the middle of a record, and `b` starts.
fn crash(client: Value, settings: Value, (written_at, processed): (u32, u32)) -> Simulation {
    let records: Vec<Value> =
        (0..30).map(|n| json!({ "at": format!("{written_at}ms"), "key": "k", "value": n.to_string() })).collect();
    let file = json!({
        "format": "logstep/1", "title": "A crash", "ends_at": "60s",
        "cluster": { "kafka": "3.6", "settings": { "group.initial.rebalance.delay.ms": 500 } },
        "topics": [{ "name": "t", "partitions": 1 }],
        "producers": [{ "name": "p", "topic": "t", "records": records }],
        "groups": [{
            "name": "g", "client": client, "settings": settings, "handling": { "time": "150ms" },
            "members": [{ "name": "a" }, { "name": "b", "starts_at": "never" }]
        }],
        "actions": [
            { "crash": "a", "after": { "processed": { "member": "a", "records": processed } }, "wait": "75ms" },
            { "start": "b", "after": { "crashed": "a" } }
        ]
    });
    read(&file).run()
}

/// The timer runs since the start of the process. At each tick the offset behind the record in hand is committed, so that
/// those behind it are processed twice, and none before it.
#[test]
fn a_tick_of_librdkafka_commits_what_was_handed_over_by_then() {
    let entry = "librdkafka: auto-commit every 1 s (offset stored when handed over), 150 ms per record, crash while processing index 15";
    let recorded = recorded(entry);
    let settings = json!({
        "auto.offset.reset": "earliest", "auto.commit.interval.ms": 1000, "session.timeout.ms": 6000,
        "heartbeat.interval.ms": 1000
    });
    let client = json!({ "family": "librdkafka", "version": "2.16" });
    let found: Vec<Value> =
        (0..20).map(|phase| summary(&crash(client.clone(), settings.clone(), (5_000 + phase * 50, 15)))).collect();
    for found in &found {
        let committed = found["committed_after_crash"].as_u64().expect("two ticks at least lie before");
        assert!((9..=16).contains(&committed), "a tick is 6 or 7 records back at most: {found}");
        assert_eq!(found["processed_twice"], json!((committed..15).collect::<Vec<_>>()));
        let lost: &[u64] = if committed == 16 { &[15] } else { &[] };
        assert_eq!(found["lost_never_processed"], json!(lost));
    }
    assert!(recorded.iter().all(|recorded| found.contains(recorded)), "{found:#?}");
}

/// `poll()` commits what earlier calls returned, once the timer has run out.
#[test]
fn kafka_python_commits_what_earlier_polls_returned() {
    let entry =
        "kafka-python: auto-commit every 1 s, max_poll_records 5, 150 ms per record, crash while processing index 17";
    let recorded = recorded(entry);
    let settings = json!({
        "auto_offset_reset": "earliest", "auto_commit_interval_ms": 1000, "session_timeout_ms": 6000,
        "heartbeat_interval_ms": 1000, "max_poll_records": 5
    });
    let client = json!({ "family": "kafka-python", "version": "3.0" });
    let found: Vec<Value> =
        (0..20).map(|phase| summary(&crash(client.clone(), settings.clone(), (5_000 + phase * 50, 17)))).collect();
    assert!(found.iter().all(|found| recorded.contains(found)), "{found:#?}");
    assert!(recorded.iter().all(|recorded| found.contains(recorded)), "{found:#?}");
}

/// The file of a case with another client.
fn case_of(name: &str, change: impl Fn(&mut Value)) -> Scenario {
    let source = std::fs::read_to_string(format!("tests/cases/{name}.json")).expect("the case is there");
    let mut file: Value = serde_json::from_str(&source).expect("JSON");
    change(&mut file);
    read(&file)
}

/// Which records were processed twice, as a recording names them.
fn twice(run: &Simulation) -> Value {
    let outcome = Outcome::of(run);
    let of_group = &outcome.groups.get("g").expect("the group").partitions.0;
    let names = of_group.iter().flat_map(|(name, partition)| {
        let number = name.strip_prefix("events-").expect("a partition of the topic");
        partition.processed_twice.iter().map(move |offset| format!("{number}:{offset}"))
    });
    names.collect::<Vec<String>>().into()
}

/// A member sleeps for longer than it may. What it has not committed is done twice, and what the other one has not, whose
/// count goes on over the rebalances; of kafkajs, the order of the partitions in a Fetch decides which record that is.
#[test]
fn what_a_long_sleep_repeats_is_what_was_recorded_whatever_the_seed() {
    let all: Value = serde_json::from_str(SLEEPS).expect("JSON");
    let as_java = |file: &mut Value| {
        file["groups"][0]["client"] = json!({ "family": "java", "version": "3.6" });
        file["groups"][0]["settings"]["partition.assignment.strategy"] = "range".into();
    };
    for name in ["Java", "librdkafka", "kafkajs", "kafka-python", "aiokafka"] {
        let scenario = match name {
            "Java" => case_of("recorded-06-librdkafka", as_java),
            _ => case_of(&format!("recorded-06-{name}"), |_| {}),
        };
        let runs = all["observed"][name]["runs"].as_array().expect("it is recorded");
        let recorded: Vec<&Value> = runs.iter().map(|run| &run["processed_twice"]).collect();
        let found: Vec<Value> =
            (0..20).map(|seed| twice(&finished(logstep::sim::Setup { seed, ..(*scenario.setup).clone() }))).collect();
        assert!(found.iter().all(|found| recorded.contains(&found)), "{name}: {found:#?}");
        assert!(recorded.iter().all(|recorded| found.contains(recorded)), "{name}: {found:#?}");
    }
}

/// The task of aiokafka joins again while the handlers of the survivors go on: in each partition of theirs, what lies
/// between the last commit and the end of the batch is done twice.
#[test]
fn survivors_with_aiokafka_repeat_their_batch_from_the_last_commit() {
    let recorded: [&[u32]; 2] = [&[25, 26, 27, 28, 29], &[]];
    let mut found = BTreeSet::new();
    for tenth in 0..10 {
        let at = format!("{}ms", 10_000 + tenth * 100);
        let scenario = case_of("recorded-04-aiokafka", |file| {
            for record in file["producers"][0]["records"].as_array_mut().expect("records") {
                record["at"] = at.as_str().into();
            }
        });
        let outcome = Outcome::of(&scenario.run());
        let close = &outcome.groups.get("close").expect("the group").partitions;
        let twice = |partition: &str| close.get(partition).expect("a partition").processed_twice.clone();
        assert_eq!(twice("events-2"), [5, 6, 7], "{at}");
        for survivor in ["events-0", "events-1"] {
            let twice = twice(survivor);
            let from = 30 - twice.len() as u32;
            assert!(from.is_multiple_of(5) && twice.iter().copied().eq(from..30), "{at} {survivor}: {twice:?}");
            found.insert(twice);
        }
    }
    assert!(found.len() > 3 && recorded.iter().all(|recorded| found.contains(*recorded)), "{found:?}");
}

fn finished(setup: logstep::sim::Setup) -> Simulation {
    let mut run = Simulation::new(setup);
    while let logstep::sim::Progress::Step(_) = run.step() {}
    run
}

/// Names that only Java has: what is told of other clients has theirs.
#[test]
fn other_clients_are_told_of_in_their_own_words() {
    let java = ["commitSync", "commitAsync", "onPartitions", "CommitFailedException", "metadata.max.age.ms"];
    let dotted = ["session.timeout.ms", "auto.offset.reset", "enable.auto.commit", "heartbeat.interval.ms"];
    let files = std::fs::read_dir("tests/cases").expect("the folder is there").map(|entry| entry.expect("it").path());
    let mut told = BTreeSet::new();
    for path in files {
        let source = std::fs::read_to_string(&path).expect("a file");
        let parsed: Value = serde_json::from_str(&source).expect("JSON");
        let family = parsed["groups"][0]["client"]["family"].as_str().filter(|family| *family != "java");
        let family = family.map(str::to_owned);
        let is_of_others = |run: &Simulation, event: &Event| {
            let library = event.consumer().map(|of| run.consumer(of).config().settings.library);
            library.is_some_and(|library| library != logstep::sim::setup::Library::Java)
        };
        let Some(family) = family else { continue };
        let run = scenario::read(&source).expect("a good file").run();
        for (step, event) in events(&run).filter(|(_, event)| is_of_others(&run, event)) {
            for lang in Lang::ALL {
                let told =
                    [Some(sentence(lang, &run, step)), Some(headline(lang, &run, step)), rule(lang, &run, &event)];
                let numbers = why(&run, step).calculation.map(|of| calculation(lang, &run, &of)).unwrap_or_default();
                for text in told.into_iter().flatten().chain(numbers) {
                    let foreign = java.iter().find(|name| text.contains(*name));
                    assert_eq!(foreign, None, "{}: {text}", path.display());
                    let has_dotted_names = family == "librdkafka";
                    let foreign = dotted.iter().find(|name| !has_dotted_names && text.contains(*name));
                    assert_eq!(foreign, None, "{}: {text}", path.display());
                }
            }
            told.insert(family.clone());
        }
    }
    assert_eq!(told.len(), 4, "{told:?}");
}

/// One group of a client library that reads four partitions, with a second member that comes at 20 s.
fn two_members(client: &str, version: &str, settings: Value) -> Simulation {
    let file = json!({
        "format": "logstep/1", "title": "A second member", "ends_at": "60s",
        "cluster": { "kafka": "3.6", "settings": { "group.initial.rebalance.delay.ms": 500 } },
        "topics": [{ "name": "t", "partitions": 4 }],
        "producers": [{ "name": "p", "topic": "t", "workload": { "from": "5s", "per_second": 50, "until": "40s", "keys": 40 } }],
        "groups": [{
            "name": "g", "client": { "family": client, "version": version }, "settings": settings,
            "handling": { "time": "5ms" },
            "members": [{ "name": "a" }, { "name": "b", "starts_at": "20s" }]
        }]
    });
    read(&file).run()
}

fn duplicates(run: &Simulation) -> u32 {
    Outcome::of(run).groups.get("g").expect("the group").duplicates.total
}

/// `rd_kafka_assignment_serve_removals`.
#[test]
fn librdkafka_commits_the_partitions_that_go_before_they_go() {
    let settings = |strategy: &str| {
        json!({
            "auto.offset.reset": "earliest", "partition.assignment.strategy": strategy, "auto.commit.interval.ms": 30_000
        })
    };
    for (strategy, going) in [("range", 4), ("cooperative-sticky", 2)] {
        let run = two_members("librdkafka", "2.16", settings(strategy));
        let committed: Vec<u32> = events(&run)
            .filter_map(|(_, event)| match event {
                Event::OffsetCommitSent { call: CommitCall::AutoRejoin, partitions, .. } => Some(partitions),
                _ => None,
            })
            .collect();
        assert_eq!(committed, [going], "{strategy}");
        assert_eq!(duplicates(&run), 0, "{strategy}");
    }
}

/// An interval of 0 is no timer: the offsets are committed only when the partitions go.
#[test]
fn librdkafka_without_an_interval_commits_only_what_goes() {
    let run = two_members(
        "librdkafka",
        "2.16",
        json!({ "auto.offset.reset": "earliest", "partition.assignment.strategy": "range", "auto.commit.interval.ms": 0 }),
    );
    let calls: Vec<CommitCall> = events(&run)
        .filter_map(|(_, event)| match event {
            Event::OffsetCommitSent { call, .. } => Some(call),
            _ => None,
        })
        .collect();
    assert_eq!(calls, [CommitCall::AutoRejoin]);
}

/// The timer of librdkafka runs since the process started, whatever is assigned meanwhile.
#[test]
fn the_timer_of_librdkafka_goes_on_through_a_rebalance() {
    let run = two_members(
        "librdkafka",
        "2.16",
        json!({ "auto.offset.reset": "earliest", "partition.assignment.strategy": "range" }),
    );
    let ticks: Vec<u64> = (0..run.steps())
        .map(StepNo)
        .filter_map(|number| run.step_at(number))
        .filter(|step| {
            matches!(
                step.event,
                Event::OffsetCommitSent { consumer: ConsumerId(0), call: CommitCall::AutoInterval, .. }
            )
        })
        .map(|step| step.at.as_micros())
        .collect();
    assert!(ticks.len() > 5 && ticks.iter().all(|tick| tick % 5_000_000 == 0), "{ticks:?}");
}

/// `rd_kafka_topic_partition_list_set_offsets`; an offset where reading began is none that was stored.
#[test]
fn librdkafka_commits_only_what_has_moved_on() {
    let settings = json!({ "auto.offset.reset": "earliest", "auto.commit.interval.ms": 500 });
    let run = two_members("librdkafka", "2.16", settings);
    let committed: Vec<_> = events(&run)
        .filter_map(|(_, event)| match event {
            Event::OffsetCommitted { partition, offset, .. } => Some((partition, offset)),
            _ => None,
        })
        .collect();
    let each_once: BTreeSet<_> = committed.iter().collect();
    assert!(committed.len() > 100 && committed.len() == each_once.len());
    assert!(committed.iter().all(|&(_, offset)| offset > 0));
    assert!(!events(&run).any(|(_, event)| matches!(event, Event::CommitRepeated { .. })));
}

/// With `heartbeatInterval` 3 s and `maxWaitTimeInMs` 5 s an idle consumer comes to a heartbeat every 5 s.
#[test]
fn an_idle_kafkajs_sends_a_heartbeat_when_a_fetch_has_come_back() {
    let run = two_members("kafkajs", "2.2", json!({ "fromBeginning": true }));
    let sent: Vec<u64> = (0..run.steps())
        .map(StepNo)
        .filter_map(|number| run.step_at(number))
        .filter(|step| matches!(step.event, Event::HeartbeatSent { consumer: ConsumerId(0), .. }))
        .map(|step| step.at.as_micros())
        .collect();
    let idle: Vec<u64> = sent.windows(2).filter(|pair| pair[0] > 41_000_000).map(|pair| pair[1] - pair[0]).collect();
    assert!(idle.len() > 2 && idle.iter().all(|&pause| pause == 5_000_000), "{idle:?}");
    let busy = sent.windows(2).filter(|pair| pair[0] > 6_000_000 && pair[1] < 19_000_000).map(|pair| pair[1] - pair[0]);
    assert!(busy.clone().count() > 2 && busy.clone().all(|pause| (3_000_000..3_200_000).contains(&pause)), "{sent:?}");
}

/// Told of a rebalance by a heartbeat, kafkajs commits what is handled, lets go what it has fetched, and joins.
#[test]
fn kafkajs_commits_before_it_joins_again() {
    let run = two_members("kafkajs", "2.2", json!({ "fromBeginning": true, "autoCommitThreshold": 1_000 }));
    assert_eq!(duplicates(&run), 0);
    let without = two_members("kafkajs", "2.2", json!({ "fromBeginning": true, "autoCommit": true }));
    assert_eq!(duplicates(&without), 0);
}

/// One member of kafkajs that reads ten records of one partition, the third of which fails until a moment.
fn failing_kafkajs(until: &str, on_error: Value, actions: Value) -> Simulation {
    let records: Vec<Value> = (0..10).map(|n| json!({ "at": "5s", "key": "k", "value": n.to_string() })).collect();
    let mut handling = json!({
        "time": "10ms",
        "fails": [{ "record": { "partition": "t-0", "offset": 2 }, "until": until }]
    });
    if !on_error.is_null() {
        handling["on_error"] = on_error;
    }
    let file = json!({
        "format": "logstep/1", "title": "t", "ends_at": "60s", "cluster": { "kafka": "3.6" },
        "topics": [{ "name": "t", "partitions": 1 }],
        "producers": [{ "name": "p", "topic": "t", "records": records }],
        "groups": [{
            "name": "g", "client": { "family": "kafkajs", "version": "2.2" }, "settings": { "fromBeginning": true },
            "handling": handling, "members": [{ "name": "a" }]
        }],
        "actions": actions
    });
    read(&file).run()
}

fn at(run: &Simulation, wanted: impl Fn(&Event) -> bool) -> Vec<u64> {
    let steps = (0..run.steps()).map(StepNo).filter_map(|number| run.step_at(number));
    steps.filter(|step| wanted(&step.event)).map(|step| step.at.as_micros() / 1_000).collect()
}

/// `Runner#processEachMessage`, `src/retry/defaults.js`: what is handled is committed, and each wait is twice as long. The
/// consumer itself starts anew after the last of five retries (`onCrash`).
#[test]
fn kafkajs_tries_again_what_its_handler_throws_and_then_starts_anew() {
    let run = failing_kafkajs("25s", Value::Null, json!([]));
    let failed = at(&run, |event| matches!(event, Event::HandlingFailed { .. }));
    let waits: Vec<u64> = failed.windows(2).map(|pair| (pair[1] - pair[0]) / 100).collect();
    assert_eq!(waits[..5], [3, 6, 12, 24, 48], "{failed:?}");
    let committed = at(&run, |event| matches!(event, Event::OffsetCommitted { offset: 2, .. }));
    assert!(committed.first().is_some_and(|&at| at < failed[1]), "{committed:?}");
    let [started, again] = at(&run, |event| matches!(event, Event::ConsumerStarted { .. }))[..] else {
        panic!("it starts once more");
    };
    let closed = at(&run, |event| matches!(event, Event::ConsumerClosed { .. }));
    assert_eq!((started, closed.len(), again - closed[0]), (0, 1, 9_600));
    assert_eq!((duplicates(&run), run.consumer(ConsumerId(0)).processed), (0, 10));
}

/// Caught inside of `eachMessage`, an exception is the application's own business.
#[test]
fn kafkajs_does_not_see_what_its_handler_catches() {
    let run = failing_kafkajs("59s", json!({ "then": "skip" }), json!([]));
    assert_eq!(run.consumer(ConsumerId(0)).processed, 9);
    let run = failing_kafkajs("8s", json!({ "retry": "in_place", "back_off": "1s" }), json!([]));
    let failed = at(&run, |event| matches!(event, Event::HandlingFailed { .. }));
    assert!(failed.windows(2).all(|pair| pair[1] - pair[0] == 1_010) && failed.len() > 1, "{failed:?}");
}

/// `OffsetManager#seek`.
#[test]
fn kafkajs_commits_the_offset_of_a_seek() {
    let sought = json!([{ "at": "10s", "seek": { "member": "a", "partition": "t-0", "to": 4 } }]);
    let run = failing_kafkajs("1s", Value::Null, sought);
    let calls: Vec<CommitCall> = events(&run)
        .filter_map(|(_, event)| match event {
            Event::OffsetCommitSent { call, .. } => Some(call),
            _ => None,
        })
        .collect();
    assert_eq!(calls.iter().filter(|call| **call == CommitCall::AutoSeek).count(), 1, "{calls:?}");
    let committed: Vec<u32> = events(&run)
        .filter_map(|(_, event)| match event {
            Event::OffsetCommitted { offset, .. } => Some(offset),
            _ => None,
        })
        .collect();
    assert_eq!(committed[committed.len() - 2..], [4, 10], "{committed:?}");
}

/// The round robin of kafkajs has a name of its own, `RoundRobinAssigner`.
#[test]
fn kafkajs_has_no_assignor_in_common_with_other_clients() {
    let file = json!({
        "format": "logstep/1", "title": "t", "ends_at": "20s", "cluster": { "kafka": "3.6" },
        "topics": [{ "name": "t", "partitions": 2 }], "producers": [],
        "groups": [{
            "name": "g", "client": { "family": "kafkajs", "version": "2.2" }, "settings": {}, "handling": { "time": "1ms" },
            "members": [
                { "name": "a" },
                {
                    "name": "b", "client": { "family": "java", "version": "3.6" }, "starts_at": "10s",
                    "settings": { "partition.assignment.strategy": ["range", "roundrobin", "sticky", "cooperative-sticky"] }
                }
            ]
        }]
    });
    let run = read(&file).run();
    let failed = events(&run).find_map(|(_, event)| match event {
        Event::ConsumerFailed { consumer, error, .. } => Some((consumer, error.name())),
        _ => None,
    });
    assert_eq!(failed, Some((ConsumerId(1), "INCONSISTENT_GROUP_PROTOCOL")));
}

/// What is handed over to a pool is resolved at once in kafkajs, which is not modelled.
#[test]
fn a_pool_behind_kafkajs_is_refused() {
    let file = json!({
        "format": "logstep/1", "title": "t", "ends_at": "1s", "cluster": { "kafka": "3.6" },
        "topics": [{ "name": "t", "partitions": 1 }], "producers": [],
        "groups": [{
            "name": "g", "client": { "family": "kafkajs", "version": "2.2" }, "settings": {},
            "handling": { "time": "1ms", "pool": { "workers": 2 } }, "members": [{ "name": "a" }]
        }]
    });
    assert!(scenario::read(&file.to_string()).is_err());
}

/// A rolling deployment: `a` works on offset 4 while it loses the partition and gets it back, and stores 5 when another
/// member has long committed 10. librdkafka compares the two when its timer runs out, not when the partition goes, be it by a
/// revocation or by `rd_kafka_consumer_close()`: it was seen to commit 5 there.
#[test]
fn librdkafka_commits_what_is_stored_late_only_when_the_partition_goes() {
    let commits = |next: Value, offset: &str| {
        let record = |at: &str| json!({ "at": at, "value": "v", "partition": 1 });
        let records: Vec<Value> =
            [record("5s"), record("15s")].into_iter().flat_map(|record| vec![record; 5]).collect();
        let file = json!({
            "format": "logstep/1", "title": "A late store", "ends_at": "70s",
            "cluster": { "kafka": "3.6", "settings": { "group.initial.rebalance.delay.ms": 0 } },
            "topics": [{ "name": "t", "partitions": 2 }],
            "producers": [{ "name": "p", "topic": "t", "records": records }],
            "groups": [{
                "name": "g", "client": { "family": "librdkafka", "version": "2.16" },
                "settings": { "auto.offset.reset": "earliest", "enable.auto.offset.store": false },
                "handling": {
                    "time": "100ms", "pool": { "workers": 1, "revoked": "go_on" },
                    "commit": { "when": "never", "offset": offset }
                },
                "members": [
                    { "name": "a", "handling": { "times": [{ "record": { "partition": "t-1", "offset": 4 }, "time": "30s" }] } },
                    { "name": "b", "starts_at": "10s" }
                ]
            }],
            "actions": [{ "close": "b", "at": "25s" }, next]
        });
        let run = read(&file).run();
        let commits = events(&run).filter_map(|(_, event)| match event {
            Event::OffsetCommitted { consumer, offset, .. } => Some((consumer.0, offset)),
            _ => None,
        });
        commits.collect::<Vec<_>>()
    };
    let before = [(0, 4), (1, 5), (1, 10)];
    let from = |late: &[(u16, u32)]| [&before, late].concat();
    assert_eq!(commits(json!({ "close": "a", "at": "55s" }), "highest"), from(&[(0, 5)]));
    assert_eq!(commits(json!({ "start": "b", "at": "50s" }), "highest"), from(&[(0, 5), (1, 10)]));
    // As long as the partition stays there is only the timer. An application that keeps count knows that 4 is past.
    assert_eq!(commits(json!({ "close": "b", "at": "55s", "refused": true }), "highest"), before);
    assert_eq!(commits(json!({ "start": "b", "at": "50s" }), "contiguous"), before);
}
