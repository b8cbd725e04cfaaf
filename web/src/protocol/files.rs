//! Directories, files and bytes.

use extscope::Error;
use extscope::units::Ino;
use serde::{Deserialize, Serialize};

use super::{Column, FragReport, InodeReport, MapReport};

/// A part of what is in a directory; parts come in the order of the disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DirPart {
    /// The directory.
    pub dir: Ino,
    /// More names.
    pub rows: Vec<DirRow>,
    /// What of it could not be read.
    pub faults: Vec<Error>,
    /// Whether nothing more comes.
    pub is_last: bool,
    /// Whether there are more names than are told.
    pub is_cut: bool,
}

/// A name and what it names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DirRow {
    /// The name: bytes, for nothing keeps it from being no text.
    #[serde(with = "serde_bytes")]
    pub name: Vec<u8>,
    /// The inode.
    pub ino: Ino,
    /// What the inode says; an error where it cannot be read.
    pub node: Result<NodeRow, Error>,
}

/// What an inode says in few words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeRow {
    /// Type and permissions as on the disk.
    pub mode: u16,
    /// Names.
    pub links: u16,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Bytes.
    pub size: u64,
    /// Last change of the data, seconds since 1970.
    pub mtime: i64,
    /// How it lies on the disk, where that takes no long reading.
    pub frag: Option<FragRow>,
}

/// How a file lies on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FragRow {
    /// Extents as FIEMAP lists them.
    pub extents: u64,
    /// How many times as long reading takes on a disk as it would in one piece.
    pub slowdown: f64,
}

/// Everything about a file but its contents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileDetail {
    /// The inode.
    pub ino: Ino,
    /// The first path of it, where all names are known.
    #[serde(with = "serde_bytes")]
    pub path: Option<Vec<u8>>,
    /// What it says.
    pub inode: InodeReport,
    /// Its extents.
    pub extents: ExtentColumns,
    /// The blocks that map others, and what could not be followed.
    pub nodes: Vec<MapReport>,
    /// Whether there are more extents or nodes than are told.
    pub is_cut: bool,
    /// How it lies.
    pub frag: FragReport,
}

/// The extents of a file in the order of the file, one column a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtentColumns {
    lblk: Column<u32>,
    fsblk: Column<u64>,
    /// Blocks, doubled; one more where they read as zeros.
    len: Column<u64>,
}

/// Blocks that follow one another in the file and on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtentRow {
    /// First block of the file.
    pub lblk: u32,
    /// First block of the filesystem.
    pub fsblk: u64,
    /// Blocks.
    pub len: u32,
    /// Whether they read as zeros, whatever the blocks hold.
    pub unwritten: bool,
}

impl ExtentColumns {
    /// Columns of these rows.
    #[must_use]
    pub fn from_rows(rows: &[ExtentRow]) -> Self {
        Self {
            lblk: rows.iter().map(|row| row.lblk).collect(),
            fsblk: rows.iter().map(|row| row.fsblk).collect(),
            len: rows
                .iter()
                .map(|row| (u64::from(row.len) << 1) | u64::from(row.unwritten))
                .collect(),
        }
    }

    /// Number of extents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lblk.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lblk.is_empty()
    }

    /// An extent, or `None` past the last.
    #[must_use]
    pub fn row(&self, at: usize) -> Option<ExtentRow> {
        let len = *self.len.get(at)?;
        Some(ExtentRow {
            lblk: *self.lblk.get(at)?,
            fsblk: *self.fsblk.get(at)?,
            len: u32::try_from(len >> 1).unwrap_or(u32::MAX),
            unwritten: len & 1 == 1,
        })
    }

    /// All extents.
    pub fn rows(&self) -> impl Iterator<Item = ExtentRow> {
        (0..self.len()).filter_map(|at| self.row(at))
    }
}

/// What bytes are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BytesOf {
    /// The image, from its first byte on.
    Image,
    /// A file.
    File(Ino),
}

/// Bytes that follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stretch {
    /// What they are of.
    pub of: BytesOf,
    /// The first one.
    pub offset: u64,
    /// How many; there may be fewer.
    pub len: u32,
}

impl Stretch {
    /// As many as come at once: for whoever goes through a file from end to end.
    pub const THROUGH: u32 = u32::MAX;
}

/// Bytes as read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// Bytes.
    Bytes(#[serde(with = "serde_bytes")] Vec<u8>),
    /// So many zeros that are not on the disk, which may be more than were asked for.
    Zeros(u64),
    /// There is nothing behind.
    End,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_what_they_were() {
        let rows = [
            ExtentRow { lblk: 0, fsblk: 1 << 47, len: 32_768, unwritten: false },
            ExtentRow { lblk: u32::MAX, fsblk: 0, len: u32::MAX, unwritten: true },
        ];
        let columns = ExtentColumns::from_rows(&rows);
        assert_eq!(columns.rows().collect::<Vec<_>>(), rows);
        assert_eq!((columns.len(), columns.row(2)), (2, None));
    }
}
