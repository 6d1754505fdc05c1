//! What is looked at beside the stage, and what is selected there and everywhere.

mod records;

pub use records::{AskedOfRecords, Records};

use super::sequence::SequenceShown;
use super::sweeping::AskedOfSweep;
use crate::explain::lag::LagHistory;
use crate::history::BranchId;
use crate::scene::Subject;
use crate::sim::{RecordId, Simulation, Time};

/// A view of the run beside the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// Why the last step happened.
    #[default]
    Why,
    /// What became of each record.
    Records,
    /// Who said what to whom.
    Sequence,
    /// How far behind each partition was, over time.
    Lag,
    /// All settings.
    Settings,
    /// The lab, in which the world is built.
    Build,
    /// Many runs that differ from this one.
    Sweep,
}

impl Pane {
    /// All of them, as they are offered.
    pub const ALL: [Pane; 7] =
        [Pane::Why, Pane::Records, Pane::Sequence, Pane::Lag, Pane::Settings, Pane::Sweep, Pane::Build];
}

/// What is selected: marked on the stage and in every view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selected {
    /// A record.
    Record(RecordId),
    /// What can be acted on.
    Subject(Subject),
}

/// What a person asks of the views.
#[derive(Clone, Debug, PartialEq)]
pub enum Inspect {
    /// Opens a view.
    Open(Pane),
    /// Selects something, or nothing any more.
    Select(Option<Selected>),
    /// Selects a record and opens the view that says what became of it.
    Record(RecordId),
    /// Shows the lag of a shorter stretch of time: the whole run, halved so often.
    Zoom(u8),
    /// Goes to a moment.
    At(Time),
    /// Asks something of the table of records.
    Records(AskedOfRecords),
    /// Shows more or less of the sequence diagram.
    Sequence(SequenceShown),
    /// Asks something of the sweep.
    Sweep(AskedOfSweep),
}

/// The views beside the stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inspector {
    /// The one that is open.
    pub pane: Pane,
    /// What is selected.
    pub selected: Option<Selected>,
    /// How often the time that the lag is shown of has been halved.
    pub zoom: u8,
    /// The table of records.
    pub records: Records,
    /// How the sequence diagram is looked at.
    pub sequence: SequenceShown,
}

impl Inspector {
    /// The record that is selected, if one is.
    pub fn record(&self) -> Option<RecordId> {
        match self.selected? {
            Selected::Record(record) => Some(record),
            Selected::Subject(_) => None,
        }
    }

    /// What that can be acted on is selected, if anything is.
    pub fn subject(&self) -> Option<Subject> {
        match self.selected? {
            Selected::Record(_) => None,
            Selected::Subject(subject) => Some(subject),
        }
    }

    /// What that can be acted on is marked on the stage: what is selected, while a view shows it, too.
    pub fn marked(&self) -> Option<Subject> {
        self.subject().filter(|_| self.pane != Pane::Why)
    }

    /// Another world is opened: nothing of this one is selected or wanted.
    #[inline(never)]
    pub fn leave(&mut self) {
        (self.selected, self.zoom) = (None, 0);
        self.records.apply(AskedOfRecords::ShowAll);
    }

    /// Does what was asked for.
    #[inline(never)]
    pub fn apply(&mut self, asked: Inspect) {
        match asked {
            Inspect::Open(pane) => self.pane = pane,
            Inspect::Select(selected) => self.selected = selected,
            Inspect::Zoom(zoom) => self.zoom = zoom,
            // That is the playback's, and the sweep's.
            Inspect::At(_) | Inspect::Sweep(_) => {}
            Inspect::Record(record) => {
                (self.pane, self.selected) = (Pane::Records, Some(Selected::Record(record)));
                self.records.page = None;
            }
            Inspect::Records(asked) => self.records.apply(asked),
            Inspect::Sequence(shown) => self.sequence = shown,
        }
    }
}

/// The lag of the branch that is looked at, which is made known as far as the branch is.
#[derive(Default)]
pub struct Lags {
    /// Of which of the scenarios opened so far, and of which branch.
    of: (u32, BranchId),
    /// What changes it.
    pub history: LagHistory,
}

impl Lags {
    /// Brings it up to date.
    #[inline(never)]
    pub fn advance(&mut self, of: (u32, BranchId), run: &Simulation) {
        if self.of != of {
            *self = Lags { of, history: LagHistory::default() };
        }
        self.history.advance(run);
    }
}
