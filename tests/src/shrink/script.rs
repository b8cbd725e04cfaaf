//! Requests for `debugfs` that put files where a shrink must move them.
//!
//! `debugfs` takes the first free block for each one that it needs. So blocks are marked as in use,
//! files written, and the blocks freed again: the files lie behind them. A last `e2fsck` makes the
//! counts true.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

/// Requests, and the files of the host that they copy from.
#[derive(Clone, Debug)]
pub struct Script {
    folder: PathBuf,
    requests: String,
}

impl Script {
    /// No request; files of the host go into `folder`.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), requests: String::new() }
    }

    /// The requests, one a line.
    #[must_use]
    pub fn requests(&self) -> &str {
        &self.requests
    }

    /// Any request.
    pub fn ask(&mut self, request: impl AsRef<str>) -> &mut Self {
        let _ = writeln!(self.requests, "{}", request.as_ref());
        self
    }

    /// Marks blocks as in use.
    pub fn busy(&mut self, first: u64, count: u64) -> &mut Self {
        self.ask(format!("setb {first} {count}"))
    }

    /// Frees blocks.
    pub fn free(&mut self, first: u64, count: u64) -> &mut Self {
        self.ask(format!("freeb {first} {count}"))
    }

    /// Marks every `step`th block of a range as in use.
    pub fn comb(&mut self, first: u64, count: u64, step: usize) -> &mut Self {
        for block in (first..first + count).step_by(step) {
            self.ask(format!("setb {block}"));
        }
        self
    }

    /// Frees every `step`th block of a range.
    pub fn free_comb(&mut self, first: u64, count: u64, step: usize) -> &mut Self {
        for block in (first..first + count).step_by(step) {
            self.ask(format!("freeb {block}"));
        }
        self
    }

    /// Marks a range as in use but for bursts of `burst` blocks with `gap` between them.
    pub fn bursts(&mut self, first: u64, count: u64, burst: u64, gap: u64) -> &mut Self {
        self.busy(first, count);
        let step = usize::try_from(burst + gap).expect("a short step");
        for block in (first..first + count - burst).step_by(step) {
            self.free(block, burst);
        }
        self
    }

    /// Does `what` while a range is in use.
    pub fn above(
        &mut self,
        first: u64,
        count: u64,
        what: impl FnOnce(&mut Self) -> &mut Self,
    ) -> &mut Self {
        self.busy(first, count);
        what(self).free(first, count)
    }

    /// Marks inodes as in use.
    pub fn busy_inodes(&mut self, first: u64, count: u64) -> &mut Self {
        self.ask(format!("seti <{first}> {count}"))
    }

    /// Frees inodes.
    pub fn free_inodes(&mut self, first: u64, count: u64) -> &mut Self {
        self.ask(format!("freei <{first}> {count}"))
    }

    /// Writes files of so many KiB.
    pub fn files(&mut self, prefix: &str, count: u32, kib: usize) -> &mut Self {
        let source = self.source(kib);
        for number in 0..count {
            self.ask(format!("write {source} {prefix}{number}"));
        }
        self
    }

    /// Writes files with a block of data in every `step` blocks.
    pub fn sparse_files(
        &mut self,
        prefix: &str,
        count: u32,
        (blocks, step, block_size): (u64, u64, u64),
    ) -> &mut Self {
        let source = self.folder.join(format!("sparse-{blocks}-{step}-{block_size}"));
        let file = File::create(&source).expect("the scratch folder can be written");
        for block in 0..blocks {
            let bytes = vec![b's'; usize::try_from(block_size).expect("a block")];
            file.write_all_at(&bytes, block * step * block_size)
                .expect("the scratch folder can be written");
        }
        for number in 0..count {
            self.ask(format!("write {} {prefix}{number}", source.display()));
        }
        self
    }

    /// Makes directories.
    pub fn dirs(&mut self, prefix: &str, count: u32) -> &mut Self {
        for number in 0..count {
            self.ask(format!("mkdir {prefix}{number}"));
        }
        self
    }

    /// A file of the host of so many KiB, none of them zeros.
    pub fn source(&self, kib: usize) -> String {
        let path = self.folder.join(format!("source-{kib}"));
        if !path.exists() {
            let bytes: Vec<u8> = (0..kib * 1024).map(|at| (at % 251) as u8 | 1).collect();
            fs::write(&path, bytes).expect("the scratch folder can be written");
        }
        path.display().to_string()
    }
}
