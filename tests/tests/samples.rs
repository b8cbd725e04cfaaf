//! The samples of the page are what their recipes make, and small.

use std::path::{Path, PathBuf};
use std::process::Command;

use extscope::fs::OpenOptions;
use extscope_tests::{corpus, recipe, source, tool, whole};

/// Most bytes of a packed sample, since it comes over the network.
const MOST_BYTES: u64 = 150 << 10;

/// Recipe and packed sample of each.
fn samples() -> Vec<(PathBuf, PathBuf)> {
    let folder = source::root().join("web/samples");
    let entries = folder.read_dir().expect("the samples can be listed");
    let samples: Vec<_> = entries
        .map(|entry| entry.expect("the samples can be listed").path())
        .map(|packed| {
            let name = format!("g_{}", corpus::name(&packed).replace('-', "_"));
            (source::root().join("tests/images").join(name).join("recipe.sh"), packed)
        })
        .collect();
    assert_eq!(samples.len(), 3, "the page offers three samples");
    samples
}

/// Makes an image by its recipe.
fn make(recipe: &Path, image: &Path) {
    let output = Command::new("bash").arg(recipe).arg(image).output().expect("bash can be run");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {complaints}", source::short(recipe));
}

#[test]
fn samples_are_what_their_recipes_make() {
    if !tool::have(&["mke2fs", "debugfs"], "the recipes of the samples") {
        return;
    }
    let scratch = recipe::scratch();
    for (recipe, packed) in samples() {
        let image = scratch.path().join(corpus::name(&packed));
        make(&recipe, &image);
        let made = std::fs::read(&image).expect("the image can be read");
        let kept = corpus::unpack(&packed);
        assert_eq!(made.len(), kept.len(), "the length of {}", source::short(&packed));
        let differs = made.iter().zip(&kept).position(|(made, kept)| made != kept);
        assert_eq!(differs, None, "first byte of {} that differs", source::short(&packed));
    }
}

#[test]
fn samples_are_small_and_sound() {
    for (_, packed) in samples() {
        let bytes = packed.metadata().expect("the sample is there").len();
        assert!(bytes <= MOST_BYTES, "{} has {bytes} bytes", source::short(&packed));
        let summary = whole::go_through(corpus::unpack(&packed), OpenOptions::default());
        let summary = summary.expect("the sample can be opened");
        assert_eq!(summary.failed, 0, "{}: {summary:?}", source::short(&packed));
        assert!(summary.free > 1000, "{}: {summary:?}", source::short(&packed));
    }
}
