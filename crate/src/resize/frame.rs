//! One of the two filesystems of a shrink: superblock, descriptors, and what follows from them.

use crate::error::{Error, ErrorKind, Result};
use crate::fs::{DescState, Filesystem, Geometry, Layout};
use crate::io::ByteSource;
use crate::ondisk::features::{Compat, Incompat, RoCompat};
use crate::ondisk::{GroupDesc, Superblock};
use crate::units::{Fsblk, Group};

/// A filesystem without its bitmaps and files.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its superblock.
    pub superblock: Box<Superblock>,
    /// What the superblock says of sizes.
    pub geometry: Geometry,
    /// What the superblock says of places.
    pub layout: Layout,
    /// Every group's descriptor.
    pub groups: Vec<GroupDesc>,
}

impl Frame {
    /// The filesystem as it lies on the disk.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] on a journal device; [`ErrorKind::Corrupt`] when the image is too
    /// short for the descriptors; the error of reading one; [`ErrorKind::Limit`] when memory does
    /// not suffice.
    pub fn of<S: ByteSource>(fs: &Filesystem<S>) -> Result<Self> {
        let geometry = *fs.geometry();
        if geometry.groups_count() == 0 {
            let what = "a journal device has nothing to shrink";
            return Err(Error::new(ErrorKind::Unsupported, what)
                .with_hint("Open the filesystem whose journal it is."));
        }
        if u64::from(fs.groups().len()) != geometry.groups_count() {
            let what = format!(
                "the superblock speaks of {} groups, of which only the first {} can be listed",
                geometry.groups_count(),
                fs.groups().len()
            );
            return Err(Error::corrupt(what).with_hint("Look for a complete copy of the image."));
        }
        let mut groups = Vec::new();
        let count = usize::try_from(fs.groups().len()).unwrap_or(usize::MAX);
        groups.try_reserve_exact(count).map_err(|cause| {
            Error::new(ErrorKind::Limit, format!("no memory for {count} groups")).with_cause(cause)
        })?;
        for (group, entry) in fs.groups().iter() {
            if entry.state != DescState::Read {
                fs.group(group)?;
            }
            groups.push(entry.desc);
        }
        let superblock = Box::new(fs.superblock().clone());
        Ok(Self { superblock, geometry, layout: *fs.layout(), groups })
    }

    /// How many groups there are.
    #[must_use]
    pub fn group_count(&self) -> u32 {
        u32::try_from(self.groups.len()).unwrap_or(u32::MAX)
    }

    /// A group's descriptor.
    #[must_use]
    pub fn group(&self, group: Group) -> Option<&GroupDesc> {
        self.groups.get(usize::try_from(group.get()).ok()?)
    }

    /// Whether a feature is on.
    #[must_use]
    pub fn has_compat(&self, feature: Compat) -> bool {
        self.superblock.features().compat.contains(feature)
    }

    /// Whether a feature is on.
    #[must_use]
    pub fn has_incompat(&self, feature: Incompat) -> bool {
        self.superblock.features().incompat.contains(feature)
    }

    /// Whether a feature is on.
    #[must_use]
    pub fn has_ro_compat(&self, feature: RoCompat) -> bool {
        self.superblock.features().ro_compat.contains(feature)
    }

    /// Whether BLOCK_UNINIT, INODE_UNINIT and `bg_itable_unused` mean anything.
    #[must_use]
    pub fn has_csum(&self) -> bool {
        self.superblock.features().has_group_desc_csum()
    }

    /// Inodes in use, as the superblock counts them. Wraps where it lies.
    #[must_use]
    pub fn used_inodes(&self) -> u32 {
        let inodes_count = self.superblock.s_inodes_count.get();
        inodes_count.wrapping_sub(self.superblock.s_free_inodes_count.get())
    }

    /// First block of a group.
    #[must_use]
    pub fn first_block(&self, group: Group) -> u64 {
        self.geometry.group_first_fsblk(group).get()
    }

    /// Last block of a group.
    #[must_use]
    pub fn last_block(&self, group: Group) -> u64 {
        let blocks = u64::from(self.geometry.group_blocks(group));
        self.first_block(group).saturating_add(blocks).saturating_sub(1)
    }

    /// Group of a block; the last one past the end.
    #[must_use]
    pub fn group_of(&self, block: u64) -> Group {
        let last = Group::new(self.group_count().saturating_sub(1));
        self.geometry.group_from_fsblk(Fsblk::new(block)).unwrap_or(last)
    }

    /// Blocks of metadata that a group brings along, though flex_bg may have put them elsewhere.
    #[must_use]
    pub fn overhead(&self, group: Group) -> u64 {
        let base = self.layout.group_base(group);
        let count =
            |range: &core::ops::Range<Fsblk>| range.end.get().saturating_sub(range.start.get());
        [u64::from(base.superblock.is_some()), count(&base.gdt), count(&base.reserved_gdt), 2]
            .into_iter()
            .fold(self.geometry.itable_blocks(), u64::saturating_add)
    }

    /// Blocks of descriptors, and reserved for more, that follow a backup superblock.
    /// Ref: `ext2fs_super_and_bgd_loc2`.
    #[must_use]
    pub fn backup_desc_blocks(&self) -> u64 {
        if self.has_incompat(Incompat::META_BG) {
            return u64::from(self.superblock.s_first_meta_bg.get());
        }
        let reserved = u64::from(self.superblock.s_reserved_gdt_blocks.get());
        self.geometry.desc_blocks().saturating_add(reserved)
    }

    /// Whether a group's descriptors lie in its metablock group.
    #[must_use]
    pub fn is_in_meta_bg(&self, group: Group) -> bool {
        let meta_bg = group.get() / self.geometry.desc_per_block();
        self.has_incompat(Incompat::META_BG) && meta_bg >= self.superblock.s_first_meta_bg.get()
    }
}
