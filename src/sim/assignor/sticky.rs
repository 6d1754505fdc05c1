//! What the sticky assignors believe of the members' claims, and which algorithm follows from the subscriptions.

use super::constrained;
use super::general::{self, Claims, Course};
use super::table::{NONE, Table, chosen, sort};
use super::{Implementation, Subscription, Topics, in_order, is_homogeneous};
use crate::sim::ids::PartitionId;

/// A balanced assignment that leaves partitions with their owners where it can, before the cooperative protocol's
/// adjustment. Second, what the algorithm itself knows to change owners; none where that is to be found by comparison.
///
/// Sources: `AbstractStickyAssignor` (KIP-54, KIP-341, KAFKA-9987); Kafka 2.2, `StickyAssignor`; librdkafka,
/// `rdkafka_sticky_assignor.c`.
pub fn deal(
    by: Implementation<'_>,
    topics: &Topics,
    members: &[Subscription<'_>],
) -> (Vec<Vec<PartitionId>>, Option<Vec<PartitionId>>) {
    let table = Table::new(topics, members, in_order(members, false));
    if members.is_empty() {
        return (Vec::new(), None);
    }
    let (claims, course) = match by {
        Implementation::JavaBefore23 => believed(&table),
        Implementation::Librdkafka => highest(&table),
        _ => {
            let (claims, contested) = newest(&table);
            if is_homogeneous(members) {
                return constrained_deal(&table, claims, contested);
            }
            let sorted = by_subscribers(&table);
            (claims, Course { sorted, tries_new_ones_first: true })
        }
    };
    (table.named(&general::deal(&table, claims, course)), None)
}

fn constrained_deal(
    table: &Table<'_>,
    mut claims: Claims,
    contested: Vec<bool>,
) -> (Vec<Vec<PartitionId>>, Option<Vec<PartitionId>>) {
    for list in &mut claims.lists {
        list.retain(|&place| !contested[place]);
    }
    let (dealt, is_moving) = constrained::deal(table, claims.lists, contested);
    let moving = chosen(is_moving.len(), &|place| is_moving[place]);
    (table.named(&dealt), Some(table.ids(&moving)))
}

/// The generation of a member's claims; a member that does not say counts as older than all.
fn generation(table: &Table<'_>, rank: usize) -> i64 {
    table.members[rank].generation.map_or(-1, i64::from)
}

/// The newer of two claims counts. Two of one generation cancel each other: such a place is contested.
fn newest(table: &Table<'_>) -> (Claims, Vec<bool>) {
    let count = table.partition_count();
    let mut claimant = vec![NONE; count];
    let mut owner = vec![NONE; count];
    let mut contested = vec![false; count];
    for rank in 0..table.members.len() {
        for place in table.owned(rank) {
            let other = claimant[place];
            if other == NONE || generation(table, rank) > generation(table, other) {
                claimant[place] = rank;
                owner[place] = rank;
            } else if generation(table, rank) == generation(table, other) {
                contested[place] = true;
                claimant[place] = rank;
                owner[place] = NONE;
            }
        }
    }
    // The last claim that is older than the group's newest one: a member that a partition may well go back to.
    let newest = table.members.iter().filter_map(|member| member.generation).max().map_or(-1, i64::from);
    let mut previous = vec![NONE; count];
    for rank in chosen(table.members.len(), &|rank| generation(table, rank) < newest) {
        for place in table.owned(rank) {
            if previous[place] == NONE || generation(table, rank) > generation(table, previous[place]) {
                previous[place] = rank;
            }
        }
    }
    (Claims { lists: lists(table, &owner), previous }, contested)
}

/// librdkafka: the newest claim counts, unless any two claims are of one generation; the second newest is where a
/// partition may go back to. Who must give up one is asked in the order of [`by_fullest`].
fn highest(table: &Table<'_>) -> (Claims, Course) {
    let count = table.partition_count();
    let mut claims: Vec<Vec<usize>> = vec![Vec::new(); count];
    for rank in 0..table.members.len() {
        table.owned(rank).into_iter().for_each(|place| claims[place].push(rank));
    }
    let mut owner = vec![NONE; count];
    let mut previous = vec![NONE; count];
    for (place, ranks) in claims.iter_mut().enumerate() {
        sort(ranks, &|rank| (generation(table, rank) + 1) as u64);
        let is_contested = ranks.windows(2).any(|pair| generation(table, pair[0]) == generation(table, pair[1]));
        if is_contested {
            continue;
        }
        owner[place] = ranks.pop().unwrap_or(NONE);
        previous[place] = ranks.pop().unwrap_or(NONE);
    }
    let mut lists = lists(table, &owner);
    for list in &mut lists {
        sort(list, &|place| place as u64);
    }
    let sorted = if has_equal_subscribers(table) {
        let mut sorted = by_fullest(lists.clone(), &previous);
        // Its hash map gives back first what was put in last.
        let mut rest = chosen(count, &|place| owner[place] == NONE);
        if !sorted.is_empty() {
            rest.reverse();
        }
        sorted.append(&mut rest);
        sorted
    } else {
        by_subscribers(table)
    };
    (Claims { lists, previous }, Course { sorted, tries_new_ones_first: true })
}

/// Java before 2.3: every claim counts, so that one partition may stay with two members.
fn believed(table: &Table<'_>) -> (Claims, Course) {
    let lists: Vec<Vec<usize>> = (0..table.members.len()).map(|rank| table.owned(rank)).collect();
    let is_first = table.members.iter().all(|member| member.owned.is_empty());
    let sorted = if !is_first && has_equal_subscribers(table) {
        let mut sorted = by_fullest(lists.clone(), &[]);
        let mut rest = chosen(table.partition_count(), &|place| !sorted.contains(&place));
        sorted.append(&mut rest);
        sorted
    } else {
        by_subscribers(table)
    };
    let previous = vec![NONE; table.partition_count()];
    (Claims { lists, previous }, Course { sorted, tries_new_ones_first: false })
}

/// What each rank owns by `owner`, in the order of its own claims.
fn lists(table: &Table<'_>, owner: &[usize]) -> Vec<Vec<usize>> {
    let mut lists = Vec::new();
    for rank in 0..table.members.len() {
        let mut list = table.owned(rank);
        list.retain(|&place| owner[place] == rank);
        lists.push(list);
    }
    lists
}

/// Whether all members subscribe to all topics that exist.
fn has_equal_subscribers(table: &Table<'_>) -> bool {
    table.subscribers.iter().all(|subscribers| subscribers.len() == table.members.len())
}

/// All places: those that the fewest members could have first.
fn by_subscribers(table: &Table<'_>) -> Vec<usize> {
    let mut places = chosen(table.partition_count(), &|_| true);
    sort(&mut places, &|place| table.subscribers[table.topic_of[place]].len() as u64);
    places
}

/// The owned places: again and again one of the member that has most left (of equal ones, the last by id), and of its
/// places one that another member had before, else its first.
fn by_fullest(mut lists: Vec<Vec<usize>>, previous: &[usize]) -> Vec<usize> {
    let mut sorted = Vec::new();
    while let Some(list) = lists.iter_mut().max_by_key(|list| list.len()).filter(|list| !list.is_empty()) {
        let had_before = list.iter().position(|&place| previous.get(place).is_some_and(|&rank| rank != NONE));
        sorted.push(list.remove(had_before.unwrap_or(0)));
    }
    sorted
}
