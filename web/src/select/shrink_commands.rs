//! The commands that carry out a shrink, for this image and size.

use crate::state::DiskPart;
use crate::text::{number, shell};

/// What is to be made smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The file's name.
    pub name: String,
    /// Bytes of a block.
    pub block_size: u32,
    /// The part of the file that the filesystem lies in, if not the whole.
    pub part: Option<DiskPart>,
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
    /// Whether a qcow2 image is to come of it.
    pub is_qcow2: bool,
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

/// Sectors behind the last partition of a GPT disk that `sfdisk --relocate gpt-bak-mini` leaves: a
/// free one, 32 with the entries, and the header.
const GPT_TAIL: u64 = 34;

/// The commands: a copy first, then what changes it, then a check. They end with the first that
/// fails, so that nothing is cut off a filesystem that was not shrunk.
#[must_use]
pub fn commands(subject: &Subject, aim: Aim) -> Vec<Line> {
    let small = format!("{}.small", subject.name);
    let copy = shell::quoted(&small);
    let mut script = Script::default();
    script.command("( set -e".to_owned());
    script.comment("a copy to work on: the image itself stays as it is");
    let name = shell::quoted(&subject.name);
    script.command(format!("[ ! -e {copy} ] || {{ echo {copy} is there already >&2; exit 1; }}"));
    script.command(format!("cp --reflink=auto --sparse=always {name} {copy}"));
    let (device, sudo) = match subject.part {
        None => (copy.clone(), ""),
        Some(DiskPart { offset, len, .. }) => {
            let limit = if len == u64::MAX { String::new() } else { format!(" --sizelimit {len}") };
            script.comment("the partition as a device, in bytes");
            script.command(format!(
                "loop=$(sudo losetup --find --show --offset {offset}{limit} {copy})"
            ));
            script.command("trap 'sudo losetup --detach \"$loop\"' EXIT".to_owned());
            ("\"$loop\"".to_owned(), "sudo ")
        }
    };
    let force = if aim.force { "-f " } else { "" };
    script.comment("mend it, and mark it as checked; 1 says that something was mended");
    script.command(format!("{sudo}e2fsck -fy {device} || [ $? -eq 1 ]"));
    let block_size = number::count(subject.block_size.into());
    script.comment(&format!("shrink it, in blocks of {block_size} bytes"));
    script.command(format!("{sudo}resize2fs {force}{device} {}", aim.blocks));
    let bytes = |blocks: u64| blocks.saturating_mul(subject.block_size.into());
    match (subject.part, aim.final_blocks) {
        (None, Some(blocks)) if blocks < aim.blocks => {
            script.comment("the file was cut to what was asked for; cut the rest, in bytes");
            script.command(format!("truncate -s {} {copy}", bytes(blocks)));
        }
        _ => {}
    }
    script.comment("look at what came of it");
    script.command(format!("{sudo}e2fsck -fn {device}"));
    if let Some(part) = subject.part {
        script.command("trap - EXIT; sudo losetup --detach \"$loop\"".to_owned());
        cut_partition(&mut script, part, bytes(aim.blocks), &copy);
    }
    if aim.is_qcow2 {
        let qcow2 = shell::quoted(&format!("{small}.qcow2"));
        script.comment("a qcow2 image of it, and a check of that");
        script.command(format!("qemu-img convert -O qcow2 {copy} {qcow2}"));
        script.command(format!("qemu-img check {qcow2}"));
    }
    script.command(")".to_owned());
    script.0
}

/// Shrinks a partition to so many bytes, and the file with it where nothing lies behind.
fn cut_partition(script: &mut Script, part: DiskPart, bytes: u64, copy: &str) {
    let (Some(number), Some(seat)) = (part.number, part.seat) else { return };
    let sector = u64::from(seat.sector_bytes).max(1);
    let sectors = bytes.div_ceil(sector);
    if sector != 512 {
        let (sectors, sector) = (number::count(sectors), number::count(sector));
        return script.comment(&format!(
            "now shrink partition {number} to {sectors} sectors of {sector} bytes"
        ));
    }
    script.comment("shrink the partition, in sectors of 512 bytes");
    script.command(format!("echo ,{sectors} | sfdisk -N {number} {copy}"));
    if !seat.is_last {
        return;
    }
    let (tail, is_otherwise) = if seat.is_gpt {
        script.comment("move the backup of the GPT behind it");
        script.command(format!("sfdisk --relocate gpt-bak-mini {copy}"));
        (GPT_TAIL, "'^table-length:'")
    } else {
        (0, "-E 'type=(5|f|85)$'")
    };
    let end = (part.offset / sector).saturating_add(sectors).saturating_add(tail);
    script.comment(if seat.is_gpt {
        "cut the file, in bytes, where the table has 128 entries, as usual"
    } else {
        "cut the file, in bytes, unless an extended partition may lie behind"
    });
    let end = end.saturating_mul(sector);
    script.command(format!(
        "sfdisk --dump {copy} | grep -q {is_otherwise} || truncate -s {end} {copy}"
    ));
    script.command(format!("sfdisk --verify {copy}"));
}

/// Lines as they come.
#[derive(Debug, Default)]
struct Script(Vec<Line>);

impl Script {
    fn comment(&mut self, text: &str) {
        self.0.push(Line::Comment(text.to_owned()));
    }

    fn command(&mut self, text: String) {
        self.0.push(Line::Command(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Seat;

    fn aim(final_blocks: u64) -> Aim {
        Aim { blocks: 5000, final_blocks: Some(final_blocks), force: false, is_qcow2: false }
    }

    fn typed(part: Option<DiskPart>, aim: Aim) -> Vec<String> {
        let subject = Subject { name: "my disk.img".into(), block_size: 4096, part };
        let lines = commands(&subject, aim);
        let lines = lines.strip_prefix(&[Line::Command("( set -e".to_owned())]).expect("it begins");
        let lines = lines.strip_suffix(&[Line::Command(")".to_owned())]).expect("it ends");
        lines.iter().filter(|line| matches!(line, Line::Command(_))).map(Line::text).collect()
    }

    fn second(seat: Option<Seat>) -> Option<DiskPart> {
        Some(DiskPart { number: Some(2), offset: 1 << 20, len: 64 << 20, seat })
    }

    #[test]
    fn a_file_is_copied_mended_shrunk_and_checked() {
        let due = [
            "[ ! -e 'my disk.img.small' ] || { echo 'my disk.img.small' is there already >&2; exit 1; }",
            "cp --reflink=auto --sparse=always 'my disk.img' 'my disk.img.small'",
            "e2fsck -fy 'my disk.img.small' || [ $? -eq 1 ]",
            "resize2fs 'my disk.img.small' 5000",
            "e2fsck -fn 'my disk.img.small'",
        ];
        assert_eq!(typed(None, aim(5000)), due);
    }

    #[test]
    fn a_file_longer_than_the_filesystem_is_cut() {
        let typed = typed(None, Aim { force: true, ..aim(4096) });
        assert_eq!(typed[3], "resize2fs -f 'my disk.img.small' 5000");
        assert_eq!(typed[4], "truncate -s 16777216 'my disk.img.small'");
    }

    #[test]
    fn a_qcow2_image_is_made_in_the_end() {
        let typed = typed(None, Aim { is_qcow2: true, ..aim(5000) });
        let due = "qemu-img convert -O qcow2 'my disk.img.small' 'my disk.img.small.qcow2'";
        assert_eq!(typed[5..], [due, "qemu-img check 'my disk.img.small.qcow2'"]);
    }

    #[test]
    fn a_partition_shrinks_after_its_filesystem_and_the_file_where_it_is_the_last() {
        let seat = Seat { is_gpt: false, sector_bytes: 512, is_last: true };
        let mbr = typed(second(Some(seat)), aim(5000));
        let due = [
            "loop=$(sudo losetup --find --show --offset 1048576 --sizelimit 67108864 'my disk.img.small')",
            "trap 'sudo losetup --detach \"$loop\"' EXIT",
            "sudo e2fsck -fy \"$loop\" || [ $? -eq 1 ]",
            "sudo resize2fs \"$loop\" 5000",
            "sudo e2fsck -fn \"$loop\"",
            "trap - EXIT; sudo losetup --detach \"$loop\"",
            "echo ,40000 | sfdisk -N 2 'my disk.img.small'",
            "sfdisk --dump 'my disk.img.small' | grep -q -E 'type=(5|f|85)$' || truncate -s 21528576 'my disk.img.small'",
            "sfdisk --verify 'my disk.img.small'",
        ];
        assert_eq!(mbr[2..], due);
        let gpt = typed(second(Some(Seat { is_gpt: true, ..seat })), aim(5000));
        assert_eq!(gpt[9], "sfdisk --relocate gpt-bak-mini 'my disk.img.small'");
        let cut = "sfdisk --dump 'my disk.img.small' | grep -q '^table-length:' || truncate -s 21545984 'my disk.img.small'";
        assert_eq!(gpt[10], cut);
        let middle = typed(second(Some(Seat { is_last: false, ..seat })), aim(5000));
        assert_eq!(middle[8..], due[6..7]);
    }

    #[test]
    fn what_lies_somewhere_in_a_file_has_no_table_to_change() {
        let typed = typed(Some(DiskPart::from_byte(512)), aim(5000));
        assert_eq!(typed[2], "loop=$(sudo losetup --find --show --offset 512 'my disk.img.small')");
        assert_eq!(typed.len(), 8);
        let seat = Seat { is_gpt: true, sector_bytes: 4096, is_last: true };
        let subject = Subject { name: "a".into(), block_size: 4096, part: second(Some(seat)) };
        let last = commands(&subject, aim(5000)).into_iter().rev().nth(1).map(|line| line.text());
        let due = "# now shrink partition 2 to 5,000 sectors of 4,096 bytes";
        assert_eq!(last.as_deref(), Some(due));
    }
}
