//! The engine: properties of random worlds, the time machine, membership as in Kafka, quiet whiles.
//!
//! A failing random world is printed whole, shrunk by proptest; it becomes a plain test of its own here.

#[path = "../common/mod.rs"]
mod common;
mod harness;
mod idle;
mod membership;
mod policies;
mod properties;
mod time_machine;
mod world;
