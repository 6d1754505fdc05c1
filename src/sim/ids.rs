//! Names of things inside the world: small numbers that index the lists of the [`Setup`](super::Setup).

use borsh::{BorshDeserialize, BorshSerialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize)]
        pub struct $name(pub $inner);

        impl $name {
            /// The place in the list that this id indexes.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the thing at `index`; the bounds of a setup keep it in range.
            pub const fn at(index: usize) -> Self {
                $name(index as $inner)
            }
        }
    };
}

id!(
    /// A producer client.
    ProducerId(u16)
);
id!(
    /// A consumer process of a group, through all of its restarts.
    ConsumerId(u16)
);
id!(
    /// A consumer group.
    GroupId(u16)
);
id!(
    /// A broker.
    BrokerId(u16)
);
id!(
    /// A topic.
    TopicId(u16)
);
id!(
    /// One partition of one topic; unique over all topics.
    PartitionId(u16)
);
id!(
    /// A table that consumers write to.
    SinkId(u16)
);
id!(
    /// A record, numbered in the order in which producers handed it to `send()`.
    RecordId(u32)
);
id!(
    /// A record key of the setup.
    KeyId(u32)
);
id!(
    /// A record value of the setup.
    ValueId(u32)
);
id!(
    /// A step, numbered from 0 in the order in which steps happen.
    StepNo(u32)
);

/// Which start of a consumer process: 1 for the first, one more for each restart.
pub type Incarnation = u16;

/// A consumer group's generation id: 0 before the first rebalance has completed.
pub type Generation = u32;

/// A place in a partition's log.
pub type Offset = u32;
