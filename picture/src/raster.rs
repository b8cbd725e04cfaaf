//! The cells of a group on a grid that is at least as fine as the pixels.

use super::cells::Cells;
use super::curve::{Fold, Layout};
use super::ink::Ink;
use super::look::Look;
use super::palette::Rgb;

/// The cells of a group, squares of `2^log` by `2^log` of them in one.
#[derive(Debug, Default)]
pub(crate) struct Raster {
    log: u32,
    width: usize,
    height: usize,
    /// Cells one by one, where squares are one cell.
    inks: Vec<Option<Ink>>,
    /// Sums of light and of weight, where squares are more.
    sums: Vec<[f32; 4]>,
}

impl Raster {
    /// Lays the cells of a group on the grid.
    pub(crate) fn lay(&mut self, fold: Fold, cells: &Cells, log: u32, look: &Look) {
        self.log = log;
        let squares = |cells: u32| (cells as usize).div_ceil(1 << log).max(1);
        (self.width, self.height) = (squares(fold.width), squares(fold.height));
        self.inks.clear();
        self.sums.clear();
        if log == 0 {
            self.inks.resize(self.width * self.height, None);
            self.lay_inks(fold, cells);
        } else {
            self.sums.resize(self.width * self.height, [0.0; 4]);
            self.lay_sums(fold, cells, look);
        }
    }

    fn lay_inks(&mut self, fold: Fold, cells: &Cells) {
        for (start, end, ink) in cells.runs() {
            if fold.layout == Layout::Rows {
                let end = (end as usize).min(self.inks.len());
                if let Some(run) = self.inks.get_mut(start as usize..end) {
                    run.fill(Some(ink));
                }
                continue;
            }
            for cell in start..end {
                let (x, y) = fold.place(cell);
                if let Some(slot) = self.inks.get_mut(y as usize * self.width + x as usize) {
                    *slot = Some(ink);
                }
            }
        }
    }

    fn lay_sums(&mut self, fold: Fold, cells: &Cells, look: &Look) {
        let log = self.log;
        // So many cells from a multiple of their number on lie in one square.
        let unit = match fold.layout {
            Layout::Rows | Layout::Snake => 1_u32 << log.min(31),
            Layout::Hilbert => 1_u32.checked_shl(2 * log).unwrap_or(1 << 31),
        };
        // So many fill a row of squares.
        let row = fold.width.saturating_mul(unit).max(1);
        let has_rows = fold.layout != Layout::Hilbert && fold.width.is_multiple_of(unit);
        for (start, end, ink) in cells.runs() {
            let swatch = look.swatch(ink);
            let [r, g, b] = swatch.light;
            let add = |sums: &mut [[f32; 4]], cells: u32| {
                let weight = cells as f32 * swatch.weight;
                for sum in sums {
                    sum[0] += r * weight;
                    sum[1] += g * weight;
                    sum[2] += b * weight;
                    sum[3] += weight;
                }
            };
            let mut at = start;
            while at < end {
                if has_rows && at.is_multiple_of(row) && end - at >= row {
                    let from = (at / row) as usize * self.width;
                    if let Some(squares) = self.sums.get_mut(from..from + self.width) {
                        add(squares, unit * unit);
                    }
                    at += row;
                    continue;
                }
                let next = (at / unit).saturating_add(1).saturating_mul(unit).min(end);
                let (x, y) = fold.place(at);
                let square = (y >> log) as usize * self.width + (x >> log) as usize;
                if let Some(square) = self.sums.get_mut(square..=square) {
                    add(square, next - at);
                }
                at = next;
            }
        }
    }

    /// Squares of a row, and rows.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The ink of a cell, where squares are one cell; `None` past the last.
    pub(crate) fn ink(&self, x: usize, y: usize) -> Option<Ink> {
        self.inks.get(y * self.width + x).copied().flatten()
    }

    /// The mean colour of some columns and rows of squares; `None` past the last cell.
    pub(crate) fn mean(&self, x: Span, y: Span, look: &Look) -> Option<Rgb> {
        if self.log == 0 && x.is_one() && y.is_one() {
            return self.ink(x.from, y.from).map(|ink| look.colour(ink));
        }
        let mut total = [0.0; 4];
        for row in y.from..y.to {
            let at = row * self.width;
            if self.log == 0 {
                for ink in self.inks.get(at + x.from..at + x.to)?.iter().flatten() {
                    let swatch = look.swatch(*ink);
                    for (sum, channel) in total.iter_mut().zip(swatch.light) {
                        *sum += channel * swatch.weight;
                    }
                    total[3] += swatch.weight;
                }
            } else {
                for square in self.sums.get(at + x.from..at + x.to)? {
                    for (sum, more) in total.iter_mut().zip(square) {
                        *sum += more;
                    }
                }
            }
        }
        let [r, g, b, weight] = total;
        (weight > 0.0).then(|| look.mean([r, g, b], weight))
    }

    /// The sum of light and of weight of all cells.
    pub(crate) fn total(&self) -> [f32; 4] {
        let mut total = [0.0; 4];
        for square in &self.sums {
            for (sum, more) in total.iter_mut().zip(square) {
                *sum += more;
            }
        }
        total
    }
}

/// Columns or rows of squares; never none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl Span {
    fn is_one(self) -> bool {
        self.to - self.from == 1
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kind::Kinds;
    use crate::layer::Layer;
    use crate::palette::{Palette, Theme};

    fn look() -> Look {
        Look::new(Palette::of(Theme::Dark), Layer::Occupancy, Kinds::default())
    }

    proptest! {
        #[test]
        fn squares_are_the_sums_of_their_cells(
            layout in 0_usize..3, count in 1_u32..5000, log in 1_u32..5,
            ends in prop::collection::vec((0_u32..5000, 0_u8..3), 0..20),
        ) {
            let fold = Fold::of(Layout::ALL[layout], count);
            let mut cells = Cells::default();
            for (end, share) in ends {
                cells.fill_to(end.min(count), Ink::share(share * 127));
            }
            cells.fill_to(count, Ink::share(255));
            let look = look();
            let (mut fine, mut coarse) = (Raster::default(), Raster::default());
            fine.lay(fold, &cells, 0, &look);
            coarse.lay(fold, &cells, log, &look);
            let (width, height) = coarse.size();
            for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                let (mut sum, mut weight) = (0.0, 0.0);
                let (w, h) = fine.size();
                for cell_y in (y << log)..((y + 1) << log).min(h) {
                    for cell_x in (x << log)..((x + 1) << log).min(w) {
                        if let Some(ink) = fine.ink(cell_x, cell_y) {
                            sum += look.swatch(ink).light[0];
                            weight += 1.0;
                        }
                    }
                }
                let [light, _, _, total] = coarse.sums[y * width + x];
                prop_assert_eq!((light, total), (sum, weight), "square {},{}", x, y);
            }
            prop_assert_eq!(coarse.total()[3], count as f32);
        }
    }
}
