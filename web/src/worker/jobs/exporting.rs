//! Something made for other programs, a piece each time the page asks for one.

use std::fmt;
use std::rc::Rc;

use extscope::analysis::Inventory;
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::task::Step;
use extscope::{Error, ErrorKind, Result};

use super::Stepped;
use crate::protocol::{Export, ExportPart, ExportPlace, Reply};
use crate::worker::exports::{self, Output};

/// Bytes of a piece, about.
const PIECE: usize = 1 << 20;

/// Something being made.
pub(super) struct Exporting {
    /// The piece that is made.
    place: ExportPlace,
    output: Box<dyn Output>,
    bytes: Vec<u8>,
}

impl fmt::Debug for Exporting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exporting").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Exporting {
    /// Nothing is made yet.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] for a piece that follows none; those of [`exports::output`].
    pub(super) fn new<S: ByteSource + 'static>(
        fs: &Rc<Filesystem<S>>,
        inventory: Option<&Rc<Inventory>>,
        export: Export,
        place: ExportPlace,
    ) -> Result<Self> {
        if place.at != 0 {
            let what = format!("nothing was made ahead of byte {}", place.at);
            return Err(Error::new(ErrorKind::OutOfBounds, what));
        }
        Ok(Self { place, output: exports::output(fs, inventory, export)?, bytes: Vec::new() })
    }

    /// The piece that is made.
    pub(super) fn place(&self) -> ExportPlace {
        self.place
    }

    /// Makes a part of the piece; tells of it when it is large enough, and when that is `due`.
    pub(super) fn step(&mut self, due: bool) -> Stepped {
        let place = self.place;
        match self.output.step(&mut self.bytes) {
            Ok(Step::More) if self.bytes.len() < PIECE && !due => Stepped::More(None),
            Ok(Step::More) => {
                let part = self.take_part();
                self.place.at = place.at.saturating_add(part.bytes.len() as u64);
                Stepped::More(Some(Reply::Exported { place, part: Ok(part) }))
            }
            Ok(Step::Done(remarks)) => {
                let part = ExportPart { is_last: true, remarks, ..self.take_part() };
                Stepped::Over(Reply::Exported { place, part: Ok(part) })
            }
            Err(error) => Stepped::Over(Reply::Exported { place, part: Err(error) }),
        }
    }

    fn take_part(&mut self) -> ExportPart {
        ExportPart {
            bytes: core::mem::take(&mut self.bytes),
            progress: self.output.progress(),
            ..ExportPart::default()
        }
    }
}
