//! One sort by numbers and one by texts for the whole program.
//!
//! The standard library's sort is made anew for each type that it sorts, about 3 kB each time. That is nothing on a server
//! and a tenth of a page that is to load at once; so whatever is sorted here is sorted as a list of keys and places, and by a
//! heap, which is a fifth of the code. Keys and places differ by their places, so there is only one order that they can have.

use std::collections::BinaryHeap;

/// Sorts by a number; equal ones keep their order.
pub fn by_number<T>(items: &mut Vec<T>, number: impl Fn(&T) -> u64) {
    let places: BinaryHeap<(u64, usize)> =
        items.iter().enumerate().map(|(place, item)| (number(item), place)).collect();
    rearrange(items, places.into_sorted_vec().into_iter().map(|(_, place)| place));
}

/// Sorts by a text, byte by byte as Kafka and Java's `String#compareTo` do for ASCII; equal ones keep their order.
pub fn by_text<'t, T>(items: &mut Vec<T>, text: impl Fn(&T) -> &'t str) {
    let places: BinaryHeap<(&str, usize)> = items.iter().enumerate().map(|(place, item)| (text(item), place)).collect();
    rearrange(items, places.into_sorted_vec().into_iter().map(|(_, place)| place));
}

/// Several numbers as one that orders them by the first, then the second.
pub const fn pair(first: u32, second: u32) -> u64 {
    ((first as u64) << 32) | second as u64
}

fn rearrange<T>(items: &mut Vec<T>, places: impl Iterator<Item = usize>) {
    let mut taken: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(places.filter_map(|place| taken[place].take()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_keep_their_order() {
        let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
        by_number(&mut items, |&(number, _)| number);
        assert_eq!(items, [(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
    }

    #[test]
    fn texts_are_ordered_as_strings_not_as_numbers() {
        let mut items = vec!["c-2", "c-10", "b"];
        by_text(&mut items, |text| text);
        assert_eq!(items, ["b", "c-10", "c-2"]);
    }

    #[test]
    fn a_pair_orders_by_its_first_number() {
        assert!(pair(1, u32::MAX) < pair(2, 0) && pair(2, 0) < pair(2, 1));
    }
}
