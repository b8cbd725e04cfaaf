//! What it is called and which format it has.

use super::value::{flags, id, number, one_of, text};
use super::{Row, rows};
use crate::ondisk::SUPER_MAGIC;
use crate::report::format::hex;

const SYSTEMS: &[(u64, &str)] =
    &[(0, "Linux"), (1, "GNU Hurd"), (2, "Masix"), (3, "FreeBSD"), (4, "Lites")];

pub(super) const ROWS: &[Row] = rows! { Identity:
    s_volume_name "Label"
        "The name given with mke2fs -L or tune2fs -L, at most 16 bytes. Tools may mount by it."
        |s| text(&s.s_volume_name);
    s_uuid "UUID"
        "The identity of the filesystem. Systems mount by it, and most checksums start from it."
        |s| id(s.s_uuid);
    s_last_mounted "Last mounted on"
        "The directory on which it was last mounted, as the kernel saw it then."
        |s| text(&s.s_last_mounted);
    s_magic "Magic number"
        "Marks an ext2, ext3 or ext4 superblock: 0xef53 in all of them."
        |s| number(s.s_magic.get(), format!(
            "{}{}",
            hex(s.s_magic.get().into(), 4),
            if s.s_magic.get() == SUPER_MAGIC { "" } else { ", which is not ext" }
        ));
    s_rev_level "Revision"
        "0 is the format of 1993 without feature flags and with inodes of 128 bytes; 1 is \
         everything since."
        |s| one_of(s.s_rev_level.get(), &[(0, "0 (original)"), (1, "1 (dynamic)")]);
    s_minor_rev_level "Minor revision"
        "Was meant for changes too small for a feature flag; nobody uses it."
        |s| number(s.s_minor_rev_level.get(), s.s_minor_rev_level.get().to_string());
    s_creator_os "Made by"
        "The system that made it. GNU Hurd gives some fields of an inode another meaning."
        |s| one_of(s.s_creator_os.get(), SYSTEMS);
    s_feature_compat "Compatible features"
        "Flags of features that a program may ignore."
        |s| number(s.s_feature_compat.get(), hex(s.s_feature_compat.get().into(), 8));
    s_feature_incompat "Incompatible features"
        "Flags of features that a program must know, or leave the filesystem alone."
        |s| number(s.s_feature_incompat.get(), hex(s.s_feature_incompat.get().into(), 8));
    s_feature_ro_compat "Read-only compatible features"
        "Flags of features that a program must know to write; to read it need not."
        |s| number(s.s_feature_ro_compat.get(), hex(s.s_feature_ro_compat.get().into(), 8));
    s_flags "Flags"
        "Which sign the directory hash gives to bytes above 127, and whether this is a test."
        |s| flags(s.s_flags.get().into(), &[
            (0x1, "signed_directory_hash"),
            (0x2, "unsigned_directory_hash"),
            (0x4, "test_filesystem"),
            (0x10, "snapshot"),
            (0x20, "fix_snapshot"),
            (0x40, "fix_exclude"),
        ]);
};
