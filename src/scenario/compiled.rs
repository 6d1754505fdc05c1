//! The compiled form: what a file says, in bytes. The page has no JSON; it gets this from its own build and from the reader.
//! The form has no version: whoever writes it and whoever reads it are built together.

use borsh::io::{ErrorKind, Read, Result};
use borsh::{BorshDeserialize, BorshSerialize};

/// A value in bytes.
pub fn encode(value: &impl BorshSerialize) -> Vec<u8> {
    borsh::to_vec(value).expect("a list of bytes takes whatever is written to it")
}

/// The value of some bytes; nothing if they are not one from the first to the last. References inside it, such as the number of a
/// topic, are not looked up: the reader has made sure that they exist.
pub fn decode<T: BorshDeserialize>(bytes: &[u8]) -> Option<T> {
    let mut rest = Bytes(bytes);
    let value = T::deserialize_reader(&mut rest).ok()?;
    rest.0.is_empty().then_some(value)
}

/// The bytes that have not been read yet. A reader of our own, because that of borsh becomes part of the code of each field.
struct Bytes<'b>(&'b [u8]);

impl Read for Bytes<'_> {
    #[inline(never)]
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let count = into.len().min(self.0.len());
        self.read_exact(&mut into[..count])?;
        Ok(count)
    }

    #[inline(never)]
    fn read_exact(&mut self, into: &mut [u8]) -> Result<()> {
        let (read, rest) = self.0.split_at_checked(into.len()).ok_or(ErrorKind::InvalidData)?;
        into.copy_from_slice(read);
        self.0 = rest;
        Ok(())
    }
}
