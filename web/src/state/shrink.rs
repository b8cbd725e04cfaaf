//! Making the filesystem smaller: the sizes that are known, and the plan that is looked at.

use std::collections::HashMap;
use std::rc::Rc;

use extscope::Error;
use extscope::task::Progress;
use extscope::units::Ino;

use super::{Asks, Work};
use crate::protocol::{FoundSizes, Like, MinimumReport, PlanDetail, Request, ShrinkRequest};

/// Making the filesystem smaller.
#[derive(Clone, Debug, Default)]
pub struct Shrink {
    /// The smallest size that resize2fs estimates.
    pub minimum: Work<MinimumReport>,
    /// What shrinks come to.
    pub sizes: Work<FoundSizes>,
    /// Like which version of resize2fs they were asked for.
    sizes_like: Option<Like>,
    /// The plan that came last.
    pub plan: Option<Rc<PlanDetail>>,
    /// What that plan was asked for.
    pub planned: Option<ShrinkRequest>,
    /// Paths of files that the plan moves, as far as they are known.
    pub paths: Rc<HashMap<Ino, String>>,
    /// The plan that is being worked out, and how far it is.
    pub going: Option<(ShrinkRequest, Progress)>,
    /// Why the last plan could not be worked out.
    pub failed: Option<Error>,
}

impl Shrink {
    /// The plan of a request, once it is there.
    #[must_use]
    pub fn exact(&self, request: ShrinkRequest) -> Option<&Rc<PlanDetail>> {
        self.plan.as_ref().filter(|_| self.planned == Some(request))
    }

    /// What shrinks come to like a version of resize2fs; those like another are no answer.
    #[must_use]
    pub fn sizes_like(&self, like: Like) -> Work<FoundSizes> {
        if self.sizes_like == Some(like) { self.sizes.clone() } else { Work::Idle }
    }

    /// Asks for the estimate, which needs no reading.
    pub(super) fn ask_minimum(&mut self, asks: &mut Asks) {
        self.minimum = Work::Going(Progress::default());
        asks.push(Request::Minimum);
    }

    /// Looks for the sizes that shrinks come to, or stops that.
    pub(super) fn ask_sizes(&mut self, like: Option<Like>, asks: &mut Asks) {
        let going = Work::Going(Progress::default());
        self.sizes = if like.is_some() { going } else { Work::Idle };
        self.sizes_like = like;
        asks.push(Request::Sizes(like));
    }

    /// Plans a shrink, unless that is known or on its way; or stops planning.
    pub(super) fn ask_plan(&mut self, request: Option<ShrinkRequest>, asks: &mut Asks) {
        let is_going = self.going.is_some_and(|(going, _)| Some(going) == request);
        let is_here = self.planned.is_some() && self.planned == request;
        if is_going || (is_here && self.going.is_none()) {
            return;
        }
        // A plan that is no longer wanted is dropped even where the one wanted is here already.
        let request = request.filter(|_| !is_here);
        self.going = request.map(|request| (request, Progress::default()));
        if request.is_some() {
            self.failed = None;
        }
        asks.push(Request::Plan(request));
    }

    /// Takes in how far the search for sizes is, unless others are looked for meanwhile.
    pub(super) fn sizing(&mut self, like: Like, progress: Progress) {
        if self.sizes_like == Some(like) {
            self.sizes.go_on(progress);
        }
    }

    /// Takes in what shrinks come to, unless other sizes are looked for meanwhile.
    pub(super) fn sized(&mut self, like: Like, sizes: Result<Box<FoundSizes>, Error>) {
        if self.sizes_like == Some(like) {
            self.sizes.end(sizes);
        }
    }

    /// Takes in how far a plan is, unless another was asked for meanwhile.
    pub(super) fn planning(&mut self, request: ShrinkRequest, progress: Progress) {
        if let Some((_, known)) = self.going.as_mut().filter(|(going, _)| *going == request) {
            *known = progress;
        }
    }

    /// Takes in a plan, unless another was asked for meanwhile.
    pub(super) fn take(&mut self, request: ShrinkRequest, plan: Result<Box<PlanDetail>, Error>) {
        if self.going.is_none_or(|(going, _)| going != request) {
            return;
        }
        self.going = None;
        match plan {
            Ok(plan) => {
                (self.plan, self.planned) = (Some(Rc::from(plan)), Some(request));
            }
            Err(error) => self.failed = Some(error),
        }
    }

    /// Takes in the names of files; a file keeps its name, whatever is planned.
    pub(super) fn named(&mut self, paths: Vec<(Ino, String)>) {
        Rc::make_mut(&mut self.paths).extend(paths);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Target;

    fn request(blocks: u64) -> ShrinkRequest {
        ShrinkRequest { target: Target::Blocks(blocks), force: false, like: Like::default() }
    }

    fn plan(blocks: u64) -> Box<PlanDetail> {
        Box::new(PlanDetail {
            request: request(blocks),
            requested_blocks: blocks,
            final_blocks: Some(blocks),
            refused: Vec::new(),
            failure: None,
            warnings: Vec::new(),
            changes: None,
        })
    }

    fn asked(asks: &Asks) -> Vec<Request> {
        asks.from(0).cloned().collect()
    }

    #[test]
    fn only_the_plan_that_was_asked_for_last_is_taken() {
        let (mut shrink, mut asks) = (Shrink::default(), Asks::default());
        shrink.ask_plan(Some(request(100)), &mut asks);
        shrink.ask_plan(Some(request(100)), &mut asks);
        shrink.ask_plan(Some(request(90)), &mut asks);
        shrink.take(request(100), Ok(plan(100)));
        shrink.planning(request(100), Progress { cur: 7, max: 9 });
        assert!(shrink.plan.is_none());
        assert_eq!(shrink.going, Some((request(90), Progress::default())));
        shrink.take(request(90), Ok(plan(90)));
        assert_eq!(shrink.exact(request(90)).and_then(|plan| plan.final_blocks), Some(90));
        assert!(shrink.exact(request(100)).is_none());
        let due = [Request::Plan(Some(request(100))), Request::Plan(Some(request(90)))];
        assert_eq!(asked(&asks), due);
    }

    #[test]
    fn going_back_to_the_plan_that_is_here_stops_the_other() {
        let (mut shrink, mut asks) = (Shrink::default(), Asks::default());
        shrink.ask_plan(Some(request(90)), &mut asks);
        shrink.take(request(90), Ok(plan(90)));
        shrink.ask_plan(Some(request(80)), &mut asks);
        shrink.ask_plan(Some(request(90)), &mut asks);
        assert!(shrink.going.is_none() && shrink.exact(request(90)).is_some());
        assert_eq!(asked(&asks).last(), Some(&Request::Plan(None)));
    }

    #[test]
    fn a_plan_that_fails_leaves_the_one_before() {
        let (mut shrink, mut asks) = (Shrink::default(), Asks::default());
        shrink.ask_plan(Some(request(90)), &mut asks);
        shrink.take(request(90), Ok(plan(90)));
        shrink.ask_plan(Some(request(80)), &mut asks);
        shrink.take(request(80), Err(Error::corrupt("no")));
        assert_eq!(shrink.failed, Some(Error::corrupt("no")));
        assert!(shrink.exact(request(90)).is_some());
    }
}
