//! Real clients, recorded, against scenario files that name the same clients.

use logstep::scenario::{Outcome, read};
use logstep::sim::{Event, Simulation, StepNo};
use serde_json::{Value, json};

fn reference(file: &str) -> Value {
    let path = format!("tests/reference/{file}");
    serde_json::from_str(&std::fs::read_to_string(path).expect("a reference")).expect("JSON")
}

/// A run of one producer that writes to one topic, `orders`.
fn run(mut producer: Value, partitions: u64, source: (&str, Value), seed: u64) -> Simulation {
    producer["name"] = "shop".into();
    producer["topic"] = "orders".into();
    producer[source.0] = source.1;
    let file = json!({
        "format": "logstep/1", "title": "recorded", "seed": seed, "ends_at": "1m",
        "cluster": { "kafka": "3.6" },
        "topics": [{ "name": "orders", "partitions": partitions }],
        "producers": [producer],
        "groups": [],
    });
    let scenario = read(&file.to_string()).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    assert!(scenario.warnings.is_empty());
    scenario.run()
}

fn client(family: &str, version: &str, settings: Value) -> Value {
    json!({ "client": { "family": family, "version": version }, "settings": settings })
}

fn recorded_client(name: &str) -> Value {
    let librdkafka = |partitioner| client("librdkafka", "2.16", json!({ "partitioner": partitioner }));
    match name {
        "Java KafkaProducer default" => client("java", "3.6", json!({})),
        "librdkafka partitioner=consistent_random (its default)" => client("librdkafka", "2.16", json!({})),
        "librdkafka partitioner=murmur2_random" => librdkafka("murmur2_random"),
        "librdkafka partitioner=fnv1a_random" => librdkafka("fnv1a_random"),
        "kafkajs default" => client("kafkajs", "2.2", json!({})),
        "kafkajs LegacyPartitioner" => client("kafkajs", "2.2", json!({ "createPartitioner": "LegacyPartitioner" })),
        "kafka-python default" => client("kafka-python", "3.0", json!({})),
        "aiokafka default" => client("aiokafka", "0.14", json!({})),
        _ => panic!("{name} is not known"),
    }
}

#[test]
fn every_client_sends_fifty_keys_where_it_was_seen_to() {
    let recording = reference("01-key-partition.json");
    let keys = recording["setup"]["keys"].as_array().expect("a list");
    let clients = recording["observed"]["partition_of_key_by_index"].as_object().expect("by client");
    assert_eq!((keys.len(), clients.len()), (50, 8));
    for (name, by_count) in clients {
        for (count, partitions) in by_count.as_object().expect("by number of partitions") {
            let records: Vec<Value> = keys.iter().map(|key| json!({ "at": "1s", "key": key, "value": "v" })).collect();
            let count = count.parse().expect("a number");
            let outcome = Outcome::of(&run(recorded_client(name), count, ("records", records.into()), 1));
            let topic = outcome.topics.get("orders").expect("the topic");
            for (key, partition) in keys.iter().zip(partitions.as_array().expect("a list")) {
                let found = topic.keys.get(key.as_str().expect("a string")).expect("the key was written");
                assert_eq!(json!(found), json!([partition]), "{name}, {count} partitions, key {key}");
            }
        }
    }
}

/// The partitions in the order of sending.
fn sent_to(run: &Simulation) -> Vec<u16> {
    let steps = (0..run.steps()).filter_map(|number| run.step_at(StepNo(number)));
    steps
        .filter_map(|step| match step.event {
            Event::RecordSent { partition, .. } => Some(run.place(partition).number),
            _ => None,
        })
        .collect()
}

/// Records a partition, changes of the partition, the longest stay.
fn shape(partitions: &[u16]) -> (Vec<usize>, usize, usize) {
    let mut counts: Vec<usize> =
        (0..3).map(|number| partitions.iter().filter(|&&partition| partition == number).count()).collect();
    counts.sort_unstable();
    let runs: Vec<usize> = partitions.chunk_by(|a, b| a == b).map(<[u16]>::len).collect();
    (counts, runs.len(), runs.into_iter().max().unwrap_or(0))
}

fn recorded_shapes(name: &str) -> Vec<(Vec<usize>, usize, usize)> {
    let number = |value: &Value| value.as_u64().expect("a number") as usize;
    let recording = reference("02-null-keys.json");
    let runs = recording["observed"][name].as_array().unwrap_or_else(|| panic!("{name} is recorded"));
    runs.iter()
        .map(|run| {
            let mut counts: Vec<usize> = run["per_partition"].as_array().expect("a list").iter().map(number).collect();
            counts.sort_unstable();
            (counts, number(&run["runs_of_same_partition"]), number(&run["longest_run"]))
        })
        .collect()
}

fn keyless(records: u64, every: &str, bytes: u64) -> (&'static str, Value) {
    let bursts = json!({ "records": 1, "every": every });
    ("workload", json!({ "bursts": bursts, "records": records, "keys": 0, "null_keys": 1, "value_bytes": bytes }))
}

/// Each recorded run lies within what our seeds come to: the most in one partition, the changes, the longest stay.
#[track_caller]
fn assert_reached(name: &str, producer: &Value, source: &(&'static str, Value)) {
    let ours: Vec<_> =
        (0..60).map(|seed| shape(&sent_to(&run(producer.clone(), 3, (source.0, source.1.clone()), seed)))).collect();
    for (counts, runs, longest) in recorded_shapes(name) {
        for (what, found, all) in [
            ("most", counts[2], ours.iter().map(|ours| ours.0[2]).collect::<Vec<_>>()),
            ("runs", runs, ours.iter().map(|ours| ours.1).collect()),
            ("longest", longest, ours.iter().map(|ours| ours.2).collect()),
        ] {
            let (least, most) = (all.iter().min().expect("a run"), all.iter().max().expect("a run"));
            // Sixty seeds do not reach every end of what is possible.
            let slack = most.abs_diff(*least) / 4 + 1;
            assert!(least.saturating_sub(slack) <= found && found <= most + slack, "{name}: {what} {found} of {all:?}");
        }
    }
}

#[test]
fn records_without_a_key_go_as_those_of_real_clients_did() {
    let librdkafka = |settings| client("librdkafka", "2.16", settings);
    let no_sticky = json!({ "sticky.partitioning.linger.ms": 0 });
    assert_reached(
        "librdkafka default, burst after metadata is known, sticky.partitioning.linger.ms=0 (600 records in about 0.2 s)",
        &librdkafka(no_sticky),
        &keyless(600, "333us", 25),
    );
    assert_reached(
        "librdkafka default, burst after the topic's metadata is known (600 records in about 0.2 s)",
        &librdkafka(json!({})),
        &keyless(600, "333us", 25),
    );
    assert_reached("aiokafka default, burst", &client("aiokafka", "0.14", json!({})), &keyless(600, "10us", 25));
    assert_reached(
        "kafkajs default, one send() per record",
        &client("kafkajs", "2.2", json!({})),
        &keyless(60, "10ms", 25),
    );
    let java = |settings| client("java", "3.6", settings);
    assert_reached("Java default, one record every 10 ms", &java(json!({})), &keyless(60, "10ms", 25));
    assert_reached(
        "Java RoundRobinPartitioner, one record every 10 ms",
        &java(json!({ "partitioner.class": "RoundRobinPartitioner" })),
        &keyless(60, "10ms", 25),
    );
    // The recorded sender was busy for a while with each request.
    assert_reached(
        "Java default, burst of 600 x 1 kB (batch.size=16384)",
        &java(json!({ "max.in.flight.requests.per.connection": 1 })),
        &keyless(600, "300us", 1_000),
    );
}

#[test]
fn what_kafkajs_is_given_at_once_goes_out_in_one_request() {
    let burst = json!({ "bursts": { "records": 600, "every": "1s" }, "records": 600, "keys": 0, "null_keys": 1 });
    let found = run(client("kafkajs", "2.2", json!({})), 3, ("workload", burst), 1);
    assert_eq!(shape(&sent_to(&found)), (vec![200, 200, 200], 600, 1));
    assert!(recorded_shapes("kafkajs default, one send() of all").iter().all(|shape| shape.1 == 600));
    let requests = (0..found.steps()).filter_map(|number| found.step_at(StepNo(number)));
    let requests: Vec<u32> = requests
        .filter_map(|step| match step.event {
            Event::ProduceSent { records, .. } => Some(records),
            _ => None,
        })
        .collect();
    assert_eq!(requests, [600]);
}
