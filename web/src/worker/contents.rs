//! Bytes of the image and of files, a stretch at a time.

use extscope::fs::{DataPiece, FileData, Filesystem};
use extscope::io::{ByteSource, ReadKind};
use extscope::ondisk::reserved;
use extscope::units::Ino;
use extscope::{Error, ErrorKind, Result, limits};

use crate::protocol::{BytesOf, Piece, Stretch};

/// Reads stretches, and goes on from where the last one of a file ended: whoever reads a file from
/// end to end has its map walked over once.
#[derive(Debug, Default)]
pub(super) struct Contents {
    last: Option<(Ino, u64, FileData)>,
}

impl Contents {
    /// The first bytes of a stretch.
    ///
    /// # Errors
    /// Those of [`FileData`], and of reading.
    pub(super) fn read<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        stretch: Stretch,
    ) -> Result<Piece> {
        match stretch.of {
            BytesOf::Image => image_bytes(fs, stretch.offset, stretch.len.min(limits::READ_BYTES)),
            BytesOf::File(ino) if stretch.len == Stretch::THROUGH => {
                self.through(fs, ino, stretch.offset)
            }
            BytesOf::File(ino) => {
                let bytes = fs.read_file(&fs.inode(ino)?, stretch.offset, stretch.len.into())?;
                Ok(if bytes.is_empty() { Piece::End } else { Piece::Bytes(bytes) })
            }
        }
    }

    /// The next piece of a file, as large as it comes.
    fn through<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        ino: Ino,
        offset: u64,
    ) -> Result<Piece> {
        let mut data = match self.last.take() {
            Some((last, end, data)) if (last, end) == (ino, offset) => data,
            _ => FileData::new(fs, &fs.inode(ino)?, offset..u64::MAX)?,
        };
        let piece = match data.next_piece(fs) {
            None => return Ok(Piece::End),
            Some(piece) => piece.map_err(|error| error.at_ino(ino))?,
        };
        self.last = Some((ino, offset.saturating_add(piece.len()), data));
        Ok(match piece {
            DataPiece::Bytes(bytes) => Piece::Bytes(bytes),
            DataPiece::Zeros(zeros) => Piece::Zeros(zeros),
        })
    }
}

fn image_bytes<S: ByteSource>(fs: &Filesystem<S>, offset: u64, len: u32) -> Result<Piece> {
    let left = fs.image_len().saturating_sub(offset);
    let len = u64::from(len).min(left);
    if len == 0 {
        return Ok(Piece::End);
    }
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
    fs.reader().read_cached(ReadKind::Data, offset, &mut bytes)?;
    Ok(Piece::Bytes(bytes))
}

/// The root, and an inode for each name of a path.
///
/// # Errors
/// [`ErrorKind::OutOfBounds`] where a name is not there; those of [`Filesystem::lookup`].
pub(super) fn walk<S: ByteSource>(fs: &Filesystem<S>, path: &[u8]) -> Result<Vec<Ino>> {
    let mut found = vec![reserved::ROOT];
    let mut dir = fs.inode(reserved::ROOT)?;
    for name in path.split(|byte| *byte == b'/').filter(|name| !name.is_empty()) {
        let ino = fs.lookup(&dir, name)?.ok_or_else(|| {
            let name = extscope::report::escaped(name);
            let what = format!("there is no {name} in the directory");
            Error::new(ErrorKind::OutOfBounds, what).at_ino(dir.ino)
        })?;
        dir = fs.inode(ino)?;
        found.push(ino);
    }
    Ok(found)
}
