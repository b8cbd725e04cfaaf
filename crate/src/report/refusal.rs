//! Why a shrink does not begin, or ends early, in words.

use serde::{Deserialize, Serialize};

use crate::resize::{Failure, LeftBehind, Refusal};

/// Why the tool does not begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusalReport {
    /// The reason, with what caused it.
    #[serde(flatten)]
    pub refusal: Refusal,
    /// The same as a sentence.
    pub message: String,
    /// What to do about it, as a sentence.
    pub remedy: String,
    /// Whether `-f` overrides it.
    pub force_overrides: bool,
}

/// Why the tool ends early.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureReport {
    /// The cause, with its place.
    #[serde(flatten)]
    pub failure: Failure,
    /// The same as a sentence.
    pub message: String,
    /// What it leaves behind.
    pub leaves: LeftBehind,
    /// The same as a sentence.
    pub leaves_message: String,
}

impl RefusalReport {
    /// Puts a refusal into words.
    #[must_use]
    pub fn new(refusal: &Refusal) -> Self {
        Self {
            message: message(refusal),
            remedy: remedy(refusal).to_owned(),
            force_overrides: refusal.is_overridden_by_force(),
            refusal: refusal.clone(),
        }
    }
}

impl FailureReport {
    /// Puts a failure into words.
    #[must_use]
    pub fn new(failure: Failure) -> Self {
        let leaves = failure.leaves();
        Self {
            failure,
            message: failure_message(failure),
            leaves,
            leaves_message: match leaves {
                LeftBehind::Nothing => "nothing was written yet",
                LeftBehind::ErrorMark => {
                    "all is as it was, but marked as having errors; e2fsck takes the mark away"
                }
                LeftBehind::Damage => "the filesystem is left damaged; keep a copy",
            }
            .to_owned(),
        }
    }
}

fn message(refusal: &Refusal) -> String {
    match refusal {
        Refusal::BackupSuperblock { block } => {
            format!(
                "resize2fs uses the primary superblock only, and this is the one in block {block}"
            )
        }
        Refusal::SuperblockChecksum { stored, expected } => format!(
            "the checksum of the superblock is {stored:#010x} and should be {expected:#010x}"
        ),
        Refusal::Features { names } => {
            format!("resize2fs does not know {}", names.join(", "))
        }
        Refusal::Impossible { field, value } => {
            format!("{field} is {value}, which resize2fs does not take")
        }
        Refusal::DescSize { s_desc_size } => {
            format!("s_desc_size is {s_desc_size}, which is no power of two from 64 to 1024")
        }
        Refusal::InodesCount { s_inodes_count, in_groups } => {
            format!("s_inodes_count is {s_inodes_count}, and the groups have {in_groups} inodes")
        }
        Refusal::FirstMetaBg { s_first_meta_bg, desc_blocks } => format!(
            "s_first_meta_bg is {s_first_meta_bg}, and there are {desc_blocks} blocks of descriptors"
        ),
        Refusal::MmpBlock { s_mmp_block } => {
            format!("s_mmp_block is {s_mmp_block}, and there is no sound MMP block there")
        }
        Refusal::ErrorState { s_state } => {
            format!("s_state is {s_state}: errors were found and not mended")
        }
        Refusal::NotValid { s_state } => {
            format!("s_state is {s_state}: the filesystem was not cleanly unmounted")
        }
        Refusal::MountedSinceCheck { s_lastcheck, s_mtime } => format!(
            "it was mounted (s_mtime {s_mtime}) after the last check (s_lastcheck {s_lastcheck})"
        ),
        Refusal::FreeBlocks { s_free_blocks_count, s_blocks_count } => format!(
            "s_free_blocks_count is {s_free_blocks_count}, more than s_blocks_count, \
             {s_blocks_count}"
        ),
        Refusal::FreeInodes { s_free_inodes_count, s_inodes_count } => format!(
            "s_free_inodes_count is {s_free_inodes_count}, more than s_inodes_count, \
             {s_inodes_count}"
        ),
        Refusal::Orphans { s_last_orphan } => {
            format!("s_last_orphan is {s_last_orphan}: orphaned inodes wait to be dealt with")
        }
        Refusal::NeedsRecovery => "the journal must be replayed first (needs_recovery)".to_owned(),
        Refusal::TooManyBlocks { blocks } => {
            format!("{blocks} blocks are more than block numbers of 32 bits can tell apart")
        }
        Refusal::TooManyDescriptors { desc_blocks, s_blocks_per_group } => format!(
            "{desc_blocks} blocks of descriptors do not fit into a group of {s_blocks_per_group}"
        ),
        Refusal::BelowMinimum { blocks, minimum } => {
            format!("{blocks} blocks are fewer than the estimated minimum, {minimum}")
        }
        Refusal::NothingToDo { blocks } => format!("it has {blocks} blocks already"),
        Refusal::Grows { blocks, s_blocks_count } => {
            format!("{blocks} blocks are more than it has, {s_blocks_count}")
        }
        Refusal::StableInodes => {
            "inode numbers must not change (stable_inodes), and a shrink may change them".to_owned()
        }
        Refusal::Bigalloc => "shrinking with bigalloc is not fully trusted".to_owned(),
    }
}

fn remedy(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::BackupSuperblock { .. } | Refusal::SuperblockChecksum { .. } => {
            "Run e2fsck -f first: it restores the primary superblock."
        }
        Refusal::Features { .. } => "Use a newer e2fsprogs, or take the features away.",
        Refusal::Impossible { .. }
        | Refusal::DescSize { .. }
        | Refusal::InodesCount { .. }
        | Refusal::FirstMetaBg { .. }
        | Refusal::MmpBlock { .. } => "Run e2fsck -f first.",
        Refusal::ErrorState { .. }
        | Refusal::NotValid { .. }
        | Refusal::MountedSinceCheck { .. }
        | Refusal::FreeBlocks { .. }
        | Refusal::FreeInodes { .. }
        | Refusal::Orphans { .. }
        | Refusal::NeedsRecovery => {
            "Run e2fsck -f first; -f of resize2fs would go on without it, at your own risk."
        }
        Refusal::TooManyBlocks { .. } | Refusal::TooManyDescriptors { .. } => {
            "Ask for a smaller size."
        }
        Refusal::BelowMinimum { .. } => {
            "Ask for the minimum or more; -f goes below it, and fails where there is no room."
        }
        Refusal::NothingToDo { .. } => "There is nothing to do.",
        Refusal::Grows { .. } => "Ask for a smaller size: growing is not planned here.",
        Refusal::StableInodes => "Take the feature away, if nothing is encrypted by inode number.",
        Refusal::Bigalloc => "Use -f, on a copy, and run e2fsck -f afterwards.",
    }
}

fn failure_message(failure: Failure) -> String {
    match failure {
        Failure::BitmapChecksum { group, of_inodes } => {
            let kind = if of_inodes { "inode" } else { "block" };
            format!("the checksum of the {kind} bitmap of group {group} is wrong")
        }
        Failure::InodeChecksum { ino, .. } => format!("the checksum of inode {ino} is wrong"),
        Failure::ShortImage { block } => {
            format!("block {block} must move, and the image ends before it")
        }
        Failure::ItablePlace { group, inode_table } => format!(
            "the inode table of group {group} is said to be at block {inode_table}, outside the \
             filesystem"
        ),
        Failure::BrokenMap { ino } => format!("the block map of inode {ino} is broken"),
        Failure::BrokenDirectory { ino } => format!("directory {ino} has a broken entry"),
        Failure::NoJournalInode { s_journal_inum } => {
            format!("s_journal_inum is {s_journal_inum}, and there is no such inode afterwards")
        }
        Failure::EmptyResizeInode => "the resize inode, 7, has no double indirect block".to_owned(),
        Failure::TooSmall => "the one group that is left has no room for its metadata".to_owned(),
        Failure::TooFewInodes { used, inodes } => {
            format!("{used} inodes are in use, and {inodes} would be left")
        }
        Failure::NoRoomForMetadata { group } => {
            format!("there is no room for a bitmap or the inode table of group {group}")
        }
        Failure::StrideDivision { group } => {
            format!("resize2fs divides by zero when it looks for the bitmaps of group {group}")
        }
        Failure::NoRoomForBlocks { left } => {
            format!("{left} blocks that must move find no place")
        }
        Failure::NoRoomForNode { ino } => {
            format!("the extent tree of inode {ino} must grow, and there is no room for a node")
        }
        Failure::NoRoomForInode { ino } => {
            format!("inode {ino} must move, and no inode is free")
        }
        Failure::MmpBlock { s_mmp_block } => {
            format!("the MMP block stays at block {s_mmp_block}, past the new end")
        }
    }
}
