//! Caps against hostile images: what a real filesystem never needs and a made-up one must not get.

/// Most bytes read from a source in one request.
pub const READ_BYTES: u32 = 4 << 20;

/// Most bytes of a bitmap held in memory: 2³² bits, one bit a block of 16 TiB.
pub const BITMAP_BYTES: u64 = 512 << 20;

/// Most groups listed: those of 128 TiB with blocks of 4 KiB, 64 MiB of descriptors. A page keeps
/// some 300 bytes of each, and a sparse file may claim any number for nothing.
pub const GROUPS: u32 = 1 << 20;

/// Groups listed even when the image is too short to hold their descriptors.
pub const GROUPS_WITHOUT_DESC: u32 = 1 << 16;

/// Reasons kept of bitmaps that could not be had; the rest is counted.
pub const FAILURES_KEPT: usize = 1000;

/// Fewest blocks of a group for which a damaged superblock is believed when backups are looked
/// for. Ref: the least that mke2fs -g takes.
pub const BLOCKS_PER_GROUP: u64 = 256;

/// Partitions listed of a disk; Linux takes 256.
pub const PARTITIONS: usize = 1024;

/// Most bytes of an entry of a GPT.
pub const PARTITION_ENTRY_BYTES: u32 = 4096;

/// Most bytes of a file held in memory at once.
pub const FILE_BYTES: u64 = 64 << 20;

/// Longest value of an extended attribute. Ref: `EXT4_XATTR_SIZE_MAX`.
pub const XATTR_BYTES: u32 = 1 << 24;

/// Most pieces of files whose owners are kept: 1.5 GiB of memory, and 256 MiB of numbers of blocks
/// on the disk, each of which leads somewhere else.
pub const CLAIMS: usize = 1 << 26;

/// Symbolic links followed on the way to one file. Ref: `MAXSYMLINKS`.
pub const SYMLINKS: u32 = 40;

/// Most pieces of a file that is read at any place, such as the journal: 32 MiB of memory.
pub const BLOCK_RUNS: usize = 1 << 20;

/// Most blocks that the log of a journal lists, to replay or revoked: 8 GiB of log in blocks of 4
/// KiB, and with what replaying makes of them about 200 MiB of memory.
pub const JOURNAL_TAGS: usize = 1 << 21;

/// Blocks without a name, one behind the other, at which a directory is left.
pub const BAD_DIR_BLOCKS: u32 = 256;

/// Most bytes of a journal on another device that are held in memory as after its replay.
pub const EXTERNAL_LOG_BYTES: u64 = 1 << 30;

/// Problems of one code that are kept with their places; the rest is counted.
pub const PROBLEMS_PER_CODE: usize = 1000;

/// Claims to blocks that are free in the bitmaps that a check tells; the rest is not looked for.
pub const CLAIMS_TOLD: usize = 1000;

/// Bytes at which a path is too long. Ref: `PATH_MAX`.
pub const PATH_BYTES: usize = 4096;

/// Names looked up on the way to one file: those of two of the longest paths.
pub const PATH_NAMES: usize = 4096;

/// Folders in one another that are gone into.
pub const TREE_DEPTH: usize = 4096;

/// Longest path that a walk over a folder gives.
pub const TREE_PATH_BYTES: usize = 1 << 16;

/// Bytes of the paths that an archive keeps so that later names of a file can be links.
pub const LINKED_BYTES: usize = 64 << 20;

/// Most pieces of one file that are saved as such, or drawn.
pub const FILE_PIECES: usize = 1 << 20;

/// Most orphans that are listed.
pub const ORPHANS: usize = 1 << 17;

/// Most blocks of an orphan file; mke2fs makes 512 at most.
pub const ORPHAN_BLOCKS: u32 = 1 << 14;

/// Most ranges of bad blocks that are listed.
pub const BAD_BLOCK_RANGES: usize = 1 << 16;

/// Most blocks of a quota file that are gone through, of 14 or 21 entries each.
pub const QUOTA_BLOCKS: usize = 1 << 18;

/// Most users, groups or projects whose use is counted, each: some 160 MiB of memory.
pub const QUOTA_OWNERS: usize = 1 << 22;

/// Most runs of used blocks that block bitmaps may have beyond one for each piece of a file: some
/// 128 MiB of memory.
pub const UNCLAIMED_RUNS: u64 = 1 << 20;

/// Most extents of a scenario's files. The checksums of its bitmaps, in the descriptors, follow from
/// every one of them: some two seconds while it is opened.
pub const SCENARIO_RUNS: u64 = 1 << 27;

/// Most clusters of a filesystem that is shown step by step.
pub const STEP_CLUSTERS: u64 = 1 << 17;

/// Most inodes of a filesystem that is shown step by step.
pub const STEP_INODES: u64 = 1 << 16;

/// Most steps of a lesson that are kept, some 10 MiB of memory.
pub const LESSON_STEPS: usize = 1 << 17;
