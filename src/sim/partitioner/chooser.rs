//! The choice for one record, and what a partitioner remembers from one record to the next.

use super::{BuiltIn, Choice, KeyHash, Keyed, Keyless, Leaves, Librdkafka, Partitioner, hash};
use crate::sim::setup::bounds;
use crate::sim::time::Time;
use rand::RngExt as _;
use rand::rngs::Xoshiro256PlusPlus;

/// What a producer knows of its topic.
#[derive(Clone, Copy, Debug)]
pub struct TopicView<'t> {
    /// How many partitions it has, those without a leader included; at least one.
    pub partitions: u16,
    /// The numbers of those with a leader, in the order of the metadata: clients that go round follow it.
    pub available: &'t [u16],
}

/// The numbers of the partitions that a topic may have.
static NUMBERS: [u16; bounds::PARTITIONS_PER_TOPIC as usize] = {
    let mut numbers = [0; bounds::PARTITIONS_PER_TOPIC as usize];
    let mut number = 0;
    while number < numbers.len() {
        numbers[number] = number as u16;
        number += 1;
    }
    numbers
};

impl TopicView<'_> {
    /// A topic with this many partitions, each with a leader.
    pub fn with_all(partitions: u16) -> TopicView<'static> {
        TopicView { partitions, available: &NUMBERS[..usize::from(partitions)] }
    }

    fn is_available(self, partition: u16) -> bool {
        self.available.len() == usize::from(self.partitions) || self.available.contains(&partition)
    }

    /// The one at place `number`, counted round; all partitions count where none is available.
    fn round(self, number: u32) -> u16 {
        match self.available.len() as u32 {
            0 => (number % u32::from(self.partitions)) as u16,
            available => self.available[(number % available) as usize],
        }
    }

    /// Any available partition; any at all where none is available.
    fn any(self, rng: &mut Xoshiro256PlusPlus) -> u16 {
        let count = if self.available.is_empty() { self.partitions } else { self.available.len() as u16 };
        self.round(rng.random_range(0..u32::from(count)))
    }
}

/// What a partitioner remembers; it starts anew with its process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chooser {
    rule: Partitioner,
    /// The partition that keyless records stay on.
    sticky: Option<u16>,
    /// Bytes that went there since it was chosen.
    produced: u32,
    /// When it was chosen.
    chosen_at: Time,
    /// Turns taken so far, from where the client starts.
    turns: u32,
    /// The salt of the language's hash.
    salt: u32,
    /// Batches that waited for a partition when the sender last looked, by partition; none waited for the others.
    waiting: Vec<(u16, u32)>,
}

impl Chooser {
    /// The partitioner of a process that starts now.
    pub fn new(rule: Partitioner, rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut chooser =
            Chooser { rule, sticky: None, produced: 0, chosen_at: Time::ZERO, turns: 0, salt: 0, waiting: Vec::new() };
        match rule {
            Partitioner::DefaultInTurn | Partitioner::KafkaJs | Partitioner::KafkaJsLegacy => {
                chooser.turns = rng.random_range(0..=u32::MAX);
            }
            Partitioner::SaltedHash => chooser.salt = rng.random_range(0..=u32::MAX),
            _ => {}
        }
        chooser
    }

    /// The rule that it follows.
    pub fn rule(&self) -> Partitioner {
        self.rule
    }

    /// The partition for a record whose partition the application has not set, and how it was chosen. A key of no bytes
    /// is a key.
    pub fn choose(
        &mut self,
        now: Time,
        topic: TopicView<'_>,
        key: Option<&[u8]>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> (u16, Choice) {
        let (keyed, keyless) = self.rule.rules();
        let empty_is_none = matches!(self.rule, Partitioner::Librdkafka(Librdkafka::ConsistentRandom, _));
        match key {
            Some(key) if keyed != Keyed::Ignored && !(empty_is_none && key.is_empty()) => {
                self.for_key(keyed, topic, Some(key), rng)
            }
            _ => self.without_key(now, topic, keyed, keyless, rng),
        }
    }

    /// Whether Java's built-in rule leaves this record to the accumulator, which may change the partition while it
    /// appends.
    pub fn is_sticky_by_bytes(&self, key: Option<&[u8]>) -> bool {
        let (keyed, keyless) = self.rule.rules();
        keyless == Keyless::StickyByBytes && (key.is_none() || keyed == Keyed::Ignored)
    }

    fn for_key(
        &self,
        keyed: Keyed,
        topic: TopicView<'_>,
        key: Option<&[u8]>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> (u16, Choice) {
        let hash = match keyed {
            Keyed::Hashed(hash) => hash,
            Keyed::Salted => KeyHash::Salted(self.salt),
            Keyed::Random | Keyed::Ignored => return (random(topic, rng), Choice::Random),
        };
        ((hash.of(key) % u32::from(topic.partitions)) as u16, Choice::Hash(hash))
    }

    #[inline(never)]
    fn without_key(
        &mut self,
        now: Time,
        topic: TopicView<'_>,
        keyed: Keyed,
        keyless: Keyless,
        rng: &mut Xoshiro256PlusPlus,
    ) -> (u16, Choice) {
        match keyless {
            Keyless::StickyByBytes => {
                let partition = self.sticky.unwrap_or_else(|| self.move_by_load(topic, rng));
                (partition, Choice::StickyByBytes { bytes: self.produced, is_first: self.produced == 0 })
            }
            Keyless::StickyByBatch => match self.sticky {
                Some(sticky) => (sticky, Choice::StickyByBatch { is_first: false }),
                None => (self.move_elsewhere(topic, rng), Choice::StickyByBatch { is_first: true }),
            },
            Keyless::StickyByTime(linger) => match self.sticky {
                Some(sticky) if now <= self.chosen_at + linger && topic.is_available(sticky) => {
                    (sticky, Choice::StickyByTime { is_first: false })
                }
                _ => {
                    self.chosen_at = now;
                    (*self.sticky.insert(random(topic, rng)), Choice::StickyByTime { is_first: true })
                }
            },
            Keyless::InTurn => {
                let turn = hash::to_positive(self.turns as i32);
                self.turns = self.turns.wrapping_add(1);
                (topic.round(turn), Choice::InTurn(turn))
            }
            Keyless::Random if matches!(self.rule, Partitioner::Librdkafka(..)) => (random(topic, rng), Choice::Random),
            Keyless::Random => (topic.any(rng), Choice::Random),
            Keyless::AsEmpty | Keyless::Salt => self.for_key(keyed, topic, None, rng),
        }
    }

    /// A record meant for this partition needs a new batch there, and [`choose`](Chooser::choose) is asked again.
    ///
    /// Source: `StickyPartitionCache#nextPartition`, called by `Partitioner#onNewBatch` of 2.4 to 3.9. A keyed record
    /// that needs a batch on the sticky partition moves it too.
    pub fn on_new_batch(&mut self, topic: TopicView<'_>, partition: u16, rng: &mut Xoshiro256PlusPlus) {
        let (_, keyless) = self.rule.rules();
        if keyless == Keyless::StickyByBatch && self.sticky.is_none_or(|sticky| sticky == partition) {
            self.move_elsewhere(topic, rng);
        }
    }

    /// A keyless record has put `bytes` into its batch, `all_full` says whether the partition's batches are full or
    /// gone. True if the partition was left, be it for the same one.
    ///
    /// `batch_size` is the producer's `batch.size`. Source: `BuiltInPartitioner#updatePartitionInfo`.
    pub fn update(
        &mut self,
        topic: TopicView<'_>,
        bytes: u32,
        all_full: bool,
        batch_size: u32,
        rng: &mut Xoshiro256PlusPlus,
    ) -> bool {
        let Partitioner::BuiltIn(BuiltIn { leaves, .. }) = self.rule else {
            return false;
        };
        self.produced += bytes;
        let may_leave = all_full || leaves == Leaves::AtOnce;
        let leave = (self.produced >= batch_size && may_leave) || self.produced >= 2 * batch_size;
        if leave {
            self.move_by_load(topic, rng);
        }
        leave
    }

    /// The sender has looked how many batches wait for each partition; those without any are left out, in order of
    /// partition. Nothing if the application has not written to each partition yet: then the load is not looked at.
    ///
    /// Source: `RecordAccumulator#partitionReady`, `BuiltInPartitioner#updatePartitionLoadStats`.
    pub fn note_load(&mut self, waiting: impl Iterator<Item = (u16, u32)>) {
        self.waiting.clear();
        self.waiting.extend(waiting);
    }

    /// Whether it wants to know the load.
    pub fn is_adaptive(&self) -> bool {
        matches!(self.rule, Partitioner::BuiltIn(BuiltIn { adaptive: true, .. }))
    }

    /// Any partition but the present one, if there is another.
    fn move_elsewhere(&mut self, topic: TopicView<'_>, rng: &mut Xoshiro256PlusPlus) -> u16 {
        let mut next = topic.any(rng);
        while topic.available.len() > 1 && self.sticky == Some(next) {
            next = topic.any(rng);
        }
        *self.sticky.insert(next)
    }

    /// A partition by the number of batches that wait for it: with queues of 0, 3 and 1 the chances are 4, 1 and 3 of
    /// 8.
    fn move_by_load(&mut self, topic: TopicView<'_>, rng: &mut Xoshiro256PlusPlus) -> u16 {
        let above_most = 1 + self.waiting.iter().map(|&(_, batches)| batches).max().unwrap_or(0);
        let waiting = &self.waiting;
        let chance = |partition: u16| {
            above_most - waiting.binary_search_by_key(&partition, |entry| entry.0).map_or(0, |place| waiting[place].1)
        };
        let chances: u32 = topic.available.iter().map(|&partition| chance(partition)).sum();
        self.produced = 0;
        if chances == 0 {
            return *self.sticky.insert(topic.any(rng));
        }
        let mut drawn = rng.random_range(0..chances);
        let chosen = topic.available.iter().find(|&&partition| {
            let chance = chance(partition);
            let hit = drawn < chance;
            drawn = drawn.wrapping_sub(chance);
            hit
        });
        *self.sticky.insert(*chosen.expect("the number drawn is below the sum"))
    }
}

/// librdkafka's random choice: any partition, and once more, blindly, if that one has no leader.
fn random(topic: TopicView<'_>, rng: &mut Xoshiro256PlusPlus) -> u16 {
    let partition = rng.random_range(0..u32::from(topic.partitions)) as u16;
    if topic.is_available(partition) { partition } else { rng.random_range(0..u32::from(topic.partitions)) as u16 }
}
