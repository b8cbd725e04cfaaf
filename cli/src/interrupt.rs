//! Ctrl-C: a command ends at once. Neither it nor an error leaves a half-written file behind.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file being written, if there is one.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Exit status of a program that SIGINT ended, as shells have it.
const INTERRUPTED: i32 = 130;

/// Takes over from the system what happens at Ctrl-C.
pub(crate) fn listen() {
    // Where that cannot be done, the system ends the program all the same.
    let _ = ctrlc::set_handler(|| {
        let mut stderr = std::io::stderr();
        if stderr.is_terminal() {
            let _ = write!(stderr, "\r\x1b[K");
        }
        let _ = match unfinished().take() {
            Some(path) if std::fs::remove_file(&path).is_ok() => {
                writeln!(stderr, "extscope: interrupted; {} is not kept", path.display())
            }
            _ => writeln!(stderr, "extscope: interrupted"),
        };
        std::process::exit(INTERRUPTED);
    });
}

/// A file that is taken away when its writing is interrupted, until this goes out of scope.
#[derive(Debug)]
pub(crate) struct Unfinished(());

impl Unfinished {
    /// Names the file. What is no regular file, such as a device, stays, and so does a link to it.
    pub(crate) fn new(path: &Path) -> Self {
        *unfinished() = path.is_file().then(|| path.canonicalize().ok()).flatten();
        Self(())
    }

    /// Takes the file away now.
    pub(crate) fn remove(self) {
        if let Some(path) = unfinished().take() {
            // It stays where it may not be taken away; why it is not whole is told all the same.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        *unfinished() = None;
    }
}

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
