//! The pass over all inodes: block pointers, and inodes that move. Ref: `inode_scan_and_fix`.

use core::ops::Range;

use super::extent::{Early, Node, Stop, Store, remap};
use super::inode_moves::InodeMove;
use super::relocations::Relocations;
use super::soundness::fails_block_map;
use super::touched::{BlockList, FileExtent, FileMap, OwnedMove, OwnedPart, Touched};
use super::work::Work;
use super::{Failure, Like};
use crate::error::{Error, ErrorKind, Result};
use crate::fs::{Filesystem, Inode, MapItem, MapWalk, NodeKind};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::features::{Incompat, RoCompat};
use crate::ondisk::{FileType, I_BLOCK_BYTES, InodeFlags, reserved};
use crate::units::{Fsblk, Ino};

/// What the pass leaves.
#[derive(Debug, Default)]
pub(super) struct InodePass {
    /// Inodes that are looked at.
    pub(super) scanned: u64,
    pub(super) inode_moves: Vec<InodeMove>,
    pub(super) touched: Vec<Touched>,
    pub(super) owned: Vec<OwnedMove>,
    /// New nodes of extent trees, in the order in which they are taken.
    pub(super) new_nodes: Vec<u64>,
    /// Directories, by their old numbers.
    pub(super) dirs: Vec<Ino>,
    /// Those of them that change.
    pub(super) dirs_moved: Vec<Ino>,
    /// Nodes that are read.
    pub(super) nodes_read: u64,
    /// Blocks that get another place, one pointer each.
    pub(super) pointers: u64,
}

impl Work {
    /// Whether there is anything for the pass to do.
    pub(super) fn needs_inode_pass(&self) -> bool {
        !self.relocations.is_empty() || self.new.group_count() < self.old.group_count()
    }

    /// Looks at one inode, and does what it needs.
    pub(super) fn pass_inode<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        inode: &Inode,
        pass: &mut InodePass,
    ) -> Result<(), Early> {
        pass.scanned = pass.scanned.saturating_add(1);
        if !is_passed(inode) || self.is_behind_unused(inode.ino) {
            return Ok(());
        }
        if inode.is_dir() {
            pass.dirs.push(inode.ino);
        }
        let acl = self.acl(inode);
        let new_acl = self.relocations.target(acl);
        if let Some(to) = new_acl {
            let part = OwnedPart::Xattr;
            pass.owned.push(OwnedMove { from: acl, to, len: 1, ino: inode.ino, part });
        }
        let new_ino = self.move_inode(inode, pass)?;
        let has_map = has_valid_blocks(inode, acl, self.like);
        let is_walked = has_map && (!self.relocations.is_empty() || inode.is_dir());
        let before = if has_map && inode.has_blocks() {
            self.list_blocks(fs, inode, is_walked, pass)?
        } else {
            BlockList::default()
        };
        let moves = before.moves;
        if new_acl.is_none() && new_ino == inode.ino && !moves {
            return Ok(());
        }
        if inode.is_dir() {
            pass.dirs_moved.push(inode.ino);
        }
        let mut i_blocks = self.i_blocks(inode);
        let after = if !moves {
            before.map.clone()
        } else if inode.flags().contains(InodeFlags::EXTENTS) {
            let (map, added) = self.remap_extents(fs, inode, pass)?;
            i_blocks = self.grown(inode, i_blocks, added);
            map
        } else {
            before.map.relocated(&self.relocations)
        };
        pass.touched.push(Touched {
            old_ino: inode.ino,
            new_ino,
            acl: new_acl.unwrap_or(acl),
            i_blocks,
            before: before.map,
            after,
        });
        Ok(())
    }

    /// Gives an inode past the last one another number. Ref: `ext2fs_new_inode`.
    fn move_inode(&mut self, inode: &Inode, pass: &mut InodePass) -> Result<Ino, Early> {
        if inode.ino.get() <= self.new.superblock.s_inodes_count.get() {
            return Ok(inode.ino);
        }
        let failure = Early::Failure(Failure::NoRoomForInode { ino: inode.ino });
        let new_ino = self.take_inode().ok_or(failure)?;
        let group = self.new.geometry.group_from_ino(new_ino).map(|(group, _)| group);
        if let Some(group) = group.filter(|_| inode.is_dir()) {
            self.change_desc(group, |desc| {
                desc.used_dirs_count = desc.used_dirs_count.wrapping_add(1);
            });
        }
        pass.inode_moves.push(InodeMove { from: inode.ino, to: new_ino });
        Ok(new_ino)
    }

    /// The blocks of a file as they lie before, and what of them moves. `is_walked` says that the
    /// tool goes through them.
    fn list_blocks<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        inode: &Inode,
        is_walked: bool,
        pass: &mut InodePass,
    ) -> Result<BlockList, Early> {
        let mut list = BlockList::default();
        let owned_before = pass.owned.len();
        let mut walk = MapWalk::new(fs, inode);
        let is_tree = inode.flags().contains(InodeFlags::EXTENTS);
        let mut is_sound = true;
        let mut end = 0;
        while let Some(item) = walk.next_item(fs) {
            let (blocks, part) = match item {
                Ok(MapItem::Node(node)) => {
                    pass.nodes_read = pass.nodes_read.saturating_add(1);
                    list.map.nodes.push(node.fsblk.get());
                    is_sound &= !is_tree || is_sound_node(fs, node.fsblk);
                    (node.fsblk.get()..node.fsblk.get().saturating_add(1), part(inode, node.kind))
                }
                Ok(MapItem::Mapping(mapping)) => {
                    is_sound &= !is_tree || u64::from(mapping.lblk.get()) >= end;
                    end = mapping.lblk_end();
                    if is_tree {
                        list.map.push(&mapping);
                    } else {
                        list.map.push_joined((&mapping).into());
                    }
                    (mapping.fsblk.get()..mapping.fsblk_end(), OwnedPart::Data)
                }
                Err(error) => {
                    host_error(error)?;
                    is_sound = false;
                    continue;
                }
            };
            list.moves |= self.move_blocks(inode, blocks, part, pass);
        }
        if is_sound {
            return Ok(list);
        }
        // A tree that makes no sense to a reader may still make some to the tool.
        let is_checked = is_tree && self.old.has_ro_compat(RoCompat::METADATA_CSUM);
        match self.read_map(fs, inode) {
            Err(Early::Failure(_)) if !is_walked && !is_checked => Ok(list),
            Ok(map) if is_tree => {
                pass.owned.truncate(owned_before);
                list = BlockList { map, moves: false };
                for node in &list.map.nodes {
                    let blocks = *node..node.saturating_add(1);
                    list.moves |= self.move_blocks(inode, blocks, OwnedPart::Node, pass);
                }
                for extent in &list.map.extents {
                    let blocks = extent.fsblk..extent.fsblk.saturating_add(extent.len);
                    list.moves |= self.move_blocks(inode, blocks, OwnedPart::Data, pass);
                }
                Ok(list)
            }
            read => read.map(|_| list),
        }
    }

    /// Notes what of some blocks of a file moves; says whether anything does.
    fn move_blocks(
        &self,
        inode: &Inode,
        blocks: Range<u64>,
        part: OwnedPart,
        pass: &mut InodePass,
    ) -> bool {
        let mut moves = false;
        for piece in self.relocations.pieces(blocks) {
            moves = true;
            let len = piece.blocks.end.saturating_sub(piece.blocks.start);
            pass.pointers = pass.pointers.saturating_add(len);
            let (from, to) = (piece.blocks.start, piece.to);
            pass.owned.push(OwnedMove { from, to, len, ino: inode.ino, part });
        }
        moves
    }

    /// The map of a file as the tool reads it, which accepts more than a reader should.
    ///
    /// [`Failure::BrokenMap`] where the tool fails at it.
    pub(super) fn read_map<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        inode: &Inode,
    ) -> Result<FileMap, Early> {
        if inode.flags().contains(InodeFlags::EXTENTS) {
            let (map, _) = self.walk_tree(fs, inode, &Relocations::default(), &mut Vec::new())?;
            return Ok(map);
        }
        if fails_block_map(fs, inode).map_err(Early::Error)? {
            return Err(Early::Failure(Failure::BrokenMap { ino: inode.ino }));
        }
        Ok(self.file_map(fs, inode))
    }

    /// Where a file lies before, as far as that can be told.
    pub(super) fn file_map<S: ByteSource>(&self, fs: &Filesystem<S>, inode: &Inode) -> FileMap {
        let mut map = FileMap::default();
        for item in fs.map_items(inode).filter_map(Result::ok) {
            match item {
                MapItem::Node(node) => map.nodes.push(node.fsblk.get()),
                MapItem::Mapping(mapping) => map.push_joined((&mapping).into()),
            }
        }
        map
    }

    /// Whether the descriptor says that more inodes were never used than there are: then the tool
    /// looks at none.
    fn is_behind_unused(&self, ino: Ino) -> bool {
        let geometry = &self.old.geometry;
        let desc = geometry.group_from_ino(ino).and_then(|(group, _)| self.old.group(group));
        self.old.has_csum()
            && desc.is_some_and(|desc| desc.itable_unused > geometry.inodes_per_group())
    }

    fn remap_extents<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        inode: &Inode,
        pass: &mut InodePass,
    ) -> Result<(FileMap, i64), Early> {
        let relocations = core::mem::take(&mut self.relocations);
        let remapped = self.walk_tree(fs, inode, &relocations, &mut pass.new_nodes);
        self.relocations = relocations;
        remapped
    }

    /// Walks over an extent tree as the tool does, and moves its blocks; gives the map afterwards
    /// and how many nodes it grows by.
    fn walk_tree<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        inode: &Inode,
        relocations: &Relocations,
        new_nodes: &mut Vec<u64>,
    ) -> Result<(FileMap, i64), Early> {
        let ino = inode.ino;
        let broken = Failure::BrokenMap { ino };
        let root = Node::decode_root(&inode.raw.i_block).map_err(|_| Early::Failure(broken))?;
        let block_size = u64::from(self.old.geometry.block_size());
        let blocks = inode.raw.size().div_ceil(block_size);
        let mut store = TreeStore { fs, work: self, relocations, new_nodes };
        let remapped = remap(root, blocks, &mut store, |block| relocations.target(block));
        let remapped = remapped.map_err(|stop| match stop {
            Stop::NoRoom => Early::Failure(Failure::NoRoomForNode { ino }),
            Stop::Nothing => Early::Failure(broken),
            Stop::Error(error) => Early::of(error.at_ino(ino), broken),
        })?;
        let mut map = FileMap { extents: Vec::new(), nodes: remapped.nodes };
        map.extents.extend(remapped.extents.into_iter().map(FileExtent::from));
        Ok((map, remapped.added))
    }

    /// Block of attributes; its high half counts only under 64bit.
    fn acl(&self, inode: &Inode) -> u64 {
        let acl = inode.raw.file_acl().get();
        if self.old.has_incompat(Incompat::BIT64) { acl } else { acl & u64::from(u32::MAX) }
    }

    /// `i_blocks`; its high half counts only under huge_file.
    fn i_blocks(&self, inode: &Inode) -> u64 {
        if self.old.has_ro_compat(RoCompat::HUGE_FILE) {
            inode.raw.blocks()
        } else {
            u64::from(inode.raw.i_blocks_lo.get())
        }
    }

    /// `i_blocks` with so many nodes more.
    fn grown(&self, inode: &Inode, i_blocks: u64, added: i64) -> u64 {
        let is_huge = self.old.has_ro_compat(RoCompat::HUGE_FILE)
            && inode.flags().contains(InodeFlags::HUGE_FILE);
        let unit = if is_huge { 1 } else { self.old.geometry.block_size() / 512 };
        let unit =
            i64::from(unit).saturating_mul(i64::from(self.old.geometry.blocks_per_cluster()));
        i_blocks.wrapping_add_signed(added.saturating_mul(unit))
    }
}

/// Whether the pass does anything with an inode.
pub(super) fn is_passed(inode: &Inode) -> bool {
    inode.raw.i_links_count.get() != 0 || inode.ino == reserved::RESIZE
}

/// What a node of a file is. The blocks of the resize inode are indirect ones.
fn part(inode: &Inode, kind: NodeKind) -> OwnedPart {
    let is_reserved_gdt = inode.ino == reserved::RESIZE && kind == NodeKind::Ind;
    if is_reserved_gdt { OwnedPart::Data } else { OwnedPart::Node }
}

/// Whether the tool takes a block for a node of an extent tree with anything in it. It looks more
/// closely than a reader needs to.
fn is_sound_node<S: ByteSource>(fs: &Filesystem<S>, fsblk: Fsblk) -> bool {
    let block = fs.block(ReadKind::Mapping, fsblk);
    block.and_then(|block| Node::decode(&block, true)).is_ok_and(|node| !node.entries.is_empty())
}

/// Lets through what the image itself is to blame for.
fn host_error(error: Error) -> Result<(), Early> {
    match error.kind() {
        ErrorKind::Corrupt | ErrorKind::OutOfBounds => Ok(()),
        _ => Err(Early::Error(error)),
    }
}

/// Whether the tool takes an inode for one that maps blocks. Ref: `ext2fs_inode_has_valid_blocks2`.
fn has_valid_blocks(inode: &Inode, acl: u64, like: Like) -> bool {
    match inode.file_type() {
        Some(FileType::Dir | FileType::RegFile) => !inode.flags().contains(InodeFlags::INLINE_DATA),
        Some(FileType::Symlink) => {
            let size = usize::try_from(inode.raw.size());
            let is_short = size.is_ok_and(|size| size < I_BLOCK_BYTES);
            if acl == 0 {
                let has_blocks = inode.raw.i_blocks_lo.get() != 0;
                let is_slow = like == Like::V1_47_0 || !is_short;
                has_blocks && is_slow && !inode.flags().contains(InodeFlags::INLINE_DATA)
            } else {
                let second = inode.raw.block_numbers().nth(1);
                !is_short || (inode.raw.i_size_lo.get() > 4 && second == Some(0))
            }
        }
        _ => false,
    }
}

/// The nodes of the image, and the room in the new filesystem.
struct TreeStore<'a, S> {
    fs: &'a Filesystem<S>,
    work: &'a mut Work,
    relocations: &'a Relocations,
    new_nodes: &'a mut Vec<u64>,
}

impl<S: ByteSource> Store for TreeStore<'_, S> {
    fn read(&mut self, block: u64, is_leaf: bool) -> Result<Node> {
        let from = Fsblk::new(self.relocations.source(block));
        let bytes = self.fs.block(ReadKind::Mapping, from)?;
        Node::decode(&bytes, is_leaf).map_err(|error| error.at_fsblk(from))
    }

    fn allocate(&mut self) -> Option<u64> {
        let block = self.work.allocate_node()?;
        self.new_nodes.push(block);
        Some(block)
    }

    /// The tool gives it back in the old map alone, so that it stays in use in the new one.
    fn release(&mut self, _block: u64) {}

    fn node_max(&self) -> usize {
        let block_size = usize::try_from(self.work.old.geometry.block_size()).unwrap_or(0);
        block_size.saturating_sub(12) / 12
    }

    fn like(&self) -> Like {
        self.work.like
    }
}
