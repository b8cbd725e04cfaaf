//! The commands that carry out a shrink, for this image and size.

use crate::text::{number, shell};

/// What is to be made smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The file's name.
    pub name: String,
    /// Bytes of a block.
    pub block_size: u32,
    /// The partition, where the filesystem lies in one.
    pub partition: Option<u32>,
}

/// What it is to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// Blocks that resize2fs is asked for.
    pub blocks: u64,
    /// Blocks that the filesystem has then, where that is known.
    pub final_blocks: Option<u64>,
    /// Whether `-f` is needed.
    pub force: bool,
}

/// A line: a comment or a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// What the next commands are for.
    Comment(String),
    /// A command.
    Command(String),
}

impl Line {
    /// As it is typed.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Comment(comment) => format!("# {comment}"),
            Self::Command(command) => command.clone(),
        }
    }
}

/// The commands: a copy first, then what changes it, then a check.
#[must_use]
pub fn commands(subject: &Subject, aim: Aim) -> Vec<Line> {
    let copy = shell::quoted(&format!("{}.small", subject.name));
    let mut lines = vec![
        Line::Comment("a copy to work on: the image itself stays as it is".to_owned()),
        Line::Command(format!(
            "cp --reflink=auto --sparse=always {} {copy}",
            shell::quoted(&subject.name)
        )),
    ];
    let (device, sudo) = match subject.partition {
        None => (copy.clone(), ""),
        Some(number) => {
            lines.push(Line::Command(format!(
                "loop=$(sudo losetup --find --show --partscan {copy})"
            )));
            (format!("\"${{loop}}p{number}\""), "sudo ")
        }
    };
    let force = if aim.force { "-f " } else { "" };
    let bytes = |blocks: u64| blocks.saturating_mul(subject.block_size.into());
    lines.extend([
        Line::Comment("mend it, and mark it as checked".to_owned()),
        Line::Command(format!("{sudo}e2fsck -fy {device}")),
        Line::Comment(format!(
            "shrink it, in blocks of {} bytes",
            number::count(subject.block_size.into())
        )),
        Line::Command(format!("{sudo}resize2fs {force}{device} {}", aim.blocks)),
    ]);
    match subject.partition {
        None => {
            if let Some(blocks) = aim.final_blocks.filter(|blocks| *blocks < aim.blocks) {
                lines.push(Line::Comment(
                    "the file was cut to what was asked for; cut the rest, in bytes".to_owned(),
                ));
                lines.push(Line::Command(format!("truncate -s {} {copy}", bytes(blocks))));
            }
        }
        Some(number) => {
            let sectors = bytes(aim.blocks).div_ceil(512);
            lines.extend([
                Line::Comment("shrink the partition, in sectors of 512 bytes".to_owned()),
                Line::Command(format!(
                    "echo ,{sectors} | sudo sfdisk --no-reread -N {number} \"$loop\""
                )),
            ]);
        }
    }
    lines.extend([
        Line::Comment("look at what came of it".to_owned()),
        Line::Command(format!("{sudo}e2fsck -fn {device}")),
    ]);
    if subject.partition.is_some() {
        lines.push(Line::Command("sudo losetup --detach \"$loop\"".to_owned()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(partition: Option<u32>, aim: Aim) -> Vec<String> {
        let subject = Subject { name: "my disk.img".into(), block_size: 4096, partition };
        let lines = commands(&subject, aim);
        lines.iter().filter(|line| matches!(line, Line::Command(_))).map(Line::text).collect()
    }

    #[test]
    fn a_file_is_copied_mended_shrunk_and_checked() {
        let aim = Aim { blocks: 5000, final_blocks: Some(5000), force: false };
        let due = [
            "cp --reflink=auto --sparse=always 'my disk.img' 'my disk.img.small'",
            "e2fsck -fy 'my disk.img.small'",
            "resize2fs 'my disk.img.small' 5000",
            "e2fsck -fn 'my disk.img.small'",
        ];
        assert_eq!(typed(None, aim), due);
    }

    #[test]
    fn a_file_longer_than_the_filesystem_is_cut() {
        let aim = Aim { blocks: 5000, final_blocks: Some(4096), force: true };
        let typed = typed(None, aim);
        assert_eq!(typed[2], "resize2fs -f 'my disk.img.small' 5000");
        assert_eq!(typed[3], "truncate -s 16777216 'my disk.img.small'");
    }

    #[test]
    fn a_partition_shrinks_after_its_filesystem() {
        let aim = Aim { blocks: 5000, final_blocks: Some(5000), force: false };
        let typed = typed(Some(2), aim);
        assert_eq!(typed[3], "sudo resize2fs \"${loop}p2\" 5000");
        assert_eq!(typed[4], "echo ,40000 | sudo sfdisk --no-reread -N 2 \"$loop\"");
    }
}
