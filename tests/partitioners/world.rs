//! One producer, brokers that answer after a while, and a clock.

use logstep::sim::partitioner::{Chooser, Partitioner, TopicView};
use logstep::sim::producer::accumulator::DrainedBatch;
use logstep::sim::producer::batching::Batching;
use logstep::sim::producer::sender::{Outgoing, Sender};
use logstep::sim::{BrokerId, Span, Time};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde_json::Value;

pub const ALL_OF_3: TopicView<'_> = TopicView { partitions: 3, available: &[0, 1, 2] };
pub const ALL_OF_4: TopicView<'_> = TopicView { partitions: 4, available: &[0, 1, 2, 3] };
pub const ALL_OF_12: TopicView<'_> = TopicView { partitions: 12, available: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] };

pub fn reference(file: &str) -> Value {
    let text = std::fs::read_to_string(format!("tests/reference/{file}")).expect("the file is there");
    serde_json::from_str(&text).expect("JSON")
}

pub fn at(micros: u64) -> Time {
    Time::from_micros(micros)
}

pub fn chooser(rule: Partitioner, seed: u64) -> (Chooser, Xoshiro256PlusPlus) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (Chooser::new(rule, &mut rng), rng)
}

/// Where the first record of a new process goes.
pub fn partition_of(rule: Partitioner, partitions: u16, key: Option<&[u8]>) -> u16 {
    let available: Vec<u16> = (0..partitions).collect();
    let (mut chooser, mut rng) = chooser(rule, 1);
    chooser.choose(Time::ZERO, TopicView { partitions, available: &available }, key, &mut rng).0
}

/// What a partitioner alone does with keyless records at these moments.
pub fn choices(rule: Partitioner, seed: u64, topic: TopicView<'_>, times: impl Iterator<Item = Time>) -> Vec<u16> {
    let (mut chooser, mut rng) = chooser(rule, seed);
    times.map(|now| chooser.choose(now, topic, None, &mut rng).0).collect()
}

/// How a sequence of partitions looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    pub runs: usize,
    pub longest: usize,
    pub per_partition: Vec<usize>,
}

pub fn shape(partitions: &[u16], count: u16) -> Shape {
    let runs: Vec<usize> = partitions.chunk_by(|a, b| a == b).map(<[u16]>::len).collect();
    let of = |number: u16| partitions.iter().filter(|&&partition| partition == number).count();
    Shape {
        runs: runs.len(),
        longest: runs.iter().copied().max().unwrap_or(0),
        per_partition: (0..count).map(of).collect(),
    }
}

pub fn keyless(value_bytes: u32) -> Outgoing<'static> {
    Outgoing { partition: None, key: None, value_bytes: Some(value_bytes) }
}

/// A producer with one broker for each partition.
pub struct World<'w> {
    pub rule: Partitioner,
    pub settings: Batching,
    pub topic: TopicView<'w>,
    /// From a request to its answer, by partition.
    pub answers_after: &'w [Span],
    /// The least time from one look of the sender to the next: its thread is not always there.
    pub looks_every: Span,
}

/// What happened.
#[derive(Debug, Default)]
pub struct Run {
    /// The partition of each record.
    pub partitions: Vec<u16>,
    /// The batches, in the order in which they were sent.
    pub batches: Vec<DrainedBatch>,
}

impl World<'_> {
    pub fn run(&self, seed: u64, records: &[(Time, Outgoing<'_>)]) -> Run {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut sender = Sender::new(self.rule, self.topic.partitions, &mut rng);
        let leader_of = |partition: u16| Some(BrokerId(partition));
        let mut answers: Vec<(Time, BrokerId, Vec<u16>)> = Vec::new();
        let (mut run, mut next, mut last_look) = (Run::default(), 0, None);
        let (mut now, mut woken) = (Time::ZERO, false);
        loop {
            let record = records.get(next).map(|record| record.0);
            let answer = answers.iter().map(|answer| answer.0).min();
            let ready = sender.next_ready(&self.settings, now, leader_of, |_| true);
            let ready = if woken { Some(now) } else { ready };
            let look = ready.map(|ready| last_look.map_or(ready, |last: Time| ready.max(last + self.looks_every)));
            let Some(soonest) = [answer, record, look].into_iter().flatten().min() else { break };
            now = soonest;
            if answer == Some(now) {
                let place = answers.iter().position(|answer| answer.0 == now).expect("it is there");
                let (_, broker, partitions) = answers.remove(place);
                sender.accumulator.handle_answer(broker, partitions.into_iter());
                woken = true;
            } else if record == Some(now) {
                let (appended, _) = sender.send(&self.settings, self.topic, now, records[next].1, &mut rng);
                woken |= appended.new_batch || appended.full;
                run.partitions.push(appended.partition);
                next += 1;
            } else {
                last_look = Some(now);
                woken = false;
                for request in sender.drain(&self.settings, self.topic, now, leader_of, |_| true) {
                    assert!(sender.accumulator.in_flight(request.broker) <= self.settings.max_in_flight);
                    let due = now + self.answers_after[request.broker.index()];
                    answers.push((due, request.broker, request.batches.iter().map(|batch| batch.partition).collect()));
                    run.batches.extend(request.batches.iter().copied());
                }
            }
        }
        run
    }
}
