//! Pass 1: the fields of an inode, in e2fsck's order.

use super::blocks::{self, full_size};
use super::context::Context;
use super::dirs::DirInfo;
use super::extent_node::verify_root;
use super::finding::Problem;
use super::inline_data;
use super::inode_kind::{
    has_valid_blocks, is_fast_symlink, is_really_dir, is_sound_device, is_sound_symlink,
};
use super::pass1::Shared;
use super::problem::{
    PR_1_CASEFOLD_FEATURE, PR_1_CASEFOLD_NONDIR, PR_1_CORRUPT_ENCRYPTION_XATTR,
    PR_1_EA_TIME_OUT_OF_RANGE, PR_1_EXTENT_FEATURE, PR_1_EXTENTS_SET, PR_1_EXTRA_ISIZE,
    PR_1_FAST_SYMLINK_EXTENT_FL, PR_1_INODE_IS_GARBAGE, PR_1_INODE_ONLY_CSUM_INVALID,
    PR_1_LOW_DTIME, PR_1_MISSING_ENCRYPTION_XATTR, PR_1_ORPHAN_LIST_REFUGEES, PR_1_SET_DTIME,
    PR_1_SET_IMAGIC, PR_1_SET_IMMUTABLE, PR_1_SET_NONZSIZE, PR_1_SPECIAL_EXTENTS_IDATA,
    PR_1_TREAT_AS_DIRECTORY, PR_1_UNSET_EXTENT_FL, PR_1_ZERO_DTIME,
};
use super::reserved_inode;
use super::scan::Scanned;
use super::sink::Flow;
use super::steps::{CheckStep, InodeUse};
use super::xattr_block::{self, ValueInodes};
use crate::bitmap::BitsMut as _;
use crate::fs::Inode;
use crate::io::ByteSource;
use crate::ondisk::features::{Compat, Incompat, RoCompat};
use crate::ondisk::{FileType, InodeFlags};

/// What becomes of an inode.
pub(super) enum Next {
    /// All is done.
    Done,
    /// Its blocks are walked over later, with the inodes of its attributes' values.
    Defer(ValueInodes),
}

/// A clock past this is not asked about times past 2310. Ref: `EXT4_EXTRA_NEGATIVE_DATE_CUTOFF`.
const EXTRA_CUTOFF: u64 = 2 << 32;

/// Checks an inode. Ref: the loop of `e2fsck_pass1`.
pub(super) fn check<S: ByteSource>(
    ctx: &mut Context<S>,
    shared: &mut Shared,
    one: &Scanned,
) -> Flow<Next> {
    let next = check_fields(ctx, shared, one)?;
    if next.1 && (one.fails_csum || one.is_insane && has_csums(ctx)) {
        ctx.sink.tell(Problem::new(PR_1_INODE_ONLY_CSUM_INVALID).ino(one.inode.ino))?;
    }
    Ok(next.0)
}

fn has_csums<S: ByteSource>(ctx: &Context<S>) -> bool {
    ctx.has_ro_compat(RoCompat::METADATA_CSUM)
}

/// What becomes of it, and whether its checksum is still to be told of.
fn check_fields<S: ByteSource>(
    ctx: &mut Context<S>,
    shared: &mut Shared,
    one: &Scanned,
) -> Flow<(Next, bool)> {
    let inode = &one.inode;
    let (ino, links) = (inode.ino, inode.raw.i_links_count.get());
    if links > 0 {
        ctx.maps.links.set(ino.get(), u32::from(links));
    }
    if one.is_insane && links > 0 {
        ctx.sink.tell(Problem::new(PR_1_INODE_IS_GARBAGE).ino(ino))?;
    }
    check_orphan(ctx, shared, inode)?;
    let is_reserved = ino.get() < ctx.first_ino() || ctx.is_quota_reserved(ino);
    let is_special = is_reserved || ctx.is_orphan_file(ino);
    if links == 0 && !is_special {
        if inode.raw.i_dtime.get() == 0 && inode.raw.i_mode.get() != 0 {
            ctx.sink.tell(Problem::new(PR_1_ZERO_DTIME).ino(ino))?;
        }
        return Ok((Next::Done, true));
    }
    check_flags(ctx, one)?;
    if let Some(tells_csum) = reserved_inode::check(ctx, shared, one)? {
        return Ok((Next::Done, tells_csum));
    }
    if links == 0 {
        return Ok((Next::Done, true));
    }
    if ino.get() != 2 && inode.raw.i_dtime.get() != 0 {
        ctx.sink.tell(Problem::new(PR_1_SET_DTIME).ino(ino).found(inode.raw.i_dtime.get()))?;
    }
    ctx.mark_inode(ino);
    if has_bad_fields(ctx, inode) {
        ctx.maps.inode_bad.insert(ino.get());
    }
    if inode.flags().contains(InodeFlags::IMAGIC) {
        if ctx.has_compat(Compat::IMAGIC_INODES) {
            ctx.maps.inode_imagic.insert(ino.get());
        } else {
            ctx.sink.tell(Problem::new(PR_1_SET_IMAGIC).ino(ino))?;
        }
    }
    let values = check_extra_space(ctx, inode)?;
    if is_really_dir(ctx, inode) {
        ctx.sink.tell(Problem::new(PR_1_TREAT_AS_DIRECTORY).ino(ino))?;
    }
    let is_link = inode.file_type() == Some(FileType::Symlink);
    if is_link && inode.flags().contains(InodeFlags::EXTENTS) && !has_valid_blocks(inode) {
        ctx.sink.tell(Problem::new(PR_1_FAST_SYMLINK_EXTENT_FL).ino(ino))?;
    }
    check_encryption(ctx, shared, inode)?;
    dispatch(ctx, shared, one, values)
}

/// An inode whose time of deletion is the number of an inode was on the orphan list.
fn check_orphan<S: ByteSource>(ctx: &mut Context<S>, shared: &mut Shared, inode: &Inode) -> Flow {
    let dtime = inode.raw.i_dtime.get();
    if dtime == 0 || shared.has_busted_times || dtime >= ctx.geometry().inodes_count() {
        return Ok(());
    }
    if !core::mem::replace(&mut shared.told_refugees, true) {
        ctx.sink.tell_code(PR_1_ORPHAN_LIST_REFUGEES)?;
    }
    ctx.sink.tell(Problem::new(PR_1_LOW_DTIME).ino(inode.ino).found(dtime))
}

/// Flags that contradict the features or one another.
fn check_flags<S: ByteSource>(ctx: &mut Context<S>, one: &Scanned) -> Flow {
    let inode = &one.inode;
    let flags = inode.flags();
    let problem = |code| Problem::new(code).ino(inode.ino);
    if flags.contains(InodeFlags::CASEFOLD) {
        if !inode.is_dir() {
            ctx.sink.tell(problem(PR_1_CASEFOLD_NONDIR))?;
        }
        if !ctx.has_incompat(Incompat::CASEFOLD) {
            ctx.sink.tell(problem(PR_1_CASEFOLD_FEATURE))?;
        }
    }
    inline_data::check(ctx, inode)?;
    let has_extents = ctx.has_incompat(Incompat::EXTENTS);
    let is_tree = verify_root(&inode.raw.i_block);
    if flags.contains(InodeFlags::EXTENTS) && !has_extents {
        if is_tree {
            ctx.sink.tell(problem(PR_1_EXTENT_FEATURE))?;
        }
        ctx.sink.tell(problem(PR_1_EXTENTS_SET))?;
    }
    let is_mapped = matches!(inode.file_type(), Some(FileType::RegFile | FileType::Dir));
    if has_extents && !flags.contains(InodeFlags::EXTENTS) && is_mapped && is_tree {
        ctx.sink.tell(problem(PR_1_UNSET_EXTENT_FL))?;
    }
    Ok(())
}

/// Fields that are told of in pass 2 or 4, with the inode's name.
fn has_bad_fields<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> bool {
    let raw = &inode.raw;
    let is_linux = ctx.superblock().s_creator_os.get() == 0;
    let has_high_size =
        inode.is_dir() && raw.i_size_high.get() != 0 && !ctx.has_incompat(Incompat::LARGEDIR);
    raw.i_obso_faddr.get() != 0
        || has_high_size
        || is_linux
            && (!ctx.has_incompat(Incompat::BIT64) && raw.l_i_file_acl_high.get() != 0
                || !ctx.has_ro_compat(RoCompat::HUGE_FILE) && raw.l_i_blocks_high.get() != 0)
}

/// What lies past the first 128 bytes. Ref: `check_inode_extra_space`.
fn check_extra_space<S: ByteSource>(ctx: &mut Context<S>, inode: &Inode) -> Flow<ValueInodes> {
    let room = ctx.geometry().inode_size().saturating_sub(128);
    if room == 0 {
        return Ok(ValueInodes::default());
    }
    let extra = u32::from(inode.raw.i_extra_isize.get());
    if extra != 0 && (extra < 4 || extra > room || extra % 4 != 0) {
        ctx.sink.tell(Problem::new(PR_1_EXTRA_ISIZE).ino(inode.ino).found(extra))?;
        return Ok(ValueInodes::default());
    }
    if extra >= room - 4 {
        return Ok(ValueInodes::default());
    }
    let values = xattr_block::check_inside(ctx, inode)?;
    let raw = &inode.raw;
    let times = [
        (raw.i_atime, raw.i_atime_extra, 0x90),
        (raw.i_ctime, raw.i_ctime_extra, 0x88),
        (raw.i_crtime, raw.i_crtime_extra, 0x98),
        (raw.i_mtime, raw.i_mtime_extra, 0x8c),
    ];
    // Before 1970 by its sign, and after 2310 by the bits above.
    let is_old_format = times
        .iter()
        .any(|(time, more, end)| raw.covers(*end) && time.get() >> 31 == 1 && more.get() & 3 == 3);
    if is_old_format && ctx.now.is_some_and(|now| now < EXTRA_CUTOFF) {
        ctx.sink.tell(Problem::new(PR_1_EA_TIME_OUT_OF_RANGE).ino(inode.ino))?;
    }
    Ok(values)
}

/// Whether the policy of an encrypted inode is there, and notes which it is.
fn check_encryption<S: ByteSource>(
    ctx: &mut Context<S>,
    shared: &mut Shared,
    inode: &Inode,
) -> Flow {
    if !inode.flags().contains(InodeFlags::ENCRYPT) {
        return Ok(());
    }
    let Ok(policy) = xattr_block::encryption(ctx, inode) else {
        return ctx.sink.tell(Problem::new(PR_1_MISSING_ENCRYPTION_XATTR).ino(inode.ino));
    };
    let (len, policy_len) = match policy.first() {
        Some(1) => (28, 12),
        Some(2) => (40, 24),
        Some(0) | None => (usize::MAX, 0),
        Some(_) => (policy.len(), policy.len()),
    };
    if policy.len() != len {
        ctx.maps.encrypted.insert(inode.ino.get(), u32::MAX);
        return ctx.sink.tell(Problem::new(PR_1_CORRUPT_ENCRYPTION_XATTR).ino(inode.ino));
    }
    // The rest is a nonce of the inode's own.
    let policy = policy.get(..policy_len).unwrap_or_default();
    let known = shared.policies.iter().position(|known| known == policy);
    let id = known.unwrap_or_else(|| {
        shared.policies.push(policy.to_vec());
        shared.policies.len() - 1
    });
    ctx.maps.encrypted.insert(inode.ino.get(), u32::try_from(id).unwrap_or(u32::MAX));
    Ok(())
}

/// What the mode says, and the walk over the blocks.
fn dispatch<S: ByteSource>(
    ctx: &mut Context<S>,
    shared: &mut Shared,
    one: &Scanned,
    values: ValueInodes,
) -> Flow<(Next, bool)> {
    let inode = &one.inode;
    let ino = u64::from(inode.ino.get());
    let is_sound = match inode.file_type() {
        Some(FileType::Dir) => {
            ctx.maps.inode_dir.mark(ino);
            note_kind(ctx, inode, InodeUse::Dir);
            let info = DirInfo::of(&ctx.fs, inode, one.fails_csum);
            ctx.maps.dirs.insert(inode.ino.get(), info);
            if inode.flags().contains(InodeFlags::CASEFOLD) {
                ctx.maps.casefold.insert(inode.ino.get());
            }
            true
        }
        Some(FileType::RegFile) => {
            ctx.maps.inode_reg.mark(ino);
            note_kind(ctx, inode, InodeUse::Reg);
            true
        }
        Some(FileType::Symlink) if is_sound_symlink(ctx, inode) => {
            check_locked(ctx, inode)?;
            if inode.flags().contains(InodeFlags::INLINE_DATA) {
                return Ok((Next::Done, true));
            }
            if is_fast_symlink(inode) {
                let xattrs = &mut shared.xattrs;
                blocks::check(ctx, xattrs, inode, values, one.fails_csum)?;
                return Ok((Next::Done, true));
            }
            true
        }
        Some(FileType::Symlink) | None => false,
        Some(_) if is_sound_device(inode) => {
            if inode.flags().intersects(InodeFlags::EXTENTS | InodeFlags::INLINE_DATA) {
                ctx.sink.tell(Problem::new(PR_1_SPECIAL_EXTENTS_IDATA).ino(inode.ino))?;
            }
            check_locked(ctx, inode)?;
            if full_size(inode) != 0 {
                let problem = Problem::new(PR_1_SET_NONZSIZE).ino(inode.ino);
                ctx.sink.tell(problem.found(full_size(inode)))?;
            }
            true
        }
        Some(_) => false,
    };
    if !is_sound {
        ctx.maps.inode_bad.insert(inode.ino.get());
    }
    let has_kind = inode.flags().intersects(InodeFlags::EXTENTS | InodeFlags::INLINE_DATA);
    let has_indirect = inode.raw.block_numbers().skip(12).any(|number| number != 0);
    if !has_kind && (has_indirect || xattr_block::file_acl(ctx, inode) != 0) {
        return Ok((Next::Defer(values), true));
    }
    blocks::check(ctx, &mut shared.xattrs, inode, values, one.fails_csum)?;
    Ok((Next::Done, true))
}

fn note_kind<S: ByteSource>(ctx: &mut Context<S>, inode: &Inode, kind: InodeUse) {
    ctx.sink.recorder.note(CheckStep::Kind { ino: inode.ino, kind });
}

/// A special file that is immutable or append-only.
fn check_locked<S: ByteSource>(ctx: &mut Context<S>, inode: &Inode) -> Flow {
    if inode.flags().intersects(InodeFlags::IMMUTABLE | InodeFlags::APPEND) {
        ctx.sink.tell(Problem::new(PR_1_SET_IMMUTABLE).ino(inode.ino))?;
    }
    Ok(())
}
