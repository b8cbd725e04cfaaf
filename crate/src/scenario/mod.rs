//! Filesystems made up on the fly: ext4 of any size, computed where it is read.
//!
//! *Belongs here:* recipes, and what each block of the filesystem that follows from one holds.
//! *Does not:* what to teach with it. *May use:* layers 0 to 3.
//!
//! A [`Scenario`] is a source of bytes like an image in a file, and nothing of it is stored: a read
//! works out the flex group that the block lies in, what the block is there, and writes it. Every
//! block in use has an owner, counts and checksums are right, and written to a file it passes
//! `e2fsck -fn`. Contents of files are zeros. There is no journal and no resize inode, and
//! directories have no index.

#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]

mod descs;
mod dirs;
mod flex_group;
mod inodes;
mod named;
mod pattern;
mod recipe;
mod shape;

use core::ops::Range;

use zerocopy::IntoBytes;

pub use named::{Named, all as named};
pub use recipe::{Checksums, FileKind, KEYS, Key, Recipe};

use crate::error::Result;
use crate::io::{ByteSource, out_of_bounds};
use crate::limits;
use crate::ondisk::SUPERBLOCK_OFFSET;
use crate::units::{Fsblk, Group};
use flex_group::{FlexGroup, Place};
use recipe::refused;
use shape::Shape;

/// A filesystem that follows from a [`Recipe`], as a source of bytes.
///
/// The same recipe gives the same bytes, on any machine. Memory does not depend on its size.
#[derive(Clone, Debug)]
pub struct Scenario {
    shape: Shape,
}

impl Scenario {
    /// Works out the filesystem's counts, in time in proportion to its groups.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) when there is no filesystem like
    /// that, with the setting that is to blame.
    pub fn new(recipe: &Recipe) -> Result<Self> {
        let mut shape = Shape::new(recipe)?;
        let (mut clusters, mut inodes, mut runs) = (0, 0, 0);
        for first in flex_groups(&shape) {
            let flex_group = FlexGroup::new(&shape, first)?;
            runs += flex_group.used_runs_count();
            if runs > limits::SCENARIO_RUNS {
                let what = format!("its files have more than {} extents", limits::SCENARIO_RUNS);
                return Err(refused(what).with_hint("Make extents longer, or the whole smaller."));
            }
            for plan in &flex_group.groups {
                clusters += flex_group.used_clusters(plan);
                inodes += plan.used_inodes(&shape);
            }
        }
        shape.settle(clusters, inodes);
        Ok(Self { shape })
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.shape.recipe
    }

    /// Ranges of bytes outside of which there are zeros alone, in order.
    ///
    /// # Errors
    /// None that [`Self::new`] would not have met.
    pub fn written(&self) -> impl Iterator<Item = Result<Range<u64>>> + '_ {
        let block_size = self.shape.block_size();
        flex_groups(&self.shape).flat_map(move |first| {
            let (ranges, error) = match FlexGroup::new(&self.shape, first) {
                Ok(flex_group) => (flex_group.written(&self.shape), None),
                Err(error) => (Vec::new(), Some(error)),
            };
            let bytes =
                move |blocks: Range<u64>| blocks.start * block_size..blocks.end * block_size;
            ranges.into_iter().map(move |blocks| Ok(bytes(blocks))).chain(error.map(Err))
        })
    }

    /// Writes a block, which is zeros so far. `at` is the flex group that was looked at last.
    fn write_block(&self, block: u64, at: &mut Option<FlexGroup>, to: &mut [u8]) -> Result<()> {
        let shape = &self.shape;
        let Some(group) = shape.geometry.group_from_fsblk(Fsblk::new(block)) else {
            return Ok(());
        };
        let group_number = u64::from(group.get());
        let flex_group = match at {
            Some(flex_group) if flex_group.plan(group_number).is_some() => flex_group,
            other => other.insert(FlexGroup::of(shape, group_number)?),
        };
        let Some((plan, place)) = flex_group.place(shape, block) else { return Ok(()) };
        let plan_of = |group: usize| flex_group.groups.get(group).unwrap_or(plan);
        match place {
            Place::Base => self.write_base(block, group, to)?,
            Place::BlockBitmap(group) => {
                let bitmap = descs::block_bitmap(shape, flex_group, plan_of(group))?;
                put(to, 0, bitmap.as_bytes());
            }
            Place::InodeBitmap(group) => {
                put(to, 0, descs::inode_bitmap(shape, plan_of(group))?.as_bytes());
            }
            Place::InodeTable(group, index) => {
                inodes::write_table(shape, flex_group, plan_of(group), index, to);
            }
            Place::Dir(dir, index) => {
                dirs::write_block(shape, dir, index, FlexGroup::files_of(shape, plan), to);
            }
            Place::Leaf(file, leaf) => {
                let ino = inodes::file_ino(plan, FlexGroup::files_of(shape, plan), file);
                inodes::write_leaf(shape, flex_group, (file, ino), leaf, to);
            }
            Place::Zeros => {}
        }
        Ok(())
    }

    /// Writes a block of the superblock or of descriptors.
    fn write_base(&self, block: u64, group: Group, to: &mut [u8]) -> Result<()> {
        let base = self.shape.layout.group_base(group);
        let fsblk = Fsblk::new(block);
        if base.superblock == Some(fsblk) {
            let at = if block == 0 { SUPERBLOCK_OFFSET } else { 0 };
            put(to, at, self.shape.superblock_of(group).as_bytes());
        } else if base.gdt.contains(&fsblk) {
            let first = self.shape.layout.first_desc_in(group, fsblk);
            descs::write_table(&self.shape, first.into(), to)?;
        }
        Ok(())
    }
}

/// The first group of each flex group.
fn flex_groups(shape: &Shape) -> impl Iterator<Item = u64> + use<> {
    let per_flex = u64::from(shape.recipe.groups_per_flex);
    (0..shape.geometry.groups_count().div_ceil(per_flex)).map(move |number| number * per_flex)
}

impl ByteSource for Scenario {
    fn len(&self) -> u64 {
        self.shape.geometry.filesystem_bytes()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let outside = || out_of_bounds(offset, self.len());
        let len = u64::try_from(buf.len()).map_err(|_| outside())?;
        let end = offset.checked_add(len).filter(|end| *end <= self.len()).ok_or_else(outside)?;
        let block_size = self.shape.block_size();
        let whole = usize::try_from(block_size).map_err(|_| outside())?;
        let mut flex_group = None;
        let mut scratch = Vec::new();
        let mut rest = buf;
        let mut at = offset;
        while at < end {
            let (block, skip) = (at / block_size, at % block_size);
            let len = (block_size - skip).min(end - at);
            let (piece, behind) =
                rest.split_at_mut_checked(usize::try_from(len).unwrap_or(0)).ok_or_else(outside)?;
            if piece.len() == whole {
                piece.fill(0);
                self.write_block(block, &mut flex_group, piece)?;
            } else {
                scratch.clear();
                scratch.resize(whole, 0);
                self.write_block(block, &mut flex_group, &mut scratch)?;
                let from = usize::try_from(skip).unwrap_or(0);
                let wanted = scratch.get(from..).and_then(|bytes| bytes.get(..piece.len()));
                piece.copy_from_slice(wanted.ok_or_else(outside)?);
            }
            rest = behind;
            at += len;
        }
        Ok(())
    }
}

/// Puts bytes into a block; what does not fit is left out.
fn put(to: &mut [u8], at: u64, bytes: &[u8]) {
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    let room = to.get_mut(at..).unwrap_or_default();
    let len = bytes.len().min(room.len());
    if let (Some(room), Some(bytes)) = (room.get_mut(..len), bytes.get(..len)) {
        room.copy_from_slice(bytes);
    }
}
