//! **logstep** is Apache Kafka that can be stepped through.
//!
//! # The promise
//!
//! The same setup, the same seed and the same actions at the same places give the same steps, byte for byte, on
//! every platform, natively and in WebAssembly. To keep it, the simulator ([`sim`]) has no wall clock, no ambient
//! randomness, no floating point, no iteration in hash order, no input and no output. Time is a number that it is
//! given; chance is one seeded, named generator.
//!
//! # The map
//!
//! Imports point one way. `ui` (the page, feature `page`) uses all others; [`text`] puts [`explain`], [`scene`] and
//! [`scenario`] into words; these and [`history`] use [`sim`] and not each other; and [`sim`] uses none of them. The package in
//! `engine/` holds [`sim`] and [`history`], so that they can be compiled with a profile of their own.
//!
//! | module | subject |
//! | --- | --- |
//! | [`sim`] | the small Kafka world: producers, partitions, the group coordinator, consumers, sinks, the ledger |
//! | [`scenario`] | the scenario file: read, validate, compile into a [`sim::Setup`]; the built-in stories |
//! | [`history`] | the time machine: checkpoints, seek, branches; knows nothing of Kafka |
//! | [`explain`] | from a step to its reasons, as data |
//! | [`scene`] | from the world to what is drawn, and how it is paced |
//! | [`text`] | every word, in Japanese and English |
//! | `publish` | the JSON Schema of the scenario file and the page for its authors; native builds only |

pub use logstep_engine::{history, sim};

pub mod explain;
#[cfg(not(target_arch = "wasm32"))]
pub mod publish;
pub mod scenario;
pub mod scene;
pub mod text;
#[cfg(feature = "page")]
pub mod ui;
