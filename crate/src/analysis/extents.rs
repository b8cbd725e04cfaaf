//! The extents of a file as FIEMAP lists them, each beside the place where `filefrag` expects it.

use crate::fs::{Mapping, MappingState};
use crate::units::{Fsblk, Lblk};

/// How a mapping lies to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Neighbours {
    /// It starts on the disk where the other ends.
    pub(super) on_disk: bool,
    /// It does so in the file, too.
    pub(super) in_file: bool,
    /// Where it would start if both lay as far apart on the disk as in the file.
    pub(super) at_distance: Option<u64>,
    is_there: bool,
    is_one_state: bool,
}

impl Neighbours {
    pub(super) fn new(last: &Mapping, next: &Mapping) -> Self {
        let distance = u64::from(next.lblk.get().wrapping_sub(last.lblk.get()));
        let at_distance = last.fsblk.get().checked_add(distance);
        Self {
            on_disk: last.fsblk_end() == next.fsblk.get(),
            in_file: last.lblk_end() == u64::from(next.lblk.get()),
            at_distance,
            is_there: at_distance == Some(next.fsblk.get()),
            is_one_state: last.state == next.state,
        }
    }

    /// Whether both are one extent.
    pub(super) fn is_one(&self) -> bool {
        self.on_disk && self.in_file && self.is_one_state
    }

    /// Whether `filefrag` sums both up as one.
    pub(super) fn is_one_fragment(&self) -> bool {
        self.on_disk || self.is_there
    }
}

/// Blocks of one state that follow one another in the file and on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileExtent {
    /// First block of the file.
    pub lblk: Lblk,
    /// First block of the filesystem.
    pub fsblk: Fsblk,
    /// Blocks.
    pub len: u64,
    /// What reading them gives.
    pub state: MappingState,
    /// Where `filefrag` expects the extent, when it is not there: as far from the last one as it
    /// is in the file. Nothing is expected of the first one.
    pub expected: Option<Fsblk>,
}

impl FileExtent {
    /// The block of the file behind the last.
    #[must_use]
    pub fn lblk_end(&self) -> u64 {
        u64::from(self.lblk.get()).saturating_add(self.len)
    }
}

/// Joins the mappings of a walk to extents.
#[derive(Clone, Debug, Default)]
pub struct ExtentJoin {
    /// The extent so far, and its last mapping.
    open: Option<(FileExtent, Mapping)>,
}

impl ExtentJoin {
    /// Takes the next mapping; gives the extent before it when that is complete.
    pub fn add(&mut self, mapping: Mapping) -> Option<FileExtent> {
        let beside = self.open.as_ref().map(|(_, last)| Neighbours::new(last, &mapping));
        if let Some((extent, last)) = &mut self.open
            && beside.is_some_and(|beside| beside.is_one())
        {
            extent.len = extent.len.saturating_add(u64::from(mapping.len));
            *last = mapping;
            return None;
        }
        let apart = beside.filter(|beside| !beside.is_one_fragment());
        let extent = FileExtent {
            lblk: mapping.lblk,
            fsblk: mapping.fsblk,
            len: u64::from(mapping.len),
            state: mapping.state,
            expected: apart.and_then(|beside| beside.at_distance).map(Fsblk::new),
        };
        self.open.replace((extent, mapping)).map(|(extent, _)| extent)
    }

    /// The last extent, when there are no more mappings.
    pub fn finish(&mut self) -> Option<FileExtent> {
        self.open.take().map(|(extent, _)| extent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MappingState::{Unwritten, Written};

    fn joined(mappings: &[(u32, u64, u32, MappingState)]) -> Vec<(u32, u64, u64, Option<u64>)> {
        let mut join = ExtentJoin::default();
        let mut extents = Vec::new();
        for (lblk, fsblk, len, state) in mappings {
            let (lblk, fsblk) = (Lblk::new(*lblk), Fsblk::new(*fsblk));
            extents.extend(join.add(Mapping { lblk, fsblk, len: *len, state: *state }));
        }
        extents.extend(join.finish());
        let told = |extent: &FileExtent| {
            let expected = extent.expected.map(Fsblk::get);
            (extent.lblk.get(), extent.fsblk.get(), extent.len, expected)
        };
        extents.iter().map(told).collect()
    }

    #[test]
    fn what_follows_in_one_state_is_one_extent() {
        let all = [(0, 100, 5, Written), (5, 105, 5, Written), (10, 110, 1, Unwritten)];
        assert_eq!(joined(&all), [(0, 100, 10, None), (10, 110, 1, None)]);
        assert_eq!(joined(&[]), []);
    }

    #[test]
    fn an_extent_elsewhere_is_expected_as_far_away_as_in_the_file() {
        let all = [(2, 100, 5, Written), (7, 300, 1, Written), (20, 400, 1, Written)];
        assert_eq!(
            joined(&all),
            [(2, 100, 5, None), (7, 300, 1, Some(105)), (20, 400, 1, Some(313))]
        );
    }

    #[test]
    fn a_hole_is_expected_with_or_without_room_for_it() {
        let with_room = [(0, 100, 5, Written), (8, 108, 2, Written)];
        assert_eq!(joined(&with_room), [(0, 100, 5, None), (8, 108, 2, None)]);
        let without = [(0, 100, 5, Written), (8, 105, 2, Written)];
        assert_eq!(joined(&without), [(0, 100, 5, None), (8, 105, 2, None)]);
    }
}
