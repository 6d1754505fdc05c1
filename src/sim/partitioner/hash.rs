//! The hashes by which clients pick the partition of a keyed record.
//!
//! All work on the exact bytes of the serialized key; the text "42" and the number 42 are two keys.

const SEED: u32 = 0x9747_b28c;
const M: u32 = 0x5bd1_e995;
const R: u32 = 24;

/// The 32-bit murmur2 hash of the serialized key, signed as Java shows it.
///
/// Source: `org.apache.kafka.common.utils.Utils#murmur2`. librdkafka (`rdmurmur2.c`), kafka-python and kafkajs 2 have
/// ports of it that give the same values.
pub fn murmur2(key: &[u8]) -> i32 {
    murmur2_from(SEED, key)
}

/// A hash of the key that depends on a salt, like a language's own hash that is salted when its process starts.
///
/// CPython uses SipHash there; what matters is only that it stays the same within a process and not beyond it. As in
/// CPython, nothing hashes to 0 whatever the salt.
pub fn salted(salt: u32, key: &[u8]) -> u32 {
    if key.is_empty() { 0 } else { murmur2_from(salt, key) as u32 }
}

fn murmur2_from(seed: u32, key: &[u8]) -> i32 {
    let mut hash = seed ^ key.len() as u32;
    let mut words = key.chunks_exact(4);
    for word in &mut words {
        let mut k = u32::from_le_bytes([word[0], word[1], word[2], word[3]]).wrapping_mul(M);
        k ^= k >> R;
        hash = hash.wrapping_mul(M) ^ k.wrapping_mul(M);
    }
    let tail = words.remainder();
    if !tail.is_empty() {
        hash = (hash ^ little_endian(tail)).wrapping_mul(M);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(M);
    hash ^= hash >> 15;
    hash as i32
}

/// The hash of kafkajs 1 and of `LegacyPartitioner` in kafkajs 2: murmur2 with JavaScript's numbers.
///
/// They keep 53 bits of a product, so its low bits are rounded away before they are used; and the last bytes of a key
/// whose length is no multiple of four are mixed in twice. Source: kafkajs 1,
/// `src/producer/partitioners/default/murmur2.js`.
pub fn kafkajs_legacy(key: &[u8]) -> i32 {
    let mut hash = SEED ^ key.len() as u32;
    for word in key.chunks(4) {
        let mut k = javascript_product(little_endian(word));
        k ^= k >> R;
        hash = javascript_product(hash) ^ javascript_product(k);
    }
    let tail = key.chunks_exact(4).remainder();
    if !tail.is_empty() {
        hash = javascript_product(hash ^ little_endian(tail));
    }
    hash ^= hash >> 13;
    hash = javascript_product(hash);
    hash ^= hash >> 15;
    hash as i32
}

/// The low 32 bits of `value * M`, the signed product being rounded to 53 bits, ties to even, as a JavaScript number
/// is.
fn javascript_product(value: u32) -> u32 {
    let product = i64::from(value as i32) * i64::from(M);
    let size = product.unsigned_abs();
    let lost_bits = (64 - size.leading_zeros()).saturating_sub(53);
    let unit = 1u64 << lost_bits;
    let (kept, rest) = (size & !(unit - 1), size & (unit - 1));
    let odd = kept & unit != 0;
    let rounded = if rest * 2 > unit || (rest * 2 == unit && odd) { kept + unit } else { kept };
    let low = rounded as u32;
    if product < 0 { low.wrapping_neg() } else { low }
}

fn little_endian(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
}

/// CRC-32 as in Ethernet and zip, reflected polynomial 0xedb88320.
///
/// Source: librdkafka, `rdcrc32.c`. Bit by bit: keys are short, and a table costs a kilobyte.
#[inline(never)]
pub fn crc32(key: &[u8]) -> u32 {
    let mut crc = !0u32;
    for byte in key {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
        }
    }
    !crc
}

/// 32-bit FNV-1a, of which librdkafka takes the absolute value to agree with Sarama's hash partitioner.
///
/// Source: librdkafka, `rdfnv1a.c`.
pub fn fnv1a(key: &[u8]) -> u32 {
    let hash = key.iter().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    (hash as i32).unsigned_abs()
}

/// Clears the sign bit, as Kafka does (`Utils#toPositive`); this is not the absolute value.
pub const fn to_positive(hash: i32) -> u32 {
    hash as u32 & 0x7fff_ffff
}

/// The number of the partition, out of `partitions`, that a key with this hash goes to.
///
/// Source: `org.apache.kafka.clients.producer.internals.BuiltInPartitioner#partitionForKey`.
pub const fn partition_for_hash(hash: i32, partitions: u32) -> u32 {
    to_positive(hash) % partitions
}
