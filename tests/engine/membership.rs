//! Membership as in Kafka's classic group protocol.
