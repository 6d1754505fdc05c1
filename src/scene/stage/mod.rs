//! The stage: everything that is drawn of one moment, with its place. Ids, numbers and names, but no words.

mod group;
mod tape;

pub use group::{Entering, GroupFrame, Hand, MemberBox, OtherMembers, Phase, Silence, Status, Try, Waits};
pub use tape::{Caret, CaretLabel, Flag, Ghost, MOST_OF_NAME, Tape, Tile, TileState};

use super::density::Density;
use super::geometry::{Curve, PerMille, Point, Rect};
use crate::sim::partitioner::Choice;
use crate::sim::producer::ProducerProcess;
use crate::sim::{ConsumerId, MessageKind, MessageRef, Offset, PartitionId, ProducerId, RecordId, SinkId, TopicId};
use std::rc::Rc;

/// Which arrangement is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Side by side, for wide screens.
    Wide,
    /// One below the other, for phones.
    Narrow,
    /// Those who read beside what they read, for what is wider than a phone and not yet wide.
    Columns,
}

/// One moment, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Its width in units of the drawing.
    pub width: i32,
    /// Its height.
    pub height: i32,
    /// The arrangement.
    pub shape: Shape,
    /// The producers.
    pub producers: Vec<ProducerBox>,
    /// The topics.
    pub topics: Vec<TopicFrame>,
    /// All partitions.
    pub tapes: Vec<Tape>,
    /// The groups.
    pub groups: Vec<GroupFrame>,
    /// Who reads what.
    pub ribbons: Vec<Ribbon>,
    /// From each group to the tables that it writes to, as one path.
    pub links: String,
    /// The tables.
    pub sinks: Vec<SinkFrame>,
    /// What is on its way.
    pub flights: Vec<Flight>,
    /// True if partitions or members are summed up.
    pub is_summed: bool,
}

/// A producer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProducerBox {
    /// Which one.
    pub producer: ProducerId,
    /// Its box.
    pub rect: Rect,
    /// Its name.
    pub name: Rc<str>,
    /// The record in its hand: in the open batch, or the one that it sends next.
    pub record: Option<Chip>,
    /// Its process.
    pub process: ProducerProcess,
    /// True if that record has not been sent yet.
    pub is_next: bool,
    /// The batch that it waits in.
    pub batch: Option<Batch>,
    /// Where the limits of a batch are shown.
    pub bar: Rect,
    /// True if there is room to say what waits, beside the bar.
    pub shows_waiting: bool,
    /// Requests without an answer.
    pub in_flight: u32,
    /// The lines along which what has been sent travels to its partitions.
    pub ways: Vec<Curve>,
    /// The last record on its way to a partition.
    pub hash: Option<HashPill>,
}

/// A batch that is being filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The looks of its first records.
    pub looks: Vec<u8>,
    /// How many it holds.
    pub records: u32,
    /// Records that wait in other batches of this producer.
    pub elsewhere: u32,
    /// How full it is, in bytes.
    pub full: PerMille,
    /// How much of `linger.ms` is left.
    pub lingers: PerMille,
}

/// How a record's partition was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashPill {
    /// Its box.
    pub rect: Rect,
    /// The key, if there is one.
    pub key: Option<Rc<str>>,
    /// How it was chosen.
    pub choice: Choice,
    /// How many partitions there are, as the producer knows.
    pub partitions: u32,
    /// The partition.
    pub number: u32,
    /// Where the record goes.
    pub curve: Curve,
    /// True while the step that is looked at is this choice.
    pub is_now: bool,
}

/// The look of a record without a key; those of keys are 0 to 7.
pub const PLAIN_LOOK: u8 = 8;

/// A record, small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// Which one.
    pub record: RecordId,
    /// Its place: the upper left corner.
    pub at: Point,
    /// Its key's letters and its number.
    pub name: String,
    /// Its value.
    pub value: Rc<str>,
    /// Which of the eight looks its key has; the ninth without a key.
    pub look: u8,
    /// How closely it is drawn.
    pub density: Density,
}

/// The frame of a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicFrame {
    /// Which one.
    pub topic: TopicId,
    /// Its frame.
    pub rect: Rect,
    /// Its name.
    pub name: Rc<str>,
    /// How many partitions it has.
    pub partitions: u32,
    /// Where there are several groups: the name of the one whose progress its records, lags and commits show; else empty.
    pub seen_by: Rc<str>,
    /// The partitions that have no tape of their own.
    pub others: Option<OtherPartitions>,
}

/// Partitions that are summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherPartitions {
    /// Their line.
    pub rect: Rect,
    /// How many they are.
    pub count: u32,
    /// How many of them had a reader and have none.
    pub unowned: u32,
    /// Their lag, as far as something is committed.
    pub lag: u32,
}

/// Who reads a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ribbon {
    /// The partition.
    pub partition: PartitionId,
    /// The consumer.
    pub consumer: ConsumerId,
    /// The way.
    pub curve: Curve,
    /// What is on it.
    pub kind: RibbonKind,
    /// True if it is not of the group that the partition is seen by.
    pub is_other: bool,
}

/// What a ribbon says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RibbonKind {
    /// The member owns the partition.
    Owned,
    /// And has one of its records in hand.
    Busy,
    /// The coordinator still counts it as the owner, but it is gone.
    Gone,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkFrame {
    /// Which one.
    pub sink: SinkId,
    /// Its frame.
    pub rect: Rect,
    /// Its name.
    pub name: Rc<str>,
    /// The column of its unique key.
    pub unique_key: Option<Rc<str>>,
    /// True if its database is down: every write fails.
    pub is_down: bool,
    /// How many rows it has.
    pub total: u32,
    /// How many writes its key absorbed.
    pub absorbed: u32,
    /// Rows before the window.
    pub folded: u32,
    /// The rows in the window.
    pub rows: Vec<RowChip>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowChip {
    /// Its number in the table.
    pub number: u32,
    /// Its box.
    pub rect: Rect,
    /// The record that it came from.
    pub record: RecordId,
    /// That record's name.
    pub name: String,
    /// Its value.
    pub value: Rc<str>,
    /// Its key's look.
    pub look: u8,
    /// Which row of this record it is, from 1.
    pub nth: u16,
    /// True if the step that is looked at wrote it.
    pub is_new: bool,
}

/// Something on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Tells it from the others.
    pub key: u64,
    /// Where it is.
    pub at: Point,
    /// The message.
    pub message: MessageRef,
    /// True if somebody has delayed it.
    pub is_delayed: bool,
    /// What it carries.
    pub load: Load,
}

/// What a flight carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Load {
    /// A record, at the place of the flight.
    Record(Chip),
    /// A commit of an offset.
    Commit(Offset),
    /// What a member and its coordinator say to each other.
    Protocol {
        /// What it is.
        kind: MessageKind,
        /// True if it only shows that the member lives.
        is_heartbeat: bool,
    },
}
