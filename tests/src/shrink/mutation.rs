//! One field of a sound image made wrong, with checksums that cover it made right again or not.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use extscope::fs::{BitmapKind, Filesystem, InodeScan, MapItem};
use extscope::io::FileSource;
use extscope::ondisk::InodeFlags;
use extscope::ondisk::csum::{Csum, crc32c};
use extscope::units::{Group, Ino};
use fastrand::Rng;

/// What was made wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Superblock,
    Desc(u32),
    Inode(u32),
    Node { ino: u32, fsblk: u64 },
    Bitmap { group: u32, of_inodes: bool },
}

/// One field made wrong.
#[derive(Clone, Debug)]
pub struct Mutation {
    part: Part,
    /// Offset of the field in its structure.
    at: usize,
    before: Vec<u8>,
    after: Vec<u8>,
    /// Whether the checksums over it are right.
    is_sealed: bool,
    /// What is written where.
    patches: Vec<(u64, Vec<u8>)>,
}

/// A sound image, to be mutated many times.
#[derive(Debug)]
pub struct Subject {
    fs: Filesystem<FileSource>,
    file: File,
    inodes: Vec<u32>,
    nodes: Vec<(u32, u64)>,
}

impl Subject {
    /// Looks what there is.
    ///
    /// # Panics
    /// When the image is not sound.
    #[must_use]
    pub fn new(image: &Path) -> Self {
        let fs = super::compare::open(image);
        let (mut inodes, mut nodes) = (Vec::new(), Vec::new());
        let mut scan = InodeScan::new();
        while let Some(piece) = scan.next_piece(&fs) {
            for inode in piece.expect("inode tables can be read").inodes(&fs) {
                inodes.push(inode.ino.get());
                nodes.extend(fs.map_items(&inode).filter_map(|item| match item {
                    Ok(MapItem::Node(node)) => Some((inode.ino.get(), node.fsblk.get())),
                    _ => None,
                }));
            }
        }
        let file = File::open(image).expect("the image can be opened");
        Self { fs, file, inodes, nodes }
    }

    /// Draws a mutation.
    #[must_use]
    pub fn mutate(&self, rng: &mut Rng) -> Mutation {
        let groups = self.fs.groups().len();
        let part = match rng.u32(0..100) {
            0..25 => Part::Superblock,
            25..45 => Part::Desc(rng.u32(0..groups)),
            45..62 => Part::Inode(rng.u32(1..=11)),
            62..75 => Part::Inode(self.inodes[rng.usize(0..self.inodes.len())]),
            75..90 if !self.nodes.is_empty() => {
                let (ino, fsblk) = self.nodes[rng.usize(0..self.nodes.len())];
                Part::Node { ino, fsblk }
            }
            _ => Part::Bitmap { group: rng.u32(0..groups), of_inodes: rng.bool() },
        };
        self.mutate_part(part, rng)
    }

    fn mutate_part(&self, part: Part, rng: &mut Rng) -> Mutation {
        let (place, len) = self.place(part);
        let mut bytes = self.read(place, len);
        // What comes first is looked at most.
        let most = match part {
            Part::Superblock => rng.usize(1..=8) * len / 8,
            Part::Node { .. } if rng.bool() => 24,
            _ => len,
        };
        let width = [1, 2, 4][rng.usize(0..3)];
        let at = rng.usize(0..most / width) * width;
        let before = bytes[at..at + width].to_vec();
        let field = &mut bytes[at..at + width];
        match rng.u8(0..6) {
            0 => field.fill(0),
            1 => field.fill(0xff),
            2 => field[0] = field[0].wrapping_add(1),
            3 => field[0] = field[0].wrapping_sub(1),
            4 => field[rng.usize(0..width)] ^= 1 << rng.u8(0..8),
            _ => field.fill_with(|| rng.u8(..)),
        }
        let after = field.to_vec();
        let is_sealed = rng.u8(0..4) > 0;
        let mut patches = Vec::new();
        if is_sealed {
            self.seal(part, &mut bytes, &mut patches);
        }
        patches.push((place, bytes));
        Mutation { part, at, before, after, is_sealed, patches }
    }

    fn read(&self, place: u64, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.file.read_exact_at(&mut bytes, place).expect("the image can be read");
        bytes
    }

    /// Where a structure lies, and its bytes.
    fn place(&self, part: Part) -> (u64, usize) {
        let geometry = self.fs.geometry();
        let block_size = u64::from(geometry.block_size());
        let whole = usize::try_from(block_size).expect("a block");
        match part {
            Part::Superblock => (1024, 1024),
            Part::Desc(group) => {
                let per_block = geometry.desc_per_block().get();
                let block = self
                    .fs
                    .layout()
                    .desc_fsblk(u64::from(group / per_block), self.fs.superblock_at());
                let size = geometry.desc_size();
                let at = block.get() * block_size + u64::from(group % per_block * size);
                (at, usize::try_from(size).expect("a descriptor"))
            }
            Part::Inode(ino) => {
                let (block, offset) = self.fs.inode_place(Ino::new(ino)).expect("an inode");
                let size = usize::try_from(geometry.inode_size()).expect("an inode");
                (block.get() * block_size + offset, size)
            }
            Part::Node { fsblk, .. } => (fsblk * block_size, whole),
            Part::Bitmap { group, of_inodes } => {
                let desc = self.fs.group(Group::new(group)).expect("a group").desc;
                let fsblk = if of_inodes { desc.inode_bitmap } else { desc.block_bitmap };
                (fsblk.get() * block_size, whole)
            }
        }
    }

    /// Makes the checksums right.
    fn seal(&self, part: Part, bytes: &mut [u8], patches: &mut Vec<(u64, Vec<u8>)>) {
        let csum = self.fs.csum();
        match part {
            Part::Superblock => {
                if matches!(csum, Csum::Metadata { .. }) {
                    let value = crc32c(!0, &bytes[..0x3fc]);
                    bytes[0x3fc..].copy_from_slice(&value.to_le_bytes());
                }
            }
            Part::Desc(group) => self.seal_desc(group, bytes),
            Part::Inode(ino) => {
                if let Some(value) = csum.inode(Ino::new(ino), bytes) {
                    let [a, b, c, d] = value.to_le_bytes();
                    bytes[0x7c..0x7e].copy_from_slice(&[a, b]);
                    if bytes.len() > 128 && u16::from_le_bytes([bytes[0x80], bytes[0x81]]) >= 4 {
                        bytes[0x82..0x84].copy_from_slice(&[c, d]);
                    }
                }
            }
            Part::Node { ino, .. } => {
                let inode = self.fs.inode(Ino::new(ino)).expect("an inode");
                let seed = csum.inode_seed(inode.ino, inode.raw.i_generation.get());
                let is_tree = inode.flags().contains(InodeFlags::EXTENTS);
                let max = usize::from(u16::from_le_bytes([bytes[4], bytes[5]]));
                let tail = 12 + 12 * max;
                if let Some(seed) = seed.filter(|_| is_tree && tail + 4 <= bytes.len()) {
                    let value = crc32c(seed, &bytes[..tail]);
                    bytes[tail..tail + 4].copy_from_slice(&value.to_le_bytes());
                }
            }
            Part::Bitmap { group, of_inodes } => {
                let kind = if of_inodes { BitmapKind::Inode } else { BitmapKind::Block };
                if let Some(value) = self.fs.bitmap_csum(kind, bytes) {
                    let (place, len) = self.place(Part::Desc(group));
                    let mut desc = self.read(place, len);
                    let [a, b, c, d] = value.to_le_bytes();
                    let (lo, hi) = if of_inodes { (0x1a, 0x3a) } else { (0x18, 0x38) };
                    desc[lo..lo + 2].copy_from_slice(&[a, b]);
                    if len >= 64 {
                        desc[hi..hi + 2].copy_from_slice(&[c, d]);
                    }
                    self.seal_desc(group, &mut desc);
                    patches.push((place, desc));
                }
            }
        }
    }

    fn seal_desc(&self, group: u32, desc: &mut [u8]) {
        if let Some(value) = self.fs.csum().group_desc(Group::new(group), desc) {
            desc[0x1e..0x20].copy_from_slice(&value.to_le_bytes());
        }
    }
}

impl Mutation {
    /// Writes it into a copy.
    ///
    /// # Panics
    /// When that cannot be written.
    pub fn apply(&self, copy: &Path) {
        let file = File::options().write(true).open(copy).expect("the copy can be opened");
        for (at, bytes) in &self.patches {
            file.write_all_at(bytes, *at).expect("the copy can be written");
        }
    }

    /// Whether it moves what lies in a group.
    #[must_use]
    pub fn is_of_places(&self) -> bool {
        matches!(self.part, Part::Desc(_)) && (self.at < 12 || (0x20..0x2c).contains(&self.at))
    }

    /// What was done, in words.
    #[must_use]
    pub fn name(&self) -> String {
        let Self { part, at, before, after, is_sealed, .. } = self;
        let sealed = if *is_sealed { "sealed" } else { "not sealed" };
        format!("{part:?} at {at:#x}: {before:02x?} -> {after:02x?}, {sealed}")
    }
}
