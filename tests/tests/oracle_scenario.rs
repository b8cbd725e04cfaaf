//! Scenarios written to files, against `e2fsck` and `dumpe2fs`.
//!
//! `EXTSCOPE_SCENARIOS=200` tries so many random recipes, `EXTSCOPE_SEED` repeats a
//! run.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use extscope::bitmap::Bits as _;
use extscope::fs::{BitmapKind, Filesystem, OpenOptions};
use extscope::io::ByteSource;
use extscope::scenario::{self, Checksums, FileKind, Recipe, Scenario};
use extscope_tests::dumpe2fs::Dump;
use extscope_tests::{chance, e2fsck, told, tool};
use fastrand::Rng;
use rayon::prelude::*;

/// Bytes that are read and written at once.
const PIECE: u64 = 1 << 20;

/// How many random recipes were asked for.
fn asked() -> Option<u64> {
    chance::number("EXTSCOPE_SCENARIOS")
}

/// Writes a scenario to a file that is sparse where there are zeros.
fn write(scenario: &Scenario, path: &Path) {
    let file = File::create(path).expect("a file can be made");
    file.set_len(scenario.len()).expect("it can be sparse");
    for range in scenario.written() {
        let range = range.expect("the scenario stands");
        for at in range.clone().step_by(PIECE as usize) {
            let mut bytes = vec![0; (range.end - at).min(PIECE) as usize];
            scenario.read_at(at, &mut bytes).expect("the range is inside");
            for (block, at) in bytes.chunks(4096).zip((at..).step_by(4096)) {
                if block.iter().any(|byte| *byte != 0) {
                    file.write_all_at(block, at).expect("the file can be written");
                }
            }
        }
    }
}

/// Holds a scenario against both tools.
fn hold(text: &str) -> Result<(), String> {
    let recipe: Recipe = text.parse().map_err(|error| format!("{text}: {error}"))?;
    let scenario = Scenario::new(&recipe).map_err(|error| format!("{text}: {error}"))?;
    let folder = tempfile::tempdir().expect("a folder can be made");
    let image = folder.path().join("scenario.img");
    write(&scenario, &image);
    let said = e2fsck::check(&image);
    if said.exit != Some(0) || !said.set.is_empty() {
        return Err(format!("{text}: e2fsck says {:?}: {}", said.exit, said.text));
    }
    let fs = Filesystem::open(&scenario, OpenOptions::default()).expect("it opens");
    told::compare(&fs, &Dump::of(&image));
    Ok(())
}

/// Holds all of them, and says which do not stand.
fn hold_all(texts: &[String]) {
    let held = texts.par_iter().map(|text| std::panic::catch_unwind(|| hold(text)));
    let failures: Vec<String> = held
        .zip(texts)
        .filter_map(|(held, text)| held.unwrap_or_else(|_| Err(format!("{text} differs"))).err())
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_named_scenario_is_sound_when_it_is_small() {
    if !tool::have(&["e2fsck", "dumpe2fs"], "every_named_scenario_is_sound_when_it_is_small") {
        return;
    }
    let size = |name: &str| match name {
        "pebibyte" => "40g",
        "every-other" => "500m",
        // Metadata fills whole groups of it.
        "one-run,flex=64" => "20g",
        "half-full" => "1g",
        _ => "5g",
    };
    let names = scenario::named().map(|named| named.name).chain(["one-run,flex=64"]);
    let texts = names.map(|name| format!("{name},size={}", size(name)));
    hold_all(&texts.collect::<Vec<_>>());
}

/// Blocks in use of a random scenario, at most: e2fsck is given up after a while.
const MOST_BLOCKS: u64 = 1 << 18;

/// A recipe that there is a filesystem of, drawn at random, and how many before it there was none of.
fn random(rng: &mut Rng) -> (Recipe, u64) {
    let mut refused = 0;
    loop {
        let block_size: u32 = 1024 << rng.u32(0..7);
        let cluster_ratio = if rng.u32(0..4) == 0 { 2 << rng.u32(0..6) } else { 1 };
        let group = u64::from(block_size) * u64::from((block_size * 8).min(65528) * cluster_ratio);
        let kind = |rng: &mut Rng| FileKind {
            run: 1 << rng.u32(0..10),
            extents: [1, 2, 4, 5, 40, 300][rng.usize(0..6)],
        };
        let recipe = Recipe {
            size: (rng.u64(group / 20..group * 30)).clamp(8 << 20, 40 << 30),
            block_size,
            cluster_ratio,
            groups_per_flex: 1 << rng.u32(0..7),
            is_64bit: rng.bool(),
            meta_bg: rng.u32(0..3) == 0,
            sparse_super: rng.u32(0..4) > 0,
            csum: [Checksums::Metadata, Checksums::Metadata, Checksums::Gdt, Checksums::None]
                [rng.usize(0..4)],
            inode_ratio: 4096 << rng.u32(0..6),
            reach: [100, 100, rng.u8(0..100)][rng.usize(0..3)],
            fill: [50, 100, rng.u8(0..=100)][rng.usize(0..3)],
            files: (0..rng.usize(1..3)).map(|_| kind(rng)).collect(),
            is_varied: rng.bool(),
            is_unwritten: rng.bool(),
            seed: rng.u64(..),
        };
        match Scenario::new(&recipe) {
            Ok(scenario) if blocks_in_use(&scenario) < MOST_BLOCKS => return (recipe, refused),
            Ok(_) => {}
            Err(_) => refused += 1,
        }
    }
}

/// Blocks that the superblock says are in use.
fn blocks_in_use(scenario: &Scenario) -> u64 {
    let fs = Filesystem::open(scenario, OpenOptions::default()).expect("it opens");
    fs.superblock().blocks_count() - fs.superblock().free_blocks_count()
}

#[test]
fn random_scenarios_are_sound() {
    if !tool::have(&["e2fsck", "dumpe2fs"], "random_scenarios_are_sound") {
        return;
    }
    let mut rng = Rng::with_seed(chance::seed(asked().is_some()));
    let (recipes, refused): (Vec<_>, Vec<_>) =
        (0..asked().unwrap_or(24)).map(|_| random(&mut rng)).unzip();
    let refused: u64 = refused.into_iter().sum();
    let held = recipes.len() as u64;
    assert!(refused <= held, "{refused} are refused for {held} that are held");
    hold_all(&recipes.iter().map(ToString::to_string).collect::<Vec<_>>());
}

#[test]
fn every_setting_goes_with_the_defaults_of_the_others() {
    for text in ["cluster=64", "cluster=256", "block=1k", "block=64k", "flex=1024", "csum=none"] {
        for size in ["129m", "1g", "1t"] {
            let text = format!("size={size},{text}");
            let made = Scenario::new(&text.parse().expect("a recipe"));
            assert!(made.is_ok(), "{text}: {made:?}");
        }
    }
}

#[test]
fn what_would_take_long_to_open_is_refused_at_once_with_what_would_not() {
    let made = |text: &str| Scenario::new(&text.parse().expect("a recipe"));
    for (text, hint) in [
        ("size=1p,block=1k", "block=64k"),
        ("size=1p", "cluster=64"),
        ("size=129t,fill=0", "cluster=64"),
        ("size=16t,files=1x8,inodes=16k", "extents longer"),
    ] {
        let error = made(text).expect_err(text);
        assert!(error.hint().is_some_and(|told| told.contains(hint)), "{text}: {error:?}");
    }
    for text in ["size=128t,fill=0", "size=1p,block=64k", "size=1p,cluster=8", "size=1t,files=1x8"]
    {
        let made = made(text);
        assert!(made.is_ok(), "{text}: {made:?}");
    }
}

#[test]
fn a_piece_has_the_same_bytes_as_the_whole() {
    let mut rng = Rng::with_seed(chance::seed(false));
    for text in ["size=20m,block=1k,fill=70,files=3x9", "half-full,size=300m,files=2x7"] {
        let scenario = Scenario::new(&text.parse().expect("a recipe")).expect("a scenario");
        let mut whole = vec![0; scenario.len() as usize];
        scenario.read_at(0, &mut whole).expect("all of it");
        for _ in 0..2000 {
            let start = rng.usize(0..whole.len());
            let end = (start + [1, 17, 4096, 70_000][rng.usize(0..4)]).min(whole.len());
            let mut piece = vec![0xa5; end - start];
            scenario.read_at(start as u64, &mut piece).expect("a piece");
            assert!(piece == whole[start..end], "{text}: bytes {start} to {end}");
        }
        assert!(scenario.read_at(whole.len() as u64 - 1, &mut [0; 2]).is_err());
    }
}

#[test]
fn outside_of_what_is_written_there_are_zeros() {
    let scenario = Scenario::new(&"size=200m,block=1k,flex=4".parse().expect("a recipe"));
    let scenario = scenario.expect("a scenario");
    let mut end = 0;
    for range in scenario.written().map(|range| range.expect("a range")) {
        let mut between = vec![0xa5; (range.start - end) as usize];
        scenario.read_at(end, &mut between).expect("inside");
        assert!(between.iter().all(|byte| *byte == 0), "bytes {end} to {}", range.start);
        end = range.end;
    }
}

#[test]
fn bitmaps_are_as_full_as_was_asked_for() {
    for (fill, reach) in [(0, 100), (30, 100), (97, 100), (100, 50)] {
        let text = format!("size=16g,fill={fill},reach={reach},files=64x4");
        let scenario = Scenario::new(&text.parse().expect("a recipe")).expect("a scenario");
        let fs = Filesystem::open(&scenario, OpenOptions::default()).expect("it opens");
        let used: u64 = (0..fs.groups().len())
            .map(|group| fs.bitmap(BitmapKind::Block, extscope::units::Group::new(group)))
            .map(|bitmap| bitmap.expect("a bitmap").bits().count())
            .sum();
        let blocks = fs.geometry().blocks_count();
        assert_eq!(blocks - used, fs.superblock().free_blocks_count(), "{text}");
        let share = used * 100 / blocks;
        assert!(share.abs_diff(fill * reach / 100) <= 3, "{text}: {share} % in use");
    }
}
