//! What lies where it does whatever files there are.

use core::ops::Range;

use super::class::{BlockClass, Owner};
use crate::error::Error;
use crate::fs::Filesystem;
use crate::io::ByteSource;
use crate::units::{Fsblk, Group};

/// Blocks and whose they are.
pub(super) type Fixed = (Range<u64>, Owner);

/// What belongs to no group: the boot block and the MMP block.
pub(super) fn of_no_group<S: ByteSource>(
    fs: &Filesystem<S>,
) -> impl Iterator<Item = Fixed> + use<S> {
    let superblock = fs.layout().super_block_of(Group::new(0)).get();
    let mmp = fs.superblock().s_mmp_block.get();
    let boot = (0..superblock, Owner::nobody(BlockClass::Boot));
    let mmp = (mmp != 0).then(|| (one(Fsblk::new(mmp)), Owner::nobody(BlockClass::Mmp)));
    core::iter::once(boot).chain(mmp)
}

/// What a group has, and why the rest of it is not known, when its descriptor cannot be read.
/// Reserved GDT blocks may be the resize inode's as well.
pub(super) fn of_group<S: ByteSource>(
    fs: &Filesystem<S>,
    group: Group,
) -> (impl Iterator<Item = Fixed> + use<S>, Option<Error>) {
    let base = fs.layout().group_base(group);
    let owner = move |class| Owner::of_group(class, group);
    let blocks = |range: Range<Fsblk>| range.start.get()..range.end.get();
    let superblock = base.superblock.map(|fsblk| (one(fsblk), owner(BlockClass::Superblock)));
    let gdt = (blocks(base.gdt), owner(BlockClass::Gdt));
    let reserved_gdt = (blocks(base.reserved_gdt), owner(BlockClass::ReservedGdt));
    let itable_blocks = fs.geometry().itable_blocks();
    let (described, error) = match fs.group(group) {
        Ok(entry) => {
            let itable = entry.desc.inode_table.get();
            let described = [
                (one(entry.desc.block_bitmap), owner(BlockClass::BlockBitmap)),
                (one(entry.desc.inode_bitmap), owner(BlockClass::InodeBitmap)),
                (itable..itable.saturating_add(itable_blocks), owner(BlockClass::Itable)),
            ];
            (Some(described), None)
        }
        Err(error) => (None, Some(error)),
    };
    let fixed = superblock.into_iter().chain([gdt, reserved_gdt]);
    (fixed.chain(described.into_iter().flatten()), error)
}

fn one(fsblk: Fsblk) -> Range<u64> {
    fsblk.get()..fsblk.get().saturating_add(1)
}
