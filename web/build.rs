//! Names the build after its source, so that a page notices a worker of another build.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{fs, io};

fn main() -> io::Result<()> {
    let mut hasher = DefaultHasher::new();
    for source in ["src", "static", "Cargo.toml", "../crate/src", "../picture/src", "../Cargo.lock"]
    {
        println!("cargo::rerun-if-changed={source}");
        hash(Path::new(source), &mut hasher)?;
    }
    println!("cargo::rustc-env=EXTSCOPE_BUILD={:016x}", hasher.finish());
    Ok(())
}

/// Adds a file, or all in a folder in order of their names.
fn hash(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    if !path.is_dir() {
        path.file_name().hash(hasher);
        fs::read(path)?.hash(hasher);
        return Ok(());
    }
    let entries = fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    entries.sort();
    entries.iter().try_for_each(|entry| hash(entry, hasher))
}
