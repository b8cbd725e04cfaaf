//! A problem in words: where it is, what shows it, and where its bytes lie.

use extscope::report::problem_value;
use extscope::units::{Fsblk, Group, Ino};

use crate::protocol::{BgFlags, BytesOf, Code, Form, Pass, Problem, Severity, Stretch};
use crate::select::header::Tone;
use crate::state::{Image, Selection};
use crate::text::number;

/// The passes that e2fsck tells of, and what each is about.
pub const PASSES: [(Pass, &str); 6] = [
    (Pass::Zero, "Superblock, groups"),
    (Pass::One, "Inodes, blocks"),
    (Pass::Two, "Directories"),
    (Pass::Three, "Connections"),
    (Pass::Four, "Link counts"),
    (Pass::Five, "Bitmaps, counts"),
];

/// The pass of [`PASSES`] that another belongs to.
#[must_use]
pub const fn main_pass(pass: Pass) -> Pass {
    match pass {
        Pass::OneB | Pass::OneC | Pass::OneD | Pass::OneE => Pass::One,
        Pass::ThreeA => Pass::Three,
        Pass::End => Pass::Five,
        pass => pass,
    }
}

/// What a pass is about.
#[must_use]
pub const fn pass_title(pass: Pass) -> &'static str {
    match pass {
        Pass::Zero => "superblock, journal, groups",
        Pass::One => "inodes and their blocks",
        Pass::OneB => "blocks claimed more than once",
        Pass::OneC => "names of those who claim them",
        Pass::OneD => "what to do with each",
        Pass::OneE => "extent trees that could be smaller",
        Pass::Two => "directories",
        Pass::Three => "connections of directories",
        Pass::ThreeA => "names that occur twice",
        Pass::Four => "link counts",
        Pass::Five => "bitmaps and counts",
        Pass::End => "orphan file, quota",
    }
}

/// How much a problem matters: its tone, and the word for it.
#[must_use]
pub const fn weight(severity: Severity) -> (Tone, &'static str) {
    match severity {
        Severity::Note => (Tone::Neutral, "By the way"),
        Severity::Minor => (Tone::Warn, "Of little weight"),
        Severity::Damage => (Tone::Err, "Makes it unclean"),
        Severity::Fatal => (Tone::Err, "e2fsck gives up here"),
    }
}

/// What a problem is about, with the numbers that show it, in one line.
#[must_use]
pub fn place(problem: &Problem) -> String {
    let mut parts: Vec<String> = facts(problem)
        .into_iter()
        .map(|(name, value)| format!("{} {value}", name.to_lowercase()))
        .collect();
    parts.extend(difference(problem));
    match parts.first_mut() {
        None => "the filesystem as a whole".to_owned(),
        Some(_) => parts.join(", "),
    }
}

/// Where a problem is: names and values.
#[must_use]
pub fn facts(problem: &Problem) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let mut fact = |name: &'static str, value: Option<u64>| {
        facts.extend(value.map(|value| (name, number::count(value))));
    };
    fact("Group", problem.group.map(|group| group.get().into()));
    fact("Directory", problem.dir.map(|dir| dir.get().into()));
    let last = |first: u64| first.saturating_add(problem.count.unwrap_or(1).saturating_sub(1));
    let range = |first: u64| number::range(first, last(first));
    let is_of_blocks = problem.block.is_some();
    if let Some(ino) = problem.ino {
        let first = u64::from(ino.get());
        let is_range = !is_of_blocks && problem.code.pass() == Pass::Five;
        let value = if is_range { range(first) } else { number::count(first) };
        facts.push(if is_range && problem.count.is_some() {
            ("Inodes", value)
        } else {
            ("Inode", value)
        });
    }
    if let Some(lblk) = problem.lblk {
        facts.push(("Block of the file", number::count(lblk.get().into())));
    }
    if let Some(block) = problem.block {
        let name = if problem.count.is_some() { "Blocks" } else { "Block" };
        facts.push((name, range(block.get())));
    }
    if let (Form::Others, Some(blocks)) = (problem.code.form(), problem.count) {
        facts.push(("Shared blocks", number::count(blocks)));
    }
    if let Some(name) = &problem.name {
        facts.push(("Name", format!("\u{201c}{name}\u{201d}")));
    }
    facts
}

/// What is found and what should be, where both or one are numbers.
#[must_use]
pub fn difference(problem: &Problem) -> Option<String> {
    let written = |value| problem_value(problem.code, value);
    match (problem.found.map(written), problem.expected.map(written)) {
        (Some(found), Some(expected)) => Some(format!("is {found}, should be {expected}")),
        (Some(found), None) if is_of_others(problem.code) => Some(format!("with {found}")),
        (Some(found), None) => Some(format!("is {found}")),
        (None, Some(expected)) => Some(format!("should be {expected}")),
        (None, None) => None,
    }
}

/// Whether what was found of a code are others that it has to do with.
#[must_use]
pub fn is_of_others(code: Code) -> bool {
    matches!(code.form(), Form::Other | Form::Others)
}

/// The block in which the bytes of a problem lie: a bitmap, the block it names, an inode; the
/// superblock, where nothing is named.
#[must_use]
pub fn bytes_at(problem: &Problem, image: &Image) -> Option<Fsblk> {
    let named = problem.block.filter(|block| image.geometry.contains(*block));
    let ino = problem.ino.or(problem.dir);
    let is_nowhere = named.is_none() && ino.is_none() && problem.group.is_none();
    bitmap_at(problem, image)
        .or(named)
        .or_else(|| inode_at(ino?, image))
        .or_else(|| is_nowhere.then(|| superblock_at(image)))
}

/// The group in which a problem lies.
#[must_use]
pub fn group_of(problem: &Problem, image: &Image) -> Option<Group> {
    let geometry = &image.geometry;
    let of_block = || geometry.group_from_fsblk(problem.block?);
    let of_ino = || geometry.group_from_ino(problem.ino.or(problem.dir)?).map(|(group, _)| group);
    let group = problem.group.or_else(of_block).or_else(of_ino)?;
    image.groups.row(group).is_some().then_some(group)
}

/// The inode to look at: the one that has the problem, or else the directory in which it is.
#[must_use]
pub fn inode_of(problem: &Problem, image: &Image) -> Option<Ino> {
    let ino = problem.ino.or(problem.dir)?;
    image.geometry.group_from_ino(ino).map(|_| ino)
}

/// What to select on the map: blocks, all blocks of a file, or a group.
#[must_use]
pub fn on_map(problem: &Problem, image: &Image) -> Option<Selection> {
    let block = problem.block.filter(|block| image.geometry.contains(*block)).map(Fsblk::get);
    let blocks = block.map(|first| {
        let last = first.saturating_add(problem.count.unwrap_or(1).saturating_sub(1));
        Selection::blocks(first, last.min(image.geometry.blocks_count().saturating_sub(1)))
    });
    blocks
        .or_else(|| inode_of(problem, image).map(Selection::Inode))
        .or_else(|| group_of(problem, image).map(Selection::Group))
}

fn superblock_at(image: &Image) -> Fsblk {
    Fsblk::new(u64::from(image.geometry.block_size() == 1024))
}

/// Which bitmap a problem of pass 5 is about.
fn bitmap_kind(problem: &Problem) -> Option<BitmapOf> {
    let what = problem.code.name().strip_prefix("PR_5_")?;
    let is_of = |kind: &str| {
        let rest = what.strip_prefix(kind);
        rest.is_some_and(|rest| ["_U", "_RANGE", "_BITMAP"].iter().any(|it| rest.starts_with(it)))
    };
    match () {
        () if is_of("BLOCK") => Some(BitmapOf::Blocks),
        () if is_of("INODE") => Some(BitmapOf::Inodes),
        () => None,
    }
}

/// The bitmap that differs.
fn bitmap_at(problem: &Problem, image: &Image) -> Option<Fsblk> {
    let row = image.groups.row(group_of(problem, image)?)?;
    let (at, uninit) = match bitmap_kind(problem)? {
        BitmapOf::Blocks => (row.block_bitmap, BgFlags::BLOCK_UNINIT),
        BitmapOf::Inodes => (row.inode_bitmap, BgFlags::INODE_UNINIT),
    };
    (image.geometry.contains(at) && !row.flags.contains(uninit)).then_some(at)
}

fn inode_at(ino: Ino, image: &Image) -> Option<Fsblk> {
    let geometry = &image.geometry;
    let (group, index) = geometry.group_from_ino(ino)?;
    let table = image.groups.row(group)?.inode_table;
    let at = u64::from(index).checked_mul(geometry.inode_size().into())?;
    let block = table.get().checked_add(at.checked_div(geometry.block_size().into())?)?;
    Some(Fsblk::new(block)).filter(|block| geometry.contains(*block))
}

/// What the bits of a bitmap stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitmapOf {
    /// Blocks, or clusters.
    Blocks,
    /// Inodes.
    Inodes,
}

/// Bits of a bitmap that differ from what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitDifference {
    /// What they stand for.
    pub of: BitmapOf,
    /// The group whose bitmap it is.
    pub group: Group,
    /// The bits that differ, within the group.
    pub bits: core::ops::Range<u64>,
    /// The first block or inode of the group.
    first: u64,
    /// Blocks of a bit.
    unit: u64,
    /// The bytes on the disk.
    pub stretch: Stretch,
}

/// A row of 64 bits of a bitmap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitRow {
    /// What the first bit stands for.
    pub first: u64,
    /// The bits on the disk, the first lowest.
    pub disk: u64,
    /// Those that differ from what was found.
    pub differ: u64,
}

/// Rows of a difference that are shown.
const ROWS: u64 = 4;

/// The bits that a problem of pass 5 is about, where their bitmap lies on the disk.
#[must_use]
pub fn bit_difference(problem: &Problem, image: &Image) -> Option<BitDifference> {
    let geometry = &image.geometry;
    let of = bitmap_kind(problem).filter(|_| !problem.code.name().ends_with("_INVALID"))?;
    let fsblk = bitmap_at(problem, image)?;
    let unit = u64::from(geometry.blocks_per_cluster());
    let count = problem.count.unwrap_or(1);
    let (group, at, len, all, first, unit) = match of {
        BitmapOf::Blocks => {
            let (group, grpblk) = geometry.grpblk_from_fsblk(problem.block?)?;
            let first = geometry.group_first_fsblk(group).get();
            let at = u64::from(grpblk.get()).checked_div(unit)?;
            (group, at, count.div_ceil(unit), geometry.group_clusters(group), first, unit)
        }
        BitmapOf::Inodes => {
            let (group, index) = geometry.group_from_ino(problem.ino?)?;
            let first = geometry.group_first_ino(group)?.get().into();
            (group, index.into(), count, geometry.inodes_per_group(), first, 1)
        }
    };
    let end = at.saturating_add(len).min(all.into());
    let word = at / 64;
    let words = end.div_ceil(64).saturating_sub(word).clamp(1, ROWS);
    let offset = geometry.byte_from_fsblk(fsblk)?.get().checked_add(word * 8)?;
    let len = u32::try_from(words * 8).ok()?;
    let stretch = Stretch { of: BytesOf::Image, offset, len };
    Some(BitDifference { of, group, bits: at..end, first, unit, stretch })
}

impl BitDifference {
    /// The rows, from the bytes on the disk.
    #[must_use]
    pub fn rows(&self, bytes: &[u8]) -> Vec<BitRow> {
        let word = self.bits.start / 64;
        let row = |(at, bytes): (u64, &[u8])| {
            let bit = at * 64;
            let is_in = |n: &u64| self.bits.contains(&(bit + n));
            let differ = (0..64).filter(is_in).fold(0, |word, n| word | 1 << n);
            let disk = bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            BitRow { first: self.first.saturating_add(bit.saturating_mul(self.unit)), disk, differ }
        };
        (word..).zip(bytes.chunks_exact(8)).map(row).collect()
    }

    /// Bits that differ and are in no row.
    #[must_use]
    pub fn left(&self) -> u64 {
        let shown = (self.bits.start / 64 + u64::from(self.stretch.len) / 8) * 64;
        self.bits.end.saturating_sub(shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::testing::{described_image, problem};

    #[test]
    fn a_place_names_what_it_is_about_and_the_numbers() {
        let links = problem("PR_4_BAD_REF_COUNT", Some(131_482), None);
        assert_eq!(place(&links), "inode 131,482, is 1, should be 2");
        let mut blocks = problem("PR_5_BLOCK_RANGE_UNUSED", None, Some(1_881_882));
        (blocks.count, blocks.found, blocks.expected) = (Some(14), None, None);
        assert_eq!(place(&blocks), "blocks 1,881,882–1,881,895");
        let mut whole = problem("PR_0_SB_CORRUPT", None, None);
        (whole.found, whole.expected) = (None, None);
        assert_eq!(place(&whole), "the filesystem as a whole");
    }

    #[test]
    fn the_bytes_of_a_difference_are_those_of_its_bitmap() {
        let image = described_image();
        let mut blocks = problem("PR_5_BLOCK_RANGE_UNUSED", None, Some(8193 + 100));
        blocks.count = Some(40);
        let bits = bit_difference(&blocks, &image).expect("a difference");
        assert_eq!((bits.group, bits.bits.clone()), (Group::new(1), 100..140));
        assert_eq!(bytes_at(&blocks, &image), Some(Fsblk::new(8193 + 4)));
        assert_eq!(
            bits.stretch,
            Stretch { of: BytesOf::Image, offset: (8193 + 4) * 1024 + 8, len: 16 }
        );
        let rows = bits.rows(&[0xff; 16]);
        assert_eq!((rows[0].first, rows[0].disk), (8193 + 64, u64::MAX));
        assert_eq!(rows[0].differ.count_ones() + rows[1].differ.count_ones(), 40);
        assert_eq!((rows[0].differ.trailing_zeros(), bits.left()), (36, 0));
    }

    #[test]
    fn an_inode_lies_in_its_groups_table() {
        let image = described_image();
        let links = problem("PR_4_BAD_REF_COUNT", Some(16 + 9), None);
        assert_eq!(bytes_at(&links, &image), Some(Fsblk::new(8193 + 6 + 1)));
        assert_eq!(group_of(&links, &image), Some(Group::new(1)));
        let none = problem("PR_4_BAD_REF_COUNT", Some(9999), None);
        assert_eq!((bytes_at(&none, &image), inode_of(&none, &image)), (None, None));
    }
}
