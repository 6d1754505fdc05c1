//! What an application sends when its records are not listed one by one: when, with which key, how large. Integers
//! only.

use crate::sim::time::{Span, Time};
use borsh::{BorshDeserialize, BorshSerialize};
use rand::RngExt as _;
use rand::rngs::Xoshiro256PlusPlus;

/// When the records of a workload come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Arrivals {
    /// This many a second, evenly; at least one.
    PerSecond(u32),
    /// So many at once, every so often.
    Bursts {
        /// The records of a burst; at least one.
        records: u32,
        /// From one burst to the next.
        every: Span,
    },
}

impl Arrivals {
    /// When record `index`, counted from 0, is handed to `send()`; the first at `from`.
    pub fn at(self, from: Time, index: u32) -> Time {
        let index = u64::from(index);
        let after = match self {
            Arrivals::PerSecond(records) => index * 1_000_000 / u64::from(records),
            Arrivals::Bursts { records, every } => index / u64::from(records) * every.as_micros(),
        };
        from + Span::from_micros(after)
    }
}

/// Draws a key by its weight: its number, counted from 0, or nothing for a null key.
///
/// `cumulative_weights` holds for each key the sum of the weights up to and including it; null keys have a weight like
/// one more key, 0 if there are none. The sum of all is 1 to 2^32 - 1.
pub fn draw_key(cumulative_weights: &[u32], null_weight: u32, rng: &mut Xoshiro256PlusPlus) -> Option<u32> {
    let keyed = cumulative_weights.last().copied().unwrap_or(0);
    let drawn: u32 = rng.random_range(1..=keyed + null_weight);
    (drawn <= keyed).then(|| cumulative_weights.partition_point(|&sum| sum < drawn) as u32)
}

/// Draws a size in bytes, each from `least` to `most` being as likely. Where both are the same, nothing is drawn.
pub fn draw_size(least: u32, most: u32, rng: &mut Xoshiro256PlusPlus) -> u32 {
    if least < most { rng.random_range(least..=most) } else { least }
}
