//! The smallest size that `resize2fs -f` really comes to, found by planning.

use core::ops::Deref;

use super::shrink::ShrinkPlan;
use super::{Frame, Like, Request, Target, minimum};
use crate::error::{Error, ErrorKind, Result};
use crate::fs::Filesystem;
use crate::io::ByteSource;
use crate::task::{Progress, Step, Task};

/// Plans shrinks with `-f` between a size that cannot be and the estimate, halving what is between
/// them. Progress counts plans.
///
/// Gives the size that the filesystem has afterwards; `None` when not even the estimate works.
///
/// # Errors
/// Those of [`ShrinkPlan`].
#[derive(Debug)]
pub struct Smallest<F> {
    fs: F,
    like: Like,
    /// Sizes between which it lies: the first fails.
    fails: u64,
    works: u64,
    /// What the size that works comes to.
    found: Option<u64>,
    current: Option<(u64, Box<ShrinkPlan<F>>)>,
    plans: u64,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Smallest<F> {
    /// Nothing but the descriptors is looked at yet.
    ///
    /// # Errors
    /// Those of [`Frame::of`].
    pub fn new(fs: F, like: Like) -> Result<Self> {
        let frame = Frame::of(&*fs)?;
        let blocks = frame.geometry.blocks_count();
        let works = minimum(&frame).blocks.min(blocks.saturating_sub(1));
        let fails = frame.geometry.first_data_block().get();
        let mut smallest = Self { fs, like, fails, works, found: None, current: None, plans: 0 };
        smallest.plan(works);
        Ok(smallest)
    }

    fn plan(&mut self, blocks: u64) {
        let request = Request { target: Target::Blocks(blocks), force: true, like: self.like };
        let plan = ShrinkPlan::new(self.fs.clone(), request);
        self.current = Some((blocks, Box::new(plan)));
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Task for Smallest<F> {
    type Output = Option<u64>;

    fn step(&mut self) -> Result<Step<Option<u64>>> {
        let Some((blocks, mut plan)) = self.current.take() else {
            return Err(Error::new(ErrorKind::Cancelled, "the search is already over"));
        };
        let Step::Done(done) = plan.step()? else {
            self.current = Some((blocks, plan));
            return Ok(Step::More);
        };
        self.plans = self.plans.saturating_add(1);
        let comes_to = done.changes.filter(|_| done.failure.is_none());
        match comes_to {
            Some(changes) => {
                self.works = blocks;
                self.found = Some(changes.new.geometry.blocks_count());
            }
            None if self.found.is_none() => return Ok(Step::Done(None)),
            None => self.fails = blocks,
        }
        let between = self.works.saturating_sub(self.fails);
        if between <= 1 {
            return Ok(Step::Done(self.found));
        }
        self.plan(self.fails.saturating_add(between / 2));
        Ok(Step::More)
    }

    fn progress(&self) -> Progress {
        let left = self.works.saturating_sub(self.fails).checked_ilog2().unwrap_or(0);
        let max = self.plans.saturating_add(u64::from(left)).saturating_add(1);
        Progress { cur: self.plans, max }
    }
}
