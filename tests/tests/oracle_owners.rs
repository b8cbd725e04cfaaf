//! Whose every block is, against `debugfs icheck`; how files lie, against `e2fsck` and
//! `debugfs filefrag`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use extscope::analysis::{
    BlockClass, BlockOwner, FileFrag, FragTotals, NameScan, OwnerMap, OwnerSearch, PathSearch,
    Survey,
};
use extscope::fs::{Filesystem, OpenOptions};
use extscope::io::{ByteSource, FileSource, ReadKind};
use extscope::ondisk::FileType;
use extscope::report::{ExtentReport, ExtentRows};
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

/// Looks some blocks up.
fn whose(fs: &Filesystem<FileSource>, blocks: &[u64]) -> Vec<BlockOwner> {
    let blocks: Vec<_> = blocks.iter().copied().map(Fsblk::new).collect();
    run_to_end(OwnerSearch::new(fs, &blocks).expect("all inside")).expect("no errors")
}

#[test]
fn a_search_finds_whom_the_survey_finds() {
    if !tool::have(&TOOLS, "the search for owners") {
        return;
    }
    images(|recipe, image| {
        let (map, _) = survey(&open(image));
        let mut blocks = blocks_to_ask(&map);
        blocks.reverse();
        let fs = open(image);
        for (found, block) in whose(&fs, &blocks).into_iter().zip(&blocks) {
            let (run, owner) = map.run_at(Fsblk::new(*block)).expect("inside");
            assert_eq!(found.fsblk.get(), *block);
            if owner.class == BlockClass::MultiplyClaimed {
                continue;
            }
            assert_eq!(found.owner, owner, "block {block}, ours is left");
            assert!(found.run.contains(block), "block {block} {:?}", found.run);
            // The resize inode has some of the blocks that the layout reserves, and what a damaged
            // descriptor claims may be free.
            let is_inside = owner.class == BlockClass::ReservedGdt
                || !recipe.is_consistent() && owner.class == BlockClass::Free
                || run.start <= found.run.start && found.run.end <= run.end;
            assert!(is_inside, "block {block}: {:?} {run:?} {owner:?}", found.run);
        }
        // For one block, only its own group's bitmap and no directory.
        if let Some((run, owner)) = map.runs().find(|(_, owner)| owner.class == BlockClass::Data) {
            let fs = open(image);
            assert_eq!(whose(&fs, &[run.start])[0].owner, owner);
            for kind in fs.meter().by_kind() {
                match kind.kind {
                    ReadKind::BlockBitmap => assert!(kind.count.requests <= 1, "{kind:?}"),
                    ReadKind::Directory => panic!("{kind:?}"),
                    _ => {}
                }
            }
        }
    });
}

/// What `e2fsck -fnv -E fragcheck` prints: inodes with a line of their own, and the summary.
struct Summary {
    fragmented: BTreeSet<u32>,
    /// Numbers in the order in which the labels follow one another.
    counts: Vec<u64>,
    ind: Vec<u64>,
    /// Empty where no inode is mapped by extents.
    depths: Vec<u64>,
}

/// Labels of the summary's lines, without what makes them plural.
const LABELS: [&str; 18] = [
    "inode",
    "non-contiguous file",
    "non-contiguous director",
    "block",
    "bad block",
    "large file",
    "regular file",
    "director",
    "character device file",
    "block device file",
    "fifo",
    "link",
    "symbolic link",
    "fast symbolic link",
    "socket",
    "file",
    "inodes in all",
    "blocks in all",
];

impl Summary {
    fn of(image: &Path) -> Self {
        let mut command = tool::command("e2fsck");
        command.args(["-fnv", "-E", "fragcheck"]).arg(image);
        let output = command.output().expect("e2fsck can be run");
        Self::parse(&String::from_utf8_lossy(&output.stdout))
    }

    fn parse(text: &str) -> Self {
        let fragmented = text.lines().filter_map(|line| {
            let (ino, rest) = line.trim_start().split_once('(')?;
            rest.contains("): expecting").then(|| ino.parse().expect("an inode"))
        });
        let rows = text.lines().filter_map(|line| line.trim_start().split_once(' '));
        let rows: Vec<(u64, &str)> =
            rows.filter_map(|(count, label)| Some((count.parse().ok()?, label))).collect();
        let behind = |label: &str, words: &str| {
            let (_, line) = rows.iter().find(|(_, line)| line.starts_with(label)).expect("a line");
            let number = line.split_once(words).expect("more words").1;
            let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().expect("a number")
        };
        let count = |label: &&str| match *label {
            "fast symbolic link" => behind("symbolic link", "("),
            "inodes in all" => behind("inode", "out of "),
            "blocks in all" => behind("block", "out of "),
            label => {
                let is_it = |line: &str| {
                    let plurals = ["", "s", "y", "ies"].map(|end| format!("{label}{end}"));
                    let words = line.split(" (").next().map(|line| line.trim_end_matches(" used"));
                    plurals.iter().any(|plural| words == Some(plural))
                };
                let (count, _) = rows.iter().find(|(_, line)| is_it(line)).expect(label);
                *count
            }
        };
        let histogram = |label: &str| {
            let line = text.lines().find_map(|line| line.trim().strip_prefix(label));
            line.map_or_else(Vec::new, |line| {
                line.split('/').map(|count| count.parse().expect("a count")).collect()
            })
        };
        Self {
            fragmented: fragmented.collect(),
            counts: LABELS.iter().map(count).collect(),
            ind: histogram("# of inodes with ind/dind/tind blocks: "),
            depths: histogram("Extent depth histogram: "),
        }
    }

    /// The same counts as the engine has them.
    fn told(fs: &Filesystem<FileSource>, totals: &FragTotals) -> Vec<u64> {
        let superblock = fs.superblock();
        let inodes = u64::from(fs.geometry().inodes_count());
        let blocks = fs.geometry().blocks_count();
        vec![
            inodes - u64::from(superblock.s_free_inodes_count.get()),
            totals.noncontiguous_files,
            totals.noncontiguous_dirs,
            blocks - superblock.free_blocks_count(),
            totals.bad_blocks,
            totals.large_files,
            totals.files,
            totals.dirs,
            totals.character_devices,
            totals.block_devices,
            totals.fifos,
            totals.links,
            totals.symlinks,
            totals.fast_symlinks,
            totals.sockets,
            totals.names(),
            inodes,
            blocks,
        ]
    }
}

#[test]
fn the_summary_is_that_of_e2fsck() {
    if !tool::have(&TOOLS, "the e2fsck -v oracle") {
        return;
    }
    images(|recipe, image| {
        if !recipe.is_consistent() {
            return;
        }
        let fs = open(image);
        let (_, frags) = survey(&fs);
        let due = Summary::of(image);
        let mut totals = FragTotals::default();
        frags.iter().for_each(|frag| totals.add(frag));
        for ((label, told), due) in LABELS.iter().zip(Summary::told(&fs, &totals)).zip(&due.counts)
        {
            assert_eq!(told, *due, "{label}, ours is left");
        }
        assert_eq!(totals.ind.as_slice(), due.ind, "indirect blocks");
        let told: BTreeSet<u32> =
            frags.iter().filter(|frag| frag.is_noncontiguous).map(|frag| frag.ino.get()).collect();
        assert!(told.is_subset(&due.fragmented), "{told:?} {:?}", due.fragmented);
        let depths = due.depths.len();
        assert_eq!(totals.depths[..depths], due.depths, "depths of extent trees");
        assert!(totals.depths[depths..].iter().all(|count| *count == 0));
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
        let all = survey(&fs).1.into_iter().map(|frag| frag.ino).take(300);
        let searched = run_to_end(PathSearch::new(&fs, all)).expect("no errors");
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
            let searched = searched.get(&Ino::new(ino));
            let searched = searched.map(|path| String::from_utf8_lossy(path).into_owned());
            match (searched, found.get(&ino)) {
                (Some(path), None) => assert_eq!((path.as_str(), ino), ("/", 2)),
                (Some(path), Some(paths)) => assert!(paths.contains(&path), "{path} {paths:?}"),
                (None, paths) => assert_eq!(paths, None, "inode {ino}"),
            }
        }
    });
}

/// A row of `debugfs filefrag -v`: logical, physical, expected or 0, length.
type FragRow = [u64; 4];

/// The rows of one file, and how many contiguous extents the last line counts.
fn filefrag(lines: &[String]) -> (Vec<FragRow>, u64) {
    let numbers = |line: &String| -> Option<Vec<u64>> {
        line.split_whitespace().map(|word| word.parse().ok()).collect()
    };
    let rows = lines.iter().filter_map(numbers).filter_map(|row| match *row {
        [_, logical, physical, length] => Some([logical, physical, 0, length]),
        [_, logical, physical, expected, length] => Some([logical, physical, expected, length]),
        _ => None,
    });
    let count = lines.iter().find_map(|line| {
        let words = line.split_once(": ")?.1.split_once(" contiguous extents")?.0;
        words.parse().ok()
    });
    (rows.collect(), count.expect("a count"))
}

/// Our rows in its terms: it does not part written from unwritten blocks, and expects nothing
/// behind a hole.
fn as_debugfs(rows: impl Iterator<Item = ExtentReport>) -> Vec<FragRow> {
    let mut told: Vec<FragRow> = Vec::new();
    for row in rows {
        let last = told.last_mut().map(|last| (last[0] + last[3], last[1] + last[3], last));
        match last {
            Some((logical, physical, last))
                if (logical, physical) == (row.logical, row.physical) =>
            {
                last[3] += row.length;
            }
            Some((logical, ..)) => {
                let expected = row.expected.filter(|_| logical == row.logical).unwrap_or(0);
                told.push([row.logical, row.physical, expected, row.length]);
            }
            None => told.push([row.logical, row.physical, 0, row.length]),
        }
    }
    told
}

#[test]
fn extents_are_listed_as_debugfs_filefrag_lists_them() {
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
            let (due, count) = filefrag(&lines);
            let inode = fs.inode(frag.ino).expect("it can be read");
            let mut rows = ExtentRows::new(&fs, &inode);
            let told: Vec<_> = rows.by_ref().map(|row| row.expect("a sound map")).collect();
            assert_eq!(told.len() as u64, frag.extents, "inode {}", frag.ino);
            assert_eq!(rows.frag().fragments, frag.fragments, "inode {}", frag.ino);
            assert_eq!(as_debugfs(told.into_iter()), due, "inode {}, ours is left", frag.ino);
            assert_eq!(due.len() as u64, count);
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

/// Blocks that one file alone has, in the wrong place of their cluster; `e2fsck` calls them claimed
/// twice, too.
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
