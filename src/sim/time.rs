//! Virtual time: whole microseconds since the start of the run.

use borsh::{BorshDeserialize, BorshSerialize};
use std::ops::{Add, AddAssign, Sub};

/// A moment of simulated time, in microseconds since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize)]
pub struct Time(u64);

/// A length of simulated time, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize)]
pub struct Span(u64);

impl Time {
    /// The start of the run.
    pub const ZERO: Time = Time(0);
    /// Later than any run ends.
    pub const NEVER: Time = Time(u64::MAX);

    /// The moment that lies `micros` microseconds after the start.
    pub const fn from_micros(micros: u64) -> Self {
        Time(micros)
    }

    /// Microseconds since the start.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// The time that has passed since `earlier`; zero if `earlier` is later.
    pub const fn since(self, earlier: Time) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// A span of `micros` microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Span(micros)
    }

    /// A span of `millis` milliseconds, the unit of Kafka's `*.ms` settings.
    pub const fn from_millis(millis: u64) -> Self {
        Span(millis * 1_000)
    }

    /// A span of whole seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Span(secs * 1_000_000)
    }

    /// The length in microseconds.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// The length in milliseconds, rounded down.
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000
    }

    /// The least multiple of a span that is not shorter; `unit` is not zero.
    pub const fn rounded_up(self, unit: Span) -> Span {
        Span(self.0.div_ceil(unit.0) * unit.0)
    }

    /// The difference to a shorter span; zero if `other` is longer.
    pub const fn saturating_sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0 + span.0)
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        self.0 += span.0;
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    fn sub(self, span: Span) -> Time {
        Time(self.0.saturating_sub(span.0))
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        self.0 += other.0;
    }
}
