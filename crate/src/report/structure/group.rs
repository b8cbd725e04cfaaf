//! What lies in groups by the layout: superblocks, descriptors, bitmaps.

use super::{Block, Lead};
use crate::fs::{BitmapKind, CsumState, Filesystem};
use crate::io::ByteSource;
use crate::ondisk::csum::superblock_csum;
use crate::ondisk::{RawGroupDesc, SUPERBLOCK_BYTES, Superblock};
use crate::units::{Fsblk, Group};

impl Block<'_> {
    /// The superblock or a copy of it; `None` where the layout has none.
    pub(super) fn superblock<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        fsblk: Fsblk,
    ) -> Option<String> {
        let geometry = fs.geometry();
        let group = geometry.group_from_fsblk(fsblk);
        let primary = fs.layout().super_block_of(Group::new(0));
        let name = if fsblk == primary {
            "Superblock".to_owned()
        } else {
            let group = group?;
            (fs.layout().group_base(group).superblock == Some(fsblk)).then_some(())?;
            format!("Backup of the superblock in group {group}")
        };
        // The primary one is at byte 1024 of the image, whatever the size of blocks.
        let start = if fsblk == primary && geometry.block_size() > 1024 { 1024 } else { 0 };
        let superblock = Superblock::from_prefix(self.bytes.get(start..)?)?;
        let csum =
            CsumState::compare(Some(superblock.s_checksum.get()), superblock_csum(&superblock));
        if start > 0 {
            let part = self.part("boot block", 0, start);
            self.field(part, 0, start, "boot", false);
        }
        let part = self.part("struct ext4_super_block", start, SUPERBLOCK_BYTES);
        self.covers(part, csum, &[(start, SUPERBLOCK_BYTES.saturating_sub(4))]);
        self.fields(part, start, Superblock::FIELDS, false);
        Some(name)
    }

    /// A block of the descriptor table, or of a copy of it.
    pub(super) fn descriptors<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        own: Group,
        fsblk: Fsblk,
    ) -> String {
        const CHECKSUM_AT: usize = core::mem::offset_of!(RawGroupDesc, bg_checksum);
        let geometry = fs.geometry();
        let base = fs.layout().group_base(own);
        let per_block = geometry.desc_per_block().get();
        let first = fs.layout().first_desc_in(own, fsblk);
        let size = usize::try_from(geometry.desc_size()).unwrap_or(usize::MAX);
        let places = (first..).zip(self.bytes.chunks_exact(size.max(1)));
        let places: Vec<_> = places
            .take(usize::try_from(per_block).unwrap_or(0))
            .take_while(|(group, _)| u64::from(*group) < geometry.groups_count())
            .map(|(group, desc)| {
                let stored = RawGroupDesc::from_bytes(desc).bg_checksum.get();
                let computed = fs.csum().group_desc(Group::new(group), desc);
                (group, CsumState::compare(Some(stored), computed))
            })
            .collect();
        for ((group, csum), at) in places.into_iter().zip((0..).step_by(size.max(1))) {
            let part = self.part(format!("descriptor of group {group}"), at, size);
            let after = CHECKSUM_AT.saturating_add(2);
            let rest = (at.saturating_add(after), size.saturating_sub(after));
            self.covers(part, csum, &[(at, CHECKSUM_AT), rest]);
            let fields: Vec<_> = RawGroupDesc::FIELDS
                .iter()
                .copied()
                .filter(|field| field.offset.saturating_add(field.len) <= size)
                .collect();
            self.fields(part, at, &fields, false);
        }
        match base.superblock {
            Some(_) if own.get() > 0 => format!("Copy of the group descriptors in group {own}"),
            _ => "Group descriptors".to_owned(),
        }
    }

    /// A bitmap: the bytes that stand for something, and the padding.
    pub(super) fn bitmap<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        kind: BitmapKind,
        group: Group,
    ) {
        let bits = fs.bitmap_bits(kind, group);
        let of_full = match kind {
            BitmapKind::Block => fs.geometry().clusters_per_group(),
            BitmapKind::Inode => fs.geometry().inodes_per_group(),
        };
        let len = usize::try_from(bits.div_ceil(8)).unwrap_or(usize::MAX).min(self.bytes.len());
        let part = self.part(format!("bitmap of group {group}"), 0, self.bytes.len());
        let covered = usize::try_from(of_full / 8).unwrap_or(0).min(self.bytes.len());
        self.covers(part, fs.check_bitmap(kind, group, self.bytes), &[(0, covered)]);
        let set: u32 = self.bytes.iter().take(len).map(|byte| byte.count_ones()).sum();
        let what = match kind {
            BitmapKind::Block => "clusters",
            BitmapKind::Inode => "inodes",
        };
        let value = format!("{bits} {what}, {} in use", set.min(bits));
        self.shown_field(part, (0, len), "bits", value, None);
        if len < self.bytes.len() {
            let rest = self.bytes.len().saturating_sub(len);
            self.field(part, len, rest, "padding", false);
        }
    }

    /// Numbers of blocks, zeros and all.
    pub(super) fn block_numbers(&mut self, name: &str, blocks_count: u64) {
        let part = self.part(name, 0, self.bytes.len());
        let (words, _) = self.bytes.as_chunks::<4>();
        for (index, word) in words.iter().enumerate() {
            let block = u64::from(u32::from_le_bytes(*word));
            let lead = (block != 0 && block < blocks_count).then_some(Lead::Block(block));
            let value = crate::report::grouped(block);
            let at = index.saturating_mul(4);
            self.shown_field(part, (at, 4), format!("block[{index}]"), value, lead);
        }
    }
}
