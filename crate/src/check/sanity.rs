//! Whether a superblock's numbers allow to open the filesystem at all.
//!
//! Ref: the tests of `ext2fs_open2`, and `ext2fs_check_desc`.

use crate::bitmap::{Bits as _, BitsMut, RunBitmap};
use crate::fs::Filesystem;
use crate::io::ByteSource;
use crate::ondisk::Superblock;
use crate::ondisk::csum::superblock_csum;
use crate::ondisk::features::{Incompat, RoCompat};

/// Features that 1.47.0 knows. Ref: `EXT2_LIB_FEATURE_*_SUPP`.
pub(super) const COMPAT_KNOWN: u32 = 0x1e3f;
/// The same that must be known to open.
pub(super) const INCOMPAT_KNOWN: u32 = 0x0003_e7de;
/// The same that must be known to write.
pub(super) const RO_COMPAT_KNOWN: u32 = 0x0001_f77b;

/// Largest `s_log_block_size`.
pub(super) const MAX_LOG_BLOCK_SIZE: u32 = 6;
/// Largest `s_log_cluster_size`.
pub(super) const MAX_LOG_CLUSTER_SIZE: u32 = 19;
/// Most inodes, or clusters, of a group. Ref: `EXT2_MAX_INODES_PER_GROUP`.
pub(super) const MAX_PER_GROUP: u64 = 65528;

/// Why libext2fs does not open a filesystem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// No superblock here.
    BadMagic,
    /// Its checksum is wrong.
    BadCsum,
    /// Its numbers contradict themselves.
    Corrupt,
    /// `s_desc_size` cannot be.
    BadDescSize,
    /// Another revision, or unreadable.
    Unsupported,
    /// It is the journal of another filesystem.
    JournalDevice,
    /// Unknown features.
    Features,
}

impl Refusal {
    /// Whether a backup superblock is looked for.
    pub(super) fn wants_backup(self) -> bool {
        matches!(self, Self::BadMagic | Self::BadCsum | Self::Corrupt)
    }
}

/// Tests a superblock as the library does before it believes it; `relaxed` leaves out what the
/// checker can mend later.
pub(super) fn refusal(superblock: &Superblock, relaxed: bool) -> Option<Refusal> {
    let features = superblock.features();
    let is_old = superblock.s_rev_level.get() == 0;
    if features.ro_compat.contains(RoCompat::METADATA_CSUM) && superblock.s_checksum_type != 1 {
        return Some(Refusal::BadCsum);
    }
    if superblock_csum(superblock).is_some_and(|due| due != superblock.s_checksum.get()) {
        return Some(Refusal::BadCsum);
    }
    if superblock.s_rev_level.get() > 1 {
        return Some(Refusal::Unsupported);
    }
    if features.incompat.bits() & !INCOMPAT_KNOWN != 0 {
        return Some(Refusal::Features);
    }
    if features.incompat.contains(Incompat::JOURNAL_DEV) {
        return Some(Refusal::JournalDevice);
    }
    if !is_sound(superblock, is_old) {
        return Some(Refusal::Corrupt);
    }
    let desc_size = u32::from(superblock.s_desc_size.get());
    let is_64bit = features.incompat.contains(Incompat::BIT64);
    if !relaxed && is_64bit && !(is_desc_size(desc_size) && desc_size >= 64) {
        return Some(Refusal::BadDescSize);
    }
    let block_size = 1024_u64 << superblock.s_log_block_size.get();
    let desc_size = if is_64bit { u64::from(desc_size) } else { 32 };
    let per_block = block_size.checked_div(desc_size).unwrap_or(0);
    let first = u64::from(superblock.s_first_data_block.get());
    let blocks = superblock.blocks_count();
    if per_block == 0 || first >= blocks {
        return Some(Refusal::Corrupt);
    }
    let groups = groups_count(superblock);
    let Ok(groups_32) = u32::try_from(groups) else { return Some(Refusal::Corrupt) };
    let inodes = u64::from(groups_32) * u64::from(superblock.s_inodes_per_group.get());
    let first_meta_bg = u64::from(superblock.s_first_meta_bg.get());
    let is_meta_bg = features.incompat.contains(Incompat::META_BG);
    let is_off = inodes != u64::from(superblock.s_inodes_count.get())
        || is_meta_bg && first_meta_bg > groups.div_ceil(per_block);
    (is_off && !relaxed).then_some(Refusal::Corrupt)
}

/// Groups, as the superblock's numbers say.
pub(super) fn groups_count(superblock: &Superblock) -> u64 {
    let first = u64::from(superblock.s_first_data_block.get());
    let per_group = u64::from(superblock.s_blocks_per_group.get());
    superblock.blocks_count().saturating_sub(first).div_ceil(per_group.max(1))
}

/// Whether a descriptor can have so many bytes.
pub(super) fn is_desc_size(size: u32) -> bool {
    size <= 1024 && size.is_power_of_two()
}

fn is_sound(superblock: &Superblock, is_old: bool) -> bool {
    let features = superblock.features();
    let log_block = superblock.s_log_block_size.get();
    let log_cluster = superblock.s_log_cluster_size.get();
    if log_block > MAX_LOG_BLOCK_SIZE
        || log_cluster > MAX_LOG_CLUSTER_SIZE
        || log_cluster < log_block
        || superblock.s_log_groups_per_flex > 31
    {
        return false;
    }
    let is_bigalloc = features.ro_compat.contains(RoCompat::BIGALLOC);
    let block_size = 1024_u32 << log_block;
    let ratio = 1_u64 << (log_cluster - log_block);
    let inode_size = if is_old { 128 } else { u32::from(superblock.s_inode_size.get()) };
    let blocks_per_group = u64::from(superblock.s_blocks_per_group.get());
    let clusters_per_group = u64::from(superblock.s_clusters_per_group.get());
    let inodes_per_group = superblock.s_inodes_per_group.get();
    if !is_bigalloc && log_block != log_cluster
        || !(128..=block_size).contains(&inode_size)
        || !inode_size.is_power_of_two()
        || blocks_per_group != clusters_per_group * ratio
        || inodes_per_group == 0
        || !(8..=MAX_PER_GROUP * ratio).contains(&blocks_per_group)
    {
        return false;
    }
    let inodes_per_block = block_size / inode_size;
    inodes_per_group.div_ceil(inodes_per_block) <= 65536 - inodes_per_block
}

/// Whether the descriptors' places make sense: inside, and none on another.
pub(super) fn descs_are_sound<S: ByteSource>(fs: &Filesystem<S>) -> bool {
    let (geometry, superblock) = (fs.geometry(), fs.superblock());
    let features = fs.features();
    if features.incompat.contains(Incompat::BIT64)
        && !is_desc_size(u32::from(superblock.s_desc_size.get()))
    {
        return false;
    }
    let is_flex = features.incompat.contains(Incompat::FLEX_BG);
    let mut taken = RunBitmap::new(geometry.blocks_count());
    for (group, _) in fs.groups().iter() {
        let base = fs.layout().group_base(group);
        if let Some(fsblk) = base.superblock {
            taken.mark(fsblk.get());
        }
        taken.mark_range(base.gdt.start.get()..base.gdt.end.get());
        taken.mark_range(base.reserved_gdt.start.get()..base.reserved_gdt.end.get());
    }
    fs.groups().iter().all(|(group, entry)| {
        let first = geometry.group_first_fsblk(group).get();
        let bounds = if is_flex {
            geometry.first_data_block().get()..geometry.blocks_count()
        } else {
            first..first.saturating_add(u64::from(geometry.group_blocks(group)))
        };
        let table = entry.desc.inode_table.get();
        let pieces = [
            (entry.desc.block_bitmap.get(), 1),
            (entry.desc.inode_bitmap.get(), 1),
            (table, geometry.itable_blocks()),
        ];
        pieces.into_iter().all(|(start, len)| {
            let range = start..start.saturating_add(len);
            let is_inside = bounds.start <= range.start && range.end <= bounds.end;
            let is_free = taken.next_set(range.start).is_none_or(|taken| taken >= range.end);
            is_inside && is_free && !taken.mark_range(range)
        })
    })
}
