//! A file on its way to the person's disk.

use extscope::task::Progress;

use crate::text::{number, size};

/// A file on its way to the person's disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The name it is saved under.
    pub name: String,
    /// Bytes so far.
    pub bytes: u64,
    /// How far it is, where that is known.
    pub progress: Progress,
}

impl Transfer {
    /// How far it is, in words.
    #[must_use]
    pub fn words(&self) -> String {
        let Progress { cur, max } = self.progress;
        match max {
            0 => size::bytes(self.bytes),
            _ => number::percent(cur, max),
        }
    }

    /// The same for a live region.
    #[must_use]
    pub fn announcement(&self) -> String {
        let Progress { cur, max } = self.progress;
        match max {
            0 => format!("Saving {}", self.name),
            _ => format!("Saving {}, {} percent", self.name, number::quarter(cur, max)),
        }
    }
}

/// The largest file that a browser is trusted to gather.
pub const LARGEST: u64 = 16 << 30;

/// The name under which a file can be saved on any system: what is no letter of a name is left
/// out, and dots at its ends.
#[must_use]
pub fn save_name(name: &[u8]) -> String {
    let text = String::from_utf8_lossy(name);
    let shown = extscope::report::escaped(text.as_bytes());
    let kept: String = shown
        .chars()
        .map(|letter| if "\\/:*?\"<>|{}".contains(letter) { '_' } else { letter })
        .collect();
    let kept = kept.trim_matches(['.', ' ']);
    if kept.is_empty() { "file".to_owned() } else { kept.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_it_is_is_told_by_what_is_known() {
        let mut transfer =
            Transfer { name: "a".into(), bytes: 2 << 20, progress: Progress { cur: 1, max: 4 } };
        assert_eq!(transfer.words().replace('\u{202f}', " "), "25.0 %");
        assert_eq!(transfer.announcement(), "Saving a, 25 percent");
        transfer.progress.max = 0;
        assert_eq!(transfer.announcement(), "Saving a");
        assert_eq!(transfer.words().replace('\u{202f}', " "), "2.00 MiB");
    }

    #[test]
    fn any_name_becomes_one_that_can_be_saved() {
        for (name, saved) in [
            ("notes.txt", "notes.txt"),
            ("größe", "größe"),
            ("a:b?\u{1b}", "a_b__u_1b_"),
            (".bashrc", "bashrc"),
            ("..", "file"),
            ("", "file"),
        ] {
            assert_eq!(save_name(name.as_bytes()), saved);
        }
        assert_eq!(save_name(b"\xff.bin"), "\u{fffd}.bin");
    }
}
