//! What was found of a filesystem beside its bitmaps.

use core::ops::Range;

use extscope::analysis::{Mtimes, OwnerMap};
use extscope::bitmap::RunBitmap;
use extscope::resize::{Changes, ClusterMap};

/// What was found of a filesystem beside its bitmaps, as far as somebody looked for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Findings<'a> {
    /// Whose every block is.
    pub owners: Option<&'a OwnerMap>,
    /// When every inode changed last.
    pub mtimes: Option<&'a Mtimes>,
    /// The blocks, in order, that [`Layer::Owner`](super::Layer::Owner) looks for.
    pub extents: &'a [Range<u64>],
    /// Blocks, in order, that a check complains of.
    pub faults: &'a [Range<u64>],
    /// What a shrink would do.
    pub shrink: Option<&'a Shrunk>,
    /// Bytes of the image that were read.
    pub reads: Option<&'a RunBitmap>,
}

/// What is in use before a shrink and after it.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// Clusters in use before.
    pub before: ClusterMap,
    /// Clusters in use after.
    pub after: ClusterMap,
    /// Blocks that there are after.
    pub blocks_count: u64,
}

impl From<&Changes> for Shrunk {
    fn from(changes: &Changes) -> Self {
        Self {
            before: changes.old_map.clone(),
            after: changes.block_map.clone(),
            blocks_count: changes.new.geometry.blocks_count(),
        }
    }
}
