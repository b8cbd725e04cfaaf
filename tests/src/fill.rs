//! What is put into an image after `mke2fs`, so that its bitmaps are ragged and its fields are set.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::ops::RangeInclusive;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use crate::dumpe2fs::Dump;
use crate::{shapes, tool};

/// One way of filling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// A small tree of files and folders, by `mke2fs -d`.
    Tree,
    /// Files of mixed sizes, every third deleted again: ragged bitmaps with true counts.
    Ragged,
    /// Bits set behind the counts' back in up to 64 groups, every other uninitialised group
    /// initialised for it: bitmaps that disagree with the descriptors.
    Scatter,
    /// Every shape that a file can have; see [`crate::shapes`].
    Shapes,
    /// Requests for `debugfs`, one a line.
    Debugfs(&'static str),
    /// Bytes put at an offset of the image, past all tools.
    Poke {
        /// Where, in bytes.
        at: u64,
        /// What.
        bytes: &'static [u8],
    },
    /// Bytes copied within the image, past all tools.
    Copy {
        /// From where, in bytes.
        from: u64,
        /// To where, in bytes.
        to: u64,
        /// How many.
        len: usize,
    },
}

/// Bytes of the files that [`Fill::Ragged`] writes: within a block, a few, and many.
const SIZES: [usize; 5] = [700, 5_000, 37_000, 120_000, 12_288];

impl Fill {
    /// Does it to `image`; helpers go into `folder`.
    pub fn apply(self, image: &Path, folder: &Path) {
        match self {
            Self::Tree => {}
            Self::Ragged => ragged(image, folder),
            Self::Scatter => tool::debugfs(image, &scatter(&Dump::of(image))),
            Self::Shapes => shapes::apply(image, folder),
            Self::Debugfs(requests) => tool::debugfs(image, requests),
            Self::Poke { at, bytes } => write_at(image, at, bytes),
            Self::Copy { from, to, len } => {
                let mut bytes = vec![0; len];
                let file = File::open(image).expect("the image can be opened");
                file.read_exact_at(&mut bytes, from).expect("the image can be read");
                write_at(image, to, &bytes);
            }
        }
    }
}

/// Writes bytes into an image.
fn write_at(image: &Path, at: u64, bytes: &[u8]) {
    let file = File::options().write(true).open(image).expect("the image can be opened");
    file.write_all_at(bytes, at).expect("the image can be written");
}

/// Writes 30 files into three folders and deletes every third.
fn ragged(image: &Path, folder: &Path) {
    let mut requests = String::new();
    for (i, bytes) in SIZES.into_iter().enumerate() {
        let file = folder.join(format!("size-{i}"));
        fs::write(&file, vec![b'x'; bytes]).expect("the scratch folder can be written");
    }
    for name in ["a", "b", "c"] {
        let _ = writeln!(requests, "mkdir {name}");
    }
    let path = |i: usize| format!("/{}/file-{i}", ["a", "b", "c"][i % 3]);
    for i in 0..30 {
        let host = folder.join(format!("size-{}", i % SIZES.len()));
        let _ = writeln!(requests, "write {} {}", host.display(), path(i));
    }
    for i in (0..30).filter(|i| i % 3 == i / 10) {
        let _ = writeln!(requests, "rm {}", path(i));
    }
    tool::debugfs(image, &requests);
}

/// Requests that set runs of 1, 2, 3 … blocks and inodes at growing distances, and the last of
/// each, beside the padding.
fn scatter(dump: &Dump) -> String {
    let mut requests = String::new();
    let mut inodes_before = 0;
    for group in dump.groups.iter().take(64) {
        let inodes = inodes_before + 1..=inodes_before + inodes_per_group(dump);
        inodes_before = *inodes.end();
        if group.flags.iter().any(|flag| flag.ends_with("_UNINIT")) {
            if group.group % 2 == 0 {
                continue;
            }
            let _ = writeln!(requests, "set_bg {0} flags 4", group.group);
            let _ = writeln!(requests, "set_bg {0} checksum calc", group.group);
        }
        let shift = u64::from(group.group) % 61;
        for (at, len) in runs(group.blocks.0 + shift..=group.blocks.1) {
            let _ = writeln!(requests, "setb {at} {len}");
        }
        for (at, len) in runs(inodes) {
            let _ = writeln!(requests, "seti <{at}> {len}");
        }
    }
    requests
}

/// Starts and lengths of runs within a range, up to its last number.
fn runs(within: RangeInclusive<u64>) -> Vec<(u64, u64)> {
    let mut runs = vec![(*within.end(), 1)];
    let mut at = *within.start();
    for len in 1..20 {
        at += 7 * len;
        if at + len > *within.end() {
            break;
        }
        runs.push((at, len));
    }
    runs
}

/// Inodes of a group, from the header.
fn inodes_per_group(dump: &Dump) -> u64 {
    let line = dump.header("Inodes per group").expect("the header has the inodes per group");
    line.parse().expect("a number")
}

/// Makes the tree of [`Fill::Tree`] in `folder` and gives its path.
///
/// # Panics
/// When the folder cannot be written.
#[must_use]
pub fn tree(folder: &Path) -> PathBuf {
    let tree = folder.join("tree");
    for (path, bytes) in [
        ("README", 1_200),
        ("docs/long/way/down/leaf", 9_000),
        ("docs/index", 70_000),
        ("media/first", 200_000),
        ("media/second", 33),
        ("empty", 0),
    ] {
        let file = tree.join(path);
        let parent = file.parent().expect("a file of the tree has a folder");
        fs::create_dir_all(parent).expect("the scratch folder can be written");
        fs::write(&file, vec![b'e'; bytes]).expect("the scratch folder can be written");
    }
    tree
}
