//! Every inode in use as a table.

use std::rc::Rc;

use extscope::Result;
use extscope::analysis::{FileFrag, Inventory, NameScan, Names, Survey};
use extscope::fs::{Filesystem, Inode};
use extscope::io::ByteSource;
use extscope::report::{FragReport, permissions};
use extscope::task::{Progress, Step, Task};
use serde::Serialize;

use super::table::Rows;
use crate::protocol::NamesTold;

/// An inode in use. Times are seconds since 1970.
#[derive(Debug, Serialize)]
pub(super) struct FileRow {
    ino: u32,
    path: Option<String>,
    file_type: Option<String>,
    permissions: String,
    links: u16,
    uid: u32,
    gid: u32,
    size_bytes: u64,
    blocks: u64,
    blocks_bytes: u64,
    unwritten_blocks: u64,
    map_blocks: u64,
    extents: u64,
    best_extents: u64,
    noncontiguous: bool,
    seeks: u64,
    seeks_per_mib: f64,
    slowdown: f64,
    e4defrag_score: f64,
    mtime: i64,
    ctime: i64,
    atime: i64,
}

/// Every inode in use, in the order of their numbers.
#[derive(Debug)]
pub(super) struct Files<S> {
    fs: Rc<Filesystem<S>>,
    told: NamesTold,
    names: Naming<S>,
    survey: Survey<Rc<Filesystem<S>>>,
}

/// Where the names are from.
#[derive(Debug)]
enum Naming<S> {
    Scan(Box<NameScan<Rc<Filesystem<S>>>>),
    Scanned(Box<Names>),
    Known(Rc<Inventory>),
}

impl<S: ByteSource> Files<S> {
    /// Nothing is read yet.
    pub(super) fn new(
        fs: Rc<Filesystem<S>>,
        inventory: Option<Rc<Inventory>>,
        told: NamesTold,
    ) -> Self {
        let scan = || Naming::Scan(Box::new(NameScan::new(Rc::clone(&fs))));
        let names = inventory.map_or_else(scan, Naming::Known);
        Self { survey: Survey::new(Rc::clone(&fs)), fs, told, names }
    }

    /// Groups whose inodes are behind: the survey goes through all groups for their layout, then
    /// for their inodes, and what it does at last tells nothing of files.
    fn surveyed(&self) -> u64 {
        self.survey.progress().cur
    }

    fn groups(&self) -> u64 {
        self.fs.groups().len().into()
    }
}

impl<S: ByteSource> Rows for Files<S> {
    type Row = FileRow;

    fn step(&mut self, rows: &mut Vec<FileRow>) -> Result<Step<Vec<String>>> {
        let names = match &mut self.names {
            Naming::Scan(scan) => {
                if let Step::Done(names) = scan.step()? {
                    self.names = Naming::Scanned(Box::new(names));
                }
                return Ok(Step::More);
            }
            Naming::Scanned(names) => names,
            Naming::Known(inventory) => &inventory.names,
        };
        let (fs, told) = (&self.fs, self.told);
        let step = self.survey.step_with(&mut |inode, frag| {
            rows.push(row(fs, names, told, inode, frag));
        })?;
        let is_over = matches!(step, Step::Done(_)) || self.surveyed() >= 2 * self.groups();
        Ok(if is_over { Step::Done(Vec::new()) } else { Step::More })
    }

    fn progress(&self) -> Progress {
        let named = match &self.names {
            Naming::Scan(scan) => scan.progress().cur,
            Naming::Scanned(_) | Naming::Known(_) => self.groups(),
        };
        Progress { cur: named + self.surveyed(), max: 3 * self.groups() }
    }
}

fn row<S: ByteSource>(
    fs: &Filesystem<S>,
    names: &Names,
    told: NamesTold,
    inode: &Inode,
    frag: &FileFrag,
) -> FileRow {
    let raw = &inode.raw;
    let report = FragReport::new(fs.geometry(), frag, names.path(frag.ino).as_deref());
    FileRow {
        ino: report.ino,
        path: told.tell(report.path, frag.ino),
        file_type: report.file_type,
        permissions: permissions(raw.i_mode.get()),
        links: raw.i_links_count.get(),
        uid: raw.uid(),
        gid: raw.gid(),
        size_bytes: report.size,
        blocks: report.blocks,
        blocks_bytes: report.blocks.saturating_mul(fs.geometry().block_size().into()),
        unwritten_blocks: report.unwritten,
        map_blocks: report.nodes,
        extents: report.extents,
        best_extents: report.best_extents,
        noncontiguous: report.noncontiguous,
        seeks: report.seeks,
        seeks_per_mib: report.seeks_per_mib,
        slowdown: report.slowdown,
        e4defrag_score: report.e4defrag_score,
        mtime: raw.mtime().seconds,
        ctime: raw.ctime().seconds,
        atime: raw.atime().seconds,
    }
}
