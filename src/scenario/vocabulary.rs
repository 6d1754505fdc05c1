//! Keys and values of a file, each kept once.

use crate::sim::setup::Key;
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
    blocks: Vec<(String, KeyId, u32)>,
}

impl Vocabulary {
    /// A vocabulary with the keys of these workloads. A block that would repeat a key of another one is left out; the
    /// workload that asks for it learns so from [`Vocabulary::keys_with_prefix`].
    pub fn with_blocks(blocks: &[(&str, u32)]) -> Self {
        let mut vocabulary = Vocabulary::default();
        for &(prefix, count) in blocks {
            vocabulary.keys_with_prefix(prefix, count).ok();
        }
        vocabulary
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

    /// The keys `prefix1`, `prefix2`, ... in one block, as a workload draws them; the first of them. Workloads with the
    /// same prefix share their keys. A key that another prefix makes too is returned as an error.
    pub fn keys_with_prefix(&mut self, prefix: &str, count: u32) -> Result<KeyId, String> {
        let known = self.blocks.iter().find(|(other, _, other_count)| other == prefix && *other_count >= count);
        if let Some(&(_, first, _)) = known {
            return Ok(first);
        }
        let texts: Vec<String> = (1..=count).map(|number| format!("{prefix}{number}")).collect();
        if let Some(known) = texts.iter().find(|text| self.key_ids.contains_key(text.as_str())) {
            return Err(known.clone());
        }
        let first = KeyId::at(self.keys.len());
        for text in &texts {
            self.key(text);
        }
        self.blocks.push((prefix.to_owned(), first, count));
        Ok(first)
    }
}
