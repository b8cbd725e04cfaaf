//! A journal on a device of its own, as `e2fsck -j` looks at it. Ref: `e2fsck_get_journal`.

use super::context::Context;
use super::journal::Place;
use super::problem::{
    PR_0_CANT_FIND_JOURNAL, PR_0_EXT_JOURNAL_BAD_SUPER, PR_0_EXT_JOURNAL_SUPER_CSUM_INVALID,
    PR_0_JOURNAL_BAD_UUID,
};
use super::sink::Flow;
use crate::io::ByteSource;
use crate::ondisk::csum::superblock_csum;
use crate::ondisk::features::Incompat;
use crate::ondisk::{SUPER_MAGIC, SUPERBLOCK_BYTES, SUPERBLOCK_OFFSET, Superblock};

/// Finds the journal on the device with this UUID; `None` where there is no way on, which is told.
pub(super) fn find<S: ByteSource>(ctx: &mut Context<S>, uuid: [u8; 16]) -> Flow<Option<Place>> {
    let Some(device) = &ctx.journal_device else {
        ctx.sink.tell_code(PR_0_CANT_FIND_JOURNAL)?;
        return Ok(None);
    };
    let mut bytes = [0; SUPERBLOCK_BYTES];
    if device.read_at(SUPERBLOCK_OFFSET, &mut bytes).is_err() {
        ctx.sink.give_up(None)?;
        return Ok(None);
    }
    let is_journal = |superblock: &Superblock| {
        let incompat = superblock.features().incompat;
        superblock.s_magic.get() == SUPER_MAGIC && incompat.contains(Incompat::JOURNAL_DEV)
    };
    let Some(superblock) = Superblock::from_prefix(&bytes).filter(is_journal) else {
        ctx.sink.tell_code(PR_0_EXT_JOURNAL_BAD_SUPER)?;
        return Ok(None);
    };
    if superblock.s_uuid != uuid {
        ctx.sink.tell_code(PR_0_JOURNAL_BAD_UUID)?;
        return Ok(None);
    }
    if superblock_csum(&superblock).is_some_and(|due| due != superblock.s_checksum.get()) {
        ctx.sink.tell_code(PR_0_EXT_JOURNAL_SUPER_CSUM_INVALID)?;
    }
    Ok(Some(Place { start: None, blocks: superblock.blocks_count() }))
}

/// The block of the device with the journal's superblock: the one behind its ext superblock, in
/// blocks as large as the filesystem's. Ref: `ext2fs_journal_sb_start`.
pub(super) fn superblock_block<S: ByteSource>(ctx: &Context<S>) -> Option<Vec<u8>> {
    let device = ctx.journal_device.as_ref()?;
    let block_size = u64::from(ctx.geometry().block_size());
    let at = SUPERBLOCK_OFFSET.checked_div(block_size)?.checked_add(1)?.checked_mul(block_size)?;
    let mut bytes = vec![0; usize::try_from(block_size).ok()?];
    device.read_at(at, &mut bytes).ok().map(|()| bytes)
}
