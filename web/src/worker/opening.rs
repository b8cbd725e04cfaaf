//! Opening an image, and looking for partitions or backups when it has no superblock of use.

use extscope::fs::{BackupSearch, Backups, DiskSearch, Filesystem, Open, OpenOptions};
use extscope::io::{ByteSource, Meter};
use extscope::task::{Step, Task};
use extscope::{Error, ErrorKind};

use super::describe;
use super::session::Vitals;
use crate::protocol::{Activity, Backup, DiskReport, OpenStep, Reply, SuperblockChoice};

/// An image that is being opened.
#[derive(Debug)]
pub(super) struct Opening<S> {
    source: S,
    /// Whether the person chose the superblock; then there is no search for another.
    is_chosen: bool,
    stage: Stage<S>,
}

#[derive(Debug)]
enum Stage<S> {
    Open(Box<Open<S>>),
    /// The search for partitions, and why it is needed.
    Disk(Box<DiskSearch<S>>, Error),
    /// The search for backups, and why it is needed.
    Search(Box<BackupSearch<S>>, Error),
}

/// What a step of an opening leads to.
pub(super) enum Outcome<S> {
    /// Another step.
    More,
    /// The opened filesystem.
    Filesystem(Box<Filesystem<S>>),
    /// Partitions to choose from.
    Disk(Box<DiskReport>),
    /// Backups to choose from, and why that is needed.
    Choose(Error, Vec<Backup>),
    /// It cannot be opened.
    Refused(Error),
}

impl<S: ByteSource + Clone> Opening<S> {
    pub(super) fn new(source: S, superblock: Option<SuperblockChoice>) -> Self {
        let open = Box::new(Open::new(source.clone(), options(superblock)));
        Self { source, is_chosen: superblock.is_some(), stage: Stage::Open(open) }
    }

    /// Does one step.
    pub(super) fn step(&mut self) -> Outcome<S> {
        match &mut self.stage {
            Stage::Open(open) => match open.step() {
                Ok(Step::More) => Outcome::More,
                Ok(Step::Done(filesystem)) => Outcome::Filesystem(Box::new(filesystem)),
                Err(error) if self.is_chosen || !Backups::may_help(&error) => {
                    Outcome::Refused(error)
                }
                Err(error) if error.kind() == ErrorKind::NotExt => {
                    let search = Box::new(DiskSearch::new(self.source.clone()));
                    self.stage = Stage::Disk(search, error);
                    Outcome::More
                }
                Err(error) => self.search(error),
            },
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

    fn search(&mut self, error: Error) -> Outcome<S> {
        match BackupSearch::new(self.source.clone()) {
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
                let step = meter.map_or(OpenStep::Superblock, |_| OpenStep::GroupDescriptors);
                (step, open.progress(), meter)
            }
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
pub(super) fn join<S: ByteSource>(
    source: S,
    superblock: Option<SuperblockChoice>,
) -> Result<Filesystem<S>, Error> {
    Open::superblock_alone(source, options(superblock))
}

fn options(superblock: Option<SuperblockChoice>) -> OpenOptions {
    OpenOptions {
        superblock: superblock.map(|choice| choice.superblock),
        block_size: superblock.map(|choice| choice.block_size),
    }
}
