//! Storage that makes time travel cheap.
//!
//! What only grows ([`Log`]) is stored once for all moments of a run: a moment is just a length. What changes in
//! place but is large ([`Paged`]) is cut into pages that copies share until one of them writes.

use std::rc::Rc;

/// The most that a chunk of a [`Log`] takes, in bytes and in entries. A branch copies one chunk in part, and the list of
/// all chunks: smaller ones would make that list longer.
const CHUNK_BYTES: usize = 16 * 1024;
const CHUNK_ENTRIES: usize = 1024;

/// A list that only grows, in chunks that branches of history share.
#[derive(Clone, Debug)]
pub struct Log<T> {
    chunks: Vec<Rc<Vec<T>>>,
    len: u32,
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Log { chunks: Vec::new(), len: 0 }
    }
}

impl<T> Log<T> {
    /// Entries in one chunk: a power of two, at least 1.
    const CHUNK: usize = {
        let fit = CHUNK_BYTES / if size_of::<T>() == 0 { 1 } else { size_of::<T>() };
        if fit >= CHUNK_ENTRIES {
            CHUNK_ENTRIES
        } else if fit == 0 {
            1
        } else {
            1 << fit.ilog2()
        }
    };

    /// How many entries are stored, over all moments of this branch.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// True if nothing has been written yet.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entry at `index`, or nothing beyond the end.
    pub fn get(&self, index: u32) -> Option<&T> {
        self.chunks.get(index as usize / Self::CHUNK)?.get(index as usize % Self::CHUNK)
    }

    /// The first entry that does not come before what is looked for; entries are in order of `comes_before`.
    pub fn partition_point(&self, comes_before: impl Fn(&T) -> bool) -> u32 {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle).is_some_and(&comes_before) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

impl<T: Clone> Log<T> {
    /// Writes `value` as entry number `*len` and counts it.
    ///
    /// A moment that lies in the past of this log has a smaller `len`; going through it again yields the same values,
    /// so nothing is stored a second time.
    #[inline]
    pub fn write(&mut self, len: &mut u32, value: T) {
        if *len == self.len {
            self.push(value);
        }
        *len += 1;
    }

    fn push(&mut self, value: T) {
        if self.len as usize == self.chunks.len() * Self::CHUNK {
            self.chunks.push(Rc::new(Vec::with_capacity(if self.len == 0 { 8 } else { Self::CHUNK })));
        }
        let last = self.chunks.last_mut().expect("a chunk with room was just made sure of");
        Rc::make_mut(last).push(value);
        self.len += 1;
    }

    /// A log with the first `len` entries of this one, sharing its full chunks.
    pub fn fork(&self, len: u32) -> Self {
        let full = len as usize / Self::CHUNK;
        let mut chunks = self.chunks[..full].to_vec();
        let rest = len as usize % Self::CHUNK;
        if rest > 0 {
            chunks.push(Rc::new(self.chunks[full][..rest].to_vec()));
        }
        Log { chunks, len }
    }
}

/// Entries in one page of a [`Paged`] list.
const PAGE: usize = 64;

/// A list of values that start as their default and change in place; a copy shares all pages until it writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paged<T> {
    pages: Rc<Vec<Option<Rc<[T; PAGE]>>>>,
}

impl<T: Copy + Default> Paged<T> {
    /// The value at `index`; the default if it was never written.
    pub fn get(&self, index: u32) -> T {
        match self.pages.get(index as usize / PAGE) {
            Some(Some(page)) => page[index as usize % PAGE],
            _ => T::default(),
        }
    }

    /// The value at `index`, to be changed.
    pub fn get_mut(&mut self, index: u32) -> &mut T {
        let page = index as usize / PAGE;
        self.own(page);
        let pages = Rc::get_mut(&mut self.pages).expect("it was made its own");
        let page = pages[page].as_mut().and_then(Rc::get_mut).expect("it was made its own");
        &mut page[index as usize % PAGE]
    }

    /// Makes sure that nothing else shares a page, nor the list of all.
    fn own(&mut self, page: usize) {
        let is_own = Rc::get_mut(&mut self.pages)
            .is_some_and(|pages| pages.get_mut(page).is_some_and(|page| page.as_mut().and_then(Rc::get_mut).is_some()));
        if !is_own {
            self.copy(page);
        }
    }

    #[inline(never)]
    fn copy(&mut self, page: usize) {
        let pages = Rc::make_mut(&mut self.pages);
        if page >= pages.len() {
            pages.resize(page + 1, None);
        }
        Rc::make_mut(pages[page].get_or_insert_with(|| Rc::new([T::default(); PAGE])));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_in_the_past_stores_nothing_again() {
        let mut log = Log::default();
        let mut len = 0;
        for value in 0..3000u32 {
            log.write(&mut len, value);
        }
        let mut past = 1500;
        log.write(&mut past, 1500);
        assert_eq!((log.len(), past), (3000, 1501));
        assert_eq!(log.get(1500), Some(&1500));
        assert_eq!(log.get(3000), None);
    }

    #[test]
    fn a_fork_shares_the_past_and_has_its_own_future() {
        let mut log = Log::default();
        let mut len = 0;
        for value in 0..2100u32 {
            log.write(&mut len, value);
        }
        let mut fork = log.fork(2050);
        let mut fork_len = 2050;
        fork.write(&mut fork_len, 7);
        assert_eq!(fork.get(2050), Some(&7));
        assert_eq!(log.get(2050), Some(&2050));
        assert!(Rc::ptr_eq(&fork.chunks[0], &log.chunks[0]));
    }

    #[test]
    fn pages_are_copied_only_where_written() {
        let mut now = Paged::<u32>::default();
        *now.get_mut(5) = 1;
        *now.get_mut(500) = 2;
        let before = now.clone();
        *now.get_mut(5) = 9;
        assert_eq!((before.get(5), now.get(5)), (1, 9));
        assert_eq!((before.get(500), now.get(500), now.get(10_000)), (2, 2, 0));
    }
}
