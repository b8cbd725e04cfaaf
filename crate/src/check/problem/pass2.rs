//! Rows of pass 2: directories.

use super::problems;

problems! {
    PR_2_PASS_HEADER(0x02_0000, List, NONE)
        "Pass 2: the structure of directories";
    PR_2_BAD_INODE_DOT(0x02_0001, Told, ASKS)
        "The dot entry leads elsewhere";
        "\".\" must name the directory itself.";
        "Sets it.";
    PR_2_BAD_INO(0x02_0002, Told, ASKS)
        "A name leads to an impossible inode";
        "The inode number is reserved or past the last.";
        "Removes the name.";
    PR_2_UNUSED_INODE(0x02_0003, Told, ASKS)
        "A name leads to a deleted inode";
        "Nothing is in use under that number; the file is gone.";
        "Removes the name.";
    PR_2_LINK_DOT(0x02_0004, Told, ASKS)
        "A second name leads to the directory itself";
        "Only \".\" may; a walk through the tree would never end.";
        "Removes the name.";
    PR_2_BB_INODE(0x02_0005, Told, ASKS)
        "A name leads to an inode in a bad block";
        "The block of the inode table is on the list of bad blocks.";
        "Removes the name.";
    PR_2_LINK_DIR(0x02_0006, Told, ASKS)
        "A directory has two names";
        "Directories have one parent only.";
        "Removes the second name.";
    PR_2_LINK_ROOT(0x02_0007, Told, ASKS)
        "A name leads to the root directory";
        "The root has no other name.";
        "Removes the name.";
    PR_2_BAD_NAME(0x02_0008, Told, ASKS)
        "A name has impossible characters";
        "A name cannot hold a slash or NUL; the file cannot be opened.";
        "Replaces them by dots.";
    PR_2_MISSING_DOT(0x02_0009, Told, ASKS)
        "A directory has no dot entry";
        "The first entry is unused.";
        "Makes the entry.";
    PR_2_MISSING_DOT_DOT(0x02_000a, Told, ASKS)
        "A directory has no dot-dot entry";
        "The second entry is unused.";
        "Makes the entry.";
    PR_2_1ST_NOT_DOT(0x02_000b, Told, ASKS)
        "The first entry of a directory is not dot";
        "Every directory begins with \".\".";
        "Renames or makes the entry.";
    PR_2_2ND_NOT_DOT_DOT(0x02_000c, Told, ASKS)
        "The second entry of a directory is not dot-dot";
        "\"..\" follows \".\".";
        "Renames or makes the entry.";
    PR_2_FADDR_ZERO(0x02_000d, Told, ASKS)
        "An inode has a fragment address";
        "i_faddr was never taken up and must be 0.";
        "Clears it.";
    PR_2_FILE_ACL_ZERO(0x02_000e, Told, ASKS)
        "An inode names an attribute block, and ext_attr is off";
        "i_file_acl must be 0 without the feature.";
        "Clears it.";
    PR_2_DIR_SIZE_HIGH_ZERO(0x02_000f, Told, ASKS)
        "A directory has a high half of its size";
        "Without large_dir no directory reaches 4 GiB.";
        "Clears it.";
    PR_2_FRAG_ZERO(0x02_0010, Told, ASKS)
        "An inode has a fragment number";
        "On filesystems of the Hurd the field was never taken up and must be 0.";
        "Clears it.";
    PR_2_FSIZE_ZERO(0x02_0011, Told, ASKS)
        "An inode has a fragment size";
        "On filesystems of the Hurd the field was never taken up and must be 0.";
        "Clears it.";
    PR_2_BAD_MODE(0x02_0012, Told, ASKS)
        "An inode has an impossible type";
        "The type bits of i_mode are none of the seven kinds.";
        "Clears the inode.";
    PR_2_DIR_CORRUPTED(0x02_0013, Told, ASKS)
        "A directory entry is damaged";
        "Its length leads out of the block or is too small for its name, so the names behind it \
         in the block are not found.";
        "Salvages what it can of the block. Without leave to repair, e2fsck ends here.";
    PR_2_FILENAME_LONG(0x02_0014, Never, ASKS)
        "A name is too long";
    PR_2_DIRECTORY_HOLE(0x02_0015, Told, ASKS)
        "A directory has a hole";
        "A block inside the directory is not mapped.";
        "Allocates an empty block there.";
    PR_2_DOT_NULL_TERM(0x02_0016, Told, ASKS)
        "The dot entry does not end";
        "The byte after \".\" is not NUL.";
        "Ends it.";
    PR_2_DOT_DOT_NULL_TERM(0x02_0017, Told, ASKS)
        "The dot-dot entry does not end";
        "The byte after \"..\" is not NUL.";
        "Ends it.";
    PR_2_BAD_CHAR_DEV(0x02_0018, Told, ASKS)
        "A character device has an impossible inode";
        "Flags or fields are set that a device does not have.";
        "Clears the inode.";
    PR_2_BAD_BLOCK_DEV(0x02_0019, Told, ASKS)
        "A block device has an impossible inode";
        "Flags or fields are set that a device does not have.";
        "Clears the inode.";
    PR_2_DUP_DOT(0x02_001a, Told, ASKS)
        "A second dot entry";
        "\".\" is the first entry, and there is only one.";
        "Renames or removes it.";
    PR_2_DUP_DOT_DOT(0x02_001b, Told, ASKS)
        "A second dot-dot entry";
        "\"..\" is the second entry, and there is only one.";
        "Renames or removes it.";
    PR_2_NO_DIRINFO(0x02_001c, Failure, FATAL)
        "Nothing is known of a directory";
    PR_2_FINAL_RECLEN(0x02_001d, Told, ASKS)
        "The entries of a block do not end with it";
        "The last length is wrong.";
        "Sets it.";
    PR_2_ALLOCATE_ICOUNT(0x02_001e, Failure, FATAL)
        "No memory for reference counts";
    PR_2_DBLIST_ITERATE(0x02_001f, Failure, FATAL)
        "The list of directory blocks cannot be gone through";
    PR_2_READ_DIRBLOCK(0x02_0020, Told, ASKS)
        "A directory block cannot be read";
        "Its place is unreadable; the names in it are unknown.";
        "Asks whether to go on with an empty block.";
    PR_2_WRITE_DIRBLOCK(0x02_0021, AfterYes, ASKS)
        "A directory block could not be written";
    PR_2_ALLOC_DIRBOCK(0x02_0022, AfterYes, NONE)
        "No block for a hole of a directory";
    PR_2_DEALLOC_INODE(0x02_0023, AfterYes, FATAL)
        "An inode could not be cleared";
    PR_2_SPLIT_DOT(0x02_0024, Told, ASKS | MILD)
        "The dot entry is too long";
        "It takes up room that could be another entry.";
        "Splits it.";
    PR_2_BAD_FIFO(0x02_0025, Told, ASKS)
        "A pipe has an impossible inode";
        "Flags or fields are set that a pipe does not have.";
        "Clears the inode.";
    PR_2_BAD_SOCKET(0x02_0026, Told, ASKS)
        "A socket has an impossible inode";
        "Flags or fields are set that a socket does not have.";
        "Clears the inode.";
    PR_2_SET_FILETYPE(0x02_0027, Silent, MILD)
        "A name lacks the type of its file";
    PR_2_BAD_FILETYPE(0x02_0028, Told, ASKS)
        "A name has the wrong type of file";
        "The type beside the name is not that of the inode; find and ls are misled.";
        "Sets it.";
    PR_2_CLEAR_FILETYPE(0x02_0029, Told, ASKS)
        "A name has a type of file, and filetype is off";
        "The byte is the high half of the name's length there.";
        "Clears it.";
    PR_2_NULL_NAME(0x02_0030, Told, ASKS)
        "A name is empty";
        "An entry in use has no characters.";
        "Gives it a name or removes it.";
    PR_2_INVALID_SYMLINK(0x02_0031, Told, ASKS)
        "A symbolic link is damaged";
        "Its target is missing, too long, or of another length than i_size says.";
        "Clears the inode.";
    PR_2_FILE_ACL_BAD(0x02_0032, Told, ASKS)
        "An attribute block lies outside the filesystem";
        "i_file_acl names a block that does not exist.";
        "Clears it; the attributes are lost.";
    PR_2_FEATURE_LARGE_FILES(0x02_0033, Told, ASKS)
        "A file of 2 GiB or more, and large_file is off";
        "Old kernels would misread its size.";
        "Turns the feature on.";
    PR_2_HTREE_NOTREF(0x02_0034, Told, NONE)
        "A block of a directory is not in its index";
        "Lookups do not find the names in it.";
        "Makes the index anew.";
    PR_2_HTREE_DUPREF(0x02_0035, Told, NONE)
        "A block of a directory is in its index twice";
        "One of the two entries must be wrong.";
        "Makes the index anew.";
    PR_2_HTREE_MIN_HASH(0x02_0036, Told, NONE)
        "A block of a directory holds too small a hash";
        "A name lies in a block whose index entry starts after it; lookups do not find it.";
        "Makes the index anew.";
    PR_2_HTREE_MAX_HASH(0x02_0037, Told, NONE)
        "A block of a directory holds too large a hash";
        "A name lies in a block whose index entry ends before it; lookups do not find it.";
        "Makes the index anew.";
    PR_2_HTREE_CLEAR(0x02_0038, Told, ASKS)
        "A directory's index is to be dropped";
        "It has at least one of the faults above; all names are still there.";
        "Drops the index and makes it anew in pass 3A.";
    PR_2_FEATURE_LARGE_DIRS(0x02_0039, Told, ASKS)
        "A directory needs large_dir, and the feature is off";
        "It has three levels or 2 GiB.";
        "Turns the feature on.";
    PR_2_HTREE_BADBLK(0x02_003a, Told, ASKS)
        "A directory's index names a block that is not there";
        "The number is past the directory's end.";
        "Makes the index anew.";
    PR_2_ADJ_EA_REFCOUNT(0x02_003b, AfterYes, FATAL)
        "A reference count could not be adjusted";
    PR_2_HTREE_BAD_ROOT(0x02_003c, Told, ASKS)
        "The root of a directory's index is damaged";
        "Its fixed fields are wrong.";
        "Makes the index anew.";
    PR_2_HTREE_BAD_LIMIT(0x02_003d, Told, ASKS)
        "An index block has an impossible limit";
        "The block's size says how many entries fit.";
        "Makes the index anew.";
    PR_2_HTREE_BAD_COUNT(0x02_003e, Told, ASKS)
        "An index block has too many entries";
        "The count exceeds the limit.";
        "Makes the index anew.";
    PR_2_HTREE_HASH_ORDER(0x02_003f, Told, ASKS)
        "An index block is out of order";
        "Hashes must grow from entry to entry.";
        "Makes the index anew.";
    PR_2_HTREE_BAD_DEPTH(0x02_0040, Told, NONE)
        "A block lies at the wrong depth of the index";
        "The root says how many levels there are.";
        "Makes the index anew.";
    PR_2_DUPLICATE_DIRENT(0x02_0041, Told, ASKS)
        "The same name for the same inode twice";
        "One of the two is too many.";
        "Removes the second.";
    PR_2_NON_UNIQUE_FILE(0x02_0042, Told, ASKS)
        "Two files have the same name";
        "Only one of them can be opened.";
        "Renames the second.";
    PR_2_REPORT_DUP_DIRENT(0x02_0043, Told, NONE)
        "A name occurs twice in a directory block";
        "The whole directory is looked at in pass 3A.";
        "Looks for all doubles and renames or removes them.";
    PR_2_BLOCKS_HI_ZERO(0x02_0044, Told, ASKS)
        "An inode has a high half of its block count";
        "Without huge_file it must be 0.";
        "Clears it.";
    PR_2_UNEXPECTED_HTREE_BLOCK(0x02_0045, Told, ASKS)
        "A directory has more blocks than it had before";
        "A block lies past the end that pass 1 found.";
        "Asks whether to go on.";
    PR_2_INOREF_BG_INO_UNINIT(0x02_0046, Told, ASKS)
        "A name leads into a group without inodes";
        "The descriptor says INODE_UNINIT, so nothing there should be in use.";
        "Clears the flag and starts again.";
    PR_2_INOREF_IN_UNUSED(0x02_0047, Told, ASKS)
        "A name leads to an inode that was never used";
        "The descriptor counts it among the unused ones at the table's end, where pass 1 did not \
         look.";
        "Corrects the count and starts again.";
    PR_2_I_FILE_ACL_HI_ZERO(0x02_0048, Told, ASKS)
        "An inode has a high half of its attribute block";
        "Without 64bit it must be 0.";
        "Clears it.";
    PR_2_HTREE_ROOT_CSUM_INVALID(0x02_0049, Told, ASKS)
        "The root of a directory's index has a wrong checksum";
        "The index cannot be trusted; the names can.";
        "Makes the index anew.";
    PR_2_HTREE_NODE_CSUM_INVALID(0x02_004a, Told, ASKS)
        "A node of a directory's index has a wrong checksum";
        "The index cannot be trusted; the names can.";
        "Makes the index anew.";
    PR_2_LEAF_NODE_MISSING_CSUM(0x02_004c, Told, ASKS)
        "A directory block has no place for its checksum";
        "Every leaf ends with a tail that holds the checksum.";
        "Makes the block anew.";
    PR_2_LEAF_NODE_ONLY_CSUM_INVALID(0x02_004d, Told, ASKS)
        "A directory block has a wrong checksum";
        "Its entries make sense as far as can be seen.";
        "Writes the checksum anew.";
    PR_2_BAD_INLINE_DIR_SIZE(0x02_004e, Told, ASKS)
        "An inline directory has an impossible size";
        "The size must be a multiple of 4 and not leave a part too small for an entry.";
        "Cuts it.";
    PR_2_FIX_INLINE_DIR_FAILED(0x02_004f, AfterYes, ASKS)
        "An inline directory could not be repaired";
    PR_2_BAD_ENCRYPTED_NAME(0x02_0050, Told, ASKS)
        "An encrypted name is too short";
        "Encrypted names have at least 16 bytes.";
        "Removes the name.";
    PR_2_UNENCRYPTED_FILE(0x02_0051, Told, ASKS)
        "A plain file lies in an encrypted directory";
        "Everything below an encrypted directory is encrypted.";
        "Removes the name.";
    PR_2_INCONSISTENT_ENCRYPTION_POLICY(0x02_0052, Told, ASKS)
        "A file has another policy than its directory";
        "Everything below an encrypted directory has the same policy.";
        "Removes the name.";
    PR_2_BAD_ENCODED_NAME(0x02_0053, Told, ASKS)
        "A name is no valid text";
        "The directory ignores case and holds only names in valid UTF-8.";
        "Replaces the name.";
    PR_2_NON_UNIQUE_FILE_NO_RENAME(0x02_0054, Told, ASKS)
        "Two encrypted files have the same name";
        "Only one of them can be opened, and an encrypted name cannot be changed.";
        "Removes the second.";
    PR_2_EA_INODE_DIR_LINK(0x02_0055, Later, ASKS)
        "A name leads to an attribute's value (after 1.47.0)";
}
