//! Sentences that appear in more than one place, or that tests look for.

/// On the opening page.
pub const NOTHING_LEAVES: &str = "Nothing is uploaded and nothing is written.";
/// At the right of the status bar.
pub const LOCAL_ONLY: &str = "Local only, read only";
/// When the worker trapped.
pub const CRASHED: &str =
    "Something in extscope broke. This is a fault of the program, not of your image.";
/// When the file behind a `File` is no longer what it was.
pub const FILE_CHANGED: &str = "Reading failed: the file changed on disk after it was opened.";
