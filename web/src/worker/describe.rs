//! The engine's answers in the protocol's words.

use extscope::Error;
use extscope::analysis::Inventory;
use extscope::fs::{self, Filesystem};
use extscope::io::{ByteSource, ReadKind};
use extscope::report::{self, BlockReport, MinimumReport, StructureReport};
use extscope::resize::{self, Frame};
use extscope::units::{Fsblk, Group};

use crate::protocol::{Backup, BlockDetail, GroupColumns, GroupRow, SuperblockChoice};

/// All group descriptors.
pub(super) fn groups<S: ByteSource>(filesystem: &Filesystem<S>) -> GroupColumns {
    GroupColumns::from_rows(filesystem.groups().iter().map(|(_, entry)| GroupRow::from(entry)))
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
