//! Reading the compiled form of what most stories do not have, by functions of their own: the page can then leave them out of
//! what it loads first.

use borsh::BorshDeserialize;
use borsh::io::{Error, ErrorKind, Read, Result};

/// A value.
#[inline(never)]
pub fn value<T: BorshDeserialize, R: Read>(reader: &mut R) -> Result<T> {
    T::deserialize_reader(reader)
}

/// A list, which is mostly empty.
#[inline(never)]
pub fn list<T: BorshDeserialize, R: Read>(reader: &mut R) -> Result<Vec<T>> {
    let count = u32::deserialize_reader(reader)?;
    (0..count).map(|_| value(reader)).collect()
}

/// Something that is mostly not there.
#[inline(never)]
pub fn option<T: BorshDeserialize, R: Read>(reader: &mut R) -> Result<Option<T>> {
    match u8::deserialize_reader(reader)? {
        0 => Ok(None),
        1 => value(reader).map(Some),
        _ => Err(Error::from(ErrorKind::InvalidData)),
    }
}
