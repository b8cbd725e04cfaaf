//! Nodes of extent trees, and indirect blocks.

use zerocopy::FromBytes;

use super::{Block, Lead};
use crate::ondisk::{EXTENT_MAGIC, Extent, ExtentHeader, ExtentIdx, INIT_MAX_LEN};
use crate::report::grouped;

impl Block<'_> {
    /// Takes a node of an extent tree apart; false where this is none.
    pub(super) fn extent_node(&mut self) -> bool {
        let Ok((header, _)) = ExtentHeader::read_from_prefix(self.bytes) else { return false };
        let (entries, max) = (header.eh_entries.get(), header.eh_max.get());
        let tail = header.tail_offset();
        if header.eh_magic.get() != EXTENT_MAGIC || entries > max || tail > self.bytes.len() {
            return false;
        }
        let part = self.part("node of an extent tree", 0, self.bytes.len());
        self.extent_entries(part, 0, self.bytes.len());
        if tail.saturating_add(4) <= self.bytes.len() {
            self.field(part, tail, 4, "et_checksum", false);
        }
        true
    }

    /// The header and the entries of a node; false, and nothing noted, where this is none.
    pub(super) fn extent_entries(&mut self, part: u32, at: usize, len: usize) -> bool {
        let end = at.saturating_add(len);
        let Some(bytes) = self.bytes.get(at..end) else { return false };
        let Ok((header, _)) = ExtentHeader::read_from_prefix(bytes) else { return false };
        if header.eh_magic.get() != EXTENT_MAGIC {
            return false;
        }
        self.fields(part, at, ExtentHeader::FIELDS, false);
        let first = at.saturating_add(size_of::<ExtentHeader>());
        let entries = usize::from(header.eh_entries.get().min(header.eh_max.get()));
        for (index, at) in (first..end).step_by(size_of::<Extent>()).enumerate().take(entries) {
            if header.eh_depth.get() == 0 {
                self.extent(part, at, index);
            } else {
                self.extent_idx(part, at, index);
            }
        }
        true
    }

    fn extent(&mut self, part: u32, at: usize, index: usize) {
        let bytes = self.bytes.get(at..).unwrap_or_default();
        let Ok((extent, _)) = Extent::read_from_prefix(bytes) else { return };
        for field in Extent::FIELDS {
            let place = (at.saturating_add(field.offset), field.len);
            let (value, lead) = match field.name {
                "ee_block" => (grouped(extent.ee_block.get().into()), None),
                "ee_len" => (len_text(extent.ee_len.get()), None),
                "ee_start_lo" => {
                    let start = u64::from(extent.ee_start_hi.get()) << 32
                        | u64::from(extent.ee_start_lo.get());
                    (grouped(extent.ee_start_lo.get().into()), Some(Lead::Block(start)))
                }
                _ => (grouped(extent.ee_start_hi.get().into()), None),
            };
            self.shown_field(part, place, entry_name(field.name, index), value, lead);
        }
    }

    fn extent_idx(&mut self, part: u32, at: usize, index: usize) {
        let bytes = self.bytes.get(at..).unwrap_or_default();
        let Ok((idx, _)) = ExtentIdx::read_from_prefix(bytes) else { return };
        for field in ExtentIdx::FIELDS {
            let place = (at.saturating_add(field.offset), field.len);
            let (value, lead) = match field.name {
                "ei_block" => (grouped(idx.ei_block.get().into()), None),
                "ei_leaf_lo" => {
                    let leaf =
                        u64::from(idx.ei_leaf_hi.get()) << 32 | u64::from(idx.ei_leaf_lo.get());
                    (grouped(idx.ei_leaf_lo.get().into()), Some(Lead::Block(leaf)))
                }
                "ei_leaf_hi" => (grouped(idx.ei_leaf_hi.get().into()), None),
                _ => (grouped(idx.ei_unused.get().into()), None),
            };
            self.shown_field(part, place, entry_name(field.name, index), value, lead);
        }
    }

    /// Whether the bytes may be numbers of blocks: some, each inside the filesystem.
    pub(super) fn looks_indirect(&self, blocks_count: u64) -> bool {
        let (words, _) = self.bytes.as_chunks::<4>();
        let mut set = words.iter().map(|word| u32::from_le_bytes(*word)).filter(|word| *word != 0);
        let first = set.clone().take(3).collect::<Vec<_>>();
        // Files are mostly in one piece, so the first numbers follow one another.
        let follows =
            first.windows(2).all(|two| matches!(two, [a, b] if b.checked_sub(*a) == Some(1)));
        first.len() == 3 && follows && set.all(|word| u64::from(word) < blocks_count)
    }
}

/// The name of an entry's field: the first one's is as it is, so that it can be looked for.
fn entry_name(name: &str, index: usize) -> String {
    if index == 0 { name.to_owned() } else { format!("{name}[{index}]") }
}

fn len_text(len: u16) -> String {
    match len.checked_sub(INIT_MAX_LEN) {
        Some(unwritten) if unwritten > 0 => format!("{} unwritten", grouped(unwritten.into())),
        _ => grouped(len.into()),
    }
}
