//! A small filesystem made in memory, and the answers that it gives, for the tests of the page.

use std::rc::Rc;

use extscope::check::{Check, CheckOptions};
use extscope::fs::{Filesystem, OpenOptions};
use extscope::io::Overlay;
use extscope::ondisk::{RawGroupDesc, SUPER_MAGIC, SUPERBLOCK_BYTES, Superblock};
use extscope::resize::ShrinkPlan;
use extscope::scenario::{Recipe, Scenario};
use extscope::task::{Step, Task as _};
use extscope::units::{Fsblk, Group};
use extscope::{Error, task};
use zerocopy::IntoBytes;

use super::{
    Activity, Bench, BitmapDetail, BitmapKind, BitmapOrigin, CsumState, DiskReport, Flip,
    GroupColumns, GroupDetail, GroupReport, GroupRow, InfoReport, Lab, LabOn, LabOrder, LabReport,
    Like, Opened, PartitionReport, ShrinkRequest, StepsReport, Target, Told,
};

/// Bytes of a block.
const BLOCK: usize = 1024;

/// Block of a group's block bitmap; the inode bitmap follows it, then the inode table.
const BITMAP: usize = 4;

/// The scenario that a recipe leads to.
pub(crate) fn made(recipe: &Recipe) -> Result<Scenario, Error> {
    Scenario::new(recipe)
}

/// `groups` groups of 8192 blocks of 1 KiB, each with the first `10 + group` blocks in use.
pub(crate) fn image(groups: u32) -> Rc<Vec<u8>> {
    let blocks = groups as usize * 8192 + 1;
    let mut bytes = vec![0; blocks * BLOCK];
    let mut superblock = Superblock::from_prefix(&[0; SUPERBLOCK_BYTES]).expect("long enough");
    superblock.s_magic.set(SUPER_MAGIC);
    superblock.s_rev_level.set(1);
    superblock.s_blocks_count_lo.set(blocks as u32);
    superblock.s_first_data_block.set(1);
    superblock.s_blocks_per_group.set(8192);
    superblock.s_clusters_per_group.set(8192);
    superblock.s_inodes_per_group.set(16);
    superblock.s_inodes_count.set(16 * groups);
    superblock.s_inode_size.set(128);
    superblock.s_volume_name[..4].copy_from_slice(b"test");
    bytes[BLOCK..][..SUPERBLOCK_BYTES].copy_from_slice(superblock.as_bytes());
    for group in 0..groups as usize {
        let bitmap = 1 + group * 8192 + BITMAP;
        let mut desc = RawGroupDesc::from_bytes(&[]);
        desc.bg_block_bitmap_lo.set(bitmap as u32);
        desc.bg_inode_bitmap_lo.set(bitmap as u32 + 1);
        desc.bg_inode_table_lo.set(bitmap as u32 + 2);
        desc.bg_free_blocks_count_lo.set(8192 - 10 - group as u16);
        bytes[2 * BLOCK + group * 32..][..32].copy_from_slice(&desc.as_bytes()[..32]);
        for bit in 0..10 + group {
            bytes[bitmap * BLOCK + bit / 8] |= 1 << (bit % 8);
        }
    }
    Rc::new(bytes)
}

/// [`image`] of one group with a root, in which `names` names are one file that holds `hello`.
pub(crate) fn image_with_files(names: u16) -> Rc<Vec<u8>> {
    let (root, file) = (100, 101);
    let mut bytes = image(1).to_vec();
    let mut inode = |ino: usize, mode: u16, size: u32, links: u16, block: u8| {
        let at = (1 + BITMAP + 2) * BLOCK + (ino - 1) * 128;
        bytes[at..][..2].copy_from_slice(&mode.to_le_bytes());
        bytes[at + 4..][..4].copy_from_slice(&size.to_le_bytes());
        bytes[at + 26..][..2].copy_from_slice(&links.to_le_bytes());
        bytes[at + 28] = 2;
        bytes[at + 40] = block;
    };
    inode(2, 0o040_755, BLOCK as u32, 2, root);
    inode(12, 0o100_644, 5, names, file);
    bytes[usize::from(file) * BLOCK..][..5].copy_from_slice(b"hello");
    let mut at = usize::from(root) * BLOCK;
    let end = at + BLOCK;
    for name in 0..names {
        let len = if name + 1 == names { (end - at) as u16 } else { 12 };
        bytes[at] = 12;
        bytes[at + 4..][..2].copy_from_slice(&len.to_le_bytes());
        bytes[at + 6] = 3;
        bytes[at + 8..][..3].copy_from_slice(format!("f{name:02}").as_bytes());
        at += 12;
    }
    Rc::new(bytes)
}

fn filesystem(groups: u32) -> Filesystem<Rc<Vec<u8>>> {
    Filesystem::open(image(groups), OpenOptions::default()).expect("it is a filesystem")
}

/// What is told when [`image`] was opened.
pub(crate) fn opened(groups: u32) -> Opened {
    let filesystem = filesystem(groups);
    let rows = filesystem.groups().iter().map(|(_, entry)| GroupRow::from(entry));
    Opened {
        info: InfoReport::new(&filesystem),
        geometry: *filesystem.geometry(),
        groups: GroupColumns::from_rows(rows).into(),
        replay: None,
        activity: Activity::default(),
    }
}

/// What is told of a group of [`image`], with bitmaps of 64 bits.
pub(crate) fn group_detail(group: Group) -> GroupDetail {
    let filesystem = filesystem(group.get() + 1);
    let bitmap = BitmapDetail {
        fsblk: Fsblk::new(5),
        origin: BitmapOrigin::Read,
        csum: CsumState::None,
        csum_stored: None,
        csum_expected: None,
        bits: 64,
        bytes: vec![0xff, 1, 0, 0, 0, 0, 0, 0x80],
    };
    GroupDetail {
        group,
        report: GroupReport::new(&filesystem, group).expect("there is such a group"),
        descriptor: Vec::new(),
        block_bitmap: Ok(bitmap.clone()),
        inode_bitmap: Ok(bitmap),
    }
}

/// What comes of something tried on a made-up filesystem.
pub(crate) fn lab_report(order: &LabOrder) -> LabReport {
    let LabOn::Bench(bench) = order.on else { panic!("on a made-up one") };
    let recipe: Recipe = bench.recipe().parse().expect("a recipe");
    let scenario = made(&recipe).expect("there is one");
    let filesystem = Filesystem::open(scenario, OpenOptions::default()).expect("it opens");
    let covers = order.lab.covers(&filesystem).expect("the bits are there");
    let source = Overlay::new(filesystem.reader().source().clone(), covers);
    let filesystem = Filesystem::open(&source, OpenOptions::default()).expect("it opens");
    let check = task::run_to_end(Check::new(&source, CheckOptions::default())).expect("it ends");
    LabReport::new(&filesystem, order.lab.group, check).expect("there is such a group")
}

/// A disk of 2 MiB with a partition of another kind, some room, and one with [`image`].
pub(crate) fn disk() -> DiskReport {
    let partition = |number: u32, offset: u64, contents: &str, is_ext| PartitionReport {
        number,
        offset,
        bytes: 512 << 10,
        first_sector: offset / 512,
        name: String::new(),
        purpose: "Linux".into(),
        contents: contents.into(),
        volume_name: if is_ext { "test".into() } else { String::new() },
        is_ext,
        note: (!is_ext).then(|| "not an ext filesystem".into()),
    };
    DiskReport {
        table: "GPT".into(),
        sector_bytes: 512,
        disk_bytes: 2 << 20,
        partitions: vec![
            partition(1, 0, "FAT filesystem", false),
            partition(2, 1 << 20, "ext4", true),
        ],
        notes: Vec::new(),
    }
}

/// The steps of a shrink of a made-up filesystem to its half.
pub(crate) fn shrink_steps() -> StepsReport {
    let recipe: Recipe = Bench::SHRUNK.parse().expect("a recipe");
    let fs = Filesystem::open(made(&recipe).expect("there is one"), OpenOptions::default());
    let fs = fs.expect("it opens");
    let target = Target::Blocks(fs.geometry().blocks_count() / 2);
    let request = ShrinkRequest { target, force: true, like: Like::default() };
    let plan = task::run_to_end(ShrinkPlan::new(&fs, request)).expect("it ends");
    let steps = plan.changes.expect("it can be shrunk").steps().expect("it is small");
    StepsReport::new(fs.geometry(), Told::Shrink(steps))
}

/// The steps of a check of a made-up filesystem, with bits of the first block bitmap turned round.
pub(crate) fn check_steps(bits: &[u32]) -> StepsReport {
    let recipe: Recipe = Bench::Checksums.recipe().parse().expect("a recipe");
    let fs = Filesystem::open(made(&recipe).expect("there is one"), OpenOptions::default());
    let fs = fs.expect("it opens");
    let flips = bits.iter().map(|bit| Flip { kind: BitmapKind::Block, bit: *bit }).collect();
    let lab = Lab { group: Group::new(0), flips, mends_csums: true };
    let covers = lab.covers(&fs).expect("the bits are there");
    let source = Overlay::new(fs.reader().source().clone(), covers);
    let mut check = Check::new(&source, CheckOptions::default()).recorded();
    while check.step().expect("it ends") == Step::More {}
    let steps = check.take_steps().expect("it began");
    StepsReport::new(fs.geometry(), Told::Check(steps))
}
