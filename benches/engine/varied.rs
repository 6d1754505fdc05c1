//! The main story with other groups and more brokers: what is measured natively only.

use logstep::sim::assignor::Assignor;
use logstep::sim::setup::*;
use logstep::sim::*;

/// What is run in place of the story's group of eager members on one broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variety {
    /// Partitions on three brokers, so that clients talk to all of them.
    Brokers,
    /// `cooperative-sticky`: members keep what stays theirs.
    Cooperative,
    /// `group.protocol=consumer`: the broker assigns.
    Consumer,
}

/// The main story over and over, in another way.
pub fn varied(mut setup: Setup, variety: Variety) -> Setup {
    match variety {
        Variety::Brokers => setup.brokers = vec![setup.brokers[0].clone(); 3],
        Variety::Cooperative => {
            setup.configure(GroupId(0), |config| config.settings.assignors = [Assignor::CooperativeSticky].into());
        }
        Variety::Consumer => setup.configure(GroupId(0), |config| {
            config.settings.group_protocol = GroupProtocol::Consumer { remote_assignor: None };
        }),
    }
    setup
}
