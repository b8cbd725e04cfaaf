//! Work of the engine and what came of it.

use std::rc::Rc;

use extscope::Error;
use extscope::task::Progress;

/// Work of the engine and what came of it.
#[derive(Clone, Debug, Default)]
pub enum Work<T> {
    /// It was not asked for.
    #[default]
    Idle,
    /// It is being done.
    Going(Progress),
    /// It is done.
    Here(Rc<T>),
    /// It cannot be done.
    Failed(Error),
}

impl<T> Work<T> {
    /// What came of it.
    #[must_use]
    pub fn here(&self) -> Option<&Rc<T>> {
        match self {
            Self::Here(result) => Some(result),
            _ => None,
        }
    }

    /// Takes in how far it is, unless it was stopped meanwhile.
    pub(super) fn go_on(&mut self, progress: Progress) {
        if let Self::Going(known) = self {
            *known = progress;
        }
    }

    /// Takes in what came of it, unless it was stopped meanwhile.
    pub(super) fn end(&mut self, result: Result<Box<T>, Error>) {
        if let Self::Going(_) = self {
            *self = match result {
                Ok(result) => Self::Here(Rc::from(result)),
                Err(error) => Self::Failed(error),
            };
        }
    }
}

/// Results are compared by address: they are replaced, never changed.
impl<T> PartialEq for Work<T> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Idle, Self::Idle) => true,
            (Self::Going(a), Self::Going(b)) => a == b,
            (Self::Here(a), Self::Here(b)) => Rc::ptr_eq(a, b),
            (Self::Failed(a), Self::Failed(b)) => a == b,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stopped_takes_in_nothing_more() {
        let mut work: Work<u32> = Work::Idle;
        work.go_on(Progress { cur: 1, max: 2 });
        work.end(Ok(Box::new(7)));
        assert_eq!(work, Work::Idle);
        work = Work::Going(Progress::default());
        work.go_on(Progress { cur: 1, max: 2 });
        assert_eq!(work, Work::Going(Progress { cur: 1, max: 2 }));
        work.end(Ok(Box::new(7)));
        assert_eq!(work.here().map(|result| **result), Some(7));
    }
}
