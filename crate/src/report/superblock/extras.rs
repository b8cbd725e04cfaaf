//! Directories, encryption, quota, hints, and what nobody uses.

use super::value::{count, flags, id, list, number, one_of, place, size};
use super::{Row, rows};
use crate::report::format::hex;

const HASHES: &[(u64, &str)] = &[
    (0, "legacy"),
    (1, "half_md4"),
    (2, "tea"),
    (3, "legacy_unsigned"),
    (4, "half_md4_unsigned"),
    (5, "tea_unsigned"),
    (6, "siphash"),
];

const CIPHERS: &[(u8, &str)] = &[
    (1, "AES-256-XTS"),
    (2, "AES-256-GCM"),
    (3, "AES-256-CBC"),
    (4, "AES-256-CTS"),
    (5, "AES-128-CBC"),
    (6, "AES-128-CTS"),
    (9, "Adiantum"),
];

/// The seed is stored as four words but read as the bytes of a UUID.
fn hash_seed(words: [u32; 4]) -> super::Shown {
    let mut bytes = [0; 16];
    for (to, from) in bytes.iter_mut().zip(words.map(u32::to_le_bytes).as_flattened()) {
        *to = *from;
    }
    id(bytes)
}

fn ciphers(algos: [u8; 4]) -> super::Shown {
    let mut shown = list(algos.map(u64::from));
    let names: Vec<String> = algos
        .iter()
        .filter(|algo| **algo != 0)
        .map(|algo| {
            let known = CIPHERS.iter().find(|(number, _)| number == algo);
            known.map_or_else(|| format!("unknown ({algo})"), |(_, name)| (*name).to_owned())
        })
        .collect();
    if !names.is_empty() {
        shown.text = names.join(", ");
    }
    shown
}

pub(super) const CONTENT_ROWS: &[Row] = rows! { Contents:
    s_def_hash_version "Directory hash"
        "How names are hashed in indexed directories; the flags say whether bytes are signed."
        |s| one_of(s.s_def_hash_version, HASHES);
    s_hash_seed "Hash seed"
        "Mixed into the hash, so that nobody can choose names that collide."
        |s| hash_seed(s.s_hash_seed.map(|word| word.get()));
    s_encoding "Name encoding"
        "With casefold, the version of Unicode by which names are compared."
        |s| one_of(s.s_encoding.get(), &[(0, "none"), (1, "utf8-12.1")]);
    s_encoding_flags "Encoding flags"
        "With casefold, whether names that are not valid in the encoding are refused."
        |s| flags(s.s_encoding_flags.get().into(), &[(1, "strict")]);
    s_min_extra_isize "Inode extra size, required"
        "Bytes past the first 128 that every inode uses for fixed fields."
        |s| size(s.s_min_extra_isize.get());
    s_want_extra_isize "Inode extra size, wanted"
        "Bytes past the first 128 that new inodes use for fixed fields."
        |s| size(s.s_want_extra_isize.get());
    s_usr_quota_inum "User quota"
        "The inode with the quota of users."
        |s| place(s.s_usr_quota_inum.get());
    s_grp_quota_inum "Group quota"
        "The inode with the quota of groups of users."
        |s| place(s.s_grp_quota_inum.get());
    s_prj_quota_inum "Project quota"
        "The inode with the quota of projects."
        |s| place(s.s_prj_quota_inum.get());
    s_lpf_ino "Lost and found"
        "The inode of lost+found, if it was noted."
        |s| place(s.s_lpf_ino.get());
    s_encryption_level "Encryption level"
        "The version of the encryption format."
        |s| number(s.s_encryption_level, s.s_encryption_level.to_string());
    s_encrypt_algos "Encryption methods"
        "The ciphers noted when encryption was turned on; each directory names its own."
        |s| ciphers(s.s_encrypt_algos);
    s_encrypt_pw_salt "Password salt"
        "Mixed into keys that are made from passwords."
        |s| id(s.s_encrypt_pw_salt);
};

pub(super) const ALLOCATION_ROWS: &[Row] = rows! { Allocation:
    s_raid_stride "RAID stride"
        "Blocks that lie on one disk before the next one's turn; the allocator spreads bitmaps \
         by it."
        |s| count(s.s_raid_stride.get());
    s_raid_stripe_width "RAID stripe width"
        "Blocks over all data disks; the allocator tries to fill whole stripes."
        |s| count(s.s_raid_stripe_width.get());
    s_prealloc_blocks "Preallocated blocks"
        "Blocks to set aside for a growing file; ext4 has other means."
        |s| count(s.s_prealloc_blocks);
    s_prealloc_dir_blocks "Preallocated directory blocks"
        "Blocks to set aside for a new directory; ext4 has other means."
        |s| count(s.s_prealloc_dir_blocks);
};

pub(super) const UNUSED_ROWS: &[Row] = rows! { Unused:
    s_algorithm_usage_bitmap "Compression methods"
        "Which methods of compression are in use; compression was never taken up."
        |s| number(s.s_algorithm_usage_bitmap.get(),
            hex(s.s_algorithm_usage_bitmap.get().into(), 8));
    s_snapshot_inum "Snapshot inode"
        "The active snapshot; snapshots were never taken up."
        |s| place(s.s_snapshot_inum.get());
    s_snapshot_id "Snapshot number"
        "The number of the active snapshot."
        |s| place(s.s_snapshot_id.get());
    s_snapshot_r_blocks_count "Snapshot reserve"
        "Blocks kept for the active snapshot."
        |s| count(s.s_snapshot_r_blocks_count.get());
    s_snapshot_list "Snapshot list"
        "The first inode of the list of snapshots."
        |s| place(s.s_snapshot_list.get());
    s_reserved_pad "Padding"
        "One byte without a meaning."
        |s| number(s.s_reserved_pad, s.s_reserved_pad.to_string());
    s_reserved "Reserved"
        "Words without a meaning yet."
        |s| {
            let mut shown = list(s.s_reserved.map(|word| word.get().into()));
            if shown.text != "none" {
                shown.text = "not all zero".to_owned();
            }
            shown
        };
};
