//! What each feature means, and since when there is software for it.

use serde::{Deserialize, Serialize};

use crate::ondisk::features::{Feature, FeatureClass, Features};

/// A feature that is on, with its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureReport {
    /// Its name as `mke2fs -O` takes it; `FEATURE_C7` and the like when unknown.
    pub name: String,
    /// Which of the three words it belongs to.
    pub class: FeatureClass,
    /// Its bit, from 0.
    pub bit: u32,
    /// What it means.
    pub meaning: String,
    /// The first Linux that supports it, if any does and it is known.
    pub since: Option<String>,
}

/// Name, meaning, and the first Linux with support for it. The versions are those of ext4(5),
/// which leaves out features that only existed as patches.
const FEATURES: &[(&str, &str, Option<&str>)] = &[
    ("dir_prealloc", "Directories get blocks in advance; never taken up by Linux.", None),
    ("imagic_inodes", "Inodes carry the marks of an AFS server.", None),
    (
        "has_journal",
        "Changes to metadata go to a journal first, so that a crash leaves nothing half done.",
        Some("2.4.15"),
    ),
    ("ext_attr", "Files may have extended attributes, such as access lists.", Some("2.6.0")),
    (
        "resize_inode",
        "Blocks are kept behind each descriptor table so that the filesystem can grow while \
         mounted.",
        Some("2.6.10"),
    ),
    ("dir_index", "Large directories are indexed by a hash of the names.", Some("2.6.0")),
    ("lazy_bg", "An early form of groups that are not initialised; replaced by uninit_bg.", None),
    ("snapshot_bitmap", "Blocks left out of snapshots are marked in bitmaps; a patch.", None),
    (
        "sparse_super2",
        "At most two groups have a backup superblock, named in the superblock.",
        Some("3.16"),
    ),
    (
        "fast_commit",
        "Small changes are committed to a part of the journal in a short form.",
        Some("5.10"),
    ),
    (
        "stable_inodes",
        "Inode numbers and the UUID must not change, since encryption depends on them.",
        Some("5.5"),
    ),
    (
        "orphan_file",
        "Inodes being deleted are noted in a file rather than in one list.",
        Some("5.15"),
    ),
    ("compression", "Files may be compressed; a patch for ext2.", None),
    ("filetype", "Directory entries tell what type of file they name.", Some("2.2.0")),
    (
        "needs_recovery",
        "It was not unmounted cleanly: the journal holds changes that are not in place yet.",
        Some("2.4.15"),
    ),
    ("journal_dev", "This is no filesystem but the journal of another one.", Some("2.4.15")),
    (
        "meta_bg",
        "Descriptors lie in the groups they describe rather than all at the start, so that a \
         filesystem can be of any size.",
        Some("2.6.28"),
    ),
    (
        "extent",
        "Files are mapped by extents, ranges of blocks, rather than block by block.",
        Some("2.6.28"),
    ),
    ("64bit", "Block numbers have 64 bits: more than 16 TiB with blocks of 4 KiB.", Some("2.6.28")),
    (
        "mmp",
        "A block is kept changing while mounted, so that no second machine mounts it, too.",
        Some("3.0"),
    ),
    (
        "flex_bg",
        "The bitmaps and inode tables of several groups lie together, which keeps large free \
         areas whole.",
        Some("2.6.28"),
    ),
    ("ea_inode", "Large values of extended attributes have inodes of their own.", Some("4.13")),
    ("dirdata", "Directory entries may carry data beside the name; a patch of Lustre.", None),
    (
        "metadata_csum_seed",
        "What checksums start from is stored, so that the UUID can change while mounted.",
        Some("4.4"),
    ),
    (
        "large_dir",
        "Directories may be larger than 2 GiB, their index three levels deep.",
        Some("4.13"),
    ),
    ("inline_data", "Very small files and directories lie inside their inodes.", Some("3.8")),
    ("encrypt", "Directories may be encrypted, names and contents.", Some("4.1")),
    ("casefold", "Directories may ignore the difference of upper and lower case.", Some("5.2")),
    (
        "sparse_super",
        "Only groups 0, 1 and the powers of 3, 5 and 7 have a copy of the superblock.",
        Some("2.2.0"),
    ),
    ("large_file", "There may be files of 2 GiB and more.", Some("2.2.0")),
    (
        "huge_file",
        "Files may be counted in blocks rather than in units of 512 bytes, so they may be larger \
         than 2 TiB.",
        Some("2.6.28"),
    ),
    (
        "uninit_bg",
        "Descriptors have checksums, so groups never used need not be initialised or read.",
        Some("2.6.28"),
    ),
    ("dir_nlink", "A directory may have more than 65,000 subdirectories.", Some("2.6.28")),
    (
        "extra_isize",
        "Inodes have room for times of nanoseconds and other fields past the first 128 bytes.",
        Some("2.6.28"),
    ),
    ("quota", "Quota files belong to the filesystem and are kept up by it.", Some("3.6")),
    ("bigalloc", "Space is given out in clusters of several blocks.", Some("3.2")),
    ("metadata_csum", "All metadata carries checksums.", Some("3.18")),
    ("replica", "Files may have replicas; never taken up.", None),
    ("read-only", "It must never be mounted to be written to.", Some("4.1")),
    ("project", "Files belong to projects, which may have quota.", Some("4.5")),
    (
        "shared_blocks",
        "Several files may share a block, as in images of Android that are never written to.",
        None,
    ),
    (
        "verity",
        "Files may be sealed with a tree of hashes that is checked at each read.",
        Some("5.4"),
    ),
    ("orphan_present", "The orphan file holds inodes that are still to be deleted.", Some("5.15")),
];

/// Every feature that is on, with its meaning.
#[must_use]
pub fn feature_reports(features: Features) -> Vec<FeatureReport> {
    features.iter().map(feature_report).collect()
}

fn feature_report(feature: Feature) -> FeatureReport {
    let name = feature.name();
    let known = FEATURES.iter().find(|(known, ..)| *known == name);
    let unknown = match feature.class {
        FeatureClass::Compat => "Not known here. It may be ignored.",
        FeatureClass::Incompat => {
            "Not known here. What is shown may be wrong where the feature changes the format."
        }
        FeatureClass::RoCompat => "Not known here. It does not change how the filesystem is read.",
    };
    FeatureReport {
        class: feature.class,
        bit: feature.bit,
        meaning: known.map_or(unknown, |(_, meaning, _)| meaning).to_owned(),
        since: known.and_then(|(.., since)| *since).map(str::to_owned),
        name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ondisk::features::{Compat, Incompat, RoCompat};

    #[test]
    fn every_known_feature_has_a_meaning_and_every_meaning_a_feature() {
        let all = feature_reports(Features {
            compat: Compat::from_bits_retain(!0),
            incompat: Incompat::from_bits_retain(!0),
            ro_compat: RoCompat::from_bits_retain(!0),
        });
        assert_eq!(all.len(), 96);
        let known: Vec<_> = all.iter().filter(|f| !f.name.starts_with("FEATURE_")).collect();
        assert!(known.iter().all(|feature| !feature.meaning.starts_with("Not known")));
        let mut named: Vec<_> = known.iter().map(|feature| feature.name.as_str()).collect();
        let mut explained: Vec<_> = FEATURES.iter().map(|(name, ..)| *name).collect();
        named.sort_unstable();
        explained.sort_unstable();
        assert_eq!(named, explained);
    }

    #[test]
    fn an_unknown_feature_says_what_it_costs() {
        let incompat = Incompat::from_bits_retain(0x20);
        let reports = feature_reports(Features { incompat, ..Features::default() });
        assert_eq!(reports[0].name, "FEATURE_I5");
        assert!(reports[0].meaning.contains("may be wrong"));
        assert_eq!(reports[0].since, None);
    }
}
