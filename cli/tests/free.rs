//! `extscope free` against `e2freefrag`: every figure, with any number of threads.

use std::path::Path;
use std::process::{Command, Output};

use extscope_tests::matrix::MATRIX;
use extscope_tests::{recipe, tool};
use serde_json::Value;

/// What both tell of an image, in `e2freefrag`'s words.
#[derive(Debug, PartialEq)]
struct Figures {
    total_blocks: u64,
    free_blocks: u64,
    chunks: Option<[u64; 2]>,
    extents: u64,
    /// Minimum, maximum, average.
    kib: [u64; 3],
    /// Extents, blocks, hundredths of a percent.
    histogram: Vec<[u64; 3]>,
}

/// Runs the command line.
fn free(image: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_extscope"));
    command.arg("free").arg(image).args(arguments).output().expect("it can be started")
}

fn ours(image: &Path, arguments: &[&str]) -> Figures {
    let output = free(image, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    let number = |value: &Value| value.as_u64().expect("a number");
    let kib = |name: &str| number(&json[name]) * (number(&json["block_size"]) / 1024);
    let bucket = |bucket: &Value| {
        let percent = bucket["percent"].as_f64().expect("a number");
        [number(&bucket["extents"]), number(&bucket["blocks"]), (percent * 100.0).round() as u64]
    };
    Figures {
        total_blocks: number(&json["blocks_count"]),
        free_blocks: number(&json["free_blocks_count"]),
        chunks: json
            .get("chunks")
            .map(|chunks| [number(&chunks["total"]), number(&chunks["free"])]),
        extents: number(&json["extents"]),
        kib: ["shortest", "longest", "average"].map(kib),
        histogram: json["histogram"].as_array().expect("a list").iter().map(bucket).collect(),
    }
}

fn theirs(image: &Path, arguments: &[&str]) -> Figures {
    let text = tool::run("e2freefrag", arguments.iter().copied(), image);
    let first_number = |text: &str| -> u64 {
        let digits: String = text.trim().chars().take_while(char::is_ascii_digit).collect();
        digits.parse().expect("a number")
    };
    let field =
        |label: &str| text.lines().find_map(|line| line.strip_prefix(label)).map(first_number);
    let row = |line: &str| {
        let (_, counts) = line.split_once(" : ")?;
        let words: Vec<&str> = counts.split_whitespace().collect();
        let [extents, blocks, percent] = words.as_slice() else { return None };
        let hundredths: String = percent.chars().filter(char::is_ascii_digit).collect();
        Some([first_number(extents), first_number(blocks), hundredths.parse().ok()?])
    };
    Figures {
        total_blocks: field("Total blocks:").expect("it is there"),
        free_blocks: field("Free blocks:").expect("it is there"),
        chunks: field("Total chunks:")
            .zip(field("Free chunks:"))
            .map(|(total, free)| [total, free]),
        extents: field("Num. free extent:").expect("it is there"),
        kib: ["Min. free extent:", "Max. free extent:", "Avg. free extent:"]
            .map(|label| field(label).expect("it is there")),
        histogram: text.lines().filter_map(row).collect(),
    }
}

#[test]
fn every_figure_is_e2freefrags_with_any_number_of_threads() {
    if !tool::have(&["mke2fs", "debugfs", "e2freefrag"], "extscope free on the matrix") {
        return;
    }
    // e2freefrag looks only at a part of the clusters of a bigalloc filesystem, and stops at a
    // wrong checksum.
    let recipes: Vec<_> = MATRIX
        .iter()
        .filter(|recipe| recipe.has_groups() && !recipe.is_bigalloc() && recipe.name != "bad_csums")
        .filter(|recipe| recipe.kib <= 2 << 20)
        .step_by(2)
        .copied()
        .collect();
    recipe::each(&recipes, |_, image| {
        let whole = theirs(image, &[]);
        for threads in ["1", "2", "7", "33"] {
            assert_eq!(ours(image, &["--threads", threads]), whole, "{threads} threads");
        }
        for chunk in ["64", "1024"] {
            let arguments = ["-c", chunk];
            assert_eq!(ours(image, &arguments), theirs(image, &arguments), "chunks of {chunk}");
        }
    });
}

#[test]
fn a_wrong_chunk_size_and_a_wrong_image_are_said() {
    let folder = recipe::scratch();
    let image = folder.path().join("not.img");
    std::fs::write(&image, [0; 70_000]).expect("the scratch can be written");
    for (arguments, says) in [(&["--json"][..], "ext"), (&["-c", "banana"], "banana")] {
        let output = free(&image, arguments);
        assert!(!output.status.success());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(says) && !error.contains("panicked"), "{error}");
    }
}
