//! In which order groups are swept: some at a time, wanted ones first, then from the start.

use core::num::NonZeroU32;
use core::ops::Range;

/// Hands out windows of groups, each once.
#[derive(Debug)]
pub(super) struct Windows {
    groups: Range<u32>,
    size: NonZeroU32,
    /// Which windows were handed out.
    done: Vec<bool>,
    /// Every window before this one was.
    next: usize,
    /// The windows that come first and were not looked at for it yet.
    wanted: Range<usize>,
}

impl Windows {
    /// Windows of `size` groups, from the first of `groups` on.
    pub(super) fn new(groups: Range<u32>, size: NonZeroU32) -> Self {
        let count = groups.end.saturating_sub(groups.start).div_ceil(size.get());
        Self { groups, size, done: vec![false; count as usize], next: 0, wanted: 0..0 }
    }

    /// Puts the windows with these groups before all others.
    pub(super) fn want(&mut self, groups: Range<u32>) {
        let window = |group: u32| group.saturating_sub(self.groups.start) / self.size;
        let last = groups.end.checked_sub(1).filter(|_| !groups.is_empty()).map(window);
        let end = last.map_or(0, |last| last as usize + 1).min(self.done.len());
        self.wanted = window(groups.start) as usize..end;
    }

    /// The next groups; `None` when all were handed out.
    pub(super) fn next(&mut self) -> Option<Range<u32>> {
        let is_open = |window: &usize| self.done.get(*window) == Some(&false);
        let window = self.wanted.find(is_open).or_else(|| {
            (self.next..self.done.len()).find(is_open).inspect(|next| self.next = *next)
        })?;
        *self.done.get_mut(window)? = true;
        let start =
            (window as u32).saturating_mul(self.size.get()).saturating_add(self.groups.start);
        Some(start..start.saturating_add(self.size.get()).min(self.groups.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tens(groups: Range<u32>) -> Windows {
        Windows::new(groups, NonZeroU32::new(10).unwrap())
    }

    fn order(windows: &mut Windows) -> Vec<u32> {
        core::iter::from_fn(|| windows.next().map(|groups| groups.start)).collect()
    }

    #[test]
    fn windows_cover_all_groups_once_and_the_last_is_short() {
        let mut windows = tens(5..27);
        let all: Vec<_> = core::iter::from_fn(|| windows.next()).collect();
        assert_eq!(all, [5..15, 15..25, 25..27]);
    }

    #[test]
    fn wanted_windows_come_first() {
        let mut windows = tens(0..100);
        assert_eq!(windows.next(), Some(0..10));
        windows.want(45..62);
        assert_eq!(order(&mut windows), [40, 50, 60, 10, 20, 30, 70, 80, 90]);
    }

    #[test]
    fn wanting_what_is_not_there_changes_nothing() {
        let mut windows = tens(10..30);
        windows.want(500..900);
        assert_eq!(order(&mut windows), [10, 20]);
        assert_eq!(tens(0..0).next(), None);
    }
}
