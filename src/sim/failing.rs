//! Handling that fails, and what an application does then. Ours, not Kafka's: in reality it is the code around the client.
//!
//! The ways are those of real applications and frameworks: an exception that ends the loop; one that is logged and forgotten,
//! for one record or for all that `poll()` has returned; trying again in the same place, or by `seek()` (as Spring's
//! `DefaultErrorHandler` does); a dead-letter or retry topic.

use super::event::AfterFailure;
use super::ids::*;
use super::target::HandlingOf;
use super::time::{Span, Time};
use borsh::{BorshDeserialize, BorshSerialize};

/// Records whose handling ends with an exception, as long as that lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Failing {
    /// Which records.
    pub of: HandlingOf,
    /// Handling that ends from here on fails.
    pub from: Time,
    /// Handling that ends here, or later, does not fail any more; [`Time::NEVER`] for a record that always fails.
    pub until: Time,
}

/// What the application does when the handling of a record has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct OnError {
    /// How it comes to the record again.
    pub retry: Retry,
    /// How often it tries a record in all, the first time included; [`OnError::FOR_EVER`] for no limit.
    pub tries: u32,
    /// How long its thread sleeps before the next try. It does not call `poll()` meanwhile.
    pub back_off: Span,
    /// Which tries it keeps count of.
    pub counts: Counts,
    /// What it does after the last try.
    pub then: GivesUp,
}

/// How a failed record is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Retry {
    /// In the same place: the records behind it wait.
    InPlace,
    /// `seek()` to it, and to the first record not handled of each other partition that `poll()` has returned: the next
    /// `poll()` returns them once more. It does so for the records behind one that it gives up, too.
    SeekBack,
}

/// Which failed tries an application keeps count of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Counts {
    /// Those of the record that fails in each partition.
    EachPartition,
    /// Those of the record that failed last: a record of another partition that fails meanwhile starts the count anew.
    OneRecord,
}

/// What becomes of a record that is not tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum GivesUp {
    /// The exception leaves the loop, and the application closes its consumer.
    Stop,
    /// It is logged, and the next record is handled.
    Skip,
    /// It is logged outside of the loop over the records: those behind it that `poll()` has returned are never handled
    /// either.
    LeaveLoop,
    /// A copy of it is sent by this producer, to a dead-letter topic or a retry topic; then as [`GivesUp::Skip`].
    SetAside(ProducerId),
    /// As [`GivesUp::Stop`], and then it is started again, [`OnError::back_off`] later.
    Restart,
}

impl OnError {
    /// Tries without a limit.
    pub const FOR_EVER: u32 = u32::MAX;

    /// An application that expects no exception.
    pub const STOP: OnError = OnError {
        retry: Retry::InPlace,
        tries: 1,
        back_off: Span::ZERO,
        counts: Counts::EachPartition,
        then: GivesUp::Stop,
    };

    /// How often it tries a record in all, if there is a limit.
    pub fn most_tries(&self) -> Option<u32> {
        (self.tries != Self::FOR_EVER).then_some(self.tries)
    }

    /// What kafkajs does with an exception that leaves `eachMessage`: it commits what is handled, waits, fetches again, and
    /// starts its consumer anew after five retries in vain (`src/retry/defaults.js`, `onCrash`). The random part of its
    /// waits is left out.
    pub const KAFKAJS: OnError = OnError {
        retry: Retry::SeekBack,
        tries: 6,
        back_off: Span::from_millis(300),
        counts: Counts::EachPartition,
        then: GivesUp::Restart,
    };

    /// The wait after so many failed tries where each is twice as long as the one before, with the bound of kafkajs.
    pub fn doubled_back_off(&self, tries: u32) -> Span {
        const MOST: Span = Span::from_secs(30);
        let doubled = self.back_off.as_micros().saturating_mul(1 << (tries.saturating_sub(1)).min(20));
        Span::from_micros(doubled).min(MOST)
    }

    /// True if a record that it gives up goes to another topic.
    pub const fn sets_aside(&self) -> bool {
        matches!(self.then, GivesUp::SetAside(_))
    }

    /// What it does after so many failed tries of a record.
    pub fn after(&self, tries: u32) -> AfterFailure {
        match (self.retry, self.then) {
            (Retry::InPlace, _) if tries < self.tries => AfterFailure::TriesAgain,
            (Retry::SeekBack, _) if tries < self.tries => AfterFailure::SeeksBack,
            (_, GivesUp::Stop) => AfterFailure::Stops,
            (_, GivesUp::Restart) => AfterFailure::Restarts,
            (_, GivesUp::Skip) => AfterFailure::Skips,
            (_, GivesUp::LeaveLoop) => AfterFailure::LeavesLoop,
            (_, GivesUp::SetAside(_)) => AfterFailure::SetsAside,
        }
    }
}
