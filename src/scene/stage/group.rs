//! A group and its members.

use crate::scene::density::Density;
use crate::scene::geometry::{PerMille, Point, Rect};
use crate::scene::rebalance::{TimeLeft, Turn};
use crate::sim::{ConsumerId, Generation, GroupId, MessageKind, Span};
use std::rc::Rc;

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
    /// The name of its leader, from the beginning of the generation on.
    pub leader: Option<Rc<str>>,
    /// Where there are several: true if the step that is looked at is about this one.
    pub is_at_hand: bool,
    /// How long its coordinator still waits for members in a rebalance.
    pub waits: Option<Waits>,
    /// Where there are several: whether the stage is seen by this one.
    pub is_chosen: Option<bool>,
    /// Its members.
    pub members: Vec<MemberBox>,
    /// The members that have no box of their own.
    pub others: Option<OtherMembers>,
}

/// Members that are summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherMembers {
    /// Their box.
    pub rect: Rect,
    /// How many they are.
    pub count: u32,
    /// How many of them have a record in hand.
    pub busy: u32,
    /// How many of them stopped without telling the group.
    pub gone: u32,
}

/// Where a group is in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nobody is there.
    Empty,
    /// All have joined; it is open for some time to those who come first.
    Gathering,
    /// Members are joining.
    Joining {
        /// Those who have.
        joined: u32,
        /// All that it waits for, those included.
        of: u32,
    },
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

/// A coordinator waits for members that do not do what they should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// How long it still does.
    pub left: TimeLeft,
    /// Where that is said: the baseline.
    pub at: Point,
    /// True if there is no room for more than the number, which ends there.
    pub is_brief: bool,
    /// Where it is drawn.
    pub bar: Rect,
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
    /// How many lines of words it has room for.
    pub density: Density,
    /// When the coordinator last heard it, as long as it counts it as a member and waits for its heartbeats.
    pub session: Option<Silence>,
    /// Its partitions, neighbours as one.
    pub partitions: Vec<String>,
    /// The names of those that are paused.
    pub paused: Vec<String>,
    /// Records processed since its last commit.
    pub uncommitted: u32,
    /// Consumer protocol: partitions that it is to give up or waits for.
    pub exchange: Option<(Turn, Vec<String>)>,
    /// What it says to its coordinator at this moment, or hears; heartbeats apart.
    pub message: Option<MessageKind>,
    /// What is to come from it in a rebalance, as the coordinator sees it.
    pub turn: Option<Turn>,
    /// True if it has left the group, as its `poll()` was overdue, and does not know it yet.
    pub is_zombie: bool,
    /// True if it leads the group.
    pub is_leader: bool,
}

/// A record in the hands of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hand {
    /// Its key's look.
    pub look: u8,
    /// How much of the handling is done.
    pub done: PerMille,
    /// True if it sleeps before it tries the record once more.
    pub is_resting: bool,
}

/// A record that is tried more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Try {
    /// Which try it is, from 1.
    pub nth: u32,
    /// How many there are at most, if there is a limit.
    pub most: Option<u32>,
}

/// What a consumer does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It has not been started.
    NotStarted,
    /// It is joining its group.
    Joining(Entering),
    /// It is a member, but has no partitions.
    Idle,
    /// It waits in `poll()`.
    Polling,
    /// `poll()` has handed it records; it is about to take the next in hand.
    Holding {
        /// How many.
        records: u32,
        /// The name of the next.
        record: String,
        /// Its key's look.
        look: u8,
    },
    /// It has a record in hand.
    Handling {
        /// Its name.
        record: String,
        /// Its key's look.
        look: u8,
        /// How much of the handling is done.
        done: PerMille,
        /// Which try it is, if it has failed before.
        again: Option<Try>,
    },
    /// Its thread polls, and its workers have records in hand.
    Working {
        /// How many workers have one.
        workers: u32,
        /// What they have in hand, in the order of the workers; the first of them, if there are many.
        hands: Vec<Hand>,
        /// How many records wait for one.
        waiting: u32,
        /// How many may wait before it polls no more, if there is a limit.
        queue: Option<u32>,
        /// The name of the record that a worker has had in hand for longest.
        record: String,
        /// Its key's look.
        look: u8,
        /// How much of that record's handling is done.
        done: PerMille,
    },
    /// It waits in `commitSync()`.
    Committing,
    /// It sleeps before it tries a record again that has failed.
    Resting {
        /// The record's name.
        record: String,
        /// Its key's look.
        look: u8,
        /// Which try comes next.
        next: Try,
        /// How much of its sleep is over.
        done: PerMille,
    },
    /// Its whole process stands still.
    Frozen {
        /// For how long.
        for_long: Span,
        /// How long the coordinator has not heard it, and how long it waits, while it still counts it as a member.
        silence: Option<Silence>,
    },
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

/// How far a member has come in joining.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entering {
    /// It asks to be let in.
    Asking,
    /// It was in a generation that is over, and is about to ask.
    GaveUp,
    /// It has joined, and waits until all have.
    WaitsForOthers,
    /// It leads, and computes the assignment.
    Assigns,
    /// It waits for the assignment that the leader computes.
    WaitsForLeader,
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
