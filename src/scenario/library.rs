//! The scenarios that come with the program.

use super::{Mistake, Scenario, read};

/// A scenario that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name, that of its file and in links.
    pub name: &'static str,
    /// Its file.
    pub source: &'static str,
}

impl BuiltIn {
    /// Reads it. A test makes sure that no built-in one has mistakes.
    pub fn read(&self) -> Result<Scenario, Vec<Mistake>> {
        read(self.source)
    }
}

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        &[$(BuiltIn { name: $name, source: include_str!(concat!("../../static/scenarios/", $name, ".json")) }),*]
    };
}

/// All of them, in the order in which they are offered; the first is the one that `/` opens.
pub const BUILT_IN: &[BuiltIn] =
    built_in!["crash-before-commit", "crash-before-commit-unique-key", "recorded-crash-takeover"];

/// The built-in scenario with this name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|built_in| built_in.name == name)
}
