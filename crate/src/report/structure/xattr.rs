//! Extended attributes, in a block and behind the fields of an inode.

use zerocopy::FromBytes;

use super::Block;
use crate::fs::{CsumState, Filesystem};
use crate::io::ByteSource;
use crate::ondisk::xattr::{XattrEntry, XattrHeader, prefix};
use crate::report::escaped;
use crate::units::Fsblk;

impl Block<'_> {
    /// A block of attributes.
    pub(super) fn xattr_block<S: ByteSource>(&mut self, fs: &Filesystem<S>, fsblk: Fsblk) {
        const CHECKSUM_AT: usize = core::mem::offset_of!(XattrHeader, h_checksum);
        let Ok((header, _)) = XattrHeader::read_from_prefix(self.bytes) else { return };
        let computed = fs.csum().xattr_block(fsblk, self.bytes);
        let csum = CsumState::compare(Some(header.h_checksum.get()), computed);
        let len = self.bytes.len();
        let part = self.part("attribute block", 0, len);
        let after = CHECKSUM_AT.saturating_add(4);
        self.covers(part, csum, &[(0, CHECKSUM_AT), (after, len.saturating_sub(after))]);
        self.fields(part, 0, XattrHeader::FIELDS, false);
        self.xattr_entries(part, size_of::<XattrHeader>(), 0, len);
    }

    /// Entries from a byte on, and their values, which are counted from another.
    pub(super) fn xattr_entries(&mut self, part: u32, first: usize, values: usize, end: usize) {
        let mut at = first;
        let mut found = Vec::new();
        while let Some(rest) = self.bytes.get(at..end) {
            if rest.first_chunk().is_none_or(|word| *word == [0; 4]) {
                break;
            }
            let Ok((entry, _)) = XattrEntry::read_from_prefix(rest) else { break };
            self.fields(part, at, XattrEntry::FIELDS, false);
            let name_at = at.saturating_add(size_of::<XattrEntry>());
            let name_len = usize::from(entry.e_name_len);
            let Some(name) = self.bytes.get(name_at..name_at.saturating_add(name_len)) else {
                break;
            };
            let whole = format!("{}{}", prefix(entry.e_name_index).unwrap_or("?."), escaped(name));
            if name_len > 0 {
                self.shown_field(part, (name_at, name_len), "e_name", whole.clone(), None);
            }
            let size = usize::try_from(entry.e_value_size.get()).unwrap_or(usize::MAX);
            let value_at = values.saturating_add(usize::from(entry.e_value_offs.get()));
            let value_end = value_at.saturating_add(size);
            if size > 0 && entry.e_value_inum.get() == 0 && value_end <= end {
                found.push((value_at, size, whole));
            }
            at = at.saturating_add(entry.entry_len());
        }
        // Values lie behind all entries, the last entry's first; those on top of one another are
        // shown once.
        found.sort_unstable();
        let mut shown = at;
        for (value_at, size, name) in found {
            if value_at < shown {
                continue;
            }
            let bytes = self.bytes.get(value_at..value_at.saturating_add(size)).unwrap_or_default();
            let value = escaped(bytes);
            self.shown_field(part, (value_at, size), format!("value of {name}"), value, None);
            shown = value_at.saturating_add(size);
        }
    }
}
