//! Layers that tell of files: how they lie, how old they are, what does not add up.

use core::ops::Range;

use extscope::analysis::{BlockClass, OwnerMap};
use extscope::io::ByteSource;
use extscope::units::{Fsblk, Group, Ino};

use super::{Disk, shortness};
use crate::cells::{Cells, Fineness, Truth};
use crate::ink::Ink;
use crate::kind::Kind;
use crate::recency::recency;

impl<S: ByteSource> Disk<'_, S> {
    /// How long the runs are in which files lie.
    pub(super) fn file_runs(&mut self, group: Group, fineness: Fineness, cells: &mut Cells) {
        let cluster = u64::from(self.filesystem.geometry().blocks_per_cluster().max(1));
        self.by_inode(group, fineness, cells, |owners, run, _| {
            let whole = owners.run_at(Fsblk::new(run.start)).map_or(run, |(whole, _)| whole);
            let len = (whole.end - whole.start).div_ceil(cluster);
            Ink::share(shortness(u32::try_from(len).unwrap_or(u32::MAX)))
        });
    }

    /// When what lies in a block changed last, seen from the last write to the filesystem.
    pub(super) fn age(&mut self, group: Group, fineness: Fineness, cells: &mut Cells) {
        let last = i64::try_from(self.filesystem.superblock().wtime()).unwrap_or(i64::MAX);
        let mtimes = self.findings.mtimes;
        self.by_inode(group, fineness, cells, |_, _, ino| {
            let mtime = mtimes.and_then(|mtimes| mtimes.get(ino));
            mtime.map_or(Ink::OTHER_OWNER, |mtime| Ink::share(recency(mtime, last)))
        });
    }

    /// Blocks of inodes by `ink`; what else is in use is only set apart from what is free.
    fn by_inode(
        &mut self,
        group: Group,
        fineness: Fineness,
        cells: &mut Cells,
        ink: impl Fn(&OwnerMap, Range<u64>, Ino) -> Ink,
    ) {
        let Some(owners) = self.findings.owners else {
            return self.in_use(group, fineness, cells);
        };
        cells.clear(Truth::Known);
        for (run, owner) in owners.runs_in(self.blocks(group)) {
            let end = self.end_cell(group, run.end);
            let ink = match (owner.class, owner.ino()) {
                (BlockClass::Free, _) => Ink::kind(Kind::Free),
                (BlockClass::Unknown, _) => Ink::UNKNOWN,
                (_, Some(ino)) => ink(owners, run, ino),
                (_, None) => Ink::OTHER_OWNER,
            };
            cells.fill_to(end, ink);
        }
    }

    /// Blocks of which bitmaps and inodes say different things, and those that a check complains
    /// of.
    pub(super) fn problems(&mut self, group: Group, fineness: Fineness, cells: &mut Cells) {
        let mut ground = Cells::default();
        let mut contradicted: &[Range<u64>] = &[];
        match self.findings.owners {
            None => self.in_use(group, fineness, &mut ground),
            Some(owners) => {
                contradicted = owners.free_but_owned();
                for (run, owner) in owners.runs_in(self.blocks(group)) {
                    let ink = match owner.class {
                        BlockClass::Free => Ink::kind(Kind::Free),
                        BlockClass::Unknown => Ink::UNKNOWN,
                        BlockClass::Unowned => Ink::UNOWNED,
                        BlockClass::MultiplyClaimed | BlockClass::BadBlock => Ink::CONTESTED,
                        _ => Ink::OTHER_OWNER,
                    };
                    ground.fill_to(self.end_cell(group, run.end), ink);
                }
            }
        }
        let mut told = Cells::default();
        let above = self.cells_of(contradicted, group, Ink::FREE_BUT_OWNED);
        told.lay(ground.ends(), above);
        cells.clear(ground.truth);
        cells.lay(told.ends(), self.cells_of(self.findings.faults, group, Ink::FAULTY));
    }
}
