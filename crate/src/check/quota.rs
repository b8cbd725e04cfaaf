//! What users, groups and projects have, counted in pass 1, and after pass 5 whether the quota files
//! say the same. Leaves nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use super::finding::Problem;
use super::problem::PR_6_UPDATE_QUOTAS;
use super::sink::Flow;
use crate::fs::Inode;
use crate::io::ByteSource;
use crate::ondisk::features::RoCompat;
use crate::ondisk::quota::{QuotaEntry, QuotaKind};
use crate::ondisk::{GOOD_OLD_INODE_BYTES, InodeFlags, reserved};

/// What somebody has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    bytes: u64,
    inodes: u64,
}

/// By number of the user, group or project.
pub(super) type ByOwner = BTreeMap<u32, Usage>;

/// Adds an inode with so many clusters, and as many more inodes with values of its attributes.
/// Ref: `quota_data_add`, `quota_data_inodes`.
pub(super) fn count<S: ByteSource>(
    ctx: &mut Context<S>,
    inode: &Inode,
    clusters: u64,
    values: u64,
) {
    let is_file = inode.ino == reserved::ROOT || inode.ino.get() >= ctx.first_ino();
    if !ctx.has_ro_compat(RoCompat::QUOTA)
        || !is_file
        || ctx.is_orphan_file(inode.ino)
        || inode.ino.get() == ctx.superblock().s_prj_quota_inum.get()
        || inode.flags().contains(InodeFlags::EA_INODE)
    {
        return;
    }
    let geometry = ctx.geometry();
    let cluster = u64::from(geometry.block_size()) * u64::from(geometry.blocks_per_cluster());
    let has_projects = geometry.inode_size() as usize > GOOD_OLD_INODE_BYTES;
    let kinds: Vec<_> = ctx.fs.quota_files().map(|(kind, _)| kind).collect();
    for kind in kinds {
        let (usage, owner) = match kind {
            QuotaKind::User => (&mut ctx.maps.usage.users, inode.raw.uid()),
            QuotaKind::Group => (&mut ctx.maps.usage.groups, inode.raw.gid()),
            QuotaKind::Project if !has_projects => continue,
            QuotaKind::Project => (&mut ctx.maps.usage.projects, inode.raw.projid().unwrap_or(0)),
        };
        let usage = usage.entry(owner).or_default();
        usage.bytes = usage.bytes.wrapping_add(clusters.wrapping_mul(cluster));
        usage.inodes = usage.inodes.wrapping_add(values).wrapping_add(1);
    }
}

/// What was counted.
#[derive(Debug, Default)]
pub(super) struct Counted {
    users: ByOwner,
    groups: ByOwner,
    projects: ByOwner,
}

impl Counted {
    fn of(&self, kind: QuotaKind) -> &ByOwner {
        match kind {
            QuotaKind::User => &self.users,
            QuotaKind::Group => &self.groups,
            QuotaKind::Project => &self.projects,
        }
    }
}

/// Holds the quota files against what was counted. Ref: `quota_compare_and_update`.
pub(super) fn check<S: ByteSource>(ctx: &mut Context<S>) -> Flow {
    if !ctx.has_ro_compat(RoCompat::QUOTA) {
        return Ok(());
    }
    let files: Vec<_> = ctx.fs.quota_files().collect();
    for (kind, ino) in files {
        let problem = Problem::new(PR_6_UPDATE_QUOTAS).ino(ino);
        let Ok(file) = ctx.fs.quota_file(kind, ino) else {
            ctx.sink.tell(problem)?;
            continue;
        };
        if !file.has_magic {
            ctx.sink.tell_beyond(problem.clone().name(b"magic"));
        }
        if let Some(difference) = first_difference(&file.entries, ctx.maps.usage.of(kind)) {
            let Difference { owner, what, found, due } = difference;
            let name = format!("{what} of {} {owner}", kind.name());
            ctx.sink.tell(problem.name(name.as_bytes()).found(found).expected(due))?;
        }
    }
    Ok(())
}

/// Somebody of whom the file does not say what was counted.
struct Difference {
    owner: u32,
    what: &'static str,
    found: u64,
    due: u64,
}

impl Difference {
    fn new(owner: u32, found: Usage, due: Usage) -> Self {
        if found.bytes == due.bytes {
            Self { owner, what: "inodes", found: found.inodes, due: due.inodes }
        } else {
            Self { owner, what: "bytes", found: found.bytes, due: due.bytes }
        }
    }
}

/// The first of them: of those in the file, else of those who are missing there.
fn first_difference(entries: &[QuotaEntry], counted: &ByOwner) -> Option<Difference> {
    let mut met = BTreeSet::new();
    for entry in entries {
        let owner = entry.dqb_id.get();
        met.insert(owner);
        let found = Usage { bytes: entry.dqb_curspace.get(), inodes: entry.dqb_curinodes.get() };
        let due = counted.get(&owner).copied().unwrap_or_default();
        if found != due {
            return Some(Difference::new(owner, found, due));
        }
    }
    let missing = counted.iter().find(|(owner, _)| !met.contains(owner));
    missing.map(|(&owner, &due)| Difference::new(owner, Usage::default(), due))
}
