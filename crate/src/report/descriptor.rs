//! Every field of a group descriptor with its plain name, its meaning and its value.

use super::format::hex;
use super::superblock::{Field, FieldValue, Section, Shown, block, count, number};
use crate::ondisk::{BgFlags, GroupDesc};

/// Names of flags as dumpe2fs prints them, in its order.
const FLAGS: &[(BgFlags, &str)] = &[
    (BgFlags::INODE_UNINIT, "INODE_UNINIT"),
    (BgFlags::BLOCK_UNINIT, "BLOCK_UNINIT"),
    (BgFlags::INODE_ZEROED, "ITABLE_ZEROED"),
];

/// A line of the table; digits are those of the value in hexadecimal.
struct Row {
    name: &'static str,
    digits: usize,
    label: &'static str,
    explanation: &'static str,
    show: fn(&GroupDesc) -> Shown,
}

const ROWS: &[Row] = &[
    Row {
        name: "bg_block_bitmap",
        digits: 16,
        label: "Block bitmap",
        explanation: "The block with a bit for each cluster of the group, set when in use.",
        show: |desc| block(desc.block_bitmap.get()),
    },
    Row {
        name: "bg_inode_bitmap",
        digits: 16,
        label: "Inode bitmap",
        explanation: "The block with a bit for each inode of the group, set when in use.",
        show: |desc| block(desc.inode_bitmap.get()),
    },
    Row {
        name: "bg_inode_table",
        digits: 16,
        label: "Inode table",
        explanation: "The first block of the group's inodes.",
        show: |desc| block(desc.inode_table.get()),
    },
    Row {
        name: "bg_free_blocks_count",
        digits: 8,
        label: "Free blocks",
        explanation: "Free blocks of the group; with bigalloc, free clusters.",
        show: |desc| count(desc.free_blocks_count),
    },
    Row {
        name: "bg_free_inodes_count",
        digits: 8,
        label: "Free inodes",
        explanation: "Free inodes of the group.",
        show: |desc| count(desc.free_inodes_count),
    },
    Row {
        name: "bg_used_dirs_count",
        digits: 8,
        label: "Directories",
        explanation: "Inodes of the group that are directories; new ones go where there are few.",
        show: |desc| count(desc.used_dirs_count),
    },
    Row {
        name: "bg_flags",
        digits: 4,
        label: "Flags",
        explanation: "What of the group was never written and need not be read.",
        show: |desc| {
            let names = flag_names(desc.flags);
            let text = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            number(desc.flags.bits(), text)
        },
    },
    Row {
        name: "bg_block_bitmap_csum",
        digits: 8,
        label: "Block bitmap checksum",
        explanation: "crc32c of the block bitmap under metadata_csum; the low half in descriptors \
                      of 32 bytes.",
        show: |desc| number(desc.block_bitmap_csum, hex(desc.block_bitmap_csum.into(), 8)),
    },
    Row {
        name: "bg_inode_bitmap_csum",
        digits: 8,
        label: "Inode bitmap checksum",
        explanation: "The same for the inode bitmap.",
        show: |desc| number(desc.inode_bitmap_csum, hex(desc.inode_bitmap_csum.into(), 8)),
    },
    Row {
        name: "bg_itable_unused",
        digits: 8,
        label: "Unused inodes",
        explanation: "Inodes at the end of the table that were never used, so that a check need \
                      not read them.",
        show: |desc| count(desc.itable_unused),
    },
    Row {
        name: "bg_checksum",
        digits: 4,
        label: "Descriptor checksum",
        explanation: "Of the descriptor itself: crc16 under uninit_bg, the low half of crc32c \
                      under metadata_csum.",
        show: |desc| number(desc.checksum, hex(desc.checksum.into(), 4)),
    },
];

/// Every field of a descriptor, halves joined.
#[must_use]
pub fn descriptor_fields(desc: &GroupDesc) -> Vec<Field> {
    ROWS.iter()
        .map(|row| {
            let Shown { value, text } = (row.show)(desc);
            let bare = if let FieldValue::Number(n) = value { n } else { 0 };
            Field {
                section: Section::Size,
                name: row.name.to_owned(),
                label: row.label.to_owned(),
                explanation: row.explanation.to_owned(),
                raw: hex(bare, row.digits),
                value,
                text,
            }
        })
        .collect()
}

/// The flags that are set, by name; unknown ones together in hexadecimal.
#[must_use]
pub fn flag_names(flags: BgFlags) -> Vec<String> {
    let mut names: Vec<String> = FLAGS
        .iter()
        .filter(|(flag, _)| flags.contains(*flag))
        .map(|(_, name)| (*name).to_owned())
        .collect();
    let unknown = FLAGS.iter().fold(flags.bits(), |rest, (flag, _)| rest & !flag.bits());
    if unknown != 0 {
        names.push(hex(unknown.into(), 1));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Fsblk;

    #[test]
    fn flags_have_dumpe2fs_names() {
        assert_eq!(flag_names(BgFlags::from_bits_retain(7)).len(), 3);
        assert_eq!(flag_names(BgFlags::from_bits_retain(0x14)), ["ITABLE_ZEROED", "0x10"]);
        assert!(flag_names(BgFlags::empty()).is_empty());
    }

    #[test]
    fn fields_tell_value_text_and_raw() {
        let desc = GroupDesc {
            block_bitmap: Fsblk::new(1028),
            free_blocks_count: 31_740,
            ..GroupDesc::default()
        };
        let fields = descriptor_fields(&desc);
        assert_eq!(fields[0].text, "1028");
        assert_eq!(fields[0].raw, "0x0000000000000404");
        assert_eq!(fields[3].text, "31,740");
        assert_eq!(fields.len(), 11);
    }
}
