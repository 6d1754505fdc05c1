//! The tables that consumers write to: with a unique key for each event, or without.

use super::event::RowOutcome;
use super::ids::*;
use super::log::{Log, Paged};
use super::queue::MemberKey;

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The record whose handling wrote it.
    pub record: RecordId,
    /// Who wrote it.
    pub by: MemberKey,
    /// In which step.
    pub step: StepNo,
    /// Which row of this record it is, from 1.
    pub nth: u16,
}

/// A write to a table.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    /// The record that was handled.
    pub record: RecordId,
    /// Who writes.
    pub by: MemberKey,
    /// In which step.
    pub step: StepNo,
}

/// A table's state at one moment; its rows are in a [`Log`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sink {
    /// How many rows it has.
    pub rows: u32,
    /// How many writes the unique key turned into nothing.
    pub absorbed: u32,
    /// Whether it has a unique key.
    pub is_unique: bool,
    /// How many events are there more than once.
    duplicates: u32,
    rows_of: Paged<u16>,
}

impl Sink {
    /// An empty table.
    pub fn new(is_unique: bool) -> Self {
        Sink { is_unique, ..Sink::default() }
    }

    /// True if some event is there more than once: then no database adds a unique key.
    pub const fn has_duplicates(&self) -> bool {
        self.duplicates > 0
    }

    /// `INSERT`, with `ON CONFLICT DO NOTHING` where there is a unique key. A record is one event.
    pub fn write(&mut self, rows: &mut Log<Row>, write: Write) -> RowOutcome {
        let Write { record, by, step } = write;
        if self.is_unique && self.rows_of(record) > 0 {
            self.absorbed += 1;
            return RowOutcome::AlreadyThere;
        }
        let nth = self.rows_of.get_mut(record.0);
        *nth = nth.saturating_add(1);
        self.duplicates += u32::from(*nth == 2);
        rows.write(&mut self.rows, Row { record, by, step, nth: *nth });
        RowOutcome::Inserted
    }

    /// How many rows there are for a record.
    pub fn rows_of(&self, record: RecordId) -> u16 {
        self.rows_of.get(record.0)
    }
}
