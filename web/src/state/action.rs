//! Everything that can happen.

use extscope::units::{Fsblk, Group, Ino};

use super::{
    FileList, FilePath, FileSort, GroupTable, LessonBits, LessonPlace, MapPlace, MapStyle, Offline,
    Opening, ProblemId, Reason, Route, Selection, Setting, Theme, Transfer, View,
};
use crate::protocol::{
    Activity, CheckMode, Epoch, LabOrder, Like, RaceOrder, Reply, ShrinkRequest, StepsOrder,
    Stretch,
};

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// An image was given to the worker.
    Opening {
        /// Its epoch.
        epoch: Epoch,
        /// What is known of it.
        opening: Opening,
    },
    /// The image was closed, or its opening cancelled.
    Closed(Epoch),
    /// The worker answered.
    Replied {
        /// The epoch of the answer.
        epoch: Epoch,
        /// The answer.
        reply: Reply,
    },
    /// A worker told what it did.
    Worked {
        /// The epoch it did it in.
        epoch: Epoch,
        /// Its number, counted from 0.
        worker: u32,
        /// What it did so far.
        activity: Activity,
    },
    /// A worker is gone, and others do what is left to do.
    WorkerEnded {
        /// The epoch it worked in.
        epoch: Epoch,
        /// Its number, counted from 0.
        worker: u32,
        /// What broke it, if it did not just come to its end.
        broke: Option<String>,
    },
    /// The person stopped the reading of bitmaps, or let it go on.
    Paused(bool),
    /// A worker that has something to do says nothing, or does again.
    Silent(bool),
    /// Something between the page and the engine broke.
    Broke {
        /// The epoch it happened in.
        epoch: Epoch,
        /// What broke.
        reason: Reason,
    },
    /// The address bar names another place.
    Navigated(Route),
    /// The person turned to another view.
    Show(View),
    /// The person wants nothing to be selected any more in the view that is shown.
    Deselect,
    /// The person selected something, or nothing.
    Select(Option<Selection>),
    /// The person moved the map.
    MoveMap(MapPlace),
    /// The person wants other colours, another layout, or other kinds.
    StyleMap(MapStyle),
    /// The person wants to see this on the map.
    ShowOnMap(Selection),
    /// The person chose a superblock field or feature by its kernel name, or none.
    SelectField(Option<String>),
    /// The person sorted or filtered the table of groups.
    Table(GroupTable),
    /// The person opened or closed a directory.
    ToggleDir {
        /// Its path.
        path: FilePath,
        /// Its inode.
        ino: Ino,
    },
    /// The person selected a file, or none.
    SelectFile(Option<(FilePath, Ino)>),
    /// The person wants another list of files.
    List(FileList),
    /// The person looks at a file by its path.
    ShowPath(FilePath),
    /// The person looks at a file by its inode.
    ShowInode(Ino),
    /// The person sorted the tree of files.
    SortFiles(FileSort),
    /// The person wants all inodes to be gone through, or no longer.
    Survey(bool),
    /// The person looks for files by a part of their names.
    Find(String),
    /// The person wants the filesystem to be checked so far, or no longer.
    Check(Option<CheckMode>),
    /// The person wants a shrink to be planned, or no longer.
    Plan(Option<ShrinkRequest>),
    /// The person wants to know what shrinks come to, or no longer.
    Sizes(Option<Like>),
    /// The person goes to a lesson, or to another place in it.
    Learn(LessonPlace),
    /// The person wants all ways to find free inodes to race.
    Race(LessonBits, Box<RaceOrder>),
    /// The person wants no race any more.
    StopRace,
    /// The person wants a bitmap's two forms to be measured, or no longer.
    Weigh(Option<u8>),
    /// The person tries something in the lab.
    Try(Box<LabOrder>),
    /// The person looks at something step by step.
    Steps(Box<StepsOrder>),
    /// The person chose the size of chunks in KiB, or none.
    Chunk(Option<u64>),
    /// The person wants to see the bytes of a block.
    ShowBlock(Fsblk),
    /// The person wants to see a byte of the image.
    ShowByte(u64),
    /// The person wants to see a group in the table.
    ShowGroup(Group),
    /// The person wants to come to so many blocks, or to what is proposed.
    Target(Option<u64>),
    /// The person looks at a problem, or at none.
    SelectProblem(Option<ProblemId>),
    /// These bytes are to be shown.
    Want(Vec<Stretch>),
    /// The questions before this number were asked.
    Asked(u64),
    /// A file is on its way to the person's disk, or no longer.
    Transfer(Option<Transfer>),
    /// The person turned a setting over.
    Turn(Setting),
    /// The system prefers other colours now.
    SystemTheme(Theme),
    /// The page is kept, to open without a network, or not.
    Offline(Offline),
    /// A newer page than this one came, and is there when it is loaded again; or the person knows.
    NewerBuild(bool),
    /// Something is worth saying, or no longer.
    Notice(Option<String>),
}
