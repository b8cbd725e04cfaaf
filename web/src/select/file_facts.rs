//! What there is to say of a file, and what its first bytes look like.

use crate::protocol::{CsumState, FileDetail, InodeReport, TimeReport};
use crate::text::{number, size};

/// A line about an inode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InodeFact {
    /// The kernel's name.
    pub name: &'static str,
    /// In plain words.
    pub label: &'static str,
    /// The value.
    pub value: String,
}

/// Everything that an inode says, field by field.
#[must_use]
pub fn inode_facts(inode: &InodeReport) -> Vec<InodeFact> {
    let mut facts = Vec::new();
    let mut add = |name, label, value: String| facts.push(InodeFact { name, label, value });
    add("i_mode", "Type and permissions", format!("{} 0{:o}", inode.permissions, inode.i_mode));
    // These are names and no amounts.
    add("i_uid", "Owner", inode.uid.to_string());
    add("i_gid", "Group", inode.gid.to_string());
    if let Some(projid) = inode.projid {
        add("i_projid", "Project", projid.to_string());
    }
    add("i_size", "Size", size::exact(inode.size));
    add("i_links_count", "Names", number::count(inode.i_links_count.into()));
    let is_huge = inode.flags.iter().any(|flag| flag == "HUGE_FILE");
    let unit = if is_huge { "blocks" } else { "sectors" };
    add("i_blocks", "Space", format!("{} {unit}", number::count(inode.i_blocks)));
    let flags = number::hex(inode.i_flags, 8);
    add("i_flags", "Flags", [vec![flags], inode.flags.clone()].concat().join(" "));
    add("i_atime", "Last access", moment(inode.atime));
    add("i_ctime", "Inode changed", moment(inode.ctime));
    add("i_mtime", "Contents changed", moment(inode.mtime));
    if let Some(crtime) = inode.crtime {
        add("i_crtime", "Made", moment(crtime));
    }
    if inode.i_dtime != 0 {
        let time = TimeReport { seconds: inode.i_dtime.into(), nanoseconds: 0 };
        add("i_dtime", "Deleted, or next orphan", format!("{} ({})", moment(time), inode.i_dtime));
    }
    add("i_generation", "Generation", number::hex(inode.i_generation, 8));
    add("i_version", "Version", number::count(inode.i_version));
    if inode.i_file_acl != 0 {
        add("i_file_acl", "Attribute block", number::count(inode.i_file_acl));
    }
    if let Some((major, minor)) = inode.device {
        add("i_block", "Device", format!("{major}:{minor}"));
    }
    if let Some(target) = &inode.symlink_target {
        add("i_block", "Leads to", target.clone());
    }
    if inode.i_extra_isize != 0 {
        add("i_extra_isize", "Bytes of further fields", number::count(inode.i_extra_isize.into()));
    }
    add("i_checksum", "Checksum", csum(inode));
    facts
}

fn csum(inode: &InodeReport) -> String {
    let stored = number::hex(inode.csum_stored, 8);
    match (inode.csum, inode.csum_expected) {
        (CsumState::None, _) => "none stored".to_owned(),
        (CsumState::Good, _) => format!("{stored}, right"),
        (CsumState::Bad, Some(expected)) => {
            format!("{stored}, wrong: its bytes give {}", number::hex(expected, 8))
        }
        (CsumState::Bad, None) => format!("{stored}, wrong"),
    }
}

fn moment(time: TimeReport) -> String {
    match time.nanoseconds {
        0 => time.text(),
        n => format!("{} + {} ns", time.text(), number::count(n.into())),
    }
}

/// How a file lies, in a few words.
#[must_use]
pub fn how_it_lies(detail: &FileDetail) -> String {
    let frag = &detail.frag;
    let extents = number::count_of(frag.extents, "extent", "extents");
    if detail.inode.flags.iter().any(|flag| flag == "INLINE_DATA") {
        return "inside its inode".to_owned();
    }
    match frag.extents {
        0 => "no blocks".to_owned(),
        1 => extents,
        _ => format!("{extents}, {} the time to read", number::times(frag.slowdown)),
    }
}

/// What bytes can be shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// A picture of this media type.
    Picture(&'static str),
    /// Words.
    Text,
    /// Neither.
    Bytes,
}

/// What a file that starts with these bytes can be shown as.
#[must_use]
pub fn looks(head: &[u8]) -> Looks {
    const PICTURES: [(&[u8], &str); 6] = [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"BM", "image/bmp"),
        (b"\0\0\x01\0", "image/x-icon"),
    ];
    if let Some((_, kind)) = PICTURES.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Looks::Picture(kind);
    }
    if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        return Looks::Picture("image/webp");
    }
    if head.get(4..12) == Some(b"ftypavif") {
        return Looks::Picture("image/avif");
    }
    let is_odd = |byte: &&u8| **byte < 0x20 && !b"\t\n\r\x0c\x1b".contains(byte);
    let odd = head.iter().filter(is_odd).count();
    if head.contains(&0) || odd * 20 > head.len() { Looks::Bytes } else { Looks::Text }
}

/// Bytes as text: lines and tabs as they are, everything else that cannot be seen escaped.
#[must_use]
pub fn as_text(bytes: &[u8]) -> String {
    let line = |line: &[u8]| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let cells = line.split(|byte| *byte == b'\t').map(extscope::report::escaped);
        cells.collect::<Vec<_>>().join("\t")
    };
    bytes.split(|byte| *byte == b'\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_told_by_their_first_bytes() {
        assert_eq!(looks(b"\x89PNG\r\n\x1a\nrest"), Looks::Picture("image/png"));
        assert_eq!(looks(b"RIFF\0\0\0\0WEBPVP8 "), Looks::Picture("image/webp"));
        assert_eq!(looks("größe\n".as_bytes()), Looks::Text);
        assert_eq!(looks(b""), Looks::Text);
        assert_eq!(looks(b"\x7fELF\x02\x01\x01\0"), Looks::Bytes);
    }

    #[test]
    fn the_first_second_of_1970_is_a_time_like_any_other() {
        let moment = |nanoseconds| moment(TimeReport { seconds: 0, nanoseconds });
        assert!(moment(0).starts_with("1970-01-01 00:00"), "{}", moment(0));
        assert!(moment(5).ends_with(" + 5 ns"), "{}", moment(5));
    }

    #[test]
    fn text_keeps_its_lines_and_hides_nothing() {
        assert_eq!(as_text(b"a\tb\r\nc\x1b[31m\n\xff"), "a\tb\nc\\u{1b}[31m\n\\xff");
    }
}
