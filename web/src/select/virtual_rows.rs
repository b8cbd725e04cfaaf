//! Which rows of a long table can be seen.
//!
//! A table is as tall as its rows, up to a height that every browser can lay out. A longer table
//! has that height, and its scroll bar stands for more rows than it has pixels.

use std::ops::Range;

/// Rows beyond each edge that exist too, so that a scroll shows no gap.
const SPARE: usize = 4;
/// Height of the tallest table in CSS pixels: Firefox lays out some 17.9 million.
const TALLEST: f64 = 16_000_000.0;

/// A long table, seen through some height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scroll {
    /// Number of rows.
    pub count: usize,
    /// Height of a row.
    pub row: f64,
    /// Height through which rows are seen.
    pub height: f64,
}

impl Scroll {
    /// Height of all rows.
    fn total(&self) -> f64 {
        self.count as f64 * self.row
    }

    /// How many pixels of rows a pixel of the scroll bar stands for: 1 unless the table is cut.
    fn scale(&self) -> f64 {
        let (total, tall) = (self.total() - self.height, TALLEST.min(self.total()) - self.height);
        if self.total() > TALLEST && tall > 0.0 { total / tall } else { 1.0 }
    }

    /// The rows seen when the scroll bar stands at `top`.
    #[must_use]
    pub fn window(&self, top: f64) -> Window {
        let tall = self.total().min(TALLEST);
        let top = top.clamp(0.0, (tall - self.height).max(0.0));
        // Where the seen part begins if the table were not cut.
        let from = top * self.scale();
        let page = (self.height.max(0.0) / self.row).ceil() as usize;
        let first = (from / self.row) as usize;
        let start = first.saturating_sub(SPARE);
        let rows = start..(first + page + SPARE).min(self.count).max(start);
        let there = rows.len() as f64 * self.row;
        // Near the end of a table that is cut, spare rows would make it taller.
        let above = (top - (from - start as f64 * self.row)).min(tall - there).max(0.0);
        let below = (tall - above - there).max(0.0);
        let most = page + 2 * SPARE;
        Window { rows, above, below, most, page: page.saturating_sub(2).max(1) }
    }

    /// Where the scroll bar has to stand so that row `at` is seen below a head as high as a row,
    /// if it is not seen from `top`: as near as that can be, or with the row in the middle when
    /// it is far away.
    #[must_use]
    pub fn top_to_see(&self, at: usize, top: f64) -> Option<f64> {
        let scale = self.scale();
        let (from, room) = (top * scale, self.height - self.row);
        let row = at as f64 * self.row;
        let (above, below) = (from - row, row + self.row - from - room);
        let to = match above.max(below) {
            ..=0.0 => return None,
            far if far > 4.0 * self.row => row - room / 2.0,
            _ if above > 0.0 => row,
            _ => row + self.row - room,
        };
        Some((to / scale).max(0.0))
    }
}

/// The rows that can be seen, and the heights of those that cannot.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    rows: Range<usize>,
    above: f64,
    below: f64,
    most: usize,
    page: usize,
}

impl Window {
    /// The rows that exist.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Height of the rows above them.
    #[must_use]
    pub fn above(&self) -> f64 {
        self.above
    }

    /// Height of the rows below them.
    #[must_use]
    pub fn below(&self) -> f64 {
        self.below
    }

    /// A number for the row at a place that no other row of the window has: a row that scrolls into
    /// view takes that of one that scrolled out of it.
    #[must_use]
    pub fn slot(&self, at: usize) -> usize {
        at.checked_rem(self.most).unwrap_or(0)
    }

    /// Rows of a page.
    #[must_use]
    pub fn page(&self) -> usize {
        self.page
    }
}

/// Which row is brought into view: each once, when it is first there. Rows that come and go around
/// it move nothing, so that a person can look elsewhere.
#[derive(Clone, Debug)]
pub struct Follow<T> {
    followed: Option<T>,
}

impl<T> Default for Follow<T> {
    fn default() -> Self {
        Self { followed: None }
    }
}

impl<T: PartialEq> Follow<T> {
    /// The row to bring into view, if `wanted` stands in the row `at` and was not brought there
    /// last.
    pub fn row(&mut self, wanted: T, at: Option<usize>) -> Option<usize> {
        let at = at.filter(|_| self.followed.as_ref() != Some(&wanted))?;
        self.followed = Some(wanted);
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(count: usize, height: f64) -> Scroll {
        Scroll { count, row: 26.0, height }
    }

    #[test]
    fn few_rows_exist_whatever_the_number() {
        let window = table(131_072, 780.0).window(1_000_000.0);
        assert!(window.range().len() <= 40);
        assert!(window.range().contains(&38_461));
        assert_eq!(table(0, 780.0).window(0.0).range(), 0..0);
    }

    #[test]
    fn the_scroll_bar_reaches_the_last_row_of_a_table_too_tall_for_a_browser() {
        let table = table(8_000_000, 780.0);
        assert_eq!(table.window(0.0).range().start, 0);
        assert_eq!(table.window(TALLEST).range().end, 8_000_000);
        let middle = table.window((TALLEST - 780.0) / 2.0).range();
        assert!(middle.contains(&4_000_000), "{middle:?}");
    }

    #[test]
    fn spare_rows_make_a_table_that_is_cut_no_taller() {
        let window = table(621_757, 1172.333).window(15_998_731.09);
        let rows = window.range().len() as f64 * 26.0;
        assert!((window.above() + rows + window.below() - TALLEST).abs() < 1e-6);
    }

    #[test]
    fn a_row_is_followed_once_wherever_it_moves() {
        let mut follow = Follow::default();
        assert_eq!(follow.row("a", None), None, "it is not there yet");
        assert_eq!(follow.row("a", Some(7)), Some(7));
        assert_eq!(follow.row("a", Some(9)), None, "others came before it");
        assert_eq!(follow.row("b", Some(3)), Some(3));
        assert_eq!(follow.row("a", Some(9)), Some(9));
    }

    proptest! {
        #[test]
        fn heights_add_up_and_the_view_is_covered(
            count in 1_usize..9_000_000, top in 0.0_f64..2e7, height in 0.0_f64..3000.0,
        ) {
            let table = table(count, height);
            let window = table.window(top);
            let rows = window.range().len() as f64 * 26.0;
            let tall = (count as f64 * 26.0).min(TALLEST);
            prop_assert!((window.above() + rows + window.below() - tall).abs() < 1.0);
            let top = top.min((tall - height).max(0.0));
            let mut slots: Vec<_> = window.range().map(|at| window.slot(at)).collect();
            slots.sort_unstable();
            slots.dedup();
            prop_assert_eq!(slots.len(), window.range().len());
            prop_assert!(window.above() <= top + 1e-6);
            prop_assert!(window.above() + rows >= (top + height).min(tall) - 1e-6);
        }

        #[test]
        fn a_row_is_seen_where_the_scroll_bar_was_sent_for_it(
            count in 1_usize..9_000_000, at in 0.0_f64..1.0, top in 0.0_f64..1.0,
            height in 100.0_f64..3000.0,
        ) {
            let table = table(count, height);
            let tall = (count as f64 * 26.0).min(TALLEST);
            let (at, top) = ((count as f64 * at) as usize, (tall - height).max(0.0) * top);
            let to = table.top_to_see(at, top).unwrap_or(top);
            // A browser scrolls to whole pixels and no further than it can.
            let to = to.ceil().min((tall - height).max(0.0));
            prop_assert!(table.window(to).range().contains(&at));
        }
    }
}
