//! What repeated runs of `resize2fs -M` come to, and how small `-f` can get.

use std::ops::Deref;

use extscope::Result;
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::resize::{Like, Request, ShrinkPlan, Smallest, Target, settle};
use extscope::task::{Progress, Step, Task};

use super::Stepped;
use crate::protocol::{FoundSizes, Reply};

/// Sizes being looked for.
#[derive(Debug)]
pub(super) struct Sizing<F> {
    like: Like,
    stage: Stage<F>,
    repeated_blocks: Vec<u64>,
}

#[derive(Debug)]
enum Stage<F> {
    /// The first run of `-M`.
    First(Box<ShrinkPlan<F>>),
    /// The smallest with `-f`.
    Forced(Smallest<F>),
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Sizing<F> {
    /// Nothing is read yet.
    pub(super) fn new(fs: F, like: Like) -> Self {
        let request = Request { target: Target::Minimum, force: false, like };
        let first = Stage::First(Box::new(ShrinkPlan::new(fs, request)));
        Self { like, stage: first, repeated_blocks: Vec::new() }
    }

    /// Goes on looking; tells of all at the end.
    pub(super) fn step(&mut self, fs: &F, due: bool) -> Stepped {
        let like = self.like;
        let sizes = match self.try_step(fs) {
            Ok(None) => {
                let progress = self.progress();
                return Stepped::More(due.then_some(Reply::Sizing { like, progress }));
            }
            Ok(Some(found)) => Ok(Box::new(found)),
            Err(error) => Err(error),
        };
        Stepped::Over(Reply::Sizes { like, sizes })
    }

    fn try_step(&mut self, fs: &F) -> Result<Option<FoundSizes>> {
        match &mut self.stage {
            Stage::First(plan) => {
                if let Step::Done(plan) = plan.step()? {
                    if let Some(changes) = plan.changes.filter(|_| plan.failure.is_none()) {
                        self.repeated_blocks.push(changes.new.geometry.blocks_count());
                        self.repeated_blocks.extend(settle(&changes, self.like)?);
                    }
                    self.stage = Stage::Forced(Smallest::new(fs.clone(), self.like)?);
                }
                Ok(None)
            }
            Stage::Forced(smallest) => Ok(match smallest.step()? {
                Step::More => None,
                Step::Done(forced_blocks) => {
                    let repeated_blocks = core::mem::take(&mut self.repeated_blocks);
                    Some(FoundSizes { repeated_blocks, forced_blocks })
                }
            }),
        }
    }

    /// Plans, of which the first run is one.
    fn progress(&self) -> Progress {
        match &self.stage {
            Stage::First(_) => Progress { cur: 0, max: 2 },
            Stage::Forced(smallest) => {
                let Progress { cur, max } = smallest.progress();
                Progress { cur: cur.saturating_add(1), max: max.saturating_add(1) }
            }
        }
    }
}
