//! Rows of passes 1B to 1E: blocks claimed more than once, extent trees made anew.

use super::problems;

problems! {
    PR_1B_PASS_HEADER(0x01_1000, List, NONE)
        "Pass 1B: looking again for blocks that are claimed twice";
    PR_1B_DUP_BLOCK_HEADER(0x01_1001, List, NONE)
        "An inode has blocks that others claim, too";
    PR_1B_DUP_BLOCK(0x01_1002, Told, NONE)
        "A block is claimed more than once";
        "Two inodes, or an inode and metadata, say that the block is theirs. Whoever wrote last \
         owns its contents.";
        "Copies the block for each inode that claims it.";
    PR_1B_DUP_BLOCK_END(0x01_1003, List, NONE)
        "End of an inode's list of shared blocks";
    PR_1B_ISCAN_ERROR(0x01_1004, Told, FATAL)
        "The second look at the inodes failed";
        "An inode with a wrong checksum stops the search for who shares blocks.";
        "Ends.";
    PR_1B_ALLOCATE_IBITMAP_ERROR(0x01_1005, Failure, FATAL)
        "No memory for a map of inodes with shared blocks";
    PR_1B_BLOCK_ITERATE(0x01_1006, Told, NONE)
        "The blocks of an inode cannot be gone through again";
        "A part of its map is unreadable, so not all of its shared blocks are known.";
        "Goes on.";
    PR_1B_ADJ_EA_REFCOUNT(0x01_1007, AfterYes, NONE)
        "A reference count could not be adjusted";
    PR_1B_DUP_RANGE(0x01_1008, Told, NONE)
        "Blocks are claimed more than once";
        "Two inodes, or an inode and metadata, say that these blocks are theirs. Whoever wrote \
         last owns their contents.";
        "Copies the blocks for each inode that claims them.";
    PR_1C_PASS_HEADER(0x01_2000, List, NONE)
        "Pass 1C: finding the names of inodes with shared blocks";
    PR_1D_PASS_HEADER(0x01_3000, List, NONE)
        "Pass 1D: settling shared blocks";
    PR_1D_DUP_FILE(0x01_3001, Told, NONE)
        "A file shares blocks with others";
        "The inodes below, or metadata, claim some of the same blocks. Look at the contents of \
         each before deciding which is right.";
        "Asks whether to copy the blocks, else whether to delete the file.";
    PR_1D_DUP_FILE_LIST(0x01_3002, Told, NONE)
        "One of the files that share";
        "It claims some of the same blocks.";
        "Nothing yet; it has its own turn.";
    PR_1D_SHARE_METADATA(0x01_3003, Told, NONE)
        "A file shares blocks with metadata";
        "Writing to the file would overwrite bitmaps, tables or descriptors.";
        "Copies the blocks elsewhere for the file.";
    PR_1D_NUM_DUP_INODES(0x01_3004, Told, NONE)
        "So many inodes share blocks";
        "All of them are listed.";
        "Goes through them one by one.";
    PR_1D_DUP_BLOCKS_DEALT(0x01_3005, AfterYes, NONE)
        "Its shared blocks are settled already";
    PR_1D_CLONE_QUESTION(0x01_3006, Told, ASKS | MILD)
        "Copy the shared blocks?";
        "After that each file has its own copy; all but one may hold wrong data.";
        "Copies the blocks.";
    PR_1D_DELETE_QUESTION(0x01_3007, Told, ASKS)
        "Delete the file that shares?";
        "The blocks were not to be copied.";
        "Deletes the file.";
    PR_1D_CLONE_ERROR(0x01_3008, AfterYes, NONE)
        "The shared blocks could not be copied";
    PR_1E_PASS_HEADER(0x01_4000, AfterYes, NONE)
        "Pass 1E: making extent trees anew";
    PR_1E_OPTIMIZE_EXT_ERR(0x01_4001, AfterYes, NONE)
        "An extent tree could not be made anew";
    PR_1E_OPTIMIZE_EXT_HEADER(0x01_4002, AfterYes, NONE)
        "Extent trees made anew follow";
    PR_1E_OPTIMIZE_EXT(0x01_4003, AfterYes, NONE)
        "An extent tree is made anew";
    PR_1E_OPTIMIZE_EXT_END(0x01_4004, AfterYes, NONE)
        "End of the extent trees made anew";
    PR_1E_MAX_EXTENT_TREE_DEPTH(0x01_4005, Failure, FATAL)
        "Extent trees of this block size are deeper than the checker knows";
    PR_1E_CAN_COLLAPSE_EXTENT_TREE(0x01_4006, Told, ASKS | MILD)
        "An extent tree could have fewer levels";
        "All entries of one level would fit into the level above. Nothing is wrong; reading takes \
         a step more.";
        "Makes the tree anew.";
    PR_1E_CAN_NARROW_EXTENT_TREE(0x01_4007, Told, ASKS | MILD)
        "An extent tree could have fewer nodes";
        "A level has more nodes than its entries need. Nothing is wrong; some blocks are wasted.";
        "Makes the tree anew.";
}
