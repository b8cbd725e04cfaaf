//! What all passes share: the filesystem, where problems go, and the maps one leaves to the next.

use core::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::claims::Claim;
use super::counts::Counts;
use super::dirs::{DirBlocks, DirInfo, DxDir};
use super::quota::Counted;
use super::sink::Sink;
use super::steps::{CheckStep, CheckSteps};
use crate::bitmap::{Bits as _, BitsMut, RunBitmap, Runs};
use crate::fs::{Filesystem, Geometry};
use crate::io::ByteSource;
use crate::ondisk::Superblock;
use crate::ondisk::features::{Compat, Incompat, RoCompat};
use crate::units::{Fsblk, Ino};

/// What all passes share.
pub(super) struct Context<S> {
    pub(super) fs: Filesystem<S>,
    pub(super) sink: Sink,
    /// Now, in seconds since 1970, where the host has a clock.
    pub(super) now: Option<u64>,
    /// A backup superblock is in use.
    pub(super) used_backup: bool,
    /// The source is as after the journal's replay.
    pub(super) is_replayed: bool,
    /// The journal holds changes that were not replayed.
    pub(super) skipped_journal: bool,
    /// The device with the journal, where it has one of its own and that is at hand.
    pub(super) journal_device: Option<S>,
    /// Who has blocks that are free in the bitmaps, as far as that was looked for.
    pub(super) claims: Vec<Claim>,
    pub(super) maps: Maps,
    pub(super) tally: Tally,
    /// Blocks met that map others.
    nodes: Cell<u64>,
}

/// The maps that pass 1 makes.
pub(super) struct Maps {
    /// Inodes in use; bit `ino`.
    pub(super) inode_used: RunBitmap,
    /// Directories.
    pub(super) inode_dir: RunBitmap,
    /// Regular files.
    pub(super) inode_reg: RunBitmap,
    /// Inodes with fields that cannot be.
    pub(super) inode_bad: BTreeSet<u32>,
    /// Inodes in bad blocks.
    pub(super) inode_bb: BTreeSet<u32>,
    /// Inodes with the AFS flag where that is allowed.
    pub(super) inode_imagic: BTreeSet<u32>,
    /// Clusters that somebody has.
    pub(super) block_found: RunBitmap,
    /// Clusters that several have.
    pub(super) block_dup: RunBitmap,
    /// Clusters of the filesystem's own metadata.
    pub(super) block_metadata: RunBitmap,
    /// Clusters that somebody has and that are free on the disk.
    pub(super) block_unmarked: RunBitmap,
    /// `i_links_count` of each inode.
    pub(super) links: Counts,
    /// References to each inode.
    pub(super) refs: Counts,
    /// Directories and their parents.
    pub(super) dirs: BTreeMap<u32, DirInfo>,
    /// Indexed directories.
    pub(super) dx_dirs: BTreeMap<u32, DxDir>,
    /// Blocks of directories.
    pub(super) dir_blocks: DirBlocks,
    /// Directories that ignore case.
    pub(super) casefold: BTreeSet<u32>,
    /// Encrypted inodes: which policy.
    pub(super) encrypted: BTreeMap<u32, u32>,
    /// References to inodes that hold values of attributes.
    pub(super) ea_refs: BTreeMap<u32, u64>,
    /// Directories in which a name occurs twice.
    pub(super) doubles: BTreeSet<u32>,
    /// What users, groups and projects have.
    pub(super) usage: Counted,
    /// Blocks may be shared.
    pub(super) blocks_shared: bool,
}

/// What is counted on the way, for the summary.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Files whose blocks do not follow one another.
    pub(super) fragmented: u32,
    /// Directories of that kind.
    pub(super) fragmented_dirs: u32,
    /// Files of 2 GiB and more.
    pub(super) large_files: u64,
    /// Directories that need large_dir.
    pub(super) large_dirs: u64,
}

impl<S: ByteSource> Context<S> {
    pub(super) fn new(fs: Filesystem<S>, sink: Sink, now: Option<u64>, used_backup: bool) -> Self {
        let maps = Maps::new(&fs);
        Self {
            fs,
            sink,
            now,
            used_backup,
            is_replayed: false,
            skipped_journal: false,
            journal_device: None,
            claims: Vec::new(),
            maps,
            tally: Tally::default(),
            nodes: Cell::new(0),
        }
    }

    pub(super) fn superblock(&self) -> &Superblock {
        self.fs.superblock()
    }

    pub(super) fn geometry(&self) -> &Geometry {
        self.fs.geometry()
    }

    pub(super) fn has_compat(&self, flag: Compat) -> bool {
        self.fs.features().compat.contains(flag)
    }

    pub(super) fn has_incompat(&self, flag: Incompat) -> bool {
        self.fs.features().incompat.contains(flag)
    }

    pub(super) fn has_ro_compat(&self, flag: RoCompat) -> bool {
        self.fs.features().ro_compat.contains(flag)
    }

    /// Whether a block number cannot be one.
    pub(super) fn is_illegal(&self, fsblk: u64) -> bool {
        !self.geometry().contains(Fsblk::new(fsblk))
    }

    /// Whether the Hurd made the filesystem, whose inodes are a little different.
    pub(super) fn is_hurd(&self) -> bool {
        self.superblock().s_creator_os.get() == 1
    }

    /// Notes that a block that maps others is met; false when that are more than there can be. Each
    /// lies in the image and is met once a pass, in few passes: more lead to one another, and
    /// would be walked over for ever.
    pub(super) fn may_meet_node(&self) -> bool {
        const PASSES: u64 = 5;
        let block_size = u64::from(self.geometry().block_size());
        let blocks = self.geometry().blocks_count().min(self.fs.image_len() / block_size);
        self.nodes.set(self.nodes.get().saturating_add(1));
        self.nodes.get() <= blocks.saturating_mul(PASSES)
    }

    /// First inode for files.
    pub(super) fn first_ino(&self) -> u32 {
        self.geometry().first_ino().get()
    }

    /// The clusters of some blocks.
    pub(super) fn clusters(&self, start: u64, len: u64) -> core::ops::Range<u64> {
        let cluster = |fsblk: u64| self.geometry().cluster_from_fsblk(Fsblk::new(fsblk));
        let last = start.saturating_add(len).saturating_sub(1);
        match (cluster(start), cluster(last)) {
            (Some(first), Some(last)) if len > 0 => first.get()..last.get().saturating_add(1),
            _ => 0..0,
        }
    }

    /// Notes that somebody has blocks; those that somebody had before are shared.
    /// Ref: `mark_block_used`, `mark_blocks_used`.
    pub(super) fn mark_blocks(&mut self, start: u64, len: u64) {
        let clusters = self.clusters(start, len);
        let (maps, recorder) = (&mut self.maps, &mut self.sink.recorder);
        recorder.found(clusters.start, clusters.end.saturating_sub(clusters.start));
        let taken = maps.block_found.next_set(clusters.start);
        if taken.is_some_and(|taken| taken < clusters.end) && !maps.blocks_shared {
            for run in Runs::new(&maps.block_found, true, clusters.clone()) {
                recorder.shared(run.start, run.end.saturating_sub(run.start));
                maps.block_dup.mark_range(run);
            }
        }
        maps.block_found.mark_range(clusters);
    }

    /// Notes that an inode is in use.
    pub(super) fn mark_inode(&mut self, ino: Ino) {
        self.maps.inode_used.mark(u64::from(ino.get()));
        let links = self.maps.links.get(ino.get());
        self.sink.recorder.note(CheckStep::Inode { ino, links });
    }

    /// What was taken down.
    pub(super) fn take_steps(&mut self) -> Option<CheckSteps> {
        let steps = self.sink.recorder.take()?;
        Some(CheckSteps {
            clusters: self.maps.block_found.len(),
            inodes: self.geometry().inodes_count(),
            groups: self.fs.groups().len(),
            ..steps
        })
    }

    /// Whether a block is the filesystem's own metadata.
    pub(super) fn is_metadata(&self, fsblk: u64) -> bool {
        self.maps.block_metadata.test(self.clusters(fsblk, 1).start)
    }

    /// Whether the superblock names an inode as a quota file. Ref: `quota_inum_is_super`.
    pub(super) fn is_quota_named(&self, ino: Ino) -> bool {
        let superblock = self.superblock();
        let named = [
            superblock.s_usr_quota_inum.get(),
            superblock.s_grp_quota_inum.get(),
            superblock.s_prj_quota_inum.get(),
        ];
        named.contains(&ino.get()) && ino.get() != 0
    }

    /// Whether the quota feature uses this inode.
    pub(super) fn is_quota_in_use(&self, ino: Ino) -> bool {
        self.has_ro_compat(RoCompat::QUOTA) && self.is_quota_named(ino)
    }

    /// Whether an inode is kept for quota, used or not. Ref: `quota_inum_is_reserved`.
    pub(super) fn is_quota_reserved(&self, ino: Ino) -> bool {
        let project = self.superblock().s_prj_quota_inum.get();
        matches!(ino.get(), 3 | 4) || project != 0 && ino.get() == project
    }

    /// Whether an inode is the orphan file.
    pub(super) fn is_orphan_file(&self, ino: Ino) -> bool {
        let orphan_file = self.superblock().s_orphan_file_inum.get();
        orphan_file != 0 && ino.get() == orphan_file
    }
}

impl Maps {
    fn new<S: ByteSource>(fs: &Filesystem<S>) -> Self {
        let inodes = RunBitmap::new(u64::from(fs.geometry().inodes_count()).saturating_add(1));
        let last = Fsblk::new(fs.geometry().blocks_count().saturating_sub(1));
        let clusters = fs.geometry().cluster_from_fsblk(last).map_or(0, |last| last.get());
        let blocks = RunBitmap::new(clusters.saturating_add(1));
        Self {
            inode_used: inodes.clone(),
            inode_dir: inodes.clone(),
            inode_reg: inodes,
            inode_bad: BTreeSet::new(),
            inode_bb: BTreeSet::new(),
            inode_imagic: BTreeSet::new(),
            block_found: blocks.clone(),
            block_dup: blocks.clone(),
            block_metadata: blocks.clone(),
            block_unmarked: blocks,
            links: Counts::default(),
            refs: Counts::default(),
            dirs: BTreeMap::new(),
            dx_dirs: BTreeMap::new(),
            dir_blocks: DirBlocks::default(),
            casefold: BTreeSet::new(),
            encrypted: BTreeMap::new(),
            ea_refs: BTreeMap::new(),
            doubles: BTreeSet::new(),
            usage: Counted::default(),
            blocks_shared: fs.features().ro_compat.contains(RoCompat::SHARED_BLOCKS),
        }
    }
}
