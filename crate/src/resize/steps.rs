//! A plan as single steps, in the tool's five phases, for filesystems small enough to be drawn block
//! by block. Ref: `resize_fs`.

use core::ops::Range;

use serde::{Deserialize, Serialize};

use super::inode_moves::InodeMove;
use super::itables::ItableMove;
use super::plan::Changes;
use super::relocations::Relocation;
use super::target::new_backup;
use crate::bitmap::Bits as _;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::units::{Group, Ino};

/// A phase of the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ShrinkPhase {
    /// The new superblock and descriptors; groups past the end go.
    Superblock,
    /// What must move, and copying it.
    Blocks,
    /// All inodes: those past the last one, and where their blocks are now.
    Inodes,
    /// Directory entries of inodes with another number.
    Entries,
    /// Inode tables; then everything is counted anew.
    Tables,
}

impl ShrinkPhase {
    /// All of them, in order.
    pub const ALL: [Self; 5] =
        [Self::Superblock, Self::Blocks, Self::Inodes, Self::Entries, Self::Tables];
}

/// Metadata that gets a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Placed {
    /// A group's block bitmap.
    BlockBitmap,
    /// A group's inode bitmap.
    InodeBitmap,
    /// A group's inode table.
    Itable,
    /// A backup of superblock and descriptors.
    Backup,
}

/// A step of a shrink. Places are clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShrinkStep {
    /// A phase begins.
    Phase(ShrinkPhase),
    /// A group goes, and its metadata is given up.
    DropGroup(Group),
    /// Files have these, past the end: they must move.
    MustMove {
        /// The first.
        first: u64,
        /// How many.
        len: u64,
    },
    /// Metadata that cannot stay where it is, or is new, gets a place.
    Place {
        /// Of which group.
        group: Group,
        /// Which.
        placed: Placed,
        /// The first cluster.
        first: u64,
        /// How many.
        len: u64,
    },
    /// Descriptors that are needed no more give these back.
    Free {
        /// The first.
        first: u64,
        /// How many.
        len: u64,
    },
    /// Contents are copied.
    Copy(Relocation),
    /// An inode is copied to another number.
    Inode(InodeMove),
    /// An inode's map is written anew, with the new places in it.
    Remap {
        /// The inode, by its number after.
        ino: Ino,
    },
    /// An extent tree grows by a node.
    Node {
        /// Its cluster.
        cluster: u64,
    },
    /// A directory entry gets the new number.
    Entry {
        /// The directory, by its number after.
        dir: Ino,
        /// The inode that it named.
        from: Ino,
        /// The inode that it names.
        to: Ino,
    },
    /// An inode table is copied. Its places are blocks.
    Itable(ItableMove),
    /// What is free in a group is counted.
    Count {
        /// The group.
        group: Group,
        /// Free clusters.
        free_clusters: u32,
        /// Free inodes.
        free_inodes: u32,
    },
    /// The new size is written, and what lies past it is no longer the filesystem's.
    Cut,
}

/// What a cluster is in the midst of a shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ClusterState {
    /// Nobody's.
    #[default]
    Free,
    /// The filesystem's own.
    Metadata,
    /// A file's.
    Used,
    /// A file's, and must move.
    MustMove,
    /// Contents that were copied here.
    Copied,
    /// Contents that were copied from here, and metadata that was given up.
    Left,
}

impl ClusterState {
    /// Whether its bit is set in the new bitmaps, as far as these are made.
    #[must_use]
    pub const fn is_used(self) -> bool {
        !matches!(self, Self::Free | Self::Left)
    }
}

/// The filesystem in the midst of a shrink.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShrinkState {
    /// What each cluster is, from block 0 on.
    pub clusters: Vec<ClusterState>,
    /// Whether each inode is in use, by number.
    pub inodes: Vec<bool>,
}

/// All steps of a shrink, and the state before them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShrinkSteps {
    /// The state before.
    pub before: ShrinkState,
    /// The steps.
    pub steps: Vec<ShrinkStep>,
    /// Clusters of the new filesystem, from block 0 on.
    pub clusters_after: u64,
    /// Groups of the new filesystem.
    pub groups_after: u32,
    /// The last inode of the new filesystem.
    pub inodes_after: u32,
    /// Blocks of an inode table.
    pub itable_blocks: u64,
    /// Blocks of a cluster.
    pub blocks_per_cluster: u64,
    /// Clusters of metadata of each group that goes, where they lie in one that stays.
    pub given_up: Vec<(Group, Vec<Range<u64>>)>,
    /// Clusters that hold metadata in the end, as first and end.
    pub metadata_after: Vec<Range<u64>>,
}

impl Changes {
    /// The plan step by step.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] for a filesystem that is too large to be drawn block by block.
    pub fn steps(&self) -> Result<ShrinkSteps> {
        let clusters = self.old_map.bits().len();
        let inodes = u64::from(self.old.superblock.s_inodes_count.get());
        if clusters > limits::STEP_CLUSTERS || inodes > limits::STEP_INODES {
            let what = format!(
                "steps are shown of filesystems of at most {} clusters and {} inodes",
                limits::STEP_CLUSTERS,
                limits::STEP_INODES
            );
            return Err(Error::new(ErrorKind::Limit, what));
        }
        let end = self.new.geometry.blocks_count();
        let clusters_after = self.block_map.cluster(end.saturating_sub(1)).saturating_add(1);
        let metadata = self.old.metadata_map(&self.old_map);
        let state = |cluster| match self.old_map.bits().test(cluster) {
            false => ClusterState::Free,
            true if metadata.bits().test(cluster) => ClusterState::Metadata,
            true => ClusterState::Used,
        };
        let before = ShrinkState {
            clusters: (0..clusters).map(state).collect(),
            inodes: (0..=inodes).map(|ino| self.old_inodes.test(ino)).collect(),
        };
        let dropped = || (self.new.group_count()..self.old.group_count()).map(Group::new);
        let given_up = |group: Group| {
            let all = self.old.metadata(group).map(|blocks| self.old_map.clusters(&blocks));
            (group, all.filter(|range| range.start < clusters_after).collect())
        };
        Ok(ShrinkSteps {
            before,
            steps: self.step_list(),
            clusters_after,
            groups_after: self.new.group_count(),
            inodes_after: self.new.superblock.s_inodes_count.get(),
            itable_blocks: self.new.geometry.itable_blocks(),
            blocks_per_cluster: self.old_map.blocks_per_cluster(),
            given_up: dropped().map(given_up).collect(),
            metadata_after: self.new.metadata_map(&self.block_map).bits().set_runs().collect(),
        })
    }

    fn step_list(&self) -> Vec<ShrinkStep> {
        let mut steps = vec![ShrinkStep::Phase(ShrinkPhase::Superblock)];
        let dropped = self.new.group_count()..self.old.group_count();
        steps.extend(dropped.map(|group| ShrinkStep::DropGroup(Group::new(group))));

        steps.push(ShrinkStep::Phase(ShrinkPhase::Blocks));
        let must_move = |run: &Relocation| ShrinkStep::MustMove { first: run.from, len: run.len };
        steps.extend(self.relocations.iter().map(must_move));
        steps.extend(self.placed());
        let freed = self.freed_descriptors.iter().map(|blocks| self.clusters(blocks));
        steps.extend(freed.map(|(first, len)| ShrinkStep::Free { first, len }));
        steps.extend(self.relocations.iter().copied().map(ShrinkStep::Copy));

        steps.push(ShrinkStep::Phase(ShrinkPhase::Inodes));
        let mut moves = self.inode_moves.iter().peekable();
        for touched in &self.touched {
            let is_before = |inode: &&InodeMove| inode.from <= touched.old_ino;
            while let Some(inode) = moves.next_if(is_before) {
                steps.push(ShrinkStep::Inode(*inode));
            }
            if touched.before != touched.after {
                steps.push(ShrinkStep::Remap { ino: touched.new_ino });
            }
        }
        steps.extend(moves.copied().map(ShrinkStep::Inode));
        let node = |block: &u64| ShrinkStep::Node { cluster: self.block_map.cluster(*block) };
        steps.extend(self.new_nodes.iter().map(node));

        steps.push(ShrinkStep::Phase(ShrinkPhase::Entries));
        steps.extend(self.entries.iter().map(|entry| ShrinkStep::Entry {
            dir: entry.dir,
            from: entry.from,
            to: entry.to,
        }));

        steps.push(ShrinkStep::Phase(ShrinkPhase::Tables));
        steps.extend(self.itable_moves.iter().copied().map(ShrinkStep::Itable));
        let groups = (0..).map(Group::new).zip(&self.new.groups);
        steps.extend(groups.map(|(group, desc)| ShrinkStep::Count {
            group,
            free_clusters: desc.free_blocks_count,
            free_inodes: desc.free_inodes_count,
        }));
        steps.push(ShrinkStep::Cut);
        steps
    }

    /// Metadata with another place, and a backup where there was none.
    fn placed(&self) -> impl Iterator<Item = ShrinkStep> {
        let bitmaps = self.bitmap_moves.iter().map(|bitmap| {
            let placed = if bitmap.of_inodes { Placed::InodeBitmap } else { Placed::BlockBitmap };
            (bitmap.group, placed, bitmap.to..bitmap.to.saturating_add(1))
        });
        let tables = self.itable_moves.iter().map(|itable| {
            let end = itable.to.saturating_add(self.new.geometry.itable_blocks());
            (itable.group, Placed::Itable, itable.to..end)
        });
        let backup = new_backup(&self.old, &self.new).into_iter().map(|group| {
            let base = self.new.layout.group_base(group);
            let first = base.superblock.map_or(0, |fsblk| fsblk.get());
            let end = base.reserved_gdt.end.get().max(first.saturating_add(1));
            (group, Placed::Backup, first..end)
        });
        let all = backup.chain(bitmaps).chain(tables);
        all.map(|(group, placed, blocks)| {
            let (first, len) = self.clusters(&blocks);
            ShrinkStep::Place { group, placed, first, len }
        })
    }

    /// The first cluster of some blocks, and how many there are.
    fn clusters(&self, blocks: &Range<u64>) -> (u64, u64) {
        let clusters = self.block_map.clusters(blocks);
        (clusters.start, clusters.end.saturating_sub(clusters.start))
    }
}

impl ShrinkSteps {
    /// The state after the first `count` steps.
    #[must_use]
    pub fn after(&self, count: usize) -> ShrinkState {
        let mut state = self.before.clone();
        for step in self.steps.iter().take(count) {
            self.take(*step, &mut state);
        }
        state
    }

    fn take(&self, step: ShrinkStep, state: &mut ShrinkState) {
        let run = |first: u64, len: u64| first..first.saturating_add(len);
        match step {
            ShrinkStep::DropGroup(group) => {
                let given_up = self.given_up.iter().filter(|(other, _)| *other == group);
                for range in given_up.flat_map(|(_, ranges)| ranges) {
                    self.give_up(state, range.start..range.end.min(self.clusters_after));
                }
            }
            ShrinkStep::MustMove { first, len } => {
                state.set(run(first, len), |_| ClusterState::MustMove);
            }
            ShrinkStep::Place { first, len, .. } => {
                state.set(run(first, len), |_| ClusterState::Metadata);
            }
            ShrinkStep::Free { first, len } => self.give_up(state, run(first, len)),
            ShrinkStep::Copy(Relocation { from, to, len }) => {
                // What is moved to make room for metadata leaves no gap.
                state.set(run(from, len), |was| match was {
                    ClusterState::MustMove => ClusterState::Left,
                    other => other,
                });
                state.set(run(to, len), |_| ClusterState::Copied);
            }
            ShrinkStep::Node { cluster } => state.set(run(cluster, 1), |_| ClusterState::Copied),
            ShrinkStep::Inode(InodeMove { from, to }) => {
                state.set_inode(from, false);
                state.set_inode(to, true);
            }
            ShrinkStep::Itable(ItableMove { from, .. }) => {
                let end = from.saturating_add(self.itable_blocks);
                let ratio = self.blocks_per_cluster.max(1);
                let cluster = |block: u64| block.checked_div(ratio).unwrap_or(block);
                let range = cluster(from)..cluster(end.saturating_sub(1)).saturating_add(1);
                self.give_up(state, range);
            }
            ShrinkStep::Cut => {
                state.set(self.clusters_after..u64::MAX, |_| ClusterState::Free);
                let last = usize::try_from(self.inodes_after).unwrap_or(usize::MAX);
                state.inodes.iter_mut().skip(last.saturating_add(1)).for_each(|it| *it = false);
            }
            ShrinkStep::Phase(_)
            | ShrinkStep::Remap { .. }
            | ShrinkStep::Entry { .. }
            | ShrinkStep::Count { .. } => {}
        }
    }

    /// Metadata leaves some clusters; other metadata may lie in them, too.
    fn give_up(&self, state: &mut ShrinkState, clusters: Range<u64>) {
        let kept: Vec<_> = self
            .metadata_after
            .iter()
            .map(|kept| kept.start.max(clusters.start)..kept.end.min(clusters.end))
            .filter(|kept| !kept.is_empty())
            .collect();
        state.set(clusters, |_| ClusterState::Left);
        for range in kept {
            state.set(range, |_| ClusterState::Metadata);
        }
    }
}

impl ShrinkState {
    fn set(&mut self, clusters: Range<u64>, change: impl Fn(ClusterState) -> ClusterState) {
        let at = |cluster: u64| usize::try_from(cluster).unwrap_or(usize::MAX);
        let len = at(clusters.end).saturating_sub(at(clusters.start));
        let range = self.clusters.iter_mut().skip(at(clusters.start)).take(len);
        range.for_each(|state| *state = change(*state));
    }

    fn set_inode(&mut self, ino: Ino, is_used: bool) {
        let inode = usize::try_from(ino.get()).ok().and_then(|at| self.inodes.get_mut(at));
        if let Some(inode) = inode {
            *inode = is_used;
        }
    }
}
