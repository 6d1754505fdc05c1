//! A run as text to be taken along: its transcript, its outcome, its ledger. The headless runner prints these, and a module that
//! the page loads when it is asked for one of them.

mod job;
mod ledger;
mod transcript;

pub use job::{Job, Wanted};
pub use ledger::{HEADER, ledger};
pub use transcript::{line, transcript};
