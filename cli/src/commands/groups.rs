//! `extscope groups`: every block group.

use std::io::Write;

use extscope::analysis::BitmapState;
use extscope::report::{BitmapReport, GroupReport, GroupReports, SuperblockRole};
use serde::Serialize;
use serde::ser::Serializer;

use crate::args::ListArgs;
use crate::failure::Failure;
use crate::image::{self, Image};
use crate::json;
use crate::table::{Table, cell};
use crate::text::{count, csum, range, ranges};

/// Reports every block group, each as soon as its bitmaps are read.
pub(crate) fn run(args: &ListArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    if args.format.json {
        return json::write(&Json { groups: Groups(&filesystem) }, out);
    }
    if args.format.csv {
        return write_csv(&filesystem, out);
    }
    let unit = match filesystem.geometry().blocks_per_cluster() {
        1 => Unit { one: "free block", many: "free blocks" },
        _ => Unit { one: "free cluster", many: "free clusters" },
    };
    if filesystem.groups().is_empty() {
        writeln!(out, "There are no block groups on an external journal.")?;
    }
    for report in GroupReports::new(&filesystem) {
        write_group(&report, &unit, out)?;
    }
    Ok(())
}

/// Writes the groups; free blocks and inodes as the bitmaps have them are empty where those cannot
/// be had.
fn write_csv(image: &Image, out: &mut impl Write) -> Result<(), Failure> {
    let columns = [
        "group",
        "first_block",
        "last_block",
        "first_byte",
        "clusters",
        "flags",
        "superblock",
        "bg_block_bitmap",
        "bg_inode_bitmap",
        "bg_inode_table",
        "bg_free_blocks_count",
        "bg_free_inodes_count",
        "bg_used_dirs_count",
        "bg_itable_unused",
        "free",
        "free_bytes",
        "free_inodes",
        "fragments",
        "first_free",
        "largest_free",
    ];
    let geometry = image.geometry();
    let cluster_bytes =
        u64::from(geometry.block_size()).saturating_mul(geometry.blocks_per_cluster().into());
    let mut table = Table::new(out, &columns)?;
    for group in GroupReports::new(image) {
        let free = group.block_bitmap.free;
        let role = group.superblock.map(|role| match role {
            SuperblockRole::Primary => "primary",
            SuperblockRole::Backup => "backup",
        });
        table.row(&[
            &group.group,
            &group.blocks.first,
            &group.blocks.last,
            &group.blocks.first.saturating_mul(geometry.block_size().into()),
            &group.clusters,
            &group.flags.join(" "),
            &cell(role),
            &group.bg_block_bitmap,
            &group.bg_inode_bitmap,
            &group.bg_inode_table,
            &group.bg_free_blocks_count,
            &group.bg_free_inodes_count,
            &group.bg_used_dirs_count,
            &group.bg_itable_unused,
            &cell(free),
            &cell(free.map(|free| u64::from(free).saturating_mul(cluster_bytes))),
            &cell(group.inode_bitmap.free),
            &cell(free.map(|_| group.stats.fragments)),
            &cell(free.map(|_| group.stats.first_free)),
            &cell(free.map(|_| group.stats.largest_free)),
        ])?;
    }
    table.finish()
}

/// What a bit of a block bitmap stands for.
struct Unit {
    one: &'static str,
    many: &'static str,
}

#[derive(Serialize)]
struct Json<'a> {
    groups: Groups<'a>,
}

/// The groups as a sequence that is never held as a whole.
struct Groups<'a>(&'a Image);

impl Serialize for Groups<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(GroupReports::new(self.0))
    }
}

fn write_group(group: &GroupReport, unit: &Unit, out: &mut impl Write) -> std::io::Result<()> {
    write!(out, "Group {}: blocks {}", group.group, range(&group.blocks))?;
    if let Some(error) = &group.error {
        return writeln!(out, "\n  Descriptor cannot be read: {error}");
    }
    let expected = group.bg_checksum_expected.map(u32::from);
    write!(out, "{}", csum(group.csum, group.bg_checksum.into(), expected, 4))?;
    for flag in &group.flags {
        write!(out, ", {flag}")?;
    }
    writeln!(out)?;
    write_base(group, out)?;
    let bitmap = |name, at: u64, stored, bitmap: &BitmapReport| {
        let csum = csum(bitmap.csum, stored, bitmap.csum_expected, 8);
        let state = if bitmap.state == BitmapState::Synthesised { ", never written" } else { "" };
        let error =
            bitmap.error.as_ref().map_or_else(String::new, |e| format!(", unreadable: {e}"));
        format!("  {name} bitmap at {at}{csum}{state}{error}")
    };
    let (stored, report) = (group.bg_block_bitmap_csum, &group.block_bitmap);
    writeln!(out, "{}", bitmap("Block", group.bg_block_bitmap, stored, report))?;
    let (stored, report) = (group.bg_inode_bitmap_csum, &group.inode_bitmap);
    writeln!(out, "{}", bitmap("Inode", group.bg_inode_bitmap, stored, report))?;
    writeln!(out, "  Inode table at {}", range(&group.inode_table))?;
    writeln!(
        out,
        "  {}, {}, {}, {}",
        count(group.bg_free_blocks_count, unit.one, unit.many),
        count(group.bg_free_inodes_count, "free inode", "free inodes"),
        count(group.bg_used_dirs_count, "directory", "directories"),
        count(group.bg_itable_unused, "unused inode", "unused inodes"),
    )?;
    write_counted(group, unit, out)?;
    writeln!(out, "  Free blocks: {}", ranges(&group.free_blocks))?;
    writeln!(out, "  Free inodes: {}", ranges(&group.free_inodes))
}

/// Superblock, descriptors and their reserve, where the group has them.
fn write_base(group: &GroupReport, out: &mut impl Write) -> std::io::Result<()> {
    let role = match group.superblock {
        Some(SuperblockRole::Primary) => "Primary",
        _ => "Backup",
    };
    let parts = [
        group.superblock_at.map(|at| format!("{role} superblock at {at}")),
        group.gdt.map(|gdt| format!("group descriptors at {}", range(&gdt))),
        group.reserved_gdt.map(|gdt| format!("reserved GDT blocks at {}", range(&gdt))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {}", parts.join(", "))
}

/// What the bitmaps themselves say, where that is not what the descriptor says, and the runs.
fn write_counted(group: &GroupReport, unit: &Unit, out: &mut impl Write) -> std::io::Result<()> {
    let stats = &group.stats;
    if group.block_bitmap.free.is_some_and(|free| free != group.bg_free_blocks_count) {
        writeln!(out, "  The block bitmap has {}", count(stats.free, unit.one, unit.many))?;
    }
    if let Some(free) = group.inode_bitmap.free.filter(|free| *free != group.bg_free_inodes_count) {
        writeln!(out, "  The inode bitmap has {}", count(free, "free inode", "free inodes"))?;
    }
    if stats.fragments == 0 {
        return Ok(());
    }
    let runs = count(stats.fragments, "free run", "free runs");
    writeln!(out, "  {runs}, the longest of {}", stats.largest_free)
}
