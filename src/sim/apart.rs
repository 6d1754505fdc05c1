//! Reading the compiled form of what most stories do not have, by functions of their own: the page can then leave them out of
//! what it loads first.

use super::ClientId;
use super::action::Action;
use super::partitioner::{BuiltIn, Partitioner};
use super::setup::{GroupProtocol, Library};
use borsh::BorshDeserialize;
use borsh::de::EnumExt;
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

/// An action. Of what the first story plans there is one kind: a client crashes.
pub fn action<R: Read>(reader: &mut R) -> Result<Action> {
    match u8::deserialize_reader(reader)? {
        CRASH => ClientId::deserialize_reader(reader).map(Action::Crash),
        kind => variant(reader, kind),
    }
}

/// What stands for [`Action::Crash`]: its place among the variants.
const CRASH: u8 = 0;

/// How a producer picks partitions. That of the first story is Java's built-in partitioner.
pub fn partitioner<R: Read>(reader: &mut R) -> Result<Partitioner> {
    match u8::deserialize_reader(reader)? {
        0 => BuiltIn::deserialize_reader(reader).map(Partitioner::BuiltIn),
        kind => variant(reader, kind),
    }
}

/// The library of a consumer. That of the first story is Java's.
pub fn library<R: Read>(reader: &mut R) -> Result<Library> {
    match u8::deserialize_reader(reader)? {
        0 => Ok(Library::Java),
        kind => variant(reader, kind),
    }
}

/// The protocol of a group. That of the first story is the classic one.
pub fn group_protocol<R: Read>(reader: &mut R) -> Result<GroupProtocol> {
    match u8::deserialize_reader(reader)? {
        0 => Ok(GroupProtocol::Classic),
        kind => variant(reader, kind),
    }
}

#[inline(never)]
fn variant<T: EnumExt, R: Read>(reader: &mut R, kind: u8) -> Result<T> {
    T::deserialize_variant(reader, kind)
}
