//! Layers that tell of groups: checksums, inodes, what was never written.

use extscope::analysis::profile::share;
use extscope::fs::{CsumState, DescState};
use extscope::io::ByteSource;
use extscope::ondisk::BgFlags;
use extscope::units::Group;

use super::{Disk, fill};
use crate::cells::{Cells, Truth};
use crate::ink::Ink;

impl<S: ByteSource> Disk<'_, S> {
    /// The descriptor's checksum in the first half of a group, the block bitmap's in the second.
    pub(super) fn checksums(&self, group: Group, cells: &mut Cells) {
        let all = self.filesystem.geometry().group_clusters(group);
        let Ok(entry) = self.filesystem.group(group) else {
            return fill(cells, Truth::Failed, all, Ink::UNKNOWN);
        };
        let verdict = |csum| match csum {
            CsumState::Good => Ink::GOOD,
            CsumState::Bad => Ink::BAD,
            CsumState::None => Ink::NO_CSUM,
        };
        let stats = self.figures.stats(group);
        cells.clear(Truth::Known);
        cells.fill_to(all / 2, verdict(entry.csum));
        let of_bitmap = if stats.state.is_exact() { verdict(stats.csum) } else { Ink::UNKNOWN };
        cells.fill_to(all, of_bitmap);
    }

    /// The share of a group's inodes that is in use.
    pub(super) fn inodes(&self, group: Group, cells: &mut Cells) {
        let geometry = self.filesystem.geometry();
        let all = geometry.group_clusters(group);
        match self.filesystem.group(group) {
            Ok(entry) if entry.state == DescState::Read => {
                let inodes = geometry.inodes_per_group();
                let in_use = inodes.saturating_sub(entry.desc.free_inodes_count);
                let ink = Ink::share(share(in_use.into(), inodes.into()));
                fill(cells, Truth::Known, all, ink);
            }
            _ => fill(cells, Truth::Failed, all, Ink::UNKNOWN),
        }
    }

    /// Whether the block bitmap was ever written, in the first half of a group; in the second, the
    /// inode table.
    pub(super) fn written(&self, group: Group, cells: &mut Cells) {
        let all = self.filesystem.geometry().group_clusters(group);
        let flags = match self.filesystem.group(group) {
            Ok(entry) if entry.state == DescState::Read => entry.desc.flags,
            _ => return fill(cells, Truth::Failed, all, Ink::UNKNOWN),
        };
        let of_bitmap = match flags.contains(BgFlags::BLOCK_UNINIT) {
            true => Ink::UNINIT,
            false => Ink::WRITTEN,
        };
        let of_table = match flags.intersection(BgFlags::INODE_UNINIT | BgFlags::INODE_ZEROED) {
            BgFlags::INODE_UNINIT => Ink::NOT_ZEROED,
            flags if flags.contains(BgFlags::INODE_UNINIT) => Ink::UNINIT,
            _ => Ink::WRITTEN,
        };
        cells.clear(Truth::Known);
        cells.fill_to(all / 2, of_bitmap);
        cells.fill_to(all, of_table);
    }
}
