//! All inodes and their names: whose every block is, how the files lie, where the space went.

use core::cmp::Ordering;
use core::ops::Deref;

use super::filefrag::{FileFrag, Medium};
use super::frag_totals::FragTotals;
use super::mtimes::Mtimes;
use super::names::{NameScan, Names};
use super::owner_map::OwnerMap;
use super::survey::Survey;
use super::usage::Usage;
use crate::error::{Error, ErrorKind, Result};
use crate::fs::{Filesystem, Geometry};
use crate::io::ByteSource;
use crate::task::{Progress, Step, Task};

/// Files gathered, for each that is listed, before the rest is let go.
const GATHERED: usize = 40;

/// What all inodes and their names tell together.
#[derive(Debug)]
pub struct Inventory {
    /// Whose every block is.
    pub map: OwnerMap,
    /// The first name of every inode.
    pub names: Names,
    /// When every inode changed last.
    pub mtimes: Mtimes,
    /// All files together.
    pub totals: FragTotals,
    /// Where the space went.
    pub usage: Usage,
    /// Files of more than one extent, those first that take longest to read for their size.
    pub fragmented: Vec<FileFrag>,
    /// Files by the blocks that they take, the most first.
    pub largest: Vec<FileFrag>,
}

/// Makes an [`Inventory`] by a [`Survey`] and a [`NameScan`]. Progress counts groups: three times
/// for the one, once for the other.
///
/// # Errors
/// Those of the two.
#[derive(Debug)]
pub struct InventoryScan<F> {
    filesystem: F,
    stage: Stage<F>,
    most: usize,
    mtimes: Mtimes,
    totals: FragTotals,
    usage: Usage,
    fragmented: Vec<FileFrag>,
    largest: Vec<FileFrag>,
}

#[derive(Debug)]
enum Stage<F> {
    Survey(Box<Survey<F>>),
    Names(Box<NameScan<F>>, Box<OwnerMap>),
    Over,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> InventoryScan<F> {
    /// Nothing is read yet; each list will have at most `most` files.
    pub fn new(filesystem: F, most: usize) -> Self {
        Self {
            stage: Stage::Survey(Box::new(Survey::new(filesystem.clone()))),
            filesystem,
            most,
            mtimes: Mtimes::default(),
            totals: FragTotals::default(),
            usage: Usage::default(),
            fragmented: Vec::new(),
            largest: Vec::new(),
        }
    }

    fn step_survey(&mut self, mut survey: Box<Survey<F>>) -> Result<()> {
        let geometry = *self.filesystem.geometry();
        let Self { mtimes, totals, usage, fragmented, largest, most, .. } = self;
        let step = survey.step_with(&mut |inode, frag| {
            mtimes.add(inode);
            totals.add(frag);
            usage.add(inode, frag);
            if frag.is_internal || frag.blocks == 0 {
                return;
            }
            largest.push(*frag);
            if frag.extents > 1 {
                fragmented.push(*frag);
            }
        })?;
        let gathered = most.saturating_mul(GATHERED);
        if largest.len().max(fragmented.len()) > gathered {
            cut(largest, *most, larger);
            cut(fragmented, *most, |a, b| slower(&geometry, a, b));
        }
        self.stage = match step {
            Step::More => Stage::Survey(survey),
            Step::Done(map) => {
                Stage::Names(Box::new(NameScan::new(self.filesystem.clone())), Box::new(map))
            }
        };
        Ok(())
    }

    fn finish(&mut self, map: OwnerMap, names: Names) -> Inventory {
        let geometry = *self.filesystem.geometry();
        let (mut largest, mut fragmented) =
            (core::mem::take(&mut self.largest), core::mem::take(&mut self.fragmented));
        cut(&mut largest, self.most, larger);
        cut(&mut fragmented, self.most, |a, b| slower(&geometry, a, b));
        Inventory {
            map,
            names,
            mtimes: core::mem::take(&mut self.mtimes),
            totals: core::mem::take(&mut self.totals),
            usage: core::mem::take(&mut self.usage),
            fragmented,
            largest,
        }
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Task for InventoryScan<F> {
    type Output = Inventory;

    fn step(&mut self) -> Result<Step<Inventory>> {
        match core::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Survey(survey) => self.step_survey(survey).map(|()| Step::More),
            Stage::Names(mut scan, map) => match scan.step()? {
                Step::More => {
                    self.stage = Stage::Names(scan, map);
                    Ok(Step::More)
                }
                Step::Done(names) => Ok(Step::Done(self.finish(*map, names))),
            },
            Stage::Over => Err(Error::new(ErrorKind::Cancelled, "the inventory is already over")),
        }
    }

    fn progress(&self) -> Progress {
        let groups = u64::from(self.filesystem.groups().len());
        let (surveyed, max) = (groups.saturating_mul(3), groups.saturating_mul(4));
        let cur = match &self.stage {
            Stage::Survey(survey) => survey.progress().cur,
            Stage::Names(scan, _) => surveyed.saturating_add(scan.progress().cur),
            Stage::Over => max,
        };
        Progress { cur, max }
    }
}

/// Leaves the first of the files in an order; the lower number, where they are the same.
fn cut(files: &mut Vec<FileFrag>, most: usize, order: impl Fn(&FileFrag, &FileFrag) -> Ordering) {
    files.sort_by(|a, b| order(a, b).then(a.ino.cmp(&b.ino)));
    files.truncate(most);
}

fn larger(a: &FileFrag, b: &FileFrag) -> Ordering {
    b.blocks.cmp(&a.blocks)
}

fn slower(geometry: &Geometry, a: &FileFrag, b: &FileFrag) -> Ordering {
    let slowdown = |frag: &FileFrag| frag.slowdown(geometry, Medium::DISK);
    slowdown(b).total_cmp(&slowdown(a)).then(b.extents.cmp(&a.extents))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::testing::{Files, dir_block};
    use crate::task::run_to_end;

    #[test]
    fn lists_are_cut_to_the_first_of_their_order() {
        let mut files = Files::new();
        dir_block(&mut files, 2, 50, &[(20, "a"), (160, "b")]);
        for (ino, block) in (12..200).zip(60_u32..) {
            // One file of two extents, one of three blocks in a row, the others of one block.
            let blocks = match ino {
                150 => vec![4000, 4002],
                160 => vec![5000, 5001, 5002],
                _ => vec![block],
            };
            let bytes: Vec<u8> = blocks.into_iter().flat_map(u32::to_le_bytes).collect();
            files.i_block_by_blocks(ino, &bytes);
        }
        let fs = files.filesystem();
        let mut scan = InventoryScan::new(&fs, 2);
        assert!(scan.progress().max > 0);
        let found = loop {
            if let Step::Done(found) = scan.step().expect("few") {
                break found;
            }
        };
        let inos = |files: &[FileFrag]| files.iter().map(|it| it.ino.get()).collect::<Vec<_>>();
        assert_eq!(inos(&found.largest), [160, 150]);
        assert_eq!(inos(&found.fragmented), [150]);
        assert_eq!(found.names.path(crate::units::Ino::new(20)), Some(b"/a".to_vec()));
        assert!(scan.step().is_err(), "what is over is not stepped again");
        assert!(run_to_end(InventoryScan::new(&fs, 500)).expect("few").largest.len() > 180);
    }
}
