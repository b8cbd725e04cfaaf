//! Both forms of a bitmap against one another, for a lesson.

use extscope::lesson::{FORM_BITS, FormRace};

use super::super::clock;
use super::Stepped;
use crate::protocol::Reply;

/// Both forms being measured.
#[derive(Debug)]
pub(super) struct Weighing(FormRace);

impl Weighing {
    /// Nothing is timed yet.
    pub(super) fn new(percent: u8) -> Self {
        Self(FormRace::new(FORM_BITS, percent))
    }

    /// Times the next case; tells of all at the end.
    pub(super) fn step(&mut self, due: bool) -> Stepped {
        match self.0.step(&clock::now) {
            Ok(None) => Stepped::More(due.then(|| Reply::Weighing(self.0.progress()))),
            Ok(Some(result)) => Stepped::Over(Reply::Weighed(Ok(Box::new(result)))),
            Err(error) => Stepped::Over(Reply::Weighed(Err(error))),
        }
    }
}
