//! Long work in steps, so that a worker can breathe, report and be stopped without threads.

use serde::{Deserialize, Serialize};

use crate::error::Result;

/// What one step left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<T> {
    /// There is more to do.
    More,
    /// The work is done, and this is what it made.
    Done(T),
}

/// How far a task is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Units done.
    pub cur: u64,
    /// Units in all; 0 while unknown.
    pub max: u64,
}

/// Work that is done in steps of a few milliseconds each.
pub trait Task {
    /// What the work makes.
    type Output;

    /// Does one step.
    ///
    /// # Errors
    /// Whatever keeps the whole task from going on; after it the task is not stepped again.
    fn step(&mut self) -> Result<Step<Self::Output>>;

    /// How far the task is, in units of its own.
    fn progress(&self) -> Progress;
}

/// Steps a task until it is done.
///
/// # Errors
/// The error of the step that failed.
pub fn run_to_end<T: Task>(mut task: T) -> Result<T::Output> {
    loop {
        if let Step::Done(output) = task.step()? {
            return Ok(output);
        }
    }
}
