//! The extents of a file as a table.

use std::rc::Rc;

use extscope::Result;
use extscope::fs::{Filesystem, MapItem, MapWalk, MappingState};
use extscope::io::ByteSource;
use extscope::task::{Progress, Step};
use extscope::units::Ino;
use serde::Serialize;

use super::table::Rows;
use crate::text::number;

/// Items of the map walked over in a step.
const ITEMS: usize = 4096;

/// An extent.
#[derive(Debug, Serialize)]
pub(super) struct ExtentRow {
    logical_block: u32,
    physical_block: u64,
    blocks: u32,
    bytes: u64,
    group: Option<u32>,
    unwritten: bool,
}

/// The extents of a file in the order of the file.
#[derive(Debug)]
pub(super) struct Extents<S> {
    fs: Rc<Filesystem<S>>,
    walk: MapWalk,
    faults: u64,
}

impl<S: ByteSource> Extents<S> {
    /// Nothing is read yet but the inode.
    ///
    /// # Errors
    /// Those of [`Filesystem::inode`].
    pub(super) fn new(fs: Rc<Filesystem<S>>, ino: Ino) -> Result<Self> {
        let walk = MapWalk::new(&fs, &fs.inode(ino)?);
        Ok(Self { fs, walk, faults: 0 })
    }
}

impl<S: ByteSource> Rows for Extents<S> {
    type Row = ExtentRow;

    fn step(&mut self, rows: &mut Vec<ExtentRow>) -> Result<Step<Vec<String>>> {
        let geometry = self.fs.geometry();
        for _ in 0..ITEMS {
            match self.walk.next_item(&self.fs) {
                Some(Ok(MapItem::Mapping(mapping))) => rows.push(ExtentRow {
                    logical_block: mapping.lblk.get(),
                    physical_block: mapping.fsblk.get(),
                    blocks: mapping.len,
                    bytes: u64::from(mapping.len) * u64::from(geometry.block_size()),
                    group: geometry.group_from_fsblk(mapping.fsblk).map(|group| group.get()),
                    unwritten: mapping.state == MappingState::Unwritten,
                }),
                Some(Ok(_)) => {}
                Some(Err(_)) => self.faults = self.faults.saturating_add(1),
                None => {
                    let parts = number::count_of(self.faults, "part", "parts");
                    let missing =
                        (self.faults > 0).then(|| format!("{parts} of the map cannot be followed"));
                    return Ok(Step::Done(missing.into_iter().collect()));
                }
            }
        }
        Ok(Step::More)
    }

    /// How many there will be is not known before they are read.
    fn progress(&self) -> Progress {
        Progress::default()
    }
}
