//! Keys and values of a file, each kept once.

use super::mistake::Problem;
use super::reader::{Place, Reader};
use super::values::shortened;
use crate::sim::setup::{Key, bounds};
use crate::sim::{KeyId, ValueId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Keys and values: first the keys of workloads, then all others in the order in which they come.
#[derive(Default)]
pub(super) struct Vocabulary {
    pub keys: Vec<Key>,
    pub values: Vec<Rc<str>>,
    key_ids: BTreeMap<Rc<str>, KeyId>,
    value_ids: BTreeMap<Rc<str>, ValueId>,
    blocks: Vec<(String, Block)>,
    /// True if there can be no others, since a run has begun with these.
    is_closed: bool,
}

/// The keys `prefix1`, `prefix2`, ... of the workloads with one prefix.
#[derive(Clone)]
pub(super) enum Block {
    /// They are there, from this one on.
    From(KeyId),
    /// This key is one of another prefix too.
    Overlaps(String),
    /// They would be more keys than all workloads together may have.
    TooMany,
}

impl Vocabulary {
    /// A vocabulary with the keys of workloads: prefixes and how many keys each has.
    pub fn with_blocks(blocks: &[(&str, u32)]) -> Self {
        let mut vocabulary = Vocabulary::default();
        for &(prefix, count) in blocks {
            let block = vocabulary.make_block(prefix, count);
            vocabulary.blocks.push((prefix.to_owned(), block));
        }
        vocabulary
    }

    /// The vocabulary of a run.
    pub fn closed(keys: &[Key], values: &[Rc<str>]) -> Self {
        let mut vocabulary = Vocabulary::default();
        for key in keys {
            vocabulary.key(&key.text);
        }
        for value in values {
            vocabulary.value(value);
        }
        Vocabulary { is_closed: true, ..vocabulary }
    }

    fn make_block(&mut self, prefix: &str, count: u32) -> Block {
        if self.keys.len() + count as usize > bounds::KEYS as usize {
            return Block::TooMany;
        }
        let texts: Vec<String> = (1..=count).map(|number| format!("{prefix}{number}")).collect();
        if let Some(known) = texts.iter().find(|text| self.key_ids.contains_key(text.as_str())) {
            return Block::Overlaps(known.clone());
        }
        let first = KeyId::at(self.keys.len());
        for text in &texts {
            self.key(text);
        }
        Block::From(first)
    }

    /// The keys of the workloads with this prefix.
    pub fn block(&self, prefix: &str) -> Option<Block> {
        self.blocks.iter().find(|(other, _)| other == prefix).map(|(_, block)| block.clone())
    }

    /// Reads a key. One that there cannot be is reported.
    pub fn read_key<'t>(&mut self, r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<KeyId> {
        let text = r.string(place.clone())?;
        if self.is_closed && !self.key_ids.contains_key(text) {
            refuse(r, &place?, text, self.keys.iter().map(|key| &*key.text));
            return None;
        }
        Some(self.key(text))
    }

    /// Reads a value, in the same way.
    pub fn read_value<'t>(&mut self, r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<ValueId> {
        let text = r.string(place.clone())?;
        if self.is_closed && !self.value_ids.contains_key(text) {
            refuse(r, &place?, text, self.values.iter().map(|value| &**value));
            return None;
        }
        Some(self.value(text))
    }

    pub fn key(&mut self, text: &str) -> KeyId {
        if let Some(&id) = self.key_ids.get(text) {
            return id;
        }
        let id = KeyId::at(self.keys.len());
        let key = Key::new(text);
        self.key_ids.insert(key.text.clone(), id);
        self.keys.push(key);
        id
    }

    pub fn value(&mut self, text: &str) -> ValueId {
        if let Some(&id) = self.value_ids.get(text) {
            return id;
        }
        let id = ValueId::at(self.values.len());
        let value: Rc<str> = text.into();
        self.value_ids.insert(value.clone(), id);
        self.values.push(value);
        id
    }
}

fn refuse<'t, 'n>(
    r: &mut Reader<'t>,
    place: &Place<'t>,
    found: &str,
    there_are: impl Iterator<Item = &'n str> + Clone,
) {
    let suggestion = r.nearest(found, there_are.clone());
    r.report(place, Problem::NotOneOf { found: found.to_owned(), allowed: shortened(there_are), suggestion });
}
