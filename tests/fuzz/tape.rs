//! The decisions of a generator, taken from a list of numbers that proptest draws and shrinks.

/// Where the numbers come from. Past their end everything is 0, and every generator takes 0 for the plainest choice: a
/// shorter list is a plainer file.
pub struct Tape<'t> {
    numbers: std::slice::Iter<'t, u32>,
}

impl<'t> Tape<'t> {
    pub fn new(numbers: &'t [u32]) -> Self {
        Tape { numbers: numbers.iter() }
    }

    pub fn next(&mut self) -> u32 {
        self.numbers.next().copied().unwrap_or(0)
    }

    /// A number below this one.
    pub fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end.max(1)
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, share: u32) -> bool {
        self.next() % 100 >= 100 - share
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}
