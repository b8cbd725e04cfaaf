//! A file on its way to the person's disk.

/// A file on its way to the person's disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The name it is saved under.
    pub name: String,
    /// Bytes so far.
    pub done: u64,
    /// Bytes in all.
    pub size: u64,
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
