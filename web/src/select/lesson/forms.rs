//! An array of bits against runs in a tree: what each length of extents comes to.

use super::race::nanos;
use crate::protocol::{FormCase, FormCost, FormResult};
use crate::text::{number, size};

/// Of a hundred bits, how many can be set.
pub const FILLS: [(u8, &str); 5] =
    [(10, "10 %"), (30, "30 %"), (50, "50 %"), (75, "75 %"), (95, "95 %")];

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Bits of an extent.
    pub extent: String,
    /// How many extents there are.
    pub runs: String,
    /// Memory, marking and finding, each as an array and as runs.
    pub costs: [Pair; 3],
}

/// A figure of both forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// As an array.
    pub array: String,
    /// As runs.
    pub tree: String,
    /// Whether runs are better.
    pub is_tree_better: bool,
}

/// A row for each length of extents.
#[must_use]
pub fn rows(result: &FormResult) -> Vec<Row> {
    let row = |case: &FormCase| {
        let pair = |cost: fn(&FormCost) -> f64, written: fn(f64) -> String| {
            let (array, tree) = (cost(&case.array), cost(&case.tree));
            Pair { array: written(array), tree: written(tree), is_tree_better: tree < array }
        };
        Row {
            extent: number::count(case.extents.len),
            runs: number::count(case.runs),
            costs: [
                pair(|cost| cost.bytes as f64, |bytes| size::bytes(bytes as u64)),
                pair(|cost| cost.mark_nanos, nanos),
                pair(|cost| cost.find_nanos, nanos),
            ],
        }
    };
    result.cases.iter().map(row).collect()
}

/// What was measured, in a sentence.
#[must_use]
pub fn said(result: &FormResult) -> String {
    let percent = result.cases.first().map_or(0, |case| case.extents.percent);
    format!(
        "{} bits, {percent} % of them set as nearly as whole gaps allow, in extents of one length; medians of {} rounds.",
        number::count(result.bits),
        result.rounds
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Extents;
    use crate::text::THIN_SPACE;

    #[test]
    fn a_row_says_which_form_is_better_at_what() {
        let cost = |bytes, mark_nanos, find_nanos| FormCost { bytes, mark_nanos, find_nanos };
        let case = FormCase {
            extents: Extents { len: 64, percent: 50 },
            runs: 8192,
            array: cost(131_072, 2e5, 1e5),
            tree: cost(393_216, 1e6, 5e4),
        };
        let result = FormResult { bits: 1 << 20, rounds: 5, cases: vec![case] };
        let row = &rows(&result)[0];
        assert_eq!((row.extent.as_str(), row.runs.as_str()), ("64", "8,192"));
        let better: Vec<bool> = row.costs.iter().map(|pair| pair.is_tree_better).collect();
        assert_eq!(better, [false, false, true]);
        assert_eq!(row.costs[1].tree.replace(THIN_SPACE, " "), "1 ms");
        assert!(said(&result).starts_with("1,048,576 bits, 50 %"));
    }
}
