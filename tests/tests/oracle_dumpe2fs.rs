//! Every group line against `dumpe2fs`: numbers, flags, checksums, places, free ranges.

use std::ops::RangeInclusive;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::Mutex;

use extscope::bitmap::Bits;
use extscope::fs::{BitmapKind, Filesystem, OpenOptions};
use extscope::io::FileSource;
use extscope::ondisk::BgFlags;
use extscope::units::{Fsblk, Group};
use extscope_tests::dumpe2fs::{Dump, DumpedGroup};
use extscope_tests::matrix::MATRIX;
use extscope_tests::told::{compare, told, whole_clusters};
use extscope_tests::{corpus, recipe, tool, whole};
use rayon::prelude::*;

/// Opens an image of a file.
fn open(image: &Path, options: OpenOptions) -> Filesystem<FileSource> {
    let source = FileSource::open(image).expect("the image can be read");
    Filesystem::open(source, options).expect("the image can be opened")
}

/// Compares every group as read by the last backup of the superblock that `dumpe2fs` takes, whose
/// block numbers there are `int`s.
///
/// `dumpe2fs` forgets BLOCK_UNINIT, INODE_UNINIT and the unused inodes then, and the checksums
/// with them; the bitmaps that it reads instead must be ours.
fn compare_from_backup(image: &Path, dump: &Dump) {
    let mut backups = dump.groups.iter().skip(1).filter_map(|group| group.superblock);
    let Some(superblock) = backups.rfind(|fsblk| i32::try_from(*fsblk).is_ok()) else {
        return;
    };
    let block_size = dump.header("Block size").and_then(|size| size.parse().ok());
    let block_size: u32 = block_size.expect("the header has the block size");
    let options =
        OpenOptions { superblock: Some(Fsblk::new(superblock)), block_size: Some(block_size) };
    let fs = open(image, options);
    assert!(fs.is_from_backup());
    let forget = |mut group: DumpedGroup| {
        group.flags.clear();
        (group.csum, group.csum_expected, group.itable_unused) = (None, None, 0);
        group
    };
    for mut printed in Dump::from_backup(image, superblock, block_size).groups {
        whole_clusters(&mut printed, fs.geometry().blocks_per_cluster().into());
        let told = told(&fs, Group::new(printed.group));
        assert_eq!(forget(told), forget(printed), "ours is left, from block {superblock}");
    }
}

/// Free clusters of all groups as the sweep counts them.
fn swept(image: &Path) -> u64 {
    let source = FileSource::open(image).expect("the image can be read");
    let summary = whole::go_through(source, OpenOptions::default());
    summary.expect("the image can be opened").free
}

/// Free clusters of all groups as `dumpe2fs` lists them.
fn printed_free(dump: &Dump) -> u64 {
    let field = |label| dump.header(label).map(|text| text.parse::<u64>().expect("a number"));
    let cluster = field("Cluster size").or(field("Block size")).expect("a size");
    let blocks_per_cluster = cluster / field("Block size").expect("a size");
    let free = |range: &RangeInclusive<u64>| (range.end() - range.start()) / blocks_per_cluster + 1;
    dump.groups.iter().flat_map(|group| &group.free_block_ranges).map(free).sum()
}

/// Free clusters of a group counted bit by bit in the bytes of the image; nothing of the engine.
fn free_bit_by_bit(image: &Path, fs: &Filesystem<FileSource>, group: Group) -> u64 {
    use std::os::unix::fs::FileExt as _;
    let entry = fs.group(group).expect("the descriptor can be read");
    let block_size = fs.geometry().block_size();
    let mut bytes = vec![0; block_size as usize];
    let file = std::fs::File::open(image).expect("the image can be opened");
    file.read_exact_at(&mut bytes, entry.desc.block_bitmap.get() * u64::from(block_size))
        .expect("the bitmap lies in the image");
    let is_clear = |bit: u32| bytes[bit as usize / 8] >> (bit % 8) & 1 == 0;
    (0..fs.geometry().group_clusters(group)).filter(|bit| is_clear(*bit)).count() as u64
}

#[test]
fn every_group_of_the_matrix_is_told_as_dumpe2fs_tells_it() {
    if !tool::have(&["mke2fs", "debugfs", "dumpe2fs"], "the dumpe2fs oracle") {
        return;
    }
    let seen = Mutex::new(Seen::default());
    recipe::each(MATRIX, |recipe, image| {
        let dump = Dump::of(image);
        assert_eq!(dump.groups.is_empty(), !recipe.has_groups());
        compare(&open(image, OpenOptions::default()), &dump);
        compare_from_backup(image, &dump);
        assert_eq!(swept(image), printed_free(&dump), "free clusters of the sweep");
        for group in &dump.groups {
            seen.lock().expect("no other image panics here").note(group);
        }
        if recipe.is_bigalloc() {
            let fs = open(image, OpenOptions::default());
            for (group, entry) in fs.groups().iter() {
                if !entry.desc.flags.contains(BgFlags::BLOCK_UNINIT) {
                    let bitmap = fs.bitmap(BitmapKind::Block, group).expect("it can be read");
                    let free = bitmap.bits().len() - bitmap.bits().count();
                    assert_eq!(free, free_bit_by_bit(image, &fs, group), "group {group}");
                }
            }
        }
    });
    if recipe::is_whole() {
        seen.into_inner().expect("no image panicked").assert_everything();
    }
}

#[test]
fn every_group_of_the_corpus_is_told_as_dumpe2fs_tells_it() {
    const TEST: &str = "dumpe2fs on the corpus";
    let Some(folder) = corpus::folder(TEST) else { return };
    if !tool::have(&["dumpe2fs"], TEST) {
        return;
    }
    let scratch = recipe::scratch();
    let failures: Vec<String> = corpus::images(&folder)
        .par_iter()
        .filter_map(|packed| {
            let name = corpus::name(packed);
            let image = scratch.path().join(name);
            std::fs::write(&image, corpus::unpack(packed)).expect("the scratch can be written");
            let agrees =
                catch_unwind(|| compare(&open(&image, OpenOptions::default()), &Dump::of(&image)))
                    .is_ok();
            let reason = UNLIKE.iter().find(|(unlike, _)| *unlike == name);
            match (agrees, reason) {
                (true, Some((_, reason))) => Some(format!("{name} agrees, despite: {reason}")),
                (false, None) => Some(format!("{name} differs; see above")),
                _ => None,
            }
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

const STOPS: &str = "dumpe2fs ends at the broken journal, before the groups";
const PADDING: &str = "a bit of the padding is clear, and dumpe2fs lists it as a free block";
const NEITHER: &str = "neither opens it";

/// Images of the corpus that are told otherwise, and why.
const UNLIKE: &[(&str, &str)] = &[
    ("f_badjourblks", STOPS),
    ("f_crashdisk", NEITHER),
    ("f_detect_junk", NEITHER),
    ("f_detect_xfs", NEITHER),
    ("f_dup", PADDING),
    ("f_dup2", PADDING),
    ("f_first_meta_bg_too_big", "dumpe2fs refuses it; what can be read is shown here"),
    ("f_illibitmap", "dumpe2fs lists free inodes of a bitmap that lies outside the filesystem"),
    ("f_jnl_etb_alloc_fail", STOPS),
    ("f_journal", STOPS),
    ("f_lpf", PADDING),
    ("f_miss_journal", STOPS),
    ("f_zero_super", NEITHER),
    ("j_corrupt_sb_magic", STOPS),
];

/// How often each thing that a group may have was compared, so that none is by chance never.
#[derive(Debug, Default)]
struct Seen {
    groups: u32,
    wrong_csum: u32,
    block_uninit: u32,
    inode_uninit: u32,
    backup: u32,
    gdt_without_superblock: u32,
    reserved_gdt: u32,
    ragged: u32,
    past_32_bits: u32,
}

impl Seen {
    fn note(&mut self, group: &DumpedGroup) {
        let has = |name: &str| group.flags.iter().any(|flag| flag == name);
        for (count, is_so) in [
            (&mut self.groups, true),
            (&mut self.wrong_csum, group.csum_expected.is_some()),
            (&mut self.block_uninit, has("BLOCK_UNINIT")),
            (&mut self.inode_uninit, has("INODE_UNINIT")),
            (&mut self.backup, group.group > 0 && group.superblock.is_some()),
            (&mut self.gdt_without_superblock, group.superblock.is_none() && group.gdt.is_some()),
            (&mut self.reserved_gdt, group.reserved_gdt.is_some()),
            (
                &mut self.ragged,
                group.free_block_ranges.len().min(group.free_inode_ranges.len()) > 8,
            ),
            (&mut self.past_32_bits, group.blocks.1 > u64::from(u32::MAX)),
        ] {
            *count += u32::from(is_so);
        }
    }

    fn assert_everything(&self) {
        let enough = self.groups > 1000
            && self.wrong_csum >= 2
            && self.block_uninit > 300
            && self.inode_uninit > 300
            && self.backup > 100
            && self.gdt_without_superblock > 10
            && self.reserved_gdt > 50
            && self.ragged > 100
            && self.past_32_bits > 100;
        assert!(enough, "the matrix no longer covers everything: {self:?}");
    }
}
