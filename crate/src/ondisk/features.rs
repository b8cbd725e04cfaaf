//! Feature flags, named as `mke2fs -O` and `dumpe2fs` print them.

use bitflags::bitflags;
use serde::{Deserialize, Serialize};

/// Which of the three words of flags a feature belongs to: what a program must do that does not
/// know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeatureClass {
    /// May be ignored.
    Compat,
    /// Must not open the filesystem.
    Incompat,
    /// Must not write to it.
    RoCompat,
}

/// Declares one word of flags together with the names that people see.
macro_rules! feature_word {
    ($(#[$doc:meta])* $word:ident $names:ident {
        $($(#[$flag_doc:ident $($flag_text:tt)*])* $flag:ident = $mask:literal $name:literal,)*
    }) => {
        bitflags! {
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct $word: u32 {
                $($(#[$flag_doc $($flag_text)*])* const $flag = $mask;)*
                const _ = !0;
            }
        }

        const $names: &[(u32, &str)] = &[$(($mask, $name)),*];
    };
}

feature_word! {
    /// `s_feature_compat`. Ref: `EXT4_FEATURE_COMPAT_*`.
    Compat COMPAT_NAMES {
        /// Directories get blocks in advance.
        DIR_PREALLOC = 0x1 "dir_prealloc",
        /// Inodes of AFS servers.
        IMAGIC_INODES = 0x2 "imagic_inodes",
        /// A journal.
        HAS_JOURNAL = 0x4 "has_journal",
        /// Extended attributes.
        EXT_ATTR = 0x8 "ext_attr",
        /// Reserved GDT blocks, owned by inode 7.
        RESIZE_INODE = 0x10 "resize_inode",
        /// Hashed directories.
        DIR_INDEX = 0x20 "dir_index",
        /// Uninitialised groups, before checksums.
        LAZY_BG = 0x40 "lazy_bg",
        /// Bitmaps of blocks left out of snapshots.
        EXCLUDE_BITMAP = 0x100 "snapshot_bitmap",
        /// At most two backup superblocks, in the groups of `s_backup_bgs`.
        SPARSE_SUPER2 = 0x200 "sparse_super2",
        /// Fast commits in the journal.
        FAST_COMMIT = 0x400 "fast_commit",
        /// Inode numbers must not change.
        STABLE_INODES = 0x800 "stable_inodes",
        /// Orphans are kept in a file.
        ORPHAN_FILE = 0x1000 "orphan_file",
    }
}

feature_word! {
    /// `s_feature_incompat`. Ref: `EXT4_FEATURE_INCOMPAT_*`.
    Incompat INCOMPAT_NAMES {
        /// Compressed files.
        COMPRESSION = 0x1 "compression",
        /// Directory entries tell the type of file.
        FILETYPE = 0x2 "filetype",
        /// The journal must be replayed first.
        RECOVER = 0x4 "needs_recovery",
        /// Not a filesystem but the journal of one.
        JOURNAL_DEV = 0x8 "journal_dev",
        /// Descriptors lie in their metablock groups.
        META_BG = 0x10 "meta_bg",
        /// Files are mapped by extents.
        EXTENTS = 0x40 "extent",
        /// Block numbers of 64 bits.
        BIT64 = 0x80 "64bit",
        /// Multiple mount protection.
        MMP = 0x100 "mmp",
        /// Bitmaps and inode tables of several groups lie together.
        FLEX_BG = 0x200 "flex_bg",
        /// Large attribute values in inodes of their own.
        EA_INODE = 0x400 "ea_inode",
        /// Data in directory entries.
        DIRDATA = 0x1000 "dirdata",
        /// The checksum seed is stored, so that the UUID may change.
        CSUM_SEED = 0x2000 "metadata_csum_seed",
        /// Hashed directories of three levels.
        LARGEDIR = 0x4000 "large_dir",
        /// Small files inside the inode.
        INLINE_DATA = 0x8000 "inline_data",
        /// Encrypted files.
        ENCRYPT = 0x10000 "encrypt",
        /// Directories in which upper and lower case are the same.
        CASEFOLD = 0x20000 "casefold",
    }
}

feature_word! {
    /// `s_feature_ro_compat`. Ref: `EXT4_FEATURE_RO_COMPAT_*`.
    RoCompat RO_COMPAT_NAMES {
        /// Backup superblocks only in groups 1 and the powers of 3, 5, 7.
        SPARSE_SUPER = 0x1 "sparse_super",
        /// Files of 2 GiB and more.
        LARGE_FILE = 0x2 "large_file",
        /// Files counted in blocks instead of sectors.
        HUGE_FILE = 0x8 "huge_file",
        /// Descriptor checksums (crc16) and uninitialised groups.
        GDT_CSUM = 0x10 "uninit_bg",
        /// More than 65000 subdirectories.
        DIR_NLINK = 0x20 "dir_nlink",
        /// Inodes with fields past the first 128 bytes.
        EXTRA_ISIZE = 0x40 "extra_isize",
        /// Quota files owned by the filesystem.
        QUOTA = 0x100 "quota",
        /// Space is given in clusters of blocks.
        BIGALLOC = 0x200 "bigalloc",
        /// Checksums (crc32c) of all metadata.
        METADATA_CSUM = 0x400 "metadata_csum",
        /// Replicas of files.
        REPLICA = 0x800 "replica",
        /// Must never be written to.
        READONLY = 0x1000 "read-only",
        /// Project identifiers and quota.
        PROJECT = 0x2000 "project",
        /// Several files may share a block.
        SHARED_BLOCKS = 0x4000 "shared_blocks",
        /// Files with hash trees.
        VERITY = 0x8000 "verity",
        /// The orphan file may hold orphans.
        ORPHAN_PRESENT = 0x10000 "orphan_present",
    }
}

/// The three words of flags of a filesystem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// May be ignored.
    pub compat: Compat,
    /// Must be known to open.
    pub incompat: Incompat,
    /// Must be known to write.
    pub ro_compat: RoCompat,
}

/// One feature that is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Feature {
    /// Its word.
    pub class: FeatureClass,
    /// Its bit in the word, from 0.
    pub bit: u32,
}

impl Feature {
    /// The name as `mke2fs -O` takes it, or `FEATURE_C7` and the like for an unknown one.
    #[must_use]
    pub fn name(self) -> String {
        let (names, letter) = match self.class {
            FeatureClass::Compat => (COMPAT_NAMES, 'C'),
            FeatureClass::Incompat => (INCOMPAT_NAMES, 'I'),
            FeatureClass::RoCompat => (RO_COMPAT_NAMES, 'R'),
        };
        names
            .iter()
            .find(|(mask, _)| mask.trailing_zeros() == self.bit)
            .map_or_else(|| format!("FEATURE_{letter}{}", self.bit), |(_, name)| (*name).to_owned())
    }
}

impl Features {
    /// Every feature that is on: compat, incompat, ro_compat, each from bit 0 up.
    pub fn iter(self) -> impl Iterator<Item = Feature> {
        let words = [
            (FeatureClass::Compat, self.compat.bits()),
            (FeatureClass::Incompat, self.incompat.bits()),
            (FeatureClass::RoCompat, self.ro_compat.bits()),
        ];
        words.into_iter().flat_map(|(class, word)| {
            (0..u32::BITS)
                .filter(move |bit| word.checked_shr(*bit).is_some_and(|rest| rest & 1 == 1))
                .map(move |bit| Feature { class, bit })
        })
    }

    /// Whether group descriptors carry a checksum, which is what gives BLOCK_UNINIT and
    /// INODE_UNINIT a meaning. Ref: `ext2fs_has_group_desc_csum`.
    #[must_use]
    pub fn has_group_desc_csum(self) -> bool {
        self.ro_compat.intersects(RoCompat::GDT_CSUM | RoCompat::METADATA_CSUM)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_and_unknown_features_have_their_names() {
        let features = Features {
            compat: Compat::HAS_JOURNAL | Compat::from_bits_retain(0x80),
            incompat: Incompat::BIT64 | Incompat::from_bits_retain(1 << 31),
            ro_compat: RoCompat::READONLY | RoCompat::from_bits_retain(0x4),
        };
        let names: Vec<_> = features.iter().map(Feature::name).collect();
        assert_eq!(
            names,
            ["has_journal", "FEATURE_C7", "64bit", "FEATURE_I31", "FEATURE_R2", "read-only"]
        );
    }

    #[test]
    fn each_word_names_a_bit_once_and_in_order() {
        for names in [COMPAT_NAMES, INCOMPAT_NAMES, RO_COMPAT_NAMES] {
            assert!(names.iter().all(|(mask, _)| mask.is_power_of_two()));
            assert!(names.is_sorted_by(|a, b| a.0 < b.0));
        }
    }

    #[test]
    fn either_checksum_feature_covers_descriptors() {
        let mut features = Features::default();
        assert!(!features.has_group_desc_csum());
        features.ro_compat = RoCompat::GDT_CSUM;
        assert!(features.has_group_desc_csum());
        features.ro_compat = RoCompat::METADATA_CSUM;
        assert!(features.has_group_desc_csum());
    }
}
