//! What ended a command early, and how it is told.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use extscope::fs::Backup;

/// What ended a command early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The image could not be opened or read.
    Image {
        /// The image.
        path: PathBuf,
        /// What could not be done.
        error: extscope::Error,
        /// Backups from which it may be opened instead, best first.
        backups: Vec<Backup>,
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
        Self::Image { path: path.to_owned(), error, backups: Vec::new() }
    }

    /// Tells what happened on standard error. A reader that has seen enough is no failure.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Output(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(error) => {
                eprintln!("extscope: cannot write the report: {error}");
                ExitCode::FAILURE
            }
            Self::Bench(why) => {
                eprintln!("extscope: cannot measure: {why}");
                ExitCode::FAILURE
            }
            Self::Image { path, error, backups } => {
                eprintln!("{}", message(&path, &error, &backups));
                ExitCode::FAILURE
            }
        }
    }
}

/// What, where, and what to try.
fn message(path: &Path, error: &extscope::Error, backups: &[Backup]) -> String {
    /// Backups listed.
    const MOST: usize = 5;
    let image = path.display();
    let mut lines = vec![format!("extscope: {image}: {error}")];
    lines.extend(error.hint().map(|hint| format!("  {hint}")));
    if !backups.is_empty() {
        lines.push("  Backup superblocks were found. To use one:".to_owned());
    }
    lines.extend(backups.iter().take(MOST).map(|backup| {
        format!(
            "    extscope info --superblock {} --blocksize {} {image}",
            backup.fsblk, backup.block_size
        )
    }));
    if let Some(rest) = backups.len().checked_sub(MOST).filter(|rest| *rest > 0) {
        lines.push(format!("    and {rest} more"));
    }
    lines.join("\n")
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
            message(Path::new("a.img"), &error, &[]),
            "extscope: a.img: s_blocks_per_group is 0 (byte 1024)\n  \
             Open the filesystem from a backup superblock."
        );
    }
}
