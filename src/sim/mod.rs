//! The simulator: a small Kafka world that moves only in steps.
//!
//! Pure: no browser, no wall clock, no ambient randomness, no hash-map order, no input or output, no floating point.
//! [`Simulation`] holds the contract. A component ([`broker`], [`coordinator`], [`producer`], [`consumer`]) handles what
//! concerns it with its own state, the time and an output collector; [`simulation`] carries out what it asks for.

pub mod action;
mod apart;
pub mod assignor;
pub mod broker;
pub mod consumer;
pub mod coordinator;
pub mod digest;
mod effect;
pub mod event;
pub mod failing;
pub mod ids;
pub mod ledger;
pub mod log;
pub mod network;
pub mod order;
pub mod partitioner;
pub mod producer;
pub mod property;
mod queue;
pub mod setup;
pub mod simulation;
pub mod sink;
pub mod step;
pub mod target;
pub mod time;
pub mod topics;

pub use action::{Action, Condition, PlannedAction, Refusal, When};
pub use event::Event;
pub use ids::*;
pub use queue::MemberKey;
pub use setup::{Setup, TopicPartition};
pub use simulation::{Progress, Simulation, State};
pub use step::{Cause, Causes, Role, Step};
pub use target::{
    Api, BrokerSetting, Change, ClientId, ConsumerSetting, HandlingOf, MessageKind, MessageRef, ProducerSetting,
    ResetTo,
};
pub use time::{Span, Time};
pub use topics::Topics;
