//! `extscope owner`: what blocks are, and whose.

use std::io::Write;

use extscope::analysis::{NameScan, Survey};
use extscope::report::{BlockReport, OwnerReport};
use extscope::units::Fsblk;
use serde::Serialize;

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::json;
use crate::progress::run_to_end;
use crate::{image, text};

/// Which blocks of which image.
#[derive(Debug, clap::Args)]
pub(crate) struct OwnerArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Blocks of the filesystem
    #[arg(required = true, value_name = "BLOCK")]
    blocks: Vec<u64>,

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
    let map = run_to_end("Owners", Survey::new(&filesystem)).map_err(fail)?;
    let names = run_to_end("Names", NameScan::new(&filesystem)).map_err(fail)?;
    let blocks = args.blocks.iter().map(|block| BlockReport::new(&map, &names, Fsblk::new(*block)));
    let answer = Answer { blocks: blocks.collect::<extscope::Result<_>>().map_err(fail)? };
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
