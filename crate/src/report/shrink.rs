//! The plan of a shrink, in the shape that the page and the command line share.

use serde::{Deserialize, Serialize};

use super::descriptor::flag_names;
use super::minimum::{TermReport, terms};
use super::refusal::{FailureReport, RefusalReport};
use super::shrink_course::{CostReport, PhaseReport, WarningReport};
use crate::bitmap::{Bits, Runs};
use crate::fs::Filesystem;
use crate::io::ByteSource;
use crate::resize::{Changes, Counts, EntryChange, FileMap, Like, OwnedMove, Plan};
use crate::units::Group;

/// What resize2fs would do. Sizes are blocks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShrinkReport {
    /// Whose behaviour it is.
    pub like: Like,
    /// Whether `-f` is given.
    pub force: bool,
    /// Bytes of a block.
    pub block_size: u32,
    /// The present size.
    pub blocks_count: u64,
    /// What was asked for, which is the length of the file afterwards.
    pub requested_blocks: u64,
    /// The size afterwards; `None` when it does not come to that.
    pub final_blocks: Option<u64>,
    /// The estimate of the smallest size.
    pub minimum_blocks: u64,
    /// What the estimate is the sum of.
    pub terms: Vec<TermReport>,
    /// Why the tool does not begin; it stops at the first.
    pub refused: Vec<RefusalReport>,
    /// Why it ends early.
    pub failure: Option<FailureReport>,
    /// Faults of the tool that it runs into.
    pub warnings: Vec<WarningReport>,
    /// What changes.
    #[serde(flatten)]
    pub changes: Option<ChangesReport>,
}

/// What changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangesReport {
    /// The phases, in the tool's order.
    pub phases: Vec<PhaseReport>,
    /// What it costs.
    pub cost: CostReport,
    /// Fields of the superblock.
    pub superblock: SuperblockChange,
    /// Blocks that move: first before, first after, how many.
    pub block_moves: Vec<[u64; 3]>,
    /// The same moves by whose blocks they are. Of a block of attributes that several files share,
    /// once for each.
    pub owned_moves: Vec<OwnedMove>,
    /// Inodes that get another number: before, after.
    pub inode_moves: Vec<[u32; 2]>,
    /// Inode tables that move: group, first block before, after.
    pub itable_moves: Vec<[u64; 3]>,
    /// Block bitmaps that get another place: group, block before, after.
    pub block_bitmap_moves: Vec<[u64; 3]>,
    /// Inode bitmaps that get another place, likewise.
    pub inode_bitmap_moves: Vec<[u64; 3]>,
    /// New nodes of extent trees.
    pub map_blocks: Vec<u64>,
    /// Directory entries that are rewritten.
    pub entries: Vec<EntryReport>,
    /// Reserved GDT blocks that are freed: first, how many.
    pub freed_descriptors: Vec<[u64; 2]>,
    /// Whether free blocks ran so short that those in use before were taken.
    pub desperate: bool,
    /// What the passes go through.
    pub counts: Counts,
    /// Clusters in use: first, how many.
    pub block_bitmap: Vec<[u64; 2]>,
    /// Inodes in use: first, how many.
    pub inode_bitmap: Vec<[u64; 2]>,
    /// Every group afterwards.
    pub groups: Vec<GroupChange>,
    /// Files that change.
    pub inodes: Vec<InodeChange>,
}

/// Fields of the superblock afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuperblockChange {
    /// Blocks.
    pub s_blocks_count: u64,
    /// Free blocks.
    pub s_free_blocks_count: u64,
    /// Blocks for the privileged user.
    pub s_r_blocks_count: u64,
    /// Inodes.
    pub s_inodes_count: u32,
    /// Free inodes.
    pub s_free_inodes_count: u32,
    /// Reserved GDT blocks.
    pub s_reserved_gdt_blocks: u16,
    /// First metablock group.
    pub s_first_meta_bg: u32,
    /// Features.
    pub s_feature_incompat: u32,
    /// Groups with backups, with sparse_super2.
    pub s_backup_bgs: [u32; 2],
    /// Always 0 afterwards.
    pub s_overhead_clusters: u32,
    /// Stride.
    pub s_raid_stride: u16,
    /// State.
    pub s_state: u16,
}

/// A group afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupChange {
    /// Its number.
    pub group: u32,
    /// Block of the block bitmap.
    pub bg_block_bitmap: u64,
    /// Block of the inode bitmap.
    pub bg_inode_bitmap: u64,
    /// First block of the inode table.
    pub bg_inode_table: u64,
    /// Free clusters.
    pub bg_free_blocks_count: u32,
    /// Free inodes.
    pub bg_free_inodes_count: u32,
    /// Directories.
    pub bg_used_dirs_count: u32,
    /// Inodes behind the last one in use.
    pub bg_itable_unused: u32,
    /// Flags as they lie on the disk.
    pub bg_flags: u16,
    /// Flags by name.
    pub flags: Vec<String>,
}

/// A file that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InodeChange {
    /// Its number afterwards.
    pub ino: u32,
    /// Its number before.
    pub old_ino: u32,
    /// Block of attributes afterwards; 0 is none.
    pub i_file_acl: u64,
    /// Sectors afterwards, or blocks for a huge file.
    pub i_blocks: u64,
    /// Where it lies afterwards.
    #[serde(flatten)]
    pub after: MapChange,
    /// Where it lies before.
    pub before: MapChange,
}

/// Where a file lies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapChange {
    /// Its extents: first block of the file, of the filesystem, how many, 1 when unwritten.
    pub extents: Vec<[u64; 4]>,
    /// Nodes of its extent tree, or indirect blocks.
    pub map_blocks: Vec<u64>,
}

/// A directory entry that is rewritten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryReport {
    /// The directory, by its number afterwards.
    pub dir: u32,
    /// The name.
    pub name: String,
    /// The inode that it names before.
    pub from: u32,
    /// And after.
    pub to: u32,
}

impl ShrinkReport {
    /// Reports a plan.
    pub fn new<S: ByteSource>(fs: &Filesystem<S>, plan: &Plan) -> Self {
        let geometry = fs.geometry();
        let comes_to_it = plan.refusals.is_empty();
        Self {
            like: plan.request.like,
            force: plan.request.force,
            block_size: geometry.block_size(),
            blocks_count: geometry.blocks_count(),
            requested_blocks: plan.sizes.requested,
            final_blocks: plan.sizes.blocks.filter(|_| comes_to_it),
            minimum_blocks: plan.minimum.blocks,
            terms: terms(&plan.minimum),
            refused: plan.refusals.iter().map(RefusalReport::new).collect(),
            failure: plan.failure.map(FailureReport::new),
            warnings: WarningReport::of(plan),
            changes: plan.changes.as_deref().map(ChangesReport::new),
        }
    }
}

impl ChangesReport {
    /// Reports changes.
    #[must_use]
    pub fn new(changes: &Changes) -> Self {
        let block = |cluster: u64| changes.block_map.block(cluster);
        let bitmap_moves = |of_inodes: bool| {
            let moves = changes.bitmap_moves.iter().filter(|moved| moved.of_inodes == of_inodes);
            moves.map(|moved| [u64::from(moved.group.get()), moved.from, moved.to]).collect()
        };
        let relocations = changes.relocations.iter();
        let inodes = u64::from(changes.new.superblock.s_inodes_count.get()).saturating_add(1);
        let clusters = block(1).max(1);
        let clusters = changes.new.geometry.blocks_count().div_ceil(clusters);
        Self {
            phases: PhaseReport::of(changes),
            cost: CostReport::new(changes),
            superblock: SuperblockChange::new(changes),
            block_moves: relocations
                .map(|run| [block(run.from), block(run.to), block(run.len)])
                .collect(),
            owned_moves: changes.owned.clone(),
            inode_moves: changes.inode_moves.iter().map(|m| [m.from.get(), m.to.get()]).collect(),
            itable_moves: changes
                .itable_moves
                .iter()
                .map(|moved| [u64::from(moved.group.get()), moved.from, moved.to])
                .collect(),
            block_bitmap_moves: bitmap_moves(false),
            inode_bitmap_moves: bitmap_moves(true),
            map_blocks: changes.new_nodes.clone(),
            entries: changes.entries.iter().map(EntryReport::from).collect(),
            freed_descriptors: changes
                .freed_descriptors
                .iter()
                .map(|blocks| [blocks.start, blocks.end.saturating_sub(blocks.start)])
                .collect(),
            desperate: changes.desperate,
            counts: changes.counts,
            block_bitmap: runs(changes.block_map.bits(), clusters),
            inode_bitmap: runs(&changes.inode_map, inodes),
            groups: (0..)
                .map(Group::new)
                .zip(&changes.new.groups)
                .map(|(group, desc)| GroupChange {
                    group: group.get(),
                    bg_block_bitmap: desc.block_bitmap.get(),
                    bg_inode_bitmap: desc.inode_bitmap.get(),
                    bg_inode_table: desc.inode_table.get(),
                    bg_free_blocks_count: desc.free_blocks_count,
                    bg_free_inodes_count: desc.free_inodes_count,
                    bg_used_dirs_count: desc.used_dirs_count,
                    bg_itable_unused: desc.itable_unused,
                    bg_flags: desc.flags.bits(),
                    flags: flag_names(desc.flags),
                })
                .collect(),
            inodes: changes
                .touched
                .iter()
                .map(|touched| InodeChange {
                    ino: touched.new_ino.get(),
                    old_ino: touched.old_ino.get(),
                    i_file_acl: touched.acl,
                    i_blocks: touched.i_blocks,
                    after: MapChange::new(&touched.after),
                    before: MapChange::new(&touched.before),
                })
                .collect(),
        }
    }
}

impl From<&EntryChange> for EntryReport {
    fn from(entry: &EntryChange) -> Self {
        Self {
            dir: entry.dir.get(),
            name: super::escaped(&entry.name),
            from: entry.from.get(),
            to: entry.to.get(),
        }
    }
}

impl SuperblockChange {
    fn new(changes: &Changes) -> Self {
        let superblock = &changes.new.superblock;
        Self {
            s_blocks_count: superblock.blocks_count(),
            s_free_blocks_count: superblock.free_blocks_count(),
            s_r_blocks_count: superblock.r_blocks_count(),
            s_inodes_count: superblock.s_inodes_count.get(),
            s_free_inodes_count: superblock.s_free_inodes_count.get(),
            s_reserved_gdt_blocks: superblock.s_reserved_gdt_blocks.get(),
            s_first_meta_bg: superblock.s_first_meta_bg.get(),
            s_feature_incompat: superblock.s_feature_incompat.get(),
            s_backup_bgs: superblock.s_backup_bgs.map(|group| group.get()),
            s_overhead_clusters: superblock.s_overhead_clusters.get(),
            s_raid_stride: superblock.s_raid_stride.get(),
            s_state: superblock.s_state.get(),
        }
    }
}

impl MapChange {
    fn new(map: &FileMap) -> Self {
        let extents = map.extents.iter();
        Self {
            extents: extents
                .map(|extent| [extent.lblk, extent.fsblk, extent.len, extent.unwritten.into()])
                .collect(),
            map_blocks: map.nodes.clone(),
        }
    }
}

/// First and length of each run of set bits before `end`.
fn runs(bits: &impl Bits, end: u64) -> Vec<[u64; 2]> {
    Runs::new(bits, true, 0..end).map(|run| [run.start, run.end - run.start]).collect()
}
