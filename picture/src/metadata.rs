//! Where the blocks lie that the layout and the descriptors alone tell of.

use extscope::fs::{DescState, Filesystem};
use extscope::io::ByteSource;
use extscope::units::Group;

use super::kind::Kind;

/// Superblocks, descriptor tables, bitmaps and inode tables, as runs in order.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    /// First block, end, kind; none overlaps another.
    runs: Vec<(u64, u64, Kind)>,
}

impl Metadata {
    /// What the layout and the descriptors tell. Where two claim a block, the one that comes
    /// first has it.
    #[must_use]
    pub fn new<S: ByteSource>(filesystem: &Filesystem<S>) -> Self {
        let (layout, geometry) = (filesystem.layout(), filesystem.geometry());
        let mut runs = vec![(0, layout.super_block_of(Group::new(0)).get(), Kind::Super)];
        for (group, entry) in filesystem.groups().iter() {
            let base = layout.group_base(group);
            let mut claim = |start: u64, blocks: u64, kind| {
                let end = start.saturating_add(blocks).min(geometry.blocks_count());
                if start < end {
                    runs.push((start, end, kind));
                }
            };
            if let Some(superblock) = base.superblock {
                claim(superblock.get(), 1, Kind::Super);
            }
            let blocks = |range: &core::ops::Range<extscope::units::Fsblk>| {
                (range.start.get(), range.end.get().saturating_sub(range.start.get()))
            };
            let ((gdt, gdt_blocks), (reserved, reserved_blocks)) =
                (blocks(&base.gdt), blocks(&base.reserved_gdt));
            claim(gdt, gdt_blocks, Kind::Gdt);
            claim(reserved, reserved_blocks, Kind::ReservedGdt);
            if entry.state == DescState::Read {
                claim(entry.desc.block_bitmap.get(), 1, Kind::BlockBitmap);
                claim(entry.desc.inode_bitmap.get(), 1, Kind::InodeBitmap);
                claim(entry.desc.inode_table.get(), geometry.itable_blocks(), Kind::Itable);
            }
        }
        Self { runs: joined(runs) }
    }

    /// The runs of some blocks, cut at their borders.
    pub fn runs_in(&self, blocks: core::ops::Range<u64>) -> impl Iterator<Item = (u64, u64, Kind)> {
        let first = self.runs.partition_point(|(_, end, _)| *end <= blocks.start);
        let runs = self.runs.get(first..).unwrap_or_default().iter();
        let (from, to) = (blocks.start, blocks.end);
        runs.map(move |&(start, end, kind)| (start.max(from), end.min(to), kind))
            .take_while(|(start, end, _)| start < end)
    }

    /// What a block is by the layout and the descriptors.
    #[must_use]
    pub fn kind(&self, block: u64) -> Option<Kind> {
        self.runs_in(block..block.saturating_add(1)).next().map(|(.., kind)| kind)
    }

    /// Blocks of a kind.
    #[must_use]
    pub fn blocks(&self, kind: Kind) -> u64 {
        let of_kind = self.runs.iter().filter(|(.., of)| *of == kind);
        of_kind.map(|(start, end, _)| end.saturating_sub(*start)).sum()
    }
}

/// Runs in order, without those parts that an earlier run has, neighbours of a kind joined.
fn joined(mut runs: Vec<(u64, u64, Kind)>) -> Vec<(u64, u64, Kind)> {
    runs.sort_by_key(|(start, ..)| *start);
    let mut joined: Vec<(u64, u64, Kind)> = Vec::new();
    for (start, end, kind) in runs {
        match joined.last_mut() {
            Some((_, last_end, last_kind)) if *last_kind == kind && *last_end >= start => {
                *last_end = end.max(*last_end);
            }
            last => {
                let start = last.map_or(start, |(_, last_end, _)| start.max(*last_end));
                if start < end {
                    joined.push((start, end, kind));
                }
            }
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_joined_and_nothing_is_claimed_twice() {
        let runs = vec![
            (8, 12, Kind::Itable),
            (0, 1, Kind::Super),
            (4, 5, Kind::BlockBitmap),
            (5, 6, Kind::BlockBitmap),
            (10, 14, Kind::Gdt),
            (9, 11, Kind::BlockBitmap),
        ];
        let metadata = Metadata { runs: joined(runs) };
        let due = [
            (0, 1, Kind::Super),
            (4, 6, Kind::BlockBitmap),
            (8, 12, Kind::Itable),
            (12, 14, Kind::Gdt),
        ];
        assert_eq!(metadata.runs, due);
        let cut: Vec<_> = metadata.runs_in(5..13).collect();
        let due = [(5, 6, Kind::BlockBitmap), (8, 12, Kind::Itable), (12, 13, Kind::Gdt)];
        assert_eq!(cut, due);
        assert_eq!((metadata.kind(13), metadata.kind(7)), (Some(Kind::Gdt), None));
        assert_eq!(metadata.blocks(Kind::Itable), 4);
    }
}
