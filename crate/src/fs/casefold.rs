//! Names in directories where the case of letters does not matter.
//!
//! Names are the same when they are so decomposed, folded and without what cannot be seen. The
//! kernel's tables are those of Unicode 12.1 and ours are newer, so that two names which differ in
//! the case of a letter that Unicode has only since 2019 are the same here and not there.
//! Ref: `utf8_casefold`, `fs/unicode/utf8-norm.c`.

use std::borrow::Cow;

use caseless::Caseless as _;
use unicode_normalization::UnicodeNormalization as _;

use super::Inode;
use crate::ondisk::InodeFlags;

/// A name that is looked for in a directory.
#[derive(Clone, Debug)]
pub(super) struct WantedName<'a> {
    name: &'a [u8],
    /// Where case does not matter, the name without it.
    folded: Option<Cow<'a, [u8]>>,
}

impl<'a> WantedName<'a> {
    pub(super) fn new(dir: &Inode, name: &'a [u8]) -> Self {
        let flags = dir.flags();
        // What is encrypted is no text.
        let folds = flags.contains(InodeFlags::CASEFOLD) && !flags.contains(InodeFlags::ENCRYPT);
        Self { name, folded: folds.then(|| casefold(name)).flatten() }
    }

    /// Whether an entry's name is it.
    pub(super) fn is(&self, name: &[u8]) -> bool {
        self.name == name
            || self.folded.as_ref().is_some_and(|folded| casefold(name).as_ref() == Some(folded))
    }

    /// The bytes whose hash leads to it.
    pub(super) fn hashed(&self) -> &[u8] {
        self.folded.as_deref().unwrap_or(self.name)
    }
}

/// A name without the case of its letters; `None` for what is no text, of which each byte matters.
fn casefold(name: &[u8]) -> Option<Cow<'_, [u8]>> {
    if name.is_ascii() {
        return Some(Cow::Owned(name.to_ascii_lowercase()));
    }
    let text = core::str::from_utf8(name).ok()?;
    let folded = text.nfd().default_case_fold().nfd().filter(|letter| !is_ignorable(*letter));
    Some(Cow::Owned(folded.collect::<String>().into_bytes()))
}

/// Whether a character cannot be seen and does not count.
/// Ref: `Default_Ignorable_Code_Point` of Unicode 12.1.
fn is_ignorable(letter: char) -> bool {
    matches!(
        u32::from(letter),
        0xad | 0x34f
            | 0x61c
            | 0x115f..=0x1160
            | 0x17b4..=0x17b5
            | 0x180b..=0x180e
            | 0x200b..=0x200f
            | 0x202a..=0x202e
            | 0x2060..=0x206f
            | 0x3164
            | 0xfe00..=0xfe0f
            | 0xfeff
            | 0xffa0
            | 0xfff0..=0xfff8
            | 0x1bca0..=0x1bca3
            | 0x1d173..=0x1d17a
            | 0xe0000..=0xe0fff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) -> bool {
        casefold(a.as_bytes()) == casefold(b.as_bytes())
    }

    #[test]
    fn names_that_differ_in_case_or_composition_are_the_same() {
        for (a, b) in [
            ("README", "readme"),
            ("GRÖSSE", "größe"),
            ("u\u{308}ber", "Über"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"),
            ("soft\u{ad}hyphen", "softhyphen"),
        ] {
            assert!(same(a, b), "{a} {b}");
        }
        assert!(!same("größe", "grosse"));
        assert!(!same("a", "á"));
    }

    #[test]
    fn of_what_is_no_text_each_byte_matters() {
        assert_eq!(casefold(b"A\xff"), None);
    }
}
