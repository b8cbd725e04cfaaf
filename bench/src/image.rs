//! Images to measure on, the same in every run.

use std::fs::{self, File};
use std::io::{Error, Result};
use std::path::Path;
use std::process::Command;

use crate::fragment::{count, fragment};
use crate::owners::extents_per_file;
use crate::truth::Truth;

/// Bytes of a block.
const BLOCK_BYTES: u64 = 4096;

/// Files of one folder.
const FILES_PER_FOLDER: u64 = 250;

/// Makes an ext4 image of `bytes` at `path`, sparse: half of its blocks are in use, in runs of
/// `mean` blocks on average that are owned by files, and e2fsck finds nothing to say about it. A
/// mean of 0 leaves it empty, with most bitmaps not written yet. Gives what its block bitmaps say,
/// counted bit by bit.
///
/// # Errors
/// mke2fs is missing or fails, or the disk is full.
pub fn make(path: &Path, bytes: u64, mean: u64) -> Result<Truth> {
    let folder = crate::scratch()?;
    if let Some(runs) = (bytes / BLOCK_BYTES).checked_div(2 * mean) {
        let files = runs / extents_per_file(BLOCK_BYTES as u32);
        // Lengths vary, and metadata cuts runs.
        plant(folder.path(), files + files / 8 + 8)?;
    }
    let mut mke2fs = Command::new("/usr/sbin/mke2fs");
    mke2fs.env("E2FSPROGS_FAKE_TIME", "1704067200").args(["-q", "-F", "-t", "ext4"]);
    mke2fs.args(["-b", &BLOCK_BYTES.to_string(), "-O", "^has_journal"]);
    mke2fs.args(["-U", "5d1f8a0e-7c35-4c0b-9f6e-2b1a40c3e7d9"]);
    mke2fs.args(["-E", "lazy_itable_init=1,hash_seed=5d1f8a0e-7c35-4c0b-9f6e-2b1a40c3e7d9"]);
    mke2fs.arg("-d").arg(folder.path()).arg(path).arg((bytes / BLOCK_BYTES).to_string());
    let output = mke2fs.output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Error::other(format!("mke2fs failed: {}", said.trim())));
    }
    if mean == 0 { count(path) } else { fragment(path, mean) }
}

/// Makes so many empty files.
fn plant(folder: &Path, files: u64) -> Result<()> {
    for number in 0..files {
        let folder = folder.join(format!("{:05}", number / FILES_PER_FOLDER));
        if number % FILES_PER_FOLDER == 0 {
            fs::create_dir(&folder)?;
        }
        File::create(folder.join(format!("{number:07}")))?;
    }
    Ok(())
}
