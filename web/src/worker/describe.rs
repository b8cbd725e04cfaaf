//! The engine's answers in the protocol's words.

use extscope::Error;
use extscope::analysis::Inventory;
use extscope::bitmap::Bits;
use extscope::fs::{self, BitmapKind, BitmapPlace, Filesystem};
use extscope::io::{ByteSource, ReadKind};
use extscope::report::{self, BlockReport, GroupReport, MinimumReport, StructureReport};
use extscope::resize::{self, Frame};
use extscope::units::{Fsblk, Group};

use crate::protocol::{
    Backup, BitmapDetail, BitmapOrigin, BlockDetail, GroupColumns, GroupDetail, GroupRow,
    SuperblockChoice,
};

/// All group descriptors.
pub(super) fn groups<S: ByteSource>(filesystem: &Filesystem<S>) -> GroupColumns {
    GroupColumns::from_rows(filesystem.groups().iter().map(|(_, entry)| GroupRow::from(entry)))
}

/// Everything about one group, or `None` past the last.
pub(super) fn group<S: ByteSource>(
    filesystem: &Filesystem<S>,
    group: Group,
) -> Option<GroupDetail> {
    let report = GroupReport::new(filesystem, group)?;
    let descriptor = filesystem.group(group).map(|entry| report::descriptor_fields(&entry.desc));
    Some(GroupDetail {
        group,
        descriptor: descriptor.unwrap_or_default(),
        block_bitmap: bitmap(filesystem, BitmapKind::Block, group),
        inode_bitmap: bitmap(filesystem, BitmapKind::Inode, group),
        report,
    })
}

fn bitmap<S: ByteSource>(
    filesystem: &Filesystem<S>,
    kind: BitmapKind,
    group: Group,
) -> Result<BitmapDetail, Error> {
    let desc = &filesystem.group(group)?.desc;
    let (fsblk, csum) = match kind {
        BitmapKind::Block => (desc.block_bitmap, desc.block_bitmap_csum),
        BitmapKind::Inode => (desc.inode_bitmap, desc.inode_bitmap_csum),
    };
    let bitmap = filesystem.bitmap(kind, group)?;
    Ok(BitmapDetail {
        fsblk,
        origin: match bitmap.place {
            BitmapPlace::Disk(_) => BitmapOrigin::Read,
            BitmapPlace::Uninit => BitmapOrigin::Synthesised,
        },
        csum: bitmap.csum,
        csum_stored: bitmap.computed_csum.map(|_| csum),
        csum_expected: bitmap.computed_csum,
        // A bitmap has at most as many bits as a block of 64 KiB.
        bits: u32::try_from(bitmap.bits().len()).unwrap_or(0),
        bytes: bitmap.bytes().to_vec(),
    })
}

/// A backup superblock.
pub(super) fn backup(backup: &fs::Backup) -> Backup {
    let superblock = &backup.superblock;
    Backup {
        at: SuperblockChoice { superblock: backup.fsblk, block_size: backup.block_size },
        group: Group::new(superblock.s_block_group_nr.get().into()),
        volume_name: report::padded_text(&superblock.s_volume_name),
        uuid: report::uuid(superblock.s_uuid),
        blocks_count: superblock.blocks_count(),
        written: report::time(superblock.wtime()),
        csum: backup.csum,
        is_plausible: backup.is_plausible,
    }
}

/// The smallest size that resize2fs estimates; no bitmap is read for it.
///
/// # Errors
/// Those of [`Frame::of`].
pub(super) fn minimum<S: ByteSource>(filesystem: &Filesystem<S>) -> Result<MinimumReport, Error> {
    Ok(MinimumReport::new(filesystem, &resize::minimum(&Frame::of(filesystem)?)))
}

/// A block, what it holds, and whose it is, where the survey told.
///
/// # Errors
/// Those of reading the block.
pub(super) fn block<S: ByteSource>(
    filesystem: &Filesystem<S>,
    inventory: Option<&Inventory>,
    fsblk: Fsblk,
) -> Result<BlockDetail, Error> {
    let owner = inventory.map(|it| BlockReport::new(&it.map, &it.names, fsblk));
    Ok(BlockDetail {
        structure: StructureReport::new(filesystem, fsblk)?,
        owner: owner.transpose()?,
        bytes: filesystem.block(ReadKind::Data, fsblk)?,
    })
}
