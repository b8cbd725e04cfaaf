//! How a test image is made: size, `mke2fs` arguments, what is put into it.

use std::fs::{self, File};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::fill::{self, Fill};
use crate::tool;

/// UUID of every image, so that checksums seeded with it are the same each time.
pub const UUID: &str = "5d1f8a0e-7c35-4c0b-9f6e-2b1a40c3e7d9";

/// Seed of the directory hash of every image.
pub const HASH_SEED: &str = "8c2f6e4a-1b7d-4e93-a5c0-d6f1e2b3a497";

/// One image that the oracles are asked about.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Short name; also the file's name.
    pub name: &'static str,
    /// Length of the file in KiB; sparse.
    pub kib: u64,
    /// Arguments of `mke2fs`, separated by spaces.
    pub mke2fs: &'static str,
    /// What is done to it afterwards, in order.
    pub fill: &'static [Fill],
}

impl Recipe {
    /// Whether clusters hold more than one block.
    #[must_use]
    pub fn is_bigalloc(&self) -> bool {
        self.mke2fs.contains("bigalloc")
    }

    /// Whether it is a filesystem, not an external journal.
    #[must_use]
    pub fn has_groups(&self) -> bool {
        !self.mke2fs.contains("journal_dev")
    }

    /// Whether `e2fsck` has nothing to say of it.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        self.fill.iter().all(|step| matches!(step, Fill::Tree | Fill::Ragged | Fill::Shapes))
    }

    /// Makes the image in `folder` and gives its path.
    ///
    /// # Panics
    /// When a tool refuses: a recipe that cannot be made is a broken test.
    #[must_use]
    pub fn make(&self, folder: &Path) -> PathBuf {
        let image = folder.join(self.name).with_extension("img");
        let file = File::create(&image).expect("the scratch folder can be written");
        file.set_len(self.kib * 1024).expect("the scratch folder takes sparse files");
        drop(file);

        let mut command = tool::command("mke2fs");
        command.args(["-q", "-F", "-U", UUID]);
        // mke2fs heeds only the last -E, so the seed is put in front of a recipe's own options.
        let seed = format!("hash_seed={HASH_SEED}");
        let mut arguments = self.mke2fs.split_whitespace();
        let mut options = None;
        while let Some(argument) = arguments.next() {
            match argument {
                "-E" => options = arguments.next(),
                _ => _ = command.arg(argument),
            }
        }
        let options: Vec<&str> = std::iter::once(&*seed).chain(options).collect();
        command.args(["-E", &options.join(",")]);
        if self.fill.contains(&Fill::Tree) {
            command.arg("-d").arg(fill::tree(folder));
        }
        command.arg(&image);
        let output = command.output().expect("mke2fs can be run");
        assert!(
            output.status.success(),
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );

        for step in self.fill {
            step.apply(&image, folder);
        }
        image
    }
}

/// Makes each recipe in a folder of its own and asks `test` about it, on all cores.
///
/// `EXTSCOPE_ONLY=name` picks the recipes whose name contains `name`.
///
/// # Panics
/// When any failed, after all have run; the message names each with what it said.
pub fn each(recipes: &[Recipe], test: impl Fn(&Recipe, &Path) + Sync) {
    let only = only();
    let chosen: Vec<&Recipe> =
        recipes.iter().filter(|recipe| recipe.name.contains(&only)).collect();
    assert!(!chosen.is_empty(), "no recipe is named {only:?}");
    let failures: Vec<String> = chosen
        .par_iter()
        .with_max_len(1)
        .filter_map(|recipe| {
            let folder = scratch();
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let image = recipe.make(folder.path());
                test(recipe, &image);
                fs::remove_file(&image).expect("the image can be removed");
            }));
            outcome.err().map(|cause| format!("{}: {}", recipe.name, message(&*cause)))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} images fail:\n{}",
        failures.len(),
        chosen.len(),
        failures.join("\n")
    );
}

/// Whether [`each`] makes every recipe, not a chosen few.
#[must_use]
pub fn is_whole() -> bool {
    only().is_empty()
}

/// What the name of a recipe must contain.
fn only() -> String {
    std::env::var("EXTSCOPE_ONLY").unwrap_or_default()
}

/// A folder that goes away with its owner.
///
/// # Panics
/// When the temporary folder of the machine cannot be written.
#[must_use]
pub fn scratch() -> tempfile::TempDir {
    tempfile::Builder::new()
        .prefix("extscope-")
        .tempdir()
        .expect("the temporary folder can be written")
}

/// What a panic said.
#[must_use]
pub fn message(cause: &(dyn std::any::Any + Send)) -> &str {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("a panic without words")
}
