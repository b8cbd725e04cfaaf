//! Free extents as tables: by length, and each.

use std::rc::Rc;

use extscope::Result;
use extscope::analysis::{FreeFrag, LargestFree, Sweep, SweepOptions, Swept};
use extscope::fs::{BitmapKind, Filesystem};
use extscope::io::ByteSource;
use extscope::report::FreeReport;
use extscope::task::{Progress, Step, Task};
use serde::Serialize;

use super::GAP_BYTES;
use super::table::Rows;
use crate::text::number;

/// Rows of a step.
const ROWS: usize = 8192;

/// The free extents of `shortest_blocks` to `longest_blocks` blocks.
#[derive(Debug, Serialize)]
pub(super) struct LengthRow {
    shortest_blocks: u64,
    longest_blocks: Option<u64>,
    extents: u64,
    blocks: u64,
    bytes: u64,
    percent: f64,
}

/// A free extent.
#[derive(Debug, Serialize)]
pub(super) struct ExtentRow {
    first_block: u64,
    last_block: u64,
    blocks: u64,
    bytes: u64,
    first_group: Option<u32>,
    last_group: Option<u32>,
}

/// All block bitmaps being gone through.
#[derive(Debug)]
struct Bitmaps<S>(Sweep<Rc<Filesystem<S>>>);

impl<S: ByteSource> Bitmaps<S> {
    fn new(fs: Rc<Filesystem<S>>) -> Result<Self> {
        let options = SweepOptions {
            inodes: false,
            figures: false,
            gap_bytes: GAP_BYTES,
            ..SweepOptions::default()
        };
        Sweep::new(fs, options).map(Self)
    }

    /// Shows some; tells at the end what is missing.
    fn step(&mut self, see: &mut dyn FnMut(Swept<'_>)) -> Result<Step<Vec<String>>> {
        let step = self.0.step_with(&mut |swept| {
            if swept.kind == BitmapKind::Block {
                see(swept);
            }
        })?;
        let failed = self.0.failed();
        let missing = (failed > 0).then(|| {
            let bitmaps = number::count_of(failed, "bitmap", "bitmaps");
            format!("{bitmaps} cannot be had, and count as used")
        });
        Ok(match step {
            Step::More => Step::More,
            Step::Done(()) => Step::Done(missing.into_iter().collect()),
        })
    }
}

/// Free extents by length.
#[derive(Debug)]
pub(super) struct FreeLengths<S> {
    fs: Rc<Filesystem<S>>,
    bitmaps: Bitmaps<S>,
    free: FreeFrag,
}

impl<S: ByteSource> FreeLengths<S> {
    /// Nothing is read yet.
    ///
    /// # Errors
    /// Those of [`Sweep::new`].
    pub(super) fn new(fs: Rc<Filesystem<S>>) -> Result<Self> {
        Ok(Self { bitmaps: Bitmaps::new(Rc::clone(&fs))?, fs, free: FreeFrag::new(None) })
    }
}

impl<S: ByteSource> Rows for FreeLengths<S> {
    type Row = LengthRow;

    fn step(&mut self, rows: &mut Vec<LengthRow>) -> Result<Step<Vec<String>>> {
        let Self { fs, bitmaps, free } = self;
        let geometry = fs.geometry();
        let step = bitmaps.step(&mut |swept| free.add(geometry, swept.group, swept.bits))?;
        if step != Step::More {
            let found = core::mem::take(free).finish(geometry);
            let report = FreeReport::new(fs, &found, None);
            rows.extend(report.histogram.iter().map(|bucket| LengthRow {
                shortest_blocks: bucket.shortest,
                longest_blocks: bucket.longest,
                extents: bucket.extents,
                blocks: bucket.blocks,
                bytes: bucket.blocks.saturating_mul(report.block_size.into()),
                percent: bucket.percent,
            }));
        }
        Ok(step)
    }

    fn progress(&self) -> Progress {
        self.bitmaps.0.progress()
    }
}

/// Every free extent, the longest first.
#[derive(Debug)]
pub(super) struct FreeExtents<S> {
    fs: Rc<Filesystem<S>>,
    bitmaps: Bitmaps<S>,
    free: Option<LargestFree>,
    found: std::vec::IntoIter<core::ops::Range<u64>>,
    remarks: Vec<String>,
}

impl<S: ByteSource> FreeExtents<S> {
    /// Nothing is read yet.
    ///
    /// # Errors
    /// Those of [`Sweep::new`].
    pub(super) fn new(fs: Rc<Filesystem<S>>) -> Result<Self> {
        Ok(Self {
            bitmaps: Bitmaps::new(Rc::clone(&fs))?,
            fs,
            free: Some(LargestFree::new(usize::MAX)),
            found: Vec::new().into_iter(),
            remarks: Vec::new(),
        })
    }

    fn row(&self, run: &core::ops::Range<u64>) -> ExtentRow {
        let geometry = self.fs.geometry();
        let (last, blocks) = (run.end.saturating_sub(1), run.end.saturating_sub(run.start));
        let group = |fsblk| geometry.group_from_fsblk(extscope::units::Fsblk::new(fsblk));
        ExtentRow {
            first_block: run.start,
            last_block: last,
            blocks,
            bytes: blocks.saturating_mul(geometry.block_size().into()),
            first_group: group(run.start).map(|group| group.get()),
            last_group: group(last).map(|group| group.get()),
        }
    }
}

impl<S: ByteSource> Rows for FreeExtents<S> {
    type Row = ExtentRow;

    fn step(&mut self, rows: &mut Vec<ExtentRow>) -> Result<Step<Vec<String>>> {
        if let Some(free) = &mut self.free {
            let geometry = self.fs.geometry();
            let step =
                self.bitmaps.step(&mut |swept| free.add(geometry, swept.group, swept.bits))?;
            if let Step::Done(remarks) = step {
                self.remarks = remarks;
                self.found =
                    self.free.take().map(LargestFree::finish).unwrap_or_default().into_iter();
            }
            return Ok(Step::More);
        }
        let runs: Vec<_> = self.found.by_ref().take(ROWS).collect();
        rows.extend(runs.iter().map(|run| self.row(run)));
        Ok(if self.found.len() > 0 {
            Step::More
        } else {
            Step::Done(core::mem::take(&mut self.remarks))
        })
    }

    fn progress(&self) -> Progress {
        self.bitmaps.0.progress()
    }
}
