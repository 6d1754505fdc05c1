//! The fields that each kind of object has. The reader refuses all others, and a test compares these tables with the
//! published schema.

/// The fields of one kind of object.
#[derive(Debug)]
pub struct Table {
    /// The kind; also its name among the schema's definitions.
    pub name: &'static str,
    /// All fields.
    pub fields: &'static [&'static str],
    /// Those that must be there.
    pub required: &'static [&'static str],
}

macro_rules! tables {
    ($( $constant:ident $name:literal [$($required:literal),*] [$($optional:literal),*] )*) => {
        $(
            #[doc = concat!("The fields of `", $name, "`.")]
            pub const $constant: Table = Table {
                name: $name,
                fields: &[$($required,)* $($optional),*],
                required: &[$($required),*],
            };
        )*

        /// All tables.
        pub const ALL: &[&Table] = &[$(&$constant),*];
    };
}

tables! {
    SCENARIO "scenario"
        ["format", "title", "ends_at", "cluster", "topics", "producers", "groups"]
        ["about", "seed", "sinks", "opens_at", "actions", "story", "expect"]
    TEXT "text" ["ja", "en"] []
    CLUSTER "cluster" ["kafka"] ["network", "settings"]
    NETWORK "network" ["latency"] []
    BROKER_SETTINGS "broker_settings" []
        ["group.initial.rebalance.delay.ms", "group.min.session.timeout.ms", "group.max.session.timeout.ms"]
    TOPIC "topic" ["name", "partitions"] []
    CLIENT "client" ["family", "version"] []
    PRODUCER "producer" ["name", "topic"] ["client", "settings", "records", "workload"]
    PRODUCER_SETTINGS "producer_settings" [] ["linger.ms"]
    RECORD "record" ["at", "key", "value"] []
    WORKLOAD "workload" ["per_second", "records", "keys"] ["from", "key_prefix", "weights", "value"]
    GROUP "group" ["name", "settings", "handling", "members"] ["client", "topics"]
    CONSUMER_SETTINGS "consumer_settings" []
        ["enable.auto.commit", "auto.offset.reset", "partition.assignment.strategy", "group.protocol",
         "session.timeout.ms", "heartbeat.interval.ms", "max.poll.interval.ms", "max.poll.records"]
    HANDLING "handling" ["time", "commit"] ["writes_to"]
    COMMIT "commit" ["after_records"] []
    MEMBER "member" ["name"] ["starts_at"]
    SINK "sink" ["name"] ["unique_key"]
    ACTION "action" [] ["crash", "close", "start", "at", "after", "wait"]
    OPENS_AT "opens_at" ["first"] []
    CONDITION "condition" []
        ["processed", "crashed", "closed", "restarted", "session_expired", "rebalance_started", "generation", "assigned",
         "position_set", "duplicate", "committed", "processed_by"]
    PROCESSED "processed" ["member", "records"] []
    GENERATION "generation" ["group", "number"] []
    POSITION_SET "position_set" ["partition"] ["group"]
    BEAT "beat" [] ["when", "before", "after", "say", "ask"]
    ASK "ask" ["text", "answer", "tempting"] []
    QUANTITY "quantity" []
        ["position_of", "processed_to", "committed_of", "end_of", "processed_times", "duplicates_of", "rows_of", "group", "at", "after"]
    RECORD_PLACE "record_place" ["partition", "offset"] []
    EXPECT "expect" [] ["topics", "groups", "sinks", "no_owner_change_between", "takes"]
    EXPECT_TOPIC "expect_topic" [] ["records", "keys", "partitions_used", "keys_split"]
    BOUNDS "bounds" [] ["at_least", "at_most"]
    EXPECT_MEMBER "expect_member" [] ["owns", "processed", "callbacks"]
    EXPECT_GROUP "expect_group" []
        ["owner", "lag", "unowned", "members", "pending", "busy", "rebalancing", "processed", "processed_twice", "duplicates", "records_duplicated", "lost", "out_of_order", "swaps",
         "overlaps", "rebalances", "generation", "committed", "end", "errors"]
    EXPECT_DUPLICATES "expect_duplicates" ["of_stopped", "of_survivors"] []
    EXPECT_SINK "expect_sink" [] ["rows", "absorbed"]
    TAKES "takes" ["from", "to"] ["at_least", "at_most"]
}
