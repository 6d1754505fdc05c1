//! All recorded keys get the hash and the partition that a Java client gives them.

use logstep::sim::partitioner::hash::{murmur2, partition_for_hash};
use serde_json::Value;

const ALL: &str = "../shared/reference/murmur2.json";
const OWN_COPY: &str = "tests/reference/murmur2.json";

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
fn every_recorded_key_has_the_recorded_hash_and_partitions() {
    let text = std::fs::read_to_string(ALL).or_else(|_| std::fs::read_to_string(OWN_COPY));
    let all: Value = serde_json::from_str(&text.expect("the copy is there")).expect("JSON");
    let entries = all["entries"].as_array().expect("a list");
    assert!(entries.len() >= 249);
    for entry in entries {
        let hash = murmur2(&bytes_of(entry));
        assert_eq!(Value::from(hash), entry["hash"], "{entry}");
        for (count, partition) in entry["partition"].as_object().expect("by number of partitions") {
            let count: u32 = count.parse().expect("a number");
            assert_eq!(Value::from(partition_for_hash(hash, count)), *partition, "{entry}");
        }
    }
}
