//! The sticky assignors' way with any subscriptions.

use super::table::{NONE, Table, chosen};

/// Passes over the partitions after which balancing stops. Kafka goes on until a pass moves nothing, which takes two or
/// three; the bound is for claims so contradictory that the moves could go in a circle.
const PASSES: usize = 32;

/// Who is taken to own what, by place.
pub struct Claims {
    /// What each rank owns. A place may be in two lists where claims are believed unseen.
    pub lists: Vec<Vec<usize>>,
    /// The rank that owned the place before its owner, for a partition with a newer and an older claim.
    pub previous: Vec<usize>,
}

/// How the balancing proceeds.
pub struct Course {
    /// All places, in the order in which they are given out and considered for moving.
    pub sorted: Vec<usize>,
    /// Whether it first tries to balance by what nobody owned (KAFKA-9987).
    pub tries_new_ones_first: bool,
}

struct Balance<'t> {
    table: &'t Table<'t>,
    lists: Vec<Vec<usize>>,
    owner: Vec<usize>,
    previous: Vec<usize>,
    /// From whom to whom each place has moved, if it has: two moves of one topic's partitions in opposite directions
    /// would be in vain.
    moved: Vec<Option<(usize, usize)>>,
}

/// Keeps what is owned, gives the rest to the subscriber with the fewest partitions, then moves single partitions while
/// that makes the assignment more even.
///
/// Source: `AbstractStickyAssignor.GeneralAssignmentBuilder`.
pub fn deal(table: &Table<'_>, claims: Claims, course: Course) -> Vec<Vec<usize>> {
    let count = table.partition_count();
    let mut balance = Balance {
        table,
        lists: claims.lists,
        owner: vec![NONE; count],
        previous: claims.previous,
        moved: vec![None; count],
    };
    let gives_up = balance.drop_unsubscribed();
    let is_first = balance.lists.iter().all(Vec::is_empty);
    let Course { mut sorted, tries_new_ones_first } = course;
    let mut new_ones = sorted.clone();
    new_ones.retain(|&place| balance.owner[place] == NONE);
    for &place in &new_ones {
        balance.give(place, balance.emptiest(place));
    }

    let is_shared = |&place: &usize| table.subscribers[table.topic_of[place]].len() > 1;
    sorted.retain(is_shared);
    new_ones.retain(is_shared);
    let before = balance.lists.clone();
    if tries_new_ones_first && !gives_up {
        balance.even_out(&new_ones);
    }
    let has_moved = balance.even_out(&sorted);
    if !is_first && has_moved && balance.unevenness(&balance.lists) >= balance.unevenness(&before) {
        return before;
    }
    balance.lists
}

impl Balance<'_> {
    /// Takes away what a member owns of a topic that it no longer subscribes to, and says whether there was any.
    fn drop_unsubscribed(&mut self) -> bool {
        let mut has_dropped = false;
        for (rank, list) in self.lists.iter_mut().enumerate() {
            let length = list.len();
            list.retain(|&place| self.table.subscribes(rank, self.table.topic_of[place]));
            has_dropped |= list.len() < length;
            list.iter().for_each(|&place| self.owner[place] = rank);
        }
        has_dropped
    }

    fn subscribers(&self, place: usize) -> &[usize] {
        &self.table.subscribers[self.table.topic_of[place]]
    }

    /// Of the members that subscribe to the place's topic, the one with the fewest partitions; the first of equal ones.
    fn emptiest(&self, place: usize) -> usize {
        self.subscribers(place).iter().copied().min_by_key(|&rank| self.lists[rank].len()).unwrap_or(NONE)
    }

    fn give(&mut self, place: usize, rank: usize) {
        if !self.lists[rank].contains(&place) {
            self.lists[rank].push(place);
        }
        self.owner[place] = rank;
    }

    /// Whether no member could have a partition of one that has at least two more.
    fn is_even(&self) -> bool {
        (0..self.table.subscribers.len()).all(|topic| {
            let fewest = self.table.subscribers[topic].iter().map(|&rank| self.lists[rank].len()).min();
            let most = self.table.places_of(topic).map(|place| self.lists[self.owner[place]].len()).max();
            most <= fewest.map(|fewest| fewest + 1)
        })
    }

    /// Moves partitions of the given ones until the assignment is even or nothing moves; says whether any has moved.
    fn even_out(&mut self, places: &[usize]) -> bool {
        let mut has_moved = false;
        let mut is_even = self.is_even();
        for _ in 0..PASSES {
            let mut moves = false;
            for &place in places {
                if is_even {
                    return has_moved;
                }
                if let Some(rank) = self.better_owner(place) {
                    self.relocate(place, rank);
                    moves = true;
                    is_even = self.is_even();
                }
            }
            if !moves {
                break;
            }
            has_moved = true;
        }
        has_moved
    }

    /// Who should rather have the place: the member that had it before, else the emptiest one, if that has at least two
    /// fewer than the owner.
    fn better_owner(&self, place: usize) -> Option<usize> {
        let size = self.lists[self.owner[place]].len();
        let previous = self.previous[place];
        if previous != NONE
            && self.table.subscribes(previous, self.table.topic_of[place])
            && size > self.lists[previous].len() + 1
        {
            return Some(previous);
        }
        let emptiest = self.emptiest(place);
        (size > self.lists[emptiest].len() + 1).then_some(emptiest)
    }

    /// Moves the place, or rather, takes back one of its topic that has moved the other way.
    fn relocate(&mut self, place: usize, to: usize) {
        let from = self.moved[place].map_or(self.owner[place], |(from, _)| from);
        let back =
            self.table.places_of(self.table.topic_of[place]).find(|&other| self.moved[other] == Some((to, from)));
        let place = back.unwrap_or(place);
        let owner = self.owner[place];
        self.moved[place] = match self.moved[place] {
            Some((from, _)) if from == to => None,
            Some((from, _)) => Some((from, to)),
            None => Some((owner, to)),
        };
        self.lists[owner].retain(|&other| other != place);
        self.give(place, to);
    }

    /// The sum of the differences between any two members' numbers of partitions, without the members whose partitions
    /// nobody else could have.
    fn unevenness(&self, lists: &[Vec<usize>]) -> usize {
        let shares = |rank: usize| self.table.subscribers.iter().any(|all| all.len() > 1 && all.contains(&rank));
        let ranks = chosen(lists.len(), &shares);
        let mut sum = 0;
        for (place, &rank) in ranks.iter().enumerate() {
            for &other in &ranks[..place] {
                sum += lists[rank].len().abs_diff(lists[other].len());
            }
        }
        sum
    }
}
