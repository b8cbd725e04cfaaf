//! What `e2fsck -fn` would report, pass by pass, and what it would not get to.
//!
//! *Belongs here:* judging: what contradicts itself or something else, where, and what it means.
//! *Does not:* mending, and words beyond those of the table of problems. *May use:* layers 0 to 3.
//! *Reference:* e2fsck 1.47.0; `problem` holds all its codes.
//!
//! Each pass is a file or a few, opens with what it checks and leaves, and does its work in steps.
//! To add a check: find its row in [`problem`], and in the pass that it belongs to, where e2fsck
//! would notice, call `ctx.sink.tell(Problem::new(PR_…).ino(…))?`. The `?` ends a run that is to
//! be like e2fsck where that gives up; a thorough one goes on. Nothing is ever mended, so later
//! passes see what is on the disk, as after `-n`.

#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]

mod ahead;
mod bad_blocks;
mod bad_inode;
mod block_map;
mod blocks;
mod claims;
mod context;
mod counts;
mod coverage;
mod descs;
mod dir_block;
mod dir_entry;
mod dirs;
mod end;
mod extent_node;
mod extents;
mod finding;
mod form;
mod htree;
mod htree_root;
mod inline_data;
mod inode;
mod inode_kind;
mod journal;
mod journal_device;
mod mmp;
mod open;
mod overlaps;
mod pass0;
mod pass1;
mod pass1_shared;
mod pass2;
mod pass3;
mod pass4;
mod pass5;
mod places;
pub mod problem;
mod quota;
mod report;
mod reserved_inode;
mod resize_inode;
mod sanity;
mod scan;
mod sink;
mod steps;
mod tables;
mod xattr_block;
mod xattr_region;

pub use claims::Claim;
pub use coverage::{Coverage, NOT_YET, coverage};
pub use finding::Problem;
pub use form::Form;
pub use places::places;
pub use problem::{Code, Pass, Reach, Severity};
pub use report::{CheckOutcome, CheckReport, CodeCount, LikeE2fsck, Summary, Verdict};
pub use sink::Mode;
pub use steps::{CheckMaps, CheckStep, CheckSteps, ClusterUse, InodeKnown, InodeUse};

use claims::Unmarked;
use context::Context;
use descs::Descs;
use pass1::Pass1;
use pass1_shared::Shared;
use pass2::Pass2;
use pass3::Pass3;
use pass4::Pass4;
use pass5::Pass5;
use quota::Quota;
use sink::{Flow, Halt, Sink};
use steps::Recorder;

use crate::error::{Error, ErrorKind, Result};
use crate::fs::OpenOptions;
use crate::io::{ByteSource, KindCount};
use crate::task::{Progress, Step, Task};

/// How to check.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions {
    /// How far to go.
    pub mode: Mode,
    /// Now, in seconds since 1970; without it no time is taken to lie in the future.
    pub now: Option<u64>,
    /// Which superblock to check from, as with `e2fsck -b` and `-B`.
    pub from: OpenOptions,
    /// The source is as after the journal's replay; the report says so.
    pub is_replayed: bool,
}

/// Checks the filesystem of a source.
///
/// Progress counts what the pass at work goes through; [`Check::pass`] says which it is.
///
/// # Errors
/// [`ErrorKind::Limit`] when memory does not suffice. Whatever else is wrong is a problem, not an
/// error.
pub struct Check<S> {
    options: CheckOptions,
    /// The device with the journal.
    journal: Option<S>,
    stage: Stage<S>,
    /// What was read by the time it was over.
    read: Vec<KindCount>,
    /// The steps by the time it was over, where they were wanted.
    steps: Option<CheckSteps>,
}

enum Stage<S> {
    Start(S, Sink),
    Running(Box<Context<S>>, Work),
    Over,
}

/// What is done next.
enum Work {
    Superblock,
    Descs(Descs),
    Pass1(Box<Pass1>),
    Shared(Shared),
    Pass2(Pass2),
    Pass3(Pass3),
    Pass4(Pass4),
    Pass5(Pass5),
    Unmarked(Unmarked),
    End,
    Quota(Box<Quota>),
}

impl<S: ByteSource + Clone> Check<S> {
    /// Nothing is read yet.
    pub fn new(source: S, options: CheckOptions) -> Self {
        let stage = Stage::Start(source, Sink::new(options.mode));
        Self { options, journal: None, stage, read: Vec::new(), steps: None }
    }

    /// With the device that holds the journal, as with `e2fsck -j`; without it, that of a filesystem
    /// with its journal elsewhere is missing.
    #[must_use]
    pub fn with_journal(self, device: S) -> Self {
        Self { journal: Some(device), ..self }
    }

    /// Taking down what each pass leaves for the next.
    #[must_use]
    pub fn recorded(mut self) -> Self {
        if let Stage::Start(_, sink) = &mut self.stage {
            sink.recorder = Recorder::recording();
        }
        self
    }

    /// What each pass left for the next, once the check is over; `None` where it was not to be taken
    /// down, or nothing could be opened.
    pub fn take_steps(&mut self) -> Option<CheckSteps> {
        self.steps.take()
    }

    /// The pass at work.
    pub fn pass(&self) -> Pass {
        match &self.stage {
            Stage::Running(_, work) => work.pass(),
            Stage::Start(..) | Stage::Over => Pass::Zero,
        }
    }

    /// The problems found so far, from one of them on, in the order in which they were found; none
    /// any more once the report is made.
    pub fn problems_from(&self, first: usize) -> &[Problem] {
        self.sink().and_then(|sink| sink.problems.get(first..)).unwrap_or_default()
    }

    /// How often each code was found so far, by code; likewise.
    pub fn counts(&self) -> Vec<CodeCount> {
        self.sink().map(report::counts).unwrap_or_default()
    }

    /// What was read so far, by kind.
    pub fn read(&self) -> Vec<KindCount> {
        match &self.stage {
            Stage::Running(ctx, _) => ctx.fs.meter().by_kind(),
            Stage::Start(..) | Stage::Over => self.read.clone(),
        }
    }

    fn sink(&self) -> Option<&Sink> {
        match &self.stage {
            Stage::Start(_, sink) => Some(sink),
            Stage::Running(ctx, _) => Some(&ctx.sink),
            Stage::Over => None,
        }
    }

    fn report(&self, ctx: &Context<S>) -> CheckReport {
        CheckReport::new(&self.options, &ctx.sink, Some(ctx))
    }

    /// Opens the filesystem; or the report of what stands in the way.
    fn start(&mut self, source: &S, mut sink: Sink) -> Flow<Result<Box<Context<S>>, CheckReport>> {
        match open::open(source, self.options.from, &mut sink) {
            Ok(opened) => {
                let now = self.options.now;
                let mut ctx = Context::new(opened.fs, sink, now, opened.used_backup);
                ctx.journal_device = self.journal.take();
                ctx.is_replayed = self.options.is_replayed;
                Ok(Ok(Box::new(ctx)))
            }
            Err(Halt::GaveUp) => Ok(Err(CheckReport::new::<S>(&self.options, &sink, None))),
            Err(failed) => Err(failed),
        }
    }
}

impl Work {
    fn pass(&self) -> Pass {
        match self {
            Self::Superblock | Self::Descs(_) => Pass::Zero,
            Self::Pass1(_) => Pass::One,
            Self::Shared(_) => Pass::OneB,
            Self::Pass2(_) => Pass::Two,
            Self::Pass3(_) => Pass::Three,
            Self::Pass4(_) => Pass::Four,
            Self::Pass5(_) | Self::Unmarked(_) => Pass::Five,
            Self::End | Self::Quota(_) => Pass::End,
        }
    }

    /// Does one step; `None` when all is done.
    fn step<S: ByteSource>(self, ctx: &mut Context<S>) -> Flow<Option<Self>> {
        Ok(Some(match self {
            Self::Superblock => {
                mmp::check(ctx)?;
                journal::check(ctx)?;
                pass0::check_features(ctx)?;
                ctx.sink.mark_valid();
                pass0::check(ctx)?;
                Self::Descs(Descs::default())
            }
            Self::Descs(mut descs) => {
                if !descs.step(ctx)? {
                    return Ok(Some(Self::Descs(descs)));
                }
                pass0::check_times_and_quota(ctx)?;
                let is_readable = resize_inode::check(ctx)?;
                ctx.sink.mark_valid();
                Self::Pass1(Box::new(Pass1::new(ctx, is_readable)))
            }
            Self::Pass1(mut pass1) => {
                if !pass1.step(ctx)? {
                    return Ok(Some(Self::Pass1(pass1)));
                }
                Self::Shared(Shared::default())
            }
            Self::Shared(mut shared) => {
                if !shared.step(ctx)? {
                    return Ok(Some(Self::Shared(shared)));
                }
                Self::Pass2(Pass2::new(ctx))
            }
            Self::Pass2(mut pass2) => {
                if !pass2.step(ctx)? {
                    return Ok(Some(Self::Pass2(pass2)));
                }
                Self::Pass3(Pass3::new(ctx)?)
            }
            Self::Pass3(mut pass3) => {
                if !pass3.step(ctx)? {
                    return Ok(Some(Self::Pass3(pass3)));
                }
                Self::Pass4(Pass4::default())
            }
            Self::Pass4(mut pass4) => {
                if !pass4.step(ctx)? {
                    return Ok(Some(Self::Pass4(pass4)));
                }
                Self::Pass5(Pass5::new(ctx))
            }
            Self::Pass5(mut pass5) => {
                if !pass5.step(ctx)? {
                    return Ok(Some(Self::Pass5(pass5)));
                }
                match ctx.sink.mode() {
                    Mode::Thorough => Self::Unmarked(Unmarked::new(ctx)),
                    Mode::LikeE2fsck => Self::End,
                }
            }
            Self::Unmarked(mut unmarked) => {
                if !unmarked.step(ctx)? {
                    return Ok(Some(Self::Unmarked(unmarked)));
                }
                Self::End
            }
            Self::End => {
                end::check(ctx)?;
                Self::Quota(Box::new(Quota::new(ctx)))
            }
            Self::Quota(mut quota) => {
                if quota.step(ctx)? {
                    return Ok(None);
                }
                Self::Quota(quota)
            }
        }))
    }

    fn progress<S: ByteSource>(&self, ctx: &Context<S>) -> Progress {
        match self {
            Self::Superblock | Self::End | Self::Quota(_) => Progress::default(),
            Self::Descs(descs) => of_groups(descs.done(), ctx),
            Self::Pass1(pass1) => of_groups(pass1.done(), ctx),
            Self::Shared(shared) => of_groups(shared.done(), ctx),
            Self::Unmarked(unmarked) => of_groups(unmarked.done(), ctx),
            Self::Pass2(pass2) => of(pass2.progress()),
            Self::Pass3(pass3) => of(pass3.progress()),
            Self::Pass4(pass4) => of((pass4.done(), u64::from(ctx.geometry().inodes_count()))),
            Self::Pass5(pass5) => of((pass5.done(ctx), 2 * u64::from(ctx.fs.groups().len()))),
        }
    }
}

fn of((cur, max): (u64, u64)) -> Progress {
    Progress { cur, max }
}

fn of_groups<S: ByteSource>(done: u32, ctx: &Context<S>) -> Progress {
    Progress { cur: u64::from(done), max: u64::from(ctx.fs.groups().len()) }
}

impl<S: ByteSource + Clone> Task for Check<S> {
    type Output = CheckReport;

    fn step(&mut self) -> Result<Step<CheckReport>> {
        let failed = |halt| match halt {
            Halt::Failed(error) => error,
            Halt::GaveUp => Error::new(ErrorKind::Cancelled, "the check is already over"),
        };
        match core::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Start(source, sink) => match self.start(&source, sink).map_err(failed)? {
                Ok(ctx) => self.stage = Stage::Running(ctx, Work::Superblock),
                Err(report) => return Ok(Step::Done(report)),
            },
            Stage::Running(mut ctx, work) => {
                ctx.sink.recorder.pass(work.pass());
                match work.step(&mut ctx) {
                    Ok(Some(work)) => self.stage = Stage::Running(ctx, work),
                    Err(Halt::Failed(error)) if error.kind() == ErrorKind::Limit => {
                        return Err(error);
                    }
                    Ok(None) | Err(Halt::GaveUp | Halt::Failed(_)) => {
                        self.read = ctx.fs.meter().by_kind();
                        self.steps = ctx.take_steps();
                        return Ok(Step::Done(self.report(&ctx)));
                    }
                }
            }
            Stage::Over => return Err(failed(Halt::GaveUp)),
        }
        Ok(Step::More)
    }

    fn progress(&self) -> Progress {
        match &self.stage {
            Stage::Running(ctx, work) => work.progress(ctx),
            Stage::Start(..) | Stage::Over => Progress::default(),
        }
    }
}
