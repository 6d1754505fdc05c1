//! Short names of things, the same in every language.

use crate::sim::{KeyId, PartitionId, RecordId, Simulation, TopicPartition};

/// A key as one or two letters, in the order of the setup: A, B, ..., Z, AA, AB, ...
pub fn key_letters(key: KeyId) -> String {
    let mut letters = Vec::new();
    let mut rest = key.0 + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// A record as its key's letters and its number within the key: `A1`, `A2`, `B1`; one without a key as `#1`.
pub fn record_name(run: &Simulation, record: RecordId) -> String {
    let record = run.record(record);
    let letters = record.key.map_or_else(|| "#".to_owned(), key_letters);
    format!("{letters}{}", record.number_of_key)
}

/// A partition by its number: `P2`; with its topic where there are several: `orders-2`, as Kafka writes it.
pub fn partition_name(run: &Simulation, partition: PartitionId) -> String {
    let TopicPartition { topic, number } = run.place(partition);
    match run.setup().topics.len() {
        1 => format!("P{number}"),
        _ => format!("{}-{number}", run.setup().topics[topic.index()].name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_behind_z() {
        let letters: Vec<String> = [0, 25, 26, 27, 701, 702].map(|key| key_letters(KeyId(key))).into();
        assert_eq!(letters, ["A", "Z", "AA", "AB", "ZZ", "AAA"]);
    }
}
