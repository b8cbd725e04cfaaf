//! Everything worth knowing of an image at once, as one report.

use core::cmp::Reverse;
use core::ops::Deref;

use serde::{Deserialize, Serialize};

use super::{
    ClassReport, DeletedReport, FragReport, FreeReport, InfoReport, SpecialReport, UsageReport,
};
use crate::analysis::{
    Deleted, DeletedScan, FileFrag, FragTotals, FreeFrag, Inventory, InventoryScan, Sweep,
    SweepOptions,
};
use crate::error::{Error, ErrorKind, Result};
use crate::fs::{BitmapKind, Filesystem};
use crate::io::ByteSource;
use crate::task::{Progress, Step, Task};

/// Files, directories, users, deleted inodes and faults that are listed.
const MOST: usize = 50;

/// Everything worth knowing of an image at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WholeReport {
    /// What the image is called.
    pub title: String,
    /// What it is.
    pub info: InfoReport,
    /// Its free extents.
    pub free: FreeReport,
    /// What all blocks are.
    pub classes: Vec<ClassReport>,
    /// All files together.
    pub totals: FragTotals,
    /// Blocks that are somebody's and free in the bitmaps.
    pub free_but_owned: u64,
    /// What could not be followed, the first of it, each in words.
    pub faults: Vec<String>,
    /// How much could not be followed.
    pub fault_count: u64,
    /// Where the space went.
    pub usage: UsageReport,
    /// The files that take longest to read for their size.
    pub fragmented: Vec<FragReport>,
    /// The largest files.
    pub largest: Vec<FragReport>,
    /// The inodes deleted last, the last one first.
    pub deleted: Vec<DeletedReport>,
    /// How many deleted inodes there are.
    pub deleted_count: u64,
    /// What the filesystem keeps for itself.
    pub special: SpecialReport,
}

/// Makes a [`WholeReport`] of all bitmaps, inodes and names. Progress counts groups.
///
/// # Errors
/// Those of [`Sweep`] and [`InventoryScan`].
#[derive(Debug)]
pub struct WholeScan<F> {
    filesystem: F,
    title: String,
    /// What is missing from the free extents, in words, and how many bitmaps that are.
    missing: Option<(String, u64)>,
    deleted: Latest,
    stage: Stage<F>,
}

/// The inodes deleted last.
#[derive(Debug, Default)]
struct Latest {
    reports: Vec<DeletedReport>,
    count: u64,
}

impl Latest {
    fn add(&mut self, deleted: &Deleted) {
        self.count = self.count.saturating_add(1);
        self.reports.push(DeletedReport::from(deleted));
        // Few enough to sort, now and then.
        if self.reports.len() > 100 * MOST {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.reports.sort_by_key(|report| (Reverse(report.i_dtime), report.ino));
        self.reports.truncate(MOST);
    }
}

#[derive(Debug)]
enum Stage<F> {
    Free(Box<Sweep<F>>, Box<FreeFrag>),
    Deleted(Box<DeletedScan<F>>, Box<FreeReport>),
    Inventory(Box<InventoryScan<F>>, Box<FreeReport>),
    Over,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> WholeScan<F> {
    /// Nothing is read yet. Between two bitmaps up to `gap_bytes` are read through; see
    /// [`SweepOptions`].
    ///
    /// # Errors
    /// Those of [`Sweep::new`].
    pub fn new(filesystem: F, title: String, gap_bytes: u32) -> Result<Self> {
        let options =
            SweepOptions { inodes: false, figures: false, gap_bytes, ..SweepOptions::default() };
        let sweep = Box::new(Sweep::new(filesystem.clone(), options)?);
        Ok(Self {
            filesystem,
            title,
            missing: None,
            deleted: Latest::default(),
            stage: Stage::Free(sweep, Box::new(FreeFrag::new(None))),
        })
    }

    fn report(&mut self, found: &Inventory, free: FreeReport) -> WholeReport {
        self.deleted.cut();
        let deleted = core::mem::take(&mut self.deleted);
        let fs = &*self.filesystem;
        let files = |files: &[FileFrag]| {
            let path = |frag: &FileFrag| found.names.path(frag.ino);
            let report =
                |frag: &FileFrag| FragReport::new(fs.geometry(), frag, path(frag).as_deref());
            files.iter().map(report).collect()
        };
        let map = &found.map;
        let (missing, failed) = self.missing.take().unzip();
        let faults = missing.into_iter().chain(map.faults().iter().map(ToString::to_string));
        let owned = map.free_but_owned().iter();
        WholeReport {
            title: core::mem::take(&mut self.title),
            info: InfoReport::new(fs),
            free,
            classes: ClassReport::of(map),
            totals: found.totals.clone(),
            free_but_owned: owned.map(|run| run.end.saturating_sub(run.start)).sum(),
            faults: faults.take(MOST).collect(),
            fault_count: map.fault_count().saturating_add(failed.unwrap_or(0)),
            usage: UsageReport::new(&found.usage, &found.names, MOST),
            fragmented: files(&found.fragmented),
            largest: files(&found.largest),
            deleted: deleted.reports,
            deleted_count: deleted.count,
            special: SpecialReport::new(fs),
        }
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Task for WholeScan<F> {
    type Output = WholeReport;

    fn step(&mut self) -> Result<Step<WholeReport>> {
        match core::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Free(mut sweep, mut free) => {
                let geometry = *self.filesystem.geometry();
                let step = sweep.step_with(&mut |swept| {
                    if swept.kind == BitmapKind::Block {
                        free.add(&geometry, swept.group, swept.bits);
                    }
                })?;
                self.stage = match step {
                    Step::More => Stage::Free(sweep, free),
                    Step::Done(()) => {
                        self.missing = missing(&sweep);
                        let found = free.finish(&geometry);
                        let free = Box::new(FreeReport::new(&*self.filesystem, &found, None));
                        let scan = DeletedScan::new(self.filesystem.clone());
                        Stage::Deleted(Box::new(scan), free)
                    }
                };
                Ok(Step::More)
            }
            Stage::Deleted(mut scan, free) => {
                let deleted = &mut self.deleted;
                let step = scan.step_with(&mut |inode| deleted.add(&inode))?;
                self.stage = match step {
                    Step::More => Stage::Deleted(scan, free),
                    Step::Done(_) => {
                        let scan = InventoryScan::new(self.filesystem.clone(), MOST);
                        Stage::Inventory(Box::new(scan), free)
                    }
                };
                Ok(Step::More)
            }
            Stage::Inventory(mut scan, free) => match scan.step()? {
                Step::More => {
                    self.stage = Stage::Inventory(scan, free);
                    Ok(Step::More)
                }
                Step::Done(found) => Ok(Step::Done(self.report(&found, *free))),
            },
            Stage::Over => Err(Error::new(ErrorKind::Cancelled, "the report is already made")),
        }
    }

    fn progress(&self) -> Progress {
        let groups = u64::from(self.filesystem.groups().len());
        let max = groups.saturating_mul(6);
        let cur = match &self.stage {
            Stage::Free(sweep, _) => sweep.progress().cur,
            Stage::Deleted(scan, _) => groups.saturating_add(scan.progress().cur),
            Stage::Inventory(scan, _) => {
                groups.saturating_mul(2).saturating_add(scan.progress().cur)
            }
            Stage::Over => max,
        };
        Progress { cur, max }
    }
}

/// What a sweep could not read, in words, and how many bitmaps that are.
fn missing<S: ByteSource, F: Deref<Target = Filesystem<S>>>(
    sweep: &Sweep<F>,
) -> Option<(String, u64)> {
    let (_, _, first) = sweep.failures().first()?;
    let failed = sweep.failed();
    Some((format!("{failed} bitmaps cannot be had and count as used: {first}"), failed))
}
