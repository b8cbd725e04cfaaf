//! What may be asked.

use std::fmt;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use extscope::fs::OpenOptions;
use extscope::units::Fsblk;

use crate::commands::bench::BenchArgs;
use crate::commands::cat::CatArgs;
use crate::commands::check::CheckArgs;
use crate::commands::extract::ExtractArgs;
use crate::commands::files::FilesArgs;
use crate::commands::free::FreeArgs;
use crate::commands::inode::InodeArgs;
use crate::commands::journal::JournalArgs;
use crate::commands::learn::LearnArgs;
use crate::commands::ls::LsArgs;
use crate::commands::map::MapArgs;
use crate::commands::minimum::MinimumArgs;
use crate::commands::owner::OwnerArgs;
use crate::commands::partitions::PartitionsArgs;
use crate::commands::report::WholeArgs;
use crate::commands::scenario::ScenarioArgs;
use crate::commands::shrink::ShrinkArgs;
use crate::commands::tree::TreeArgs;
use crate::table::Format;

/// Looks into ext2, ext3 and ext4 filesystem images, without writing.
#[derive(Debug, Parser)]
#[command(name = "extscope", version, arg_required_else_help = true)]
#[command(
    after_help = "Exit status: 0 fine, 1 the image could not be opened or read, 2 usage; of \
                        check also 4 problems found, 8 not checked."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what an image is: superblock, features, geometry
    Info(ReportArgs),
    /// List the partitions of a whole disk
    Partitions(PartitionsArgs),
    /// Show every block group: descriptor, checksums, bitmaps, free ranges
    Groups(ListArgs),
    /// Show the free extents: how many, how long, and a histogram of their lengths
    Free(FreeArgs),
    /// Show how files lie on the disk, the most fragmented first, and what all blocks are
    Files(FilesArgs),
    /// Show a file: its inode, its attributes, its extents, and how it lies on the disk
    File(InodeArgs),
    /// Show an inode: fields, attributes, blocks
    Inode(InodeArgs),
    /// List a directory
    Ls(LsArgs),
    /// Write the contents of a file to standard output
    Cat(CatArgs),
    /// Save a file, or a folder as a tar archive
    Extract(ExtractArgs),
    /// List everything below a directory
    Tree(TreeArgs),
    /// Show what blocks are, and whose
    Owner(OwnerArgs),
    /// Draw the whole disk as a picture: what each block is, how full, how scattered
    Map(MapArgs),
    /// Show the smallest size that resize2fs estimates
    Minimum(MinimumArgs),
    /// Show everything that resize2fs would do to make the filesystem smaller, without doing it
    Shrink(ShrinkArgs),
    /// List deleted inodes, and what is still known of them
    Deleted(ListArgs),
    /// Show what the filesystem keeps for itself: orphans, mount protection, quotas, bad blocks,
    /// reserved GDT blocks
    Special(ReportArgs),
    /// Write a report of everything, as a page of HTML that opens offline
    Report(WholeArgs),
    /// Show what the journal holds, and what replaying it would bring
    Journal(JournalArgs),
    /// Check as e2fsck -fn does, and explain what is wrong
    Check(CheckArgs),
    /// Write a made-up filesystem to a file, or list what there is
    Scenario(ScenarioArgs),
    /// Measure how fast it is here, with goals
    Bench(BenchArgs),
    /// Race the ways in which e2fsprogs has scanned bitmaps, as in the lessons of the page
    Learn(LearnArgs),
}

/// An image and how to report on it.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) image: ImageArgs,

    /// Write JSON for programs; docs/json.md explains the names
    #[arg(long)]
    pub(crate) json: bool,
}

/// An image of which something is listed.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) image: ImageArgs,

    #[command(flatten)]
    pub(crate) format: Format,
}

/// An image and which of its superblocks to use.
#[derive(Debug, Args)]
pub(crate) struct ImageArgs {
    /// File or block device with the filesystem, or scenario:RECIPE
    #[arg(value_name = "IMAGE")]
    pub(crate) path: PathBuf,

    #[command(flatten)]
    pub(crate) how: HowArgs,
}

/// What of an image to look at.
#[derive(Clone, Debug, Args)]
pub(crate) struct HowArgs {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    /// Use the superblock in this block, counted in blocks of the filesystem
    #[arg(long, value_name = "BLOCK")]
    superblock: Option<u64>,

    /// Bytes of a block; without it every size is tried
    #[arg(long, value_name = "BYTES", value_parser = block_size)]
    blocksize: Option<u32>,

    /// Show the filesystem as after its journal is replayed, worked out in memory
    #[arg(long)]
    pub(crate) replayed: bool,

    /// Replay the journal that lies on another device, of which this is the image
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
}

impl HowArgs {
    /// Whether the filesystem as after a replay is asked for.
    pub(crate) const fn wants_replay(&self) -> bool {
        self.replayed || self.journal.is_some()
    }

    /// Which superblock to open from.
    pub(crate) fn options(&self) -> OpenOptions {
        OpenOptions { superblock: self.superblock.map(Fsblk::new), block_size: self.blocksize }
    }
}

/// Parses a size that blocks can have.
fn block_size(word: &str) -> Result<u32, String> {
    let size: Option<u32> = word.parse().ok();
    size.filter(|size| size.is_power_of_two() && (1024..=65536).contains(size))
        .ok_or_else(|| "a block size is a power of two from 1024 to 65536".to_owned())
}

/// Where in the file the filesystem lies.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PlaceArgs {
    /// Byte of the file at which the filesystem begins
    #[arg(long, value_name = "BYTES")]
    pub(crate) offset: Option<u64>,

    /// Partition with the filesystem, when the file is the image of a whole disk
    #[arg(long, value_name = "N", conflicts_with = "offset")]
    pub(crate) partition: Option<u32>,
}

impl PlaceArgs {
    /// Whether the filesystem begins with the file.
    pub(crate) const fn is_whole(&self) -> bool {
        self.offset.is_none() && self.partition.is_none()
    }
}

/// The arguments again, each with a blank behind it.
impl fmt::Display for PlaceArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.offset.iter().try_for_each(|offset| write!(f, "--offset {offset} "))?;
        self.partition.iter().try_for_each(|number| write!(f, "--partition {number} "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_hold_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_superblock_is_chosen_as_with_e2fsck() {
        let words = ["extscope", "info", "--superblock", "32768", "--blocksize", "4096", "a.img"];
        let Command::Info(args) = Cli::parse_from(words).command else {
            unreachable!("asked for info")
        };
        let options = args.image.how.options();
        assert_eq!(options.superblock, Some(Fsblk::new(32768)));
        assert_eq!(options.block_size, Some(4096));
        assert!(!args.json);
    }
}
