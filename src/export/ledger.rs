//! The ledger as CSV (RFC 4180): a line for each time that a group has processed a record, in the order in which that happened.
//! The names of the columns and of what stands in them are the same in every language, and stable.

use crate::scene::names::record_name;
use crate::sim::event::{Event, Fault, RowOutcome};
use crate::sim::{Simulation, SinkId, StepNo};
use std::collections::BTreeMap;

/// The names of the columns.
///
/// | column | what it says |
/// | --- | --- |
/// | `record`, `key`, `value` | the record as the stage names it; without a key, `key` is empty |
/// | `topic`, `partition`, `offset` | where it lies |
/// | `group`, `member` | who processed it |
/// | `visible_step`, `time_us` | when, as in the transcript, and in microseconds |
/// | `nth` | which time it is for this group, from 1 |
/// | `duplicate` | whose repetition it is, by the outcome's names: `of_stopped`, `of_survivors`, `of_rewinds`, `of_sharing` |
/// | `committed` | whether the group's committed offset lies behind the record when the run ends |
/// | `sink`, `row` | the table that the member writes to, and the number of the row, from 1; no row where a unique key absorbed it, or a later write has replaced it |
pub const HEADER: [&str; 15] = [
    "record",
    "key",
    "value",
    "topic",
    "partition",
    "offset",
    "group",
    "member",
    "visible_step",
    "time_us",
    "nth",
    "duplicate",
    "committed",
    "sink",
    "row",
];

/// The ledger of a run, up to its present moment.
pub fn ledger(run: &Simulation) -> String {
    let rows = rows(run);
    let mut csv = String::new();
    put(&mut csv, &HEADER.map(str::to_owned));
    for step in (0..run.steps()).map(StepNo) {
        if let Some(fields) = processing(run, step, &rows) {
            put(&mut csv, &fields);
        }
    }
    // Spreadsheets take a file for UTF-8 only if it begins like this.
    if csv.is_ascii() { csv } else { format!("\u{feff}{csv}") }
}

/// The number of the row that a step has written, from 1.
fn rows(run: &Simulation) -> BTreeMap<StepNo, u32> {
    let sinks = (0..run.setup().sinks.len()).map(SinkId::at);
    let rows_of =
        |sink: SinkId| (0..run.sink(sink).rows).filter_map(move |row| Some((run.row(sink, row)?.step, row + 1)));
    sinks.flat_map(rows_of).collect()
}

fn processing(run: &Simulation, number: StepNo, rows: &BTreeMap<StepNo, u32>) -> Option<[String; HEADER.len()]> {
    let step = run.step_at(number)?;
    let Event::RecordProcessed { consumer, record, partition, offset, times, row, fault } = step.event else {
        return None;
    };
    let (setup, member, place) = (run.setup(), run.consumer(consumer), run.place(partition));
    let sent = run.record(record);
    let committed = run.group(member.group).committed(partition);
    let duplicate = match fault {
        Fault::None => "",
        Fault::Stopped => "of_stopped",
        Fault::Survivor => "of_survivors",
        Fault::Rewound => "of_rewinds",
        Fault::Shared => "of_sharing",
    };
    let sink = member.config().handling.writes_to.filter(|_| row != RowOutcome::NoSink);
    Some([
        record_name(run, record),
        sent.key.map_or_else(String::new, |key| setup.keys[key.index()].text.to_string()),
        setup.values[sent.value.index()].to_string(),
        setup.topics[place.topic.index()].name.to_string(),
        place.number.to_string(),
        offset.to_string(),
        setup.groups[member.group.index()].name.to_string(),
        member.name.to_string(),
        (run.visible_steps_before(number) + 1).to_string(),
        step.at.as_micros().to_string(),
        times.to_string(),
        duplicate.to_owned(),
        committed.is_some_and(|committed| committed.offset > offset).to_string(),
        sink.map_or_else(String::new, |sink| setup.sinks[sink.index()].name.to_string()),
        rows.get(&number).map_or_else(String::new, u32::to_string),
    ])
}

fn put(csv: &mut String, fields: &[String]) {
    for (index, text) in fields.iter().enumerate() {
        if index > 0 {
            csv.push(',');
        }
        csv.push_str(&field(text, ','));
    }
    csv.push_str("\r\n");
}

/// A field. What a spreadsheet would take for a formula begins with an apostrophe, which makes it a text there.
pub(super) fn field(text: &str, separator: char) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    match text.contains([separator, '"', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_quoted_where_it_has_to_be_and_is_never_a_formula() {
        for (text, expected) in [
            ("order-1001", "order-1001"),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=1+1", "'=1+1"),
            ("-1", "'-1"),
            ("@SUM(A1,A2)", "\"'@SUM(A1,A2)\""),
            ("\tx", "'\tx"),
            ("", ""),
        ] {
            assert_eq!(field(text, ','), expected);
        }
        assert_eq!([field("a,b", '\t'), field("a\tb", '\t')], ["a,b", "\"a\tb\""]);
    }
}
