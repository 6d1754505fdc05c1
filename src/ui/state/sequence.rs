//! How the sequence diagram is looked at.

/// What of it is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SequenceShown {
    /// True with heartbeats and fetches.
    pub chatter: bool,
    /// True as a list, and not as a drawing.
    pub as_list: bool,
}
