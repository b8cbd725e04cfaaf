//! Orders in which cells of a rectangle follow one another.

use serde::{Deserialize, Serialize};

/// How blocks lie in a group, and groups on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Layout {
    /// Left to right, then down, as one reads.
    #[default]
    Rows,
    /// The same with every second row backwards, so that neighbours stay neighbours.
    Snake,
    /// Along Hilbert's curve, so that what is near on the disk is a blot.
    Hilbert,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Self; 3] = [Self::Rows, Self::Snake, Self::Hilbert];

    /// Its name in addresses and options.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Snake => "snake",
            Self::Hilbert => "hilbert",
        }
    }

    /// The layout of this name.
    #[must_use]
    pub fn parse(slug: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layout| layout.slug() == slug)
    }
}

/// A rectangle that a line of cells is folded into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fold {
    pub(crate) layout: Layout,
    /// Cells of a row, a power of two for Hilbert's curve.
    pub(crate) width: u32,
    /// Rows; for Hilbert's curve a power of two, at most `width`, with one square beside another.
    pub(crate) height: u32,
}

impl Fold {
    /// The rectangle nearest to two wide, one high that holds `cells`: its width is a power of two.
    pub(crate) fn of(layout: Layout, cells: u32) -> Self {
        let cells = cells.max(1);
        let log = cells.checked_next_power_of_two().map_or(31, u32::ilog2);
        let width = 1 << log.div_ceil(2).min(16);
        let rows = cells.div_ceil(width);
        let height = match layout {
            Layout::Rows | Layout::Snake => rows,
            Layout::Hilbert => rows.next_power_of_two().min(width),
        };
        Self { layout, width, height }
    }

    /// Column and row of a cell.
    pub(crate) fn place(self, cell: u32) -> (u32, u32) {
        let (x, y) = (cell % self.width, cell / self.width);
        match self.layout {
            Layout::Rows => (x, y),
            Layout::Snake if y.is_multiple_of(2) => (x, y),
            Layout::Snake => (self.width - 1 - x, y),
            Layout::Hilbert => {
                let area = self.height * self.height;
                let (x, y) = hilbert(cell % area, self.height);
                (x + cell / area * self.height, y)
            }
        }
    }

    /// The cell at a column and row.
    pub(crate) fn cell(self, x: u32, y: u32) -> u32 {
        match self.layout {
            Layout::Rows => y * self.width + x,
            Layout::Snake if y.is_multiple_of(2) => y * self.width + x,
            Layout::Snake => y * self.width + (self.width - 1 - x),
            Layout::Hilbert => {
                let square = x / self.height;
                square * self.height * self.height + hilbert_index(x % self.height, y, self.height)
            }
        }
    }
}

/// Place of a cell on the curve through a square of `side`, from the left upper corner to the
/// right upper one.
fn hilbert(cell: u32, side: u32) -> (u32, u32) {
    let (mut x, mut y, mut rest, mut size) = (0, 0, cell, 1);
    while size < side {
        let right = (rest / 2) & 1;
        let down = (rest ^ right) & 1;
        (x, y) = turned(x, y, size, right, down);
        x += size * right;
        y += size * down;
        rest /= 4;
        size *= 2;
    }
    (x, y)
}

/// The cell at a place of the same curve.
fn hilbert_index(mut x: u32, mut y: u32, side: u32) -> u32 {
    let (mut cell, mut size) = (0, side / 2);
    while size > 0 {
        let (right, down) = (u32::from(x & size > 0), u32::from(y & size > 0));
        cell += size * size * ((3 * right) ^ down);
        (x, y) = turned(x & (size - 1), y & (size - 1), size, right, down);
        size /= 2;
    }
    cell
}

/// A quarter of the curve as it lies in the first or the last quarter.
fn turned(x: u32, y: u32, size: u32, right: u32, down: u32) -> (u32, u32) {
    match (down, right) {
        (0, 1) => (size - 1 - y, size - 1 - x),
        (0, _) => (y, x),
        _ => (x, y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_about_two_wide_and_one_high() {
        let size = |cells| {
            let fold = Fold::of(Layout::Rows, cells);
            (fold.width, fold.height)
        };
        assert_eq!(size(8192), (128, 64));
        assert_eq!(size(16_384), (128, 128));
        assert_eq!(size(32_768), (256, 128));
        assert_eq!(size(65_528), (256, 256));
        assert_eq!(size(524_288), (1024, 512));
        assert_eq!((size(1), size(0)), ((1, 1), (1, 1)));
    }

    #[test]
    fn every_cell_has_a_place_of_its_own() {
        for layout in Layout::ALL {
            for cells in [1, 2, 3, 7, 64, 100, 1000, 8192, 20_000, 32_768, 65_528] {
                let fold = Fold::of(layout, cells);
                for cell in 0..cells {
                    let (x, y) = fold.place(cell);
                    assert!(x < fold.width && y < fold.height, "{layout:?} {cells}: {cell}");
                    assert_eq!(fold.cell(x, y), cell, "{layout:?} {cells}");
                }
            }
        }
    }

    #[test]
    fn neighbours_on_the_disk_touch_in_snake_and_hilbert() {
        for layout in [Layout::Snake, Layout::Hilbert] {
            let fold = Fold::of(layout, 32_768);
            for cell in 1..32_768 {
                let ((x, y), (a, b)) = (fold.place(cell - 1), fold.place(cell));
                assert_eq!(x.abs_diff(a) + y.abs_diff(b), 1, "{layout:?} at {cell}");
            }
        }
    }
}
