//! `extscope cat`: the contents of a file.

use std::io::Write;

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
    let filesystem = image::open(&args.image)?;
    let found = args.file.find(&filesystem, true);
    let inode = found.map_err(|error| Failure::image(&args.image.path, error))?;
    image::write_contents(&args.image, &filesystem, &inode, out)
}
