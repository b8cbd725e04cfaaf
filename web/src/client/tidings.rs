//! Tidings that may wait a little for one another.
//!
//! Several workers tell what they found many times a second, and each change of the state has the
//! page drawn anew. What they tell within a tenth of a second becomes one change.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use yew::Callback;

use crate::state::Action;

/// Milliseconds that tidings wait, at most.
const WAIT: u32 = 100;

/// Tidings on their way to the state. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct Tidings(Rc<RefCell<Waiting>>);

#[derive(Default)]
struct Waiting {
    actions: Vec<Action>,
    /// `None` while nothing waits.
    timer: Option<Timeout>,
}

impl Tidings {
    /// Tells the state soon, together with what else is told until then.
    pub(super) fn tell(&self, action: Action, to: &Callback<Action>) {
        let mut waiting = self.0.borrow_mut();
        waiting.actions.push(action);
        if waiting.timer.is_some() {
            return;
        }
        let (this, to) = (Rc::downgrade(&self.0), to.clone());
        waiting.timer = Some(Timeout::new(WAIT, move || {
            let Some(this) = this.upgrade() else { return };
            let Waiting { actions, .. } = this.take();
            // Changes within one task are drawn once.
            actions.into_iter().for_each(|action| to.emit(action));
        }));
    }
}
