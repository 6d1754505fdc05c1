//! How many bytes a record and a batch take, as a Java producer reckons them: format version 2, no headers, no
//! compression.
//!
//! Source: `org.apache.kafka.common.record.DefaultRecord#sizeInBytes`, `#recordSizeUpperBound`, `DefaultRecordBatch`,
//! `ByteUtils#sizeOfVarlong`.

/// What a batch takes before its first record.
pub const BATCH_OVERHEAD: u32 = 61;

/// The most that a record takes besides its key and value and their lengths.
const MOST_RECORD_OVERHEAD: u32 = 21;

/// The sizes of a record's serialized key and value in bytes; nothing for null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordSize {
    /// Of the key.
    pub key: Option<u32>,
    /// Of the value.
    pub value: Option<u32>,
}

impl RecordSize {
    /// Its bytes as number `offset_delta` of a batch, counted from 0, `timestamp_delta` milliseconds after the first.
    pub fn within_batch(self, offset_delta: u32, timestamp_delta: u64) -> u32 {
        let attributes = 1;
        let body = attributes + varint(timestamp_delta) + varint(offset_delta.into()) + self.payload();
        varint(body.into()) + body
    }

    /// An upper bound of a batch that holds only this record; what `max.request.size` is compared with in `send()`, and
    /// the memory that is set aside for a batch if it is more than `batch.size`.
    ///
    /// Source: `AbstractRecords#estimateSizeInBytesUpperBound`, `KafkaProducer#ensureValidRecordSize`.
    pub fn alone_at_most(self) -> u32 {
        BATCH_OVERHEAD + MOST_RECORD_OVERHEAD + self.payload()
    }

    fn payload(self) -> u32 {
        let no_headers = 1;
        with_length(self.key) + with_length(self.value) + no_headers
    }
}

/// A field behind its length; null is the length -1.
fn with_length(bytes: Option<u32>) -> u32 {
    bytes.map_or(1, |bytes| varint(bytes.into()) + bytes)
}

/// The bytes of a number that is not negative in zigzag encoding, seven bits a byte.
fn varint(number: u64) -> u32 {
    let bits = 64 - (number << 1).leading_zeros();
    bits.div_ceil(7).max(1)
}
