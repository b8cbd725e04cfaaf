//! Where passes tell what they find, and what follows for the run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::finding::Problem;
use super::problem::Code;
use super::sanity::Refusal;
use super::steps::{CheckStep, Recorder};
use crate::error::Error;
use crate::limits;

/// How far the check goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// On where e2fsck gives up.
    #[default]
    Thorough,
    /// As far as `e2fsck -fn`.
    LikeE2fsck,
}

/// What ends a run.
#[derive(Debug)]
pub(super) enum Halt {
    /// e2fsck gives up, and so does whoever is like it; or there is nothing to go on with.
    GaveUp,
    /// The check itself could not go on.
    Failed(Error),
}

/// The outcome of looking: fine, or the run ends.
pub(super) type Flow<T = ()> = Result<T, Halt>;

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// How often a code was told.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    /// In all.
    pub(super) all: u64,
    /// Before e2fsck gave up.
    pub(super) told: u64,
}

/// Takes problems.
#[derive(Debug)]
pub(super) struct Sink {
    mode: Mode,
    /// Those kept, in the order in which they were found.
    pub(super) problems: Vec<Problem>,
    pub(super) counts: BTreeMap<Code, Count>,
    /// Whether e2fsck takes the filesystem for clean so far.
    is_valid: bool,
    /// Where e2fsck gave up, and its exit status then.
    pub(super) gave_up: Option<(Option<Code>, u8)>,
    /// Why nothing could be opened.
    pub(super) refusal: Option<Refusal>,
    /// Takes down what the passes leave.
    pub(super) recorder: Recorder,
}

impl Sink {
    /// Nothing found yet. At first, e2fsck takes no filesystem for clean.
    pub(super) fn new(mode: Mode) -> Self {
        Self {
            mode,
            problems: Vec::new(),
            counts: BTreeMap::new(),
            is_valid: false,
            gave_up: None,
            refusal: None,
            recorder: Recorder::default(),
        }
    }

    /// How far the check goes.
    pub(super) fn mode(&self) -> Mode {
        self.mode
    }

    /// Takes a problem. A fatal one ends the run where e2fsck's ends.
    pub(super) fn tell(&mut self, mut problem: Problem) -> Flow {
        let code = problem.code;
        problem.beyond_e2fsck = self.gave_up.is_some();
        if !problem.beyond_e2fsck {
            let count = self.counts.entry(code).or_default();
            count.told = count.told.saturating_add(1);
            if code.row().is_damage() {
                self.is_valid = false;
            }
        }
        self.keep(problem);
        if code.row().is_fatal() { self.give_up(Some(code)) } else { Ok(()) }
    }

    /// Takes a problem at a place that e2fsck does not look at.
    pub(super) fn tell_beyond(&mut self, problem: Problem) {
        self.keep(Problem { beyond_e2fsck: true, ..problem });
    }

    /// Counts a problem, and keeps it unless there are many of its code.
    fn keep(&mut self, problem: Problem) {
        self.recorder.note(CheckStep::Problem(problem.code));
        let count = self.counts.entry(problem.code).or_default();
        count.all = count.all.saturating_add(1);
        if usize::try_from(count.all).unwrap_or(usize::MAX) <= limits::PROBLEMS_PER_CODE {
            self.problems.push(problem);
        }
    }

    /// Takes a problem without a place.
    pub(super) fn tell_code(&mut self, code: Code) -> Flow {
        self.tell(Problem::new(code))
    }

    /// e2fsck gives up here, because of a question that was refused or without a word.
    pub(super) fn give_up(&mut self, code: Option<Code>) -> Flow {
        let exit = if self.is_valid { 8 } else { 12 };
        self.gave_up.get_or_insert((code, exit));
        match self.mode {
            Mode::Thorough => Ok(()),
            Mode::LikeE2fsck => Err(Halt::GaveUp),
        }
    }

    /// e2fsck could not begin, and nobody else can.
    pub(super) fn could_not_begin(&mut self, code: Option<Code>, refusal: Refusal) -> Halt {
        self.refusal = Some(refusal);
        self.gave_up.get_or_insert((code, 8));
        Halt::GaveUp
    }

    /// What was refused so far does not count. Ref: `ext2fs_mark_valid`.
    pub(super) fn mark_valid(&mut self) {
        self.is_valid = true;
    }

    /// Exit status of `e2fsck -fn`.
    pub(super) fn exit(&self) -> u8 {
        match self.gave_up {
            Some((_, exit)) => exit,
            None if self.is_valid => 0,
            None => 4,
        }
    }
}
