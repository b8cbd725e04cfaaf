//! Which rows of a long table can be seen.

use std::ops::Range;

/// Rows beyond each edge that exist too, so that a scroll shows no gap.
const SPARE: usize = 4;
/// Height of the tallest table: browsers lose precision past some 30 million pixels.
const TALLEST: f64 = 30_000_000.0;

/// The rows that can be seen, and the heights of those that cannot.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    rows: Range<usize>,
    count: usize,
    row_height: f64,
    page: usize,
}

impl Window {
    /// Of `count` rows of `row_height`, those seen through `height` from `top` on.
    #[must_use]
    pub fn of(count: usize, row_height: f64, top: f64, height: f64) -> Self {
        let count = count.min((TALLEST / row_height) as usize);
        let lowest = (count as f64 * row_height - height).max(0.0);
        let first = (top.clamp(0.0, lowest) / row_height) as usize;
        let page = (height.max(0.0) / row_height).ceil() as usize;
        let rows = first.saturating_sub(SPARE)..(first + page + SPARE).min(count);
        Self { rows, count, row_height, page: page.saturating_sub(2).max(1) }
    }

    /// The rows that exist.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Height of the rows above them.
    #[must_use]
    pub fn above(&self) -> f64 {
        self.rows.start as f64 * self.row_height
    }

    /// Height of the rows below them.
    #[must_use]
    pub fn below(&self) -> f64 {
        (self.count - self.rows.end) as f64 * self.row_height
    }

    /// Rows of a page.
    #[must_use]
    pub fn page(&self) -> usize {
        self.page
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn few_rows_exist_whatever_the_number() {
        let window = Window::of(131_072, 26.0, 1_000_000.0, 780.0);
        assert!(window.range().len() <= 40);
        assert!(window.range().contains(&38_461));
        assert_eq!(Window::of(0, 26.0, 0.0, 780.0).range(), 0..0);
    }

    proptest! {
        #[test]
        fn heights_add_up_and_the_view_is_covered(
            count in 1_usize..200_000, top in 0.0_f64..6e6, height in 0.0_f64..3000.0,
        ) {
            let window = Window::of(count, 26.0, top, height);
            let range = window.range();
            let total = window.above() + range.len() as f64 * 26.0 + window.below();
            prop_assert!((total - count as f64 * 26.0).abs() < 1.0);
            let top = top.min((count as f64 * 26.0 - height).max(0.0));
            prop_assert!(window.above() <= top || range.start == 0);
        }
    }
}
