//! The phases of a shrink that go over groups.

use core::ops::Range;

use super::Failure;
use super::summary::Totals;
use super::work::Work;

/// Phases that go over groups, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupPhase {
    OldUninit,
    DropGroups,
    NewUninit,
    Metadata,
    Replace,
    Moving,
    CountFree,
    Flags,
}

impl GroupPhase {
    /// The groups that it goes over, first and end.
    pub(super) fn groups(self, work: &Work) -> (u32, u32) {
        let (old, new) = (work.old.group_count(), work.new.group_count());
        match self {
            Self::OldUninit | Self::Metadata => (0, old),
            Self::DropGroups => (new, old),
            Self::Moving => (new.saturating_sub(1), old),
            Self::NewUninit | Self::Replace | Self::CountFree | Self::Flags => (0, new),
        }
    }

    /// Does its work for some groups.
    pub(super) fn step(
        self,
        work: &mut Work,
        groups: Range<u32>,
        totals: &mut Totals,
    ) -> core::result::Result<(), Failure> {
        match self {
            Self::OldUninit => {
                let mut map = core::mem::take(&mut work.old_map);
                work.old.fix_uninit(groups, &mut map);
                work.old_map = map;
            }
            Self::DropGroups => work.drop_groups(groups),
            Self::NewUninit => {
                let mut map = core::mem::take(&mut work.new_map);
                work.new.fix_uninit(groups, &mut map);
                work.new_map = map;
            }
            Self::Metadata => {
                let mut map = core::mem::take(&mut work.metadata);
                work.old.mark_metadata(groups, &mut map);
                work.metadata = map;
            }
            Self::Replace => work.replace_metadata(groups)?,
            Self::Moving => work.mark_moving(groups),
            Self::CountFree => work.count_free(groups, totals),
            Self::Flags => work.set_flags(groups),
        }
        Ok(())
    }
}
