//! Names by the index of their directory, against `debugfs dx_hash`; what a filesystem keeps for
//! itself, against `debugfs` and `dumpe2fs`.

use std::path::Path;

use extscope::fs::{Filesystem, MmpState, OpenOptions};
use extscope::io::{FileSource, ReadKind};
use extscope::ondisk::dirhash::dirhash;
use extscope::ondisk::htree::HashVersion;
use extscope::ondisk::quota::QuotaKind;
use extscope_tests::debugfs::ask;
use extscope_tests::fill::Fill;
use extscope_tests::recipe::{self, Recipe};
use extscope_tests::shapes::SHAPES;
use extscope_tests::tool;

const TOOLS: [&str; 4] = ["mke2fs", "debugfs", "dumpe2fs", "e2fsck"];

fn open(image: &Path) -> Filesystem<FileSource> {
    let source = FileSource::open(image).expect("the image can be read");
    Filesystem::open(source, OpenOptions::default()).expect("the image can be opened")
}

/// The hashes by their numbers on the disk.
const HASHES: [(&str, HashVersion, bool); 6] = [
    ("0", HashVersion::Legacy, false),
    ("1", HashVersion::HalfMd4, false),
    ("2", HashVersion::Tea, false),
    ("3", HashVersion::Legacy, true),
    ("4", HashVersion::HalfMd4, true),
    ("5", HashVersion::Tea, true),
];

#[test]
fn every_hash_is_the_one_that_debugfs_works_out() {
    if !tool::have(&TOOLS, "the dx_hash oracle") {
        return;
    }
    let names: Vec<String> = (1..=255_usize)
        .map(|len| (0..len).map(|at| char::from(b'a' + ((at * 7 + len) % 26) as u8)).collect())
        .chain(["größe", "日本語のなまえ", "ÿÿÿÿ"].map(str::to_owned))
        .collect();
    let seeds = [
        ("00000000-0000-0000-0000-000000000000", [0; 4]),
        (
            "8c2f6e4a-1b7d-4e93-a5c0-d6f1e2b3a497",
            [0x4a6e_2f8c, 0x934e_7d1b, 0xf1d6_c0a5, 0x97a4_b3e2],
        ),
    ];
    let folder = recipe::scratch();
    let image = SHAPES[4].make(folder.path());
    for (label, version, is_unsigned) in HASHES {
        for (text, seed) in seeds {
            let requests: Vec<_> = names
                .iter()
                .map(|name| format!("dx_hash -h {label} -s {text} \"{name}\""))
                .collect();
            for (name, answer) in names.iter().zip(ask(&image, &requests)) {
                let hash = dirhash(version, is_unsigned, seed, name.as_bytes());
                let due = answer.join("");
                assert_eq!(hash, Some(first_number(&due)), "{label} {text} {due}");
            }
        }
    }
}

/// The first hexadecimal number of an answer; `debugfs` leaves zeros in front of it out.
fn first_number(line: &str) -> u32 {
    let digits = line.split("0x").nth(1).and_then(|rest| rest.split_whitespace().next());
    u32::from_str_radix(digits.expect("a number"), 16).expect("a number")
}

#[test]
fn the_index_leads_to_every_name_without_reading_the_directory() {
    if !tool::have(&TOOLS, "the index of directories") {
        return;
    }
    let hashed: Vec<_> = SHAPES.iter().filter(|recipe| recipe.kib == 48 * 1024).copied().collect();
    recipe::each(&hashed, |recipe, image| {
        let names = {
            let fs = open(image);
            let dir = fs.resolve(b"/many", true).expect("it is there");
            let names: Vec<_> = fs.dir_entries(&dir).expect("a directory").flatten().collect();
            names
        };
        assert!(names.len() > 400, "{} names", names.len());
        for entry in names.iter().filter(|entry| !entry.is_dot()).step_by(37) {
            let fs = open(image);
            let dir = fs.resolve(b"/many", true).expect("it is there");
            let before = fs.meter().count(ReadKind::Directory);
            assert_eq!(fs.lookup(&dir, &entry.name), Ok(Some(entry.ino)));
            let read = fs.meter().count(ReadKind::Directory).requests - before.requests;
            assert!(read <= 3, "{}: {read} requests for one name", recipe.name);
        }
        let fs = open(image);
        let dir = fs.resolve(b"/many", true).expect("it is there");
        assert_eq!(fs.lookup(&dir, b"not there"), Ok(None));
    });
}

const KEPT: &[Recipe] = &[
    Recipe {
        name: "kept_quota",
        kib: 32 << 10,
        mke2fs: "-t ext4 -b 1024 -N 512 -O quota,project -E quotatype=usrquota:grpquota:prjquota",
        fill: &[Fill::Ragged, Fill::Debugfs("sif /a uid 70000\nsif /b/file-1 gid 9\n")],
    },
    Recipe { name: "kept_mmp", kib: 32 << 10, mke2fs: "-t ext4 -b 4096 -O mmp", fill: &[] },
    Recipe {
        name: "kept_orphans",
        kib: 32 << 10,
        mke2fs: "-t ext4 -b 1024 -N 512",
        fill: &[
            Fill::Ragged,
            Fill::Debugfs("ssv last_orphan 20\nsif <20> dtime 22\nsif <22> dtime 0\n"),
        ],
    },
];

#[test]
fn what_a_filesystem_keeps_for_itself_is_told() {
    if !tool::have(&TOOLS, "what a filesystem keeps for itself") {
        return;
    }
    recipe::each(KEPT, |recipe, image| match recipe.name {
        "kept_quota" => quotas(image),
        "kept_mmp" => {
            let mmp = open(image).mmp().expect("it can be read").expect("the feature is there");
            assert_eq!(mmp.state, MmpState::Clean);
            assert_ne!(mmp.csum, extscope::fs::CsumState::Bad);
        }
        _ => {
            let orphans = open(image).orphans().expect("few");
            let list: Vec<_> = orphans.list.iter().map(|ino| ino.get()).collect();
            assert_eq!((list, orphans.faults), (vec![20, 22], vec![]));
        }
    });
}

/// Compares the entries of quota files with `debugfs list_quota`, once e2fsck has counted anew.
fn quotas(image: &Path) {
    let mut command = tool::command("e2fsck");
    command.arg("-fy").arg(image).output().expect("e2fsck can be run");
    let fs = open(image);
    let files: Vec<_> = fs.quota_files().collect();
    assert_eq!(files.len(), 3);
    for (kind, ino) in files {
        let name = match kind {
            QuotaKind::User => "user",
            QuotaKind::Group => "group",
            QuotaKind::Project => "project",
        };
        let lines = &ask(image, &[format!("list_quota {name}")])[0];
        let rows = lines.iter().filter_map(|line| {
            let numbers: Option<Vec<u64>> =
                line.split_whitespace().map(|word| word.parse().ok()).collect();
            numbers.filter(|numbers| numbers.len() == 7)
        });
        let mut due: Vec<_> = rows.collect();
        due.sort();
        let told: Vec<_> = fs
            .quota_entries(kind, ino)
            .expect("a sound file")
            .iter()
            .map(|entry| {
                vec![
                    u64::from(entry.dqb_id.get()),
                    entry.dqb_curspace.get(),
                    entry.dqb_bsoftlimit.get(),
                    entry.dqb_bhardlimit.get(),
                    entry.dqb_curinodes.get(),
                    entry.dqb_isoftlimit.get(),
                    entry.dqb_ihardlimit.get(),
                ]
            })
            .collect();
        assert!(!told.is_empty(), "{name}");
        assert_eq!(told, due, "{name}, ours is left");
    }
}
