//! Words past those in between.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

/// What one component tells another, more often than it is worth drawing those between them anew.
/// Clones are the same.
pub(crate) struct Aside<T: 'static>(Rc<RefCell<Option<Callback<Option<T>>>>>);

impl<T> Default for Aside<T> {
    fn default() -> Self {
        Self(Rc::default())
    }
}

impl<T> Clone for Aside<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> PartialEq for Aside<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Aside<T> {
    /// Tells whoever listens.
    pub(crate) fn speaker(&self) -> Callback<Option<T>> {
        let this = self.clone();
        Callback::from(move |value| {
            let listener = this.0.borrow().clone();
            if let Some(listener) = listener {
                listener.emit(value);
            }
        })
    }
}

/// What was told last.
#[hook]
pub(crate) fn use_aside<T: Clone + PartialEq + 'static>(aside: &Aside<T>) -> Option<T> {
    let heard = use_state_eq(|| None::<T>);
    let listen = heard.setter();
    use_effect_with(aside.clone(), move |aside| {
        *aside.0.borrow_mut() = Some(Callback::from(move |value| listen.set(value)));
        let aside = aside.clone();
        move || *aside.0.borrow_mut() = None
    });
    (*heard).clone()
}
