//! A set of small numbers, one bit each: cheap to copy, and to go through where few are in it.

/// A set of partition numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NumberSet(Vec<u64>);

impl NumberSet {
    pub(super) fn insert(&mut self, number: u16) {
        let (word, bit) = place(number);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= bit;
    }

    pub(super) fn remove(&mut self, number: u16) {
        let (word, bit) = place(number);
        if let Some(word) = self.0.get_mut(word) {
            *word &= !bit;
        }
    }

    /// In order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.0.iter().enumerate().flat_map(|(word, &bits)| Bits(bits).map(move |bit| (word * 64) as u16 + bit))
    }

    /// The first one at or behind `start`.
    pub(super) fn next_from(&self, start: u16) -> Option<u16> {
        let (first, bit) = place(start);
        self.0.iter().enumerate().skip(first).find_map(|(word, &bits)| {
            let bits = if word == first { bits & !(bit - 1) } else { bits };
            (bits != 0).then(|| (word * 64) as u16 + bits.trailing_zeros() as u16)
        })
    }
}

fn place(number: u16) -> (usize, u64) {
    (usize::from(number / 64), 1 << (number % 64))
}

struct Bits(u64);

impl Iterator for Bits {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        let lowest = self.0.trailing_zeros() as u16;
        self.0 &= self.0.wrapping_sub(1);
        (lowest < 64).then_some(lowest)
    }
}
