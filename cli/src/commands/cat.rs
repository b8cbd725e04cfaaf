//! `extscope cat`: the contents of a file.

use std::io::Write;

use extscope::fs::Inode;
use extscope::ondisk::FileType;
use extscope::{Error, ErrorKind};

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

/// What an inode is, if it is nothing with contents.
fn without_contents(inode: &Inode) -> Option<&'static str> {
    match inode.file_type() {
        Some(FileType::Dir) => Some("a directory has no contents to write"),
        Some(FileType::Chrdev | FileType::Blkdev) => Some("a device has no contents in the image"),
        Some(FileType::Fifo) => Some("a pipe has no contents in the image"),
        Some(FileType::Sock) => Some("a socket has no contents in the image"),
        Some(FileType::RegFile | FileType::Symlink) => None,
        None if inode.has_blocks() => None,
        None => Some("an inode without a type has no contents"),
    }
}

/// Writes the bytes of a file, piece by piece; holes as zeros.
pub(crate) fn run(args: &CatArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    let found = args.file.find(&filesystem, true);
    let inode = found.map_err(|error| Failure::image(&args.image.path, error))?;
    if let Some(what) = without_contents(&inode) {
        let error = Error::new(ErrorKind::Unsupported, what).at_ino(inode.ino);
        let hint = if inode.is_dir() {
            "extscope ls lists a directory."
        } else {
            "extscope inode tells of it."
        };
        return Err(Failure::image(&args.image.path, error.with_hint(hint)));
    }
    image::write_contents(&args.image, &filesystem, &inode, out)
}
