//! Rows of passes 3 to 5 and of what comes after.

use super::problems;

problems! {
    PR_3_PASS_HEADER(0x03_0000, List, NONE)
        "Pass 3: how directories hang together";
    PR_3_NO_ROOT_INODE(0x03_0001, Told, ASKS)
        "There is no root directory";
        "Inode 2 is not in use, so no path leads anywhere.";
        "Makes a new root directory; what was below goes to lost+found.";
    PR_3_EXPAND_LF_DIR(0x03_0002, AfterYes, ASKS)
        "lost+found has to grow";
    PR_3_UNCONNECTED_DIR(0x03_0003, Told, ASKS)
        "A directory has no name";
        "No directory leads to it; all that is in it cannot be reached.";
        "Connects it to lost+found.";
    PR_3_NO_LF_DIR(0x03_0004, AfterYes, ASKS)
        "There is no lost+found";
    PR_3_BAD_DOT_DOT(0x03_0005, Told, ASKS)
        "A dot-dot entry leads elsewhere";
        "\"..\" must name the directory in which the directory has its name.";
        "Sets it.";
    PR_3_NO_LPF(0x03_0006, AfterYes, NONE)
        "lost+found is bad or missing";
    PR_3_CANT_EXPAND_LPF(0x03_0007, AfterYes, NONE)
        "lost+found could not grow";
    PR_3_CANT_RECONNECT(0x03_0008, AfterYes, NONE)
        "A directory could not be reconnected";
    PR_3_ERR_FIND_LPF(0x03_0009, AfterYes, NONE)
        "lost+found could not be looked for";
    PR_3_ERR_LPF_NEW_BLOCK(0x03_000a, AfterYes, NONE)
        "No block for lost+found";
    PR_3_ERR_LPF_NEW_INODE(0x03_000b, AfterYes, NONE)
        "No inode for lost+found";
    PR_3_ERR_LPF_NEW_DIR_BLOCK(0x03_000c, AfterYes, NONE)
        "lost+found's block could not be made";
    PR_3_ERR_LPF_WRITE_BLOCK(0x03_000d, AfterYes, NONE)
        "lost+found's block could not be written";
    PR_3_ADJUST_INODE(0x03_000e, AfterYes, NONE)
        "A link count could not be adjusted";
    PR_3_FIX_PARENT_ERR(0x03_000f, AfterYes, NONE)
        "A dot-dot entry could not be set";
    PR_3_FIX_PARENT_NOFIND(0x03_0010, AfterYes, NONE)
        "A dot-dot entry was not found";
    PR_3_ALLOCATE_IBITMAP_ERROR(0x03_0011, Failure, FATAL)
        "No memory for a map of inodes";
    PR_3_CREATE_ROOT_ERROR(0x03_0012, AfterYes, FATAL)
        "The root directory could not be made";
    PR_3_CREATE_LPF_ERROR(0x03_0013, AfterYes, NONE)
        "lost+found could not be made";
    PR_3_ROOT_NOT_DIR_ABORT(0x03_0014, Told, FATAL)
        "The root inode is not a directory";
        "Without a root nothing can be connected.";
        "Ends; told yes in pass 1, it would have made a root directory.";
    PR_3_NO_ROOT_INODE_ABORT(0x03_0015, Told, FATAL)
        "There is no root to go on with";
        "The root directory was not to be made.";
        "Ends.";
    PR_3_NO_DIRINFO(0x03_0016, Failure, FATAL)
        "Nothing is known of a directory";
    PR_3_LPF_NOTDIR(0x03_0017, AfterYes, ASKS)
        "lost+found is not a directory";
    PR_3_LPF_INLINE_DATA(0x03_0018, AfterYes, ASKS)
        "lost+found is inside its inode";
    PR_3_LPF_NO_SPACE(0x03_0019, AfterYes, ASKS)
        "No room in lost+found";
    PR_3_NO_SPACE_TO_RECOVER(0x03_001a, AfterYes, NONE)
        "No space to go on with";
    PR_3_LPF_ENCRYPTED(0x03_001b, AfterYes, ASKS)
        "lost+found is encrypted";
    PR_3_LOOPED_DIR(0x03_001d, Told, ASKS)
        "Directories contain one another";
        "Going up from the directory leads back to it; none of them can be reached from the root.";
        "Connects it to lost+found.";
    PR_3A_PASS_HEADER(0x03_1000, List, NONE)
        "Pass 3A: making directories anew";
    PR_3A_OPTIMIZE_ITER(0x03_1001, Failure, NONE)
        "No memory to make directories anew";
    PR_3A_OPTIMIZE_DIR_ERR(0x03_1002, Told, NONE)
        "A directory could not be read for doubles";
        "Its size, or an entry, is damaged.";
        "Leaves it.";
    PR_3A_OPTIMIZE_DIR_HEADER(0x03_1003, Never, NONE)
        "Directories made anew follow";
    PR_3A_OPTIMIZE_DIR(0x03_1004, Never, NONE)
        "A directory is made anew";
    PR_3A_OPTIMIZE_DIR_END(0x03_1005, Never, NONE)
        "End of the directories made anew";
    PR_4_PASS_HEADER(0x04_0000, List, NONE)
        "Pass 4: link counts";
    PR_4_ZERO_LEN_INODE(0x04_0001, Told, ASKS | MILD)
        "An empty inode has no name";
        "It is in use, has no data, and no directory leads to it.";
        "Clears it.";
    PR_4_UNATTACHED_INODE(0x04_0002, Told, ASKS)
        "An inode has no name";
        "It is in use, but no directory leads to it.";
        "Connects it to lost+found.";
    PR_4_BAD_REF_COUNT(0x04_0003, Told, ASKS)
        "A link count is wrong";
        "i_links_count is not the number of names that lead to the inode. Too small, and deleting \
         one name frees what others still use.";
        "Sets the count.";
    PR_4_INCONSISTENT_COUNT(0x04_0004, Told, NONE)
        "A link count changed while looking";
        "The filesystem is in use.";
        "Nothing.";
    PR_4_EA_INODE_REF_COUNT(0x04_0005, Told, ASKS)
        "A value inode has a wrong reference count";
        "It holds an attribute's value and counts the attributes that use it.";
        "Sets the count.";
    PR_4_DIR_NLINK_FEATURE(0x04_0006, Told, ASKS)
        "A directory has very many subdirectories, and dir_nlink is off";
        "More than 65000 need the feature.";
        "Turns the feature on.";
    PR_4_DIR_OVERFLOW_REF_COUNT(0x04_0007, Writing, ASKS)
        "A directory no longer has too many subdirectories";
    PR_4_EA_INODE_SPURIOUS_FLAG(0x04_0008, Later, ASKS)
        "An inode is no attribute's value (after 1.47.0)";
    PR_5_PASS_HEADER(0x05_0000, List, NONE)
        "Pass 5: bitmaps and counts";
    PR_5_INODE_BMAP_PADDING(0x05_0001, Told, ASKS)
        "The padding of an inode bitmap is not set";
        "Bits past the last inode must be 1, so that nobody takes them.";
        "Sets them.";
    PR_5_BLOCK_BMAP_PADDING(0x05_0002, Told, ASKS)
        "The padding of a block bitmap is not set";
        "Bits past the last block must be 1, so that nobody takes them.";
        "Sets them.";
    PR_5_BLOCK_BITMAP_HEADER(0x05_0003, List, NONE)
        "The block bitmaps differ from what is in use";
    PR_5_BLOCK_UNUSED(0x05_0004, Told, ASKS)
        "A block is marked and nobody's";
        "The bitmap says in use, but nothing was found that has it; the space is lost until \
         repaired.";
        "Frees it.";
    PR_5_BLOCK_USED(0x05_0005, Told, ASKS)
        "A block is somebody's and not marked";
        "The bitmap says free; the next file may overwrite it.";
        "Marks it.";
    PR_5_BLOCK_BITMAP_END(0x05_0006, List, ASKS)
        "End of the block bitmaps' differences";
    PR_5_INODE_BITMAP_HEADER(0x05_0007, List, NONE)
        "The inode bitmaps differ from what is in use";
    PR_5_INODE_UNUSED(0x05_0008, Told, ASKS)
        "An inode is marked and not in use";
        "The bitmap says in use; the inode is lost until repaired.";
        "Frees it.";
    PR_5_INODE_USED(0x05_0009, Told, ASKS)
        "An inode is in use and not marked";
        "The bitmap says free; the next file may overwrite it.";
        "Marks it.";
    PR_5_INODE_BITMAP_END(0x05_000a, List, ASKS)
        "End of the inode bitmaps' differences";
    PR_5_FREE_INODE_COUNT_GROUP(0x05_000b, Told, ASKS)
        "A group's free inodes are miscounted";
        "The descriptor's count is not that of the clear bits.";
        "Sets the count.";
    PR_5_FREE_DIR_COUNT_GROUP(0x05_000c, Told, ASKS)
        "A group's directories are miscounted";
        "The descriptor's count is not that of the directories found.";
        "Sets the count.";
    PR_5_FREE_INODE_COUNT(0x05_000d, Told, ASKS | MILD)
        "The free inodes are miscounted";
        "The superblock's count is not the sum of the groups; the kernel corrects that when it \
         mounts.";
        "Sets the count.";
    PR_5_FREE_BLOCK_COUNT_GROUP(0x05_000e, Told, ASKS)
        "A group's free blocks are miscounted";
        "The descriptor's count is not that of the clear bits.";
        "Sets the count.";
    PR_5_FREE_BLOCK_COUNT(0x05_000f, Told, ASKS | MILD)
        "The free blocks are miscounted";
        "The superblock's count is not the sum of the groups; the kernel corrects that when it \
         mounts.";
        "Sets the count.";
    PR_5_BMAP_ENDPOINTS(0x05_0010, Failure, FATAL)
        "A map ends at the wrong place";
    PR_5_FUDGE_BITMAP_ERROR(0x05_0011, Failure, FATAL)
        "A map could not be fitted";
    PR_5_COPY_IBITMAP_ERROR(0x05_0012, AfterYes, FATAL)
        "The inode bitmap could not be replaced";
    PR_5_COPY_BBITMAP_ERROR(0x05_0013, AfterYes, FATAL)
        "The block bitmap could not be replaced";
    PR_5_BLOCK_RANGE_UNUSED(0x05_0014, Told, ASKS)
        "Blocks are marked and nobody's";
        "The bitmap says in use, but nothing was found that has them; the space is lost until \
         repaired.";
        "Frees them.";
    PR_5_BLOCK_RANGE_USED(0x05_0015, Told, ASKS)
        "Blocks are somebody's and not marked";
        "The bitmap says free; the next file may overwrite them.";
        "Marks them.";
    PR_5_INODE_RANGE_UNUSED(0x05_0016, Told, ASKS)
        "Inodes are marked and not in use";
        "The bitmap says in use; the inodes are lost until repaired.";
        "Frees them.";
    PR_5_INODE_RANGE_USED(0x05_0017, Told, ASKS)
        "Inodes are in use and not marked";
        "The bitmap says free; the next files may overwrite them.";
        "Marks them.";
    PR_5_BLOCK_UNINIT(0x05_0018, Told, ASKS)
        "A block in use lies in a group without a bitmap";
        "The descriptor says BLOCK_UNINIT.";
        "Makes the bitmap.";
    PR_5_INODE_UNINIT(0x05_0019, Told, ASKS)
        "An inode in use lies in a group without a bitmap";
        "The descriptor says INODE_UNINIT.";
        "Makes the bitmap.";
    PR_5_INODE_BITMAP_CSUM_INVALID(0x05_001a, Told, ASKS)
        "An inode bitmap has a wrong checksum";
        "The kernel refuses to take inodes from the group.";
        "Writes the checksum anew.";
    PR_5_BLOCK_BITMAP_CSUM_INVALID(0x05_001b, Told, ASKS)
        "A block bitmap has a wrong checksum";
        "The kernel refuses to take blocks from the group.";
        "Writes the checksum anew.";
    PR_6_RECREATE_JOURNAL(0x06_0001, AfterYes, ASKS | MILD)
        "The journal is made anew";
    PR_6_UPDATE_QUOTAS(0x06_0002, Told, ASKS)
        "A quota file is out of date";
        "What it says of somebody's use is not what was counted.";
        "Writes it anew.";
    PR_6_SET_BG_CHECKSUM(0x06_0003, AfterYes, ASKS | FATAL)
        "A descriptor's checksum could not be set";
    PR_6_FLUSH_FILESYSTEM(0x06_0004, AfterYes, ASKS | FATAL)
        "The filesystem could not be written";
    PR_6_IO_FLUSH(0x06_0005, AfterYes, ASKS | FATAL)
        "The device could not be flushed";
    PR_6_WRITE_QUOTAS(0x06_0006, AfterYes, ASKS)
        "A quota file could not be written";
    PR_6_ORPHAN_FILE_WITHOUT_JOURNAL(0x06_0007, Told, ASKS)
        "An orphan file without a journal";
        "The feature orphan_file needs has_journal.";
        "Removes the orphan file.";
    PR_6_ORPHAN_FILE_TRUNC_FAILED(0x06_0008, AfterYes, NONE)
        "The orphan file could not be removed";
    PR_6_ORPHAN_FILE_CORRUPTED(0x06_0009, Told, ASKS)
        "The orphan file is damaged";
        "Its size, a hole or a block is wrong.";
        "Makes it anew.";
    PR_6_ORPHAN_FILE_BITMAP_INVALID(0x06_000a, AfterYes, NONE)
        "The orphan file could not be removed for want of a bitmap";
    PR_6_ORPHAN_FILE_CREATE_FAILED(0x06_000b, AfterYes, NONE)
        "The orphan file could not be made";
    PR_6_ORPHAN_BLOCK_DIRTY(0x06_000c, Told, ASKS)
        "A block of the orphan file is not empty";
        "With the filesystem clean there are no orphans, so each block is zeros with magic and \
         checksum.";
        "Makes the orphan file anew.";
    PR_6_ORPHAN_PRESENT_CLEAN_FILE(0x06_000d, Told, ASKS | MILD)
        "The orphan file counts as filled and is empty";
        "orphan_present is set, and there are no orphans.";
        "Clears the flag.";
    PR_6_ORPHAN_PRESENT_NO_FILE(0x06_000e, Told, ASKS)
        "The orphan file counts as filled and is not there";
        "orphan_present is set without orphan_file.";
        "Clears the flag.";
    PR_6_ORPHAN_FILE_WRONG_SIZE(0x06_000f, Told, NONE)
        "The orphan file has an odd size";
        "It must be whole blocks.";
        "Makes it anew.";
    PR_6_ORPHAN_FILE_HOLE(0x06_0010, Told, NONE)
        "The orphan file has a hole";
        "Every block must be there.";
        "Makes it anew.";
}
