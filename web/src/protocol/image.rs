//! What an opened image is.

use extscope::units::Group;
use serde::{Deserialize, Serialize};

use super::{CsumState, Geometry, SuperblockChoice};

/// What an opened image is, in the words of its superblock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImageInfo {
    /// ext2, ext3 or ext4, by its features.
    pub fs_type: String,
    /// The label; may be empty. Ref: `s_volume_name`.
    pub volume_name: String,
    /// Ref: `s_uuid`.
    pub uuid: String,
    /// Bytes of the image.
    pub image_bytes: u64,
    /// Bytes of the filesystem.
    pub filesystem_bytes: u64,
    /// The superblock it was opened with, when that is not the primary one.
    pub superblock: Option<SuperblockChoice>,
    /// How blocks, clusters, groups and inodes lie.
    pub geometry: Geometry,
    /// The superblock's fields, section by section.
    pub fields: Vec<Field>,
    /// The features that are set.
    pub features: Vec<Feature>,
    /// What is worth knowing before anything else, each a sentence: an image shorter than its
    /// filesystem, a feature that is not known.
    pub notes: Vec<String>,
}

/// A field with its value, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The part of the structure it is shown in: "Size and layout".
    pub section: String,
    /// Its kernel name.
    pub name: String,
    /// Its name in plain words.
    pub label: String,
    /// What it means, in a sentence or two.
    pub explanation: String,
    /// Its value for people.
    pub value: String,
    /// Its value as it lies on the disk, in hexadecimal.
    pub raw: String,
}

/// A feature that is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feature {
    /// Its name as `mke2fs -O` has it.
    pub name: String,
    /// What a program must know of it.
    pub class: FeatureClass,
    /// Its bit, counted from 0.
    pub bit: u32,
    /// What it means, in a sentence.
    pub meaning: String,
    /// The first kernel that has it; empty where unknown.
    pub since: String,
}

/// What a program that does not know a feature may still do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FeatureClass {
    /// Everything. Ref: `s_feature_compat`.
    Compat,
    /// Nothing. Ref: `s_feature_incompat`.
    Incompat,
    /// Read. Ref: `s_feature_ro_compat`.
    RoCompat,
}

/// A backup superblock that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Backup {
    /// Where it lies.
    pub at: SuperblockChoice,
    /// The group that it says it belongs to. Ref: `s_block_group_nr`.
    pub group: Group,
    /// The label.
    pub volume_name: String,
    /// The UUID.
    pub uuid: String,
    /// Blocks of the filesystem.
    pub blocks_count: u64,
    /// When it was last written, for people.
    pub written: String,
    /// What its checksum says.
    pub csum: CsumState,
    /// What speaks against it, each a sentence; empty when nothing does.
    pub doubts: Vec<String>,
}
