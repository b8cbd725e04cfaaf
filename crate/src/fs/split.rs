//! Fair parts of the groups for workers that share nothing.
//!
//! Parts end where flex groups end, so that no joined read is torn, unless there are fewer flex
//! groups than parts asked for. Workers take parts until none is left; one that fails or dies
//! gives its part back, and another takes it over. What comes of a part depends on its groups
//! alone, so the whole depends neither on the number of workers nor on who did what.

use core::ops::Range;
use std::collections::VecDeque;

/// Cuts groups into at most `parts` ranges, each as long as the others but for one unit; units are
/// flex groups, or groups where there are too few of those.
#[must_use]
pub fn split_groups(groups: Range<u32>, groups_per_flex: u32, parts: u32) -> Vec<Range<u32>> {
    let parts = u64::from(parts.max(1));
    let first = |unit: u32| groups.start.checked_div(unit).unwrap_or(0);
    let units = |unit: u32| u64::from(groups.end.div_ceil(unit).saturating_sub(first(unit)));
    let flex = groups_per_flex.max(1);
    let unit = if units(flex) < parts { 1 } else { flex };
    let bound = |part: u64| {
        let whole = units(unit).saturating_mul(part).checked_div(parts).unwrap_or(0);
        let at = u64::from(first(unit)).saturating_add(whole).saturating_mul(u64::from(unit));
        u32::try_from(at).unwrap_or(u32::MAX).clamp(groups.start, groups.end.max(groups.start))
    };
    (0..parts)
        .map(|part| bound(part)..bound(part.saturating_add(1)))
        .filter(|range| !range.is_empty())
        .collect()
}

/// Parts to be done, each until it succeeds or failed too often.
#[derive(Clone, Debug)]
pub struct Parts {
    open: VecDeque<Part>,
    /// Parts that somebody works on.
    taken: u32,
    lost: Vec<Part>,
}

/// A range of groups to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The groups.
    pub groups: Range<u32>,
    /// How often somebody failed at it.
    failed: u32,
}

/// What a worker is to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextPart {
    /// This part; then [`Parts::done`] or [`Parts::failed`] must follow.
    Take(Part),
    /// Nothing now, but a part that somebody works on may be given back.
    Wait,
    /// Nothing more.
    End,
}

impl Parts {
    /// How often a part is tried.
    const TRIES: u32 = 3;

    /// All parts open.
    #[must_use]
    pub fn new(parts: Vec<Range<u32>>) -> Self {
        let open = parts.into_iter().map(|groups| Part { groups, failed: 0 }).collect();
        Self { open, taken: 0, lost: Vec::new() }
    }

    /// Puts the parts with groups that somebody looks at before all others.
    pub fn want(&mut self, groups: &Range<u32>) {
        let is_wanted =
            |part: &Part| part.groups.start < groups.end && groups.start < part.groups.end;
        self.open.make_contiguous().sort_by_key(|part| !is_wanted(part));
    }

    /// The next part for whoever asks.
    pub fn take(&mut self) -> NextPart {
        match self.open.pop_front() {
            Some(part) => {
                self.taken = self.taken.saturating_add(1);
                NextPart::Take(part)
            }
            None if self.taken > 0 => NextPart::Wait,
            None => NextPart::End,
        }
    }

    /// A part is done.
    pub fn done(&mut self) {
        self.taken = self.taken.saturating_sub(1);
    }

    /// Whoever had a part failed or died; another will take it, until it failed too often.
    pub fn failed(&mut self, mut part: Part) {
        self.taken = self.taken.saturating_sub(1);
        part.failed = part.failed.saturating_add(1);
        if part.failed < Self::TRIES {
            self.open.push_back(part);
        } else {
            self.lost.push(part);
        }
    }

    /// Whether there is a part that nobody works on.
    #[must_use]
    pub fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// The groups of parts that failed too often.
    pub fn lost(&self) -> impl Iterator<Item = Range<u32>> {
        self.lost.iter().map(|part| part.groups.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_groups_once_and_are_fair() {
        for flex in [1, 2, 16, 64] {
            for start in [0, 5] {
                for count in 0..=67 {
                    for workers in 1..=33 {
                        let groups = start..start + count;
                        let parts = split_groups(groups.clone(), flex, workers);
                        let case = format!("{workers} workers, {groups:?}, flex {flex}: {parts:?}");
                        assert!(parts.len() <= workers as usize, "{case}");
                        assert!(parts.iter().cloned().flatten().eq(groups.clone()), "{case}");
                        let units = groups.end.div_ceil(flex) - groups.start / flex;
                        let unit = if units < workers { 1 } else { flex };
                        let lens =
                            || parts.iter().map(|part| part.end.div_ceil(unit) - part.start / unit);
                        let (min, max) = (lens().min().unwrap_or(0), lens().max().unwrap_or(0));
                        assert!(max - min <= 1, "{case}");
                        let torn = parts.iter().any(|part| {
                            part.end < groups.end && unit == flex && part.end % flex != 0
                        });
                        assert!(!torn, "{case}");
                    }
                }
            }
        }
    }

    #[test]
    fn there_is_no_overflow_at_the_largest_numbers() {
        let parts = split_groups(0..u32::MAX, u32::MAX, u32::MAX / (1 << 24));
        assert_eq!(parts.first().map(|part| part.start), Some(0));
        assert_eq!(parts.last().map(|part| part.end), Some(u32::MAX));
        assert_eq!(split_groups(7..7, 0, 0), []);
    }

    #[test]
    fn wanted_parts_come_first_and_the_others_in_order() {
        let mut parts = Parts::new(split_groups(0..100, 1, 10));
        parts.want(&(45..62));
        let next = core::iter::from_fn(|| match parts.take() {
            NextPart::Take(part) => Some(part.groups.start),
            NextPart::Wait | NextPart::End => None,
        });
        assert_eq!(next.collect::<Vec<_>>(), [40, 50, 60, 0, 10, 20, 30, 70, 80, 90]);
    }

    /// Workers in turn: each takes a part in one turn and is done with it, or fails, in the next.
    fn work(workers: u32, groups: u32, fails: impl Fn(u32, u32) -> bool) -> (Vec<u32>, Parts) {
        let mut parts = Parts::new(split_groups(0..groups, 4, workers * 4));
        let mut seen = Vec::new();
        let mut turn = 0;
        let mut holding: Vec<Option<Part>> = vec![None; workers as usize];
        loop {
            let mut ended = 0;
            for (worker, held) in (0..).zip(&mut holding) {
                match held.take() {
                    Some(part) if fails(worker, turn) => parts.failed(part),
                    Some(part) => {
                        seen.extend(part.groups);
                        parts.done();
                    }
                    None => match parts.take() {
                        NextPart::Take(part) => *held = Some(part),
                        NextPart::Wait => {}
                        NextPart::End => ended += 1,
                    },
                }
                turn += 1;
            }
            if ended == workers {
                seen.sort_unstable();
                return (seen, parts);
            }
        }
    }

    #[test]
    fn every_group_is_done_once_whoever_fails() {
        for workers in 1..=33 {
            for groups in 1..=67 {
                let all: Vec<u32> = (0..groups).collect();
                let case = format!("{workers} workers, {groups} groups");
                let (seen, parts) = work(workers, groups, |_, _| false);
                assert_eq!((seen, parts.lost().count()), (all.clone(), 0), "{case}");
                // In the second round all have their first part.
                let (seen, parts) = work(workers, groups, |_, turn| turn / workers == 1);
                assert_eq!((seen, parts.lost().count()), (all.clone(), 0), "{case}, first fails");
                let (seen, parts) = work(workers, groups, |_, turn| turn % 3 == 1);
                let mut whole: Vec<u32> = seen.into_iter().chain(parts.lost().flatten()).collect();
                whole.sort_unstable();
                assert_eq!(whole, all, "{case}, a third fails");
            }
        }
    }

    #[test]
    fn a_part_at_which_all_fail_is_lost_and_the_rest_is_done() {
        let (seen, parts) = work(3, 20, |_, _| true);
        assert!(seen.is_empty());
        assert_eq!(parts.lost().map(|groups| groups.len()).sum::<usize>(), 20);
    }
}
