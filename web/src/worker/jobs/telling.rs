//! A shrink or a check, told step by step on a filesystem small enough for that.

use std::rc::Rc;

use extscope::check::{Check, CheckOptions};
use extscope::fs::{Filesystem, Geometry, OpenOptions};
use extscope::io::{ByteSource, Overlay};
use extscope::lesson::Bench;
use extscope::limits;
use extscope::report::{FailureReport, RefusalReport};
use extscope::resize::{Frame, Like, Plan, Request, ShrinkPlan, Target, minimum};
use extscope::scenario::{Recipe, Scenario};
use extscope::task::{Step, Task};
use extscope::{Error, ErrorKind, Result};

use super::Stepped;
use crate::protocol::{LabOn, LabOrder, Reply, StepsOrder, StepsReport, Told};
use crate::worker::Vitals;

/// What is being told.
pub(super) struct Telling<S> {
    order: StepsOrder,
    on: On<S>,
}

/// What it is told of.
enum On<S> {
    Made(Work<Scenario>),
    Image(Work<S>),
}

/// The engine at work, and the sizes of the filesystem.
enum Work<S> {
    Shrink(Box<ShrinkPlan<Rc<Filesystem<S>>>>, Geometry),
    Check(Box<Check<Overlay<S>>>, Geometry),
}

impl<S> core::fmt::Debug for Telling<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Telling").field("order", &self.order).finish_non_exhaustive()
    }
}

impl<S: ByteSource + Clone> Telling<S> {
    /// Nothing is worked out yet.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] for an image that is too large, [`ErrorKind::Unsupported`] for one that is
    /// open from a backup superblock, those of [`Frame::of`] and of
    /// [`Lab::covers`](extscope::lesson::Lab::covers).
    pub(super) fn new(
        image: &Rc<Filesystem<S>>,
        order: StepsOrder,
        vitals: Vitals,
    ) -> Result<Self> {
        let recipe = match &order {
            StepsOrder::Shrink { of_image, .. } => (!of_image).then_some(Bench::SHRUNK),
            StepsOrder::Check(LabOrder { on: LabOn::Bench(bench), .. }) => Some(bench.recipe()),
            StepsOrder::Check(LabOrder { on: LabOn::Image, .. }) => None,
        };
        let on = match recipe {
            Some(recipe) => {
                let scenario = Scenario::new(&recipe.parse::<Recipe>()?)?;
                let made = Filesystem::open(scenario, OpenOptions::default())?;
                On::Made(Work::new(&Rc::new(made), &order, vitals)?)
            }
            None => {
                refuse(image)?;
                On::Image(Work::new(image, &order, vitals)?)
            }
        };
        Ok(Self { order, on })
    }

    /// Goes on; tells all steps at the end.
    pub(super) fn step(&mut self) -> Stepped {
        let stepped = match &mut self.on {
            On::Made(work) => work.step(),
            On::Image(work) => work.step(),
        };
        match stepped.transpose() {
            None => Stepped::More(None),
            Some(report) => Stepped::Over(Reply::Steps {
                order: Box::new(self.order.clone()),
                report: report.map(Box::new),
            }),
        }
    }
}

/// Refuses an image that cannot be told of step by step.
fn refuse<S: ByteSource>(image: &Filesystem<S>) -> Result<()> {
    let geometry = image.geometry();
    let clusters = geometry.blocks_count() / u64::from(geometry.blocks_per_cluster());
    let hint = "Choose a made-up filesystem.";
    if clusters > limits::STEP_CLUSTERS || u64::from(geometry.inodes_count()) > limits::STEP_INODES
    {
        let what = format!(
            "step by step goes on images of at most {} clusters and {} inodes",
            limits::STEP_CLUSTERS,
            limits::STEP_INODES
        );
        return Err(Error::new(ErrorKind::Limit, what).with_hint(hint));
    }
    if image.is_from_backup() {
        let what = "an image that is open from a backup superblock is not gone through";
        return Err(Error::new(ErrorKind::Unsupported, what).with_hint(hint));
    }
    Ok(())
}

impl<S: ByteSource + Clone> Work<S> {
    fn new(fs: &Rc<Filesystem<S>>, order: &StepsOrder, vitals: Vitals) -> Result<Self> {
        let geometry = *fs.geometry();
        Ok(match order {
            StepsOrder::Shrink { percent, .. } => {
                let wanted = geometry.blocks_count() / 100 * u64::from(*percent);
                let target = Target::Blocks(wanted.max(minimum(&Frame::of(&**fs)?).blocks));
                let request = Request { target, force: true, like: Like::default() };
                Self::Shrink(Box::new(ShrinkPlan::new(Rc::clone(fs), request)), geometry)
            }
            StepsOrder::Check(order) => {
                let options = CheckOptions { now: vitals.time, ..CheckOptions::default() };
                let source = fs.reader().source().clone();
                let overlay = Overlay::new(source, order.lab.covers(fs)?);
                Self::Check(Box::new(Check::new(overlay, options).recorded()), geometry)
            }
        })
    }

    fn step(&mut self) -> Result<Option<StepsReport>> {
        let (told, geometry) = match self {
            Self::Shrink(plan, geometry) => {
                let Step::Done(plan) = plan.step()? else { return Ok(None) };
                (Told::Shrink(shrink_steps(&plan)?), geometry)
            }
            Self::Check(check, geometry) => {
                let Step::Done(_) = check.step()? else { return Ok(None) };
                let none = || Error::corrupt("the check could not begin");
                (Told::Check(check.take_steps().ok_or_else(none)?), geometry)
            }
        };
        Ok(Some(StepsReport::new(geometry, told)))
    }
}

/// The steps of a plan, or why there is none.
fn shrink_steps(plan: &Plan) -> Result<extscope::resize::ShrinkSteps> {
    let refused =
        |message: String, hint: String| Error::new(ErrorKind::Unsupported, message).with_hint(hint);
    if let Some(refusal) = plan.refusals.first().map(RefusalReport::new) {
        return Err(refused(refusal.message, refusal.remedy));
    }
    match (&plan.changes, plan.failure) {
        (Some(changes), _) => changes.steps(),
        (None, Some(failure)) => {
            let report = FailureReport::new(failure);
            Err(refused(report.message, "Choose another size.".to_owned()))
        }
        (None, None) => Err(Error::corrupt("there is nothing to shrink")),
    }
}
