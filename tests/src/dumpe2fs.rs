//! What `dumpe2fs` prints, read back into values.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::tool;

/// Everything that `dumpe2fs` says of one image.
#[derive(Clone, Debug, Default)]
pub struct Dump {
    /// The header's lines, label and value, in order; a label may come twice.
    pub header: Vec<(String, String)>,
    /// The block groups, in order.
    pub groups: Vec<DumpedGroup>,
}

/// One group as printed. Numbers are those of the descriptor, never computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DumpedGroup {
    /// Its number.
    pub group: u32,
    /// First and last block.
    pub blocks: (u64, u64),
    /// Stored descriptor checksum, where there is one.
    pub csum: Option<u16>,
    /// What the checksum should be, printed only where it is not.
    pub csum_expected: Option<u16>,
    /// `INODE_UNINIT`, `BLOCK_UNINIT`, `ITABLE_ZEROED`, in this order.
    pub flags: Vec<String>,
    /// Block of the superblock or of its backup.
    pub superblock: Option<u64>,
    /// First and last block of the descriptors that lie here.
    pub gdt: Option<(u64, u64)>,
    /// First and last reserved descriptor block.
    pub reserved_gdt: Option<(u64, u64)>,
    /// Block of the block bitmap.
    pub block_bitmap: u64,
    /// Stored checksum of the block bitmap.
    pub block_bitmap_csum: Option<u32>,
    /// Block of the inode bitmap.
    pub inode_bitmap: u64,
    /// Stored checksum of the inode bitmap.
    pub inode_bitmap_csum: Option<u32>,
    /// First and last block of the inode table.
    pub inode_table: (u64, u64),
    /// Free blocks; free clusters where clusters are larger.
    pub free_blocks: u32,
    /// Free inodes.
    pub free_inodes: u32,
    /// Directories.
    pub used_dirs: u32,
    /// Inodes at the table's end that were never used.
    pub itable_unused: u32,
    /// Runs of free blocks, from the bitmap.
    pub free_block_ranges: Vec<RangeInclusive<u64>>,
    /// Runs of free inodes, from the bitmap.
    pub free_inode_ranges: Vec<RangeInclusive<u64>>,
}

impl Dump {
    /// Runs `dumpe2fs` on an image, features that it does not know included.
    ///
    /// Its exit status does not count: after a wrong checksum it prints all the same and fails
    /// at its end.
    ///
    /// # Panics
    /// When it prints nothing, or what this does not know.
    #[must_use]
    pub fn of(image: &Path) -> Self {
        Self::with(&["-f"], image)
    }

    /// Runs `dumpe2fs` with the backup superblock in block `superblock`.
    ///
    /// # Panics
    /// As [`Self::of`].
    #[must_use]
    pub fn from_backup(image: &Path, superblock: u64, block_size: u32) -> Self {
        let superblock = format!("superblock={superblock}");
        let block_size = format!("blocksize={block_size}");
        Self::with(&["-f", "-o", &superblock, "-o", &block_size], image)
    }

    fn with(args: &[&str], image: &Path) -> Self {
        let mut command = tool::command("dumpe2fs");
        let output = command.args(args).arg(image).output().expect("dumpe2fs can be run");
        let dump = Self::parse(&String::from_utf8_lossy(&output.stdout));
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(!dump.header.is_empty(), "dumpe2fs prints nothing: {complaints}");
        dump
    }

    /// Reads printed text.
    ///
    /// # Panics
    /// On a line of a group that is not known: nothing that is printed may go uncompared.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut dump = Self::default();
        for line in text.lines() {
            if let Some(found) = HEAD.captures(line) {
                dump.groups.push(head(&found));
            } else if let Some(group) = dump.groups.last_mut() {
                group.line(line);
            } else if let Some((label, value)) = line.split_once(':') {
                dump.header.push((label.to_owned(), value.trim().to_owned()));
            }
        }
        dump
    }

    /// The value of a header's line.
    #[must_use]
    pub fn header(&self, label: &str) -> Option<&str> {
        let line = self.header.iter().find(|(found, _)| found == label)?;
        Some(&line.1)
    }
}

/// A pattern of this file.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is well formed")
}

static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) ^Group\ (?<group>\d+):\ \(Blocks\ (?<first>\d+)-(?<last>\d+)\)
        (?:\ csum\ 0x(?<csum>[0-9a-f]+)(?:\ \(EXPECTED\ 0x(?<expected>[0-9a-f]+)\))?)?
        (?:\ \[(?<flags>[A-Z_,\ ]*)\])?$",
    )
});
static SUPERBLOCK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^  (?:Primary|Backup) superblock at (\d+)(?:, Group descriptors? at (\d+)(?:-(\d+))?)?$",
    )
});
static DESCRIPTORS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^  Group descriptors? at (\d+)(?:-(\d+))?$"));
static RESERVED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^  Reserved GDT blocks at (\d+)-(\d+)$"));
static BITMAP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^  (Block|Inode) bitmap at (\d+)(?: \([^)]*\))?(?:, csum 0x([0-9a-f]+))?$")
});
static TABLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^  Inode table at (\d+)-(\d+)(?: \([^)]*\))?$"));
static COUNTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) ^\ \ (\d+)\ free\ (?:blocks|clusters),\ (\d+)\ free\ inodes,
        \ (\d+)\ directories(?:,\ (\d+)\ unused\ inodes)?\s?$",
    )
});
static RANGES: LazyLock<Regex> = LazyLock::new(|| pattern(r"^  Free (blocks|inodes): ([\d, -]*)$"));

/// A decimal part of a match that must be there.
fn number<T: std::str::FromStr>(found: &Captures<'_>, part: usize) -> T {
    maybe(found, part).unwrap_or_else(|| panic!("no number in part {part} of {:?}", &found[0]))
}

/// A decimal part of a match that may be missing.
fn maybe<T: std::str::FromStr>(found: &Captures<'_>, part: usize) -> Option<T> {
    found.get(part)?.as_str().parse().ok()
}

/// A checksum of up to 32 bits.
fn hex(text: &str) -> u32 {
    u32::from_str_radix(text, 16).expect("a checksum of at most eight digits")
}

/// The first line of a group.
fn head(found: &Captures<'_>) -> DumpedGroup {
    let part = |name| found.name(name).map(|text| text.as_str());
    let csum = |name| part(name).map(|text| u16::try_from(hex(text)).expect("four digits"));
    let flags = part("flags").unwrap_or_default();
    DumpedGroup {
        group: number(found, 1),
        blocks: (number(found, 2), number(found, 3)),
        csum: csum("csum"),
        csum_expected: csum("expected"),
        flags: flags.split(", ").filter(|flag| !flag.is_empty()).map(str::to_owned).collect(),
        ..DumpedGroup::default()
    }
}

/// Runs printed as `a-b` and `a`.
fn ranges(text: &str) -> Vec<RangeInclusive<u64>> {
    let number = |text: &str| text.parse::<u64>().expect("a number of a range");
    text.split(", ")
        .filter(|range| !range.is_empty())
        .map(|range| match range.split_once('-') {
            Some((first, last)) => number(first)..=number(last),
            None => number(range)..=number(range),
        })
        .collect()
}

impl DumpedGroup {
    /// Takes one further line of a group.
    fn line(&mut self, line: &str) {
        let span = |found: &Captures<'_>, part| {
            let first = maybe(found, part)?;
            Some((first, maybe(found, part + 1).unwrap_or(first)))
        };
        if let Some(found) = SUPERBLOCK.captures(line) {
            self.superblock = Some(number(&found, 1));
            self.gdt = span(&found, 2);
        } else if let Some(found) = DESCRIPTORS.captures(line) {
            self.gdt = span(&found, 1);
        } else if let Some(found) = RESERVED.captures(line) {
            self.reserved_gdt = span(&found, 1);
        } else if let Some(found) = BITMAP.captures(line) {
            let csum = found.get(3).map(|text| hex(text.as_str()));
            if &found[1] == "Block" {
                (self.block_bitmap, self.block_bitmap_csum) = (number(&found, 2), csum);
            } else {
                (self.inode_bitmap, self.inode_bitmap_csum) = (number(&found, 2), csum);
            }
        } else if let Some(found) = TABLE.captures(line) {
            self.inode_table = (number(&found, 1), number(&found, 2));
        } else if let Some(found) = COUNTS.captures(line) {
            self.free_blocks = number(&found, 1);
            self.free_inodes = number(&found, 2);
            self.used_dirs = number(&found, 3);
            self.itable_unused = maybe(&found, 4).unwrap_or_default();
        } else if let Some(found) = RANGES.captures(line) {
            let ranges = ranges(&found[2]);
            if &found[1] == "blocks" {
                self.free_block_ranges = ranges;
            } else {
                self.free_inode_ranges = ranges;
            }
        } else {
            let known = line.trim().is_empty() || line.starts_with("*** Run e2fsck");
            assert!(known, "group {}: unknown line {line:?}", self.group);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_group_with_everything() {
        let text = "\
Filesystem features:      has_journal meta_bg
Inode size:\t          256

Group 5: (Blocks 40961-49152) csum 0xe419 (EXPECTED 0x0001) [INODE_UNINIT, ITABLE_ZEROED]
  Backup superblock at 40961, Group descriptors at 40962-40963
  Reserved GDT blocks at 40964-41218
  Block bitmap at 32770 (bg #4 + 1), csum 0x0000abcd
  Inode bitmap at 32774 (bg #4 + 5), csum 0x00000000
  Inode table at 33289-33800 (bg #4 + 520)
  7934 free blocks, 2048 free inodes, 3 directories, 17 unused inodes
  Free blocks: 41219-41220, 41230, 41240-49152
  Free inodes: 
";
        let dump = Dump::parse(text);
        assert_eq!(dump.header("Filesystem features"), Some("has_journal meta_bg"));
        assert_eq!(dump.header("Inode size"), Some("256"));
        let expected = DumpedGroup {
            group: 5,
            blocks: (40961, 49152),
            csum: Some(0xe419),
            csum_expected: Some(1),
            flags: vec!["INODE_UNINIT".to_owned(), "ITABLE_ZEROED".to_owned()],
            superblock: Some(40961),
            gdt: Some((40962, 40963)),
            reserved_gdt: Some((40964, 41218)),
            block_bitmap: 32770,
            block_bitmap_csum: Some(0xabcd),
            inode_bitmap: 32774,
            inode_bitmap_csum: Some(0),
            inode_table: (33289, 33800),
            free_blocks: 7934,
            free_inodes: 2048,
            used_dirs: 3,
            itable_unused: 17,
            free_block_ranges: vec![41219..=41220, 41230..=41230, 41240..=49152],
            free_inode_ranges: vec![],
        };
        assert_eq!(dump.groups, [expected]);
    }

    #[test]
    fn reads_a_meta_bg_group() {
        let text = "\
Group 1: (Blocks 8-9)
  Group descriptor at 8
  Block bitmap at 3
  Inode bitmap at 4
  Inode table at 5-6
  0 free clusters, 1 free inodes, 0 directories
  Free blocks: 
  Free inodes: 7
";
        let group = &Dump::parse(text).groups[0];
        assert_eq!(group.gdt, Some((8, 8)));
        assert_eq!(group.csum, None);
        assert_eq!(group.free_inode_ranges, [7..=7]);
    }

    #[test]
    #[should_panic(expected = "unknown line")]
    fn refuses_what_it_does_not_know() {
        let _ = Dump::parse("Group 0: (Blocks 0-1)\n  Something new\n");
    }
}
