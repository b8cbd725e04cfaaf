//! What the cells of a group are, as runs.

use extscope::units::Group;

use super::ink::Ink;

/// How sure what is said of a group is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Truth {
    /// By its bitmap.
    #[default]
    Known,
    /// By its descriptor alone; its bitmap was not read yet.
    Hearsay,
    /// Its bitmap, or even its descriptor, could not be read.
    Failed,
}

impl Truth {
    /// What is true of both together.
    #[must_use]
    pub(crate) fn worse(self, other: Self) -> Self {
        match (self, other) {
            (Self::Failed, _) | (_, Self::Failed) => Self::Failed,
            (Self::Hearsay, _) | (_, Self::Hearsay) => Self::Hearsay,
            (Self::Known, Self::Known) => Self::Known,
        }
    }
}

/// How finely cells are to be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fineness {
    /// All of a group falls into a few pixels.
    Whole,
    /// So many neighbouring cells fall into one pixel.
    Parts(u32),
    /// Each cell is seen.
    Cells,
}

/// What the cells of a group are: runs in order, from its first cell on.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// How sure it is.
    pub truth: Truth,
    /// The end of each run, and what it is. Runs may be empty.
    runs: Vec<(u32, Ink)>,
}

impl Cells {
    /// Forgets everything.
    pub fn clear(&mut self, truth: Truth) {
        self.truth = truth;
        self.runs.clear();
    }

    /// The cells up to `end` that have no ink yet are this.
    pub fn fill_to(&mut self, end: u32, ink: Ink) {
        let start = self.end();
        if end <= start {
            return;
        }
        match self.runs.last_mut() {
            Some((last, of)) if *of == ink => *last = end,
            _ => self.runs.push((end, ink)),
        }
    }

    /// The cells that have no ink yet are what some runs say, each by its end and ink; where others,
    /// by first cell, end and ink, lie over them, what those say. Both are in order.
    pub(crate) fn lay(
        &mut self,
        below: impl Iterator<Item = (u32, Ink)>,
        above: impl Iterator<Item = (u32, u32, Ink)>,
    ) {
        let mut below = below.peekable();
        let mut fill = |cells: &mut Self, to: u32| {
            while let Some((end, ink)) = below.peek().copied() {
                cells.fill_to(end.min(to), ink);
                if end > to {
                    break;
                }
                below.next();
            }
        };
        for (start, end, ink) in above {
            fill(self, start);
            self.fill_to(end, ink);
        }
        fill(self, u32::MAX);
    }

    /// Leaves out the cells from `end` on.
    pub fn cut(&mut self, end: u32) {
        let kept = self.runs.partition_point(|(run_end, _)| *run_end < end);
        if let Some((run_end, _)) = self.runs.get_mut(kept) {
            *run_end = end;
            self.runs.truncate(kept + usize::from(end > 0));
        }
    }

    /// Where the runs end.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.runs.last().map_or(0, |(end, _)| *end)
    }

    /// The runs: end, what it is.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (u32, Ink)> {
        self.runs.iter().copied()
    }

    /// The runs: first cell, end, what it is.
    pub fn runs(&self) -> impl Iterator<Item = (u32, u32, Ink)> {
        let starts = core::iter::once(0).chain(self.runs.iter().map(|(end, _)| *end));
        starts.zip(&self.runs).map(|(start, &(end, ink))| (start, end, ink))
    }
}

/// Says what the cells of groups are.
pub trait Source {
    /// Puts the cells of a group into `cells`, all of them, at least as finely as asked for.
    fn group(&mut self, group: Group, fineness: Fineness, cells: &mut Cells);

    /// Puts the bits of a group's block bitmap into `cells`, as shares of all or nothing; as far
    /// as they are known.
    fn bits(&mut self, group: Group, cells: &mut Cells);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_the_same_are_joined() {
        let mut cells = Cells::default();
        for (end, share) in [(3, 0), (3, 9), (5, 0), (2, 7), (9, 255)] {
            cells.fill_to(end, Ink::share(share));
        }
        let runs: Vec<_> = cells.runs().collect();
        assert_eq!(runs, [(0, 5, Ink::share(0)), (5, 9, Ink::share(255))]);
        cells.cut(12);
        assert_eq!(cells.end(), 9);
        cells.cut(7);
        assert_eq!(cells.runs().last(), Some((5, 7, Ink::share(255))));
        cells.cut(5);
        assert_eq!(cells.runs().last(), Some((0, 5, Ink::share(0))));
        cells.cut(0);
        assert_eq!(cells.runs().next(), None);
    }

    #[test]
    fn what_lies_above_hides_what_lies_below() {
        let (a, b, c) = (Ink::share(1), Ink::share(2), Ink::share(3));
        let mut cells = Cells::default();
        let above = [(0, 1, c), (3, 6, c), (5, 7, b), (20, 30, c)];
        cells.lay([(4, a), (10, b)].into_iter(), above.into_iter());
        let runs: Vec<_> = cells.runs().collect();
        assert_eq!(runs, [(0, 1, c), (1, 3, a), (3, 6, c), (6, 10, b), (10, 30, c)]);
    }
}
