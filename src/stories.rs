//! The stories that come with the page, as the build script has compiled them from `static/scenarios`.

use crate::scenario::{Scenario, compiled};
use std::rc::Rc;

const COMPILED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/stories"));

/// A story.
pub struct Story {
    /// Its name, that of its file and in links.
    pub name: String,
    /// What its file says.
    pub scenario: Rc<Scenario>,
}

/// All of them, in the order in which they are offered; the first is the one that `/` opens.
pub fn all() -> Vec<Story> {
    let stories: Vec<(String, Rc<Scenario>)> = compiled::decode(COMPILED).expect("a test decodes them");
    stories.into_iter().map(|(name, scenario)| Story { name, scenario }).collect()
}
