//! The settings behind a step: each is a control, and each belongs to its step.

mod common;

use common::{finished, steps, story};
use logstep::explain::{Owner, Setting, SettingUse, SettingValue, TakesEffect, alternatives, configuration, why};
use logstep::scenario::{library, read};
use logstep::sim::assignor::Assignor;
use logstep::sim::event::AfterFailure;
use logstep::sim::setup::{CommitPolicy, Library, Setup};
use logstep::sim::*;
use logstep::text::{Lang, fixed, from_beginning, from_here, restart_with, sentence};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Calls `check` with each setting that is shown at some step, as the run is right after that step.
fn at_each_setting(setup: &Rc<Setup>, mut check: impl FnMut(&Simulation, &SettingUse)) {
    let mut run = Simulation::new(setup.clone());
    while let Progress::Step(_) = run.step() {
        for used in why(&run, StepNo(run.steps() - 1)).settings {
            check(&run, &used);
        }
    }
}

/// The value that is marked as the present one.
fn present(run: &Simulation, used: &SettingUse) -> SettingValue {
    let mut offered = alternatives(run, used.setting, used.owner).expect("a control").values;
    offered.retain(|value| value.is_present);
    assert_eq!(offered.len(), 1, "{used:?}");
    offered.remove(0).value
}

/// True if something is offered. It is sound: the value that holds is marked, and each other one can be set at the
/// beginning of the run and holds then.
fn is_control(run: &Simulation, used: &SettingUse) -> bool {
    let Some(offered) = alternatives(run, used.setting, used.owner) else { return false };
    assert_eq!(present(run, used), used.value, "{used:?}");
    assert!(offered.values.len() > 1, "{used:?}");
    assert!(offered.values.iter().filter(|value| value.is_default).count() <= 1, "{used:?}");
    for other in offered.values.iter().filter(|value| value.contradicts.is_none()) {
        let mut anew = Simulation::new(run.setup().clone());
        // Who has joined during the run is not there at its beginning.
        if other.change.consumer().is_some_and(|consumer| consumer.index() >= anew.consumers().len()) {
            continue;
        }
        match anew.apply(Action::Set(other.change)) {
            Ok(_) | Err(Refusal::NoChange) => assert_eq!(present(&anew, used), other.value),
            Err(refusal) => panic!("{other:?}: {refusal:?}"),
        }
    }
    true
}

#[test]
fn every_setting_of_a_built_in_story_is_a_control_that_offers_another_value() {
    let mut shown = BTreeSet::new();
    for built_in in library::BUILT_IN {
        let scenario = built_in.read().expect("a built-in scenario is sound");
        at_each_setting(&scenario.setup, |run, used| {
            shown.insert(used.setting.name());
            assert!(is_control(run, used), "{} of {:?} in {}", used.setting.name(), used.owner, built_in.name);
        });
    }
    let expected = [
        "auto.offset.reset",
        "commit.after_records",
        "enable.auto.commit",
        "group.initial.rebalance.delay.ms",
        "handling.time",
        "heartbeat.interval.ms",
        "linger.ms",
        "max.poll.interval.ms",
        "network.latency",
        "partition.assignment.strategy",
        "session.timeout.ms",
        "sink.unique_key",
    ];
    assert_eq!(shown.into_iter().collect::<Vec<_>>(), expected);
}

/// In all worlds of the documentation and of the observed cases, too, and where all settings are listed. There are things that
/// the engine cannot change.
#[test]
fn every_other_setting_is_a_control_too_or_says_why_not() {
    let cases = std::fs::read_dir("tests/cases").expect("the folder is there").map(|entry| entry.expect("it").path());
    let mut sources: Vec<String> = cases.map(|path| std::fs::read_to_string(path).expect("a file")).collect();
    sources.extend(logstep::publish::EXAMPLES.iter().map(|example| example.source.to_owned()));
    let (mut controls, mut others, mut of_libraries) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for source in sources {
        let scenario = read(&source).expect("a good file");
        let mut looked_at = Vec::new();
        let mut check = |run: &Simulation, used: &SettingUse| {
            // Once for each value is enough in so many worlds.
            if looked_at.contains(used) {
                return;
            }
            looked_at.push(used.clone());
            let library = match used.owner {
                Owner::Consumer(consumer) => run.consumer(consumer).config().settings.library,
                _ => Library::Java,
            };
            if is_control(run, used) {
                controls.insert(used.setting.name());
                if library != Library::Java && used.setting.is_of_kafka() {
                    of_libraries.insert(used.name);
                }
                return;
            }
            let has_no_other = matches!(
                used.setting,
                Setting::PartitionAssignmentStrategy
                    | Setting::GroupInstanceId
                    | Setting::GroupProtocol
                    | Setting::GroupRemoteAssignor
                    | Setting::FetchMaxWait
                    | Setting::RebalanceTimeout
                    | Setting::OnErrorTries
                    | Setting::OnErrorBackOff
            );
            assert!(library == Library::Java || has_no_other, "{used:?} of {library:?}");
            others.insert(used.setting.name());
            let [ja, en] = Lang::ALL.map(|lang| fixed(lang, used.setting, used.owner));
            assert!(!ja.is_ascii() && en.is_ascii(), "{ja} {en}");
        };
        at_each_setting(&scenario.setup, &mut check);
        let run = Simulation::new(scenario.setup.clone());
        for listed in configuration(&run).iter().flat_map(|part| &part.settings) {
            check(&run, &listed.used);
        }
    }
    for name in ["batch.size", "commit.when", "auto.commit.interval.ms", "max.poll.records", "metadata.max.age.ms"] {
        assert!(controls.contains(name), "{controls:?}");
    }
    // By the names of their own.
    let expected = [
        "autoCommit",
        "autoCommitThreshold",
        "auto_commit_interval_ms",
        "auto_offset_reset",
        "enable.auto.offset.store",
        "enable_auto_commit",
        "fromBeginning",
        "handling.max_records",
        "heartbeatInterval",
        "max_poll_interval_ms",
        "max_poll_records",
        "partition_assignment_strategy",
        "sessionTimeout",
        "session_timeout_ms",
    ];
    let missing: Vec<&&str> = expected.iter().filter(|name| !of_libraries.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?} {of_libraries:?}");
    let expected = [
        // Of producers with other clients than Java, and linger.ms further down.
        "batch.num.messages",
        "batch.size",
        // Of brokers.
        "group.consumer.assignment.interval.ms",
        "group.consumer.assignors",
        "group.consumer.heartbeat.interval.ms",
        "group.consumer.max.heartbeat.interval.ms",
        "group.consumer.max.session.timeout.ms",
        "group.consumer.min.heartbeat.interval.ms",
        "group.consumer.min.session.timeout.ms",
        "group.consumer.session.timeout.ms",
        // Where there is no group.
        "group.initial.rebalance.delay.ms",
        "group.instance.id",
        "group.max.session.timeout.ms",
        "group.max.size",
        "group.min.session.timeout.ms",
        "group.protocol",
        "group.remote.assignor",
        "linger.ms",
        "max.in.flight.requests.per.connection",
        "max.request.size",
        // kafkajs has it.
        "maxWaitTimeInMs",
        "metadata.max.age.ms",
        "offsets.retention.check.interval.ms",
        "offsets.retention.minutes",
        // Of the application.
        "on_error.back_off",
        "on_error.tries",
        // kafkajs has one.
        "partition.assignment.strategy",
        "partitioner.adaptive.partitioning.enable",
        "partitioner.class",
        "partitioner.ignore.keys",
        // aiokafka has it.
        "rebalance_timeout_ms",
        // Of a table that an upsert needs it for, or that has no id.
        "sink.unique_key",
        "sticky.partitioning.linger.ms",
        "topic_settings.partitioner",
    ];
    assert_eq!(others.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn what_leads_the_values_names_whose_they_are_in_both_languages() {
    let setup = Rc::new(story());
    at_each_setting(&setup, |run, used| {
        let offered = alternatives(run, used.setting, used.owner).expect("a control");
        let change = offered.values[0].change;
        let said = |text: &dyn Fn(Lang) -> String| {
            let [ja, en] = Lang::ALL.map(text);
            assert!(!ja.is_ascii() && en.is_ascii(), "{ja} {en}");
        };
        said(&|lang| from_beginning(lang, run, change));
        said(&|lang| from_here(lang, run, change));
        if let TakesEffect::AtStartOf(client) = offered.takes_effect {
            said(&|lang| restart_with(lang, run, client));
        }
    });
}

/// The settings of all steps of this kind, by name.
fn shown(run: &Simulation, kind: impl Fn(&Event) -> bool) -> BTreeSet<&'static str> {
    let of_kind = steps(run).filter(|(_, step)| kind(&step.event));
    of_kind.flat_map(|(number, _)| why(run, number).settings).map(|used| used.setting.name()).collect()
}

#[test]
fn the_most_records_of_a_poll_matter_only_where_there_were_as_many() {
    let is_poll = |event: &Event| matches!(event, Event::RecordsPolled { .. });
    assert_eq!(shown(&finished(story()), is_poll), BTreeSet::new());
    let mut setup = story();
    setup.configure(GroupId(0), |config| config.settings.max_poll_records = 2);
    setup.configure(GroupId(0), |config| config.handling.time = Span::from_secs(3));
    let run = finished(setup);
    assert_eq!(shown(&run, is_poll), BTreeSet::from(["max.poll.records"]));
    let polls: Vec<StepNo> = steps(&run).filter(|(_, step)| is_poll(&step.event)).map(|(number, _)| number).collect();
    let bounded = polls.iter().filter(|&&number| !why(&run, number).settings.is_empty()).count();
    assert!(bounded > 0 && bounded < polls.len(), "{bounded} of {}", polls.len());
}

#[test]
fn a_repetition_shows_the_way_to_commit_of_who_processed_the_record_before_and_the_table_if_there_is_one() {
    let is_repetition = |event: &Event| matches!(event, Event::RecordProcessed { times: 2.., .. });
    let mut setup = story();
    Rc::make_mut(&mut setup.consumers[2].config).handling.commit = CommitPolicy::after_records(7);
    let run = finished(setup);
    let mut of_crashed = 0;
    for (number, step) in steps(&run).filter(|(_, step)| is_repetition(&step.event)) {
        let first = step.causes.with_role(Role::Repeated).and_then(|first| run.step_at(first)).expect("the first time");
        let before = first.event.consumer().expect("somebody processed it");
        let (owner, records) = match before {
            ConsumerId(2) => (before, 7),
            // They commit alike, and this one can be told otherwise here.
            _ => (step.event.consumer().expect("somebody processes it"), 3),
        };
        let used = why(&run, number).settings;
        let commits = used.iter().find(|used| used.setting == Setting::CommitAfterRecords).expect("it matters");
        assert_eq!((commits.owner, &commits.value), (Owner::Consumer(owner), &SettingValue::Count(records)));
        assert!(used.iter().any(|used| used.owner == Owner::Sink(SinkId(0))));
        of_crashed += u32::from(records == 7);
    }
    assert!(of_crashed > 0);
    let mut setup = story();
    setup.configure(GroupId(0), |config| config.handling.writes_to = None);
    let expected = BTreeSet::from(["commit.after_records", "enable.auto.commit"]);
    assert_eq!(shown(&finished(setup), is_repetition), expected);
}

#[test]
fn a_record_with_a_time_of_its_own_shows_that_one() {
    let mut setup = story();
    let slow = HandlingOf::Key(KeyId(0));
    setup.configure(GroupId(0), |config| config.handling.set_time(slow, Span::from_millis(900)));
    let run = finished(setup);
    for (number, step) in steps(&run) {
        if let Event::HandlingStarted { consumer, record, .. } = step.event {
            let (of, time) = match run.record(record).key {
                Some(KeyId(0)) => (slow, 900),
                _ => (HandlingOf::Every, 500),
            };
            let used = &why(&run, number).settings[0];
            assert_eq!(used.owner, Owner::Handling(consumer, of));
            assert_eq!(used.value, SettingValue::Time(Span::from_millis(time)));
        }
    }
}

#[test]
fn a_record_is_appended_as_late_as_what_made_its_request_leave_says() {
    let is_append = |event: &Event| matches!(event, Event::RecordAppended { .. });
    assert_eq!(shown(&finished(story()), is_append), BTreeSet::from(["linger.ms", "network.latency"]));
    // The next record of the partition does not fit, and sends the batch on its way.
    let mut setup = story();
    setup.producers[0].settings.batching.batch_size = 1;
    setup.producers[0].settings.batching.linger = Span::from_secs(30);
    let expected = BTreeSet::from(["batch.size", "linger.ms", "network.latency"]);
    assert_eq!(shown(&finished(setup), is_append), expected);
}

fn planned(seconds: u64, action: Action) -> PlannedAction {
    PlannedAction { when: When::At(Time::ZERO + Span::from_secs(seconds)), action }
}

#[test]
fn a_group_that_has_become_empty_waits_again_for_more_members() {
    let mut setup = story();
    setup.actions = [0, 1, 2].map(|consumer| planned(30, Action::Close(ConsumerId(consumer).into()))).into();
    setup.actions.push(planned(60, Action::Start(ConsumerId(0).into())));
    let run = finished(setup);
    let begins = |event: &Event| matches!(event, Event::RebalanceStarted { .. });
    let late = steps(&run).filter(|(_, step)| step.at > Time::from_micros(50_000_000) && begins(&step.event));
    let settings: Vec<&str> =
        late.flat_map(|(number, _)| why(&run, number).settings).map(|used| used.setting.name()).collect();
    assert_eq!(settings, ["group.initial.rebalance.delay.ms"]);
}

/// All members of a group have to support one assignor: it is said beforehand who would not be let in.
#[test]
fn an_assignor_that_nobody_else_has_shuts_a_client_out_as_long_as_the_others_are_members() {
    let mut run = Simulation::new(story());
    while run.now() < Time::from_micros(7_000_000) {
        run.step();
    }
    let shut_out = |run: &Simulation| -> Vec<SettingValue> {
        let owner = Owner::Consumer(ConsumerId(2));
        let offered = alternatives(run, Setting::PartitionAssignmentStrategy, owner).expect("a control").values;
        offered.into_iter().filter(|value| value.is_shut_out).map(|value| value.value).collect()
    };
    let text = |assignor: Assignor| SettingValue::Text(assignor.name().into());
    let unknown = [Assignor::RoundRobin, Assignor::Sticky].map(text);
    assert_eq!(shut_out(&run), unknown);
    for (consumer, is_last) in [(0, false), (1, true)] {
        run.apply(Action::Close(ConsumerId(consumer).into())).expect("it runs");
        while !matches!(run.step(), Progress::Step(Step { event: Event::MemberLeft { .. }, .. })) {}
        assert_eq!(shut_out(&run).is_empty(), is_last);
    }
    // Who has died is a member until its session expires.
    run.apply(Action::Crash(ConsumerId(2).into())).expect("it runs");
    assert_eq!(shut_out(&run), unknown);
}

/// A client's settings have its own names, in a file and where the change is told, and hold from its next start on.
#[test]
fn a_file_sets_what_each_client_has_by_the_name_that_the_client_has_for_it() {
    let (seconds, absent) = (|seconds| SettingValue::Time(Span::from_secs(seconds)), SettingValue::Absent);
    let text = |text: &str| SettingValue::Text(text.into());
    let rows = [
        ("librdkafka", "2.16", "enable.auto.offset.store", "false", SettingValue::Switch(false)),
        ("librdkafka", "2.16", "topic.metadata.refresh.interval.ms", "1000", seconds(1)),
        ("librdkafka", "2.16", "max_records", "5", SettingValue::Count(5)),
        ("librdkafka", "2.16", "auto.offset.reset", r#""smallest""#, text("earliest")),
        ("librdkafka", "2.16", "partition.assignment.strategy", r#""cooperative-sticky""#, text("cooperative-sticky")),
        ("kafkajs", "2.2", "sessionTimeout", "20000", seconds(20)),
        ("kafkajs", "2.2", "rebalanceTimeout", "20000", seconds(20)),
        ("kafkajs", "2.2", "fromBeginning", "true", SettingValue::Switch(true)),
        ("kafkajs", "2.2", "autoCommitThreshold", "7", SettingValue::Count(7)),
        ("kafkajs", "2.2", "autoCommitThreshold", "null", absent.clone()),
        ("kafkajs", "2.2", "autoCommitInterval", "2000", seconds(2)),
        ("kafkajs", "2.2", "autoCommitInterval", "null", absent),
        ("kafka-python", "3.0", "session_timeout_ms", "20000", seconds(20)),
        ("kafka-python", "3.0", "max_poll_records", "5", SettingValue::Count(5)),
        (
            "kafka-python",
            "3.0",
            "partition_assignment_strategy",
            r#""RoundRobinPartitionAssignor""#,
            text("RoundRobinPartitionAssignor"),
        ),
        ("aiokafka", "0.14", "auto_commit_interval_ms", "2000", seconds(2)),
        ("aiokafka", "0.14", "enable_auto_commit", "false", SettingValue::Switch(false)),
    ];
    for (family, version, name, value, expected) in rows {
        let file = format!(
            r#"{{
                "format": "logstep/1", "title": "t", "ends_at": "40s", "cluster": {{ "kafka": "4.0" }},
                "topics": [{{ "name": "t", "partitions": 1 }}], "producers": [],
                "groups": [{{
                    "name": "g", "client": {{ "family": "{family}", "version": "{version}" }},
                    "settings": {{}}, "handling": {{ "time": "10ms" }}, "members": [{{ "name": "c1" }}]
                }}],
                "actions": [
                    {{ "set": {{ "member": "c1", "{name}": {value} }}, "at": "10s", "refused": false }},
                    {{ "restart": "c1", "at": "20s" }}
                ]
            }}"#
        );
        let scenario = read(&file).unwrap_or_else(|mistakes| panic!("{family} {name}: {mistakes:?}"));
        let run = scenario.run();
        assert!(scenario.expectations.check(&run).is_empty(), "{family} {name}");
        let of_consumer = |setting: &Setting| {
            let offered = alternatives(&run, *setting, Owner::Consumer(ConsumerId(0)))?;
            let is_set = |change: Change| matches!(change, Change::Setting { .. });
            is_set(offered.values[0].change).then_some(offered)
        };
        let library = run.consumer(ConsumerId(0)).config().settings.library;
        let own = |setting: Setting| library.setting_name(setting.name()).trim_start_matches("handling.") == name;
        let setting = Setting::ALL.iter().copied().find(|&setting| own(setting)).expect("it is shown by this name");
        let offered = of_consumer(&setting).unwrap_or_else(|| panic!("{family} {name} is a control"));
        let holds = offered.values.iter().find(|value| value.is_present).expect("one of them");
        assert_eq!(holds.value, expected, "{family} {name}");
        let told =
            steps(&run).find(|(_, step)| matches!(step.event, Event::SettingChanged { .. })).expect("it is told").0;
        for lang in Lang::ALL {
            assert!(sentence(lang, &run, told).contains(name), "{family} {name}: {}", sentence(lang, &run, told));
        }
    }
}

/// How the application tries again is behind each failure, and the time between two polls where its thread does not poll
/// meanwhile.
#[test]
fn a_failed_record_shows_how_it_is_tried_again_and_what_keeps_the_application_from_polling() {
    let run = |handling: &str, actions: &str| {
        let file = format!(
            r#"{{
                "format": "logstep/1", "title": "t", "ends_at": "20s", "cluster": {{ "kafka": "4.0" }},
                "topics": [{{ "name": "t", "partitions": 1 }}], "sinks": [{{ "name": "rows" }}],
                "producers": [{{ "name": "p", "topic": "t", "records": [{{ "at": "5s", "value": "v" }}] }}],
                "groups": [{{
                    "name": "g", "settings": {{ "auto.offset.reset": "earliest" }},
                    "handling": {{ "time": "10ms", "writes_to": "rows", {handling} }}, "members": [{{ "name": "c" }}]
                }}],
                "actions": [{actions}]
            }}"#
        );
        read(&file).unwrap_or_else(|mistakes| panic!("{handling}: {mistakes:?}")).run()
    };
    let down = r#"{ "at": "1s", "set": { "sink": "rows", "down": true } }"#;
    let fails = r#""fails": [{ "record": { "partition": "t-0", "offset": 0 } }], "#;
    let in_place = r#""on_error": { "retry": "in_place", "tries": 3, "back_off": "200ms" }"#;
    let seek_back = r#""on_error": { "retry": "seek_back", "tries": 3, "back_off": "200ms" }"#;
    let at_once = r#""on_error": { "retry": "seek_back", "tries": 3 }"#;
    let (tries, tries_again) = (["on_error.tries"].as_slice(), ["on_error.tries", "on_error.back_off"].as_slice());
    let in_thread = ["on_error.tries", "on_error.back_off", "max.poll.interval.ms"].as_slice();
    let in_place_too = [in_thread, &["handling.time"]].concat();
    let pool = format!(r#"{in_place}, "pool": {{ "workers": 2, "queue": 10 }}"#);
    let in_pool = [tries_again, &["handling.time"]].concat();
    let rows: [(&str, AfterFailure, &[&str]); 6] = [
        (in_place, AfterFailure::TriesAgain, &in_place_too),
        (in_place, AfterFailure::Stops, tries),
        (seek_back, AfterFailure::SeeksBack, in_thread),
        (at_once, AfterFailure::SeeksBack, tries_again),
        (&pool, AfterFailure::TriesAgain, &in_pool),
        (r#""on_error": { "then": "skip" }"#, AfterFailure::Skips, tries),
    ];
    for (on_error, wanted, expected) in rows {
        let runs = [(run(&format!("{fails}{on_error}"), ""), vec![]), (run(on_error, down), vec!["sink.down"])];
        for (run, mut all) in runs {
            let is_it = |event: &Event| matches!(*event, Event::HandlingFailed { after, .. } if after == wanted);
            let (number, _) = steps(&run).find(|(_, step)| is_it(&step.event)).expect("it fails");
            all.extend(expected);
            let shown: Vec<&str> = why(&run, number).settings.iter().map(|used| used.name).collect();
            assert_eq!(shown, all, "{on_error}");
        }
    }
    let run = run(&format!("{fails}{in_place}"), "");
    let failed = |event: &Event| matches!(event, Event::HandlingFailed { .. });
    let (number, _) = steps(&run).find(|(_, step)| failed(&step.event)).expect("it fails");
    let values: Vec<SettingValue> = why(&run, number).settings.into_iter().map(|used| used.value).take(2).collect();
    assert_eq!(values, [SettingValue::Count(3), SettingValue::Time(Span::from_millis(200))]);
}
