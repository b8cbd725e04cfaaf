//! Something of the image on its way to the person's disk, piece by piece: a piece is asked for
//! when the one before it is kept, so that no more of them wait than one.

use extscope::task::Progress;
use extscope::units::Ino;

use super::sink::{Saved, Sink};
use crate::protocol::{BytesOf, Export, ExportPart, ExportPlace, Piece, Reply, Request, Stretch};
use crate::state::Transfer;

/// Bytes from which on a file is written where the person says, and not gathered first.
const LARGE: u64 = 256 << 20;

/// Where the bytes are from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// A file of so many bytes.
    File { ino: Ino, size: u64 },
    /// What is made of the image.
    Export { export: Export, number: u32 },
}

impl Source {
    /// Whether it is, or may become, too large to be gathered first.
    pub(super) fn may_be_large(self) -> bool {
        match self {
            Self::File { size, .. } => size > LARGE,
            Self::Export { export, .. } => matches!(export, Export::Folder(_)),
        }
    }
}

/// Something on its way.
pub(super) struct Transferring {
    source: Source,
    sink: Sink,
    state: Transfer,
}

/// What a piece leads to.
pub(super) enum Received {
    /// Another piece is wanted.
    More,
    /// All of it is here, but for what the remarks say.
    Whole(Vec<String>),
}

impl Transferring {
    pub(super) fn new(source: Source, name: String, sink: Sink) -> Self {
        let max = match source {
            Source::File { size, .. } => size,
            Source::Export { .. } => 0,
        };
        let progress = Progress { cur: 0, max };
        Self { source, sink, state: Transfer { name, bytes: 0, progress } }
    }

    /// Asks for the piece that is wanted now.
    pub(super) fn next(&self) -> Request {
        match self.source {
            Source::File { ino, .. } => Request::Read(self.stretch(ino)),
            Source::Export { export, number } => {
                Request::Export { export, place: self.place(number) }
            }
        }
    }

    fn stretch(&self, ino: Ino) -> Stretch {
        Stretch { of: BytesOf::File(ino), offset: self.state.bytes, len: Stretch::THROUGH }
    }

    fn place(&self, number: u32) -> ExportPlace {
        ExportPlace { number, at: self.state.bytes }
    }

    /// Whether this is the answer to [`Self::next`].
    pub(super) fn wants(&self, reply: &Reply) -> bool {
        match (self.source, reply) {
            (Source::File { ino, .. }, Reply::Read { stretch, .. }) => {
                *stretch == self.stretch(ino)
            }
            (Source::Export { number, .. }, Reply::Exported { place, .. }) => {
                *place == self.place(number)
            }
            _ => false,
        }
    }

    /// Keeps the piece that was wanted.
    ///
    /// # Errors
    /// Why there is none, or what the browser says when it has no room.
    pub(super) async fn take(&mut self, reply: Reply) -> Result<Received, String> {
        match reply {
            Reply::Read { piece, .. } => self.take_piece(piece.map_err(said)?).await,
            Reply::Exported { part, .. } => self.take_part(part.map_err(said)?).await,
            _ => Ok(Received::More),
        }
    }

    async fn take_piece(&mut self, piece: Piece) -> Result<Received, String> {
        let Transfer { bytes, progress, .. } = &mut self.state;
        let is_end = piece == Piece::End;
        match piece {
            Piece::Bytes(piece) => {
                *bytes = bytes.saturating_add(piece.len() as u64);
                self.sink.write(&piece).await?;
            }
            Piece::Zeros(zeros) => {
                let zeros = zeros.min(progress.max.saturating_sub(*bytes));
                *bytes = bytes.saturating_add(zeros);
                self.sink.skip(zeros)?;
            }
            Piece::End => {}
        }
        progress.cur = *bytes;
        Ok(if is_end || *bytes >= progress.max {
            Received::Whole(Vec::new())
        } else {
            Received::More
        })
    }

    async fn take_part(&mut self, part: ExportPart) -> Result<Received, String> {
        let ExportPart { bytes, progress, is_last, remarks } = part;
        self.state.bytes = self.state.bytes.saturating_add(bytes.len() as u64);
        self.state.progress = progress;
        self.sink.write(&bytes).await?;
        Ok(if is_last { Received::Whole(remarks) } else { Received::More })
    }

    /// Hands over what was kept.
    ///
    /// # Errors
    /// What the browser says when it has no room.
    pub(super) async fn finish(self) -> Result<Saved, String> {
        self.sink.finish(&self.state.name).await
    }

    /// Throws away what was kept.
    pub(super) fn give_up(self) {
        self.sink.give_up();
    }

    /// Whether the worker keeps something for it.
    pub(super) fn is_export(&self) -> bool {
        matches!(self.source, Source::Export { .. })
    }

    /// How far it is.
    pub(super) fn state(&self) -> Transfer {
        self.state.clone()
    }
}

fn said(error: extscope::Error) -> String {
    error.to_string()
}
