//! `extscope special`: what the filesystem keeps for itself.

use std::io::Write;

use extscope::fs::CsumState;
use extscope::report::{SpecialReport, bytes, grouped, time};

use crate::args::ReportArgs;
use crate::failure::Failure;
use crate::json;
use crate::{image, text};

/// Entries of a list that are shown as text.
const MOST: usize = 100;

/// Reports orphans, mount protection, quotas, bad blocks and reserved GDT blocks.
pub(crate) fn run(args: &ReportArgs, out: &mut impl Write) -> Result<(), Failure> {
    let image = image::open(&args.image)?;
    let report = SpecialReport::new(&image);
    if args.json {
        return json::write(&report, out);
    }
    write_text(&report, out)?;
    Ok(())
}

fn write_text(report: &SpecialReport, out: &mut impl Write) -> std::io::Result<()> {
    let mut line = |label: &str, value: String| writeln!(out, "{label:<20}{value}");
    let waits = if report.needs_recovery { ", needs recovery" } else { "" };
    line("Journal", format!("{}{waits}", report.journal))?;
    line("Orphans on the list", inodes(&report.orphan_list))?;
    line("Orphans in the file", inodes(&report.orphan_file))?;
    line("Bad blocks", text::ranges(&report.bad_blocks))?;
    if let Some(mmp) = &report.mmp {
        let state = match mmp.state.as_str() {
            "in_use" => "in use when the image was taken",
            "fsck" => "e2fsck was running",
            _ => "not mounted",
        };
        let wrong = if mmp.csum == CsumState::Bad { ", checksum WRONG" } else { "" };
        line("Mount protection", format!("{state}, block {}{wrong}", mmp.block))?;
        line("  last update", time(mmp.mmp_time))?;
        line("  by", format!("{} on {}", mmp.mmp_bdevname, mmp.mmp_nodename))?;
    }
    for quota in &report.quotas {
        let count = grouped(quota.entries.len() as u64);
        line("Quota", format!("{}s, {count} entries, inode {}", quota.quota, quota.ino))?;
        for entry in quota.entries.iter().take(MOST) {
            let inodes = grouped(entry.inodes);
            line("", format!("{:>10}: {inodes} inodes, {}", entry.id, bytes(entry.space)))?;
        }
    }
    for reserved in report.reserved_gdt.iter().take(MOST) {
        let blocks = text::range(&reserved.blocks);
        let owned = grouped(reserved.in_resize_inode);
        line(
            "Reserved GDT",
            format!("group {}: {blocks}, {owned} of the resize inode", reserved.group),
        )?;
    }
    for error in &report.errors {
        line("Unreadable", error.to_string())?;
    }
    Ok(())
}

/// The first inodes of a list, or `none`.
fn inodes(all: &[u32]) -> String {
    if all.is_empty() {
        return "none".to_owned();
    }
    let mut words: Vec<_> = all.iter().take(MOST).map(u32::to_string).collect();
    if let Some(rest) = all.len().checked_sub(MOST).filter(|rest| *rest > 0) {
        words.push(format!("and {} more", grouped(rest as u64)));
    }
    words.join(" ")
}
