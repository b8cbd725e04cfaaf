//! Faults of the tool that a plan runs into although it comes to its end.

use serde::{Deserialize, Serialize};

use super::Like;
use super::plan::{Changes, Plan};
use crate::ondisk::features::{Compat, Incompat, RoCompat};
use crate::units::{Group, Ino};

/// A fault that a plan runs into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "warning", rename_all = "snake_case")]
pub enum Warning {
    /// The MMP block is past the new end, and is not moved: everything is rewritten, and then the
    /// last step fails.
    MmpBlock {
        /// Its place.
        s_mmp_block: u64,
    },
    /// An inode table moves to a lower place without descriptor checksums. The zeros at its end are
    /// not written, and what lay there is taken for inodes.
    StaleItable {
        /// Its group.
        group: Group,
    },
    /// Blocks of the orphan file move, and 1.47.0 does not renew their checksums, which depend on
    /// the place.
    OrphanFileChecksum {
        /// The orphan file.
        ino: Ino,
    },
    /// An inode that the superblock names by number gets another one, and the superblock keeps the
    /// old.
    NamedInode {
        /// Its number before.
        from: Ino,
        /// Its number after.
        to: Ino,
    },
    /// Extent trees grow, and quota does not count the new nodes.
    QuotaUsage {
        /// Nodes added.
        nodes: u64,
    },
    /// 1.47.0 counts the last group as if it were whole, so that there are too many free clusters.
    BigallocCounts {
        /// Clusters of the last group.
        clusters: u32,
    },
    /// 1.47.0 may leave the resize inode empty, or with blocks past the end, when its double
    /// indirect block is still in the cache.
    ResizeInode {
        /// Reserved GDT blocks afterwards.
        reserved_gdt_blocks: u16,
    },
    /// Rounding makes it smaller than the estimate, which is compared before.
    BelowMinimum {
        /// Blocks afterwards.
        blocks: u64,
        /// The estimate.
        minimum: u64,
    },
    /// An inode table that was placed anew is in the way of a backup superblock and placed once
    /// more; its first new place stays marked as in use.
    LeakedBlocks {
        /// Blocks that are lost until e2fsck runs.
        blocks: u64,
    },
    /// Bad blocks past the end are dropped from their list.
    BadBlocks {
        /// Clusters dropped.
        clusters: u64,
    },
    /// The file is cut to the size that was asked for, which is more than the filesystem has.
    LongerFile {
        /// Blocks of the file.
        file: u64,
        /// Blocks of the filesystem.
        blocks: u64,
    },
}

impl Plan {
    /// Every fault that the plan runs into.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let Some(changes) = self.changes.as_deref() else {
            return Vec::new();
        };
        let is_1_47_0 = self.request.like == Like::V1_47_0;
        let mut all = changes.lasting_warnings();
        if is_1_47_0 {
            all.extend(changes.warnings_of_1_47_0());
        }
        let blocks = changes.new.geometry.blocks_count();
        let minimum = self.minimum.blocks;
        if blocks < minimum {
            all.push(Warning::BelowMinimum { blocks, minimum });
        }
        if self.sizes.requested > blocks {
            all.push(Warning::LongerFile { file: self.sizes.requested, blocks });
        }
        all
    }
}

impl Changes {
    /// Faults of every release.
    fn lasting_warnings(&self) -> Vec<Warning> {
        let mut all = Vec::new();
        let superblock = &self.old.superblock;
        let s_mmp_block = superblock.s_mmp_block.get();
        if self.old.has_incompat(Incompat::MMP) && s_mmp_block >= self.new.geometry.blocks_count() {
            all.push(Warning::MmpBlock { s_mmp_block });
        }
        if !self.old.has_csum() {
            let lower = self.itable_moves.iter().filter(|itable| itable.to < itable.from);
            all.extend(lower.map(|itable| Warning::StaleItable { group: itable.group }));
        }
        let named = [
            superblock.s_journal_inum.get(),
            superblock.s_usr_quota_inum.get(),
            superblock.s_grp_quota_inum.get(),
            superblock.s_prj_quota_inum.get(),
            superblock.s_orphan_file_inum.get(),
        ];
        let moves = self.inode_moves.iter().filter(|inode| named.contains(&inode.from.get()));
        all.extend(moves.map(|inode| Warning::NamedInode { from: inode.from, to: inode.to }));
        if self.old.has_ro_compat(RoCompat::QUOTA) && !self.new_nodes.is_empty() {
            let nodes = u64::try_from(self.new_nodes.len()).unwrap_or(u64::MAX);
            all.push(Warning::QuotaUsage { nodes });
        }
        if self.leaked_blocks > 0 {
            all.push(Warning::LeakedBlocks { blocks: self.leaked_blocks });
        }
        if self.dropped_bad > 0 {
            all.push(Warning::BadBlocks { clusters: self.dropped_bad });
        }
        all
    }

    /// Faults that later releases do not have.
    fn warnings_of_1_47_0(&self) -> Vec<Warning> {
        /// Reserved GDT blocks up to which the cache may still hold the double indirect block.
        const CACHED: u16 = 6;
        let mut all = Vec::new();
        let orphan_file = Ino::new(self.old.superblock.s_orphan_file_inum.get());
        let moves = self.owned.iter().any(|moved| moved.ino == orphan_file);
        if self.old.has_compat(Compat::ORPHAN_FILE)
            && self.old.has_ro_compat(RoCompat::METADATA_CSUM)
            && moves
        {
            all.push(Warning::OrphanFileChecksum { ino: orphan_file });
        }
        let last = Group::new(self.new.group_count().saturating_sub(1));
        let clusters = self.new.geometry.group_clusters(last);
        let is_bigalloc = self.new.geometry.blocks_per_cluster() > 1;
        if is_bigalloc && clusters < self.new.geometry.clusters_per_group() {
            all.push(Warning::BigallocCounts { clusters });
        }
        let reserved_gdt_blocks = self.new.superblock.s_reserved_gdt_blocks.get();
        if self.new.has_compat(Compat::RESIZE_INODE) && reserved_gdt_blocks <= CACHED {
            all.push(Warning::ResizeInode { reserved_gdt_blocks });
        }
        all
    }
}
