//! The check against a live e2fsck 1.47.0: on good images of every shape, and on good images with a
//! field or two changed.
//!
//! Known to differ in codes, not in the verdict: a first shared block 1, which e2fsck tells as a
//! range from 0; value inodes past the end, for which e2fsck counts a number that it never set.
//!
//! `EXTSCOPE_MUTATIONS=2000 cargo test --release -p extscope-tests --test check_oracle -- --nocapture`
//! tries that many changed images and lists each on which the two disagree; `EXTSCOPE_SEED` repeats
//! one. `EXTSCOPE_WHOLE=1` shrinks every image, not a few.

use std::collections::BTreeSet;
use std::fs::OpenOptions as FileOptions;
use std::os::unix::fs::FileExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use extscope::analysis::{BlockClass, Survey};
use extscope::check::{Check, CheckOptions, CheckReport, Mode};
use extscope::fs::{Filesystem, MapItem, OpenOptions};
use extscope::io::{ByteSource, FileSource};
use extscope::ondisk::{RawInode, Superblock};
use extscope::task::run_to_end;
use extscope::units::{Fsblk, Group, Ino};
use extscope_tests::chance::{number, seed};
use extscope_tests::fill::Fill;
use extscope_tests::matrix::MATRIX;
use extscope_tests::patched::Patched;
use extscope_tests::recipe::{self, Recipe};
use extscope_tests::shapes::SHAPES;
use extscope_tests::shrink::fixtures::FIXTURES;
use extscope_tests::shrink::maker::Maker;
use extscope_tests::{e2fsck, tool};
use fastrand::Rng;
use rayon::prelude::*;

const TOOLS: &[&str] = &["mke2fs", "debugfs", "dumpe2fs", "e2fsck", "resize2fs"];

/// Changed images that are tried in an ordinary run.
const MUTATIONS: u64 = 60;

/// In an ordinary run, one of so many images is shrunk.
const EVERY: usize = 5;

/// Images to change, where checksums do not hide what is behind them and where they do.
const BASES: &[&str] =
    &["shapes_ext2_1k", "shapes_no_filetype", "shapes_ext3_2k", "shapes_ext4_1k"];

/// Files of several users, groups and projects, some with values in inodes, and their quota.
const QUOTA: Recipe = Recipe {
    name: "shapes_quota",
    kib: 48 << 10,
    mke2fs: "-t ext4 -b 1024 -O quota,project,ea_inode -N 1024",
    fill: &[Fill::Shapes],
};

/// The same where no checksum hides what is behind it.
const PLAIN_QUOTA: Recipe = Recipe {
    name: "shapes_quota_plain",
    mke2fs: "-t ext4 -b 1024 -O quota,project,ea_inode,^metadata_csum -N 1024",
    ..QUOTA
};

fn check<S: ByteSource>(source: S) -> CheckReport {
    check_from(source, OpenOptions::default())
}

fn check_from<S: ByteSource>(source: S, from: OpenOptions) -> CheckReport {
    run_to_end(Check::new(&source, like_e2fsck(from))).expect("the check runs to its end")
}

fn like_e2fsck(from: OpenOptions) -> CheckOptions {
    let (mode, now) = (Mode::LikeE2fsck, Some(e2fsck::NOW));
    CheckOptions { mode, now, from, ..CheckOptions::default() }
}

/// Checks an image with both, which must say the same.
fn assert_alike(image: &Path, when: &str) {
    let report = check(FileSource::open(image).expect("the image can be opened"));
    assert_eq!(e2fsck::check(image).difference(&report), "", "{when}");
}

#[test]
fn good_images_are_clean_where_e2fsck_says_so() {
    if !tool::have(TOOLS, "good images") {
        return;
    }
    let matrix = MATRIX.iter().filter(|recipe| recipe.has_groups());
    let recipes: Vec<Recipe> =
        SHAPES.iter().chain([&QUOTA, &PLAIN_QUOTA]).chain(matrix).copied().collect();
    recipe::each(&recipes, |_, image| assert_alike(image, "as made"));
}

#[test]
fn shrunk_and_mended_images_are_clean_where_e2fsck_says_so() {
    if !tool::have(TOOLS, "shrunk and mended images") {
        return;
    }
    let step = if std::env::var_os("EXTSCOPE_WHOLE").is_some() { 1 } else { EVERY };
    FIXTURES.par_iter().step_by(step).with_max_len(1).for_each(|(name, make)| {
        let maker = Maker::default();
        make(&maker);
        let image = maker.image();
        assert_alike(image, &format!("{name} as made"));
        maker.run("resize2fs", &["-f", "-M"], &[]);
        assert_alike(image, &format!("{name}, shrunk"));
        maker.run("e2fsck", &["-fy"], &[]);
        assert_alike(image, &format!("{name}, shrunk and mended"));
        maker.run("resize2fs", &["-f"], &["300M"]);
        assert_alike(image, &format!("{name}, shrunk, mended and grown"));
    });
}

#[test]
fn a_check_from_a_backup_says_what_e2fsck_says() {
    if !tool::have(TOOLS, "checks from a backup") {
        return;
    }
    // The backup in group 1 or 3, one that is none, blocks of another size, no size, no place.
    let places = [
        (Some(8193), Some(1024)),
        (Some(24577), Some(1024)),
        (Some(16385), Some(1024)),
        (Some(8193), Some(4096)),
        (Some(1), Some(1024)),
        (Some(8193), None),
        (None, Some(4096)),
        (None, Some(3)),
    ];
    let base = SHAPES.iter().filter(|recipe| BASES.contains(&recipe.name));
    let recipes: Vec<Recipe> = base.copied().collect();
    recipe::each(&recipes, |recipe, image| {
        for (block, size) in places {
            // Where no size fits, e2fsck ends at a read past the end, with other words.
            if block.is_some() && size.is_none() && !recipe.mke2fs.contains("-b 1024") {
                continue;
            }
            let from = OpenOptions { superblock: block.map(Fsblk::new), block_size: size };
            let report = check_from(FileSource::open(image).expect("an image"), from);
            let block = block.map(|block| ["-b".to_owned(), block.to_string()]);
            let size = size.map(|size| ["-B".to_owned(), size.to_string()]);
            let arguments: Vec<String> = block.into_iter().chain(size).flatten().collect();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let said = e2fsck::check_with(image, &arguments);
            assert_eq!(said.difference(&report), "", "{arguments:?}: {}", said.text);
        }
    });
}

/// An image to change, and what may be changed in it.
struct Base {
    name: &'static str,
    path: PathBuf,
    bytes: Vec<u8>,
    /// Places of each kind: where they start, and how long they are.
    places: Vec<Vec<(usize, usize)>>,
}

impl Base {
    fn new(recipe: &Recipe, folder: &Path) -> Self {
        let path = recipe.make(folder);
        let bytes = std::fs::read(&path).expect("the image can be read");
        let fs = Filesystem::open(bytes.as_slice(), OpenOptions::default()).expect("it is good");
        let block_size = fs.geometry().block_size() as usize;
        let map = run_to_end(Survey::new(&fs)).expect("it can be gone through");
        let of_class = |classes: &[BlockClass]| {
            let runs = map.runs().filter(|(_, owner)| classes.contains(&owner.class));
            let places =
                runs.flat_map(|(run, _)| run).map(|b| (b as usize * block_size, block_size));
            places.filter(|(at, len)| bytes[*at..at + len].iter().any(|b| *b != 0)).collect()
        };
        let inode_size = fs.geometry().inode_size() as usize;
        let tables: Vec<(usize, usize)> = of_class(&[BlockClass::Itable]);
        let inodes = tables.iter().flat_map(|(at, len)| (*at..at + len).step_by(inode_size));
        let used = inodes.filter(|at| bytes[*at..at + 128].iter().any(|byte| *byte != 0));
        let mut places = vec![
            vec![(1024, size_of::<Superblock>())],
            used.map(|at| (at, inode_size)).collect(),
            of_class(&[BlockClass::Dir]),
            of_class(&[BlockClass::BlockBitmap, BlockClass::InodeBitmap]),
            of_class(&[BlockClass::ExtentNode, BlockClass::Ind]),
            of_class(&[BlockClass::Xattr]),
            of_class(&[BlockClass::Quota]),
        ];
        let groups = fs.groups().len() as usize;
        let first = fs.layout().group_base(extscope::units::Group::new(0)).gdt.start.get() as usize;
        let desc_size = fs.geometry().desc_size() as usize;
        places.push((0..groups).map(|g| (first * block_size + g * desc_size, desc_size)).collect());
        places.retain(|places: &Vec<_>| !places.is_empty());
        Self { name: recipe.name, path, bytes, places }
    }
}

/// Changes one or two fields; gives where, and the bytes now there.
fn mutate(rng: &mut Rng, base: &Base) -> Vec<(usize, Vec<u8>)> {
    let mut changes = Vec::new();
    for _ in 0..rng.u8(1..=2) {
        let kind = &base.places[rng.usize(0..base.places.len())];
        let (start, len) = kind[rng.usize(0..kind.len())];
        let (at, width) = if len == 128 || len == 256 {
            let field = RawInode::FIELDS[rng.usize(0..RawInode::FIELDS.len())];
            let within = if field.len > 8 { rng.usize(0..15) * 4 } else { 0 };
            (start + (field.offset + within).min(len - 4), field.len.min(4))
        } else if start == 1024 && len == 1024 {
            let field = Superblock::FIELDS[rng.usize(0..Superblock::FIELDS.len())];
            (start + field.offset, field.len.min(4))
        } else {
            // The start of a block tells the most.
            let reach = if rng.bool() { len.min(64) } else { len };
            (start + rng.usize(0..reach / 4) * 4, [1, 2, 4][rng.usize(0..3)])
        };
        let now = u32::from_le_bytes(base.bytes[at..at + 4].try_into().expect("four bytes"));
        let value = match rng.u8(0..7) {
            0 => 0,
            1 => u32::MAX,
            2 => now.wrapping_add(1),
            3 => now.wrapping_sub(1),
            4 => now ^ 1 << rng.u32(0..32),
            5 => rng.u32(0..2000),
            _ => rng.u32(..),
        };
        changes.push((at, value.to_le_bytes()[..width].to_vec()));
    }
    changes
}

#[test]
fn changed_images_have_the_verdict_of_e2fsck() {
    if !tool::have(TOOLS, "changed images and the verdict") {
        return;
    }
    let folder = recipe::scratch();
    let recipes = SHAPES.iter().filter(|recipe| BASES.contains(&recipe.name)).chain([&QUOTA]);
    let bases: Vec<Base> = recipes.map(|recipe| Base::new(recipe, folder.path())).collect();
    let asked = number("EXTSCOPE_MUTATIONS");
    let (seed, mutations) = (seed(asked.is_some()), asked.unwrap_or(MUTATIONS));
    let (mut wrong, mut other, mut tried) = (Vec::new(), 0, 0);
    for index in 0..mutations {
        let seed = seed.wrapping_add(index);
        let mut rng = Rng::with_seed(seed);
        let base = &bases[rng.usize(0..bases.len())];
        let changes = mutate(&mut rng, base);
        let mut image = Patched::new(&base.bytes);
        for (at, bytes) in &changes {
            image.patch(*at, bytes);
        }
        let again = format!("{} {changes:x?} EXTSCOPE_SEED={seed} EXTSCOPE_MUTATIONS=1", base.name);
        let outcome = catch_unwind(AssertUnwindSafe(|| check(image.clone())));
        let report = match outcome {
            Ok(report) => report,
            Err(cause) => panic!("{}; {again}", recipe::message(&*cause)),
        };
        let said = with_changes(base, &changes, || e2fsck::check(&base.path));
        // Some damage makes e2fsck itself crash or go round for ever.
        let Some(exit) = said.exit else { continue };
        tried += 1;
        let difference = said.difference(&report);
        if !difference.is_empty() {
            other += 1;
            println!("{difference} {again}");
            if mutations == 1 {
                println!("{}", said.text);
            }
        }
        if (exit == 0) != (report.outcome.e2fsck.exit == 0) {
            wrong.push(format!("{difference} {again}"));
        }
    }
    println!("{tried} tried, {other} with other codes, {} with another verdict", wrong.len());
    let most = tried / 100;
    assert!(wrong.len() as u64 <= most, "{} verdicts differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn those_who_have_blocks_that_are_marked_free_are_named() {
    if !tool::have(TOOLS, "blocks that are marked free") {
        return;
    }
    let folder = recipe::scratch();
    for recipe in SHAPES.iter().filter(|recipe| BASES.contains(&recipe.name)) {
        let bytes = std::fs::read(recipe.make(folder.path())).expect("the image can be read");
        let fs = Filesystem::open(bytes.as_slice(), OpenOptions::default()).expect("it is good");
        let map = run_to_end(Survey::new(&fs)).expect("it can be gone through");
        let used: Vec<_> =
            map.runs().filter(|(_, owner)| owner.class != BlockClass::Free).collect();
        // In some runs the first block, or two: of each, who has it.
        let mut image = bytes.clone();
        let mut due = BTreeSet::new();
        for (run, owner) in used.iter().step_by(used.len() / 300 + 1) {
            // The resize inode's blocks, and what no file has, are the filesystem's own.
            let first_ino = fs.geometry().first_ino();
            let is_file = |ino: &Ino| *ino >= first_ino || [2, 8].contains(&ino.get());
            for fsblk in run.start..run.end.min(run.start + 1 + run.start % 2) {
                // The block before the first group has no bit.
                let Some((group, bit)) = fs.geometry().grpblk_from_fsblk(Fsblk::new(fsblk)) else {
                    continue;
                };
                let bitmap = fs.group(group).expect("it has a group").desc.block_bitmap.get();
                let at = bitmap as usize * fs.geometry().block_size() as usize;
                image[at + bit.get() as usize / 8] &= !(1 << (bit.get() % 8));
                due.insert((fsblk, owner.ino().filter(is_file)));
            }
        }
        let report =
            run_to_end(Check::new(&image, CheckOptions::default())).expect("it runs to its end");
        let mut told = BTreeSet::new();
        for problem in &report.problems {
            for claim in problem.claimants(&report.outcome.claims) {
                let first = claim.block.get();
                told.extend((first..first + claim.count).map(|fsblk| (fsblk, claim.ino)));
            }
        }
        // Several may have a block of attributes, of whom the map names one.
        assert_eq!(due.difference(&told).collect::<Vec<_>>(), [] as [&(u64, Option<Ino>); 0]);
        let blocks = |set: &BTreeSet<(u64, _)>| set.iter().map(|it| it.0).collect::<BTreeSet<_>>();
        assert_eq!(blocks(&told), blocks(&due), "{}", recipe.name);
    }
}

/// Byte at which an inode lies.
fn inode_at(fs: &Filesystem<&[u8]>, ino: Ino) -> usize {
    let per_group = fs.geometry().inodes_per_group();
    let group = Group::new((ino.get() - 1) / per_group);
    let table = fs.group(group).expect("it has a group").desc.inode_table.get();
    let index = (ino.get() - 1) % per_group;
    table as usize * fs.geometry().block_size() as usize
        + index as usize * fs.geometry().inode_size() as usize
}

#[test]
fn quota_files_are_held_against_what_is_counted_as_e2fsck_does() {
    if !tool::have(TOOLS, "quota files and the verdict") {
        return;
    }
    for recipe in [QUOTA, PLAIN_QUOTA] {
        let folder = recipe::scratch();
        assert_eq!(compare_quota(&Base::new(&recipe, folder.path())), 3 * 35, "{}", recipe.name);
    }
}

/// Changes quota files in each way that matters; gives how many ways.
fn compare_quota(base: &Base) -> usize {
    let fs = Filesystem::open(base.bytes.as_slice(), OpenOptions::default()).expect("it is good");
    let block = fs.geometry().block_size() as usize;
    let mut tried = 0;
    for (kind, ino) in fs.quota_files() {
        let inode = fs.inode(ino).expect("the inode can be read");
        // Version 1, and the smallest file that there can be: first block, four levels, entries.
        let runs = fs.map_items(&inode).filter_map(|item| match item {
            Ok(MapItem::Mapping(run)) => Some(run.fsblk.get()..run.fsblk_end()),
            _ => None,
        });
        let blocks: Vec<u64> = runs.flatten().collect();
        assert!(blocks.len() >= 6, "{} quota has {} blocks", kind.name(), blocks.len());
        let at = |index: usize, offset: usize| blocks[index] as usize * block + offset;
        let word = |at: usize| u32::from_le_bytes(base.bytes[at..at + 4].try_into().expect("four"));
        let mut changes = vec![(at(0, 0), 1), (at(0, 4), 0), (at(0, 4), 2)];
        // Flags, number of blocks, first free ones.
        changes.extend([16, 20, 24, 28].map(|offset| (at(0, offset), 5)));
        changes.extend([20, 24, 28].map(|offset| (at(0, offset), 0xffff)));
        for level in 1..5 {
            let used = (0..256).map(|index| at(level, index * 4)).find(|at| word(*at) != 0);
            let used = used.expect("a level leads to the next");
            changes.extend([(used, 0), (used, 1000), (used, 2), (at(level, 1020), 5)]);
        }
        // Number, limits, inodes, space of the first entry.
        changes.extend([0, 4, 8, 16, 24, 32, 48, 56, 64].map(|field| (at(5, 16 + field), 77)));
        for (at, value) in changes {
            let bytes = u32::to_le_bytes(value);
            let mut image = Patched::new(&base.bytes);
            image.patch(at, &bytes);
            let said = with_changes(base, &[(at, bytes.to_vec())], || e2fsck::check(&base.path));
            let difference = said.difference(&check(image));
            assert_eq!(difference, "", "{} quota, {value} at {at}: {}", kind.name(), said.text);
            tried += 1;
        }
        // A size that ends in the middle of the last block, of a block before, and of the first.
        for size in [6 * 1024 - 500, 5 * 1024 - 1000, 700, 20] {
            let bytes = u32::to_le_bytes(size);
            let at = inode_at(&fs, ino) + 4;
            let mut image = Patched::new(&base.bytes);
            image.patch(at, &bytes);
            let said = with_changes(base, &[(at, bytes.to_vec())], || e2fsck::check(&base.path));
            let difference = said.difference(&check(image));
            assert_eq!(difference, "", "{} quota, {size} bytes: {}", kind.name(), said.text);
        }
    }
    tried
}

/// Changes the image's file, asks, and changes it back.
fn with_changes<T>(base: &Base, changes: &[(usize, Vec<u8>)], ask: impl FnOnce() -> T) -> T {
    let file = FileOptions::new().write(true).open(&base.path).expect("it can be written");
    for (at, bytes) in changes {
        file.write_all_at(bytes, *at as u64).expect("it can be written");
    }
    let answer = ask();
    for (at, bytes) in changes {
        let before = &base.bytes[*at..at + bytes.len()];
        file.write_all_at(before, *at as u64).expect("it can be written");
    }
    answer
}
