//! Pass 0: the group descriptors, in the order of groups.

use super::context::Context;
use super::finding::Problem;
use super::problem::{
    PR_0_BB_NOT_GROUP, PR_0_BB_UNINIT_LAST, PR_0_GDT_CSUM, PR_0_GDT_CSUM_LATCH,
    PR_0_GDT_ITABLE_UNUSED, PR_0_GDT_UNINIT, PR_0_IB_NOT_GROUP, PR_0_ITABLE_NOT_GROUP,
    PR_0_RELOCATE_HINT,
};
use super::sink::Flow;
use crate::fs::{CsumState, GroupEntry};
use crate::io::ByteSource;
use crate::ondisk::BgFlags;
use crate::ondisk::features::Incompat;
use crate::units::Group;

/// Groups looked at in a step.
const GROUPS: u32 = 4096;

/// Goes through the descriptors.
#[derive(Debug, Default)]
pub(super) struct Descs {
    next: u32,
    hinted: bool,
    latched: bool,
}

impl Descs {
    /// Groups done.
    pub(super) fn done(&self) -> u32 {
        self.next
    }

    /// Looks at some groups; true when all are done.
    pub(super) fn step<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow<bool> {
        let end = self.next.saturating_add(GROUPS).min(ctx.fs.groups().len());
        while self.next < end {
            let group = Group::new(self.next);
            self.next += 1;
            if let Some(entry) = ctx.fs.groups().get(group).copied() {
                self.check_places(ctx, group, &entry)?;
                self.check_uninit(ctx, group, &entry)?;
            }
        }
        Ok(self.next >= ctx.fs.groups().len())
    }

    fn check_places<S: ByteSource>(
        &mut self,
        ctx: &mut Context<S>,
        group: Group,
        entry: &GroupEntry,
    ) -> Flow {
        let geometry = ctx.geometry();
        let first = geometry.group_first_fsblk(group).get();
        let bounds = if ctx.has_incompat(Incompat::FLEX_BG) {
            geometry.first_data_block().get()..geometry.blocks_count()
        } else {
            first..first.saturating_add(u64::from(geometry.group_blocks(group)))
        };
        let desc = &entry.desc;
        let places = [
            (PR_0_BB_NOT_GROUP, desc.block_bitmap.get(), 1),
            (PR_0_IB_NOT_GROUP, desc.inode_bitmap.get(), 1),
            (PR_0_ITABLE_NOT_GROUP, desc.inode_table.get(), geometry.itable_blocks()),
        ];
        for (code, start, len) in places {
            if bounds.start <= start && start.saturating_add(len) <= bounds.end {
                continue;
            }
            if !self.hinted && !ctx.used_backup {
                ctx.sink.tell_code(PR_0_RELOCATE_HINT)?;
            }
            self.hinted = true;
            ctx.sink.tell(Problem::new(code).group(group).block(start))?;
        }
        Ok(())
    }

    fn check_uninit<S: ByteSource>(
        &mut self,
        ctx: &mut Context<S>,
        group: Group,
        entry: &GroupEntry,
    ) -> Flow {
        // Of a backup, what is uninitialised is forgotten and checksums are made anew.
        let has_csum = ctx.fs.features().has_group_desc_csum();
        if has_csum && ctx.used_backup {
            return Ok(());
        }
        let desc = &entry.desc;
        if entry.csum == CsumState::Bad {
            if !self.latched {
                ctx.sink.tell_code(PR_0_GDT_CSUM_LATCH)?;
            }
            self.latched = true;
            let problem = Problem::new(PR_0_GDT_CSUM).group(group).found(desc.checksum);
            ctx.sink.tell(problem.expected(entry.computed_checksum))?;
        }
        let uninit = BgFlags::BLOCK_UNINIT | BgFlags::INODE_UNINIT;
        if !has_csum && (desc.flags.intersects(uninit) || desc.itable_unused != 0) {
            ctx.sink.tell(Problem::new(PR_0_GDT_UNINIT).group(group))?;
        }
        let is_last = group.get() + 1 == ctx.fs.groups().len();
        if is_last && desc.flags.contains(BgFlags::BLOCK_UNINIT) {
            ctx.sink.tell(Problem::new(PR_0_BB_UNINIT_LAST).group(group))?;
        }
        let most = desc.free_inodes_count.min(ctx.geometry().inodes_per_group());
        if has_csum && desc.itable_unused > most {
            let problem = Problem::new(PR_0_GDT_ITABLE_UNUSED).group(group);
            ctx.sink.tell(problem.found(desc.itable_unused).expected(most))?;
        }
        Ok(())
    }
}
