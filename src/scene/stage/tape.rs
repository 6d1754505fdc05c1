//! A partition and what stands on it.

use super::Chip;
use crate::scene::density::Density;
use crate::scene::geometry::{Point, Rect};
use crate::sim::{BrokerId, ConsumerId, GroupId, Offset, PartitionId, Span};
use std::rc::Rc;

/// The letters of a group's name that its flag and its caret have room for.
pub const MOST_OF_NAME: usize = 10;

/// A partition as a tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tape {
    /// Which one.
    pub partition: PartitionId,
    /// Its name.
    pub name: String,
    /// How closely it is drawn.
    pub density: Density,
    /// Where the name stands.
    pub label_at: Point,
    /// The tape.
    pub rect: Rect,
    /// The records in the window and, where there is room for it, the last one.
    pub tiles: Vec<Tile>,
    /// The place of the next record.
    pub ghost: Option<Ghost>,
    /// Records before the window.
    pub folded_before: u32,
    /// Records behind it, without the last one if that is shown.
    pub folded_after: u32,
    /// Where their number stands: the upper left corner of a slot.
    pub folded_at: Point,
    /// Where each group has committed.
    pub flags: Vec<Flag>,
    /// Where it is said, in place of a flag, that nothing is committed, if there is room.
    pub uncommitted_at: Option<Point>,
    /// Where each group reads.
    pub carets: Vec<Caret>,
    /// The lag of the group that it is seen by, if that has committed.
    pub lag: Option<u32>,
    /// Since when nobody works on it, and for how long that is.
    pub unowned: Option<Span>,
    /// The broker that leads it, where there are several.
    pub leader: Option<BrokerId>,
}

/// What the group has done with a record of a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileState {
    /// Not processed.
    Waiting,
    /// `poll()` has handed it to a member, which has not processed it.
    InHand,
    /// Processed.
    Processed,
    /// Not processed: a copy of it has been sent to another topic.
    SetAside,
    /// Not processed, and the group can no longer come to it.
    Lost,
}

/// A record on a tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The record.
    pub chip: Chip,
    /// Its offset.
    pub offset: Offset,
    /// True if there is room for it.
    pub shows_offset: bool,
    /// What the group has done with it.
    pub state: TileState,
    /// How often the group has processed it.
    pub times: u16,
}

/// A committed offset, or one that a group keeps in its table instead: a line before the next record to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Whose.
    pub group: GroupId,
    /// The offset.
    pub offset: Offset,
    /// Where the line stands: its upper end.
    pub at: Point,
    /// The group's name, if the step that is looked at is about it and the partition is not seen by it.
    pub name: Option<Rc<str>>,
    /// True if it is not of the group that the partition is seen by.
    pub is_other: bool,
    /// True if it is kept in a table.
    pub is_stored: bool,
    /// Its words, if it is of the group that the partition is seen by.
    pub tag: Option<Rect>,
}

/// A position: a caret before the next record that `poll()` returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caret {
    /// Whose.
    pub consumer: ConsumerId,
    /// The position.
    pub offset: Offset,
    /// Its tip.
    pub at: Point,
    /// Its words, if it is of the group that the partition is seen by and they have room.
    pub label: Option<CaretLabel>,
    /// True while `pause()` holds.
    pub paused: bool,
    /// True if it is not of the group that the partition is seen by.
    pub is_other: bool,
}

/// Where the words of a position stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaretLabel {
    /// True if they end at the caret, for want of room behind it.
    pub at_end: bool,
    /// The group's name, if the step that is looked at is about it and the partition is not seen by it.
    pub name: Option<Rc<str>>,
}

/// The place of the next record of a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ghost {
    /// Its upper left corner.
    pub at: Point,
    /// The end of the log.
    pub offset: Offset,
    /// True if there is room for the offset.
    pub shows_offset: bool,
}
