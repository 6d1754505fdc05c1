//! Versions of Kafka and of clients, and the defaults that depend on them.

use crate::sim::setup::Release;
use borsh::{BorshDeserialize, BorshSerialize};
use std::fmt;

/// A release line of Kafka, as in `3.6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, BorshSerialize, BorshDeserialize)]
pub struct Version {
    /// The first number.
    pub major: u8,
    /// The second number.
    pub minor: u8,
}

/// The release lines that there are: for each major version the last minor one.
const RELEASES: [(u8, u8); 3] = [(2, 8), (3, 9), (4, 4)];

impl Version {
    /// A version.
    pub const fn new(major: u8, minor: u8) -> Self {
        Version { major, minor }
    }

    /// Reads `major.minor` of a release line that exists.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.')?;
        Version::all().find(|version| version.major.to_string() == major && version.minor.to_string() == minor)
    }

    /// All release lines, the oldest first.
    pub fn all() -> impl Iterator<Item = Version> {
        RELEASES.iter().flat_map(|&(major, last)| (0..=last).map(move |minor| Version { major, minor }))
    }

    /// The release lines that can be named, by their ends: `2.0 ... 2.8`.
    pub fn allowed() -> Vec<String> {
        RELEASES.iter().map(|(major, last)| format!("{major}.0 ... {major}.{last}")).collect()
    }

    /// Since KIP-896, either side of version 4.0 or later needs the other to be 2.1 or later.
    pub fn speaks_with(self, other: Version) -> bool {
        let oldest = Version::new(2, 1);
        let modern = Version::new(4, 0);
        !(self >= modern && other < oldest || other >= modern && self < oldest)
    }

    /// It as a release line of the simulator.
    pub fn release(self) -> Release {
        (self.major, self.minor)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_release_lines_that_exist_are_read() {
        assert_eq!(Version::parse("3.6"), Some(Version::new(3, 6)));
        for wrong in ["2.9", "5.0", "4", "4.0.1", "04.0", " 4.0", ""] {
            assert_eq!(Version::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_client_before_2_1_does_not_speak_with_a_broker_from_4_0_on() {
        assert!(!Version::new(2, 0).speaks_with(Version::new(4, 0)));
        assert!(!Version::new(4, 1).speaks_with(Version::new(2, 0)));
        assert!(Version::new(2, 1).speaks_with(Version::new(4, 4)));
    }
}
