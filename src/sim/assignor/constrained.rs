//! The sticky assignors' way with equal subscriptions.

use super::table::{NONE, Table, chosen, sort};
use crate::sim::order;

/// Everybody keeps what it owns up to its share; the rest is dealt in a circle. `owned` lists what each rank owns, without
/// the contested places. Gives each rank's places, kept ones first, and for each place whether its owner has to revoke it
/// before the new one can have it.
///
/// Source: `AbstractStickyAssignor.ConstrainedAssignmentBuilder`.
pub fn deal(table: &Table<'_>, owned: Vec<Vec<usize>>, contested: Vec<bool>) -> (Vec<Vec<usize>>, Vec<bool>) {
    let count = table.partition_count();
    let share = count / owned.len();
    let with_one_more = count % owned.len();
    let mut have_one_more = 0;
    let mut is_free = vec![true; count];
    let mut giver = vec![NONE; count];
    // Those below the share, and those at it that may still get one more.
    let (mut below, mut at_share) = (Vec::new(), Vec::new());
    let mut dealt = owned;
    for (rank, places) in dealt.iter_mut().enumerate() {
        sort(places, &|place| {
            let topic = table.topic_of[place];
            order::pair((place - table.first_places[topic]) as u32, topic as u32)
        });
        if places.len() < share {
            below.push(rank);
        } else {
            let keeps_one_more = places.len() > share && have_one_more < with_one_more;
            if keeps_one_more {
                have_one_more += 1;
            } else if have_one_more < with_one_more {
                at_share.push(rank);
            }
            for given_up in places.drain(share + usize::from(keeps_one_more)..) {
                giver[given_up] = rank;
            }
        }
        places.iter().for_each(|&place| is_free[place] = false);
    }
    if have_one_more == with_one_more {
        at_share.clear();
    }

    let mut is_moving = vec![false; count];
    let mut turn = 0;
    let mut turn_at_share = 0;
    for place in chosen(count, &|place| is_free[place]) {
        let rank = if below.is_empty() {
            turn_at_share += 1;
            at_share[turn_at_share - 1]
        } else {
            turn %= below.len();
            below[turn]
        };
        dealt[rank].push(place);
        is_moving[place] = contested[place] || (giver[place] != NONE && giver[place] != rank);
        if dealt[rank].len() < share {
            turn += 1;
        } else if dealt[rank].len() == share {
            below.remove(turn);
            at_share.push(rank);
        }
    }
    (dealt, is_moving)
}
