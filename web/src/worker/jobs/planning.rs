//! What resize2fs would do for one size, and the names of the files that it would move.

use std::ops::Deref;

use extscope::Result;
use extscope::analysis::PathSearch;
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::lesson::ScanSpeed;
use extscope::report::{
    self, CostReport, EntryReport, FailureReport, PhaseReport, RefusalReport, ScanTimes,
    WarningReport,
};
use extscope::resize::{Changes, OwnedMove, Plan, Refusal, Request, ShrinkPlan, Touched};
use extscope::task::{Step, Task};
use extscope::units::Ino;
use extscope_picture::Shrunk;

use super::super::clock;
use super::Stepped;
use crate::protocol::{BitmapMoves, FileChange, PlanChanges, PlanDetail, Reply};

/// Parts of the disk that are drawn.
const PARTS: u32 = 5760;

/// Parts of the disk between which the blocks of a file are one stream.
const NEAR_PARTS: u32 = 720;

/// Streams that are drawn.
const STREAMS: usize = 400;

/// Rows that are told of each list.
const ROWS: usize = 20_000;

/// Files that are told with their paths.
const NAMED: usize = 2000;

/// Extents that are told of a file.
const EXTENTS: usize = 100;

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
        let refused = core::mem::take(&mut self.refused);
        let detail = match detail(plan, refused) {
            Ok(detail) => detail,
            Err(error) => return Stepped::Over(Reply::Planned { request, plan: Err(error) }),
        };
        let inos: Vec<Ino> = detail.changes.as_deref().map(named).unwrap_or_default();
        let reply = Reply::Planned { request, plan: Ok(Box::new(detail)) };
        if inos.is_empty() {
            return Stepped::Over(reply);
        }
        self.stage = Stage::Names(Box::new(PathSearch::new(fs.clone(), inos)));
        Stepped::More(Some(reply))
    }
}

/// The inodes whose paths are looked for: of each list the first.
fn named(changes: &PlanChanges) -> Vec<Ino> {
    let files = changes.files.iter().take(NAMED).map(|file| file.ino);
    let moves = changes.moves.iter().take(NAMED).map(|moved| moved.ino);
    let moved = changes.inode_moves.iter().take(NAMED).map(|moved| moved.from);
    let mut all: Vec<Ino> = files.chain(moves).chain(moved).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether the tool begins with `-f` alone. That also lets it go below the estimate, which a person
/// has to ask for.
fn is_for_force(plan: &Plan) -> bool {
    let is_mild = |refusal: &Refusal| {
        refusal.is_overridden_by_force() && !matches!(refusal, Refusal::BelowMinimum { .. })
    };
    !plan.request.force && !plan.refusals.is_empty() && plan.refusals.iter().all(is_mild)
}

fn detail(plan: &Plan, mut refused: Vec<RefusalReport>) -> Result<PlanDetail> {
    refused.extend(plan.refusals.iter().map(RefusalReport::new));
    let changes = plan.changes.as_deref().map(told).transpose()?;
    Ok(PlanDetail {
        request: plan.request,
        requested_blocks: plan.sizes.requested,
        final_blocks: plan.sizes.blocks.filter(|_| plan.refusals.is_empty()),
        refused,
        failure: plan.failure.map(FailureReport::new),
        warnings: WarningReport::of(plan),
        changes: changes.map(Box::new),
    })
}

/// What changes, of long lists the first part.
fn told(changes: &Changes) -> Result<PlanChanges> {
    let superblock = &changes.new.superblock;
    let (before, after) = changes.fill(PARTS);
    let mut files = changes.files_moved();
    let file_count = files.len() as u64;
    let dirs = || files.iter().filter(|file| file.is_dir);
    let dir_count = dirs().count() as u64;
    let dir_blocks = dirs().map(|file| file.blocks).fold(0, u64::saturating_add);
    files.truncate(ROWS);
    let mut moves = changes.moves_in_order();
    moves.truncate(ROWS);
    let cost = CostReport::new(changes);
    let bitmaps = |of_inodes: bool| {
        changes.bitmap_moves.iter().filter(|moved| moved.of_inodes == of_inodes).count() as u64
    };
    Ok(PlanChanges {
        phases: PhaseReport::of(changes),
        scans: ScanTimes::new(&cost.scans, ScanSpeed::measure(&clock::now)?),
        cost,
        free_blocks: superblock.free_blocks_count(),
        reserved_blocks: superblock.r_blocks_count(),
        free_inodes: superblock.s_free_inodes_count.get(),
        dropped_groups: changes.old.group_count().saturating_sub(changes.new.group_count()),
        before,
        after,
        streams: changes.streams(NEAR_PARTS, STREAMS),
        changed: changed(&changes.touched, &moves),
        files,
        file_count,
        dir_count,
        dir_blocks,
        moves,
        move_count: changes.owned.len() as u64,
        moved_blocks: changes.moved_blocks(),
        inode_moves: changes.inode_moves.iter().take(ROWS).copied().collect(),
        inode_count: changes.inode_moves.len() as u64,
        entries: changes.entries.iter().take(ROWS).map(EntryReport::from).collect(),
        entry_count: changes.entries.len() as u64,
        itable_moves: changes.itable_moves.iter().take(ROWS).copied().collect(),
        bitmap_moves: BitmapMoves { of_blocks: bitmaps(false), of_inodes: bitmaps(true) },
    })
}

/// Where the files of some moves lie, in order of their inodes.
fn changed(touched: &[Touched], moves: &[OwnedMove]) -> Vec<FileChange> {
    let mut inos: Vec<Ino> = moves.iter().map(|moved| moved.ino).collect();
    inos.sort_unstable();
    inos.dedup();
    let file = |ino: &Ino| {
        let at = touched.binary_search_by_key(ino, |file| file.old_ino).ok()?;
        let Touched { old_ino, new_ino, before, after, .. } = touched.get(at)?;
        Some(FileChange {
            ino: *old_ino,
            new_ino: *new_ino,
            before: before.extents.iter().take(EXTENTS).copied().collect(),
            before_count: before.extents.len() as u64,
            after: after.extents.iter().take(EXTENTS).copied().collect(),
            after_count: after.extents.len() as u64,
        })
    };
    inos.iter().filter_map(file).collect()
}
