//! The consumer: a Java client and the application around it.
//!
//! The application is one thread: `poll()`, then the returned records one after another, `commitSync()` after every few,
//! then `poll()` again. Beside it the heartbeat thread runs. A rebalance is noticed by a heartbeat's answer and acted
//! on inside the next `poll()`. Where that is too long in coming, the heartbeat thread leaves the group: the application
//! goes on with its batch as a zombie until then.
//!
//! Source: `org.apache.kafka.clients.consumer.internals.{AbstractCoordinator, ConsumerCoordinator, Heartbeat,
//! FetchCollector}`. One Fetch is under way at a time, as all leaders are on one broker; partitions with records in
//! the buffer are left out of it. FindCoordinator and metadata requests are left out.

use super::assignor::{self, Subscription};
use super::effect::{Context, Effect, Out};
use super::event::{ErrorCode, Event, PositionSource};
use super::ids::*;
use super::network::{Assignment, Committed, MemberIds, Message, Node, PartitionOffset, Range};
use super::queue::{Due, MemberKey};
use super::setup::{ConsumerSettings, GroupSetup, OffsetReset, Setup};
use super::step::{Causes, Role};
use super::time::{Span, Time};
use std::collections::VecDeque;
use std::rc::Rc;

/// `fetch.max.wait.ms`, as it is by default.
const FETCH_MAX_WAIT: Span = Span::from_millis(500);

/// A consumer through all of its restarts. What a process holds is in [`Process::Running`] and is gone when it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consumer {
    /// Which consumer.
    pub id: ConsumerId,
    /// Its group.
    pub group: GroupId,
    /// Which start of the process is the latest; 0 before the first.
    pub incarnation: Incarnation,
    /// The process, or what is known of its end.
    pub process: Process,
    /// Records processed by all of its processes, repetitions included.
    pub processed: u32,
    /// How each of its earlier processes ended.
    ends: Vec<End>,
    /// How long after the interval its heartbeat thread wakes up: differs from client to client.
    pub phase: Span,
}

/// The state of a consumer process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Process {
    /// It has not been started yet.
    NotStarted,
    /// It runs.
    Running(Box<Client>),
    /// It was killed.
    Crashed(Ended),
    /// It called `close()`.
    Closed(Ended),
}

/// What is known of a process that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The step that ended it.
    pub step: StepNo,
    /// When that was.
    pub at: Time,
    /// The last generation that it knew of.
    pub generation: Generation,
}

/// The end of a process, for as long as the run lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End {
    step: StepNo,
    /// The step in which it had last given up its partitions while it ran.
    gave_up: Option<StepNo>,
}

/// How far a client has come in joining its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// Not in the group, or about to join again.
    Unjoined,
    /// Waits for the answer to JoinGroup.
    Joining,
    /// Waits for the answer to SyncGroup.
    Syncing,
    /// Has its assignment.
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
}

/// What the client knows of a partition that it owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owned {
    /// Which partition.
    pub partition: PartitionId,
    /// Kafka's position: the next offset that `poll()` returns. Nothing before it is known.
    pub position: Option<Offset>,
    /// The step that set or last moved the position.
    pub position_step: StepNo,
    /// The offset behind the last fetched record.
    fetched_to: Offset,
    /// The next offset to be processed.
    pub next: Offset,
    /// The last processing of a record here.
    last_processed: StepNo,
    /// The offset of the last commit that was sent.
    commit_sent: Offset,
    /// The step that set the first position after the assignment.
    pub started_at: StepNo,
}

/// A running process: the client library's and the application's volatile state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    key: MemberKey,
    /// How far it has come in joining.
    pub membership: Membership,
    /// The generation that it knows of.
    pub generation: Generation,
    has_member_id: bool,
    /// Why it has to join again at the next `poll()`, if it has to.
    pub rejoin: Option<StepNo>,
    rejoin_error: ErrorCode,
    join_because: StepNo,
    /// Its partitions.
    pub owned: Vec<Owned>,
    assigned_step: StepNo,
    /// Partitions whose first position is still to be set.
    positions_due: VecDeque<(PartitionId, Offset, PositionSource, Option<StepNo>)>,
    resets_due: Vec<PartitionId>,
    because: StepNo,
    /// Fetched records that `poll()` has not returned yet.
    buffer: VecDeque<(Range, StepNo)>,
    /// The step that sent the Fetch under way. An answer to an earlier one is not looked at.
    fetch_sent: Option<StepNo>,
    /// Records that `poll()` has returned and that are not handled yet, the one in hand included.
    pub batch: VecDeque<Range>,
    batch_room: u32,
    /// When `poll()` last returned, and in which step.
    polled: (Time, StepNo),
    /// When the heartbeat thread looks whether `poll()` is overdue, if that is scheduled.
    poll_check_at: Option<Time>,
    /// The step in which it last gave up its partitions.
    gave_up: Option<StepNo>,
    /// The step in which it left the group because `poll()` was overdue, until it gives up its partitions.
    pub timed_out: Option<StepNo>,
    /// What the application does now.
    pub application: Application,
    /// Records processed since the last commit was sent.
    pub since_commit: u32,
    last_processed: StepNo,
    /// True if it has been asked to stop.
    pub closing: Option<StepNo>,
    heartbeats: u32,
    /// When its heartbeat thread last sent one.
    pub heartbeat_sent: Option<(Time, StepNo)>,
}

/// Finds the record at a partition's offset.
pub trait RecordLookup {
    /// The record there.
    fn record_at(&self, partition: PartitionId, offset: Offset) -> RecordId;
}

impl Consumer {
    /// A consumer that has not been started.
    pub fn new(id: ConsumerId, group: GroupId, phase: Span) -> Self {
        Consumer { id, group, incarnation: 0, process: Process::NotStarted, processed: 0, ends: Vec::new(), phase }
    }

    /// The running process, if there is one.
    pub fn client(&self) -> Option<&Client> {
        match &self.process {
            Process::Running(client) => Some(client),
            _ => None,
        }
    }

    /// The running process of this start, to be changed.
    pub fn client_mut(&mut self, incarnation: Incarnation) -> Option<&mut Client> {
        match &mut self.process {
            Process::Running(client) if client.key.incarnation == incarnation => Some(client),
            _ => None,
        }
    }

    /// The step that ended the process of this start, if that is over.
    pub fn end_of(&self, incarnation: Incarnation) -> Option<StepNo> {
        self.end(incarnation).map(|end| end.step)
    }

    /// The step that ended the process of this start, if it ended with the partitions that it owned in step `since`.
    /// Nothing if it runs, or had given them up before.
    pub fn end_with_partitions_of(&self, incarnation: Incarnation, since: StepNo) -> Option<StepNo> {
        let end = self.end(incarnation)?;
        end.gave_up.is_none_or(|gave_up| gave_up < since).then_some(end.step)
    }

    fn end(&self, incarnation: Incarnation) -> Option<End> {
        self.ends.get(usize::from(incarnation).checked_sub(1)?).copied()
    }

    /// The process starts; the application's first `poll()` joins the group.
    pub fn start(&mut self, ctx: Context<'_>, causes: Causes, out: &mut Out) {
        self.incarnation += 1;
        let key = MemberKey { consumer: self.id, incarnation: self.incarnation };
        self.process = Process::Running(Box::new(Client::new(key, ctx.step)));
        out.event(Event::ConsumerStarted { consumer: self.id, incarnation: self.incarnation }, causes);
        out.wake(ctx.now, Due::Application(self.id, self.incarnation));
    }

    /// The process is killed: everything that it held is gone, and nobody is told.
    pub fn crash(&mut self, ctx: Context<'_>, causes: Causes, out: &mut Out) {
        let Process::Running(client) = &self.process else {
            return;
        };
        let (generation, uncommitted, key) = (client.generation, client.since_commit, client.key);
        out.event(Event::ConsumerCrashed { consumer: self.id, generation, uncommitted }, causes);
        out.effects.push(Effect::Released { member: key });
        self.ends.push(client.end(ctx));
        self.process = Process::Crashed(Ended { step: ctx.step, at: ctx.now, generation });
    }

    /// Somebody asks the process to stop.
    pub fn request_close(&mut self, ctx: Context<'_>, causes: Causes, out: &mut Out) {
        let Process::Running(client) = &mut self.process else {
            return;
        };
        client.closing = Some(ctx.step);
        out.event(Event::CloseRequested { consumer: self.id }, causes);
        if client.application == Application::Polling {
            out.wake(ctx.now, Due::Application(self.id, self.incarnation));
        }
    }

    /// `close()`: gives up its partitions, leaves the group, ends. With auto commit off it commits nothing.
    fn close(&mut self, ctx: Context<'_>, out: &mut Out) {
        let Process::Running(client) = &self.process else {
            return;
        };
        let requested = client.closing.unwrap_or(ctx.step);
        let generation = client.generation;
        out.event(
            Event::ConsumerClosed {
                consumer: self.id,
                generation,
                partitions: client.owned.len() as u32,
                uncommitted: client.since_commit,
            },
            Causes::triggered_by(requested),
        );
        if client.has_member_id {
            out.send_to_broker(Node::Consumer(client.key), Message::LeaveGroup { member: client.key });
        }
        out.effects.push(Effect::Released { member: client.key });
        self.ends.push(client.end(ctx));
        self.process = Process::Closed(Ended { step: ctx.step, at: ctx.now, generation });
    }

    /// The application thread goes on: it commits if it is time to, takes the next record, or calls `poll()`.
    pub fn go_on(&mut self, ctx: Context<'_>, incarnation: Incarnation, records: &impl RecordLookup, out: &mut Out) {
        let group = &ctx.setup.groups[self.group.index()];
        let Some(client) = self.client_mut(incarnation) else {
            return;
        };
        if client.application != Application::Polling {
            return;
        }
        if client.since_commit >= group.handling.commit_after_records.max(1) {
            return client.commit(out);
        }
        if client.closing.is_some() {
            return self.close(ctx, out);
        }
        if let Some(&range) = client.batch.front() {
            if client.batch_room > 0 && client.poll_returns_more(ctx, group, out) {
                return;
            }
            client.batch_room = 0;
            return client.take_in_hand(ctx, range, group, records, out);
        }
        client.poll(ctx, group, out);
    }

    /// The handling of the record in hand is done. Returns it; the caller writes it to the sink and tells what happened.
    pub fn finish_handling(&mut self, ctx: Context<'_>, incarnation: Incarnation) -> Option<Finished> {
        let client = self.client_mut(incarnation)?;
        let Application::Handling { record, partition, offset, step, .. } = client.application else {
            return None;
        };
        client.application = Application::Polling;
        client.since_commit += 1;
        client.last_processed = ctx.step;
        let range = client.batch.front_mut().expect("the record in hand is of the batch");
        range.from += 1;
        if range.is_empty() {
            client.batch.pop_front();
        }
        let key = client.key;
        let owned = client.owned.iter_mut().find(|owned| owned.partition == partition);
        let started_at = owned.map(|owned| {
            owned.next = offset + 1;
            owned.last_processed = ctx.step;
            owned.started_at
        });
        self.processed += 1;
        Some(Finished { member: key, record, partition, offset, handling: step, started_at })
    }
}

/// A record whose handling has finished.
#[derive(Clone, Copy, Debug)]
pub struct Finished {
    /// Who handled it.
    pub member: MemberKey,
    /// The record.
    pub record: RecordId,
    /// Its partition.
    pub partition: PartitionId,
    /// Its offset.
    pub offset: Offset,
    /// The step in which the handling began.
    pub handling: StepNo,
    /// The step that set the position from which this member began to read the partition.
    pub started_at: Option<StepNo>,
}

impl Client {
    fn new(key: MemberKey, step: StepNo) -> Self {
        Client {
            key,
            membership: Membership::Unjoined,
            generation: 0,
            has_member_id: false,
            rejoin: Some(step),
            rejoin_error: ErrorCode::None,
            join_because: step,
            owned: Vec::new(),
            assigned_step: step,
            positions_due: VecDeque::new(),
            resets_due: Vec::new(),
            because: step,
            buffer: VecDeque::new(),
            fetch_sent: None,
            batch: VecDeque::new(),
            batch_room: 0,
            polled: (Time::ZERO, step),
            poll_check_at: None,
            gave_up: None,
            timed_out: None,
            application: Application::Polling,
            since_commit: 0,
            last_processed: step,
            closing: None,
            heartbeats: 0,
            heartbeat_sent: None,
        }
    }

    fn node(&self) -> Node {
        Node::Consumer(self.key)
    }

    fn consumer(&self) -> ConsumerId {
        self.key.consumer
    }

    /// Its end in this step. Who has left because `poll()` was overdue owns nothing any more, whatever it believes.
    fn end(&self, ctx: Context<'_>) -> End {
        End { step: ctx.step, gave_up: self.timed_out.map_or(self.gave_up, |_| Some(ctx.step)) }
    }

    fn again(&self, ctx: Context<'_>, out: &mut Out) {
        out.wake(ctx.now, Due::Application(self.key.consumer, self.key.incarnation));
    }

    /// `poll()`: the group first, then positions, then records.
    fn poll(&mut self, ctx: Context<'_>, group: &GroupSetup, out: &mut Out) {
        if self.rejoin.is_some() {
            return self.prepare_join(ctx, out);
        }
        match self.membership {
            Membership::Unjoined => self.send_join(ctx, out),
            Membership::Joining | Membership::Syncing => {}
            Membership::Stable => {
                if self.next_position(ctx, group, out) {
                    return;
                }
                self.batch_room = group.settings.max_poll_records;
                if !self.poll_returns_more(ctx, group, out) {
                    self.fetch(ctx, out);
                }
            }
        }
    }

    /// `onJoinPrepare`: eager, so all partitions are revoked; what was polled or fetched and not processed is dropped.
    fn prepare_join(&mut self, ctx: Context<'_>, out: &mut Out) {
        let because = self.rejoin.take().expect("only called when it is set");
        self.join_because = because;
        self.membership = Membership::Unjoined;
        self.heartbeats += 1;
        let partitions = self.owned.len() as u32;
        if partitions == 0 {
            return self.send_join(ctx, out);
        }
        let (consumer, generation, error) = (self.consumer(), self.generation, self.rejoin_error);
        let causes = Causes::triggered_by(because);
        if error == ErrorCode::RebalanceInProgress || error == ErrorCode::None {
            out.event(Event::PartitionsRevoked { consumer, generation, partitions }, causes);
        } else {
            out.event(Event::PartitionsLost { consumer, generation, partitions, error }, causes);
        }
        self.join_because = ctx.step;
        self.gave_up = Some(ctx.step);
        self.drop_partitions();
        out.effects.push(Effect::Released { member: self.key });
        self.again(ctx, out);
    }

    fn drop_partitions(&mut self) {
        self.owned.clear();
        self.buffer.clear();
        self.batch.clear();
        self.positions_due.clear();
        self.resets_due.clear();
        self.fetch_sent = None;
        self.since_commit = 0;
        self.timed_out = None;
    }

    fn send_join(&mut self, ctx: Context<'_>, out: &mut Out) {
        self.membership = Membership::Joining;
        self.heartbeats += 1;
        out.event(
            Event::JoinGroupSent { consumer: self.consumer(), generation: self.generation },
            Causes::triggered_by(self.join_because),
        );
        out.send_to_broker(self.node(), Message::JoinGroup { member: self.key, has_member_id: self.has_member_id });
        self.join_because = ctx.step;
    }

    /// The answer to JoinGroup.
    pub fn handle_join_answer(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (error, generation, members): (ErrorCode, Generation, Option<MemberIds>),
        (group, phase): (GroupId, Span),
        out: &mut Out,
    ) {
        if self.membership != Membership::Joining {
            return;
        }
        match error {
            ErrorCode::None => {}
            ErrorCode::MemberIdRequired => {
                self.has_member_id = true;
                self.join_because = sent_by;
                return self.send_join(ctx, out);
            }
            _ => return self.start_over(ctx, sent_by, error, out),
        }
        self.generation = generation;
        self.membership = Membership::Syncing;
        self.heartbeats += 1;
        let setup = ctx.setup;
        let interval = setup.groups[group.index()].settings.heartbeat_interval;
        out.wake(ctx.now + interval + phase, Due::Heartbeat(self.consumer(), self.key.incarnation, self.heartbeats));
        let (consumer, key) = (self.consumer(), self.key);
        let assignment = members.map(|members| assign(setup, group, &members));
        if let Some(assignment) = &assignment {
            out.event(
                Event::AssignmentComputed {
                    group,
                    leader: consumer,
                    generation,
                    members: assignment.len() as u32,
                    partitions: assignment.iter().map(|(_, part)| part.len() as u32).sum(),
                },
                Causes::triggered_by(sent_by),
            );
        } else {
            out.event(Event::SyncGroupSent { consumer, generation }, Causes::triggered_by(sent_by));
        }
        out.send_to_broker(self.node(), Message::SyncGroup { member: key, generation, assignment });
    }

    /// The answer to SyncGroup: the assignment.
    pub fn handle_sync_answer(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        error: ErrorCode,
        (partitions, decided): (Rc<[PartitionId]>, StepNo),
        out: &mut Out,
    ) {
        if self.membership != Membership::Syncing {
            return;
        }
        if error != ErrorCode::None {
            return self.start_over(ctx, sent_by, error, out);
        }
        self.membership = Membership::Stable;
        self.assigned_step = ctx.step;
        self.owned = partitions
            .iter()
            .map(|&partition| Owned {
                partition,
                position: None,
                position_step: ctx.step,
                fetched_to: 0,
                next: 0,
                last_processed: ctx.step,
                commit_sent: 0,
                started_at: ctx.step,
            })
            .collect();
        out.event(
            Event::PartitionsAssigned {
                consumer: self.consumer(),
                generation: self.generation,
                partitions: partitions.len() as u32,
            },
            Causes::NONE.and(Role::DecidedValue, decided).and(Role::Triggered, sent_by),
        );
        if !partitions.is_empty() {
            out.send_to_broker(self.node(), Message::OffsetFetch { consumer: self.consumer(), partitions });
        }
        if self.rejoin.is_some() || self.closing.is_some() {
            self.again(ctx, out);
        }
    }

    /// Something went wrong on the way into the group: it begins anew at once.
    fn start_over(&mut self, ctx: Context<'_>, because: StepNo, error: ErrorCode, out: &mut Out) {
        out.event(Event::RejoinNeeded { consumer: self.consumer(), error }, Causes::triggered_by(because));
        self.membership = Membership::Unjoined;
        self.heartbeats += 1;
        self.note_group_error(ctx.step, error);
        self.again(ctx, out);
    }

    /// The answer to OffsetFetch.
    pub fn handle_committed(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        committed: &[(PartitionId, Option<Committed>)],
        out: &mut Out,
    ) {
        if self.membership != Membership::Stable {
            return;
        }
        self.because = sent_by;
        for &(partition, committed) in committed {
            match committed {
                Some(committed) => self.positions_due.push_back((
                    partition,
                    committed.offset,
                    PositionSource::Committed,
                    Some(committed.step),
                )),
                None => self.resets_due.push(partition),
            }
        }
        self.again(ctx, out);
    }

    /// The answer to ListOffsets.
    pub fn handle_offsets(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        offsets: &[PartitionOffset],
        source: PositionSource,
        out: &mut Out,
    ) {
        if self.membership != Membership::Stable {
            return;
        }
        self.because = sent_by;
        self.positions_due.extend(offsets.iter().map(|&(partition, offset)| (partition, offset, source, None)));
        self.again(ctx, out);
    }

    /// Sets the next first position, or asks for what it needs. False if there is nothing to do.
    fn next_position(&mut self, ctx: Context<'_>, group: &GroupSetup, out: &mut Out) -> bool {
        if let Some((partition, offset, source, committed_by)) = self.positions_due.pop_front() {
            self.set_position(ctx, partition, offset);
            let step = committed_by.unwrap_or(self.because);
            out.event(
                Event::PositionSet { consumer: self.consumer(), partition, offset, source },
                Causes::NONE.and(Role::DecidedValue, step).and(Role::Triggered, self.assigned_step),
            );
            out.effects.push(Effect::Position { member: self.key, partition, offset });
            self.again(ctx, out);
            return true;
        }
        if !self.resets_due.is_empty() {
            let partitions: Rc<[PartitionId]> = std::mem::take(&mut self.resets_due).into();
            let source = match group.settings.auto_offset_reset {
                OffsetReset::Earliest => PositionSource::Earliest,
                OffsetReset::Latest => PositionSource::Latest,
            };
            let consumer = self.consumer();
            out.event(
                Event::ListOffsetsSent { consumer, partitions: partitions.len() as u32 },
                Causes::triggered_by(self.because),
            );
            out.send_to_broker(self.node(), Message::ListOffsets { consumer, partitions, source });
            return true;
        }
        self.owned.iter().any(|owned| owned.position.is_none())
    }

    fn set_position(&mut self, ctx: Context<'_>, partition: PartitionId, offset: Offset) {
        if let Some(owned) = self.owned.iter_mut().find(|owned| owned.partition == partition) {
            owned.position = Some(offset);
            owned.position_step = ctx.step;
            owned.started_at = ctx.step;
            owned.fetched_to = offset;
            owned.next = offset;
            owned.commit_sent = offset;
        }
    }

    /// Hands fetched records of one partition to the application, as far as `max.poll.records` leaves room.
    fn poll_returns_more(&mut self, ctx: Context<'_>, group: &GroupSetup, out: &mut Out) -> bool {
        let Some((fetched, fetched_by)) = self.buffer.front_mut() else {
            return false;
        };
        let to = fetched.to.min(fetched.from + self.batch_room);
        let range = Range { to, ..*fetched };
        let fetched_by = *fetched_by;
        fetched.from = to;
        if fetched.is_empty() {
            self.buffer.pop_front();
        }
        self.batch_room -= range.len();
        self.batch.push_back(range);
        let consumer = self.consumer();
        let Some(owned) = self.owned.iter_mut().find(|owned| owned.partition == range.partition) else {
            return false;
        };
        let causes = Causes::triggered_by(fetched_by).and(Role::DecidedValue, owned.position_step);
        owned.position = Some(to);
        owned.position_step = ctx.step;
        out.event(
            Event::RecordsPolled { consumer, partition: range.partition, from: range.from, position: to },
            causes,
        );
        self.send_fetch(ctx, out);
        self.restart_poll_clock(ctx, group, out);
        self.again(ctx, out);
        true
    }

    /// One check is under way at most; it puts itself off when it comes too early, so that a poll costs nothing.
    fn restart_poll_clock(&mut self, ctx: Context<'_>, group: &GroupSetup, out: &mut Out) {
        self.polled = (ctx.now, ctx.step);
        if self.poll_check_at.is_none() {
            let at = ctx.now + group.settings.max_poll_interval;
            self.poll_check_at = Some(at);
            out.wake(at, Due::PollCheck(self.consumer(), self.key.incarnation));
        }
    }

    /// True while the application thread is inside `poll()`, where it cannot be too late for it.
    fn is_in_poll(&self) -> bool {
        self.application == Application::Polling && self.batch.is_empty()
    }

    /// When `poll()` is overdue, if the application does not call it before. Nothing while it is inside `poll()`, or
    /// where there is no membership to lose.
    pub fn poll_overdue_at(&self, settings: &ConsumerSettings) -> Option<Time> {
        let counts = self.membership == Membership::Stable && self.has_member_id && !self.is_in_poll();
        counts.then_some(self.polled.0 + settings.max_poll_interval)
    }

    /// True if a check at this moment is the one that is under way.
    pub fn is_poll_check(&self, at: Time) -> bool {
        self.poll_check_at == Some(at)
    }

    /// The check that is under way is the one for the present batch, or none.
    pub fn settle_poll_check(&mut self, settings: &ConsumerSettings) {
        self.poll_check_at = self.poll_check_at.and_then(|_| self.poll_overdue_at(settings));
    }

    /// The heartbeat thread looks whether `poll()` is overdue (`Heartbeat#pollTimeoutExpired`), and leaves the group if
    /// so: `maybeLeaveGroup`, which forgets member id and generation. Returns when to look again, if it is too early.
    pub fn handle_poll_check(&mut self, ctx: Context<'_>, settings: &ConsumerSettings, out: &mut Out) -> Option<Time> {
        if !self.is_poll_check(ctx.now) {
            return None;
        }
        self.poll_check_at = self.poll_overdue_at(settings).filter(|&at| at > ctx.now);
        if self.poll_check_at.is_some() || self.poll_overdue_at(settings).is_none() {
            return self.poll_check_at;
        }
        let (polled_at, polled_in) = self.polled;
        out.event(
            Event::PollTimedOut {
                consumer: self.consumer(),
                generation: self.generation,
                unpolled: ctx.now.since(polled_at),
            },
            Causes::NONE.and(Role::DecidedValue, polled_in),
        );
        out.send_to_broker(self.node(), Message::LeaveGroup { member: self.key });
        self.timed_out = Some(ctx.step);
        self.membership = Membership::Unjoined;
        self.heartbeats += 1;
        self.note_group_error(ctx.step, ErrorCode::UnknownMemberId);
        None
    }

    /// Nothing to hand over: a Fetch, unless one is under way.
    fn fetch(&mut self, ctx: Context<'_>, out: &mut Out) {
        if let Some(partitions) = self.send_fetch(ctx, out) {
            out.event(
                Event::FetchSent { consumer: self.consumer(), partitions },
                Causes::NONE.and_maybe(Role::DecidedValue, self.owned.iter().map(|owned| owned.position_step).max()),
            );
        }
    }

    /// Sends a Fetch for all partitions without records in the buffer, unless one is under way. One that leaves out a
    /// partition comes back after [`FETCH_MAX_WAIT`], so that the next one can ask for that partition too.
    fn send_fetch(&mut self, ctx: Context<'_>, out: &mut Out) -> Option<u32> {
        if self.fetch_sent.is_some() {
            return None;
        }
        let positions: Rc<[PartitionOffset]> = self
            .owned
            .iter()
            .filter(|owned| !self.buffer.iter().any(|(range, _)| range.partition == owned.partition))
            .map(|owned| (owned.partition, owned.fetched_to))
            .collect();
        if positions.is_empty() {
            return None;
        }
        self.fetch_sent = Some(ctx.step);
        let partitions = positions.len() as u32;
        let max_wait = (positions.len() < self.owned.len()).then_some(FETCH_MAX_WAIT);
        out.send_to_broker(self.node(), Message::Fetch { consumer: self.consumer(), positions, max_wait });
        Some(partitions)
    }

    /// Fetched records arrive. Records of a partition that was given up meanwhile are dropped.
    pub fn handle_fetched(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (request, ranges): (StepNo, &[Range]),
        out: &mut Out,
    ) {
        if self.fetch_sent != Some(request) {
            return;
        }
        self.fetch_sent = None;
        let mut records = 0;
        for &range in ranges {
            if let Some(owned) = self.owned.iter_mut().find(|owned| owned.partition == range.partition)
                && owned.fetched_to == range.from
            {
                owned.fetched_to = range.to;
                records += range.len();
                self.buffer.push_back((range, ctx.step));
            }
        }
        out.event(Event::RecordsFetched { consumer: self.consumer(), records }, Causes::triggered_by(sent_by));
        if self.application == Application::Polling && self.batch.is_empty() {
            self.again(ctx, out);
        }
    }

    fn take_in_hand(
        &mut self,
        ctx: Context<'_>,
        range: Range,
        group: &GroupSetup,
        records: &impl RecordLookup,
        out: &mut Out,
    ) {
        let (partition, offset) = (range.partition, range.from);
        let record = records.record_at(partition, offset);
        let until = ctx.now + group.handling.time;
        let polled = self.owned.iter().find(|owned| owned.partition == partition).map(|owned| owned.position_step);
        self.application = Application::Handling { record, partition, offset, since: ctx.now, until, step: ctx.step };
        out.event(
            Event::HandlingStarted { consumer: self.consumer(), record, partition, offset },
            Causes::NONE.and_maybe(Role::Triggered, polled),
        );
        out.wake(until, Due::HandlingDone(self.consumer(), self.key.incarnation));
    }

    /// `commitSync()` of everything processed and not committed yet.
    fn commit(&mut self, out: &mut Out) {
        self.since_commit = 0;
        let offsets: Rc<[PartitionOffset]> = self
            .owned
            .iter_mut()
            .filter(|owned| owned.next > owned.commit_sent)
            .map(|owned| {
                owned.commit_sent = owned.next;
                (owned.partition, owned.next)
            })
            .collect();
        let consumer = self.consumer();
        self.application = Application::Committing;
        out.event(
            Event::OffsetCommitSent { consumer, generation: self.generation, partitions: offsets.len() as u32 },
            Causes::triggered_by(self.last_processed),
        );
        let message = Message::OffsetCommit { member: self.key, generation: self.generation, offsets };
        out.send_to_broker(self.node(), message);
    }

    /// `commitSync()` returns or throws. After a `CommitFailedException` the application goes on to `poll()`, which
    /// joins the group again.
    pub fn handle_commit_answer(&mut self, ctx: Context<'_>, sent_by: StepNo, error: ErrorCode, out: &mut Out) {
        if self.application != Application::Committing {
            return;
        }
        self.application = Application::Polling;
        out.event(Event::CommitAnswered { consumer: self.consumer(), error }, Causes::triggered_by(sent_by));
        self.note_group_error(ctx.step, error);
        self.again(ctx, out);
    }

    /// The next `poll()` has to join again. An error that means that the membership is lost
    /// (`resetStateOnResponseError`) outweighs the news that the group rebalances.
    fn note_group_error(&mut self, step: StepNo, error: ErrorCode) {
        if error == ErrorCode::None {
            return;
        }
        self.has_member_id &= error != ErrorCode::UnknownMemberId;
        let is_lost = |error| matches!(error, ErrorCode::UnknownMemberId | ErrorCode::IllegalGeneration);
        if self.rejoin.is_none() || (is_lost(error) && !is_lost(self.rejoin_error)) {
            self.rejoin = Some(step);
            self.rejoin_error = error;
        }
    }

    /// The heartbeat thread wakes up.
    pub fn handle_heartbeat_due(&mut self, ctx: Context<'_>, thread: u32, interval: Span, out: &mut Out) {
        if thread != self.heartbeats {
            return;
        }
        self.heartbeat_sent = Some((ctx.now, ctx.step));
        out.event(Event::HeartbeatSent { consumer: self.consumer(), generation: self.generation }, Causes::NONE);
        out.send_to_broker(self.node(), Message::Heartbeat { member: self.key, generation: self.generation });
        out.wake(ctx.now + interval, Due::Heartbeat(self.consumer(), self.key.incarnation, thread));
    }

    /// The answer to a heartbeat; it may ask to join again, which the next `poll()` does.
    pub fn handle_heartbeat_answer(&mut self, ctx: Context<'_>, sent_by: StepNo, error: ErrorCode, out: &mut Out) {
        out.event(Event::HeartbeatAnswered { consumer: self.consumer(), error }, Causes::triggered_by(sent_by));
        if error == ErrorCode::None || self.membership != Membership::Stable {
            return;
        }
        self.note_group_error(ctx.step, error);
        if self.application == Application::Polling && self.batch.is_empty() {
            self.again(ctx, out);
        }
    }

    /// True if this number names the heartbeat thread's present start.
    pub fn runs_heartbeat_thread(&self, thread: u32) -> bool {
        thread == self.heartbeats
    }

    /// When it last sent a heartbeat, if it is in this generation and has nothing to do in its group but to send more.
    pub fn heartbeats_only(&self, generation: Generation) -> Option<Time> {
        let settled = self.membership == Membership::Stable && self.rejoin.is_none() && self.generation == generation;
        self.heartbeat_sent.filter(|_| settled).map(|(at, _)| at)
    }

    /// Its heartbeats go on for `span` within `step`.
    pub fn skip_heartbeats(&mut self, span: Span, step: StepNo) {
        if let Some((at, by)) = &mut self.heartbeat_sent {
            *at += span;
            *by = step;
        }
    }

    /// The step that gave the member its present partitions.
    pub fn assigned_step(&self) -> StepNo {
        self.assigned_step
    }
}

/// What the group's leader does with the answer to its JoinGroup: deals all partitions of the subscribed topics.
fn assign(setup: &Setup, group: GroupId, members: &[(MemberKey, Rc<str>)]) -> Assignment {
    let topics = &setup.groups[group.index()].topics;
    let subscriptions: Vec<Subscription<'_>> =
        members.iter().map(|(_, id)| Subscription { member_id: id, topics }).collect();
    let mut sorted: Vec<TopicId> = topics.clone();
    super::order::by_text(&mut sorted, |topic| &setup.topics[topic.index()].name);
    let partitions: Vec<(TopicId, Vec<PartitionId>)> =
        sorted.iter().map(|&topic| (topic, setup.partitions_of(topic).collect())).collect();
    let dealt = assignor::range(&partitions, &subscriptions);
    members.iter().zip(dealt).map(|(&(key, _), partitions)| (key, partitions.into())).collect()
}
