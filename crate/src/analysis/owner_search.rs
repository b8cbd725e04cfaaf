//! Whose some blocks are, found without going through everything.

use core::ops::{Deref, Range};
use std::collections::HashSet;

use super::class::{BlockClass, Owner};
use super::fixed::{self, Fixed};
use super::inode_class::{self, InodeClasses};
use crate::bitmap::Bits as _;
use crate::error::{Error, ErrorKind, Result};
use crate::fs::{BitmapKind, Filesystem, Inode, InodeScan, MapItem, MapWalk};
use crate::io::ByteSource;
use crate::ondisk::reserved;
use crate::task::{Progress, Step, Task};
use crate::units::{Fsblk, Group};

/// Groups laid out, or items of maps walked over, before a step ends.
const ITEMS: u32 = 4096;

/// A block and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockOwner {
    /// The block.
    pub fsblk: Fsblk,
    /// Blocks that are the same, as far as they were met: the block's extent, a table; of free
    /// blocks, the run in its group.
    pub run: Range<u64>,
    /// What it is and whose.
    pub owner: Owner,
    /// Whether it is somebody's and free in the bitmap.
    pub is_free_but_owned: bool,
}

/// Looks up whose some blocks are, in one pass: what the layout has by arithmetic, what is free by
/// the bitmap, the rest inode by inode, first of the group of the first block. It ends when each has
/// an owner; the first one that is met counts. Progress counts groups.
///
/// A [`Survey`](super::Survey) goes through everything instead, and so knows what several claim and
/// what is free and still somebody's.
///
/// # Errors
/// None of its steps; [`Self::new`] has some.
#[derive(Debug)]
pub struct OwnerSearch<F> {
    filesystem: F,
    classes: InodeClasses,
    state: State,
    /// As asked for.
    asked: Vec<Asked>,
    /// Indices into `asked`, by their blocks.
    order: Vec<usize>,
    /// How many have no owner yet.
    left: usize,
    nodes: HashSet<Fsblk>,
    laid_out: u32,
    /// Blocks that the layout reserves, as far as they were asked for. The resize inode has most.
    reserved_gdt: Vec<Fixed>,
    scan: InodeScan,
}

#[derive(Debug)]
enum State {
    Layout,
    /// Walks over the resize inode.
    Resize(Option<Box<Current>>),
    Bitmaps,
    Special(std::vec::IntoIter<Inode>, Option<Box<Current>>),
    Inodes(std::vec::IntoIter<Inode>, Option<Box<Current>>),
}

/// A block that was asked for.
#[derive(Debug)]
struct Asked {
    fsblk: Fsblk,
    found: Option<(Range<u64>, Owner)>,
    /// Another block of its cluster was met.
    rest: Option<Rest>,
    /// What the bitmap says; `None` while it was not asked, or cannot be had.
    is_free: Option<bool>,
}

/// The inode whose map is walked over.
#[derive(Debug)]
struct Current {
    inode: Inode,
    class: BlockClass,
    walk: MapWalk,
    /// Blocks that follow one another, of one owner, up to where the walk is.
    run: Option<(Range<u64>, Owner)>,
}

/// Blocks of a cluster that nobody has, between the ones that somebody has.
#[derive(Debug)]
struct Rest {
    blocks: Range<u64>,
    /// Whose the blocks ahead of them are, and whose those behind.
    ahead: Option<Owner>,
    behind: Option<Owner>,
}

impl Asked {
    /// Notes that others of its cluster are somebody's.
    fn narrow_rest(&mut self, cluster: &Range<u64>, run: &Range<u64>, owner: Owner) {
        let whole = || Rest { blocks: cluster.clone(), ahead: None, behind: None };
        let rest = self.rest.get_or_insert_with(whole);
        if run.start > self.fsblk.get() && run.start < rest.blocks.end {
            (rest.blocks.end, rest.behind) = (run.start, Some(owner));
        } else if run.end <= self.fsblk.get() && run.end > rest.blocks.start {
            (rest.blocks.start, rest.ahead) = (run.end, Some(owner));
        }
    }

    /// Gives the block to whoever has those ahead of it in its cluster, or else those behind it;
    /// whether there is one, and the block had no owner.
    fn settle_rest(&mut self) -> bool {
        let Some(rest) = self.rest.take().filter(|_| self.found.is_none()) else { return false };
        let owner = rest.ahead.or(rest.behind);
        self.found = owner.map(|owner| (rest.blocks, owner.with_class(BlockClass::ClusterRest)));
        self.found.is_some()
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> OwnerSearch<F> {
    /// Nothing is read yet.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] for a block outside the filesystem.
    pub fn new(filesystem: F, blocks: &[Fsblk]) -> Result<Self> {
        let geometry = filesystem.geometry();
        if let Some(outside) = blocks.iter().find(|block| block.get() >= geometry.blocks_count()) {
            let what = format!("the filesystem ends at block {}", geometry.blocks_count());
            return Err(Error::new(ErrorKind::OutOfBounds, what).at_fsblk(*outside));
        }
        let asked = |fsblk: &Fsblk| Asked { fsblk: *fsblk, found: None, rest: None, is_free: None };
        let mut order: Vec<_> = (0..blocks.len()).collect();
        order.sort_by_key(|index| blocks.get(*index));
        let first = blocks.first().and_then(|block| geometry.group_from_fsblk(*block));
        Ok(Self {
            classes: InodeClasses::new(&*filesystem),
            state: State::Layout,
            asked: blocks.iter().map(asked).collect(),
            order,
            left: blocks.len(),
            nodes: HashSet::new(),
            laid_out: 0,
            reserved_gdt: Vec::new(),
            scan: InodeScan::from_group(first.unwrap_or(Group::new(0))),
            filesystem,
        })
    }

    /// The part of `order` with the blocks that were asked for of some clusters.
    fn asked_for(&self, run: &Range<u64>) -> Range<usize> {
        let rest = u64::from(self.filesystem.geometry().blocks_per_cluster()).saturating_sub(1);
        let (start, end) = (run.start.saturating_sub(rest), run.end.saturating_add(rest));
        let block = |index: &usize| self.asked.get(*index).map_or(0, |asked| asked.fsblk.get());
        let first = self.order.partition_point(|index| block(index) < start);
        first..self.order.partition_point(|index| block(index) < end)
    }

    /// Notes whose some blocks are, where they were asked for and have no owner yet.
    fn see(&mut self, run: &Range<u64>, owner: Owner) {
        let asked_for = self.asked_for(run);
        for index in self.order.get(asked_for).unwrap_or_default() {
            let Some(asked) = self.asked.get_mut(*index) else { continue };
            let block = asked.fsblk.get();
            if asked.found.is_some() {
                continue;
            }
            if run.contains(&block) {
                asked.found = Some((run.clone(), owner));
                self.left = self.left.saturating_sub(1);
                continue;
            }
            let cluster = self.filesystem.geometry().cluster_blocks(asked.fsblk);
            if run.start < cluster.end && cluster.start < run.end {
                asked.narrow_rest(&cluster, run, owner);
            }
        }
    }

    fn lay_out(&mut self) -> State {
        let fs = self.filesystem.clone();
        if self.laid_out == 0 {
            fixed::of_no_group(&*fs).for_each(|(blocks, owner)| self.see(&blocks, owner));
        }
        for _ in 0..ITEMS {
            if self.laid_out >= fs.groups().len() {
                return State::Resize(self.start_resize(&fs));
            }
            let (fixed, _) = fixed::of_group(&*fs, Group::new(self.laid_out));
            for (blocks, owner) in fixed {
                if owner.class != BlockClass::ReservedGdt {
                    self.see(&blocks, owner);
                } else if !self.asked_for(&blocks).is_empty() {
                    self.reserved_gdt.push((blocks, owner));
                }
            }
            self.laid_out = self.laid_out.saturating_add(1);
        }
        State::Layout
    }

    /// Starts with the resize inode, if it may have a block that was asked for.
    fn start_resize(&mut self, fs: &F) -> Option<Box<Current>> {
        if self.reserved_gdt.is_empty() {
            return None;
        }
        self.start(fs, fs.inode(reserved::RESIZE).ok()?)
    }

    /// Leaves to the groups what the resize inode has not.
    fn see_reserved_gdt(&mut self) {
        for (blocks, owner) in core::mem::take(&mut self.reserved_gdt) {
            self.see(&blocks, owner);
        }
    }

    /// Asks the bitmaps; what is free there and nobody's by the layout is free.
    fn ask_bitmaps(&mut self) -> State {
        let fs = self.filesystem.clone();
        for asked in &mut self.asked {
            let Some((group, grpblk)) = fs.geometry().grpblk_from_fsblk(asked.fsblk) else {
                continue;
            };
            let Ok(bitmap) = fs.bitmap(BitmapKind::Block, group) else { continue };
            let bit = u64::from(grpblk.get());
            let is_free = !bitmap.bits().test(bit);
            asked.is_free = Some(is_free);
            if is_free && asked.found.is_none() {
                asked.rest = None;
                let clear = bitmap.bits().clear_runs().find(|run| run.contains(&bit));
                let run = clear.map_or_else(
                    || asked.fsblk.get()..asked.fsblk.get().saturating_add(1),
                    |run| {
                        let first = fs.geometry().group_first_fsblk(group).get();
                        let ratio = u64::from(fs.geometry().blocks_per_cluster());
                        let block = |bit: u64| first.saturating_add(bit.saturating_mul(ratio));
                        block(run.start)..block(run.end).min(fs.geometry().blocks_count())
                    },
                );
                asked.found = Some((run, Owner::nobody(BlockClass::Free)));
                self.left = self.left.saturating_sub(1);
            }
        }
        self.settle_rests();
        let mut special = Vec::new();
        if self.left > 0 {
            special.extend(self.classes.special().filter_map(|ino| fs.inode(ino).ok()));
        }
        State::Special(special.into_iter(), None)
    }

    /// Walks over maps until a step is full; gives whether there are inodes left.
    fn walk(
        &mut self,
        inodes: &mut std::vec::IntoIter<Inode>,
        current: &mut Option<Box<Current>>,
    ) -> bool {
        let fs = self.filesystem.clone();
        for _ in 0..ITEMS {
            let Some(walking) = current else {
                let Some(inode) = inodes.next() else { return false };
                *current = self.start(&fs, inode);
                continue;
            };
            match walking.walk.next_item(&*fs) {
                Some(Ok(item)) => self.see_item(walking, &item),
                Some(Err(_)) => {}
                None => {
                    if let Some((run, owner)) = walking.run.take() {
                        self.see(&run, owner);
                    }
                    // Clusters of the resize inode may have reserved GDT blocks of the groups.
                    if walking.inode.ino != reserved::RESIZE {
                        self.settle_rests();
                    }
                    *current = None;
                }
            }
        }
        true
    }

    fn start(&mut self, fs: &F, inode: Inode) -> Option<Box<Current>> {
        if !inode_class::is_in_use(&**fs, &inode) {
            return None;
        }
        let acl = inode.raw.file_acl().get();
        if acl != 0 {
            let owner = Owner::of_inode(BlockClass::Xattr, inode.ino);
            self.see(&(acl..acl.saturating_add(1)), owner);
        }
        let (class, walk) = (self.classes.of(&inode), MapWalk::new(&**fs, &inode));
        Some(Box::new(Current { inode, class, walk, run: None }))
    }

    fn see_item(&mut self, current: &mut Current, item: &MapItem) {
        let ino = current.inode.ino;
        let (blocks, class) = match item {
            MapItem::Mapping(mapping) => (mapping.fsblk.get()..mapping.fsblk_end(), current.class),
            MapItem::Node(node) => {
                // Nodes of a map are another's as well only where it is damaged.
                if !self.nodes.insert(node.fsblk) {
                    current.walk.skip_node();
                }
                let block = node.fsblk.get();
                (block..block.saturating_add(1), inode_class::of_node(ino, node.kind))
            }
        };
        let owner = Owner::of_inode(class, ino);
        if let Some((run, before)) = &mut current.run
            && *before == owner
            && run.end == blocks.start
        {
            run.end = blocks.end;
            return;
        }
        if let Some((run, owner)) = current.run.replace((blocks, owner)) {
            self.see(&run, owner);
        }
    }

    /// Gives blocks to whoever has others of their cluster, when those were all met.
    fn settle_rests(&mut self) {
        let settled = self.asked.iter_mut().map(Asked::settle_rest).filter(|is_new| *is_new);
        self.left = self.left.saturating_sub(settled.count());
    }

    fn answers(&mut self) -> Vec<BlockOwner> {
        let answer = |asked: &Asked| {
            let alone = asked.fsblk.get()..asked.fsblk.get().saturating_add(1);
            let (run, owner) = asked.found.clone().unwrap_or_else(|| {
                let is_used = asked.is_free == Some(false);
                let class = if is_used { BlockClass::Unowned } else { BlockClass::Unknown };
                (alone, Owner::nobody(class))
            });
            let is_free_but_owned = owner.class.is_owned() && asked.is_free == Some(true);
            BlockOwner { fsblk: asked.fsblk, run, owner, is_free_but_owned }
        };
        self.asked.iter().map(answer).collect()
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Task for OwnerSearch<F> {
    type Output = Vec<BlockOwner>;

    fn step(&mut self) -> Result<Step<Vec<BlockOwner>>> {
        let none = || Vec::new().into_iter();
        self.state = match core::mem::replace(&mut self.state, State::Layout) {
            State::Layout => self.lay_out(),
            State::Resize(mut current) => {
                if self.walk(&mut none(), &mut current) {
                    State::Resize(current)
                } else {
                    self.see_reserved_gdt();
                    State::Bitmaps
                }
            }
            State::Bitmaps => self.ask_bitmaps(),
            State::Special(mut inodes, mut current) => {
                if self.walk(&mut inodes, &mut current) {
                    State::Special(inodes, current)
                } else {
                    State::Inodes(none(), None)
                }
            }
            State::Inodes(..) if self.left == 0 => return Ok(Step::Done(self.answers())),
            State::Inodes(mut inodes, mut current) => {
                if self.walk(&mut inodes, &mut current) {
                    State::Inodes(inodes, current)
                } else {
                    let fs = self.filesystem.clone();
                    match self.scan.next_piece(&*fs) {
                        None => return Ok(Step::Done(self.answers())),
                        Some(Err(_)) => State::Inodes(none(), None),
                        Some(Ok(piece)) => {
                            let inodes = piece.inodes(&*fs);
                            let inodes = inodes.filter(|inode| !self.classes.is_special(inode.ino));
                            State::Inodes(inodes.collect::<Vec<_>>().into_iter(), None)
                        }
                    }
                }
            }
        };
        Ok(Step::More)
    }

    fn progress(&self) -> Progress {
        Progress {
            cur: u64::from(self.scan.groups_done()),
            max: u64::from(self.filesystem.groups().len()),
        }
    }
}
