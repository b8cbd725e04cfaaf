//! `extscope map`: pictures whose pixels are counted.

use std::fs::File;
use std::io::BufReader;
use std::process::{Command, Stdio};

use extscope_picture::{Ink, Kind, Kinds, Layer, Look, Palette, Rgb, Theme};
use extscope_tests::{recipe, sample};
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
fn what_cannot_be_drawn_is_said_and_the_image_is_never_written_to() {
    let (_folder, image) = sample::unpacked("one-bitmap");
    let before = std::fs::read(&image).expect("it can be read");
    let fails = |arguments: &[&str], says: &str| {
        let output = run(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && complaint.contains(says), "{complaint}");
    };
    fails(&["map", &image, "-o", &image], "is the image");
    fails(&["map", &image, "-o", "x.png", "--layer", "moon"], "layers are");
    fails(&["map", &image, "-o", "x.png", "--layer", "owner"], "--inode");
    fails(&["map", &image, "-o", "x.png", "--width", "0"], "--width");
    assert_eq!(std::fs::read(&image).expect("it can be read"), before);
}
