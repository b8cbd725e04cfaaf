//! Everything worth knowing of an image at once, as one report.

use core::ops::Deref;

use serde::{Deserialize, Serialize};

use super::{ClassReport, FragReport, FreeReport, InfoReport, SpecialReport, UsageReport};
use crate::analysis::{
    FileFrag, FragTotals, FreeFrag, Inventory, InventoryScan, Sweep, SweepOptions,
};
use crate::error::{Error, ErrorKind, Result};
use crate::fs::{BitmapKind, Filesystem};
use crate::io::ByteSource;
use crate::task::{Progress, Step, Task};

/// Files, directories, users and faults that are listed.
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
    stage: Stage<F>,
}

#[derive(Debug)]
enum Stage<F> {
    Free(Box<Sweep<F>>, Box<FreeFrag>),
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
            stage: Stage::Free(sweep, Box::new(FreeFrag::new(None))),
        })
    }

    fn report(&mut self, found: &Inventory, free: FreeReport) -> WholeReport {
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
        let max = groups.saturating_mul(5);
        let cur = match &self.stage {
            Stage::Free(sweep, _) => sweep.progress().cur,
            Stage::Inventory(scan, _) => groups.saturating_add(scan.progress().cur),
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
