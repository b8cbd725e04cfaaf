//! Where the space went as tables: by what blocks are, by user, by directory.

use std::rc::Rc;

use extscope::Result;
use extscope::analysis::{Inventory, InventoryScan};
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::report::{ClassReport, UsageReport};
use extscope::task::{Progress, Step, Task};
use extscope::units::Ino;
use serde::Serialize;

use super::table::Rows;
use crate::protocol::NamesTold;

/// The inventory, taken anew unless it was before.
#[derive(Debug)]
enum Taking<S> {
    Known(Rc<Inventory>),
    Scan(Box<InventoryScan<Rc<Filesystem<S>>>>),
}

impl<S: ByteSource> Taking<S> {
    fn new(fs: &Rc<Filesystem<S>>, inventory: Option<Rc<Inventory>>) -> Self {
        let scan = || Self::Scan(Box::new(InventoryScan::new(Rc::clone(fs), 0)));
        inventory.map_or_else(scan, Self::Known)
    }

    fn step(&mut self) -> Result<Step<Rc<Inventory>>> {
        Ok(match self {
            Self::Known(inventory) => Step::Done(Rc::clone(inventory)),
            Self::Scan(scan) => match scan.step()? {
                Step::More => Step::More,
                Step::Done(inventory) => Step::Done(Rc::new(inventory)),
            },
        })
    }

    fn progress(&self) -> Progress {
        match self {
            Self::Known(_) => Progress::default(),
            Self::Scan(scan) => scan.progress(),
        }
    }
}

/// Blocks that are of one kind.
#[derive(Debug, Serialize)]
pub(super) struct KindRow {
    kind: String,
    blocks: u64,
    bytes: u64,
}

/// What a user has.
#[derive(Debug, Serialize)]
pub(super) struct UserRow {
    uid: u32,
    inodes: u64,
    blocks: u64,
    bytes: u64,
}

/// What is in a directory and below.
#[derive(Debug, Serialize)]
pub(super) struct DirectoryRow {
    ino: u32,
    path: Option<String>,
    inodes: u64,
    blocks: u64,
    bytes: u64,
}

/// A table of an inventory.
#[derive(Debug)]
pub(super) struct OfInventory<S, R> {
    fs: Rc<Filesystem<S>>,
    taking: Taking<S>,
    names: NamesTold,
    rows: fn(&Inventory, u64, NamesTold) -> Vec<R>,
}

impl<S: ByteSource, R: Serialize> OfInventory<S, R> {
    fn new(
        fs: Rc<Filesystem<S>>,
        inventory: Option<Rc<Inventory>>,
        names: NamesTold,
        rows: fn(&Inventory, u64, NamesTold) -> Vec<R>,
    ) -> Self {
        Self { taking: Taking::new(&fs, inventory), fs, names, rows }
    }
}

impl<S: ByteSource, R: Serialize> Rows for OfInventory<S, R> {
    type Row = R;

    fn step(&mut self, rows: &mut Vec<R>) -> Result<Step<Vec<String>>> {
        let Step::Done(inventory) = self.taking.step()? else { return Ok(Step::More) };
        let block_size = u64::from(self.fs.geometry().block_size());
        rows.extend((self.rows)(&inventory, block_size, self.names));
        Ok(Step::Done(Vec::new()))
    }

    fn progress(&self) -> Progress {
        self.taking.progress()
    }
}

/// Blocks by what they are.
pub(super) fn kinds<S: ByteSource>(
    fs: Rc<Filesystem<S>>,
    inventory: Option<Rc<Inventory>>,
) -> OfInventory<S, KindRow> {
    OfInventory::new(fs, inventory, NamesTold::Plain, |inventory, block_size, _| {
        let row = |class: ClassReport| KindRow {
            bytes: class.blocks.saturating_mul(block_size),
            blocks: class.blocks,
            kind: class.name,
        };
        ClassReport::of(&inventory.map).into_iter().map(row).collect()
    })
}

/// Blocks by user, the most first.
pub(super) fn users<S: ByteSource>(
    fs: Rc<Filesystem<S>>,
    inventory: Option<Rc<Inventory>>,
) -> OfInventory<S, UserRow> {
    OfInventory::new(fs, inventory, NamesTold::Plain, |inventory, block_size, _| {
        let usage = UsageReport::new(&inventory.usage, &inventory.names, usize::MAX);
        let row = |user: extscope::report::UserReport| UserRow {
            uid: user.uid,
            inodes: user.share.inodes,
            blocks: user.share.blocks,
            bytes: user.share.blocks.saturating_mul(block_size),
        };
        usage.users.into_iter().map(row).collect()
    })
}

/// Blocks by directory, the most first.
pub(super) fn directories<S: ByteSource>(
    fs: Rc<Filesystem<S>>,
    inventory: Option<Rc<Inventory>>,
    names: NamesTold,
) -> OfInventory<S, DirectoryRow> {
    OfInventory::new(fs, inventory, names, |inventory, block_size, names| {
        let usage = UsageReport::new(&inventory.usage, &inventory.names, usize::MAX);
        let row = |dir: extscope::report::DirReport| DirectoryRow {
            path: names.tell(dir.path, Ino::new(dir.ino)),
            ino: dir.ino,
            inodes: dir.share.inodes,
            blocks: dir.share.blocks,
            bytes: dir.share.blocks.saturating_mul(block_size),
        };
        usage.dirs.into_iter().map(row).collect()
    })
}
