//! Answers of the engine.

use std::rc::Rc;

use extscope::Error;
use extscope::io::KindCount;
use extscope::task::Progress;
use extscope::units::{Fsblk, Ino};
use serde::{Deserialize, Serialize};

use super::{
    Backup, BlockDetail, BlockReport, CheckPart, DirPart, DiskReport, Epoch, ExportPart,
    ExportPlace, FileDetail, FormResult, FoundNames, FoundSizes, FreeDetail, Geometry,
    GroupColumns, GroupDetail, InfoReport, LabOrder, LabReport, Like, MapPixels, MapTile,
    MinimumReport, NextRun, Piece, PlanDetail, RaceResult, RecoveryReport, RequestId,
    ShrinkRequest, StatsBatch, StepsOrder, StepsReport, Stretch, SurveyDetail,
};

/// An answer with the numbers of its question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplyMessage {
    /// The opening it belongs to.
    pub epoch: Epoch,
    /// The question it answers.
    pub id: RequestId,
    /// The answer.
    pub reply: Reply,
}

impl ReplyMessage {
    /// Bytes that the message has on the way, where that may be many; not fewer.
    #[must_use]
    pub fn about_len(&self) -> usize {
        /// All but the groups.
        const REST: usize = 128 << 10;
        match &self.reply {
            Reply::Opened(opened) => opened.groups.len() * GroupColumns::ROW_BYTES + REST,
            Reply::MapPicture(picture) => picture.pixels.len() + REST,
            _ => 0,
        }
    }
}

/// An answer of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// The worker is up; the first thing it says.
    Ready {
        /// Its [`BUILD`](super::BUILD).
        build: String,
    },
    /// The image is being opened.
    Opening {
        /// What is being done.
        step: OpenStep,
        /// How far that is, in block groups.
        progress: Progress,
        /// What was read so far.
        activity: Activity,
    },
    /// The image is open.
    Opened(Box<Opened>),
    /// The primary superblock is of no use; here is what else was found.
    Choose {
        /// Why the primary superblock is of no use.
        error: Error,
        /// The backups, best first; may be empty.
        backups: Vec<Backup>,
    },
    /// The image is one of a whole disk; here are its partitions.
    Disk(Box<DiskReport>),
    /// The image cannot be opened.
    NotOpened(Error),
    /// Statistics of groups whose bitmaps were read.
    Swept(StatsBatch),
    /// What the worker did so far.
    Activity(Activity),
    /// Every bitmap of the part that was to be swept is told of.
    PartSwept,
    /// The part cannot be swept.
    SweepFailed(Error),
    /// Everything about one group.
    Inspected(Box<GroupDetail>),
    /// More of what is in a directory.
    Listed(DirPart),
    /// The inodes on the way to a path.
    Walked {
        /// The path that was asked for.
        #[serde(with = "serde_bytes")]
        path: Vec<u8>,
        /// The root, and an inode for each name; or why one is not there.
        found: Result<Vec<Ino>, Error>,
    },
    /// Everything about a file.
    Looked(Box<FileDetail>),
    /// A file cannot be told of.
    NotLooked {
        /// Its inode.
        ino: Ino,
        /// Why.
        error: Error,
    },
    /// Bytes, or why they cannot be read.
    Read {
        /// What was asked for.
        stretch: Stretch,
        /// The first of them.
        piece: Result<Piece, Error>,
    },
    /// What a block holds, or why it cannot be read.
    Block {
        /// The block.
        fsblk: Fsblk,
        /// What it holds.
        block: Result<Box<BlockDetail>, Error>,
    },
    /// How far the bitmaps are gone through for what is free.
    FreeGoing {
        /// Size in KiB of the chunks that are counted.
        chunk_kib: Option<u64>,
        /// How far.
        progress: Progress,
    },
    /// What is free.
    Free {
        /// Size in KiB of the chunks that were counted.
        chunk_kib: Option<u64>,
        /// The free space.
        free: Result<Box<FreeDetail>, Error>,
    },
    /// How far the inodes are gone through.
    Surveying(Progress),
    /// How all files lie, and where the space went.
    Surveyed(Result<Box<SurveyDetail>, Error>),
    /// How far the names are read, ahead of a search.
    Finding(Progress),
    /// What a search for names found.
    Found {
        /// What was looked for.
        text: String,
        /// The files.
        found: Result<Box<FoundNames>, Error>,
    },
    /// A piece of what is made, or why it cannot be.
    Exported {
        /// The piece that was asked for.
        place: ExportPlace,
        /// The piece.
        part: Result<ExportPart, Error>,
    },
    /// Whose a block is; nothing before the inodes were gone through.
    Whose(Option<Box<BlockReport>>),
    /// The next run of blocks of what was looked for.
    Sought(NextRun),
    /// A tile of the map.
    MapTile(MapTile),
    /// A picture of a part of the map.
    MapPicture(MapPixels),
    /// More of what a check found, or why it cannot go on.
    Checking {
        /// The check.
        run: u32,
        /// What it found.
        part: Result<Box<CheckPart>, Error>,
    },
    /// The smallest size that resize2fs estimates.
    Minimum(Result<Box<MinimumReport>, Error>),
    /// How far the search for sizes is, in plans.
    Sizing {
        /// Like which version of resize2fs.
        like: Like,
        /// How far.
        progress: Progress,
    },
    /// What shrinks come to.
    Sizes {
        /// Like which version of resize2fs.
        like: Like,
        /// The sizes.
        sizes: Result<Box<FoundSizes>, Error>,
    },
    /// How far a plan is.
    Planning {
        /// What was asked for.
        request: ShrinkRequest,
        /// How far.
        progress: Progress,
    },
    /// What a shrink would do.
    Planned {
        /// What was asked for.
        request: ShrinkRequest,
        /// What it would do.
        plan: Result<Box<PlanDetail>, Error>,
    },
    /// The names of the files that a shrink would move, those with the most blocks.
    PlanPaths(Vec<(Ino, String)>),
    /// How far a race is, in turns.
    Racing(Progress),
    /// What a race came to.
    Raced(Result<Box<RaceResult>, Error>),
    /// How far the measuring of a bitmap's two forms is, in turns.
    Weighing(Progress),
    /// What it came to.
    Weighed(Result<Box<FormResult>, Error>),
    /// What came of something tried in the lab.
    Tried {
        /// What was asked for.
        order: Box<LabOrder>,
        /// What came of it.
        report: Result<Box<LabReport>, Error>,
    },
    /// All steps of something.
    Steps {
        /// What was asked for.
        order: Box<StepsOrder>,
        /// The steps.
        report: Result<Box<StepsReport>, Error>,
    },
    /// Nothing is left to do of what was asked.
    Rests {
        /// Questions that were taken in so far, of this worker's life.
        asked: u32,
    },
    /// The engine is broken and answers nothing more: a panic, or a message without sense.
    Broke(String),
}

/// What an opening does, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OpenStep {
    /// Reading the superblock.
    Superblock,
    /// Looking into the partitions of a disk.
    Partitions,
    /// Looking for backups of the superblock.
    Backups,
    /// Reading the group descriptors.
    GroupDescriptors,
    /// Replaying the journal.
    Journal,
}

/// An opened image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// What it is.
    pub info: InfoReport,
    /// How its blocks, clusters, groups and inodes lie.
    pub geometry: Geometry,
    /// Its block groups, as their descriptors have them.
    pub groups: Rc<GroupColumns>,
    /// What replaying the journal brought, or why nothing was replayed, where that was asked for.
    pub replay: Option<Result<Box<RecoveryReport>, Error>>,
    /// What was read so far.
    pub activity: Activity,
}

/// What the worker did so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activity {
    /// Requests to the file, by kind of metadata.
    pub reads: Vec<KindCount>,
    /// Memory that the worker's engine has, bytes.
    pub memory_bytes: u64,
}

impl Activity {
    /// Bytes read, of every kind.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.reads.iter().map(|kind| kind.count.bytes).sum()
    }

    /// Requests made, of every kind.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.reads.iter().map(|kind| kind.count.requests).sum()
    }
}
