//! The steps of an algorithm, each of which can be gone to.

use super::{Meter, Tally, Watch};
use crate::limits;

/// A step, and all work up to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<A> {
    /// What was done.
    pub act: A,
    /// All work so far, this step's included.
    pub tally: Tally,
}

/// The steps of an algorithm in order, as many as [`limits::LESSON_STEPS`].
///
/// What holds after a step follows from the steps up to it, so going back is as exact as going on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course<A> {
    steps: Vec<Step<A>>,
    is_cut: bool,
}

impl<A: Copy> Course<A> {
    /// Runs an algorithm and keeps its steps.
    pub fn record(run: impl FnOnce(&mut Recorder<A>)) -> Self {
        let mut recorder =
            Recorder { meter: Meter::default(), course: Self { steps: Vec::new(), is_cut: false } };
        run(&mut recorder);
        recorder.course
    }

    /// How many steps there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no step.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether the algorithm went on after the last step here.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The first `count` steps, or all.
    #[must_use]
    pub fn until(&self, count: usize) -> &[Step<A>] {
        self.steps.get(..count).unwrap_or(&self.steps)
    }

    /// What was done last in the first `count` steps.
    #[must_use]
    pub fn at(&self, count: usize) -> Option<A> {
        self.until(count).last().map(|step| step.act)
    }

    /// The work of the first `count` steps.
    #[must_use]
    pub fn tally(&self, count: usize) -> Tally {
        self.until(count).last().map_or(Tally::NONE, |step| step.tally)
    }

    /// How many steps lead to the end of the first one after `count` that is an event, or to the
    /// end.
    pub fn next_event(&self, count: usize, is_event: impl Fn(&A) -> bool) -> usize {
        let later = self.steps.get(count..).unwrap_or_default();
        let event = later.iter().position(|step| is_event(&step.act));
        event.map_or(self.len(), |at| count + at + 1)
    }
}

/// Keeps the steps of the algorithm that it watches.
#[derive(Debug)]
pub struct Recorder<A> {
    meter: Meter,
    course: Course<A>,
}

impl<A> Watch<A> for Recorder<A> {
    fn work(&mut self, work: Tally) {
        Watch::<A>::work(&mut self.meter, work);
    }

    fn load(&mut self, at: u64, bytes: u64, loads: u64) {
        Watch::<A>::load(&mut self.meter, at, bytes, loads);
    }

    fn act(&mut self, act: A) {
        if self.course.steps.len() < limits::LESSON_STEPS {
            self.course.steps.push(Step { act, tally: self.meter.tally });
        } else {
            self.course.is_cut = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Course<u8> {
        Course::record(|watch| {
            for act in [1, 2, 3] {
                watch.work(Tally::branches(u64::from(act)));
                watch.act(act);
            }
        })
    }

    #[test]
    fn what_holds_after_a_step_is_the_same_from_both_sides() {
        let course = three();
        let forth: Vec<_> = (0..=3).map(|n| (course.at(n), course.tally(n).branches)).collect();
        assert_eq!(forth, [(None, 0), (Some(1), 1), (Some(2), 3), (Some(3), 6)]);
        let back = (0..=3).rev().map(|n| (course.at(n), course.tally(n).branches));
        assert!(back.eq(forth.into_iter().rev()));
        assert_eq!(course.at(99), Some(3));
    }

    #[test]
    fn the_next_event_is_gone_to_or_else_the_end() {
        let course = three();
        let even = |act: &u8| act.is_multiple_of(2);
        assert_eq!([0, 1, 2, 3, 9].map(|n| course.next_event(n, even)), [2, 2, 3, 3, 3]);
    }

    #[test]
    fn a_course_that_is_too_long_is_cut_and_says_so() {
        let course = Course::record(|watch| (0..=limits::LESSON_STEPS).for_each(|n| watch.act(n)));
        assert_eq!((course.len(), course.is_cut()), (limits::LESSON_STEPS, true));
    }
}
