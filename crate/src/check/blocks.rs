//! Pass 1: the blocks of an inode, and whether its size and block count fit them.
//!
//! Marks what it finds as found, and adds a directory's blocks to the list for pass 2.

use super::block_map;
use super::context::Context;
use super::extents::{self, Levels};
use super::finding::Problem;
use super::htree_root;
use super::inode_kind::has_valid_blocks;
use super::problem::{
    PR_1_BAD_I_BLOCKS, PR_1_BAD_I_SIZE, PR_1_BLOCK_ITERATE, PR_1_MISALIGNED_CLUSTER,
    PR_1_NO_BIGALLOC_BLOCKMAP_FILES, PR_1_ZERO_LENGTH_DIR,
};
use super::quota;
use super::sink::Flow;
use super::xattr_block::{self, ValueInodes};
use crate::fs::Inode;
use crate::io::ByteSource;
use crate::ondisk::features::{Compat, Incompat, RoCompat};
use crate::ondisk::{FileType, InodeFlags, reserved};

/// What is counted on the way through an inode's blocks. Ref: `struct process_block_struct`.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub(super) is_dir: bool,
    pub(super) is_reg: bool,
    /// Clusters counted.
    pub(super) clusters: u64,
    /// Last block of the file; -1 for none.
    pub(super) last_block: i64,
    /// Last that was ever written.
    pub(super) last_init: i64,
    /// Last block of the directory that is on the list.
    pub(super) last_dir_block: i64,
    /// Block of the filesystem before this one; 0 for none.
    pub(super) previous: u64,
    pub(super) is_fragmented: bool,
    /// Impossible block numbers.
    pub(super) illegal: u64,
    /// Such a number, or one past the longest file, was told.
    pub(super) told_illegal: bool,
    pub(super) told_toobig: bool,
    /// The walk cannot go on.
    pub(super) is_broken: bool,
    /// Entries and room of each level of the extent tree.
    pub(super) levels: Levels,
}

impl Walk {
    fn new(inode: &Inode) -> Self {
        Self {
            is_dir: inode.is_dir(),
            is_reg: inode.file_type() == Some(FileType::RegFile),
            clusters: 0,
            last_block: -1,
            last_init: -1,
            last_dir_block: -1,
            previous: 0,
            is_fragmented: false,
            illegal: 0,
            told_illegal: false,
            told_toobig: false,
            is_broken: false,
            levels: Levels::default(),
        }
    }

    /// Notes that the inode has a block; one in the same cluster as the one before is not counted
    /// again.
    pub(super) fn mark_block<S: ByteSource>(
        &mut self,
        ctx: &mut Context<S>,
        inode: &Inode,
        fsblk: u64,
        lblk: i64,
    ) -> Flow {
        let ratio = u64::from(ctx.geometry().blocks_per_cluster());
        if ratio == 1 {
            ctx.mark_blocks(fsblk, 1);
            self.clusters += 1;
            return Ok(());
        }
        let is_same = self.previous != 0
            && ctx.clusters(self.previous, 1) == ctx.clusters(fsblk, 1)
            && (lblk < 0 || fsblk % ratio == lblk as u64 % ratio);
        if !is_same {
            ctx.mark_blocks(fsblk, 1);
            self.clusters += 1;
        }
        if lblk >= 0 && self.is_misaligned(ctx, fsblk, lblk as u64) {
            let problem = Problem::new(PR_1_MISALIGNED_CLUSTER).ino(inode.ino).block(fsblk);
            ctx.sink.tell(problem.lblk(lblk as u64))?;
            ctx.mark_blocks(fsblk, 1);
            ctx.mark_blocks(fsblk, 1);
        }
        Ok(())
    }

    /// Whether a block is not where its cluster wants it. Ref: `has_unaligned_cluster_map`.
    fn is_misaligned<S: ByteSource>(&self, ctx: &Context<S>, fsblk: u64, lblk: u64) -> bool {
        let ratio = u64::from(ctx.geometry().blocks_per_cluster());
        if fsblk % ratio != lblk % ratio {
            return true;
        }
        let last = u64::try_from(self.last_block).ok();
        last.is_some_and(|last| last / ratio == lblk / ratio)
            && self.previous / ratio != fsblk / ratio
    }

    /// Adds a block, or with 0 a hole, to the directory's list.
    pub(super) fn add_dir_blocks<S: ByteSource>(
        &mut self,
        ctx: &mut Context<S>,
        inode: &Inode,
        fsblk: u64,
        lblk: u32,
        len: u32,
    ) {
        let next = u32::try_from(self.last_dir_block + 1).unwrap_or(0);
        if next < lblk {
            ctx.maps.dir_blocks.add(inode.ino, next, 0, lblk - next);
        }
        ctx.maps.dir_blocks.add(inode.ino, lblk, fsblk, len);
        self.last_dir_block = i64::from(lblk) + i64::from(len) - 1;
    }
}

/// Goes through the blocks of an inode. Ref: `check_blocks`.
pub(super) fn check<S: ByteSource>(
    ctx: &mut Context<S>,
    xattrs: &mut xattr_block::XattrBlocks,
    inode: &Inode,
    inside: ValueInodes,
    fails_csum: bool,
) -> Flow {
    ctx.sink.recorder.walk(inode.ino);
    let mut walk = Walk::new(inode);
    let flags = inode.flags();
    let has_extents = ctx.has_incompat(Incompat::EXTENTS) && flags.contains(InodeFlags::EXTENTS);
    let is_inline = flags.contains(InodeFlags::INLINE_DATA);
    let ratio = u64::from(ctx.geometry().blocks_per_cluster());
    let behind = xattrs.check(ctx, inode)?;
    if let Some(behind) = behind {
        walk.clusters += 1 + behind.blocks / ratio;
    }
    walk.clusters += inside.blocks / ratio;
    if has_valid_blocks(inode) {
        if has_extents {
            extents::check(ctx, &mut walk, inode, fails_csum)?;
        } else {
            block_map::check(ctx, &mut walk, inode)?;
            walk.last_init = walk.last_block;
        }
    } else if is_inline && walk.is_dir {
        ctx.maps.dir_blocks.add(inode.ino, 0, 0, 1);
    }
    if walk.is_broken {
        ctx.sink.tell(Problem::new(PR_1_BLOCK_ITERATE).ino(inode.ino))?;
    }
    if walk.is_fragmented && walk.clusters < u64::from(ctx.geometry().blocks_per_group()) {
        let tally = &mut ctx.tally;
        let count = if walk.is_dir { &mut tally.fragmented_dirs } else { &mut tally.fragmented };
        *count = count.wrapping_add(1);
    }
    if flags.contains(InodeFlags::INDEX) {
        htree_root::check(ctx, &walk, inode)?;
    }
    if walk.clusters == 0 && walk.is_dir && !is_inline {
        ctx.sink.tell(Problem::new(PR_1_ZERO_LENGTH_DIR).ino(inode.ino))?;
    }
    let values = behind.unwrap_or_default().inodes + inside.inodes;
    quota::count(ctx, inode, walk.clusters, values)?;
    check_size(ctx, &walk, inode, has_extents)?;
    check_block_count(ctx, &walk, inode)?;
    let is_file = inode.ino == reserved::ROOT || inode.ino.get() >= ctx.first_ino();
    if ctx.has_ro_compat(RoCompat::BIGALLOC)
        && is_file
        && (walk.is_dir || walk.is_reg)
        && walk.clusters > 0
        && !flags.intersects(InodeFlags::EXTENTS | InodeFlags::INLINE_DATA)
    {
        ctx.sink.tell(Problem::new(PR_1_NO_BIGALLOC_BLOCKMAP_FILES).ino(inode.ino))?;
    }
    Ok(())
}

/// Whether `i_size` fits the blocks that were found.
fn check_size<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &Walk,
    inode: &Inode,
    has_extents: bool,
) -> Flow {
    let block_size = u64::from(ctx.geometry().block_size());
    let size = full_size(inode);
    let flags = inode.flags();
    let found_blocks = u64::try_from(walk.last_block + 1).unwrap_or(0);
    let mut due = found_blocks * block_size;
    let is_bad = if walk.is_dir {
        let prealloc = u64::from(ctx.superblock().s_prealloc_dir_blocks);
        let blocks = size / block_size;
        if flags.contains(InodeFlags::INLINE_DATA) {
            match xattr_block::inline_size(ctx, inode) {
                Ok(inline) => {
                    due = inline;
                    inline != size
                }
                Err(()) => {
                    due = 0;
                    true
                }
            }
        } else {
            !size.is_multiple_of(block_size)
                || blocks > found_blocks
                || blocks < found_blocks && found_blocks - blocks > prealloc
        }
    } else {
        let written = u64::try_from(walk.last_init).map_or(0, |last| last * block_size);
        let is_short = walk.last_init >= 0 && size < written;
        let most = if has_extents { (block_size << 32) - 1 } else { max_block_map_size(ctx) };
        is_short && !flags.contains(InodeFlags::VERITY) || size > most
    };
    if is_bad && inode.file_type() != Some(FileType::Symlink) {
        let problem = Problem::new(PR_1_BAD_I_SIZE).ino(inode.ino);
        ctx.sink.tell(problem.found(size).expected(due))?;
    }
    if walk.is_reg && size >= 0x8000_0000 {
        ctx.tally.large_files += 1;
    }
    Ok(())
}

/// `i_size` of 64 bits, whatever the inode is.
pub(super) fn full_size(inode: &Inode) -> u64 {
    u64::from(inode.raw.i_size_high.get()) << 32 | u64::from(inode.raw.i_size_lo.get())
}

/// Longest file that a block map can have. Ref: `ext2_max_sizes`.
fn max_block_map_size<S: ByteSource>(ctx: &Context<S>) -> u64 {
    let block_size = u64::from(ctx.geometry().block_size());
    let per_block = block_size / 4;
    let blocks = 12 + per_block + per_block.pow(2) + per_block.pow(3);
    // i_blocks counts sectors in 32 bits, the file's own indirect blocks among them.
    let indirect = 3 + per_block * 2 + per_block.pow(2);
    let by_sectors = (u64::from(u32::MAX) * 512).saturating_sub(indirect * block_size);
    let huge = ctx.has_ro_compat(RoCompat::HUGE_FILE);
    if huge { blocks * block_size } else { (blocks * block_size).min(by_sectors) }
}

/// Whether `i_blocks` is what was counted.
fn check_block_count<S: ByteSource>(ctx: &mut Context<S>, walk: &Walk, inode: &Inode) -> Flow {
    if ctx.is_hurd() {
        return Ok(());
    }
    let huge_file = ctx.has_ro_compat(RoCompat::HUGE_FILE);
    let is_huge = huge_file && inode.flags().contains(InodeFlags::HUGE_FILE);
    let ratio = u64::from(ctx.geometry().blocks_per_cluster());
    let sectors = if is_huge { 1 } else { u64::from(ctx.geometry().block_size()) / 512 };
    let due = walk.clusters.saturating_mul(ratio).saturating_mul(sectors);
    let found = i_blocks(inode, huge_file);
    if found != due || is_huge && inode.raw.l_i_blocks_high.get() != 0 {
        let problem = Problem::new(PR_1_BAD_I_BLOCKS).ino(inode.ino);
        ctx.sink.tell(problem.found(found).expected(due))?;
    }
    Ok(())
}

/// `i_blocks`, with its high half where the feature says that it is one.
pub(super) fn i_blocks(inode: &Inode, huge_file: bool) -> u64 {
    if huge_file { inode.raw.blocks() } else { u64::from(inode.raw.i_blocks_lo.get()) }
}

/// Whether indexed directories are allowed.
pub(super) fn has_dir_index<S: ByteSource>(ctx: &Context<S>) -> bool {
    ctx.has_compat(Compat::DIR_INDEX)
}
