//! The sweep over the bitmaps of the open image, by workers that share nothing.

use std::rc::Rc;

use extscope::{Error, ErrorKind};

use super::super::plan::Plan;
use super::{Image, Inner, Worker};
use crate::protocol::{Opened, Reply, Request};
use crate::state::Action;

/// Workers that sweep, at most: they share one disk and one browser process that reads from it.
const MOST_SWEEPERS: u32 = 2;

/// Workers that come to an image in all, at most: one that breaks them all shall not go on for ever.
const MOST_PLACES: u32 = 12;

/// The sweep over the bitmaps of the open image.
pub(super) struct Sweeping {
    pub(super) plan: Plan,
    /// Those who do nothing else; none where the image is small, then who answers sweeps.
    pub(super) sweepers: Vec<Worker>,
    /// Places at the image that were taken so far.
    pub(super) places: u32,
    /// Why a part failed last.
    pub(super) error: Option<Error>,
}

/// The parts of an image that was opened.
pub(super) fn new_plan(opened: &Opened) -> Plan {
    Plan::new(Rc::clone(&opened.groups), opened.geometry.groups_per_flex())
}

impl Inner {
    pub(super) fn with_sweep(&self, act: impl FnOnce(&mut Sweeping)) {
        if let Some(sweeping) = &mut *self.sweeping.borrow_mut() {
            act(sweeping);
        }
    }

    pub(super) fn place_of_sweeper(&self, number: u32) -> Option<u32> {
        let sweeping = self.sweeping.borrow();
        let mut sweepers = sweeping.iter().flat_map(|sweeping| &sweeping.sweepers);
        sweepers.find(|worker| worker.number == number).map(|worker| worker.place)
    }

    /// Sends the same to everyone who sweeps, or may.
    pub(super) fn tell_sweepers(&self, request: &Request) {
        let (sweeping, active) = (self.sweeping.borrow(), self.active.borrow());
        let Some(sweeping) = &*sweeping else { return };
        for worker in sweeping.sweepers.iter().chain(&*active) {
            // One that cannot be reached says so by itself.
            let _ = self.send(worker, request.clone(), None);
        }
    }

    /// Begins to sweep the image that was opened.
    pub(super) fn begin_sweep(self: &Rc<Self>) {
        let parts = self.sweeping.borrow().as_ref().map_or(0, |sweeping| sweeping.plan.count());
        let cores = web_sys::window().map_or(1.0, |it| it.navigator().hardware_concurrency());
        let most = MOST_SWEEPERS.min(cores as u32).max(1).min(parts);
        // What a journal puts over the image is known to the worker that replayed it alone.
        let replayed = self.image.borrow().as_ref().is_some_and(|image| image.replayed);
        let sweepers = if parts > 1 && !replayed { most } else { 0 };
        for _ in 0..sweepers {
            self.add_sweeper();
        }
        self.hand_out();
        self.watch();
    }

    /// Lets one more worker join, if the browser can start one.
    pub(super) fn add_sweeper(self: &Rc<Self>) {
        let Ok(mut worker) = self.spare.take().map_or_else(|| self.spawn(), Ok) else { return };
        let Some(Image { origin, superblock, .. }) = self.image.borrow().clone() else { return };
        self.with_sweep(|sweeping| {
            worker.place = sweeping.places;
            if self.send(&worker, Request::Join { superblock }, Some(&origin)).is_ok() {
                sweeping.places = sweeping.places.saturating_add(1);
                sweeping.sweepers.push(worker);
            }
        });
    }

    /// Takes away a worker that broke, and lets another one join unless none would come.
    pub(super) fn sweeper_broke(self: &Rc<Self>, number: u32, text: String, would_come: bool) {
        let mut broken = None;
        self.with_sweep(|sweeping| {
            sweeping.plan.failed(number);
            broken = sweeping.sweepers.extract_if(.., |worker| worker.number == number).next();
            let what = Error::new(ErrorKind::Io, "the worker that read bitmaps broke");
            sweeping.error = Some(what.with_cause(&text));
        });
        if let Some(worker) = broken {
            let epoch = self.epoch.get();
            let ended = Action::WorkerEnded { epoch, worker: worker.place, broke: Some(text) };
            self.dispatch.emit(ended);
        }
        let places = self.sweeping.borrow().as_ref().map_or(0, |sweeping| sweeping.places);
        if would_come && places < MOST_PLACES {
            self.add_sweeper();
        }
        self.hand_out();
    }

    /// Gives parts to those who have none, and ends the sweep when there are none left.
    pub(super) fn hand_out(self: &Rc<Self>) {
        let mut is_over = false;
        self.with_sweep(|sweeping| {
            let active = self.active.borrow();
            let active = active.iter().filter(|_| sweeping.sweepers.is_empty());
            for worker in sweeping.sweepers.iter().chain(active) {
                for request in sweeping.plan.next(worker.number).into_iter().flatten() {
                    // One that cannot be reached says so by itself.
                    let _ = self.send(worker, request, None);
                }
            }
            is_over = sweeping.plan.is_over();
        });
        if is_over {
            self.end_sweep();
        }
    }

    /// Lets go of those who swept, and tells what could not be swept.
    pub(super) fn end_sweep(self: &Rc<Self>) {
        let Some(sweeping) = self.sweeping.take() else { return };
        let epoch = self.epoch.get();
        for worker in &sweeping.sweepers {
            let ended = Action::WorkerEnded { epoch, worker: worker.place, broke: None };
            self.dispatch.emit(ended);
        }
        if let (Some(error), false) = (sweeping.error, sweeping.plan.lost().is_empty()) {
            self.dispatch.emit(Action::Replied { epoch, reply: Reply::SweepFailed(error) });
        }
        self.warm_spare();
    }
}
