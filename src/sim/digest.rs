//! The digest of a run: SHA-256 over a canonical encoding of its steps.
//!
//! Numbers are written little-endian in their full width, variants as explicit numbers, so that the digest depends on
//! what happened and on nothing else.

use super::ids::*;
use super::log::Log;
use super::step::Step;
use super::time::Span;
use sha2::{Digest as _, Sha256};

/// Something with one fixed encoding.
pub trait Canonical {
    /// Appends the encoding to `out`.
    fn encode(&self, out: &mut Vec<u8>);
}

macro_rules! canonical_numbers {
    ($($ty:ty),*) => { $(
        impl Canonical for $ty {
            fn encode(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )* };
}
canonical_numbers!(u8, u16, u32, u64, i32);

macro_rules! canonical_ids {
    ($($ty:ty),*) => { $(
        impl Canonical for $ty {
            fn encode(&self, out: &mut Vec<u8>) {
                self.0.encode(out);
            }
        }
    )* };
}
canonical_ids!(
    BrokerId,
    ProducerId,
    ConsumerId,
    GroupId,
    TopicId,
    PartitionId,
    SinkId,
    RecordId,
    KeyId,
    ValueId,
    StepNo
);

impl<A: Canonical, B: Canonical> Canonical for (A, B) {
    fn encode(&self, out: &mut Vec<u8>) {
        self.0.encode(out);
        self.1.encode(out);
    }
}

impl Canonical for bool {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
}

impl Canonical for Span {
    fn encode(&self, out: &mut Vec<u8>) {
        self.as_micros().encode(out);
    }
}

/// The digest of the first `len` steps, in lower-case hexadecimal.
pub fn digest(steps: &Log<Step>, len: u32) -> String {
    let mut hasher = Sha256::new();
    let mut buffer = Vec::with_capacity(128);
    for step in (0..len).filter_map(|number| steps.get(number)) {
        buffer.clear();
        step.encode(&mut buffer);
        hasher.update(&buffer);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
