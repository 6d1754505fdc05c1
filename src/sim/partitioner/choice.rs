//! How the partition of a record was chosen: what a record keeps of it, so that explaining never needs the client's
//! state.

use super::hash;

/// How the partition of a record was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The application has set it.
    Explicit,
    /// The hash, modulo the number of partitions.
    Hash(KeyHash),
    /// It stays on one partition for `batch.size` bytes.
    StickyByBytes {
        /// Bytes that have gone there since it was chosen, this record included.
        bytes: u32,
        /// True for the first record there.
        is_first: bool,
    },
    /// It stays on one partition until a batch is opened there.
    StickyByBatch {
        /// True for the first record there.
        is_first: bool,
    },
    /// It stays on one partition for `sticky.partitioning.linger.ms`.
    StickyByTime {
        /// True for the first record there.
        is_first: bool,
    },
    /// The partitions take turns; the number of this turn, from where the client started, without its sign bit.
    InTurn(u32),
    /// Any partition.
    Random,
}

/// A hash function of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyHash {
    /// Murmur2 without its sign bit.
    Murmur2,
    /// Murmur2 with its top bit, which is wrong.
    UnmaskedMurmur2,
    /// CRC-32.
    Crc32,
    /// The absolute value of FNV-1a.
    Fnv1a,
    /// Murmur2 with JavaScript's numbers, without its sign bit.
    KafkaJsLegacy,
    /// The language's own hash, salted with this number.
    Salted(u32),
}

impl KeyHash {
    /// The number that is divided by the number of partitions. A missing key, where it is hashed, is an empty one; only
    /// a salted hash tells the two apart.
    pub fn of(self, key: Option<&[u8]>) -> u32 {
        let bytes = key.unwrap_or_default();
        match self {
            KeyHash::Murmur2 => hash::to_positive(hash::murmur2(bytes)),
            KeyHash::UnmaskedMurmur2 => hash::murmur2(bytes) as u32,
            KeyHash::Crc32 => hash::crc32(bytes),
            KeyHash::Fnv1a => hash::fnv1a(bytes),
            KeyHash::KafkaJsLegacy => hash::to_positive(hash::kafkajs_legacy(bytes)),
            KeyHash::Salted(salt) => key.map_or(salt, |key| hash::salted(salt, key)),
        }
    }

    /// Its short name.
    pub const fn name(self) -> &'static str {
        match self {
            KeyHash::Murmur2 | KeyHash::UnmaskedMurmur2 => "murmur2",
            KeyHash::Crc32 => "crc32",
            KeyHash::Fnv1a => "fnv1a",
            KeyHash::KafkaJsLegacy => "murmur2 (JS)",
            KeyHash::Salted(_) => "hash",
        }
    }
}
