//! A race of the lessons.

use extscope::bitmap::BitmapRef;
use extscope::lesson::Race;
use extscope::{Error, ErrorKind, Result};

use super::super::clock;
use super::Stepped;
use crate::protocol::{RaceOrder, Reply};

/// A race being run.
#[derive(Debug)]
pub(super) struct Racing(Race);

impl Racing {
    /// Nothing is timed yet.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] for fewer bytes than bits.
    pub(super) fn new(order: &RaceOrder) -> Result<Self> {
        let bits = BitmapRef::new(&order.bytes, order.bits.into()).ok_or_else(|| {
            Error::new(ErrorKind::OutOfBounds, "the bitmap of the race is too short")
        })?;
        Ok(Self(Race::new(bits.into(), order.inodes_per_group, order.wanted)))
    }

    /// Lets the next lane run; tells of all at the end.
    pub(super) fn step(&mut self, due: bool) -> Stepped {
        match self.0.step(&clock::now) {
            Ok(None) => Stepped::More(due.then(|| Reply::Racing(self.0.progress()))),
            Ok(Some(result)) => Stepped::Over(Reply::Raced(Ok(Box::new(result)))),
            Err(error) => Stepped::Over(Reply::Raced(Err(error))),
        }
    }
}
