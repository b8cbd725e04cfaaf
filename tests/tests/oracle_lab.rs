//! Bits turned round in the lab: what the check says of the overlay is what `e2fsck -fn` says of a
//! file with the same bytes.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use extscope::check::{Check, CheckOptions, CheckReport};
use extscope::fs::{BitmapKind, Filesystem, OpenOptions};
use extscope::io::{ByteSource, Overlay};
use extscope::lesson::{Bench, Flip, Lab};
use extscope::scenario::{Recipe, Scenario};
use extscope::task;
use extscope::units::Group;
use extscope_tests::{chance, e2fsck, tool};
use fastrand::Rng;

/// A filesystem of the bench with bits turned round.
fn lab(bench: Bench, lab: &Lab) -> Overlay<Scenario> {
    let scenario = scenario(bench);
    let filesystem = Filesystem::open(scenario.clone(), OpenOptions::default()).expect("it opens");
    Overlay::new(scenario, lab.covers(&filesystem).expect("the bits are there"))
}

fn scenario(bench: Bench) -> Scenario {
    let recipe: Recipe = bench.recipe().parse().expect("a recipe");
    Scenario::new(&recipe).expect("there is such a filesystem")
}

fn checked(source: &Overlay<Scenario>) -> CheckReport {
    let options = CheckOptions { now: Some(e2fsck::NOW), ..CheckOptions::default() };
    task::run_to_end(Check::new(source, options)).expect("memory suffices")
}

/// What the tests need.
const TOOLS: [&str; 1] = ["e2fsck"];

/// Bytes of a block of every bench.
const BLOCK: u64 = 1024;

/// Writes what is not zero to a file.
fn write(source: &Overlay<Scenario>, path: &Path) {
    let file = File::create(path).expect("a file can be made");
    file.set_len(source.len()).expect("it can be sparse");
    let written = source.source().written().map(|range| range.expect("the scenario stands"));
    let covered = source.covers().blocks().map(|block| block * BLOCK..(block + 1) * BLOCK);
    for range in written.chain(covered) {
        let mut bytes = vec![0; (range.end - range.start) as usize];
        source.read_at(range.start, &mut bytes).expect("the range is inside");
        for (block, at) in bytes.chunks(1024).zip((range.start..).step_by(1024)) {
            if block.iter().any(|byte| *byte != 0) {
                file.write_all_at(block, at).expect("the file can be written");
            }
        }
    }
}

/// Holds the check of a lab against e2fsck; gives the codes.
fn held(bench: Bench, group: u32, flips: &[Flip], mends_csums: bool) -> Vec<&'static str> {
    let order = Lab { group: Group::new(group), flips: flips.to_vec(), mends_csums };
    let source = lab(bench, &order);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let image = folder.path().join("lab.img");
    write(&source, &image);
    let (said, report) = (e2fsck::check(&image), checked(&source));
    assert_eq!(said.difference(&report), "", "{bench:?}, {order:?}: {}", said.text);
    report.outcome.set.iter().map(|code| code.name()).collect()
}

fn block(bit: u32) -> Flip {
    Flip { kind: BitmapKind::Block, bit }
}

fn inode(bit: u32) -> Flip {
    Flip { kind: BitmapKind::Inode, bit }
}

#[test]
fn without_a_change_there_is_nothing_to_say() {
    if !tool::have(&TOOLS, "the lab oracle") {
        return;
    }
    for bench in Bench::ALL {
        assert_eq!(held(bench, 0, &[], true), [""; 0], "{bench:?}");
    }
}

#[test]
fn a_bit_of_a_block_says_what_it_should() {
    if !tool::have(&TOOLS, "the lab oracle") {
        return;
    }
    let used = held(Bench::Plain, 0, &[block(0)], false);
    assert!(used.contains(&"PR_5_BLOCK_USED"), "{used:?}");
    let padding = held(Bench::Plain, 3, &[block(8191)], false);
    assert!(padding.contains(&"PR_5_BLOCK_BMAP_PADDING"), "{padding:?}");
    let inodes = held(Bench::Plain, 1, &[inode(8191)], false);
    assert!(inodes.contains(&"PR_5_INODE_BMAP_PADDING"), "{inodes:?}");
    let free = held(Bench::Plain, 1, &[inode(255)], false);
    assert!(free.contains(&"PR_5_INODE_UNUSED"), "{free:?}");
}

#[test]
fn a_bitmap_that_was_never_written_is_not_looked_at() {
    if !tool::have(&TOOLS, "the lab oracle") {
        return;
    }
    for mends_csums in [false, true] {
        assert_eq!(held(Bench::Checksums, 2, &[block(4000)], mends_csums), [""; 0]);
    }
}

#[test]
fn checksums_are_made_right_or_left_wrong() {
    let order =
        |mends_csums| Lab { group: Group::new(1), flips: vec![block(9), inode(4)], mends_csums };
    let csums = |mends_csums| {
        let source = lab(Bench::Checksums, &order(mends_csums));
        let filesystem = Filesystem::open(source, OpenOptions::default()).expect("it opens");
        [BitmapKind::Block, BitmapKind::Inode]
            .map(|kind| filesystem.bitmap(kind, Group::new(1)).expect("it is there").csum)
    };
    use extscope::fs::CsumState::{Bad, Good};
    assert_eq!((csums(false), csums(true)), ([Bad, Bad], [Good, Good]));
}

#[test]
fn random_bits_are_judged_as_e2fsck_judges_them() {
    if !tool::have(&TOOLS, "the lab oracle") {
        return;
    }
    let mut rng = Rng::with_seed(chance::seed(false));
    for _ in 0..16 {
        let bench = Bench::ALL[rng.usize(..3)];
        let group = rng.u32(..4);
        let flips: Vec<Flip> = (0..rng.usize(1..6))
            .map(|_| {
                let bit = rng.u32(..8192);
                if rng.bool() { block(bit) } else { inode(bit % [128, 512, 8192][rng.usize(..3)]) }
            })
            .collect();
        held(bench, group, &flips, rng.bool());
    }
}
