//! Tables.

use super::{Composer, look};
use crate::scene::names::record_name;
use crate::scene::stage::{RowChip, SinkFrame};
use crate::sim::SinkId;

impl Composer<'_> {
    pub(super) fn sink(&self, sink: SinkId) -> SinkFrame {
        let run = self.run;
        let setup = &run.setup().sinks[sink.index()];
        let state = run.sink(sink);
        let places = &self.layout.rows[sink.index()];
        let folded = state.rows.saturating_sub(places.len() as u32);
        let last_step = run.steps().checked_sub(1);
        let rows = (folded..state.rows)
            .zip(places)
            .filter_map(|(number, &rect)| {
                let row = run.row(sink, number)?;
                let record = run.record(row.record);
                Some(RowChip {
                    number,
                    rect,
                    record: row.record,
                    name: record_name(run, row.record),
                    value: run.setup().values[record.value.index()].clone(),
                    look: look(record),
                    nth: row.nth,
                    is_new: Some(row.step.0) == last_step,
                })
            })
            .collect();
        SinkFrame {
            sink,
            rect: self.layout.sinks[sink.index()],
            name: setup.name.clone(),
            unique_key: run.unique_key(sink).cloned(),
            is_down: state.down.is_some(),
            total: state.rows,
            absorbed: state.absorbed,
            folded,
            rows,
        }
    }
}
