//! Whose the block is that is pointed at.

use std::cell::Cell;
use std::rc::Rc;

use extscope::units::Fsblk;
use yew::prelude::*;

use crate::client::Engine;
use crate::protocol::{BlockReport, Reply, Request};

/// What was answered last, and of which block.
type Answer = Option<(Fsblk, Option<Rc<BlockReport>>)>;

/// Whose a block is, once the engine told. One question is on its way at a time, so that a pointer
/// that moves fast asks only as fast as it is answered.
#[hook]
pub(super) fn use_whose(engine: &Engine, wanted: Option<Fsblk>) -> Option<Rc<BlockReport>> {
    let answer = use_state(|| Answer::None);
    let asking = use_memo((), |()| Rc::new(Asking::default()));
    asking.wanted.set(wanted);
    {
        let (engine, asking, set) = (engine.clone(), Rc::clone(&asking), answer.setter());
        use_effect_with(wanted, move |_| ask(&engine, &asking, &set));
    }
    let (of, report) = (*answer).clone()?;
    report.filter(|_| wanted == Some(of))
}

#[derive(Default)]
struct Asking {
    wanted: Cell<Option<Fsblk>>,
    is_on_its_way: Cell<bool>,
}

fn ask(engine: &Engine, asking: &Rc<Asking>, set: &UseStateSetter<Answer>) {
    let Some(fsblk) = asking.wanted.get().filter(|_| !asking.is_on_its_way.get()) else { return };
    asking.is_on_its_way.set(true);
    let (again, state, set) = (engine.clone(), Rc::clone(asking), set.clone());
    let then = Callback::from(move |reply: Reply| {
        state.is_on_its_way.set(false);
        if let Reply::Whose(report) = reply {
            set.set(Some((fsblk, report.map(|report| Rc::new(*report)))));
        }
        if state.wanted.get() != Some(fsblk) {
            ask(&again, &state, &set);
        }
    });
    engine.ask_then(Request::Whose { fsblk }, then);
}
