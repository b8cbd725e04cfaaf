//! The next run of blocks on the disk: free ones, or those of the same owner.

use core::ops::Range;

use extscope::analysis::OwnerMap;
use extscope::bitmap::Bits;
use extscope::fs::{BitmapKind, Filesystem};
use extscope::io::ByteSource;
use extscope::units::{Fsblk, Group, Grpblk};
use extscope_picture::Figures;

/// Bitmaps that are read for one question, at most, where descriptors promise what is not there.
const BITMAPS: u32 = 64;

/// First and last block of a run.
type Found = Option<(u64, u64)>;

/// The free run of a group after the one that a block is of, or before it. Groups without free
/// blocks, by their bitmap or else by their descriptor, are passed over.
pub(super) fn free<S: ByteSource>(
    fs: &Filesystem<S>,
    figures: &Figures,
    from: Fsblk,
    forward: bool,
) -> Found {
    let (first, grpblk) = fs.geometry().grpblk_from_fsblk(from)?;
    let groups: Box<dyn Iterator<Item = u32>> = match forward {
        true => Box::new(first.get()..fs.groups().len()),
        false => Box::new((0..=first.get()).rev()),
    };
    let promises = |group: &Group| {
        let stats = figures.stats(*group);
        let described = || fs.group(*group).is_ok_and(|entry| entry.desc.free_blocks_count > 0);
        if stats.state.is_exact() { stats.free > 0 } else { described() }
    };
    let mut read = 0;
    for group in groups.map(Group::new).filter(promises) {
        let Ok(bitmap) = fs.bitmap(BitmapKind::Block, group) else { continue };
        let bits = bitmap.bits();
        let bound = u64::from(grpblk.get());
        let mut runs = bits.clear_runs();
        let run = match (forward, group == first) {
            (true, false) => runs.next(),
            (true, true) => runs.find(|run| run.start > bound),
            (false, false) => runs.last(),
            (false, true) => runs.take_while(|run| run.end <= bound).last(),
        };
        if let Some(Range { start, end }) = run {
            let block = |bit: u64| {
                let grpblk = Grpblk::new(u32::try_from(bit).unwrap_or(u32::MAX));
                fs.geometry().fsblk_from_grpblk(group, grpblk)
            };
            let last = fs.geometry().cluster_blocks(block(end.saturating_sub(1)));
            return Some((block(start).get(), last.end.saturating_sub(1)));
        }
        read += 1;
        if read >= BITMAPS {
            return None;
        }
    }
    None
}

/// The run of the same inode after the one that a block is of, or before it; past the last comes
/// the first again. `extents` are an inode's that is looked for, in order, for as long as no
/// owners are known.
pub(super) fn same_owner(
    owners: Option<&OwnerMap>,
    extents: &[Range<u64>],
    from: Fsblk,
    forward: bool,
) -> Found {
    let told = |run: Range<u64>| (run.start, run.end.saturating_sub(1));
    let Some(owners) = owners else {
        let at = extents.iter().position(|run| run.contains(&from.get()))?;
        let next = match forward {
            true => (at + 1) % extents.len(),
            false => (at + extents.len() - 1) % extents.len(),
        };
        return extents.get(next).cloned().map(told);
    };
    let (here, owner) = owners.run_at(from)?;
    let ino = owner.ino()?;
    let is_same =
        |run: &Range<u64>, other: Option<extscope::units::Ino>| other == Some(ino) && *run != here;
    let of = |blocks: Range<u64>| {
        owners.runs_in(blocks).filter(move |(run, other)| is_same(run, other.ino()))
    };
    let (after, before) = (of(here.end..owners.blocks_count()), of(0..here.start));
    let found = match forward {
        true => after.chain(before).next(),
        false => before.last().or_else(|| after.last()),
    };
    found.map(|(run, _)| told(run))
}

#[cfg(test)]
mod tests {
    use extscope::fs::OpenOptions;

    use super::*;
    use crate::protocol::testing::image;

    #[test]
    fn free_runs_are_the_bitmaps_from_both_ends() {
        let bytes = image(3);
        let fs = Filesystem::open(&*bytes, OpenOptions::default()).expect("it opens");
        let figures = Figures::new(3, 1);
        let all: Vec<(u64, u64)> = (0..3)
            .map(Group::new)
            .flat_map(|group| {
                let first = fs.geometry().group_first_fsblk(group).get();
                let bitmap = fs.bitmap(BitmapKind::Block, group).expect("it is there");
                let runs: Vec<_> = bitmap.bits().clear_runs().collect();
                runs.into_iter().map(move |run| (first + run.start, first + run.end - 1))
            })
            .collect();
        assert!(all.len() >= 3);
        let walk = |from: u64, forward: bool| {
            let next = |at: &(u64, u64)| free(&fs, &figures, Fsblk::new(at.0), forward);
            let first = free(&fs, &figures, Fsblk::new(from), forward);
            core::iter::successors(first, next).collect::<Vec<_>>()
        };
        assert_eq!(walk(1, true), all);
        let mut back = walk(fs.geometry().blocks_count() - 1, false);
        back.reverse();
        // The last block is of the last run, before which the search begins.
        assert_eq!(back, all[..back.len()]);
        assert!(back.len() + 1 >= all.len());
        assert_eq!(free(&fs, &figures, Fsblk::new(u64::MAX), true), None);
    }

    #[test]
    fn extents_follow_one_another_in_a_circle() {
        let extents = [5..7, 9..10, 20..24];
        let next = |from, forward| same_owner(None, &extents, Fsblk::new(from), forward);
        assert_eq!((next(6, true), next(22, true)), (Some((9, 9)), Some((5, 6))));
        assert_eq!((next(5, false), next(9, false)), (Some((20, 23)), Some((5, 6))));
        assert_eq!(next(8, true), None);
    }
}
