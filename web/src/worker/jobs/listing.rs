//! What is in a directory, with what its inodes say.

use extscope::analysis::{FragCount, Medium};
use extscope::fs::{DirEntry, DirWalk, Filesystem, Inode, MapItem, MapWalk};
use extscope::io::ByteSource;
use extscope::units::Ino;
use extscope::{Error, Result};

use super::{Stepped, at_ino};
use crate::protocol::{DirPart, DirRow, FragRow, NodeRow, Reply};

/// Names told of before a step ends.
const NAMES: usize = 256;

/// Most names that are told of one directory: some 20 MB on the page.
const MOST_NAMES: usize = 100_000;

/// Nodes of maps read to count extents, in one directory. Files past them are not counted; those
/// whose inode has the whole map always are.
const NODES: u32 = 256;

/// Most extents that are counted of one file while it is listed.
const MOST_EXTENTS: usize = 4096;

/// Faults told of one directory.
const FAULTS: usize = 20;

/// A directory being listed.
#[derive(Debug)]
pub(super) struct Listing {
    walk: DirWalk,
    entries: std::vec::IntoIter<Result<DirEntry>>,
    nodes_left: u32,
    names: usize,
    faults: usize,
    part: DirPart,
}

impl Listing {
    /// Nothing is read yet but the inode.
    ///
    /// # Errors
    /// Those of [`DirWalk::new`].
    pub(super) fn new<S: ByteSource>(fs: &Filesystem<S>, dir: Ino) -> Result<Self> {
        let walk = DirWalk::new(fs, &fs.inode(dir)?)?;
        let entries = Vec::new().into_iter();
        Ok(Self { walk, entries, nodes_left: NODES, names: 0, faults: 0, part: empty(dir) })
    }

    /// Takes in some names; tells of them when that is `due`, and at the end.
    pub(super) fn step<S: ByteSource>(&mut self, fs: &Filesystem<S>, due: bool) -> Stepped {
        for _ in 0..NAMES {
            let Some(entry) = self.entries.next() else {
                match self.walk.next_block(fs) {
                    Some(Ok(block)) => {
                        self.entries = block.entries().collect::<Vec<_>>().into_iter();
                    }
                    Some(Err(error)) => self.fault(error),
                    None => return self.over(false),
                }
                continue;
            };
            match entry {
                Ok(entry) if entry.is_dot() => {}
                Ok(_) if self.names >= MOST_NAMES => return self.over(true),
                Ok(entry) => {
                    let node = fs.inode(entry.ino).map(|inode| self.node(fs, &inode));
                    self.part.rows.push(DirRow { name: entry.name, ino: entry.ino, node });
                    self.names += 1;
                }
                Err(error) => self.fault(error),
            }
        }
        let is_told = due && !self.part.rows.is_empty();
        Stepped::More(is_told.then(|| Reply::Listed(self.take_part())))
    }

    fn over(&mut self, is_cut: bool) -> Stepped {
        Stepped::Over(Reply::Listed(DirPart { is_last: true, is_cut, ..self.take_part() }))
    }

    fn take_part(&mut self) -> DirPart {
        let next = empty(self.part.dir);
        core::mem::replace(&mut self.part, next)
    }

    fn fault(&mut self, error: Error) {
        self.faults += 1;
        if self.faults <= FAULTS {
            self.part.faults.push(at_ino(error, self.part.dir));
        }
    }

    fn node<S: ByteSource>(&mut self, fs: &Filesystem<S>, inode: &Inode) -> NodeRow {
        let raw = &inode.raw;
        NodeRow {
            mode: raw.i_mode.get(),
            links: raw.i_links_count.get(),
            uid: raw.uid(),
            gid: raw.gid(),
            size: raw.size(),
            mtime: raw.mtime().seconds,
            frag: self.frag(fs, inode),
        }
    }

    /// How a file lies, as far as that is cheap.
    fn frag<S: ByteSource>(&mut self, fs: &Filesystem<S>, inode: &Inode) -> Option<FragRow> {
        let mut count = FragCount::new(fs.geometry(), inode, false);
        let mut walk = MapWalk::new(fs, inode);
        for _ in 0..MOST_EXTENTS {
            // A node of the map is read after it is told of, so this one is still free.
            match walk.next_item(fs) {
                Some(Ok(item)) => {
                    if matches!(item, MapItem::Node(_)) {
                        self.nodes_left = self.nodes_left.checked_sub(1)?;
                    }
                    count.add(&item);
                }
                Some(Err(_)) => return None,
                None => {
                    let frag = count.finish();
                    return Some(FragRow {
                        extents: frag.extents,
                        slowdown: frag.slowdown(fs.geometry(), Medium::DISK),
                    });
                }
            }
        }
        None
    }
}

fn empty(dir: Ino) -> DirPart {
    DirPart { dir, rows: Vec::new(), faults: Vec::new(), is_last: false, is_cut: false }
}
