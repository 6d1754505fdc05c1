//! What a file expects of a producer.

use super::bounds::Bounds;
use super::{Differs, Found, value};
use crate::scenario::fields::EXPECT_PRODUCER;
use crate::scenario::outcome::ProducerOutcome;
use crate::scenario::reader::{Place, Reader};
use crate::sim::setup::bounds;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProducerClaim {
    /// How many records it handed to `send()`.
    Sent(Bounds),
    /// How many of them it had in hand when it died.
    NeverSent(Bounds),
    /// How many batches were appended.
    Batches(Bounds),
    /// How many records these batches hold, each number once.
    BatchRecords(Vec<u32>),
}

impl ProducerClaim {
    pub fn differs(&self, producer: &ProducerOutcome) -> Option<Differs> {
        match self {
            ProducerClaim::Sent(expected) => expected.differs(producer.sent.into()),
            ProducerClaim::NeverSent(expected) => expected.differs(producer.never_sent.into()),
            ProducerClaim::Batches(expected) => expected.differs(producer.batches.into()),
            ProducerClaim::BatchRecords(expected) => {
                value(Found::Numbers(expected.clone()), Found::Numbers(producer.batch_records.clone()))
            }
        }
    }
}

/// Reads the claims about one producer, each with its place.
pub(super) fn read<'t>(r: &mut Reader<'t>, place: Place<'t>) -> Vec<(Place<'t>, ProducerClaim)> {
    let Some(fields) = r.object(Some(place), &EXPECT_PRODUCER) else {
        return Vec::new();
    };
    let mut claims = Vec::new();
    for (field, claim) in [
        ("sent", ProducerClaim::Sent as fn(Bounds) -> ProducerClaim),
        ("never_sent", ProducerClaim::NeverSent),
        ("batches", ProducerClaim::Batches),
    ] {
        if let Some(place) = fields.get(field)
            && let Some(expected) = Bounds::count(r, Some(place.clone()))
        {
            claims.push((place, claim(expected)));
        }
    }
    if let Some(place) = fields.get("batch_records") {
        let numbers = r.list(Some(place.clone()), 0, bounds::RECORDS);
        let numbers: Vec<Option<u32>> =
            numbers.into_iter().map(|place| r.count(Some(place), 0..=bounds::RECORDS)).collect();
        if let Some(numbers) = numbers.into_iter().collect::<Option<_>>() {
            claims.push((place, ProducerClaim::BatchRecords(numbers)));
        }
    }
    claims
}
