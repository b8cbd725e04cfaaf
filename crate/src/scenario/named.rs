//! The scenarios that have a name: the cases of public reports, and the two ends of what there is.

use super::recipe::{FileKind, Recipe};

/// A scenario with a name.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// Its name, as a recipe's text has it.
    pub name: &'static str,
    /// What there is to see in it, in a sentence.
    pub about: &'static str,
    /// The public report whose case it is.
    pub report: Option<&'static str>,
    make: fn() -> Recipe,
}

impl Named {
    /// What it is like.
    #[must_use]
    pub fn recipe(&self) -> Recipe {
        (self.make)()
    }
}

/// Every scenario with a name, in the order that they are listed.
pub fn all() -> impl Iterator<Item = &'static Named> {
    NAMED.iter()
}

const NAMED: &[Named] = &[
    Named {
        name: "half-full",
        about: "100 GB, half full of copied documents.",
        report: Some("Debian bug 663237, March 2012"),
        make: || Recipe { size: 100_000_000_000, files: one(8, 2), ..Recipe::default() },
    },
    Named {
        name: "mostly-full",
        about: "4 TB of long runs, with little free between them.",
        report: Some("linux-ext4, November 2012"),
        make: || Recipe {
            size: 4_000_000_000_000,
            fill: 97,
            files: one(2048, 8),
            inode_ratio: 256 << 10,
            ..Recipe::default()
        },
    },
    Named {
        name: "pebibyte",
        about: "1 PiB in 131,072 groups: clusters of 256 KiB.",
        report: Some("linux-ext4, September 2020"),
        make: || Recipe {
            size: 1 << 50,
            cluster_ratio: 64,
            inode_ratio: 1 << 20,
            files: one(256, 16),
            fill: 60,
            ..Recipe::default()
        },
    },
    Named {
        name: "preallocated",
        about: "10 GB of preallocated files, of 8 MB and 400 MB.",
        report: Some("linux-ext4, 2020"),
        make: || Recipe {
            size: 10_000_000_000,
            fill: 100,
            files: vec![FileKind { run: 2048, extents: 1 }, FileKind { run: 25_600, extents: 4 }],
            is_varied: false,
            is_unwritten: true,
            ..Recipe::default()
        },
    },
    Named {
        name: "every-other",
        about: "16 GiB, every other block free: the worst case.",
        report: None,
        make: || Recipe {
            size: 16 << 30,
            files: one(1, 1024),
            is_varied: false,
            ..Recipe::default()
        },
    },
    Named {
        name: "one-run",
        about: "16 GiB, full to the middle, then free: the best case.",
        report: None,
        make: || Recipe {
            size: 16 << 30,
            reach: 50,
            fill: 100,
            files: one(8192, 4),
            is_varied: false,
            ..Recipe::default()
        },
    },
    Named {
        name: "empty",
        about: "1 TiB as mke2fs leaves it: most was never written.",
        report: None,
        make: || Recipe { size: 1 << 40, fill: 0, ..Recipe::default() },
    },
];

fn one(run: u32, extents: u32) -> Vec<FileKind> {
    vec![FileKind { run, extents }]
}
