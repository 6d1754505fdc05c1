//! The stories that come with the page, as the build script has compiled them from `static/scenarios`.

use crate::scenario::{Localized, Scenario, compiled};
use std::rc::Rc;

const TITLES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/titles"));
const FIRST: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/first-story"));

/// A story.
pub struct Story {
    /// Its name, that of its file and in links.
    pub name: String,
    /// Its title.
    pub title: Localized,
    place: usize,
}

impl Story {
    /// What its file says.
    pub fn scenario(&self) -> Rc<Scenario> {
        match self.place {
            0 => Rc::new(compiled::decode(FIRST).expect("a test decodes it")),
            place => other(place - 1),
        }
    }
}

/// One of the others than the first, which are not needed to begin with.
#[inline(never)]
fn other(place: usize) -> Rc<Scenario> {
    const OTHERS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/other-stories"));
    let (_, others) = OTHERS.split_at(b"logstep-of-rest:".len());
    let others: Vec<Rc<Scenario>> = compiled::decode(others).expect("a test decodes them");
    others[place].clone()
}

/// All of them, in the order in which they are offered; the first is the one that `/` opens.
pub fn all() -> Vec<Story> {
    let titles: Vec<(String, Localized)> = compiled::decode(TITLES).expect("a test decodes them");
    titles.into_iter().enumerate().map(|(place, (name, title))| Story { name, title, place }).collect()
}
