//! A check and what it found.

use std::rc::Rc;

use extscope::Error;
use extscope::task::Progress;

use crate::protocol::{
    CheckMode, CheckOutcome, CheckPart, Code, CodeCount, Pass, Problem, Severity,
};

/// A check and what it found so far.
#[derive(Clone, Debug)]
pub struct Check {
    /// Its number among the checks of the image.
    pub run: u32,
    /// How far it goes.
    pub mode: CheckMode,
    /// How it stands.
    pub course: Course,
    /// The pass at work, or the last one that was.
    pub pass: Pass,
    /// How far that is, in units of its own.
    pub progress: Progress,
    /// Milliseconds that each pass took so far, in the order of the passes.
    pub times: Vec<(Pass, f64)>,
    /// What was found, by code.
    pub found: Rc<Vec<Found>>,
}

/// How a check stands.
#[derive(Clone, Debug)]
pub enum Course {
    /// It goes on.
    Going,
    /// The person stopped it.
    Stopped,
    /// It is over.
    Over(Rc<CheckOutcome>),
    /// It cannot go on.
    Failed(Error),
}

/// A code that was found, and where.
#[derive(Clone, Debug)]
pub struct Found {
    /// How often, and what it means.
    pub count: CodeCount,
    /// The places that are known, in the order in which they were found.
    pub problems: Rc<Vec<Problem>>,
}

/// A problem among those that were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemId {
    /// Its code.
    pub code: Code,
    /// Its place among those of that code, from 0.
    pub at: u32,
}

impl Check {
    /// A check that was asked for.
    pub(super) fn new(run: u32, mode: CheckMode) -> Self {
        Self {
            run,
            mode,
            course: Course::Going,
            pass: Pass::Zero,
            progress: Progress::default(),
            times: Vec::new(),
            found: Rc::default(),
        }
    }

    /// Whether it goes on.
    #[must_use]
    pub fn is_going(&self) -> bool {
        matches!(self.course, Course::Going)
    }

    /// What it came to, once it is over.
    #[must_use]
    pub fn outcome(&self) -> Option<&CheckOutcome> {
        match &self.course {
            Course::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// A code that was found.
    #[must_use]
    pub fn of_code(&self, code: Code) -> Option<&Found> {
        let at = self.found.binary_search_by_key(&code, |found| found.count.code).ok()?;
        self.found.get(at)
    }

    /// A problem that was found and whose place is known.
    #[must_use]
    pub fn problem(&self, id: ProblemId) -> Option<&Problem> {
        self.of_code(id.code)?.problems.get(usize::try_from(id.at).ok()?)
    }

    /// Problems that make the filesystem unclean.
    #[must_use]
    pub fn damage(&self) -> u64 {
        let counts = self.found.iter().map(|found| &found.count);
        let damage = counts.filter(|count| count.severity >= Severity::Damage);
        damage.map(|count| count.count).fold(0, u64::saturating_add)
    }

    /// Takes in what was found, unless it was stopped meanwhile.
    pub(super) fn take(&mut self, part: Result<Box<CheckPart>, Error>) {
        if !self.is_going() {
            return;
        }
        let part = match part {
            Ok(part) => *part,
            Err(error) => {
                self.course = Course::Failed(error);
                return;
            }
        };
        (self.pass, self.progress, self.times) = (part.pass, part.progress, part.times);
        let known = |count: CodeCount| Found {
            problems: self
                .of_code(count.code)
                .map(|found| Rc::clone(&found.problems))
                .unwrap_or_default(),
            count,
        };
        let mut found: Vec<Found> = part.counts.into_iter().map(known).collect();
        for problem in part.problems {
            if let Ok(at) = found.binary_search_by_key(&problem.code, |found| found.count.code)
                && let Some(found) = found.get_mut(at)
            {
                Rc::make_mut(&mut found.problems).push(problem);
            }
        }
        self.found = Rc::new(found);
        if let Some(outcome) = part.outcome {
            self.course = Course::Over(Rc::new(outcome));
        }
    }

    /// Stops it, if it goes on.
    pub(super) fn stop(&mut self) {
        if self.is_going() {
            self.course = Course::Stopped;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::testing::{check, check_part, counted, problem};

    fn id(name: &str, at: u32) -> ProblemId {
        ProblemId { code: Code::from_name(name).expect("a code"), at }
    }

    #[test]
    fn parts_are_joined_by_code() {
        let mut check = check();
        let more = CheckPart {
            problems: vec![problem("PR_4_BAD_REF_COUNT", Some(13), None)],
            counts: vec![counted("PR_4_BAD_REF_COUNT", 3), counted("PR_5_BLOCK_UNUSED", 5000)],
            ..check_part()
        };
        check.take(Ok(Box::new(more)));
        let third = check.problem(id("PR_4_BAD_REF_COUNT", 2)).expect("the third");
        assert_eq!(third.ino.map(|ino| ino.get()), Some(13));
        assert_eq!(check.problem(id("PR_4_BAD_REF_COUNT", 3)), None);
        assert_eq!(check.problem(id("PR_5_BLOCK_UNUSED", 999)).map(|it| it.found), Some(Some(1)));
        assert_eq!(check.problem(id("PR_1_BAD_I_SIZE", 0)), None);
        assert_eq!(check.damage(), 5003);
    }

    #[test]
    fn what_was_stopped_keeps_what_was_found_and_takes_nothing_more() {
        let mut check = check();
        check.stop();
        check.take(Err(Error::corrupt("late")));
        assert!(matches!(check.course, Course::Stopped));
        assert_eq!(check.found.len(), 3);
    }
}
