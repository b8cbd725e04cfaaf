//! A small filesystem made in memory.

use std::rc::Rc;

use extscope::ondisk::{RawGroupDesc, SUPER_MAGIC, SUPERBLOCK_BYTES, Superblock};
use zerocopy::IntoBytes;

/// Bytes of a block.
const BLOCK: usize = 1024;

/// Block of a group's block bitmap; the inode bitmap follows it, then the inode table.
const BITMAP: usize = 4;

/// `groups` groups of 8192 blocks of 1 KiB, each with the first `10 + group` blocks in use.
pub(super) fn image(groups: u32) -> Rc<Vec<u8>> {
    let blocks = groups as usize * 8192 + 1;
    let mut bytes = vec![0; blocks * BLOCK];
    let mut superblock = Superblock::from_prefix(&[0; SUPERBLOCK_BYTES]).expect("long enough");
    superblock.s_magic.set(SUPER_MAGIC);
    superblock.s_rev_level.set(1);
    superblock.s_blocks_count_lo.set(blocks as u32);
    superblock.s_first_data_block.set(1);
    superblock.s_blocks_per_group.set(8192);
    superblock.s_clusters_per_group.set(8192);
    superblock.s_inodes_per_group.set(16);
    superblock.s_inodes_count.set(16 * groups);
    superblock.s_inode_size.set(128);
    superblock.s_volume_name[..4].copy_from_slice(b"test");
    bytes[BLOCK..][..SUPERBLOCK_BYTES].copy_from_slice(superblock.as_bytes());
    for group in 0..groups as usize {
        let bitmap = 1 + group * 8192 + BITMAP;
        let mut desc = RawGroupDesc::from_bytes(&[]);
        desc.bg_block_bitmap_lo.set(bitmap as u32);
        desc.bg_inode_bitmap_lo.set(bitmap as u32 + 1);
        desc.bg_inode_table_lo.set(bitmap as u32 + 2);
        desc.bg_free_blocks_count_lo.set(8192 - 10 - group as u16);
        bytes[2 * BLOCK + group * 32..][..32].copy_from_slice(&desc.as_bytes()[..32]);
        for bit in 0..10 + group {
            bytes[bitmap * BLOCK + bit / 8] |= 1 << (bit % 8);
        }
    }
    Rc::new(bytes)
}
