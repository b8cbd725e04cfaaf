//! All inodes and bitmaps: whose every block is, and how all files lie.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

use extscope::analysis::{FileFrag, FragTotals, Medium, NameScan, Names, OwnerMap, Survey};
use extscope::fs::{Filesystem, Geometry};
use extscope::io::ByteSource;
use extscope::report::{ClassReport, FragReport};
use extscope::task::{Progress, Step, Task};

use super::Stepped;
use crate::protocol::{OwnerUse, Reply, SurveyDetail};

/// Files that are told of in each list.
const TOP: usize = 500;

/// Files gathered before the lists are cut again.
const GATHERED: usize = 20_000;

/// What the survey found, kept to tell whose a block is.
#[derive(Debug)]
pub(in crate::worker) struct Owners {
    /// Every block.
    pub(in crate::worker) map: OwnerMap,
    /// The first name of every inode.
    pub(in crate::worker) names: Names,
}

/// All inodes and bitmaps being gone through.
#[derive(Debug)]
pub(super) struct Surveying<F> {
    stage: Stage<F>,
    files: Vec<FileFrag>,
    totals: FragTotals,
    uids: BTreeMap<u32, OwnerUse>,
}

#[derive(Debug)]
enum Stage<F> {
    Survey(Box<Survey<F>>),
    Names(Box<NameScan<F>>, Box<OwnerMap>),
    Over,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Surveying<F> {
    /// Nothing is read yet.
    pub(super) fn new(fs: F) -> Self {
        Self {
            stage: Stage::Survey(Box::new(Survey::new(fs))),
            files: Vec::new(),
            totals: FragTotals::default(),
            uids: BTreeMap::new(),
        }
    }

    /// Does one step; at the end, leaves what was found in `owners`.
    pub(super) fn step(&mut self, fs: &F, due: bool, owners: &mut Option<Rc<Owners>>) -> Stepped {
        let Self { stage, files, totals, uids } = self;
        let stepped = match core::mem::replace(stage, Stage::Over) {
            Stage::Survey(mut survey) => {
                let step = survey.step_with(&mut |inode, frag| {
                    totals.add(frag);
                    if frag.is_internal {
                        return;
                    }
                    let of_uid = uids.entry(inode.raw.uid()).or_default();
                    of_uid.files = of_uid.files.saturating_add(1);
                    let blocks = frag.blocks.saturating_add(frag.nodes);
                    of_uid.blocks = of_uid.blocks.saturating_add(blocks);
                    if frag.blocks > 0 {
                        files.push(*frag);
                    }
                });
                step.map(|step| match step {
                    Step::More => *stage = Stage::Survey(survey),
                    Step::Done(map) => {
                        let names = Box::new(NameScan::new(fs.clone()));
                        *stage = Stage::Names(names, Box::new(map));
                    }
                })
            }
            Stage::Names(mut scan, map) => match scan.step() {
                Ok(Step::More) => {
                    *stage = Stage::Names(scan, map);
                    Ok(())
                }
                Ok(Step::Done(names)) => {
                    let found = Rc::new(Owners { map: *map, names });
                    let detail = self.detail(fs, &found);
                    *owners = Some(found);
                    return Stepped::Over(Reply::Surveyed(Ok(Box::new(detail))));
                }
                Err(error) => Err(error),
            },
            Stage::Over => Ok(()),
        };
        if let Err(error) = stepped {
            return Stepped::Over(Reply::Surveyed(Err(error)));
        }
        if self.files.len() > GATHERED {
            self.cut(fs.geometry());
        }
        Stepped::More(due.then(|| Reply::Surveying(self.progress(fs))))
    }

    /// Groups, gone through three times by the survey and once for the names.
    fn progress(&self, fs: &F) -> Progress {
        let groups = u64::from(fs.groups().len());
        let (cur, max) = (3 * groups, 4 * groups);
        match &self.stage {
            Stage::Survey(survey) => Progress { cur: survey.progress().cur, max },
            Stage::Names(scan, _) => Progress { cur: cur + scan.progress().cur, max },
            Stage::Over => Progress { cur: max, max },
        }
    }

    /// Leaves out the files that are in no list.
    fn cut(&mut self, geometry: &Geometry) {
        let mut kept = top(&self.files, |a, b| b.blocks.cmp(&a.blocks));
        kept.extend(top(&self.files, |a, b| slower(geometry, a, b)));
        kept.sort_by_key(|frag| frag.ino);
        kept.dedup();
        self.files = kept;
    }

    fn detail(&self, fs: &F, owners: &Owners) -> SurveyDetail {
        let geometry = fs.geometry();
        let report = |frag: &FileFrag| {
            FragReport::new(geometry, frag, owners.names.path(frag.ino).as_deref())
        };
        let scattered = self.files.iter().filter(|frag| frag.extents > 1).copied();
        let scattered: Vec<FileFrag> = scattered.collect();
        let uses = self.uids.iter().map(|(uid, of_uid)| OwnerUse { uid: *uid, ..*of_uid });
        let mut uids: Vec<OwnerUse> = uses.collect();
        uids.sort_by_key(|of_uid| core::cmp::Reverse(of_uid.blocks));
        let free_but_owned = owners.map.free_but_owned();
        SurveyDetail {
            totals: self.totals.clone(),
            classes: ClassReport::of(&owners.map),
            uids,
            scattered: top(&scattered, |a, b| slower(geometry, a, b)).iter().map(report).collect(),
            largest: top(&self.files, |a, b| b.blocks.cmp(&a.blocks)).iter().map(report).collect(),
            free_but_owned: free_but_owned.iter().map(|run| run.end - run.start).sum(),
            conflicts: owners.map.conflicts().len() as u64,
            faults: owners.map.fault_count(),
        }
    }
}

fn slower(geometry: &Geometry, a: &FileFrag, b: &FileFrag) -> core::cmp::Ordering {
    let slowdown = |frag: &FileFrag| frag.slowdown(geometry, Medium::DISK);
    slowdown(b).total_cmp(&slowdown(a)).then(b.extents.cmp(&a.extents))
}

/// The first files in an order; the lower number, where they are the same.
fn top(
    files: &[FileFrag],
    order: impl Fn(&FileFrag, &FileFrag) -> core::cmp::Ordering,
) -> Vec<FileFrag> {
    let mut sorted = files.to_vec();
    sorted.sort_by(|a, b| order(a, b).then(a.ino.cmp(&b.ino)));
    sorted.truncate(TOP);
    sorted
}
