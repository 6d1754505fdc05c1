//! The partitioners and the producer's accumulator, against recordings of real clients and against reports of their
//! users.
//!
//! The recordings under `tests/reference/` are of Java 3.6.2, librdkafka 2.16.0, kafkajs 2.2.4, kafka-python 3.0.12 and
//! aiokafka 0.14.0 with a broker 3.6.2.

mod batching;
mod java;
mod keys;
mod null_keys;
mod reports;
mod world;
