//! Whose every block is, against `debugfs icheck`; how files lie, against `e2fsck` and
//! `debugfs filefrag`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use extscope::analysis::{BlockClass, FileFrag, FragTotals, NameScan, OwnerMap, Survey};
use extscope::fs::{Filesystem, OpenOptions};
use extscope::io::{ByteSource, FileSource};
use extscope::ondisk::FileType;
use extscope::task::{Step, Task as _, run_to_end};
use extscope::units::{Fsblk, Ino};
use extscope_tests::debugfs::ask;
use extscope_tests::matrix::MATRIX;
use extscope_tests::recipe::Recipe;
use extscope_tests::shapes::SHAPES;
use extscope_tests::{corpus, recipe, tool};

const TOOLS: [&str; 4] = ["mke2fs", "debugfs", "dumpe2fs", "e2fsck"];

/// Blocks of one image that `icheck` is asked about.
const BLOCKS: usize = 3000;

/// Images that `debugfs` or `e2fsck` does not open for their features or checksums.
const NOT_OPENED: [&str; 3] = ["features_odd", "features_unknown", "bad_csums"];

fn open(image: &Path) -> Filesystem<FileSource> {
    let source = FileSource::open(image).expect("the image can be read");
    Filesystem::open(source, OpenOptions::default()).expect("the image can be opened")
}

/// Works out whose every block is and how every inode in use lies.
fn survey(fs: &Filesystem<FileSource>) -> (OwnerMap, Vec<FileFrag>) {
    let mut survey = Survey::new(fs);
    let mut frags = Vec::new();
    loop {
        let step = survey.step_with(&mut |_, frag| frags.push(*frag)).expect("few pieces");
        if let Step::Done(map) = step {
            return (map, frags);
        }
    }
}

fn images(test: impl Fn(&Recipe, &Path) + Sync) {
    let recipes: Vec<_> = MATRIX.iter().chain(SHAPES).copied().collect();
    recipe::each(&recipes, |recipe, image| {
        if recipe.has_groups() && !NOT_OPENED.contains(&recipe.name) {
            test(recipe, image);
        }
    });
}

/// The first and last blocks of runs, spread over all runs.
fn blocks_to_ask(map: &OwnerMap) -> Vec<u64> {
    let every = map.run_count() * 2 / BLOCKS + 1;
    let borders = map.runs().flat_map(|(run, _)| [run.start, run.end - 1]);
    let blocks: BTreeSet<u64> = borders.step_by(every).collect();
    blocks.into_iter().collect()
}

/// The inode that `icheck` finds for each block.
fn icheck(image: &Path, blocks: &[u64]) -> BTreeMap<u64, Option<u32>> {
    let requests: Vec<String> = blocks
        .chunks(200)
        .map(|some| some.iter().fold("icheck".to_owned(), |line, block| format!("{line} {block}")))
        .collect();
    let answers = ask(image, &requests);
    let rows = answers.iter().flatten().filter_map(|line| line.split_once('\t'));
    rows.filter(|(block, _)| *block != "Block")
        .map(|(block, ino)| (block.parse().expect("a block"), ino.parse().ok()))
        .collect()
}

/// Every block is there once, and a consistent image has no loose ends.
fn assert_sound(fs: &Filesystem<impl ByteSource>, map: &OwnerMap, is_consistent: bool) {
    let mut next = 0;
    for (run, owner) in map.runs() {
        assert_eq!(run.start, next, "runs follow one another");
        assert!(!run.is_empty(), "{owner:?}");
        next = run.end;
    }
    assert_eq!(next, fs.geometry().blocks_count(), "all blocks");
    if !is_consistent {
        return;
    }
    assert_eq!(map.faults(), [], "faults");
    assert_eq!(map.conflicts(), [], "conflicts");
    assert_eq!(map.free_but_owned(), [], "free but owned");
    let counts: BTreeMap<_, _> = map.blocks_by_class().into_iter().collect();
    assert_eq!(counts[&BlockClass::Unknown], 0);
    assert_eq!(counts[&BlockClass::Free], fs.superblock().free_blocks_count(), "free blocks");
    let unowned: Vec<_> =
        map.runs().filter(|(_, owner)| owner.class == BlockClass::Unowned).collect();
    assert_eq!(unowned, [], "in use but unowned");
}

#[test]
fn every_block_is_whose_icheck_says_it_is() {
    if !tool::have(&TOOLS, "the icheck oracle") {
        return;
    }
    images(|recipe, image| {
        let fs = open(image);
        let (map, _) = survey(&fs);
        assert_sound(&fs, &map, recipe.is_consistent());
        let blocks = blocks_to_ask(&map);
        let found = icheck(image, &blocks);
        for block in blocks {
            let (run, owner) = map.run_at(Fsblk::new(block)).expect("inside");
            assert!(run.contains(&block));
            // icheck knows the owner of mapped blocks alone.
            let is_rest = owner.class == BlockClass::ClusterRest;
            let due = owner.ino().filter(|_| !is_rest).map(|ino| ino.get());
            assert_eq!(due, found[&block], "block {block}, {}, ours is left", owner.class.name());
        }
    });
}

/// Inodes with a line of `e2fsck -E fragcheck`, the counts of `-v`, and its depths of trees.
fn fragcheck(image: &Path) -> (BTreeSet<u32>, [u64; 4], Vec<u64>) {
    let mut command = tool::command("e2fsck");
    command.args(["-fnv", "-E", "fragcheck"]).arg(image);
    let output = command.output().expect("e2fsck can be run");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let inodes = text.lines().filter_map(|line| {
        let (ino, rest) = line.trim_start().split_once('(')?;
        rest.contains("): expecting").then(|| ino.parse().expect("an inode"))
    });
    let count = |label: &str| -> Option<u64> {
        let line = text.lines().rfind(|line| line.contains(label))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let labels = ["non-contiguous file", "non-contiguous director", "regular file", " director"];
    let counts = labels.map(|label| count(label).unwrap_or(0));
    let depths = text.lines().find_map(|line| line.trim().strip_prefix("Extent depth histogram: "));
    let depths = depths.map_or_else(Vec::new, |depths| {
        depths.split('/').map(|count| count.parse().expect("a count")).collect()
    });
    (inodes.collect(), counts, depths)
}

#[test]
fn what_e2fsck_calls_noncontiguous_is_called_so() {
    if !tool::have(&TOOLS, "the fragcheck oracle") {
        return;
    }
    images(|recipe, image| {
        if !recipe.is_consistent() {
            return;
        }
        let fs = open(image);
        let (_, frags) = survey(&fs);
        let (inodes, counts, depths) = fragcheck(image);
        let mut totals = FragTotals::default();
        frags.iter().for_each(|frag| totals.add(frag));
        let told = [totals.noncontiguous_files, totals.noncontiguous_dirs];
        assert_eq!([told[0], told[1], totals.files, totals.dirs], counts, "ours is left");
        let told: BTreeSet<u32> =
            frags.iter().filter(|frag| frag.is_noncontiguous).map(|frag| frag.ino.get()).collect();
        assert!(told.is_subset(&inodes), "{told:?} {inodes:?}");
        if !depths.is_empty() {
            let told: Vec<u64> = totals.depths.into_iter().take(depths.len()).collect();
            assert_eq!(told, depths, "depths of extent trees");
            assert!(totals.depths[depths.len()..].iter().all(|count| *count == 0));
        }
    });
}

#[test]
fn every_name_is_a_path_that_ncheck_finds() {
    if !tool::have(&TOOLS, "the ncheck oracle") {
        return;
    }
    images(|_, image| {
        let fs = open(image);
        let names = run_to_end(NameScan::new(&fs)).expect("few names");
        let (_, frags) = survey(&fs);
        // One request for all, since each goes through every directory.
        let inodes = frags.iter().map(|frag| frag.ino.get()).take(300);
        let inodes: Vec<_> = inodes.collect();
        let list = inodes.iter().map(|ino| format!(" {ino}")).collect::<String>();
        let answers = ask(image, &[format!("ncheck{list}")]);
        let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for (ino, path) in answers[0].iter().filter_map(|line| line.split_once('\t')) {
            if let Ok(ino) = ino.parse() {
                // What lies in the root has its slash twice.
                found.entry(ino).or_default().push(path.replacen("//", "/", 1));
            }
        }
        for ino in inodes {
            let told = names.path(Ino::new(ino));
            let told = told.map(|path| String::from_utf8(path).expect("plain letters"));
            match (told, found.get(&ino)) {
                (Some(path), None) => assert_eq!((path.as_str(), ino), ("/", 2)),
                (Some(path), Some(paths)) => assert!(paths.contains(&path), "{path} {paths:?}"),
                (None, paths) => assert_eq!(paths, None, "inode {ino}"),
            }
        }
    });
}

#[test]
fn extents_are_counted_as_debugfs_filefrag_counts_them() {
    if !tool::have(&TOOLS, "the filefrag oracle") {
        return;
    }
    images(|_, image| {
        let fs = open(image);
        let (_, frags) = survey(&fs);
        let frags: Vec<_> = frags
            .iter()
            .filter(|frag| matches!(frag.file_type, Some(FileType::RegFile | FileType::Dir)))
            .filter(|frag| frag.blocks > 0)
            .collect();
        let requests: Vec<_> =
            frags.iter().map(|frag| format!("filefrag -dv <{}>", frag.ino)).collect();
        for (frag, lines) in frags.iter().zip(ask(image, &requests)) {
            let rows = lines.iter().filter(|line| {
                line.split_whitespace().next().is_some_and(|word| word.parse::<u64>().is_ok())
            });
            assert_eq!(frag.extents, rows.count() as u64, "inode {}", frag.ino);
        }
    });
}

/// First blocks of the ranges that `e2fsck` found claimed more than once.
fn multiply_claimed(folder: &Path, name: &str) -> Vec<u64> {
    let file = folder.join("expect").join(format!("{name}.json"));
    let text = std::fs::read_to_string(file).expect("what e2fsck says lies beside the image");
    let said: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let problems = said["problems"].as_array().expect("a list of problems");
    problems
        .iter()
        .filter(|problem| {
            ["PR_1B_DUP_BLOCK", "PR_1B_DUP_RANGE"].iter().any(|name| problem["name"] == *name)
        })
        .map(|problem| problem["blk"].as_u64().expect("a block"))
        .collect()
}

/// Blocks that one file alone has, in the wrong place of their cluster; `e2fsck` calls them
/// claimed twice, too.
const MISPLACED: [u64; 5] = [1173, 1184, 1185, 1186, 1201];

#[test]
fn what_e2fsck_finds_claimed_twice_is_claimed_twice() {
    const TEST: &str = "multiply-claimed blocks of the corpus";
    let Some(folder) = corpus::folder(TEST) else { return };
    let mut compared = 0;
    for packed in corpus::images(&folder) {
        let name = corpus::name(&packed);
        let Ok(fs) = Filesystem::open(corpus::unpack(&packed), OpenOptions::default()) else {
            continue;
        };
        let mut survey = Survey::new(&fs);
        let map = loop {
            if let Step::Done(map) = survey.step().expect("few pieces") {
                break map;
            }
        };
        assert_sound(&fs, &map, false);
        for block in multiply_claimed(&folder, name) {
            if name == "f_badcluster" && MISPLACED.contains(&block) {
                continue;
            }
            let fsblk = Fsblk::new(block);
            let (_, owner) = map.run_at(fsblk).expect("inside");
            assert_eq!(owner.class, BlockClass::MultiplyClaimed, "{name}, block {block}");
            assert!(map.claims_at(fsblk).count() > 1, "{name}, block {block}");
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared} blocks");
}
