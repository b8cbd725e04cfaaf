//! What resize2fs would do, as an object and as tables.

use std::fmt;
use std::rc::Rc;

use extscope::Result;
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::report::{EntryReport, ShrinkReport};
use extscope::resize::{Changes, FileMove, InodeMove, OwnedMove, Request, ShrinkPlan};
use extscope::task::{Progress, Step, Task};
use extscope::units::Ino;
use serde::Serialize;

use super::Output;
use super::table::{Rows, unwritten};
use crate::protocol::NamesTold;

/// A list of a plan; it is planned ahead of the first row.
pub(super) struct Planned<S, L> {
    plan: ShrinkPlan<Rc<Filesystem<S>>>,
    list: L,
}

impl<S: ByteSource, L> fmt::Debug for Planned<S, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planned").finish_non_exhaustive()
    }
}

impl<S: ByteSource, L> Planned<S, L> {
    /// Nothing is read yet.
    pub(super) fn new(fs: Rc<Filesystem<S>>, request: Request, list: L) -> Self {
        Self { plan: ShrinkPlan::new(fs, request), list }
    }
}

impl<S: ByteSource, L: Fn(&Changes) -> Vec<R>, R: Serialize> Rows for Planned<S, L> {
    type Row = R;

    fn step(&mut self, rows: &mut Vec<R>) -> Result<Step<Vec<String>>> {
        let Step::Done(plan) = self.plan.step()? else { return Ok(Step::More) };
        rows.extend(plan.changes.as_deref().map(&self.list).unwrap_or_default());
        Ok(Step::Done(Vec::new()))
    }

    fn progress(&self) -> Progress {
        self.plan.progress()
    }
}

/// Files of which blocks move, those with the most first.
pub(super) fn files(changes: &Changes) -> Vec<FileMove> {
    changes.files_moved()
}

/// Runs of blocks that move, in the tool's order.
pub(super) fn moves(changes: &Changes) -> Vec<OwnedMove> {
    changes.moves_in_order()
}

/// Inodes that get another number.
pub(super) fn inodes(changes: &Changes) -> Vec<InodeMove> {
    changes.inode_moves.clone()
}

/// Directory entries that are rewritten.
pub(super) fn entries(changes: &Changes, names: NamesTold) -> Vec<EntryReport> {
    changes.entries.iter().map(|entry| told(entry.into(), names)).collect()
}

/// An entry with its name as it is told.
fn told(entry: EntryReport, names: NamesTold) -> EntryReport {
    let name = names.tell(Some(entry.name), Ino::new(entry.from)).unwrap_or_default();
    EntryReport { name, ..entry }
}

/// A plan as the command line has it.
#[derive(Debug)]
pub(super) struct WholePlan<S> {
    fs: Rc<Filesystem<S>>,
    plan: ShrinkPlan<Rc<Filesystem<S>>>,
    names: NamesTold,
}

impl<S: ByteSource> WholePlan<S> {
    /// Nothing is read yet.
    pub(super) fn new(fs: Rc<Filesystem<S>>, request: Request, names: NamesTold) -> Self {
        Self { plan: ShrinkPlan::new(Rc::clone(&fs), request), fs, names }
    }
}

impl<S: ByteSource> Output for WholePlan<S> {
    fn step(&mut self, bytes: &mut Vec<u8>) -> Result<Step<Vec<String>>> {
        let Step::Done(plan) = self.plan.step()? else { return Ok(Step::More) };
        let mut report = ShrinkReport::new(&self.fs, &plan);
        if let Some(changes) = &mut report.changes {
            let entries = core::mem::take(&mut changes.entries);
            changes.entries = entries.into_iter().map(|it| told(it, self.names)).collect();
        }
        serde_json::to_writer(&mut *bytes, &report).map_err(unwritten)?;
        bytes.push(b'\n');
        Ok(Step::Done(Vec::new()))
    }

    fn progress(&self) -> Progress {
        self.plan.progress()
    }
}
