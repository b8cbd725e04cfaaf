//! The free space of the whole filesystem.

use std::ops::Deref;

use extscope::analysis::{FreeFrag, LargestFree, Sweep, SweepOptions};
use extscope::fs::{BitmapKind, Filesystem, Geometry};
use extscope::io::ByteSource;
use extscope::report::FreeReport;
use extscope::task::{Step, Task};
use extscope::{Error, ErrorKind, Result};

use super::Stepped;
use crate::protocol::{BlockRange, FreeDetail, Reply};

/// Free extents that are told of one by one.
const LARGEST: usize = 1000;

/// Bytes between two bitmaps that are read through: in a browser, one more request costs as much.
const GAP_BYTES: u32 = 128 << 10;

/// The block bitmaps being gone through for what is free.
#[derive(Debug)]
pub(super) struct Free<F> {
    sweep: Sweep<F>,
    free: FreeFrag,
    largest: LargestFree,
    chunk_kib: Option<u64>,
    chunk_bits: Option<u32>,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Free<F> {
    /// Nothing is read yet. Free chunks of so many KiB are counted, too.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] for chunks that are no power of two of blocks.
    pub(super) fn new(fs: F, chunk_kib: Option<u64>) -> Result<Self> {
        let chunk_bits = chunk_kib.map(|kib| chunk_bits(kib, fs.geometry())).transpose()?;
        let options = SweepOptions {
            inodes: false,
            figures: false,
            gap_bytes: GAP_BYTES,
            ..SweepOptions::default()
        };
        Ok(Self {
            sweep: Sweep::new(fs, options)?,
            free: FreeFrag::new(chunk_bits),
            largest: LargestFree::new(LARGEST),
            chunk_kib,
            chunk_bits,
        })
    }

    /// Takes in some bitmaps; tells of all at the end.
    pub(super) fn step(&mut self, fs: &F, due: bool) -> Stepped {
        let Self { sweep, free, largest, chunk_kib, chunk_bits } = self;
        let chunk_kib = *chunk_kib;
        let geometry = fs.geometry();
        let stepped = sweep.step_with(&mut |swept| {
            if swept.kind == BitmapKind::Block {
                free.add(geometry, swept.group, swept.bits);
                largest.add(geometry, swept.group, swept.bits);
            }
        });
        let free = match stepped {
            Ok(Step::More) => {
                let progress = sweep.progress();
                return Stepped::More(due.then_some(Reply::FreeGoing { chunk_kib, progress }));
            }
            Ok(Step::Done(())) => {
                let found = core::mem::take(free).finish(geometry);
                let largest = core::mem::replace(largest, LargestFree::new(0)).finish();
                let range = |run: core::ops::Range<u64>| BlockRange {
                    first: run.start,
                    last: run.end.saturating_sub(1),
                };
                Ok(Box::new(FreeDetail {
                    report: FreeReport::new(fs, &found, *chunk_bits),
                    largest: largest.into_iter().map(range).collect(),
                    failed: sweep.failed(),
                }))
            }
            Err(error) => Err(error),
        };
        Stepped::Over(Reply::Free { chunk_kib, free })
    }
}

/// Binary logarithm of a chunk's blocks.
fn chunk_bits(kib: u64, geometry: &Geometry) -> Result<u32> {
    let bytes = kib.checked_mul(1024).filter(|bytes| bytes.is_power_of_two());
    let blocks = bytes.and_then(|bytes| bytes.checked_div(u64::from(geometry.block_size())));
    blocks
        .and_then(u64::checked_ilog2)
        .ok_or_else(|| Error::new(ErrorKind::OutOfBounds, format!("chunks cannot be of {kib} KiB")))
}
