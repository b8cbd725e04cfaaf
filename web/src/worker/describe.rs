//! The engine's answers in the protocol's words.

use extscope::fs::{BitmapKind, BitmapPlace, DescState, Filesystem, GroupBitmap, GroupEntry};
use extscope::io::ByteSource;
use extscope::ondisk::{Field as RawField, Superblock};
use extscope::units::{Fsblk, Group};
use zerocopy::IntoBytes;

use crate::protocol::{
    BitmapDetail, BitmapOrigin, Feature, FeatureClass, Field, GroupColumns, GroupDetail, GroupRow,
    ImageInfo, SuperblockChoice,
};

/// What the image is.
pub(super) fn image<S: ByteSource>(filesystem: &Filesystem<S>) -> ImageInfo {
    let superblock = filesystem.superblock();
    let geometry = *filesystem.geometry();
    ImageInfo {
        fs_type: "ext4".into(),
        volume_name: text(&superblock.s_volume_name),
        uuid: String::new(),
        image_bytes: filesystem.image_len(),
        filesystem_bytes: geometry.filesystem_bytes(),
        superblock: filesystem.is_from_backup().then(|| SuperblockChoice {
            superblock: filesystem.superblock_at(),
            block_size: geometry.block_size(),
        }),
        geometry,
        fields: Superblock::FIELDS
            .iter()
            .map(|field| raw_field(field, superblock.as_bytes()))
            .collect(),
        features: filesystem
            .features()
            .iter()
            .map(|feature| Feature {
                name: feature.name(),
                class: match feature.class {
                    extscope::ondisk::features::FeatureClass::Compat => FeatureClass::Compat,
                    extscope::ondisk::features::FeatureClass::Incompat => FeatureClass::Incompat,
                    extscope::ondisk::features::FeatureClass::RoCompat => FeatureClass::RoCompat,
                },
                bit: feature.bit,
                meaning: String::new(),
                since: String::new(),
            })
            .collect(),
        notes: Vec::new(),
    }
}

fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}

fn raw_field(field: &RawField, bytes: &[u8]) -> Field {
    let bytes = bytes.get(field.offset..).and_then(|rest| rest.get(..field.len));
    let hex: String = bytes.unwrap_or_default().iter().map(|byte| format!("{byte:02x}")).collect();
    Field {
        section: String::new(),
        name: field.name.into(),
        label: field.name.into(),
        explanation: String::new(),
        value: hex.clone(),
        raw: hex,
    }
}

/// All group descriptors.
pub(super) fn groups<S: ByteSource>(filesystem: &Filesystem<S>) -> GroupColumns {
    let rows: Vec<_> = filesystem.groups().iter().map(|(_, entry)| row(entry)).collect();
    GroupColumns::from_rows(&rows)
}

fn row(entry: &GroupEntry) -> GroupRow {
    let desc = entry.desc;
    GroupRow {
        free_clusters: desc.free_blocks_count,
        free_inodes: desc.free_inodes_count,
        used_dirs: desc.used_dirs_count,
        itable_unused: desc.itable_unused,
        flags: desc.flags,
        csum: entry.csum,
        block_bitmap: desc.block_bitmap,
        inode_bitmap: desc.inode_bitmap,
        inode_table: desc.inode_table,
        readable: entry.state == DescState::Read,
    }
}

/// Everything about one group.
pub(super) fn group<S: ByteSource>(filesystem: &Filesystem<S>, group: Group) -> GroupDetail {
    let bitmap = |kind| {
        let stored = filesystem.group(group).map(|entry| match kind {
            BitmapKind::Block => (entry.desc.block_bitmap, entry.desc.block_bitmap_csum),
            BitmapKind::Inode => (entry.desc.inode_bitmap, entry.desc.inode_bitmap_csum),
        })?;
        filesystem.bitmap(kind, group).map(|bitmap| bitmap_detail(bitmap, stored))
    };
    GroupDetail {
        group,
        descriptor: Vec::new(),
        block_bitmap: bitmap(BitmapKind::Block),
        inode_bitmap: bitmap(BitmapKind::Inode),
    }
}

fn bitmap_detail(bitmap: GroupBitmap, (fsblk, csum): (Fsblk, u32)) -> BitmapDetail {
    use extscope::bitmap::Bits;
    BitmapDetail {
        fsblk,
        origin: match bitmap.place {
            BitmapPlace::Disk(_) => BitmapOrigin::Read,
            BitmapPlace::Uninit => BitmapOrigin::Synthesised,
        },
        csum: bitmap.csum,
        csum_stored: bitmap.computed_csum.map(|_| csum),
        csum_expected: bitmap.computed_csum,
        bits: u32::try_from(bitmap.bits().len()).unwrap_or(0),
        bytes: bitmap.bytes().to_vec(),
    }
}
