//! Everything about a file but its contents.

use extscope::Result;
use extscope::analysis::{FragCount, Names};
use extscope::fs::{Filesystem, Inode, MapItem, MapWalk, MappingState};
use extscope::io::ByteSource;
use extscope::report::{FragReport, InodeReport, MapReport};
use extscope::units::Ino;

use super::{Stepped, at_ino};
use crate::protocol::{ExtentColumns, ExtentRow, FileDetail, Reply};

/// Items of the map walked over before a step ends.
const ITEMS: usize = 4096;

/// Most extents that are told of a file: 2 MB.
const MOST_EXTENTS: usize = 100_000;

/// Most nodes and faults that are told of a file.
const MOST_NODES: usize = 2000;

/// A file being looked at.
#[derive(Debug)]
pub(super) struct Looking {
    inode: Inode,
    walk: MapWalk,
    count: FragCount,
    extents: Vec<ExtentRow>,
    nodes: Vec<MapReport>,
    is_cut: bool,
}

impl Looking {
    /// Nothing is read yet but the inode.
    ///
    /// # Errors
    /// Those of [`Filesystem::inode`].
    pub(super) fn new<S: ByteSource>(fs: &Filesystem<S>, ino: Ino) -> Result<Self> {
        let inode = fs.inode(ino)?;
        Ok(Self {
            walk: MapWalk::new(fs, &inode),
            count: FragCount::new(fs.geometry(), &inode, false),
            inode,
            extents: Vec::new(),
            nodes: Vec::new(),
            is_cut: false,
        })
    }

    /// Walks over a part of its map; tells of the file at the end, by its path where all names are
    /// known.
    pub(super) fn step<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        names: Option<&Names>,
    ) -> Stepped {
        for _ in 0..ITEMS {
            let Some(item) = self.walk.next_item(fs) else {
                return Stepped::Over(Reply::Looked(Box::new(self.detail(fs, names))));
            };
            if let Ok(item) = &item {
                self.count.add(item);
            }
            match item {
                Ok(MapItem::Mapping(mapping)) if self.extents.len() < MOST_EXTENTS => {
                    self.extents.push(ExtentRow {
                        lblk: mapping.lblk.get(),
                        fsblk: mapping.fsblk.get(),
                        len: mapping.len,
                        unwritten: mapping.state == MappingState::Unwritten,
                    });
                }
                Ok(MapItem::Node(_)) | Err(_) if self.nodes.len() < MOST_NODES => {
                    let item = item.map_err(|error| at_ino(error, self.inode.ino));
                    self.nodes.push(MapReport::from(item));
                }
                _ => self.is_cut = true,
            }
        }
        Stepped::More(None)
    }

    fn detail<S: ByteSource>(&mut self, fs: &Filesystem<S>, names: Option<&Names>) -> FileDetail {
        FileDetail {
            ino: self.inode.ino,
            path: names.and_then(|names| names.path(self.inode.ino)),
            inode: InodeReport::new(fs, &self.inode),
            extents: ExtentColumns::from_rows(&core::mem::take(&mut self.extents)),
            nodes: core::mem::take(&mut self.nodes),
            is_cut: self.is_cut,
            frag: FragReport::new(fs.geometry(), &self.count.clone().finish(), None),
        }
    }
}
