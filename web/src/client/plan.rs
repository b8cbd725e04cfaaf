//! Which worker sweeps which part of an image.
//!
//! Workers share nothing: each has the file, and is handed the descriptors of the part that it is
//! to sweep. One that breaks loses its part and nothing else; another takes it over. Small parts
//! let what is in view come first, and keep what is lost small.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use extscope::units::Group;

use crate::protocol::{GroupColumns, NextPart, Part, Parts, Request, split_groups};

/// Groups of a part, at least.
const PART_GROUPS: u32 = 512;

/// Parts of an image, at most: between two, a worker waits for the page.
const PARTS: u32 = 64;

/// Which worker sweeps which part. Workers are known by numbers.
pub(super) struct Plan {
    groups: Rc<GroupColumns>,
    parts: Parts,
    count: u32,
    held: BTreeMap<u32, Part>,
    /// Groups that come before others.
    wanted: Range<u32>,
    is_paused: bool,
}

impl Plan {
    /// All parts of an image are to be swept.
    pub(super) fn new(groups: Rc<GroupColumns>, groups_per_flex: u32) -> Self {
        let all = u32::try_from(groups.len()).unwrap_or(u32::MAX);
        let parts = split_groups(0..all, groups_per_flex, all.div_ceil(PART_GROUPS).min(PARTS));
        let count = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        let (parts, held) = (Parts::new(parts), BTreeMap::new());
        Self { groups, parts, count, held, wanted: 0..0, is_paused: false }
    }

    /// Number of parts.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// What `worker` is to sweep next and what of it first, unless it has something to sweep.
    pub(super) fn next(&mut self, worker: u32) -> Option<[Request; 2]> {
        if self.is_paused || self.held.contains_key(&worker) {
            return None;
        }
        let NextPart::Take(part) = self.parts.take() else { return None };
        let request = Request::Sweep {
            first: Group::new(part.groups.start),
            groups: Box::new(self.groups.part(part.groups.clone())),
        };
        self.held.insert(worker, part);
        let count = self.wanted.end.saturating_sub(self.wanted.start);
        Some([request, Request::Prioritise { first: Group::new(self.wanted.start), count }])
    }

    /// `worker` swept its part.
    pub(super) fn done(&mut self, worker: u32) {
        if self.held.remove(&worker).is_some() {
            self.parts.done();
        }
    }

    /// `worker` failed at its part, or is gone.
    pub(super) fn failed(&mut self, worker: u32) {
        if let Some(part) = self.held.remove(&worker) {
            self.parts.failed(part);
        }
    }

    /// Puts the parts with these groups before the others.
    pub(super) fn want(&mut self, groups: Range<u32>) {
        self.parts.want(&groups);
        self.wanted = groups;
    }

    /// Hands out nothing until the next call.
    pub(super) fn pause(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
    }

    /// Those who have something to sweep and were not told to rest.
    pub(super) fn at_work(&self) -> impl Iterator<Item = u32> {
        self.held.keys().copied().filter(|_| !self.is_paused)
    }

    /// Whether nothing is left to be swept.
    pub(super) fn is_over(&self) -> bool {
        self.held.is_empty() && !self.parts.has_open()
    }

    /// Groups of the parts at which every try failed.
    pub(super) fn lost(&self) -> Vec<Range<u32>> {
        self.parts.lost().collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::protocol::GroupRow;

    fn plan(groups: u32) -> Plan {
        let row = GroupRow { readable: true, ..GroupRow::default() };
        let rows = core::iter::repeat_n(row, groups as usize);
        Plan::new(Rc::new(GroupColumns::from_rows(rows)), 16)
    }

    fn groups(requests: &[Request; 2]) -> Range<u32> {
        let [Request::Sweep { first, groups }, _] = requests else { panic!("{requests:?}") };
        first.get()..first.get() + groups.len() as u32
    }

    #[test]
    fn what_is_in_view_is_swept_first() {
        let mut plan = plan(131_072);
        assert_eq!(plan.count(), PARTS);
        assert_eq!(plan.next(1).map(|it| groups(&it)), Some(0..2048));
        plan.want(70_000..70_040);
        let next = plan.next(2).expect("there is more");
        assert_eq!(groups(&next), 69_632..71_680);
        let first = Request::Prioritise { first: Group::new(70_000), count: 40 };
        assert_eq!(next[1], first);
        assert_eq!(plan.next(3).map(|it| groups(&it)), Some(2048..4096));
        assert_eq!(plan.next(3), None, "it has something to sweep");
    }

    #[test]
    fn nothing_is_handed_out_during_a_pause() {
        let mut plan = plan(3000);
        plan.pause(true);
        assert_eq!(plan.next(1), None);
        assert!(!plan.is_over());
        plan.pause(false);
        assert!(plan.next(1).is_some());
        assert_eq!(plan.at_work().collect::<Vec<_>>(), [1]);
        plan.pause(true);
        assert_eq!(plan.at_work().count(), 0);
    }

    #[test]
    fn an_image_without_groups_is_over_at_once() {
        assert!(plan(0).is_over());
    }

    proptest! {
        #[test]
        fn every_group_is_swept_whoever_breaks(
            count in 1_u32..20_000, workers in 1_u32..6, breaks in prop::collection::vec(0_u32..40, 0..3),
        ) {
            let mut plan = plan(count);
            let mut swept = vec![false; count as usize];
            let (mut turn, mut next_worker) = (0, workers);
            let mut at_work: Vec<u32> = (0..workers).collect();
            let mut holding = BTreeMap::new();
            while !plan.is_over() {
                let worker = at_work[(turn % workers) as usize];
                if let Some(request) = plan.next(worker) {
                    holding.insert(worker, groups(&request));
                } else if breaks.contains(&turn) {
                    // It is gone, and a new one takes its place.
                    holding.remove(&worker);
                    plan.failed(worker);
                    at_work[(turn % workers) as usize] = next_worker;
                    next_worker += 1;
                } else if let Some(part) = holding.remove(&worker) {
                    part.for_each(|group| swept[group as usize] = true);
                    plan.done(worker);
                }
                turn += 1;
            }
            let lost: Vec<u32> = plan.lost().into_iter().flatten().collect();
            let missing = (0..count).filter(|group| !swept[*group as usize]);
            prop_assert!(missing.eq(lost));
        }
    }
}
