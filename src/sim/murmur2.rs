//! The hash by which a Java client picks the partition of a keyed record.
//!
//! Source: `org.apache.kafka.common.utils.Utils#murmur2` and `#toPositive`,
//! `org.apache.kafka.clients.producer.internals.BuiltInPartitioner#partitionForKey`.

const SEED: u32 = 0x9747_b28c;
const M: u32 = 0x5bd1_e995;
const R: u32 = 24;

/// The 32-bit murmur2 hash of the serialized key, signed as Java shows it.
pub fn murmur2(key: &[u8]) -> i32 {
    let mut hash = SEED ^ key.len() as u32;
    let mut words = key.chunks_exact(4);
    for word in &mut words {
        let mut k = u32::from_le_bytes([word[0], word[1], word[2], word[3]]).wrapping_mul(M);
        k ^= k >> R;
        hash = hash.wrapping_mul(M) ^ k.wrapping_mul(M);
    }
    let tail = words.remainder();
    if !tail.is_empty() {
        for (place, byte) in tail.iter().enumerate() {
            hash ^= u32::from(*byte) << (8 * place);
        }
        hash = hash.wrapping_mul(M);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(M);
    hash ^= hash >> 15;
    hash as i32
}

/// Clears the sign bit, as Kafka does; this is not the absolute value.
pub const fn to_positive(hash: i32) -> u32 {
    hash as u32 & 0x7fff_ffff
}

/// The number of the partition, out of `partitions`, that a key with this hash goes to.
pub const fn partition_for_hash(hash: i32, partitions: u32) -> u32 {
    to_positive(hash) % partitions
}
