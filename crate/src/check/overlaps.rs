//! Who has what of a range, among many ranges that may lie in one another.

use core::ops::Range;

/// Ranges with their owners, to be asked which meet another range.
///
/// A balanced tree without pointers: sorted by start, the middle of each part is its root, and
/// beside each root stands how far its part reaches. So a question costs what it finds, times the
/// depth, however long single ranges are.
pub(super) struct Overlaps {
    ranges: Vec<(Range<u64>, u32)>,
    /// The last end in the part whose root is here.
    reaches: Vec<u64>,
}

impl Overlaps {
    /// In any order; empty ranges meet nothing.
    pub(super) fn new(mut ranges: Vec<(Range<u64>, u32)>) -> Self {
        ranges.retain(|(range, _)| !range.is_empty());
        ranges.sort_by_key(|(range, owner)| (range.start, range.end, *owner));
        let mut reaches = vec![0; ranges.len()];
        fill_reaches(&ranges, &mut reaches);
        Self { ranges, reaches }
    }

    /// Gives `found` the owner of each range that meets this one, in the order of their starts.
    pub(super) fn meet(&self, range: &Range<u64>, found: &mut impl FnMut(u32)) {
        meet(&self.ranges, &self.reaches, range, found);
    }
}

fn fill_reaches(ranges: &[(Range<u64>, u32)], reaches: &mut [u64]) -> u64 {
    let middle = ranges.len() / 2;
    let Some((left, rest)) = ranges.split_at_checked(middle) else { return 0 };
    let (Some(((root, _), right)), (left_reaches, rest_reaches)) =
        (rest.split_first(), reaches.split_at_mut(middle))
    else {
        return 0;
    };
    let Some((reach, right_reaches)) = rest_reaches.split_first_mut() else { return 0 };
    let below = fill_reaches(left, left_reaches).max(fill_reaches(right, right_reaches));
    *reach = below.max(root.end);
    *reach
}

fn meet(
    ranges: &[(Range<u64>, u32)],
    reaches: &[u64],
    range: &Range<u64>,
    found: &mut impl FnMut(u32),
) {
    let middle = ranges.len() / 2;
    let (Some((left, rest)), Some((left_reaches, rest_reaches))) =
        (ranges.split_at_checked(middle), reaches.split_at_checked(middle))
    else {
        return;
    };
    let (Some(((root, owner), right)), Some((reach, right_reaches))) =
        (rest.split_first(), rest_reaches.split_first())
    else {
        return;
    };
    if *reach <= range.start {
        return;
    }
    meet(left, left_reaches, range, found);
    if root.start < range.end {
        if root.end > range.start {
            found(*owner);
        }
        meet(right, right_reaches, range, found);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn all_that_meet_a_range_are_found_in_order(
            ranges in proptest::collection::vec((0..60_u64, 0..25_u64), 0..40),
            start in 0..70_u64,
            len in 1..20_u64,
        ) {
            let ranges: Vec<_> =
                (0..).zip(&ranges).map(|(owner, (at, len))| (*at..at + len, owner)).collect();
            let asked = start..start + len;
            let meets = |range: &Range<u64>| {
                !range.is_empty() && range.start < asked.end && asked.start < range.end
            };
            let mut expected: Vec<_> =
                ranges.iter().filter(|(range, _)| meets(range)).cloned().collect();
            expected.sort_by_key(|(range, owner)| (range.start, range.end, *owner));
            let expected: Vec<u32> = expected.into_iter().map(|(_, owner)| owner).collect();
            let mut found = Vec::new();
            Overlaps::new(ranges).meet(&asked, &mut |owner| found.push(owner));
            prop_assert_eq!(found, expected);
        }
    }
}
