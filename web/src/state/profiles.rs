//! The profiles of all groups.

use extscope::units::Group;

use crate::protocol::StatsBatch;

/// How full the parts of each group are. Ref: [`extscope::analysis::profile`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profiles {
    groups: usize,
    /// Parts of a group; 0 until the first profile arrives.
    parts: usize,
    bytes: Vec<u8>,
}

impl Profiles {
    /// Profiles of `groups` groups of which none is known; takes no memory until one is.
    #[must_use]
    pub fn unread(groups: usize) -> Self {
        Self { groups, ..Self::default() }
    }

    /// The parts of a group; empty where none is known. While the group's bitmap is unread, what
    /// is here means nothing.
    #[must_use]
    pub fn of(&self, group: Group) -> &[u8] {
        let Ok(at) = usize::try_from(group.get()) else { return &[] };
        at.checked_mul(self.parts)
            .and_then(|from| self.bytes.get(from..from.checked_add(self.parts)?))
            .unwrap_or_default()
    }

    /// Takes over the profiles of `batch`; a batch cut otherwise than the first is dropped.
    pub fn merge(&mut self, batch: &StatsBatch) {
        let Some(parts) = batch.profiles.len().checked_div(batch.groups.len()) else { return };
        if self.parts == 0 {
            self.parts = parts;
            self.bytes = vec![0; parts.saturating_mul(self.groups)];
        }
        if parts != self.parts || parts == 0 {
            return;
        }
        for (&group, profile) in batch.groups.iter().zip(batch.profiles.chunks_exact(parts)) {
            let from = usize::try_from(group).ok().and_then(|at| at.checked_mul(parts));
            let to = from.and_then(|from| self.bytes.get_mut(from..)?.get_mut(..parts));
            if let Some(to) = to {
                to.copy_from_slice(profile);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(groups: Vec<u32>, profiles: Vec<u8>) -> StatsBatch {
        StatsBatch { groups: groups.into(), profiles: profiles.into(), ..StatsBatch::default() }
    }

    #[test]
    fn a_profile_lands_on_its_own_group() {
        let mut profiles = Profiles::unread(3);
        assert_eq!(profiles.of(Group::new(1)), [0; 0]);
        profiles.merge(&batch(vec![2, 0, 9], vec![1, 2, 3, 4, 5, 6]));
        let of = |group| profiles.of(Group::new(group)).to_vec();
        assert_eq!((of(0), of(1), of(2)), (vec![3, 4], vec![0, 0], vec![1, 2]));
        assert_eq!((of(3), of(u32::MAX)), (vec![], vec![]));
    }

    #[test]
    fn a_batch_that_does_not_fit_changes_nothing() {
        let mut profiles = Profiles::unread(2);
        profiles.merge(&batch(vec![0], vec![7, 7]));
        let before = profiles.clone();
        profiles.merge(&batch(vec![1], vec![1, 2, 3]));
        profiles.merge(&batch(vec![], vec![]));
        profiles.merge(&batch(vec![1], vec![]));
        assert_eq!(profiles, before);
    }
}
