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

    /// Write JSON for programs; docs/json.md explains the names
    #[arg(long)]
    json: bool,
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
    if args.json {
        return json::write(&answer, out);
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
