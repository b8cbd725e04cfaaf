//! The rows of the table of groups: which, and in which order.

use std::ops::RangeInclusive;

use extscope::units::{Fsblk, Group};

use crate::protocol::{BgFlags, BitmapState, BlockStats, CsumState, GroupRow, StatsColumns};
use crate::state::{FilterChip, GroupTable, Image, SortColumn};
use crate::text::number;

/// The groups that `table` shows, in its order.
#[must_use]
pub fn group_rows(image: &Image, stats: &StatsColumns, table: &GroupTable) -> Vec<u32> {
    let groups = u32::try_from(image.groups.len()).unwrap_or(u32::MAX);
    let searched = search(&table.filter.search, image);
    let all = || 0..groups;
    let within = all().filter(|group| searched.as_ref().is_none_or(|range| range.contains(group)));
    let chip = table.filter.chip;
    let mut rows: Vec<u32> = if chip == FilterChip::All {
        within.collect()
    } else {
        within.filter(|&group| shows(chip, image, stats, group)).collect()
    };
    sort(&mut rows, image, stats, table);
    rows
}

/// How many groups each chip shows.
#[must_use]
pub fn chip_counts(image: &Image, stats: &StatsColumns) -> [u32; FilterChip::ALL.len()] {
    let groups = u32::try_from(image.groups.len()).unwrap_or(u32::MAX);
    FilterChip::ALL.map(|chip| {
        let count = (0..groups).filter(|&group| shows(chip, image, stats, group)).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    })
}

/// Free clusters of a group: by its bitmap where that is known, else by its descriptor.
#[must_use]
pub fn free_clusters(row: &GroupRow, stats: &BlockStats) -> u32 {
    if stats.state.is_exact() { stats.free } else { row.free_clusters }
}

/// Whether something about a group does not add up.
#[must_use]
pub fn is_odd(row: &GroupRow, stats: &BlockStats) -> bool {
    !row.readable
        || row.csum == CsumState::Bad
        || stats.csum == CsumState::Bad
        || stats.state == BitmapState::Failed
        || (stats.state.is_exact() && stats.free != row.free_clusters)
}

fn shows(chip: FilterChip, image: &Image, stats: &StatsColumns, group: u32) -> bool {
    let group = Group::new(group);
    let Some(row) = image.groups.row(group) else { return false };
    let stats = stats.row(group).unwrap_or_default();
    match chip {
        FilterChip::All => true,
        FilterChip::WithSpace => free_clusters(&row, &stats) > 0,
        FilterChip::Full => free_clusters(&row, &stats) == 0,
        FilterChip::Uninit => row.flags.intersects(BgFlags::BLOCK_UNINIT | BgFlags::INODE_UNINIT),
        FilterChip::Odd => is_odd(&row, &stats),
    }
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

fn sort(rows: &mut [u32], image: &Image, stats: &StatsColumns, table: &GroupTable) {
    let row = |group: u32| image.groups.row(Group::new(group));
    let stat = |group: u32| stats.row(Group::new(group)).unwrap_or_default();
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
    use crate::protocol::{GroupColumns, testing};
    use crate::state::{Filter, GroupSort};

    /// Groups with so many free clusters; every third was never written.
    fn image(free: &[u32]) -> Image {
        let row = |(group, &free_clusters): (usize, &u32)| GroupRow {
            free_clusters,
            flags: if group % 3 == 2 { BgFlags::BLOCK_UNINIT } else { BgFlags::empty() },
            csum: CsumState::Good,
            readable: true,
            ..GroupRow::default()
        };
        let rows: Vec<_> = free.iter().enumerate().map(row).collect();
        let opened = testing::opened(u32::try_from(free.len()).expect("few"));
        Image {
            name: "test.img".into(),
            info: opened.info,
            geometry: opened.geometry,
            groups: GroupColumns::from_rows(&rows),
        }
    }

    fn rows(image: &Image, search: &str, chip: FilterChip) -> Vec<u32> {
        let filter = Filter { chip, search: search.into() };
        let table = GroupTable { filter, ..GroupTable::default() };
        group_rows(image, &StatsColumns::unread(image.groups.len()), &table)
    }

    #[test]
    fn groups_are_found_by_number_range_and_block() {
        let image = image(&[5, 0, 7, 0]);
        let found = |text: &str| rows(&image, text, FilterChip::All);
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
        let image = image(&[5, 0, 7, 0]);
        assert_eq!(rows(&image, "", FilterChip::Full), [1, 3]);
        assert_eq!(rows(&image, "", FilterChip::WithSpace), [0, 2]);
        assert_eq!(rows(&image, "", FilterChip::Uninit), [2]);
        assert_eq!(rows(&image, "0-1", FilterChip::Full), [1]);
        assert_eq!(chip_counts(&image, &StatsColumns::unread(4)), [4, 2, 2, 1, 0]);
    }

    #[test]
    fn the_bitmap_s_count_wins_once_it_is_known() {
        let image = image(&[5]);
        let counted = BlockStats { state: BitmapState::Read, free: 0, ..BlockStats::default() };
        let stats = StatsColumns::from_rows(&[counted]);
        assert_eq!(chip_counts(&image, &stats), [1, 0, 1, 0, 1]);
    }

    proptest! {
        #[test]
        fn every_order_holds_every_group_once(
            free in prop::collection::vec(0_u32..9, 1..20), descending: bool,
        ) {
            let image = image(&free);
            let sort = GroupSort { column: SortColumn::FreeClusters, descending };
            let table = GroupTable { sort, ..GroupTable::default() };
            let rows = group_rows(&image, &StatsColumns::unread(free.len()), &table);
            let keys: Vec<u32> = rows.iter().map(|&group| free[group as usize]).collect();
            let sorted = keys.windows(2).all(|p| if descending { p[0] >= p[1] } else { p[0] <= p[1] });
            prop_assert!(sorted);
            let mut all = rows;
            all.sort_unstable();
            prop_assert_eq!(all, (0..free.len() as u32).collect::<Vec<_>>());
        }
    }
}
