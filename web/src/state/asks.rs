//! What the state wants to have asked of the engine.

use std::rc::Rc;

use crate::protocol::Request;

/// Questions in the order in which they came up, each with a number of its own, so that each is
/// asked once.
#[derive(Clone, Debug, Default)]
pub struct Asks {
    next: u64,
    waiting: Rc<Vec<(u64, Request)>>,
}

impl Asks {
    /// Has a question asked.
    pub fn push(&mut self, request: Request) {
        Rc::make_mut(&mut self.waiting).push((self.next, request));
        self.next = self.next.saturating_add(1);
    }

    /// The questions that were not asked yet when `first` was the number of the next one.
    pub fn from(&self, first: u64) -> impl Iterator<Item = &Request> {
        self.waiting.iter().filter(move |(number, _)| *number >= first).map(|(_, request)| request)
    }

    /// The number of the next question.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Forgets the questions before a number: they were asked.
    pub fn forget(&mut self, before: u64) {
        if self.waiting.first().is_some_and(|(number, _)| *number < before) {
            Rc::make_mut(&mut self.waiting).retain(|(number, _)| *number >= before);
        }
    }
}

impl PartialEq for Asks {
    fn eq(&self, other: &Self) -> bool {
        self.next == other.next && self.waiting.len() == other.waiting.len()
    }
}
