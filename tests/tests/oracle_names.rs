//! Names by the index of their directory, against `debugfs dx_hash`; what a filesystem keeps for
//! itself, against `debugfs` and `dumpe2fs`.

use std::path::Path;

use extscope::analysis::DeletedScan;
use extscope::fs::{Filesystem, MmpState, OpenOptions};
use extscope::io::{FileSource, ReadKind};
use extscope::ondisk::dirhash::dirhash;
use extscope::ondisk::htree::HashVersion;
use extscope::ondisk::quota::QuotaKind;
use extscope::report::SpecialReport;
use extscope::task::Step;
use extscope_tests::debugfs::ask;
use extscope_tests::dumpe2fs::Dump;
use extscope_tests::fill::Fill;
use extscope_tests::matrix::MATRIX;
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

/// Names in many scripts, with letters that fold to several, compose, or cannot be seen.
const FOLDED: [(&str, &str); 10] = [
    ("README.TXT", "readme.txt"),
    ("GRÖSSE", "größe"),
    ("Über", "u\u{308}ber"),
    ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ("ПРИВЕТ", "привет"),
    ("ԵՒՐՈՊԱ", "եւրոպա"),
    ("ﬁle", "FILE"),
    ("soft\u{ad}hyphen", "softhyphen"),
    ("ꭰꭱ", "ᎠᎡ"),
    ("Å", "å"),
];

/// A directory without an index and one with, in both of which the case of letters does not matter.
fn casefold_dirs(image: &Path, folder: &Path) {
    let host = folder.join("host");
    std::fs::write(&host, b"x").expect("the scratch folder can be written");
    let mut requests = "mkdir few\nmkdir many\nsif few flags 0x40080000\n".to_owned();
    requests += "sif many flags 0x40080000\n";
    for (name, _) in FOLDED {
        for dir in ["few", "many"] {
            requests += &format!("write {} \"{dir}/{name}\"\n", host.display());
        }
    }
    requests += "cd many\n";
    for number in 0..400 {
        requests += &format!("mknod Name-Of-{number:04} p\n");
    }
    tool::debugfs(image, &requests);
    let mut command = tool::command("e2fsck");
    command.arg("-fyD").arg(image).output().expect("e2fsck can be run");
}

#[test]
fn names_in_a_casefold_directory_are_found_whatever_their_case() {
    if !tool::have(&TOOLS, "casefold names") {
        return;
    }
    let folder = recipe::scratch();
    let recipe = Recipe {
        name: "casefold_names",
        kib: 16 * 1024,
        mke2fs: "-t ext4 -b 1024 -O casefold,^metadata_csum",
        fill: &[],
    };
    let image = recipe.make(folder.path());
    casefold_dirs(&image, folder.path());
    let fs = open(&image);
    let found = |path: &str| fs.resolve(path.as_bytes(), false).ok().map(|inode| inode.ino);
    let is_indexed = |dir: &str| {
        let dir = fs.resolve(dir.as_bytes(), false).expect("it is there");
        dir.flags().contains(extscope::ondisk::InodeFlags::INDEX)
    };
    assert!(is_indexed("many") && !is_indexed("few"));
    for (name, other) in FOLDED {
        for dir in ["few", "many"] {
            let due = found(&format!("{dir}/{name}"));
            assert!(due.is_some(), "{dir}/{name}");
            assert_eq!(found(&format!("{dir}/{other}")), due, "{dir}/{other}");
        }
    }
    assert_eq!(found("few/grösse"), found("few/GRÖSSE"));
    assert_eq!(found("few/grosse"), None);
    assert_eq!(found("FEW"), None, "the root is no such directory");
    // The hash of a name is that of the folded one.
    let names: Vec<_> = FOLDED.iter().flat_map(|(a, b)| [*a, *b]).collect();
    let requests: Vec<_> = names.iter().map(|n| format!("dx_hash -c -e utf8 \"{n}\"")).collect();
    for (pair, answers) in FOLDED.iter().zip(ask(&image, &requests).chunks(2)) {
        let hash = |lines: &[String]| lines.join("").split(" is ").nth(1).map(str::to_owned);
        assert_eq!(hash(&answers[0]), hash(&answers[1]), "{pair:?}: the oracle agrees");
    }
}

/// Files of all sorts that are deleted again, one of whose blocks are another's now.
const DELETED: &str = "\
mkdir gone
symlink long tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt
mknod pipe p
sif /media/first uid 70000
rm /README
rm /docs/index
rm /media/first
rm pipe
rm long
rmdir gone
write /proc/self/cmdline other
";

const DELETED_IMAGES: &[Recipe] = &[
    Recipe {
        name: "deleted_ext2",
        kib: 16 * 1024,
        mke2fs: "-t ext2 -b 1024",
        fill: &[Fill::Tree, Fill::Debugfs(DELETED)],
    },
    Recipe {
        name: "deleted_ext4",
        kib: 32 * 1024,
        mke2fs: "-t ext4 -b 1024",
        fill: &[Fill::Tree, Fill::Debugfs(DELETED)],
    },
    Recipe {
        name: "deleted_bigalloc",
        kib: 64 * 1024,
        mke2fs: "-t ext4 -b 1024 -C 8192 -O bigalloc",
        fill: &[Fill::Tree, Fill::Debugfs(DELETED)],
    },
];

/// A row of `lsdel`: inode, owner, mode, size, free blocks, blocks.
type LsdelRow = [u64; 6];

fn lsdel(image: &Path) -> Vec<LsdelRow> {
    let answer = &ask(image, &["lsdel".to_owned()])[0];
    let row = |line: &String| {
        let line = line.replace('/', " ");
        let words: Vec<_> = line.split_whitespace().collect();
        let number = |at: usize| words.get(at).and_then(|word| word.parse().ok());
        let mode = u64::from_str_radix(words.get(2)?, 8).ok()?;
        Some([number(0)?, number(1)?, mode, number(3)?, number(4)?, number(5)?])
    };
    answer.iter().filter_map(row).collect()
}

#[test]
fn deleted_inodes_are_those_of_lsdel() {
    if !tool::have(&TOOLS, "the lsdel oracle") {
        return;
    }
    let recipes: Vec<_> = DELETED_IMAGES.iter().chain(SHAPES).copied().collect();
    recipe::each(&recipes, |recipe, image| {
        let fs = open(image);
        let mut scan = DeletedScan::new(&fs);
        let mut deleted = Vec::new();
        while scan.step_with(&mut |one| deleted.push(one)).expect("no errors") == Step::More {}
        // It leaves out what has no free block any more.
        let told = deleted.iter().filter(|one| one.free_blocks > 0 && one.bad_blocks == 0);
        let told = told.map(|one| {
            let raw = &one.inode.raw;
            let owner = u64::from(raw.uid());
            let (ino, mode) = (one.inode.ino.get().into(), raw.i_mode.get().into());
            [ino, owner, mode, raw.size(), one.free_blocks, one.blocks]
        });
        let (mut told, mut due): (Vec<LsdelRow>, _) = (told.collect(), lsdel(image));
        told.sort_unstable();
        due.sort_unstable();
        assert_eq!(told, due, "ours is left");
        if recipe.name.starts_with("deleted") {
            assert!(due.len() > 2, "{due:?}");
            assert!(deleted.iter().any(|one| one.inode.raw.uid() == 70_000));
            assert!(deleted.iter().any(|one| one.blocks == 0), "a pipe");
        }
    });
}

#[test]
fn reserved_gdt_blocks_are_those_that_dumpe2fs_prints() {
    if !tool::have(&TOOLS, "reserved GDT blocks") {
        return;
    }
    let names = ["ext2_1k", "ext4_4k", "resize_far", "no_resize_inode", "bigalloc_4k_64k"];
    let recipes: Vec<_> =
        MATRIX.iter().filter(|recipe| names.contains(&recipe.name)).copied().collect();
    recipe::each(&recipes, |recipe, image| {
        let dump = Dump::of(image);
        let due: Vec<_> = dump
            .groups
            .iter()
            .filter_map(|group| Some((u64::from(group.group), group.reserved_gdt?)))
            .collect();
        let report = SpecialReport::new(&open(image));
        let told: Vec<_> = report
            .reserved_gdt
            .iter()
            .map(|one| (u64::from(one.group), (one.blocks.first, one.blocks.last)))
            .collect();
        assert_eq!(told, due, "ours is left");
        assert_eq!(due.is_empty(), recipe.name == "no_resize_inode");
        // Every block of every copy is the resize inode's, save with clusters.
        let is_whole = report
            .reserved_gdt
            .iter()
            .all(|one| one.in_resize_inode == one.blocks.last - one.blocks.first + 1);
        assert!(is_whole || recipe.is_bigalloc(), "{:?}", report.reserved_gdt);
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
