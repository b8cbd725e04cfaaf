//! `extscope owner`: what blocks are, and whose.

use std::io::Write;

use extscope::analysis::{NameScan, OwnerSearch, PathSearch, Survey};
use extscope::report::{BlockReport, OwnerReport};
use extscope::units::Fsblk;
use serde::Serialize;

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::image::{self, Image};
use crate::json;
use crate::progress::run_to_end;
use crate::table::{Format, Table, cell};
use crate::text;

/// Which blocks of which image.
#[derive(Debug, clap::Args)]
pub(crate) struct OwnerArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Blocks of the filesystem
    #[arg(required = true, value_name = "BLOCK")]
    blocks: Vec<u64>,

    /// Go through all inodes even when every block has an owner: tells what several claim, and
    /// what is free in the bitmap and still somebody's
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct Answer {
    blocks: Vec<BlockReport>,
}

/// Reports what each block is, and whose.
pub(crate) fn run(args: &OwnerArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    let fail = |error| Failure::image(&args.image.path, error);
    let look_up = if args.all { among_all } else { one_by_one };
    let blocks: Vec<_> = args.blocks.iter().copied().map(Fsblk::new).collect();
    let answer = Answer { blocks: look_up(&filesystem, &blocks).map_err(fail)? };
    if args.format.json {
        return json::write(&answer, out);
    }
    if args.format.csv {
        return write_csv(&answer, filesystem.geometry().block_size(), out);
    }
    for block in &answer.blocks {
        let free = if block.free_but_owned { ", FREE in the bitmap" } else { "" };
        writeln!(out, "{}: {}{free}", block.block, words(&block.owner))?;
        for claim in &block.claims {
            writeln!(out, "  {}", words(claim))?;
        }
    }
    Ok(())
}

/// Writes each block, and as often more as several claim it.
fn write_csv(answer: &Answer, block_size: u32, out: &mut impl Write) -> Result<(), Failure> {
    let columns = [
        "block",
        "byte",
        "first",
        "last",
        "class",
        "name",
        "ino",
        "path",
        "group",
        "free_but_owned",
    ];
    let mut table = Table::new(out, &columns)?;
    for block in &answer.blocks {
        let claims = if block.claims.is_empty() {
            std::slice::from_ref(&block.owner)
        } else {
            &block.claims
        };
        for owner in claims {
            let class = serde_json::to_value(owner.class)?;
            table.row(&[
                &block.block,
                &block.block.saturating_mul(u64::from(block_size)),
                &owner.blocks.first,
                &owner.blocks.last,
                &class.as_str().unwrap_or_default(),
                &owner.name,
                &cell(owner.ino),
                &cell(owner.path.as_deref()),
                &cell(owner.group),
                &block.free_but_owned,
            ])?;
        }
    }
    table.finish()
}

/// Looks until each block has an owner.
fn one_by_one(image: &Image, blocks: &[Fsblk]) -> extscope::Result<Vec<BlockReport>> {
    let found = run_to_end("Owners", OwnerSearch::new(image, blocks)?)?;
    let inos = found.iter().filter_map(|found| found.owner.ino());
    let paths = run_to_end("Names", PathSearch::new(image, inos))?;
    Ok(found.iter().map(|found| BlockReport::found(found, &paths)).collect())
}

/// Goes through all inodes and all bitmaps.
fn among_all(image: &Image, blocks: &[Fsblk]) -> extscope::Result<Vec<BlockReport>> {
    let map = run_to_end("Owners", Survey::new(image))?;
    let names = run_to_end("Names", NameScan::new(image))?;
    blocks.iter().map(|block| BlockReport::new(&map, &names, *block)).collect()
}

/// `file data of inode 12 /a/b, blocks 7-12`.
fn words(owner: &OwnerReport) -> String {
    let mut words = owner.name.clone();
    if let Some(group) = owner.group {
        words += &format!(" of group {group}");
    }
    if let Some(ino) = owner.ino {
        words += &format!(" of inode {ino}");
    }
    if let Some(path) = &owner.path {
        words += &format!(" {path}");
    }
    let blocks = if owner.blocks.first == owner.blocks.last { "block" } else { "blocks" };
    words + &format!(", {blocks} {}", text::range(&owner.blocks))
}
