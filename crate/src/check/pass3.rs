//! Pass 3: whether every directory can be reached from the root; pass 3A: names that occur twice.

use std::collections::BTreeSet;

use super::context::Context;
use super::finding::Problem;
use super::problem::{
    PR_2_DUPLICATE_DIRENT, PR_2_NON_UNIQUE_FILE, PR_2_NON_UNIQUE_FILE_NO_RENAME, PR_3_BAD_DOT_DOT,
    PR_3_LOOPED_DIR, PR_3_NO_ROOT_INODE, PR_3_NO_ROOT_INODE_ABORT, PR_3_ROOT_NOT_DIR_ABORT,
    PR_3_UNCONNECTED_DIR, PR_3A_OPTIMIZE_DIR_ERR,
};
use super::sink::Flow;
use super::steps::CheckStep;
use crate::bitmap::{Bits as _, BitsMut as _, RunBitmap};
use crate::io::ByteSource;
use crate::ondisk::{InodeFlags, reserved};
use crate::units::Ino;

/// Directories looked at in a step.
const DIRS: usize = 4096;
/// Parents walked up before a loop is looked for.
const DEEP: u32 = 2048;

/// The pass at work.
pub(super) struct Pass3 {
    dirs: Vec<u32>,
    at: usize,
    /// Directories from which the way up is known.
    done: RunBitmap,
}

impl Pass3 {
    /// Looks at the root.
    pub(super) fn new<S: ByteSource>(ctx: &mut Context<S>) -> Flow<Self> {
        let root = u64::from(reserved::ROOT.get());
        if !ctx.maps.inode_used.test(root) {
            ctx.sink.tell(Problem::new(PR_3_NO_ROOT_INODE).ino(reserved::ROOT))?;
            ctx.sink.tell(Problem::new(PR_3_NO_ROOT_INODE_ABORT).ino(reserved::ROOT))?;
        } else if !ctx.maps.inode_dir.test(root) {
            ctx.sink.tell(Problem::new(PR_3_ROOT_NOT_DIR_ABORT).ino(reserved::ROOT))?;
        }
        let mut done = RunBitmap::new(ctx.maps.inode_dir.len());
        done.mark(root);
        Ok(Self { dirs: ctx.maps.dirs.keys().copied().collect(), at: 0, done })
    }

    /// Directories done, and in all.
    pub(super) fn progress(&self) -> (u64, u64) {
        (self.at as u64, self.dirs.len() as u64)
    }

    /// Does some directories; true at the end.
    pub(super) fn step<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow<bool> {
        for _ in 0..DIRS {
            let Some(dir) = self.dirs.get(self.at).copied() else {
                check_doubles(ctx)?;
                return Ok(true);
            };
            self.at += 1;
            if ctx.maps.inode_dir.test(u64::from(dir)) {
                self.check(ctx, dir)?;
            }
        }
        Ok(false)
    }

    /// Walks up from a directory. Ref: `check_directory`.
    fn check<S: ByteSource>(&mut self, ctx: &mut Context<S>, dir: u32) -> Flow {
        let mut at = dir;
        let mut steps = 0;
        let mut met = None::<BTreeSet<u32>>;
        while !self.done.mark(u64::from(at)) {
            let parent = ctx.maps.dirs.get(&at).map_or(0, |info| info.parent);
            ctx.sink.recorder.note(CheckStep::Up { ino: Ino::new(at), parent });
            let is_loop = met.as_ref().is_some_and(|met| met.contains(&parent));
            if parent == 0 || is_loop {
                let code = if parent == 0 { PR_3_UNCONNECTED_DIR } else { PR_3_LOOPED_DIR };
                ctx.sink.tell(Problem::new(code).ino(Ino::new(at)))?;
                break;
            }
            at = parent;
            steps += 1;
            match &mut met {
                Some(met) => _ = met.insert(at),
                None if steps > DEEP => met = Some(BTreeSet::new()),
                None => {}
            }
        }
        let info = ctx.maps.dirs.get(&dir).copied().unwrap_or_default();
        if info.dotdot != info.parent {
            let problem = Problem::new(PR_3_BAD_DOT_DOT).ino(Ino::new(dir));
            ctx.sink.tell(problem.found(info.dotdot).expected(info.parent))?;
        }
        Ok(())
    }
}

/// Looks at all names of the directories in which one occurred twice. Ref: `e2fsck_rehash_dir`.
fn check_doubles<S: ByteSource>(ctx: &mut Context<S>) -> Flow {
    for ino in core::mem::take(&mut ctx.maps.doubles) {
        let ino = Ino::new(ino);
        let Ok(inode) = ctx.fs.inode(ino) else { continue };
        if inode.flags().contains(InodeFlags::INLINE_DATA) || !inode.is_dir() {
            continue;
        }
        let names = ctx.fs.dir_entries(&inode).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let Ok(names) = names else {
            ctx.sink.tell(Problem::new(PR_3A_OPTIMIZE_DIR_ERR).ino(ino))?;
            continue;
        };
        // The dots are left out where they belong, at the start.
        let names = names.into_iter().enumerate();
        let mut names: Vec<_> = names
            .filter(|(at, entry)| !(entry.name.is_empty() || *at < 2 && entry.is_dot()))
            .map(|(_, entry)| (entry.name, entry.ino))
            .collect();
        names.sort();
        for pair in names.windows(2) {
            let [(before, other), (name, target)] = pair else { continue };
            if before != name {
                continue;
            }
            let problem = |code| Problem::new(code).dir(ino).ino(*target).name(name);
            if other == target {
                ctx.sink.tell(problem(PR_2_DUPLICATE_DIRENT))?;
            }
            if inode.flags().contains(InodeFlags::ENCRYPT) {
                let problem = problem(PR_2_NON_UNIQUE_FILE_NO_RENAME);
                ctx.sink.tell(problem.found(other.get()))?;
            }
            ctx.sink.tell(problem(PR_2_NON_UNIQUE_FILE).found(other.get()))?;
        }
    }
    Ok(())
}
