//! The superblock. Ref: `struct ext4_super_block`, `fs/ext4/ext4.h`.

use core::mem::offset_of;

use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::Field;
use super::features::{Compat, Features, Incompat, RoCompat};
use super::field::fields;

/// Bytes of the superblock.
pub const SUPERBLOCK_BYTES: usize = 1024;

/// Where the primary superblock starts, in bytes of the filesystem, whatever the block size.
pub const SUPERBLOCK_OFFSET: u64 = 1024;

/// `s_magic` of every ext2, ext3 and ext4. Ref: `EXT4_SUPER_MAGIC`.
pub const SUPER_MAGIC: u16 = 0xEF53;

/// The superblock as it lies on the disk: little-endian, without padding.
#[derive(Clone, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Superblock {
    /// Inodes in the filesystem.
    pub s_inodes_count: U32,
    /// Blocks in the filesystem, low 32 bits.
    pub s_blocks_count_lo: U32,
    /// Blocks kept for the privileged user, low 32 bits.
    pub s_r_blocks_count_lo: U32,
    /// Free blocks, low 32 bits.
    pub s_free_blocks_count_lo: U32,

    /// Free inodes.
    pub s_free_inodes_count: U32,
    /// Block in which group 0 starts: 1 with 1 KiB blocks, else 0.
    pub s_first_data_block: U32,
    /// The block size is 1024 shifted left by this.
    pub s_log_block_size: U32,
    /// The cluster size is 1024 shifted left by this.
    pub s_log_cluster_size: U32,

    /// Blocks of a group.
    pub s_blocks_per_group: U32,
    /// Clusters of a group.
    pub s_clusters_per_group: U32,
    /// Inodes of a group.
    pub s_inodes_per_group: U32,
    /// Last mount, seconds since 1970, low 32 bits.
    pub s_mtime: U32,

    /// Last write, seconds since 1970, low 32 bits.
    pub s_wtime: U32,
    /// Mounts since the last check.
    pub s_mnt_count: U16,
    /// Mounts after which a check is due; 0 or -1 is never.
    pub s_max_mnt_count: U16,
    /// [`SUPER_MAGIC`].
    pub s_magic: U16,
    /// Cleanly unmounted, errors found, orphans being recovered.
    pub s_state: U16,
    /// What the kernel does when it finds an error.
    pub s_errors: U16,
    /// Minor revision.
    pub s_minor_rev_level: U16,

    /// Last check, seconds since 1970, low 32 bits.
    pub s_lastcheck: U32,
    /// Seconds after which a check is due; 0 is never.
    pub s_checkinterval: U32,
    /// System that made the filesystem.
    pub s_creator_os: U32,
    /// Revision: 0 is the original format, 1 has the fields below.
    pub s_rev_level: U32,

    /// User who may use the reserved blocks.
    pub s_def_resuid: U16,
    /// Group who may use the reserved blocks.
    pub s_def_resgid: U16,
    /// First inode that is not reserved.
    pub s_first_ino: U32,
    /// Bytes of an inode.
    pub s_inode_size: U16,
    /// Group in which this copy of the superblock lies.
    pub s_block_group_nr: U16,
    /// Features that may be ignored.
    pub s_feature_compat: U32,

    /// Features that must be known to open the filesystem.
    pub s_feature_incompat: U32,
    /// Features that must be known to write to it.
    pub s_feature_ro_compat: U32,

    /// Identity of the filesystem.
    pub s_uuid: [u8; 16],

    /// Label, padded with NUL.
    pub s_volume_name: [u8; 16],

    /// Where it was last mounted, padded with NUL.
    pub s_last_mounted: [u8; 64],

    /// Compression methods in use; never taken up.
    pub s_algorithm_usage_bitmap: U32,
    /// Blocks to preallocate for files.
    pub s_prealloc_blocks: u8,
    /// Blocks to preallocate for directories.
    pub s_prealloc_dir_blocks: u8,
    /// Blocks after each descriptor table kept for growth.
    pub s_reserved_gdt_blocks: U16,

    /// Identity of the external journal.
    pub s_journal_uuid: [u8; 16],

    /// Inode of the journal.
    pub s_journal_inum: U32,
    /// Device of the external journal.
    pub s_journal_dev: U32,
    /// Head of the list of orphaned inodes.
    pub s_last_orphan: U32,
    /// Seed of the directory hash.
    pub s_hash_seed: [U32; 4],
    /// Default directory hash.
    pub s_def_hash_version: u8,
    /// Whether `s_jnl_blocks` holds a copy of the journal's inode.
    pub s_jnl_backup_type: u8,
    /// Bytes of a group descriptor with 64bit.
    pub s_desc_size: U16,

    /// Mount options that hold unless overridden.
    pub s_default_mount_opts: U32,
    /// First metablock group.
    pub s_first_meta_bg: U32,
    /// When it was made, seconds since 1970, low 32 bits.
    pub s_mkfs_time: U32,
    /// Copy of the journal inode's `i_block`, size high and size low.
    pub s_jnl_blocks: [U32; 17],

    /// Blocks in the filesystem, high 32 bits.
    pub s_blocks_count_hi: U32,
    /// Blocks kept for the privileged user, high 32 bits.
    pub s_r_blocks_count_hi: U32,
    /// Free blocks, high 32 bits.
    pub s_free_blocks_count_hi: U32,
    /// Bytes past the first 128 that each inode has.
    pub s_min_extra_isize: U16,
    /// Bytes past the first 128 that new inodes get.
    pub s_want_extra_isize: U16,

    /// Signed or unsigned directory hash, test filesystem.
    pub s_flags: U32,
    /// Blocks read from or written to one disk before the next.
    pub s_raid_stride: U16,
    /// Seconds between updates of the MMP block.
    pub s_mmp_update_interval: U16,
    /// Block of multiple mount protection.
    pub s_mmp_block: U64,

    /// Blocks of a full stripe over the data disks.
    pub s_raid_stripe_width: U32,
    /// A flex group has 1 shifted left by this groups.
    pub s_log_groups_per_flex: u8,
    /// 1 is crc32c.
    pub s_checksum_type: u8,
    /// Version of the encryption format.
    pub s_encryption_level: u8,
    /// Unused.
    pub s_reserved_pad: u8,
    /// KiB written in its lifetime.
    pub s_kbytes_written: U64,

    /// Inode of the active snapshot; never taken up.
    pub s_snapshot_inum: U32,
    /// Number of the active snapshot.
    pub s_snapshot_id: U32,
    /// Blocks kept for the active snapshot.
    pub s_snapshot_r_blocks_count: U64,

    /// First inode of the list of snapshots.
    pub s_snapshot_list: U32,
    /// Errors since the last check.
    pub s_error_count: U32,
    /// First error, seconds since 1970, low 32 bits.
    pub s_first_error_time: U32,
    /// Inode of the first error.
    pub s_first_error_ino: U32,

    /// Block of the first error.
    pub s_first_error_block: U64,
    /// Kernel function that found the first error.
    pub s_first_error_func: [u8; 32],
    /// Line of the kernel source that found the first error.
    pub s_first_error_line: U32,
    /// Latest error, seconds since 1970, low 32 bits.
    pub s_last_error_time: U32,

    /// Inode of the latest error.
    pub s_last_error_ino: U32,
    /// Line of the kernel source that found the latest error.
    pub s_last_error_line: U32,
    /// Block of the latest error.
    pub s_last_error_block: U64,

    /// Kernel function that found the latest error.
    pub s_last_error_func: [u8; 32],

    /// Mount options as text, padded with NUL.
    pub s_mount_opts: [u8; 64],

    /// Inode of the user quota.
    pub s_usr_quota_inum: U32,
    /// Inode of the group quota.
    pub s_grp_quota_inum: U32,
    /// Clusters that metadata takes up; 0 is not computed.
    pub s_overhead_clusters: U32,
    /// Groups with a backup superblock under sparse_super2.
    pub s_backup_bgs: [U32; 2],
    /// Encryption methods in use.
    pub s_encrypt_algos: [u8; 4],

    /// Salt for keys made from passwords.
    pub s_encrypt_pw_salt: [u8; 16],

    /// Inode of lost+found.
    pub s_lpf_ino: U32,
    /// Inode of the project quota.
    pub s_prj_quota_inum: U32,
    /// Seed of metadata checksums under metadata_csum_seed.
    pub s_checksum_seed: U32,
    /// Last write, bits 32 and up.
    pub s_wtime_hi: u8,
    /// Last mount, bits 32 and up.
    pub s_mtime_hi: u8,
    /// When it was made, bits 32 and up.
    pub s_mkfs_time_hi: u8,
    /// Last check, bits 32 and up.
    pub s_lastcheck_hi: u8,

    /// First error, bits 32 and up.
    pub s_first_error_time_hi: u8,
    /// Latest error, bits 32 and up.
    pub s_last_error_time_hi: u8,
    /// What the first error was.
    pub s_first_error_errcode: u8,
    /// What the latest error was.
    pub s_last_error_errcode: u8,
    /// Character encoding of names under casefold.
    pub s_encoding: U16,
    /// How strictly names follow the encoding.
    pub s_encoding_flags: U16,
    /// Inode of the orphan file.
    pub s_orphan_file_inum: U32,
    /// Unused.
    pub s_reserved: [U32; 94],
    /// crc32c of the bytes before it, under metadata_csum.
    pub s_checksum: U32,
}

const _: () = assert!(size_of::<Superblock>() == SUPERBLOCK_BYTES);
const _: () = assert!(offset_of!(Superblock, s_magic) == 0x38);
const _: () = assert!(offset_of!(Superblock, s_uuid) == 0x68);
const _: () = assert!(offset_of!(Superblock, s_blocks_count_hi) == 0x150);
const _: () = assert!(offset_of!(Superblock, s_error_count) == 0x194);
const _: () = assert!(offset_of!(Superblock, s_checksum_seed) == 0x270);
const _: () = assert!(offset_of!(Superblock, s_checksum) == 0x3fc);

impl Superblock {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] = fields!(Superblock:
        s_inodes_count s_blocks_count_lo s_r_blocks_count_lo s_free_blocks_count_lo
        s_free_inodes_count s_first_data_block s_log_block_size s_log_cluster_size
        s_blocks_per_group s_clusters_per_group s_inodes_per_group s_mtime s_wtime s_mnt_count
        s_max_mnt_count s_magic s_state s_errors s_minor_rev_level s_lastcheck s_checkinterval
        s_creator_os s_rev_level s_def_resuid s_def_resgid s_first_ino s_inode_size
        s_block_group_nr s_feature_compat s_feature_incompat s_feature_ro_compat s_uuid
        s_volume_name s_last_mounted s_algorithm_usage_bitmap s_prealloc_blocks
        s_prealloc_dir_blocks s_reserved_gdt_blocks s_journal_uuid s_journal_inum s_journal_dev
        s_last_orphan s_hash_seed s_def_hash_version s_jnl_backup_type s_desc_size
        s_default_mount_opts s_first_meta_bg s_mkfs_time s_jnl_blocks s_blocks_count_hi
        s_r_blocks_count_hi s_free_blocks_count_hi s_min_extra_isize s_want_extra_isize s_flags
        s_raid_stride s_mmp_update_interval s_mmp_block s_raid_stripe_width s_log_groups_per_flex
        s_checksum_type s_encryption_level s_reserved_pad s_kbytes_written s_snapshot_inum
        s_snapshot_id s_snapshot_r_blocks_count s_snapshot_list s_error_count s_first_error_time
        s_first_error_ino s_first_error_block s_first_error_func s_first_error_line
        s_last_error_time s_last_error_ino s_last_error_line s_last_error_block s_last_error_func
        s_mount_opts s_usr_quota_inum s_grp_quota_inum s_overhead_clusters s_backup_bgs
        s_encrypt_algos s_encrypt_pw_salt s_lpf_ino s_prj_quota_inum s_checksum_seed s_wtime_hi
        s_mtime_hi s_mkfs_time_hi s_lastcheck_hi s_first_error_time_hi s_last_error_time_hi
        s_first_error_errcode s_last_error_errcode s_encoding s_encoding_flags s_orphan_file_inum
        s_reserved s_checksum
    );

    /// Copies the superblock out of the first bytes of `bytes`, or `None` when they are too few.
    #[must_use]
    pub fn from_prefix(bytes: &[u8]) -> Option<Self> {
        Self::read_from_prefix(bytes).ok().map(|(superblock, _)| superblock)
    }

    /// The three words of feature flags.
    #[must_use]
    pub fn features(&self) -> Features {
        Features {
            compat: Compat::from_bits_retain(self.s_feature_compat.get()),
            incompat: Incompat::from_bits_retain(self.s_feature_incompat.get()),
            ro_compat: RoCompat::from_bits_retain(self.s_feature_ro_compat.get()),
        }
    }

    /// Blocks in the filesystem. Ref: `ext2fs_blocks_count`.
    #[must_use]
    pub fn blocks_count(&self) -> u64 {
        self.join(self.s_blocks_count_lo, self.s_blocks_count_hi)
    }

    /// Blocks kept for the privileged user. Ref: `ext2fs_r_blocks_count`.
    #[must_use]
    pub fn r_blocks_count(&self) -> u64 {
        self.join(self.s_r_blocks_count_lo, self.s_r_blocks_count_hi)
    }

    /// Free blocks. Ref: `ext2fs_free_blocks_count`.
    #[must_use]
    pub fn free_blocks_count(&self) -> u64 {
        self.join(self.s_free_blocks_count_lo, self.s_free_blocks_count_hi)
    }

    /// The high half counts only under 64bit; without it those bytes mean nothing.
    fn join(&self, lo: U32, hi: U32) -> u64 {
        let hi = if self.features().incompat.contains(Incompat::BIT64) { hi.get() } else { 0 };
        (u64::from(hi) << 32) | u64::from(lo.get())
    }

    /// When it was made, seconds since 1970.
    #[must_use]
    pub fn mkfs_time(&self) -> u64 {
        time(self.s_mkfs_time, self.s_mkfs_time_hi)
    }

    /// Last mount, seconds since 1970; 0 is never.
    #[must_use]
    pub fn mtime(&self) -> u64 {
        time(self.s_mtime, self.s_mtime_hi)
    }

    /// Last write, seconds since 1970.
    #[must_use]
    pub fn wtime(&self) -> u64 {
        time(self.s_wtime, self.s_wtime_hi)
    }

    /// Last check, seconds since 1970; 0 is never.
    #[must_use]
    pub fn lastcheck(&self) -> u64 {
        time(self.s_lastcheck, self.s_lastcheck_hi)
    }

    /// First error since the last check, seconds since 1970; 0 is none.
    #[must_use]
    pub fn first_error_time(&self) -> u64 {
        time(self.s_first_error_time, self.s_first_error_time_hi)
    }

    /// Latest error since the last check, seconds since 1970; 0 is none.
    #[must_use]
    pub fn last_error_time(&self) -> u64 {
        time(self.s_last_error_time, self.s_last_error_time_hi)
    }
}

fn time(lo: U32, hi: u8) -> u64 {
    (u64::from(hi) << 32) | u64::from(lo.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zeroed() -> Superblock {
        Superblock::from_prefix(&[0; SUPERBLOCK_BYTES]).expect("long enough")
    }

    #[test]
    fn fields_follow_one_another_without_a_gap() {
        let mut next = 0;
        for field in Superblock::FIELDS {
            assert_eq!(field.offset, next, "{}", field.name);
            next += field.len;
        }
        assert_eq!(next, SUPERBLOCK_BYTES);
    }

    #[test]
    fn high_halves_count_only_with_64bit() {
        let mut superblock = zeroed();
        superblock.s_blocks_count_lo.set(7);
        superblock.s_blocks_count_hi.set(1);
        assert_eq!(superblock.blocks_count(), 7);
        superblock.s_feature_incompat.set(0x80);
        assert_eq!(superblock.blocks_count(), (1 << 32) + 7);
    }

    #[test]
    fn times_reach_past_2106() {
        let mut superblock = zeroed();
        superblock.s_wtime.set(5);
        superblock.s_wtime_hi = 2;
        assert_eq!(superblock.wtime(), (2 << 32) + 5);
    }

    #[test]
    fn too_few_bytes_are_no_superblock() {
        assert!(Superblock::from_prefix(&[0; SUPERBLOCK_BYTES - 1]).is_none());
    }
}
