//! Rows of pass 1: inodes and their blocks.

use super::problems;

problems! {
    PR_1_PASS_HEADER(0x01_0000, List, NONE)
        "Pass 1: inodes, blocks and sizes";
    PR_1_ROOT_NO_DIR(0x01_0001, Told, ASKS)
        "The root inode is not a directory";
        "Inode 2 is in use as something else, so no path leads anywhere.";
        "Clears it and makes a new root directory; what was below goes to lost+found.";
    PR_1_ROOT_DTIME(0x01_0002, Told, ASKS)
        "The root directory has a time of deletion";
        "Only an inode that was deleted has one; probably an old mke2fs.";
        "Clears the time.";
    PR_1_RESERVED_BAD_MODE(0x01_0003, Told, ASKS)
        "A reserved inode is in use";
        "Inodes below s_first_ino serve the filesystem itself and have no type, or a certain one.";
        "Clears it.";
    PR_1_ZERO_DTIME(0x01_0004, Told, ASKS)
        "A deleted inode has no time of deletion";
        "It has no links and still a mode, as after a crash in the middle of a deletion.";
        "Sets the time of deletion.";
    PR_1_SET_DTIME(0x01_0005, Told, ASKS)
        "An inode in use has a time of deletion";
        "It has links, so it was not deleted.";
        "Clears the time.";
    PR_1_ZERO_LENGTH_DIR(0x01_0006, Told, ASKS)
        "A directory has no blocks";
        "A directory needs at least the block with its dot entries.";
        "Clears it.";
    PR_1_BB_CONFLICT(0x01_0007, Told, ASKS)
        "A block bitmap lies on other metadata";
        "Its block belongs to a superblock, the descriptors, an inode table or another bitmap as \
         well.";
        "Moves the bitmap.";
    PR_1_IB_CONFLICT(0x01_0008, Told, ASKS)
        "An inode bitmap lies on other metadata";
        "Its block belongs to a superblock, the descriptors, an inode table or another bitmap as \
         well.";
        "Moves the bitmap.";
    PR_1_ITABLE_CONFLICT(0x01_0009, Told, ASKS)
        "An inode table lies on other metadata";
        "A block of it belongs to a superblock, the descriptors or another table as well.";
        "Moves the table; inodes in the shared block may be lost.";
    PR_1_BB_BAD_BLOCK(0x01_000a, Told, ASKS)
        "A block bitmap is in a bad block";
        "The list of bad blocks names the bitmap's block.";
        "Moves the bitmap.";
    PR_1_IB_BAD_BLOCK(0x01_000b, Told, ASKS)
        "An inode bitmap is in a bad block";
        "The list of bad blocks names the bitmap's block.";
        "Moves the bitmap.";
    PR_1_BAD_I_SIZE(0x01_000c, Told, ASKS)
        "An inode's size does not fit its blocks";
        "i_size says less or more than the blocks that the inode has.";
        "Sets the size to what the blocks say; for a file, data past the old end may appear.";
    PR_1_BAD_I_BLOCKS(0x01_000d, Told, ASKS)
        "An inode's block count is wrong";
        "i_blocks is not what was counted on the way through its blocks; quota and du are wrong \
         by the difference.";
        "Sets the count.";
    PR_1_ILLEGAL_BLOCK_NUM(0x01_000e, Told, ASKS)
        "A block number of an inode is outside the filesystem";
        "The block map names a block that does not exist; that part of the file is lost.";
        "Removes the number, leaving a hole.";
    PR_1_BLOCK_OVERLAPS_METADATA(0x01_000f, Never, ASKS)
        "A block of a file lies on metadata";
    PR_1_INODE_BLOCK_LATCH(0x01_0010, Told, ASKS)
        "An inode has impossible block numbers";
        "One question for all such numbers of the inode.";
        "Removes each.";
    PR_1_TOO_MANY_BAD_BLOCKS(0x01_0011, Told, ASKS | MILD)
        "An inode has very many impossible block numbers";
        "Probably the inode or its indirect block holds something else.";
        "Clears the inode.";
    PR_1_BB_ILLEGAL_BLOCK_NUM(0x01_0012, Told, ASKS)
        "The list of bad blocks names an impossible block";
        "Inode 1 lists a block outside the filesystem.";
        "Removes it from the list.";
    PR_1_INODE_BBLOCK_LATCH(0x01_0013, Told, ASKS)
        "The list of bad blocks has impossible entries";
        "One question for all of them.";
        "Removes each.";
    PR_1_DUP_BLOCKS_PREENSTOP(0x01_0014, AfterYes, NONE)
        "Shared blocks need a check by hand";
    PR_1_BBINODE_BAD_METABLOCK(0x01_0015, Told, ASKS)
        "A block of the bad-block list is itself bad or in use";
        "An indirect block of inode 1 cannot hold the list.";
        "Asks whether to go on.";
    PR_1_BBINODE_BAD_METABLOCK_PROMPT(0x01_0016, Told, ASKS)
        "Go on without the list of bad blocks?";
        "The list cannot be stored where it lies.";
        "Goes on.";
    PR_1_BAD_PRIMARY_BLOCK(0x01_0017, Told, NONE)
        "Primary metadata lies in a bad block";
        "The list of bad blocks names a block without which nothing can be found.";
        "Asks whether to go on.";
    PR_1_BAD_PRIMARY_BLOCK_PROMPT(0x01_0018, Told, ASKS)
        "Go on with bad primary metadata?";
        "If the block is really bad, the filesystem belongs on another disk.";
        "Goes on.";
    PR_1_BAD_PRIMARY_SUPERBLOCK(0x01_0019, Told, NONE)
        "The primary superblock is on the list of bad blocks";
        "Either the list is wrong or the disk is at its end.";
        "Asks whether to go on.";
    PR_1_BAD_PRIMARY_GROUP_DESCRIPTOR(0x01_001a, Told, NONE)
        "The primary descriptors are on the list of bad blocks";
        "Either the list is wrong or the disk is at its end.";
        "Asks whether to go on.";
    PR_1_BAD_SUPERBLOCK(0x01_001b, Told, NONE)
        "A backup superblock is on the list of bad blocks";
        "That copy is of no use; the others are.";
        "Nothing.";
    PR_1_BAD_GROUP_DESCRIPTORS(0x01_001c, Told, NONE)
        "A copy of the descriptors is on the list of bad blocks";
        "That copy is of no use; the others are.";
        "Nothing.";
    PR_1_PROGERR_CLAIMED_BLOCK(0x01_001d, Told, NONE)
        "A bad block is in use for no reason that is known";
        "The list of bad blocks names a block twice, or one of the reserved GDT blocks.";
        "Nothing.";
    PR_1_RELOC_BLOCK_ALLOCATE(0x01_001e, Told, NONE)
        "No room to move metadata to";
        "A bitmap or table has to move, and no blocks are free.";
        "Ends.";
    PR_1_RELOC_MEMORY_ALLOCATE(0x01_001f, Failure, NONE)
        "No memory to move metadata";
    PR_1_RELOC_FROM_TO(0x01_0020, AfterYes, NONE)
        "Metadata is moved";
    PR_1_RELOC_TO(0x01_0021, Told, NONE)
        "Metadata without a place gets one";
        "The descriptor says block 0 for a bitmap or the inode table, so e2fsck looks for a new \
         place, even without writing.";
        "Makes it there.";
    PR_1_RELOC_READ_ERR(0x01_0022, Failure, NONE)
        "Metadata to be moved cannot be read";
    PR_1_RELOC_WRITE_ERR(0x01_0023, Told, NONE)
        "Metadata could not be moved";
        "The new place could not be written, as nothing is when only looking.";
        "Tries again.";
    PR_1_ALLOCATE_IBITMAP_ERROR(0x01_0024, Failure, FATAL)
        "No memory for a map of inodes";
    PR_1_ALLOCATE_BBITMAP_ERROR(0x01_0025, Failure, FATAL)
        "No memory for a map of blocks";
    PR_1_ALLOCATE_ICOUNT(0x01_0026, Failure, FATAL)
        "No memory for link counts";
    PR_1_ALLOCATE_DBCOUNT(0x01_0027, Failure, FATAL)
        "No memory for the list of directory blocks";
    PR_1_ISCAN_ERROR(0x01_0028, Told, FATAL)
        "The inode tables cannot be gone through";
        "The next group's inode table lies outside the filesystem or cannot be read.";
        "Ends; a backup superblock may have better descriptors.";
    PR_1_BLOCK_ITERATE(0x01_0029, Told, FATAL)
        "The blocks of an inode cannot be gone through";
        "An indirect block or a node of the extent tree is outside the filesystem or unreadable.";
        "Ends; with yes to the questions before, the bad part would have been cut off.";
    PR_1_ICOUNT_STORE(0x01_002a, Failure, FATAL)
        "A link count could not be kept";
    PR_1_ADD_DBLOCK(0x01_002b, Failure, FATAL)
        "A directory block could not be kept";
    PR_1_READ_INODE(0x01_002c, Never, FATAL)
        "An inode could not be read";
    PR_1_SUPPRESS_MESSAGES(0x01_002d, Told, ASKS | MILD)
        "Say no more of this inode's block numbers?";
        "The inode has very many impossible block numbers.";
        "Goes on quietly with this inode.";
    PR_1_SET_IMAGIC(0x01_002f, Told, ASKS)
        "An inode has the AFS flag";
        "IMAGIC is set, and the feature imagic_inodes is off; mostly the mark of a garbled inode.";
        "Clears the inode.";
    PR_1_SET_IMMUTABLE(0x01_0030, Told, ASKS | MILD)
        "A special file is immutable or append-only";
        "The flags mean nothing there; mostly the mark of a garbled inode.";
        "Clears the flags.";
    PR_1_SET_NONZSIZE(0x01_0032, Told, ASKS)
        "A special file has a size";
        "A device, pipe or socket has no data.";
        "Sets the size to 0.";
    PR_1_FS_REV_LEVEL(0x01_0033, Told, ASKS | MILD)
        "Revision 0 is too old for what is used";
        "The filesystem has files or directories that need revision 1.";
        "Raises the revision.";
    PR_1_JOURNAL_INODE_NOT_CLEAR(0x01_0034, Told, ASKS)
        "The journal's inode is filled in without a journal";
        "Inode 8 is not named as the journal and is not empty.";
        "Clears it.";
    PR_1_JOURNAL_BAD_MODE(0x01_0035, Told, ASKS)
        "The journal is not a regular file";
        "Inode 8 has to be a regular file.";
        "Makes it one.";
    PR_1_LOW_DTIME(0x01_0036, Told, ASKS)
        "An inode seems to be left from the orphan list";
        "Its time of deletion is an inode number: that of the next inode that was deleted while \
         open.";
        "Clears the time; the inode is freed if nothing names it.";
    PR_1_ORPHAN_LIST_REFUGEES(0x01_0037, Told, ASKS)
        "Inodes are left from a broken orphan list";
        "One question for all inodes whose time of deletion looks like an inode number.";
        "Repairs each.";
    PR_1_ALLOCATE_REFCOUNT(0x01_0038, Failure, FATAL)
        "No memory for reference counts";
    PR_1_READ_EA_BLOCK(0x01_0039, Told, ASKS)
        "An attribute block cannot be read";
        "The block of extended attributes of the inode is unreadable.";
        "Removes the attributes.";
    PR_1_BAD_EA_BLOCK(0x01_003a, Told, ASKS)
        "An attribute block has no magic";
        "The block that i_file_acl names holds something else.";
        "Removes the attributes from the inode.";
    PR_1_EXTATTR_READ_ABORT(0x01_003b, Told, FATAL)
        "An attribute block cannot be counted";
        "Its header became invalid between two looks.";
        "Ends.";
    PR_1_EXTATTR_REFCOUNT(0x01_003c, Told, ASKS)
        "An attribute block has a wrong reference count";
        "h_refcount is not the number of inodes that use the block.";
        "Sets the count.";
    PR_1_EXTATTR_WRITE_ABORT(0x01_003d, AfterYes, FATAL)
        "An attribute block could not be written";
    PR_1_EA_MULTI_BLOCK(0x01_003e, Told, ASKS)
        "An attribute block claims to be several";
        "h_blocks must be 1.";
        "Removes the attributes from the inode.";
    PR_1_EA_ALLOC_REGION_ABORT(0x01_003f, Failure, FATAL)
        "No memory to check attributes";
    PR_1_EA_ALLOC_COLLISION(0x01_0040, Told, ASKS)
        "Parts of an attribute block overlap";
        "A name, a value or the end mark lies on another or past the block.";
        "Removes the attributes from the inode.";
    PR_1_EA_BAD_NAME(0x01_0041, Told, ASKS)
        "An attribute has an impossible name";
        "The name's index is 0.";
        "Removes the attributes from the inode.";
    PR_1_EA_BAD_VALUE(0x01_0042, Told, ASKS)
        "An attribute's value lies outside its block";
        "Offset and size lead past the block.";
        "Removes the attributes from the inode.";
    PR_1_INODE_TOOBIG(0x01_0043, Told, ASKS)
        "An inode is larger than can be";
        "One question for all blocks past the limit.";
        "Cuts them off.";
    PR_1_TOOBIG_DIR(0x01_0044, Told, ASKS)
        "A directory is too large";
        "It has blocks past what a directory may have without large_dir.";
        "Cuts them off.";
    PR_1_TOOBIG_REG(0x01_0045, Told, ASKS)
        "A file is too large";
        "Its block map reaches past the longest file.";
        "Cuts the rest off.";
    PR_1_TOOBIG_SYMLINK(0x01_0046, Told, ASKS)
        "A symbolic link is too large";
        "It has more than one block.";
        "Cuts the rest off.";
    PR_1_HTREE_SET(0x01_0047, Told, ASKS)
        "A directory has an index, and dir_index is off";
        "The flag INDEX means nothing without the feature.";
        "Clears the flag.";
    PR_1_HTREE_NODIR(0x01_0048, Told, ASKS)
        "Something else than a directory has an index";
        "The flag INDEX belongs to directories; mostly the mark of a garbled inode.";
        "Clears the flag.";
    PR_1_HTREE_BADROOT(0x01_0049, Told, ASKS)
        "The root of a directory's index is damaged";
        "Block 0 of the directory is missing, or what it says of the index is impossible.";
        "Drops the index; names stay.";
    PR_1_HTREE_HASHV(0x01_004a, Told, ASKS)
        "A directory's index uses an unknown hash";
        "The number of the hash is none of the known ones, so no name can be looked up.";
        "Drops the index; names stay.";
    PR_1_HTREE_INCOMPAT(0x01_004b, Told, ASKS)
        "A directory's index has unknown flags";
        "The root says that it cannot be understood.";
        "Drops the index; names stay.";
    PR_1_HTREE_DEPTH(0x01_004c, Told, ASKS)
        "A directory's index is too deep";
        "The root counts more levels than there can be.";
        "Drops the index; names stay.";
    PR_1_BB_FS_BLOCK(0x01_004d, Told, ASKS)
        "The bad-block list lies on metadata";
        "An indirect block of inode 1 is a block of the filesystem's own.";
        "Removes it.";
    PR_1_RESIZE_INODE_CREATE(0x01_004e, Told, ASKS)
        "The resize inode could not be made anew";
        "Inode 7 is unreadable.";
        "Ends.";
    PR_1_EXTRA_ISIZE(0x01_004f, Told, ASKS)
        "i_extra_isize is impossible";
        "It must be a multiple of 4 that fits into the inode; its attributes cannot be found \
         otherwise.";
        "Sets it to s_want_extra_isize.";
    PR_1_ATTR_NAME_LEN(0x01_0050, Told, ASKS)
        "An attribute's name leads out of the inode";
        "e_name_len is longer than the room that is left.";
        "Removes the attributes inside the inode.";
    PR_1_ATTR_VALUE_OFFSET(0x01_0051, Never, ASKS)
        "An attribute's value lies outside the inode";
    PR_1_ATTR_VALUE_BLOCK(0x01_0052, Never, ASKS)
        "An attribute's value names a block";
    PR_1_ATTR_VALUE_SIZE(0x01_0053, Told, ASKS)
        "An attribute's value is longer than the inode";
        "e_value_size is larger than the room that is left.";
        "Removes the attributes inside the inode.";
    PR_1_ATTR_HASH(0x01_0054, Told, ASKS)
        "An attribute has a wrong hash";
        "e_hash does not fit the name and value: one of them was changed.";
        "Removes the attribute.";
    PR_1_TREAT_AS_DIRECTORY(0x01_0055, Told, ASKS)
        "A special file looks like a directory";
        "Its first block begins with dot and dot-dot; the mode was probably damaged.";
        "Makes it a directory.";
    PR_1_READ_EXTENT(0x01_0056, Told, ASKS)
        "An extent tree cannot be opened";
        "The root of the tree is unreadable although it looked sound.";
        "Clears the inode.";
    PR_1_EXTENT_ITERATE_FAILURE(0x01_0057, Told, ASKS)
        "An extent tree cannot be gone through";
        "A node cannot be read, has no entries, or leads back to one above.";
        "Removes that part of the tree.";
    PR_1_EXTENT_BAD_START_BLK(0x01_0058, Told, ASKS)
        "An extent lies outside the filesystem";
        "The first block that it names does not exist.";
        "Removes the extent; that part of the file is lost.";
    PR_1_EXTENT_ENDS_BEYOND(0x01_0059, Told, ASKS)
        "An extent leads past the end of the filesystem";
        "Its last blocks do not exist.";
        "Removes the extent; that part of the file is lost.";
    PR_1_EXTENTS_SET(0x01_005a, Told, ASKS)
        "An inode has the extents flag without a tree";
        "The feature extents is off, and i_block is no extent tree.";
        "Clears the inode.";
    PR_1_EXTENT_FEATURE(0x01_005b, Told, ASKS)
        "An inode has extents, and the feature is off";
        "i_block is a sound extent tree.";
        "Turns the feature on.";
    PR_1_UNSET_EXTENT_FL(0x01_005c, Told, ASKS)
        "An inode with an extent tree lacks the flag";
        "i_block is a sound extent tree, and would be read as block numbers.";
        "Sets the flag.";
    PR_1_FAST_SYMLINK_EXTENT_FL(0x01_005d, Told, ASKS)
        "A short symbolic link has the extents flag";
        "Its target is inside the inode, so there are no extents.";
        "Clears the flag.";
    PR_1_OUT_OF_ORDER_EXTENTS(0x01_005e, Told, ASKS)
        "Extents are out of order";
        "An extent starts before the one ahead of it ends, or before its node begins.";
        "Removes the extent.";
    PR_1_EXTENT_HEADER_INVALID(0x01_005f, Told, ASKS)
        "A node of an extent tree is no node";
        "Its magic or its counts are wrong; all that it mapped is lost.";
        "Cuts the node off.";
    PR_1_CONVERT_SUBCLUSTER(0x01_0061, Failure, FATAL)
        "Blocks could not be joined to clusters";
    PR_1_QUOTA_BAD_MODE(0x01_0062, Told, ASKS)
        "A quota file is not a regular file";
        "The superblock names the inode as a quota file.";
        "Makes it a regular file.";
    PR_1_QUOTA_INODE_NOT_CLEAR(0x01_0063, Told, ASKS)
        "A quota inode is filled in without quota";
        "The inode is not named as a quota file and is not empty.";
        "Clears it.";
    PR_1_QUOTA_INODE_NOT_HIDDEN(0x01_0064, Never, ASKS)
        "A quota inode is visible";
    PR_1_INVALID_BAD_INODE(0x01_0065, Told, ASKS)
        "The list of bad blocks has an impossible inode";
        "Inode 1 has a type, an owner, links or attributes, which it must not.";
        "Clears it.";
    PR_1_EXTENT_LENGTH_ZERO(0x01_0066, Told, ASKS)
        "An extent has no blocks";
        "ee_len is 0.";
        "Removes it.";
    PR_1_INODE_IS_GARBAGE(0x01_0067, Told, ASKS)
        "An inode lies among garbage";
        "More than half of the inodes of its block are impossible: something else was written \
         over the inode table.";
        "Clears the inode.";
    PR_1_INODE_ONLY_CSUM_INVALID(0x01_0068, Told, ASKS)
        "An inode has a wrong checksum";
        "Nothing else is wrong with it as far as can be seen; a bit may have flipped in what \
         cannot be checked.";
        "Writes the checksum anew.";
    PR_1_INODE_EA_ALLOC_COLLISION(0x01_0069, Told, ASKS)
        "Attributes inside an inode overlap";
        "A name, a value or the end mark lies on another.";
        "Removes the attributes inside the inode.";
    PR_1_EXTENT_ONLY_CSUM_INVALID(0x01_006a, Told, ASKS)
        "A node of an extent tree has a wrong checksum";
        "Its entries make sense as far as can be seen.";
        "Writes the checksum anew.";
    PR_1_EA_BLOCK_ONLY_CSUM_INVALID(0x01_006c, Told, ASKS)
        "An attribute block has a wrong checksum";
        "Its contents make sense as far as can be seen.";
        "Writes the checksum anew.";
    PR_1_EXTENT_INDEX_START_INVALID(0x01_006d, Told, ASKS)
        "A node of an extent tree starts elsewhere than its index says";
        "The index entry and the first entry below disagree about the first block.";
        "Sets the index entry.";
    PR_1_EXTENT_END_OUT_OF_BOUNDS(0x01_006e, Told, ASKS)
        "An extent leads past its node's part of the file";
        "It ends after what the index entry above covers.";
        "Removes the extent.";
    PR_1_INLINE_DATA_FEATURE(0x01_006f, Told, ASKS)
        "An inode has inline data, and the feature is off";
        "Its data is sound.";
        "Turns the feature on.";
    PR_1_INLINE_DATA_SET(0x01_0070, Told, ASKS)
        "An inode has the inline data flag without the feature";
        "There is no inline data, or the feature is not to be turned on.";
        "Clears the inode.";
    PR_1_CRITICAL_METADATA_COLLISION(0x01_0071, Told, NONE)
        "A map of a file's blocks lies on metadata";
        "An indirect block or an extent node is in a block of the filesystem's own; one of the \
         two overwrites the other.";
        "Says so, and leaves both.";
    PR_1_COLLAPSE_DBLOCK(0x01_0072, Told, ASKS)
        "A directory has a hole";
        "There is a gap ahead of an extent; the kernel stops reading there.";
        "Moves the rest down.";
    PR_1_UNINIT_DBLOCK(0x01_0073, Told, ASKS)
        "A directory has unwritten blocks";
        "An extent of a directory is marked as never written, so it reads as zeros.";
        "Marks it as written.";
    PR_1_MISALIGNED_CLUSTER(0x01_0074, Told, NONE)
        "A block is out of step with its cluster";
        "With bigalloc a file's blocks lie at the same place of a cluster in the file and on the \
         disk; these do not.";
        "Copies the block elsewhere.";
    PR_1_INLINE_DATA_NO_ATTR(0x01_0075, Told, ASKS)
        "Inline data cannot be found";
        "The flag is set, but the attribute system.data is not there.";
        "Clears the flag or the inode.";
    PR_1_SPECIAL_EXTENTS_IDATA(0x01_0076, Told, ASKS | MILD)
        "A special file has flags of files";
        "A device, pipe or socket has neither extents nor inline data.";
        "Clears the flags.";
    PR_1_CLEAR_INLINE_DATA_FOR_EXTENT(0x01_0077, Told, ASKS)
        "An inode has extents and inline data at once";
        "i_block is a sound extent tree.";
        "Clears the flag of inline data.";
    PR_1_CLEAR_EXTENT_FOR_INLINE_DATA(0x01_0078, Told, ASKS)
        "An inode has inline data and extents at once";
        "Its size fits into the inode.";
        "Clears the flag of extents.";
    PR_1_CLEAR_EXTENT_INLINE_DATA_FLAGS(0x01_0079, Told, ASKS)
        "An inode has both flags and neither kind of data";
        "i_block looks like plain block numbers.";
        "Clears both flags.";
    PR_1_CLEAR_EXTENT_INLINE_DATA_INODE(0x01_007a, Told, ASKS)
        "An inode has extents and inline data, and nothing fits";
        "Which of them it has cannot be told.";
        "Clears the inode.";
    PR_1_BADBLOCKS_IN_BADBLOCKS(0x01_007b, Told, ASKS)
        "The list of bad blocks lies in a bad block";
        "The block of the inode table that holds inode 1 is on inode 1's own list.";
        "Clears the list.";
    PR_1_EXTENT_ALLOC_REGION_ABORT(0x01_007c, Never, FATAL)
        "No memory to check extents";
    PR_1_EXTENT_COLLISION(0x01_007d, Told, ASKS)
        "Extents overlap";
        "An extent starts before the previous one of the file ends.";
        "Removes the extent.";
    PR_1_ALLOCATE_ENCRYPTED_INODE_LIST(0x01_007e, Failure, FATAL)
        "No memory for the list of encrypted inodes";
    PR_1_EXTENT_BAD_MAX_DEPTH(0x01_007f, Told, ASKS | MILD)
        "An extent tree is deeper than needed";
        "No file of this block size needs so many levels.";
        "Makes the tree anew.";
    PR_1_NO_BIGALLOC_BLOCKMAP_FILES(0x01_0080, Told, ASKS)
        "A file is mapped by blocks although there are clusters";
        "With bigalloc every file has extents.";
        "Makes an extent tree.";
    PR_1_MISSING_EXTENT_HEADER(0x01_0081, Told, ASKS)
        "An extent tree has no root";
        "The flag is set, but i_block does not start with a node.";
        "Clears the inode.";
    PR_1_EA_TIME_OUT_OF_RANGE(0x01_0082, Told, ASKS | MILD)
        "A time lies past 2310";
        "Probably an old kernel mixed up the bits of a time before 1970.";
        "Clears the upper bits.";
    PR_1_ATTR_VALUE_EA_INODE(0x01_0083, Told, ASKS)
        "An attribute's value inode is impossible";
        "The inode that should hold the value does not exist or does not fit the hash.";
        "Removes the attribute.";
    PR_1_ATTR_NO_EA_INODE_FL(0x01_0085, Told, ASKS)
        "An attribute's value inode stays without its flag";
        "The flag EA_INODE was not to be set.";
        "Removes the attribute.";
    PR_1_ATTR_SET_EA_INODE_FL(0x01_0086, Told, ASKS)
        "An attribute's value inode lacks its flag";
        "The inode holds the value, and the hash fits, but it is not marked.";
        "Sets the flag.";
    PR_1_CLEAR_UNINIT_EXTENT(0x01_0087, AfterYes, ASKS)
        "An unwritten extent is marked as written";
    PR_1_CASEFOLD_NONDIR(0x01_0088, Told, ASKS)
        "Something else than a directory ignores case";
        "The flag CASEFOLD belongs to directories.";
        "Clears the flag.";
    PR_1_CASEFOLD_FEATURE(0x01_0089, Told, ASKS)
        "A directory ignores case, and the feature is off";
        "The flag CASEFOLD needs the feature casefold.";
        "Clears the flag.";
    PR_1_MISSING_ENCRYPTION_XATTR(0x01_008a, Told, ASKS)
        "An encrypted inode has no policy";
        "The flag ENCRYPT is set, but the attribute that tells how to decrypt is missing.";
        "Clears the flag.";
    PR_1_CORRUPT_ENCRYPTION_XATTR(0x01_008b, Told, ASKS)
        "An encryption policy is damaged";
        "The attribute has an unknown version or the wrong length, so the file cannot be \
         decrypted.";
        "Clears the inode.";
    PR_1_HTREE_NEEDS_SIPHASH(0x01_008d, Told, ASKS)
        "A directory's index uses the wrong hash";
        "A directory that is encrypted and ignores case has SipHash.";
        "Drops the index; names stay.";
    PR_1_HTREE_CANNOT_SIPHASH(0x01_008e, Told, ASKS)
        "A directory's index uses SipHash";
        "Only directories that are encrypted and ignore case do.";
        "Drops the index; names stay.";
    PR_1_ORPHAN_FILE_BAD_MODE(0x01_008f, Told, ASKS)
        "The orphan file is not a regular file";
        "The superblock names the inode as the orphan file.";
        "Clears it; a new one is made.";
    PR_1_ORPHAN_FILE_NOT_CLEAR(0x01_0090, Told, ASKS)
        "The orphan file's inode is filled in without the feature";
        "orphan_file is off.";
        "Clears it.";
    PR_1_EA_INODE_NONREG(0x01_0091, Later, ASKS)
        "A value inode is not a regular file (after 1.47.0)";
    PR_1_EA_INODE_FEATURE(0x01_0092, Later, ASKS)
        "A value inode without the feature ea_inode (after 1.47.0)";
}
