//! The image at hand and the work on it.

use extscope::fs::{Open, OpenOptions};
use extscope::io::ByteSource;
use extscope::task::{Step, Task};
use extscope::{Error, ErrorKind};

use super::image::Image;
use crate::protocol::{
    Activity, Epoch, OpenStep, Reply, ReplyMessage, Request, RequestId, RequestMessage,
    SuperblockChoice,
};

/// Milliseconds between two tidings of how far the work is.
const PACE: f64 = 100.0;

/// What the engine cannot know by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vitals {
    /// Milliseconds on a clock that only goes forward.
    pub now: f64,
    /// Memory of the engine, bytes.
    pub memory_bytes: u64,
}

/// The image at hand and the work on it: at most one image, and one step at a time.
#[derive(Debug)]
pub struct Session<S> {
    epoch: Epoch,
    /// The question that the work answers.
    id: RequestId,
    work: Work<S>,
    /// When the page was last told how far the work is; `None` tells it with the next step.
    told: Option<f64>,
}

#[derive(Debug)]
enum Work<S> {
    None,
    Opening(Box<Open<S>>),
    Open(Box<Image<S>>),
}

impl<S> Default for Session<S> {
    fn default() -> Self {
        Self { epoch: Epoch::FIRST, id: RequestId::default(), work: Work::None, told: None }
    }
}

impl<S: ByteSource> Session<S> {
    /// Takes in a question, with the image that a [`Request::Open`] brings. What takes no time is
    /// answered at once, the rest by [`Self::step`].
    pub fn ask(
        &mut self,
        message: RequestMessage,
        source: Option<S>,
        vitals: Vitals,
    ) -> Vec<ReplyMessage> {
        let RequestMessage { epoch, id, request } = message;
        if let Request::Open { superblock } = request {
            *self = Self { epoch, id, ..Self::default() };
            let Some(source) = source else {
                let error = Error::new(ErrorKind::Io, "no file came with the request to open one");
                return vec![self.reply(Reply::NotOpened(error))];
            };
            self.work = Work::Opening(Box::new(Open::new(source, options(superblock))));
            return Vec::new();
        }
        let image = match &mut self.work {
            Work::Open(image) if epoch == self.epoch => image,
            _ => return Vec::new(),
        };
        let reply = match request {
            Request::Open { .. } => return Vec::new(),
            Request::Inspect { group } => Reply::Inspected(Box::new(image.inspect(group))),
            Request::Pause(paused) => {
                image.pause(paused);
                Reply::Activity(image.activity(vitals))
            }
            Request::Prioritise { first, count } => {
                image.prioritise(first, count);
                self.told = None;
                return Vec::new();
            }
        };
        vec![ReplyMessage { epoch, id, reply }]
    }

    /// Whether there is something left to do.
    #[must_use]
    pub fn has_work(&self) -> bool {
        match &self.work {
            Work::None => false,
            Work::Opening(_) => true,
            Work::Open(image) => image.has_work(),
        }
    }

    /// Does one step of what there is to do.
    pub fn step(&mut self, vitals: Vitals) -> Vec<ReplyMessage> {
        let due = self.told.is_none_or(|told| vitals.now - told >= PACE);
        let replies = match core::mem::replace(&mut self.work, Work::None) {
            Work::None => Vec::new(),
            Work::Opening(open) => self.step_open(open, vitals, due),
            Work::Open(mut image) => {
                let replies = image.step(vitals, due);
                self.work = Work::Open(image);
                replies
            }
        };
        if !replies.is_empty() {
            self.told = Some(vitals.now);
        }
        replies.into_iter().map(|reply| self.reply(reply)).collect()
    }

    fn step_open(&mut self, mut open: Box<Open<S>>, vitals: Vitals, due: bool) -> Vec<Reply> {
        match open.step() {
            Ok(Step::More) => {
                let told = due.then(|| opening(&open, vitals));
                self.work = Work::Opening(open);
                told.into_iter().collect()
            }
            Ok(Step::Done(filesystem)) => {
                let mut image = Box::new(Image::new(filesystem));
                let replies = image.opened(vitals);
                self.work = Work::Open(image);
                replies
            }
            Err(error) => vec![Reply::NotOpened(error)],
        }
    }

    fn reply(&self, reply: Reply) -> ReplyMessage {
        ReplyMessage { epoch: self.epoch, id: self.id, reply }
    }
}

fn options(superblock: Option<SuperblockChoice>) -> OpenOptions {
    OpenOptions {
        superblock: superblock.map(|choice| choice.superblock),
        block_size: superblock.map(|choice| choice.block_size),
    }
}

/// How far an opening is.
fn opening<S: ByteSource>(open: &Open<S>, vitals: Vitals) -> Reply {
    let filesystem = open.filesystem();
    let reads = filesystem.map(|filesystem| filesystem.meter().by_kind()).unwrap_or_default();
    Reply::Opening {
        step: if filesystem.is_some() { OpenStep::GroupDescriptors } else { OpenStep::Superblock },
        progress: open.progress(),
        activity: Activity { reads, memory_bytes: vitals.memory_bytes, ..Activity::default() },
    }
}
