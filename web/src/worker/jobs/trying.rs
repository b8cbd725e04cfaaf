//! Something tried in the lab: bits turned round in memory, and what a check says of it.

use extscope::check::{Check, CheckOptions};
use extscope::fs::{Filesystem, OpenOptions};
use extscope::io::{ByteSource, KindCount, Overlay};
use extscope::lesson::Lab;
use extscope::scenario::{Recipe, Scenario};
use extscope::task::{Step, Task};
use extscope::{Error, ErrorKind, Result};

use super::Stepped;
use crate::protocol::{LabOn, LabOrder, LabReport, Reply};
use crate::worker::Vitals;

/// Most blocks and most inodes of an image that things are tried on: a check of them is over before
/// the person is.
const MOST: (u64, u32) = (1 << 20, 1 << 16);

/// Something being tried.
pub(super) struct Trying<S> {
    order: LabOrder,
    on: On<S>,
}

/// What it is tried on.
enum On<S> {
    Bench(Box<Bench<Scenario>>),
    Image(Box<Bench<S>>),
}

/// A filesystem with changes, and its check.
struct Bench<S> {
    filesystem: Filesystem<Overlay<S>>,
    check: Check<Overlay<S>>,
}

impl<S> core::fmt::Debug for Trying<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Trying").field("order", &self.order).finish_non_exhaustive()
    }
}

impl<S: ByteSource + Clone> Trying<S> {
    /// Makes the changes; nothing is checked yet.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] for an image that is too large, [`ErrorKind::Unsupported`] for one that is
    /// open from a backup superblock, and those of [`Lab::covers`].
    pub(super) fn new(image: &Filesystem<S>, order: LabOrder, vitals: Vitals) -> Result<Self> {
        let options = CheckOptions { now: vitals.time, ..CheckOptions::default() };
        let on = match order.on {
            LabOn::Bench(bench) => {
                let scenario = Scenario::new(&bench.recipe().parse::<Recipe>()?)?;
                let filesystem = Filesystem::open(scenario, OpenOptions::default())?;
                On::Bench(Box::new(Bench::new(&filesystem, &order.lab, options)?))
            }
            LabOn::Image => {
                let geometry = image.geometry();
                if geometry.blocks_count() > MOST.0 || geometry.inodes_count() > MOST.1 {
                    let what = format!(
                        "the lab takes images of at most {} blocks and {} inodes",
                        MOST.0, MOST.1
                    );
                    return Err(Error::new(ErrorKind::Limit, what)
                        .with_hint("Choose a made-up filesystem."));
                }
                if image.is_from_backup() {
                    let what = "the lab takes no image that is open from a backup superblock";
                    return Err(Error::new(ErrorKind::Unsupported, what)
                        .with_hint("Choose a made-up filesystem."));
                }
                On::Image(Box::new(Bench::new(image, &order.lab, options)?))
            }
        };
        Ok(Self { order, on })
    }

    /// Goes on checking; tells what came of it at the end.
    pub(super) fn step(&mut self, image: &Filesystem<S>) -> Stepped {
        let stepped = match &mut self.on {
            On::Bench(bench) => bench.step(&self.order.lab),
            On::Image(bench) => {
                let stepped = bench.step(&self.order.lab);
                if !matches!(stepped, Ok(None)) {
                    let read = bench.check.read();
                    read.into_iter()
                        .for_each(|KindCount { kind, count }| image.meter().add(kind, count));
                }
                stepped
            }
        };
        match stepped.transpose() {
            None => Stepped::More(None),
            Some(report) => Stepped::Over(Reply::Tried {
                order: Box::new(self.order.clone()),
                report: report.map(Box::new),
            }),
        }
    }
}

impl<S: ByteSource + Clone> Bench<S> {
    fn new(filesystem: &Filesystem<S>, lab: &Lab, options: CheckOptions) -> Result<Self> {
        let source = filesystem.reader().source().clone();
        let overlay = Overlay::new(source, lab.covers(filesystem)?);
        Ok(Self {
            filesystem: Filesystem::open(overlay.clone(), OpenOptions::default())?,
            check: Check::new(overlay, options),
        })
    }

    fn step(&mut self, lab: &Lab) -> Result<Option<LabReport>> {
        let Step::Done(check) = self.check.step()? else { return Ok(None) };
        let fs = &self.filesystem;
        let gone = || Error::corrupt("the group is gone").at_group(lab.group);
        LabReport::new(fs, lab.group, check).ok_or_else(gone).map(Some)
    }
}
