//! A filesystem whose primary superblock is gone is found again by its backups.

use std::os::unix::fs::FileExt as _;
use std::path::Path;

use extscope::fs::{Backup, BackupSearch, Filesystem, OpenOptions};
use extscope::io::FileSource;
use extscope::ondisk::SUPERBLOCK_OFFSET;
use extscope::task::run_to_end;
use extscope_tests::matrix::MATRIX;
use extscope_tests::{recipe, tool};

/// Bytes of `s_magic`, from the start of the superblock.
const MAGIC: std::ops::Range<u64> = 0x38..0x3a;

fn open(image: &Path, options: OpenOptions) -> Filesystem<FileSource> {
    let source = FileSource::open(image).expect("the image can be read");
    Filesystem::open(source, options).expect("the image can be opened")
}

/// The backups that make sense.
fn search(image: &Path) -> Vec<Backup> {
    let source = FileSource::open(image).expect("the image can be read");
    let found = run_to_end(BackupSearch::new(source).expect("it can be read")).expect("it ends");
    found.found.into_iter().filter(|backup| backup.is_plausible).collect()
}

/// Fills a part of the primary superblock with zeros.
fn wipe(image: &Path, part: std::ops::Range<u64>) {
    let file = std::fs::File::options().write(true).open(image).expect("it can be opened");
    let zeros = vec![0; usize::try_from(part.end - part.start).expect("a short part")];
    file.write_all_at(&zeros, SUPERBLOCK_OFFSET + part.start).expect("it can be written");
}

#[test]
fn backups_bring_back_every_image_that_has_one() {
    if !tool::have(&["mke2fs", "debugfs", "dumpe2fs"], "opening from backups") {
        return;
    }
    recipe::each(MATRIX, |_, image| {
        let (geometry, layout) = {
            let fs = open(image, OpenOptions::default());
            (*fs.geometry(), *fs.layout())
        };
        let groups = u32::try_from(geometry.groups_count()).expect("few groups");
        let backups = (1..groups)
            .map(extscope::units::Group::new)
            .filter(|group| layout.has_super(*group))
            .map(|group| layout.super_block_of(group));
        let backups: Vec<_> = backups.collect();

        // Only the magic is gone: what is left still tells how long the groups are.
        wipe(image, MAGIC);
        let found = search(image);
        assert!(backups.is_empty() || !found.is_empty(), "none of {backups:?} is found");
        for backup in &found {
            assert!(backups.contains(&backup.fsblk), "{} is no backup", backup.fsblk);
            assert_eq!(open(image, backup.options()).geometry(), &geometry);
        }

        // Nothing is left: groups are looked for where they begin when they are as long as a
        // bitmap allows.
        wipe(image, 0..1024);
        let is_longest = geometry.clusters_per_group() == geometry.bits_per_block();
        let is_found = !search(image).is_empty();
        assert!(is_found || backups.is_empty() || !is_longest, "none of {backups:?} is found");
    });
}
