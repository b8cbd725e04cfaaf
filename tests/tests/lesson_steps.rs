//! A shrink and a check told step by step. That the steps of a shrink lead to its bitmaps is held
//! against every plan of `oracle_shrink`.

use extscope::bitmap::Bits as _;
use extscope::check::{
    Check, CheckMaps, CheckOptions, CheckStep, CheckSteps, ClusterUse, InodeUse, Pass,
};
use extscope::fs::{BitmapKind, Filesystem, OpenOptions};
use extscope::io::ByteSource;
use extscope::resize::{
    ClusterState, Like, Request, ShrinkPhase, ShrinkPlan, ShrinkStep, ShrinkSteps, Target,
};
use extscope::scenario::{Recipe, Scenario};
use extscope::task::{Step, Task as _, run_to_end};
use extscope::units::Group;
use extscope::{Error, ErrorKind};
use fastrand::Rng;

/// Files everywhere, and no group that was never written.
const SMALL: &str = "size=8m,block=1k,csum=none,inodes=16k,reach=100,files=24x1,varied=no";

fn scenario(recipe: &str) -> Scenario {
    Scenario::new(&recipe.parse::<Recipe>().expect("a recipe")).expect("there is one")
}

fn bytes(recipe: &str) -> Vec<u8> {
    let scenario = scenario(recipe);
    let mut bytes = vec![0; scenario.len() as usize];
    scenario.read_at(0, &mut bytes).expect("made up");
    bytes
}

fn shrink_steps(recipe: &str, blocks: u64) -> Result<ShrinkSteps, Error> {
    let fs = Filesystem::open(scenario(recipe), OpenOptions::default())?;
    let target = Target::Blocks(blocks);
    let request = Request { target, force: true, like: Like::default() };
    let plan = run_to_end(ShrinkPlan::new(&fs, request))?;
    plan.changes.expect("it can be shrunk").steps()
}

#[test]
fn phases_of_a_shrink_come_in_order_and_each_does_its_part() {
    let recipe = "size=32m,block=1k,flex=1,inodes=32k,reach=100,fill=30,files=160x1,varied=no";
    let steps = shrink_steps(recipe, 16 << 10).expect("it is small");
    let is_phase = |step: &ShrinkStep| matches!(step, ShrinkStep::Phase(_));
    let phases: Vec<_> = steps.steps.iter().copied().filter(is_phase).collect();
    assert_eq!(phases, ShrinkPhase::ALL.map(ShrinkStep::Phase));
    let count = |is: fn(&ShrinkStep) -> bool| steps.steps.iter().filter(|it| is(it)).count();
    assert_eq!(count(|step| matches!(step, ShrinkStep::DropGroup(_))), 2);
    assert!(count(|step| matches!(step, ShrinkStep::Copy(_))) > 0);
    let inodes = count(|step| matches!(step, ShrinkStep::Inode(_)));
    assert!(inodes > 0 && count(|step| matches!(step, ShrinkStep::Entry { .. })) >= inodes);
    assert_eq!(steps.steps.last(), Some(&ShrinkStep::Cut));
    let after = steps.after(usize::MAX);
    assert!(after.clusters.iter().skip(16 << 10).all(|state| *state == ClusterState::Free));
    assert_eq!(steps.after(0), steps.before);
    println!("{} steps", steps.steps.len());
}

#[test]
fn what_cannot_be_drawn_block_by_block_is_refused() {
    let error = shrink_steps("size=256m,block=1k,reach=0", 100 << 10).expect_err("too large");
    assert_eq!(error.kind(), ErrorKind::Limit);
}

/// The steps of a thorough check, unless it cannot begin.
fn check_steps(image: &[u8]) -> Option<CheckSteps> {
    let mut check = Check::new(image, CheckOptions::default()).recorded();
    while check.step().expect("it ends") == Step::More {}
    check.take_steps()
}

/// Holds what the steps lead to against what later passes said of it.
fn assert_followed(image: &[u8], steps: &CheckSteps) {
    let maps = steps.after(usize::MAX);
    let fs = Filesystem::open(image, OpenOptions::default()).expect("it was checked");
    let (mut links, mut up, mut compared) = (0, 0, 0);
    for step in &steps.steps {
        let known = |ino: u32| maps.inodes[ino as usize];
        match *step {
            CheckStep::Links { ino, links: stored, counted } => {
                assert_eq!((known(ino.get()).links, known(ino.get()).refs), (stored, counted));
                links += 1;
            }
            CheckStep::Up { ino, parent } => {
                assert_eq!(known(ino.get()).parent, parent, "{ino}");
                up += 1;
            }
            CheckStep::Compare { kind, group, differing } => {
                let bitmap = fs.bitmap(kind, group).expect("without checksums");
                let disk = bitmap.bits();
                let first = match kind {
                    BitmapKind::Block => {
                        let first = fs.geometry().group_first_fsblk(group);
                        fs.geometry().cluster_from_fsblk(first).expect("inside").get()
                    }
                    BitmapKind::Inode => {
                        fs.geometry().group_first_ino(group).expect("inside").get().into()
                    }
                };
                let differs = |bit: &u64| disk.test(*bit) != is_set(&maps, kind, first + bit);
                let count = (0..disk.len()).filter(differs).count() as u64;
                assert_eq!(count, differing, "{kind:?} bitmap of group {group}");
                compared += 1;
            }
            _ => {}
        }
    }
    assert_eq!(compared, 2 * fs.groups().len(), "each bitmap is compared once");
    assert!(links > 0 && up > 0);
}

fn is_set(maps: &CheckMaps, kind: BitmapKind, bit: u64) -> bool {
    let bit = bit as usize;
    match kind {
        BitmapKind::Block => maps.clusters[bit] != ClusterUse::Unknown,
        BitmapKind::Inode => maps.inodes[bit].is != InodeUse::Free,
    }
}

#[test]
fn the_steps_of_a_check_lead_to_the_maps_that_its_later_passes_use() {
    let image = bytes(SMALL);
    let steps = check_steps(&image).expect("it is sound");
    assert_followed(&image, &steps);
    let pass = |step: &CheckStep| if let CheckStep::Pass(pass) = step { Some(*pass) } else { None };
    let passes: Vec<_> = steps.steps.iter().filter_map(pass).collect();
    let all = [Pass::Zero, Pass::One, Pass::Two, Pass::Three, Pass::Four, Pass::Five, Pass::End];
    assert_eq!(passes, all);
    let maps = steps.after(usize::MAX);
    assert!(maps.groups.iter().all(|group| *group == [Some(0); 2]));
    assert_eq!(maps.problems, 0);
}

#[test]
fn so_do_those_of_a_check_of_damaged_ones() {
    let sound = bytes(SMALL);
    let fs = Filesystem::open(&*sound, OpenOptions::default()).expect("it is sound");
    let table =
        fs.group(Group::new(0)).expect("there is one").desc.inode_table.get() as usize * 1024;
    let inode_size = fs.geometry().inode_size() as usize;
    let mut rng = Rng::with_seed(20_121_122);
    let (mut problems, mut shared) = (0, 0);
    for _ in 0..40 {
        let mut image = sound.clone();
        for _ in 0..12 {
            // Behind the superblock and the descriptors: bitmaps, inode tables, directories; and
            // the maps of the first files.
            let anywhere = rng.usize(4096..200 << 10);
            let in_map = table + rng.usize(11..60) * inode_size + rng.usize(40..100);
            image[anywhere] ^= 1 << rng.u8(0..8);
            image[in_map] ^= 1 << rng.u8(0..4);
        }
        let Some(steps) = check_steps(&image) else { continue };
        assert_followed(&image, &steps);
        problems += steps.after(usize::MAX).problems;
        let is_shared = |step: &&CheckStep| matches!(step, CheckStep::Shared { .. });
        shared += steps.steps.iter().filter(is_shared).count();
    }
    assert!(problems > 100 && shared > 0, "{problems} problems, {shared} shared");
}
