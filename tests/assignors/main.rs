//! The assignors against recordings of Kafka's own classes and of real clients.

mod cases;
mod group;
mod properties;
#[path = "../common/random.rs"]
mod random;
mod recordings;
mod uniform_mixed;
mod vectors;
