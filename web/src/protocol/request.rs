//! Questions to the engine.

use extscope::units::{Fsblk, Group, Ino};
use serde::{Deserialize, Serialize};

use super::{
    CheckMode, Epoch, Export, ExportPlace, GroupColumns, LabOrder, Like, MapOrder, MapPicture,
    RaceOrder, RequestId, ShrinkRequest, StatsBatch, StepsOrder, Stretch,
};

/// A question with its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestMessage {
    /// The opening it belongs to.
    pub epoch: Epoch,
    /// Its own number.
    pub id: RequestId,
    /// The question.
    pub request: Request,
}

/// A question to the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Open the `File` beside the message, or the scenario whose recipe lies there.
    Open {
        /// The superblock to take instead of the primary one.
        superblock: Option<SuperblockChoice>,
        /// Whether to show it as after its journal is replayed.
        replayed: bool,
    },
    /// Open the same to sweep parts of it: another worker tells what it is.
    Join {
        /// The superblock to take instead of the primary one.
        superblock: Option<SuperblockChoice>,
    },
    /// Read the block bitmaps of some groups.
    Sweep {
        /// The first group.
        first: Group,
        /// The groups' descriptors, for a worker that joined.
        groups: Box<GroupColumns>,
    },
    /// Read the bitmaps of these groups before the others.
    Prioritise {
        /// First group in view.
        first: Group,
        /// Number of groups in view.
        count: u32,
    },
    /// Stop reading bitmaps and keep what was read (true), or go on (false).
    Pause(bool),
    /// Tell everything about one group.
    Inspect {
        /// The group.
        group: Group,
    },
    /// Tell the names in a directory, in parts.
    List {
        /// The directory.
        dir: Ino,
    },
    /// Find the inodes on the way to a path. Symbolic links are not followed.
    Walk {
        /// The names from the root on, with slashes between them.
        #[serde(with = "serde_bytes")]
        path: Vec<u8>,
    },
    /// Tell everything about a file but its contents.
    Look {
        /// The inode.
        ino: Ino,
    },
    /// Read bytes.
    Read(Stretch),
    /// Tell what a block holds.
    Block {
        /// The block.
        fsblk: Fsblk,
    },
    /// Go through all block bitmaps and tell what is free.
    Free {
        /// Size in KiB of the chunks whose free ones are counted, if any.
        chunk_kib: Option<u64>,
    },
    /// Go through all inodes and tell whose every block is (true), or stop that (false).
    Survey(bool),
    /// Find files by a part of their names.
    Find {
        /// The part.
        text: String,
    },
    /// Make the next piece of something; what was made before it is given up at its first byte.
    Export {
        /// What.
        export: Export,
        /// The piece that is wanted.
        place: ExportPlace,
    },
    /// Give up what is being made.
    StopExport,
    /// Tell whose a block is, as far as that is known without reading.
    Whose {
        /// The block.
        fsblk: Fsblk,
    },
    /// Find the next run of blocks, on the disk.
    Seek {
        /// What is looked for.
        what: Sought,
        /// The run after that of this block, or before it.
        from: Fsblk,
        /// Where an earlier search for the same stopped, to go on from there.
        stopped: Option<Fsblk>,
        /// Whether it lies after that, or before.
        forward: bool,
    },
    /// Draw tiles of the map, and no longer those that were asked for before.
    Map(MapOrder),
    /// Draw a picture of a part of the map, in place of one that was asked for before.
    MapPicture(MapPicture),
    /// These are the blocks, as first block and end, of the owner that the map looks for.
    MapExtents(Vec<(u64, u64)>),
    /// This is what another worker's sweep found.
    Learn(Box<StatsBatch>),
    /// Check the filesystem, or stop that.
    Check {
        /// The check; each has a number of its own.
        run: u32,
        /// How far it goes; `None` stops it.
        mode: Option<CheckMode>,
    },
    /// Tell the smallest size that resize2fs estimates.
    Minimum,
    /// Find by planning what repeated runs of `resize2fs -M` come to, and how small `-f` can get;
    /// or stop that.
    Sizes(Option<Like>),
    /// Plan a shrink, and no other any more; or stop that.
    Plan(Option<ShrinkRequest>),
    /// Race all ways to find free inodes, or stop that.
    Race(Option<Box<RaceOrder>>),
    /// Measure a bitmap's two forms, with so many of a hundred bits set, or stop that.
    Weigh(Option<u8>),
    /// Try something in the lab, and no longer what was asked for before.
    Try(Box<LabOrder>),
    /// Tell something step by step, and no longer what was asked for before.
    Steps(Box<StepsOrder>),
}

/// What is looked for from a block on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sought {
    /// Free blocks of a group.
    Free,
    /// More blocks of the inode whose the block is.
    SameOwner,
}

/// What a search for the next run of blocks came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NextRun {
    /// Its first and last block.
    Found(u64, u64),
    /// There is none.
    Nothing,
    /// None so far: the search was long, and goes on here when it is asked to.
    Stopped(Fsblk),
}

/// Where a superblock lies. Ref: `e2fsck -b superblock -B blocksize`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuperblockChoice {
    /// Its block, in blocks of `block_size`.
    pub superblock: Fsblk,
    /// Bytes in a block.
    pub block_size: u32,
}
