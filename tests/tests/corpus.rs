//! Every image of e2fsprogs' own test suite opens and is swept, or is refused for the right
//! reason.

use std::path::Path;

use extscope::fs::{BackupSearch, OpenOptions};
use extscope::task::run_to_end;
use extscope::units::Fsblk;
use extscope::{Error, ErrorKind};
use extscope_tests::{corpus, whole};

/// Images without a usable primary superblock, and the kind of error that says so.
const REFUSED: &[(&str, ErrorKind)] = &[
    ("f_crashdisk", ErrorKind::Corrupt),
    ("f_detect_junk", ErrorKind::NotExt),
    ("f_detect_xfs", ErrorKind::NotExt),
    ("f_zero_super", ErrorKind::NotExt),
];

/// Images of an external journal, which has no groups.
const JOURNALS: &[&str] = &["j_ext_dumpe2fs"];

#[test]
fn every_image_is_gone_through_or_refused_for_the_right_reason() {
    let Some(folder) = corpus::folder("the corpus") else { return };
    let images = corpus::images(&folder);
    let mut refused = 0;
    for image in &images {
        let name = corpus::name(image);
        let reason = REFUSED.iter().find(|(refused, _)| *refused == name).map(|(_, kind)| *kind);
        match whole::go_through(corpus::unpack(image), OpenOptions::default()) {
            Ok(summary) => {
                assert_eq!(reason, None, "{name} opens");
                assert_eq!(summary.groups == 0, JOURNALS.contains(&name), "{name}: {summary:?}");
            }
            Err(error) => {
                assert_eq!(Some(error.kind()), reason, "{name}: {error}");
                assert!(has_a_way_on(image, &error), "{name} says nothing of what to try");
                refused += 1;
            }
        }
    }
    assert_eq!(refused, REFUSED.len(), "each refused image is there");
}

/// Whether a person is told what to try, or finds backups to open from.
fn has_a_way_on(image: &Path, error: &Error) -> bool {
    let search = || BackupSearch::new(corpus::unpack(image)).and_then(run_to_end);
    error.hint().is_some() || !search().expect("the image can be read").found.is_empty()
}

#[test]
fn an_image_without_a_primary_superblock_opens_from_a_backup() {
    let Some(folder) = corpus::folder("backups in the corpus") else { return };
    let image = folder.join("images/f_zero_super.img.gz");
    let options = OpenOptions { superblock: Some(Fsblk::new(8193)), block_size: None };
    let summary = whole::go_through(corpus::unpack(&image), options).expect("the backup is good");
    assert!(summary.groups > 1, "{summary:?}");
}
