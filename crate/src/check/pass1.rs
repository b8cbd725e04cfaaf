//! Pass 1: every inode and its blocks.
//!
//! Leaves the maps of inodes and blocks, link counts, the list of directory blocks, and indexed
//! directories. What is in a single inode's fields is in `inode.rs`, its blocks in `blocks.rs`.

use super::ahead::TablesAhead;
use super::bad_blocks;
use super::context::Context;
use super::finding::Problem;
use super::inode::{self, Next};
use super::problem::{
    PR_1_BADBLOCKS_IN_BADBLOCKS, PR_1_FS_REV_LEVEL, PR_1_ISCAN_ERROR, PR_1_RELOC_TO,
    PR_1_RESIZE_INODE_CREATE, PR_2_FEATURE_LARGE_DIRS,
};
use super::scan::{self, Scanned};
use super::sink::Flow;
use super::tables;
use super::xattr_block::{ValueInodes, XattrBlocks};
use super::{blocks, problem};
use crate::bitmap::RunBitmap;
use crate::fs::Inode;
use crate::io::ByteSource;
use crate::ondisk::features::Incompat;
use crate::ondisk::reserved;
use crate::units::Group;

/// Inodes whose walk waits, at most. Ref: `process_inode_size`.
const DEFERRED: usize = 256;

/// The pass at work.
pub(super) struct Pass1 {
    /// Groups whose metadata is marked.
    marked: u32,
    group: u32,
    /// Index in the group's table of the next inode.
    index: u32,
    tables: TablesAhead,
    bad_blocks: RunBitmap,
    /// What all inodes need to know.
    pub(super) shared: Shared,
    deferred: Vec<(Inode, ValueInodes, bool)>,
    resize_inode_is_readable: bool,
}

/// What all inodes need to know.
pub(super) struct Shared {
    /// Attribute blocks met so far.
    pub(super) xattrs: XattrBlocks,
    /// The superblock's times are too small to tell times from inode numbers.
    pub(super) has_busted_times: bool,
    /// An inode that looks left from the orphan list was told.
    pub(super) told_refugees: bool,
    /// Policies of encrypted inodes, each once.
    pub(super) policies: Vec<Vec<u8>>,
}

impl Pass1 {
    pub(super) fn new<S: ByteSource>(ctx: &Context<S>, resize_inode_is_readable: bool) -> Self {
        let superblock = ctx.superblock();
        let times = [superblock.s_wtime, superblock.s_mtime, superblock.s_mkfs_time];
        let inodes = ctx.geometry().inodes_count();
        let has_busted_times = times.iter().any(|time| (1..inodes).contains(&time.get()));
        Self {
            marked: 0,
            group: 0,
            index: 0,
            tables: TablesAhead::default(),
            bad_blocks: bad_blocks::list(ctx),
            shared: Shared {
                xattrs: XattrBlocks::default(),
                has_busted_times,
                told_refugees: false,
                policies: Vec::new(),
            },
            deferred: Vec::new(),
            resize_inode_is_readable,
        }
    }

    /// Groups done.
    pub(super) fn done(&self) -> u32 {
        self.group
    }

    /// Does some inodes; true at the end.
    pub(super) fn step<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow<bool> {
        if self.marked < ctx.fs.groups().len() {
            self.marked = tables::mark(ctx, self.marked)?;
            return Ok(false);
        }
        // Groups without inodes cost next to nothing.
        for _ in 0..256 {
            if self.group >= ctx.fs.groups().len() {
                self.finish(ctx)?;
                return Ok(true);
            }
            if self.read_inodes(ctx)? > 0 {
                break;
            }
        }
        Ok(false)
    }

    /// Reads and checks some inodes of the group; none at its end.
    fn read_inodes<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow<usize> {
        let group = Group::new(self.group);
        let table = ctx.fs.group(group)?.desc.inode_table.get();
        let wanted = scan::inodes_to_scan(ctx, group)? > self.index;
        let is_outside = table != 0 && scan::table_is_outside(ctx, table);
        if self.index == 0 && is_outside {
            self.process_deferred(ctx)?;
            let problem = Problem::new(PR_1_ISCAN_ERROR).group(group).block(table);
            ctx.sink.tell(problem)?;
        }
        let scanned = if !wanted || table == 0 || is_outside {
            Vec::new()
        } else {
            match self.tables.next(ctx, self.group, self.index, &self.bad_blocks) {
                Ok(scanned) => scanned,
                Err(_) => {
                    let problem = Problem::new(PR_1_ISCAN_ERROR).group(group).block(table);
                    ctx.sink.tell(problem)?;
                    Vec::new()
                }
            }
        };
        if scanned.is_empty() {
            self.process_deferred(ctx)?;
            self.group += 1;
            self.index = 0;
            return Ok(0);
        }
        self.index += u32::try_from(scanned.len()).unwrap_or(u32::MAX);
        let count = scanned.len();
        for one in scanned {
            self.check_inode(ctx, one)?;
        }
        Ok(count)
    }

    fn check_inode<S: ByteSource>(&mut self, ctx: &mut Context<S>, one: Scanned) -> Flow {
        let ino = one.inode.ino;
        if one.is_in_bad_block {
            if ino == reserved::BAD {
                ctx.sink.tell(Problem::new(PR_1_BADBLOCKS_IN_BADBLOCKS).ino(ino))?;
            }
            ctx.maps.inode_bb.insert(ino.get());
            ctx.mark_inode(ino);
            return Ok(());
        }
        if let Next::Defer(values) = inode::check(ctx, &mut self.shared, &one)? {
            self.deferred.push((one.inode, values, one.fails_csum));
            if self.deferred.len() >= DEFERRED {
                self.process_deferred(ctx)?;
            }
        }
        Ok(())
    }

    /// Walks over inodes with indirect or attribute blocks in the order in which these lie.
    fn process_deferred<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow {
        let mut deferred = core::mem::take(&mut self.deferred);
        deferred.sort_by_key(|(inode, ..)| {
            let indirect = inode.raw.block_numbers().nth(12).unwrap_or(0);
            (indirect, inode.raw.file_acl(), inode.ino)
        });
        for (inode, values, fails_csum) in deferred {
            let xattrs = &mut self.shared.xattrs;
            blocks::check(ctx, xattrs, &inode, values, fails_csum)?;
        }
        Ok(())
    }

    fn finish<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow {
        self.shared.xattrs.settle(ctx)?;
        for group in (0..ctx.fs.groups().len()).map(Group::new) {
            let Some(entry) = ctx.fs.groups().get(group).copied() else { continue };
            let desc = entry.desc;
            let places = [desc.block_bitmap, desc.inode_bitmap, desc.inode_table];
            for (name, _) in ["block bitmap", "inode bitmap", "inode table"]
                .into_iter()
                .zip(places)
                .filter(|(_, place)| place.get() == 0)
            {
                let problem = Problem::new(PR_1_RELOC_TO).group(group).name(name.as_bytes());
                ctx.sink.tell(problem)?;
            }
            if desc.inode_table.get() == 0 {
                // A new table makes e2fsck start again, for ever when nothing may be written.
                ctx.sink.give_up(Some(PR_1_RELOC_TO))?;
            }
        }
        if !self.resize_inode_is_readable {
            ctx.sink.tell(Problem::new(PR_1_RESIZE_INODE_CREATE).ino(reserved::RESIZE))?;
            ctx.sink.give_up(Some(PR_1_RESIZE_INODE_CREATE))?;
        }
        if ctx.tally.large_dirs > 0 && !ctx.has_incompat(Incompat::LARGEDIR) {
            ctx.sink.tell(Problem::new(PR_2_FEATURE_LARGE_DIRS))?;
            tell_revision(ctx)?;
        }
        Ok(())
    }
}

/// Tells of a revision that is too old for what is used.
pub(super) fn tell_revision<S: ByteSource>(ctx: &mut Context<S>) -> Flow {
    let code: problem::Code = PR_1_FS_REV_LEVEL;
    if ctx.superblock().s_rev_level.get() == 0 { ctx.sink.tell_code(code) } else { Ok(()) }
}
