//! The descriptor table: every group's descriptor, read in few requests.

use super::csum_state::CsumState;
use super::geometry::Geometry;
use super::layout::Layout;
use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, ReadKind, Reader};
use crate::limits;
use crate::ondisk::csum::Csum;
use crate::ondisk::{GroupDesc, RawGroupDesc};
use crate::units::{Fsblk, Group};

/// Whether a descriptor could be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DescState {
    /// Not asked for yet.
    #[default]
    Unread,
    /// Read.
    Read,
    /// The image ends before it or the host could not read it.
    Unreadable,
}

/// A group's descriptor and what is known of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupEntry {
    /// The descriptor; zeros unless read.
    pub desc: GroupDesc,
    /// Whether it was read.
    pub state: DescState,
    /// Whether its checksum is right.
    pub csum: CsumState,
    /// The checksum that it should carry; 0 when there is none.
    pub computed_checksum: u16,
}

const _: () = assert!(size_of::<GroupEntry>() <= 64);

/// All descriptors that are listed.
#[derive(Clone, Debug, Default)]
pub struct GroupTable {
    entries: Vec<GroupEntry>,
    /// Groups whose descriptors were asked for.
    done: u32,
    unreadable: u32,
    first_error: Option<Error>,
}

impl GroupTable {
    /// How many groups are listed: all of the filesystem's, unless there are more than a real
    /// image of this length could describe. Ref: [`crate::limits`].
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// Whether no group is listed, as on a journal device.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A group's entry; `None` past the listed groups.
    #[must_use]
    pub fn get(&self, group: Group) -> Option<&GroupEntry> {
        self.entries.get(usize::try_from(group.get()).ok()?)
    }

    /// Every listed group in order.
    pub fn iter(&self) -> impl Iterator<Item = (Group, &GroupEntry)> + Clone {
        (0..).map(Group::new).zip(&self.entries)
    }

    /// Groups whose descriptors were asked for so far.
    #[must_use]
    pub fn done(&self) -> u32 {
        self.done
    }

    /// Groups whose descriptors could not be read.
    #[must_use]
    pub fn unreadable(&self) -> u32 {
        self.unreadable
    }

    /// Why the first of them could not.
    #[must_use]
    pub fn first_error(&self) -> Option<&Error> {
        self.first_error.as_ref()
    }

    /// A table of unread entries for the groups that an image of `image_len` bytes can hold
    /// descriptors for.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when memory does not suffice.
    pub(super) fn new(geometry: &Geometry, image_len: u64) -> Result<Self> {
        let describable = image_len
            .checked_div(u64::from(geometry.desc_size()))
            .unwrap_or(0)
            .max(u64::from(limits::GROUPS_WITHOUT_DESC));
        let listed = geometry.groups_count().min(describable).min(u64::from(limits::GROUPS));
        let listed = usize::try_from(listed).unwrap_or(usize::MAX);
        let mut entries = Vec::new();
        entries.try_reserve_exact(listed).map_err(|cause| {
            Error::new(ErrorKind::Limit, format!("no memory for {listed} groups")).with_cause(cause)
        })?;
        entries.resize(listed, GroupEntry::default());
        Ok(Self { entries, ..Self::default() })
    }

    /// Takes over descriptors that were read elsewhere, from group `first` on; those that were
    /// read here stay.
    pub(super) fn adopt(&mut self, first: Group, entries: impl IntoIterator<Item = GroupEntry>) {
        let first = usize::try_from(first.get()).unwrap_or(usize::MAX);
        for (slot, entry) in self.entries.iter_mut().skip(first).zip(entries) {
            if slot.state == DescState::Unread {
                *slot = entry;
            }
        }
    }

    /// Reads the next descriptors: at most [`limits::READ_BYTES`], in few requests. False when
    /// there are no more.
    pub(super) fn read_more<S: ByteSource>(&mut self, from: &DescSource<'_, S>) -> bool {
        /// Requests before a step ends, where metablock groups need one each.
        const REQUESTS: u32 = 64;
        let per_block = from.geometry.desc_per_block();
        for _ in 0..REQUESTS {
            let left = self.len().saturating_sub(self.done);
            if left == 0 {
                return false;
            }
            let index = u64::from(self.done / per_block);
            let blocks_left = left.div_ceil(per_block.get());
            let most = limits::READ_BYTES >> from.geometry.block_size().trailing_zeros();
            let together = from.layout.desc_blocks_together(index);
            let blocks = u32::try_from(together).unwrap_or(u32::MAX).min(blocks_left).min(most);
            self.read_blocks(from, index, blocks.max(1));
            if blocks > 1 {
                break;
            }
        }
        self.done < self.len()
    }

    /// Reads `blocks` blocks of the table from block `index` on; those that cannot be read as a
    /// whole are read one by one, so that a bad block costs only its own groups.
    fn read_blocks<S: ByteSource>(&mut self, from: &DescSource<'_, S>, index: u64, blocks: u32) {
        match from.bytes(index, blocks) {
            Ok(bytes) => self.decode(from, &bytes, blocks),
            Err(error) if blocks == 1 => {
                self.first_error.get_or_insert(error.at_group(Group::new(self.done)));
                self.decode(from, &[], 1);
            }
            Err(_) => {
                for block in 0..blocks {
                    self.read_blocks(from, index.saturating_add(u64::from(block)), 1);
                }
            }
        }
    }

    /// Decodes the descriptors of `blocks` blocks; a group without bytes is unreadable.
    fn decode<S>(&mut self, from: &DescSource<'_, S>, bytes: &[u8], blocks: u32) {
        let block_size = usize::try_from(from.geometry.block_size()).unwrap_or(usize::MAX);
        let desc_size = usize::try_from(from.geometry.desc_size()).unwrap_or(usize::MAX);
        let per_block = usize::try_from(from.geometry.desc_per_block().get()).unwrap_or(usize::MAX);
        let mut block_bytes = bytes.chunks(block_size);
        for _ in 0..blocks {
            let mut descs = block_bytes.next().unwrap_or_default().chunks_exact(desc_size);
            for _ in 0..per_block {
                let group = Group::new(self.done);
                let Some(entry) =
                    usize::try_from(self.done).ok().and_then(|at| self.entries.get_mut(at))
                else {
                    return;
                };
                self.done = self.done.saturating_add(1);
                if let Some(desc) = descs.next() {
                    *entry = read_entry(from.csum, group, desc);
                } else {
                    entry.state = DescState::Unreadable;
                    self.unreadable = self.unreadable.saturating_add(1);
                }
            }
        }
    }
}

fn read_entry(csum: Csum, group: Group, bytes: &[u8]) -> GroupEntry {
    let desc = GroupDesc::from(&RawGroupDesc::from_bytes(bytes));
    let computed = csum.group_desc(group, bytes);
    GroupEntry {
        desc,
        state: DescState::Read,
        csum: CsumState::compare(Some(desc.checksum), computed),
        computed_checksum: computed.unwrap_or(0),
    }
}

/// Where descriptors come from.
pub(super) struct DescSource<'a, S> {
    pub(super) reader: &'a Reader<S>,
    pub(super) geometry: &'a Geometry,
    pub(super) layout: &'a Layout,
    pub(super) csum: Csum,
    pub(super) superblock_at: Fsblk,
}

impl<S: ByteSource> DescSource<'_, S> {
    /// `blocks` blocks of the table from block `index` on, or fewer bytes where the image ends.
    fn bytes(&self, index: u64, blocks: u32) -> Result<Vec<u8>> {
        let fsblk = self.layout.desc_fsblk(index, self.superblock_at);
        let outside = |len| crate::io::out_of_bounds(len, self.reader.len()).at_fsblk(fsblk);
        let at = self.geometry.byte_from_fsblk(fsblk).ok_or_else(|| outside(u64::MAX))?.get();
        let in_image = self.reader.len().checked_sub(at).filter(|len| *len > 0);
        let wanted = u64::from(blocks).saturating_mul(u64::from(self.geometry.block_size()));
        let len = in_image.ok_or_else(|| outside(at))?.min(wanted);
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
        self.reader
            .read(ReadKind::GroupDesc, at, &mut bytes)
            .map_err(|error| error.at_fsblk(fsblk))?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{BLOCK, Image};
    use super::super::{Filesystem, OpenOptions};
    use super::*;
    use crate::ondisk::features::Incompat;

    fn open(bytes: Vec<u8>) -> Filesystem<Vec<u8>> {
        Filesystem::open(bytes, OpenOptions::default()).unwrap()
    }

    #[test]
    fn descriptors_are_read_in_one_request_and_their_checksums_checked() {
        let filesystem = open(Image::new().bytes());
        assert_eq!(filesystem.meter().count(ReadKind::GroupDesc).requests, 1);
        assert_eq!(filesystem.meter().count(ReadKind::Superblock).bytes, 1024);
        assert!(filesystem.groups().iter().all(|(_, entry)| entry.csum == CsumState::Good));
        let entry = filesystem.groups().get(Group::new(1)).unwrap();
        assert_eq!(entry.desc.block_bitmap, Fsblk::new(8195));
        assert_eq!(filesystem.groups().get(Group::new(4)), None);
    }

    #[test]
    fn a_changed_descriptor_has_a_wrong_checksum_and_is_still_read() {
        let mut bytes = Image::new().bytes();
        bytes[2 * BLOCK + 32 + 0xc] ^= 1;
        let filesystem = open(bytes);
        let states: Vec<_> = filesystem.groups().iter().map(|(_, entry)| entry.csum).collect();
        assert_eq!(states[1], CsumState::Bad);
        assert_eq!(states.iter().filter(|state| **state == CsumState::Good).count(), 3);
    }

    #[test]
    fn a_table_cut_short_leaves_its_groups_listed_as_unreadable() {
        let mut bytes = Image::new().bytes();
        bytes.truncate(2 * BLOCK + 70);
        let filesystem = open(bytes);
        let states: Vec<_> = filesystem.groups().iter().map(|(_, entry)| entry.state).collect();
        use DescState::{Read, Unreadable};
        assert_eq!(states, [Read, Read, Unreadable, Unreadable]);
        assert_eq!(filesystem.groups().unreadable(), 2);
        let error = filesystem.group(Group::new(3)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfBounds);
        assert_eq!(error.at().group, Some(Group::new(3)));
    }

    #[test]
    fn a_bad_block_of_the_table_costs_its_own_groups_alone() {
        /// A disk on which one block cannot be read.
        struct BadBlock(Vec<u8>, u64);
        impl ByteSource for BadBlock {
            fn len(&self) -> u64 {
                ByteSource::len(&self.0)
            }
            fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
                let bad = self.1 * BLOCK as u64;
                if offset <= bad && bad < offset + buf.len() as u64 {
                    return Err(Error::new(ErrorKind::Io, "bad block").at_offset(bad));
                }
                self.0.read_at(offset, buf)
            }
        }
        let mut image = Image::new();
        image.descs = (0..100).map(|_| image.descs[0].clone()).collect();
        image.superblock.s_blocks_per_group.set(256);
        image.superblock.s_blocks_count_lo.set(1 + 100 * 256);
        let bytes = image.bytes_with_table_in_group_0();
        let filesystem = Filesystem::open(BadBlock(bytes, 3), OpenOptions::default()).unwrap();
        assert_eq!(filesystem.groups().unreadable(), 32);
        let entries = filesystem.groups();
        assert_eq!(entries.get(Group::new(31)).unwrap().state, DescState::Read);
        assert_eq!(entries.get(Group::new(32)).unwrap().state, DescState::Unreadable);
        assert_eq!(entries.get(Group::new(64)).unwrap().state, DescState::Read);
        assert_eq!(filesystem.group(Group::new(40)).unwrap_err().kind(), ErrorKind::Io);
    }

    #[test]
    fn a_superblock_that_claims_the_moon_costs_little_memory() {
        let mut image = Image::new();
        image.superblock.s_feature_incompat.set(Incompat::BIT64.bits());
        image.superblock.s_desc_size.set(64);
        let mut bytes = image.bytes();
        bytes[1024 + 0x150..][..4].copy_from_slice(&0xffff_u32.to_le_bytes());
        bytes.truncate(1 << 20);
        let filesystem = open(bytes);
        assert!(filesystem.geometry().groups_count() > 1 << 34);
        assert_eq!(filesystem.groups().len(), limits::GROUPS_WITHOUT_DESC);
        assert!(filesystem.groups().unreadable() > 0);
    }

    #[test]
    fn opening_goes_on_in_steps_and_shows_what_there_is() {
        use crate::task::{Step, Task};
        let mut open = super::super::Open::new(Image::new().bytes(), OpenOptions::default());
        assert!(open.filesystem().is_none());
        assert!(matches!(open.step(), Ok(Step::More)));
        assert_eq!(open.progress(), crate::task::Progress { cur: 0, max: 4 });
        assert_eq!(open.filesystem().unwrap().superblock_at(), Fsblk::new(1));
        assert!(matches!(open.step(), Ok(Step::Done(_))));
        assert_eq!(open.step().unwrap_err().kind(), ErrorKind::Cancelled);
    }
}
