//! Free extents, in e2freefrag's figures.

use serde::{Deserialize, Serialize};

use crate::analysis::FreeExtents;
use crate::bitmap::LengthHistogram;
use crate::fs::Filesystem;
use crate::io::ByteSource;

/// The free extents of a filesystem. Lengths are blocks unless the name says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FreeReport {
    /// Bytes of a block.
    pub block_size: u32,
    /// Blocks of the filesystem.
    pub blocks_count: u64,
    /// Free blocks as the superblock counts them; percentages are of these.
    pub free_blocks_count: u64,
    /// Free blocks as the bitmaps say.
    pub free_in_bitmaps: u64,
    /// Free chunks, when a size was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunks: Option<ChunkReport>,
    /// Free extents.
    pub extents: u64,
    /// The shortest; 0 without any.
    pub shortest: u64,
    /// The longest; 0 without any.
    pub longest: u64,
    /// The average, rounded down.
    pub average: u64,
    /// The lengths that occur, by powers of two.
    pub histogram: Vec<FreeBucket>,
}

/// Stretches of the filesystem of equal size, at multiples of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChunkReport {
    /// Bytes of a chunk.
    pub bytes: u64,
    /// Chunks as e2freefrag counts them: one more than there are, when they come out even.
    pub total: u64,
    /// Chunks without a block in use.
    pub free: u64,
}

/// The free extents of `shortest` to `longest` blocks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FreeBucket {
    /// Fewest blocks of an extent here, a power of two.
    pub shortest: u64,
    /// Most blocks of an extent here; nothing in the last bucket.
    pub longest: Option<u64>,
    /// Extents.
    pub extents: u64,
    /// Their blocks.
    pub blocks: u64,
    /// Their blocks as a part of [`FreeReport::free_blocks_count`], in percent.
    pub percent: f64,
}

impl FreeReport {
    /// Reports what was found, with chunks of that power of two of blocks when there were any.
    pub fn new<S: ByteSource>(
        filesystem: &Filesystem<S>,
        found: &FreeExtents,
        chunk_bits: Option<u32>,
    ) -> Self {
        let geometry = filesystem.geometry();
        let (block_size, blocks_count) = (geometry.block_size(), geometry.blocks_count());
        let free_blocks_count = filesystem.superblock().free_blocks_count();
        let figures = &found.figures;
        let chunks = chunk_bits.zip(found.free_chunks).map(|(bits, free)| {
            let blocks = 1_u64.checked_shl(bits).unwrap_or(u64::MAX);
            ChunkReport {
                bytes: blocks.saturating_mul(u64::from(block_size)),
                total: blocks_count.saturating_add(blocks).checked_shr(bits).unwrap_or(0),
                free,
            }
        });
        Self {
            block_size,
            blocks_count,
            free_blocks_count,
            free_in_bitmaps: figures.bits,
            chunks,
            extents: figures.runs,
            shortest: figures.shortest,
            longest: figures.longest,
            average: figures.bits.checked_div(figures.runs).unwrap_or(0),
            histogram: histogram(&figures.lengths, free_blocks_count),
        }
    }
}

fn histogram(lengths: &LengthHistogram, free_blocks: u64) -> Vec<FreeBucket> {
    let last = lengths.buckets().len() - 1;
    let buckets = lengths.buckets().enumerate().filter(|(_, (extents, _))| *extents > 0);
    buckets
        .map(|(log, (extents, blocks))| FreeBucket {
            shortest: 1 << log,
            longest: (log < last).then(|| (2 << log) - 1),
            extents,
            blocks,
            percent: if free_blocks == 0 {
                0.0
            } else {
                blocks as f64 * 100.0 / free_blocks as f64
            },
        })
        .collect()
}
