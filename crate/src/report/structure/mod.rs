//! A block's bytes, field by field.
//!
//! *Belongs here:* which structures lie in a block, and their fields' values for people. *Does not:*
//! whether a value makes sense. *May use:* every lower layer.
//!
//! Where metadata lies by the layout, its block is known for what it is. Whose another block is
//! only a walk over all inodes could tell; then it is told by its looks, and the report says so.

mod dir;
mod group;
mod inode;
mod tree;
mod value;
mod xattr;

use serde::{Deserialize, Serialize};
use zerocopy::FromBytes;

use self::value::value;
use crate::error::Result;
use crate::fs::{BitmapKind, CsumState, Filesystem};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::jbd2::{JournalHeader, JournalSuperblock, blocktype};
use crate::ondisk::xattr::XATTR_MAGIC;
use crate::ondisk::{Field, MMP_MAGIC, MmpStruct};
use crate::units::{Fsblk, Group};

/// A block and what it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StructureReport {
    /// The block.
    pub fsblk: u64,
    /// Byte of the image at which it starts.
    pub offset: u64,
    /// What it is, in words.
    pub name: String,
    /// Whether it is told by its looks alone.
    pub by_looks: bool,
    /// The structures in it, in order.
    pub parts: Vec<PartReport>,
    /// Their fields, in order; what is between them is of no structure.
    pub fields: Vec<FieldReport>,
}

/// A structure inside a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartReport {
    /// What it is.
    pub name: String,
    /// Its first byte in the block.
    pub at: u32,
    /// Its bytes.
    pub len: u32,
    /// Whether its checksum is right.
    pub csum: CsumState,
    /// The bytes that the checksum covers, as pairs of first byte and length.
    pub covered: Vec<(u32, u32)>,
}

/// A field of a structure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldReport {
    /// The structure, by its place among the parts.
    pub part: u32,
    /// Its first byte in the block.
    pub at: u32,
    /// Its bytes.
    pub len: u32,
    /// The kernel's name.
    pub name: String,
    /// Its value for people.
    pub value: String,
    /// Where the value leads.
    pub lead: Option<Lead>,
}

/// Where a value leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lead {
    /// To a block.
    Block(u64),
    /// To an inode.
    Inode(u32),
}

impl StructureReport {
    /// Reads a block and tells what it holds.
    ///
    /// # Errors
    /// Those of [`Filesystem::block`].
    pub fn new<S: ByteSource>(fs: &Filesystem<S>, fsblk: Fsblk) -> Result<Self> {
        let bytes = fs.block(ReadKind::Data, fsblk)?;
        let mut block = Block { bytes: &bytes, parts: Vec::new(), fields: Vec::new() };
        let (name, by_looks) = match block.by_place(fs, fsblk) {
            Some(name) => (name, false),
            None => (block.by_looks(fs, fsblk), true),
        };
        let Block { parts, fields, .. } = block;
        let offset = fs.geometry().byte_from_fsblk(fsblk).map_or(0, |at| at.get());
        Ok(Self { fsblk: fsblk.get(), offset, name, by_looks, parts, fields })
    }
}

/// A block while it is taken apart.
struct Block<'a> {
    bytes: &'a [u8],
    parts: Vec<PartReport>,
    fields: Vec<FieldReport>,
}

impl Block<'_> {
    /// Takes apart what the layout and the descriptors say is here, and names it.
    fn by_place<S: ByteSource>(&mut self, fs: &Filesystem<S>, fsblk: Fsblk) -> Option<String> {
        let group_of = |group: Group| format!("of group {group}");
        if let Some(name) = self.superblock(fs, fsblk) {
            return Some(name);
        }
        let own = fs.geometry().group_from_fsblk(fsblk)?;
        let base = fs.layout().group_base(own);
        if (base.gdt.start..base.gdt.end).contains(&fsblk) {
            return Some(self.descriptors(fs, own, fsblk));
        }
        if (base.reserved_gdt.start..base.reserved_gdt.end).contains(&fsblk) {
            self.block_numbers("reserved GDT", fs.geometry().blocks_count());
            return Some(format!("Reserved GDT block {}", group_of(own)));
        }
        let itable_blocks = fs.geometry().itable_blocks();
        for (group, entry) in fs.groups().iter() {
            let table = entry.desc.inode_table.get();
            if entry.desc.block_bitmap == fsblk {
                self.bitmap(fs, BitmapKind::Block, group);
                return Some(format!("Block bitmap {}", group_of(group)));
            }
            if entry.desc.inode_bitmap == fsblk {
                self.bitmap(fs, BitmapKind::Inode, group);
                return Some(format!("Inode bitmap {}", group_of(group)));
            }
            if (table..table.saturating_add(itable_blocks)).contains(&fsblk.get()) {
                self.inodes(fs, group, fsblk.get().saturating_sub(table));
                return Some(format!("Inode table {}", group_of(group)));
            }
        }
        if fs.superblock().s_mmp_block.get() == fsblk.get() && fsblk.get() != 0 {
            self.mmp(fs);
            return Some("MMP block".to_owned());
        }
        None
    }

    /// Takes apart what the bytes look like, and names it.
    fn by_looks<S: ByteSource>(&mut self, fs: &Filesystem<S>, fsblk: Fsblk) -> String {
        let magic = self.bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        if self.bytes.iter().all(|byte| *byte == 0) {
            return "Zeros".to_owned();
        }
        if let Some(name) = self.journal() {
            return name;
        }
        if magic == XATTR_MAGIC {
            self.xattr_block(fs, fsblk);
            return "Extended attributes".to_owned();
        }
        if magic == MMP_MAGIC {
            self.mmp(fs);
            return "MMP block".to_owned();
        }
        if self.extent_node() {
            return "Node of an extent tree".to_owned();
        }
        if self.directory(fs.geometry().inodes_count()) {
            return "Directory block".to_owned();
        }
        if self.looks_indirect(fs.geometry().blocks_count()) {
            self.block_numbers("indirect block", fs.geometry().blocks_count());
            return "Indirect block".to_owned();
        }
        "Contents of a file, now or once".to_owned()
    }

    fn mmp<S: ByteSource>(&mut self, fs: &Filesystem<S>) {
        let Ok((mmp, _)) = MmpStruct::read_from_prefix(self.bytes) else { return };
        let csum = CsumState::compare(Some(mmp.mmp_checksum.get()), fs.csum().mmp(&mmp));
        let part = self.part("struct mmp_struct", 0, size_of::<MmpStruct>());
        self.covers(part, csum, &[(0, 0x3fc)]);
        self.fields(part, 0, MmpStruct::FIELDS, false);
    }

    /// A block of the journal that is not data; `None` for anything else.
    fn journal(&mut self) -> Option<String> {
        let header = JournalHeader::from_block(self.bytes)?;
        let kind = header.h_blocktype.get();
        let is_superblock = [blocktype::SUPERBLOCK_V1, blocktype::SUPERBLOCK_V2].contains(&kind);
        let part = self.part("journal_header_t", 0, size_of::<JournalHeader>());
        self.fields(part, 0, JournalHeader::FIELDS, true);
        if is_superblock {
            let part = self.part("journal_superblock_t", 0, size_of::<JournalSuperblock>());
            let rest: Vec<Field> =
                JournalSuperblock::FIELDS.iter().copied().filter(|it| it.offset > 0).collect();
            self.fields(part, 0, &rest, true);
        }
        let name = match kind {
            blocktype::DESCRIPTOR => "Descriptor block of the journal",
            blocktype::COMMIT => "Commit block of the journal",
            blocktype::REVOKE => "Revoke block of the journal",
            _ if is_superblock => "Superblock of the journal",
            _ => "Block of the journal",
        };
        Some(name.to_owned())
    }

    /// Notes a structure.
    fn part(&mut self, name: impl Into<String>, at: usize, len: usize) -> u32 {
        let part = number(self.parts.len());
        self.parts.push(PartReport {
            name: name.into(),
            at: number(at),
            len: number(len),
            csum: CsumState::None,
            covered: Vec::new(),
        });
        part
    }

    /// Notes what a structure's checksum covers and says.
    fn covers(&mut self, part: u32, csum: CsumState, covered: &[(usize, usize)]) {
        if csum == CsumState::None {
            return;
        }
        let found = usize::try_from(part).ok().and_then(|part| self.parts.get_mut(part));
        if let Some(part) = found {
            part.csum = csum;
            let places = covered.iter().filter(|(_, len)| *len > 0);
            part.covered = places.map(|(at, len)| (number(*at), number(*len))).collect();
        }
    }

    /// Notes the fields of a structure that starts at a byte, as far as they lie in the block.
    fn fields(&mut self, part: u32, start: usize, fields: &[Field], is_big_endian: bool) {
        for field in fields {
            self.field(
                part,
                start.saturating_add(field.offset),
                field.len,
                field.name,
                is_big_endian,
            );
        }
    }

    fn field(&mut self, part: u32, at: usize, len: usize, name: &str, is_big_endian: bool) {
        if let Some(bytes) = self.bytes.get(at..at.saturating_add(len)) {
            let (value, lead) = value(name, bytes, is_big_endian);
            self.shown_field(part, (at, len), name, value, lead);
        }
    }

    /// Notes a field whose value is known.
    fn shown_field(
        &mut self,
        part: u32,
        (at, len): (usize, usize),
        name: impl Into<String>,
        value: String,
        lead: Option<Lead>,
    ) {
        let (at, len) = (number(at), number(len));
        self.fields.push(FieldReport { part, at, len, name: name.into(), value, lead });
    }
}

/// A place in a block, which has 64 KiB at most.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::testing::Files;

    fn report(files: &Files, fsblk: u64) -> StructureReport {
        StructureReport::new(&files.filesystem(), Fsblk::new(fsblk)).expect("readable")
    }

    fn field<'a>(report: &'a StructureReport, name: &str) -> &'a FieldReport {
        report.fields.iter().find(|field| field.name == name).expect("the field is there")
    }

    #[test]
    fn metadata_is_known_by_its_place() {
        let files = Files::new();
        let names = [1, 2, 3, 4, 5, 8193].map(|fsblk| report(&files, fsblk).name);
        let due = [
            "Superblock",
            "Group descriptors",
            "Block bitmap of group 0",
            "Inode bitmap of group 0",
            "Inode table of group 0",
            "Backup of the superblock in group 1",
        ];
        assert_eq!(names, due);
    }

    #[test]
    fn fields_lie_where_they_lie_and_none_on_another() {
        let mut files = Files::new();
        files.i_block(12, &[0x0a, 0xf3, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 50]);
        for fsblk in 1..70 {
            let report = report(&files, fsblk);
            let ends = report.fields.windows(2).all(|two| two[0].at + two[0].len <= two[1].at);
            assert!(ends, "block {fsblk}: {:?}", report.fields);
            let is_inside = |field: &FieldReport| {
                let part = &report.parts[field.part as usize];
                field.at >= part.at && field.at + field.len <= part.at + part.len
            };
            assert!(report.fields.iter().all(is_inside), "block {fsblk}");
        }
        let itable = report(&files, 6);
        assert_eq!(itable.parts[3].name, "inode 12");
        let start = itable.fields.iter().find(|field| field.name == "ee_start_lo");
        assert_eq!(start.and_then(|field| field.lead), Some(Lead::Block(50)));
    }

    #[test]
    fn other_blocks_are_told_by_their_looks() {
        let mut files = Files::new();
        files.block(50, &[0x0a, 0xf3, 0, 0, 84, 0, 0, 0, 0, 0, 0, 0]);
        files.block(51, &[12, 0, 0, 0, 0, 4, 1, 1, b'.']);
        files.block(52, &[0, 0, 2, 0xea, 1, 0, 0, 0, 1, 0, 0, 0]);
        files.block(53, b"some words that are no structure");
        files.block(54, &[0xc0, 0x3b, 0x39, 0x98, 0, 0, 0, 2, 0, 0, 0, 9]);
        files.block(56, &[60, 0, 0, 0, 61, 0, 0, 0, 62, 0, 0, 0]);
        let names = [50, 51, 52, 53, 54, 55, 56].map(|fsblk| {
            let report = report(&files, fsblk);
            assert!(report.by_looks);
            report.name
        });
        let due = [
            "Node of an extent tree",
            "Directory block",
            "Extended attributes",
            "Contents of a file, now or once",
            "Commit block of the journal",
            "Zeros",
            "Indirect block",
        ];
        assert_eq!(names, due);
        assert_eq!(field(&report(&files, 54), "h_sequence").value, "9");
    }

    #[test]
    fn checksums_say_what_they_cover() {
        let files = Files::new();
        let report = report(&files, 2);
        let csums: Vec<_> = report.parts.iter().map(|part| part.csum).collect();
        assert_eq!(csums, [CsumState::Good; 4]);
        assert_eq!(report.parts[1].covered, [(32, 0x1e)]);
        assert_eq!(field(&report, "bg_inode_table_lo").lead, Some(Lead::Block(5)));
    }
}
