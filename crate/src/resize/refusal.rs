//! The reasons for which resize2fs does not begin, in the order in which it looks for them.

use serde::{Deserialize, Serialize};

use super::opening::{opening, unknown_compat};
use super::size::final_size;
use super::{Frame, Minimum, Request, Target};
use crate::fs::Filesystem;
use crate::io::ByteSource;
use crate::ondisk::features::{Compat, Incompat, RoCompat};

/// `s_state`: cleanly unmounted. Ref: `EXT4_VALID_FS`.
const VALID_FS: u16 = 1;
/// `s_state`: errors were found. Ref: `EXT4_ERROR_FS`.
pub(super) const ERROR_FS: u16 = 2;

/// Why resize2fs does not begin, with what caused it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Refusal {
    /// Only the primary superblock is ever used, and this one is a backup.
    BackupSuperblock {
        /// Its block.
        block: u64,
    },
    /// The checksum of the superblock is wrong.
    SuperblockChecksum {
        /// As stored.
        stored: u32,
        /// As it should be.
        expected: u32,
    },
    /// Features that are not known: those for which the filesystem is not even opened, and unknown
    /// compat ones, which are refused later on.
    Features {
        /// Their names.
        names: Vec<String>,
    },
    /// A field of the superblock has a value that the tool does not take.
    Impossible {
        /// Its name.
        field: String,
        /// Its value.
        value: u64,
    },
    /// `s_desc_size` is not a power of two from 64 to 1024.
    DescSize {
        /// Its value.
        s_desc_size: u16,
    },
    /// `s_inodes_count` is not that of all groups.
    InodesCount {
        /// Its value.
        s_inodes_count: u32,
        /// Inodes of all groups.
        in_groups: u64,
    },
    /// `s_first_meta_bg` is past the descriptor table.
    FirstMetaBg {
        /// Its value.
        s_first_meta_bg: u32,
        /// Blocks of the table.
        desc_blocks: u64,
    },
    /// The MMP block is not where one can be, or is none.
    MmpBlock {
        /// Its place.
        s_mmp_block: u64,
    },
    /// Errors were found and not mended.
    ErrorState {
        /// The state.
        s_state: u16,
    },
    /// Not cleanly unmounted.
    NotValid {
        /// The state.
        s_state: u16,
    },
    /// Mounted since the last check.
    MountedSinceCheck {
        /// Last check, seconds since 1970, low 32 bits.
        s_lastcheck: u32,
        /// Last mount, likewise.
        s_mtime: u32,
    },
    /// More free blocks than blocks.
    FreeBlocks {
        /// Free blocks as counted.
        s_free_blocks_count: u64,
        /// Blocks.
        s_blocks_count: u64,
    },
    /// More free inodes than inodes.
    FreeInodes {
        /// Free inodes as counted.
        s_free_inodes_count: u32,
        /// Inodes.
        s_inodes_count: u32,
    },
    /// Orphans wait to be dealt with.
    Orphans {
        /// The first.
        s_last_orphan: u32,
    },
    /// The journal must be replayed first.
    NeedsRecovery,
    /// Block numbers have 32 bits.
    TooManyBlocks {
        /// What was asked for.
        blocks: u64,
    },
    /// The descriptors would not fit in a group.
    TooManyDescriptors {
        /// Blocks of the table.
        desc_blocks: u64,
        /// Blocks of a group.
        s_blocks_per_group: u32,
    },
    /// Less than the estimate.
    BelowMinimum {
        /// What was asked for.
        blocks: u64,
        /// The estimate.
        minimum: u64,
    },
    /// It has this size already.
    NothingToDo {
        /// The size.
        blocks: u64,
    },
    /// It would grow, of which no plan is made here.
    Grows {
        /// What was asked for.
        blocks: u64,
        /// The present size.
        s_blocks_count: u64,
    },
    /// Inode numbers must not change.
    StableInodes,
    /// Shrinking with bigalloc is not trusted.
    Bigalloc,
}

impl Refusal {
    /// Whether the tool asks for e2fsck first.
    #[must_use]
    pub fn asks_for_e2fsck(&self) -> bool {
        matches!(
            self,
            Self::ErrorState { .. }
                | Self::NotValid { .. }
                | Self::MountedSinceCheck { .. }
                | Self::FreeBlocks { .. }
                | Self::FreeInodes { .. }
                | Self::Orphans { .. }
                | Self::NeedsRecovery
        )
    }

    /// Whether `-f` overrides it.
    #[must_use]
    pub fn is_overridden_by_force(&self) -> bool {
        self.asks_for_e2fsck() || matches!(self, Self::BelowMinimum { .. } | Self::Bigalloc)
    }
}

/// The size that a request comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// What was asked for, in whole clusters: the length of the file afterwards, in blocks.
    pub requested: u64,
    /// Blocks of the filesystem afterwards; `None` when a single group would be too small.
    pub blocks: Option<u64>,
}

/// All reasons that hold, in the tool's order: it stops at the first. With `-f`, those that it
/// overrides are left out.
pub(super) fn refusals<S: ByteSource>(
    fs: &Filesystem<S>,
    frame: &Frame,
    minimum: &Minimum,
    request: Request,
) -> (Sizes, Vec<Refusal>) {
    let sizes = sizes(frame, minimum, request.target);
    let mut all = opening(fs, frame);
    all.extend(state(frame));
    all.extend(unknown_compat(frame.superblock.features()));
    all.extend(of_size(frame, minimum, sizes));
    if request.force {
        all.retain(|refusal| !refusal.is_overridden_by_force());
    }
    (sizes, all)
}

fn sizes(frame: &Frame, minimum: &Minimum, target: Target) -> Sizes {
    let mut requested = match target {
        Target::Minimum => minimum.blocks,
        Target::Blocks(blocks) => blocks,
    };
    if !frame.has_incompat(Incompat::BIT64) && requested == 1 << 32 {
        requested = u64::from(u32::MAX);
    }
    let per_cluster = u64::from(frame.geometry.blocks_per_cluster());
    requested = requested.saturating_sub(requested.checked_rem(per_cluster).unwrap_or(0));
    Sizes { requested, blocks: final_size(frame, requested) }
}

/// What asks for e2fsck first.
fn state(frame: &Frame) -> Vec<Refusal> {
    let superblock = &frame.superblock;
    let mut all = Vec::new();
    let s_state = superblock.s_state.get();
    if s_state & ERROR_FS != 0 {
        all.push(Refusal::ErrorState { s_state });
    }
    if s_state & VALID_FS == 0 {
        all.push(Refusal::NotValid { s_state });
    }
    let (s_lastcheck, s_mtime) = (superblock.s_lastcheck.get(), superblock.s_mtime.get());
    if s_lastcheck < s_mtime {
        all.push(Refusal::MountedSinceCheck { s_lastcheck, s_mtime });
    }
    let (free, s_blocks_count) = (superblock.free_blocks_count(), superblock.blocks_count());
    if free > s_blocks_count {
        all.push(Refusal::FreeBlocks { s_free_blocks_count: free, s_blocks_count });
    }
    let s_free_inodes_count = superblock.s_free_inodes_count.get();
    let s_inodes_count = superblock.s_inodes_count.get();
    if s_free_inodes_count > s_inodes_count {
        all.push(Refusal::FreeInodes { s_free_inodes_count, s_inodes_count });
    }
    let s_last_orphan = superblock.s_last_orphan.get();
    if s_last_orphan != 0 {
        all.push(Refusal::Orphans { s_last_orphan });
    }
    if frame.has_incompat(Incompat::RECOVER) {
        all.push(Refusal::NeedsRecovery);
    }
    all
}

/// What the size is refused for.
fn of_size(frame: &Frame, minimum: &Minimum, sizes: Sizes) -> Vec<Refusal> {
    let mut all = Vec::new();
    let geometry = &frame.geometry;
    let blocks = sizes.requested;
    let s_blocks_count = geometry.blocks_count();
    if !frame.has_incompat(Incompat::BIT64) && blocks > u64::from(u32::MAX) {
        all.push(Refusal::TooManyBlocks { blocks });
    }
    let first_data_block = geometry.first_data_block().get();
    let s_blocks_per_group = geometry.blocks_per_group();
    let groups = blocks.saturating_sub(first_data_block).div_ceil(u64::from(s_blocks_per_group));
    let desc_blocks = groups.div_ceil(u64::from(geometry.desc_per_block().get()));
    if desc_blocks.saturating_add(first_data_block) > u64::from(s_blocks_per_group) {
        all.push(Refusal::TooManyDescriptors { desc_blocks, s_blocks_per_group });
    }
    if blocks < minimum.blocks {
        all.push(Refusal::BelowMinimum { blocks, minimum: minimum.blocks });
    }
    match sizes.blocks {
        Some(same) if same == s_blocks_count => all.push(Refusal::NothingToDo { blocks: same }),
        Some(more) if more > s_blocks_count => {
            all.push(Refusal::Grows { blocks, s_blocks_count });
        }
        _ => {
            if frame.has_compat(Compat::STABLE_INODES) {
                all.push(Refusal::StableInodes);
            }
            if frame.has_ro_compat(RoCompat::BIGALLOC) {
                all.push(Refusal::Bigalloc);
            }
        }
    }
    all
}
