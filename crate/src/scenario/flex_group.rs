//! Where everything lies in a flex group: its metadata, its directories, and the cells that its
//! files are made of.
//!
//! The first of its groups hold the block bitmaps of all, then the inode bitmaps, then the inode
//! tables, one behind the other as far as the backups of the superblock let them. What is left of
//! each group starts with the group's directories and the nodes of its files' extent trees; the
//! rest is cells. The files own the cells of the flex group in order, so many each; a file's inode
//! lies in the group in which its first cell does.

use core::ops::Range;

use super::dirs::{Dir, GroupFiles, dir_blocks};
use super::pattern::{Pattern, below, mix};
use super::recipe::refused;
use super::shape::{INODE_BYTES, Shape};
use crate::error::Result;
use crate::units::Group;

/// Percent by which the fill of a flex group differs from the recipe's, at most.
const FILL_SPREAD: u64 = 20;

/// A flex group; a group of its own without flex_bg.
#[derive(Clone, Debug)]
pub(super) struct FlexGroup {
    /// Its first group.
    first: u64,
    /// Where things lie in each of its groups.
    pub(super) groups: Vec<GroupPlan>,
    /// Runs and gaps; `None` without files.
    pattern: Option<Pattern>,
    /// Extents of a file.
    extents: u64,
    /// Cells, and with them runs, of all its groups.
    cells: u64,
    /// Blocks of a cluster.
    ratio: u64,
    seed: u64,
}

/// Where things lie in a group. Blocks and clusters are counted from the start of the group
/// where nothing else is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GroupPlan {
    /// Its number.
    pub(super) number: u64,
    /// Its first block, from the start of the filesystem.
    pub(super) start: u64,
    /// Its blocks.
    pub(super) blocks: u64,
    /// Blocks of the superblock and descriptors.
    pub(super) base: u64,
    /// Blocks that other groups' metadata leaves to its directories.
    kept: u64,
    /// Blocks up to the end of the metadata that lies here.
    pub(super) meta: u64,
    /// Whether metadata of other groups lies here.
    pub(super) hosts_others: bool,
    /// Its block bitmap, from the start of the filesystem.
    pub(super) block_bitmap: u64,
    /// Its inode bitmap, likewise.
    pub(super) inode_bitmap: u64,
    /// Its inode table, likewise.
    pub(super) inode_table: u64,
    /// Cluster of the first directory.
    pub(super) head: u64,
    /// Clusters of directories, and of them together with nodes.
    dirs_end: u64,
    head_len: u64,
    /// Cluster of the first cell, and all clusters of cells.
    cells_at: u64,
    cells_len: u64,
    /// Cells.
    cells: u64,
    /// The first cell, counted in the flex group.
    first_cell: u64,
    /// The first file whose inode lies here, counted in the flex group.
    pub(super) first_file: u64,
    /// Files whose inodes lie here.
    pub(super) files: u64,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The superblock, descriptors, or what lies beside them.
    Base,
    /// The block bitmap of a group of the flex group.
    BlockBitmap(usize),
    /// The inode bitmap of a group.
    InodeBitmap(usize),
    /// A block of a group's inode table.
    InodeTable(usize, u64),
    /// A block of a directory.
    Dir(Dir, u64),
    /// A leaf of the extent tree of a file, counted in the flex group.
    Leaf(u64, u64),
    /// Nothing but zeros, in use or not.
    Zeros,
}

impl FlexGroup {
    /// Lays out the flex group that starts with group `first`.
    pub(super) fn new(shape: &Shape, first: u64) -> Result<Self> {
        let per_flex = u64::from(shape.recipe.groups_per_flex);
        let number = first / per_flex;
        let kinds = &shape.recipe.files;
        let kind = usize::try_from(below(number, kinds.len() as u64)).unwrap_or(0);
        let (run, extents) = kinds.get(kind).map_or((1, 1), |kind| (kind.run, kind.extents));
        let is_used = first < shape.dirs.used_groups();
        let pattern = Pattern::new(
            if is_used { fill(shape, number) } else { 0 },
            u64::from(run),
            shape.longest_run(),
            shape.recipe.is_varied,
        );
        let end = (first + per_flex).min(shape.geometry.groups_count());
        let mut flex_group = Self {
            first,
            groups: (first..end).map(|group| bare_group(shape, group)).collect(),
            pattern,
            extents: u64::from(extents),
            cells: 0,
            ratio: u64::from(shape.geometry.blocks_per_cluster()),
            seed: mix(shape.recipe.seed, number),
        };
        flex_group.place_metadata(shape)?;
        flex_group.place_cells(shape)?;
        Ok(flex_group)
    }

    /// Lays out the flex group that a group belongs to.
    pub(super) fn of(shape: &Shape, group: u64) -> Result<Self> {
        let per_flex = u64::from(shape.recipe.groups_per_flex);
        Self::new(shape, group / per_flex * per_flex)
    }

    /// Where things lie in a group; `None` for one of another flex group.
    pub(super) fn plan(&self, group: u64) -> Option<&GroupPlan> {
        let at = usize::try_from(group.checked_sub(self.first)?).ok()?;
        self.groups.get(at)
    }

    fn place_metadata(&mut self, shape: &Shape) -> Result<()> {
        let mut room = Room { groups: &mut self.groups, at: 0 };
        let count = room.groups.len();
        for group in 0..count {
            let place = room.take(1, group)?;
            room.set(group, |plan| plan.block_bitmap = place);
        }
        for group in 0..count {
            let place = room.take(1, group)?;
            room.set(group, |plan| plan.inode_bitmap = place);
        }
        for group in 0..count {
            let place = room.take(shape.geometry.itable_blocks(), group)?;
            room.set(group, |plan| plan.inode_table = place);
        }
        Ok(())
    }

    fn place_cells(&mut self, shape: &Shape) -> Result<()> {
        let ratio = self.ratio;
        let inodes = u64::from(shape.geometry.inodes_per_group());
        let file_nodes = shape.node_blocks(self.extents);
        for plan in &mut self.groups {
            plan.head = plan.meta.div_ceil(ratio);
            if plan.number >= shape.dirs.used_groups() {
                continue;
            }
            let all = (plan.blocks / ratio).saturating_sub(plan.head);
            let cells_in = |clusters| self.pattern.map_or(0, |pattern| pattern.cells(clusters));
            // There is room for a directory of as many files as could start here, and no fewer.
            let most = if all > 0 { cells_in(all) / self.extents + 1 } else { 0 };
            let reserved = dir_clusters(shape, plan.number, most) + most * file_nodes;
            plan.first_cell = self.cells;
            plan.first_file = self.cells.div_ceil(self.extents);
            plan.cells_at = plan.head + reserved.min(all);
            plan.cells_len = all.saturating_sub(reserved);
            plan.cells = cells_in(plan.cells_len);
            self.cells += plan.cells;
            plan.files = self.cells.div_ceil(self.extents) - plan.first_file;
            plan.dirs_end = plan.head + dir_clusters(shape, plan.number, plan.files);
            if plan.dirs_end > plan.head + all {
                return Err(refused("a group has no room for its directory")
                    .with_hint("Give it more blocks: larger ones, or fewer groups in a flex group.")
                    .at_group(Group::new(u32::try_from(plan.number).unwrap_or(u32::MAX))));
            }
            if shape.dirs.inodes_before_files(plan.number) + plan.files > inodes {
                return Err(refused(format!(
                    "a group has {} files and {inodes} inodes",
                    plan.files
                ))
                .with_hint("Make extents longer, give files more of them, or ask for more inodes.")
                .at_group(Group::new(u32::try_from(plan.number).unwrap_or(u32::MAX))));
            }
        }
        let last = self.files().saturating_sub(1);
        let last_nodes = self.node_blocks(shape, last);
        for plan in &mut self.groups {
            let ends_here = plan.files > 0 && plan.first_file + plan.files == last + 1;
            let less = if ends_here { file_nodes - last_nodes } else { 0 };
            plan.head_len =
                plan.dirs_end.saturating_sub(plan.head) + plan.files * file_nodes - less;
        }
        Ok(())
    }

    /// Files whose inodes lie here.
    pub(super) fn files(&self) -> u64 {
        self.cells.div_ceil(self.extents)
    }

    /// The cells of a file.
    fn cells_of(&self, file: u64) -> Range<u64> {
        let start = (file * self.extents).min(self.cells);
        start..(start + self.extents).min(self.cells)
    }

    /// The extents of a file, in blocks from the start of the filesystem.
    pub(super) fn extents_of(&self, file: u64) -> impl Iterator<Item = Range<u64>> + '_ {
        self.cells_of(file).filter_map(|cell| self.run(cell))
    }

    fn run(&self, cell: u64) -> Option<Range<u64>> {
        let at = self.groups.partition_point(|plan| plan.first_cell <= cell);
        let plan = self.groups.get(at.checked_sub(1)?)?;
        let run = plan.run(self.pattern?, self.seed, cell - plan.first_cell);
        let block = |cluster: u64| plan.start + cluster * self.ratio;
        Some(block(run.start)..block(run.end))
    }

    /// The extents of the files in a group, in clusters of it, as one where nothing is free between
    /// them; ahead of them, all that is in use up to the first cell.
    pub(super) fn used_runs<'a>(
        &'a self,
        plan: &'a GroupPlan,
    ) -> impl Iterator<Item = Range<u64>> + 'a {
        let whole = plan.cells_at..plan.cells_at + plan.cells_len;
        let gapless = self.is_gapless().then_some(whole).into_iter();
        let cut_up = self.pattern.filter(|pattern| !pattern.is_gapless()).into_iter();
        let runs = cut_up.flat_map(move |pattern| {
            (0..plan.cells).map(move |cell| plan.run(pattern, self.seed, cell))
        });
        core::iter::once(0..plan.head + plan.head_len).chain(gapless).chain(runs)
    }

    /// Runs that [`Self::used_runs`] of all groups come to, without what lies ahead of them.
    pub(super) fn used_runs_count(&self) -> u64 {
        if self.is_gapless() { self.groups.len() as u64 } else { self.cells }
    }

    fn is_gapless(&self) -> bool {
        self.pattern.is_some_and(|pattern| pattern.is_gapless())
    }

    /// Clusters of a group that are in use.
    pub(super) fn used_clusters(&self, plan: &GroupPlan) -> u64 {
        let files = self.pattern.map_or(0, |pattern| pattern.used(plan.cells_len));
        plan.head + plan.head_len + files
    }

    /// Whether the block bitmap of a group is as good as never written.
    pub(super) fn is_block_uninit(&self, shape: &Shape, plan: &GroupPlan) -> bool {
        let is_last = plan.number + 1 == shape.geometry.groups_count();
        let is_bare = plan.head_len == 0 && plan.cells == 0 && !plan.hosts_others;
        shape.has_uninit() && is_bare && !is_last
    }

    /// Blocks of the extent tree of a file.
    pub(super) fn node_blocks(&self, shape: &Shape, file: u64) -> u64 {
        let cells = self.cells_of(file);
        shape.node_blocks(cells.end - cells.start)
    }

    /// Block of a leaf of a file, from the start of the filesystem.
    pub(super) fn leaf_block(&self, shape: &Shape, file: u64, leaf: u64) -> Option<u64> {
        let at = self.groups.partition_point(|plan| plan.first_file <= file);
        let plan = self.groups.get(at.checked_sub(1)?)?;
        let before = (file - plan.first_file) * shape.node_blocks(self.extents);
        Some(plan.start + (plan.dirs_end + before + leaf) * self.ratio)
    }

    /// First block and count of blocks of a directory that lies in a group.
    pub(super) fn dir_extent(
        &self,
        shape: &Shape,
        plan: &GroupPlan,
        dir: Dir,
    ) -> Option<Range<u64>> {
        let mut extents = self.dir_extents(shape, plan);
        extents.find(|(other, _)| *other == dir).map(|(_, blocks)| blocks)
    }

    /// The directories of a group and their blocks, from the start of the filesystem.
    fn dir_extents<'a>(
        &'a self,
        shape: &'a Shape,
        plan: &'a GroupPlan,
    ) -> impl Iterator<Item = (Dir, Range<u64>)> + 'a {
        let mut cluster = plan.head;
        shape.dirs.in_group(plan.number).map(move |dir| {
            let blocks = dir_blocks(shape, dir, plan.files);
            let start = plan.start + cluster * self.ratio;
            cluster += blocks.div_ceil(self.ratio);
            (dir, start..start + blocks)
        })
    }

    /// The files of a group, to its directory.
    pub(super) fn files_of(shape: &Shape, plan: &GroupPlan) -> GroupFiles {
        let before = plan.number * u64::from(shape.geometry.inodes_per_group());
        let first = before + shape.dirs.inodes_before_files(plan.number) + 1;
        GroupFiles { first, count: plan.files }
    }

    /// What a block is, counted from the start of the filesystem, and the group that it lies in.
    pub(super) fn place(&self, shape: &Shape, block: u64) -> Option<(&GroupPlan, Place)> {
        let at = self.groups.partition_point(|plan| plan.start <= block);
        let plan = self.groups.get(at.checked_sub(1)?)?;
        let in_group = block - plan.start;
        let cluster = in_group / self.ratio;
        let place = if in_group < plan.base {
            Place::Base
        } else if in_group < plan.meta {
            self.metadata(block)
        } else if cluster < plan.head || cluster >= plan.head + plan.head_len {
            Place::Zeros
        } else if cluster < plan.dirs_end {
            let mut extents = self.dir_extents(shape, plan);
            let found = extents.find(|(_, blocks)| blocks.contains(&block));
            found.map_or(Place::Zeros, |(dir, blocks)| Place::Dir(dir, block - blocks.start))
        } else if in_group.is_multiple_of(self.ratio) {
            let node = cluster - plan.dirs_end;
            let per_file = shape.node_blocks(self.extents).max(1);
            Place::Leaf(plan.first_file + node / per_file, node % per_file)
        } else {
            Place::Zeros
        };
        Some((plan, place))
    }

    /// Blocks that may hold something but zeros, in order and joined.
    pub(super) fn written(&self, shape: &Shape) -> Vec<Range<u64>> {
        let per_block = shape.block_size() / u64::from(INODE_BYTES);
        let one = |block: u64| block..block + 1;
        let mut all: Vec<Range<u64>> = self
            .groups
            .iter()
            .flat_map(|plan| {
                let head = plan.start + plan.head * self.ratio;
                [
                    plan.start..plan.start + plan.base,
                    one(plan.block_bitmap),
                    one(plan.inode_bitmap),
                    plan.inode_table
                        ..plan.inode_table + plan.used_inodes(shape).div_ceil(per_block),
                    head..head + plan.head_len * self.ratio,
                ]
            })
            .filter(|range| !range.is_empty())
            .collect();
        all.sort_by_key(|range| range.start);
        all.dedup_by(|next, range| {
            let touches = next.start <= range.end;
            if touches {
                range.end = range.end.max(next.end);
            }
            touches
        });
        all
    }

    /// What a block of the metadata behind the descriptors is.
    fn metadata(&self, block: u64) -> Place {
        let last = |place: fn(&GroupPlan) -> u64| {
            let group = self.groups.partition_point(|plan| place(plan) <= block).checked_sub(1)?;
            Some((group, block - place(self.groups.get(group)?)))
        };
        match (
            last(|plan| plan.inode_table),
            last(|plan| plan.inode_bitmap),
            last(|plan| plan.block_bitmap),
        ) {
            (Some((group, index)), ..) => Place::InodeTable(group, index),
            (None, Some((group, _)), _) => Place::InodeBitmap(group),
            (None, None, Some((group, _))) => Place::BlockBitmap(group),
            (None, None, None) => Place::Zeros,
        }
    }
}

impl GroupPlan {
    /// The run of a cell, in clusters.
    fn run(&self, pattern: Pattern, seed: u64, cell: u64) -> Range<u64> {
        let run = pattern.run(mix(seed, self.number), cell, self.cells_len);
        self.cells_at + run.start..self.cells_at + run.end
    }

    /// Inodes in use, all at the start of the table.
    pub(super) fn used_inodes(&self, shape: &Shape) -> u64 {
        shape.dirs.inodes_before_files(self.number) + self.files
    }

    /// Directories.
    pub(super) fn used_dirs(&self, shape: &Shape) -> u64 {
        shape.dirs.in_group(self.number).count() as u64
    }
}

/// Where metadata goes: into the first groups that have room, in order.
struct Room<'a> {
    groups: &'a mut [GroupPlan],
    at: usize,
}

impl Room<'_> {
    /// Takes blocks for a group; gives the first one, from the start of the filesystem.
    fn take(&mut self, blocks: u64, for_group: usize) -> Result<u64> {
        while let Some(plan) = self.groups.get_mut(self.at) {
            if plan.blocks.saturating_sub(plan.meta + plan.kept) >= blocks {
                let place = plan.start + plan.meta;
                plan.meta += blocks;
                plan.hosts_others |= self.at != for_group;
                return Ok(place);
            }
            self.at += 1;
        }
        Err(refused("a flex group has no room for its inode tables")
            .with_hint("Ask for fewer inodes, or for smaller flex groups."))
    }

    fn set(&mut self, group: usize, set: impl FnOnce(&mut GroupPlan)) {
        if let Some(plan) = self.groups.get_mut(group) {
            set(plan);
        }
    }
}

/// A group with nothing in it but the superblock and descriptors, or their backups.
fn bare_group(shape: &Shape, number: u64) -> GroupPlan {
    let group = Group::new(u32::try_from(number).unwrap_or(u32::MAX));
    let base = shape.base_blocks(group);
    let ratio = u64::from(shape.geometry.blocks_per_cluster());
    // Metadata may end within a cluster.
    let kept = (dir_clusters(shape, number, 0) + 1) * ratio;
    GroupPlan {
        number,
        start: shape.geometry.group_first_fsblk(group).get(),
        blocks: shape.geometry.group_blocks(group).into(),
        base,
        meta: base,
        kept: if number < shape.dirs.used_groups() { kept } else { 0 },
        ..GroupPlan::default()
    }
}

/// Clusters of the directories of a group with so many files.
fn dir_clusters(shape: &Shape, group: u64, files: u64) -> u64 {
    let ratio = u64::from(shape.geometry.blocks_per_cluster());
    let clusters = |dir| dir_blocks(shape, dir, files).div_ceil(ratio);
    shape.dirs.in_group(group).map(clusters).sum()
}

/// Percent of a flex group that files use. Of two that follow one another, one has as much more as
/// the other has less.
fn fill(shape: &Shape, number: u64) -> u64 {
    let fill = u64::from(shape.recipe.fill);
    let pairs = shape.geometry.groups_count() / u64::from(shape.recipe.groups_per_flex);
    let has_other = (number ^ 1) < pairs;
    if !shape.recipe.is_varied || !has_other {
        return fill;
    }
    let spread = FILL_SPREAD.min(fill.saturating_sub(1)).min(100 - fill);
    let by = below(mix(!shape.recipe.seed, number / 2), 2 * spread + 1);
    let more = if number.is_multiple_of(2) { by } else { 2 * spread - by };
    fill - spread + more
}
