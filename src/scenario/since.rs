//! What older releases do not have, in one table.

use super::mistake::{Contradiction, Problem, Side};
use super::reader::{Fields, Place, Reader};
use super::version::Version;

/// Something that there is only from some release line on: a setting, or one of its values.
#[derive(Clone, Copy, Debug)]
pub struct Since {
    /// The setting, or what of it.
    pub what: &'static str,
    /// Who has to know it.
    pub side: Side,
    /// The first release line that does.
    pub version: Version,
}

const fn since(what: &'static str, side: Side, major: u8, minor: u8) -> Since {
    Since { what, side, version: Version::new(major, minor) }
}

/// Members of a group that the broker assigns for.
pub(super) const CONSUMER_PROTOCOL: &str = "group.protocol=consumer";
/// An assignor.
pub(super) const COOPERATIVE_STICKY: &str = "cooperative-sticky";
/// A way to begin.
pub(super) const BY_DURATION: &str = "auto.offset.reset=by_duration";
/// The pause between two assignments.
pub(super) const ASSIGNMENT_INTERVAL: &str = "group.consumer.assignment.interval.ms";
/// The setting that came with Java's built-in partitioner.
pub(super) const IGNORE_KEYS: &str = "partitioner.ignore.keys";

/// All of them. The consumer protocol is there since 3.7, but up to 3.9 only as early access and preview, so its settings
/// are older than itself.
pub const SINCE: [Since; 19] = [
    since("group.max.size", Side::Broker, 2, 2),
    since("group.instance.id", Side::Broker, 2, 3),
    since("group.instance.id", Side::Client, 2, 3),
    since(COOPERATIVE_STICKY, Side::Client, 2, 4),
    since(IGNORE_KEYS, Side::Client, 3, 3),
    since("partitioner.adaptive.partitioning.enable", Side::Client, 3, 3),
    since("group.protocol", Side::Client, 3, 7),
    since("group.remote.assignor", Side::Client, 3, 7),
    since("group.consumer.assignors", Side::Broker, 3, 7),
    since("group.consumer.heartbeat.interval.ms", Side::Broker, 3, 7),
    since("group.consumer.min.heartbeat.interval.ms", Side::Broker, 3, 7),
    since("group.consumer.max.heartbeat.interval.ms", Side::Broker, 3, 7),
    since("group.consumer.session.timeout.ms", Side::Broker, 3, 7),
    since("group.consumer.min.session.timeout.ms", Side::Broker, 3, 7),
    since("group.consumer.max.session.timeout.ms", Side::Broker, 3, 7),
    since(CONSUMER_PROTOCOL, Side::Broker, 4, 0),
    since(CONSUMER_PROTOCOL, Side::Client, 4, 0),
    since(BY_DURATION, Side::Client, 4, 0),
    since(ASSIGNMENT_INTERVAL, Side::Broker, 4, 3),
];

/// Whether there is this in a release line.
pub(super) fn is_there(what: &str, side: Side, version: Version) -> bool {
    SINCE.iter().all(|entry| entry.what != what || entry.side != side || entry.version <= version)
}

/// Reports something that this release line does not have.
pub(super) fn check<'t>(r: &mut Reader<'t>, place: &Place<'t>, what: &str, side: Side, is: Version) {
    for entry in SINCE.iter().filter(|entry| entry.what == what && entry.side == side && entry.version > is) {
        let Since { what, side, version: since } = *entry;
        r.report(place, Problem::Contradiction(Contradiction::NeedsVersion { what, side, since, is }));
    }
}

/// Reports all settings of an object that this release line does not have.
pub(super) fn check_fields<'t>(r: &mut Reader<'t>, fields: &Fields<'t>, side: Side, is: Version) {
    for entry in SINCE.iter().filter(|entry| entry.side == side) {
        if let Some(place) = fields.get(entry.what) {
            check(r, &place, entry.what, side, is);
        }
    }
}
