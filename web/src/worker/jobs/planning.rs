//! What resize2fs would do for one size, and the names of the files that it would move.

use std::ops::Deref;

use extscope::analysis::PathSearch;
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::report::{
    self, CostReport, FailureReport, PhaseReport, RefusalReport, WarningReport,
};
use extscope::resize::{Changes, Plan, Refusal, Request, ShrinkPlan};
use extscope::task::{Step, Task};
use extscope::units::Ino;
use extscope_picture::Shrunk;

use super::Stepped;
use crate::protocol::{PlanChanges, PlanDetail, Reply};

/// Parts of the disk that are drawn.
const PARTS: u32 = 720;

/// Streams that are drawn.
const STREAMS: usize = 400;

/// Rows that are told of each list.
const ROWS: usize = 20_000;

/// Files that are told with their paths.
const NAMED: usize = 2000;

/// A plan being worked out.
#[derive(Debug)]
pub(super) struct Planning<F> {
    /// What was asked for.
    asked: Request,
    stage: Stage<F>,
    /// Why the tool would not begin without `-f`, once that is known.
    refused: Vec<RefusalReport>,
}

#[derive(Debug)]
enum Stage<F> {
    Plan(Box<ShrinkPlan<F>>),
    Names(Box<PathSearch<F>>),
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Planning<F> {
    /// Nothing is read yet.
    pub(super) fn new(fs: F, request: Request) -> Self {
        let stage = Stage::Plan(Box::new(ShrinkPlan::new(fs, request)));
        Self { asked: request, stage, refused: Vec::new() }
    }

    /// Goes on planning; tells of the plan first, which it leaves in `found`, and in the end of
    /// names.
    pub(super) fn step(
        &mut self,
        fs: &F,
        due: bool,
        found: &mut Option<(Request, Shrunk)>,
    ) -> Stepped {
        let request = self.asked;
        let error = match &mut self.stage {
            Stage::Plan(plan) => match plan.step() {
                Ok(Step::More) => {
                    let progress = plan.progress();
                    return Stepped::More(due.then_some(Reply::Planning { request, progress }));
                }
                Ok(Step::Done(plan)) => return self.planned(fs, &plan, found),
                Err(error) => error,
            },
            Stage::Names(search) => match search.step() {
                Ok(Step::More) => return Stepped::More(None),
                Ok(Step::Done(paths)) => {
                    let paths = paths.iter().map(|(ino, path)| (*ino, report::escaped(path)));
                    return Stepped::Over(Reply::PlanPaths(paths.collect()));
                }
                Err(error) => error,
            },
        };
        Stepped::Over(Reply::Planned { request, plan: Err(error) })
    }

    /// Tells of a plan. Where the tool would not begin, but would with `-f`, that is planned.
    fn planned(&mut self, fs: &F, plan: &Plan, found: &mut Option<(Request, Shrunk)>) -> Stepped {
        let request = self.asked;
        if is_for_force(plan) {
            self.refused = plan.refusals.iter().map(RefusalReport::new).collect();
            let forced = ShrinkPlan::new(fs.clone(), Request { force: true, ..request });
            self.stage = Stage::Plan(Box::new(forced));
            return Stepped::More(None);
        }
        *found = plan.changes.as_deref().map(|changes| (request, Shrunk::from(changes)));
        let detail = detail(plan, core::mem::take(&mut self.refused));
        let inos: Vec<Ino> = detail.changes.as_deref().map(named).unwrap_or_default();
        let reply = Reply::Planned { request, plan: Ok(Box::new(detail)) };
        if inos.is_empty() {
            return Stepped::Over(reply);
        }
        self.stage = Stage::Names(Box::new(PathSearch::new(fs.clone(), inos)));
        Stepped::More(Some(reply))
    }
}

/// The inodes whose paths are looked for.
fn named(changes: &PlanChanges) -> Vec<Ino> {
    let files = changes.files.iter().take(NAMED).map(|file| file.ino);
    let moved = changes.inode_moves.iter().take(NAMED).map(|moved| moved.from);
    files.chain(moved).collect()
}

/// Whether the tool begins with `-f` alone. That also lets it go below the estimate, which a person
/// has to ask for.
fn is_for_force(plan: &Plan) -> bool {
    let is_mild = |refusal: &Refusal| {
        refusal.is_overridden_by_force() && !matches!(refusal, Refusal::BelowMinimum { .. })
    };
    !plan.request.force && !plan.refusals.is_empty() && plan.refusals.iter().all(is_mild)
}

fn detail(plan: &Plan, mut refused: Vec<RefusalReport>) -> PlanDetail {
    refused.extend(plan.refusals.iter().map(RefusalReport::new));
    PlanDetail {
        request: plan.request,
        requested_blocks: plan.sizes.requested,
        final_blocks: plan.sizes.blocks.filter(|_| plan.refusals.is_empty()),
        refused,
        failure: plan.failure.map(FailureReport::new),
        warnings: WarningReport::of(plan),
        changes: plan.changes.as_deref().map(|changes| Box::new(told(changes))),
    }
}

fn told(changes: &Changes) -> PlanChanges {
    let superblock = &changes.new.superblock;
    let (before, after) = changes.fill(PARTS);
    let mut files = changes.files_moved();
    let file_count = files.len() as u64;
    files.truncate(ROWS);
    PlanChanges {
        phases: PhaseReport::of(changes),
        cost: CostReport::new(changes),
        free_blocks: superblock.free_blocks_count(),
        reserved_blocks: superblock.r_blocks_count(),
        free_inodes: superblock.s_free_inodes_count.get(),
        dropped_groups: changes.old.group_count().saturating_sub(changes.new.group_count()),
        before,
        after,
        streams: changes.streams(PARTS, STREAMS),
        files,
        file_count,
        moves: changes.owned.iter().take(ROWS).copied().collect(),
        move_count: changes.owned.len() as u64,
        moved_blocks: changes.moved_blocks(),
        inode_moves: changes.inode_moves.iter().take(ROWS).copied().collect(),
        inode_count: changes.inode_moves.len() as u64,
        itable_moves: changes.itable_moves.iter().take(ROWS).copied().collect(),
    }
}
