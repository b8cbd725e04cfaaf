//! Who looks on while an algorithm works, and what is counted.

use core::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// Bytes of a cache line.
const LINE_BYTES: u64 = 64;

/// Work that was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Bits tested by themselves.
    pub tests: u64,
    /// Loads from the bitmap: of a byte, a word or a vector.
    pub loads: u64,
    /// Bytes of the bitmap looked at.
    pub bytes: u64,
    /// Cache lines entered; one that is entered again counts again.
    pub lines: u64,
    /// Questions with two outcomes.
    pub branches: u64,
    /// Divisions.
    pub divisions: u64,
    /// Calls of functions that are not inlined.
    pub calls: u64,
}

impl Tally {
    /// No work.
    pub const NONE: Self =
        Self { tests: 0, loads: 0, bytes: 0, lines: 0, branches: 0, divisions: 0, calls: 0 };

    /// So many questions.
    #[must_use]
    pub const fn branches(branches: u64) -> Self {
        Self { branches, ..Self::NONE }
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            loads: self.loads + other.loads,
            bytes: self.bytes + other.bytes,
            lines: self.lines + other.lines,
            branches: self.branches + other.branches,
            divisions: self.divisions + other.divisions,
            calls: self.calls + other.calls,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Looks on while an algorithm works whose steps are `A`s.
pub trait Watch<A> {
    /// Work was done that is no load.
    fn work(&mut self, work: Tally);

    /// Bytes `at..at + bytes` of the bitmap were looked at, in so many loads.
    fn load(&mut self, at: u64, bytes: u64, loads: u64);

    /// This was a step; the work before it belongs to it.
    fn act(&mut self, act: A);
}

/// Nobody looks on: nothing is left of a watch in the compiled loop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl<A> Watch<A> for Unwatched {
    #[inline(always)]
    fn work(&mut self, _: Tally) {}

    #[inline(always)]
    fn load(&mut self, _: u64, _: u64, _: u64) {}

    #[inline(always)]
    fn act(&mut self, _: A) {}
}

/// Counts work and forgets the steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meter {
    /// All work so far.
    pub tally: Tally,
    /// The cache line looked at last.
    line: Option<u64>,
}

impl<A> Watch<A> for Meter {
    fn work(&mut self, work: Tally) {
        self.tally += work;
    }

    fn load(&mut self, at: u64, bytes: u64, loads: u64) {
        self.tally += Tally { loads, bytes, ..Tally::NONE };
        if let Some(last) = (at + bytes).checked_sub(1).filter(|_| bytes > 0) {
            let (first, last) = (at / LINE_BYTES, last / LINE_BYTES);
            self.tally.lines += last - first + u64::from(self.line != Some(first));
            self.line = Some(last);
        }
    }

    fn act(&mut self, _: A) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_line_counts_when_it_is_entered() {
        let mut meter = Meter::default();
        let mut load = |at, bytes| Watch::<()>::load(&mut meter, at, bytes, 1);
        (0..64).for_each(|at| load(at, 1));
        load(64, 64);
        load(100, 64);
        load(0, 1);
        load(7, 0);
        let expected = Tally { loads: 68, bytes: 193, lines: 4, ..Tally::NONE };
        assert_eq!(meter.tally, expected);
    }
}
