//! Pass 1: attributes, in their block and inside the inode, and inline data, which is one.

use std::collections::BTreeMap;

use zerocopy::FromBytes as _;

use super::context::Context;
use super::finding::Problem;
use super::problem::{
    Code, PR_1_ATTR_HASH, PR_1_ATTR_NAME_LEN, PR_1_ATTR_NO_EA_INODE_FL, PR_1_ATTR_SET_EA_INODE_FL,
    PR_1_ATTR_VALUE_EA_INODE, PR_1_ATTR_VALUE_SIZE, PR_1_BAD_EA_BLOCK, PR_1_EA_ALLOC_COLLISION,
    PR_1_EA_BAD_NAME, PR_1_EA_BAD_VALUE, PR_1_EA_BLOCK_ONLY_CSUM_INVALID, PR_1_EA_MULTI_BLOCK,
    PR_1_EXTATTR_READ_ABORT, PR_1_EXTATTR_REFCOUNT, PR_1_INODE_EA_ALLOC_COLLISION,
    PR_1_READ_EA_BLOCK,
};
use super::sink::Flow;
use super::xattr_region::{Entry, Region};
use crate::fs::Inode;
use crate::io::{ByteSource, ReadKind};
use crate::limits;
use crate::ondisk::features::Compat;
use crate::ondisk::xattr::{XATTR_MAGIC, XattrEntry, XattrHeader};
use crate::ondisk::{GOOD_OLD_INODE_BYTES, I_BLOCK_BYTES, InodeFlags};
use crate::units::{Fsblk, Ino};

/// `e_name_index` of `system.`.
const INDEX_SYSTEM: u8 = 7;
/// `e_name_index` of what encryption keeps. Ref: `EXT4_XATTR_INDEX_ENCRYPTION`.
const INDEX_ENCRYPTION: u8 = 9;

/// Attribute blocks that were met.
#[derive(Debug, Default)]
pub(super) struct XattrBlocks {
    blocks: BTreeMap<u64, Met>,
}

/// What is known of an attribute block.
#[derive(Debug)]
struct Met {
    /// Uses that the header speaks of and that were not met yet; below 0 there are too many.
    left: i64,
    /// Blocks of the inodes that hold its values.
    value_blocks: u64,
    /// Inodes that hold its values.
    values: Vec<u32>,
}

/// The inodes that hold values of an inode's attributes: they count as that inode's own.
/// Ref: `struct ea_quota`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ValueInodes {
    pub(super) inodes: u64,
    /// Blocks of them all.
    pub(super) blocks: u64,
}

impl Met {
    fn value_inodes(&self) -> ValueInodes {
        ValueInodes { inodes: self.values.len() as u64, blocks: self.value_blocks }
    }
}

impl XattrBlocks {
    /// Looks at the attribute block of an inode, if it has one: the inodes with its values.
    /// Ref: `check_ext_attr`.
    pub(super) fn check<S: ByteSource>(
        &mut self,
        ctx: &mut Context<S>,
        inode: &Inode,
    ) -> Flow<Option<ValueInodes>> {
        let fsblk = file_acl(ctx, inode);
        if fsblk == 0 {
            return Ok(None);
        }
        if !ctx.has_compat(Compat::EXT_ATTR) || ctx.is_illegal(fsblk) {
            ctx.maps.inode_bad.insert(inode.ino.get());
            return Ok(None);
        }
        if let Some(met) = self.blocks.get_mut(&fsblk) {
            met.left -= 1;
            for ino in &met.values {
                add_ref(ctx, *ino);
            }
            return Ok(Some(met.value_inodes()));
        }
        let met = validate(ctx, inode, fsblk)?;
        for ino in &met.values {
            add_ref(ctx, *ino);
        }
        let values = met.value_inodes();
        self.blocks.insert(fsblk, met);
        ctx.mark_blocks(fsblk, 1);
        Ok(Some(values))
    }

    /// Holds the reference counts against the uses. Ref: `adjust_extattr_refcount`.
    pub(super) fn settle<S: ByteSource>(&self, ctx: &mut Context<S>) -> Flow {
        for is_too_many in [false, true] {
            let off = self
                .blocks
                .iter()
                .filter(|(_, met)| if is_too_many { met.left < 0 } else { met.left > 0 });
            for (fsblk, met) in off {
                let Some((header, _, is_good)) = read(ctx, *fsblk) else { continue };
                if !is_good {
                    ctx.sink.tell(Problem::new(PR_1_EXTATTR_READ_ABORT).block(*fsblk))?;
                    continue;
                }
                let found = u64::from(header.h_refcount.get());
                let due = found.saturating_add_signed(-met.left);
                let problem = Problem::new(PR_1_EXTATTR_REFCOUNT).block(*fsblk);
                ctx.sink.tell(problem.found(found).expected(due))?;
            }
        }
        Ok(())
    }
}

fn add_ref<S>(ctx: &mut Context<S>, ino: u32) {
    let refs = ctx.maps.ea_refs.entry(ino).or_default();
    *refs += 1;
}

/// `i_file_acl`, its high half only under 64bit. Ref: `ext2fs_file_acl_block`.
pub(super) fn file_acl<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> u64 {
    let fsblk = inode.raw.file_acl().get();
    if ctx.has_incompat(crate::ondisk::features::Incompat::BIT64) {
        fsblk
    } else {
        fsblk & 0xffff_ffff
    }
}

/// A block, its header, and whether both checksum and header are right.
fn read<S: ByteSource>(ctx: &Context<S>, fsblk: u64) -> Option<(XattrHeader, Vec<u8>, bool)> {
    let block = ctx.fs.block(ReadKind::Xattr, Fsblk::new(fsblk)).ok()?;
    let (header, _) = XattrHeader::read_from_prefix(&block).ok()?;
    let due = ctx.fs.csum().xattr_block(Fsblk::new(fsblk), &block);
    let is_good = due.is_none_or(|due| due == header.h_checksum.get()) && is_header(&header);
    Some((header, block, is_good))
}

fn is_header(header: &XattrHeader) -> bool {
    header.h_magic.get() == XATTR_MAGIC && header.h_blocks.get() == 1
}

fn validate<S: ByteSource>(ctx: &mut Context<S>, inode: &Inode, fsblk: u64) -> Flow<Met> {
    let mut met = Met { left: 0, value_blocks: 0, values: Vec::new() };
    let problem = |code| Problem::new(code).ino(inode.ino).block(fsblk);
    let Some((header, block, is_good)) = read(ctx, fsblk) else {
        ctx.sink.tell(problem(PR_1_READ_EA_BLOCK))?;
        return Ok(met);
    };
    if header.h_magic.get() != XATTR_MAGIC {
        ctx.sink.tell(problem(PR_1_BAD_EA_BLOCK).found(header.h_magic.get()))?;
    }
    if header.h_blocks.get() != 1 {
        ctx.sink.tell(problem(PR_1_EA_MULTI_BLOCK).found(header.h_blocks.get()))?;
    }
    let mut region = Region::new(block.len());
    region.take(0, size_of::<XattrHeader>());
    let mut at = size_of::<XattrHeader>();
    while let Some(entry) = block.get(at..).and_then(Entry::read) {
        let name = entry.name.to_vec();
        let problem = |code| problem(code).name(&name);
        if !region.take(at, entry.raw.entry_len()) {
            ctx.sink.tell(problem(PR_1_EA_ALLOC_COLLISION))?;
            break;
        }
        if entry.raw.e_name_index == 0 {
            ctx.sink.tell(problem(PR_1_EA_BAD_NAME))?;
            break;
        }
        let size = entry.raw.e_value_size.get() as usize;
        if entry.raw.e_value_inum.get() == 0 {
            let value = block.get(entry.value_at()..entry.value_at().saturating_add(size));
            let Some(value) = value.filter(|_| size <= limits::XATTR_BYTES as usize) else {
                ctx.sink.tell(problem(PR_1_EA_BAD_VALUE))?;
                break;
            };
            if size > 0 && !region.take(entry.value_at(), entry.padded_value()) {
                ctx.sink.tell(problem(PR_1_EA_ALLOC_COLLISION))?;
            }
            let padded = block.get(entry.value_at()..entry.value_at() + entry.padded_value());
            if !entry.has_hash_of(padded.unwrap_or(value)) {
                ctx.sink.tell(problem(PR_1_ATTR_HASH).found(entry.raw.e_hash.get()))?;
            }
        } else {
            let ino = entry.raw.e_value_inum.get();
            match check_value_inode(ctx, inode, &entry)? {
                Ok(blocks) => met.value_blocks += blocks,
                Err(code) => ctx.sink.tell(problem(code).found(ino))?,
            }
            met.values.push(ino);
        }
        at = at.saturating_add(entry.raw.entry_len());
    }
    if !region.take(at, 4) {
        ctx.sink.tell(problem(PR_1_EA_ALLOC_COLLISION))?;
    }
    if !is_good && is_header(&header) {
        ctx.sink.tell(problem(PR_1_EA_BLOCK_ONLY_CSUM_INVALID))?;
    }
    met.left = i64::from(header.h_refcount.get().wrapping_sub(1));
    Ok(met)
}

/// Looks at the inode that holds a value: its blocks, or what is wrong.
/// Ref: `check_large_ea_inode`.
fn check_value_inode<S: ByteSource>(
    ctx: &mut Context<S>,
    inode: &Inode,
    entry: &Entry<'_>,
) -> Flow<Result<u64, Code>> {
    let ino = entry.raw.e_value_inum.get();
    if ino < ctx.first_ino() || ino > ctx.geometry().inodes_count() {
        return Ok(Err(PR_1_ATTR_VALUE_EA_INODE));
    }
    let Ok(value) = ctx.fs.inode(Ino::new(ino)) else { return Ok(Err(PR_1_ATTR_VALUE_EA_INODE)) };
    let is_marked = value.flags().contains(InodeFlags::EA_INODE);
    // The hash of the value is kept in the time of last access.
    let blocks = if entry.has_hash_of_inode(value.raw.i_atime.get()) {
        let geometry = ctx.geometry();
        let cluster = u64::from(geometry.block_size()) * u64::from(geometry.blocks_per_cluster());
        u64::from(entry.raw.e_value_size.get()).div_ceil(cluster)
            * u64::from(geometry.blocks_per_cluster())
    } else if value.raw.i_mtime.get() == inode.ino.get()
        && value.raw.i_generation == inode.raw.i_generation
    {
        // Lustre kept the owner there instead.
        0
    } else {
        return Ok(Err(if is_marked { PR_1_ATTR_HASH } else { PR_1_ATTR_VALUE_EA_INODE }));
    };
    if !is_marked {
        ctx.sink.tell(Problem::new(PR_1_ATTR_SET_EA_INODE_FL).ino(inode.ino).found(ino))?;
        return Ok(Err(PR_1_ATTR_NO_EA_INODE_FL));
    }
    Ok(Ok(blocks))
}

/// Where attributes inside an inode begin, magic and all; `None` without any.
fn inside(inode: &Inode) -> Option<&[u8]> {
    let extra = usize::from(inode.raw.i_extra_isize.get());
    let place = inode.bytes().get(GOOD_OLD_INODE_BYTES + extra..)?;
    let magic = place.first_chunk().map(|magic| u32::from_le_bytes(*magic));
    (magic == Some(XATTR_MAGIC)).then_some(place)
}

/// Whether an inode has attributes inside.
pub(super) fn has_inside(inode: &Inode) -> bool {
    inside(inode).is_some()
}

/// Looks at the attributes inside an inode; gives the inodes with their values.
/// Ref: `check_ea_in_inode`.
pub(super) fn check_inside<S: ByteSource>(
    ctx: &mut Context<S>,
    inode: &Inode,
) -> Flow<ValueInodes> {
    let mut values = ValueInodes::default();
    let Some(place) = inside(inode) else { return Ok(values) };
    let mut region = Region::new(place.len());
    region.take(0, 4);
    let mut left = place.len() - 4;
    let mut at = 4;
    let mut refs = Vec::new();
    let mut code = None;
    while left >= size_of::<XattrEntry>()
        && let Some(entry) = place.get(at..).and_then(Entry::read)
    {
        code = inside_fault(ctx, inode, place, &mut region, at, &mut left, &entry, &mut values)?;
        if code.is_some() {
            break;
        }
        if entry.raw.e_value_inum.get() != 0 {
            refs.push(entry.raw.e_value_inum.get());
        }
        at += entry.raw.entry_len();
    }
    if code.is_none() && !region.take(at, 4) {
        code = Some(PR_1_INODE_EA_ALLOC_COLLISION);
    }
    if let Some(code) = code {
        ctx.sink.tell(Problem::new(code).ino(inode.ino))?;
    }
    for ino in refs {
        add_ref(ctx, ino);
    }
    Ok(values)
}

#[expect(clippy::too_many_arguments, reason = "the state of one loop")]
fn inside_fault<S: ByteSource>(
    ctx: &mut Context<S>,
    inode: &Inode,
    place: &[u8],
    region: &mut Region,
    at: usize,
    left: &mut usize,
    entry: &Entry<'_>,
    values: &mut ValueInodes,
) -> Flow<Option<Code>> {
    if !region.take(at, entry.raw.entry_len()) {
        return Ok(Some(PR_1_INODE_EA_ALLOC_COLLISION));
    }
    *left = left.saturating_sub(size_of::<XattrEntry>());
    let name = usize::from(entry.raw.e_name_len).next_multiple_of(4);
    let Some(rest) = left.checked_sub(name) else { return Ok(Some(PR_1_ATTR_NAME_LEN)) };
    *left = rest;
    let size = entry.raw.e_value_size.get() as usize;
    if entry.raw.e_value_inum.get() != 0 {
        return Ok(match check_value_inode(ctx, inode, entry)? {
            Ok(more) => {
                values.blocks += more;
                values.inodes += 1;
                None
            }
            Err(code) => Some(code),
        });
    }
    if size > *left {
        return Ok(Some(PR_1_ATTR_VALUE_SIZE));
    }
    if size > 0 && !region.take(entry.value_at() + 4, entry.padded_value()) {
        return Ok(Some(PR_1_INODE_EA_ALLOC_COLLISION));
    }
    let value_at = entry.value_at() + 4;
    let padded = place.get(value_at..value_at + entry.padded_value());
    let value = padded.or_else(|| place.get(value_at..value_at + size)).unwrap_or_default();
    if entry.raw.e_hash.get() != 0 && !entry.has_hash_of(value) {
        return Ok(Some(PR_1_ATTR_HASH));
    }
    *left -= size;
    Ok(None)
}

/// The value of an attribute beside its name, as the library finds it; `Err` when the attributes
/// cannot be read. Ref: `ext2fs_xattrs_read`.
fn find<S: ByteSource>(
    ctx: &Context<S>,
    inode: &Inode,
    index: u8,
    name: &[u8],
) -> Result<Option<Vec<u8>>, ()> {
    let room = (ctx.geometry().inode_size() as usize).saturating_sub(GOOD_OLD_INODE_BYTES);
    let extra = usize::from(inode.raw.i_extra_isize.get());
    if extra != 0
        && extra % 4 == 0
        && extra < room
        && let Some(place) = inside(inode)
    {
        let entries = place.get(4..).unwrap_or_default();
        if let Some(value) = find_in(ctx, entries, 0, true, index, name)? {
            return Ok(Some(value));
        }
    }
    let fsblk = file_acl(ctx, inode);
    if fsblk == 0 {
        return Ok(None);
    }
    if ctx.is_illegal(fsblk) {
        return Err(());
    }
    let (_, block, is_good) = read(ctx, fsblk).ok_or(())?;
    if !is_good {
        return Err(());
    }
    find_in(ctx, &block, size_of::<XattrHeader>(), false, index, name)
}

/// Searches entries from `at` on, whose values are counted from the start; all are looked at.
fn find_in<S: ByteSource>(
    ctx: &Context<S>,
    bytes: &[u8],
    mut at: usize,
    is_inside: bool,
    index: u8,
    name: &[u8],
) -> Result<Option<Vec<u8>>, ()> {
    let mut found = None;
    while let Some(entry) = bytes.get(at..).and_then(Entry::read) {
        if entry.name.len() < usize::from(entry.raw.e_name_len) {
            return Err(());
        }
        let size = entry.raw.e_value_size.get() as usize;
        let value = if entry.raw.e_value_inum.get() == 0 {
            let end = entry.value_at().checked_add(size).ok_or(())?;
            let value = bytes.get(entry.value_at()..end).ok_or(())?;
            let hash = entry.raw.e_hash.get();
            let padded = bytes.get(entry.value_at()..entry.value_at() + entry.padded_value());
            if !(is_inside && hash == 0 || entry.has_hash_of(padded.unwrap_or(value))) {
                return Err(());
            }
            value.to_vec()
        } else {
            let value = ctx.fs.inode(Ino::new(entry.raw.e_value_inum.get())).map_err(|_| ())?;
            if !value.flags().contains(InodeFlags::EA_INODE) {
                return Err(());
            }
            vec![0; size.min(limits::READ_BYTES as usize)]
        };
        if entry.raw.e_name_index == index && entry.name == name {
            found = Some(value);
        }
        at = at.saturating_add(entry.raw.entry_len());
    }
    Ok(found)
}

/// Bytes of inline data, of which the part behind `i_block` may be missing.
/// Ref: `ext2fs_inline_data_size`.
pub(super) fn inline_size<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> Result<u64, ()> {
    inline_rest(ctx, inode).map(|rest| (I_BLOCK_BYTES + rest.len()) as u64)
}

/// The part of inline data behind `i_block`; nothing where it is missing.
pub(super) fn inline_rest<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> Result<Vec<u8>, ()> {
    Ok(find(ctx, inode, INDEX_SYSTEM, b"data")?.unwrap_or_default())
}

/// Whether the part of inline data behind `i_block` is there.
pub(super) fn has_inline_rest<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> bool {
    matches!(find(ctx, inode, INDEX_SYSTEM, b"data"), Ok(Some(_)))
}

/// The policy of an encrypted inode.
pub(super) fn encryption<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> Result<Vec<u8>, ()> {
    find(ctx, inode, INDEX_ENCRYPTION, b"c")?.ok_or(())
}
