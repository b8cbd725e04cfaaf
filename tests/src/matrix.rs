//! The images that the oracles are asked about: every shape of ext2, ext3 and ext4 that changes
//! where a bitmap lies, how it is counted or how it is checked.

use crate::fill::Fill::{self, Copy, Debugfs, Poke, Ragged, Scatter, Tree};
use crate::recipe::Recipe;

const MIB: u64 = 1024;
const GIB: u64 = 1024 * MIB;
const TIB: u64 = 1024 * GIB;

const EMPTY: &[Fill] = &[];
const TREE: &[Fill] = &[Tree];
const RAGGED: &[Fill] = &[Ragged];
const BOTH: &[Fill] = &[Tree, Ragged];
const SCATTERED: &[Fill] = &[Tree, Ragged, Scatter];

const fn image(
    name: &'static str,
    kib: u64,
    mke2fs: &'static str,
    fill: &'static [Fill],
) -> Recipe {
    Recipe { name, kib, mke2fs, fill }
}

/// Every recipe.
pub const MATRIX: &[Recipe] = &[
    // Generations.
    image("ext2_rev0", 16 * MIB, "-t ext2 -r 0 -b 1024", RAGGED),
    image("ext2_1k", 24 * MIB, "-t ext2 -b 1024", SCATTERED),
    image("ext2_2k", 48 * MIB, "-t ext2 -b 2048", RAGGED),
    image("ext2_4k_inode128", 64 * MIB, "-t ext2 -b 4096 -I 128", BOTH),
    image("ext2_hurd", 16 * MIB, "-t ext2 -o hurd -b 4096 -I 128", RAGGED),
    image("ext3_1k", 32 * MIB, "-t ext3 -b 1024", BOTH),
    image("ext3_4k", 64 * MIB, "-t ext3 -b 4096", SCATTERED),
    // Block sizes.
    image("ext4_1k", 40 * MIB, "-t ext4 -b 1024", SCATTERED),
    image("ext4_2k", 96 * MIB, "-t ext4 -b 2048", SCATTERED),
    image("ext4_4k", 300 * MIB, "-t ext4 -b 4096", SCATTERED),
    image("ext4_8k", 64 * MIB, "-t ext4 -b 8192", BOTH),
    image("ext4_8k_groups", 1100 * MIB, "-t ext4 -b 8192", SCATTERED),
    image("ext4_16k", 96 * MIB, "-t ext4 -b 16384", RAGGED),
    image("ext4_32k", 128 * MIB, "-t ext4 -b 32768 -N 4096", RAGGED),
    image("ext4_64k", 192 * MIB, "-t ext4 -b 65536 -N 4096", BOTH),
    image("ext4_64k_groups", 9 * GIB, "-t ext4 -b 65536 -N 8192 -g 65528", SCATTERED),
    // Small groups: many short bitmaps, and shares of bytes.
    image("groups_of_256", 6 * MIB, "-t ext4 -b 1024 -g 256 -G 8 -N 384", SCATTERED),
    image("groups_of_1024", 33 * MIB, "-t ext4 -b 1024 -g 1024 -O ^flex_bg -N 2048", SCATTERED),
    image("groups_of_8184", 40 * MIB, "-t ext4 -b 4096 -g 2040", SCATTERED),
    // The last group.
    image("last_group_short", 8193 + 8192 + 90, "-t ext2 -b 1024 -N 64", SCATTERED),
    image("last_group_odd", 3 * 8192 + 2749, "-t ext4 -b 1024", SCATTERED),
    image("one_short_group", 2 * MIB + 3, "-t ext4 -b 1024 -O ^has_journal", TREE),
    image("longer_file", 20 * MIB + 3, "-t ext4 -b 4096", RAGGED),
    // Descriptors.
    image("32bit", 64 * MIB, "-t ext4 -b 1024 -O ^64bit", SCATTERED),
    image("desc_128", 64 * MIB, "-t ext4 -b 1024 -E desc_size=128", SCATTERED),
    image("desc_1024", 64 * MIB, "-t ext4 -b 1024 -E desc_size=1024", RAGGED),
    image("meta_bg_1k", 160 * MIB, "-t ext4 -b 1024 -O meta_bg,^resize_inode -i 65536", SCATTERED),
    image(
        "meta_bg_32bit",
        400 * MIB,
        "-t ext4 -b 1024 -O meta_bg,^resize_inode,^64bit,^flex_bg -i 262144",
        RAGGED,
    ),
    image(
        "meta_bg_4k",
        2 * GIB,
        "-t ext4 -b 4096 -g 2048 -O meta_bg,^resize_inode -N 4096",
        SCATTERED,
    ),
    image("meta_bg_ext2", 100 * MIB, "-t ext2 -b 1024 -g 2048 -O meta_bg,^resize_inode", SCATTERED),
    image(
        "first_meta_bg",
        101 * MIB,
        "-t ext2 -b 1024 -g 1024 -O ^resize_inode",
        &[Ragged, FIRST_META_BG[0], FIRST_META_BG[1], FIRST_META_BG[2], FIRST_META_BG[3]],
    ),
    image("no_resize_inode", 64 * MIB, "-t ext4 -b 1024 -O ^resize_inode", RAGGED),
    image("resize_far", 64 * MIB, "-t ext4 -b 1024 -E resize=4000000", RAGGED),
    // Backups.
    image("no_sparse_super", 64 * MIB, "-t ext4 -b 1024 -O ^sparse_super,^resize_inode", SCATTERED),
    image("rev0_all_backups", 40 * MIB, "-r 0 -b 1024 -g 4096", RAGGED),
    image(
        "sparse_super2_0",
        64 * MIB,
        "-t ext4 -b 1024 -O sparse_super2 -E num_backup_sb=0",
        RAGGED,
    ),
    image(
        "sparse_super2_1",
        64 * MIB,
        "-t ext4 -b 1024 -O sparse_super2 -E num_backup_sb=1",
        RAGGED,
    ),
    image(
        "sparse_super2_2",
        96 * MIB,
        "-t ext4 -b 1024 -O sparse_super2 -E num_backup_sb=2",
        SCATTERED,
    ),
    // Flex groups.
    image("no_flex_bg", 96 * MIB, "-t ext4 -b 1024 -O ^flex_bg", SCATTERED),
    image("flex_1", 64 * MIB, "-t ext4 -b 1024 -G 1", RAGGED),
    image("flex_2", 72 * MIB, "-t ext4 -b 1024 -G 2", SCATTERED),
    image("flex_8_last_partial", 90 * MIB, "-t ext4 -b 1024 -G 8", SCATTERED),
    image("flex_128_beyond", 64 * MIB, "-t ext4 -b 1024 -G 128", RAGGED),
    image("flex_32768", 200 * MIB, "-t ext4 -b 1024 -G 32768 -i 65536", RAGGED),
    // Checksums.
    image("no_csum", 64 * MIB, "-t ext4 -b 1024 -O ^metadata_csum", RAGGED),
    image("uninit_bg", 64 * MIB, "-t ext4 -b 1024 -O ^metadata_csum,uninit_bg", SCATTERED),
    image(
        "uninit_bg_32bit",
        64 * MIB,
        "-t ext4 -b 1024 -O ^metadata_csum,uninit_bg,^64bit",
        RAGGED,
    ),
    image("csum_32bit", 64 * MIB, "-t ext4 -b 2048 -O ^64bit", SCATTERED),
    image("csum_seed", 64 * MIB, "-t ext4 -b 1024 -O metadata_csum_seed", SCATTERED),
    image(
        "lazy",
        128 * MIB,
        "-t ext4 -b 1024 -E lazy_itable_init=1,lazy_journal_init=1",
        SCATTERED,
    ),
    image("lazy_no_flex", 96 * MIB, "-t ext4 -b 1024 -O ^flex_bg -E lazy_itable_init=1", RAGGED),
    image("not_lazy", 48 * MIB, "-t ext4 -b 1024 -E lazy_itable_init=0,nodiscard", RAGGED),
    image(
        "lazy_uninit_bg",
        64 * MIB,
        "-t ext3 -b 4096 -g 2048 -O uninit_bg -E lazy_itable_init=1",
        RAGGED,
    ),
    // Clusters.
    image("bigalloc_1k_2k", 64 * MIB, "-t ext4 -b 1024 -C 2048 -O bigalloc", RAGGED),
    image("bigalloc_1k_16k", 300 * MIB, "-t ext4 -b 1024 -C 16384 -O bigalloc", SCATTERED),
    image("bigalloc_4k_8k", 512 * MIB, "-t ext4 -b 4096 -C 8192 -O bigalloc", SCATTERED),
    image("bigalloc_4k_64k", 5 * GIB, "-t ext4 -b 4096 -C 65536 -O bigalloc", SCATTERED),
    image("bigalloc_odd_end", 200 * MIB + 7, "-t ext4 -b 1024 -C 8192 -O bigalloc", SCATTERED),
    image(
        "bigalloc_no_flex",
        200 * MIB,
        "-t ext4 -b 1024 -C 8192 -O bigalloc,^flex_bg,^resize_inode",
        RAGGED,
    ),
    image(
        "bigalloc_meta_bg",
        512 * MIB,
        "-t ext4 -b 1024 -C 4096 -O bigalloc,meta_bg,^resize_inode",
        SCATTERED,
    ),
    image("bigalloc_64k_1m", 3 * GIB, "-t ext4 -b 65536 -C 1048576 -O bigalloc -N 8192", RAGGED),
    // Features that only change files, names or keys.
    image("inline_data", 24 * MIB, "-t ext4 -b 1024 -O inline_data", BOTH),
    image("quota", 24 * MIB, "-t ext4 -b 1024 -O quota", RAGGED),
    image(
        "quota_user_project",
        24 * MIB,
        "-t ext4 -b 1024 -O quota -E quotatype=usrquota:prjquota",
        TREE,
    ),
    image("project", 24 * MIB, "-t ext4 -b 1024 -O project,quota", RAGGED),
    image("mmp", 24 * MIB, "-t ext4 -b 1024 -O mmp -E mmp_update_interval=17", TREE),
    image("casefold", 24 * MIB, "-t ext4 -b 1024 -O casefold", RAGGED),
    image("casefold_strict", 24 * MIB, "-t ext4 -E encoding=utf8-12.1,encoding_flags=strict", TREE),
    image("encrypt", 24 * MIB, "-t ext4 -b 1024 -O encrypt", RAGGED),
    image("verity", 24 * MIB, "-t ext4 -b 1024 -O verity", RAGGED),
    image("orphan_file", 24 * MIB, "-t ext4 -b 1024 -O orphan_file", RAGGED),
    image(
        "fast_commit",
        48 * MIB,
        "-t ext4 -b 1024 -O fast_commit -J fast_commit_size=512",
        RAGGED,
    ),
    image("stable_inodes", 24 * MIB, "-t ext4 -b 1024 -O stable_inodes", RAGGED),
    image("ea_inode_large_dir", 24 * MIB, "-t ext4 -b 1024 -O ea_inode,large_dir", RAGGED),
    image(
        "everything",
        64 * MIB,
        "-t ext4 -b 1024 -G 4 -E lazy_itable_init=1,encoding=utf8 -O quota,mmp,casefold,encrypt,verity,orphan_file,fast_commit,stable_inodes,inline_data,project,metadata_csum_seed,ea_inode,large_dir",
        TREE,
    ),
    image("bare", 24 * MIB, "-t ext4 -b 1024 -O none", RAGGED),
    image("journal_dev_1k", 8 * MIB, "-O journal_dev -b 1024", EMPTY),
    image("journal_dev_4k", 16 * MIB, "-O journal_dev -b 4096", EMPTY),
    image("journal_at_end", 96 * MIB, "-t ext4 -b 1024 -J size=8,location=70000", RAGGED),
    image("packed_meta", 96 * MIB, "-t ext4 -b 4096 -g 4096 -E packed_meta_blocks=1", RAGGED),
    // Numbers of inodes.
    image("inode_1024", 32 * MIB, "-t ext4 -b 1024 -I 1024", SCATTERED),
    image("few_inodes", 64 * MIB, "-t ext4 -b 1024 -N 16", EMPTY),
    image("many_inodes", 40 * MIB, "-t ext4 -b 1024 -i 1024", SCATTERED),
    // Fields of the superblock.
    image(
        "labelled",
        24 * MIB,
        "-t ext4 -b 4096 -L sixteen_letters_ -M /mnt/a/place -e remount-ro -m 7.3 -E stride=4,stripe_width=16,root_owner=1000:1000",
        TREE,
    ),
    image(
        "fields_set",
        24 * MIB,
        "-t ext2 -b 1024 -e panic",
        &[Tree, Debugfs(FIELDS), HIGH_FIELDS],
    ),
    image("fields_set_csum", 24 * MIB, "-t ext4 -b 1024 -e panic", &[Tree, Debugfs(FIELDS)]),
    image("features_odd", 24 * MIB, "-t ext2 -b 1024", &[Tree, Debugfs(ODD_FEATURES)]),
    image("features_unknown", 24 * MIB, "-t ext2 -b 1024", &[Tree, Debugfs(UNKNOWN_FEATURES)]),
    image("needs_recovery", 24 * MIB, "-t ext4 -b 1024", &[Tree, Debugfs(RECOVERY)]),
    image("bad_csums", 32 * MIB, "-t ext4 -b 1024", &[Ragged, Debugfs(BAD_CSUMS)]),
    // Size.
    image("64_gib", 64 * GIB, "-t ext4 -b 4096 -E lazy_itable_init=1 -J size=4", RAGGED),
    image(
        "past_2_32_blocks",
        5 * TIB,
        "-t ext4 -b 1024 -C 131072 -O bigalloc,^resize_inode -J size=4 -N 65536",
        RAGGED,
    ),
];

/// Descriptor blocks 0 and 1 behind the superblock, 2 and 3 in their own metablock groups, as the
/// kernel leaves them when it grows a filesystem beyond its reserved blocks: `meta_bg`,
/// `s_first_meta_bg` = 2, and the descriptors of groups 64 and 96 at these groups' first blocks.
const FIRST_META_BG: [Fill; 4] = [
    Poke { at: 1024 + 0x60, bytes: &[0x12] },
    Poke { at: 1024 + 0x104, bytes: &[2] },
    Copy { from: 4 * 1024, to: (1 + 64 * 1024) * 1024, len: 1024 },
    Copy { from: 5 * 1024, to: (1 + 96 * 1024) * 1024, len: 1024 },
];

/// Fields that `debugfs` does not set: high bytes of times, error codes.
const HIGH_FIELDS: Fill = Poke { at: 1024 + 0x274, bytes: &[1, 1, 0, 0, 1, 1, 117, 5] };

/// Every field that a mounted and troubled filesystem would carry.
const FIELDS: &str = "\
ssv mnt_count 12
ssv max_mnt_count 30
ssv checkinterval 864000
ssv lastcheck 20230303030303
ssv mtime 20231112131415
ssv wtime 20231112131416
ssv state 3
ssv errors 2
ssv def_resuid 1234
ssv def_resgid 4321
ssv last_orphan 15
ssv kbytes_written 123456789
ssv error_count 3
ssv first_error_time 20231001020304
ssv first_error_ino 12
ssv first_error_block 345
ssv first_error_func ext4_lookup
ssv first_error_line 1234
ssv last_error_time 20231002030405
ssv last_error_ino 13
ssv last_error_block 678
ssv last_error_func ext4_find_entry
ssv last_error_line 4321
ssv mount_opts data=journal,nodelalloc
ssv default_mount_opts 0x0eff
ssv raid_stride 8
ssv raid_stripe_width 64
ssv snapshot_inum 20
ssv snapshot_id 3
ssv snapshot_r_blocks_count 77
ssv snapshot_list 21
ssv def_hash_version tea
ssv flags 6
";

/// Features with a name that `mke2fs` does not make.
const ODD_FEATURES: &str = "\
feature dir_prealloc imagic_inodes lazy_bg snapshot_bitmap
feature compression dirdata
feature replica read-only shared_blocks
";

/// Features without a name, in all three sets.
const UNKNOWN_FEATURES: &str = "\
feature FEATURE_C7 FEATURE_C31
feature FEATURE_I5 FEATURE_I30
feature FEATURE_R7 FEATURE_R25
";

/// A transaction left in the journal.
const RECOVERY: &str = "\
jo
jw -b 333,334 /dev/zero
jc
";

/// Descriptors whose checksum is wrong, in two groups.
const BAD_CSUMS: &str = "\
set_bg 1 checksum 0x1234
set_bg 3 free_blocks_count 77
set_bg 3 checksum 0xffff
";
