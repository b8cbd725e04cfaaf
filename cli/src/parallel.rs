//! A sweep by several threads.
//!
//! Each thread sweeps parts of the groups for itself; they share the opened filesystem, which is
//! only read. A part at which a thread fails, even by a panic, goes to another one.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use extscope::analysis::{Sweep, SweepOptions, Swept};
use extscope::fs::{Filesystem, NextPart, Part, Parts, split_groups};
use extscope::io::ByteSource;
use extscope::task::Step;

/// Parts for each thread, so that the last one to finish is not far behind.
const PARTS_A_THREAD: u32 = 4;

/// What came of the parts.
#[derive(Debug)]
pub(crate) struct Outcome<T> {
    /// One result a part that was done; in no order.
    pub(crate) results: Vec<T>,
    /// Groups whose bitmap could not be had.
    pub(crate) failed: u64,
    /// Why, for the first one.
    pub(crate) first_failure: Option<extscope::Error>,
    /// Groups of parts at which every try failed.
    pub(crate) lost: Vec<Range<u32>>,
}

/// Sweeps all groups: `start` makes a result for a part, `see` adds a bitmap to it.
pub(crate) fn sweep<S, T>(
    filesystem: &Filesystem<S>,
    threads: u32,
    options: &SweepOptions,
    start: impl Fn() -> T + Sync,
    see: impl Fn(&mut T, Swept<'_>) + Sync,
) -> Outcome<T>
where
    S: ByteSource + Sync,
    T: Send,
{
    let groups = 0..filesystem.groups().len();
    let flex = filesystem.geometry().groups_per_flex();
    let parts = split_groups(groups, flex, threads.saturating_mul(PARTS_A_THREAD));
    let shared = Shared::new(Parts::new(parts));
    let work = |part: &Part| {
        let mut result = start();
        let options = SweepOptions { groups: part.groups.clone(), ..options.clone() };
        let mut sweep = Sweep::new(filesystem, options)?;
        while sweep.step_with(&mut |swept| see(&mut result, swept))? == Step::More {}
        let failure = sweep.failures().first().map(|(_, _, error)| error.clone());
        Ok((result, sweep.failed(), failure))
    };
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| shared.run(work));
        }
    });
    shared.finish()
}

/// What the threads share.
struct Shared<T> {
    state: Mutex<(Parts, Outcome<T>)>,
    /// A part was done or given back.
    changed: Condvar,
}

impl<T: Send> Shared<T> {
    fn new(parts: Parts) -> Self {
        let outcome =
            Outcome { results: Vec::new(), failed: 0, first_failure: None, lost: Vec::new() };
        Self { state: Mutex::new((parts, outcome)), changed: Condvar::new() }
    }

    /// Takes parts until there are no more.
    fn run(&self, work: impl Fn(&Part) -> extscope::Result<(T, u64, Option<extscope::Error>)>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match state.0.take() {
                NextPart::End => break,
                NextPart::Wait => {
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                NextPart::Take(part) => {
                    drop(state);
                    let result = catch_unwind(AssertUnwindSafe(|| work(&part)));
                    state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                    let (parts, outcome) = &mut *state;
                    match result {
                        Ok(Ok((result, failed, failure))) => {
                            parts.done();
                            outcome.results.push(result);
                            outcome.failed = outcome.failed.saturating_add(failed);
                            outcome.first_failure = outcome.first_failure.take().or(failure);
                        }
                        Ok(Err(error)) => {
                            parts.failed(part);
                            outcome.first_failure = outcome.first_failure.take().or(Some(error));
                        }
                        Err(_) => parts.failed(part),
                    }
                    self.changed.notify_all();
                }
            }
        }
    }

    fn finish(self) -> Outcome<T> {
        let (parts, outcome) = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let lost: Vec<_> = parts.lost().collect();
        // A part that was done at another try failed at nothing.
        let has_failed = outcome.failed > 0 || !lost.is_empty();
        let first_failure = outcome.first_failure.filter(|_| has_failed);
        Outcome { lost, first_failure, ..outcome }
    }
}
