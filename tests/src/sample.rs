//! The samples of the page, as images.

use crate::{corpus, recipe, source};

/// A sample, unpacked into a folder that goes away with the first of the two; its path.
///
/// # Panics
/// When there is no such sample.
#[must_use]
pub fn unpacked(name: &str) -> (tempfile::TempDir, String) {
    let packed = source::root().join("web/samples").join(name).with_extension("img.gz");
    let folder = recipe::scratch();
    let path = folder.path().join(name);
    std::fs::write(&path, corpus::unpack(&packed)).expect("the scratch folder can be written");
    let path = path.to_str().expect("a plain path").to_owned();
    (folder, path)
}
