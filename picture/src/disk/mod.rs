//! An open filesystem as a source of cells.

mod files;
mod groups;
mod work;

use core::ops::Range;

use extscope::analysis::profile::share;
use extscope::analysis::{BitmapState, Owner};
use extscope::bitmap::{BitmapRef, Bits};
use extscope::fs::{BitmapKind, Filesystem};
use extscope::io::ByteSource;
use extscope::units::Group;

use super::cells::{Cells, Fineness, Source, Truth};
use super::figures::Figures;
use super::findings::Findings;
use super::ink::Ink;
use super::kind::Kind;
use super::layer::Layer;
use super::metadata::Metadata;

/// Exponent of the run of free cells that is long enough: a group of blocks of 4 KiB.
const LONG: u32 = 15;

/// Pixels that a part of a group may take before its bitmap is read for them: parts lie in rows, of
/// which many fall into a pixel.
const BLUR: usize = 4;

/// An open filesystem, and what is known of it so far.
#[derive(Debug)]
pub struct Disk<'a, S> {
    filesystem: &'a Filesystem<S>,
    figures: &'a Figures,
    metadata: &'a Metadata,
    findings: Findings<'a>,
    layer: Layer,
    /// What is in use of the group at hand.
    used: Cells,
}

impl<'a, S: ByteSource> Disk<'a, S> {
    /// What a layer shows of a filesystem.
    #[must_use]
    pub fn new(
        filesystem: &'a Filesystem<S>,
        figures: &'a Figures,
        metadata: &'a Metadata,
        layer: Layer,
    ) -> Self {
        let (findings, used) = (Findings::default(), Cells::default());
        Self { filesystem, figures, metadata, findings, layer, used }
    }

    /// What was found beside the bitmaps.
    #[must_use]
    pub fn with(self, findings: Findings<'a>) -> Self {
        Self { findings, ..self }
    }

    /// Puts into `used` which cells of a group are in use, as shares.
    fn occupancy(&mut self, group: Group, fineness: Fineness) {
        let cells = self.filesystem.geometry().group_clusters(group);
        let stats = self.figures.stats(group);
        let used = &mut self.used;
        if stats.state == BitmapState::Failed {
            return fill(used, Truth::Failed, cells, Ink::UNKNOWN);
        }
        let profile = self.figures.profile(group);
        let part = (cells as usize).checked_div(profile.len()).unwrap_or(usize::MAX);
        let needs_bits = match fineness {
            Fineness::Cells => stats.state.is_exact(),
            Fineness::Parts(seen) => stats.state.is_exact() && part > BLUR * seen as usize,
            Fineness::Whole => false,
        };
        if needs_bits {
            if let Some(bits) = self.figures.bits(group) {
                return fill_bits(used, bits, cells);
            }
            match self.filesystem.bitmap(BitmapKind::Block, group) {
                Ok(bitmap) => fill_bits(used, bitmap.bits(), cells),
                Err(_) => fill(used, Truth::Failed, cells, Ink::UNKNOWN),
            }
            return;
        }
        if !stats.state.is_exact() {
            let Ok(entry) = self.filesystem.group(group) else {
                return fill(used, Truth::Failed, cells, Ink::UNKNOWN);
            };
            let in_use = u64::from(cells.saturating_sub(entry.desc.free_blocks_count));
            return fill(used, Truth::Hearsay, cells, Ink::share(share(in_use, cells.into())));
        }
        if fineness == Fineness::Whole || profile.is_empty() {
            let in_use = u64::from(cells.saturating_sub(stats.free));
            return fill(used, Truth::Known, cells, Ink::share(share(in_use, cells.into())));
        }
        used.clear(Truth::Known);
        for (part, at) in profile.iter().zip(1_u64..) {
            let end = u64::from(cells) * at / profile.len() as u64;
            used.fill_to(u32::try_from(end).unwrap_or(cells), Ink::share(*part));
        }
    }

    /// The blocks of a group.
    fn blocks(&self, group: Group) -> Range<u64> {
        let geometry = self.filesystem.geometry();
        let first = geometry.group_first_fsblk(group).get();
        first..first.saturating_add(geometry.group_blocks(group).into())
    }

    /// The cell of a group that a block ends in, if it is the end of a run.
    fn end_cell(&self, group: Group, end: u64) -> u32 {
        let geometry = self.filesystem.geometry();
        let blocks = end.saturating_sub(geometry.group_first_fsblk(group).get());
        let cells = blocks.div_ceil(u64::from(geometry.blocks_per_cluster().max(1)));
        u32::try_from(cells).unwrap_or(u32::MAX)
    }

    /// The cell of a group that a block is of.
    fn cell(&self, group: Group, block: u64) -> u32 {
        let geometry = self.filesystem.geometry();
        let blocks = block.saturating_sub(geometry.group_first_fsblk(group).get());
        let cell = blocks / u64::from(geometry.blocks_per_cluster().max(1));
        u32::try_from(cell).unwrap_or(u32::MAX)
    }

    fn kinds(&mut self, group: Group, fineness: Fineness, cells: &mut Cells) {
        let blocks = self.blocks(group);
        if let Some(owners) = self.findings.owners {
            cells.clear(Truth::Known);
            for (run, owner) in owners.runs_in(blocks) {
                cells.fill_to(self.end_cell(group, run.end), owned(owner));
            }
            return;
        }
        self.occupancy(group, fineness);
        let is_uninit = self.figures.stats(group).state == BitmapState::Synthesised;
        let free = if is_uninit { Ink::UNINIT } else { Ink::kind(Kind::Free) };
        cells.clear(self.used.truth);
        let below = self.used.ends().map(|(end, ink)| match ink {
            ink if ink == Ink::share(0) => (end, free),
            ink if ink == Ink::share(u8::MAX) => (end, Ink::kind(Kind::Used)),
            ink => (end, ink),
        });
        let above = self.metadata.runs_in(blocks).map(|(start, end, kind)| {
            (self.cell(group, start), self.end_cell(group, end), Ink::kind(kind))
        });
        cells.lay(below, above);
    }

    fn free_runs(&mut self, group: Group, fineness: Fineness, cells: &mut Cells) {
        self.occupancy(group, fineness);
        let stats = self.figures.stats(group);
        let mean = stats.free.checked_div(stats.fragments).unwrap_or(stats.free);
        cells.clear(self.used.truth);
        split(&self.used, cells, Ink::NOT_FREE, |len, is_whole| {
            Ink::share(shortness(if is_whole { len } else { mean }))
        });
    }

    fn owner(&mut self, group: Group, fineness: Fineness, cells: &mut Cells) {
        let mut others = Cells::default();
        self.in_use(group, fineness, &mut others);
        cells.clear(others.truth);
        cells.lay(others.ends(), self.cells_of(self.findings.extents, group, Ink::OWNER));
    }

    /// What is in use, and what is free.
    fn in_use(&mut self, group: Group, fineness: Fineness, cells: &mut Cells) {
        self.occupancy(group, fineness);
        cells.clear(self.used.truth);
        split(&self.used, cells, Ink::OTHER_OWNER, |_, _| Ink::kind(Kind::Free));
    }

    /// The cells of a group that some runs of blocks, which are in order, have.
    fn cells_of(
        &self,
        runs: &'a [Range<u64>],
        group: Group,
        ink: Ink,
    ) -> impl Iterator<Item = (u32, u32, Ink)> {
        let blocks = self.blocks(group);
        let first = runs.partition_point(|run| run.end <= blocks.start);
        let runs = runs.get(first..).unwrap_or_default().iter();
        runs.take_while(move |run| run.start < blocks.end).map(move |run| {
            let (start, end) = (run.start.max(blocks.start), run.end.min(blocks.end));
            (self.cell(group, start), self.end_cell(group, end), ink)
        })
    }

    /// The cells of a group that the container has; those after them it does not.
    fn contained(&self, group: Group) -> u32 {
        let block_size = u64::from(self.filesystem.geometry().block_size().max(1));
        let blocks = self.filesystem.image_len() / block_size;
        self.end_cell(group, blocks)
    }
}

impl<S: ByteSource> Source for Disk<'_, S> {
    fn group(&mut self, group: Group, fineness: Fineness, cells: &mut Cells) {
        match self.layer {
            Layer::Kind => self.kinds(group, fineness, cells),
            Layer::Occupancy => {
                self.occupancy(group, fineness);
                core::mem::swap(cells, &mut self.used);
            }
            Layer::FreeRuns => self.free_runs(group, fineness, cells),
            Layer::Owner => self.owner(group, fineness, cells),
            Layer::Checksums => self.checksums(group, cells),
            Layer::Inodes => self.inodes(group, cells),
            Layer::FileRuns => self.file_runs(group, fineness, cells),
            Layer::Age => self.age(group, fineness, cells),
            Layer::Written => self.written(group, cells),
            Layer::Problems => self.problems(group, fineness, cells),
            Layer::Shrink => self.shrink(group, fineness, cells),
            Layer::Reads => self.reads(group, cells),
        }
        let all = self.filesystem.geometry().group_clusters(group);
        cells.cut(self.contained(group));
        cells.fill_to(all, Ink::MISSING);
    }

    fn bits(&mut self, group: Group, cells: &mut Cells) {
        self.occupancy(group, Fineness::Cells);
        cells.clear(Truth::Known);
        if self.used.truth == Truth::Known {
            core::mem::swap(cells, &mut self.used);
        }
    }
}

/// All cells are the same.
fn fill(cells: &mut Cells, truth: Truth, end: u32, ink: Ink) {
    cells.clear(truth);
    cells.fill_to(end, ink);
}

/// Cells in use and free cells, one by one.
fn fill_bits(cells: &mut Cells, bits: BitmapRef<'_>, end: u32) {
    cells.clear(Truth::Known);
    let bound = |bit: u64| u32::try_from(bit).unwrap_or(end).min(end);
    for run in bits.set_runs() {
        cells.fill_to(bound(run.start), Ink::share(0));
        cells.fill_to(bound(run.end), Ink::share(u8::MAX));
    }
    cells.fill_to(end, Ink::share(0));
}

/// Parts of which a share is in use as cells that are in use and others that are free. `free` says
/// what free cells are, by their number and whether they are a whole run.
fn split(used: &Cells, cells: &mut Cells, in_use: Ink, free: impl Fn(u32, bool) -> Ink) {
    for (start, end, ink) in used.runs() {
        let len = end - start;
        let share = u8::try_from(ink.0).unwrap_or(u8::MAX);
        match share {
            0 => cells.fill_to(end, free(len, true)),
            u8::MAX => cells.fill_to(end, in_use),
            share => {
                let taken = (u64::from(len) * u64::from(share) / 255).max(1);
                cells.fill_to(start.saturating_add(taken as u32).min(end), in_use);
                cells.fill_to(end, free(len, false));
            }
        }
    }
}

/// How short a run of free cells is: 255 is one cell.
fn shortness(len: u32) -> u8 {
    let log = len.max(1).ilog2().min(LONG);
    255 - (log * 255 / LONG) as u8
}

/// The ink of an owner's block.
fn owned(owner: Owner) -> Ink {
    match (Kind::of(owner.class), owner.ino()) {
        (Some(Kind::Data), Some(ino)) => Ink::data(ino.get()),
        (Some(kind), _) => Ink::kind(kind),
        (None, _) => Ink::UNKNOWN,
    }
}
