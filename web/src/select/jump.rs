//! Where what a person typed can lead.

use extscope::units::{Fsblk, Group, Ino};

use crate::protocol::FoundNames;
use crate::state::{FilePath, Image};
use crate::text::number;

/// A place that can be gone to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jump {
    /// A block's bytes.
    Block(Fsblk),
    /// A file, by its inode.
    Inode(Ino),
    /// A group on the map.
    Group(Group),
    /// A file, by its path.
    Path(FilePath),
    /// A byte of the image.
    Byte(u64),
    /// Nowhere yet: the names that have this in them are to be found first.
    Find(String),
}

impl Jump {
    /// What it is called, and what there is to say of it.
    #[must_use]
    pub fn words(&self, image: &Image) -> (String, String) {
        match self {
            Self::Block(fsblk) => {
                let group = image.geometry.group_from_fsblk(*fsblk);
                let group =
                    group.map(|group| format!(", group {}", number::count(group.get().into())));
                let byte = image.geometry.byte_from_fsblk(*fsblk).map_or(0, |at| at.get());
                let place = format!("byte {}{}", number::hex(byte, 1), group.unwrap_or_default());
                (format!("Block {}", number::count(fsblk.get())), place)
            }
            Self::Inode(ino) => {
                (format!("Inode {}", number::count(ino.get().into())), "in Files".to_owned())
            }
            Self::Group(group) => {
                (format!("Group {}", number::count(group.get().into())), "on the map".to_owned())
            }
            Self::Path(path) => (path.shown(), "in Files".to_owned()),
            Self::Byte(byte) => {
                let block = byte / u64::from(image.geometry.block_size());
                (
                    format!("Byte {}", number::hex(byte, 1)),
                    format!("block {}", number::count(block)),
                )
            }
            Self::Find(text) => (
                format!("Names with \u{201c}{text}\u{201d}"),
                "reads every directory once".to_owned(),
            ),
        }
    }
}

/// Where the text can lead, the likeliest first: a path after a slash, what a word ahead of a
/// number says, anything of that number without one; `0x…` and `@…` are bytes of the image.
#[must_use]
pub fn jumps(text: &str, image: &Image) -> Vec<Jump> {
    let text = text.trim();
    if text.starts_with('/') {
        return vec![Jump::Path(FilePath::new(text.as_bytes()))];
    }
    numbered(text, image).unwrap_or_default()
}

/// The places of a number, with or without a word ahead of it; `None` for what is no such text.
fn numbered(text: &str, image: &Image) -> Option<Vec<Jump>> {
    let geometry = &image.geometry;
    let block = |n: u64| (n < geometry.blocks_count()).then(|| Jump::Block(Fsblk::new(n)));
    let inode = |n: u64| {
        let ino = u32::try_from(n).ok().filter(|ino| (1..=geometry.inodes_count()).contains(ino));
        ino.map(|ino| Jump::Inode(Ino::new(ino)))
    };
    let group = |n: u64| {
        let group = u32::try_from(n).ok().filter(|_| n < geometry.groups_count());
        group.map(|group| Jump::Group(Group::new(group)))
    };
    let byte = |n: u64| block(n / u64::from(geometry.block_size())).map(|_| Jump::Byte(n));
    let (word, rest) = match text.find(|c: char| c.is_ascii_digit()) {
        Some(at) => text.split_at(at),
        None => ("", text),
    };
    let n = number::parse(rest)?;
    let is_hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let all = match word.trim_end_matches([' ', ':']).to_ascii_lowercase().as_str() {
        "b" | "block" => vec![block(n)],
        "i" | "inode" => vec![inode(n)],
        "g" | "group" => vec![group(n)],
        "@" | "byte" | "offset" => vec![byte(n)],
        "" if is_hexadecimal => vec![byte(n), block(n)],
        "" => vec![block(n), inode(n), group(n)],
        _ => return None,
    };
    Some(all.into_iter().flatten().collect())
}

/// What is typed as a part of a name: not what is the number of something.
#[must_use]
pub fn name_part<'a>(text: &'a str, image: &Image) -> Option<&'a str> {
    let text = text.trim();
    (text.chars().count() >= 2 && numbered(text, image).is_none()).then_some(text)
}

/// Where the text can lead: places, then files by their names, or the search for those while no
/// names are read.
#[must_use]
pub fn all_jumps(
    text: &str,
    image: &Image,
    found: Option<&FoundNames>,
    has_names: bool,
) -> Vec<Jump> {
    let mut all = jumps(text, image);
    match name_part(text, image) {
        Some(part) if !has_names => all.push(Jump::Find(part.to_owned())),
        _ => {}
    }
    let files = found.into_iter().flat_map(|found| &found.files);
    let files = files.map(|file| Jump::Path(FilePath::new(&file.path)));
    all.extend(files.filter(|file| jumps(text, image).first() != Some(file)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::testing;

    fn found(text: &str) -> Vec<String> {
        let known = testing::alike(3, 1);
        jumps(text, known.image()).iter().map(|jump| jump.words(known.image()).0).collect()
    }

    #[test]
    fn words_numbers_and_paths_lead_where_they_say() {
        assert_eq!(found("/etc/passwd"), ["/etc/passwd"]);
        assert_eq!(found("inode 12"), ["Inode 12"]);
        assert_eq!(found("block 16,385"), ["Block 16,385"]);
        assert_eq!(found("g:2"), ["Group 2"]);
        assert_eq!(found("0x400"), ["Byte 0x400", "Block 1,024"]);
        assert_eq!(found("@2048"), ["Byte 0x800"]);
        assert_eq!(found("2"), ["Block 2", "Inode 2", "Group 2"]);
    }

    #[test]
    fn a_part_of_a_name_leads_to_a_search_and_then_to_files() {
        let known = testing::alike(3, 1);
        let all = |text, found, has_names| all_jumps(text, known.image(), found, has_names);
        assert_eq!(all("passwd", None, false), [Jump::Find("passwd".into())]);
        for text in ["p", "12", "block 5", "g:1", "group 999", "99999999"] {
            assert!(!all(text, None, false).contains(&Jump::Find(text.into())), "{text}");
        }
        let file = crate::protocol::FoundName { path: b"/etc/passwd".to_vec(), ino: Ino::new(12) };
        let found = FoundNames { files: vec![file], count: 1 };
        let path = Jump::Path(FilePath::new(b"/etc/passwd"));
        for text in ["passwd", "/etc/passwd"] {
            assert_eq!(all(text, Some(&found), true), core::slice::from_ref(&path), "{text}");
        }
    }

    #[test]
    fn what_is_not_there_leads_nowhere() {
        for text in ["", "group 3", "inode 0", "inode 49", "block 99999999", "etc", "x 12"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
