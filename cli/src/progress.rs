//! Progress of long work, on standard error where a person looks at it.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use extscope::report::grouped;
use extscope::task::{Progress, Step, Task};

/// How long work goes on before anything is shown, and how often it is shown then.
const EVERY: Duration = Duration::from_millis(500);

/// A line of progress that is written over and over; nothing where standard error is no terminal.
#[derive(Debug)]
pub(crate) struct Shown {
    label: &'static str,
    last: Instant,
    is_terminal: bool,
    is_there: bool,
}

impl Shown {
    /// Shows nothing yet.
    pub(crate) fn new(label: &'static str) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        Self { label, last: Instant::now(), is_terminal, is_there: false }
    }

    /// Likewise for work that writes as it goes: nothing where standard output is a terminal, too.
    pub(crate) fn beside_output(label: &'static str) -> Self {
        let shown = Self::new(label);
        Self { is_terminal: shown.is_terminal && !std::io::stdout().is_terminal(), ..shown }
    }

    /// Shows how far the work is, unless that was shown just now.
    pub(crate) fn tell(&mut self, words: impl FnOnce() -> String) {
        if !self.is_terminal || self.last.elapsed() < EVERY {
            return;
        }
        self.last = Instant::now();
        self.is_there = true;
        // A closed terminal is no reason to stop.
        let _ = write!(std::io::stderr(), "\r\x1b[K{}: {}", self.label, words());
    }

    /// Shows how far a task is.
    pub(crate) fn tell_progress(&mut self, progress: Progress) {
        self.tell(|| match (progress.cur * 100).checked_div(progress.max) {
            Some(percent) => format!("{percent} %"),
            None => grouped(progress.cur),
        });
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if self.is_there {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
            self.is_there = false;
        }
    }
}

/// Steps a task to its end and shows how far it is.
pub(crate) fn run_to_end<T: Task>(label: &'static str, mut task: T) -> extscope::Result<T::Output> {
    let mut shown = Shown::new(label);
    loop {
        let step = task.step();
        if let Ok(Step::More) = step {
            shown.tell_progress(task.progress());
            continue;
        }
        shown.clear();
        if let Step::Done(output) = step? {
            return Ok(output);
        }
    }
}
