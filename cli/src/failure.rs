//! What ended a command early, and how it is told.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use extscope::fs::Backup;
use extscope::report::DiskReport;

use crate::args::PlaceArgs;
use crate::commands::partitions;

/// What ended a command early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The image could not be opened or read.
    Image {
        /// The image.
        path: PathBuf,
        /// What could not be done.
        error: extscope::Error,
    },
    /// The image could not be opened, but may be from a backup superblock.
    Backups {
        /// The image.
        path: PathBuf,
        /// Where in it the filesystem lies.
        place: PlaceArgs,
        /// Why it could not be opened as it was to be.
        error: extscope::Error,
        /// The backups, best first.
        backups: Vec<Backup>,
    },
    /// The image is one of a whole disk.
    Disk {
        /// The image.
        path: PathBuf,
        /// Why it could not be opened as it was to be.
        error: extscope::Error,
        /// Its partitions.
        disk: DiskReport,
    },
    /// Something could not be measured.
    Bench(String),
    /// The report could not be written.
    Output(std::io::Error),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}

impl Failure {
    /// An image that could not be read as it was to be.
    pub(crate) fn image(path: &Path, error: extscope::Error) -> Self {
        Self::Image { path: path.to_owned(), error }
    }

    /// Tells what happened on standard error. A reader that has seen enough is no failure.
    pub(crate) fn report(self) -> ExitCode {
        let message = match self {
            Self::Output(error) if error.kind() == ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            Self::Output(error) => format!("extscope: cannot write: {error}"),
            Self::Bench(why) => format!("extscope: cannot measure: {why}"),
            Self::Image { path, error } => message(&path, &error, Vec::new()),
            Self::Backups { path, place, error, backups } => {
                message(&path, &error, backup_lines(&path, &place, &backups))
            }
            Self::Disk { path, error, disk } => message(&path, &error, disk_lines(&path, &disk)),
        };
        eprintln!("{message}");
        ExitCode::FAILURE
    }
}

/// What, where, and what to try.
fn message(path: &Path, error: &extscope::Error, more: Vec<String>) -> String {
    let mut lines = vec![format!("extscope: {}: {error}", path.display())];
    lines.extend(error.hint().map(|hint| format!("  {hint}")));
    lines.extend(more);
    lines.join("\n")
}

fn backup_lines(path: &Path, place: &PlaceArgs, backups: &[Backup]) -> Vec<String> {
    /// Backups listed.
    const MOST: usize = 5;
    let mut lines = vec!["  Backup superblocks were found. To use one:".to_owned()];
    lines.extend(backups.iter().take(MOST).map(|backup| {
        format!(
            "    extscope info {place}--superblock {} --blocksize {} {}",
            backup.fsblk,
            backup.block_size,
            path.display()
        )
    }));
    if let Some(rest) = backups.len().checked_sub(MOST).filter(|rest| *rest > 0) {
        lines.push(format!("    and {rest} more"));
    }
    lines
}

fn disk_lines(path: &Path, disk: &DiskReport) -> Vec<String> {
    let mut lines: Vec<_> = disk.notes.iter().map(|note| format!("  {note}")).collect();
    lines.extend(disk.partitions.iter().map(|it| format!("  {}", partitions::line(it))));
    if let Some(first) = disk.partitions.iter().find(|partition| partition.is_ext) {
        lines.push("  To open one:".to_owned());
        lines.push(format!("    extscope info --partition {} {}", first.number, path.display()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_what_where_and_what_to_try() {
        let error = extscope::Error::corrupt("s_blocks_per_group is 0")
            .at_offset(1024)
            .with_hint("Open the filesystem from a backup superblock.");
        assert_eq!(
            message(Path::new("a.img"), &error, Vec::new()),
            "extscope: a.img: s_blocks_per_group is 0 (byte 1024)\n  \
             Open the filesystem from a backup superblock."
        );
    }
}
