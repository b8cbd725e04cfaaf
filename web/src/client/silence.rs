//! Notices when a worker that has something to do says nothing.
//!
//! Workers tell how far they are several times a second. One that does not may wait for a disk
//! that sleeps, a drive that was pulled out, or for ever; only the person can tell.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use yew::Callback;

use crate::state::Action;

/// Milliseconds between two looks.
const EVERY: u32 = 2000;
/// Milliseconds without a word that are a silence.
const LONG: f64 = 8000.0;

/// Listens to workers, known by numbers. Clones are the same listener.
#[derive(Clone, Default)]
pub(super) struct Silence(Rc<RefCell<Listening>>);

#[derive(Default)]
struct Listening {
    heard: Heard,
    /// The next look; `None` while nobody has anything to do.
    timer: Option<Timeout>,
}

impl Silence {
    /// `worker` said something.
    pub(super) fn heard(&self, worker: u32) {
        self.0.borrow_mut().heard.heard(worker, now());
    }

    /// Looks from time to time whether one of those `at_work` is silent, and tells when that
    /// changes; until nobody is at work. To be called whenever somebody is given something to do.
    pub(super) fn watch(&self, at_work: Rc<dyn Fn() -> Vec<u32>>, tell: Callback<Action>) {
        if self.0.borrow().timer.is_some() {
            return;
        }
        let this = self.clone();
        let timer = Timeout::new(EVERY, move || {
            let workers = at_work();
            let news = {
                let mut listening = this.0.borrow_mut();
                listening.timer = None;
                listening.heard.look(&workers, now())
            };
            if let Some(is_silent) = news {
                tell.emit(Action::Silent(is_silent));
            }
            if !workers.is_empty() {
                this.watch(at_work, tell);
            }
        });
        self.0.borrow_mut().timer = Some(timer);
    }
}

fn now() -> f64 {
    let performance = web_sys::window().and_then(|window| window.performance());
    performance.map_or(0.0, |performance| performance.now())
}

/// When each worker was heard last, in milliseconds.
#[derive(Debug, Default)]
struct Heard {
    last: BTreeMap<u32, f64>,
    is_silent: bool,
}

impl Heard {
    fn heard(&mut self, worker: u32, now: f64) {
        self.last.insert(worker, now);
    }

    /// Whether there is a silence, if that changed since the last look. Who was not at work the
    /// last time has time from now on.
    fn look(&mut self, at_work: &[u32], now: f64) -> Option<bool> {
        self.last.retain(|worker, _| at_work.contains(worker));
        let mut is_silent = false;
        for worker in at_work {
            is_silent |= now - *self.last.entry(*worker).or_insert(now) >= LONG;
        }
        (core::mem::replace(&mut self.is_silent, is_silent) != is_silent).then_some(is_silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silence_is_told_once_and_its_end_too() {
        let mut heard = Heard::default();
        assert_eq!(heard.look(&[1, 2], 0.0), None);
        heard.heard(1, 7000.0);
        assert_eq!(heard.look(&[1, 2], 9000.0), Some(true), "the other one was not heard");
        assert_eq!(heard.look(&[1, 2], 11_000.0), None);
        heard.heard(2, 11_500.0);
        assert_eq!(heard.look(&[1, 2], 12_000.0), Some(false));
    }

    #[test]
    fn who_has_nothing_to_do_may_be_silent() {
        let mut heard = Heard::default();
        heard.heard(1, 0.0);
        assert_eq!(heard.look(&[], 50_000.0), None);
        assert_eq!(heard.look(&[1], 60_000.0), None, "it has only just begun");
        assert_eq!(heard.look(&[1], 69_000.0), Some(true));
        assert_eq!(heard.look(&[], 70_000.0), Some(false));
    }
}
