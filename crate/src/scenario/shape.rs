//! The numbers of a scenario that are the same everywhere in it: its superblock, and what follows
//! from that.

use super::dirs::Dirs;
use super::pattern::mix;
use super::recipe::{Checksums, Recipe, refused};
use crate::error::Result;
use crate::fs::{Geometry, Layout};
use crate::limits;
use crate::ondisk::csum::{Csum, superblock_csum};
use crate::ondisk::features::{Compat, Incompat, RoCompat};
use crate::ondisk::{Extent, ExtentHeader, SUPER_MAGIC, SUPERBLOCK_BYTES, Superblock};
use crate::units::Group;

/// Seconds since 1970 at which everything was made: 2024-01-01.
pub(super) const MADE: u32 = 1_704_067_200;

/// Bytes of an inode.
pub(super) const INODE_BYTES: u32 = 256;

/// Inodes that a filesystem begins with: the reserved ones and lost+found.
pub(super) const FIRST_INODES: u64 = 11;

/// Extents that an inode itself has room for.
pub(super) const ROOT_EXTENTS: u64 = 4;

/// Most clusters and most inodes of a group. Ref: `EXT2_MAX_CLUSTERS_PER_GROUP`.
const MOST_PER_GROUP: u32 = (1 << 16) - 8;

/// Blocks that a last group must have free for mke2fs not to leave it out.
const LEAST_FREE: u64 = 50;

/// The numbers of a scenario that are the same everywhere in it.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) recipe: Recipe,
    /// The primary superblock; without free counts and checksum until [`Shape::settle`].
    pub(super) superblock: Superblock,
    pub(super) geometry: Geometry,
    pub(super) layout: Layout,
    pub(super) csum: Csum,
    pub(super) dirs: Dirs,
}

impl Shape {
    /// Works out what a recipe comes to.
    pub(super) fn new(recipe: &Recipe) -> Result<Self> {
        check(recipe)?;
        let whole = Self::with_blocks(recipe, recipe.size / u64::from(recipe.block_size))?;
        let groups = whole.geometry.groups_count();
        let last = Group::new(u32::try_from(groups.saturating_sub(1)).unwrap_or(u32::MAX));
        let own = whole.base_blocks(last) + 2 + whole.geometry.itable_blocks() + LEAST_FREE;
        if u64::from(whole.geometry.group_blocks(last)) >= own {
            return Ok(whole);
        }
        if groups < 2 {
            return Err(refused("the only group of this scenario has no room for its metadata")
                .with_hint("Give it more bytes, or more bytes for each inode."));
        }
        Self::with_blocks(recipe, whole.geometry.group_first_fsblk(last).get())
    }

    fn with_blocks(recipe: &Recipe, blocks: u64) -> Result<Self> {
        let superblock = superblock(recipe, blocks)?;
        let geometry = Geometry::new(&superblock)?;
        let groups = geometry.groups_count();
        let flex_groups = groups.div_ceil(u64::from(recipe.groups_per_flex));
        let reached = (flex_groups * u64::from(recipe.reach)).div_ceil(100).max(1);
        let used_groups = match recipe.fill {
            0 => 1,
            _ => groups.min(reached * u64::from(recipe.groups_per_flex)),
        };
        Ok(Self {
            recipe: recipe.clone(),
            layout: Layout::new(&superblock, geometry),
            csum: Csum::new(&superblock),
            dirs: Dirs::new(used_groups),
            geometry,
            superblock,
        })
    }

    /// Completes the superblock.
    pub(super) fn settle(&mut self, used_clusters: u64, used_inodes: u64) {
        let ratio = u64::from(self.geometry.blocks_per_cluster());
        let all =
            self.geometry.blocks_count() - u64::from(self.superblock.s_first_data_block.get());
        let free = all.saturating_sub(used_clusters * ratio);
        let (hi, lo) = halves(free);
        self.superblock.s_free_blocks_count_lo.set(lo);
        self.superblock.s_free_blocks_count_hi.set(hi);
        let inodes = u64::from(self.geometry.inodes_count());
        self.superblock.s_free_inodes_count.set(halves(inodes.saturating_sub(used_inodes)).1);
    }

    /// The superblock or the backup of it that lies in a group.
    pub(super) fn superblock_of(&self, group: Group) -> Superblock {
        let mut superblock = self.superblock.clone();
        let [low, high, ..] = group.get().to_le_bytes();
        superblock.s_block_group_nr.set(u16::from_le_bytes([low, high]));
        if let Some(csum) = superblock_csum(&superblock) {
            superblock.s_checksum.set(csum);
        }
        superblock
    }

    /// Blocks of a group ahead of its bitmaps, counted from its start.
    pub(super) fn base_blocks(&self, group: Group) -> u64 {
        let end = self.layout.group_base(group).reserved_gdt.end.get();
        end.saturating_sub(self.geometry.group_first_fsblk(group).get())
    }

    /// Whether groups can be said to be uninitialised.
    pub(super) fn has_uninit(&self) -> bool {
        self.recipe.csum != Checksums::None
    }

    /// Whether blocks of directories end with a checksum.
    pub(super) fn has_tails(&self) -> bool {
        self.recipe.csum == Checksums::Metadata
    }

    /// Bytes of a block.
    pub(super) fn block_size(&self) -> u64 {
        u64::from(self.geometry.block_size())
    }

    /// Entries of a node of an extent tree that is a block.
    pub(super) fn node_entries(&self) -> u64 {
        let bytes = self.block_size() - size_of::<ExtentHeader>() as u64;
        bytes / size_of::<Extent>() as u64
    }

    /// Node blocks of a file of so many extents.
    pub(super) fn node_blocks(&self, extents: u64) -> u64 {
        if extents <= ROOT_EXTENTS { 0 } else { extents.div_ceil(self.node_entries()) }
    }

    /// Most clusters of a run: one extent holds no more, written or not.
    pub(super) fn longest_run(&self) -> u64 {
        LONGEST_EXTENT / u64::from(self.geometry.blocks_per_cluster())
    }
}

/// Blocks of an unwritten extent, at most. Ref: `EXT_UNWRITTEN_MAX_LEN`.
const LONGEST_EXTENT: u64 = (1 << 15) - 1;

/// Refuses what arithmetic would not survive, or e2fsck not take.
fn check(recipe: &Recipe) -> Result<()> {
    let entries = (recipe.block_size.saturating_sub(12)) / 12;
    let most_extents = u64::from(entries) * ROOT_EXTENTS;
    let power = |value: u32, most: u32| value.is_power_of_two() && value <= most;
    let rules = [
        ((8 << 20..=1 << 50).contains(&recipe.size), "size", "8m to 1p".to_owned()),
        (
            power(recipe.block_size, 1 << 16) && recipe.block_size >= 1024,
            "block",
            "a power of two from 1k to 64k".to_owned(),
        ),
        (power(recipe.cluster_ratio, 256), "cluster", "a power of two from 1 to 256".to_owned()),
        (power(recipe.groups_per_flex, 1024), "flex", "a power of two from 1 to 1024".to_owned()),
        ((1 << 10..=1 << 26).contains(&recipe.inode_ratio), "inodes", "1k to 64m".to_owned()),
        (recipe.reach <= 100, "reach", "0 to 100".to_owned()),
        (recipe.fill <= 100, "fill", "0 to 100".to_owned()),
        ((1..=8).contains(&recipe.files.len()), "files", "one to eight kinds".to_owned()),
        (
            recipe.files.iter().all(|kind| kind.run > 0),
            "files",
            "of extents of one cluster or more".to_owned(),
        ),
        (
            recipe.files.iter().all(|kind| (1..=most_extents).contains(&kind.extents.into())),
            "files",
            format!("of 1 to {most_extents} extents each"),
        ),
        (
            recipe.is_64bit || recipe.size / u64::from(recipe.block_size.max(1)) < 1 << 32,
            "64bit",
            "yes for so many blocks".to_owned(),
        ),
    ];
    if let Some((_, key, rule)) = rules.into_iter().find(|(is_kept, ..)| !is_kept) {
        return Err(refused(format!("there is no such scenario: its {key} must be {rule}"))
            .with_hint(format!("Change the setting {key}.")));
    }
    let groups = recipe.size.div_ceil(u64::from(recipe.block_size) * u64::from(per_group(recipe)));
    if groups > u64::from(limits::GROUPS) {
        let most = limits::GROUPS;
        let what = format!("this scenario has {groups} groups, and {most} are the most");
        return Err(refused(what).with_hint(
            "Make it smaller, or its groups larger: by larger blocks, block=64k, or by clusters, \
             cluster=64.",
        ));
    }
    Ok(())
}

/// Blocks of a group.
fn per_group(recipe: &Recipe) -> u32 {
    clusters_per_group(recipe) * recipe.cluster_ratio
}

fn clusters_per_group(recipe: &Recipe) -> u32 {
    (recipe.block_size * 8).min(MOST_PER_GROUP)
}

fn superblock(recipe: &Recipe, blocks: u64) -> Result<Superblock> {
    let ratio = recipe.cluster_ratio;
    let block_size = u64::from(recipe.block_size);
    let blocks = blocks - blocks % u64::from(ratio);
    // Group 0 of 1 KiB blocks starts behind the boot block, unless clusters are larger.
    let first = u64::from(recipe.block_size == 1024 && ratio == 1);
    let blocks_per_group = per_group(recipe);
    let groups = blocks.saturating_sub(first).div_ceil(u64::from(blocks_per_group)).max(1);
    let inodes_per_group = inodes_per_group(recipe, blocks_per_group, groups);
    let inodes = groups * inodes_per_group;
    let desc_bytes: u64 = if recipe.is_64bit { 64 } else { 32 };
    let desc_blocks = groups.div_ceil(block_size / desc_bytes);
    let mut superblock = Superblock::from_prefix(&[0; SUPERBLOCK_BYTES])
        .ok_or_else(|| refused("a superblock needs its bytes"))?;

    let compat = Compat::EXT_ATTR;
    let mut incompat = Incompat::FILETYPE | Incompat::EXTENTS;
    let mut ro_compat =
        RoCompat::LARGE_FILE | RoCompat::HUGE_FILE | RoCompat::DIR_NLINK | RoCompat::EXTRA_ISIZE;
    incompat.set(Incompat::BIT64, recipe.is_64bit);
    incompat.set(Incompat::FLEX_BG, recipe.groups_per_flex > 1);
    incompat
        .set(Incompat::META_BG, recipe.meta_bg || desc_blocks > u64::from(blocks_per_group / 2));
    ro_compat.set(RoCompat::SPARSE_SUPER, recipe.sparse_super);
    ro_compat.set(RoCompat::BIGALLOC, ratio > 1);
    ro_compat.set(RoCompat::METADATA_CSUM, recipe.csum == Checksums::Metadata);
    ro_compat.set(RoCompat::GDT_CSUM, recipe.csum == Checksums::Gdt);
    superblock.s_feature_compat.set(compat.bits());
    superblock.s_feature_incompat.set(incompat.bits());
    superblock.s_feature_ro_compat.set(ro_compat.bits());

    let (blocks_hi, blocks_lo) = halves(blocks);
    superblock.s_blocks_count_lo.set(blocks_lo);
    superblock.s_blocks_count_hi.set(blocks_hi);
    superblock.s_inodes_count.set(halves(inodes).1);
    superblock.s_first_data_block.set(halves(first).1);
    superblock.s_log_block_size.set(recipe.block_size.trailing_zeros() - 10);
    superblock
        .s_log_cluster_size
        .set(recipe.block_size.trailing_zeros() - 10 + ratio.trailing_zeros());
    superblock.s_blocks_per_group.set(blocks_per_group);
    superblock.s_clusters_per_group.set(clusters_per_group(recipe));
    superblock.s_inodes_per_group.set(halves(inodes_per_group).1);
    if recipe.is_64bit {
        superblock.s_desc_size.set(64);
    }
    if recipe.groups_per_flex > 1 {
        superblock.s_log_groups_per_flex = recipe.groups_per_flex.trailing_zeros().to_le_bytes()[0];
    }
    if recipe.csum == Checksums::Metadata {
        superblock.s_checksum_type = 1;
    }

    superblock.s_magic.set(SUPER_MAGIC);
    superblock.s_state.set(1);
    superblock.s_errors.set(1);
    superblock.s_max_mnt_count.set(u16::MAX);
    superblock.s_rev_level.set(1);
    superblock.s_first_ino.set(11);
    superblock.s_inode_size.set(256);
    superblock.s_min_extra_isize.set(32);
    superblock.s_want_extra_isize.set(32);
    superblock.s_mkfs_time.set(MADE);
    superblock.s_wtime.set(MADE);
    superblock.s_lastcheck.set(MADE);
    superblock.s_flags.set(1);
    superblock.s_def_hash_version = 1;
    superblock.s_uuid = uuid(recipe.seed);
    Ok(superblock)
}

/// As many inodes as the recipe asks for, in whole blocks of the inode table.
fn inodes_per_group(recipe: &Recipe, blocks_per_group: u32, groups: u64) -> u64 {
    let per_block = u64::from(recipe.block_size / INODE_BYTES);
    let step = per_block.max(8);
    let bytes = u64::from(blocks_per_group) * u64::from(recipe.block_size);
    let most = (u64::from(u32::MAX) / groups).min(u64::from(recipe.block_size) * 8);
    let most = most.min((1 << 16) - per_block);
    let wanted = (bytes / recipe.inode_ratio).max(32).next_multiple_of(step);
    wanted.min(most / step * step)
}

/// A random UUID, version 4, that follows from the seed.
fn uuid(seed: u64) -> [u8; 16] {
    let random = (u128::from(mix(seed, 1)) << 64) | u128::from(mix(seed, 2));
    let version = random & !(0xf << 76) & !(0x3 << 62) | (4 << 76) | (2 << 62);
    version.to_be_bytes()
}

/// The high and the low 32 bits.
pub(super) fn halves(value: u64) -> (u32, u32) {
    let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
    (u32::from_le_bytes([e, f, g, h]), u32::from_le_bytes([a, b, c, d]))
}
