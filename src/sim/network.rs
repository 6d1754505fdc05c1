//! Messages between clients and brokers. A message in flight is a value of the world, so that it can be drawn, delayed or
//! dropped.
//!
//! A connection is one TCP stream each way: messages of one connection arrive in the order in which they were sent, so what is
//! delayed holds up what is sent behind it. A client has one connection to each broker for data and one more to its
//! coordinator.

use super::assignor::Assignor;
use super::event::{ErrorCode, PositionSource, RebalanceReason};
use super::ids::*;
use super::order;
use super::producer::accumulator::DrainedBatch;
use super::queue::MemberKey;
use super::setup::ConsumerConfig;
use super::target::{Api, ClientId, MessageKind, MessageRef};
use super::time::{Span, Time};
use std::rc::Rc;

/// Who sends or receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// A producer client.
    Producer(ProducerId),
    /// One start of a consumer process: a message to an earlier start does not reach a later one.
    Consumer(MemberKey),
    /// A broker, which leads partitions and coordinates groups.
    Broker(BrokerId),
}

/// A run of records of one partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Which partition.
    pub partition: PartitionId,
    /// The first offset.
    pub from: Offset,
    /// The offset behind the last one.
    pub to: Offset,
}

impl Range {
    /// How many records it holds.
    pub const fn len(self) -> u32 {
        self.to - self.from
    }

    /// True if it holds none.
    pub const fn is_empty(self) -> bool {
        self.from >= self.to
    }
}

/// A partition and an offset there.
pub type PartitionOffset = (PartitionId, Offset);

/// A committed offset and the step that stored it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The next offset to read.
    pub offset: Offset,
    /// When it was stored.
    pub at: Time,
    /// In which step; nothing if that was before the run.
    pub step: Option<StepNo>,
}

/// A member of a generation, as the group's leader is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberMetadata {
    /// Which process.
    pub key: MemberKey,
    /// Its member id.
    pub id: Rc<str>,
    /// What it has said of itself.
    pub request: Rc<JoinRequest>,
}

/// All members of a generation.
pub type Members = Rc<[MemberMetadata]>;

/// Who gets what: the value of a SyncGroup request.
pub type Assignment = Rc<[(MemberKey, Rc<[PartitionId]>)]>;

/// What a group's leader has dealt, and from what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealt {
    /// How.
    pub assignor: Assignor,
    /// Among whom.
    pub members: Members,
    /// Who gets what.
    pub assignment: Assignment,
}

/// What a JoinGroup request says about the member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinRequest {
    /// Silence after which the coordinator is to remove the member: `session.timeout.ms`.
    pub session_timeout: Span,
    /// How long the member may need to join again: `max.poll.interval.ms`.
    pub rebalance_timeout: Span,
    /// `group.instance.id` of a static member.
    pub instance_id: Option<Rc<str>>,
    /// The assignors that the member can work with, the one that it likes best first.
    pub assignors: Rc<[Assignor]>,
    /// The topics that it subscribes to.
    pub topics: Rc<[TopicId]>,
    /// What it owns while it joins: nothing where it is eager.
    pub owned: Rc<[PartitionId]>,
    /// The generation in which it got that; none if it has lost its membership, or never had one (KIP-792).
    pub generation: Option<Generation>,
    /// What `sticky` adds: the assignment that the member had last, and its generation (KIP-54, KIP-341).
    pub user_data: Option<(Rc<[PartitionId]>, Generation)>,
    /// Why a member joins again, as far as it says so (KIP-800).
    pub reason: RebalanceReason,
    /// Whether it understands that the leader may be told to leave the assignment as it is (KIP-814).
    pub may_skip_assignment: bool,
    /// True if client and broker know that a new member joins once more with the member id that it is given (KIP-394).
    pub joins_twice: bool,
}

impl JoinRequest {
    /// Whether the assignors would be told the same (`ClassicGroupMember#matches`).
    pub fn says_the_same(&self, other: &JoinRequest) -> bool {
        self.assignors == other.assignors
            && self.topics == other.topics
            && self.owned == other.owned
            && self.generation == other.generation
            && self.user_data == other.user_data
    }
}

/// What a member learns when the join phase is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// The generation.
    pub generation: Generation,
    /// The assignor that the group uses in it.
    pub assignor: Assignor,
    /// For the leader: all members.
    pub members: Option<Members>,
    /// True if the leader is to leave the assignment as it is.
    pub skips_assignment: bool,
}

/// The member epoch in a heartbeat of the consumer protocol.
pub type MemberEpoch = i32;

/// The epoch of a member that joins.
pub const JOIN_EPOCH: MemberEpoch = 0;

/// The epoch of a member that leaves.
pub const LEAVE_EPOCH: MemberEpoch = -1;

/// The epoch of a static member that leaves for a while.
pub const LEAVE_FOR_A_WHILE_EPOCH: MemberEpoch = -2;
/// A Produce request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Produce {
    /// Who sends it.
    pub producer: ProducerId,
    /// How often the producer's process had crashed before: a later process does not hear the answer.
    pub crashes: Incarnation,
    /// A batch for each of some partitions of one broker; at least one. Records are those of the producer's queue for the
    /// partition.
    pub batches: Rc<[DrainedBatch]>,
}

/// What is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Append these batches.
    Produce(Produce),
    /// The batches are in the logs, the first of them from `base_offset` on.
    ProduceAnswer { crashes: Incarnation, batches: Rc<[DrainedBatch]>, base_offset: Offset },
    /// Join the group; without a member id at the first time.
    JoinGroup { member: MemberKey, has_member_id: bool, request: Rc<JoinRequest> },
    /// The join phase is over, or the request was refused. The leader is told all members.
    JoinGroupAnswer(Result<Joined, ErrorCode>),
    /// Tell me my part; from the leader with the whole assignment.
    SyncGroup { member: MemberKey, generation: Generation, assignment: Option<Assignment> },
    /// The member's part.
    SyncGroupAnswer { error: ErrorCode, partitions: Rc<[PartitionId]>, decided: StepNo },
    /// I am alive.
    Heartbeat { member: MemberKey, generation: Generation },
    /// Noted, or something is to be done.
    HeartbeatAnswer { error: ErrorCode },
    /// I am alive, as a member of this epoch of a group of the consumer protocol. I own these partitions, if that has
    /// changed; and this is how I was started, if I join or have missed an answer. `attempt` counts how often the process has joined.
    ConsumerGroupHeartbeat {
        member: MemberKey,
        attempt: u32,
        epoch: MemberEpoch,
        owned: Option<Rc<[PartitionId]>>,
        full: Option<Rc<ConsumerConfig>>,
    },
    /// The answer to a heartbeat of this attempt: you are in this epoch, and these are your partitions, if that has
    /// changed. `decided` is the step that computed the target assignment.
    ConsumerGroupHeartbeatAnswer {
        attempt: u32,
        error: ErrorCode,
        epoch: MemberEpoch,
        assignment: Option<Rc<[PartitionId]>>,
        decided: StepNo,
    },
    /// I am leaving.
    LeaveGroup { member: MemberKey },
    /// Where has the group committed?
    OffsetFetch { consumer: ConsumerId, partitions: Rc<[PartitionId]> },
    /// There, or nowhere yet. `request` is the step that asked, as in the next answers.
    OffsetFetchAnswer { request: StepNo, committed: Rc<[(PartitionId, Option<Committed>)]> },
    /// Where does the log of these partitions start or end?
    /// Or, with `ByDuration`, where is the first record that is not older than `since`?
    ListOffsets { consumer: ConsumerId, partitions: Rc<[PartitionId]>, source: PositionSource, since: Time },
    /// There; or there is no such record.
    ListOffsetsAnswer { request: StepNo, offsets: Rc<[(PartitionId, Option<Offset>)]>, source: PositionSource },
    /// Give me records from these positions on. Without records the broker keeps it for `max_wait`, or until there are
    /// some.
    Fetch { consumer: ConsumerId, positions: Rc<[PartitionOffset]>, max_wait: Option<Span> },
    /// These are there. `request` is the step that sent the Fetch. Of a partition that ends before the position asked for,
    /// the answer tells where it ends; of one at a time.
    FetchAnswer { request: StepNo, ranges: Rc<[Range]>, out_of_range: Option<PartitionOffset> },
    /// Store these offsets. Who has assigned its partitions by hand has neither generation nor member id.
    OffsetCommit { member: MemberKey, generation: Option<Generation>, offsets: Rc<[PartitionOffset]> },
    /// Stored, or refused. `request` is the step that sent the commit.
    OffsetCommitAnswer { request: StepNo, error: ErrorCode },
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// Who sent it.
    pub from: Node,
    /// Who gets it.
    pub to: Node,
    /// When it was sent.
    pub sent_at: Time,
    /// When it arrives.
    pub due_at: Time,
    /// The step that sent it.
    pub sent_by: StepNo,
    /// By how much somebody has delayed it.
    pub delayed: Span,
    /// True if it has arrived at a process that stands still, and will be read when that goes on.
    pub is_held: bool,
    /// True for a request that its client no longer waits for: the connection is broken, so the answer reaches nobody.
    pub is_orphan: bool,
    /// What it says.
    pub message: Message,
}

/// One direction of one connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stream {
    from: Node,
    to: Node,
    to_coordinator: bool,
}

impl InFlight {
    /// What kind of message it is.
    pub const fn kind(&self) -> MessageKind {
        self.message.kind()
    }

    /// The client that sends or gets it.
    pub fn client(&self) -> ClientId {
        match (self.from, self.to) {
            (Node::Producer(producer), _) | (_, Node::Producer(producer)) => ClientId::Producer(producer),
            (Node::Consumer(key), _) | (_, Node::Consumer(key)) => ClientId::Consumer(key.consumer),
            (Node::Broker(_), Node::Broker(_)) => unreachable!("clients talk to brokers only"),
        }
    }

    fn stream(&self) -> Stream {
        Stream { from: self.from, to: self.to, to_coordinator: self.kind().api.goes_to_coordinator() }
    }
}

impl Message {
    /// What kind of message it is.
    pub const fn kind(&self) -> MessageKind {
        let (api, is_answer) = match self {
            Message::Produce { .. } => (Api::Produce, false),
            Message::ProduceAnswer { .. } => (Api::Produce, true),
            Message::JoinGroup { .. } => (Api::JoinGroup, false),
            Message::JoinGroupAnswer { .. } => (Api::JoinGroup, true),
            Message::SyncGroup { .. } => (Api::SyncGroup, false),
            Message::SyncGroupAnswer { .. } => (Api::SyncGroup, true),
            Message::Heartbeat { .. } => (Api::Heartbeat, false),
            Message::HeartbeatAnswer { .. } => (Api::Heartbeat, true),
            Message::LeaveGroup { .. } => (Api::LeaveGroup, false),
            Message::ConsumerGroupHeartbeat { .. } => (Api::ConsumerGroupHeartbeat, false),
            Message::ConsumerGroupHeartbeatAnswer { .. } => (Api::ConsumerGroupHeartbeat, true),
            Message::OffsetFetch { .. } => (Api::OffsetFetch, false),
            Message::OffsetFetchAnswer { .. } => (Api::OffsetFetch, true),
            Message::ListOffsets { .. } => (Api::ListOffsets, false),
            Message::ListOffsetsAnswer { .. } => (Api::ListOffsets, true),
            Message::Fetch { .. } => (Api::Fetch, false),
            Message::FetchAnswer { .. } => (Api::Fetch, true),
            Message::OffsetCommit { .. } => (Api::OffsetCommit, false),
            Message::OffsetCommitAnswer { .. } => (Api::OffsetCommit, true),
        };
        MessageKind { api, is_answer }
    }
}

/// All messages on their way, each in a slot that is free again after its arrival.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    slots: Vec<Option<(u64, InFlight)>>,
    free: Vec<u32>,
    /// How many messages were ever sent: their order.
    sent: u64,
    /// Streams on which something arrives later than what is sent now would, and when.
    held_up: Vec<(Stream, Time)>,
}

impl Network {
    /// Puts a message on its way and returns its slot, and when it arrives: not before what was sent before it.
    pub fn send(&mut self, mut message: InFlight) -> (u32, Time) {
        if !self.held_up.is_empty() {
            self.held_up.retain(|&(_, until)| until > message.sent_at);
            let stream = message.stream();
            let before = self.held_up.iter().filter(|(held_up, _)| *held_up == stream).map(|&(_, until)| until);
            message.due_at = before.fold(message.due_at, Time::max);
        }
        let due_at = message.due_at;
        let message = Some((self.sent, message));
        self.sent += 1;
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = message;
                slot
            }
            None => {
                self.slots.push(message);
                self.slots.len() as u32 - 1
            }
        };
        (slot, due_at)
    }

    /// Takes the message that arrives from its slot.
    pub fn take(&mut self, slot: u32) -> InFlight {
        self.free.push(slot);
        self.slots[slot as usize].take().expect("a delivery is scheduled once for each message").1
    }

    /// The message in a slot.
    pub fn get(&self, slot: u32) -> Option<&InFlight> {
        self.slots.get(slot as usize)?.as_ref().map(|(_, message)| message)
    }

    /// The message in a slot is another one, sent and due later by `span`, and sent in `step`.
    pub fn put_off(&mut self, slot: u32, span: Span, step: StepNo) {
        if let Some(Some((_, message))) = self.slots.get_mut(slot as usize) {
            message.sent_at += span;
            message.due_at += span;
            message.sent_by = step;
        }
    }

    /// The messages on their way, each with its slot.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &InFlight)> {
        self.slots.iter().enumerate().filter_map(|(slot, message)| Some((slot as u32, &message.as_ref()?.1)))
    }

    /// The slot of a message by its name.
    pub fn find(&self, name: MessageRef) -> Option<u32> {
        let is_meant =
            |message: &InFlight| message.kind() == name.kind && message.client() == name.client && !message.is_held;
        let mut found: Vec<(u64, u32)> = Vec::new();
        for (slot, message) in self.slots.iter().enumerate() {
            if let Some((order, message)) = message
                && is_meant(message)
            {
                found.push((*order, slot as u32));
            }
        }
        order::by_number(&mut found, |&(order, _)| order);
        found.get(usize::from(name.nth)).map(|&(_, slot)| slot)
    }

    /// What the message in a slot is called; nothing if it has arrived.
    pub fn name_of(&self, slot: u32) -> Option<MessageRef> {
        let (order, message) = self.slots.get(slot as usize)?.as_ref().filter(|(_, message)| !message.is_held)?;
        let (kind, client) = (message.kind(), message.client());
        let is_before = |(before, other): &&(u64, InFlight)| {
            before < order && other.kind() == kind && other.client() == client && !other.is_held
        };
        let nth = self.slots.iter().flatten().filter(is_before).count() as u16;
        Some(MessageRef { kind, client, nth })
    }

    /// The message in a slot arrives later by `by`, and what is behind it on its stream not before it. Returns the slots
    /// whose time has changed.
    pub fn delay(&mut self, slot: u32, by: Span) -> Vec<u32> {
        let Some(Some((order, message))) = self.slots.get_mut(slot as usize) else { return Vec::new() };
        let (order, stream) = (*order, message.stream());
        message.due_at += by;
        message.delayed += by;
        let until = message.due_at;
        let mut changed = vec![slot];
        for (other, message) in self.slots.iter_mut().enumerate() {
            if let Some((sent, message)) = message
                && *sent > order
                && message.due_at < until
                && message.stream() == stream
            {
                message.due_at = until;
                changed.push(other as u32);
            }
        }
        self.held_up.push((stream, until));
        changed
    }

    /// What is sent from now on does not overtake what is on its way, even if it is faster.
    pub fn keep_order(&mut self) {
        let on_their_way: Vec<_> = self.iter().map(|(_, message)| (message.stream(), message.due_at)).collect();
        self.held_up.extend(on_their_way);
    }

    /// The message in a slot has arrived, and is not read yet.
    pub fn hold(&mut self, slot: u32) {
        if let Some(Some((_, message))) = self.slots.get_mut(slot as usize) {
            message.is_held = true;
        }
    }

    /// The sender of a request no longer waits for its answer.
    pub fn orphan(&mut self, slot: u32) {
        if let Some(Some((_, message))) = self.slots.get_mut(slot as usize) {
            message.is_orphan = true;
        }
    }
}
