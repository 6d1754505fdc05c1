//! The application around a consumer: how it handles records, and when it commits. Ours, not Kafka's.

use crate::sim::digest::Canonical;
use crate::sim::failing::{Failing, OnError};
use crate::sim::ids::*;
use crate::sim::setup::TopicPartition;
use crate::sim::target::HandlingOf;
use crate::sim::time::{Span, Time};
use borsh::{BorshDeserialize, BorshSerialize};

/// What the application does with a record. Ours, not Kafka's.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Handling {
    /// How long one record takes.
    pub time: Span,
    /// Records that take another time, what says most of a record first: the first that fits counts.
    pub times: Vec<(HandlingOf, Span)>,
    /// Records whose handling fails.
    #[borsh(deserialize_with = "crate::sim::apart::list")]
    pub fails: Vec<Failing>,
    /// What it does then.
    pub on_error: OnError,
    /// The workers that handle its records; without them the thread that polls does.
    #[borsh(deserialize_with = "crate::sim::apart::option")]
    pub pool: Option<Pool>,
    /// When it commits.
    pub commit: CommitPolicy,
    /// The table that each record is written to, at the end of its handling.
    pub writes_to: Option<SinkId>,
    /// How it keeps its offsets in the database of that table, if it does.
    #[borsh(deserialize_with = "crate::sim::apart::option")]
    pub offset_store: Option<OffsetStore>,
}

impl Handling {
    /// How long a record takes, by its key and its place.
    pub fn time_of(&self, key: Option<KeyId>, place: TopicPartition, offset: Offset) -> Span {
        self.time_for(self.records_like(key, place, offset))
    }

    /// Whether the handling of a record fails that ends now.
    pub fn fails(&self, key: Option<KeyId>, place: TopicPartition, offset: Offset, now: Time) -> bool {
        let lasts = |failing: &Failing| (failing.from..failing.until).contains(&now);
        self.fails.iter().any(|failing| failing.of.fits(key, place, offset) && lasts(failing))
    }

    /// The records among which it is that have a time of their own.
    pub fn records_like(&self, key: Option<KeyId>, place: TopicPartition, offset: Offset) -> HandlingOf {
        let found = self.times.iter().find(|&&(of, _)| of.fits(key, place, offset));
        found.map_or(HandlingOf::Every, |&(of, _)| of)
    }

    /// How long these records take.
    pub fn time_for(&self, of: HandlingOf) -> Span {
        self.times.iter().find(|&&(other, _)| other == of).map_or(self.time, |&(_, time)| time)
    }

    /// From now on these records take this time.
    pub fn set_time(&mut self, of: HandlingOf, time: Span) {
        self.times.retain(|&(other, _)| other != of);
        match of {
            HandlingOf::Every => self.time = time,
            _ => {
                let before = self.times.partition_point(|(other, _)| other.rank() < of.rank());
                self.times.insert(before, (of, time));
            }
        }
    }
}

/// Workers that handle records beside the thread that polls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Pool {
    /// How many; at least 1.
    pub workers: u16,
    /// So many records may wait for a worker before the application pauses its partitions; at least 1. What one `poll()`
    /// returns is handed over as a whole.
    pub queue: u32,
    /// What becomes of the records of partitions that are given up.
    pub revoked: Revoked,
}

/// What workers do with records of partitions that their consumer gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Revoked {
    /// They put them down, unfinished.
    Stops,
    /// Nobody tells them: they finish all of them.
    GoesOn,
}

/// How an application keeps its offsets in the database of its table: at an assignment it reads them there and calls
/// `seek()`. Kafka is told nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct OffsetStore {
    /// When they are stored.
    pub when: StoreWhen,
    /// Which number is stored.
    pub holds: Holds,
    /// Where it seeks.
    pub seeks: Seeks,
}

/// When an application stores its offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum StoreWhen {
    /// With each row, in one transaction: either both are there or neither is.
    WithRow,
    /// Where it would commit otherwise.
    LikeCommits,
}

/// Which number an application stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Holds {
    /// The next offset to handle.
    Next,
    /// The last one that is handled.
    Last,
}

/// Where an application seeks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Seeks {
    /// To the number that is stored.
    AsStored,
    /// To the one after it.
    OneAfter,
}

impl OffsetStore {
    /// The number that is stored where `next` is to be handled next; nothing where nothing is handled.
    pub const fn value_of(self, next: Offset) -> Option<Offset> {
        match self.holds {
            Holds::Next => Some(next),
            Holds::Last => next.checked_sub(1),
        }
    }

    /// Where it goes on.
    pub const fn start(self, stored: Offset) -> Offset {
        match self.seeks {
            Seeks::AsStored => stored,
            Seeks::OneAfter => stored + 1,
        }
    }

    /// True if both sides add one, so that a record is passed over at each start.
    pub const fn passes_over_one(self) -> bool {
        matches!((self.holds, self.seeks), (Holds::Next, Seeks::OneAfter))
    }
}

/// When the application commits by itself, whatever `enable.auto.commit` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct CommitPolicy {
    /// The place in its loop.
    pub when: CommitWhen,
    /// Which call it makes there.
    pub how: CommitHow,
    /// `commitSync()` in `onPartitionsRevoked()`.
    pub on_revoke: bool,
    /// `commitSync()` before `close()`.
    pub on_close: bool,
    /// Which offset it commits.
    pub offset: CommitOffset,
}

/// Which offset an application commits, where it commits what it has processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum CommitOffset {
    /// The one behind the last record up to which all are processed. With one thread that is the one behind the last record.
    Contiguous,
    /// The one behind the last record that is processed, whatever lies unfinished before it.
    Highest,
    /// That of the last record up to which all are processed, which is one too small: it is read again.
    Own,
}

/// The place in the application's loop where it commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum CommitWhen {
    /// Nowhere.
    Never,
    /// Right behind `poll()`, before the first record is handled: what `poll()` has returned. A call without arguments.
    BeforeBatch,
    /// After this many records: what has been processed since the last time. The call passes these offsets,
    /// `commitSync(Map)`.
    AfterRecords(u32),
    /// Behind the last record that `poll()` has returned. A call without arguments.
    AfterBatch,
    /// After this many records or so long after its last commit, whichever comes first, if it has processed any. What it has
    /// processed meanwhile is buffered, as the clients of kafkajs do it and as Spring's `AckMode.COUNT_TIME` does.
    RecordsOrTime {
        /// How many; [`CommitWhen::NO_COUNT`] for no limit.
        records: u32,
        /// How long.
        time: Span,
    },
}

impl CommitWhen {
    /// However many records.
    pub const NO_COUNT: u32 = u32::MAX;

    /// True for an application that counts the records which it has processed, and passes their offsets to the call.
    pub const fn is_by_the_record(self) -> bool {
        matches!(self, CommitWhen::AfterRecords(_) | CommitWhen::RecordsOrTime { .. })
    }
}

/// Which call the application makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum CommitHow {
    /// `commitSync()`: waits for the answer, and throws if it is an error.
    Sync,
    /// `commitAsync()`: goes on at once; a later `poll()` calls the callback, and nothing is sent again.
    Async,
    /// The same with a callback that sends the same offsets again if a new attempt may help, whatever has been committed
    /// since.
    AsyncRetry,
}

impl Canonical for CommitPolicy {
    fn encode(&self, out: &mut Vec<u8>) {
        match self.when {
            CommitWhen::Never => (0u8, 0u32),
            CommitWhen::BeforeBatch => (1u8, 0),
            CommitWhen::AfterRecords(records) => (2u8, records),
            CommitWhen::AfterBatch => (3u8, 0),
            CommitWhen::RecordsOrTime { records, .. } => (4u8, records),
        }
        .encode(out);
        if let CommitWhen::RecordsOrTime { time, .. } = self.when {
            time.as_micros().encode(out);
        }
        (self.how as u8, (self.on_revoke, self.on_close)).encode(out);
        (self.offset as u8).encode(out);
    }
}

impl CommitPolicy {
    /// `commitSync()` after this many records, and nowhere else.
    pub const fn after_records(records: u32) -> Self {
        let when = CommitWhen::AfterRecords(records);
        CommitPolicy { when, how: CommitHow::Sync, on_revoke: false, on_close: false, offset: CommitOffset::Contiguous }
    }
}
