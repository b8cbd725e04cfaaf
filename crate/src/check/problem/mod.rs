//! The table of problems: every code of e2fsck, in words of our own.
//!
//! *Belongs here:* what each problem means, whether e2fsck can tell it without writing, and what
//! it would do if told yes. *Does not:* finding problems. *Ref:* `e2fsck/problem.h`, 1.47.0.

mod pass0;
mod pass1;
mod pass1_shared;
mod pass2;
mod pass3_to_end;

use core::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) use pass0::*;
pub(crate) use pass1::*;
pub(crate) use pass1_shared::*;
pub(crate) use pass2::*;
pub(crate) use pass3_to_end::*;

/// The number of a problem, as e2fsck counts them: pass, then problem. Ref: `problem_t`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u32);

/// What is known of a problem before it is found.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its code.
    pub code: Code,
    /// The constant's name in e2fsck.
    pub name: &'static str,
    /// When e2fsck tells it.
    pub reach: Reach,
    traits: u8,
    /// What is wrong, in one line.
    pub title: &'static str,
    /// What it means and why it matters; empty where it is never found without writing.
    pub explanation: &'static str,
    /// What e2fsck would do if told yes; empty likewise.
    pub remedy: &'static str,
}

/// When e2fsck 1.47.0 tells of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// With `-n`, too.
    Told,
    /// With `-n` it is noticed and not printed.
    Silent,
    /// Only when it may write.
    Writing,
    /// Only after an earlier question was answered with yes.
    AfterYes,
    /// When memory or a device fails.
    Failure,
    /// As head or foot of a list.
    List,
    /// No longer.
    Never,
    /// Only in releases after 1.47.0.
    Later,
}

/// How much a problem matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Said by the way.
    Note,
    /// Worth mending; the filesystem counts as clean all the same.
    Minor,
    /// The filesystem is not clean.
    Damage,
    /// e2fsck gives up here.
    Fatal,
}

/// The passes of e2fsck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Pass {
    /// Opening, superblock, journal, descriptors.
    #[serde(rename = "0")]
    Zero,
    /// Inodes and their blocks.
    #[serde(rename = "1")]
    One,
    /// Blocks claimed more than once.
    #[serde(rename = "1B")]
    OneB,
    /// The names of their inodes.
    #[serde(rename = "1C")]
    OneC,
    /// What to do with each.
    #[serde(rename = "1D")]
    OneD,
    /// Extent trees that could be smaller.
    #[serde(rename = "1E")]
    OneE,
    /// Directories.
    #[serde(rename = "2")]
    Two,
    /// How directories hang together.
    #[serde(rename = "3")]
    Three,
    /// Names that occur twice.
    #[serde(rename = "3A")]
    ThreeA,
    /// Link counts.
    #[serde(rename = "4")]
    Four,
    /// Bitmaps and counts.
    #[serde(rename = "5")]
    Five,
    /// What comes after: orphan file, quota.
    #[serde(rename = "6")]
    End,
}

/// No trait.
const NONE: u8 = 0;
/// It is a question, by itself or at the end of its list; when refused, the filesystem is not clean.
const ASKS: u8 = 1;
/// Refusing it leaves the filesystem clean.
const MILD: u8 = 2;
/// The run ends here.
const FATAL: u8 = 4;

impl Code {
    /// Every problem, by code.
    pub fn all() -> impl Iterator<Item = &'static Row> {
        TABLES.iter().copied().flatten()
    }

    /// The code of a name; `None` for a name that means nothing.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|row| row.name == name).map(|row| row.code)
    }

    /// What is known of it.
    #[must_use]
    pub fn row(self) -> &'static Row {
        let table = TABLES.iter().find(|table| table.last().is_some_and(|row| self <= row.code));
        let row = table.and_then(|table| {
            let at = table.binary_search_by_key(&self, |row| row.code).ok()?;
            table.get(at)
        });
        row.unwrap_or_else(|| unreachable!("codes come from the table alone"))
    }

    /// The constant's name in e2fsck.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0
    }

    /// The pass that finds it.
    #[must_use]
    pub fn pass(self) -> Pass {
        match self.0 >> 12 {
            0x00 => Pass::Zero,
            0x10 => Pass::One,
            0x11 => Pass::OneB,
            0x12 => Pass::OneC,
            0x13 => Pass::OneD,
            0x14 => Pass::OneE,
            0x20 => Pass::Two,
            0x30 => Pass::Three,
            0x31 => Pass::ThreeA,
            0x40 => Pass::Four,
            0x50 => Pass::Five,
            _ => Pass::End,
        }
    }
}

impl Row {
    /// Whether refusing it leaves the filesystem unclean.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        self.traits & (ASKS | MILD) == ASKS
    }

    /// Whether e2fsck ends here.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        self.traits & FATAL != 0
    }

    /// How much it matters.
    #[must_use]
    pub fn severity(&self) -> Severity {
        if self.is_fatal() {
            Severity::Fatal
        } else if self.is_damage() {
            Severity::Damage
        } else if self.traits & ASKS != 0 {
            Severity::Minor
        } else {
            Severity::Note
        }
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::from_name(&name)
            .ok_or_else(|| serde::de::Error::custom(format_args!("{name:?} is no problem")))
    }
}

impl Pass {
    /// Its name: `1B`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Zero => "0",
            Self::One => "1",
            Self::OneB => "1B",
            Self::OneC => "1C",
            Self::OneD => "1D",
            Self::OneE => "1E",
            Self::Two => "2",
            Self::Three => "3",
            Self::ThreeA => "3A",
            Self::Four => "4",
            Self::Five => "5",
            Self::End => "6",
        }
    }
}

const TABLES: [&[Row]; 5] =
    [pass0::ROWS, pass1::ROWS, pass1_shared::ROWS, pass2::ROWS, pass3_to_end::ROWS];

/// Declares problems: constant, number, reach, traits; title; explanation and remedy where they
/// can be found without writing. Rows are in the order of their numbers.
macro_rules! problems {
    ($($name:ident($number:literal, $reach:ident, $traits:expr)
        $title:literal $(; $explanation:literal; $remedy:literal)?;)*) => {
        #[allow(unused_imports, reason = "no pass has every trait")]
        use super::{ASKS, Code, FATAL, MILD, NONE, Reach, Row};

        $(
            #[doc = $title]
            #[allow(dead_code, reason = "the table is whole, whatever is found")]
            pub(crate) const $name: Code = Code($number);
        )*

        pub(super) const ROWS: &[Row] = &[$(Row {
            code: $name,
            name: stringify!($name),
            reach: Reach::$reach,
            traits: $traits,
            title: $title,
            explanation: concat!("", $($explanation)?),
            remedy: concat!("", $($remedy)?),
        }),*];
    };
}
use problems;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_e2fsck_has_its_row_in_order() {
        let codes: Vec<Code> = Code::all().map(|row| row.code).collect();
        assert_eq!(codes.len(), 414);
        assert!(codes.is_sorted_by(|a, b| a < b));
        assert!(codes.iter().all(|code| code.row().code == *code));
        assert!(codes.iter().all(|code| Code::from_name(code.name()) == Some(*code)));
    }

    #[test]
    fn whatever_can_be_found_is_explained() {
        for row in Code::all() {
            let is_found = row.reach == Reach::Told;
            assert_eq!(!row.explanation.is_empty(), is_found, "{}", row.name);
            assert_eq!(!row.remedy.is_empty(), is_found, "{}", row.name);
            assert!(!row.title.ends_with('.') && row.title.len() < 75, "{}", row.name);
        }
    }

    #[test]
    fn names_tell_their_pass() {
        for row in Code::all() {
            let (pass, _) = row.name["PR_".len()..].split_once('_').expect("PR_pass_what");
            assert_eq!(pass, row.code.pass().name(), "{}", row.name);
        }
    }
}
