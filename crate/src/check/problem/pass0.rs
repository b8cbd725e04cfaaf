//! Rows of pass 0: opening, superblock, journal, descriptors.

use super::problems;

problems! {
    PR_0_BB_NOT_GROUP(0x00_0001, Told, ASKS)
        "A block bitmap lies outside its group";
        "The descriptor names a block for the group's block bitmap that the group (with flex_bg: \
         the filesystem) does not have, so the bitmap cannot be believed.";
        "Forgets the place and makes a new block bitmap inside.";
    PR_0_IB_NOT_GROUP(0x00_0002, Told, ASKS)
        "An inode bitmap lies outside its group";
        "The descriptor names a block for the group's inode bitmap that the group (with flex_bg: \
         the filesystem) does not have, so which inodes are in use is unknown there.";
        "Forgets the place and makes a new inode bitmap inside.";
    PR_0_ITABLE_NOT_GROUP(0x00_0003, Told, ASKS)
        "An inode table lies outside its group";
        "The descriptor puts the inode table, or a part of it, where the group (with flex_bg: the \
         filesystem) has no blocks. The inodes of the group cannot be found.";
        "Makes a new, empty inode table; what the group's inodes described is lost unless a \
         backup descriptor still knows better.";
    PR_0_SB_CORRUPT(0x00_0004, Told, NONE)
        "No usable superblock was found";
        "Neither the primary superblock nor any backup that was tried describes an ext \
         filesystem. It may be another format, a partitioned disk, or wholly overwritten.";
        "Ends. Name a backup by hand: e2fsck -b 32768 -B 4096, or 8193 with blocks of 1 KiB.";
    PR_0_FS_SIZE_WRONG(0x00_0005, Told, ASKS)
        "The filesystem is larger than the image";
        "The superblock counts more blocks than the image has. The copy is incomplete, or the \
         partition was made smaller than its filesystem.";
        "Asks whether to stop. Restore the missing end before any repair.";
    PR_0_NO_FRAGMENTS(0x00_0006, Never, FATAL)
        "Fragments differ from blocks";
    PR_0_BLOCKS_PER_GROUP(0x00_0007, Never, NONE)
        "Impossible number of blocks in a group";
    PR_0_FIRST_DATA_BLOCK(0x00_0008, Told, NONE)
        "Group 0 starts at the wrong block";
        "s_first_data_block is 1 with blocks of 1 KiB and 0 with larger ones or with bigalloc; \
         here it is neither, so every block number is in doubt.";
        "Ends; a backup superblock is needed.";
    PR_0_ADD_UUID(0x00_0009, Writing, NONE)
        "The filesystem has no UUID";
    PR_0_RELOCATE_HINT(0x00_000a, Told, NONE)
        "Some group metadata lies in impossible places";
        "Descriptors name places that cannot be right. This is often a damaged descriptor table \
         whose backups are still good.";
        "Only advises to try a backup superblock before going on.";
    PR_0_MISC_CORRUPT_SUPER(0x00_000b, Told, NONE)
        "A superblock field has an impossible value";
        "One number that all arithmetic depends on is outside of what any filesystem can have.";
        "Ends; a backup superblock is needed.";
    PR_0_GETSIZE_ERROR(0x00_000c, Failure, FATAL)
        "The size of the device cannot be determined";
    PR_0_INODE_COUNT_WRONG(0x00_000d, Told, ASKS)
        "The inode count does not match the groups";
        "s_inodes_count has to be s_inodes_per_group for every group.";
        "Sets the count to the product.";
    PR_0_HURD_CLEAR_FILETYPE(0x00_000e, Writing, ASKS)
        "Hurd does not support the filetype feature";
    PR_0_JOURNAL_BAD_INODE(0x00_000f, Told, ASKS)
        "The journal's inode is unusable";
        "The superblock says that there is a journal in an inode, but that inode is not a regular \
         file of sufficient size, or its first block is not a journal superblock.";
        "Removes the journal and makes a new one; changes that only the old journal held are \
         lost.";
    PR_0_JOURNAL_UNSUPP_MULTIFS(0x00_0010, Told, FATAL)
        "The journal is shared by several filesystems";
        "The journal's superblock counts more than one user, which e2fsck does not support.";
        "Ends.";
    PR_0_CANT_FIND_JOURNAL(0x00_0011, Told, FATAL)
        "The external journal is not here";
        "The filesystem keeps its journal on another device, and that device is not present.";
        "Ends; attach the journal device.";
    PR_0_EXT_JOURNAL_BAD_SUPER(0x00_0012, Told, FATAL)
        "The external journal has a bad superblock";
        "The device named as the journal is not a journal device.";
        "Ends.";
    PR_0_JOURNAL_BAD_UUID(0x00_0013, Told, FATAL)
        "The external journal belongs to another filesystem";
        "The UUID of the journal is not the one that the superblock names.";
        "Ends.";
    PR_0_JOURNAL_UNSUPP_SUPER(0x00_0014, Never, ASKS | MILD)
        "The journal superblock is not supported";
    PR_0_JOURNAL_BAD_SUPER(0x00_0015, Told, ASKS)
        "The journal superblock is damaged";
        "Its type, checksum, block size or length contradict themselves or the filesystem, so the \
         journal can be neither replayed nor trusted.";
        "Resets the journal; changes that only it held are lost.";
    PR_0_JOURNAL_HAS_JOURNAL(0x00_0016, Told, ASKS)
        "A journal is recorded but the feature is off";
        "The superblock names a journal that loads well, while has_journal is clear; mounted like \
         this the journal is ignored.";
        "Turns has_journal on or forgets the journal.";
    PR_0_JOURNAL_RECOVER_SET(0x00_0017, Told, ASKS)
        "Recovery is asked for without a journal";
        "needs_recovery is set, but there is no journal to recover from.";
        "Clears needs_recovery.";
    PR_0_JOURNAL_RECOVERY_CLEAR(0x00_0018, Told, NONE)
        "The journal holds changes that nobody asks to replay";
        "The journal is not empty although needs_recovery is clear.";
        "Replays the journal, or throws it away.";
    PR_0_JOURNAL_RESET_JOURNAL(0x00_0019, Told, ASKS)
        "Reset the journal?";
        "The journal was not to be replayed, so the question is whether to empty it.";
        "Empties the journal; the changes in it are lost.";
    PR_0_FS_REV_LEVEL(0x00_001a, Writing, ASKS | MILD)
        "Revision 0 with feature flags";
    PR_0_ORPHAN_CLEAR_INODE(0x00_0020, Writing, NONE)
        "An orphaned inode is cleared";
    PR_0_ORPHAN_ILLEGAL_BLOCK_NUM(0x00_0021, Writing, NONE)
        "An orphan has a block outside the filesystem";
    PR_0_ORPHAN_ALREADY_CLEARED_BLOCK(0x00_0022, Writing, NONE)
        "A block of an orphan is free already";
    PR_0_ORPHAN_ILLEGAL_HEAD_INODE(0x00_0023, Writing, NONE)
        "The orphan list starts at an impossible inode";
    PR_0_ORPHAN_ILLEGAL_INODE(0x00_0024, Writing, NONE)
        "The orphan list leads to an impossible inode";
    PR_0_JOURNAL_UNSUPP_ROCOMPAT(0x00_0025, Told, ASKS)
        "The journal has unknown read-only features";
        "A feature flag of the journal is unknown to e2fsck 1.47.";
        "Asks whether to stop.";
    PR_0_JOURNAL_UNSUPP_INCOMPAT(0x00_0026, Told, ASKS)
        "The journal has unknown features";
        "A feature flag of the journal that must be understood for replay is unknown to e2fsck \
         1.47.";
        "Asks whether to stop.";
    PR_0_JOURNAL_UNSUPP_VERSION(0x00_0027, Told, ASKS)
        "The journal has an unknown format";
        "The type of the journal's superblock is none of the known ones.";
        "Asks whether to stop.";
    PR_0_MOVE_JOURNAL(0x00_0028, Writing, NONE)
        "The journal is a visible file";
    PR_0_ERR_MOVE_JOURNAL(0x00_0029, Writing, NONE)
        "The journal could not be moved";
    PR_0_CLEAR_V2_JOURNAL(0x00_002a, Told, NONE)
        "The journal superblock has fields of the wrong format";
        "Fields of the second format are filled in where they mean nothing.";
        "Clears these fields.";
    PR_0_JOURNAL_RUN(0x00_002b, Told, ASKS)
        "Replay the journal all the same?";
        "The journal holds changes, and needs_recovery is clear.";
        "Replays the journal.";
    PR_0_JOURNAL_RUN_DEFAULT(0x00_002c, Told, NONE)
        "The journal would be replayed";
        "A backup superblock is in use, whose needs_recovery flag is never up to date.";
        "Replays the journal.";
    PR_0_BACKUP_JNL(0x00_002d, Writing, NONE)
        "The copy of the journal's inode is out of date";
    PR_0_NONZERO_RESERVED_GDT_BLOCKS(0x00_002e, Told, ASKS)
        "Blocks are reserved for growth without resize_inode";
        "s_reserved_gdt_blocks is set, but the feature that owns these blocks is off.";
        "Sets the field to 0.";
    PR_0_CLEAR_RESIZE_INODE(0x00_002f, Told, ASKS)
        "Inode 7 has blocks without resize_inode";
        "The inode that would own the reserved GDT blocks is filled in while the feature is off.";
        "Clears the inode.";
    PR_0_RESIZE_INODE_INVALID(0x00_0030, Told, ASKS)
        "The resize inode is damaged";
        "Inode 7 must own exactly the reserved GDT blocks and their backups through its double \
         indirect block; it does not. Growing online would go wrong.";
        "Makes the resize inode anew.";
    PR_0_FUTURE_SB_LAST_MOUNT(0x00_0031, Told, ASKS | MILD)
        "The last mount lies in the future";
        "The clock was wrong then or is wrong now; checks by time interval do not work.";
        "Sets the time to now.";
    PR_0_FUTURE_SB_LAST_WRITE(0x00_0032, Told, ASKS | MILD)
        "The last write lies in the future";
        "The clock was wrong then or is wrong now.";
        "Sets the time to now.";
    PR_0_EXTERNAL_JOURNAL_HINT(0x00_0033, Told, ASKS)
        "The number of the journal's device is out of date";
        "Device numbers change; the journal is found by its UUID.";
        "Updates the number.";
    PR_0_DIRHASH_HINT(0x00_0034, Writing, NONE)
        "No default for signed or unsigned name hashes";
    PR_0_GDT_CSUM(0x00_0035, Told, ASKS)
        "A group descriptor has a wrong checksum";
        "The descriptor was changed without its checksum, or was damaged. What it says of \
         uninitialised bitmaps and unused inodes is then not to be trusted.";
        "Forgets what the descriptor says to be uninitialised, looks at every inode of the group \
         and computes the checksum anew.";
    PR_0_GDT_UNINIT(0x00_0036, Told, ASKS)
        "A group counts as uninitialised without descriptor checksums";
        "BLOCK_UNINIT, INODE_UNINIT and bg_itable_unused mean something only where descriptors \
         have checksums.";
        "Clears the flags and the count.";
    PR_0_GDT_ITABLE_UNUSED(0x00_0038, Told, ASKS)
        "More inodes count as never used than are free";
        "bg_itable_unused must not exceed the group's free inodes.";
        "Sets it to 0, so that every inode of the group is looked at.";
    PR_0_BB_UNINIT_LAST(0x00_0039, Told, ASKS)
        "The last group has no block bitmap";
        "BLOCK_UNINIT is set on the last group, whose padding has to be written.";
        "Clears the flag.";
    PR_0_JNL_TXN_CORRUPT(0x00_003a, Writing, NONE)
        "A transaction of the journal is damaged";
    PR_0_CLEAR_TESTFS_FLAG(0x00_003b, Writing, ASKS)
        "The filesystem is marked as for testing";
    PR_0_FUTURE_SB_LAST_MOUNT_FUDGED(0x00_003c, Told, MILD)
        "The last mount lies less than a day ahead";
        "Probably a clock set to local time.";
        "Sets the time to now without asking.";
    PR_0_FUTURE_SB_LAST_WRITE_FUDGED(0x00_003d, Told, MILD)
        "The last write lies less than a day ahead";
        "Probably a clock set to local time.";
        "Sets the time to now without asking.";
    PR_0_GDT_CSUM_LATCH(0x00_003e, Told, ASKS)
        "Some group descriptors have wrong checksums";
        "One question for all descriptors whose checksums are wrong.";
        "Repairs each.";
    PR_0_FREE_INODE_COUNT(0x00_003f, Writing, NONE)
        "The free inodes are miscounted, found without a full check";
    PR_0_FREE_BLOCK_COUNT(0x00_0040, Writing, NONE)
        "The free blocks are miscounted, found without a full check";
    PR_0_HIDE_QUOTA(0x00_0041, Writing, NONE)
        "A quota inode is an ordinary file";
    PR_0_MMP_INVALID_BLK(0x00_0042, Told, ASKS)
        "The MMP block lies outside the filesystem";
        "Multiple mount protection needs its block; s_mmp_block cannot be one.";
        "Turns the protection off, or ends.";
    PR_0_MMP_INVALID_MAGIC(0x00_0043, Told, ASKS | MILD)
        "The MMP block has no magic";
        "What lies in the MMP block is something else; nobody can tell whether the filesystem is \
         in use.";
        "Writes a new MMP block.";
    PR_0_OPEN_FAILED(0x00_0044, Told, NONE)
        "The primary superblock cannot be used";
        "Its magic, its checksum or its numbers are wrong.";
        "Looks for a backup superblock and goes on from that.";
    PR_0_CHECK_DESC_FAILED(0x00_0045, Told, NONE)
        "The group descriptors look wrong";
        "Some bitmaps or inode tables lie outside, or on top of one another.";
        "Tries the descriptors of a backup.";
    PR_0_META_AND_GDT_CSUM_SET(0x00_0046, Told, ASKS | MILD)
        "Two kinds of descriptor checksum at once";
        "metadata_csum and uninit_bg are both on; the kernel refuses that.";
        "Turns uninit_bg off.";
    PR_0_MMP_CSUM_INVALID(0x00_0047, Told, ASKS | MILD)
        "The MMP block has a wrong checksum";
        "What it says of who has the filesystem mounted cannot be trusted.";
        "Writes the checksum anew.";
    PR_0_64BIT_WITHOUT_EXTENTS(0x00_0048, Told, ASKS | MILD)
        "64bit without extents";
        "Without extents files cannot reach blocks past 2³².";
        "Turns extents on.";
    PR_0_FIRST_META_BG_TOO_BIG(0x00_0049, Told, ASKS)
        "s_first_meta_bg is too large";
        "The first metablock group comes after the last block of the descriptor table.";
        "Sets s_first_meta_bg to 0.";
    PR_0_EXT_JOURNAL_SUPER_CSUM_INVALID(0x00_004a, Told, ASKS)
        "The external journal's superblock has a wrong checksum";
        "What it says cannot be trusted.";
        "Writes the checksum anew.";
    PR_0_CSUM_SEED_WITHOUT_META_CSUM(0x00_004b, Told, ASKS | MILD)
        "A checksum seed without metadata checksums";
        "metadata_csum_seed has no meaning without metadata_csum.";
        "Turns the feature off.";
    PR_0_QUOTA_INIT_CTX(0x00_004c, Failure, ASKS | FATAL)
        "Quota accounting could not begin";
    PR_0_BAD_MIN_EXTRA_ISIZE(0x00_004d, Told, ASKS)
        "s_min_extra_isize is impossible";
        "It must be a multiple of 4 that fits into an inode.";
        "Sets it to the usual 32.";
    PR_0_BAD_WANT_EXTRA_ISIZE(0x00_004e, Told, ASKS)
        "s_want_extra_isize is impossible";
        "It must be a multiple of 4 that fits into an inode.";
        "Sets it to the usual 32.";
    PR_0_INVALID_QUOTA_INO(0x00_004f, Told, ASKS)
        "The superblock names an impossible quota inode";
        "A quota file cannot be in a reserved inode or past the last.";
        "Forgets the number; the quota file is made anew.";
    PR_0_INODE_COUNT_BIG(0x00_0050, Told, NONE)
        "More inodes than 32 bits can count";
        "s_inodes_per_group times the groups does not fit into s_inodes_count.";
        "Ends.";
    PR_0_DISABLE_RESIZE_INODE(0x00_0051, Told, ASKS)
        "resize_inode and meta_bg are both on";
        "With meta_bg there are no reserved GDT blocks for the resize inode to own.";
        "Turns resize_inode off.";
    PR_0_ORPHAN_FILE_HOLE(0x00_0052, Writing, NONE)
        "The orphan file has a hole";
    PR_0_ORPHAN_FILE_BAD_MAGIC(0x00_0053, Writing, NONE)
        "A block of the orphan file has no magic";
    PR_0_ORPHAN_FILE_BAD_CHECKSUM(0x00_0054, Writing, NONE)
        "A block of the orphan file has a wrong checksum";
    PR_0_ORPHAN_FILE_WRONG_SIZE(0x00_0055, Writing, NONE)
        "The orphan file has an odd size";
}
