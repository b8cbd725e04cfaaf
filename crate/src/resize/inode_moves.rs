//! Inodes past the last one, and where they go.

use serde::{Deserialize, Serialize};

use super::work::Work;
use crate::bitmap::{Bits as _, BitsMut as _};
use crate::ondisk::BgFlags;
use crate::units::{Group, Ino};

/// An inode that gets another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InodeMove {
    /// Its number before.
    pub from: Ino,
    /// Its number after.
    pub to: Ino,
}

impl Work {
    /// Takes the first free inode; `None` when there is none. Ref: `ext2fs_new_inode`.
    ///
    /// Groups whose bitmap was never written are cleared when the search comes to them. It looks
    /// one inode past each group, whose own group it has not come to then.
    pub(super) fn take_inode(&mut self) -> Option<Ino> {
        let per_group = u64::from(self.new.geometry.inodes_per_group().max(1));
        let inodes = u64::from(self.new.superblock.s_inodes_count.get());
        let mut at = self.inode_search.max(u64::from(self.new.geometry.first_ino().get()).max(1));
        loop {
            let before = at.saturating_sub(1);
            let in_group = before.checked_rem(per_group).unwrap_or(0);
            let group = before.checked_div(per_group).unwrap_or(0);
            let group = Group::new(u32::try_from(group).unwrap_or(u32::MAX));
            let flags = self.new.group(group).map_or(BgFlags::empty(), |desc| desc.flags);
            if self.new.has_csum() && flags.contains(BgFlags::INODE_UNINIT) {
                let first = before.saturating_sub(in_group).saturating_add(1);
                self.inode_map.unmark_range(first..first.saturating_add(per_group));
                self.clear_flags(group, BgFlags::INODE_UNINIT | BgFlags::BLOCK_UNINIT);
            }
            let last = at.saturating_add(per_group).saturating_sub(in_group).min(inodes);
            if let Some(free) = self.inode_map.next_clear(at).filter(|free| *free <= last) {
                // No inode is freed, so that the next search may begin here.
                self.inode_search = at;
                self.inode_map.mark(free);
                let ino = u32::try_from(free).ok().map(Ino::new)?;
                if let Some((group, _)) = self.new.geometry.group_from_ino(ino) {
                    self.clear_flags(group, BgFlags::INODE_UNINIT);
                }
                return Some(ino);
            }
            at = last.saturating_add(1);
            if at > inodes {
                return None;
            }
        }
    }
}
