//! The tables that consumers write to: a row for each write, for each event, or for each key of a record. Ours, not Kafka's.

use super::event::RowOutcome;
use super::ids::*;
use super::log::{Log, Paged};
use super::queue::MemberKey;
use super::setup::{SinkSetup, Writes};

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

/// An offset that the members of a group keep in the database of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Whose.
    pub group: GroupId,
    /// Of which partition.
    pub partition: PartitionId,
    /// The number.
    pub offset: Offset,
    /// Who stored it.
    pub by: MemberKey,
    /// In which step.
    pub step: StepNo,
}

/// A write to a table.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    /// The record that was handled.
    pub record: RecordId,
    /// Its key, if it has one.
    pub key: Option<KeyId>,
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
    /// How many writes have replaced the value of a row.
    pub replaced: u32,
    /// How many of those put the value of an earlier record over that of a later one.
    pub stale: u32,
    /// The step that took it down, while it is down: every write fails.
    pub down: Option<StepNo>,
    writes: Writes,
    /// How many events are there more than once.
    duplicates: u32,
    rows_of: Paged<u16>,
    /// What only an upsert needs.
    upserts: Upserts,
    /// Offsets, in a table beside it.
    stored: Vec<Stored>,
}

/// Which row belongs to which key, and which entry of the log is in it. Rows that are never replaced are the log itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Upserts {
    /// How many entries the log has.
    written: u32,
    /// For each key the number of its row, from 1.
    row_of: Paged<u32>,
    /// For each row the entry of the log that is in it.
    entry_of: Paged<u32>,
}

impl Sink {
    /// An empty table.
    pub fn new(setup: &SinkSetup) -> Self {
        Sink { is_unique: setup.is_unique, writes: setup.writes, ..Sink::default() }
    }

    /// How many writes it has taken: all but those that failed.
    pub const fn written(&self) -> u32 {
        self.rows + self.absorbed + self.replaced
    }

    /// True if its unique key can neither be added nor dropped: an upsert needs it, and without an id there is no column
    /// for it.
    pub const fn has_fixed_key(&self) -> bool {
        !matches!(self.writes, Writes::Insert)
    }

    /// The entry of its log that is in a row.
    pub fn entry_of(&self, row: u32) -> u32 {
        match self.writes {
            Writes::Upsert => self.upserts.entry_of.get(row),
            Writes::Insert | Writes::InsertWithoutId => row,
        }
    }

    /// True if some event is there more than once: then no database adds a unique key.
    pub const fn has_duplicates(&self) -> bool {
        self.duplicates > 0
    }

    /// `INSERT`, with `ON CONFLICT DO NOTHING` where there is a unique key, or an upsert. A record is one event.
    pub fn write(&mut self, rows: &mut Log<Row>, write: Write) -> RowOutcome {
        if self.writes == Writes::Upsert {
            return self.upsert(rows, write);
        }
        let Write { record, by, step, .. } = write;
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

    /// What lies behind the column of the unique key is the record's key: one without gets a row of its own.
    #[inline(never)]
    fn upsert(&mut self, log: &mut Log<Row>, write: Write) -> RowOutcome {
        let Write { record, key, by, step } = write;
        if key.is_none() {
            let nth = self.rows_of.get_mut(record.0);
            *nth = nth.saturating_add(1);
        }
        let Upserts { written, row_of, entry_of } = &mut self.upserts;
        let entry = *written;
        log.write(written, Row { record, by, step, nth: 1 });
        let row = key.and_then(|key| row_of.get(key.0).checked_sub(1));
        let outcome = match row {
            None => {
                if let Some(key) = key {
                    *row_of.get_mut(key.0) = self.rows + 1;
                }
                RowOutcome::Inserted
            }
            Some(row) => {
                let held = log.get(entry_of.get(row)).map_or(record, |row| row.record);
                self.replaced += 1;
                self.stale += u32::from(held > record);
                if held > record { RowOutcome::ReplacedLater } else { RowOutcome::Replaced }
            }
        };
        *entry_of.get_mut(row.unwrap_or(self.rows)) = entry;
        self.rows += u32::from(row.is_none());
        outcome
    }

    /// True if somebody keeps offsets beside it.
    pub const fn has_stored(&self) -> bool {
        !self.stored.is_empty()
    }

    /// The offset that a group keeps beside it.
    #[inline(never)]
    pub fn stored(&self, group: GroupId, partition: PartitionId) -> Option<&Stored> {
        self.stored.iter().find(|stored| (stored.group, stored.partition) == (group, partition))
    }

    /// Stores an offset. Whoever does is not asked for a generation, nor whether the number is higher than before.
    #[inline(never)]
    pub fn store(&mut self, new: Stored) {
        match self.stored.iter_mut().find(|old| (old.group, old.partition) == (new.group, new.partition)) {
            Some(old) => *old = new,
            None => self.stored.push(new),
        }
    }

    /// How many rows there are for a record, apart from that of its key.
    pub fn rows_of(&self, record: RecordId) -> u16 {
        self.rows_of.get(record.0)
    }

    /// The row of a key, where a write replaces what an earlier one wrote for its key.
    #[inline(never)]
    pub fn row_of_key(&self, key: KeyId) -> Option<u32> {
        self.upserts.row_of.get(key.0).checked_sub(1)
    }
}
