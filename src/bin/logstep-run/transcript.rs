//! A step as one line.

use logstep::scenario::outcome::partition_name;
use logstep::sim::{Event, Simulation, StepNo};

/// The kind of event, then its numbers, with the names of the setup in place of ids.
pub fn transcript_line(run: &Simulation, step: StepNo) -> String {
    let Some(step) = run.step_at(step) else {
        return String::new();
    };
    let event = &step.event;
    let mut parts = vec![event.name().to_owned()];
    if let Some(consumer) = event.consumer() {
        parts.push(run.setup().consumers[consumer.index()].name.to_string());
    }
    if let Some(partition) = event.partition() {
        parts.push(partition_name(run, partition));
    }
    if let Some(record) = event.record() {
        let record = run.record(record);
        let setup = run.setup();
        parts.push(format!("{} {}", setup.keys[record.key.index()].text, setup.values[record.value.index()]));
    }
    parts.extend(numbers(event));
    parts.join("  ")
}

/// What remains of an event besides the things that it names.
fn numbers(event: &Event) -> Option<String> {
    Some(match *event {
        Event::RecordAppended { offset, .. } | Event::HandlingStarted { offset, .. } => format!("offset {offset}"),
        Event::ProduceSent { records, .. } | Event::RecordsFetched { records, .. } => format!("{records} records"),
        Event::FetchAnswered { records, .. } => format!("{records} records"),
        Event::ProduceAcknowledged { records, base_offset, .. } => format!("{records} records from {base_offset}"),
        Event::RecordsPolled { from, position, .. } => format!("from {from}, position {position}"),
        Event::PositionSet { offset, source, .. } => format!("offset {offset}, {source:?}"),
        Event::OffsetCommitted { offset, .. } => format!("offset {offset}"),
        Event::RecordProcessed { offset, times, row, fault, .. } => {
            format!("offset {offset}, times {times}, {row:?}, fault {fault:?}")
        }
        Event::ConsumerStarted { incarnation, .. } => format!("start {incarnation}"),
        Event::MemberJoined { missing, .. } => format!("missing {missing}"),
        Event::RebalanceStarted { generation, reason, .. } => format!("generation {generation} ends, {reason:?}"),
        Event::GenerationStarted { generation, members, .. } => {
            format!("leads generation {generation}, {members} members")
        }
        Event::AssignmentComputed { generation, members, partitions, .. } => {
            format!("generation {generation}, {partitions} partitions to {members} members")
        }
        Event::PartitionsAssigned { generation, partitions, .. }
        | Event::PartitionsRevoked { generation, partitions, .. } => {
            format!("generation {generation}, {partitions} partitions")
        }
        Event::PartitionsLost { generation, partitions, error, .. } => {
            format!("generation {generation}, {partitions} partitions, {}", error.name())
        }
        Event::CommitRejected { generation, error, .. } => format!("generation {generation}, {}", error.name()),
        Event::ConsumerCrashed { uncommitted, .. } | Event::ConsumerClosed { uncommitted, .. } => {
            format!("{uncommitted} processed and not committed")
        }
        Event::MemberLeft { members, .. } | Event::RebalanceTimedOut { members, .. } => format!("{members} members"),
        Event::SessionExpired { members, silent, .. } => {
            format!("silent for {} ms, {members} members", silent.as_millis())
        }
        Event::JoinRejected { error, .. }
        | Event::SyncRejected { error, .. }
        | Event::RejoinNeeded { error, .. }
        | Event::CommitAnswered { error, .. }
        | Event::HeartbeatReceived { error, .. }
        | Event::HeartbeatAnswered { error, .. } => error.name().to_owned(),
        Event::FetchReceived { waits, .. } => (if waits { "waits" } else { "has records" }).to_owned(),
        _ => return None,
    })
}
