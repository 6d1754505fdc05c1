//! Keys go where real clients send them.

use crate::world::{ALL_OF_12, partition_of, reference};
use logstep::sim::Span;
use logstep::sim::partitioner::hash::{self, murmur2, partition_for_hash};
use logstep::sim::partitioner::{Librdkafka, Partitioner, TopicView};
use serde_json::Value;

const NO_LINGER: Span = Span::ZERO;

fn bytes_of(entry: &Value) -> Vec<u8> {
    match (&entry["key_hex"], &entry["key_utf8"]) {
        (Value::String(hex), _) => {
            let pairs = hex.as_bytes().chunks(2);
            pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16).expect("hex")).collect()
        }
        (_, Value::String(text)) => text.as_bytes().to_vec(),
        _ => panic!("{entry} has no key"),
    }
}

#[test]
fn every_recorded_key_has_the_recorded_hashes_and_partitions() {
    let all = reference("murmur2.json");
    let entries = all["entries"].as_array().expect("a list");
    assert!(entries.len() >= 249);
    for entry in entries {
        let key = bytes_of(entry);
        let hash = murmur2(&key);
        assert_eq!(Value::from(hash), entry["hash"], "{entry}");
        for (count, partition) in entry["partition"].as_object().expect("by number of partitions") {
            let count: u32 = count.parse().expect("a number");
            assert_eq!(Value::from(partition_for_hash(hash, count)), *partition, "{entry}");
        }
        for (count, partition) in entry["librdkafka_crc32_partition"].as_object().expect("by number of partitions") {
            let count: u32 = count.parse().expect("a number");
            assert_eq!(Value::from(hash::crc32(&key) % count), *partition, "{entry}");
        }
    }
}

/// From librdkafka's own unit test of its hash, whose values come from Go.
#[test]
fn fnv1a_is_the_one_of_librdkafka() {
    let known: [(&str, u32); 5] = [
        ("kafka", 0x0d33_c4e1),
        ("giberish123456789", 0x77a5_8295),
        ("1234", 0x023b_dd03),
        ("PreAmbleWillBeRemoved,ThePrePartThatIs", 0x65cb_d69c),
        ("", 0x7ee3_623b),
    ];
    for (key, hash) in known {
        assert_eq!(hash::fnv1a(key.as_bytes()), hash, "{key}");
    }
}

fn client(name: &str) -> Partitioner {
    match name {
        "Java KafkaProducer default" => Partitioner::JAVA,
        "librdkafka partitioner=consistent_random (its default)" => Partitioner::LIBRDKAFKA,
        "librdkafka partitioner=murmur2_random" => Partitioner::Librdkafka(Librdkafka::Murmur2Random, NO_LINGER),
        "librdkafka partitioner=fnv1a_random" => Partitioner::Librdkafka(Librdkafka::Fnv1aRandom, NO_LINGER),
        "kafkajs default" => Partitioner::KafkaJs,
        "kafkajs LegacyPartitioner" => Partitioner::KafkaJsLegacy,
        "kafka-python default" => Partitioner::KafkaPython,
        "aiokafka default" => Partitioner::AioKafka,
        _ => panic!("{name} is not known"),
    }
}

#[test]
fn every_recorded_client_is_reproduced() {
    let recording = reference("01-key-partition.json");
    let keys: Vec<&str> =
        recording["setup"]["keys"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let clients = recording["observed"]["partition_of_key_by_index"].as_object().expect("by client");
    assert_eq!((keys.len(), clients.len()), (50, 8));
    for (name, by_count) in clients {
        for (count, partitions) in by_count.as_object().expect("by number of partitions") {
            let count: u16 = count.parse().expect("a number");
            let here: Vec<u16> =
                keys.iter().map(|key| partition_of(client(name), count, Some(key.as_bytes()))).collect();
            assert_eq!(Value::from(here), *partitions, "{name}, {count} partitions");
        }
    }
}

/// Java 2.3 to 4.4 agree; the sticky ones differ only without a key.
#[test]
fn all_java_defaults_send_a_key_to_the_same_partition() {
    for key in ["a", "order-1001", "", "日本"] {
        let key = Some(key.as_bytes());
        let now = partition_of(Partitioner::JAVA, 12, key);
        assert_eq!(partition_of(Partitioner::DefaultSticky, 12, key), now);
        assert_eq!(partition_of(Partitioner::DefaultInTurn, 12, key), now);
    }
}

/// A keyed record waits for its partition's leader, it is not sent elsewhere.
#[test]
fn partitions_without_a_leader_count_for_keys_and_not_without_one() {
    let (mut chooser, mut rng) = crate::world::chooser(Partitioner::KafkaPython, 1);
    let topic = TopicView { partitions: 3, available: &[0, 2] };
    let key = (0..).map(|number: u32| number.to_string()).find(|key| murmur2(key.as_bytes()) & 0x7fff_ffff != 0);
    let key = key.expect("some key");
    let with_all = partition_of(Partitioner::KafkaPython, 3, Some(key.as_bytes()));
    assert_eq!(chooser.choose(crate::world::at(0), topic, Some(key.as_bytes()), &mut rng).0, with_all);
    for _ in 0..100 {
        assert_ne!(chooser.choose(crate::world::at(0), topic, None, &mut rng).0, 1);
    }
}

/// CONFIGURATION.md: "NULL keys are mapped to the same partition" for the three without `random` in their name.
#[test]
fn librdkafka_without_random_takes_a_missing_key_for_an_empty_one() {
    for name in [Librdkafka::Consistent, Librdkafka::Murmur2, Librdkafka::Fnv1a] {
        let rule = Partitioner::Librdkafka(name, Span::from_millis(10));
        assert_eq!(partition_of(rule, ALL_OF_12.partitions, None), partition_of(rule, 12, Some(b"")), "{name:?}");
    }
}
