//! What is made of an image for other programs.

use extscope::task::Progress;
use extscope::units::Ino;
use serde::{Deserialize, Serialize};

use super::ShrinkRequest;

/// What is made of an image for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Export {
    /// A directory and everything below it, as a tar archive.
    Folder(Ino),
    /// A table.
    Table {
        /// Which one.
        table: Table,
        /// How it is written.
        format: TableFormat,
        /// How names are told.
        names: NamesTold,
    },
    /// Everything worth knowing at once.
    Report {
        /// How it is written.
        format: ReportFormat,
        /// How names are told.
        names: NamesTold,
    },
    /// What resize2fs would do, as an object.
    Plan {
        /// What it is asked for.
        request: ShrinkRequest,
        /// How names are told.
        names: NamesTold,
    },
}

/// A table that is made of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Table {
    /// The superblock, a row a field.
    Superblock,
    /// The features that are on.
    Features,
    /// The block groups.
    Groups,
    /// The free extents by length, as e2freefrag has them.
    FreeLengths,
    /// Every free extent, the longest first.
    FreeExtents,
    /// Every inode in use.
    Files,
    /// Every inode that was deleted.
    Deleted,
    /// The extents of a file.
    Extents(Ino),
    /// Blocks by what they are.
    Kinds,
    /// Blocks by user.
    Users,
    /// Blocks by directory.
    Directories,
    /// A list of what resize2fs would do.
    Plan(PlanTable, ShrinkRequest),
}

/// A list of the plan of a shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlanTable {
    /// Files of which blocks move, those with the most first.
    #[default]
    Files,
    /// Runs of blocks that move, in the tool's order.
    Moves,
    /// Inodes that get another number.
    Inodes,
    /// Directory entries that are rewritten.
    Entries,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableFormat {
    /// A line a row, numbers bare. Ref: RFC 4180.
    Csv,
    /// A list of objects.
    Json,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReportFormat {
    /// A page that needs nothing else.
    Html,
    /// An object.
    Json,
}

/// How names of files and directories are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum NamesTold {
    /// As they are.
    #[default]
    Plain,
    /// By the number of the inode; only what follows the last dot is kept.
    Hidden,
}

/// Where in what is made a piece belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportPlace {
    /// Which making: each has the next number.
    pub number: u32,
    /// The first byte.
    pub at: u64,
}

/// A piece of what is made. Pieces follow one another from the first byte on, and each is made
/// when it is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportPart {
    /// Its bytes; there may be none when it only tells how far the making is.
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
    /// How far the making is.
    pub progress: Progress,
    /// Whether nothing more comes.
    pub is_last: bool,
    /// What is missing from it, in words; told with the last piece.
    pub remarks: Vec<String>,
}
