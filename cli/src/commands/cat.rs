//! `extscope cat`: the contents of a file.

use std::io::Write;

use extscope::fs::{DataPiece, FileData};

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::image;

/// Which file of which image.
#[derive(Debug, clap::Args)]
pub(crate) struct CatArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Path from the root, or inode number; symbolic links are followed
    file: FileName,
}

/// Writes the bytes of a file, piece by piece; holes as zeros.
pub(crate) fn run(args: &CatArgs, out: &mut impl Write) -> Result<(), Failure> {
    static ZEROS: [u8; 64 << 10] = [0; 64 << 10];
    let filesystem = image::open(&args.image)?;
    let fail = |error| Failure::image(&args.image.path, error);
    let inode = args.file.find(&filesystem, true).map_err(fail)?;
    let mut data = FileData::new(&filesystem, &inode, 0..u64::MAX).map_err(fail)?;
    while let Some(piece) = data.next_piece(&filesystem) {
        match piece.map_err(|error| fail(error.at_ino(inode.ino)))? {
            DataPiece::Bytes(bytes) => out.write_all(&bytes)?,
            DataPiece::Zeros(mut left) => {
                while left > 0 {
                    let len = left.min(ZEROS.len() as u64);
                    out.write_all(&ZEROS[..len as usize])?;
                    left -= len;
                }
            }
        }
    }
    Ok(())
}
