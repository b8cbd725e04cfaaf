//! The journal; all of it big-endian save the fast commits. Ref: `include/linux/jbd2.h`,
//! `fs/ext4/fast_commit.h`.

use core::mem::offset_of;

use bitflags::bitflags;
use zerocopy::big_endian::{U16, U32, U64};
use zerocopy::little_endian;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::Field;
use super::field::fields;

/// `h_magic` of every block that is not data.
pub const JBD2_MAGIC: u32 = 0xC03B_3998;

/// Bytes of the journal's superblock.
pub const JOURNAL_SUPERBLOCK_BYTES: usize = 1024;

/// `h_blocktype`. Ref: `JBD2_*_BLOCK`.
pub mod blocktype {
    /// Lists the data blocks that follow it.
    pub const DESCRIPTOR: u32 = 1;
    /// Ends a transaction.
    pub const COMMIT: u32 = 2;
    /// The superblock of the first format.
    pub const SUPERBLOCK_V1: u32 = 3;
    /// The superblock.
    pub const SUPERBLOCK_V2: u32 = 4;
    /// Lists blocks that must not be replayed.
    pub const REVOKE: u32 = 5;
}

/// What every block that is not data starts with. Ref: `journal_header_t`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct JournalHeader {
    /// [`JBD2_MAGIC`].
    pub h_magic: U32,
    /// What the block is; see [`blocktype`].
    pub h_blocktype: U32,
    /// Transaction.
    pub h_sequence: U32,
}

/// The journal's superblock. Ref: `journal_superblock_t`.
#[derive(Clone, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct JournalSuperblock {
    /// Magic, type; the sequence means nothing.
    pub s_header: JournalHeader,
    /// Bytes of a block.
    pub s_blocksize: U32,

    /// Blocks of the journal.
    pub s_maxlen: U32,
    /// First block of the log.
    pub s_first: U32,
    /// First transaction to replay.
    pub s_sequence: U32,
    /// Block at which it starts; 0 when there is nothing to replay.
    pub s_start: U32,

    /// Error of an aborted journal.
    pub s_errno: U32,
    /// Features that may be ignored.
    pub s_feature_compat: U32,
    /// Features that must be known to replay: [`JournalIncompat`].
    pub s_feature_incompat: U32,
    /// Features that must be known to write.
    pub s_feature_ro_compat: U32,

    /// UUID of the journal.
    pub s_uuid: [u8; 16],

    /// Filesystems that share it.
    pub s_nr_users: U32,
    /// Block of a copy of the superblock; never taken up.
    pub s_dynsuper: U32,
    /// Most blocks of a transaction; never taken up.
    pub s_max_transaction: U32,
    /// Most data blocks of a transaction; never taken up.
    pub s_max_trans_data: U32,

    /// Kind of checksum: 4 is crc32c.
    pub s_checksum_type: u8,
    /// Unused.
    pub s_padding2: [u8; 3],
    /// Blocks at the end kept for fast commits; 0 is 256.
    pub s_num_fc_blks: U32,
    /// Block at which the log ends or ended.
    pub s_head: U32,

    /// Unused.
    pub s_padding: [U32; 40],
    /// Checksum of the superblock.
    pub s_checksum: U32,
    /// UUIDs of the filesystems that share it.
    pub s_users: [u8; 768],
}

/// Ends a transaction. Ref: `struct commit_header`.
#[derive(Clone, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct CommitHeader {
    /// Magic, type, sequence.
    pub h_header: JournalHeader,
    /// Kind of checksum.
    pub h_chksum_type: u8,
    /// Bytes of checksum.
    pub h_chksum_size: u8,
    /// Unused.
    pub h_padding: [u8; 2],

    /// The checksum, in the first word.
    pub h_chksum: [U32; 8],

    /// When, seconds since 1970.
    pub h_commit_sec: U64,
    /// And nanoseconds.
    pub h_commit_nsec: U32,
}

/// Where a data block belongs, under csum v3. Ref: `journal_block_tag3_t`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct BlockTag3 {
    /// Block of the filesystem, low 32 bits.
    pub t_blocknr: U32,
    /// [`TagFlags`].
    pub t_flags: U32,
    /// Block of the filesystem, high 32 bits.
    pub t_blocknr_high: U32,
    /// Checksum of the data block.
    pub t_checksum: U32,
}

/// Where a data block belongs, before csum v3. Ref: `journal_block_tag_t`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct BlockTag {
    /// Block of the filesystem, low 32 bits.
    pub t_blocknr: U32,
    /// Checksum of the data block, low 16 bits, under csum v2.
    pub t_checksum: U16,
    /// [`TagFlags`].
    pub t_flags: U16,
    /// Block of the filesystem, high 32 bits; only under 64bit.
    pub t_blocknr_high: U32,
}

/// What a revoke block starts with; block numbers follow. Ref: `jbd2_journal_revoke_header_t`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct RevokeHeader {
    /// Magic, type, sequence.
    pub r_header: JournalHeader,
    /// Bytes of the block in use, this header counted.
    pub r_count: U32,
}

/// What an entry of a fast-commit block starts with; little-endian. Ref: `struct ext4_fc_tl`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct FastCommitTl {
    /// What it tells; see [`fast_commit_tag`].
    pub fc_tag: little_endian::U16,
    /// Bytes that follow.
    pub fc_len: little_endian::U16,
}

const _: () = assert!(size_of::<JournalHeader>() == 12);
const _: () = assert!(size_of::<JournalSuperblock>() == JOURNAL_SUPERBLOCK_BYTES);
const _: () = assert!(offset_of!(JournalSuperblock, s_uuid) == 0x30);
const _: () = assert!(offset_of!(JournalSuperblock, s_checksum) == 0xfc);
const _: () = assert!(size_of::<CommitHeader>() == 60);
const _: () = assert!(size_of::<BlockTag3>() == 16);
const _: () = assert!(size_of::<BlockTag>() == 12);
const _: () = assert!(size_of::<RevokeHeader>() == 16);
const _: () = assert!(size_of::<FastCommitTl>() == 4);

impl JournalHeader {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] = fields!(JournalHeader: h_magic h_blocktype h_sequence);

    /// The header of a block of the log; `None` for a data block.
    #[must_use]
    pub fn from_block(block: &[u8]) -> Option<Self> {
        let (header, _) = Self::read_from_prefix(block).ok()?;
        (header.h_magic.get() == JBD2_MAGIC).then_some(header)
    }
}

impl JournalSuperblock {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] = fields!(JournalSuperblock:
        s_header s_blocksize s_maxlen s_first s_sequence s_start s_errno s_feature_compat
        s_feature_incompat s_feature_ro_compat s_uuid s_nr_users s_dynsuper s_max_transaction
        s_max_trans_data s_checksum_type s_padding2 s_num_fc_blks s_head s_padding s_checksum
        s_users
    );

    /// Its incompatible features; the first format has none.
    #[must_use]
    pub fn incompat(&self) -> JournalIncompat {
        if self.s_header.h_blocktype.get() == blocktype::SUPERBLOCK_V1 {
            return JournalIncompat::empty();
        }
        JournalIncompat::from_bits_retain(self.s_feature_incompat.get())
    }

    /// Bytes of a tag in a descriptor block. Ref: `journal_tag_bytes`.
    #[must_use]
    pub fn tag_bytes(&self) -> usize {
        let incompat = self.incompat();
        if incompat.contains(JournalIncompat::CSUM_V3) {
            return size_of::<BlockTag3>();
        }
        let with_checksum = if incompat.contains(JournalIncompat::CSUM_V2) { 2 } else { 0 };
        let without_high = if incompat.contains(JournalIncompat::BIT64) { 0_usize } else { 4 };
        size_of::<BlockTag>().saturating_add(with_checksum).saturating_sub(without_high)
    }

    /// Whether blocks of the log carry checksums.
    #[must_use]
    pub fn has_csum(&self) -> bool {
        self.incompat().intersects(JournalIncompat::CSUM_V2 | JournalIncompat::CSUM_V3)
    }

    /// Whether transactions carry a checksum as a whole, from before csum v2.
    #[must_use]
    pub fn has_transaction_csum(&self) -> bool {
        /// Ref: `JBD2_FEATURE_COMPAT_CHECKSUM`.
        const COMPAT_CHECKSUM: u32 = 1;
        self.s_feature_compat.get() & COMPAT_CHECKSUM != 0
    }

    /// Blocks at the end kept for fast commits. Ref: `jbd2_journal_get_num_fc_blks`.
    #[must_use]
    pub fn fast_commit_blocks(&self) -> u32 {
        const DEFAULT: u32 = 256;
        match self.s_num_fc_blks.get() {
            _ if !self.incompat().contains(JournalIncompat::FAST_COMMIT) => 0,
            0 => DEFAULT,
            blocks => blocks,
        }
    }
}

bitflags! {
    /// `s_feature_incompat` of the journal. Ref: `JBD2_FEATURE_INCOMPAT_*`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct JournalIncompat: u32 {
        /// Revoke blocks.
        const REVOKE = 0x1;
        /// Block numbers of 64 bits.
        const BIT64 = 0x2;
        /// The commit block may be written with the rest.
        const ASYNC_COMMIT = 0x4;
        /// Checksums of 16 bits a block.
        const CSUM_V2 = 0x8;
        /// Checksums of 32 bits a block.
        const CSUM_V3 = 0x10;
        /// Fast commits.
        const FAST_COMMIT = 0x20;
        /// All that have a meaning.
        const KNOWN = 0x3f;
        const _ = !0;
    }

    /// `t_flags`. Ref: `JBD2_FLAG_*`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct TagFlags: u32 {
        /// The data block starts with the magic, which is stored as 0.
        const ESCAPE = 0x1;
        /// No UUID follows the tag.
        const SAME_UUID = 0x2;
        /// The block was deleted in this transaction.
        const DELETED = 0x4;
        /// The last tag of the block.
        const LAST_TAG = 0x8;
        const _ = !0;
    }
}

/// `fc_tag`. Ref: `EXT4_FC_TAG_*`.
pub mod fast_commit_tag {
    /// Blocks were added to a file.
    pub const ADD_RANGE: u16 = 1;
    /// Blocks were taken from a file.
    pub const DEL_RANGE: u16 = 2;
    /// A name was made with its inode.
    pub const CREAT: u16 = 3;
    /// A name was added.
    pub const LINK: u16 = 4;
    /// A name was removed.
    pub const UNLINK: u16 = 5;
    /// An inode as it is now.
    pub const INODE: u16 = 6;
    /// The rest of the block is unused.
    pub const PAD: u16 = 7;
    /// Ends a fast commit.
    pub const TAIL: u16 = 8;
    /// Starts one.
    pub const HEAD: u16 = 9;
}

#[cfg(test)]
mod tests {
    use zerocopy::FromZeros;

    use super::*;

    #[test]
    fn tags_grow_with_the_features() {
        let mut superblock = JournalSuperblock::new_zeroed();
        superblock.s_header.h_blocktype.set(blocktype::SUPERBLOCK_V2);
        let sizes = [0, 0x2, 0x8, 0xa, 0x10, 0x12].map(|incompat| {
            superblock.s_feature_incompat.set(incompat);
            superblock.tag_bytes()
        });
        assert_eq!(sizes, [8, 12, 10, 14, 16, 16]);
        superblock.s_header.h_blocktype.set(blocktype::SUPERBLOCK_V1);
        assert_eq!(superblock.tag_bytes(), 8);
    }

    #[test]
    fn fields_follow_one_another_without_a_gap() {
        let mut next = 0;
        for field in JournalSuperblock::FIELDS {
            assert_eq!(field.offset, next, "{}", field.name);
            next += field.len;
        }
        assert_eq!(next, JOURNAL_SUPERBLOCK_BYTES);
    }
}
