//! `extscope info`: what an image is.

use std::io::Write;

use extscope::ondisk::features::FeatureClass;
use extscope::report::{ByName, InfoReport, bytes, grouped};
use serde_json::Value;

use crate::args::ReportArgs;
use crate::failure::Failure;
use crate::{image, text};

/// Reports what an image is.
pub(crate) fn run(args: &ReportArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    let report = InfoReport::new(&filesystem);
    if args.json {
        return crate::json::write(&json(&report)?, out);
    }
    write_text(&report, out)?;
    Ok(())
}

/// The report with the superblock as an object, its fields under their kernel names.
pub(crate) fn json(report: &InfoReport) -> Result<Value, Failure> {
    let mut value = serde_json::to_value(report)?;
    if let Some(object) = value.as_object_mut() {
        object.insert("superblock".to_owned(), serde_json::to_value(ByName(&report.superblock))?);
    }
    Ok(value)
}

fn write_text(report: &InfoReport, out: &mut impl Write) -> std::io::Result<()> {
    write_summary(report, out)?;
    if !report.notes.is_empty() {
        writeln!(out, "\nNotes")?;
    }
    for note in &report.notes {
        writeln!(out, "  {note}")?;
    }
    writeln!(out, "\nFeatures")?;
    for feature in &report.features {
        let class = match feature.class {
            FeatureClass::Compat => "compat",
            FeatureClass::Incompat => "incompat",
            FeatureClass::RoCompat => "ro_compat",
        };
        writeln!(out, "  {:<20} {class:<10} {}", feature.name, feature.meaning)?;
    }
    let mut section = None;
    for field in &report.superblock {
        if section.replace(field.section) != Some(field.section) {
            writeln!(out, "\n{}", field.section.title())?;
        }
        writeln!(out, "  {:<30} {:<40} {}", field.label, field.text, field.name)?;
    }
    Ok(())
}

fn write_summary(report: &InfoReport, out: &mut impl Write) -> std::io::Result<()> {
    let geometry = &report.geometry;
    let mut line = |label: &str, value: String| writeln!(out, "{label:<12} {value}");
    line("Type", report.filesystem_type.clone())?;
    if !report.volume_name.is_empty() {
        line("Label", report.volume_name.clone())?;
    }
    line("UUID", report.uuid.clone())?;
    let size = |n: u64| format!("{} ({} bytes)", bytes(n), grouped(n));
    line("Image", size(report.image_bytes))?;
    line("Filesystem", size(report.filesystem_bytes))?;
    let copy = if report.superblock_is_backup { "backup" } else { "primary" };
    let csum = text::csum(
        report.superblock_csum,
        report.superblock_csum_stored,
        report.superblock_csum_expected,
        8,
    );
    line(
        "Superblock",
        format!(
            "{copy}, block {}, byte {}{csum}",
            report.superblock_block, report.superblock_offset
        ),
    )?;
    line("Blocks", format!("{} of {} bytes", grouped(geometry.blocks_count), geometry.block_size))?;
    if geometry.blocks_per_cluster > 1 {
        line("Clusters", format!("{} blocks each", geometry.blocks_per_cluster))?;
    }
    line(
        "Groups",
        format!(
            "{} of {} blocks and {} inodes",
            grouped(geometry.groups_count),
            grouped(geometry.blocks_per_group.into()),
            grouped(geometry.inodes_per_group.into())
        ),
    )
}
