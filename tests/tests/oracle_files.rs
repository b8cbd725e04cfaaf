//! Every inode in use against `debugfs`: fields, blocks in order, names, attributes, contents.

use std::fs;
use std::path::Path;

use extscope::fs::{
    CsumState, Filesystem, Inode, MapItem, Mapping, MappingState, NodeKind, OpenOptions,
};
use extscope::io::FileSource;
use extscope::ondisk::{FileType, I_BLOCK_BYTES, InodeFlags, reserved};
use extscope::units::Ino;
use extscope_tests::debugfs::{Stat, ask};
use extscope_tests::dumpe2fs::Dump;
use extscope_tests::matrix::MATRIX;
use extscope_tests::shapes::SHAPES;
use extscope_tests::{recipe, tool};

const TOOLS: [&str; 4] = ["mke2fs", "debugfs", "dumpe2fs", "e2fsck"];

/// Inodes of one image that are compared.
const INODES: usize = 600;

/// Largest file whose contents are compared.
const LARGEST: u64 = 80 << 20;

/// Images that `debugfs` does not open for their features or checksums.
const NOT_OPENED: [&str; 3] = ["features_odd", "features_unknown", "bad_csums"];

fn open(image: &Path) -> Filesystem<FileSource> {
    let source = FileSource::open(image).expect("the image can be read");
    Filesystem::open(source, OpenOptions::default()).expect("the image can be opened")
}

/// Inodes that the bitmaps say are in use, as `dumpe2fs` prints them.
fn used_inodes(image: &Path) -> Vec<u32> {
    let dump = Dump::of(image);
    let per_group: u64 =
        dump.header("Inodes per group").expect("it is printed").parse().expect("a number");
    let used = dump.groups.iter().flat_map(|group| {
        let first = u64::from(group.group) * per_group + 1;
        (first..first + per_group)
            .filter(|ino| !group.free_inode_ranges.iter().any(|range| range.contains(ino)))
    });
    used.take(INODES).map(|ino| u32::try_from(ino).expect("an inode number")).collect()
}

/// What the engine says of an inode, in the words of `debugfs`.
fn told(fs: &Filesystem<FileSource>, inode: &Inode) -> Stat {
    let raw = &inode.raw;
    let kind = match inode.file_type() {
        Some(FileType::RegFile) => "regular",
        Some(FileType::Dir) => "directory",
        Some(FileType::Symlink) => "symlink",
        Some(FileType::Blkdev) => "block special",
        Some(FileType::Chrdev) => "character special",
        Some(FileType::Fifo) => "FIFO",
        Some(FileType::Sock) => "socket",
        None => "bad type",
    };
    let is_long = matches!(inode.file_type(), Some(FileType::RegFile | FileType::Dir));
    let has_extra = raw.i_extra_isize.get() >= 28;
    let time = |seconds: u32, extra: u32| Some((seconds, if has_extra { extra } else { 0 }));
    let inside = inode.is_fast_symlink() || inode.flags().contains(InodeFlags::INLINE_DATA);
    let target = (inode.file_type() == Some(FileType::Symlink) && inside).then(|| {
        let target = fs.symlink_target(inode).expect("the target can be read");
        String::from_utf8(target).expect("plain letters")
    });
    let mut xattrs: Vec<_> = fs
        .xattrs(inode)
        .into_iter()
        .map(|xattr| xattr.expect("sound attributes"))
        .map(|xattr| (String::from_utf8(xattr.name()).expect("plain letters"), xattr.size()))
        .collect();
    xattrs.sort();
    Stat {
        kind: kind.to_owned(),
        mode: raw.i_mode.get() & 0o7777,
        flags: raw.i_flags.get(),
        generation: raw.i_generation.get(),
        owner: (raw.uid(), raw.gid()),
        size: if is_long { raw.size() } else { u64::from(raw.i_size_lo.get()) },
        file_acl: raw.file_acl().get(),
        links: raw.i_links_count.get(),
        blocks: raw.blocks(),
        times: [
            time(raw.i_ctime.get(), raw.i_ctime_extra.get()),
            time(raw.i_atime.get(), raw.i_atime_extra.get()),
            time(raw.i_mtime.get(), raw.i_mtime_extra.get()),
            if has_extra { time(raw.i_crtime.get(), raw.i_crtime_extra.get()) } else { None },
        ],
        target,
        xattrs,
        checksum: inode.computed_csum.map(|_| raw.checksum()),
        blocks_list: blocks_list(fs, inode),
    }
}

/// The walk over an inode's blocks, in the words of `debugfs stat`.
fn blocks_list(fs: &Filesystem<FileSource>, inode: &Inode) -> Vec<String> {
    let root_depth = u16::from_le_bytes([inode.raw.i_block[6], inode.raw.i_block[7]]);
    let item = |item| match item {
        MapItem::Node(node) => match node.kind {
            NodeKind::Extent(depth) => {
                assert_ne!(node.csum, CsumState::Bad);
                format!("(ETB{}):{}", root_depth - 1 - depth, node.fsblk)
            }
            NodeKind::Ind => format!("(IND):{}", node.fsblk),
            NodeKind::Dind => format!("(DIND):{}", node.fsblk),
            NodeKind::Tind => format!("(TIND):{}", node.fsblk),
        },
        MapItem::Mapping(Mapping { lblk, fsblk, len, state }) => {
            let unwritten = if state == MappingState::Unwritten { "[u]" } else { "" };
            let (lblk_end, fsblk_end) = (lblk.get() + (len - 1), fsblk.get() + u64::from(len) - 1);
            if len == 1 {
                format!("({lblk}{unwritten}):{fsblk}")
            } else {
                format!("({lblk}-{lblk_end}{unwritten}):{fsblk}-{fsblk_end}")
            }
        }
    };
    fs.map_items(inode).map(|found| item(found.expect("a sound map"))).collect()
}

/// Compares every inode in use with `stat`.
fn compare_inodes(image: &Path) {
    let fs = open(image);
    let inos = used_inodes(image);
    let requests: Vec<_> = inos.iter().map(|ino| format!("stat <{ino}>")).collect();
    for (ino, lines) in inos.into_iter().zip(ask(image, &requests)) {
        let inode = fs.inode(Ino::new(ino)).expect("it can be read");
        assert_ne!(inode.csum, CsumState::Bad, "inode {ino}");
        assert_eq!(told(&fs, &inode), Stat::parse(&lines), "inode {ino}, ours is left");
    }
}

/// Compares what `ls` prints of every directory.
fn compare_dirs(image: &Path) -> usize {
    let fs = open(image);
    let dirs: Vec<Inode> = used_inodes(image)
        .into_iter()
        .map(|ino| fs.inode(Ino::new(ino)).expect("it can be read"))
        .filter(Inode::is_dir)
        .collect();
    let requests: Vec<_> = dirs.iter().map(|dir| format!("ls -p <{}>", dir.ino)).collect();
    let mut names = 0;
    for (dir, lines) in dirs.iter().zip(ask(image, &requests)) {
        let listed: Vec<(u32, String)> = lines
            .iter()
            .filter(|line| !line.is_empty())
            .map(|line| {
                let mut parts = line.split('/');
                let ino = parts.nth(1).and_then(|ino| ino.parse().ok()).expect("an inode");
                (ino, parts.nth(3).expect("a name").to_owned())
            })
            // With -p, unused entries are listed, too.
            .filter(|(ino, _)| *ino != 0)
            .collect();
        let told: Vec<_> = fs
            .dir_entries(dir)
            .expect("a directory")
            .map(|entry| entry.expect("a sound entry"))
            .map(|entry| (entry.ino.get(), String::from_utf8(entry.name).expect("plain letters")))
            .collect();
        assert_eq!(told, listed, "directory {}, ours is left", dir.ino);
        names += told.len();
        let mut walk = extscope::fs::DirWalk::new(&fs, dir).expect("a directory");
        while let Some(block) = walk.next_block(&fs) {
            let block = block.expect("it can be read");
            assert_ne!(block.csum, CsumState::Bad, "directory {}, block {}", dir.ino, block.lblk);
        }
    }
    names
}

/// Compares every file with what `dump` writes.
fn compare_contents(image: &Path) {
    let fs = open(image);
    let out = image.with_extension("dump");
    for ino in used_inodes(image) {
        let inode = fs.inode(Ino::new(ino)).expect("it can be read");
        let size = inode.raw.size();
        if inode.file_type() != Some(FileType::RegFile) {
            continue;
        }
        // The resize inode is 4 GiB of which only the reserved GDT blocks are there.
        if size > LARGEST {
            assert!([reserved::RESIZE, reserved::JOURNAL].contains(&inode.ino), "inode {ino}");
            continue;
        }
        let _ = ask(image, &[format!("dump <{ino}> {}", out.display())]);
        let mut dumped = fs::read(&out).expect("debugfs dumps it");
        // A short file inside its inode is dumped with all of i_block.
        if inode.flags().contains(InodeFlags::INLINE_DATA) && dumped.len() == I_BLOCK_BYTES {
            dumped.truncate(usize::try_from(size).expect("it fits in memory"));
        }
        let mut at = 0;
        let mut data = extscope::fs::FileData::new(&fs, &inode, 0..u64::MAX).expect("it is mapped");
        while let Some(piece) = data.next_piece(&fs) {
            let piece = piece.expect("it can be read");
            let len = usize::try_from(piece.len()).expect("it fits in memory");
            let due = &dumped[at..at + len];
            let same = match &piece {
                extscope::fs::DataPiece::Bytes(bytes) => bytes == due,
                extscope::fs::DataPiece::Zeros(_) => due.iter().all(|byte| *byte == 0),
            };
            assert!(same, "inode {ino} differs within the {len} bytes from {at} on");
            at += len;
        }
        assert_eq!(at, dumped.len(), "inode {ino}");
        fs::remove_file(&out).expect("the dump can be removed");
    }
}

#[test]
fn every_inode_name_and_byte_is_told_as_debugfs_tells_it() {
    if !tool::have(&TOOLS, "the debugfs oracle") {
        return;
    }
    let recipes: Vec<_> = MATRIX.iter().chain(SHAPES).copied().collect();
    recipe::each(&recipes, |recipe, image| {
        if !recipe.has_groups() || NOT_OPENED.contains(&recipe.name) {
            return;
        }
        compare_inodes(image);
        compare_dirs(image);
        compare_contents(image);
    });
}
