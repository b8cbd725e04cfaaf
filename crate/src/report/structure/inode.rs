//! A block of an inode table.

use core::mem::offset_of;

use super::Block;
use crate::fs::{CsumState, Filesystem};
use crate::io::ByteSource;
use crate::ondisk::xattr::XATTR_MAGIC;
use crate::ondisk::{GOOD_OLD_INODE_BYTES, I_BLOCK_BYTES, InodeFlags, N_BLOCKS, RawInode};
use crate::units::{Group, Ino};

impl Block<'_> {
    /// The inodes of a block of a group's table.
    pub(super) fn inodes<S: ByteSource>(&mut self, fs: &Filesystem<S>, group: Group, block: u64) {
        let geometry = fs.geometry();
        let size = usize::try_from(geometry.inode_size()).unwrap_or(usize::MAX).max(1);
        let before = block.saturating_mul(u64::from(geometry.block_size()));
        let index = before.checked_div(u64::from(geometry.inode_size())).unwrap_or(0);
        let first = geometry.group_first_ino(group).map_or(0, |ino| u64::from(ino.get()));
        let first = first.saturating_add(index);
        let count = self.bytes.len().checked_div(size).unwrap_or(0);
        for (number, at) in (first..).zip((0..).step_by(size)).take(count) {
            let Ok(ino) = u32::try_from(number) else { return };
            self.inode(fs, Ino::new(ino), at, size);
        }
    }

    fn inode<S: ByteSource>(&mut self, fs: &Filesystem<S>, ino: Ino, at: usize, size: usize) {
        const BLOCK_AT: usize = offset_of!(RawInode, i_block);
        const LO_AT: usize = offset_of!(RawInode, l_i_checksum_lo);
        const HI_AT: usize = offset_of!(RawInode, i_checksum_hi);
        let end = at.saturating_add(size);
        let Some(bytes) = self.bytes.get(at..end) else { return };
        let part = self.part(format!("inode {ino}"), at, size);
        if bytes.iter().all(|byte| *byte == 0) {
            self.field(part, at, size, "never used", false);
            return;
        }
        let raw = RawInode::from_bytes(bytes);
        let computed = fs.csum().inode(ino, bytes);
        let csum = CsumState::compare(Some(raw.checksum()), computed);
        let has_hi = size > GOOD_OLD_INODE_BYTES && raw.has_checksum_hi();
        let after = |from: usize| at.saturating_add(from).saturating_add(2);
        let between = |from: usize, to: usize| (after(from), to.saturating_sub(after(from)));
        let covered = if has_hi {
            vec![(at, LO_AT), between(LO_AT, at.saturating_add(HI_AT)), between(HI_AT, end)]
        } else {
            vec![(at, LO_AT), between(LO_AT, end)]
        };
        self.covers(part, csum, &covered);
        for field in RawInode::FIELDS {
            let field_end = field.offset.saturating_add(field.len);
            let is_there = field_end <= GOOD_OLD_INODE_BYTES
                || field.name == "i_extra_isize"
                || raw.covers(field_end);
            if field_end > size || !is_there {
                continue;
            }
            if field.offset == BLOCK_AT {
                self.i_block(part, &raw, at.saturating_add(BLOCK_AT));
            } else {
                self.field(part, at.saturating_add(field.offset), field.len, field.name, false);
            }
        }
        let extra = usize::from(raw.i_extra_isize.get());
        let rest = GOOD_OLD_INODE_BYTES.saturating_add(extra);
        if size > GOOD_OLD_INODE_BYTES && rest.saturating_add(4) <= size {
            self.inode_rest(part, at.saturating_add(rest), end);
        }
    }

    /// What `i_block` holds.
    fn i_block(&mut self, part: u32, raw: &RawInode, at: usize) {
        let is_extents = raw.flags().contains(InodeFlags::EXTENTS);
        let is_inline = raw.flags().contains(InodeFlags::INLINE_DATA);
        if is_extents && self.extent_entries(part, at, I_BLOCK_BYTES) {
            return;
        }
        let is_mapped =
            raw.file_type().is_some_and(|kind| !matches!(kind.letter(), 'p' | 's' | 'c' | 'b'));
        // A short link's target is no longer than i_block.
        let is_text = is_inline || raw.blocks() == 0;
        if is_extents || is_text || !is_mapped {
            return self.field(part, at, I_BLOCK_BYTES, "i_block", false);
        }
        for index in 0..N_BLOCKS {
            let at = at.saturating_add(index.saturating_mul(4));
            let bytes = self.bytes.get(at..).and_then(|bytes| bytes.first_chunk());
            let block = bytes.map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)));
            let lead = (block != 0).then_some(super::Lead::Block(block));
            let value = crate::report::grouped(block);
            self.shown_field(part, (at, 4), format!("i_block[{index}]"), value, lead);
        }
    }

    /// What lies behind the fields: attributes, or nothing.
    fn inode_rest(&mut self, part: u32, at: usize, end: usize) {
        let head = self.bytes.get(at..).and_then(|bytes| bytes.first_chunk());
        if head.is_some_and(|bytes| u32::from_le_bytes(*bytes) == XATTR_MAGIC) {
            self.field(part, at, 4, "h_magic", false);
            let first = at.saturating_add(4);
            self.xattr_entries(part, first, first, end);
        } else {
            self.field(part, at, end.saturating_sub(at), "unused", false);
        }
    }
}
