//! What each pass leaves for the next, step by step, for filesystems small enough to be drawn block
//! by block. The passes themselves tell it, where they put something into a map.

use serde::{Deserialize, Serialize};

use super::problem::{Code, Pass};
use crate::fs::BitmapKind;
use crate::limits;
use crate::units::{Group, Ino};

/// What an inode is to pass 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum InodeUse {
    /// Not in use.
    #[default]
    Free,
    /// In use: reserved, or neither a file nor a directory.
    Used,
    /// A directory.
    Dir,
    /// A regular file.
    Reg,
}

/// A step of a check that leaves something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckStep {
    /// A pass begins.
    Pass(Pass),
    /// Pass 1 marks clusters of the filesystem's own metadata.
    Metadata {
        /// Of which group.
        group: Group,
        /// The first.
        first: u64,
        /// How many.
        len: u64,
    },
    /// Pass 1 finds an inode in use.
    Inode {
        /// The inode.
        ino: Ino,
        /// Its `i_links_count`.
        links: u32,
    },
    /// Pass 1 finds what kind of inode it is.
    Kind {
        /// The inode.
        ino: Ino,
        /// Which kind.
        kind: InodeUse,
    },
    /// Pass 1 finds clusters that an inode has.
    Found {
        /// Whose.
        ino: Ino,
        /// The first.
        first: u64,
        /// How many.
        len: u64,
    },
    /// Some of those that it found last were found before.
    Shared {
        /// Whose.
        ino: Ino,
        /// The first.
        first: u64,
        /// How many.
        len: u64,
    },
    /// Pass 2 finds an entry, and counts a reference.
    Entry {
        /// The directory.
        dir: Ino,
        /// The inode that is named.
        ino: Ino,
        /// Whether the directory is its parent from now on.
        is_parent: bool,
    },
    /// Pass 3 goes from a directory up to its parent.
    Up {
        /// The directory.
        ino: Ino,
        /// Its parent; 0 when it has none.
        parent: u32,
    },
    /// Pass 4 holds references against the link count.
    Links {
        /// The inode.
        ino: Ino,
        /// Its `i_links_count`.
        links: u32,
        /// References that pass 2 counted.
        counted: u32,
    },
    /// Pass 5 compares a bitmap with what was found.
    Compare {
        /// Which bitmap.
        kind: BitmapKind,
        /// Of which group.
        group: Group,
        /// Bits that differ.
        differing: u64,
    },
    /// A problem is told.
    Problem(Code),
}

/// What a cluster is, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClusterUse {
    /// Nobody was found to have it.
    #[default]
    Unknown,
    /// The filesystem's own metadata.
    Metadata,
    /// An inode has it.
    Found,
    /// Several have it.
    Shared,
}

/// What is known of an inode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct InodeKnown {
    /// What it is.
    pub is: InodeUse,
    /// Its `i_links_count`.
    pub links: u32,
    /// References found.
    pub refs: u32,
    /// The directory that has its name, of a directory.
    pub parent: u32,
    /// Whether the way up from it was gone.
    pub is_reached: bool,
    /// Whether its references were held against its link count.
    pub is_counted: bool,
}

/// The maps, as far as they are made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckMaps {
    /// What each cluster is.
    pub clusters: Vec<ClusterUse>,
    /// What is known of each inode, by number.
    pub inodes: Vec<InodeKnown>,
    /// Bits that differ in each group's block bitmap, and in its inode bitmap, once compared.
    pub groups: Vec<[Option<u64>; 2]>,
    /// The pass at work.
    pub pass: Option<Pass>,
    /// Problems told.
    pub problems: u64,
}

/// All steps of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckSteps {
    /// The steps, as far as they are kept.
    pub steps: Vec<CheckStep>,
    /// Whether there were more.
    pub is_cut: bool,
    /// Clusters.
    pub clusters: u64,
    /// Inodes.
    pub inodes: u32,
    /// Groups.
    pub groups: u32,
}

impl CheckSteps {
    /// The maps after the first `count` steps.
    #[must_use]
    pub fn after(&self, count: usize) -> CheckMaps {
        let size = |len: u64, most: u64| usize::try_from(len.min(most)).unwrap_or(0);
        let clusters = size(self.clusters, limits::STEP_CLUSTERS);
        let inodes = size(u64::from(self.inodes).saturating_add(1), limits::STEP_INODES + 1);
        let mut maps = CheckMaps {
            clusters: vec![ClusterUse::default(); clusters],
            inodes: vec![InodeKnown::default(); inodes],
            groups: vec![[None; 2]; size(self.groups.into(), limits::STEP_CLUSTERS)],
            ..CheckMaps::default()
        };
        self.steps.iter().take(count).for_each(|step| maps.take(*step));
        maps
    }
}

impl CheckMaps {
    fn take(&mut self, step: CheckStep) {
        match step {
            CheckStep::Pass(pass) => self.pass = Some(pass),
            CheckStep::Metadata { first, len, .. } => self.set(first, len, ClusterUse::Metadata),
            CheckStep::Found { first, len, .. } => self.set(first, len, ClusterUse::Found),
            CheckStep::Shared { first, len, .. } => self.set(first, len, ClusterUse::Shared),
            CheckStep::Inode { ino, links } => self.inode(ino, |inode| {
                inode.is = InodeUse::Used;
                inode.links = links;
            }),
            CheckStep::Kind { ino, kind } => self.inode(ino, |inode| inode.is = kind),
            CheckStep::Entry { dir, ino, is_parent } => self.inode(ino, |inode| {
                inode.refs = inode.refs.saturating_add(1);
                if is_parent {
                    inode.parent = dir.get();
                }
            }),
            CheckStep::Up { ino, .. } => self.inode(ino, |inode| inode.is_reached = true),
            CheckStep::Links { ino, .. } => self.inode(ino, |inode| inode.is_counted = true),
            CheckStep::Compare { kind, group, differing } => {
                let of_inodes = usize::from(kind == BitmapKind::Inode);
                let group = self.groups.get_mut(group.get() as usize);
                if let Some(differs) = group.and_then(|group| group.get_mut(of_inodes)) {
                    *differs = Some(differing);
                }
            }
            CheckStep::Problem(_) => self.problems = self.problems.saturating_add(1),
        }
    }

    /// Clusters get what they are; that several have them stays.
    fn set(&mut self, first: u64, len: u64, to: ClusterUse) {
        let at = usize::try_from(first).unwrap_or(usize::MAX);
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        for cluster in self.clusters.iter_mut().skip(at).take(len) {
            if *cluster != ClusterUse::Shared {
                *cluster = to;
            }
        }
    }

    fn inode(&mut self, ino: Ino, change: impl FnOnce(&mut InodeKnown)) {
        if let Some(inode) = self.inodes.get_mut(ino.get() as usize) {
            change(inode);
        }
    }
}

/// Takes down the steps of a check, where that is wanted.
#[derive(Clone, Debug, Default)]
pub(super) struct Recorder {
    /// The steps so far; `None` where nobody wants them.
    steps: Option<Vec<CheckStep>>,
    is_cut: bool,
    /// The inode whose blocks are gone through.
    walked: Ino,
}

impl Recorder {
    /// One that takes steps down.
    pub(super) fn recording() -> Self {
        Self { steps: Some(Vec::new()), ..Self::default() }
    }

    /// The steps, without the size of the filesystem.
    pub(super) fn take(&mut self) -> Option<CheckSteps> {
        let steps = self.steps.take()?;
        Some(CheckSteps { steps, is_cut: self.is_cut, ..CheckSteps::default() })
    }

    /// Takes a step down.
    pub(super) fn note(&mut self, step: CheckStep) {
        let Some(steps) = &mut self.steps else { return };
        // Of a file that is mapped block by block, what follows one another is one step.
        if let CheckStep::Found { ino, first, len } = step
            && let Some(CheckStep::Found { ino: of, first: start, len: so_far }) = steps.last_mut()
            && (*of, start.saturating_add(*so_far)) == (ino, first)
        {
            *so_far = so_far.saturating_add(len);
        } else if steps.len() < limits::LESSON_STEPS {
            steps.push(step);
        } else {
            self.is_cut = true;
        }
    }

    /// Takes down which pass is at work. A pass that leaves nothing is told of all the same, save
    /// those within pass 1.
    pub(super) fn pass(&mut self, pass: Pass) {
        let Some(steps) = &mut self.steps else { return };
        let last = steps.iter().rev().find_map(|step| match step {
            CheckStep::Pass(pass) => Some(*pass),
            _ => None,
        });
        if last == Some(pass) {
            return;
        }
        if steps.last() == Some(&CheckStep::Pass(Pass::OneB)) {
            steps.pop();
        }
        self.note(CheckStep::Pass(pass));
    }

    /// The blocks that are found from now on are this inode's.
    pub(super) fn walk(&mut self, ino: Ino) {
        self.walked = ino;
    }

    /// Takes down clusters that the inode has.
    pub(super) fn found(&mut self, first: u64, len: u64) {
        if len > 0 {
            self.note(CheckStep::Found { ino: self.walked, first, len });
        }
    }

    /// Takes down clusters that somebody had before.
    pub(super) fn shared(&mut self, first: u64, len: u64) {
        self.note(CheckStep::Shared { ino: self.walked, first, len });
    }
}
