//! Where what a person typed can lead.

use extscope::units::{Fsblk, Group, Ino};

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
    let byte = |n: u64| block(n / u64::from(geometry.block_size()));
    let (word, rest) = match text.find(|c: char| c.is_ascii_digit()) {
        Some(at) => text.split_at(at),
        None => ("", text),
    };
    let Some(n) = number::parse(rest) else { return Vec::new() };
    let is_hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let all = match word.trim_end_matches([' ', ':']).to_ascii_lowercase().as_str() {
        "b" | "block" => vec![block(n)],
        "i" | "inode" => vec![inode(n)],
        "g" | "group" => vec![group(n)],
        "@" | "byte" | "offset" => vec![byte(n)],
        "" if is_hexadecimal => vec![byte(n), block(n)],
        "" => vec![block(n), inode(n), group(n)],
        _ => Vec::new(),
    };
    all.into_iter().flatten().collect()
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
        assert_eq!(found("0x400"), ["Block 1", "Block 1,024"]);
        assert_eq!(found("@2048"), ["Block 2"]);
        assert_eq!(found("2"), ["Block 2", "Inode 2", "Group 2"]);
    }

    #[test]
    fn what_is_not_there_leads_nowhere() {
        for text in ["", "group 3", "inode 0", "inode 49", "block 99999999", "etc", "x 12"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
