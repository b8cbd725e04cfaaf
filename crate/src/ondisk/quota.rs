//! Quota files of the second format. Ref: `fs/quota/quotaio_v2.h`.

use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Bytes of a block of a quota file, whatever the filesystem's. Ref: `QT_BLKSIZE`.
pub const QUOTA_BLOCK_BYTES: usize = 1024;

/// Levels of pointers above the entries: one for each byte of a number.
pub const TREE_DEPTH: u32 = 4;

/// Whose quota a file keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaKind {
    /// Users.
    User,
    /// Groups.
    Group,
    /// Projects.
    Project,
}

impl QuotaKind {
    /// In one word, for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Group => "group",
            Self::Project => "project",
        }
    }

    /// `dqh_magic` of such a file. Ref: `V2_INITQMAGICS`.
    #[must_use]
    pub fn magic(self) -> u32 {
        match self {
            Self::User => 0xd9c0_1f11,
            Self::Group => 0xd9c0_1927,
            Self::Project => 0xd9c0_3f14,
        }
    }
}

/// What a quota file starts with. Ref: `struct v2_disk_dqheader`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct QuotaHeader {
    /// See [`QuotaKind::magic`].
    pub dqh_magic: U32,
    /// 0: entries of [`QuotaEntryR0`]; 1: of [`QuotaEntry`].
    pub dqh_version: U32,
}

/// What follows the header. Ref: `struct v2_disk_dqinfo`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct QuotaInfo {
    /// Seconds for which more space than the soft limit is allowed.
    pub dqi_bgrace: U32,
    /// The same for inodes.
    pub dqi_igrace: U32,
    /// Flags of the format.
    pub dqi_flags: U32,
    /// Blocks of the file.
    pub dqi_blocks: U32,
    /// First free block; 0 for none.
    pub dqi_free_blk: U32,
    /// First block of entries with room; 0 for none.
    pub dqi_free_entry: U32,
}

/// What a block of entries starts with. Ref: `struct qt_disk_dqdbheader`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct QuotaBlockHeader {
    /// Next block with room.
    pub dqdh_next_free: U32,
    /// Block with room before it.
    pub dqdh_prev_free: U32,
    /// Entries in use.
    pub dqdh_entries: U16,
    /// Unused.
    pub dqdh_pad1: U16,
    /// Unused.
    pub dqdh_pad2: U32,
}

/// What somebody has, and may have, in a file of version 0, with smaller fields.
/// Ref: `struct v2r0_disk_dqblk`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
#[expect(missing_docs, reason = "as in `QuotaEntry`")]
pub struct QuotaEntryR0 {
    pub dqb_id: U32,
    pub dqb_ihardlimit: U32,
    pub dqb_isoftlimit: U32,
    pub dqb_curinodes: U32,
    pub dqb_bhardlimit: U32,
    pub dqb_bsoftlimit: U32,
    pub dqb_curspace: U64,
    pub dqb_btime: U64,
    pub dqb_itime: U64,
}

/// What somebody has, and may have. Ref: `struct v2r1_disk_dqblk`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct QuotaEntry {
    /// Number of the user, group or project.
    pub dqb_id: U32,
    /// Unused.
    pub dqb_pad: U32,
    /// Most inodes; 0 is any number.
    pub dqb_ihardlimit: U64,
    /// Most inodes for longer than a grace time.
    pub dqb_isoftlimit: U64,
    /// Inodes.
    pub dqb_curinodes: U64,
    /// Most space, in KiB; 0 is any.
    pub dqb_bhardlimit: U64,
    /// Most space for longer than a grace time.
    pub dqb_bsoftlimit: U64,
    /// Space, in bytes.
    pub dqb_curspace: U64,
    /// When the grace time for space ends, seconds since 1970.
    pub dqb_btime: U64,
    /// When that for inodes does.
    pub dqb_itime: U64,
}

impl From<QuotaEntryR0> for QuotaEntry {
    fn from(entry: QuotaEntryR0) -> Self {
        let wide = |field: U32| U64::new(u64::from(field.get()));
        Self {
            dqb_id: entry.dqb_id,
            dqb_pad: U32::ZERO,
            dqb_ihardlimit: wide(entry.dqb_ihardlimit),
            dqb_isoftlimit: wide(entry.dqb_isoftlimit),
            dqb_curinodes: wide(entry.dqb_curinodes),
            dqb_bhardlimit: wide(entry.dqb_bhardlimit),
            dqb_bsoftlimit: wide(entry.dqb_bsoftlimit),
            dqb_curspace: entry.dqb_curspace,
            dqb_btime: entry.dqb_btime,
            dqb_itime: entry.dqb_itime,
        }
    }
}

const _: () = assert!(size_of::<QuotaHeader>() == 8);
const _: () = assert!(size_of::<QuotaInfo>() == 24);
const _: () = assert!(size_of::<QuotaEntryR0>() == 48);
const _: () = assert!(size_of::<QuotaBlockHeader>() == 16);
const _: () = assert!(size_of::<QuotaEntry>() == 72);
