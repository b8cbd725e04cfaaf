//! Files that lie: inodes, nodes, directories and attributes with bytes changed.
//!
//! Whatever they say, every block is still there once, every directory and file comes to an end,
//! and memory stays in proportion to the image.
//!
//! `EXTSCOPE_MUTATIONS` sets how many changed images are tried, `EXTSCOPE_SEED` repeats a run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use extscope::analysis::{BlockClass, OwnerMap, Survey};
use extscope::fs::{DataPiece, DirWalk, FileData, Filesystem, InodeScan, OpenOptions};
use extscope::io::ByteSource;
use extscope::task::{Step, Task as _};
use extscope_tests::chance::{number, seed};
use extscope_tests::patched::Patched;
use extscope_tests::shapes::SHAPES;
use extscope_tests::{recipe, tool};
use fastrand::Rng;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Changed images that are tried in an ordinary run.
const MUTATIONS: u64 = 400;

/// Most bytes of memory that a changed image of some ten MiB may cost.
const MEMORY: usize = 64 << 20;

/// Images to change: where files are mapped, named and given attributes differently.
const BASES: [&str; 5] =
    ["shapes_ext2_1k", "shapes_ext4_1k", "shapes_inline", "shapes_bigalloc", "shapes_ea_inode"];

/// Blocks that say where other blocks, names and values lie.
const TELLING: [BlockClass; 5] = [
    BlockClass::Itable,
    BlockClass::Dir,
    BlockClass::ExtentNode,
    BlockClass::Ind,
    BlockClass::Xattr,
];

fn survey<S: ByteSource>(fs: &Filesystem<S>) -> OwnerMap {
    let mut survey = Survey::new(fs);
    // A step is thousands of items, and no image here has a million.
    for _ in 0..10_000 {
        if let Step::Done(map) = survey.step().expect("few pieces") {
            return map;
        }
    }
    panic!("the survey does not end");
}

/// Looks at every block, name, attribute and the start of every file.
fn go_through(source: impl ByteSource) {
    let fs = Filesystem::open(source, OpenOptions::default()).expect("the superblock is sound");
    let map = survey(&fs);
    let mut next = 0;
    for (run, owner) in map.runs() {
        assert_eq!(run.start, next, "{owner:?}");
        assert!(!run.is_empty(), "{owner:?}");
        next = run.end;
        if owner.class == BlockClass::MultiplyClaimed {
            let fsblk = extscope::units::Fsblk::new(run.start);
            assert!(map.claims_at(fsblk).count() > 1, "block {fsblk}");
        }
    }
    assert_eq!(next, fs.geometry().blocks_count());

    let mut scan = InodeScan::new();
    while let Some(piece) = scan.next_piece(&fs) {
        let Ok(piece) = piece else { continue };
        for inode in piece.inodes(&fs) {
            for xattr in fs.xattrs(&inode).into_iter().flatten() {
                let _ = fs.xattr_value(&xattr);
            }
            let _ = fs.symlink_target(&inode);
            if let Ok(mut walk) = DirWalk::new(&fs, &inode) {
                while let Some(block) = walk.next_block(&fs) {
                    let names = block.map_or(0, |block| block.entries().count());
                    assert!(names <= 1 << 16, "inode {}", inode.ino);
                }
            }
            let Ok(mut data) = FileData::new(&fs, &inode, 0..256 << 10) else { continue };
            let mut len = 0;
            while let Some(Ok(piece)) = data.next_piece(&fs) {
                assert!(!matches!(&piece, DataPiece::Bytes(bytes) if bytes.is_empty()));
                len += piece.len();
            }
            assert!(len <= 256 << 10, "inode {}", inode.ino);
        }
    }
}

/// Changes an image in one to four places that tell where something lies.
fn mutate<'a>(rng: &mut Rng, base: &'a [u8], places: &[usize], block_size: usize) -> Patched<'a> {
    let mut image = Patched::new(base);
    for _ in 0..rng.u8(1..=4) {
        let block = places[rng.usize(0..places.len())];
        let at = block + rng.usize(0..block_size / 4) * 4;
        match rng.u8(0..6) {
            0 => image.patch(at, &[0; 4]),
            1 => image.patch(at, &[0xff; 4]),
            2 => image.patch(at, &rng.u16(0..400).to_le_bytes()),
            // What stands elsewhere in such a block: names twice, nodes in circles.
            3 => {
                let from = places[rng.usize(0..places.len())];
                let bytes = base[from..from + block_size].to_vec();
                image.patch(block, &bytes);
            }
            4 => {
                let other = u32::try_from(places[rng.usize(0..places.len())] / block_size);
                image.patch(at, &other.expect("few blocks").to_le_bytes());
            }
            _ => image.patch(at, &rng.u32(..).to_le_bytes()),
        }
    }
    image
}

struct Base {
    name: &'static str,
    bytes: Vec<u8>,
    block_size: usize,
    /// Bytes at which telling blocks start; inode tables as far as they are used.
    places: Vec<usize>,
}

fn base(name: &'static str, folder: &Path) -> Base {
    let recipe = SHAPES.iter().find(|recipe| recipe.name == name).expect("a recipe");
    let bytes = std::fs::read(recipe.make(folder)).expect("the image can be read");
    let fs = Filesystem::open(bytes.as_slice(), OpenOptions::default()).expect("a good image");
    let block_size = fs.geometry().block_size() as usize;
    let map = survey(&fs);
    let blocks = map
        .runs()
        .filter(|(_, owner)| TELLING.contains(&owner.class))
        .flat_map(|(run, _)| run.map(|block| block as usize * block_size));
    let places: Vec<_> =
        blocks.filter(|at| bytes[*at..*at + block_size].iter().any(|byte| *byte != 0)).collect();
    Base { name, block_size, places, bytes }
}

#[test]
fn changed_files_are_gone_through_without_harm() {
    if !tool::have(&["mke2fs", "debugfs", "dumpe2fs", "e2fsck"], "changed files") {
        return;
    }
    let folder = recipe::scratch();
    let bases = BASES.map(|name| base(name, folder.path()));
    let asked = number("EXTSCOPE_MUTATIONS");
    let (seed, mutations) = (seed(asked.is_some()), asked.unwrap_or(MUTATIONS));
    for index in 0..mutations {
        // Each image has a seed of its own, so that one can be looked at alone.
        let seed = seed.wrapping_add(index);
        let mut rng = Rng::with_seed(seed);
        let base = &bases[rng.usize(0..bases.len())];
        let image = mutate(&mut rng, &base.bytes, &base.places, base.block_size);
        let before = ALLOCATED.current_usage();
        ALLOCATED.reset_peak_usage();
        let outcome = catch_unwind(AssertUnwindSafe(|| go_through(image.clone())));
        let taken = ALLOCATED.peak_usage().saturating_sub(before);
        let again = format!("{}: EXTSCOPE_SEED={seed} EXTSCOPE_MUTATIONS=1", base.name);
        if let Err(cause) = outcome {
            panic!("{}; {again}", recipe::message(&*cause));
        }
        assert!(taken < MEMORY, "{taken} bytes of memory; {again}");
    }
}
