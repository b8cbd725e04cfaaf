//! `extscope files`: how files lie on the disk, and what all blocks are.

use std::cmp::Ordering;
use std::io::Write;

use clap::ValueEnum;
use extscope::analysis::{FileFrag, FragTotals, Medium, NameScan, OwnerMap, Survey, Usage};
use extscope::fs::Geometry;
use extscope::report::{ClassReport, FragReport, UsageReport, bytes, grouped};
use extscope::task::{Step, Task as _};
use serde::Serialize;

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::image::{self, Image};
use crate::json;
use crate::progress::{Shown, run_to_end};
use crate::table::{Format, Table, cell};

/// What to report, of which image.
#[derive(Debug, clap::Args)]
pub(crate) struct FilesArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// What comes first
    #[arg(long, value_enum, default_value_t = Sort::Slowdown)]
    sort: Sort,

    /// How many files are shown
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,

    #[command(flatten)]
    format: Format,
}

/// What comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// What takes longest to read for its size, on a disk
    Slowdown,
    /// What has the most extents
    Extents,
    /// What is largest
    Size,
}

#[derive(Serialize)]
struct Answer {
    totals: FragTotals,
    /// Everything that has a name, and every further name.
    names: u64,
    counts: Counts,
    block_size: u32,
    classes: Vec<ClassReport>,
    /// Blocks that are somebody's and free in the bitmaps.
    free_but_owned: u64,
    /// What could not be followed.
    faults: u64,
    usage: UsageReport,
    files: Vec<FragReport>,
}

/// What the superblock counts.
#[derive(Serialize)]
struct Counts {
    inodes_count: u32,
    inodes_used: u32,
    blocks_count: u64,
    blocks_used: u64,
}

/// Reports all files together, and some of them each.
pub(crate) fn run(args: &FilesArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    let answer =
        survey(args, &filesystem).map_err(|error| Failure::image(&args.image.path, error))?;
    if args.format.json {
        return json::write(&answer, out);
    }
    if args.format.csv {
        return write_csv(&answer, out);
    }
    write_text(&answer, out)?;
    Ok(())
}

fn survey(args: &FilesArgs, filesystem: &Image) -> extscope::Result<Answer> {
    let geometry = filesystem.geometry();
    let mut totals = FragTotals::default();
    let mut usage = Usage::default();
    let mut first = Vec::new();
    let order = |a: &FileFrag, b: &FileFrag| args.sort.order(geometry, a, b);
    let mut survey = Survey::new(filesystem);
    let mut shown = Shown::new("Files");
    let map: OwnerMap = loop {
        let step = survey.step_with(&mut |inode, frag| {
            totals.add(frag);
            usage.add(inode, frag);
            if frag.blocks > 0 && !frag.is_internal {
                first.push(*frag);
            }
            // Few enough to sort, now and then.
            if first.len() > args.top.saturating_mul(2).max(10_000) {
                first.sort_by(order);
                first.truncate(args.top);
            }
        })?;
        if let Step::Done(map) = step {
            break map;
        }
        shown.tell_progress(survey.progress());
    };
    shown.clear();
    first.sort_by(order);
    first.truncate(args.top);
    let names = run_to_end("Names", NameScan::new(filesystem))?;
    let free_but_owned = map.free_but_owned().iter().map(|run| run.end - run.start).sum();
    let superblock = filesystem.superblock();
    let (inodes_count, blocks_count) = (geometry.inodes_count(), geometry.blocks_count());
    Ok(Answer {
        names: totals.names(),
        totals,
        counts: Counts {
            inodes_count,
            inodes_used: inodes_count.saturating_sub(superblock.s_free_inodes_count.get()),
            blocks_count,
            blocks_used: blocks_count.saturating_sub(superblock.free_blocks_count()),
        },
        block_size: geometry.block_size(),
        classes: ClassReport::of(&map),
        free_but_owned,
        faults: map.fault_count(),
        usage: UsageReport::new(&usage, &names, args.top),
        files: first
            .iter()
            .map(|frag| FragReport::new(geometry, frag, names.path(frag.ino).as_deref()))
            .collect(),
    })
}

impl Sort {
    /// Which of two files comes first; the lower number, where they are the same.
    fn order(self, geometry: &Geometry, a: &FileFrag, b: &FileFrag) -> Ordering {
        let larger_first = match self {
            Self::Slowdown => {
                let slowdown = |frag: &FileFrag| frag.slowdown(geometry, Medium::DISK);
                slowdown(b).total_cmp(&slowdown(a))
            }
            Self::Extents => b.extents.cmp(&a.extents),
            Self::Size => b.size.cmp(&a.size),
        };
        larger_first.then(a.ino.cmp(&b.ino))
    }
}

/// Writes the files.
fn write_csv(answer: &Answer, out: &mut impl Write) -> Result<(), Failure> {
    let columns = [
        "ino",
        "path",
        "file_type",
        "size",
        "blocks",
        "bytes",
        "unwritten",
        "nodes",
        "extents",
        "fragments",
        "best_extents",
        "perfect_extents",
        "noncontiguous",
        "seeks",
        "seeks_per_mib",
        "slowdown",
        "e4defrag_score",
    ];
    let mut table = Table::new(out, &columns)?;
    for file in &answer.files {
        table.row(&[
            &file.ino,
            &cell(file.path.as_deref()),
            &cell(file.file_type.as_deref()),
            &file.size,
            &file.blocks,
            &file.blocks.saturating_mul(u64::from(answer.block_size)),
            &file.unwritten,
            &file.nodes,
            &file.extents,
            &file.fragments,
            &file.best_extents,
            &cell(file.perfect_extents),
            &file.noncontiguous,
            &file.seeks,
            &file.seeks_per_mib,
            &file.slowdown,
            &file.e4defrag_score,
        ])?;
    }
    table.finish()
}

fn write_text(answer: &Answer, out: &mut impl Write) -> std::io::Result<()> {
    write_totals(answer, out)?;
    writeln!(out, "\nBlocks")?;
    for class in &answer.classes {
        let size = bytes(class.blocks.saturating_mul(u64::from(answer.block_size)));
        writeln!(out, "  {:<22}{:>16}  {size}", class.name, grouped(class.blocks))?;
    }
    if answer.free_but_owned > 0 {
        writeln!(out, "Owned and free in the bitmaps: {}", grouped(answer.free_but_owned))?;
    }
    if answer.faults > 0 {
        writeln!(out, "Places that could not be followed: {}", grouped(answer.faults))?;
    }
    write_usage(answer, out)?;
    if answer.files.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n{:>10} {:>16} {:>9} {:>9} {:>9} {:>9}  path",
        "inode", "size", "extents", "best", "seeks/MiB", "slowdown"
    )?;
    for file in &answer.files {
        let path = file.path.as_deref().unwrap_or("-");
        writeln!(
            out,
            "{:>10} {:>16} {:>9} {:>9} {:>9.1} {:>8.1}x  {path}",
            file.ino,
            grouped(file.size),
            file.extents,
            file.best_extents,
            file.seeks_per_mib,
            file.slowdown
        )?;
    }
    Ok(())
}

/// The figures of `e2fsck -v`.
fn write_totals(answer: &Answer, out: &mut impl Write) -> std::io::Result<()> {
    let (totals, counts) = (&answer.totals, &answer.counts);
    let mut line = |label: &str, value: String| writeln!(out, "{label:<30}{value}");
    let of = |part: u64, whole: u64| format!("{} of {}", grouped(part), grouped(whole));
    line("Inodes used", of(counts.inodes_used.into(), counts.inodes_count.into()))?;
    line("Blocks used", of(counts.blocks_used, counts.blocks_count))?;
    for (label, count) in [
        ("Files", totals.files),
        ("  non-contiguous", totals.noncontiguous_files),
        ("  of 2 GiB and more", totals.large_files),
        ("  further names", totals.links),
        ("Directories", totals.dirs),
        ("  non-contiguous", totals.noncontiguous_dirs),
        ("Symbolic links", totals.symlinks),
        ("  inside their inodes", totals.fast_symlinks),
        ("Character devices", totals.character_devices),
        ("Block devices", totals.block_devices),
        ("Pipes", totals.fifos),
        ("Sockets", totals.sockets),
        ("Names in all", answer.names),
        ("Bad blocks", totals.bad_blocks),
        ("Extents", totals.extents),
    ] {
        line(label, grouped(count))?;
    }
    line("Depths of extent trees", totals.depths.map(grouped).join(" / "))?;
    line("Single/double/triple indirect", totals.ind.map(grouped).join(" / "))
}

fn write_usage(answer: &Answer, out: &mut impl Write) -> std::io::Result<()> {
    let size = |blocks: u64| bytes(blocks.saturating_mul(u64::from(answer.block_size)));
    writeln!(out, "\n{:>14} {:>12}  user", "size", "inodes")?;
    for user in &answer.usage.users {
        let inodes = grouped(user.share.inodes);
        writeln!(out, "{:>14} {inodes:>12}  {}", size(user.share.blocks), user.uid)?;
    }
    writeln!(out, "\n{:>14} {:>12}  directory, with everything below it", "size", "inodes")?;
    for dir in &answer.usage.dirs {
        let path = dir.path.as_deref().unwrap_or("-");
        let inodes = grouped(dir.share.inodes);
        writeln!(out, "{:>14} {inodes:>12}  {path}", size(dir.share.blocks))?;
    }
    Ok(())
}
