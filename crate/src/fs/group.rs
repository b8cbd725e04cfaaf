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
    pub fn iter(&self) -> impl Iterator<Item = (Group, &GroupEntry)> {
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
