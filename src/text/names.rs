//! Names of the things of a run, ready to stand in a sentence.

use super::{Lang, format};
use crate::scene::names;
use crate::sim::event::CommitCall;
use crate::sim::{ClientId, ConsumerId, GroupId, PartitionId, ProducerId, RecordId, Simulation, SinkId, TopicId};

/// A consumer's name: `c3`.
pub fn consumer(run: &Simulation, consumer: ConsumerId) -> &str {
    &run.consumer(consumer).name
}

/// One that may not be there at this moment: who joins later has a number as long as there is no name.
pub fn consumer_if_there(run: &Simulation, consumer: ConsumerId) -> String {
    let found = run.consumers().get(consumer.index());
    found.map_or_else(|| format!("#{}", consumer.index() + 1), |found| found.name.to_string())
}

/// A group's name: `billing`.
pub fn group(run: &Simulation, group: GroupId) -> &str {
    &run.setup().groups[group.index()].name
}

/// The name of a consumer's group.
pub fn group_of(run: &Simulation, consumer: ConsumerId) -> &str {
    group(run, run.consumer(consumer).group)
}

/// A producer's name: `shop`.
pub fn producer(run: &Simulation, producer: ProducerId) -> &str {
    &run.setup().producers[producer.index()].name
}

/// A client's name.
pub fn client(run: &Simulation, client: ClientId) -> &str {
    match client {
        ClientId::Producer(id) => producer(run, id),
        ClientId::Consumer(id) => consumer(run, id),
    }
}

/// A topic's name: `orders`.
pub fn topic(run: &Simulation, topic: TopicId) -> &str {
    &run.setup().topics[topic.index()].name
}

/// A table's name: `payments`.
pub fn sink(run: &Simulation, sink: SinkId) -> &str {
    &run.setup().sinks[sink.index()].name
}

/// The table that a consumer writes to.
pub fn sink_of(run: &Simulation, consumer: ConsumerId) -> Option<&str> {
    run.consumer(consumer).config().handling.writes_to.map(|id| sink(run, id))
}

/// A partition: `P2`.
pub fn partition(run: &Simulation, partition: PartitionId) -> String {
    names::partition_name(run, partition)
}

/// A record by its short name: `C4`.
pub fn record(run: &Simulation, record: RecordId) -> String {
    names::record_name(run, record)
}

/// A record with where it lies: `C4 (P2, offset 3)`.
pub fn record_at(lang: Lang, run: &Simulation, id: RecordId, at: PartitionId, offset: u32) -> String {
    let (record, partition, offset) = (record(run, id), partition(run, at), format::number(u64::from(offset)));
    both!(lang, "{record}（{partition} のオフセット {offset}）", "{record} ({partition}, offset {offset})")
}

/// A record's key: `order-1009`, `""` if it is empty, `null` if there is none.
pub fn key(run: &Simulation, record: RecordId) -> &str {
    match run.record(record).key.map(|key| &*run.setup().keys[key.index()].text) {
        None => "null",
        Some("") => "\"\"",
        Some(key) => key,
    }
}

/// A record's value: `shipped`.
pub fn value(run: &Simulation, record: RecordId) -> &str {
    &run.setup().values[run.record(record).value.index()]
}

/// Partitions one after another; neighbours in a long list become a range: `P0, P2`, `P0–P5`.
pub fn partition_list(lang: Lang, run: &Simulation, partitions: &[PartitionId]) -> String {
    let mut parts = Vec::new();
    let mut rest = partitions;
    while let Some((&first, _)) = rest.split_first() {
        let run_length = neighbours(run, rest);
        if run_length >= 3 {
            let last = rest[run_length - 1];
            parts.push(format!("{}–{}", partition(run, first), partition(run, last)));
            rest = &rest[run_length..];
        } else {
            parts.push(partition(run, first));
            rest = &rest[1..];
        }
    }
    format::list(lang, &parts)
}

/// How many partitions of one topic stand one after another at the start of a list.
fn neighbours(run: &Simulation, partitions: &[PartitionId]) -> usize {
    let topic = run.place(partitions[0]).topic;
    let follows = |pair: &[PartitionId]| pair[1].0 == pair[0].0 + 1 && run.place(pair[1]).topic == topic;
    1 + partitions.windows(2).take_while(|pair| follows(pair)).count()
}

/// The method that commits.
pub const fn commit_call(call: CommitCall) -> &'static str {
    match call {
        CommitCall::Sync | CommitCall::SyncBefore | CommitCall::OnRevoke | CommitCall::OnClose => "commitSync()",
        CommitCall::Async | CommitCall::AsyncBefore | CommitCall::AsyncAgain => "commitAsync()",
        CommitCall::AutoInterval | CommitCall::AutoRejoin => "poll()",
        CommitCall::AutoClose => "close()",
        CommitCall::AutoSeek => "seek()",
    }
}

/// True for a static member of a classic group: it never says that it leaves (`AbstractCoordinator#maybeLeaveGroup`).
pub(super) fn stays_when_silent(run: &Simulation, consumer: ConsumerId) -> bool {
    let consumer = run.consumer(consumer);
    consumer.instance_id.is_some() && !run.setup().is_modern(consumer.group)
}
