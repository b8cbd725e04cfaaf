//! A check of the filesystem, from its superblock on.

use core::ops::Range;

use extscope::check::{Check, CheckOptions, Mode, Pass, places};
use extscope::fs::Filesystem;
use extscope::io::{ByteSource, KindCount, ReadCount};
use extscope::task::{Step, Task};

use super::Stepped;
use crate::protocol::{CheckPart, Reply};
use crate::worker::Vitals;

/// A check at work.
pub(super) struct Checking<S> {
    run: u32,
    check: Check<S>,
    /// Milliseconds that each pass took so far.
    times: Vec<(Pass, f64)>,
    /// When the last step began.
    since: f64,
    /// Problems that were told of.
    told: usize,
    /// Reads that the image's meter knows of.
    noted: Vec<KindCount>,
}

impl<S> core::fmt::Debug for Checking<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Checking").field("times", &self.times).finish_non_exhaustive()
    }
}

impl<S: ByteSource + Clone> Checking<S> {
    /// Nothing is read yet. The check opens the image for itself, as e2fsck would.
    pub(super) fn new(fs: &Filesystem<S>, run: u32, options: CheckOptions, now: f64) -> Self {
        Self {
            run,
            check: Check::new(fs.reader().source().clone(), options),
            times: Vec::new(),
            since: now,
            told: 0,
            noted: Vec::new(),
        }
    }

    /// Goes on checking; tells what was found when that is `due`, and at the end, when it also
    /// leaves in `found` which blocks it complains of.
    pub(super) fn step(
        &mut self,
        fs: &Filesystem<S>,
        due: bool,
        vitals: Vitals,
        found: &mut Option<(Mode, Vec<Range<u64>>)>,
    ) -> Stepped {
        let pass = self.check.pass();
        let run = self.run;
        let tell = |part: CheckPart| Reply::Checking { run, part: Ok(Box::new(part)) };
        self.clock(pass, vitals.now);
        let stepped = self.check.step();
        self.note_reads(fs);
        match stepped {
            Ok(Step::More) => Stepped::More(due.then(|| {
                let problems = self.check.problems_from(self.told).to_vec();
                self.told += problems.len();
                tell(CheckPart {
                    pass: self.check.pass(),
                    progress: self.check.progress(),
                    times: self.times.clone(),
                    problems,
                    counts: self.check.counts(),
                    outcome: None,
                })
            })),
            Ok(Step::Done(mut report)) => {
                *found = Some((report.mode, places(fs, &report.problems)));
                let told = self.told.min(report.problems.len());
                Stepped::Over(tell(CheckPart {
                    pass,
                    progress: self.check.progress(),
                    times: self.times.clone(),
                    problems: report.problems.split_off(told),
                    counts: report.counts,
                    outcome: Some(report.outcome),
                }))
            }
            Err(error) => Stepped::Over(Reply::Checking { run, part: Err(error) }),
        }
    }

    /// Counts the time since the last step for the pass that was at work then.
    fn clock(&mut self, pass: Pass, now: f64) {
        let took = now - core::mem::replace(&mut self.since, now);
        if let Some((_, time)) = self.times.last_mut() {
            *time += took;
        }
        if self.times.last().is_none_or(|(known, _)| *known != pass) {
            self.times.push((pass, 0.0));
        }
    }

    /// Has the image's meter count what the check read.
    fn note_reads(&mut self, fs: &Filesystem<S>) {
        let read = self.check.read();
        for KindCount { kind, count } in &read {
            let noted = self.noted.iter().find(|noted| noted.kind == *kind);
            let noted = noted.map_or(ReadCount::default(), |noted| noted.count);
            fs.meter().add(
                *kind,
                ReadCount {
                    requests: count.requests.saturating_sub(noted.requests),
                    bytes: count.bytes.saturating_sub(noted.bytes),
                },
            );
        }
        self.noted = read;
    }
}
