//! Making an image, step by step.

use std::path::{Path, PathBuf};

use super::script::Script;
use crate::{recipe, tool};

/// An image that is being made, in a folder of its own.
#[derive(Debug)]
pub struct Maker {
    folder: tempfile::TempDir,
    image: PathBuf,
}

impl Default for Maker {
    fn default() -> Self {
        let folder = recipe::scratch();
        let image = folder.path().join("image");
        Self { folder, image }
    }
}

impl Maker {
    /// The image.
    #[must_use]
    pub fn image(&self) -> &Path {
        &self.image
    }

    /// The folder, for whatever is needed beside it.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Makes a filesystem; says whether `mke2fs` takes the options.
    ///
    /// # Panics
    /// When it cannot be run.
    pub fn try_mke2fs(&self, options: &str, extended: &str, size: &str) -> bool {
        let mut command = tool::command("mke2fs");
        let seed = format!("hash_seed={}", recipe::HASH_SEED);
        let extended = [&*seed, extended].join(",");
        command.args(["-q", "-F", "-U", recipe::UUID, "-E", extended.trim_end_matches(',')]);
        command.args(options.split_whitespace()).arg(&self.image).arg(size);
        command.output().expect("mke2fs can be run").status.success()
    }

    /// Makes a filesystem.
    ///
    /// # Panics
    /// When `mke2fs` does not take the options.
    pub fn mke2fs(&self, options: &str, extended: &str, size: &str) -> &Self {
        assert!(self.try_mke2fs(options, extended, size), "mke2fs {options} {size}");
        self
    }

    /// Runs a tool on the image, which may complain.
    ///
    /// # Panics
    /// When it cannot be run.
    pub fn run(&self, name: &str, before: &[&str], after: &[&str]) -> &Self {
        let mut command = tool::command(name);
        command.args(before).arg(&self.image).args(after);
        let _ = command.output().unwrap_or_else(|error| panic!("{name} cannot be run: {error}"));
        self
    }

    /// Runs requests of `debugfs`, some of which may fail for lack of space.
    ///
    /// # Panics
    /// When the script cannot be written.
    pub fn debugfs(&self, write: impl FnOnce(&mut Script)) -> &Self {
        let mut script = Script::new(self.folder.path());
        write(&mut script);
        let path = self.folder.path().join("script");
        std::fs::write(&path, script.requests()).expect("the scratch folder can be written");
        self.run("debugfs", &["-w", "-f", path.to_str().expect("a plain path")], &[])
    }

    /// Makes counts and bitmaps true; says whether nothing is left to mend.
    ///
    /// # Panics
    /// When it cannot be run.
    pub fn try_e2fsck(&self) -> bool {
        let mut command = tool::command("e2fsck");
        let output = command.arg("-fy").arg(&self.image).output().expect("e2fsck can be run");
        matches!(output.status.code(), Some(0 | 1))
    }

    /// Makes counts and bitmaps true.
    ///
    /// # Panics
    /// When something is left to mend.
    pub fn e2fsck(&self) -> &Self {
        assert!(self.try_e2fsck(), "e2fsck mends everything");
        self
    }
}
