//! All inodes and bitmaps: whose every block is, how all files lie, what was deleted.

use std::cmp::Reverse;
use std::ops::Deref;
use std::rc::Rc;

use extscope::Result;
use extscope::analysis::{DeletedScan, FileFrag, Inventory, InventoryScan};
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::report::{ClassReport, DeletedReport, FragReport, UsageReport};
use extscope::task::{Progress, Step, Task};

use super::Stepped;
use crate::protocol::{Reply, SurveyDetail};

/// Files, directories, users and deleted inodes that are told of in each list.
const MOST: usize = 500;

/// Deleted inodes gathered before the older ones are let go.
const GATHERED: usize = 20_000;

/// All inodes and bitmaps being gone through.
#[derive(Debug)]
pub(super) struct Surveying<F> {
    /// `None` once it is over.
    deleted_scan: Option<DeletedScan<F>>,
    deleted: Vec<DeletedReport>,
    deleted_count: u64,
    inventory: InventoryScan<F>,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Surveying<F> {
    /// Nothing is read yet.
    pub(super) fn new(fs: F) -> Self {
        Self {
            deleted_scan: Some(DeletedScan::new(fs.clone())),
            deleted: Vec::new(),
            deleted_count: 0,
            inventory: InventoryScan::new(fs, MOST),
        }
    }

    /// Does one step; at the end, leaves what was found in `found`.
    pub(super) fn step(&mut self, fs: &F, due: bool, found: &mut Option<Rc<Inventory>>) -> Stepped {
        match self.step_once() {
            Ok(Step::More) => Stepped::More(due.then(|| Reply::Surveying(self.progress()))),
            Ok(Step::Done(inventory)) => {
                let detail = self.detail(fs, &inventory);
                *found = Some(Rc::new(inventory));
                Stepped::Over(Reply::Surveyed(Ok(Box::new(detail))))
            }
            Err(error) => Stepped::Over(Reply::Surveyed(Err(error))),
        }
    }

    fn step_once(&mut self) -> Result<Step<Inventory>> {
        let Some(scan) = &mut self.deleted_scan else { return self.inventory.step() };
        let step = scan.step_with(&mut |deleted| {
            self.deleted_count = self.deleted_count.saturating_add(1);
            self.deleted.push(DeletedReport::from(&deleted));
        })?;
        let is_over = matches!(step, Step::Done(_));
        if is_over || self.deleted.len() > GATHERED {
            self.deleted.sort_by_key(|deleted| (Reverse(deleted.i_dtime), deleted.ino));
            self.deleted.truncate(MOST);
        }
        if is_over {
            self.deleted_scan = None;
        }
        Ok(Step::More)
    }

    /// Groups: gone through once for what was deleted, and four times for the inventory.
    fn progress(&self) -> Progress {
        let Progress { cur, max } = self.inventory.progress();
        let groups = max / 4;
        let deleted = self.deleted_scan.as_ref().map_or(groups, |scan| scan.progress().cur);
        Progress { cur: cur.saturating_add(deleted), max: max.saturating_add(groups) }
    }

    fn detail(&mut self, fs: &Filesystem<S>, found: &Inventory) -> SurveyDetail {
        let files = |files: &[FileFrag]| {
            let path = |frag: &FileFrag| found.names.path(frag.ino);
            let report =
                |frag: &FileFrag| FragReport::new(fs.geometry(), frag, path(frag).as_deref());
            files.iter().map(report).collect()
        };
        let map = &found.map;
        SurveyDetail {
            totals: found.totals.clone(),
            classes: ClassReport::of(map),
            usage: UsageReport::new(&found.usage, &found.names, MOST),
            scattered: files(&found.fragmented),
            largest: files(&found.largest),
            deleted: core::mem::take(&mut self.deleted),
            deleted_count: self.deleted_count,
            free_but_owned: map.free_but_owned().iter().map(|run| run.end - run.start).sum(),
            conflicts: map.conflicts().len() as u64,
            faults: map.fault_count(),
        }
    }
}
