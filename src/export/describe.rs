//! A moment of a run as `kafka-consumer-groups.sh --describe` prints it: the same rows, columns and widths.
//!
//! Source: `org.apache.kafka.tools.consumer.group.ConsumerGroupCommand`, of Kafka 4: a member that has no partition is in no
//! row of `--offsets`, which KIP-175 had planned and the tool no longer does; it is in `--members`, with 0.

use crate::sim::coordinator::{Group, GroupState, Member};
use crate::sim::{GroupId, PartitionId, Simulation};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Described {
    /// Where the group is in each partition; what the tool prints if nothing else is asked for.
    Offsets,
    /// `--members`: who is in the group, with how many partitions.
    Members,
    /// `--state`: the coordinator, the assignor, the state.
    State,
}

/// The addresses in this world: every process runs on one machine.
const HOST: &str = "/127.0.0.1";
const MISSING: &str = "-";

/// All groups of a run at its present moment, each with the remark that the tool would write to the error output.
pub fn describe(run: &Simulation, what: Described) -> String {
    let groups = (0..run.setup().groups.len()).map(GroupId::at);
    groups.map(|group| of_group(run, group, what) + &stored(run, group, what)).collect()
}

/// What the tool cannot know: the offsets that a group keeps in the database of its table.
fn stored(run: &Simulation, id: GroupId, what: Described) -> String {
    let partitions: Vec<PartitionId> = run.partitions_of_group(id).collect();
    let line = |partition| {
        let (place, stored) = (run.place(partition), run.stored(id, partition)?);
        let (group, topic) = (&run.setup().groups[id.index()].name, &run.setup().topics[place.topic.index()].name);
        let by = &run.consumer(stored.by.consumer).name;
        Some(format!("# {group}: {} is stored for {topic}-{}, by {by}\n", stored.offset, place.number))
    };
    let lines: String = in_order(run, &partitions).into_iter().filter_map(line).collect();
    match what {
        Described::Offsets if !lines.is_empty() => format!("\n# In the database of the table, not in Kafka:\n{lines}"),
        _ => String::new(),
    }
}

fn of_group(run: &Simulation, id: GroupId, what: Described) -> String {
    let (group, name) = (run.group(id), &*run.setup().groups[id.index()].name);
    let remark = match group.state {
        GroupState::Empty => format!("\nConsumer group '{name}' has no active members.\n"),
        GroupState::PreparingRebalance
        | GroupState::CompletingRebalance
        | GroupState::Assigning
        | GroupState::Reconciling => format!("\nWarning: Consumer group '{name}' is rebalancing.\n"),
        GroupState::Stable => String::new(),
    };
    let rows = match what {
        Described::Offsets => offsets(run, id),
        Described::Members => members(run, id),
        Described::State => vec![state(run, id, name)],
    };
    if rows.is_empty() {
        return remark;
    }
    let head: &[&str] = match what {
        Described::Offsets => &[
            "GROUP",
            "TOPIC",
            "PARTITION",
            "CURRENT-OFFSET",
            "LOG-END-OFFSET",
            "LAG",
            "CONSUMER-ID",
            "HOST",
            "CLIENT-ID",
        ],
        Described::Members if has_instance_ids(group) => {
            &["GROUP", "CONSUMER-ID", "GROUP-INSTANCE-ID", "HOST", "CLIENT-ID", "#PARTITIONS"]
        }
        Described::Members => &["GROUP", "CONSUMER-ID", "HOST", "CLIENT-ID", "#PARTITIONS"],
        Described::State => &["GROUP", "COORDINATOR (ID)", "ASSIGNMENT-STRATEGY", "STATE", "#MEMBERS"],
    };
    let mut text = format!("{remark}\n{}", row(head, head, &rows));
    for cells in &rows {
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        text += &row(head, &cells, &rows);
    }
    text
}

/// A row with the widths of the tool: at least so much for each column, the last one without.
fn row(head: &[&str], cells: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (column, cell) in cells.iter().enumerate() {
        let least = match head[column] {
            "PARTITION" => 10,
            "GROUP-INSTANCE-ID" => 17,
            "COORDINATOR (ID)" => 25,
            "ASSIGNMENT-STRATEGY" => 20,
            "STATE" => 20,
            _ => 15,
        };
        let longest = rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let grows = matches!(
            head[column],
            "GROUP" | "TOPIC" | "CONSUMER-ID" | "HOST" | "GROUP-INSTANCE-ID" | "COORDINATOR (ID)"
        ) || (head[column] == "CLIENT-ID" && column + 1 < head.len());
        let width = if grows { least.max(longest) } else { least };
        match column + 1 == cells.len() {
            true => text += cell,
            false => text += &format!("{cell:<width$} "),
        }
    }
    text.push('\n');
    text
}

fn offsets(run: &Simulation, id: GroupId) -> Vec<Vec<String>> {
    let group = run.group(id);
    let mut members: Vec<&Member> = group.members.iter().filter(|member| !member.assigned.is_empty()).collect();
    members.sort_by_key(|member| std::cmp::Reverse(member.assigned.len()));
    let mut rows = Vec::new();
    for member in &members {
        let consumer = [&*member.id, HOST, &*run.consumer(member.key.consumer).name];
        rows.extend(in_order(run, &member.assigned).into_iter().map(|partition| offset(run, id, partition, consumer)));
    }
    let assigned = |partition: PartitionId| members.iter().any(|member| member.assigned.contains(&partition));
    let committed: Vec<PartitionId> = (0..run.partition_count())
        .map(PartitionId::at)
        .filter(|&partition| group.committed(partition).is_some() && !assigned(partition))
        .collect();
    rows.extend(in_order(run, &committed).into_iter().map(|partition| offset(run, id, partition, [MISSING; 3])));
    rows
}

fn in_order(run: &Simulation, partitions: &[PartitionId]) -> Vec<PartitionId> {
    let mut partitions = partitions.to_vec();
    partitions.sort_by_key(|&partition| {
        let place = run.place(partition);
        (run.setup().topics[place.topic.index()].name.clone(), place.number)
    });
    partitions
}

fn offset(run: &Simulation, id: GroupId, partition: PartitionId, consumer: [&str; 3]) -> Vec<String> {
    let (group, place, end) = (run.group(id), run.place(partition), run.partition(partition).end);
    let committed = group.committed(partition).map(|committed| committed.offset);
    let or_missing = |number: Option<i64>| number.map_or_else(|| MISSING.to_owned(), |number| number.to_string());
    let [member, host, client] = consumer.map(str::to_owned);
    vec![
        run.setup().groups[id.index()].name.to_string(),
        run.setup().topics[place.topic.index()].name.to_string(),
        place.number.to_string(),
        or_missing(committed.map(i64::from)),
        end.to_string(),
        // A commit beyond the end of the log is not refused, and the tool then prints a lag below zero.
        or_missing(committed.map(|committed| i64::from(end) - i64::from(committed))),
        member,
        host,
        client,
    ]
}

fn has_instance_ids(group: &Group) -> bool {
    group.members.iter().any(|member| member.request.instance_id.is_some())
}

fn members(run: &Simulation, id: GroupId) -> Vec<Vec<String>> {
    let (group, name) = (run.group(id), run.setup().groups[id.index()].name.to_string());
    let with_instance_ids = has_instance_ids(group);
    let of = |member: &Member| {
        let mut cells = vec![name.clone(), member.id.to_string()];
        if with_instance_ids {
            cells.push(member.request.instance_id.as_deref().unwrap_or_default().to_owned());
        }
        let client = run.consumer(member.key.consumer).name.to_string();
        cells.extend([HOST.to_owned(), client, member.assigned.len().to_string()]);
        cells
    };
    group.members.iter().map(of).collect()
}

fn state(run: &Simulation, id: GroupId, name: &str) -> Vec<String> {
    let group = run.group(id);
    let assignor = match run.setup().is_modern(id) {
        true => run.server_assignor(id).name(),
        false => group.assignor.map_or(MISSING, |assignor| assignor.name()),
    };
    let state = match group.state {
        GroupState::Empty => "Empty",
        GroupState::PreparingRebalance => "PreparingRebalance",
        GroupState::CompletingRebalance => "CompletingRebalance",
        GroupState::Stable => "Stable",
        GroupState::Assigning => "Assigning",
        GroupState::Reconciling => "Reconciling",
    };
    let broker = group.broker.0;
    vec![
        name.to_owned(),
        format!("localhost:{}  ({broker})", 9092 + broker),
        assignor.to_owned(),
        state.to_owned(),
        group.members.len().to_string(),
    ]
}
