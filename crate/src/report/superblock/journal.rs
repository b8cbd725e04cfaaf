//! The journal, the orphans and the checksums.

use super::value::{id, list, one_of, place, word};
use super::{Row, rows};

pub(super) const ROWS: &[Row] = rows! { Journal:
    s_journal_inum "Journal inode"
        "The inode whose blocks are the journal; usually 8."
        |s| place(s.s_journal_inum.get());
    s_journal_uuid "External journal"
        "The UUID of the device with the journal, when it does not lie in the filesystem."
        |s| id(s.s_journal_uuid);
    s_journal_dev "External journal's device"
        "The number that the device with the journal had."
        |s| place(s.s_journal_dev.get());
    s_jnl_backup_type "Journal backup"
        "Whether the journal inode's block list is copied here, so that a damaged inode table \
         does not cost the journal."
        |s| one_of(s.s_jnl_backup_type, &[(0, "none"), (1, "inode blocks")]);
    s_jnl_blocks "Journal inode's copy"
        "The copy: fifteen words of block map or extent tree, then the size, high and low half."
        |s| list(s.s_jnl_blocks.map(|word| word.get().into()));
    s_last_orphan "First orphan"
        "The head of the list of inodes that were deleted or shortened while in use; on a clean \
         filesystem there is none."
        |s| place(s.s_last_orphan.get());
    s_orphan_file_inum "Orphan file"
        "With orphan_file, the inode of the file that takes the place of the list."
        |s| place(s.s_orphan_file_inum.get());
};

pub(super) const CSUM_ROWS: &[Row] = rows! { Checksums:
    s_checksum_type "Kind"
        "How metadata is checked under metadata_csum."
        |s| one_of(s.s_checksum_type, &[(0, "none"), (1, "crc32c")]);
    s_checksum_seed "Seed"
        "With metadata_csum_seed, what checksums start from, so that the UUID can change without \
         rewriting them; otherwise they start from the UUID."
        |s| word(s.s_checksum_seed.get());
    s_checksum "Superblock checksum"
        "crc32c of the 1020 bytes before it, under metadata_csum."
        |s| word(s.s_checksum.get());
};
