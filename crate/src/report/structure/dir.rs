//! Directory blocks.

use zerocopy::FromBytes;

use super::Block;
use crate::ondisk::{
    DIR_PAD, DirEntryHeader, DirEntryTail, FT_DIR_CSUM, NAME_LEN, rec_len_from_disk,
};
use crate::report::escaped;

impl Block<'_> {
    /// Takes a block of directory entries apart; false where it is none.
    pub(super) fn directory(&mut self, inodes_count: u32) -> bool {
        let Some(entries) = entries(self.bytes, inodes_count) else { return false };
        let part = self.part("directory block", 0, self.bytes.len());
        for (at, header, rec_len) in entries {
            let is_tail = header.inode.get() == 0
                && header.name_len == 0
                && header.file_type == FT_DIR_CSUM
                && rec_len == size_of::<DirEntryTail>();
            if is_tail {
                self.fields(part, at, DirEntryTail::FIELDS, false);
                continue;
            }
            self.fields(part, at, DirEntryHeader::FIELDS, false);
            let name_at = at.saturating_add(size_of::<DirEntryHeader>());
            let name_len = usize::from(header.name_len);
            let name = self.bytes.get(name_at..name_at.saturating_add(name_len));
            if let Some(name) = name.filter(|name| !name.is_empty()) {
                self.shown_field(part, (name_at, name_len), "name", escaped(name), None);
            }
        }
        true
    }
}

/// The entries of a block with their places and lengths; `None` where they do not fill it exactly,
/// or lead to inodes that there are not.
fn entries(block: &[u8], inodes_count: u32) -> Option<Vec<(usize, DirEntryHeader, usize)>> {
    let block_size = u32::try_from(block.len()).ok()?;
    let mut entries = Vec::new();
    let mut at = 0_usize;
    while at < block.len() {
        let (header, _) = DirEntryHeader::read_from_prefix(block.get(at..)?).ok()?;
        let rec_len = usize::try_from(rec_len_from_disk(header.rec_len.get(), block_size)).ok()?;
        let shortest = size_of::<DirEntryHeader>().saturating_add(usize::from(header.name_len));
        let fits = rec_len >= shortest.max(size_of::<DirEntryTail>())
            && rec_len.is_multiple_of(DIR_PAD)
            && usize::from(header.name_len) <= NAME_LEN
            && header.inode.get() <= inodes_count;
        if !fits {
            return None;
        }
        entries.push((at, header, rec_len));
        at = at.checked_add(rec_len)?;
    }
    let is_one = at == block.len() && entries.iter().any(|(_, header, _)| header.inode.get() != 0);
    is_one.then_some(entries)
}
