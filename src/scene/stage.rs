//! The stage: everything that is drawn of one moment, with its place. Ids, numbers and names, but no words.

use super::geometry::{Curve, PerMille, Point, Rect};
use crate::sim::partitioner::Choice;
use crate::sim::{ConsumerId, Generation, GroupId, Offset, PartitionId, ProducerId, RecordId, SinkId, Span, TopicId};
use std::rc::Rc;

/// Which arrangement is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Side by side, for wide screens.
    Wide,
    /// One below the other, for phones.
    Narrow,
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
    /// True if that record has not been sent yet.
    pub is_next: bool,
    /// The last record on its way to a partition.
    pub hash: Option<HashPill>,
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
}

/// A partition as a tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tape {
    /// Which one.
    pub partition: PartitionId,
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub label_at: Point,
    /// The tape.
    pub rect: Rect,
    /// The records in the window.
    pub tiles: Vec<Tile>,
    /// The place of the next record.
    pub ghost: Option<(Point, Offset)>,
    /// Records before the window.
    pub folded_before: u32,
    /// Records behind it.
    pub folded_after: u32,
    /// Where each group has committed.
    pub flags: Vec<Flag>,
    /// Where each group reads.
    pub carets: Vec<Caret>,
    /// The lag of the group that it is seen by, if that has committed.
    pub lag: Option<u32>,
    /// Since when nobody works on it, and for how long that is.
    pub unowned: Option<Span>,
}

/// What the group has done with a record of a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileState {
    /// Not processed.
    Waiting,
    /// Some member has it in hand.
    InHand,
    /// Processed.
    Processed,
}

/// A record on a tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The record.
    pub chip: Chip,
    /// Its offset.
    pub offset: Offset,
    /// What the group has done with it.
    pub state: TileState,
    /// How often the group has processed it.
    pub times: u16,
}

/// A committed offset: a line before the next record to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Whose.
    pub group: GroupId,
    /// The offset.
    pub offset: Offset,
    /// Where the line stands: its upper end.
    pub at: Point,
    /// True if the label hangs to the left of the line, for want of room.
    pub hangs_left: bool,
    /// True if it is not of the group that the partition is seen by.
    pub is_other: bool,
}

/// A position: a caret before the next record that `poll()` returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caret {
    /// Whose.
    pub consumer: ConsumerId,
    /// The position.
    pub offset: Offset,
    /// Its tip.
    pub at: Point,
    /// True if the label hangs to the left, for want of room.
    pub hangs_left: bool,
    /// True if it is not of the group that the partition is seen by.
    pub is_other: bool,
}

/// A group's frame and its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupFrame {
    /// Which one.
    pub group: GroupId,
    /// Its frame.
    pub rect: Rect,
    /// Its name.
    pub name: Rc<str>,
    /// The generation, or the group epoch; 0 before the first.
    pub generation: Generation,
    /// Where it is in the protocol.
    pub phase: Phase,
    /// The name of its leader, while it is stable.
    pub leader: Option<Rc<str>>,
    /// Where there are several: whether the stage is seen by this one.
    pub is_chosen: Option<bool>,
    /// Its members.
    pub members: Vec<MemberBox>,
}

/// Where a group is in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nobody is there.
    Empty,
    /// Members are joining; this many are missing.
    Joining(u32),
    /// The leader deals the partitions.
    Assigning,
    /// Running.
    Stable,
    /// Consumer protocol: the target assignment is to be computed.
    AssigningEpoch,
    /// Consumer protocol: this many members have not come to their target.
    Reconciling(u32),
    /// Consumer protocol: running.
    StableEpoch,
}

/// A consumer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberBox {
    /// Which one.
    pub consumer: ConsumerId,
    /// Its box.
    pub rect: Rect,
    /// Its name.
    pub name: Rc<str>,
    /// What it does.
    pub status: Status,
    /// True if there is room for two lines of words only.
    pub is_small: bool,
    /// Its partitions, neighbours as one.
    pub partitions: Vec<String>,
    /// Records processed since its last commit.
    pub uncommitted: u32,
    /// True if it has left the group, as its `poll()` was overdue, and does not know it yet.
    pub is_zombie: bool,
    /// True if it leads the group.
    pub is_leader: bool,
}

/// What a consumer does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It has not been started.
    NotStarted,
    /// It is joining its group and has no partitions.
    Joining,
    /// It is a member, but has no partitions.
    Idle,
    /// It waits in `poll()`.
    Polling,
    /// `poll()` has handed it this many records; it is about to take the next in hand.
    Holding(u32),
    /// It has a record in hand.
    Handling {
        /// Its name.
        record: String,
        /// Its key's look.
        look: u8,
        /// How much of the handling is done.
        done: PerMille,
    },
    /// It waits in `commitSync()`.
    Committing,
    /// It crashed.
    Crashed {
        /// The generation that it knew.
        generation: Generation,
        /// How long the coordinator has not heard it, and how long it waits, while it still counts it as a member.
        silence: Option<Silence>,
    },
    /// It has left in order.
    Closed,
}

/// The coordinator waits for a member that says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silence {
    /// Since it was heard last.
    pub silent: Span,
    /// `session.timeout.ms`.
    pub timeout: Span,
    /// How much of the timeout has passed.
    pub passed: PerMille,
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
}
