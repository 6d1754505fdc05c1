//! The engine: properties of random worlds, the time machine, membership as in Kafka, quiet whiles.
//!
//! A failing random world is printed whole, shrunk by proptest; it becomes a plain test of its own here.

mod actions;
mod commits;
#[path = "../common/mod.rs"]
mod common;
mod cooperative;
mod failing;
mod harness;
mod idle;
mod lost_answers;
mod membership;
mod modern;
mod policies;
mod pool;
mod producing;
mod properties;
#[path = "../common/random.rs"]
mod random;
mod settings;
mod sinks;
mod static_members;
mod store;
mod time_machine;
mod world;
