//! Fragments an image for measuring.

use std::fs::File;
use std::io::{Error, Result};
use std::os::unix::fs::FileExt;
use std::path::Path;

use extscope::bitmap::{Bitmap, Bits, BitsMut};
use extscope::fs::{BitmapKind, BitmapPlace, Filesystem, OpenOptions};
use extscope::io::FileSource;
use extscope::ondisk::csum::superblock_csum;
use extscope::ondisk::{BgFlags, RawGroupDesc};
use extscope::units::Group;
use zerocopy::IntoBytes;

use crate::fill::Random;
use crate::owners::Owners;
use crate::truth::Truth;

/// Fills an ext4 image without bigalloc with runs in turn used and free, of `mean` blocks on
/// average: the used ones belong to the image's empty files, and bitmaps, descriptors, the
/// superblock and all checksums are right. Gives what the bitmaps say, counted bit by bit.
///
/// # Errors
/// The image cannot be opened, read or written, or has too few empty files.
pub(crate) fn fragment(image: &Path, mean: u64) -> Result<Truth> {
    let file = File::options().read(true).write(true).open(image)?;
    let source = FileSource::open(image).map_err(Error::other)?;
    let filesystem = Filesystem::open(source, OpenOptions::default()).map_err(Error::other)?;
    let geometry = filesystem.geometry();
    let mut owners = Owners::new(&file, &filesystem)?;
    let mut random = Random::new(mean);
    let mut truth = Truth::default();
    for group in (0..filesystem.groups().len()).map(Group::new) {
        let old = filesystem.bitmap(BitmapKind::Block, group).map_err(Error::other)?;
        let len = old.bits().len();
        // Padding is set, as mke2fs leaves it.
        let mut block = Bitmap::new(u64::from(geometry.bits_per_block())).map_err(Error::other)?;
        block.mark_range(len..u64::MAX);
        for run in old.bits().set_runs() {
            block.mark_range(run);
        }
        let first = geometry.group_first_fsblk(group).get();
        for free in old.bits().clear_runs() {
            let mut at = free.start + random.geometric(mean);
            while at < free.end {
                let end = (at + random.geometric(mean)).min(free.end);
                block.mark_range(at..end);
                owners.give(first + at, end - at)?;
                at = end + random.geometric(mean);
            }
        }
        let place = filesystem.group(group).map_err(Error::other)?.desc.block_bitmap.get();
        truth.add(Some(place), block.as_bytes(), len);
        file.write_all_at(block.as_bytes(), place * u64::from(geometry.block_size()))?;
        let free = (block.len() - block.count()) as u32;
        write_desc(&file, &filesystem, group, free, block.as_bytes())?;
    }
    owners.finish()?;
    let mut superblock = filesystem.superblock().clone();
    superblock.s_free_blocks_count_lo.set(truth.free as u32);
    superblock.s_free_blocks_count_hi.set((truth.free >> 32) as u32);
    if let Some(csum) = superblock_csum(&superblock) {
        superblock.s_checksum.set(csum);
    }
    file.write_all_at(superblock.as_bytes(), filesystem.superblock_offset().get())?;
    Ok(truth.finish())
}

/// What the block bitmaps of an image say, counted bit by bit.
///
/// # Errors
/// The image cannot be opened or read.
pub(crate) fn count(image: &Path) -> Result<Truth> {
    let source = FileSource::open(image).map_err(Error::other)?;
    let filesystem = Filesystem::open(source, OpenOptions::default()).map_err(Error::other)?;
    let mut truth = Truth::default();
    for group in (0..filesystem.groups().len()).map(Group::new) {
        let bitmap = filesystem.bitmap(BitmapKind::Block, group).map_err(Error::other)?;
        let at = match bitmap.place {
            BitmapPlace::Disk(fsblk) => Some(fsblk.get()),
            BitmapPlace::Uninit => None,
        };
        truth.add(at, bitmap.bytes(), bitmap.bits().len());
    }
    Ok(truth.finish())
}

/// Corrects the descriptor of a group whose block bitmap is written.
fn write_desc(
    file: &File,
    filesystem: &Filesystem<FileSource>,
    group: Group,
    free: u32,
    bitmap: &[u8],
) -> Result<()> {
    let geometry = filesystem.geometry();
    let per_block = geometry.desc_per_block().get();
    let index = u64::from(group.get() / per_block);
    let block = filesystem.layout().desc_fsblk(index, filesystem.superblock_at());
    let in_block = u64::from(group.get() % per_block) * u64::from(geometry.desc_size());
    let offset = block.get() * u64::from(geometry.block_size()) + in_block;
    let mut bytes = vec![0; geometry.desc_size() as usize];
    file.read_exact_at(&mut bytes, offset)?;

    let mut desc = RawGroupDesc::from_bytes(&bytes);
    let flags = BgFlags::from_bits_retain(desc.bg_flags.get()) - BgFlags::BLOCK_UNINIT;
    desc.bg_flags.set(flags.bits());
    desc.bg_free_blocks_count_lo.set(free as u16);
    desc.bg_free_blocks_count_hi.set((free >> 16) as u16);
    if let Some(csum) = filesystem.bitmap_csum(BitmapKind::Block, bitmap) {
        desc.bg_block_bitmap_csum_lo.set(csum as u16);
        desc.bg_block_bitmap_csum_hi.set((csum >> 16) as u16);
    }
    let meant = bytes.len().min(desc.as_bytes().len());
    bytes[..meant].copy_from_slice(&desc.as_bytes()[..meant]);
    if let Some(csum) = filesystem.csum().group_desc(group, &bytes) {
        desc.bg_checksum.set(csum);
        bytes[..meant].copy_from_slice(&desc.as_bytes()[..meant]);
    }
    file.write_all_at(&bytes, offset)
}
