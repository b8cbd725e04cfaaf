//! Figures of the free space beside those that e2freefrag has.

use crate::protocol::{FieldValue, FreeDetail, FreeReport, InfoReport};
use crate::text::{number, size};

/// A row of the histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeClass {
    /// The lengths, in e2freefrag's form.
    pub range: String,
    /// Free extents of these lengths.
    pub extents: u64,
    /// Their blocks.
    pub blocks: u64,
    /// Length of the bar of extents, 0 to 1 of the longest.
    pub extents_share: f64,
    /// Length of the bar of blocks, 0 to 1 of the longest.
    pub blocks_share: f64,
    /// Their part of the free blocks, in words.
    pub percent: String,
}

/// The rows of the histogram, from the shortest extents to the longest.
#[must_use]
pub fn free_classes(report: &FreeReport) -> Vec<FreeClass> {
    let most = |value: fn(&crate::protocol::FreeBucket) -> u64| {
        report.histogram.iter().map(value).max().unwrap_or(0).max(1) as f64
    };
    let (most_extents, most_blocks) = (most(|it| it.extents), most(|it| it.blocks));
    let block = u64::from(report.block_size);
    let class = |bucket: &crate::protocol::FreeBucket| {
        let from = size::round(bucket.shortest.saturating_mul(block));
        let to = bucket.longest.map(|longest| longest.saturating_add(1).saturating_mul(block));
        FreeClass {
            range: match to {
                Some(to) => format!("{from} … {}", size::round(to)),
                None => format!("{from} and more"),
            },
            extents: bucket.extents,
            blocks: bucket.blocks,
            extents_share: bucket.extents as f64 / most_extents,
            blocks_share: bucket.blocks as f64 / most_blocks,
            percent: number::percent(bucket.blocks, report.free_in_bitmaps),
        }
    };
    report.histogram.iter().map(class).collect()
}

/// The headline figures: what they are called, the amount, what there is to add.
#[must_use]
pub fn free_figures(detail: &FreeDetail, info: &InfoReport) -> Vec<(&'static str, String, String)> {
    let report = &detail.report;
    let block = u64::from(report.block_size);
    let bytes = |blocks: u64| size::bytes(blocks.saturating_mul(block));
    let free = report.free_in_bitmaps;
    let mut figures = vec![
        (
            "Free",
            bytes(free),
            format!(
                "{}, {} blocks",
                number::percent(free, report.blocks_count),
                number::count(free)
            ),
        ),
        ("Free extents", number::count(report.extents), String::new()),
        ("Largest", bytes(report.longest), number::percent(report.longest, free)),
        ("Average", bytes(report.average), number::count_of(report.average, "block", "blocks")),
    ];
    if let Some(half) = half_in(detail) {
        figures.push(("Half lies in extents of at least", bytes(half), String::new()));
    }
    if let Some(reserved) = reserved(info) {
        let percent = number::percent(reserved, report.blocks_count);
        figures.push(("Reserved for root", bytes(reserved), percent));
    }
    if let Some(chunks) = &report.chunks {
        let all = chunk_count(report, chunks.bytes);
        let of = format!("of {}, {}", number::count(all), number::percent(chunks.free, all));
        figures.push(("Chunks entirely free", number::count(chunks.free), of));
    }
    figures
}

/// Blocks that only root may fill. Ref: `s_r_blocks_count`.
fn reserved(info: &InfoReport) -> Option<u64> {
    let field = info.superblock.iter().find(|field| field.name == "s_r_blocks_count")?;
    match field.value {
        FieldValue::Number(blocks) => Some(blocks),
        _ => None,
    }
}

/// The chunks that there are. e2freefrag counts one too many where they come out even.
fn chunk_count(report: &FreeReport, chunk_bytes: u64) -> u64 {
    let bytes = report.blocks_count.saturating_mul(report.block_size.into());
    bytes.div_ceil(chunk_bytes.max(1))
}

/// The length such that extents as long or longer hold half of what is free, where the longest
/// that are known reach so far.
fn half_in(detail: &FreeDetail) -> Option<u64> {
    let mut sum = 0_u64;
    for extent in &detail.largest {
        let len = extent.last.saturating_sub(extent.first).saturating_add(1);
        sum = sum.saturating_add(len);
        if sum.saturating_mul(2) >= detail.report.free_in_bitmaps {
            return Some(len);
        }
    }
    None
}

/// Where these figures differ from e2freefrag's, and why.
#[must_use]
pub fn differences(report: &FreeReport, blocks_per_cluster: u32) -> Vec<String> {
    let mut differences = Vec::new();
    if blocks_per_cluster > 1 {
        differences.push(format!(
            "Free space comes in clusters of {} blocks here, and lengths are those of whole \
             clusters. e2freefrag 1.47 takes the number of a cluster for that of a block once too \
             often, and so misses most of the free space of such a filesystem.",
            number::count(blocks_per_cluster.into())
        ));
    }
    if report.free_in_bitmaps != report.free_blocks_count {
        differences.push(format!(
            "The bitmaps have {} free blocks and the superblock counts {}. e2freefrag shows the \
             superblock's count, and takes its percentages from that.",
            number::count(report.free_in_bitmaps),
            number::count(report.free_blocks_count)
        ));
    }
    if let Some(chunks) = &report.chunks
        && chunks.total != chunk_count(report, chunks.bytes)
    {
        differences.push(format!(
            "There are {} chunks; e2freefrag says {}, one too many where they come out even.",
            number::count(chunk_count(report, chunks.bytes)),
            number::count(chunks.total)
        ));
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{BlockRange, FreeBucket};

    fn detail() -> FreeDetail {
        let bucket = |shortest: u64, longest, extents, blocks| FreeBucket {
            shortest,
            longest,
            extents,
            blocks,
            percent: 0.0,
        };
        FreeDetail {
            report: FreeReport {
                block_size: 1024,
                blocks_count: 8192,
                free_blocks_count: 100,
                free_in_bitmaps: 110,
                chunks: Some(extscope::report::ChunkReport { bytes: 1 << 20, total: 9, free: 2 }),
                extents: 12,
                shortest: 1,
                longest: 64,
                average: 9,
                histogram: vec![
                    bucket(1, Some(1), 10, 10),
                    bucket(32, Some(63), 1, 36),
                    bucket(64, None, 1, 64),
                ],
            },
            largest: vec![BlockRange { first: 10, last: 73 }, BlockRange { first: 100, last: 135 }],
            failed: 0,
        }
    }

    #[test]
    fn bars_are_measured_by_the_longest() {
        let classes = free_classes(&detail().report);
        assert_eq!(classes[0].range.replace('\u{202f}', " "), "1 KiB … 2 KiB");
        assert_eq!(classes[2].range.replace('\u{202f}', " "), "64 KiB and more");
        assert_eq!((classes[0].extents_share, classes[1].extents_share), (1.0, 0.1));
        assert_eq!(classes[2].blocks_share, 1.0);
    }

    #[test]
    fn figures_say_where_half_of_it_lies() {
        let figures = free_figures(&detail(), &crate::protocol::testing::opened(1).info);
        let reserved = figures.iter().find(|(name, ..)| *name == "Reserved for root");
        assert_eq!(reserved.map(|(_, amount, _)| amount.as_str()), Some("0"));
        let half = figures.iter().find(|(name, ..)| name.starts_with("Half"));
        assert_eq!(
            half.map(|(_, amount, _)| amount.replace('\u{202f}', " ")),
            Some("64.0 KiB".into())
        );
        let chunks = figures.last().map(|(_, amount, more)| (amount.clone(), more.clone()));
        assert_eq!(
            chunks.map(|(amount, more)| (amount, more.starts_with("of 8,"))),
            Some(("2".into(), true))
        );
    }

    #[test]
    fn every_difference_has_its_reason() {
        assert_eq!(differences(&detail().report, 1).len(), 2);
        assert_eq!(differences(&detail().report, 16).len(), 3);
        let mut same = detail().report;
        (same.free_in_bitmaps, same.chunks) = (100, None);
        assert_eq!(differences(&same, 1), [""; 0]);
    }
}
