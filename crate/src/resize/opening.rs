//! What keeps a filesystem from being opened to be written. Ref: `ext2fs_open2`.

use zerocopy::FromBytes as _;

use super::{Frame, Refusal};
use crate::fs::{CsumState, Filesystem};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::csum::{CRC32C_CHKSUM, superblock_csum};
use crate::ondisk::features::{Compat, Feature, FeatureClass, Features, Incompat, RoCompat};
use crate::ondisk::{MMP_MAGIC, MmpStruct};
use crate::units::Fsblk;

/// What keeps the filesystem from being opened to be written.
pub(super) fn opening<S: ByteSource>(fs: &Filesystem<S>, frame: &Frame) -> Vec<Refusal> {
    let mut all = Vec::new();
    let superblock = &frame.superblock;
    if fs.is_from_backup() {
        all.push(Refusal::BackupSuperblock { block: fs.superblock_at().get() });
    }
    if let Some(expected) = superblock_csum(superblock).filter(|_| !fs.is_from_backup()) {
        let stored = superblock.s_checksum.get();
        if CsumState::compare(Some(stored), Some(expected)) == CsumState::Bad {
            all.push(Refusal::SuperblockChecksum { stored, expected });
        }
    }
    let unknown = unknown(superblock.features(), |class| class != FeatureClass::Compat);
    if !unknown.is_empty() {
        all.push(Refusal::Features { names: unknown });
    }
    all.extend(impossible_fields(frame));
    let s_desc_size = superblock.s_desc_size.get();
    let is_possible = (64..=1024).contains(&s_desc_size) && s_desc_size.is_power_of_two();
    if frame.has_incompat(Incompat::BIT64) && !is_possible {
        all.push(Refusal::DescSize { s_desc_size });
    }
    let geometry = &frame.geometry;
    let in_groups = geometry.groups_count().saturating_mul(u64::from(geometry.inodes_per_group()));
    let s_inodes_count = superblock.s_inodes_count.get();
    if in_groups != u64::from(s_inodes_count) {
        all.push(Refusal::InodesCount { s_inodes_count, in_groups });
    }
    let s_first_meta_bg = superblock.s_first_meta_bg.get();
    let desc_blocks = geometry.desc_blocks();
    if frame.has_incompat(Incompat::META_BG) && u64::from(s_first_meta_bg) > desc_blocks {
        all.push(Refusal::FirstMetaBg { s_first_meta_bg, desc_blocks });
    }
    if frame.has_incompat(Incompat::MMP) && !has_mmp_block(fs) {
        all.push(Refusal::MmpBlock { s_mmp_block: superblock.s_mmp_block.get() });
    }
    all
}

/// Fields of the superblock that the tool looks at more closely than a reader needs to.
fn impossible_fields(frame: &Frame) -> Vec<Refusal> {
    /// Largest revision known. Ref: `EXT2_LIB_CURRENT_REV`.
    const LAST_REV: u32 = 1;
    /// Bits of a group at most, but for a few. Ref: `EXT2_MAX_BLOCKS_PER_GROUP`.
    const GROUP_BITS: u64 = 1 << 16;
    let superblock = &frame.superblock;
    let geometry = &frame.geometry;
    let block_size = u64::from(geometry.block_size());
    let per_cluster = u64::from(geometry.blocks_per_cluster());
    let inode_size = u64::from(geometry.inode_size());
    let blocks_per_group = u64::from(geometry.blocks_per_group());
    let inodes_per_group = u64::from(geometry.inodes_per_group());
    let clusters_per_group = u64::from(superblock.s_clusters_per_group.get());
    let is_bigalloc = frame.has_ro_compat(RoCompat::BIGALLOC);
    let log_cluster_size = superblock.s_log_cluster_size.get();
    let rev_level = superblock.s_rev_level.get();
    let inodes_per_block = block_size.checked_div(inode_size).unwrap_or(0);
    let first_data_block = geometry.first_data_block().get();
    let due_first_data_block = u64::from(block_size == 1024 && !is_bigalloc);
    let is_known = superblock.s_checksum_type == CRC32C_CHKSUM;
    let fields = [
        ("s_rev_level", u64::from(rev_level), rev_level > LAST_REV),
        // The descriptors are looked for behind it.
        ("s_first_data_block", first_data_block, first_data_block != due_first_data_block),
        (
            "s_checksum_type",
            superblock.s_checksum_type.into(),
            frame.has_ro_compat(RoCompat::METADATA_CSUM) && !is_known,
        ),
        (
            "s_log_cluster_size",
            log_cluster_size.into(),
            !is_bigalloc && log_cluster_size != superblock.s_log_block_size.get(),
        ),
        (
            "s_log_groups_per_flex",
            superblock.s_log_groups_per_flex.into(),
            superblock.s_log_groups_per_flex > 31,
        ),
        (
            "s_inode_size",
            inode_size,
            !(128..=block_size).contains(&inode_size) || !inode_size.is_power_of_two(),
        ),
        (
            "s_clusters_per_group",
            clusters_per_group,
            clusters_per_group.saturating_mul(per_cluster) != blocks_per_group,
        ),
        (
            "s_blocks_per_group",
            blocks_per_group,
            blocks_per_group < 8
                || blocks_per_group > GROUP_BITS.saturating_sub(8).saturating_mul(per_cluster),
        ),
        (
            "s_inodes_per_group",
            inodes_per_group,
            inodes_per_group == 0
                || inodes_per_group.div_ceil(8) > block_size
                || geometry.itable_blocks() > GROUP_BITS.saturating_sub(inodes_per_block),
        ),
    ];
    let wrong = fields.into_iter().filter(|(.., is_wrong)| *is_wrong);
    wrong.map(|(field, value, _)| Refusal::Impossible { field: field.to_owned(), value }).collect()
}

fn has_mmp_block<S: ByteSource>(fs: &Filesystem<S>) -> bool {
    let fsblk = Fsblk::new(fs.superblock().s_mmp_block.get());
    fs.geometry().contains(fsblk)
        && fsblk > fs.geometry().first_data_block()
        && fs.block(ReadKind::Superblock, fsblk).is_ok_and(|block| {
            MmpStruct::read_from_prefix(&block).is_ok_and(|(mmp, _)| {
                let expected = fs.csum().mmp(&mmp);
                mmp.mmp_magic.get() == MMP_MAGIC
                    && expected.is_none_or(|expected| expected == mmp.mmp_checksum.get())
            })
        })
}

/// Unknown compat features, of which only the tool itself asks.
pub(super) fn unknown_compat(features: Features) -> Option<Refusal> {
    let names = unknown(features, |class| class == FeatureClass::Compat);
    (!names.is_empty()).then_some(Refusal::Features { names })
}

/// Features of some classes that resize2fs does not know.
fn unknown(features: Features, of: impl Fn(FeatureClass) -> bool) -> Vec<String> {
    let known = Features {
        compat: known_compat(),
        incompat: known_incompat(),
        ro_compat: known_ro_compat(),
    };
    let bits = |feature: &Feature| match feature.class {
        FeatureClass::Compat => known.compat.bits(),
        FeatureClass::Incompat => known.incompat.bits(),
        FeatureClass::RoCompat => known.ro_compat.bits(),
    };
    features
        .iter()
        .filter(|feature| of(feature.class))
        .filter(|feature| bits(feature).checked_shr(feature.bit).is_none_or(|rest| rest & 1 == 0))
        .map(Feature::name)
        .collect()
}

fn known_compat() -> Compat {
    Compat::DIR_PREALLOC
        | Compat::IMAGIC_INODES
        | Compat::HAS_JOURNAL
        | Compat::EXT_ATTR
        | Compat::RESIZE_INODE
        | Compat::DIR_INDEX
        | Compat::SPARSE_SUPER2
        | Compat::FAST_COMMIT
        | Compat::STABLE_INODES
        | Compat::ORPHAN_FILE
}

fn known_incompat() -> Incompat {
    Incompat::FILETYPE
        | Incompat::JOURNAL_DEV
        | Incompat::META_BG
        | Incompat::RECOVER
        | Incompat::EXTENTS
        | Incompat::FLEX_BG
        | Incompat::EA_INODE
        | Incompat::MMP
        | Incompat::BIT64
        | Incompat::INLINE_DATA
        | Incompat::ENCRYPT
        | Incompat::CASEFOLD
        | Incompat::CSUM_SEED
        | Incompat::LARGEDIR
}

fn known_ro_compat() -> RoCompat {
    RoCompat::SPARSE_SUPER
        | RoCompat::HUGE_FILE
        | RoCompat::LARGE_FILE
        | RoCompat::DIR_NLINK
        | RoCompat::EXTRA_ISIZE
        | RoCompat::GDT_CSUM
        | RoCompat::BIGALLOC
        | RoCompat::QUOTA
        | RoCompat::METADATA_CSUM
        | RoCompat::READONLY
        | RoCompat::PROJECT
        | RoCompat::SHARED_BLOCKS
        | RoCompat::VERITY
        | RoCompat::ORPHAN_PRESENT
}
