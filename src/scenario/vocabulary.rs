//! Keys and values of a file, each kept once.

use crate::sim::setup::Key;
use crate::sim::{KeyId, ValueId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Keys and values in the order in which they come.
#[derive(Default)]
pub(super) struct Vocabulary {
    pub keys: Vec<Key>,
    pub values: Vec<Rc<str>>,
    key_ids: BTreeMap<Rc<str>, KeyId>,
    value_ids: BTreeMap<Rc<str>, ValueId>,
    blocks: Vec<(String, KeyId, u32)>,
}

impl Vocabulary {
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
    /// same prefix share their keys. A key that is there already outside of such a block is returned as an error.
    pub fn keys_with_prefix(&mut self, prefix: &str, count: u32) -> Result<KeyId, String> {
        let known = self.blocks.iter().find(|(other, _, other_count)| other == prefix && *other_count >= count);
        if let Some(&(_, first, _)) = known {
            return Ok(first);
        }
        let first = KeyId::at(self.keys.len());
        for number in 1..=count {
            let text = format!("{prefix}{number}");
            if self.key_ids.contains_key(text.as_str()) {
                return Err(text);
            }
            self.key(&text);
        }
        self.blocks.push((prefix.to_owned(), first, count));
        Ok(first)
    }
}
