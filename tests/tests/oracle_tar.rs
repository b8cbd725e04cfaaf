//! Folders as archives, against what `tar` and `debugfs` make of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use extscope::export::TarStream;
use extscope::fs::{Filesystem, Inode, OpenOptions};
use extscope::io::FileSource;
use extscope::ondisk::{FileType, reserved};
use extscope::report::permissions;
use extscope_tests::shapes::SHAPES;
use extscope_tests::{recipe, skip, tool};

const TOOLS: [&str; 4] = ["mke2fs", "debugfs", "dumpe2fs", "e2fsck"];

fn open(image: &Path) -> Filesystem<FileSource> {
    let source = FileSource::open(image).expect("the image can be read");
    Filesystem::open(source, OpenOptions::default()).expect("the image can be opened")
}

/// The archive of the root.
fn archive(fs: &Filesystem<FileSource>) -> Vec<u8> {
    let root = fs.inode(reserved::ROOT).expect("a root");
    let mut stream = TarStream::new(fs, &root).expect("a folder");
    let mut bytes = Vec::new();
    while let Some(piece) = stream.next_piece() {
        bytes.extend(piece);
    }
    assert_eq!(stream.faults(), []);
    assert_eq!(stream.counts().bytes, bytes.len() as u64);
    bytes
}

/// Runs GNU tar.
fn tar(arguments: &[&str], folder: &Path) -> String {
    let mut command = Command::new("tar");
    command.env("TZ", "UTC0").env("LC_ALL", "C").current_dir(folder).args(arguments);
    let output = command.stdin(Stdio::null()).output().expect("tar can be run");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).expect("plain letters")
}

/// What our tree tells, in the words of `tar -tv`: kind and permissions, owner, size, name.
fn told(fs: &Filesystem<FileSource>) -> BTreeMap<String, [String; 3]> {
    let root = fs.inode(reserved::ROOT).expect("a root");
    let row = |inode: &Inode| {
        let raw = &inode.raw;
        let size = match (inode.file_type(), raw.device()) {
            (Some(FileType::RegFile), _) => raw.size().to_string(),
            (_, Some((major, minor))) => format!("{major},{minor}"),
            _ => "0".to_owned(),
        };
        [permissions(raw.i_mode.get()), format!("{}/{}", raw.uid(), raw.gid()), size]
    };
    let mut rows = BTreeMap::from([("./".to_owned(), row(&root))]);
    for entry in fs.tree(&root).expect("a folder") {
        let entry = entry.expect("a sound tree");
        let slash = if entry.inode.is_dir() { "/" } else { "" };
        let path = String::from_utf8(entry.path).expect("plain letters") + slash;
        rows.insert(path, row(&entry.inode));
    }
    rows
}

#[test]
fn tar_reads_back_what_is_in_the_image() {
    const TEST: &str = "the tar oracle";
    if !tool::have(&TOOLS, TEST) {
        return;
    }
    if tool::find("tar").is_none() {
        assert!(!skip::must_run(), "{TEST} needs tar");
        return skip::aloud(TEST, "tar is not installed");
    }
    let recipes: Vec<_> = SHAPES
        .iter()
        .filter(|recipe| !["shapes_ext4_64k", "shapes_tea"].contains(&recipe.name))
        .copied()
        .collect();
    recipe::each(&recipes, |_, image| {
        let folder = recipe::scratch();
        let fs = open(image);
        fs::write(folder.path().join("all.tar"), archive(&fs)).expect("scratch");
        let mut due = told(&fs);
        let listed = tar(&["--numeric-owner", "-tvf", "all.tar"], folder.path());
        let mut links = 0;
        for line in listed.lines() {
            let mut words = line.split_whitespace();
            let mut word = || words.next().expect("a word").to_owned();
            let row = [word(), word(), word()];
            let path = words.nth(2).expect("a name").to_owned();
            let told = due.remove(&path).unwrap_or_else(|| panic!("{path} is not in the image"));
            if row[0].starts_with('h') {
                links += 1;
            } else {
                assert_eq!(told, row, "{path}, ours is left");
            }
        }
        assert_eq!((due, links), (BTreeMap::new(), 2), "names that tar does not list");

        // Contents, times and holes, as tar lays them down again.
        let out = folder.path().join("out");
        fs::create_dir(&out).expect("scratch");
        let files = [
            "--no-same-owner",
            "--warning=no-timestamp",
            "-xpf",
            "../all.tar",
            "--exclude=null",
            "--exclude=disk",
        ];
        tar(&files, &out);
        compare(&fs, &out);
    });
}

/// Every file that tar laid down has the bytes, the time and the holes of the image's.
fn compare(fs: &Filesystem<FileSource>, out: &Path) {
    use std::os::unix::fs::MetadataExt as _;
    let root = fs.inode(reserved::ROOT).expect("a root");
    let mut compared = 0;
    for entry in fs.tree(&root).expect("a folder") {
        let entry = entry.expect("a sound tree");
        let inode = entry.inode;
        let path = out.join(std::str::from_utf8(&entry.path).expect("plain letters"));
        match inode.file_type() {
            Some(FileType::RegFile) => {}
            Some(FileType::Symlink) => {
                let target = fs::read_link(&path).expect("a link");
                let due = fs.symlink_target(&inode).expect("a target");
                assert_eq!(target.to_str().map(str::as_bytes), Some(due.as_slice()));
                continue;
            }
            _ => continue,
        }
        let laid = fs::metadata(&path).expect("tar laid it down");
        let mtime = inode.raw.mtime();
        assert_eq!(laid.mtime(), mtime.seconds, "{}", path.display());
        assert_eq!(laid.mtime_nsec(), i64::from(mtime.nanoseconds), "{}", path.display());
        let bytes = fs::read(&path).expect("it can be read");
        let due = fs.read_file(&inode, 0, u64::MAX);
        match due {
            Ok(due) => assert!(bytes == due, "{} differs", path.display()),
            Err(_) => {
                // Longer than is read at once: piece by piece.
                for (piece, at) in bytes.chunks(32 << 20).zip(0_u64..) {
                    let due = fs.read_file(&inode, at * (32 << 20), 32 << 20).expect("readable");
                    assert!(piece == due, "{} differs", path.display());
                }
                assert!(laid.blocks() * 512 < laid.size() / 2, "holes are kept");
            }
        }
        compared += 1;
    }
    assert!(compared >= 6, "{compared} files");
}
