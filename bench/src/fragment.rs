//! Fragments an image for measuring.

use std::fs::File;
use std::io::Result;
use std::os::unix::fs::FileExt;
use std::path::Path;

use extscope::bitmap::{Bitmap, Bits, BitsMut};
use extscope::fs::{BitmapKind, Filesystem, OpenOptions};
use extscope::io::FileSource;
use extscope::ondisk::csum::superblock_csum;
use extscope::ondisk::{BgFlags, RawGroupDesc};
use extscope::units::Group;
use zerocopy::IntoBytes;

use crate::fill::Random;

/// Fills the block bitmaps of an ext4 image with runs in turn used and free, of `mean` blocks on
/// average, and corrects descriptors, the superblock and all checksums.
///
/// The used blocks belong to no file: tools that look at bitmaps take the image for what it seems,
/// those that look at inodes find blocks without owners.
///
/// # Errors
/// The image cannot be opened, read or written.
pub fn fragment(image: &Path, mean: u64) -> Result<()> {
    let other = std::io::Error::other::<extscope::Error>;
    let file = File::options().read(true).write(true).open(image)?;
    let source = FileSource::open(image).map_err(other)?;
    let filesystem = Filesystem::open(source, OpenOptions::default()).map_err(other)?;
    let geometry = filesystem.geometry();
    let mut random = Random::new(mean);
    let mut free_blocks = 0;
    for group in (0..filesystem.groups().len()).map(Group::new) {
        let old = filesystem.bitmap(BitmapKind::Block, group).map_err(other)?;
        let len = old.bits().len();
        // Padding is set, as mke2fs leaves it.
        let mut block = Bitmap::new(u64::from(geometry.bits_per_block())).map_err(other)?;
        block.mark_range(len..u64::MAX);
        for run in old.bits().set_runs() {
            block.mark_range(run);
        }
        let mut at = random.geometric(mean);
        while at < len {
            let end = at + random.geometric(mean);
            block.mark_range(at..end);
            at = end + random.geometric(mean);
        }
        let free = block.len() - block.count();
        free_blocks += free;
        let place = filesystem.group(group).map_err(other)?.desc.block_bitmap;
        file.write_all_at(block.as_bytes(), place.get() * u64::from(geometry.block_size()))?;
        write_desc(&file, &filesystem, group, free as u32, block.as_bytes())?;
    }
    let mut superblock = filesystem.superblock().clone();
    superblock.s_free_blocks_count_lo.set(free_blocks as u32);
    superblock.s_free_blocks_count_hi.set((free_blocks >> 32) as u32);
    if let Some(csum) = superblock_csum(&superblock) {
        superblock.s_checksum.set(csum);
    }
    file.write_all_at(superblock.as_bytes(), filesystem.superblock_offset().get())
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
