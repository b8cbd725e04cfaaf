//! The rows of the table of groups: which, and in which order.

use std::ops::RangeInclusive;

use extscope::units::{Fsblk, Group};

use crate::protocol::CsumState;
use crate::state::{FilterChip, GroupTable, Image, Known, SortColumn, free_clusters};
use crate::text::number;

/// The groups that `table` shows, in its order.
#[must_use]
pub fn group_rows(known: &Known, table: &GroupTable) -> Vec<u32> {
    let (image, groups) = (known.image(), known.groups());
    let searched = search(&table.filter.search, image);
    let all = || 0..groups;
    let within = all().filter(|group| searched.as_ref().is_none_or(|range| range.contains(group)));
    let chip = table.filter.chip;
    let mut rows: Vec<u32> = if chip == FilterChip::All {
        within.collect()
    } else {
        let shows = |group: Group| {
            let row = image.groups.row(group);
            row.is_some_and(|row| chip.shows(&row, &known.stats(group)))
        };
        within.filter(|&group| shows(Group::new(group))).collect()
    };
    sort(&mut rows, known, table);
    rows
}

/// The groups that were typed; `None` where all are meant, an empty range where none is.
fn search(text: &str, image: &Image) -> Option<RangeInclusive<u32>> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let groups = image.geometry.groups_count();
    let group = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let of_block = |text: &str| {
        let fsblk = Fsblk::new(number::parse(text)?);
        Some(image.geometry.group_from_fsblk(fsblk)?.get())
    };
    #[expect(clippy::reversed_empty_ranges, reason = "no group is meant")]
    let none = 1..=0;
    let one = |found: Option<u32>| found.map_or(none.clone(), |group| group..=group);
    if let Some(block) = text.strip_prefix("b:") {
        return Some(one(of_block(block)));
    }
    let text = text.strip_prefix("g:").unwrap_or(text);
    if let Some((from, to)) = text.split_once(['-', '–']) {
        let range = number::parse(from).zip(number::parse(to));
        return Some(range.map_or(none, |(from, to)| group(from)..=group(to)));
    }
    match number::parse(text) {
        Some(n) if n < groups => Some(one(Some(group(n)))),
        // No such group: then it is a block that was meant.
        Some(_) => Some(one(of_block(text))),
        None => Some(none),
    }
}

fn sort(rows: &mut [u32], known: &Known, table: &GroupTable) {
    let row = |group: u32| known.image().groups.row(Group::new(group));
    let stat = |group: u32| known.stats(Group::new(group));
    let key = |group: u32| -> u64 {
        let Some(row) = row(group) else { return 0 };
        match table.sort.column {
            SortColumn::Group => group.into(),
            SortColumn::FreeClusters => free_clusters(&row, &stat(group)).into(),
            SortColumn::FreeInodes => row.free_inodes.into(),
            SortColumn::UsedDirs => row.used_dirs.into(),
            SortColumn::ItableUnused => row.itable_unused.into(),
            SortColumn::Flags => row.flags.bits().into(),
            SortColumn::Csum => {
                u64::from(row.csum == CsumState::Bad) * 2 + u64::from(row.csum == CsumState::Good)
            }
            SortColumn::Fragments => stat(group).fragments.into(),
            SortColumn::LargestFree => stat(group).largest_free.into(),
        }
    };
    match (table.sort.column, table.sort.descending) {
        (SortColumn::Group, false) => {}
        (SortColumn::Group, true) => rows.reverse(),
        // Stable: among equals the disk's order holds.
        (_, false) => rows.sort_by_cached_key(|&group| key(group)),
        (_, true) => rows.sort_by_cached_key(|&group| core::cmp::Reverse(key(group))),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::protocol::{BgFlags, GroupRow};
    use crate::state::testing::{batch, described, read};
    use crate::state::{Filter, GroupSort};

    /// Groups with so many free clusters; every third was never written.
    fn known(free: &[u32]) -> Known {
        let row = |(group, &free_clusters): (usize, &u32)| GroupRow {
            free_clusters,
            flags: if group % 3 == 2 { BgFlags::BLOCK_UNINIT } else { BgFlags::empty() },
            csum: CsumState::Good,
            readable: true,
            ..GroupRow::default()
        };
        let rows: Vec<_> = free.iter().enumerate().map(row).collect();
        described(&rows)
    }

    fn rows(known: &Known, search: &str, chip: FilterChip) -> Vec<u32> {
        let filter = Filter { chip, search: search.into() };
        let table = GroupTable { filter, ..GroupTable::default() };
        group_rows(known, &table)
    }

    #[test]
    fn groups_are_found_by_number_range_and_block() {
        let known = known(&[5, 0, 7, 0]);
        let found = |text: &str| rows(&known, text, FilterChip::All);
        assert_eq!(found(""), [0, 1, 2, 3]);
        assert_eq!(found("2"), [2]);
        assert_eq!(found("g:2"), [2]);
        assert_eq!(found("1-2"), [1, 2]);
        assert_eq!(found("b:8193"), [1]);
        assert_eq!(found("16,385"), [2], "no group 16385: a block");
        assert_eq!(found("99999999"), [0; 0]);
        assert_eq!(found("x"), [0; 0]);
        assert_eq!(found("3-1"), [0; 0]);
        assert_eq!(found("-"), [0; 0]);
    }

    #[test]
    fn chips_show_a_kind_of_group_alone_and_count_it() {
        let known = known(&[5, 0, 7, 0]);
        assert_eq!(rows(&known, "", FilterChip::Full), [1, 3]);
        assert_eq!(rows(&known, "", FilterChip::WithSpace), [0, 2]);
        assert_eq!(rows(&known, "", FilterChip::Uninit), [2]);
        assert_eq!(rows(&known, "0-1", FilterChip::Full), [1]);
        assert_eq!(known.sums().by_chip, [4, 2, 2, 1, 0]);
    }

    #[test]
    fn the_bitmap_s_count_wins_once_it_is_known() {
        let mut known = known(&[5]);
        known.merge(&batch(&[(0, read(0))], Vec::new()));
        assert_eq!(known.sums().by_chip, [1, 0, 1, 0, 1]);
        assert_eq!(rows(&known, "", FilterChip::Full), [0]);
    }

    #[test]
    fn groups_are_sorted_by_the_free_blocks_that_are_shown() {
        let mut known = known(&[5, 1, 7]);
        known.merge(&batch(&[(0, read(5)), (1, read(9))], Vec::new()));
        let sort = GroupSort { column: SortColumn::FreeClusters, descending: true };
        let table = GroupTable { sort, ..GroupTable::default() };
        let shown = |group: &u32| {
            let group = Group::new(*group);
            free_clusters(&known.image().groups.row(group).expect("a group"), &known.stats(group))
        };
        let rows = group_rows(&known, &table);
        assert_eq!(rows, [1, 2, 0]);
        assert_eq!(rows.iter().map(shown).collect::<Vec<_>>(), [9, 7, 5]);
    }

    proptest! {
        #[test]
        fn every_order_holds_every_group_once(
            free in prop::collection::vec(0_u32..9, 1..20), descending: bool,
        ) {
            let sort = GroupSort { column: SortColumn::FreeClusters, descending };
            let table = GroupTable { sort, ..GroupTable::default() };
            let rows = group_rows(&known(&free), &table);
            let keys: Vec<u32> = rows.iter().map(|&group| free[group as usize]).collect();
            let sorted = keys.windows(2).all(|p| if descending { p[0] >= p[1] } else { p[0] <= p[1] });
            prop_assert!(sorted);
            let mut all = rows;
            all.sort_unstable();
            prop_assert_eq!(all, (0..free.len() as u32).collect::<Vec<_>>());
        }
    }
}
