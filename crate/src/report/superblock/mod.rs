//! Every field of the superblock with its plain name, its meaning and its value.
//!
//! *Belongs here:* one file a section, one row a field. *Does not:* how values are written in
//! general, which is `format`.

mod extras;
mod history;
mod identity;
mod journal;
mod size;
mod value;

use serde::{Deserialize, Serialize, Serializer};
use zerocopy::IntoBytes;

use crate::ondisk::{self, Superblock};
pub use value::FieldValue;
pub(super) use value::{Shown, block, count, number};

/// The part of the superblock that a field is shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// What it is called and which format it has.
    Identity,
    /// How much there is, and how it is cut up.
    Size,
    /// How it was left, when it was written, mounted and checked.
    History,
    /// Errors that the kernel noted.
    Errors,
    /// The journal and the orphans.
    Journal,
    /// Checksums of metadata.
    Checksums,
    /// Directories, names, encryption and quota.
    Contents,
    /// Hints for the layout of data.
    Allocation,
    /// Unused, or never taken up.
    Unused,
}

impl Section {
    /// Its heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Identity => "Identity",
            Self::Size => "Size and layout",
            Self::History => "State and history",
            Self::Errors => "Errors noted by the kernel",
            Self::Journal => "Journal and orphans",
            Self::Checksums => "Checksums",
            Self::Contents => "Directories, encryption, quota",
            Self::Allocation => "Placement hints",
            Self::Unused => "Unused",
        }
    }
}

/// A field of the superblock or of a descriptor, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The part it is shown in.
    pub section: Section,
    /// Its kernel name, without `_lo` where low and high halves are joined.
    pub name: String,
    /// Its name in plain words.
    pub label: String,
    /// What it means.
    pub explanation: String,
    /// Its value as data.
    pub value: FieldValue,
    /// Its value for people.
    pub text: String,
    /// Its value in hexadecimal, as wide as it is on the disk.
    pub raw: String,
}

/// The values of fields by the kernel's names, for programs.
#[derive(Clone, Copy, Debug)]
pub struct ByName<'a>(pub &'a [Field]);

impl Serialize for ByName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|field| (&field.name, &field.value)))
    }
}

/// A line of the table: which fields on the disk, which words, and how the value is shown.
struct Row {
    section: Section,
    name: &'static str,
    /// The fields on the disk, least significant first.
    parts: &'static [&'static str],
    label: &'static str,
    explanation: &'static str,
    show: fn(&Superblock) -> Shown,
}

/// Declares rows: `name [parts] "label" "explanation" |superblock| shown`, parts only where low
/// and high halves are joined.
macro_rules! rows {
    ($section:ident: $($name:ident $([$($part:ident)+])? $label:literal $explanation:literal
        $show:expr;)*) => {
        &[$($crate::report::superblock::Row {
            section: $crate::report::superblock::Section::$section,
            name: stringify!($name),
            parts: $crate::report::superblock::rows!(@parts $name $($($part)+)?),
            label: $label,
            explanation: $explanation,
            show: $show,
        }),*]
    };
    (@parts $name:ident) => { &[stringify!($name)] };
    (@parts $name:ident $($part:ident)+) => { &[$(stringify!($part)),+] };
}
use rows;

/// All rows, section by section.
fn table() -> impl Iterator<Item = &'static Row> {
    [
        identity::ROWS,
        size::ROWS,
        history::ROWS,
        history::ERROR_ROWS,
        journal::ROWS,
        journal::CSUM_ROWS,
        extras::CONTENT_ROWS,
        extras::ALLOCATION_ROWS,
        extras::UNUSED_ROWS,
    ]
    .into_iter()
    .flatten()
}

/// Every field of a superblock, section by section.
#[must_use]
pub fn superblock_fields(superblock: &Superblock) -> Vec<Field> {
    table()
        .map(|row| {
            let Shown { value, text } = (row.show)(superblock);
            Field {
                section: row.section,
                name: row.name.to_owned(),
                label: row.label.to_owned(),
                explanation: row.explanation.to_owned(),
                value,
                text,
                raw: raw(superblock, row.parts),
            }
        })
        .collect()
}

/// The bytes of fields: up to 8 as one number, more in the order of the disk.
fn raw(superblock: &Superblock, parts: &[&str]) -> String {
    let on_disk = superblock.as_bytes();
    let bytes: Vec<u8> = parts
        .iter()
        .filter_map(|part| Superblock::FIELDS.iter().find(|field| field.name == *part))
        .filter_map(|field: &ondisk::Field| on_disk.get(field.offset..field.offset + field.len))
        .flatten()
        .copied()
        .collect();
    if bytes.len() > 16 && bytes.iter().all(|byte| *byte == 0) {
        return format!("{} bytes, all zero", bytes.len());
    }
    let pair = |byte: &u8| format!("{byte:02x}");
    if bytes.len() <= 8 {
        let digits: String = bytes.iter().rev().map(pair).collect();
        return format!("0x{digits}");
    }
    bytes.iter().map(pair).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ondisk::SUPERBLOCK_BYTES;

    fn zeroed() -> Superblock {
        Superblock::from_prefix(&[0; SUPERBLOCK_BYTES]).expect("long enough")
    }

    #[test]
    fn every_byte_of_the_superblock_is_shown_exactly_once() {
        let mut shown: Vec<_> = table().flat_map(|row| row.parts).copied().collect();
        let mut fields: Vec<_> = Superblock::FIELDS.iter().map(|field| field.name).collect();
        shown.sort_unstable();
        fields.sort_unstable();
        assert_eq!(shown, fields);
    }

    #[test]
    fn names_are_those_on_the_disk_without_the_halves() {
        for row in table() {
            let first = row.parts.first().expect("a part");
            assert!(*first == row.name || *first == format!("{}_lo", row.name), "{}", row.name);
        }
    }

    #[test]
    fn every_row_has_words_that_end_in_a_full_stop() {
        for row in table() {
            assert!(!row.label.is_empty() && !row.label.ends_with('.'), "{}", row.name);
            assert!(row.explanation.ends_with('.'), "{}", row.name);
        }
    }

    #[test]
    fn every_value_can_be_shown_whatever_the_bytes() {
        for byte in [0, 0x55, 0x80, 0xff] {
            let superblock = Superblock::from_prefix(&[byte; SUPERBLOCK_BYTES]).expect("long");
            assert!(superblock_fields(&superblock).iter().all(|field| !field.raw.is_empty()));
        }
    }

    #[test]
    fn halves_are_joined_in_value_and_raw() {
        let mut superblock = zeroed();
        superblock.s_feature_incompat.set(0x80);
        superblock.s_blocks_count_lo.set(2);
        superblock.s_blocks_count_hi.set(1);
        let fields = superblock_fields(&superblock);
        let field = fields.iter().find(|field| field.name == "s_blocks_count").expect("shown");
        assert_eq!(field.value, FieldValue::Number(4_294_967_298));
        assert_eq!(field.text, "4,294,967,298 (4 TiB)");
        assert_eq!(field.raw, "0x0000000100000002");
    }
}
