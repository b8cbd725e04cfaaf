//! The superblock as a table.

use extscope::fs::Filesystem;
use extscope::io::ByteSource;
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
