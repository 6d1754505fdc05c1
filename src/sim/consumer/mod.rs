//! The consumer: a client and the application around it. It is Java's; where another library does something in its own way,
//! the client asks it (`library`), and one without a heartbeat thread does more between two records (`single_thread`).
//!
//! The application is one thread: `poll()`, then the returned records one after another, `commitSync()` after every few,
//! then `poll()` again. Beside it the heartbeat thread runs. A rebalance is noticed by a heartbeat's answer and acted
//! on inside the next `poll()`. Where that is too long in coming, the heartbeat thread leaves the group: the application
//! goes on with its batch as a zombie until then.
//!
//! Source: `org.apache.kafka.clients.consumer.internals.{AbstractCoordinator, ConsumerCoordinator, Heartbeat,
//! FetchCollector}`. One Fetch is under way at a time to each broker; partitions with records in the buffer are left
//! out of it. FindCoordinator and metadata requests are left out.

mod application;
mod assignment;
mod beside;
mod commits;
mod control;
mod failing;
mod fetching;
mod heartbeat;
mod leader;
mod library;
mod membership;
mod modern;
mod pool;
mod positions;
mod process;
mod requests;
mod revocation;
mod single_thread;
mod store;

pub use application::Finished;
pub use control::Freeze;
pub use failing::Letter;
pub use modern::HeartbeatAnswer;
pub use pool::{Work, Workers};
pub use process::{Consumer, Ended, Process};
pub use requests::{Awaited, REQUEST_TIMEOUT, Request};

use crate::sim::assignor::Assignor;
use crate::sim::effect::{Context, Out};
use crate::sim::event::{ErrorCode, PositionSource, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::network::{Message, Node, Range};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::setup::ConsumerConfig;
use crate::sim::time::{Span, Time};
use assignment::Answer;
use commits::{AutoCommit, Buffered, Commit, Completed};
use leader::Metadata;
use revocation::Revocation;
use std::collections::VecDeque;
use std::rc::Rc;

/// How far a client has come in joining its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// Not in the group, or about to join again.
    Unjoined,
    /// Waits for the answer to JoinGroup.
    Joining,
    /// Waits for the answer to SyncGroup.
    Syncing,
    /// Has its assignment, or has chosen its partitions itself.
    Stable,
}

/// What the application thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Application {
    /// Inside `poll()`, waiting for records, for the group, or for its positions.
    Polling,
    /// Handles the record in hand.
    Handling {
        /// Which record.
        record: RecordId,
        /// Its partition.
        partition: PartitionId,
        /// Its offset.
        offset: Offset,
        /// When the handling began.
        since: Time,
        /// When it will be done.
        until: Time,
        /// In which step it began.
        step: StepNo,
    },
    /// Inside `commitSync()`, waiting for the answer.
    Committing,
    /// Sleeps before it tries a record again.
    Resting {
        /// Since when.
        since: Time,
        /// When it goes on.
        until: Time,
        /// The step in which the record failed.
        step: StepNo,
    },
}

/// What the client knows of a partition that it owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owned {
    /// Which partition.
    pub partition: PartitionId,
    /// Kafka's position: the next offset that `poll()` returns. Nothing before it is known.
    pub position: Option<Offset>,
    /// The step that set or last moved the position.
    pub position_step: StepNo,
    /// The offset behind the last fetched record.
    fetched_to: Offset,
    /// The next offset to be processed: all before it are.
    pub next: Offset,
    /// Offsets beyond it that a pool has finished already, in order.
    beyond: Vec<Offset>,
    /// The last processing of a record here.
    last_processed: StepNo,
    /// The offset of the last commit that was sent and not refused.
    commit_sent: Offset,
    /// The offset that the group has committed, as far as the client knows.
    committed: Offset,
    /// True if a commit of its position has been sent, or the position came from one.
    is_committed: bool,
    /// Where it was read from after the assignment, or the last `seek()`.
    began_at: Offset,
    /// The offset behind a record from before that, if its worker has been the last to store one.
    stored_late: Option<Offset>,
    /// The step that set the first position after the assignment, or the last `seek()`.
    pub started_at: StepNo,
    /// True between `pause()` and `resume()`.
    pub paused: bool,
    /// True if it has no position because that was outside of the log.
    is_out_of_range: bool,
}

/// What the client knows of itself as a member of its group.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Standing {
    group: GroupId,
    /// How long after the interval its heartbeat thread wakes up.
    phase: Span,
    /// `group.instance.id` of a static member.
    instance_id: Option<Rc<str>>,
    /// The generation that it is in; none if it has lost its membership, or never had one.
    generation: Option<Generation>,
    /// The assignor of that generation.
    assignor: Option<Assignor>,
    /// What `sticky` remembers: the last assignment, and its generation.
    user_data: Option<(Rc<[PartitionId]>, Generation)>,
    /// What it says in its next JoinGroup as reason.
    reason: RebalanceReason,
}

/// An error that no new attempt can mend: the next `poll()` throws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fatal {
    error: ErrorCode,
    because: StepNo,
    /// True if a call has thrown it already: the application ends without a further `poll()`.
    is_thrown: bool,
}

impl Owned {
    /// A partition just assigned.
    fn new(partition: PartitionId, step: StepNo) -> Self {
        Owned {
            partition,
            position: None,
            position_step: step,
            fetched_to: 0,
            next: 0,
            beyond: Vec::new(),
            last_processed: step,
            commit_sent: 0,
            committed: 0,
            is_committed: false,
            began_at: 0,
            stored_late: None,
            started_at: step,
            paused: false,
            is_out_of_range: false,
        }
    }
}

/// A running process: the client library's and the application's volatile state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    key: MemberKey,
    /// How it was started.
    pub config: Rc<ConsumerConfig>,
    /// The broker that coordinates its group.
    coordinator: BrokerId,
    /// How far it has come in joining.
    pub membership: Membership,
    /// The generation that it knows of.
    pub generation: Generation,
    has_member_id: bool,
    /// Why it has to join again at the next `poll()`, if it has to.
    pub rejoin: Option<StepNo>,
    rejoin_error: ErrorCode,
    join_because: StepNo,
    standing: Standing,
    metadata: Metadata,
    fatal: Option<Fatal>,
    /// An answer of the group that waits for the next `poll()`.
    held: Option<(StepNo, Answer)>,
    /// Its partitions.
    pub owned: Vec<Owned>,
    /// Partitions that went while the application was busy with their records, as it knows them.
    leftover: Vec<Owned>,
    /// Partitions that it has given up and of which its library keeps the position, until it knows its next assignment.
    retained: Vec<Owned>,
    assigned_step: StepNo,
    /// Partitions whose first position is still to be set.
    positions_due: VecDeque<(PartitionId, Offset, PositionSource, Option<StepNo>)>,
    resets_due: Vec<PartitionId>,
    /// When they may be asked for.
    resets_from: Time,
    /// When records are asked for again, after a commit in front of a batch that failed.
    records_from: Time,
    because: StepNo,
    /// Fetched records that `poll()` has not returned yet.
    buffer: VecDeque<(Range, StepNo)>,
    /// The brokers with a Fetch under way, and the step that sent it. An answer to an earlier one is not looked at.
    fetches: Vec<(BrokerId, StepNo)>,
    /// Records that `poll()` has returned and that are not handled yet, the one in hand included.
    pub batch: VecDeque<Range>,
    batch_room: u32,
    /// What it has handed over to a pool.
    pub workers: Workers,
    /// When `poll()` last returned, and in which step.
    polled: (Time, StepNo),
    /// When the heartbeat thread looks whether `poll()` is overdue, if that is scheduled.
    poll_check_at: Option<Time>,
    /// The step in which it last gave up its partitions.
    gave_up: Option<StepNo>,
    /// Partitions that it gave up while it kept others, and when it did so last.
    gave_up_some: Vec<(PartitionId, StepNo)>,
    /// The step in which it left the group because `poll()` was overdue, until it gives up its partitions.
    pub timed_out: Option<StepNo>,
    /// What the application does now.
    pub application: Application,
    /// Records processed since the last commit was sent: decides when the next one is.
    since_commit: u32,
    /// True from the return of `poll()` until the first of its records is taken in hand.
    batch_is_new: bool,
    /// Commits without an answer, in the order of sending.
    commits: Vec<Commit>,
    /// Answers to `commitAsync()` whose callbacks are still to be called.
    completed: VecDeque<Completed>,
    auto_commit: AutoCommit,
    buffered: Buffered,
    /// The partitions that it is about to give up.
    revocation: Option<Revocation>,
    last_processed: StepNo,
    /// What is to be done because records failed.
    failures: failing::Failures,
    /// What is still to be read in the database of its table.
    reads: store::Reads,
    /// True if it has been asked to stop.
    pub closing: Option<StepNo>,
    heartbeats: u32,
    /// The requests that it waits for.
    awaited: Awaited,
    /// Set while the whole process stands still.
    pub freeze: Option<Box<Freeze>>,
    /// The step that last made it stand still.
    froze: Option<StepNo>,
    /// The step that last held up a message between it and its coordinator, and until when.
    held_up: Option<(StepNo, Time)>,
    /// When its heartbeat thread last sent one.
    pub heartbeat_sent: Option<(Time, StepNo)>,
    /// What a client without a heartbeat thread has to do between two records.
    between_records: single_thread::BetweenRecords,
    /// Partitions with a `seek()` whose offset the client is about to commit, and the step that made it.
    sought: Vec<(PartitionId, StepNo)>,
    /// Its part in the consumer protocol.
    modern: modern::Modern,
}

/// Finds the record at a partition's offset.
pub trait RecordLookup {
    /// The record there.
    fn record_at(&self, partition: PartitionId, offset: Offset) -> RecordId;
    /// Its key, if it has one.
    fn key_of(&self, record: RecordId) -> Option<KeyId>;
}

impl Client {
    fn new(
        key: MemberKey,
        (config, coordinator): (Rc<ConsumerConfig>, BrokerId),
        (group, phase, instance_id): (GroupId, Span, Option<Rc<str>>),
        ctx: Context<'_>,
    ) -> Self {
        let step = ctx.step;
        let auto_commit = AutoCommit::new(ctx.now, config.settings.auto_commit());
        Client {
            key,
            coordinator,
            membership: Membership::Unjoined,
            generation: 0,
            has_member_id: false,
            rejoin: Some(step).filter(|_| !config.reads.is_by_hand()),
            rejoin_error: ErrorCode::None,
            join_because: step,
            standing: Standing {
                group,
                phase,
                instance_id,
                generation: None,
                assignor: None,
                user_data: None,
                reason: RebalanceReason::MemberJoins,
            },
            metadata: Metadata::new(ctx),
            fatal: None,
            held: None,
            owned: Vec::new(),
            leftover: Vec::new(),
            retained: Vec::new(),
            assigned_step: step,
            positions_due: VecDeque::new(),
            resets_due: Vec::new(),
            resets_from: ctx.now,
            records_from: ctx.now,
            because: step,
            buffer: VecDeque::new(),
            fetches: Vec::new(),
            batch: VecDeque::new(),
            batch_room: 0,
            workers: Workers::default(),
            polled: (Time::ZERO, step),
            poll_check_at: None,
            gave_up: None,
            gave_up_some: Vec::new(),
            timed_out: None,
            application: Application::Polling,
            since_commit: 0,
            batch_is_new: false,
            commits: Vec::new(),
            completed: VecDeque::new(),
            auto_commit,
            buffered: Buffered::new(ctx.now),
            revocation: None,
            last_processed: step,
            failures: failing::Failures::default(),
            reads: store::Reads::default(),
            closing: None,
            heartbeats: 0,
            awaited: Awaited::default(),
            freeze: None,
            froze: None,
            held_up: None,
            heartbeat_sent: None,
            between_records: single_thread::BetweenRecords::default(),
            sought: Vec::new(),
            modern: modern::Modern::default(),
            config,
        }
    }

    /// The step that gave the member its present partitions.
    pub fn assigned_step(&self) -> StepNo {
        self.assigned_step
    }

    /// True for a static member: it never sends LeaveGroup, and keeps its place until its session ends.
    pub fn is_static(&self) -> bool {
        self.standing.instance_id.is_some()
    }

    /// What the client knows of a partition that it owns.
    pub fn owned(&self, partition: PartitionId) -> Option<&Owned> {
        self.owned.iter().find(|owned| owned.partition == partition)
    }

    fn owned_mut(&mut self, partition: PartitionId) -> Option<&mut Owned> {
        self.owned.iter_mut().find(|owned| owned.partition == partition)
    }

    /// All of its partitions.
    fn partitions(&self) -> Rc<[PartitionId]> {
        self.owned.iter().map(|owned| owned.partition).collect()
    }

    fn is_assigned_by_hand(&self) -> bool {
        self.config.reads.is_by_hand()
    }

    fn node(&self) -> Node {
        Node::Consumer(self.key)
    }

    fn consumer(&self) -> ConsumerId {
        self.key.consumer
    }

    fn send_to_coordinator(&self, message: Message, out: &mut Out) {
        out.send(self.node(), Node::Broker(self.coordinator), message);
    }

    fn again(&self, ctx: Context<'_>, out: &mut Out) {
        out.wake(ctx.now, Due::Application(self.key.consumer, self.key.incarnation));
    }
}
