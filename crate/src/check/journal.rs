//! The journal's inode, or the device that holds it, and its superblock, before pass 0. Nothing is
//! replayed: the rest of the check looks at what it was given.

use zerocopy::FromBytes;

use super::context::Context;
use super::finding::Problem;
use super::journal_device;
use super::problem::{
    Code, PR_0_CLEAR_V2_JOURNAL, PR_0_JOURNAL_BAD_INODE, PR_0_JOURNAL_BAD_SUPER,
    PR_0_JOURNAL_HAS_JOURNAL, PR_0_JOURNAL_RECOVER_SET, PR_0_JOURNAL_RECOVERY_CLEAR,
    PR_0_JOURNAL_RESET_JOURNAL, PR_0_JOURNAL_RUN, PR_0_JOURNAL_RUN_DEFAULT,
    PR_0_JOURNAL_UNSUPP_INCOMPAT, PR_0_JOURNAL_UNSUPP_MULTIFS, PR_0_JOURNAL_UNSUPP_ROCOMPAT,
    PR_0_JOURNAL_UNSUPP_VERSION,
};
use super::sink::Flow;
use crate::fs::journal::{JournalRefusal, MIN_BLOCKS};
use crate::fs::{Inode, MapItem};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::features::{Compat, Incompat};
use crate::ondisk::jbd2::{JBD2_MAGIC, JournalSuperblock, blocktype};
use crate::ondisk::{FileType, InodeFlags};
use crate::units::{Fsblk, Ino};

/// Where the journal is.
pub(super) struct Place {
    /// Its block 0; `None` on a device of its own.
    pub(super) start: Option<Fsblk>,
    /// Its length.
    pub(super) blocks: u64,
}

/// What is wrong with a journal's superblock.
enum Fault {
    /// It is none.
    NoMagic,
    /// It contradicts itself.
    Corrupt,
    /// Question to ask before that.
    Unsupported(Code),
}

/// Looks at the journal; what is wrong with it ends e2fsck.
pub(super) fn check<S: ByteSource>(ctx: &mut Context<S>) -> Flow {
    let has_journal = ctx.has_compat(Compat::HAS_JOURNAL);
    let recover = ctx.has_incompat(Incompat::RECOVER);
    let superblock = ctx.superblock();
    let (inum, uuid) = (superblock.s_journal_inum.get(), superblock.s_journal_uuid);
    if !has_journal
        && !recover
        && inum == 0
        && superblock.s_journal_dev.get() == 0
        && uuid == [0; 16]
    {
        return Ok(());
    }
    let place = if uuid == [0; 16] {
        let Some(place) = find(ctx, inum) else {
            if !has_journal && !recover && inum == 0 {
                return Ok(());
            }
            tell_bad_inode(ctx, inum)?;
            return ctx.sink.give_up(None);
        };
        place
    } else {
        let Some(place) = journal_device::find(ctx, uuid)? else { return Ok(()) };
        place
    };
    let Some(journal) = superblock_of(ctx, &place) else {
        tell_bad_inode(ctx, inum)?;
        return ctx.sink.give_up(None);
    };
    if let Err(fault) = load(ctx, &journal, &place)? {
        match fault {
            Fault::NoMagic => tell_bad_inode(ctx, inum)?,
            Fault::Corrupt => {}
            Fault::Unsupported(code) => ctx.sink.tell_code(code)?,
        }
        if has_journal {
            let problem = Problem::new(PR_0_JOURNAL_BAD_SUPER);
            ctx.sink.tell(match place.start {
                Some(start) => problem.block(start.get()),
                None => problem,
            })?;
        } else {
            tell_bad_inode(ctx, inum)?;
        }
        return ctx.sink.give_up(None);
    }
    if !has_journal {
        let problem = Problem::new(PR_0_JOURNAL_HAS_JOURNAL);
        ctx.sink.tell(match place.start {
            Some(_) => problem.ino(Ino::new(inum)),
            None => problem,
        })?;
    }
    // A replay in memory leaves a device with a journal as it is.
    let is_replayed = ctx.is_replayed && place.start.is_none();
    if has_journal && !recover && !is_replayed && journal.s_start.get() != 0 {
        ctx.sink.tell_code(PR_0_JOURNAL_RECOVERY_CLEAR)?;
        let run = if ctx.used_backup { PR_0_JOURNAL_RUN_DEFAULT } else { PR_0_JOURNAL_RUN };
        ctx.sink.tell_code(run)?;
        ctx.sink.tell_code(PR_0_JOURNAL_RESET_JOURNAL)?;
    }
    ctx.skipped_journal = recover;
    Ok(())
}

/// The journal's superblock; `None` where it cannot be read.
fn superblock_of<S: ByteSource>(ctx: &Context<S>, place: &Place) -> Option<JournalSuperblock> {
    let bytes = match place.start {
        Some(start) => ctx.fs.block(ReadKind::Journal, start).ok()?,
        None => journal_device::superblock_block(ctx)?,
    };
    JournalSuperblock::read_from_prefix(&bytes).ok().map(|(superblock, _)| superblock)
}

fn tell_bad_inode<S: ByteSource>(ctx: &mut Context<S>, inum: u32) -> Flow {
    if ctx.has_compat(Compat::HAS_JOURNAL) || inum != 0 {
        ctx.sink.tell(Problem::new(PR_0_JOURNAL_BAD_INODE).ino(Ino::new(inum)))
    } else {
        ctx.sink.tell_code(PR_0_JOURNAL_RECOVER_SET)
    }
}

/// Finds the journal by its inode, else by the copy of that in the superblock.
fn find<S: ByteSource>(ctx: &Context<S>, inum: u32) -> Option<Place> {
    let inode = ctx.fs.inode(Ino::new(inum)).ok()?;
    place_of(ctx, &inode).or_else(|| place_of(ctx, &from_superblock(ctx, inode)?))
}

/// The inode with what `s_jnl_blocks` says in place of its own. Ref: `EXT3_JNL_BACKUP_BLOCKS`.
fn from_superblock<S: ByteSource>(ctx: &Context<S>, mut inode: Inode) -> Option<Inode> {
    let superblock = ctx.superblock();
    if superblock.s_jnl_backup_type != 1 {
        return None;
    }
    let (blocks, sizes) = superblock.s_jnl_blocks.split_at_checked(15)?;
    for (to, from) in inode.raw.i_block.chunks_exact_mut(4).zip(blocks) {
        to.copy_from_slice(&from.get().to_le_bytes());
    }
    let (high, low) = (sizes.first()?, sizes.get(1)?);
    inode.raw.i_size_high.set(high.get());
    inode.raw.i_size_lo.set(low.get());
    inode.raw.i_links_count.set(1);
    inode.raw.i_mode.set(0o100_600);
    Some(inode)
}

/// Where the journal of an inode is, when it can be one.
fn place_of<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> Option<Place> {
    let block_size = u64::from(ctx.geometry().block_size());
    let (size, raw) = (inode.raw.size(), &inode.raw);
    if raw.i_links_count.get() == 0
        || inode.file_type() != Some(FileType::RegFile)
        || inode.flags().contains(InodeFlags::ENCRYPT)
        || size / block_size < MIN_BLOCKS
    {
        return None;
    }
    let is_broken_by_holes = !inode.flags().contains(InodeFlags::EXTENTS);
    let mut start = None;
    let mut end = 0;
    for item in ctx.fs.map_items(inode) {
        match item {
            Ok(MapItem::Node(node)) if ctx.is_illegal(node.fsblk.get()) => break,
            // A journal has no holes.
            Ok(MapItem::Mapping(run)) if is_broken_by_holes && u64::from(run.lblk.get()) > end => {
                break;
            }
            Ok(MapItem::Mapping(run)) => {
                if run.lblk.get() == 0 {
                    start = Some(run.fsblk);
                }
                let room = ctx.geometry().blocks_count().saturating_sub(run.fsblk.get());
                let good = if ctx.is_illegal(run.fsblk.get()) { 0 } else { room };
                end = u64::from(run.lblk.get()) + good.min(u64::from(run.len));
                if good < u64::from(run.len) {
                    break;
                }
            }
            Ok(MapItem::Node(_)) => {}
            // What is behind its end in a block map is nobody's business.
            Err(_) if is_broken_by_holes => break,
            Err(_) => return None,
        }
    }
    let is_long_enough = end.saturating_mul(block_size) >= size;
    is_long_enough.then_some(Place { start: Some(start?), blocks: size / block_size })
}

/// Looks at the journal's superblock. Ref: `e2fsck_journal_load`.
fn load<S: ByteSource>(
    ctx: &mut Context<S>,
    journal: &JournalSuperblock,
    place: &Place,
) -> Flow<Result<(), Fault>> {
    if journal.s_header.h_magic.get() != JBD2_MAGIC {
        return Ok(Err(Fault::NoMagic));
    }
    let users = journal.s_nr_users.get();
    match journal.s_header.h_blocktype.get() {
        blocktype::SUPERBLOCK_V1 => {
            let is_set = journal.s_feature_compat.get()
                | journal.s_feature_incompat.get()
                | journal.s_feature_ro_compat.get()
                | users;
            if is_set != 0 {
                ctx.sink.tell_code(PR_0_CLEAR_V2_JOURNAL)?;
            }
        }
        blocktype::SUPERBLOCK_V2 if users > 1 => {
            // A device may be there for several; nothing could be cleared in it.
            if place.start.is_some() {
                ctx.sink.tell_code(PR_0_CLEAR_V2_JOURNAL)?;
            }
            ctx.sink.tell(Problem::new(PR_0_JOURNAL_UNSUPP_MULTIFS).found(users))?;
            return Ok(Err(Fault::Unsupported(PR_0_JOURNAL_UNSUPP_VERSION)));
        }
        blocktype::SUPERBLOCK_V2 => {}
        blocktype::DESCRIPTOR | blocktype::COMMIT | blocktype::REVOKE => {
            return Ok(Err(Fault::Corrupt));
        }
        _ => return Ok(Err(Fault::Unsupported(PR_0_JOURNAL_UNSUPP_VERSION))),
    }
    Ok(match JournalRefusal::of(journal, place.blocks, ctx.geometry().block_size()) {
        None => Ok(()),
        Some(JournalRefusal::Incompat(_)) => Err(Fault::Unsupported(PR_0_JOURNAL_UNSUPP_INCOMPAT)),
        Some(JournalRefusal::RoCompat(_)) => Err(Fault::Unsupported(PR_0_JOURNAL_UNSUPP_ROCOMPAT)),
        Some(_) => Err(Fault::Corrupt),
    })
}
