//! The next run of blocks on the disk: free ones, or those of the same owner.

use core::ops::Range;

use extscope::analysis::OwnerMap;
use extscope::bitmap::Bits;
use extscope::fs::{BitmapKind, Filesystem};
use extscope::io::ByteSource;
use extscope::units::{Fsblk, Group, Grpblk};
use extscope_picture::Figures;

use crate::protocol::NextRun;

/// Bitmaps that are tried for one question, at most, where descriptors promise what is not there or
/// the image ends before.
const BITMAPS: usize = 64;

/// Runs of owners that are passed over for one question, at most.
const RUNS: usize = 1 << 20;

/// The free run of a group after the one that a block is of, or before it. Groups without free
/// blocks, by their bitmap or else by their descriptor, are passed over, and those whose bitmap
/// cannot be read. The search goes on where an earlier one `stopped`.
pub(super) fn free<S: ByteSource>(
    fs: &Filesystem<S>,
    figures: &Figures,
    from: Fsblk,
    stopped: Option<Fsblk>,
    forward: bool,
) -> NextRun {
    free_within(fs, figures, from, stopped, forward, BITMAPS)
}

/// Tries `most` bitmaps, at most.
fn free_within<S: ByteSource>(
    fs: &Filesystem<S>,
    figures: &Figures,
    from: Fsblk,
    stopped: Option<Fsblk>,
    forward: bool,
    most: usize,
) -> NextRun {
    let geometry = fs.geometry();
    let Some((first, grpblk)) = geometry.grpblk_from_fsblk(from) else { return NextRun::Nothing };
    let next = stopped.and_then(|at| geometry.grpblk_from_fsblk(at)).map_or(first, |it| it.0);
    let groups: Box<dyn Iterator<Item = u32>> = match forward {
        true => Box::new(next.get()..fs.groups().len()),
        false => Box::new((0..=next.get()).rev()),
    };
    let promises = |group: &Group| {
        let stats = figures.stats(*group);
        let described = || fs.group(*group).is_ok_and(|entry| entry.desc.free_blocks_count > 0);
        if stats.state.is_exact() { stats.free > 0 } else { described() }
    };
    for (tried, group) in groups.map(Group::new).filter(promises).enumerate() {
        if tried >= most {
            return NextRun::Stopped(geometry.group_first_fsblk(group));
        }
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
                geometry.fsblk_from_grpblk(group, grpblk)
            };
            let last = geometry.cluster_blocks(block(end.saturating_sub(1)));
            return NextRun::Found(block(start).get(), last.end.saturating_sub(1));
        }
    }
    NextRun::Nothing
}

/// The run of the same inode after the one that a block is of, or before it; past the last comes
/// the first again. `extents` are an inode's that is looked for, in order, for as long as no
/// owners are known. The search goes on where an earlier one `stopped`.
pub(super) fn same_owner(
    owners: Option<&OwnerMap>,
    extents: &[Range<u64>],
    from: Fsblk,
    stopped: Option<Fsblk>,
    forward: bool,
) -> NextRun {
    match owners {
        Some(owners) => same_in_map(owners, from, stopped, forward, RUNS),
        None => same_in_extents(extents, from, forward),
    }
}

fn same_in_extents(extents: &[Range<u64>], from: Fsblk, forward: bool) -> NextRun {
    let Some(at) = extents.iter().position(|run| run.contains(&from.get())) else {
        return NextRun::Nothing;
    };
    let next = match forward {
        true => (at + 1) % extents.len(),
        false => (at + extents.len() - 1) % extents.len(),
    };
    extents.get(next).cloned().map_or(NextRun::Nothing, told)
}

/// Passes over `most` runs, at most.
fn same_in_map(
    owners: &OwnerMap,
    from: Fsblk,
    stopped: Option<Fsblk>,
    forward: bool,
    most: usize,
) -> NextRun {
    let run = owners.run_at(from).and_then(|(here, owner)| Some((here, owner.ino()?)));
    let Some((here, ino)) = run else { return NextRun::Nothing };
    let (count, at) = (owners.blocks_count(), stopped.map(Fsblk::get));
    // What is left of the circle from here to here.
    let (near, far) = match (forward, at) {
        (true, None) => (here.end..count, 0..here.start),
        (true, Some(at)) if at >= here.end => (at..count, 0..here.start),
        (true, Some(at)) => (at..here.start, 0..0),
        (false, None) => (0..here.start, here.end..count),
        (false, Some(at)) if at <= here.start => (0..at, here.end..count),
        (false, Some(at)) => (here.end..at, 0..0),
    };
    let (near, far) = (owners.runs_in(near), owners.runs_in(far));
    let runs: Box<dyn Iterator<Item = _>> = match forward {
        true => Box::new(near.chain(far)),
        false => Box::new(near.rev().chain(far.rev())),
    };
    for (passed, (run, owner)) in runs.enumerate() {
        if owner.ino() == Some(ino) {
            return told(run);
        }
        if passed >= most {
            return NextRun::Stopped(Fsblk::new(if forward { run.start } else { run.end }));
        }
    }
    NextRun::Nothing
}

fn told(run: Range<u64>) -> NextRun {
    NextRun::Found(run.start, run.end.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use extscope::analysis::Survey;
    use extscope::fs::OpenOptions;
    use extscope::task::run_to_end;

    use super::*;
    use crate::protocol::testing::{image, image_with_files};

    fn found(next: NextRun) -> Option<(u64, u64)> {
        match next {
            NextRun::Found(first, last) => Some((first, last)),
            _ => None,
        }
    }

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
            let run = |from| found(free(&fs, &figures, Fsblk::new(from), None, forward));
            let next = |at: &(u64, u64)| run(at.0);
            core::iter::successors(run(from), next).collect::<Vec<_>>()
        };
        assert_eq!(walk(1, true), all);
        let mut back = walk(fs.geometry().blocks_count() - 1, false);
        back.reverse();
        // The last block is of the last run, before which the search begins.
        assert_eq!(back, all[..back.len()]);
        assert!(back.len() + 1 >= all.len());
        assert_eq!(free(&fs, &figures, Fsblk::new(u64::MAX), None, true), NextRun::Nothing);
    }

    #[test]
    fn extents_follow_one_another_in_a_circle() {
        let extents = [5..7, 9..10, 20..24];
        let next =
            |from, forward| found(same_owner(None, &extents, Fsblk::new(from), None, forward));
        assert_eq!((next(6, true), next(22, true)), (Some((9, 9)), Some((5, 6))));
        assert_eq!((next(5, false), next(9, false)), (Some((20, 23)), Some((5, 6))));
        assert_eq!(next(8, true), None);
    }
    #[test]
    fn bitmaps_that_cannot_be_read_count_and_the_search_goes_on_behind_them() {
        let bytes = image(3).to_vec();
        let cut = &bytes[..bytes.len() / 3];
        let fs = Filesystem::open(cut, OpenOptions::default()).expect("it opens");
        let figures = Figures::new(3, 1);
        let within =
            |most, stopped| free_within(&fs, &figures, Fsblk::new(4000), stopped, true, most);
        let first = |group| fs.geometry().group_first_fsblk(Group::new(group));
        assert_eq!(within(1, None), NextRun::Stopped(first(1)));
        assert_eq!(within(1, Some(first(1))), NextRun::Stopped(first(2)));
        assert_eq!(within(1, Some(first(2))), NextRun::Nothing);
        assert_eq!(within(3, None), NextRun::Nothing);
    }

    #[test]
    fn a_search_that_stops_at_every_run_finds_the_same_as_one_that_does_not() {
        let bytes = image_with_files(1);
        let mut bytes = bytes.to_vec();
        scatter(&mut bytes);
        let fs = Filesystem::open(&*bytes, OpenOptions::default()).expect("it opens");
        let owners = run_to_end(Survey::new(&fs)).expect("it is gone through");
        let mut stops = 0;
        for (from, forward, due) in [
            (101, true, 105),
            (105, true, 109),
            (109, true, 101),
            (101, false, 109),
            (109, false, 105),
        ] {
            let mut stopped = None;
            let mut search = |most| {
                let next = same_in_map(&owners, Fsblk::new(from), stopped, forward, most);
                if let NextRun::Stopped(at) = next {
                    stopped = Some(at);
                }
                next
            };
            assert_eq!(search(usize::MAX), NextRun::Found(due, due));
            let reached = (0..20).map(|_| search(1)).find_map(|next| {
                stops += u32::from(matches!(next, NextRun::Stopped(_)));
                found(next)
            });
            assert_eq!(reached, Some((due, due)), "from {from}");
        }
        assert!(stops > 3, "{stops}");
        let root = same_in_map(&owners, Fsblk::new(100), None, true, usize::MAX);
        assert_eq!(root, NextRun::Nothing, "there is one run of it");
    }

    /// Has the file lie in blocks 101, 105 and 109.
    fn scatter(bytes: &mut [u8]) {
        // Of the inode table, which begins in block 7.
        let at = 7 * 1024 + 11 * 128;
        bytes[at + 4..][..4].copy_from_slice(&3000_u32.to_le_bytes());
        bytes[at + 28] = 6;
        (bytes[at + 44], bytes[at + 48]) = (105, 109);
    }
}
