//! A sweep as JSON. The names of its fields are the same in every language, and stable.

use crate::sim::Simulation;
use crate::sweep::{Case, Ending, Row, Sweep, Totals};
use crate::text::{Lang, acting};
use serde_json::{Value, json};

/// The unchanged run, a line for each of the others, and whether they are all; `run` is the unchanged run at its end.
pub fn sweep_json(run: &Simulation, sweep: &Sweep) -> String {
    let rows: Vec<Value> = sweep.rows().iter().map(|row| of_row(run, row)).collect();
    let value = json!({
        "unchanged": of_totals(&Totals::of(run)),
        "rows": rows,
        "complete": sweep.ending() == Some(Ending::Complete),
    });
    serde_json::to_string_pretty(&value).expect("it has only string keys") + "\n"
}

fn of_row(run: &Simulation, row: &Row) -> Value {
    let mut value = of_totals(&row.totals);
    let case = match &row.case {
        Case::Crash { consumer, after, at } => json!({
            "crashes": &*run.consumer(*consumer).name,
            "after_visible_step": after,
            "time_us": at.as_micros(),
        }),
        Case::Seed(seed) => json!({ "seed": seed }),
        Case::Value(value) => json!({ "value": value }),
        Case::Change(change) => json!({ "value": acting::assigned(Lang::En, run, *change).1 }),
    };
    value["case"] = case;
    value["standstill_ms"] = row.standstill.span.as_millis().into();
    value["standstill_is_over"] = row.standstill.is_over.into();
    value["decided_by"] = row
        .decided_by
        .map_or(Value::Null, |decisive| json!({ "visible_step": decisive.number, "time_us": decisive.at.as_micros() }));
    value["ended"] = row.ended.into();
    value
}

fn of_totals(totals: &Totals) -> Value {
    let Totals { lost, duplicates, pending, set_aside, out_of_order, rows } = totals;
    json!({ "lost": lost, "duplicates": duplicates, "pending": pending, "set_aside": set_aside, "out_of_order": out_of_order, "sink_rows": rows })
}
