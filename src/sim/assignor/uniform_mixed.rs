//! The `uniform` assignor with unequal subscriptions.

use super::table::{NONE, Table, chosen, sort};

/// Rounds over the topics after which balancing stops, as in Kafka (`MAX_ITERATION_COUNT`).
const ROUNDS: usize = 16;

/// Everybody keeps what it owns and subscribes to; free partitions go to the members with the fewest, topic by topic; then
/// each topic's partitions are moved from the fullest to the emptiest of its members until these are even.
///
/// Source: `UniformHeterogeneousAssignmentBuilder`.
pub fn deal(table: &Table<'_>) -> Vec<Vec<usize>> {
    let mut owner = vec![NONE; table.partition_count()];
    let mut sizes = vec![0; table.members.len()];
    for (rank, size) in sizes.iter_mut().enumerate() {
        for place in table.owned(rank) {
            if table.subscribes(rank, table.topic_of[place]) {
                owner[place] = rank;
                *size += 1;
            }
        }
    }
    let mut topics = chosen(table.subscribers.len(), &|_| true);
    sort(&mut topics, &|topic| fullness_first(table, topic));
    for &topic in &topics {
        let mut level = Level::new(&table.subscribers[topic], &sizes);
        for place in table.places_of(topic) {
            if owner[place] == NONE {
                let rank = level.next_emptiest(&sizes);
                owner[place] = rank;
                sizes[rank] += 1;
            }
        }
    }
    topics.retain(|&topic| table.subscribers[topic].len() > 1);
    even_out(table, &topics, &mut owner, &mut sizes);

    let mut dealt = vec![Vec::new(); table.members.len()];
    owner.iter().enumerate().for_each(|(place, &rank)| dealt[rank].push(place));
    dealt
}

/// Topics with more partitions for each subscriber come first; of equal ones, those with fewer subscribers.
fn fullness_first(table: &Table<'_>, topic: usize) -> u64 {
    let subscribers = table.subscribers[topic].len() as u64;
    // Fixed-point, exact enough to tell any two ratios of 16-bit numbers apart.
    let each = ((table.places_of(topic).len() as u64) << 32) / subscribers;
    ((1 << 48) - 1 - each) << 16 | subscribers
}

/// Goes round the topics until a whole round has moved nothing.
fn even_out(table: &Table<'_>, topics: &[usize], owner: &mut [usize], sizes: &mut [usize]) {
    let mut last_moved = NONE;
    for _ in 0..ROUNDS {
        for &topic in topics {
            if topic == last_moved {
                return;
            }
            if even_out_topic(table, topic, owner, sizes) || last_moved == NONE {
                last_moved = topic;
            }
        }
    }
}

/// Moves partitions of one topic between its subscribers, the highest-numbered of a member first.
fn even_out_topic(table: &Table<'_>, topic: usize, owner: &mut [usize], sizes: &mut [usize]) -> bool {
    let mut level = Level::new(&table.subscribers[topic], sizes);
    if level.high <= level.low + 3 {
        return false;
    }
    let mut own: Vec<Vec<usize>> = vec![Vec::new(); sizes.len()];
    table.places_of(topic).for_each(|place| own[owner[place]].push(place));
    let mut has_moved = false;
    while let Some(from) = level.next_fullest(sizes) {
        let Some(place) = own[from].pop() else {
            level.exclude_fullest();
            continue;
        };
        let to = level.next_emptiest(sizes);
        if level.high <= level.low + 1 {
            break;
        }
        owner[place] = to;
        sizes[from] -= 1;
        sizes[to] += 1;
        has_moved = true;
    }
    has_moved
}

/// Members by the number of their partitions, filled up from the emptiest and taken from the fullest, each in turn: the
/// group of the emptiest grows to the right as its level rises, the group of the fullest to the left as its level sinks.
/// `MemberAssignmentBalancer` in Kafka.
struct Level {
    /// Emptiest first; of equal ones, the first by rank.
    ranks: Vec<usize>,
    /// How many partitions each of the emptiest had when its turn began.
    low: isize,
    low_end: usize,
    next_low: usize,
    /// How many each of the fullest had when its turn began.
    high: isize,
    high_start: usize,
    high_end: usize,
    /// One more than the place of the next one to take from.
    next_high: usize,
}

impl Level {
    fn new(subscribers: &[usize], sizes: &[usize]) -> Self {
        let mut ranks = subscribers.to_vec();
        sort(&mut ranks, &|rank| sizes[rank] as u64);
        let size = |rank: Option<&usize>| rank.map_or(0, |&rank| sizes[rank] as isize);
        Self {
            low: size(ranks.first()) - 1,
            low_end: 0,
            next_low: 0,
            high: size(ranks.last()) + 1,
            high_start: ranks.len(),
            high_end: ranks.len(),
            next_high: ranks.len(),
            ranks,
        }
    }

    /// The member to give the next partition to.
    fn next_emptiest(&mut self, sizes: &[usize]) -> usize {
        if self.next_low >= self.low_end {
            self.low += 1;
            while self.low_end < self.ranks.len() && sizes[self.ranks[self.low_end]] as isize == self.low {
                self.low_end += 1;
            }
            self.next_low = 0;
        }
        self.next_low += 1;
        self.ranks[self.next_low - 1]
    }

    /// The member to take the next partition from; none when all have been excluded.
    fn next_fullest(&mut self, sizes: &[usize]) -> Option<usize> {
        if self.next_high <= self.high_start {
            if self.high_end <= self.high_start && self.high_start > 0 {
                self.high = sizes[self.ranks[self.high_start - 1]] as isize;
            } else {
                self.high -= 1;
            }
            while self.high_start > 0 && sizes[self.ranks[self.high_start - 1]] as isize == self.high {
                self.high_start -= 1;
            }
            self.next_high = self.high_end;
        }
        self.next_high = self.next_high.checked_sub(1)?;
        self.ranks.get(self.next_high).copied()
    }

    /// Takes the member that [`next_fullest`](Self::next_fullest) gave last out of the game.
    fn exclude_fullest(&mut self) {
        self.high_end -= 1;
        self.ranks.swap(self.next_high, self.high_end);
    }
}
