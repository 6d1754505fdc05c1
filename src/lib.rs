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
//! Imports point one way. `ui` (the page, feature `page`) uses all others; [`export`] writes down what [`text`] says, which puts
//! [`explain`], [`scene`] and [`scenario`] into words; these and [`history`] use [`sim`] and not each other; and [`sim`] uses none
//! of them. The package in `engine/` holds [`sim`] and [`history`], so that they can be compiled with a profile of their own, and
//! that in `scenario/` holds [`scenario`], so that the build script can compile the built-in stories with it: the page reads no JSON.
//!
//! | module | subject |
//! | --- | --- |
//! | [`sim`] | the small Kafka world: producers, partitions, the group coordinator, consumers, sinks, the ledger |
//! | [`scenario`] | the scenario file: read, validate, compile into a [`sim::Setup`]; the built-in stories |
//! | [`stories`] | the built-in stories as the build script has compiled them |
//! | [`reading`] | a file as a person opens it, or an action as a host says it: what it says, or its mistakes in words |
//! | [`history`] | the time machine: checkpoints, seek, branches; knows nothing of Kafka |
//! | [`explain`] | from a step to its reasons, as data |
//! | [`scene`] | from the world to what is drawn, and how it is paced |
//! | [`export`] | a run as text to be taken along: transcript, outcome, ledger |
//! | [`sweep`] | one scenario run many times: crashes everywhere, other seeds, other values of a setting |
//! | [`link`] | a place of the page as the fragment of an address |
//! | [`text`] | every word, in Japanese and English |
//! | `publish` | the JSON Schema of the scenario file and the page for its authors; native builds only |

pub use logstep_engine::{history, sim};
pub use logstep_scenario::scenario;

pub mod explain;
pub mod export;
pub mod lab;
pub mod link;
#[cfg(not(target_arch = "wasm32"))]
pub mod publish;
pub mod reading;
pub mod scene;
pub mod stories;
pub mod sweep;
pub mod text;
#[cfg(feature = "page")]
pub mod ui;
