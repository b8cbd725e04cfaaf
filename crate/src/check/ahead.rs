//! Pass 1: reading inode tables, and the blocks that their inodes have looked at, in few requests.
//!
//! A group often has few inodes, and each block that maps others lies by itself, so the tables of
//! several groups are read at once, then such blocks of many of their inodes.

use std::collections::VecDeque;

use super::context::Context;
use super::extent_node::Node;
use super::inode_kind::{has_valid_blocks, is_fast_symlink};
use super::scan::{self, Scanned};
use super::xattr_block::file_acl;
use crate::bitmap::RunBitmap;
use crate::error::Result;
use crate::fs::Inode;
use crate::io::{ByteSource, ReadKind};
use crate::limits;
use crate::ondisk::{FileType, InodeFlags, NDIR_BLOCKS};
use crate::units::Group;

/// Inodes held ahead of being checked: those of a request, in inodes of 256 bytes.
const INODES: usize = 4096;
/// Groups whose tables are read together.
const GROUPS: u32 = 256;
/// Blocks of one kind that are read together.
const BLOCKS: u64 = 256;

/// Parts of inode tables that come next.
#[derive(Default)]
pub(super) struct TablesAhead {
    parts: VecDeque<Part>,
    /// Parts at the front whose inodes had their blocks read.
    followed: usize,
}

/// A part of a group's inode table.
struct Part {
    group: u32,
    index: u32,
    inodes: Result<Vec<Scanned>>,
}

impl TablesAhead {
    /// The inodes of a group's table from `index` on, as many as there are at hand; none at the
    /// end.
    pub(super) fn next<S: ByteSource>(
        &mut self,
        ctx: &Context<S>,
        group: u32,
        index: u32,
        bad_blocks: &RunBitmap,
    ) -> Result<Vec<Scanned>> {
        let is_next = |part: &Part| (part.group, part.index) == (group, index);
        if !self.parts.front().is_some_and(is_next) {
            self.parts.clear();
            self.followed = 0;
            self.read(ctx, group, index, bad_blocks);
        }
        if self.followed == 0 {
            self.follow(ctx);
        }
        self.followed = self.followed.saturating_sub(1);
        self.parts.pop_front().map_or_else(|| Ok(Vec::new()), |part| part.inodes)
    }

    /// Reads the part that was asked for, and those of the groups behind it.
    fn read<S: ByteSource>(
        &mut self,
        ctx: &Context<S>,
        group: u32,
        index: u32,
        bad_blocks: &RunBitmap,
    ) {
        let per_block = ctx.geometry().block_size() / ctx.geometry().inode_size().max(1);
        let (mut count, mut runs, mut places) = (0, Vec::new(), Vec::new());
        for at in group..ctx.fs.groups().len().min(group.saturating_add(GROUPS)) {
            let index = if at == group { index } else { 0 };
            let wanted = scan::inodes_to_scan(ctx, Group::new(at)).unwrap_or(0);
            let wanted = wanted.saturating_sub(index) as usize;
            let table =
                ctx.fs.groups().get(Group::new(at)).map_or(0, |one| one.desc.inode_table.get());
            if at > group {
                if wanted == 0 || table == 0 || scan::table_is_outside(ctx, table) {
                    continue;
                }
                if count + wanted > INODES {
                    break;
                }
            }
            count += wanted;
            let first = table.saturating_add(u64::from(index / per_block.max(1)));
            let blocks = wanted.div_ceil(per_block.max(1) as usize) as u64;
            runs.push(first..first.saturating_add(blocks));
            places.push((at, index));
        }
        if count <= INODES && places.len() > 1 {
            ctx.fs.read_ahead(ReadKind::InodeTable, runs);
        }
        self.parts.extend(places.into_iter().map(|(group, index)| {
            let inodes = scan::read(ctx, Group::new(group), index, bad_blocks);
            Part { group, index, inodes }
        }));
    }

    /// Reads blocks of the inodes at the front; the rest of a part whose inodes have too many comes
    /// later.
    fn follow<S: ByteSource>(&mut self, ctx: &Context<S>) {
        let mut wanted = Wanted::default();
        let most = most_blocks(ctx);
        let mut rest = None;
        for part in &mut self.parts {
            self.followed += 1;
            let Ok(inodes) = &mut part.inodes else { continue };
            let cut = inodes.iter().position(|one| {
                wanted.add(ctx, &one.inode);
                wanted.len() >= most
            });
            if let Some(cut) = cut {
                let left = inodes.split_off(cut + 1);
                let index = part.index.saturating_add(u32::try_from(cut + 1).unwrap_or(u32::MAX));
                rest = Some(Part { group: part.group, index, inodes: Ok(left) });
                break;
            }
        }
        let rest = rest.filter(|rest| rest.inodes.as_ref().is_ok_and(|left| !left.is_empty()));
        if let Some(rest) = rest {
            self.parts.insert(self.followed, rest);
        }
        wanted.read(ctx);
    }
}

/// Blocks to read together, so that they take no more than a request.
pub(super) fn most_blocks<S: ByteSource>(ctx: &Context<S>) -> usize {
    let room = u64::from(limits::READ_BYTES / ctx.geometry().block_size().max(1));
    BLOCKS.min(room).max(1) as usize
}

/// Blocks that pass 1 looks at.
#[derive(Default)]
struct Wanted {
    mapping: Vec<u64>,
    xattr: Vec<u64>,
    /// First blocks of directories with an index.
    directory: Vec<u64>,
    /// Targets of symbolic links.
    data: Vec<u64>,
}

impl Wanted {
    fn len(&self) -> usize {
        self.mapping.len().max(self.xattr.len()).max(self.directory.len()).max(self.data.len())
    }

    /// Adds those of an inode, below the root of its tree or map.
    fn add<S: ByteSource>(&mut self, ctx: &Context<S>, inode: &Inode) {
        if inode.raw.i_links_count.get() == 0 {
            return;
        }
        self.xattr.extend(Some(file_acl(ctx, inode)).filter(|acl| *acl != 0));
        if !has_valid_blocks(inode) {
            return;
        }
        let is_link = inode.file_type() == Some(FileType::Symlink) && !is_fast_symlink(inode);
        let first = if inode.flags().contains(InodeFlags::EXTENTS) {
            let Some(root) = Node::root(&inode.raw.i_block) else { return };
            let mut blocks = root.blocks(root.depth == 0);
            if root.depth > 0 {
                self.mapping.extend(blocks);
                return;
            }
            blocks.next()
        } else {
            let indirect = inode.raw.block_numbers().skip(NDIR_BLOCKS).map(u64::from);
            self.mapping.extend(indirect.filter(|fsblk| *fsblk != 0));
            inode.raw.block_numbers().next().map(u64::from)
        };
        if is_link {
            self.data.extend(first);
        } else if inode.flags().contains(InodeFlags::INDEX) {
            self.directory.extend(first);
        }
    }

    fn read<S: ByteSource>(self, ctx: &Context<S>) {
        let kinds = [
            (ReadKind::Mapping, self.mapping),
            (ReadKind::Xattr, self.xattr),
            (ReadKind::Directory, self.directory),
            (ReadKind::Data, self.data),
        ];
        for (kind, blocks) in kinds {
            // One alone is better read with what lies near it.
            if blocks.len() > 1 {
                ctx.fs.read_ahead(kind, blocks.into_iter().map(|at| at..at.saturating_add(1)));
            }
        }
    }
}

/// Reads the blocks that a node's entries from `index` on lead to, once for each so many of them.
pub(super) fn read_below<S: ByteSource>(ctx: &Context<S>, node: &Node, index: u16) {
    let most = most_blocks(ctx);
    if usize::from(index).is_multiple_of(most) {
        let below = node.blocks(false).skip(usize::from(index)).take(most);
        ctx.fs.read_ahead(ReadKind::Mapping, below.map(|at| at..at.saturating_add(1)));
    }
}
