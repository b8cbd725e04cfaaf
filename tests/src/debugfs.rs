//! What `debugfs` prints of inodes and directories, as data.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::tool;

/// Asks `debugfs` several things at once, and gives the answer to each, line by line.
///
/// # Panics
/// When it cannot be run, or gives fewer answers than it was asked for.
#[must_use]
pub fn ask(image: &Path, requests: &[String]) -> Vec<Vec<String>> {
    let mut script = String::new();
    for request in requests {
        let _ = writeln!(script, "{request}");
    }
    let file = image.with_extension("requests");
    fs::write(&file, script).expect("a script can be written beside the image");
    let mut command = tool::command("debugfs");
    command.arg("-f").arg(&file).arg(image);
    let output = command.output().expect("debugfs can be run");
    fs::remove_file(&file).expect("the script can be removed");
    let mut answers: Vec<Vec<String>> = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match line.strip_prefix("debugfs: ") {
            Some(_) => answers.push(Vec::new()),
            None => answers.last_mut().expect("an answer follows a request").push(line.to_owned()),
        }
    }
    assert_eq!(answers.len(), requests.len(), "answers of {command:?}");
    answers
}

/// What `stat` prints of an inode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// `regular`, `directory` …
    pub kind: String,
    /// Permission bits.
    pub mode: u16,
    /// Flags.
    pub flags: u32,
    /// Generation.
    pub generation: u32,
    /// User, group.
    pub owner: (u32, u32),
    /// Bytes.
    pub size: u64,
    /// Block of attributes.
    pub file_acl: u64,
    /// Names.
    pub links: u16,
    /// `i_blocks`.
    pub blocks: u64,
    /// Change, access, modification, creation: seconds and, where the inode has it, what extends
    /// them, as hexadecimal.
    pub times: [Option<(u32, u32)>; 4],
    /// Target of a link that is inside its inode.
    pub target: Option<String>,
    /// Names of attributes and bytes of their values, sorted.
    pub xattrs: Vec<(String, u64)>,
    /// Checksum.
    pub checksum: Option<u32>,
    /// The list of blocks: `(0-3):17-20`, `(ETB0):9`, `(IND):5`.
    pub blocks_list: Vec<String>,
}

impl Stat {
    /// Reads the answer to `stat`.
    ///
    /// # Panics
    /// On what is no such answer.
    #[must_use]
    pub fn parse(lines: &[String]) -> Self {
        let mut stat = Self::default();
        let mut section = "";
        for line in lines {
            let field = |label: &str| field(line, label);
            match line.trim_end() {
                "EXTENTS:" | "BLOCKS:" => section = "blocks",
                "Extended attributes:" => section = "xattrs",
                "" => {}
                line if section == "blocks" => {
                    if !line.starts_with("TOTAL:") {
                        stat.blocks_list.extend(line.split(", ").map(str::to_owned));
                    }
                }
                line if section == "xattrs" && line.starts_with("  ") => {
                    stat.xattrs.push(xattr(line));
                }
                line if line.starts_with("Inode: ") => {
                    let kind = line.split("Type: ").nth(1).and_then(|t| t.split("    ").next());
                    stat.kind = kind.expect("a type").to_owned();
                    stat.mode = u16::from_str_radix(&field("Mode:").expect("a mode"), 8)
                        .expect("an octal number");
                    stat.flags = hex(&field("Flags:").expect("flags"));
                }
                line if line.starts_with("Generation: ") => {
                    stat.generation = number(field("Generation:"));
                }
                line if line.starts_with("User: ") => {
                    stat.owner = (number(field("User:")), number(field("Group:")));
                    stat.size = number(field("Size:"));
                }
                line if line.starts_with("File ACL: ") => {
                    stat.file_acl = number(field("File ACL:"));
                }
                line if line.starts_with("Links: ") => {
                    stat.links = number(field("Links:"));
                    stat.blocks = number(field("Blockcount:"));
                }
                line if line.starts_with("Inode checksum: ") => {
                    stat.checksum = field("Inode checksum:").map(|sum| hex(&sum));
                }
                line if line.starts_with("Fast link dest: ") => {
                    let target = line.trim_start_matches("Fast link dest: ");
                    stat.target = Some(target.trim_matches('"').to_owned());
                }
                _ => {
                    for (label, time) in
                        ["ctime:", "atime:", "mtime:", "crtime:"].iter().zip(&mut stat.times)
                    {
                        if line.trim_start().starts_with(label) {
                            *time = field(label).map(|time| two_hex(&time));
                        }
                    }
                }
            }
        }
        stat.xattrs.sort();
        stat
    }
}

/// The word behind a label.
fn field(line: &str, label: &str) -> Option<String> {
    let rest = line.split_once(label)?.1;
    rest.split_whitespace().next().map(str::to_owned)
}

fn number<T: std::str::FromStr>(word: Option<String>) -> T {
    word.and_then(|word| word.parse().ok()).expect("a number")
}

fn hex(word: &str) -> u32 {
    u32::from_str_radix(word.trim_start_matches("0x"), 16).expect("a hexadecimal number")
}

/// `0x12:34` or `0x12`.
fn two_hex(word: &str) -> (u32, u32) {
    let (first, second) = word.split_once(':').unwrap_or((word, "0"));
    (hex(first), hex(second))
}

/// `  user.name (5) = "hello"`.
fn xattr(line: &str) -> (String, u64) {
    let (name, rest) = line.trim_start().split_once(" (").expect("a name and a size");
    (name.to_owned(), rest.split(')').next().and_then(|size| size.parse().ok()).expect("a size"))
}
