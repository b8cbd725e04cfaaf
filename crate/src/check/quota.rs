//! What users, groups and projects have, counted in pass 1, and after pass 5 whether the quota files
//! say the same. Leaves nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::vec;

use super::context::Context;
use super::finding::Problem;
use super::problem::PR_6_UPDATE_QUOTAS;
use super::sink::Flow;
use crate::error::{Error, ErrorKind};
use crate::fs::{CsumState, Inode, MapItem, QuotaWalk};
use crate::io::ByteSource;
use crate::limits;
use crate::ondisk::features::RoCompat;
use crate::ondisk::quota::{QuotaEntry, QuotaKind};
use crate::ondisk::{GOOD_OLD_INODE_BYTES, InodeFlags, reserved};
use crate::units::Ino;

/// What somebody has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    bytes: u64,
    inodes: u64,
}

/// By number of the user, group or project.
pub(super) type ByOwner = BTreeMap<u32, Usage>;

/// What was counted.
#[derive(Debug, Default)]
pub(super) struct Counted {
    users: ByOwner,
    groups: ByOwner,
    projects: ByOwner,
}

impl Counted {
    fn of(&mut self, kind: QuotaKind) -> &mut ByOwner {
        match kind {
            QuotaKind::User => &mut self.users,
            QuotaKind::Group => &mut self.groups,
            QuotaKind::Project => &mut self.projects,
        }
    }
}

/// Adds an inode with so many clusters, and as many more inodes with values of its attributes.
/// Ref: `quota_data_add`, `quota_data_inodes`.
pub(super) fn count<S: ByteSource>(
    ctx: &mut Context<S>,
    inode: &Inode,
    clusters: u64,
    values: u64,
) -> Flow {
    let is_file = inode.ino == reserved::ROOT || inode.ino.get() >= ctx.first_ino();
    if !ctx.has_ro_compat(RoCompat::QUOTA)
        || !is_file
        || ctx.is_orphan_file(inode.ino)
        || inode.ino.get() == ctx.superblock().s_prj_quota_inum.get()
        || inode.flags().contains(InodeFlags::EA_INODE)
    {
        return Ok(());
    }
    let geometry = ctx.geometry();
    let cluster = u64::from(geometry.block_size()) * u64::from(geometry.blocks_per_cluster());
    let has_projects = geometry.inode_size() as usize > GOOD_OLD_INODE_BYTES;
    for (kind, _) in ctx.fs.quota_files() {
        let owner = match kind {
            QuotaKind::User => inode.raw.uid(),
            QuotaKind::Group => inode.raw.gid(),
            QuotaKind::Project if !has_projects => continue,
            QuotaKind::Project => inode.raw.projid().unwrap_or(0),
        };
        let all = ctx.maps.usage.of(kind);
        if all.len() >= limits::QUOTA_OWNERS && !all.contains_key(&owner) {
            let what = format!("files of over {} {}s", limits::QUOTA_OWNERS, kind.name());
            return Err(Error::new(ErrorKind::Limit, what).into());
        }
        let usage = all.entry(owner).or_default();
        usage.bytes = usage.bytes.wrapping_add(clusters.wrapping_mul(cluster));
        usage.inodes = usage.inodes.wrapping_add(values).wrapping_add(1);
    }
    Ok(())
}

/// Holds the quota files against what was counted, some blocks a step.
/// Ref: `quota_compare_and_update`.
pub(super) struct Quota {
    files: vec::IntoIter<(QuotaKind, Ino)>,
    open: Option<OpenFile>,
}

/// A file that is gone through.
struct OpenFile {
    kind: QuotaKind,
    ino: Ino,
    walk: QuotaWalk,
    /// Those of whom something was counted who are not met yet.
    missing: BTreeSet<u32>,
    difference: Option<Difference>,
}

/// Blocks of a file looked at in a step.
const BLOCKS: u32 = 64;

impl Quota {
    pub(super) fn new<S: ByteSource>(ctx: &Context<S>) -> Self {
        let has_quota = ctx.has_ro_compat(RoCompat::QUOTA);
        let files: Vec<_> = ctx.fs.quota_files().filter(|_| has_quota).collect();
        Self { files: files.into_iter(), open: None }
    }

    /// Looks at some blocks; true at the end.
    pub(super) fn step<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow<bool> {
        let Some(mut open) = self.open.take() else {
            let Some((kind, ino)) = self.files.next() else { return Ok(true) };
            // The library opens no file whose inode has a wrong checksum, and reads nothing below a
            // node that has one.
            let is_sound = ctx.fs.inode(ino).is_ok_and(|inode| {
                let is_bad = |item| match item {
                    Ok(MapItem::Node(node)) => node.csum == CsumState::Bad,
                    Ok(MapItem::Mapping(_)) | Err(_) => false,
                };
                inode.csum != CsumState::Bad && !ctx.fs.map_items(&inode).any(is_bad)
            });
            match QuotaWalk::new(&ctx.fs, kind, ino) {
                Ok(walk) if is_sound => {
                    let missing = ctx.maps.usage.of(kind).keys().copied().collect();
                    self.open = Some(OpenFile { kind, ino, walk, missing, difference: None });
                }
                _ => ctx.sink.tell(Problem::new(PR_6_UPDATE_QUOTAS).ino(ino))?,
            }
            return Ok(false);
        };
        for _ in 0..BLOCKS {
            match open.walk.next_block(&ctx.fs) {
                Some(Ok(entries)) => open.compare(&entries, ctx.maps.usage.of(open.kind)),
                Some(Err(_)) => {
                    ctx.sink.tell(Problem::new(PR_6_UPDATE_QUOTAS).ino(open.ino))?;
                    return Ok(false);
                }
                None => {
                    open.finish(ctx)?;
                    return Ok(false);
                }
            }
        }
        self.open = Some(open);
        Ok(false)
    }
}

impl OpenFile {
    fn compare(&mut self, entries: &[QuotaEntry], counted: &ByOwner) {
        for entry in entries {
            let owner = entry.dqb_id.get();
            self.missing.remove(&owner);
            let found =
                Usage { bytes: entry.dqb_curspace.get(), inodes: entry.dqb_curinodes.get() };
            let due = counted.get(&owner).copied().unwrap_or_default();
            if found != due {
                self.difference.get_or_insert(Difference::new(owner, found, due));
            }
        }
    }

    /// Tells of the first difference, if there is one: of those in the file, else of those who are
    /// missing there.
    fn finish<S: ByteSource>(self, ctx: &mut Context<S>) -> Flow {
        let counted = ctx.maps.usage.of(self.kind);
        let missing = self.missing.first().map(|owner| {
            let due = counted.get(owner).copied().unwrap_or_default();
            Difference::new(*owner, Usage::default(), due)
        });
        let Some(difference) = self.difference.or(missing) else { return Ok(()) };
        let Difference { owner, what, found, due } = difference;
        let name = format!("{what} of {} {owner}", self.kind.name());
        let problem = Problem::new(PR_6_UPDATE_QUOTAS).ino(self.ino).name(name.as_bytes());
        ctx.sink.tell(problem.found(found).expected(due))
    }
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
