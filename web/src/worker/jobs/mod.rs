//! Work that a question starts, beside the sweep and ahead of it.
//!
//! *Belongs here:* what takes many reads, a step at a time. *Does not:* what is answered at once.

mod listing;
mod looking;

use std::collections::VecDeque;

use extscope::Error;
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::units::Ino;

use self::listing::Listing;
use self::looking::Looking;
use crate::protocol::{DirPart, Reply};

/// The jobs at hand. They take turns, so that a long one keeps no short one waiting.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    waiting: VecDeque<Job>,
}

#[derive(Debug)]
enum Job {
    List(Box<Listing>),
    Look(Box<Looking>),
}

/// What a step of a job leads to.
enum Stepped {
    /// Another step, after this was told.
    More(Option<Reply>),
    /// The end.
    Over(Reply),
}

impl Jobs {
    /// Lists a directory.
    pub(super) fn list<S: ByteSource>(&mut self, fs: &Filesystem<S>, dir: Ino) -> Option<Reply> {
        match Listing::new(fs, dir) {
            Ok(listing) => {
                self.waiting.push_back(Job::List(Box::new(listing)));
                None
            }
            Err(error) => Some(Reply::Listed(DirPart {
                dir,
                rows: Vec::new(),
                faults: vec![error],
                is_last: true,
                is_cut: false,
            })),
        }
    }

    /// Looks at a file, and at no other any more: only one is shown.
    pub(super) fn look<S: ByteSource>(&mut self, fs: &Filesystem<S>, ino: Ino) -> Option<Reply> {
        self.waiting.retain(|job| !matches!(job, Job::Look(_)));
        match Looking::new(fs, ino) {
            Ok(looking) => {
                self.waiting.push_back(Job::Look(Box::new(looking)));
                None
            }
            Err(error) => Some(Reply::NotLooked { ino, error }),
        }
    }

    /// Whether there is any.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Does a step of the job whose turn it is; tells how far it came where that is `due`. True
    /// when that was its last.
    pub(super) fn step<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        due: bool,
    ) -> (Option<Reply>, bool) {
        let Some(mut job) = self.waiting.pop_front() else { return (None, false) };
        let stepped = match &mut job {
            Job::List(listing) => listing.step(fs, due),
            Job::Look(looking) => looking.step(fs),
        };
        match stepped {
            Stepped::More(reply) => {
                self.waiting.push_back(job);
                (reply, false)
            }
            Stepped::Over(reply) => (Some(reply), true),
        }
    }
}

/// An error of a file's own, whatever read it.
fn at_ino(error: Error, ino: Ino) -> Error {
    if error.at().ino.is_some() { error } else { error.at_ino(ino) }
}
