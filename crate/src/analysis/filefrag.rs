//! How a file lies on the disk, counted the ways that people know.
//!
//! Three tools count three things. `filefrag` and `e4defrag` count what FIEMAP lists; `e2fsck`
//! calls a file non-contiguous when any two neighbours of its map are not neighbours on the disk,
//! whatever the file's holes. All are worked out from one walk over the map.

use serde::{Deserialize, Serialize};

use super::extents::Neighbours;
use crate::fs::{Geometry, Inode, MapItem, Mapping, MappingState};
use crate::ondisk::{FileType, InodeFlags, NDIR_BLOCKS, reserved};
use crate::units::{Fsblk, Ino};

/// What a seek and a MiB cost on a medium.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Medium {
    /// Milliseconds to go elsewhere.
    pub seek_ms: f64,
    /// Milliseconds to read a MiB once there.
    pub mib_ms: f64,
}

impl Medium {
    /// A disk of 7200 turns a minute: 8 ms to seek and half a turn, 160 MiB a second.
    pub const DISK: Self = Self { seek_ms: 12.0, mib_ms: 6.25 };

    /// Flash behind SATA: 0.1 ms for a request, 500 MiB a second.
    pub const FLASH: Self = Self { seek_ms: 0.1, mib_ms: 2.0 };
}

/// How the blocks of one inode lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileFrag {
    /// The inode.
    pub ino: Ino,
    /// What it is.
    pub file_type: Option<FileType>,
    /// Size in bytes.
    pub size: u64,
    /// Blocks that the file is mapped to.
    pub blocks: u64,
    /// Of these, the ones that read as zeros.
    pub unwritten: u64,
    /// Nodes of the extent tree outside the inode, or indirect blocks.
    pub nodes: u64,
    /// Extents as FIEMAP lists them: mappings of one state that follow one another in the file
    /// and on the disk are one.
    pub extents: u64,
    /// Extents as `filefrag` sums them up: what lies at the same distance on the disk as in the
    /// file is one, too.
    pub fragments: u64,
    /// Places at which whoever reads the whole file has to go elsewhere on the disk.
    pub seeks: u64,
    /// Depth of the extent tree; `None` for a file mapped by blocks or not at all.
    pub depth: Option<u16>,
    /// Whether `e2fsck` calls it non-contiguous.
    pub is_noncontiguous: bool,
    /// Whether it is one of the filesystem's own, such as the journal, and no file of anybody's.
    pub is_internal: bool,
    /// Names, as the inode counts them.
    pub links: u16,
    /// Whether it has an indirect block, a double and a triple one.
    pub has_ind: [bool; 3],
    /// Whether it is a symbolic link whose target lies in the inode's `i_block`.
    pub is_fast_symlink: bool,
    /// Pairs of extents that differ in state alone.
    adjacent: u64,
}

impl FileFrag {
    /// Fewest extents that e4defrag thinks the file could have: one for each flex group that it
    /// fills. Ref: `get_best_count`, misc/e4defrag.c.
    #[must_use]
    pub fn best_extents(&self, geometry: &Geometry) -> u64 {
        let group = u64::from(geometry.blocks_per_group());
        let together = group.saturating_mul(u64::from(geometry.groups_per_flex()));
        match self.blocks.checked_sub(1) {
            None => 0,
            Some(last) => last.checked_div(together).unwrap_or(0).saturating_add(1),
        }
    }

    /// Fewest extents that `filefrag` thinks a file mapped by blocks could have, in its words what
    /// perfection would be: one for each group's worth of data blocks. `None` for other files.
    /// Ref: `frag_report`, misc/filefrag.c.
    #[must_use]
    pub fn perfect_extents(&self, geometry: &Geometry) -> Option<u64> {
        let bits = u64::from(geometry.block_size()).saturating_mul(8);
        let groups = geometry.blocks_count().div_ceil(bits);
        let inodes = u64::from(geometry.inodes_count()).checked_div(8)?.checked_div(groups)?;
        let data_blocks = bits.saturating_sub(inodes).saturating_sub(3);
        let is_block_mapped = self.depth.is_none() && self.blocks > 0;
        let extents = self.blocks.checked_div(data_blocks)?.saturating_add(1);
        is_block_mapped.then_some(extents)
    }

    /// e4defrag's score, 0 to 100 and past it; over 55 it says that the file needs it, over 30 that
    /// it is a little fragmented.
    #[must_use]
    pub fn e4defrag_score(&self, geometry: &Geometry) -> f64 {
        let apart = self.extents.saturating_sub(self.adjacent).max(1);
        let extra = apart.saturating_sub(self.best_extents(geometry));
        if self.blocks == 0 {
            return 0.0;
        }
        let ratio = as_f64(extra) * 100.0 / as_f64(self.blocks);
        if ratio > 10.0 { 80.0 + 20.0 * ratio / 100.0 } else { 8.0 * ratio }
    }

    /// Seeks for each MiB read.
    #[must_use]
    pub fn seeks_per_mib(&self, geometry: &Geometry) -> f64 {
        let mib = self.mib(geometry);
        if mib == 0.0 { 0.0 } else { as_f64(self.seeks) / mib }
    }

    /// How many times as long it takes to read the file as it would if it lay in one piece:
    /// `(seek_ms × (1 + seeks) + mib_ms × MiB) / (seek_ms + mib_ms × MiB)`.
    #[must_use]
    pub fn slowdown(&self, geometry: &Geometry, medium: Medium) -> f64 {
        let read = medium.seek_ms + medium.mib_ms * self.mib(geometry);
        if read <= 0.0 { 1.0 } else { 1.0 + medium.seek_ms * as_f64(self.seeks) / read }
    }

    fn mib(&self, geometry: &Geometry) -> f64 {
        let written = self.blocks.saturating_sub(self.unwritten);
        as_f64(written) * f64::from(geometry.block_size()) / f64::from(1 << 20)
    }
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn as_f64(n: u64) -> f64 {
    n as f64
}

/// Counts a file while its map is walked over.
#[derive(Clone, Debug)]
pub struct FragCount {
    frag: FileFrag,
    geometry: Geometry,
    is_extents: bool,
    last: Option<Mapping>,
    /// Where `e2fsck` expects the next block.
    expected: Option<u64>,
    is_apart: bool,
    /// Clusters so far, nodes and the attribute block included; bounds what e2fsck calls
    /// non-contiguous.
    clusters: u64,
}

impl FragCount {
    /// Nothing is counted yet. The superblock may name the inode as one of the filesystem's own;
    /// those of fixed numbers are so anyway, the root left out.
    #[must_use]
    pub fn new(geometry: &Geometry, inode: &Inode, is_named: bool) -> Self {
        let is_fixed = inode.ino <= reserved::REPLICA && inode.ino != reserved::ROOT;
        let is_extents = inode.has_blocks() && inode.flags().contains(InodeFlags::EXTENTS);
        let depth = inode.raw.i_block.get(6..8).and_then(|depth| depth.first_chunk());
        let frag = FileFrag {
            ino: inode.ino,
            file_type: inode.file_type(),
            size: inode.raw.size(),
            blocks: 0,
            unwritten: 0,
            nodes: 0,
            extents: 0,
            fragments: 0,
            seeks: 0,
            depth: depth.filter(|_| is_extents).map(|depth| u16::from_le_bytes(*depth)),
            is_noncontiguous: false,
            is_internal: is_named || is_fixed,
            links: inode.raw.i_links_count.get(),
            has_ind: has_ind(inode),
            is_fast_symlink: inode.is_fast_symlink(),
            adjacent: 0,
        };
        Self {
            frag,
            geometry: *geometry,
            is_extents,
            last: None,
            expected: None,
            is_apart: false,
            clusters: u64::from(inode.raw.file_acl().get() != 0),
        }
    }

    /// Counts the next item of the walk.
    pub fn add(&mut self, item: &MapItem) {
        match item {
            MapItem::Node(node) => {
                self.frag.nodes = self.frag.nodes.saturating_add(1);
                self.clusters = self.clusters.saturating_add(1);
                if !self.is_extents {
                    self.expect(node.fsblk.get(), 1);
                }
            }
            MapItem::Mapping(mapping) => self.add_mapping(*mapping),
        }
    }

    /// What was counted.
    #[must_use]
    pub fn finish(self) -> FileFrag {
        let is_small = self.clusters < u64::from(self.geometry.blocks_per_group());
        // The resize inode lies in all groups by design.
        let counts = self.frag.ino != reserved::RESIZE && is_small;
        FileFrag { is_noncontiguous: self.is_apart && counts, ..self.frag }
    }

    fn add_mapping(&mut self, mapping: Mapping) {
        let frag = &mut self.frag;
        let len = u64::from(mapping.len);
        frag.blocks = frag.blocks.saturating_add(len);
        if mapping.state == MappingState::Unwritten {
            frag.unwritten = frag.unwritten.saturating_add(len);
        }
        let (mut is_new, mut is_fragment, mut is_seek) = (true, true, false);
        if let Some(last) = &self.last {
            let beside = Neighbours::new(last, &mapping);
            is_new = !beside.is_one();
            let is_adjacent = is_new && beside.on_disk && beside.in_file;
            frag.adjacent = frag.adjacent.saturating_add(u64::from(is_adjacent));
            is_fragment = !beside.is_one_fragment();
            is_seek = !beside.on_disk && mapping.state == MappingState::Written;
        }
        frag.extents = frag.extents.saturating_add(u64::from(is_new));
        frag.fragments = frag.fragments.saturating_add(u64::from(is_fragment));
        frag.seeks = frag.seeks.saturating_add(u64::from(is_seek));
        self.count_clusters(mapping);
        self.last = Some(mapping);
        self.expect(mapping.fsblk.get(), len);
    }

    /// Counts the clusters of a mapping, save one that the last mapping ended in.
    fn count_clusters(&mut self, mapping: Mapping) {
        let cluster = |fsblk| self.geometry.cluster_from_fsblk(Fsblk::new(fsblk));
        let last_of = |mapping: Mapping| cluster(mapping.fsblk_end().saturating_sub(1));
        let (Some(first), Some(last)) = (cluster(mapping.fsblk.get()), last_of(mapping)) else {
            return;
        };
        let is_shared = self.last.and_then(last_of) == Some(first);
        let touched = last.get().saturating_sub(first.get()).saturating_add(1);
        let new = touched.saturating_sub(u64::from(is_shared));
        self.clusters = self.clusters.saturating_add(new);
    }

    /// Notes blocks where e2fsck looks at the next ones.
    fn expect(&mut self, start: u64, len: u64) {
        self.is_apart |= self.expected.is_some_and(|expected| expected != start);
        self.expected = Some(start.saturating_add(len));
    }
}

/// Whether a map by blocks has a single, double and triple indirect block.
fn has_ind(inode: &Inode) -> [bool; 3] {
    let mut has = [false; 3];
    if inode.has_blocks() && !inode.flags().contains(InodeFlags::EXTENTS) {
        for (has, block) in has.iter_mut().zip(inode.raw.block_numbers().skip(NDIR_BLOCKS)) {
            *has = block != 0;
        }
    }
    has
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::testing::Files;
    use crate::fs::{CsumState, MapNode, NodeKind};
    use crate::units::Lblk;

    fn count(is_extents: bool, items: &[MapItem]) -> FileFrag {
        let mut files = Files::new();
        files.i_block_by_blocks(12, &[]);
        if is_extents {
            files.inode(12, |raw| raw.i_flags.set(InodeFlags::EXTENTS.bits()));
        }
        let (fs, inode) = files.open(12);
        let mut count = FragCount::new(fs.geometry(), &inode, false);
        for item in items {
            count.add(item);
        }
        count.finish()
    }

    fn run(lblk: u32, fsblk: u64, len: u32, state: MappingState) -> MapItem {
        MapItem::Mapping(Mapping { lblk: Lblk::new(lblk), fsblk: Fsblk::new(fsblk), len, state })
    }

    fn ind(fsblk: u64) -> MapItem {
        MapItem::Node(MapNode {
            kind: NodeKind::Ind,
            lblk: Lblk::new(12),
            fsblk: Fsblk::new(fsblk),
            csum: CsumState::None,
        })
    }

    use MappingState::{Unwritten, Written};

    #[test]
    fn a_hole_that_keeps_the_distance_is_a_break_for_e2fsck_alone() {
        let frag = count(true, &[run(0, 100, 5, Written), run(8, 108, 2, Written)]);
        assert_eq!((frag.extents, frag.fragments, frag.is_noncontiguous), (2, 1, true));
        assert_eq!((frag.blocks, frag.seeks), (7, 1));
    }

    #[test]
    fn a_hole_without_a_gap_on_the_disk_is_none_for_either() {
        let frag = count(true, &[run(0, 100, 5, Written), run(8, 105, 2, Written)]);
        assert_eq!((frag.extents, frag.fragments, frag.is_noncontiguous), (2, 1, false));
        assert_eq!(frag.seeks, 0);
    }

    #[test]
    fn a_change_of_state_parts_extents_but_no_fragments() {
        let frag = count(true, &[run(0, 100, 5, Written), run(5, 105, 2, Unwritten)]);
        assert_eq!((frag.extents, frag.fragments, frag.adjacent), (2, 1, 1));
        assert_eq!((frag.unwritten, frag.is_noncontiguous), (2, false));
        let whole = count(true, &[run(0, 100, 5, Written), run(5, 105, 2, Written)]);
        assert_eq!((whole.extents, whole.fragments), (1, 1));
    }

    #[test]
    fn an_indirect_block_between_is_expected_and_one_elsewhere_is_not() {
        let between = [run(0, 100, 12, Written), ind(112), run(12, 113, 9, Written)];
        let frag = count(false, &between);
        assert_eq!((frag.nodes, frag.is_noncontiguous, frag.seeks), (1, false, 1));
        let elsewhere = [run(0, 100, 12, Written), ind(500), run(12, 112, 9, Written)];
        let frag = count(false, &elsewhere);
        assert_eq!((frag.is_noncontiguous, frag.seeks, frag.extents), (true, 0, 1));
    }

    #[test]
    fn a_file_of_more_than_a_group_is_never_noncontiguous() {
        let frag = count(true, &[run(0, 100, 8000, Written), run(8000, 9000, 192, Written)]);
        assert!(!frag.is_noncontiguous);
        let frag = count(true, &[run(0, 100, 8000, Written), run(8000, 9000, 191, Written)]);
        assert!(frag.is_noncontiguous);
    }

    #[test]
    fn scores_grow_with_the_pieces() {
        let (fs, _) = Files::new().open(12);
        let geometry = fs.geometry();
        let one = count(true, &[run(0, 100, 1024, Written)]);
        assert_eq!(one.best_extents(geometry), 1);
        assert_eq!(
            (one.e4defrag_score(geometry), one.slowdown(geometry, Medium::DISK)),
            (0.0, 1.0)
        );
        let pieces: Vec<_> =
            (0..1024).map(|at| run(at, 100 + 2 * u64::from(at), 1, Written)).collect();
        let many = count(true, &pieces);
        assert_eq!((many.extents, many.seeks), (1024, 1023));
        assert!((many.seeks_per_mib(geometry) - 1023.0).abs() < 1e-9);
        assert!(many.e4defrag_score(geometry) > 99.0);
        assert!(many.slowdown(geometry, Medium::DISK) > many.slowdown(geometry, Medium::FLASH));
        assert_eq!(count(true, &[]).best_extents(geometry), 0);
    }
}
