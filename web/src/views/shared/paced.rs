//! Values that change more often than it is worth following them.

use gloo_timers::callback::Timeout;
use yew::prelude::*;

/// `value`, followed no more often than every `ms` milliseconds.
#[hook]
pub(crate) fn use_paced<T: Clone + PartialEq + 'static>(value: &T, ms: u32) -> T {
    let shown = use_state_eq(|| value.clone());
    let latest = use_mut_ref(|| value.clone());
    let timer = use_mut_ref(|| None::<Timeout>);
    let set_shown = shown.setter();
    use_effect_with(value.clone(), move |value| {
        latest.replace(value.clone());
        if timer.borrow().is_none() {
            let waiting = timer.clone();
            timer.replace(Some(Timeout::new(ms, move || {
                waiting.replace(None);
                set_shown.set(latest.borrow().clone());
            })));
        }
    });
    (*shown).clone()
}

/// Calls `act` with `value` once that has not changed for `ms` milliseconds.
#[hook]
pub(crate) fn use_settled<T: Clone + PartialEq + 'static>(
    value: T,
    ms: u32,
    act: impl FnOnce(T) + 'static,
) {
    use_effect_with(value, move |value| {
        let value = value.clone();
        let timer = Timeout::new(ms, move || act(value));
        // What changes before starts anew.
        move || drop(timer)
    });
}
