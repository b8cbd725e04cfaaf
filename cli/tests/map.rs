//! `extscope map`: pictures whose pixels are counted.

use std::fs::File;
use std::io::BufReader;
use std::process::{Command, Stdio};

use extscope_picture::{Ink, Kind, Kinds, Layer, Look, Palette, Rgb, Theme};
use extscope_tests::{recipe, sample, tool};
use serde_json::Value;

fn run(arguments: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_extscope"));
    command.args(arguments).stdin(Stdio::null()).output().expect("it can be started")
}

/// Draws an image, and gives the picture's pixels.
fn drawn(image: &str, arguments: &[&str]) -> Vec<Rgb> {
    let folder = recipe::scratch();
    let path = folder.path().join("map.png");
    let path = path.to_str().expect("a plain path");
    let output = run(&[&["map", image, "-o", path], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let decoder = png::Decoder::new(BufReader::new(File::open(path).expect("it was written")));
    let mut reader = decoder.read_info().expect("it is a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("it is small")];
    reader.next_frame(&mut bytes).expect("it holds a picture");
    bytes.chunks_exact(4).map(|pixel| Rgb(pixel[0], pixel[1], pixel[2])).collect()
}

fn count(pixels: &[Rgb], colour: Rgb) -> f64 {
    pixels.iter().filter(|pixel| **pixel == colour).count() as f64
}

#[test]
fn as_much_of_the_picture_is_full_as_of_the_disk() {
    let (_folder, image) = sample::unpacked("small-server");
    let free = run(&["free", "--json", &image]);
    let free: Value = serde_json::from_slice(&free.stdout).expect("it prints JSON");
    let number = |name: &str| free[name].as_f64().expect("a number");
    let due = 1.0 - number("free_blocks_count") / number("blocks_count");
    let look = Look::new(Palette::of(Theme::Light), Layer::Occupancy, Kinds::default());
    for layout in ["rows", "snake", "hilbert"] {
        let arguments =
            ["--layer", "occ", "--theme", "light", "--width", "800", "--layout", layout];
        let pixels = drawn(&image, &arguments);
        let used = count(&pixels, look.colour(Ink::share(255)));
        let free = count(&pixels, look.colour(Ink::share(0)));
        let share = used / (used + free);
        assert!((share - due).abs() < 0.01, "{layout}: {share} is drawn, {due} is in use");
    }
}

#[test]
fn every_kind_of_the_sample_is_in_its_picture() {
    let (_folder, image) = sample::unpacked("small-server");
    let palette = Palette::of(Theme::Dark);
    let pixels = drawn(&image, &[]);
    for kind in [Kind::Super, Kind::Gdt, Kind::BlockBitmap, Kind::Itable, Kind::Journal, Kind::Dir]
    {
        assert!(count(&pixels, palette.kind(kind)) > 0.0, "no pixel is of {kind:?}");
    }
    let owned = drawn(&image, &["--layer", "owner", "--inode", "8"]);
    let look = Look::new(palette, Layer::Owner, Kinds::default());
    assert!(count(&owned, look.colour(Ink::OWNER)) > 1000.0, "the journal is large");
}

#[test]
fn layers_show_what_inodes_and_descriptors_say() {
    let (_folder, image) = sample::unpacked("small-server");
    let palette = Palette::of(Theme::Dark);
    let inks = |layer: Layer, inks: &[Ink]| {
        let look = Look::new(palette.clone(), layer, Kinds::default());
        let pixels = drawn(&image, &["--layer", layer.slug()]);
        inks.iter().map(|ink| count(&pixels, look.colour(*ink))).collect::<Vec<_>>()
    };
    let free = Ink::kind(Kind::Free);
    // The journal is a run of 1024 blocks, ten steps of fifteen on the ramp.
    let runs = inks(Layer::FileRuns, &[free, Ink::share(255 - 170)]);
    assert!(runs.iter().all(|count| *count > 1000.0), "{runs:?}");
    // The sample was made in a minute.
    let ages = inks(Layer::Age, &[free, Ink::share(255)]);
    assert!(ages.iter().all(|count| *count > 1000.0), "{ages:?}");
    let written = inks(Layer::Written, &[Ink::WRITTEN, Ink::UNINIT]);
    assert!(written.iter().all(|count| *count > 1000.0), "{written:?}");
    let sound = [Ink::FAULTY, Ink::UNOWNED, Ink::FREE_BUT_OWNED, Ink::CONTESTED];
    assert_eq!(inks(Layer::Problems, &sound), [0.0; 4]);
}

#[test]
fn what_debugfs_changes_is_seen_in_the_layer_that_tells_of_it() {
    if !tool::have(&["debugfs"], "what_debugfs_changes_is_seen_in_the_layer_that_tells_of_it") {
        return;
    }
    let (_folder, image) = sample::unpacked("small-server");
    let requests = "setb 20000 400\nfreeb 121 15\nsif /srv/f640 mtime 20100101000000\n";
    tool::debugfs(std::path::Path::new(&image), requests);
    let palette = Palette::of(Theme::Dark);
    for (layer, inks) in [(Layer::Problems, &[Ink::FAULTY]), (Layer::Age, &[Ink::share(0)])] {
        let look = Look::new(palette.clone(), layer, Kinds::default());
        let large = ["--layer", layer.slug(), "--width", "4000", "--height", "4000"];
        let pixels = drawn(&image, &large);
        for ink in inks {
            assert!(count(&pixels, look.colour(*ink)) > 10.0, "{layer:?} {ink:?}");
        }
    }
}

#[test]
fn an_svg_says_what_it_shows() {
    let (_folder, image) = sample::unpacked("small-server");
    let folder = recipe::scratch();
    let path = folder.path().join("map.SVG");
    let output = run(&["map", &image, "-o", path.to_str().expect("a plain path")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let svg = std::fs::read_to_string(path).expect("it is text");
    for says in [
        "<svg ",
        ">ext4, 112 MiB, blocks of 4 KiB, UUID ",
        "Journal",
        "Each block is",
        "data:image/png;base64,",
    ] {
        assert!(svg.contains(says), "{says}");
    }
}

#[test]
fn what_cannot_be_drawn_is_said_and_the_image_is_never_written_to() {
    let (_folder, image) = sample::unpacked("one-bitmap");
    let before = std::fs::read(&image).expect("it can be read");
    let fails = |arguments: &[&str], says: &str| {
        let output = run(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && complaint.contains(says), "{complaint}");
    };
    fails(&["map", &image, "-o", &image], "is read; nothing is written to it");
    let folder = recipe::scratch();
    fails(&["map", &image, "-o", folder.path().to_str().expect("a plain path")], "is a folder");
    fails(&["map", &image, "-o", "x.jpg"], "pictures end in .png or .svg");
    fails(&["map", &image, "-o", "x.png", "--layer", "moon"], "layers are");
    fails(&["map", &image, "-o", "x.png", "--layer", "owner"], "--inode");
    fails(&["map", &image, "-o", "x.png", "--width", "0"], "--width");
    assert_eq!(std::fs::read(&image).expect("it can be read"), before);
}
