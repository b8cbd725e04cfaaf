//! The inode. Ref: `struct ext4_inode`, `fs/ext4/ext4.h`.

use core::mem::offset_of;

use bitflags::bitflags;
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::Field;
use super::field::fields;
use crate::units::Fsblk;

/// Bytes of an inode in revision 0; every inode has at least these.
/// Ref: `EXT4_GOOD_OLD_INODE_SIZE`.
pub const GOOD_OLD_INODE_BYTES: usize = 128;

/// Bytes of `i_block`.
pub const I_BLOCK_BYTES: usize = 60;

/// Block numbers in `i_block` of a file that is mapped by blocks. Ref: `EXT4_N_BLOCKS`.
pub const N_BLOCKS: usize = 15;

/// Of these, how many are direct. Ref: `EXT4_NDIR_BLOCKS`.
pub const NDIR_BLOCKS: usize = 12;

/// Inodes with a fixed number. Ref: `EXT4_*_INO`.
pub mod reserved {
    use crate::units::Ino;

    /// Blocks that cannot be read or written.
    pub const BAD: Ino = Ino::new(1);
    /// The root directory.
    pub const ROOT: Ino = Ino::new(2);
    /// Quota of users.
    pub const USR_QUOTA: Ino = Ino::new(3);
    /// Quota of groups.
    pub const GRP_QUOTA: Ino = Ino::new(4);
    /// The boot loader.
    pub const BOOT_LOADER: Ino = Ino::new(5);
    /// Undelete directory; never taken up.
    pub const UNDEL_DIR: Ino = Ino::new(6);
    /// Owner of the reserved GDT blocks.
    pub const RESIZE: Ino = Ino::new(7);
    /// The journal.
    pub const JOURNAL: Ino = Ino::new(8);
    /// Blocks left out of snapshots; never taken up.
    pub const EXCLUDE: Ino = Ino::new(9);
    /// Replica; never taken up.
    pub const REPLICA: Ino = Ino::new(10);
}

/// An inode as it lies on the disk: the 160 bytes that have a meaning of their own.
///
/// There are `s_inode_size` bytes; what is missing reads as 0, and of what lies past the first
/// 128, only `i_extra_isize` bytes are fields. Attributes follow them.
#[derive(Clone, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct RawInode {
    /// Type and permissions.
    pub i_mode: U16,
    /// Owner, low 16 bits.
    pub i_uid: U16,
    /// Size in bytes, low 32 bits.
    pub i_size_lo: U32,
    /// Last access, seconds since 1970.
    pub i_atime: U32,
    /// Last change of the inode, seconds since 1970.
    pub i_ctime: U32,

    /// Last change of the data, seconds since 1970.
    pub i_mtime: U32,
    /// Deletion, seconds since 1970; on the orphan list, the next orphan.
    pub i_dtime: U32,
    /// Group, low 16 bits.
    pub i_gid: U16,
    /// Names of the inode.
    pub i_links_count: U16,
    /// Sectors of 512 bytes, or blocks under [`InodeFlags::HUGE_FILE`], low 32 bits.
    pub i_blocks_lo: U32,

    /// [`InodeFlags`].
    pub i_flags: U32,
    /// Version, low 32 bits. In C: `osd1.linux1.l_i_version`.
    pub l_i_version: U32,
    /// Block map, root of the extent tree, target of a short symlink, or data.
    pub i_block: [u8; I_BLOCK_BYTES],
    /// Generation, for NFS.
    pub i_generation: U32,
    /// Block of extended attributes, low 32 bits.
    pub i_file_acl_lo: U32,
    /// Size in bytes, high 32 bits.
    pub i_size_high: U32,

    /// Fragment address; never taken up.
    pub i_obso_faddr: U32,
    /// Sectors or blocks, high 16 bits. In C: `osd2.linux2.l_i_blocks_high`.
    pub l_i_blocks_high: U16,
    /// Block of extended attributes, high 16 bits.
    pub l_i_file_acl_high: U16,
    /// Owner, high 16 bits.
    pub l_i_uid_high: U16,
    /// Group, high 16 bits.
    pub l_i_gid_high: U16,
    /// Checksum of the inode, low 16 bits.
    pub l_i_checksum_lo: U16,
    /// Unused.
    pub l_i_reserved: U16,

    /// Bytes past the first 128 that are fields.
    pub i_extra_isize: U16,
    /// Checksum of the inode, high 16 bits.
    pub i_checksum_hi: U16,
    /// Of the last change of the inode: 2 more bits of seconds, 30 of nanoseconds.
    pub i_ctime_extra: U32,
    /// Of the last change of the data, likewise.
    pub i_mtime_extra: U32,
    /// Of the last access, likewise.
    pub i_atime_extra: U32,

    /// Creation, seconds since 1970.
    pub i_crtime: U32,
    /// Of the creation: 2 more bits of seconds, 30 of nanoseconds.
    pub i_crtime_extra: U32,
    /// Version, high 32 bits.
    pub i_version_hi: U32,
    /// Project.
    pub i_projid: U32,
}

const _: () = assert!(size_of::<RawInode>() == 160);
const _: () = assert!(offset_of!(RawInode, i_block) == 0x28);
const _: () = assert!(offset_of!(RawInode, i_generation) == 0x64);
const _: () = assert!(offset_of!(RawInode, l_i_checksum_lo) == 0x7c);
const _: () = assert!(offset_of!(RawInode, i_extra_isize) == GOOD_OLD_INODE_BYTES);
const _: () = assert!(offset_of!(RawInode, i_projid) == 0x9c);

bitflags! {
    /// `i_flags`. Ref: `EXT4_*_FL`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct InodeFlags: u32 {
        /// Overwrite on deletion.
        const SECRM = 0x1;
        /// Keep for undeletion.
        const UNRM = 0x2;
        /// Compress.
        const COMPR = 0x4;
        /// Write without delay.
        const SYNC = 0x8;
        /// Must not change.
        const IMMUTABLE = 0x10;
        /// May only grow.
        const APPEND = 0x20;
        /// Left out by dump.
        const NODUMP = 0x40;
        /// Reading leaves no trace.
        const NOATIME = 0x80;
        /// Compressed and changed.
        const DIRTY = 0x100;
        /// Compressed in part.
        const COMPRBLK = 0x200;
        /// Not compressed.
        const NOCOMPR = 0x400;
        /// Encrypted.
        const ENCRYPT = 0x800;
        /// Hashed directory.
        const INDEX = 0x1000;
        /// Directory of AFS.
        const IMAGIC = 0x2000;
        /// Data goes through the journal.
        const JOURNAL_DATA = 0x4000;
        /// The tail is not merged.
        const NOTAIL = 0x8000;
        /// Directory written without delay.
        const DIRSYNC = 0x1_0000;
        /// Top of a hierarchy of directories.
        const TOPDIR = 0x2_0000;
        /// Size is counted in blocks.
        const HUGE_FILE = 0x4_0000;
        /// Mapped by extents.
        const EXTENTS = 0x8_0000;
        /// Has a hash tree past its end.
        const VERITY = 0x10_0000;
        /// Holds the value of an attribute.
        const EA_INODE = 0x20_0000;
        /// Blocks past the end are meant.
        const EOFBLOCKS = 0x40_0000;
        /// A snapshot.
        const SNAPFILE = 0x100_0000;
        /// Read without the page cache.
        const DAX = 0x200_0000;
        /// A snapshot being deleted.
        const SNAPFILE_DELETED = 0x400_0000;
        /// A snapshot shrunk.
        const SNAPFILE_SHRUNK = 0x800_0000;
        /// Data inside the inode.
        const INLINE_DATA = 0x1000_0000;
        /// What is made here gets the same project.
        const PROJINHERIT = 0x2000_0000;
        /// Directory in which upper and lower case are the same.
        const CASEFOLD = 0x4000_0000;
        const _ = !0;
    }
}

/// What an inode is. Ref: `S_IFMT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileType {
    /// Named pipe.
    Fifo,
    /// Character device.
    Chrdev,
    /// Directory.
    Dir,
    /// Block device.
    Blkdev,
    /// Regular file.
    RegFile,
    /// Symbolic link.
    Symlink,
    /// Socket.
    Sock,
}

impl FileType {
    /// The type in the top four bits of `i_mode`; `None` for bits that mean nothing.
    #[must_use]
    pub fn from_mode(mode: u16) -> Option<Self> {
        Some(match mode & 0xf000 {
            0x1000 => Self::Fifo,
            0x2000 => Self::Chrdev,
            0x4000 => Self::Dir,
            0x6000 => Self::Blkdev,
            0x8000 => Self::RegFile,
            0xa000 => Self::Symlink,
            0xc000 => Self::Sock,
            _ => return None,
        })
    }

    /// The type in a directory entry; `None` for 0, unknown, and past the last.
    /// Ref: `EXT4_FT_*`.
    #[must_use]
    pub fn from_dirent(file_type: u8) -> Option<Self> {
        Some(match file_type {
            1 => Self::RegFile,
            2 => Self::Dir,
            3 => Self::Chrdev,
            4 => Self::Blkdev,
            5 => Self::Fifo,
            6 => Self::Sock,
            7 => Self::Symlink,
            _ => return None,
        })
    }

    /// The letter that `ls -l` starts a line with.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Fifo => 'p',
            Self::Chrdev => 'c',
            Self::Dir => 'd',
            Self::Blkdev => 'b',
            Self::RegFile => '-',
            Self::Symlink => 'l',
            Self::Sock => 's',
        }
    }
}

/// A time of an inode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct InodeTime {
    /// Seconds since 1970, from 1901 to 2446.
    pub seconds: i64,
    /// Nanoseconds of the second; from disk, so maybe a thousand million and more.
    pub nanoseconds: u32,
}

impl RawInode {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] = fields!(RawInode:
        i_mode i_uid i_size_lo i_atime i_ctime i_mtime i_dtime i_gid i_links_count i_blocks_lo
        i_flags l_i_version i_block i_generation i_file_acl_lo i_size_high i_obso_faddr
        l_i_blocks_high l_i_file_acl_high l_i_uid_high l_i_gid_high l_i_checksum_lo l_i_reserved
        i_extra_isize i_checksum_hi i_ctime_extra i_mtime_extra i_atime_extra i_crtime
        i_crtime_extra i_version_hi i_projid
    );

    /// Copies the inode out of its `s_inode_size` bytes; missing ones read as 0.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut raw = Self::new_zeroed();
        let len = bytes.len().min(size_of::<Self>());
        if let (Some(to), Some(from)) = (raw.as_mut_bytes().get_mut(..len), bytes.get(..len)) {
            to.copy_from_slice(from);
        }
        raw
    }

    /// Whether `i_extra_isize` reaches over a field. Ref: `EXT4_FITS_IN_INODE`.
    #[must_use]
    pub fn covers(&self, field_end: usize) -> bool {
        GOOD_OLD_INODE_BYTES.saturating_add(usize::from(self.i_extra_isize.get())) >= field_end
    }

    /// Its flags.
    #[must_use]
    pub fn flags(&self) -> InodeFlags {
        InodeFlags::from_bits_retain(self.i_flags.get())
    }

    /// What it is, or `None` for a mode that means nothing.
    #[must_use]
    pub fn file_type(&self) -> Option<FileType> {
        FileType::from_mode(self.i_mode.get())
    }

    /// Size in bytes. The high half is the size's of whatever may be long, and an old field's of
    /// everything else. Ref: `EXT2_I_SIZE`.
    #[must_use]
    pub fn size(&self) -> u64 {
        let is_long = matches!(self.file_type(), Some(FileType::RegFile | FileType::Dir) | None);
        let hi = if is_long { self.i_size_high.get() } else { 0 };
        (u64::from(hi) << 32) | u64::from(self.i_size_lo.get())
    }

    /// `i_blocks` with its high half: sectors, or blocks under [`InodeFlags::HUGE_FILE`].
    #[must_use]
    pub fn blocks(&self) -> u64 {
        (u64::from(self.l_i_blocks_high.get()) << 32) | u64::from(self.i_blocks_lo.get())
    }

    /// Owner.
    #[must_use]
    pub fn uid(&self) -> u32 {
        (u32::from(self.l_i_uid_high.get()) << 16) | u32::from(self.i_uid.get())
    }

    /// Group.
    #[must_use]
    pub fn gid(&self) -> u32 {
        (u32::from(self.l_i_gid_high.get()) << 16) | u32::from(self.i_gid.get())
    }

    /// Project, where the inode has the field.
    #[must_use]
    pub fn projid(&self) -> Option<u32> {
        self.covers(size_of::<Self>()).then(|| self.i_projid.get())
    }

    /// Block of extended attributes; 0 is none. Ref: `ext2fs_file_acl_block`.
    #[must_use]
    pub fn file_acl(&self) -> Fsblk {
        let hi = u64::from(self.l_i_file_acl_high.get()) << 32;
        Fsblk::new(hi | u64::from(self.i_file_acl_lo.get()))
    }

    /// Version, with its high half where the inode has it.
    #[must_use]
    pub fn version(&self) -> u64 {
        let covered = self.covers(offset_of!(Self, i_version_hi).saturating_add(4));
        let hi = if covered { self.i_version_hi.get() } else { 0 };
        (u64::from(hi) << 32) | u64::from(self.l_i_version.get())
    }

    /// Last access.
    #[must_use]
    pub fn atime(&self) -> InodeTime {
        self.time(self.i_atime, self.i_atime_extra, offset_of!(Self, i_atime_extra))
    }

    /// Last change of the inode.
    #[must_use]
    pub fn ctime(&self) -> InodeTime {
        self.time(self.i_ctime, self.i_ctime_extra, offset_of!(Self, i_ctime_extra))
    }

    /// Last change of the data.
    #[must_use]
    pub fn mtime(&self) -> InodeTime {
        self.time(self.i_mtime, self.i_mtime_extra, offset_of!(Self, i_mtime_extra))
    }

    /// Creation, where the inode has the field.
    #[must_use]
    pub fn crtime(&self) -> Option<InodeTime> {
        let covered = self.covers(offset_of!(Self, i_crtime).saturating_add(4));
        let extra_at = offset_of!(Self, i_crtime_extra);
        covered.then(|| self.time(self.i_crtime, self.i_crtime_extra, extra_at))
    }

    /// Seconds are signed, and the two low bits of `extra` count spans of 2³² of them.
    /// Ref: `ext4_decode_extra_time`.
    fn time(&self, seconds: U32, extra: U32, extra_at: usize) -> InodeTime {
        let extra = if self.covers(extra_at.saturating_add(4)) { extra.get() } else { 0 };
        let signed = i64::from(i32::from_le_bytes(seconds.get().to_le_bytes()));
        InodeTime {
            seconds: signed.saturating_add(i64::from(extra & 3) << 32),
            nanoseconds: extra >> 2,
        }
    }

    /// Checksum as stored: with the high half where the inode has it.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        let hi = if self.has_checksum_hi() { self.i_checksum_hi.get() } else { 0 };
        (u32::from(hi) << 16) | u32::from(self.l_i_checksum_lo.get())
    }

    /// Whether `i_extra_isize` reaches over the high half of the checksum.
    #[must_use]
    pub fn has_checksum_hi(&self) -> bool {
        self.covers(offset_of!(Self, i_checksum_hi).saturating_add(2))
    }

    /// The block numbers of a file that is mapped by blocks.
    pub fn block_numbers(&self) -> impl Iterator<Item = u32> {
        let (words, _) = self.i_block.as_chunks();
        words.iter().map(|word| u32::from_le_bytes(*word))
    }

    /// Major and minor number of a device. Ref: `new_decode_dev`.
    #[must_use]
    pub fn device(&self) -> Option<(u32, u32)> {
        if !matches!(self.file_type(), Some(FileType::Chrdev | FileType::Blkdev)) {
            return None;
        }
        let mut numbers = self.block_numbers();
        let (old, new) = (numbers.next()?, numbers.next()?);
        if old != 0 {
            return Some(((old >> 8) & 0xff, old & 0xff));
        }
        Some(((new & 0xf_ff00) >> 8, (new & 0xff) | ((new >> 12) & 0xf_ff00)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zeroed() -> RawInode {
        RawInode::new_zeroed()
    }

    #[test]
    fn fields_follow_one_another_without_a_gap() {
        let mut next = 0;
        for field in RawInode::FIELDS {
            assert_eq!(field.offset, next, "{}", field.name);
            next += field.len;
        }
        assert_eq!(next, 160);
    }

    #[test]
    fn times_reach_from_1901_to_2446() {
        let mut raw = zeroed();
        raw.i_mtime.set(0x8000_0000);
        assert_eq!(raw.mtime().seconds, -0x8000_0000);
        raw.i_extra_isize.set(32);
        raw.i_mtime_extra.set((999 << 2) | 3);
        assert_eq!(raw.mtime(), InodeTime { seconds: 0x2_8000_0000, nanoseconds: 999 });
        raw.i_mtime.set(0x7fff_ffff);
        assert_eq!(raw.mtime().seconds, 0x3_7fff_ffff);
    }

    #[test]
    fn a_short_inode_has_no_fields_past_its_end() {
        let mut raw = zeroed();
        raw.i_atime_extra.set(1);
        raw.i_crtime.set(9);
        raw.i_projid.set(7);
        raw.i_checksum_hi.set(1);
        assert_eq!((raw.atime().seconds, raw.crtime(), raw.projid()), (0, None, None));
        assert_eq!(raw.checksum(), 0);
        raw.i_extra_isize.set(32);
        assert_eq!(raw.atime().seconds, 1 << 32);
        assert_eq!(raw.crtime().map(|time| time.seconds), Some(9));
        assert_eq!((raw.projid(), raw.checksum()), (Some(7), 1 << 16));
    }

    #[test]
    fn only_what_may_be_long_has_a_high_size() {
        let mut raw = zeroed();
        raw.i_size_lo.set(5);
        raw.i_size_high.set(1);
        raw.i_mode.set(0o100_644);
        assert_eq!(raw.size(), (1 << 32) + 5);
        raw.i_mode.set(0o120_777);
        assert_eq!(raw.size(), 5);
    }

    #[test]
    fn devices_have_numbers_in_two_forms() {
        let mut raw = zeroed();
        raw.i_mode.set(0o060_600);
        raw.i_block[0..4].copy_from_slice(&0x0803_u32.to_le_bytes());
        assert_eq!(raw.device(), Some((8, 3)));
        raw.i_block[0..8].copy_from_slice(&0x0123_4567_0000_0000_u64.to_le_bytes());
        assert_eq!(raw.device(), Some((0x345, 0x1267)));
        raw.i_mode.set(0o100_600);
        assert_eq!(raw.device(), None);
    }
}
