//! A table of records as a spreadsheet takes it: a line for each, separated by tabs. The names of the columns and of what stands in
//! them are the same in every language, as in the ledger.

use super::ledger::field;
use crate::scene::names::record_name;
use crate::scene::records::{Account, Fate, Line, Processing};
use crate::sim::ledger::LostBy;
use crate::sim::{GroupId, RecordId, Simulation, StepNo};

/// The names of the columns. What the ledger has, too, has its name there; what only a group has to say is empty without one.
pub const COLUMNS: [&str; 22] = [
    "record",
    "key",
    "value",
    "topic",
    "partition",
    "offset",
    "producer",
    "sent_step",
    "sent_us",
    "appended_step",
    "appended_us",
    "group",
    "state",
    "times",
    "first_member",
    "first_step",
    "first_us",
    "last_member",
    "last_step",
    "last_us",
    "committed",
    "rows",
];

/// Records, in this order, as a group sees them at the present moment.
#[inline(never)]
pub fn table(run: &Simulation, group: Option<GroupId>, records: impl Iterator<Item = RecordId>) -> String {
    let account = Account::new(run, group);
    let mut table = COLUMNS.join("\t");
    for record in records {
        table.push('\n');
        for (index, text) in fields(run, group, &account.line(record)).iter().enumerate() {
            if index > 0 {
                table.push('\t');
            }
            table.push_str(&field(text, '\t'));
        }
    }
    table.push('\n');
    table
}

fn fields(run: &Simulation, group: Option<GroupId>, line: &Line) -> [String; COLUMNS.len()] {
    let (setup, sent) = (run.setup(), run.record(line.record));
    let place = run.place(sent.partition);
    let [sent_step, sent_us] = when(run, Some(line.sent));
    let [appended_step, appended_us] = when(run, line.appended);
    let [first_member, first_step, first_us] = who_and_when(run, line.first);
    let [last_member, last_step, last_us] = who_and_when(run, line.last);
    let of_group = |text: String| group.map_or_else(String::new, |_| text);
    [
        record_name(run, line.record),
        sent.key.map_or_else(String::new, |key| setup.keys[key.index()].text.to_string()),
        setup.values[sent.value.index()].to_string(),
        setup.topics[place.topic.index()].name.to_string(),
        place.number.to_string(),
        line.offset.map_or_else(String::new, |offset| offset.to_string()),
        setup.producers[sent.producer.index()].name.to_string(),
        sent_step,
        sent_us,
        appended_step,
        appended_us,
        group.map_or_else(String::new, |group| setup.groups[group.index()].name.to_string()),
        state(line.fate).to_owned(),
        of_group(line.times.to_string()),
        first_member,
        first_step,
        first_us,
        last_member,
        last_step,
        last_us,
        of_group(line.is_committed.to_string()),
        of_group(line.rows.to_string()),
    ]
}

fn when(run: &Simulation, step: Option<StepNo>) -> [String; 2] {
    match step.and_then(|number| Some((number, run.step_at(number)?.at))) {
        None => [String::new(), String::new()],
        Some((number, at)) => [(run.visible_steps_before(number) + 1).to_string(), at.as_micros().to_string()],
    }
}

fn who_and_when(run: &Simulation, processing: Option<Processing>) -> [String; 3] {
    let [step, at] = when(run, processing.map(|processing| processing.step));
    [processing.map_or_else(String::new, |processing| run.consumer(processing.by).name.to_string()), step, at]
}

const fn state(fate: Fate) -> &'static str {
    match fate {
        Fate::Unsent => "unsent",
        Fate::Unread => "unread",
        Fate::Before => "committed_before",
        Fate::Waiting => "waiting",
        Fate::InHand(_) => "in_hand",
        Fate::Processed => "processed",
        Fate::SetAside => "set_aside",
        Fate::Lost(LostBy::Commit) => "skipped_by_commit",
        Fate::Lost(LostBy::Reset) => "skipped_by_reset",
        Fate::Lost(LostBy::Error) => "skipped_by_error",
        Fate::Lost(LostBy::NeverSent) => "never_sent",
    }
}
