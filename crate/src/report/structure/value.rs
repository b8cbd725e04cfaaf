//! A field's value for people, by its name and its bytes.

use super::Lead;
use crate::report::{grouped, hex, padded_text, permissions, time, uuid};

/// Longest value that is written out.
const SHOWN_BYTES: usize = 32;

/// The value of a field, and where it leads.
pub(super) fn value(name: &str, bytes: &[u8], is_big_endian: bool) -> (String, Option<Lead>) {
    let text = |text: String| (text, None);
    if let Ok(bytes) = bytes.try_into()
        && name.ends_with("uuid")
    {
        return text(uuid(bytes));
    }
    let Some(number) = number(bytes, is_big_endian) else {
        return text(long(name, bytes));
    };
    match name {
        "i_mode" => {
            let mode = u16::try_from(number).unwrap_or(0);
            text(format!("{} 0{number:o}", permissions(mode)))
        }
        _ if is_time(name) && number != 0 => text(time(number)),
        _ if is_bits(name) => text(hex(number, bytes.len().saturating_mul(2))),
        _ if is_block(name) && number != 0 => (grouped(number), Some(Lead::Block(number))),
        "inode" | "e_value_inum" | "s_journal_inum" | "s_last_orphan" | "s_orphan_file_inum"
            if number != 0 =>
        {
            (grouped(number), u32::try_from(number).ok().map(Lead::Inode))
        }
        _ => text(grouped(number)),
    }
}

/// The number that up to eight bytes are.
fn number(bytes: &[u8], is_big_endian: bool) -> Option<u64> {
    if !matches!(bytes.len(), 1 | 2 | 4 | 8) {
        return None;
    }
    let mut whole = [0; 8];
    let ordered: Vec<u8> =
        if is_big_endian { bytes.iter().rev().copied().collect() } else { bytes.to_vec() };
    whole.get_mut(..bytes.len())?.copy_from_slice(&ordered);
    Some(u64::from_le_bytes(whole))
}

/// The value of a field that is no number.
fn long(name: &str, bytes: &[u8]) -> String {
    if bytes.iter().all(|byte| *byte == 0) {
        return format!("{} zeros", grouped(u64::try_from(bytes.len()).unwrap_or(0)));
    }
    let words = ["s_last_mounted", "s_mount_opts", "s_first_error_func", "s_last_error_func"];
    if name.ends_with("name") || words.contains(&name) {
        return padded_text(bytes);
    }
    let shown = bytes.iter().take(SHOWN_BYTES).map(|byte| format!("{byte:02x}"));
    let more = if bytes.len() > SHOWN_BYTES { " …" } else { "" };
    format!("{}{more}", shown.collect::<Vec<_>>().join(" "))
}

fn is_time(name: &str) -> bool {
    name.ends_with("time") || name == "s_lastcheck"
}

/// Whether it is a set of bits or a checksum rather than an amount.
fn is_bits(name: &str) -> bool {
    let words = ["magic", "flags", "feature", "csum", "checksum", "hash", "seed", "generation"];
    words.iter().any(|word| name.contains(word)) || name.ends_with("_extra")
}

/// Whether it is a block of the filesystem; of two halves, the low one.
fn is_block(name: &str) -> bool {
    [
        "bg_block_bitmap_lo",
        "bg_inode_bitmap_lo",
        "bg_inode_table_lo",
        "i_file_acl_lo",
        "ee_start_lo",
        "ei_leaf_lo",
        "s_mmp_block",
    ]
    .contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_by_what_they_mean() {
        let shown = |name, bytes: &[u8]| value(name, bytes, false).0;
        assert_eq!(shown("i_mode", &[0xed, 0x41]), "drwxr-xr-x 040755");
        assert_eq!(shown("i_mtime", &[0, 0, 0, 0]), "0");
        assert_eq!(shown("i_mtime", &[0x80, 0x51, 1, 0]), "1970-01-02 00:00:00 UTC");
        assert_eq!(shown("bg_checksum", &[1, 2]), "0x0201");
        assert_eq!(shown("s_blocks_count_lo", &[0, 0, 1, 0]), "65,536");
        assert_eq!(shown("s_volume_name", b"root\0\0\0\0\0\0\0\0\0\0\0\0"), "root");
        assert_eq!(shown("i_block", &[0; 60]), "60 zeros");
        assert_eq!(value("h_sequence", &[0, 0, 1, 0], true).0, "256");
        assert_eq!(value("inode", &[12, 0, 0, 0], false).1, Some(Lead::Inode(12)));
    }
}
