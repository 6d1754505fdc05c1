//! Short names of things, the same in every language.

use crate::sim::{KeyId, PartitionId, RecordId, Simulation, TopicPartition, order};

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

/// Partitions in the fewest words, in order: `P0`, `P2–P5`; with their topics where there are several: `orders 0–5`.
pub fn partition_ranges(run: &Simulation, partitions: &[PartitionId]) -> Vec<String> {
    let topics = &run.setup().topics;
    let mut partitions = partitions.to_vec();
    order::by_number(&mut partitions, |&partition| {
        let TopicPartition { topic, number } = run.place(partition);
        order::pair(u32::from(topic.0), u32::from(number))
    });
    let mut ranges: Vec<(TopicPartition, u16)> = Vec::new();
    for place in partitions.into_iter().map(|partition| run.place(partition)) {
        match ranges.last_mut() {
            Some((first, last)) if first.topic == place.topic && *last + 1 == place.number => *last = place.number,
            _ => ranges.push((place, place.number)),
        }
    }
    let is_only_topic = topics.len() == 1;
    let name = |(first, last): (TopicPartition, u16)| {
        let topic = &topics[first.topic.index()].name;
        let mut name = if is_only_topic { "P".to_owned() } else { format!("{topic} ") };
        name.push_str(&first.number.to_string());
        if last > first.number {
            name.push_str(if is_only_topic { "–P" } else { "–" });
            name.push_str(&last.to_string());
        }
        name
    };
    ranges.into_iter().map(name).collect()
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
