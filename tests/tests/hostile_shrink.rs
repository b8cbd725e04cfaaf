//! Shrinks of filesystems that lie: a plan, a reasoned refusal or an error, and never any harm.
//!
//! `EXTSCOPE_MUTATIONS` sets how many changed images are tried, `EXTSCOPE_SEED` repeats a run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use extscope::fs::{Filesystem, OpenOptions};
use extscope::io::ByteSource;
use extscope::resize::{Frame, Like, Plan, Request, ShrinkPlan, Target, minimum, settle};
use extscope::task::{Step, Task as _};
use extscope_tests::chance::{number, seed};
use extscope_tests::patched::Patched;
use extscope_tests::shapes::SHAPES;
use extscope_tests::{corpus, recipe, tool};
use fastrand::Rng;
use peak_alloc::PeakAlloc;

/// Memory is counted for the whole process, so the tests of this file take turns.
static ALONE: Mutex<()> = Mutex::new(());

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Changed images that are tried in an ordinary run.
const MUTATIONS: u64 = 400;

/// Most bytes of memory that a plan for an image of some ten MiB may cost.
const MEMORY: usize = 128 << 20;

/// What became of the plans.
#[derive(Debug, Default)]
struct Tally {
    planned: u64,
    refused: u64,
    failed: u64,
    errors: u64,
}

impl Tally {
    fn add(&mut self, plan: &extscope::Result<Plan>) {
        match plan {
            Err(error) => {
                assert!(!error.what().is_empty());
                self.errors += 1;
            }
            Ok(plan) if !plan.refusals.is_empty() => self.refused += 1,
            Ok(plan) if plan.failure.is_some() => self.failed += 1,
            Ok(plan) => {
                let changes = plan.changes.as_deref().expect("a plan that works has changes");
                let _ =
                    (plan.warnings(), changes.cost(), changes.scans(), changes.moves_in_order());
                let runs = settle(changes, plan.request.like).expect("sizes get smaller");
                assert!(runs.is_sorted_by(|a, b| a > b), "{runs:?}");
                self.planned += 1;
            }
        }
    }
}

/// Plans a shrink in a bounded number of steps.
fn plan<S: ByteSource>(fs: &Filesystem<S>, request: Request) -> extscope::Result<Plan> {
    let mut task = ShrinkPlan::new(fs, request);
    // A step is thousands of groups or inodes, and no image here has a million.
    for _ in 0..20_000 {
        if let Step::Done(plan) = task.step()? {
            return Ok(plan);
        }
    }
    panic!("the plan does not end");
}

/// Plans shrinks to some sizes.
fn plan_all(source: impl ByteSource, rng: &mut Rng, tally: &mut Tally) {
    let Ok(fs) = Filesystem::open(source, OpenOptions::default()) else { return };
    if let Ok(frame) = Frame::of(&fs) {
        let _ = minimum(&frame);
    }
    let blocks = fs.geometry().blocks_count();
    for target in [
        Target::Minimum,
        Target::Blocks(blocks / 2 + rng.u64(0..100)),
        Target::Blocks(rng.u64(0..blocks.max(1))),
    ] {
        let like = if rng.bool() { Like::V1_47_0 } else { Like::V1_47_4 };
        tally.add(&plan(&fs, Request { target, force: rng.u8(0..4) > 0, like }));
    }
}

#[test]
fn every_image_of_the_corpus_is_planned_or_refused() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = corpus::folder("shrinking the corpus") else { return };
    let mut tally = Tally::default();
    let mut rng = Rng::with_seed(1);
    for image in &corpus::images(&folder) {
        let bytes = corpus::unpack(image);
        let outcome =
            catch_unwind(AssertUnwindSafe(|| plan_all(bytes.as_slice(), &mut rng, &mut tally)));
        if let Err(cause) = outcome {
            panic!("{}: {}", corpus::name(image), recipe::message(&*cause));
        }
    }
    println!("{tally:?}");
    assert!(tally.planned > 100 && tally.refused > 50, "{tally:?}");
}

#[test]
fn the_images_of_resize2fs_itself_are_planned() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = corpus::folder("the images of resize2fs") else { return };
    let images = corpus::images(&folder);
    let own: Vec<_> = images.iter().filter(|image| corpus::name(image).starts_with("r_")).collect();
    assert!(!own.is_empty(), "the corpus has images of resize2fs");
    for image in own {
        let fs = Filesystem::open(corpus::unpack(image), OpenOptions::default()).expect("it opens");
        let request = Request { target: Target::Minimum, force: false, like: Like::V1_47_0 };
        let plan = plan(&fs, request).expect("a plan can be made");
        let name = corpus::name(image);
        assert!(plan.changes.is_some() || !plan.refusals.is_empty(), "{name}: {plan:?}");
    }
}

#[test]
fn changed_images_are_planned_or_refused() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !tool::have(&["mke2fs", "debugfs", "dumpe2fs", "e2fsck"], "shrinking changed images") {
        return;
    }
    let folder = recipe::scratch();
    let bases: Vec<_> = SHAPES
        .iter()
        .filter(|recipe| recipe.kib <= 64 << 10)
        .map(|recipe| {
            let image = recipe.make(folder.path());
            let bytes = std::fs::read(&image).expect("the image can be read");
            let used: Vec<usize> = (0..bytes.len() / 1024)
                .filter(|at| bytes[at * 1024..(at + 1) * 1024].iter().any(|byte| *byte != 0))
                .take(1500)
                .collect();
            std::fs::remove_file(image).expect("the image can be removed");
            (recipe.name, bytes, used)
        })
        .collect();
    let asked = number("EXTSCOPE_MUTATIONS");
    let (seed, mutations) = (seed(asked.is_some()), asked.unwrap_or(MUTATIONS));
    let mut tally = Tally::default();
    for index in 0..mutations {
        let seed = seed.wrapping_add(index);
        let mut rng = Rng::with_seed(seed);
        let (name, bytes, used) = &bases[rng.usize(0..bases.len())];
        let mut image = Patched::new(bytes);
        for _ in 0..rng.u8(1..=4) {
            // The superblock and what follows it are hit as often as all else.
            let unit = if rng.bool() {
                used[rng.usize(0..used.len().min(8))]
            } else {
                used[rng.usize(0..used.len())]
            };
            let at = unit * 1024 + rng.usize(0..256) * 4;
            match rng.u8(0..4) {
                0 => image.patch(at, &[0; 4]),
                1 => image.patch(at, &[0xff; 4]),
                2 => image.patch(at, &rng.u16(0..2000).to_le_bytes()),
                _ => image.patch(at, &rng.u32(..).to_le_bytes()),
            }
        }
        let before = ALLOCATED.current_usage();
        ALLOCATED.reset_peak_usage();
        let outcome =
            catch_unwind(AssertUnwindSafe(|| plan_all(image.clone(), &mut rng, &mut tally)));
        let taken = ALLOCATED.peak_usage().saturating_sub(before);
        let again = format!("{name}: EXTSCOPE_SEED={seed} EXTSCOPE_MUTATIONS=1");
        if let Err(cause) = outcome {
            panic!("{}; {again}", recipe::message(&*cause));
        }
        assert!(taken < MEMORY, "{taken} bytes of memory; {again}");
    }
    println!("{tally:?}");
}
