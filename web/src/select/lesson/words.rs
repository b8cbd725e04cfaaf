//! Titles and what stands in the list of lessons.

use crate::protocol::Way;
use crate::state::Lesson;

/// A lesson in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Title {
    /// Its name.
    pub name: &'static str,
    /// What it is about, in a sentence.
    pub about: &'static str,
    /// How long it takes, and what one needs to know.
    pub needs: &'static str,
}

/// What a lesson is called and about.
#[must_use]
pub const fn title(lesson: Lesson) -> Title {
    match lesson {
        Lesson::Scan => Title {
            name: "Finding a free inode",
            about: "Six ways to find the first clear bit. All of them run here for real, a step at a time.",
            needs: "8 minutes. You know what a bit and a loop are.",
        },
        Lesson::Race => Title {
            name: "The race",
            about: "The same six ways against the clock, beside what the report of 2012 measured.",
            needs: "3 minutes. Best after finding a free inode.",
        },
        Lesson::Compare => Title {
            name: "Pass 5: two bitmaps",
            about: "e2fsck compares the bitmap that it found with the one on the disk. How much of that must be looked at bit by bit?",
            needs: "5 minutes. You know what a check of a filesystem is for.",
        },
        Lesson::Sheet => Title {
            name: "A sheet to print",
            about: "What to predict, with room to write, on a made-up bitmap; and the answers, counted by running it.",
            needs: "For a class.",
        },
        Lesson::Lab => Title {
            name: "What the bits mean",
            about: "Turn bits of a group's bitmaps round, in memory alone, and see what the check says about it, and what e2fsck would do.",
            needs: "8 minutes. You know what a bitmap is.",
        },
        Lesson::Load => Title {
            name: "Reading only what is needed",
            about: "A question about a few groups does not need the bitmaps of all. Which are read, in how many requests, and how long a disk takes for them.",
            needs: "6 minutes. You know that a filesystem is made of block groups.",
        },
        Lesson::Shrink => Title {
            name: "What a shrink does",
            about: "The five phases of resize2fs on a small filesystem, block by block: what moves where, and who has to be told.",
            needs: "7 minutes. You know what an inode and a directory entry are.",
        },
        Lesson::Passes => Title {
            name: "What the passes leave",
            about: "Each pass of e2fsck works with what those before it found. Which map is made where, and who reads it.",
            needs: "7 minutes. You know what an inode and a directory entry are.",
        },
        Lesson::Forms => Title {
            name: "Bits or runs",
            about: "A bitmap as an array of bits, and as a tree of runs: which is smaller and which faster depends on how the disk is cut up.",
            needs: "4 minutes. You know what a tree is.",
        },
        Lesson::Split => Title {
            name: "A petabyte's bitmaps",
            about: "Many workers read the bitmaps at once. Who reads which decides how long all wait, and whether anything is missed.",
            needs: "6 minutes. You know that a filesystem is made of block groups.",
        },
    }
}

/// A way to find a free inode, in a few words.
#[must_use]
pub const fn way_name(way: Way) -> &'static str {
    match way {
        Way::Modulo => "Bits, a division for each",
        Way::Hoisted => "Bits, counting down",
        Way::Direct => "Bits, one call less",
        Way::Bytes => "Bytes",
        Way::Words => "Words of 64 bits",
        Way::Vectors => "Vectors",
    }
}

/// Who did it that way.
#[must_use]
pub const fn way_origin(way: Way) -> &'static str {
    match way {
        Way::Modulo => "e2fsprogs as it was before March 2012",
        Way::Hoisted => "First change of the report",
        Way::Direct => "Second change of the report",
        Way::Bytes => "Third change, first try",
        Way::Words => "Third change, as e2fsprogs took it over",
        Way::Vectors => "extscope",
    }
}
