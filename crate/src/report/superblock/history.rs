//! How it was left, when it was written, mounted and checked, and what went wrong.

use super::value::{FieldValue, block, count, flags, interval, moment, one_of, place, text};
use super::{Row, Shown, rows};
use crate::report::format::bytes;

/// What the kernel does on an error; 0 is what old tools left.
const BEHAVIOURS: &[(u64, &str)] =
    &[(0, "default (continue)"), (1, "continue"), (2, "remount read-only"), (3, "panic")];

/// Ref: `EXT4_ERR_*`.
const CODES: &[(u64, &str)] = &[
    (0, "none"),
    (1, "unknown"),
    (2, "EIO, input or output failed"),
    (3, "ENOMEM, out of memory"),
    (4, "EFSBADCRC, wrong checksum"),
    (5, "EFSCORRUPTED, metadata damaged"),
    (6, "ENOSPC, no space left"),
    (7, "ENOKEY, no key"),
    (8, "EROFS, read-only"),
    (9, "EFBIG, file too big"),
    (10, "EEXIST, exists already"),
    (11, "ERANGE, out of range"),
    (12, "EOVERFLOW, value too large"),
    (13, "EBUSY, busy"),
    (14, "ENOTDIR, no directory"),
    (15, "ENOTEMPTY, directory not empty"),
    (16, "ESHUTDOWN, shut down"),
    (17, "EFAULT, bad address"),
];

/// Ref: `EXT4_DEFM_*`. The journal's mode is two bits wide.
const MOUNT_OPTIONS: &[(u64, &str)] = &[
    (0x0001, "debug"),
    (0x0002, "bsdgroups"),
    (0x0004, "user_xattr"),
    (0x0008, "acl"),
    (0x0010, "uid16"),
    (0x0100, "nobarrier"),
    (0x0200, "block_validity"),
    (0x0400, "discard"),
    (0x0800, "nodelalloc"),
];

fn mount_options(word: u32) -> Shown {
    const JMODE: u32 = 0x0060;
    let mode = match word & JMODE {
        0x0020 => Some("journal_data"),
        0x0040 => Some("journal_data_ordered"),
        0x0060 => Some("journal_data_writeback"),
        _ => None,
    };
    let Shown { text, .. } = flags((word & !JMODE).into(), MOUNT_OPTIONS);
    let text = match (mode, text.as_str()) {
        (None, _) => text,
        (Some(mode), "none") => mode.to_owned(),
        (Some(mode), others) => format!("{mode}, {others}"),
    };
    Shown { value: FieldValue::Number(word.into()), text }
}

fn state(word: u16) -> Shown {
    const VALID: u16 = 0x1;
    let others = flags(
        (word & !VALID).into(),
        &[
            (0x2, "errors found"),
            (0x4, "orphans being recovered"),
            (0x20, "fast commit being replayed"),
        ],
    );
    let clean = if word & VALID == 0 { "not clean" } else { "clean" };
    let text = match others.text.as_str() {
        "none" => clean.to_owned(),
        others => format!("{clean}, {others}"),
    };
    Shown { value: FieldValue::Number(word.into()), text }
}

/// A count of mounts, in which 0 and below mean that mounts are not counted.
fn max_mounts(raw: u16) -> Shown {
    let mounts = i16::from_le_bytes(raw.to_le_bytes());
    let text = if mounts > 0 { mounts.to_string() } else { format!("{mounts} (never)") };
    Shown { value: mounts.into(), text }
}

pub(super) const ROWS: &[Row] = rows! { History:
    s_state "State"
        "Whether it was unmounted cleanly, and whether the kernel found errors. With a journal it \
         stays clean while mounted; then needs_recovery tells."
        |s| state(s.s_state.get());
    s_errors "On errors"
        "What the kernel does when it finds an error."
        |s| one_of(s.s_errors.get(), BEHAVIOURS);
    s_mkfs_time [s_mkfs_time s_mkfs_time_hi] "Made"
        "When the filesystem was made."
        |s| moment(s.mkfs_time());
    s_mtime [s_mtime s_mtime_hi] "Last mounted"
        "When it was last mounted to be written to."
        |s| moment(s.mtime());
    s_wtime [s_wtime s_wtime_hi] "Last written"
        "When the superblock was last written."
        |s| moment(s.wtime());
    s_lastcheck [s_lastcheck s_lastcheck_hi] "Last checked"
        "When e2fsck last went through all of it."
        |s| moment(s.lastcheck());
    s_checkinterval "Check interval"
        "The time after which a check is due at boot."
        |s| interval(s.s_checkinterval.get());
    s_mnt_count "Mounts since the check"
        "How often it was mounted since the last check."
        |s| count(s.s_mnt_count.get());
    s_max_mnt_count "Mounts until a check"
        "After so many mounts a check is due at boot; 0 or -1 is never."
        |s| max_mounts(s.s_max_mnt_count.get());
    s_kbytes_written "Written in its lifetime"
        "KiB written since it was made, as far as the kernel counted."
        |s| super::number(s.s_kbytes_written.get(), s.s_kbytes_written.get().checked_mul(1024)
            .map_or_else(|| "more than can be".to_owned(), bytes));
    s_default_mount_opts "Default mount options"
        "Options that hold at every mount unless others are given."
        |s| mount_options(s.s_default_mount_opts.get());
    s_mount_opts "More mount options"
        "Further options, as text."
        |s| text(&s.s_mount_opts);
    s_def_resuid "User of the reserve"
        "The user who may use the reserved blocks; usually 0, root."
        |s| block(s.s_def_resuid.get());
    s_def_resgid "Group of the reserve"
        "The group whose members may use the reserved blocks; usually 0, root."
        |s| block(s.s_def_resgid.get());
};

pub(super) const ERROR_ROWS: &[Row] = rows! { Errors:
    s_error_count "Errors"
        "How many errors the kernel noted since e2fsck last cleared them."
        |s| count(s.s_error_count.get());
    s_first_error_time [s_first_error_time s_first_error_time_hi] "First error"
        "When the first of them was noted."
        |s| moment(s.first_error_time());
    s_first_error_func "First error, function"
        "The function of the kernel that noted it."
        |s| text(&s.s_first_error_func);
    s_first_error_line "First error, line"
        "The line of the kernel's source."
        |s| place(s.s_first_error_line.get());
    s_first_error_ino "First error, inode"
        "The inode concerned, if any."
        |s| place(s.s_first_error_ino.get());
    s_first_error_block "First error, block"
        "The block concerned, if any."
        |s| place(s.s_first_error_block.get());
    s_first_error_errcode "First error, code"
        "What went wrong."
        |s| one_of(s.s_first_error_errcode, CODES);
    s_last_error_time [s_last_error_time s_last_error_time_hi] "Latest error"
        "When the latest of them was noted."
        |s| moment(s.last_error_time());
    s_last_error_func "Latest error, function"
        "The function of the kernel that noted it."
        |s| text(&s.s_last_error_func);
    s_last_error_line "Latest error, line"
        "The line of the kernel's source."
        |s| place(s.s_last_error_line.get());
    s_last_error_ino "Latest error, inode"
        "The inode concerned, if any."
        |s| place(s.s_last_error_ino.get());
    s_last_error_block "Latest error, block"
        "The block concerned, if any."
        |s| place(s.s_last_error_block.get());
    s_last_error_errcode "Latest error, code"
        "What went wrong."
        |s| one_of(s.s_last_error_errcode, CODES);
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_names_what_is_wrong() {
        let texts: Vec<_> = [0, 1, 3, 6].map(|word| state(word).text).into();
        assert_eq!(
            texts,
            [
                "not clean",
                "clean",
                "clean, errors found",
                "not clean, errors found, orphans being recovered"
            ]
        );
    }

    #[test]
    fn the_journals_mode_is_one_of_three() {
        assert_eq!(mount_options(0x0c).text, "user_xattr, acl");
        assert_eq!(mount_options(0x60).text, "journal_data_writeback");
        assert_eq!(mount_options(0x2c).text, "journal_data, user_xattr, acl");
        assert_eq!(mount_options(0).text, "none");
    }

    #[test]
    fn mounts_until_a_check_may_be_below_0() {
        assert_eq!(max_mounts(u16::MAX).value, FieldValue::Signed(-1));
        assert_eq!(max_mounts(u16::MAX).text, "-1 (never)");
        assert_eq!(max_mounts(30).text, "30");
    }
}
