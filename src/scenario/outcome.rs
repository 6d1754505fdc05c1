//! What came out of a run, in numbers. As JSON it is stable: fields in this order, things in the order of the file.

use super::batches::batch_records;
use crate::sim::consumer::Consumer;
use crate::sim::event::ErrorCode;
use crate::sim::order;
use crate::sim::{
    ConsumerId, Event, GroupId, KeyId, Offset, PartitionId, ProducerId, RecordId, Simulation, SinkId, Span, StepNo,
    TopicId, TopicPartition,
};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::collections::BTreeMap;

/// The outcome of a run, up to its present moment.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Outcome {
    /// Steps, hidden ones included.
    pub steps: u32,
    /// Steps that people see.
    pub visible_steps: u32,
    /// Simulated time in microseconds.
    pub time_us: u64,
    /// True if the run came to its end, false if it was stopped before, as by the limit of steps.
    pub ended: bool,
    /// The digest of the steps.
    pub digest: String,
    /// Each topic by its name.
    pub topics: Named<TopicOutcome>,
    /// Each producer by its name.
    pub producers: Named<ProducerOutcome>,
    /// Each group by its name.
    pub groups: Named<GroupOutcome>,
    /// Each table by its name.
    pub sinks: Named<SinkOutcome>,
}

/// What a topic holds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TopicOutcome {
    /// Records in each partition.
    pub partitions: Named<u32>,
    /// For each key the numbers of the partitions that hold records with it, in the order of the first one.
    pub keys: Named<Vec<u16>>,
}

/// What a producer has done.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ProducerOutcome {
    /// Records handed to `send()`.
    pub sent: u32,
    /// Records that its process had in hand when it died: they were never sent.
    pub never_sent: u32,
    /// Batches that were appended.
    pub batches: u32,
    /// How many records these batches hold: each number once, in order.
    pub batch_records: Vec<u32>,
}

/// What a group has done.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct GroupOutcome {
    /// Records processed at least once.
    pub processed: u32,
    /// Records neither processed nor lost.
    pub pending: u32,
    /// Records never processed of which a copy was sent to another topic.
    pub set_aside: u32,
    /// Repetitions.
    pub duplicates: Duplicates,
    /// Records that are lost.
    pub lost: LostOutcome,
    /// Records first processed after a later one of the same key.
    pub out_of_order: u32,
    /// Records first processed after a later one of the topic.
    pub swaps: u32,
    /// Times that two members had one record in hand at one time.
    pub overlaps: u32,
    /// Rebalances after the first generation.
    pub rebalances: u32,
    /// Time between two generations, over all of them, in milliseconds.
    pub rebalancing_ms: u64,
    /// Time in which nobody worked on any partition, after somebody had, in milliseconds.
    pub stopped_ms: u64,
    /// The last generation.
    pub generation: u32,
    /// Each member by its name.
    pub members: Named<MemberOutcome>,
    /// Each partition by its name.
    pub partitions: Named<PartitionOutcome>,
    /// What the broker refused, in order.
    pub errors: Vec<Refused>,
}

/// A group's repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Duplicates {
    /// The sum over all records of (times processed - 1).
    pub total: u32,
    /// Those that repeat what a stopped process had not committed.
    pub of_stopped: u32,
    /// Those that repeat what a living member had not committed.
    pub of_survivors: u32,
    /// Those that `seek()` or a reset of the group's offsets wanted.
    pub of_rewinds: u32,
    /// Those by a consumer that reads by `assign()` what another one reads, too.
    pub of_sharing: u32,
    /// How many records are concerned.
    pub records: u32,
}

/// A group's lost records, by what lost them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct LostOutcome {
    /// All of them.
    pub total: u32,
    /// A commit went past them.
    pub skipped_by_commit: u32,
    /// `auto.offset.reset`, `seek()` or a reset of the group's offsets started behind them.
    pub skipped_by_reset: u32,
    /// Their handling failed, or that of a record before them, and the application went on behind them.
    pub skipped_by_error: u32,
    /// Their producer died before it sent them.
    pub never_sent: u32,
}

/// What a consumer has done.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct MemberOutcome {
    /// The partitions that it works on, as itself knows them, in order.
    pub partitions: Vec<String>,
    /// Records that it has processed, repetitions included.
    pub processed: u32,
    /// What its rebalance listener was called with, in order: `assigned orders-0 orders-1`, `revoked orders-1`, `lost
    /// orders-0`. A call without partitions is the word alone. `close()` calls it with what it still has.
    pub callbacks: Vec<String>,
}

/// A group in one partition.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PartitionOutcome {
    /// The living member that works on it.
    pub owner: Option<String>,
    /// The committed offset.
    pub committed: Option<Offset>,
    /// The number that the group keeps in the database of its table, if it does.
    pub stored: Option<Offset>,
    /// The log end offset.
    pub end: Offset,
    /// The log end offset minus the committed offset, where something is committed.
    pub lag: Option<u32>,
    /// The log end offset minus the position, where somebody reads.
    pub unread: Option<u32>,
    /// The age of the record at the committed offset, if there is one, in milliseconds: the lag as a time.
    pub uncommitted_age_ms: Option<u64>,
    /// The age of the record at the position, if there is one, in milliseconds.
    pub unread_age_ms: Option<u64>,
    /// The age of the oldest record that the group can still come to and has not processed, in milliseconds.
    pub unprocessed_age_ms: Option<u64>,
    /// How long nobody worked on it, after somebody had, in milliseconds.
    pub unowned_ms: u64,
    /// Offsets processed more than once.
    pub processed_twice: Vec<Offset>,
}

/// A request that the broker refused.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Refused {
    /// In which step.
    pub step: u32,
    /// Who sent it.
    pub member: String,
    /// What it was.
    pub request: &'static str,
    /// Kafka's name of the error.
    pub error: &'static str,
}

/// What a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SinkOutcome {
    /// Its rows.
    pub rows: u32,
    /// Writes that the unique key turned into nothing.
    pub absorbed: u32,
    /// All writes: those that made a row, that the unique key turned into nothing, or that replaced a value.
    pub written: u32,
    /// Writes that put the value of an earlier record over that of a later one.
    pub stale: u32,
}

/// Things by their names, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<T>(pub Vec<(String, T)>);

impl<T> Named<T> {
    /// The thing with this name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, thing)| thing)
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, thing) in &self.0 {
            map.serialize_entry(name, thing)?;
        }
        map.end()
    }
}

impl Outcome {
    /// The outcome up to the present moment of a run.
    pub fn of(run: &Simulation) -> Self {
        let setup = run.setup();
        let topics = (0..setup.topics.len()).map(TopicId::at);
        let groups = (0..setup.groups.len()).map(GroupId::at);
        let sinks = (0..setup.sinks.len()).map(SinkId::at);
        Outcome {
            steps: run.steps(),
            visible_steps: run.visible_steps(),
            time_us: run.now().as_micros(),
            ended: run.has_ended(),
            digest: run.digest(),
            topics: Named(topics.map(|id| (setup.topics[id.index()].name.to_string(), topic(run, id))).collect()),
            producers: Named(producers(run)),
            groups: Named(groups.map(|id| (setup.groups[id.index()].name.to_string(), group(run, id))).collect()),
            sinks: Named(sinks.map(|id| (setup.sinks[id.index()].name.to_string(), sink(run, id))).collect()),
        }
    }

    /// The outcome as indented JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("an outcome has only string keys and cannot fail to serialize")
    }
}

fn producers(run: &Simulation) -> Vec<(String, ProducerOutcome)> {
    let producer = |(index, mut records): (usize, Vec<u32>)| {
        let producer = run.producer(ProducerId::at(index));
        let batches = records.len() as u32;
        order::by_number(&mut records, |&records| u64::from(records));
        records.dedup();
        let outcome =
            ProducerOutcome { sent: producer.sent, never_sent: producer.never_sent, batches, batch_records: records };
        (run.setup().producers[index].name.to_string(), outcome)
    };
    batch_records(run).into_iter().enumerate().map(producer).collect()
}

/// A partition as Kafka writes it: `orders-2`.
pub fn partition_name(run: &Simulation, partition: PartitionId) -> String {
    let TopicPartition { topic, number } = run.place(partition);
    format!("{}-{number}", run.setup().topics[topic.index()].name)
}

fn topic(run: &Simulation, id: TopicId) -> TopicOutcome {
    let partitions = run.topics().partitions_of(id);
    let records = |&partition: &PartitionId| (partition_name(run, partition), run.partition(partition).end);
    let mut keys: BTreeMap<KeyId, Vec<u16>> = BTreeMap::new();
    for record in (0..run.records()).map(RecordId) {
        let sent = run.record(record);
        let place = run.place(sent.partition);
        if let Some(key) = sent.key
            && place.topic == id
            && run.offset_of(record).is_some()
        {
            let numbers = keys.entry(key).or_default();
            if !numbers.contains(&place.number) {
                numbers.push(place.number);
            }
        }
    }
    let name = |key: KeyId| run.setup().keys[key.index()].text.to_string();
    TopicOutcome {
        partitions: Named(partitions.iter().map(records).collect()),
        keys: Named(keys.into_iter().map(|(key, numbers)| (name(key), numbers)).collect()),
    }
}

fn sink(run: &Simulation, id: SinkId) -> SinkOutcome {
    let sink = run.sink(id);
    SinkOutcome { rows: sink.rows, absorbed: sink.absorbed, written: sink.written(), stale: sink.stale }
}

fn group(run: &Simulation, id: GroupId) -> GroupOutcome {
    let ledger = run.ledger(id);
    let lost = run.lost(id);
    let partitions: Vec<PartitionId> = run.partitions_of_group(id).collect();
    let partitions = partitions.iter().map(|&of| (partition_name(run, of), partition(run, id, of))).collect();
    GroupOutcome {
        processed: ledger.processed,
        pending: run.pending(id),
        set_aside: ledger.set_aside,
        duplicates: Duplicates {
            total: ledger.duplicates(),
            of_stopped: ledger.duplicates_of_stopped,
            of_survivors: ledger.duplicates_of_survivors,
            of_rewinds: ledger.duplicates_of_rewinds,
            of_sharing: ledger.duplicates_of_sharing,
            records: ledger.records_duplicated,
        },
        lost: LostOutcome {
            total: lost.total(),
            skipped_by_commit: lost.skipped_by_commit,
            skipped_by_reset: lost.skipped_by_reset,
            skipped_by_error: lost.skipped_by_error,
            never_sent: lost.never_sent,
        },
        out_of_order: ledger.out_of_order,
        swaps: ledger.swaps,
        overlaps: ledger.overlaps,
        rebalances: ledger.rebalances,
        rebalancing_ms: ledger.rebalancing(run.now()).as_millis(),
        stopped_ms: ledger.stopped(run.now()).as_millis(),
        generation: run.group(id).generation,
        members: Named(run.consumers_of(id).map(|of| (of.name.to_string(), member(run, of))).collect()),
        partitions: Named(partitions),
        errors: errors(run, id),
    }
}

fn member(run: &Simulation, consumer: &Consumer) -> MemberOutcome {
    let mut owned: Vec<PartitionId> =
        consumer.client().map_or_else(Vec::new, |client| client.owned.iter().map(|owned| owned.partition).collect());
    order::by_number(&mut owned, |&partition| {
        let TopicPartition { topic, number } = run.place(partition);
        order::pair(u32::from(topic.0), u32::from(number))
    });
    MemberOutcome {
        partitions: owned.into_iter().map(|partition| partition_name(run, partition)).collect(),
        processed: consumer.processed,
        callbacks: callbacks(run, consumer.id),
    }
}

fn callbacks(run: &Simulation, of: ConsumerId) -> Vec<String> {
    // Before KIP-429 `close()` called no listener.
    let closing_revokes = run.consumer(of).config().settings.release >= (2, 4);
    let calls = |number: StepNo| {
        let mut and_then = None;
        let word = match run.step_at(number)?.event {
            Event::PartitionsAssigned { consumer, .. }
            | Event::ReconciliationAssigned { consumer, .. }
            | Event::MorePartitionsAssigned { consumer, .. }
                if consumer == of =>
            {
                "assigned"
            }
            Event::ReconciliationRevoked { consumer, gains, .. } if consumer == of => {
                and_then = (gains == 0).then(|| "assigned".to_owned());
                "revoked"
            }
            Event::PartitionsRevoked { consumer, .. } | Event::SomePartitionsRevoked { consumer, .. }
                if consumer == of =>
            {
                "revoked"
            }
            Event::PartitionsLost { consumer, .. } if consumer == of => "lost",
            Event::ConsumerClosed { consumer, partitions: 1.., .. } if consumer == of && closing_revokes => "revoked",
            _ => return None,
        };
        let names = run.partitions_at(number).iter().map(|&partition| partition_name(run, partition));
        let call = std::iter::once(word.to_owned()).chain(names).collect::<Vec<_>>().join(" ");
        Some(std::iter::once(call).chain(and_then))
    };
    (0..run.steps()).map(StepNo).filter_map(calls).flatten().collect()
}

fn partition(run: &Simulation, group: GroupId, partition: PartitionId) -> PartitionOutcome {
    let ledger = run.ledger(group);
    let end = run.partition(partition).end;
    let owner = ledger.partitions[partition.index()].workers().next();
    let lag = run.lag(group, partition);
    let is_repeated =
        |offset: &Offset| run.record_at(partition, *offset).is_some_and(|record| ledger.delivery(record).times > 1);
    PartitionOutcome {
        owner: owner.map(|key| run.consumer(key.consumer).name.to_string()),
        committed: run.group(group).committed(partition).map(|committed| committed.offset),
        stored: run.stored(group, partition).map(|stored| stored.offset),
        end,
        lag: lag.records,
        unread: lag.unread,
        uncommitted_age_ms: lag.uncommitted.map(Span::as_millis),
        unread_age_ms: lag.unread_age.map(Span::as_millis),
        unprocessed_age_ms: lag.oldest.map(Span::as_millis),
        unowned_ms: ledger.partitions[partition.index()].unowned(run.now()).as_millis(),
        processed_twice: (0..end).filter(is_repeated).collect(),
    }
}

/// What the coordinator refused to members of a group. The first JoinGroup of a process, which it answers with
/// `MEMBER_ID_REQUIRED` as a matter of course, does not count; nor does a heartbeat that it uses to say that the group
/// rebalances.
fn errors(run: &Simulation, of: GroupId) -> Vec<Refused> {
    let refused = |number: StepNo| {
        let (group, consumer, request, error) = match run.step_at(number)?.event {
            Event::CommitRejected { group, consumer, error, .. } => (group, consumer, "OffsetCommit", error),
            Event::JoinRejected { group, consumer, error } => (group, consumer, "JoinGroup", error),
            Event::SyncRejected { group, consumer, error } => (group, consumer, "SyncGroup", error),
            Event::HeartbeatReceived { group, consumer, error }
                if !matches!(error, ErrorCode::None | ErrorCode::RebalanceInProgress) =>
            {
                (group, consumer, "Heartbeat", error)
            }
            _ => return None,
        };
        let member = run.consumer(consumer).name.to_string();
        (group == of).then_some(Refused { step: number.0, member, request, error: error.name() })
    };
    (0..run.steps()).map(StepNo).filter_map(refused).collect()
}
