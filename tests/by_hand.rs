//! What is done by hand, in the words of a scenario file: as whoever has the page in a frame says it.

use logstep::scenario::by_hand::{World, read_action};
use logstep::scenario::duration;
use logstep::scenario::library::BUILT_IN;
use logstep::scenario::{Scenario, compiled, read};
use logstep::scene::{Subject, choices};
use logstep::sim::setup::OffsetReset;
use logstep::sim::*;
use logstep::text::{Lang, mistake::mistake};
use serde_json::{Value, json};

fn everything() -> Scenario {
    read(include_str!("../docs/examples/actions.json")).expect("the file is right")
}

fn read_in(scenario: &Scenario, run: &Simulation, action: &str) -> Result<Vec<Action>, Vec<String>> {
    // As the reader gets it.
    let world: World =
        compiled::decode(&compiled::encode(&World::of((&scenario.cluster, &scenario.producer_clients), run)))
            .expect("its own form");
    read_action(action, &world).map_err(|mistakes| mistakes.iter().map(|found| mistake(Lang::En, found)).collect())
}

/// An action as a file says it.
fn in_words(run: &Simulation, action: Action) -> Value {
    let setup = run.setup();
    let member = |id: ConsumerId| run.consumer(id).name.to_string();
    let producer = |id: ProducerId| setup.producers[id.index()].name.to_string();
    let client = |id: ClientId| match id {
        ClientId::Consumer(id) => member(id),
        ClientId::Producer(id) => producer(id),
    };
    let topic = |id: TopicId| setup.topics[id.index()].name.to_string();
    let place = |at: TopicPartition| format!("{}-{}", topic(at.topic), at.number);
    let message = |MessageRef { kind, client: of, nth }: MessageRef| {
        let answer = if kind.is_answer { "Response" } else { "" };
        json!({ "message": format!("{}{answer}", kind.api.name()), "of": client(of), "nth": nth + 1 })
    };
    match action {
        Action::Crash(id) => json!({ "crash": client(id) }),
        Action::Close(id) => json!({ "close": client(id) }),
        Action::Start(id) => json!({ "start": client(id) }),
        Action::Restart(id) => json!({ "restart": member(id) }),
        Action::RestartProducer(id) => json!({ "restart": producer(id) }),
        Action::Freeze(id) => json!({ "freeze": member(id) }),
        Action::Thaw(id) => json!({ "thaw": member(id) }),
        Action::Join(group) => json!({ "join": setup.groups[group.index()].name.to_string() }),
        Action::Pause(id, at) => json!({ "pause": { "member": member(id), "partition": place(at) } }),
        Action::Resume(id, at) => json!({ "resume": { "member": member(id), "partition": place(at) } }),
        Action::Seek { consumer, partition, to } => {
            json!({ "seek": { "member": member(consumer), "partition": place(partition), "to": to } })
        }
        Action::ResetOffsets { group, partition, to } => {
            let to = match to {
                ResetTo::Earliest => json!("earliest"),
                ResetTo::Latest => json!("latest"),
                ResetTo::Offset(offset) => json!({ "offset": offset }),
                ResetTo::ShiftBy(by) => json!({ "shift_by": by }),
            };
            let mut reset = json!({ "group": setup.groups[group.index()].name.to_string(), "to": to });
            if let Some(partition) = partition {
                reset["partition"] = place(partition).into();
            }
            json!({ "reset_offsets": reset })
        }
        Action::AddPartitions { topic: id, to } => json!({ "add_partitions": { "topic": topic(id), "to": to } }),
        Action::Produce { producer: id, key, value, partition } => {
            let key = key.map(|key| setup.keys[key.index()].text.to_string());
            let value = setup.values[value.index()].to_string();
            let mut produce = json!({ "producer": producer(id), "key": key, "value": value });
            if let Some(number) = partition {
                produce["partition"] =
                    place(TopicPartition { topic: setup.producers[id.index()].topic, number }).into();
            }
            json!({ "produce": produce })
        }
        Action::Delay { message: found, by } => {
            let mut delay = message(found);
            delay["by"] = duration::write(by).into();
            json!({ "delay": delay })
        }
        Action::Drop(found) => json!({ "drop": message(found) }),
        Action::Set(Change::HandlingTime { consumer, of, time }) => {
            let mut slow_down = json!({ "member": member(consumer), "time": duration::write(time) });
            match of {
                HandlingOf::Every => {}
                HandlingOf::Key(key) => slow_down["key"] = setup.keys[key.index()].text.to_string().into(),
                HandlingOf::Partition(at) => slow_down["partition"] = place(at).into(),
                HandlingOf::Record(at, offset) => {
                    slow_down["record"] = json!({ "partition": place(at), "offset": offset });
                }
            }
            json!({ "slow_down": slow_down })
        }
        Action::Set(Change::Latency { broker, latency }) => {
            json!({ "set": { "broker": broker.index(), "latency": duration::write(latency) } })
        }
        Action::Set(Change::Rate { producer: id, per_second }) => {
            json!({ "set": { "producer": producer(id), "per_second": per_second } })
        }
        // "Why" offers these, not the menu of a thing.
        Action::Set(
            Change::ProducerSetting { .. }
            | Change::Commit { .. }
            | Change::UniqueKey { .. }
            | Change::SinkDown { .. }
            | Change::BrokerSetting(_),
        ) => panic!("{action:?} is not done here"),
        Action::Set(Change::Setting { consumer, setting }) => {
            let (name, value) = match setting {
                ConsumerSetting::SessionTimeout(span) => ("session.timeout.ms", json!(span.as_millis())),
                ConsumerSetting::HeartbeatInterval(span) => ("heartbeat.interval.ms", json!(span.as_millis())),
                ConsumerSetting::MaxPollInterval(span) => ("max.poll.interval.ms", json!(span.as_millis())),
                ConsumerSetting::MaxPollRecords(records) => ("max.poll.records", json!(records)),
                ConsumerSetting::AutoOffsetReset(OffsetReset::Earliest) => ("auto.offset.reset", json!("earliest")),
                ConsumerSetting::AutoOffsetReset(OffsetReset::Latest) => ("auto.offset.reset", json!("latest")),
                ConsumerSetting::AutoOffsetReset(other) => panic!("{other:?} is not done here"),
                ConsumerSetting::AutoCommitInterval(span) => ("auto.commit.interval.ms", json!(span.as_millis())),
                ConsumerSetting::MetadataMaxAge(span) => ("metadata.max.age.ms", json!(span.as_millis())),
                ConsumerSetting::EnableAutoCommit(on) => ("enable.auto.commit", json!(on)),
                ConsumerSetting::PartitionAssignmentStrategy(list) => {
                    let names: Vec<&str> = list.iter().map(|assignor| assignor.name()).collect();
                    ("partition.assignment.strategy", json!(names))
                }
                other => panic!("{other:?} is not done here"),
            };
            json!({ "set": { "member": member(consumer), name: value } })
        }
    }
}

/// Everything on the stage.
fn subjects(run: &Simulation) -> Vec<Subject> {
    let members = run.consumers().iter().map(|consumer| Subject::Member(consumer.id));
    let producers = (0..run.setup().producers.len()).map(|index| Subject::Producer(ProducerId::at(index)));
    let partitions = (0..run.partition_count()).map(|index| Subject::Partition(PartitionId::at(index)));
    let groups = (0..run.setup().groups.len()).map(|index| Subject::Group(GroupId::at(index)));
    let messages = run.in_flight().filter_map(|(slot, _)| run.message_name(slot)).map(Subject::Message);
    members.chain(producers).chain(partitions).chain(groups).chain(messages).collect()
}

#[test]
fn whatever_the_page_offers_to_do_can_be_said_in_the_words_of_a_file() {
    let mut verbs = std::collections::BTreeSet::new();
    let built_in = BUILT_IN.iter().map(|built_in| built_in.read().expect("a built-in scenario is sound"));
    for scenario in built_in.chain([everything()]) {
        let mut run = Simulation::new(scenario.setup.clone());
        while let Progress::Step(step) = run.step() {
            if !step.event.is_visible() || !run.visible_steps().is_multiple_of(5) {
                continue;
            }
            for action in subjects(&run).into_iter().flat_map(|subject| choices(&run, subject)).flatten() {
                // What is never possible has no words: a producer that loses its requests.
                if run.can_apply(action) == Err(Refusal::ProducerRetries) {
                    continue;
                }
                let said = in_words(&run, action);
                verbs.extend(said.as_object().expect("it is one").keys().cloned());
                assert_eq!(read_in(&scenario, &run, &said.to_string()), Ok(vec![action]), "{said}");
            }
        }
    }
    let all = [
        "add_partitions",
        "close",
        "crash",
        "delay",
        "drop",
        "freeze",
        "join",
        "pause",
        "produce",
        "reset_offsets",
        "restart",
        "resume",
        "seek",
        "slow_down",
        "start",
        "thaw",
    ];
    assert_eq!(verbs.iter().map(String::as_str).collect::<Vec<_>>(), all);
}

#[test]
fn what_a_file_says_once_for_all_brokers_is_done_to_each() {
    let scenario = everything();
    let run = Simulation::new(scenario.setup.clone());
    let latency = Span::from_millis(7);
    let each = |index| Action::Set(Change::Latency { broker: BrokerId::at(index), latency });
    let expected = (0..scenario.cluster.brokers.len()).map(each).collect();
    assert_eq!(read_in(&scenario, &run, r#"{ "set": { "latency": "7ms" } }"#), Ok(expected));
}

#[test]
fn who_has_joined_and_what_was_added_has_a_name_from_then_on() {
    let scenario = BUILT_IN[0].read().expect("sound");
    let mut run = Simulation::new(scenario.setup.clone());
    let named = [r#"{ "crash": "c4" }"#, r#"{ "seek": { "member": "c1", "partition": "orders-3", "to": 0 } }"#];
    for action in named {
        assert!(read_in(&scenario, &run, action).is_err(), "{action}");
    }
    run.apply(Action::Join(GroupId(0))).expect("there is room");
    run.apply(Action::AddPartitions { topic: TopicId(0), to: 4 }).expect("there is room");
    for action in named {
        assert!(read_in(&scenario, &run, action).is_ok(), "{action}: {:?}", read_in(&scenario, &run, action));
    }
}

#[test]
fn a_mistake_says_what_is_wrong_where_and_what_is_allowed() {
    let scenario = BUILT_IN[0].read().expect("sound");
    let run = Simulation::new(scenario.setup.clone());
    let verbs = "crash, close, start, restart, freeze, thaw, join, pause, resume, seek, slow_down, reset_offsets, \
                 add_partitions, produce, delay, drop, set";
    for (action, said) in [
        (r#""crash""#, "This has to be an object, not a string.".to_owned()),
        ("{}", format!("One of these is needed: {verbs}")),
        (r#"{ "crash": "c1", "freeze": "c1" }"#, format!("Only one of these may be there: {verbs}")),
        (
            r#"{ "crahs": "c1" }"#,
            format!("crahs: There is no field \"crahs\". Did you mean \"crash\"? Fields: {verbs}"),
        ),
        (r#"{ "crash": "c1", "at": "5s" }"#, format!("at: There is no field \"at\". Fields: {verbs}")),
        (
            r#"{ "crash": "c9" }"#,
            "crash: There is no member \"c9\". Did you mean \"c1\"? There are: c1, c2, c3, shop".to_owned(),
        ),
        (
            r#"{ "seek": { "member": "c1", "partition": "orders-0", "to": -1 } }"#,
            "seek.to: This has to be between 0 and 100000. -1 is not.".to_owned(),
        ),
        (
            r#"{ "produce": { "producer": "shop", "key": "order-1", "value": "paid" } }"#,
            "produce.key: \"order-1\" is not allowed. Did you mean \"order-1001\"? Allowed: order-1001, order-1003, \
             order-1009, order-1006, order-1015, order-1005"
                .to_owned(),
        ),
    ] {
        let found = read_in(&scenario, &run, action).expect_err(action);
        assert!(found.contains(&said), "{action}: {found:?}\n{said}");
    }
    // A world that has begun has no other keys and values.
    for action in [
        r#"{ "produce": { "producer": "shop", "key": null, "value": "eaten" } }"#,
        r#"{ "slow_down": { "member": "c1", "time": "1s", "key": "order-1" } }"#,
    ] {
        let found = read_in(&scenario, &run, action).expect_err(action);
        assert!(found[0].contains("is not allowed"), "{found:?}");
    }
}
