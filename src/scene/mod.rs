//! From the world to what is drawn, and how it is paced: places, marks, ribbons. Names, but no words.

pub mod choices;
pub mod compose;
pub mod density;
pub mod drawn;
pub mod geometry;
mod layout;
pub mod marks;
pub mod names;
pub mod pace;
pub mod plot;
pub mod rebalance;
pub mod records;
pub mod sequence;
pub mod stage;

pub use choices::{Subject, choices, is_there};
pub use compose::{Seen, stage};
