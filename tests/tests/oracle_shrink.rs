//! Plans of a shrink against the real `resize2fs`, bit for bit.
//!
//! `EXTSCOPE_SHRINKS=500` tries so many random images, `EXTSCOPE_SEED` repeats a run, and
//! `EXTSCOPE_SHRINKS=all` shrinks every fixture to five sizes. Without them a few of each are tried.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use extscope::ondisk::features::RoCompat;
use extscope::resize::{Frame, Like, Request, Target, minimum};
use extscope_tests::shrink::compare::{Seen, compare, open};
use extscope_tests::shrink::fixtures::FIXTURES;
use extscope_tests::shrink::maker::Maker;
use extscope_tests::shrink::random::{self, RandomImage};
use extscope_tests::{recipe, tool};
use fastrand::Rng;
use rayon::prelude::*;

const TOOLS: [&str; 6] = ["mke2fs", "debugfs", "e2fsck", "tune2fs", "resize2fs", "dumpe2fs"];

/// Random images in an ordinary run.
const IMAGES: u64 = 8;

/// What `EXTSCOPE_SHRINKS` says.
fn asked() -> Option<String> {
    std::env::var("EXTSCOPE_SHRINKS").ok()
}

fn seed() -> u64 {
    let seed = std::env::var("EXTSCOPE_SEED").ok();
    let seed = seed.map_or_else(|| fastrand::u64(..), |text| text.parse().expect("a number"));
    println!("EXTSCOPE_SEED={seed}");
    seed
}

/// The estimate, and sizes between it and the present one.
fn targets(maker: &Maker, rng: &mut Rng, count: usize) -> Vec<(Target, bool)> {
    let fs = open(maker.image());
    let force = fs.features().ro_compat.contains(RoCompat::BIGALLOC);
    let blocks = fs.geometry().blocks_count();
    let per_group = u64::from(fs.geometry().blocks_per_group());
    let minimum = minimum(&Frame::of(&fs).expect("a filesystem")).blocks;
    let mut more: Vec<u64> = [
        minimum + (blocks - minimum) / 3,
        blocks - per_group / 2,
        blocks.saturating_sub(7 * per_group / 3),
        minimum + (blocks - minimum) * 3 / 5,
    ]
    .into_iter()
    .filter(|size| *size >= minimum && *size < blocks)
    .collect();
    rng.shuffle(&mut more);
    let more = more.into_iter().map(Target::Blocks);
    std::iter::once(Target::Minimum).chain(more).take(count).map(|to| (to, force)).collect()
}

/// Compares an image at several sizes; gives what differs.
fn differences(maker: &Maker, targets: &[(Target, bool)], seen: &Mutex<Seen>) -> Vec<String> {
    let mut all = Vec::new();
    for (target, force) in targets {
        let request = Request { target: *target, force: *force, like: Like::V1_47_0 };
        let copy = maker.folder().join("copy");
        let (found, differences) = compare(maker.image(), &copy, request);
        seen.lock().expect("no test failed").add(found);
        all.extend(differences.into_iter().map(|what| format!("{target:?}, -f {force}: {what}")));
    }
    all
}

fn assert_same(failures: &[String]) {
    let first: Vec<_> = failures.iter().take(40).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), first.join("\n"));
}

#[test]
fn every_fixture_is_shrunk_as_planned() {
    if !tool::have(&TOOLS, "shrinking the fixtures") {
        return;
    }
    let count = if asked().as_deref() == Some("all") { 5 } else { 2 };
    let only = std::env::var("EXTSCOPE_ONLY").unwrap_or_default();
    let (seed, seen) = (seed(), Mutex::new(Seen::default()));
    let chosen = FIXTURES.par_iter().enumerate().with_max_len(1);
    let failures: Vec<String> = chosen
        .filter(|(_, (name, _))| name.contains(&only))
        .flat_map_iter(|(index, (name, make))| {
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let maker = Maker::default();
                make(&maker);
                let mut rng = Rng::with_seed(seed.wrapping_add(index as u64));
                differences(&maker, &targets(&maker, &mut rng, count), &seen)
            }));
            let found = outcome.unwrap_or_else(|cause| vec![recipe::message(&*cause).to_owned()]);
            found.into_iter().map(move |what| format!("{name}: {what}"))
        })
        .collect();
    assert_same(&failures);
    let seen = seen.into_inner().expect("no test failed");
    println!("{seen:?}");
    assert!(!only.is_empty() || seen.blocks > 10_000 && seen.inodes > 50 && seen.nodes > 5);
}

#[test]
fn random_images_are_shrunk_as_planned() {
    if !tool::have(&TOOLS, "shrinking random images") {
        return;
    }
    let images = asked().and_then(|text| text.parse().ok()).unwrap_or(IMAGES);
    let (seed, seen) = (seed(), Mutex::new(Seen::default()));
    let failures: Vec<String> = (0..images)
        .into_par_iter()
        .flat_map_iter(|index| {
            // Each image has a seed of its own, so that one can be looked at alone.
            let seed = seed.wrapping_add(index);
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let mut rng = Rng::with_seed(seed);
                let image = RandomImage::new(&mut rng);
                let maker = Maker::default();
                if !image.make(&maker, &mut rng) {
                    return Vec::new();
                }
                let targets = random::targets(&maker, &mut rng);
                let found = differences(&maker, &targets, &seen);
                found.into_iter().map(|what| format!("{image:?} {what}")).collect()
            }));
            let found = outcome.unwrap_or_else(|cause| vec![recipe::message(&*cause).to_owned()]);
            found
                .into_iter()
                .map(move |what| format!("EXTSCOPE_SEED={seed} EXTSCOPE_SHRINKS=1: {what}"))
        })
        .collect();
    assert_same(&failures);
    let seen = seen.into_inner().expect("no test failed");
    println!("{seen:?}");
    assert!(images < IMAGES || seen.shrunk >= images, "{seen:?}");
}
