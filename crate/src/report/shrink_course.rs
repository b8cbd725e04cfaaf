//! How a shrink goes: its phases, what it costs, and what it runs into.

use serde::{Deserialize, Serialize};

use crate::analysis::Medium;
use crate::lesson::ScanSpeed;
use crate::resize::{Changes, Cost, Plan, Scans, Warning};

/// A fault of the tool that a plan runs into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarningReport {
    /// Which, with its place.
    #[serde(flatten)]
    pub warning: Warning,
    /// The same as a sentence.
    pub message: String,
}

/// A phase of a shrink, in the tool's order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseReport {
    /// Its name.
    pub name: String,
    /// What it does, as a sentence.
    pub meaning: String,
    /// How much it does.
    pub count: u64,
    /// Of what.
    pub unit: String,
}

/// What a shrink costs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostReport {
    /// Bytes and seeks.
    #[serde(flatten)]
    pub cost: Cost,
    /// Seconds on a disk.
    pub disk_seconds: f64,
    /// Seconds on flash.
    pub flash_seconds: f64,
    /// Bits of bitmaps that are looked at.
    pub scans: Scans,
}

/// What the scans of bitmaps cost on the processor that they were measured on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScanTimes {
    /// Seconds bit by bit, as resize2fs did it in 2012.
    pub bit_seconds: f64,
    /// Seconds by words of 64 bits.
    pub word_seconds: f64,
}

impl ScanTimes {
    /// What some scans cost at a speed.
    #[must_use]
    pub fn new(scans: &Scans, speed: ScanSpeed) -> Self {
        let seconds = |nanos: f64| scans.bits() as f64 * nanos / 1e9;
        Self { bit_seconds: seconds(speed.bit_nanos), word_seconds: seconds(speed.word_nanos) }
    }
}

impl WarningReport {
    /// Every fault that a plan runs into.
    #[must_use]
    pub fn of(plan: &Plan) -> Vec<Self> {
        let warnings = plan.warnings().into_iter();
        warnings.map(|warning| Self { message: message(&warning), warning }).collect()
    }
}

impl CostReport {
    /// What the changes cost.
    #[must_use]
    pub fn new(changes: &Changes) -> Self {
        let cost = changes.cost();
        Self {
            cost,
            disk_seconds: cost.seconds(Medium::DISK),
            flash_seconds: cost.seconds(Medium::FLASH),
            scans: changes.scans(),
        }
    }
}

impl PhaseReport {
    /// Every phase.
    #[must_use]
    pub fn of(changes: &Changes) -> Vec<Self> {
        let count = |len: usize| len as u64;
        let dropped = changes.old.group_count().saturating_sub(changes.new.group_count());
        let placed = changes.bitmap_moves.len() + changes.itable_moves.len();
        let freed = changes.freed_descriptors.iter().map(|blocks| blocks.end - blocks.start);
        let all = [
            ("mark", "the superblock is marked as having errors, until the end", 1, "superblock"),
            (
                "drop_groups",
                "groups past the end go, with their metadata",
                dropped.into(),
                "groups",
            ),
            (
                "place_metadata",
                "bitmaps and inode tables that reach past the end get another place",
                count(placed),
                "places",
            ),
            ("free_descriptors", "descriptor areas get shorter", freed.sum(), "blocks"),
            (
                "move_blocks",
                "blocks past the end are copied to the first free ones",
                changes.moved_blocks(),
                "blocks",
            ),
            (
                "scan_inodes",
                "all inodes are looked at; pointers to moved blocks are rewritten",
                changes.counts.inodes_scanned,
                "inodes",
            ),
            (
                "grow_trees",
                "extent trees that run over get new nodes",
                count(changes.new_nodes.len()),
                "nodes",
            ),
            (
                "move_inodes",
                "inodes past the last one get another number",
                count(changes.inode_moves.len()),
                "inodes",
            ),
            (
                "rewrite_names",
                "directory entries of these inodes are rewritten",
                count(changes.entries.len()),
                "entries",
            ),
            (
                "move_itables",
                "inode tables are copied to their new places",
                count(changes.itable_moves.len()),
                "tables",
            ),
            (
                "summarise",
                "free counts and flags are set, bitmaps and backups written, the mark taken away",
                changes.new.group_count().into(),
                "groups",
            ),
        ];
        all.into_iter()
            .map(|(name, meaning, count, unit)| Self {
                name: name.to_owned(),
                meaning: meaning.to_owned(),
                count,
                unit: unit.to_owned(),
            })
            .collect()
    }
}

fn message(warning: &Warning) -> String {
    match warning {
        Warning::MmpBlock { s_mmp_block } => format!(
            "the MMP block, {s_mmp_block}, is past the new end and is not moved: everything is \
             rewritten, and then the last step fails; take the feature mmp away first"
        ),
        Warning::StaleItable { group } => format!(
            "the inode table of group {group} moves to where other data lay, and the zeros at its \
             end are not written: e2fsck may take what is left for inodes"
        ),
        Warning::OrphanFileChecksum { ino } => format!(
            "blocks of the orphan file, inode {ino}, move and keep the checksums of their old \
             places: e2fsck must run afterwards"
        ),
        Warning::NamedInode { from, to } => format!(
            "inode {from} becomes {to}, and the superblock, which names it, keeps the old number: \
             e2fsck must run afterwards"
        ),
        Warning::QuotaUsage { nodes } => format!(
            "{nodes} new nodes of extent trees are not counted in the quota: e2fsck must run \
             afterwards"
        ),
        Warning::BigallocCounts { clusters } => format!(
            "the last group has {clusters} clusters and is counted as if it were whole, so that \
             too many are free: e2fsck must run afterwards"
        ),
        Warning::ResizeInode { reserved_gdt_blocks } => format!(
            "with {reserved_gdt_blocks} reserved GDT blocks, the resize inode may be left empty \
             or out of date, depending on what the cache of resize2fs holds; e2fsck rebuilds it"
        ),
        Warning::BelowMinimum { blocks, minimum } => format!(
            "the last group would be too small, so that {blocks} blocks are left, fewer than the \
             estimated minimum, {minimum}"
        ),
        Warning::LeakedBlocks { blocks } => format!(
            "an inode table is placed anew and has to give way to a backup superblock: {blocks} \
             blocks stay marked as in use until e2fsck runs"
        ),
        Warning::BadBlocks { clusters } => {
            format!("{clusters} bad blocks past the end are dropped from their list")
        }
        Warning::LongerFile { file, blocks } => {
            format!("the file keeps {file} blocks, and the filesystem has {blocks}")
        }
    }
}
