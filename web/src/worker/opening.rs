//! Opening an image, as it lies or as after its journal is replayed, and looking for partitions or
//! backups when it has no superblock of use.

use std::rc::Rc;

use extscope::fs::journal::{Recovered, Recovery};
use extscope::fs::{BackupSearch, Backups, DiskSearch, Filesystem, Open, OpenOptions};
use extscope::io::{ByteSource, Covers, Meter, Overlay};
use extscope::task::{Step, Task};
use extscope::{Error, ErrorKind};

use super::describe;
use super::logged::Logged;
use super::session::Vitals;
use crate::protocol::{
    Activity, Backup, DiskReport, OpenStep, RecoveryReport, Reply, SuperblockChoice,
};

/// An image that is being opened.
#[derive(Debug)]
pub(super) struct Opening<S> {
    source: S,
    /// The superblock that the person chose; then there is no search for another.
    choice: Option<SuperblockChoice>,
    /// Whether its journal is to be replayed.
    wants_replay: bool,
    /// What came of that.
    replay: Option<Replay>,
    stage: Stage<Seen<S>>,
}

/// An image as it is read: with what the journal puts over it, and noting what is read.
type Seen<S> = Logged<Overlay<S>>;

/// What replaying a journal brought, or why nothing was replayed.
pub(super) type Replay = Result<Box<RecoveryReport>, Error>;

#[derive(Debug)]
enum Stage<S> {
    Open(Box<Open<S>>),
    Replay(Box<Recovery<Rc<Filesystem<S>>>>),
    /// The search for partitions, and why it is needed.
    Disk(Box<DiskSearch<S>>, Error),
    /// The search for backups, and why it is needed.
    Search(Box<BackupSearch<S>>, Error),
}

/// What a step of an opening leads to.
pub(super) enum Outcome<S> {
    /// Another step.
    More,
    /// The opened filesystem, and what came of a replay that was asked for.
    Filesystem(Box<Filesystem<Seen<S>>>, Option<Replay>),
    /// Partitions to choose from.
    Disk(Box<DiskReport>),
    /// Backups to choose from, and why that is needed.
    Choose(Error, Vec<Backup>),
    /// It cannot be opened.
    Refused(Error),
}

impl<S: ByteSource + Clone> Opening<S> {
    pub(super) fn new(source: S, choice: Option<SuperblockChoice>, wants_replay: bool) -> Self {
        let open = Box::new(Open::new(seen(&source, Covers::default()), options(choice)));
        Self { source, choice, wants_replay, replay: None, stage: Stage::Open(open) }
    }

    /// Does one step.
    pub(super) fn step(&mut self) -> Outcome<S> {
        match &mut self.stage {
            Stage::Open(open) => match open.step() {
                Ok(Step::More) => Outcome::More,
                Ok(Step::Done(filesystem)) if self.wants_replay && self.replay.is_none() => {
                    match Recovery::new(Rc::new(filesystem)) {
                        Ok(recovery) => self.stage = Stage::Replay(Box::new(recovery)),
                        Err(error) => self.open_over(Covers::default(), Err(error)),
                    }
                    Outcome::More
                }
                Ok(Step::Done(filesystem)) => {
                    Outcome::Filesystem(Box::new(filesystem), self.replay.take())
                }
                Err(error)
                    if self.choice.is_some()
                        || self.replay.is_some()
                        || !Backups::may_help(&error) =>
                {
                    Outcome::Refused(error)
                }
                Err(error) if error.kind() == ErrorKind::NotExt => {
                    let search = DiskSearch::new(seen(&self.source, Covers::default()));
                    self.stage = Stage::Disk(Box::new(search), error);
                    Outcome::More
                }
                Err(error) => self.search(error),
            },
            Stage::Replay(recovery) => {
                match recovery.step() {
                    Ok(Step::More) => {}
                    Ok(Step::Done(recovered)) => self.replayed(recovered),
                    Err(error) => self.open_over(Covers::default(), Err(error)),
                }
                Outcome::More
            }
            Stage::Disk(search, error) => match search.step() {
                Ok(Step::More) => Outcome::More,
                Ok(Step::Done(Some(disk))) => Outcome::Disk(Box::new(DiskReport::new(&disk))),
                Ok(Step::Done(None)) | Err(_) => {
                    let error = error.clone();
                    self.search(error)
                }
            },
            Stage::Search(search, error) => match search.step() {
                Ok(Step::More) => Outcome::More,
                Ok(Step::Done(backups)) if backups.found.iter().any(|it| it.is_plausible) => {
                    let backups = backups.found.iter().map(describe::backup).collect();
                    Outcome::Choose(error.clone(), backups)
                }
                Ok(Step::Done(_)) => Outcome::Refused(Backups::missing(error.clone())),
                // A search that fails as well leaves the first reason the better one.
                Err(_) => Outcome::Refused(error.clone()),
            },
        }
    }

    /// Opens it anew, with what the journal brings over it, if that may be put in place.
    fn replayed(&mut self, recovered: Recovered) {
        let report = RecoveryReport::new(&recovered);
        match report.held_back {
            Some(reason) => self.open_over(Covers::default(), Err(reason)),
            None => self.open_over(recovered.covers, Ok(Box::new(report))),
        }
    }

    fn open_over(&mut self, covers: Covers, replay: Replay) {
        let open = Open::new(seen(&self.source, covers), options(self.choice));
        self.stage = Stage::Open(Box::new(open));
        self.replay = Some(replay);
    }

    fn search(&mut self, error: Error) -> Outcome<S> {
        match BackupSearch::new(seen(&self.source, Covers::default())) {
            Ok(search) => {
                self.stage = Stage::Search(Box::new(search), error);
                Outcome::More
            }
            Err(_) => Outcome::Refused(error),
        }
    }

    /// How far it is.
    pub(super) fn progress(&self, vitals: Vitals) -> Reply {
        let (step, progress, meter) = match &self.stage {
            Stage::Open(open) => {
                let meter = open.filesystem().map(Filesystem::meter);
                let step = match meter {
                    _ if self.replay.is_some() => OpenStep::Journal,
                    None => OpenStep::Superblock,
                    Some(_) => OpenStep::GroupDescriptors,
                };
                (step, open.progress(), meter)
            }
            Stage::Replay(recovery) => (OpenStep::Journal, recovery.progress(), None),
            Stage::Disk(search, _) => {
                (OpenStep::Partitions, search.progress(), Some(search.meter()))
            }
            Stage::Search(search, _) => {
                (OpenStep::Backups, search.progress(), Some(search.meter()))
            }
        };
        let reads = meter.map(Meter::by_kind).unwrap_or_default();
        let activity = Activity { reads, memory_bytes: vitals.memory_bytes };
        Reply::Opening { step, progress, activity }
    }
}

/// Opens an image of which another worker told what it is: nothing but its superblock is read.
///
/// # Errors
/// Those of [`Open`].
pub(super) fn join<S: ByteSource + Clone>(
    source: &S,
    superblock: Option<SuperblockChoice>,
) -> Result<Filesystem<Seen<S>>, Error> {
    Open::superblock_alone(seen(source, Covers::default()), options(superblock))
}

fn seen<S: ByteSource + Clone>(source: &S, covers: Covers) -> Seen<S> {
    Logged::new(Overlay::new(source.clone(), covers))
}

fn options(superblock: Option<SuperblockChoice>) -> OpenOptions {
    OpenOptions {
        superblock: superblock.map(|choice| choice.superblock),
        block_size: superblock.map(|choice| choice.block_size),
    }
}
