//! Sharing the groups of a large filesystem out to workers.
//!
//! Reading bitmaps one after another took 10446 s of a filesystem of a PiB, which is why e2fsprogs
//! has shared that out since 2020. The review of the first patch (linux-ext4, 16 September 2020)
//! asked for what is easy to get wrong: more workers than groups, and numbers of groups that do not
//! divide. Each [`Sharing`] is run here as it is, worker by worker.
//!
//! Ref: `ext2fs_rw_bitmaps` (lib/ext2fs/rw_bitmaps.c).

use core::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Tally, Watch};
use crate::fs::{NextPart, Part, Parts, split_groups};

/// Most workers, and most groups, that are looked at one by one.
pub const SPLIT_LIMITS: (u32, u32) = (64, 512);

/// How groups are shared out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Sharing {
    /// As many for each as the division gives, and nobody asks what it leaves: what the review of
    /// the first patch warned of.
    #[default]
    Divided,
    /// As libext2fs has it: no more workers than groups; the share is cut to whole flex groups,
    /// and where that leaves nothing one worker reads all; each range but the first begins a group
    /// late, and the last worker takes the rest. An error of one is an error of all.
    Libext2fs,
    /// As extscope has it: fair parts of whole flex groups, taken one by one, and given back by
    /// whoever fails.
    Parts,
}

impl Sharing {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Divided, Self::Libext2fs, Self::Parts];
}

/// A step of the workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitAct {
    /// A worker takes groups to read.
    Take {
        /// The worker.
        worker: u32,
        /// The first group.
        first: u32,
        /// The end.
        end: u32,
    },
    /// A worker reads a group.
    Read {
        /// The worker.
        worker: u32,
        /// The group.
        group: u32,
    },
    /// A worker is done with what it took, and tells what it found.
    Done {
        /// The worker.
        worker: u32,
        /// The first group.
        first: u32,
        /// The end.
        end: u32,
    },
    /// A worker fails, and what it read since it last told is gone.
    Fail {
        /// The worker.
        worker: u32,
        /// The first group.
        first: u32,
        /// The end of what it had read.
        end: u32,
    },
    /// All that was read is thrown away.
    GiveUp,
}

/// Groups shared out to workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// How.
    pub sharing: Sharing,
    /// How many groups.
    pub groups: u32,
    /// Groups of a flex group.
    pub groups_per_flex: u32,
    /// How many workers.
    pub workers: u32,
    /// Whether the first worker fails, halfway through the first that it takes.
    pub has_failure: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitResult {
    /// How often each group was told of; once is right.
    pub told: Vec<u8>,
    /// Groups that the busiest worker read: how long all wait.
    pub longest: u32,
}

impl SplitResult {
    /// Groups that nobody tells of.
    #[must_use]
    pub fn missed(&self) -> u32 {
        self.told.iter().filter(|count| **count == 0).count() as u32
    }
}

/// Parts of the groups for each worker: enough that the last ones to finish wait little.
const PARTS_A_WORKER: u32 = 4;

impl Split {
    /// The ranges that workers take, in order; there may be fewer than workers.
    #[must_use]
    pub fn ranges(self) -> Vec<Range<u32>> {
        let workers = self.workers.max(1);
        match self.sharing {
            Sharing::Divided => {
                let share = self.groups / workers;
                (0..workers).map(|worker| share * worker..share * (worker + 1)).collect()
            }
            Sharing::Libext2fs => {
                let flex = self.groups_per_flex.max(1);
                let workers = workers.min(self.groups.max(1));
                let share = self.groups / workers / flex * flex;
                if share == 0 {
                    return core::iter::once(0..self.groups).collect();
                }
                let range = |worker: u32| {
                    let first = if worker == 0 { 0 } else { share * worker + 1 };
                    let is_last = worker + 1 == workers;
                    let end = if is_last { self.groups } else { share * (worker + 1) + 1 };
                    first.min(self.groups)..end.min(self.groups)
                };
                (0..workers).map(range).collect()
            }
            Sharing::Parts => split_groups(
                0..self.groups,
                self.groups_per_flex,
                workers.saturating_mul(PARTS_A_WORKER),
            ),
        }
    }

    /// Lets all workers read, each a group in turn.
    pub fn run(self, watch: &mut impl Watch<SplitAct>) -> SplitResult {
        let mut result =
            SplitResult { told: vec![0; self.groups as usize], ..SplitResult::default() };
        let mut workers: Vec<Worker> = (0..self.workers).map(|_| Worker::default()).collect();
        let mut fixed = self.ranges().into_iter();
        let mut parts = Parts::new(match self.sharing {
            Sharing::Parts => self.ranges(),
            Sharing::Divided | Sharing::Libext2fs => Vec::new(),
        });
        if self.sharing != Sharing::Parts {
            for (worker, range) in (0..).zip(&mut workers) {
                range.take(Work::Fixed(fixed.next().unwrap_or_default()), worker, watch);
            }
        }
        loop {
            let mut is_over = true;
            for (number, worker) in (0..).zip(&mut workers) {
                if worker.has_failed {
                    continue;
                }
                if worker.work.is_none()
                    && self.sharing == Sharing::Parts
                    && let NextPart::Take(part) = parts.take()
                {
                    worker.take(Work::Part(part), number, watch);
                }
                let Some(work) = &worker.work else { continue };
                is_over = false;
                let groups = work.groups();
                let half = groups.start + (groups.end - groups.start) / 2;
                if self.has_failure && number == 0 && self.workers > 1 && worker.at == half {
                    watch.act(SplitAct::Fail {
                        worker: number,
                        first: groups.start,
                        end: worker.at,
                    });
                    worker.has_failed = true;
                    if let Some(Work::Part(part)) = worker.work.take() {
                        parts.failed(part);
                    }
                    continue;
                }
                if worker.at < groups.end {
                    watch.work(Tally { loads: 1, ..Tally::NONE });
                    watch.act(SplitAct::Read { worker: number, group: worker.at });
                    worker.at += 1;
                    worker.read += 1;
                }
                if worker.at == groups.end {
                    let (first, end) = (groups.start, groups.end);
                    watch.act(SplitAct::Done { worker: number, first, end });
                    for count in
                        result.told.get_mut(first as usize..end as usize).into_iter().flatten()
                    {
                        *count = count.saturating_add(1);
                    }
                    if let Some(Work::Part(_)) = worker.work.take() {
                        parts.done();
                    }
                }
            }
            if is_over {
                break;
            }
        }
        if self.sharing == Sharing::Libext2fs && workers.iter().any(|worker| worker.has_failed) {
            watch.act(SplitAct::GiveUp);
            result.told.fill(0);
        }
        result.longest = workers.iter().map(|worker| worker.read).max().unwrap_or_default();
        result
    }
}

/// What a worker has to read.
#[derive(Debug)]
enum Work {
    /// A range that is its own from the start.
    Fixed(Range<u32>),
    /// A part that another can take over.
    Part(Part),
}

impl Work {
    fn groups(&self) -> Range<u32> {
        match self {
            Self::Fixed(groups) => groups.clone(),
            Self::Part(part) => part.groups.clone(),
        }
    }
}

/// A worker.
#[derive(Debug, Default)]
struct Worker {
    work: Option<Work>,
    /// The next group.
    at: u32,
    /// Groups read.
    read: u32,
    has_failed: bool,
}

impl Worker {
    fn take(&mut self, work: Work, number: u32, watch: &mut impl Watch<SplitAct>) {
        let groups = work.groups();
        if groups.is_empty() {
            return;
        }
        watch.act(SplitAct::Take { worker: number, first: groups.start, end: groups.end });
        self.at = groups.start;
        self.work = Some(work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::{Course, Unwatched};

    fn split(sharing: Sharing, groups: u32, workers: u32) -> Split {
        Split { sharing, groups, groups_per_flex: 16, workers, has_failure: false }
    }

    /// Every pair that the issue asks for, and flex groups of several sizes.
    fn each_pair(mut law: impl FnMut(Split)) {
        for groups_per_flex in [1, 4, 16] {
            for workers in 1..=33 {
                for groups in 1..=67 {
                    law(Split { groups_per_flex, ..split(Sharing::Parts, groups, workers) });
                }
            }
        }
    }

    #[test]
    fn each_group_is_told_of_once_for_every_number_of_workers_and_groups() {
        each_pair(|split| {
            let result = split.run(&mut Unwatched);
            assert!(result.told.iter().all(|count| *count == 1), "{split:?}: {result:?}");
        });
    }

    #[test]
    fn a_worker_that_fails_loses_nothing_where_others_take_its_part() {
        each_pair(|split| {
            let split = Split { has_failure: true, ..split };
            let result = split.run(&mut Unwatched);
            assert!(result.told.iter().all(|count| *count == 1), "{split:?}: {result:?}");
        });
    }

    #[test]
    fn what_a_division_leaves_is_read_by_nobody() {
        for workers in 1..=33 {
            for groups in 1..=67 {
                let result = split(Sharing::Divided, groups, workers).run(&mut Unwatched);
                assert_eq!(result.missed(), groups % workers, "{groups} groups, {workers} workers");
            }
        }
        // Sixty-four threads are more than the groups of most test images.
        assert_eq!(split(Sharing::Divided, 8, 64).run(&mut Unwatched).missed(), 8);
    }

    #[test]
    fn libext2fs_reads_all_groups_and_lets_the_last_worker_wait() {
        for workers in 1..=33 {
            for groups in 1..=67 {
                let result = split(Sharing::Libext2fs, groups, workers).run(&mut Unwatched);
                assert!(result.told.iter().all(|count| *count == 1), "{groups}, {workers}");
            }
        }
        let of_238 = split(Sharing::Libext2fs, 238, 4);
        assert_eq!(of_238.ranges(), [0..49, 49..97, 97..145, 145..238]);
        assert_eq!(of_238.run(&mut Unwatched).longest, 93);
        let ours = split(Sharing::Parts, 238, 4).run(&mut Unwatched);
        assert!(ours.longest <= 64, "{}", ours.longest);
    }

    #[test]
    fn libext2fs_has_no_more_workers_than_groups_and_one_where_a_share_is_less_than_a_flex_group() {
        let alone = split(Sharing::Libext2fs, 8, 4).ranges();
        assert_eq!((alone.len(), alone.first()), (1, Some(&(0..8))));
        let without_flex = Split { groups_per_flex: 1, ..split(Sharing::Libext2fs, 3, 7) };
        assert_eq!(without_flex.ranges(), [0..2, 2..3, 3..3]);
        assert_eq!(without_flex.run(&mut Unwatched).longest, 2);
    }

    #[test]
    fn a_failing_worker_takes_its_whole_range_with_it_where_nobody_else_has_it() {
        // libext2fs gives up all.
        let failing = Split { has_failure: true, ..split(Sharing::Libext2fs, 238, 4) };
        assert_eq!(failing.run(&mut Unwatched).missed(), 238);
        let divided = Split { has_failure: true, ..split(Sharing::Divided, 64, 4) };
        assert_eq!(divided.run(&mut Unwatched).missed(), 16);
    }

    #[test]
    fn every_read_is_a_step_of_the_course() {
        let split = split(Sharing::Parts, 67, 5);
        let course = Course::record(|watch| {
            split.run(watch);
        });
        let reads = course.until(usize::MAX).iter();
        let reads = reads.filter(|step| matches!(step.act, SplitAct::Read { .. })).count();
        assert_eq!((reads as u64, course.tally(usize::MAX).loads), (67, 67));
    }
}
