//! What is due, and in which order.
//!
//! Ordered by time; things that are due at the same time happen in the order in which they were scheduled. What is put
//! off keeps its place in that order. (An action of the script whose condition a step makes true does not pass through
//! here: it is the very next step.)

use super::consumer::Request;
use super::ids::*;

use super::time::Time;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

/// One thing that can be due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// The message in this slot of the network arrives.
    Deliver(u32),
    /// A producer's application calls `send()` for its next record.
    Send(ProducerId),
    /// A producer's sender looks at the batches that wait.
    Sender(ProducerId),
    /// A producer refreshes its metadata, and its topic has got more partitions.
    Metadata(ProducerId),
    /// The broker goes on appending the batch that it has in hand for this partition.
    Append(PartitionId),
    /// A broker answers the Fetch that it kept for this consumer.
    AnswerFetch(BrokerId, ConsumerId),
    /// The Fetch of this consumer that the broker received in this step has waited long enough.
    FetchExpires(BrokerId, ConsumerId, StepNo),
    /// A consumer process is to start for the first time.
    StartConsumer(ConsumerId),
    /// A consumer's application thread goes on. The number tells the start of the process.
    Application(ConsumerId, Incarnation),
    /// A consumer has handled the record in hand.
    HandlingDone(ConsumerId, Incarnation),
    /// A worker of a consumer's pool has finished its record, or looks for one. The last number tells which.
    Worker(ConsumerId, Incarnation, u16),
    /// A consumer's heartbeat thread wakes up. The last number tells its start.
    Heartbeat(ConsumerId, Incarnation, u32),
    /// A consumer's heartbeat thread looks whether the application has called `poll()` in time.
    PollCheck(ConsumerId, Incarnation),
    /// A consumer asks which partitions there are, as `metadata.max.age.ms` has passed.
    MetadataRefresh(ConsumerId, Incarnation),
    /// A consumer that waits in `poll()` looks whether it is time for its periodic commit.
    AutoCommit(ConsumerId, Incarnation),
    /// The coordinator looks whether this process has used the member id that it was given.
    PendingCheck(GroupId, MemberKey),
    /// The coordinator looks whether this member's session has expired.
    SessionCheck(GroupId, MemberKey),
    /// The coordinator looks whether the join phase of this rebalance is over.
    JoinPhase(GroupId, u32),
    /// The coordinator begins a rebalance that a step has made necessary.
    BeginRebalance(GroupId),
    /// The coordinator ends the join phase, as all have joined.
    CompleteJoin(GroupId),
    /// The coordinator stores the next offset of a commit.
    StoreOffset(GroupId),
    /// The coordinator looks whether committed offsets of a group have been kept for long enough.
    OffsetsCheck(GroupId),
    /// The coordinator looks whether a member that should have sent SyncGroup has.
    SyncCheck(GroupId, u32),
    /// The coordinator goes on with the heartbeats that it has in hand for a group of the consumer protocol.
    HeartbeatInHand(GroupId),
    /// The coordinator looks whether this member has given up the partitions that it has to.
    RevocationCheck(GroupId, MemberKey),
    /// An action of the script is due.
    Script(u32),
    /// The next partition's offset of a reset is stored.
    ResetOffset(GroupId),
    /// A consumer has waited in vain for the answer to a request.
    RequestTimeout(ConsumerId, Incarnation, Request),
    /// A producer's process has ended and is to start again.
    StartProducer(ProducerId),
}

/// A member of a group: one start of one process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemberKey {
    /// The process.
    pub consumer: ConsumerId,
    /// Which of its starts.
    pub incarnation: Incarnation,
}

/// Something that is due, when, and its place among what is due at the same time.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// When it is due.
    pub at: Time,
    order: u64,
    /// What is due.
    pub due: Due,
}

impl Entry {
    #[inline(always)]
    fn comes_before(&self, other: &Entry) -> bool {
        self.at < other.at || (self.at == other.at && self.order < other.order)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    /// The earliest is the greatest, so that a max-heap gives it first.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.order).cmp(&(self.at, self.order))
    }
}

/// How many kinds of things are mostly scheduled in the order in which they are due.
const LANES: usize = 4;

impl Due {
    /// The consumer process that this happens in, if it does: it waits while the process stands still. What arrives for a
    /// process is in the network.
    pub const fn happens_in(self) -> Option<MemberKey> {
        let (consumer, incarnation) = match self {
            Due::Application(consumer, incarnation)
            | Due::HandlingDone(consumer, incarnation)
            | Due::Worker(consumer, incarnation, _)
            | Due::Heartbeat(consumer, incarnation, _)
            | Due::PollCheck(consumer, incarnation)
            | Due::AutoCommit(consumer, incarnation)
            | Due::MetadataRefresh(consumer, incarnation)
            | Due::RequestTimeout(consumer, incarnation, ..) => (consumer, incarnation),
            Due::Deliver(_)
            | Due::Send(_)
            | Due::Sender(_)
            | Due::Metadata(_)
            | Due::Append(_)
            | Due::AnswerFetch(..)
            | Due::FetchExpires(..)
            | Due::StartConsumer(_)
            | Due::StartProducer(_)
            | Due::PendingCheck(..)
            | Due::SessionCheck(..)
            | Due::JoinPhase(..)
            | Due::BeginRebalance(_)
            | Due::CompleteJoin(_)
            | Due::StoreOffset(_)
            | Due::OffsetsCheck(_)
            | Due::SyncCheck(..)
            | Due::HeartbeatInHand(_)
            | Due::RevocationCheck(..)
            | Due::Script(_)
            | Due::ResetOffset(_) => return None,
        };
        Some(MemberKey { consumer, incarnation })
    }

    /// The lane of things that usually come in the order in which they are due: what happens at once, messages (one
    /// latency holds for all), heartbeats (mostly one interval), the end of handling.
    #[inline(always)]
    fn lane(self) -> Option<usize> {
        match self {
            Due::Append(_)
            | Due::AnswerFetch(..)
            | Due::Application(..)
            | Due::BeginRebalance(_)
            | Due::CompleteJoin(_)
            | Due::HeartbeatInHand(_)
            | Due::StoreOffset(_)
            | Due::ResetOffset(_) => Some(0),
            Due::Deliver(_) => Some(1),
            Due::Heartbeat(..) => Some(2),
            Due::HandlingDone(..) | Due::Worker(..) => Some(3),
            _ => None,
        }
    }
}

/// Everything that is due later.
///
/// What comes in order goes to a lane, which is a plain list; the rest goes to a heap. The next thing is the first of
/// all their firsts.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    lanes: [VecDeque<Entry>; LANES],
    heap: BinaryHeap<Entry>,
    scheduled: u64,
}

impl Queue {
    /// Schedules `due`, behind everything else that is due at the same time.
    #[inline(always)]
    pub fn push(&mut self, at: Time, due: Due) {
        let entry = Entry { at, order: self.scheduled, due };
        self.scheduled += 1;
        if let Some(lane) = due.lane()
            && self.lanes[lane].back().is_none_or(|last| last.at <= at)
        {
            self.lanes[lane].push_back(entry);
        } else {
            self.heap.push(entry);
        }
    }

    /// Reserves places in the order for `count` things that are scheduled later; returns the first.
    pub fn reserve(&mut self, count: u64) -> u64 {
        let first = self.scheduled;
        self.scheduled += count;
        first
    }

    /// Schedules `due` at a reserved place.
    pub fn push_at_place(&mut self, at: Time, place: u64, due: Due) {
        self.heap.push(Entry { at, order: place, due });
    }

    /// Schedules something that was due once more for later; it keeps its place in the order.
    pub fn put_off(&mut self, entry: Entry, at: Time) {
        self.heap.push(Entry { at, ..entry });
    }

    /// The next thing that is due, and its lane if it is in one.
    #[inline(always)]
    fn first(&self) -> Option<(&Entry, Option<usize>)> {
        let mut first = self.heap.peek().map(|entry| (entry, None));
        for (lane, entries) in self.lanes.iter().enumerate() {
            if let Some(entry) = entries.front()
                && first.is_none_or(|(first, _)| entry.comes_before(first))
            {
                first = Some((entry, Some(lane)));
            }
        }
        first
    }

    /// The next thing that is due.
    #[inline(always)]
    pub fn peek(&self) -> Option<&Entry> {
        self.first().map(|(entry, _)| entry)
    }

    /// Takes the next thing that is due.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Entry> {
        match self.first()? {
            (_, Some(lane)) => self.lanes[lane].pop_front(),
            (_, None) => self.heap.pop(),
        }
    }

    /// Everything that is due, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.lanes.iter().flatten().chain(&self.heap)
    }

    /// Moves each entry to the time that `place` gives it, or drops it; nothing else changes.
    pub fn reschedule(&mut self, mut place: impl FnMut(&Entry) -> Option<Time>) {
        let entries: Vec<Entry> = self.iter().copied().collect();
        self.lanes = Default::default();
        self.heap = entries.into_iter().filter_map(|entry| Some(Entry { at: place(&entry)?, ..entry })).collect();
    }
}

impl PartialEq for Queue {
    /// Equal if the same things are due in the same order, wherever they happen to be kept.
    fn eq(&self, other: &Self) -> bool {
        let in_order = |queue: &Queue| -> Vec<(Time, u64, Due)> {
            let mut entries: Vec<_> = queue.iter().map(|e| (e.at, e.order, e.due)).collect();
            entries.sort_unstable_by_key(|&(at, order, _)| (at, order));
            entries
        };
        self.scheduled == other.scheduled && in_order(self) == in_order(other)
    }
}
impl Eq for Queue {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earlier_comes_first_and_equal_times_keep_their_order() {
        let mut queue = Queue::default();
        queue.push(Time::from_micros(9), Due::Script(0));
        queue.push(Time::from_micros(3), Due::Script(1));
        queue.push(Time::from_micros(3), Due::Script(2));
        queue.push(Time::from_micros(1), Due::Script(3));
        let order: Vec<Due> = std::iter::from_fn(|| queue.pop().map(|entry| entry.due)).collect();
        assert_eq!(order, [Due::Script(3), Due::Script(1), Due::Script(2), Due::Script(0)]);
    }

    #[test]
    fn the_order_does_not_depend_on_where_things_are_kept() {
        let kinds =
            [Due::Deliver(0), Due::Script(0), Due::Heartbeat(ConsumerId(0), 1, 1), Due::StoreOffset(GroupId(0))];
        let mut queue = Queue::default();
        let mut expected = Vec::new();
        for order in 0..500u64 {
            let at = Time::from_micros(order * 7919 % 97 + order / 100 * 50);
            queue.push(at, kinds[(order * 31 % 4) as usize]);
            expected.push((at, order));
        }
        expected.sort_unstable();
        let popped: Vec<(Time, u64)> =
            std::iter::from_fn(|| queue.pop().map(|entry| (entry.at, entry.order))).collect();
        assert_eq!(popped, expected);
    }
}
