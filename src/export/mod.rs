//! A run as text to be taken along: its transcript, its outcome, its ledger, a table of its records, and, in native builds, a
//! moment of it as Kafka's own tool prints it and many runs of it as a table. The headless runner prints these, but for the table
//! of records, which the page makes, and a module that the page loads when it is asked for one of the first three.

mod describe;
mod job;
mod ledger;
mod records;
#[cfg(not(target_arch = "wasm32"))]
mod sweep;
mod transcript;

pub use describe::{Described, describe};
pub use job::{Job, Wanted};
pub use ledger::{HEADER, ledger};
pub use records::{COLUMNS, table};
#[cfg(not(target_arch = "wasm32"))]
pub use sweep::sweep_json;
pub use transcript::{line, transcript};
