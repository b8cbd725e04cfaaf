//! Opening the image that was named.

use extscope::fs::{Backup, BackupSearch, Filesystem};
use extscope::io::FileSource;
use extscope::task::run_to_end;
use extscope::{Error, ErrorKind};

use crate::args::ImageArgs;
use crate::failure::Failure;

/// Opens the image; when its primary superblock is of no use, looks for backups to offer.
pub(crate) fn open(args: &ImageArgs) -> Result<Filesystem<FileSource>, Failure> {
    let options = args.options();
    let fail = |error: Error, backups| Failure::Image { path: args.path.clone(), error, backups };
    let source = FileSource::open(&args.path).map_err(|error| fail(error, Vec::new()))?;
    Filesystem::open(source, options).map_err(|error| {
        let is_damaged = matches!(error.kind(), ErrorKind::NotExt | ErrorKind::Corrupt);
        let backups = if is_damaged && options.superblock.is_none() {
            find_backups(args)
        } else {
            Vec::new()
        };
        fail(error, backups)
    })
}

/// The backups that make sense; none when the search itself fails, which is no news then.
fn find_backups(args: &ImageArgs) -> Vec<Backup> {
    let search = FileSource::open(&args.path).and_then(BackupSearch::new).and_then(run_to_end);
    let found = search.map(|backups| backups.found).unwrap_or_default();
    found.into_iter().filter(|backup| backup.is_plausible).collect()
}
