//! A folder as a tar archive.

use std::rc::Rc;

use extscope::Result;
use extscope::export::TarStream;
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::task::{Progress, Step};
use extscope::units::Ino;

use super::Output;
use crate::text::number;

/// Pieces of the archive made in a step, and bytes after which it ends.
const PIECES: usize = 16;
const BYTES: usize = 512 << 10;

/// Faults told one by one.
const FAULTS: usize = 3;

/// A folder being made an archive.
pub(super) struct Folder<S>(TarStream<Rc<Filesystem<S>>>);

impl<S: ByteSource> Folder<S> {
    /// Nothing is read yet but the inode.
    ///
    /// # Errors
    /// Those of [`TarStream::new`].
    pub(super) fn new(fs: Rc<Filesystem<S>>, dir: Ino) -> Result<Self> {
        let inode = fs.inode(dir)?;
        TarStream::new(fs, &inode).map(Self)
    }

    /// What the archive lacks.
    fn remarks(&self) -> Vec<String> {
        let counts = self.0.counts();
        let mut remarks = Vec::new();
        if counts.sockets > 0 {
            let sockets = number::count_of(counts.sockets, "socket is", "sockets are");
            remarks.push(format!("{sockets} left out, which no archive keeps"));
        }
        if counts.faults > 0 {
            let first = self.0.faults().iter().take(FAULTS).map(ToString::to_string);
            let first = first.collect::<Vec<_>>().join("; ");
            let rest = counts.faults.saturating_sub(FAULTS as u64);
            let rest = if rest > 0 {
                format!("; and {} more", number::count(rest))
            } else {
                String::new()
            };
            remarks.push(format!("not all could be read: {first}{rest}"));
        }
        remarks
    }
}

impl<S: ByteSource + 'static> Output for Folder<S> {
    fn step(&mut self, bytes: &mut Vec<u8>) -> Result<Step<Vec<String>>> {
        let end = bytes.len().saturating_add(BYTES);
        for _ in 0..PIECES {
            match self.0.next_piece() {
                Some(piece) => bytes.extend(piece),
                None => return Ok(Step::Done(self.remarks())),
            }
            if bytes.len() >= end {
                break;
            }
        }
        Ok(Step::More)
    }

    /// How much there will be is not known before it is read.
    fn progress(&self) -> Progress {
        Progress { cur: self.0.counts().entries, max: 0 }
    }
}
