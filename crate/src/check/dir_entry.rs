//! Pass 2: an entry of a directory.

use std::collections::HashSet;

use super::bad_inode;
use super::context::Context;
use super::finding::Problem;
use super::htree;
use super::problem::{
    Code, PR_2_1ST_NOT_DOT, PR_2_2ND_NOT_DOT_DOT, PR_2_BAD_ENCODED_NAME, PR_2_BAD_ENCRYPTED_NAME,
    PR_2_BAD_FILETYPE, PR_2_BAD_INO, PR_2_BAD_INODE_DOT, PR_2_BAD_NAME, PR_2_BB_INODE,
    PR_2_CLEAR_FILETYPE, PR_2_DOT_DOT_NULL_TERM, PR_2_DOT_NULL_TERM, PR_2_DUP_DOT,
    PR_2_DUP_DOT_DOT, PR_2_INCONSISTENT_ENCRYPTION_POLICY, PR_2_INOREF_BG_INO_UNINIT,
    PR_2_INOREF_IN_UNUSED, PR_2_LINK_DIR, PR_2_LINK_DOT, PR_2_LINK_ROOT, PR_2_MISSING_DOT,
    PR_2_MISSING_DOT_DOT, PR_2_NULL_NAME, PR_2_REPORT_DUP_DIRENT, PR_2_SPLIT_DOT,
    PR_2_UNENCRYPTED_FILE, PR_2_UNUSED_INODE,
};
use super::scan::fails_csum;
use super::sink::Flow;
use super::steps::CheckStep;
use crate::bitmap::Bits as _;
use crate::io::ByteSource;
use crate::ondisk::features::Incompat;
use crate::ondisk::{BgFlags, DirEntryHeader, FileType, reserved};
use crate::units::Ino;

/// Fewest bytes of an encrypted name. Ref: `EXT4_CRYPTO_BLOCK_SIZE`.
const CRYPTO_BLOCK: usize = 16;

/// A directory in which entries are looked at.
pub(super) struct Dir {
    pub(super) ino: Ino,
    /// Which policy its names are encrypted with.
    policy: Option<u32>,
    /// It holds only valid text.
    is_strict: bool,
}

impl Dir {
    pub(super) fn new<S: ByteSource>(ctx: &Context<S>, ino: Ino) -> Self {
        /// `s_encoding_flags`. Ref: `EXT4_ENC_STRICT_MODE_FL`.
        const STRICT: u16 = 1;
        let is_casefold = ctx.maps.casefold.contains(&ino.get());
        let is_strict = ctx.superblock().s_encoding_flags.get() & STRICT != 0;
        Self {
            ino,
            policy: ctx.maps.encrypted.get(&ino.get()).copied(),
            is_strict: is_casefold && is_strict,
        }
    }
}

/// Where an entry is.
pub(super) struct Slot {
    /// 0 for the first entry of the directory, 1 for the second, 2 for any other.
    pub(super) state: u8,
    pub(super) lblk: u32,
    pub(super) fsblk: u64,
}

/// Looks at an entry. Ref: the loop of `check_dir_block`.
#[expect(clippy::too_many_arguments, reason = "an entry, where it is, and the names before it")]
pub(super) fn check<S: ByteSource>(
    ctx: &mut Context<S>,
    dir: &Dir,
    slot: &Slot,
    header: &DirEntryHeader,
    rec_len: usize,
    name: &[u8],
    after: u8,
    names: &mut HashSet<Vec<u8>>,
) -> Flow {
    let target = header.inode.get();
    let problem = |code: Code| {
        let problem = Problem::new(code).dir(dir.ino).ino(Ino::new(target)).name(name);
        let problem = problem.lblk(u64::from(slot.lblk));
        if slot.fsblk == 0 { problem } else { problem.block(slot.fsblk) }
    };
    match slot.state {
        0 => check_dot(ctx, dir, target, rec_len, name, after, &problem)?,
        1 => check_dotdot(ctx, dir, target, name, after, &problem)?,
        _ if target == dir.ino.get() => ctx.sink.tell(problem(PR_2_LINK_DOT))?,
        _ => {}
    }
    if target == 0 {
        return Ok(());
    }
    let mut fault = fault(ctx, slot, target, name);
    if let Some(code) = fault {
        ctx.sink.tell(problem(code))?;
        if code == PR_2_BAD_INO {
            return Ok(());
        }
    } else if slot.state > 1 && target == dir.ino.get() {
        fault = Some(PR_2_LINK_DOT);
    }
    if ctx.maps.inode_bad.contains(&target) {
        bad_inode::process(ctx, Some(dir.ino), Ino::new(target))?;
    }
    check_group(ctx, target, &problem)?;
    if !ctx.maps.inode_used.test(u64::from(target)) {
        fault = Some(PR_2_UNUSED_INODE);
    }
    // What was refused is asked again here.
    if let Some(code) = fault {
        ctx.sink.tell(problem(code))?;
    }
    check_type(ctx, header, &problem)?;
    check_name(ctx, dir, slot, target, name, &problem)?;
    htree::see_name(ctx, dir.ino, slot.lblk, name);
    let mut is_parent = false;
    if slot.state > 1 && ctx.maps.inode_dir.test(u64::from(target)) {
        let info = ctx.maps.dirs.entry(target).or_default();
        if info.parent == 0 {
            info.parent = dir.ino.get();
            is_parent = true;
        } else {
            let other = info.parent;
            ctx.sink.tell(problem(PR_2_LINK_DIR).found(other))?;
        }
    }
    if !ctx.maps.doubles.contains(&dir.ino.get()) && !names.insert(name.to_vec()) {
        ctx.sink.tell(problem(PR_2_REPORT_DUP_DIRENT))?;
        ctx.maps.doubles.insert(dir.ino.get());
    }
    ctx.maps.refs.add(target);
    let entry = CheckStep::Entry { dir: dir.ino, ino: Ino::new(target), is_parent };
    ctx.sink.recorder.note(entry);
    Ok(())
}

fn check_dot<S: ByteSource>(
    ctx: &mut Context<S>,
    dir: &Dir,
    target: u32,
    rec_len: usize,
    name: &[u8],
    after: u8,
    problem: &impl Fn(Code) -> Problem,
) -> Flow {
    if target == 0 {
        ctx.sink.tell(problem(PR_2_MISSING_DOT))?;
    } else if name != b"." {
        ctx.sink.tell(problem(PR_2_1ST_NOT_DOT))?;
    } else if after != 0 {
        ctx.sink.tell(problem(PR_2_DOT_NULL_TERM))?;
    }
    if target != dir.ino.get() {
        ctx.sink.tell(problem(PR_2_BAD_INODE_DOT).found(target).expected(dir.ino.get()))?;
    }
    if rec_len > 24 {
        ctx.sink.tell(problem(PR_2_SPLIT_DOT).found(rec_len as u64))?;
    }
    Ok(())
}

fn check_dotdot<S: ByteSource>(
    ctx: &mut Context<S>,
    dir: &Dir,
    target: u32,
    name: &[u8],
    after: u8,
    problem: &impl Fn(Code) -> Problem,
) -> Flow {
    let code = if target == 0 {
        PR_2_MISSING_DOT_DOT
    } else if name != b".." {
        PR_2_2ND_NOT_DOT_DOT
    } else if after != 0 {
        PR_2_DOT_DOT_NULL_TERM
    } else {
        ctx.maps.dirs.entry(dir.ino.get()).or_default().dotdot = target;
        return Ok(());
    };
    ctx.sink.tell(problem(code))
}

/// What is wrong with the inode number or the name, by the first test that fails.
fn fault<S: ByteSource>(ctx: &Context<S>, slot: &Slot, target: u32, name: &[u8]) -> Option<Code> {
    let ino = Ino::new(target);
    let is_reserved = target < ctx.first_ino() && ino != reserved::ROOT;
    let is_named = ctx.is_quota_named(ino) || ctx.is_orphan_file(ino);
    let is_other = slot.state > 1;
    if is_reserved || target > ctx.geometry().inodes_count() || is_named {
        Some(PR_2_BAD_INO)
    } else if ctx.maps.inode_bb.contains(&target) {
        Some(PR_2_BB_INODE)
    } else if is_other && name == b"." {
        Some(PR_2_DUP_DOT)
    } else if is_other && name == b".." {
        Some(PR_2_DUP_DOT_DOT)
    } else if is_other && ino == reserved::ROOT {
        Some(PR_2_LINK_ROOT)
    } else if is_other && name.is_empty() {
        Some(PR_2_NULL_NAME)
    } else {
        None
    }
}

/// An inode where pass 1 did not look.
fn check_group<S: ByteSource>(
    ctx: &mut Context<S>,
    target: u32,
    problem: &impl Fn(Code) -> Problem,
) -> Flow {
    // Of a backup, what is uninitialised is forgotten.
    if ctx.used_backup {
        return Ok(());
    }
    let Some((group, _)) = ctx.geometry().group_from_ino(Ino::new(target)) else {
        return Ok(());
    };
    let Some(entry) = ctx.fs.groups().get(group).copied() else { return Ok(()) };
    // In 32 bits, as e2fsck counts: more unused inodes than there are leave all used.
    let per_group = ctx.geometry().inodes_per_group();
    let behind = group.get().wrapping_mul(per_group).wrapping_add(per_group).wrapping_add(1);
    let first_unused = behind.wrapping_sub(entry.desc.itable_unused);
    if entry.desc.flags.contains(BgFlags::INODE_UNINIT) {
        ctx.sink.tell(problem(PR_2_INOREF_BG_INO_UNINIT).group(group))
    } else if target >= first_unused {
        ctx.sink.tell(problem(PR_2_INOREF_IN_UNUSED).group(group))
    } else {
        Ok(())
    }
}

/// The type of file beside the name.
fn check_type<S: ByteSource>(
    ctx: &mut Context<S>,
    header: &DirEntryHeader,
    problem: &impl Fn(Code) -> Problem,
) -> Flow {
    let (found, target) = (header.file_type, header.inode.get());
    if !ctx.has_incompat(Incompat::FILETYPE) {
        if found != 0 {
            ctx.sink.tell(problem(PR_2_CLEAR_FILETYPE).found(found))?;
        }
        return Ok(());
    }
    let due = if ctx.maps.inode_dir.test(u64::from(target)) {
        2
    } else if ctx.maps.inode_reg.test(u64::from(target)) {
        1
    } else if ctx.maps.inode_bad.contains(&target) {
        0
    } else {
        match ctx.fs.inode(Ino::new(target)) {
            Ok(inode) if !fails_csum(&inode) => inode.file_type().map_or(0, dirent_type),
            // Without a word, an inode that cannot be read ends e2fsck.
            _ => return ctx.sink.give_up(None),
        }
    };
    // One that is missing is filled in without a word.
    if found != due && found != 0 {
        ctx.sink.tell(problem(PR_2_BAD_FILETYPE).found(found).expected(due))?;
    }
    Ok(())
}

/// Ref: `EXT2_FT_*`.
fn dirent_type(kind: FileType) -> u8 {
    match kind {
        FileType::RegFile => 1,
        FileType::Dir => 2,
        FileType::Chrdev => 3,
        FileType::Blkdev => 4,
        FileType::Fifo => 5,
        FileType::Sock => 6,
        FileType::Symlink => 7,
    }
}

fn check_name<S: ByteSource>(
    ctx: &mut Context<S>,
    dir: &Dir,
    slot: &Slot,
    target: u32,
    name: &[u8],
    problem: &impl Fn(Code) -> Problem,
) -> Flow {
    let Some(policy) = dir.policy else {
        if slot.state > 1 && dir.is_strict && core::str::from_utf8(name).is_err() {
            ctx.sink.tell(problem(PR_2_BAD_ENCODED_NAME))?;
        }
        if name.iter().any(|byte| *byte == b'/' || *byte == 0) {
            ctx.sink.tell(problem(PR_2_BAD_NAME))?;
        }
        return Ok(());
    };
    if slot.state < 2 {
        return Ok(());
    }
    if name.len() < CRYPTO_BLOCK {
        ctx.sink.tell(problem(PR_2_BAD_ENCRYPTED_NAME))?;
    }
    match ctx.maps.encrypted.get(&target) {
        Some(other) if *other == policy => Ok(()),
        Some(_) => ctx.sink.tell(problem(PR_2_INCONSISTENT_ENCRYPTION_POLICY)),
        None => {
            // Special files have nothing to encrypt.
            let kind = ctx.fs.inode(Ino::new(target)).ok().and_then(|inode| inode.file_type());
            let is_due =
                matches!(kind, Some(FileType::RegFile | FileType::Dir | FileType::Symlink));
            if is_due { ctx.sink.tell(problem(PR_2_UNENCRYPTED_FILE)) } else { Ok(()) }
        }
    }
}
