//! All inodes and bitmaps: whose every block is, and how all files lie.

use std::ops::Deref;
use std::rc::Rc;

use extscope::analysis::{FileFrag, Inventory, InventoryScan};
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::report::{ClassReport, FragReport, UsageReport};
use extscope::task::{Step, Task};

use super::Stepped;
use crate::protocol::{Reply, SurveyDetail};

/// Files, directories and users that are told of in each list.
const MOST: usize = 500;

/// All inodes and bitmaps being gone through.
#[derive(Debug)]
pub(super) struct Surveying<F>(InventoryScan<F>);

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Surveying<F> {
    /// Nothing is read yet.
    pub(super) fn new(fs: F) -> Self {
        Self(InventoryScan::new(fs, MOST))
    }

    /// Does one step; at the end, leaves what was found in `found`.
    pub(super) fn step(&mut self, fs: &F, due: bool, found: &mut Option<Rc<Inventory>>) -> Stepped {
        match self.0.step() {
            Ok(Step::More) => Stepped::More(due.then(|| Reply::Surveying(self.0.progress()))),
            Ok(Step::Done(inventory)) => {
                let detail = detail(fs, &inventory);
                *found = Some(Rc::new(inventory));
                Stepped::Over(Reply::Surveyed(Ok(Box::new(detail))))
            }
            Err(error) => Stepped::Over(Reply::Surveyed(Err(error))),
        }
    }
}

fn detail<S: ByteSource>(fs: &Filesystem<S>, found: &Inventory) -> SurveyDetail {
    let files = |files: &[FileFrag]| {
        let path = |frag: &FileFrag| found.names.path(frag.ino);
        files
            .iter()
            .map(|frag| FragReport::new(fs.geometry(), frag, path(frag).as_deref()))
            .collect()
    };
    let map = &found.map;
    SurveyDetail {
        totals: found.totals.clone(),
        classes: ClassReport::of(map),
        usage: UsageReport::new(&found.usage, &found.names, MOST),
        scattered: files(&found.fragmented),
        largest: files(&found.largest),
        free_but_owned: map.free_but_owned().iter().map(|run| run.end - run.start).sum(),
        conflicts: map.conflicts().len() as u64,
        faults: map.fault_count(),
    }
}
