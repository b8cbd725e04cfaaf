//! How the numbers of a problem are written: most are counts, some are none.

use super::problem::{
    Code, PR_0_FUTURE_SB_LAST_MOUNT, PR_0_FUTURE_SB_LAST_MOUNT_FUDGED, PR_0_FUTURE_SB_LAST_WRITE,
    PR_0_FUTURE_SB_LAST_WRITE_FUDGED, PR_0_GDT_CSUM, PR_0_MMP_CSUM_INVALID, PR_1_ATTR_HASH,
    PR_1_BAD_EA_BLOCK, PR_1_JOURNAL_BAD_MODE, PR_1_LOW_DTIME, PR_1_ORPHAN_FILE_BAD_MODE,
    PR_1_QUOTA_BAD_MODE, PR_1_RESERVED_BAD_MODE, PR_1_ROOT_DTIME, PR_1_ROOT_NO_DIR, PR_1_SET_DTIME,
    PR_1D_DUP_FILE, PR_1D_DUP_FILE_LIST, PR_2_BAD_BLOCK_DEV, PR_2_BAD_CHAR_DEV, PR_2_BAD_FIFO,
    PR_2_BAD_MODE, PR_2_BAD_SOCKET, PR_2_HTREE_HASH_ORDER, PR_2_HTREE_MAX_HASH,
    PR_2_HTREE_MIN_HASH, PR_2_INVALID_SYMLINK, PR_2_NON_UNIQUE_FILE,
    PR_2_NON_UNIQUE_FILE_NO_RENAME,
};

/// How the numbers found and expected of a problem are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A count, a size, a number of something.
    Count,
    /// A checksum, a hash, a magic number: hexadecimal.
    Bits,
    /// Type and permissions: octal.
    Mode,
    /// Seconds since 1970.
    Time,
    /// The inode that it has to do with, too.
    Other,
    /// How many others it has to do with.
    Others,
}

impl Code {
    /// How the numbers of a problem of this code are written.
    #[must_use]
    pub fn form(self) -> Form {
        match self {
            PR_0_GDT_CSUM
            | PR_0_MMP_CSUM_INVALID
            | PR_1_ATTR_HASH
            | PR_1_BAD_EA_BLOCK
            | PR_2_HTREE_HASH_ORDER
            | PR_2_HTREE_MAX_HASH
            | PR_2_HTREE_MIN_HASH => Form::Bits,
            PR_1_JOURNAL_BAD_MODE
            | PR_1_ORPHAN_FILE_BAD_MODE
            | PR_1_QUOTA_BAD_MODE
            | PR_1_RESERVED_BAD_MODE
            | PR_1_ROOT_NO_DIR
            | PR_2_BAD_BLOCK_DEV
            | PR_2_BAD_CHAR_DEV
            | PR_2_BAD_FIFO
            | PR_2_BAD_MODE
            | PR_2_BAD_SOCKET
            | PR_2_INVALID_SYMLINK => Form::Mode,
            PR_0_FUTURE_SB_LAST_MOUNT
            | PR_0_FUTURE_SB_LAST_MOUNT_FUDGED
            | PR_0_FUTURE_SB_LAST_WRITE
            | PR_0_FUTURE_SB_LAST_WRITE_FUDGED
            | PR_1_LOW_DTIME
            | PR_1_ROOT_DTIME
            | PR_1_SET_DTIME => Form::Time,
            PR_1D_DUP_FILE_LIST | PR_2_NON_UNIQUE_FILE | PR_2_NON_UNIQUE_FILE_NO_RENAME => {
                Form::Other
            }
            PR_1D_DUP_FILE => Form::Others,
            _ => Form::Count,
        }
    }
}
