//! Every shape that a file can have, put into an image: fragmented, sparse, unwritten, deep trees,
//! links, devices, attributes, names by the hundred.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use crate::fill::Fill;
use crate::recipe::Recipe;
use crate::tool;

const MIB: u64 = 1024;

const fn image(name: &'static str, kib: u64, mke2fs: &'static str) -> Recipe {
    Recipe { name, kib, mke2fs, fill: &[Fill::Shapes] }
}

const fn hashed(name: &'static str, fill: &'static [Fill]) -> Recipe {
    Recipe { name, kib: 48 * MIB, mke2fs: "-t ext4 -b 1024 -N 1024", fill }
}

/// Every way of keeping files that changes where their blocks, names or attributes lie.
pub const SHAPES: &[Recipe] = &[
    image("shapes_ext2_1k", 40 * MIB, "-t ext2 -b 1024 -N 1024"),
    image("shapes_ext2_4k", 48 * MIB, "-t ext2 -b 4096 -I 128 -N 1024"),
    image("shapes_ext3_2k", 64 * MIB, "-t ext3 -b 2048 -N 1024 -J size=4"),
    image("shapes_no_filetype", 40 * MIB, "-t ext2 -b 1024 -O ^filetype -N 1024"),
    image("shapes_ext4_1k", 48 * MIB, "-t ext4 -b 1024 -N 1024"),
    image("shapes_ext4_4k", 64 * MIB, "-t ext4 -b 4096 -N 1024"),
    image("shapes_ext4_64k", 192 * MIB, "-t ext4 -b 65536 -N 1024"),
    image("shapes_inode_128", 48 * MIB, "-t ext4 -b 1024 -I 128 -N 1024"),
    image("shapes_inode_1024", 48 * MIB, "-t ext4 -b 1024 -I 1024 -N 1024"),
    image("shapes_inline", 48 * MIB, "-t ext4 -b 1024 -O inline_data -N 1024"),
    image("shapes_ea_inode", 48 * MIB, "-t ext4 -b 1024 -O ea_inode,large_dir -N 1024"),
    image("shapes_bigalloc", 96 * MIB, "-t ext4 -b 1024 -C 8192 -O bigalloc -N 1024"),
    image("shapes_casefold", 48 * MIB, "-t ext4 -b 1024 -O casefold -N 1024"),
    hashed("shapes_legacy", &[Fill::Debugfs("ssv def_hash_version legacy\n"), Fill::Shapes]),
    hashed("shapes_tea", &[Fill::Debugfs("ssv def_hash_version tea\n"), Fill::Shapes]),
];

/// Blocks of 1 KiB that the fragmented file has before every other one is taken out.
const FRAGMENTS: u64 = 1600;

/// Bytes that tell every block from every other.
fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    let mut bytes: Vec<u8> = std::iter::repeat_with(next).take(len / 8 + 1).flatten().collect();
    bytes.truncate(len);
    bytes
}

/// Puts the shapes into an image; helpers go into `folder`.
pub(crate) fn apply(image: &Path, folder: &Path) {
    let host = |name: &str, bytes: &[u8]| {
        let file = folder.join(name);
        fs::write(&file, bytes).expect("the scratch folder can be written");
        file.display().to_string()
    };
    let fragmented = host("fragmented", &bytes(1, FRAGMENTS as usize * 1024));
    let filler = host("filler", &bytes(2, 500 * 1024 + 77));
    let short = host("short", b"a few bytes\n");
    let medium = host("medium", &bytes(3, 131));
    let value = host("value", &bytes(4, 700).iter().map(|b| b'a' + b % 26).collect::<Vec<_>>());
    let sparse = sparse(folder);

    let mut script = String::new();
    let mut ask = |request: String| _ = writeln!(script, "{request}");
    for dir in ["d", "d/e", "d/e/f", "many"] {
        ask(format!("mkdir {dir}"));
    }
    ask(format!("write {fragmented} fragmented"));
    let per_block = tool::block_size(image) / 1024;
    for block in (1..FRAGMENTS / per_block - 1).step_by(2) {
        ask(format!("punch fragmented {block} {block}"));
    }
    ask(format!("write {filler} d/filler"));
    ask(format!("write {sparse} d/e/sparse"));
    ask(format!("write {short} d/e/f/short"));
    ask(format!("write {medium} d/e/f/medium"));
    ask(format!("write {value} reserved"));
    ask("fallocate reserved 3 60".to_owned());
    for (name, len) in [("s1", 1), ("s59", 59), ("s60", 60), ("s61", 61), ("s300", 300)] {
        ask(format!("symlink {name} {}", "t".repeat(len)));
    }
    ask("mknod pipe p".to_owned());
    ask("mknod disk b 8 17".to_owned());
    ask("mknod null c 1 3".to_owned());
    ask("ea_set reserved user.short yes".to_owned());
    ask(format!("ea_set -f {value} reserved user.long"));
    ask("ea_set d trusted.of.dir 1".to_owned());
    for (field, value) in [
        ("uid", "100000"),
        ("gid", "200000"),
        ("mtime", "0x80000000"),
        ("generation", "77"),
        ("flags", "0x80"),
    ] {
        ask(format!("sif d/e/f/short {field} {value}"));
    }
    for name in ["d/link", "d/e/f/link"] {
        ask(format!("ln d/filler {name}"));
    }
    ask("cd many".to_owned());
    for number in 0..400 {
        ask(format!("mknod {number:04}{} p", "n".repeat(number % 97)));
    }
    ask("cd /".to_owned());
    ask("rm d/e/f/medium".to_owned());
    tool::debugfs(image, &script);
    index(image);
}

/// A file with data in front, in the middle and past 68 MiB, where a file of blocks of 1 KiB needs
/// triple indirect ones.
fn sparse(folder: &Path) -> String {
    let path = folder.join("sparse");
    let file = File::create(&path).expect("the scratch folder can be written");
    for (at, seed) in [(0, 5), (300 << 10, 6), (5 << 20, 7), (69 << 20, 8)] {
        file.write_all_at(&bytes(seed, 3000), at).expect("the scratch folder can be written");
    }
    path.display().to_string()
}

/// Makes the counts true and the long directory a hashed one.
fn index(image: &Path) {
    let mut command = tool::command("e2fsck");
    let output = command.arg("-fyD").arg(image).output().expect("e2fsck can be run");
    let status = output.status.code();
    assert!(
        matches!(status, Some(0 | 1)),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stdout)
    );
}
