//! The superblock and the features as tables.

use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::ondisk::features::FeatureClass;
use extscope::report::InfoReport;
use serde::Serialize;

/// A field of the superblock.
#[derive(Debug, Serialize)]
pub(super) struct FieldRow {
    name: String,
    label: String,
    value: String,
    raw: String,
}

/// A feature that is on.
#[derive(Debug, Serialize)]
pub(super) struct FeatureRow {
    name: String,
    class: FeatureClass,
    bit: u32,
    since: Option<String>,
    meaning: String,
}

/// The fields of the superblock, in the order in which they are shown.
pub(super) fn fields<S: ByteSource>(fs: &Filesystem<S>) -> Vec<FieldRow> {
    let fields = InfoReport::new(fs).superblock.into_iter();
    fields
        .map(|field| FieldRow {
            name: field.name,
            label: field.label,
            value: field.text,
            raw: field.raw,
        })
        .collect()
}

/// The features that are on.
pub(super) fn features<S: ByteSource>(fs: &Filesystem<S>) -> Vec<FeatureRow> {
    let features = InfoReport::new(fs).features.into_iter();
    features
        .map(|feature| FeatureRow {
            name: feature.name,
            class: feature.class,
            bit: feature.bit,
            since: feature.since,
            meaning: feature.meaning,
        })
        .collect()
}
