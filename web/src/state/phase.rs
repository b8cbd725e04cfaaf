//! Where an image is between dropped and read.

use std::rc::Rc;

use extscope::Error;
use extscope::task::Progress;

use super::{Asks, DiskPart, Look, OpenImage, Sweep};
use crate::protocol::{Activity, Backup, DiskReport, OpenStep, Reply, SuperblockChoice};

/// Where the image is between dropped and read; exactly one at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Phase {
    /// There is none.
    #[default]
    Empty,
    /// It is being opened.
    Opening(Opening),
    /// It is one of a whole disk, and the person chooses a partition.
    Partitions(Partitions),
    /// Its primary superblock is of no use, and the person chooses a backup.
    Choosing(Choosing),
    /// It is open.
    Ready(Box<OpenImage>),
    /// It could not be opened, or broke.
    Failed(Failure),
}

/// An image that is being opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The file's name.
    pub name: Rc<str>,
    /// The file's bytes; `None` while a sample is still being fetched.
    pub bytes: Option<u64>,
    /// The part of the file that is opened, if not the whole.
    pub part: Option<DiskPart>,
    /// The superblock chosen instead of the primary one.
    pub superblock: Option<SuperblockChoice>,
    /// The recipe of the scenario that is made up, as text, if it is no file.
    pub scenario: Option<Rc<str>>,
    /// What is being done; `None` before the worker said anything.
    pub step: Option<OpenStep>,
    /// How far that is, in block groups.
    pub progress: Progress,
    /// What was read so far.
    pub activity: Activity,
}

impl Opening {
    /// An opening of which the worker has said nothing yet.
    #[must_use]
    pub fn new(name: &str, bytes: Option<u64>) -> Self {
        Self {
            name: name.into(),
            bytes,
            part: None,
            superblock: None,
            scenario: None,
            step: None,
            progress: Progress::default(),
            activity: Activity::default(),
        }
    }

    /// The making up of a scenario, under the name that the command line has for it.
    #[must_use]
    pub fn of_scenario(recipe: Rc<str>) -> Self {
        let name = format!("scenario:{recipe}");
        Self { scenario: Some(recipe), ..Self::new(&name, None) }
    }
}

/// A disk of which the person chooses a partition.
#[derive(Clone, Debug, PartialEq)]
pub struct Partitions {
    /// The file's name.
    pub name: Rc<str>,
    /// Byte of the file at which the disk begins.
    pub offset: u64,
    /// The disk.
    pub disk: Rc<DiskReport>,
}

/// An image whose primary superblock is of no use.
#[derive(Clone, Debug, PartialEq)]
pub struct Choosing {
    /// The file's name.
    pub name: Rc<str>,
    /// Why the primary superblock is of no use.
    pub error: Error,
    /// The backups, best first; never empty.
    pub backups: Rc<[Backup]>,
}

/// An image that could not be opened, or broke.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The file's name.
    pub name: Rc<str>,
    /// The part of the file that was to be opened, if not the whole.
    pub part: Option<DiskPart>,
    /// Why.
    pub reason: Reason,
}

/// Why there is no image to look at.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The engine says why: of the image.
    Image(Error),
    /// The engine says why: of the scenario.
    Scenario {
        /// Its recipe.
        recipe: Rc<str>,
        /// Why there is none like that.
        error: Error,
    },
    /// The engine itself broke: of the program, not of the image.
    Program(String),
    /// The page was renewed while it was open: page and engine are of different builds.
    Renewed,
    /// A sample could not be fetched.
    Sample(String),
}

impl Phase {
    /// The name of the file that the phase speaks of.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Empty => None,
            Self::Opening(opening) => Some(&opening.name),
            Self::Partitions(partitions) => Some(&partitions.name),
            Self::Choosing(choosing) => Some(&choosing.name),
            Self::Ready(image) => Some(&image.image.name),
            Self::Failed(failure) => Some(&failure.name),
        }
    }

    /// The part of the file that the phase speaks of, if not the whole.
    const fn part(&self) -> Option<DiskPart> {
        match self {
            Self::Opening(opening) => opening.part,
            Self::Ready(image) => image.part,
            Self::Failed(failure) => failure.part,
            Self::Empty | Self::Partitions(_) | Self::Choosing(_) => None,
        }
    }

    /// Whether what is selected now can mean something in the image that is opened next: in the
    /// same one, or where nothing is open yet.
    #[must_use]
    pub(super) fn may_lead_to(&self, next: &Opening) -> bool {
        let is_same = self.name().is_none_or(|name| *name == *next.name);
        is_same && (!matches!(self, Self::Ready(_)) || self.part() == next.part)
    }

    /// The phase after an answer; answers that do not fit it change nothing.
    #[must_use]
    pub(super) fn after(self, reply: Reply, asks: &mut Asks) -> Self {
        match (self, reply) {
            (Self::Opening(opening), Reply::Opening { step, progress, activity }) => {
                Self::Opening(Opening { step: Some(step), progress, activity, ..opening })
            }
            (Self::Opening(opening), Reply::Opened(opened)) => {
                let mut image = OpenImage::new(opening.name, opening.part, *opened);
                Rc::make_mut(&mut image.shrink).ask_minimum(asks);
                Self::Ready(Box::new(image))
            }
            (Self::Opening(Opening { name, part, .. }), Reply::Disk(disk)) => {
                let offset = part.map_or(0, |part| part.offset);
                Self::Partitions(Partitions { name, offset, disk: disk.into() })
            }
            (Self::Opening(opening), Reply::Choose { error, backups }) if !backups.is_empty() => {
                Self::Choosing(Choosing { name: opening.name, error, backups: backups.into() })
            }
            (Self::Opening(opening), Reply::NotOpened(error) | Reply::Choose { error, .. }) => {
                let Opening { name, part, scenario, .. } = opening;
                let reason = match scenario {
                    Some(recipe) => Reason::Scenario { recipe, error },
                    None => Reason::Image(error),
                };
                Self::Failed(Failure { name, part, reason })
            }
            (phase, Reply::Broke(message)) => phase.broken(Reason::Program(message)),
            (Self::Ready(mut image), reply) => {
                match reply {
                    Reply::Swept(batch) => image.known.merge(&batch),
                    Reply::SweepFailed(error) => image.sweep = Sweep::Failed(error),
                    Reply::Inspected(detail) => image.inspected(*detail),
                    Reply::Listed(part) => Rc::make_mut(&mut image.files).listed(part),
                    Reply::Walked { path, found } => {
                        Rc::make_mut(&mut image.files).walked(&path, found, asks);
                    }
                    Reply::Read { stretch, piece } => {
                        Rc::make_mut(&mut image.bytes).read(stretch, piece);
                    }
                    Reply::Block { fsblk, block } => {
                        if let Some((_, work)) = image.block.as_mut().filter(|it| it.0 == fsblk) {
                            work.end(block);
                        }
                    }
                    Reply::FreeGoing { chunk_kib, progress } if chunk_kib == image.chunk_kib => {
                        image.free.go_on(progress);
                    }
                    Reply::Free { chunk_kib, free } if chunk_kib == image.chunk_kib => {
                        image.free.end(free);
                    }
                    Reply::Finding(progress) => {
                        if let Some((_, work)) = &mut image.search {
                            work.go_on(progress);
                        }
                    }
                    Reply::Found { text, found } => image.found(&text, found),
                    Reply::Surveying(progress) => image.survey.go_on(progress),
                    Reply::Surveyed(survey) => {
                        image.has_names |= survey.is_ok();
                        image.survey.end(survey);
                        // From now on a block is told with its owner.
                        image.block = None;
                    }
                    Reply::Checking { run, part } => {
                        if let Some(check) = image.check.as_mut().filter(|check| check.run == run) {
                            Rc::make_mut(check).take(part);
                        }
                    }
                    Reply::Minimum(minimum) => Rc::make_mut(&mut image.shrink).minimum.end(minimum),
                    Reply::Sizing { like, progress } => {
                        Rc::make_mut(&mut image.shrink).sizing(like, progress);
                    }
                    Reply::Sizes { like, sizes } => {
                        Rc::make_mut(&mut image.shrink).sized(like, sizes);
                    }
                    Reply::Planning { request, progress } => {
                        Rc::make_mut(&mut image.shrink).planning(request, progress);
                    }
                    Reply::Planned { request, plan } => {
                        Rc::make_mut(&mut image.shrink).take(request, plan);
                    }
                    Reply::Racing(progress) => {
                        if let Some((_, work)) = &mut image.race {
                            work.go_on(progress);
                        }
                    }
                    Reply::Raced(result) => {
                        if let Some((_, work)) = &mut image.race {
                            work.end(result);
                        }
                    }
                    Reply::Weighing(progress) => {
                        if let Some((_, work)) = &mut image.forms {
                            work.go_on(progress);
                        }
                    }
                    Reply::Weighed(result) => {
                        if let Some((_, work)) = &mut image.forms {
                            work.end(result);
                        }
                    }
                    Reply::Tried { order, report } => image.tried(&order, report),
                    Reply::Steps { order, report } => image.told(&order, report),
                    Reply::PlanPaths(paths) => Rc::make_mut(&mut image.shrink).named(paths),
                    Reply::Looked(detail) => {
                        let (ino, look) = (detail.ino, Look::Here(Rc::new(*detail)));
                        image.found_owner(ino, &look, asks);
                        Rc::make_mut(&mut image.files).looked(ino, look, asks);
                    }
                    Reply::NotLooked { ino, error } => {
                        let look = Look::Failed(error);
                        image.found_owner(ino, &look, asks);
                        Rc::make_mut(&mut image.files).looked(ino, look, asks);
                    }
                    _ => {}
                }
                Self::Ready(image)
            }
            (phase, _) => phase,
        }
    }

    /// The phase after something broke.
    ///
    /// The first reason stays: the panic that the worker told of, not the trap that followed it.
    #[must_use]
    pub(super) fn broken(self, reason: Reason) -> Self {
        match self.name().map(Rc::from) {
            Some(name) if !matches!(self, Self::Failed(_)) => {
                Self::Failed(Failure { name, part: self.part(), reason })
            }
            _ => self,
        }
    }
}
