//! What the header says of the image.

use super::map_legend::missing_bytes;
use super::partitions::part_name;
use crate::protocol::{FieldValue, InfoReport};
use crate::state::DiskPart;
use crate::text::{number, size};

/// How much something matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Neither good nor bad.
    #[default]
    Neutral,
    /// As it should be.
    Ok,
    /// Worth a look.
    Warn,
    /// Wrong.
    Err,
}

/// The image in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The label, or else the file's name.
    pub title: String,
    /// The file's name where the title is the label.
    pub file: Option<String>,
    /// The part of the file that is open, if not the whole.
    pub part: Option<Part>,
    /// Type, size, size of blocks.
    pub facts: Vec<String>,
    /// The state of the filesystem.
    pub state: Verdict,
    /// Where there is another view of it, whether that is as after its journal is replayed.
    pub other: Option<bool>,
    /// `14 features`.
    pub features: String,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is called.
    pub name: String,
    /// Whether the file has others to choose from.
    pub has_others: bool,
}

/// A word with the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How much it matters.
    pub tone: Tone,
    /// The word.
    pub word: &'static str,
    /// The reason, a sentence.
    pub why: &'static str,
}

/// The heading of an image read from the file `name`, or from a part of it, as it lies there or as
/// after its journal is replayed.
#[must_use]
pub fn heading(
    name: &str,
    part: Option<DiskPart>,
    info: &InfoReport,
    is_replayed: bool,
) -> Heading {
    let label = info.volume_name.trim();
    let (title, file) =
        if label.is_empty() { (name, None) } else { (label, Some(name.to_owned())) };
    let block_size = info.geometry.block_size.into();
    Heading {
        title: title.to_owned(),
        file,
        part: part.map(|part| Part { name: part_name(part), has_others: part.number.is_some() }),
        facts: vec![
            info.filesystem_type.clone(),
            size::whole(info.filesystem_bytes),
            format!("{} blocks", size::round(block_size)),
        ],
        state: shown(state(info), is_replayed),
        other: (is_replayed || needs_recovery(info)).then_some(!is_replayed),
        features: number::count_of(info.features.len() as u64, "feature", "features"),
    }
}

/// The worst comes first: what replay does not mend outweighs that it was done.
fn shown(state: Verdict, is_replayed: bool) -> Verdict {
    if is_replayed && state.tone != Tone::Err { REPLAYED } else { state }
}

const REPLAYED: Verdict = Verdict {
    tone: Tone::Warn,
    word: "as replayed",
    why: "Shown as after its journal is replayed, which is worked out in memory.",
};

fn needs_recovery(info: &InfoReport) -> bool {
    info.features.iter().any(|known| known.name == "needs_recovery")
}

/// Bits of `s_state`.
const VALID_FS: u64 = 1;
const ERROR_FS: u64 = 2;

fn state(info: &InfoReport) -> Verdict {
    let raw = |name: &str| match &info.superblock.iter().find(|field| field.name == name)?.value {
        FieldValue::Number(n) => Some(*n),
        FieldValue::Signed(n) => u64::try_from(*n).ok(),
        FieldValue::Text(_) | FieldValue::List(_) => None,
    };
    let verdict = |tone, word, why| Verdict { tone, word, why };
    let state = raw("s_state").unwrap_or(VALID_FS);
    let (checked, mounted) = (raw("s_lastcheck").unwrap_or(0), raw("s_mtime").unwrap_or(0));
    if state & ERROR_FS != 0 {
        verdict(Tone::Err, "has errors", "The kernel noted an error in this filesystem.")
    } else if missing_bytes(info) > 0 {
        verdict(Tone::Err, "cut short", "The image ends before the filesystem does.")
    } else if needs_recovery(info) {
        verdict(
            Tone::Warn,
            "needs recovery",
            "Its journal holds changes that were not written yet.",
        )
    } else if state & VALID_FS == 0 {
        verdict(Tone::Warn, "not clean", "It is mounted, or was not unmounted properly.")
    } else if checked != 0 && checked < mounted {
        let why = "Unmounted properly, but mounted since it was last checked.";
        verdict(Tone::Neutral, "clean", why)
    } else {
        verdict(Tone::Ok, "clean", "Unmounted properly.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{FeatureClass, FeatureReport, Field, Section, testing};

    fn info(fields: &[(&str, u64)], features: &[&str]) -> InfoReport {
        let field = |&(name, value): &(&str, u64)| Field {
            section: Section::History,
            name: name.into(),
            label: String::new(),
            explanation: String::new(),
            value: FieldValue::Number(value),
            text: String::new(),
            raw: String::new(),
        };
        let feature = |&name: &&str| FeatureReport {
            name: name.into(),
            class: FeatureClass::Incompat,
            bit: 2,
            meaning: String::new(),
            since: None,
        };
        let mut info = testing::opened(1).info;
        info.volume_name.clear();
        info.filesystem_bytes = 31_901_876_224;
        info.image_bytes = info.filesystem_bytes;
        info.geometry.block_size = 4096;
        info.superblock = fields.iter().map(field).collect();
        info.features = features.iter().map(feature).collect();
        info
    }

    #[test]
    fn an_image_without_a_label_is_called_by_its_file() {
        let mut info = info(&[], &["extent"]);
        let heading = heading("disk.img", None, &info, false);
        assert_eq!((heading.title.as_str(), heading.file), ("disk.img", None));
        assert_eq!(heading.part, None);
        assert_eq!(heading.facts, ["ext2", "29.71\u{202f}GiB", "4\u{202f}KiB blocks"]);
        assert_eq!(heading.features, "1 feature");
        info.volume_name = "rootfs".into();
        let part = DiskPart { number: Some(2), offset: 4096, len: 4096, seat: None };
        let heading = super::heading("disk.img", Some(part), &info, false);
        assert_eq!(heading.part.expect("it is one of several").name, "partition 2");
        assert_eq!((heading.title.as_str(), heading.file.as_deref()), ("rootfs", Some("disk.img")));
    }

    #[test]
    fn a_journal_that_waits_offers_the_other_view() {
        let heading = |features: &[&str], is_replayed| {
            let heading = super::heading("a.img", None, &info(&[], features), is_replayed);
            (heading.state.word, heading.other)
        };
        assert_eq!(heading(&["needs_recovery"], false), ("needs recovery", Some(true)));
        assert_eq!(heading(&[], true), ("as replayed", Some(false)));
        assert_eq!(heading(&[], false), ("clean", None));
    }

    #[test]
    fn the_state_says_the_worst_first() {
        let word = |fields: &[(&str, u64)], features: &[&str]| {
            let state = state(&info(fields, features));
            (state.tone, state.word)
        };
        assert_eq!(word(&[("s_state", 3)], &["needs_recovery"]), (Tone::Err, "has errors"));
        assert_eq!(word(&[("s_state", 1)], &["needs_recovery"]).1, "needs recovery");
        assert_eq!(word(&[("s_state", 0)], &[]), (Tone::Warn, "not clean"));
        assert_eq!(word(&[("s_state", 1)], &[]), (Tone::Ok, "clean"));
        let times = [("s_state", 1), ("s_lastcheck", 16), ("s_mtime", 32)];
        assert_eq!(word(&times, &[]), (Tone::Neutral, "clean"));
        let mut short = info(&[("s_state", 1)], &[]);
        short.image_bytes -= 4096;
        assert_eq!((state(&short).tone, state(&short).word), (Tone::Err, "cut short"));
    }
}
