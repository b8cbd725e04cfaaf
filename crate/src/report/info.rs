//! What an image is, and what is worth knowing before anything else.

use serde::{Deserialize, Serialize};

use super::features::{FeatureReport, feature_reports};
use super::format::{bytes, grouped, padded_text, uuid};
use super::superblock::{Field, superblock_fields};
use crate::fs::{CsumState, Filesystem, Geometry};
use crate::io::{ByteSource, KindCount};
use crate::limits;
use crate::ondisk::Superblock;
use crate::ondisk::csum::{Csum, superblock_csum};
use crate::ondisk::features::{Compat, Features, Incompat, RoCompat};

/// What an image is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InfoReport {
    /// `ext2`, `ext3`, `ext4`, by the features, or `journal` for an external journal.
    pub filesystem_type: String,
    /// The label; may be empty.
    pub volume_name: String,
    /// The UUID.
    pub uuid: String,
    /// Bytes of the image.
    pub image_bytes: u64,
    /// Bytes of the filesystem.
    pub filesystem_bytes: u64,
    /// Block of the superblock in use.
    pub superblock_block: u64,
    /// Byte at which it starts.
    pub superblock_offset: u64,
    /// Whether it is a backup.
    pub superblock_is_backup: bool,
    /// Whether its checksum is right.
    pub superblock_csum: CsumState,
    /// Its checksum as stored.
    pub superblock_csum_stored: u32,
    /// The checksum that it should have, where it has one.
    pub superblock_csum_expected: Option<u32>,
    /// How it is cut up.
    pub geometry: GeometryReport,
    /// The features that are on.
    pub features: Vec<FeatureReport>,
    /// Every field of the superblock, section by section.
    pub superblock: Vec<Field>,
    /// What is worth knowing before anything else, each a sentence.
    pub notes: Vec<String>,
    /// What was read to find this out.
    pub reads: Vec<KindCount>,
}

/// How a filesystem is cut up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeometryReport {
    /// Bytes of a block.
    pub block_size: u32,
    /// Blocks of a cluster; 1 without bigalloc.
    pub blocks_per_cluster: u32,
    /// Block in which group 0 starts.
    pub first_data_block: u64,
    /// Blocks of the filesystem.
    pub blocks_count: u64,
    /// Blocks of a group; the last may have fewer.
    pub blocks_per_group: u32,
    /// Clusters of a group; the last may have fewer.
    pub clusters_per_group: u32,
    /// Inodes of a group.
    pub inodes_per_group: u32,
    /// Inodes of the filesystem.
    pub inodes_count: u32,
    /// Bytes of an inode.
    pub inode_size: u32,
    /// Blocks of a group's inode table.
    pub itable_blocks: u64,
    /// Bytes of a descriptor.
    pub desc_size: u32,
    /// Blocks of the descriptor table.
    pub desc_blocks: u64,
    /// Groups of a flex group; 1 without flex_bg.
    pub groups_per_flex: u32,
    /// Groups, as the superblock says.
    pub groups_count: u64,
    /// Groups that are listed.
    pub groups_listed: u32,
}

impl InfoReport {
    /// Reports what opening found out; reads nothing more.
    pub fn new<S: ByteSource>(filesystem: &Filesystem<S>) -> Self {
        let superblock = filesystem.superblock();
        let features = filesystem.features();
        let expected = superblock_csum(superblock);
        let stored = superblock.s_checksum.get();
        Self {
            filesystem_type: filesystem_type(features).to_owned(),
            volume_name: padded_text(&superblock.s_volume_name),
            uuid: uuid(superblock.s_uuid),
            image_bytes: filesystem.image_len(),
            filesystem_bytes: filesystem.geometry().filesystem_bytes(),
            superblock_block: filesystem.superblock_at().get(),
            superblock_offset: filesystem.superblock_offset().get(),
            superblock_is_backup: filesystem.is_from_backup(),
            superblock_csum: CsumState::compare(Some(stored), expected),
            superblock_csum_stored: stored,
            superblock_csum_expected: expected,
            geometry: GeometryReport::new(filesystem),
            features: feature_reports(features),
            superblock: superblock_fields(superblock),
            notes: notes(filesystem, CsumState::compare(Some(stored), expected)),
            reads: filesystem.meter().by_kind(),
        }
    }
}

impl GeometryReport {
    fn new<S: ByteSource>(filesystem: &Filesystem<S>) -> Self {
        let geometry: &Geometry = filesystem.geometry();
        Self {
            block_size: geometry.block_size(),
            blocks_per_cluster: geometry.blocks_per_cluster(),
            first_data_block: geometry.first_data_block().get(),
            blocks_count: geometry.blocks_count(),
            blocks_per_group: geometry.blocks_per_group(),
            clusters_per_group: geometry.clusters_per_group(),
            inodes_per_group: geometry.inodes_per_group(),
            inodes_count: geometry.inodes_count(),
            inode_size: geometry.inode_size(),
            itable_blocks: geometry.itable_blocks(),
            desc_size: geometry.desc_size(),
            desc_blocks: geometry.desc_blocks(),
            groups_per_flex: geometry.groups_per_flex(),
            groups_count: geometry.groups_count(),
            groups_listed: filesystem.groups().len(),
        }
    }
}

/// `ext4` with any feature that ext3 does not know, `ext3` with a journal, else `ext2`; `journal`
/// for an external journal.
#[must_use]
pub fn filesystem_type(features: Features) -> &'static str {
    let old_incompat = Incompat::FILETYPE | Incompat::RECOVER | Incompat::META_BG;
    // Bit 2 is that of an index for directories which ext2 names but never had.
    let old_ro_compat =
        RoCompat::SPARSE_SUPER | RoCompat::LARGE_FILE | RoCompat::from_bits_retain(0x4);
    if features.incompat.contains(Incompat::JOURNAL_DEV) {
        "journal"
    } else if !old_incompat.contains(features.incompat)
        || !old_ro_compat.contains(features.ro_compat)
    {
        "ext4"
    } else if features.compat.contains(Compat::HAS_JOURNAL) {
        "ext3"
    } else {
        "ext2"
    }
}

/// What is worth knowing before anything else.
fn notes<S: ByteSource>(filesystem: &Filesystem<S>, superblock_csum: CsumState) -> Vec<String> {
    let mut notes = Vec::new();
    let features = filesystem.features();
    if filesystem.is_from_backup() {
        notes.push(format!(
            "Opened from the backup superblock in block {}. Backups are not kept up to date, so \
             BLOCK_UNINIT and INODE_UNINIT are not trusted.",
            filesystem.superblock_at()
        ));
    }
    if features.incompat.contains(Incompat::JOURNAL_DEV) {
        notes.push(
            "This is the external journal of another filesystem; it has no block groups."
                .to_owned(),
        );
    }
    notes.extend(length_note(filesystem));
    if superblock_csum == CsumState::Bad {
        notes.push("The superblock's checksum is wrong.".to_owned());
    }
    if features.ro_compat.contains(RoCompat::METADATA_CSUM) && filesystem.csum() == Csum::None {
        notes.push("Checksums are of a kind not known here, so none is checked.".to_owned());
    }
    notes.extend(group_notes(filesystem));
    notes.extend(state_notes(filesystem.superblock(), features));
    let unknown: Vec<String> = features
        .iter()
        .map(|feature| feature.name())
        .filter(|name| name.starts_with("FEATURE_I"))
        .collect();
    if !unknown.is_empty() {
        notes.push(format!(
            "Features not known here that may change the format: {}.",
            unknown.join(", ")
        ));
    }
    notes
}

fn length_note<S: ByteSource>(filesystem: &Filesystem<S>) -> Option<String> {
    let (image, whole) = (filesystem.image_len(), filesystem.geometry().filesystem_bytes());
    if image < whole {
        let first = image >> filesystem.geometry().block_size().trailing_zeros();
        return Some(format!(
            "The image has {} of the filesystem's {} bytes; blocks from {first} on are missing.",
            grouped(image),
            grouped(whole)
        ));
    }
    (image > whole).then(|| {
        format!("The filesystem ends {} before the end of the image.", bytes(image - whole))
    })
}

fn group_notes<S: ByteSource>(filesystem: &Filesystem<S>) -> Vec<String> {
    let mut notes = Vec::new();
    let (groups, count) = (filesystem.groups(), filesystem.geometry().groups_count());
    if count > u64::from(groups.len()) {
        let why = if groups.len() < limits::GROUPS {
            "the image is too short to describe more"
        } else {
            "more are never listed"
        };
        notes.push(format!(
            "The superblock speaks of {} groups, of which the first {} are listed: {why}.",
            grouped(count),
            grouped(groups.len().into())
        ));
    }
    if groups.unreadable() > 0 {
        let reason =
            groups.first_error().map_or_else(String::new, |error| format!(", since {error}"));
        notes.push(format!(
            "Descriptors that cannot be read: {}{reason}.",
            grouped(groups.unreadable().into())
        ));
    }
    let wrong = groups.iter().filter(|(_, entry)| entry.csum == CsumState::Bad).count();
    if wrong > 0 {
        notes.push(format!("Descriptors with a wrong checksum: {}.", grouped(wrong as u64)));
    }
    notes
}

fn state_notes(superblock: &Superblock, features: Features) -> Vec<String> {
    const ERRORS_FOUND: u16 = 0x2;
    let mut notes = Vec::new();
    if features.incompat.contains(Incompat::RECOVER) {
        notes.push(
            "The journal holds changes that are not in place yet; what is shown is from before \
             them, unless it is asked for as after replay."
                .to_owned(),
        );
    }
    if superblock.s_state.get() & ERRORS_FOUND != 0 {
        notes.push("The kernel found errors in this filesystem.".to_owned());
    }
    if features.ro_compat.contains(RoCompat::BIGALLOC) {
        notes.push("With bigalloc, groups count free clusters, not free blocks.".to_owned());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::OpenOptions;
    use crate::fs::testing::{BLOCK, Image};
    use crate::units::Fsblk;

    fn info(bytes: Vec<u8>) -> InfoReport {
        InfoReport::new(&Filesystem::open(bytes, OpenOptions::default()).unwrap())
    }

    fn has_note(report: &InfoReport, start: &str) -> bool {
        report.notes.iter().any(|note| note.starts_with(start))
    }

    #[test]
    fn a_healthy_image_has_no_notes() {
        let report = info(Image::new().bytes());
        assert_eq!(report.notes, [""; 0]);
        assert_eq!(report.geometry.groups_listed, 4);
        assert_eq!(report.superblock_offset, 1024);
        assert_eq!(report.uuid, "61207465-7374-2773-206f-776e2069642e");
    }

    #[test]
    fn a_filesystem_longer_or_shorter_than_the_image_is_told() {
        let mut bytes = Image::new().bytes();
        bytes.resize(bytes.len() + 4096, 0);
        assert!(has_note(&info(bytes.clone()), "The filesystem ends 4 KiB before"));
        bytes.truncate(100 * BLOCK + 7);
        assert!(has_note(&info(bytes), "The image has 102,407 of the filesystem's"));
    }

    #[test]
    fn what_is_odd_is_told() {
        let mut image = Image::new();
        image.superblock.s_feature_incompat.set(0x4 | 0x20);
        image.superblock.s_state.set(2);
        let mut bytes = image.bytes();
        bytes[2 * BLOCK] ^= 1;
        let report = info(bytes);
        for start in [
            "The journal holds changes",
            "The kernel found errors",
            "Descriptors with a wrong checksum: 1.",
            "Features not known here that may change the format: FEATURE_I5.",
        ] {
            assert!(has_note(&report, start), "{start}: {:?}", report.notes);
        }
    }

    #[test]
    fn a_backup_says_that_it_is_one() {
        let options = OpenOptions { superblock: Some(Fsblk::new(8193)), block_size: None };
        let filesystem = Filesystem::open(Image::new().bytes(), options).unwrap();
        let report = InfoReport::new(&filesystem);
        assert!(report.superblock_is_backup);
        assert!(has_note(&report, "Opened from the backup superblock in block 8193."));
    }

    #[test]
    fn an_external_journal_has_no_groups() {
        let mut image = Image::new();
        image.superblock.s_feature_incompat.set(0x8);
        image.superblock.s_blocks_per_group.set(0);
        let report = info(image.bytes());
        assert_eq!(report.filesystem_type, "journal");
        assert_eq!(report.geometry.groups_count, 0);
        assert!(has_note(&report, "This is the external journal"));
    }

    #[test]
    fn the_type_follows_from_the_features() {
        let features = |compat, incompat, ro_compat| Features {
            compat: Compat::from_bits_retain(compat),
            incompat: Incompat::from_bits_retain(incompat),
            ro_compat: RoCompat::from_bits_retain(ro_compat),
        };
        assert_eq!(filesystem_type(features(0x38, 0x2, 0x3)), "ext2");
        assert_eq!(filesystem_type(features(0x3c, 0x6, 0x3)), "ext3");
        assert_eq!(filesystem_type(features(0x38, 0x42, 0x3)), "ext4");
        assert_eq!(filesystem_type(features(0x38, 0x2, 0x13)), "ext4");
        assert_eq!(filesystem_type(features(0, 0x8, 0)), "journal");
    }
}
