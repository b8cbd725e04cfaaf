//! The profile of a group, folded into a tile of the map or laid out as a line.
//!
//! Ref: [`extscope::analysis::profile`].

use super::space::DevicePx;

/// Rows of a tile: a group of 32,768 blocks is 128 rows of 256.
const ROWS: usize = 128;

/// The mean of the parts from `from` to `to`; the little there may be never rounds to nothing.
fn mean(parts: &[u8], from: usize, to: usize) -> u8 {
    let to = to.max(from + 1).min(parts.len());
    let Some(slice) = parts.get(from.min(to)..to).filter(|s| !s.is_empty()) else { return 0 };
    let sum: usize = slice.iter().map(|&p| usize::from(p)).sum();
    let mean = sum / slice.len();
    let inexact = mean * slice.len() != sum;
    u8::try_from(mean).unwrap_or(u8::MAX).max(u8::from(inexact))
}

/// Cuts a profile into a grid of `columns` by `rows` cells, folded as the tile is: 256 blocks a
/// row where there are parts enough, else one band under the other.
#[derive(Clone, Copy, Debug)]
pub struct Folded<'a> {
    parts: &'a [u8],
    columns: usize,
    rows: usize,
}

impl<'a> Folded<'a> {
    /// Folds a profile.
    #[must_use]
    pub fn new(parts: &'a [u8]) -> Self {
        let rows = parts.len().clamp(1, ROWS);
        Self { parts, columns: (parts.len() / rows).max(1), rows }
    }

    /// The share in use of the part of a tile of `w` by `h` pixels that `x`, `y`, `dx`, `dy` cut
    /// out.
    #[must_use]
    pub fn share(&self, cell: Cell, w: DevicePx, h: DevicePx) -> u8 {
        let along = |at: DevicePx, of: DevicePx, n: usize| at as usize * n / of.max(1) as usize;
        let (top, bottom) = (along(cell.y, h, self.rows), along(cell.y + cell.h, h, self.rows));
        let (left, right) =
            (along(cell.x, w, self.columns), along(cell.x + cell.w, w, self.columns));
        let bottom = bottom.max(top + 1).min(self.rows);
        if self.columns == 1 {
            return mean(self.parts, top, bottom);
        }
        let (mut sum, mut rows) = (0_usize, 0_usize);
        let mut inexact = false;
        for row in top..bottom {
            let base = row * self.columns;
            let share = mean(self.parts, base + left, base + right.max(left + 1));
            inexact |= share != 0;
            sum += usize::from(share);
            rows += 1;
        }
        let share = u8::try_from(sum / rows.max(1)).unwrap_or(u8::MAX);
        share.max(u8::from(inexact))
    }
}

/// A rectangle of pixels inside a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// From the tile's left edge.
    pub x: DevicePx,
    /// From the tile's upper edge.
    pub y: DevicePx,
    /// Width.
    pub w: DevicePx,
    /// Height.
    pub h: DevicePx,
}

/// The profile as a line of `width` cells.
#[must_use]
pub fn line(parts: &[u8], width: usize) -> Vec<u8> {
    (0..width)
        .map(|i| mean(parts, i * parts.len() / width, (i + 1) * parts.len() / width))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_tile_shows_its_parts_in_reading_order() {
        let mut parts = vec![0; 1024];
        parts[8] = 255;
        let folded = Folded::new(&parts);
        let at = |x, y| folded.share(Cell { x, y, w: 1, h: 1 }, 8, 128);
        assert_eq!(at(0, 1), 255);
        assert_eq!((at(0, 0), at(1, 1), at(0, 2)), (0, 0, 0));
    }

    #[test]
    fn a_coarse_profile_is_bands() {
        let mut parts = vec![0; 32];
        parts[31] = 255;
        let folded = Folded::new(&parts);
        let cell = |y| folded.share(Cell { x: 0, y, w: 40, h: 1 }, 40, 32);
        assert_eq!((cell(30), cell(31)), (0, 255));
    }

    #[test]
    fn a_single_used_part_never_vanishes() {
        let mut parts = vec![0; 4096];
        parts[77] = 3;
        let whole = Folded::new(&parts).share(Cell { x: 0, y: 0, w: 1, h: 1 }, 1, 1);
        assert_eq!(whole, 1);
        assert_eq!(line(&parts, 1), [1]);
    }

    proptest! {
        #[test]
        fn full_stays_full_and_empty_stays_empty(
            log in 5_u32..13, w in 1_u32..90, h in 1_u32..200, full: bool,
        ) {
            let share = if full { 255 } else { 0 };
            let parts = vec![share; 1 << log];
            let folded = Folded::new(&parts);
            for y in 0..h {
                prop_assert_eq!(folded.share(Cell { x: y % w, y, w: 1, h: 1 }, w, h), share);
            }
            prop_assert!(line(&parts, 37).iter().all(|&s| s == share));
        }

        #[test]
        fn only_full_parts_make_a_full_cell(hole in 0_usize..512) {
            let mut parts = vec![255; 512];
            parts[hole] = 254;
            let whole = Folded::new(&parts).share(Cell { x: 0, y: 0, w: 5, h: 5 }, 5, 5);
            prop_assert!(whole < 255);
        }
    }
}
