//! Opening as e2fsck does: the primary superblock, else a backup, else whatever can be had.

use super::finding::Problem;
use super::problem::{PR_0_CHECK_DESC_FAILED, PR_0_OPEN_FAILED, PR_0_SB_CORRUPT};
use super::sanity::{self, Refusal};
use super::sink::{Flow, Sink};
use crate::error::ErrorKind;
use crate::fs::{Filesystem, OpenOptions};
use crate::io::ByteSource;
use crate::ondisk::{SUPER_MAGIC, SUPERBLOCK_BYTES, SUPERBLOCK_OFFSET, Superblock};
use crate::units::Fsblk;

/// Groups that may hold a backup under sparse_super, in order; the last past any image.
const BACKUP_GROUPS: [u64; 20] =
    [1, 3, 5, 7, 9, 25, 27, 49, 81, 125, 243, 343, 625, 729, 2187, 2401, 3125, 6561, 15625, 16807];

/// What was opened.
pub(super) struct Opened<S> {
    /// The filesystem.
    pub(super) fs: Filesystem<S>,
    /// From a backup superblock.
    pub(super) used_backup: bool,
}

/// Opens the filesystem of a source, telling what stands in the way.
///
/// A superblock that was named is the only one that is tried. In the end there may be nothing that
/// can be opened; that ends the run.
pub(super) fn open<S: ByteSource + Clone>(
    source: &S,
    from: OpenOptions,
    sink: &mut Sink,
) -> Flow<Opened<S>> {
    let from = settle(source, from);
    let mut outcome = try_open(source, from, false)?;
    let mut used = from;
    let descs_are_sound = outcome.as_ref().is_ok_and(sanity::descs_are_sound);
    let wants_backup = match &outcome {
        _ if from.superblock.is_some() => false,
        Ok(fs) => !descs_are_sound && fs.groups().len() > 1,
        Err(refusal) => refusal.wants_backup(),
    };
    match &outcome {
        _ if from.superblock.is_some() => {}
        Ok(_) if !descs_are_sound => sink.tell_code(PR_0_CHECK_DESC_FAILED)?,
        Err(refusal) if refusal.wants_backup() => sink.tell_code(PR_0_OPEN_FAILED)?,
        _ => {}
    }
    if wants_backup {
        // What could be opened says where its backup is, right or wrong.
        let backup = match &outcome {
            Ok(fs) => backup_of(source, fs),
            Err(_) => find_backup(source),
        };
        if let Some(backup) = backup {
            let reopened = try_open(source, backup, false)?;
            // A filesystem that could be opened is not given up for a backup that cannot.
            if reopened.is_ok() || outcome.is_err() {
                outcome = reopened;
                used = backup;
            }
        }
    }
    if matches!(outcome, Err(Refusal::Corrupt | Refusal::BadDescSize)) {
        used = from;
        outcome = try_open(source, from, true)?;
    }
    match outcome {
        Ok(fs) => Ok(Opened { fs, used_backup: used.superblock.is_some() }),
        // Features that it does not know, e2fsck names without a code.
        Err(refusal @ Refusal::Features) => Err(sink.could_not_begin(None, refusal)),
        Err(refusal) => {
            sink.tell(Problem::new(PR_0_SB_CORRUPT))?;
            Err(sink.could_not_begin(Some(PR_0_SB_CORRUPT), refusal))
        }
    }
}

/// What is asked for, as e2fsck takes it: the size of a block counts only beside the place of a
/// superblock, and without it each is tried. Ref: `try_open_fs`.
fn settle(source: &impl ByteSource, from: OpenOptions) -> OpenOptions {
    let Some(block) = from.superblock else { return OpenOptions::default() };
    if from.block_size.is_some() {
        return from;
    }
    let mut sizes = (10..=16).map(|bits| 1_u32 << bits);
    sizes.find_map(|size| backup_at(source, block.get(), size)).unwrap_or(from)
}

/// Opens from one superblock, unless the library would not.
fn try_open<S: ByteSource + Clone>(
    source: &S,
    options: OpenOptions,
    relaxed: bool,
) -> Flow<Result<Filesystem<S>, Refusal>> {
    let block_size = u64::from(options.block_size.unwrap_or(0));
    let at = options.superblock.map_or(SUPERBLOCK_OFFSET, |b| b.get().saturating_mul(block_size));
    let Some(superblock) = superblock_at(source, at) else {
        return Ok(Err(Refusal::Unsupported));
    };
    if superblock.s_magic.get() != SUPER_MAGIC {
        return Ok(Err(Refusal::BadMagic));
    }
    if let Some(refusal) = sanity::refusal(&superblock, relaxed) {
        return Ok(Err(refusal));
    }
    match Filesystem::open(source.clone(), options) {
        Ok(fs) if fs.groups().unreadable() > 0 => Ok(Err(Refusal::Unsupported)),
        Ok(fs) if u64::from(fs.groups().len()) < fs.geometry().groups_count() => {
            Ok(Err(Refusal::Unsupported))
        }
        Ok(fs) => Ok(Ok(fs)),
        Err(error) if error.kind() == ErrorKind::Limit => Err(error.into()),
        Err(_) => Ok(Err(Refusal::Corrupt)),
    }
}

fn superblock_at(source: &impl ByteSource, at: u64) -> Option<Superblock> {
    let mut bytes = [0; SUPERBLOCK_BYTES];
    source.read_at(at, &mut bytes).ok()?;
    Superblock::from_prefix(&bytes)
}

/// The backup in group 1, if there is one where the primary superblock says. Ref: `get_backup_sb`.
fn backup_of<S: ByteSource>(source: &S, fs: &Filesystem<S>) -> Option<OpenOptions> {
    let superblock = fs.superblock();
    let first = u64::from(superblock.s_first_data_block.get());
    let per_group = u64::from(superblock.s_blocks_per_group.get());
    backup_at(source, first + per_group, fs.geometry().block_size())
}

/// The first place at which a backup lies, for each size of block. Ref: `get_backup_sb`.
fn find_backup(source: &impl ByteSource) -> Option<OpenOptions> {
    (10..=16).map(|bits| 1_u32 << bits).find_map(|size| {
        let per_group = 8 * u64::from(size);
        let first = u64::from(size == 1024);
        let mut blocks = BACKUP_GROUPS.iter().map(|group| group * per_group + first);
        blocks.find_map(|block| backup_at(source, block, size))
    })
}

fn backup_at(source: &impl ByteSource, block: u64, size: u32) -> Option<OpenOptions> {
    let found = superblock_at(source, block.checked_mul(u64::from(size))?)?;
    let is_one = found.s_magic.get() == SUPER_MAGIC
        && 1024_u32.checked_shl(found.s_log_block_size.get()) == Some(size);
    is_one.then_some(OpenOptions { superblock: Some(Fsblk::new(block)), block_size: Some(size) })
}
