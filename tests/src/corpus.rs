//! The images of e2fsprogs' own test suite, which lie beside the project and never in it.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::skip;

/// Where the corpus lies, or `None`, said aloud.
///
/// `EXTSCOPE_CORPUS` names another folder.
#[must_use]
pub fn folder(test: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let folder = std::env::var_os("EXTSCOPE_CORPUS").map_or(beside, PathBuf::from);
    if folder.join("images").is_dir() {
        return Some(folder);
    }
    skip::aloud(test, "no corpus of images beside the project (EXTSCOPE_CORPUS names a folder)");
    None
}

/// The compressed images of a corpus, by name.
///
/// # Panics
/// When the folder cannot be listed, or holds none.
#[must_use]
pub fn images(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.join("images").read_dir().expect("the corpus can be listed");
    let mut images: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the corpus can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "gz"))
        .collect();
    images.sort();
    assert!(!images.is_empty(), "the corpus at {} is empty", folder.display());
    images
}

/// The name of an image without its endings.
///
/// # Panics
/// When the name is not text.
#[must_use]
pub fn name(image: &Path) -> &str {
    let file = image.file_name().and_then(|name| name.to_str()).expect("a name in plain letters");
    file.split(".img").next().unwrap_or(file)
}

/// The bytes of a compressed image.
///
/// # Panics
/// When it cannot be read.
#[must_use]
pub fn unpack(image: &Path) -> Vec<u8> {
    let file = File::open(image).expect("the image can be opened");
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(file)
        .read_to_end(&mut bytes)
        .unwrap_or_else(|error| panic!("{} cannot be unpacked: {error}", image.display()));
    bytes
}
