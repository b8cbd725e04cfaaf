//! Big data among properties.

use std::ops::Deref;
use std::rc::Rc;

/// Shared data that is compared by address: what is replaced and never changed need not be read
/// to be told apart.
pub(crate) struct Address<T>(Rc<T>);

impl<T> PartialEq for Address<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Clone for Address<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> Deref for Address<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<&Rc<T>> for Address<T> {
    fn from(shared: &Rc<T>) -> Self {
        Self(Rc::clone(shared))
    }
}
