//! Sharing groups out to workers: who has read what, the code, what happens.

use crate::protocol::{Course, SPLIT_LIMITS, Sharing, Split, SplitAct, SplitResult, Unwatched};
use crate::state::LessonPlace;
use crate::text::number;

/// The workers and groups that a place of the lesson is about, of an image with so many groups.
#[must_use]
pub fn split(place: LessonPlace, groups: u32, groups_per_flex: u32) -> Split {
    let (most_workers, most_groups) = SPLIT_LIMITS;
    Split {
        sharing: place.sharing,
        groups: place.groups.unwrap_or(groups).clamp(1, most_groups),
        groups_per_flex: groups_per_flex.max(1),
        workers: place.workers.clamp(1, most_workers),
        has_failure: place.has_failure,
    }
}

/// How a group stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupState {
    /// Nobody has read it.
    #[default]
    Unread,
    /// This worker has read it, and not told of it yet.
    Read(u32),
    /// This worker told of it.
    Told(u32),
    /// Who had read it failed.
    Lost,
}

/// How a worker stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerRow {
    /// What it took, as first group and end, the last one last.
    pub taken: Vec<(u32, u32)>,
    /// Groups that it read.
    pub read: u32,
    /// Whether it failed.
    pub has_failed: bool,
}

/// How all stands after some steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The groups.
    pub groups: Vec<GroupState>,
    /// The workers.
    pub workers: Vec<WorkerRow>,
    /// The group that was read last.
    pub here: Option<u32>,
}

/// How all stands after so many steps.
#[must_use]
pub fn scene(split: Split, course: &Course<SplitAct>, step: usize) -> Scene {
    let mut scene = Scene {
        groups: vec![GroupState::default(); split.groups as usize],
        workers: vec![WorkerRow::default(); split.workers as usize],
        here: None,
    };
    for step in course.until(step) {
        scene.take(step.act);
    }
    scene
}

impl Scene {
    fn take(&mut self, act: SplitAct) {
        let set = |groups: &mut Vec<GroupState>, first: u32, end: u32, state| {
            groups
                .get_mut(first as usize..end as usize)
                .into_iter()
                .flatten()
                .for_each(|it| *it = state);
        };
        let worker =
            |workers: &mut Vec<WorkerRow>, worker: u32, change: &dyn Fn(&mut WorkerRow)| {
                workers.get_mut(worker as usize).into_iter().for_each(change);
            };
        self.here = None;
        match act {
            SplitAct::Take { worker: number, first, end } => {
                worker(&mut self.workers, number, &|it| it.taken.push((first, end)));
            }
            SplitAct::Read { worker: number, group } => {
                set(&mut self.groups, group, group + 1, GroupState::Read(number));
                worker(&mut self.workers, number, &|it| it.read += 1);
                self.here = Some(group);
            }
            SplitAct::Done { worker, first, end } => {
                set(&mut self.groups, first, end, GroupState::Told(worker));
            }
            SplitAct::Fail { worker: number, first, end } => {
                set(&mut self.groups, first, end, GroupState::Lost);
                worker(&mut self.workers, number, &|it| it.has_failed = true);
            }
            SplitAct::GiveUp => self.groups.fill(GroupState::Lost),
        }
    }

    /// How many groups were told of.
    #[must_use]
    pub fn told(&self) -> u64 {
        self.groups.iter().filter(|group| matches!(group, GroupState::Told(_))).count() as u64
    }
}

/// Whether a person who skips steps wants to stop here.
#[must_use]
pub const fn is_event(act: &SplitAct) -> bool {
    !matches!(act, SplitAct::Read { .. })
}

/// A sharing, in a few words.
#[must_use]
pub const fn name(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::Divided => "Divided, rest forgotten",
        Sharing::Libext2fs => "As libext2fs",
        Sharing::Parts => "As extscope, in parts",
    }
}

/// What each sharing comes to: its name, the groups of the busiest worker, the groups missed.
#[must_use]
pub fn verdicts(split: Split) -> [(&'static str, u32, u32); 3] {
    Sharing::ALL.map(|sharing| {
        let result: SplitResult = Split { sharing, ..split }.run(&mut Unwatched);
        (name(sharing), result.longest, result.missed())
    })
}

/// What a step does, in a sentence or two.
#[must_use]
pub fn said(act: Option<SplitAct>, split: Split) -> String {
    let n = |n: u32| number::count(n.into());
    let range =
        |first: u32, end: u32| number::range(first.into(), u64::from(end.saturating_sub(1)));
    match act {
        None => format!(
            "{} and {}. Nobody has anything to read yet.",
            number::count_of(split.groups.into(), "group", "groups"),
            number::count_of(split.workers.into(), "worker", "workers"),
        ),
        Some(SplitAct::Take { worker, first, end }) => {
            format!("Worker {} takes groups {}.", n(worker + 1), range(first, end))
        }
        Some(SplitAct::Read { worker, group }) => {
            format!("Worker {} reads the bitmap of group {}.", n(worker + 1), n(group))
        }
        Some(SplitAct::Done { worker, first, end }) => {
            format!(
                "Worker {} is done with groups {} and tells what it found.",
                n(worker + 1),
                range(first, end)
            )
        }
        Some(SplitAct::Fail { worker, first, end }) if end > first => format!(
            "Worker {} fails. It had read groups {} and told nobody: {}.",
            n(worker + 1),
            range(first, end),
            match split.sharing {
                Sharing::Divided => "they are lost",
                Sharing::Libext2fs => "the others read on, for nothing",
                Sharing::Parts => "the part goes back and another takes it",
            },
        ),
        Some(SplitAct::Fail { worker, .. }) => {
            format!("Worker {} fails before it has read anything.", n(worker + 1))
        }
        Some(SplitAct::GiveUp) => {
            "One worker failed, so all that was read is thrown away.".to_owned()
        }
    }
}

/// The code of a sharing.
#[must_use]
pub const fn code(sharing: Sharing) -> &'static [&'static str] {
    match sharing {
        Sharing::Divided => &[
            "share = groups / workers",
            "for worker in 0..workers {",
            "    read share groups from share * worker",
            "}",
        ],
        Sharing::Libext2fs => &[
            "workers = min(workers, groups)",
            "share = groups / workers / flex * flex",
            "if share == 0 { read all with one worker }",
            "for worker in 0..workers {",
            "    first = share * worker + (worker > 0)",
            "    end = share * (worker + 1) + 1",
            "    if worker is the last { end = groups }",
            "    read(first .. end)",
            "}",
            "if one failed { throw all away }",
        ],
        Sharing::Parts => &[
            "parts = split(groups, flex, workers * 4)",
            "while part = parts.take() {",
            "    read(part)",
            "    if it failed { parts.give_back(part) }",
            "    else { tell(part) }",
            "}",
        ],
    }
}

/// The line of [`code`] that a step is of.
#[must_use]
pub const fn line(sharing: Sharing, act: SplitAct) -> usize {
    match (sharing, act) {
        (Sharing::Divided, _) => 2,
        (Sharing::Libext2fs, SplitAct::Take { .. }) => 4,
        (Sharing::Libext2fs, SplitAct::GiveUp) => 9,
        (Sharing::Libext2fs, _) => 7,
        (Sharing::Parts, SplitAct::Take { .. }) => 1,
        (Sharing::Parts, SplitAct::Read { .. }) => 2,
        (Sharing::Parts, SplitAct::Fail { .. } | SplitAct::GiveUp) => 3,
        (Sharing::Parts, SplitAct::Done { .. }) => 4,
    }
}

/// What is to be known about a sharing.
#[must_use]
pub fn about(split: Split) -> String {
    let share = split.groups / split.workers;
    let rest = split.groups % split.workers;
    match split.sharing {
        Sharing::Divided if share == 0 => format!(
            "There are more workers than groups, so {} / {} is 0: nobody reads anything.",
            split.groups, split.workers
        ),
        Sharing::Divided if rest == 0 => format!(
            "{} / {} is {share} without a rest: this once, nothing is missed. Take a prime number of groups.",
            split.groups, split.workers
        ),
        Sharing::Divided => format!(
            "{} / {} is {share}, and {rest} left over. Nobody reads those, and nobody says so: a check would \
             miss whatever is wrong in them.",
            split.groups, split.workers
        ),
        Sharing::Libext2fs => "The share is cut to whole flex groups, whose bitmaps lie side by side, and the last \
             worker takes what is left: nothing is missed, and all wait for it. Where the share is less than a flex \
             group, one worker reads all. Each range but the first begins a group late, so a flex group is torn \
             between two workers; and when one fails, all fail."
            .to_owned(),
        Sharing::Parts => "There are four parts for each worker, cut at flex groups where there are enough of them. \
             Who is done takes the next part. A part counts once it is told of as a whole, so a worker that fails \
             takes nothing with it, and nothing counts twice."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(split: Split) -> Course<SplitAct> {
        Course::record(|watch| {
            split.run(watch);
        })
    }

    #[test]
    fn every_step_of_every_sharing_has_a_scene_a_line_and_a_sentence() {
        for sharing in Sharing::ALL {
            for (groups, workers) in [(67, 5), (8, 33), (1, 1)] {
                for has_failure in [false, true] {
                    let split =
                        Split { sharing, groups, groups_per_flex: 16, workers, has_failure };
                    let course = course(split);
                    for step in 0..=course.len() {
                        let act = course.at(step);
                        assert!(!said(act, split).is_empty());
                        assert_eq!(scene(split, &course, step).groups.len(), groups as usize);
                        assert!(act.is_none_or(|act| line(sharing, act) < code(sharing).len()));
                    }
                    let told = scene(split, &course, course.len()).told();
                    let missed = split.run(&mut Unwatched).missed();
                    assert_eq!(told, u64::from(groups - missed), "{split:?}");
                }
            }
        }
    }

    #[test]
    fn an_address_cannot_ask_for_more_than_can_be_shown() {
        let place = LessonPlace { workers: u32::MAX, groups: Some(0), ..LessonPlace::default() };
        let split = split(place, 7, 0);
        assert_eq!((split.workers, split.groups, split.groups_per_flex), (64, 1, 1));
        let whole = super::split(LessonPlace { groups: None, ..place }, 131_072, 16);
        assert_eq!(whole.groups, 512);
    }
}
