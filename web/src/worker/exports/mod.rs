//! What is made of the image for other programs.
//!
//! *Belongs here:* each thing that is made, as bytes, a step at a time. *Does not:* when a piece is
//! wanted; that is a job.
//!
//! A table is [`Rows`] of structures: their fields are its columns, whatever it is written as.

mod deleted;
mod extents;
mod files;
mod folder;
mod free;
mod groups;
mod names;
mod plan;
mod report;
mod superblock;
mod table;
mod usage;

use std::rc::Rc;

use extscope::Result;
use extscope::analysis::Inventory;
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::report::InfoReport;
use extscope::resize::Changes;
use extscope::task::{Progress, Step};

use self::deleted::DeletedInodes;
use self::extents::Extents;
use self::files::Files;
use self::folder::Folder;
use self::free::{FreeExtents, FreeLengths};
use self::groups::Groups;
use self::plan::{Planned, WholePlan};
use self::report::Report;
use self::table::Written;
use crate::protocol::{Export, NamesTold, PlanTable, Table, TableFormat};

/// Bytes between two bitmaps that are read through: in a browser, one more request costs as much.
const GAP_BYTES: u32 = 128 << 10;

/// Something that is made, a step of some milliseconds at a time.
pub(super) trait Output {
    /// Adds to `bytes` what one step makes; tells at the end what is missing from it all.
    ///
    /// # Errors
    /// Whatever keeps the rest from being made.
    fn step(&mut self, bytes: &mut Vec<u8>) -> Result<Step<Vec<String>>>;

    /// How far it is.
    fn progress(&self) -> Progress;
}

/// Begins to make something. What the survey found is not looked for again.
///
/// # Errors
/// Those of reading where it begins.
pub(super) fn output<S: ByteSource + 'static>(
    fs: &Rc<Filesystem<S>>,
    inventory: Option<&Rc<Inventory>>,
    export: Export,
) -> Result<Box<dyn Output>> {
    let fs = Rc::clone(fs);
    Ok(match export {
        Export::Folder(dir) => Box::new(Folder::new(fs, dir)?),
        Export::Table { table, format, names } => {
            return table_output(fs, inventory.map(Rc::clone), table, format, names);
        }
        Export::Report { format, names } => Box::new(Report::new(fs, format, names)?),
        Export::Plan { request, names } => Box::new(WholePlan::new(fs, request, names)),
    })
}

fn table_output<S: ByteSource + 'static>(
    fs: Rc<Filesystem<S>>,
    inventory: Option<Rc<Inventory>>,
    table: Table,
    format: TableFormat,
    names: NamesTold,
) -> Result<Box<dyn Output>> {
    Ok(match table {
        Table::Superblock => Box::new(Written::new(superblock::fields(&fs), format)),
        Table::Features => Box::new(Written::new(InfoReport::new(&fs).features, format)),
        Table::Groups => Box::new(Written::new(Groups::new(fs)?, format)),
        Table::FreeLengths => Box::new(Written::new(FreeLengths::new(fs)?, format)),
        Table::FreeExtents => Box::new(Written::new(FreeExtents::new(fs)?, format)),
        Table::Files => Box::new(Written::new(Files::new(fs, inventory, names), format)),
        Table::Deleted => Box::new(Written::new(DeletedInodes::new(fs), format)),
        Table::Extents(ino) => Box::new(Written::new(Extents::new(fs, ino)?, format)),
        Table::Kinds => Box::new(Written::new(usage::kinds(fs, inventory), format)),
        Table::Users => Box::new(Written::new(usage::users(fs, inventory), format)),
        Table::Directories => {
            Box::new(Written::new(usage::directories(fs, inventory, names), format))
        }
        Table::Plan(PlanTable::Files, request) => {
            Box::new(Written::new(Planned::new(fs, request, plan::files), format))
        }
        Table::Plan(PlanTable::Moves, request) => {
            Box::new(Written::new(Planned::new(fs, request, plan::moves), format))
        }
        Table::Plan(PlanTable::Inodes, request) => {
            Box::new(Written::new(Planned::new(fs, request, plan::inodes), format))
        }
        Table::Plan(PlanTable::Entries, request) => {
            let rows = move |changes: &Changes| plan::entries(changes, names);
            Box::new(Written::new(Planned::new(fs, request, rows), format))
        }
    })
}
