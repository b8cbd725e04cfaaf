//! Inodes and the extent trees that hang on them.

use core::ops::Range;

use zerocopy::IntoBytes;
use zerocopy::little_endian::U16;

use super::dirs::{Dir, GroupFiles};
use super::flex_group::{FlexGroup, GroupPlan};
use super::put;
use super::shape::{INODE_BYTES, MADE, ROOT_EXTENTS, Shape, halves};
use crate::ondisk::csum::extent_block;
use crate::ondisk::{
    EXTENT_MAGIC, Extent, ExtentHeader, ExtentIdx, INIT_MAX_LEN, InodeFlags, RawInode,
};
use crate::units::Ino;

/// Sectors that `i_blocks` counts in.
const SECTOR_BYTES: u64 = 512;

/// Bytes past the first 128 that are fields.
const EXTRA_ISIZE: u16 = 32;

/// Writes a block of a group's inode table.
pub(super) fn write_table(
    shape: &Shape,
    flex_group: &FlexGroup,
    plan: &GroupPlan,
    block: u64,
    to: &mut [u8],
) {
    let per_block = shape.block_size() / u64::from(INODE_BYTES);
    let used = plan.used_inodes(shape);
    let files = FlexGroup::files_of(shape, plan);
    let before = plan.number * u64::from(shape.geometry.inodes_per_group());
    for slot in 0..per_block {
        let index = block * per_block + slot;
        if index >= used {
            break;
        }
        let ino = before + index + 1;
        let raw = match ino.checked_sub(files.first) {
            Some(file) => Some(file_inode(shape, flex_group, plan.first_file + file)),
            None => dir_inode(shape, flex_group, plan, ino),
        };
        if let Some(raw) = raw {
            write_inode(shape, ino, raw, to, slot * u64::from(INODE_BYTES));
        }
    }
}

/// The inode of a directory; `None` for a reserved one that is not in use.
fn dir_inode(
    shape: &Shape,
    flex_group: &FlexGroup,
    plan: &GroupPlan,
    ino: u64,
) -> Option<RawInode> {
    let per_group = u64::from(shape.geometry.inodes_per_group());
    let mut dirs = shape.dirs.in_group(plan.number);
    let dir = dirs.find(|dir| shape.dirs.ino(*dir, per_group) == ino)?;
    let blocks = flex_group.dir_extent(shape, plan, dir)?;
    let mode = if dir == Dir::LostFound { 0o040_700 } else { 0o040_755 };
    let count = blocks.end - blocks.start;
    let mut raw = inode(shape, mode, shape.dirs.links(dir), count, 0);
    let extents = [extent(0, &blocks, false)];
    write_root(&mut raw, 0, &extents);
    Some(raw)
}

/// The inode of a file, counted in its flex group.
fn file_inode(shape: &Shape, flex_group: &FlexGroup, file: u64) -> RawInode {
    let nodes = flex_group.node_blocks(shape, file);
    let blocks = flex_group.extents_of(file).map(|run| run.end - run.start).sum();
    let mut raw = inode(shape, 0o100_644, 1, blocks, nodes);
    if nodes == 0 {
        let extents: Vec<Extent> = extents(shape, flex_group, file).collect();
        write_root(&mut raw, 0, &extents);
    } else {
        let per_leaf = usize::try_from(shape.node_entries()).unwrap_or(usize::MAX);
        let firsts = extents(shape, flex_group, file).step_by(per_leaf);
        let indexes: Vec<ExtentIdx> = (0..nodes)
            .zip(firsts)
            .map(|(leaf, first)| {
                let block = flex_group.leaf_block(shape, file, leaf).unwrap_or(0);
                let (hi, lo) = halves(block);
                ExtentIdx {
                    ei_block: first.ee_block,
                    ei_leaf_lo: lo.into(),
                    ei_leaf_hi: low_half(hi),
                    ei_unused: 0.into(),
                }
            })
            .collect();
        write_root(&mut raw, 1, &indexes);
    }
    raw
}

/// An inode mapped by extents, without them.
fn inode(shape: &Shape, mode: u16, links: u64, blocks: u64, nodes: u64) -> RawInode {
    let ratio = u64::from(shape.geometry.blocks_per_cluster());
    let taken = (blocks.div_ceil(ratio) + nodes) * ratio;
    let mut raw = RawInode::from_bytes(&[]);
    raw.i_mode.set(mode);
    raw.i_links_count = low_half(halves(links).1);
    let (size_hi, size_lo) = halves(blocks * shape.block_size());
    raw.i_size_lo.set(size_lo);
    raw.i_size_high.set(size_hi);
    let (sectors_hi, sectors_lo) = halves(taken * shape.block_size() / SECTOR_BYTES);
    raw.i_blocks_lo.set(sectors_lo);
    raw.l_i_blocks_high = low_half(sectors_hi);
    raw.i_flags.set(InodeFlags::EXTENTS.bits());
    for time in [&mut raw.i_atime, &mut raw.i_ctime, &mut raw.i_mtime, &mut raw.i_crtime] {
        time.set(MADE);
    }
    raw.i_extra_isize.set(EXTRA_ISIZE);
    raw
}

/// The extents of a file, counted in its flex group.
fn extents<'a>(
    shape: &'a Shape,
    flex_group: &'a FlexGroup,
    file: u64,
) -> impl Iterator<Item = Extent> + 'a {
    let is_unwritten = shape.recipe.is_unwritten;
    flex_group.extents_of(file).scan(0, move |lblk, run| {
        let extent = extent(*lblk, &run, is_unwritten);
        *lblk += run.end - run.start;
        Some(extent)
    })
}

fn extent(lblk: u64, blocks: &Range<u64>, is_unwritten: bool) -> Extent {
    let (hi, lo) = halves(blocks.start);
    let len = u16::try_from(blocks.end - blocks.start).unwrap_or(INIT_MAX_LEN);
    Extent {
        ee_block: halves(lblk).1.into(),
        ee_len: if is_unwritten { len.saturating_add(INIT_MAX_LEN) } else { len }.into(),
        ee_start_hi: low_half(hi),
        ee_start_lo: lo.into(),
    }
}

/// Writes a leaf of the extent tree of a file, counted in its flex group.
pub(super) fn write_leaf(
    shape: &Shape,
    flex_group: &FlexGroup,
    (file, ino): (u64, u64),
    leaf: u64,
    to: &mut [u8],
) {
    let entries = shape.node_entries();
    let narrow = |entries: u64| usize::try_from(entries).unwrap_or(usize::MAX);
    let skipped = narrow(leaf * entries);
    let extents: Vec<Extent> =
        extents(shape, flex_group, file).skip(skipped).take(narrow(entries)).collect();
    let header = header(0, extents.len(), entries);
    put(to, 0, header.as_bytes());
    put(to, size_of::<ExtentHeader>() as u64, extents.as_bytes());
    let seed = shape.csum.inode_seed(Ino::new(halves(ino).1), 0);
    if let Some(csum) = seed.and_then(|seed| extent_block(seed, &header, to)) {
        put(to, header.tail_offset() as u64, &csum.to_le_bytes());
    }
}

/// Writes the node that the inode itself holds.
fn write_root<E: IntoBytes + zerocopy::Immutable>(raw: &mut RawInode, depth: u16, entries: &[E]) {
    let header = header(depth, entries.len(), ROOT_EXTENTS);
    put(&mut raw.i_block, 0, header.as_bytes());
    put(&mut raw.i_block, size_of::<ExtentHeader>() as u64, entries.as_bytes());
}

fn header(depth: u16, entries: usize, most: u64) -> ExtentHeader {
    ExtentHeader {
        eh_magic: EXTENT_MAGIC.into(),
        eh_entries: U16::new(u16::try_from(entries).unwrap_or(u16::MAX)),
        eh_max: U16::new(u16::try_from(most).unwrap_or(u16::MAX)),
        eh_depth: depth.into(),
        eh_generation: 0.into(),
    }
}

fn write_inode(shape: &Shape, ino: u64, mut raw: RawInode, to: &mut [u8], at: u64) {
    let mut bytes = [0; 256];
    put(&mut bytes, 0, raw.as_bytes());
    if let Some(csum) = shape.csum.inode(Ino::new(halves(ino).1), &bytes) {
        raw.l_i_checksum_lo = low_half(csum);
        raw.i_checksum_hi = low_half(csum >> 16);
        put(&mut bytes, 0, raw.as_bytes());
    }
    put(to, at, &bytes);
}

/// The low 16 bits.
pub(super) fn low_half(value: u32) -> U16 {
    let [a, b, ..] = value.to_le_bytes();
    U16::new(u16::from_le_bytes([a, b]))
}

/// The inode of a file, counted in its flex group, whose group has these files.
pub(super) fn file_ino(plan: &GroupPlan, files: GroupFiles, file: u64) -> u64 {
    files.first + (file - plan.first_file)
}
