//! Images that lie: good ones with bytes changed, and superblocks made up from nothing.
//!
//! Whatever they say, the engine neither panics nor hangs nor takes more memory than an image of
//! that length may cost.
//!
//! `EXTSCOPE_MUTATIONS` sets how many changed images are tried, `EXTSCOPE_SEED` repeats a run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use extscope::analysis::GroupStats;
use extscope::fs::{GroupEntry, OpenOptions};
use extscope::io::ByteSource as _;
use extscope::limits;
use extscope::ondisk::{Field, RawGroupDesc, SUPERBLOCK_OFFSET, Superblock};
use extscope_tests::chance::{number, seed};
use extscope_tests::matrix::MATRIX;
use extscope_tests::patched::Patched;
use extscope_tests::{recipe, tool, whole};
use fastrand::Rng;
use peak_alloc::PeakAlloc;
use proptest::prelude::*;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Most bytes that going through an image may cost: what is kept of each group that an image of
/// this length has room to describe, in 32 bytes each, and of 65536 in any case; and buffers.
fn most_bytes(image_len: u64) -> usize {
    const KEPT: usize = size_of::<GroupEntry>() + size_of::<GroupStats>();
    const BUFFERS: usize = 16 << 20;
    let groups = usize::try_from(image_len / 32).expect("a test's image fits into memory");
    groups.max(limits::GROUPS_WITHOUT_DESC as usize) * KEPT + BUFFERS
}

/// Changed images that are tried in an ordinary run.
const MUTATIONS: u32 = 2000;

/// Images to change: where every structure lies elsewhere.
const BASES: &[&str] = &[
    "ext2_1k",
    "ext4_2k",
    "groups_of_256",
    "meta_bg_32bit",
    "first_meta_bg",
    "uninit_bg",
    "desc_128",
    "bigalloc_no_flex",
    "sparse_super2_2",
    "ext4_64k",
];

/// The memory in use is that of the whole process, so tests of this file take turns.
static TURN: Mutex<()> = Mutex::new(());

/// Goes through an image, and says what it panicked with or that it took too much memory.
fn survives(source: &Patched<'_>, options: OpenOptions) -> Result<(), String> {
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let outcome = catch_unwind(AssertUnwindSafe(|| whole::go_through(source.clone(), options)));
    let taken = ALLOCATED.peak_usage().saturating_sub(before);
    match outcome {
        Err(cause) => Err(recipe::message(&*cause).to_owned()),
        Ok(_) if taken > most_bytes(source.len()) => Err(format!("{taken} bytes of memory")),
        Ok(_) => Ok(()),
    }
}

/// A value that is likely to be mistaken: a border, a power of two, a neighbour, anything.
fn awkward(rng: &mut Rng, len: usize, now: u64) -> u64 {
    let value = match rng.u8(0..8) {
        0 => 0,
        1 => 1,
        2 => u64::MAX,
        3 => u64::MAX >> 1,
        4 => 1 << rng.u32(0..64),
        5 => now.wrapping_add(1),
        6 => now.wrapping_sub(1),
        _ => rng.u64(..),
    };
    // The same field in a wider place keeps its low bytes.
    value & u64::MAX >> (64 - 8 * len.clamp(1, 8))
}

/// Changes one field of a structure that starts at `at`.
fn change_field(rng: &mut Rng, image: &mut Patched<'_>, at: usize, fields: &[Field]) {
    let field = fields[rng.usize(0..fields.len())];
    let (offset, len) = (at + field.offset, field.len.min(8));
    let now = (0..len).rev().fold(0, |n, i| n << 8 | u64::from(image.byte(offset + i)));
    let value = awkward(rng, len, now);
    image.patch(offset, &value.to_le_bytes()[..len]);
}

/// Changes an image in one to four places.
fn mutate<'a>(rng: &mut Rng, base: &'a [u8]) -> Patched<'a> {
    let mut image = Patched::new(base);
    let superblock = SUPERBLOCK_OFFSET as usize;
    // The descriptors follow the block that holds the superblock.
    let block_size = 1024 << base[superblock + 24];
    let descriptors = (superblock / block_size + 1) * block_size;
    for _ in 0..rng.u8(1..=4) {
        match rng.u8(0..16) {
            0..8 => change_field(rng, &mut image, superblock, Superblock::FIELDS),
            8..12 => {
                let at = descriptors + rng.usize(0..64) * 32;
                change_field(rng, &mut image, at, RawGroupDesc::FIELDS);
            }
            12 => image.patch(superblock + rng.usize(0..1024), &[rng.u8(..)]),
            13 => image.patch(descriptors + rng.usize(0..4096), &rng.u64(..).to_le_bytes()),
            14 => image.patch(rng.usize(0..base.len()), &[rng.u8(..); 100]),
            _ => image.truncate(rng.usize(0..base.len())),
        }
    }
    image
}

#[test]
fn changed_images_are_gone_through_without_harm() {
    if !tool::have(&["mke2fs", "debugfs", "dumpe2fs"], "changed images") {
        return;
    }
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = recipe::scratch();
    let bases: Vec<Vec<u8>> = BASES
        .iter()
        .map(|name| {
            let recipe = MATRIX.iter().find(|recipe| recipe.name == *name);
            let path = recipe.unwrap_or_else(|| panic!("no recipe {name}")).make(folder.path());
            let mut bytes = std::fs::read(path).expect("the image can be read");
            // What changes lie in is at the start; the rest only takes memory.
            bytes.truncate(8 << 20);
            bytes
        })
        .collect();
    let asked = number("EXTSCOPE_MUTATIONS");
    let (seed, mutations) = (seed(asked.is_some()), asked.unwrap_or(MUTATIONS.into()));
    for index in 0..mutations {
        // Each image has a seed of its own, so that one can be looked at alone.
        let mut rng = Rng::with_seed(seed.wrapping_add(index));
        let which = rng.usize(0..bases.len());
        let image = mutate(&mut rng, &bases[which]);
        if let Err(harm) = survives(&image, OpenOptions::default()) {
            let seed = seed.wrapping_add(index);
            panic!("{}: {harm}; EXTSCOPE_SEED={seed} EXTSCOPE_MUTATIONS=1", BASES[which]);
        }
    }
}

/// Fields that arithmetic is done with.
const TELLING: &[&str] = &[
    "s_inodes_count",
    "s_blocks_count_lo",
    "s_blocks_count_hi",
    "s_first_data_block",
    "s_log_block_size",
    "s_log_cluster_size",
    "s_blocks_per_group",
    "s_clusters_per_group",
    "s_inodes_per_group",
    "s_rev_level",
    "s_first_ino",
    "s_inode_size",
    "s_feature_compat",
    "s_feature_incompat",
    "s_feature_ro_compat",
    "s_reserved_gdt_blocks",
    "s_desc_size",
    "s_first_meta_bg",
    "s_log_groups_per_flex",
    "s_backup_bgs",
    "s_checksum_type",
];

/// Values that make a superblock plausible enough to get past the first look, or not at all.
fn value() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => 0_u64..10,
        4 => (0_u32..33).prop_map(|bit| 1 << bit),
        2 => (0_u32..33).prop_map(|bit| (1 << bit) - 1),
        2 => 0_u64..1 << 16,
        1 => any::<u64>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn made_up_superblocks_are_gone_through_without_harm(
        values in prop::collection::vec(value(), TELLING.len()),
        sane in prop::collection::vec(any::<bool>(), TELLING.len()),
        fill in any::<u8>(),
        kib in 2_usize..600,
        superblock in prop::option::of(0_u64..20),
    ) {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = vec![fill; kib * 1024];
        let at = SUPERBLOCK_OFFSET as usize;
        let len = bytes.len().min(at + 1024);
        bytes[at..len].fill(0);
        let mut image = Patched::new(&bytes);
        image.patch(at + 0x38, &[0x53, 0xef]);
        for ((name, value), sane) in TELLING.iter().zip(values).zip(sane) {
            let field = Superblock::FIELDS.iter().find(|field| field.name == *name);
            let field = field.unwrap_or_else(|| panic!("no field {name}"));
            let value = if sane { sane_value(name) } else { value };
            image.patch(at + field.offset, &value.to_le_bytes()[..field.len.min(8)]);
        }
        let options = OpenOptions { superblock: superblock.map(extscope::units::Fsblk::new), block_size: None };
        prop_assert_eq!(survives(&image, options), Ok(()));
    }
}

/// What a filesystem of 500 blocks of 1 KiB would say.
fn sane_value(name: &str) -> u64 {
    match name {
        "s_inodes_count" | "s_inodes_per_group" => 64,
        "s_blocks_count_lo" => 500,
        "s_first_data_block" | "s_rev_level" | "s_checksum_type" => 1,
        "s_blocks_per_group" | "s_clusters_per_group" => 256,
        "s_first_ino" => 11,
        "s_inode_size" => 256,
        "s_feature_incompat" => 0x2c2,
        "s_feature_ro_compat" => 0x46b,
        "s_desc_size" => 64,
        _ => 0,
    }
}
